//! What a comparison comes to, in words.

use super::{Diff, Ratio, Row};
use crate::measure::VsBaseline;
use crate::word::Verdict;

/// Further rows that are named after the first.
const NAMED: usize = 3;

/// The finding: the row in which the records differ most, in full, then the names of the others.
pub(super) fn finding(diff: &Diff) -> String {
    if diff.same_machine {
        before_and_after(diff)
    } else {
        across_machines(diff)
    }
}

/// On one machine: whose cycles changed.
fn before_and_after(diff: &Diff) -> String {
    let mut changed: Vec<(&Row, usize, &Ratio)> = Vec::new();
    for row in &diff.rows {
        let largest = row
            .direct
            .iter()
            .enumerate()
            .filter_map(|(index, ratio)| Some((row, index + 1, ratio.as_ref()?)))
            .filter(|(_, _, ratio)| ratio.verdict != Verdict::NoDifference)
            .max_by(|a, b| distance(a.2.ratio).total_cmp(&distance(b.2.ratio)));
        changed.extend(largest);
    }
    changed.sort_by(|a, b| distance(b.2.ratio).total_cmp(&distance(a.2.ratio)));
    let Some((row, record, ratio)) = changed.first() else {
        return format!(
            "No variant's cycles differ between {} ({}).",
            labels(diff, &all(diff), " and "),
            diff.between
        );
    };
    let verb = if ratio.verdict == Verdict::Slower {
        "regresses"
    } else {
        "improves"
    };
    let others: Vec<&Row> = changed[1..].iter().map(|(row, ..)| *row).collect();
    format!(
        "{} {verb} from {} to {}: {} {} ({}){}.",
        diff.row_name(row),
        diff.records[0].label,
        diff.records[*record].label,
        percent(ratio.ratio),
        interval(ratio.low, ratio.high),
        diff.between,
        also(diff, &others, "changed too")
    )
}

/// On several machines: on which of them a variant costs more than its baseline.
fn across_machines(diff: &Diff) -> String {
    let mut unlike: Vec<(&Row, f64)> = Vec::new();
    let mut alike: Vec<(&Row, f64)> = Vec::new();
    for row in &diff.rows {
        let ratios: Vec<&Ratio> = row.ratio_of_ratios.iter().flatten().collect();
        if ratios.is_empty() {
            continue;
        }
        let apart = ratios
            .iter()
            .filter(|ratio| ratio.verdict != Verdict::NoDifference)
            .map(|ratio| distance(ratio.ratio))
            .max_by(f64::total_cmp);
        match apart {
            Some(apart) => unlike.push((row, apart)),
            None => {
                let cost = row
                    .cells
                    .iter()
                    .flat_map(|cell| &cell.vs_baseline)
                    .filter(|vs| vs.verdict != Verdict::NoDifference)
                    .map(|vs| distance(vs.ratio))
                    .max_by(f64::total_cmp);
                alike.extend(cost.map(|cost| (row, cost)));
            }
        }
    }
    unlike.sort_by(|a, b| b.1.total_cmp(&a.1));
    alike.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some(((row, _), others)) = unlike.split_first() {
        let others: Vec<&Row> = others.iter().map(|(row, _)| *row).collect();
        format!(
            "{} ({}, against {}){}.",
            unlike_sentence(diff, row),
            diff.between,
            diff.baseline,
            also(diff, &others, "differ too")
        )
    } else if let Some(((row, _), others)) = alike.split_first() {
        let others: Vec<&Row> = others.iter().map(|(row, _)| *row).collect();
        let compared: Vec<&VsBaseline> = row
            .cells
            .iter()
            .filter_map(|cell| cell.vs_baseline.as_ref())
            .collect();
        format!(
            "{} differs from {} alike on {}: {} ({}){}.",
            diff.row_name(row),
            diff.baseline,
            labels(diff, &all(diff), " and "),
            several(&compared, |vs| percent(vs.ratio)),
            diff.between,
            also(diff, &others, "likewise")
        )
    } else {
        format!(
            "No variant differs from {} on any of {} ({}).",
            diff.baseline,
            labels(diff, &all(diff), " and "),
            diff.between
        )
    }
}

