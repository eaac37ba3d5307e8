//! What is wanted of the numbers, and how far it holds.

use std::collections::{BTreeMap, BTreeSet};

use record::{Context, Verdict};
use stats::{Comparison, ratio_of_ratios};

use crate::contradictions;
use crate::row::{Row, Versus};

/// What tells the numbers of a campaign apart.
pub(crate) type Place<'a> = (&'a str, &'a str, Context);

/// The rows of each place, by run.
pub(crate) fn places(rows: &[Row]) -> BTreeMap<Place<'_>, Vec<&Row>> {
    let mut places: BTreeMap<Place<'_>, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let place = (row.kind.as_str(), row.variant.as_str(), row.context);
        places.entry(place).or_default().push(row);
    }
    places
}

/// Prints every figure, of the runs that do not call themselves unreliable.
pub(crate) fn judge(rows: &[Row]) {
    let all: BTreeSet<(&str, u32)> = runs(rows);
    let rows: Vec<Row> = rows.iter().filter(|row| !row.flagged).cloned().collect();
    let rows = rows.as_slice();
    println!(
        "{} runs, {} of which say first that their numbers are not to be relied on, and do not count here.\n",
        all.len(),
        all.len() - runs(rows).len()
    );
    let places = places(rows);
    spread(&places);
    println!("\n| figure | wanted | found | |\n| --- | --- | --- | --- |");
    alike_in_a_file(&places);
    alike_by_diff(rows);
    coverage(&places);
    power(&places);
    agreement(&places);
    published(&places);
    contradictions::judge(rows);
    println!();
}

fn runs(rows: &[Row]) -> BTreeSet<(&str, u32)> {
    rows.iter()
        .map(|row| (row.kind.as_str(), row.run))
        .collect()
}

/// A line of the table of figures.
pub(crate) fn tell(figure: &str, wanted: &str, found: &str, holds: bool) {
    let holds = if holds { "holds" } else { "**missed**" };
    println!("| {figure} | {wanted} | {found} | {holds} |");
}

/// What each number did over all runs.
fn spread(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    println!(
        "| file | variant | context | runs | cycles: median [5 %, 95 %] | covered | half width, % | \
         verdicts = / slower / faster | ratio [5 %, 95 %], % |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for ((kind, variant, context), rows) in places {
        let cycles: Vec<f64> = rows.iter().map(|row| row.cycles[0]).collect();
        let middle = at(&cycles, 0.5);
        let halves: Vec<f64> = rows
            .iter()
            .map(|row| (row.cycles[2] - row.cycles[1]) / 2.0 / middle.abs())
            .collect();
        let versus: Vec<Versus> = rows.iter().filter_map(|row| row.versus).collect();
        let count = |verdict| versus.iter().filter(|vs| vs.verdict == verdict).count();
        let ratios: Vec<f64> = versus.iter().map(|vs| vs.ratio[0]).collect();
        let ratio = if ratios.is_empty() {
            String::new()
        } else {
            let percent = |q| 100.0 * (at(&ratios, q) - 1.0);
            format!("{:+.2} .. {:+.2}", percent(0.05), percent(0.95))
        };
        println!(
            "| {kind} | {variant} | {context} | {} | {middle:.2} [{:.2}, {:.2}] | {:.0} % | {:.2} | \
             {} / {} / {} | {ratio} |",
            rows.len(),
            at(&cycles, 0.05),
            at(&cycles, 0.95),
            100.0 * covered(rows),
            100.0 * at(&halves, 0.5),
            count(Verdict::NoDifference),
            count(Verdict::Slower),
            count(Verdict::Faster),
        );
    }
}

/// The `q` quantile; not a number for no values.
fn at(values: &[f64], q: f64) -> f64 {
    stats::quantile(values, q).unwrap_or(f64::NAN)
}

/// The share of intervals that hold the median of all estimates.
fn covered(rows: &[&Row]) -> f64 {
    let cycles: Vec<f64> = rows.iter().map(|row| row.cycles[0]).collect();
    let middle = at(&cycles, 0.5);
    let hits = rows
        .iter()
        .filter(|row| (row.cycles[1]..=row.cycles[2]).contains(&middle))
        .count();
    hits as f64 / rows.len() as f64
}

/// A copy of the baseline, elsewhere in the file.
fn alike_in_a_file(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    for ((kind, variant, context), rows) in places {
        if *variant != "copy" {
            continue;
        }
        let wrong = rows
            .iter()
            .filter(|row| {
                row.versus
                    .is_some_and(|vs| vs.verdict != Verdict::NoDifference)
            })
            .count();
        tell(
            &format!("{kind}: a variant and its copy differ, {context}"),
            "at most 1 %",
            &format!("{wrong} of {}", rows.len()),
            100 * wrong <= rows.len(),
        );
    }
}

/// Each run against the next, as `thunklab diff` compares them.
fn alike_by_diff(rows: &[Row]) {
    let by_run = |kind: &str, context: Context| {
        let mut runs: BTreeMap<u32, BTreeMap<&str, &Row>> = BTreeMap::new();
        for row in rows
            .iter()
            .filter(|row| row.kind == kind && row.context == context)
        {
            runs.entry(row.run).or_default().insert(&row.variant, row);
        }
        runs
    };
    let kinds: BTreeSet<(&str, Context)> = rows
        .iter()
        .map(|row| (row.kind.as_str(), row.context))
        .collect();
    for (kind, context) in kinds {
        let runs: Vec<_> = by_run(kind, context).into_values().collect();
        let (mut pairs, mut rows, mut wrong_pairs, mut wrong) = (0, 0, 0, 0);
        for pair in runs.windows(2) {
            let differing = pair[0]
                .iter()
                .filter_map(|(variant, first)| Some((*first, *pair[1].get(variant)?)))
                .inspect(|_| rows += 1)
                .filter(|(first, second)| differ(first, second))
                .count();
            pairs += 1;
            wrong += differing;
            wrong_pairs += usize::from(differing > 0);
        }
        tell(
            &format!("{kind}: two runs differ by `diff`, {context}"),
            "at most 1 % of the runs",
            &format!("{wrong_pairs} of {pairs}; {wrong} of {rows} rows"),
            100 * wrong_pairs <= pairs,
        );
    }
}