/// "al-ah regresses on A only: +37.1% [36.8, 37.4] against +0.3%".
fn unlike_sentence(diff: &Diff, row: &Row) -> String {
    let on = |wanted: Verdict| -> Vec<usize> {
        (0..row.cells.len())
            .filter(|&index| {
                row.cells[index]
                    .vs_baseline
                    .as_ref()
                    .is_some_and(|vs| vs.verdict == wanted)
            })
            .collect()
    };
    let (slower, faster, same) = (
        on(Verdict::Slower),
        on(Verdict::Faster),
        on(Verdict::NoDifference),
    );
    let known = slower.len() + faster.len() + same.len();
    let name = diff.row_name(row);
    let compared = |indices: &[usize]| -> Vec<&VsBaseline> {
        indices
            .iter()
            .filter_map(|&index| row.cells[index].vs_baseline.as_ref())
            .collect()
    };
    let costs = |indices: &[usize]| several(&compared(indices), cost);
    let brief = |indices: &[usize]| several(&compared(indices), |vs| percent(vs.ratio));
    let rest = |of: &[usize]| -> Vec<usize> {
        (0..row.cells.len())
            .filter(|index| row.cells[*index].vs_baseline.is_some() && !of.contains(index))
            .collect()
    };
    for (indices, verb) in [(&slower, "regresses"), (&faster, "gains")] {
        if !indices.is_empty() && indices.len() < known {
            return format!(
                "{name} {verb} on {} only: {} against {}",
                labels(diff, indices, " and "),
                costs(indices),
                brief(&rest(indices))
            );
        }
    }
    // The same word on all of them, but not the same amount.
    let mut order = rest(&[]);
    let ratio = |index: &usize| {
        row.cells[*index]
            .vs_baseline
            .as_ref()
            .map_or(1.0, |vs| vs.ratio)
    };
    order.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    let (most, least) = order.split_at(1.min(order.len()));
    let verb = if slower.len() == known {
        "costs more on all, most"
    } else if faster.len() == known {
        "gains on all, least"
    } else {
        "costs most"
    };
    format!(
        "{name} {verb} on {}: {} against {}",
        labels(diff, most, " and "),
        costs(most),
        brief(least)
    )
}

/// Each of up to two, and the ends of more.
fn several(compared: &[&VsBaseline], say: impl Fn(&VsBaseline) -> String) -> String {
    let by_ratio = |a: &&&VsBaseline, b: &&&VsBaseline| a.ratio.total_cmp(&b.ratio);
    match compared {
        [] => String::new(),
        [only] => say(only),
        [first, second] => format!("{} and {}", say(first), say(second)),
        more => {
            let ends = [more.iter().min_by(by_ratio), more.iter().max_by(by_ratio)];
            let mut ends: Vec<String> = ends
                .into_iter()
                .flatten()
                .map(|vs| percent(vs.ratio))
                .collect();
            ends.dedup();
            ends.join(" to ")
        }
    }
}

fn cost(vs: &VsBaseline) -> String {
    format!("{} {}", percent(vs.ratio), interval(vs.low, vs.high))
}

fn also(diff: &Diff, others: &[&Row], how: &str) -> String {
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<String> = others
        .iter()
        .take(NAMED)
        .map(|row| diff.row_name(row))
        .collect();
    match others.len().saturating_sub(NAMED) {
        0 => format!("; {how}: {}", names.join(", ")),
        more => format!("; {how}: {} and {more} more", names.join(", ")),
    }
}

fn all(diff: &Diff) -> Vec<usize> {
    (0..diff.records.len()).collect()
}

fn labels(diff: &Diff, indices: &[usize], last: &str) -> String {
    let names: Vec<&str> = indices
        .iter()
        .map(|&index| diff.records[index].label.as_str())
        .collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
    }
}

/// How far a ratio is from 1, alike for twice and for half.
fn distance(ratio: f64) -> f64 {
    ratio.ln().abs()
}

/// `+37.1%`
fn percent(ratio: f64) -> String {
    format!("{:+.1}%", unsigned_zero((ratio - 1.0) * 100.0))
}

/// `[36.8, 37.4]`
fn interval(low: f64, high: f64) -> String {
    format!(
        "[{:.1}, {:.1}]",
        unsigned_zero((low - 1.0) * 100.0),
        unsigned_zero((high - 1.0) * 100.0)
    )
}

/// -0.04 would be printed as -0.0.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}