/// Whether `diff` finds a difference in a row: in its cycles, or in its ratio to the baseline.
fn differ(first: &Row, second: &Row) -> bool {
    let floor = first.floor.max(second.floor);
    let comparison = |[ratio, low, high]: [f64; 3]| Comparison {
        ratio,
        low,
        high,
        verdict: stats::Verdict::NoDifference,
        smallest_seen: 0.0,
    };
    let apart = |first: [f64; 3], second: [f64; 3]| {
        ratio_of_ratios(&comparison(second), &comparison(first), floor)
            .is_some_and(|found| found.verdict != stats::Verdict::NoDifference)
    };
    let ratios = first.versus.zip(second.versus);
    apart(first.cycles, second.cycles)
        || ratios.is_some_and(|(first, second)| apart(first.ratio, second.ratio))
}

/// How often the interval holds the long-run value.
fn coverage(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    let mut by_kind: BTreeMap<&str, Vec<(f64, String)>> = BTreeMap::new();
    for ((kind, variant, context), rows) in places {
        let all = by_kind.entry(kind).or_default();
        all.push((covered(rows), format!("{variant} {context}")));
    }
    for (kind, mut shares) in by_kind {
        shares.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = shares.iter().map(|(share, _)| share).sum::<f64>() / shares.len() as f64;
        let below = shares.iter().filter(|(share, _)| *share < 0.9).count();
        let above = shares.iter().filter(|(share, _)| *share > 0.99).count();
        let (least, which) = &shares[0];
        tell(
            &format!("{kind}: intervals hold the median of all runs"),
            "90 to 99 %",
            &format!(
                "{:.0} % on average, least {:.0} % ({which}); {below} of {} numbers below 90 %, \
                 {above} above 99 %",
                100.0 * mean,
                100.0 * least,
                shares.len()
            ),
            below == 0 && mean <= 0.99,
        );
    }
}

/// Planted differences that are found.
fn power(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    for ((kind, variant, context), rows) in places {
        let wanted = matches!((*kind, *variant), ("p1", "two") | ("p02", "eight"));
        if !wanted {
            continue;
        }
        let seen = rows
            .iter()
            .filter(|row| row.versus.is_some_and(|vs| vs.verdict == Verdict::Slower))
            .count();
        tell(
            &format!("{kind}: the planted difference `{variant}` is seen, {context}"),
            "at least 95 %",
            &format!("{seen} of {}", rows.len()),
            100 * seen >= 95 * rows.len(),
        );
    }
}

/// Whether each run agrees with the next.
fn agreement(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    for (kind, within) in [("bhb", 0.01), ("lat", 0.003)] {
        let mut contexts: BTreeMap<Context, [usize; 3]> = BTreeMap::new();
        let mut worst: BTreeMap<Context, (f64, &str)> = BTreeMap::new();
        for ((_, variant, context), rows) in places.iter().filter(|(place, _)| place.0 == kind) {
            for pair in rows.windows(2) {
                let apart = (pair[0].cycles[0] / pair[1].cycles[0] - 1.0).abs();
                let overlap = pair[0].cycles[1] <= pair[1].cycles[2]
                    && pair[1].cycles[1] <= pair[0].cycles[2];
                let [all, agree, overlapping] = contexts.entry(*context).or_default();
                *all += 1;
                *agree += usize::from(apart <= within);
                *overlapping += usize::from(overlap);
                let worst = worst.entry(*context).or_default();
                if apart > worst.0 {
                    *worst = (apart, variant);
                }
            }
        }
        for (context, [all, agree, overlapping]) in contexts {
            let (apart, variant) = worst[&context];
            tell(
                &format!(
                    "{kind}: two runs agree within {} %, {context}",
                    100.0 * within
                ),
                "every variant",
                &format!(
                    "{:.1} % of {all} pairs of numbers; furthest {:.2} % ({variant})",
                    100.0 * agree as f64 / all as f64,
                    100.0 * apart
                ),
                agree == all,
            );
            tell(
                &format!("{kind}: their intervals overlap, {context}"),
                "every variant",
                &format!("{:.1} %", 100.0 * overlapping as f64 / all as f64),
                100 * overlapping >= 99 * all,
            );
        }
    }
}

/// Known latencies.
fn published(places: &BTreeMap<Place<'_>, Vec<&Row>>) {
    for ((kind, variant, context), rows) in places {
        let right = rows
            .iter()
            .filter_map(|row| Some((row, row.published?)))
            .filter(|(row, published)| (row.cycles[0] / published - 1.0).abs() <= 0.01)
            .count();
        if let Some(published) = rows.first().and_then(|row| row.published) {
            tell(
                &format!("{kind}: {variant} within 1 % of the published {published}, {context}"),
                "at least 19 of 20",
                &format!("{right} of {}", rows.len()),
                20 * right >= 19 * rows.len(),
            );
        }
    }
}
