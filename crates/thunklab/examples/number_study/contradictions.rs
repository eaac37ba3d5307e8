//! Can two tables of one file contradict each other?
//!
//! A table claims of each variant either a difference with its interval, or that none was seen and
//! how large one would have been. Two claims contradict each other if they name opposite signs, if
//! their intervals have nothing in common even when as wide as verdicts need, or if one sees clearly
//! what the other says it would have seen.

use std::collections::BTreeMap;

use record::{Context, Verdict};

use crate::figures::tell;
use crate::row::{Row, Versus};

/// Intervals of 95 %, this many times as wide, are what verdicts go by: of the 1,755 pairs of
/// numbers that ten tables make, one in two hundred has 95 % intervals apart by chance.
const SURE: f64 = 1.6;
/// Tables that a sceptic compares.
const TABLES: usize = 10;

type Table<'a> = BTreeMap<(&'a str, Context), Versus>;

pub(crate) fn judge(rows: &[Row]) {
    for kind in ["bhb", "lat"] {
        let mut by_run: BTreeMap<u32, Table<'_>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.kind == kind) {
            if let Some(versus) = row.versus {
                let place = (row.variant.as_str(), row.context);
                by_run.entry(row.run).or_default().insert(place, versus);
            }
        }
        let tables: Vec<Table<'_>> = by_run.into_values().collect();
        if tables.len() < 2 {
            continue;
        }
        contradicting(kind, &tables);
        changing(kind, &tables);
    }
}

fn contradicting(kind: &str, tables: &[Table<'_>]) {
    let mut worst: BTreeMap<(&str, Context), usize> = BTreeMap::new();
    let mut pairs = vec![];
    for (second, later) in tables.iter().enumerate() {
        for (first, earlier) in tables[..second].iter().enumerate() {
            let places = earlier.iter().filter(|(place, versus)| {
                later
                    .get(*place)
                    .is_some_and(|other| contradict(versus, other))
            });
            let before = worst.values().sum::<usize>();
            places.for_each(|(place, _)| *worst.entry(*place).or_default() += 1);
            if worst.values().sum::<usize>() > before {
                pairs.push((first, second));
            }
        }
    }
    let all = tables.len() * (tables.len() - 1) / 2;
    let most = worst.iter().max_by_key(|(_, count)| **count);
    let most = most.map_or_else(String::new, |((variant, context), count)| {
        format!("; most by {variant} {context}: {count}")
    });
    tell(
        &format!("{kind}: two tables contradict each other"),
        "none",
        &format!("{} of {all} pairs{most}", pairs.len()),
        pairs.is_empty(),
    );
    let series = tables.len().saturating_sub(TABLES - 1);
    let spoiled = (0..series)
        .filter(|&start| {
            let inside = |index: usize| (start..start + TABLES).contains(&index);
            pairs
                .iter()
                .any(|&(first, second)| inside(first) && inside(second))
        })
        .count();
    tell(
        &format!("{kind}: {TABLES} runs in a row have two tables that do"),
        "none",
        &format!("{spoiled} of {series}"),
        spoiled == 0,
    );
}

/// Numbers that are a difference in some tables and none in others.
fn changing(kind: &str, tables: &[Table<'_>]) {
    let mut seen: BTreeMap<(&str, Context), [usize; 2]> = BTreeMap::new();
    for (place, versus) in tables.iter().flatten() {
        let counts = seen.entry(*place).or_default();
        counts[usize::from(versus.verdict != Verdict::NoDifference)] += 1;
    }
    let changing: Vec<String> = seen
        .iter()
        .filter(|(_, [none, some])| 50 * none.min(some) > none + some)
        .map(|((variant, context), [none, some])| {
            format!(
                "{variant} {context} ({:.0} %)",
                100.0 * *some as f64 / (none + some) as f64
            )
        })
        .collect();
    let most = changing.len() <= seen.len() / 10;
    tell(
        &format!("{kind}: numbers that are a difference in 2 to 98 % of the tables"),
        "few",
        &format!(
            "{} of {}: {}",
            changing.len(),
            seen.len(),
            changing.join(", ")
        ),
        most,
    );
}

fn contradict(a: &Versus, b: &Versus) -> bool {
    let opposite = matches!(
        (a.verdict, b.verdict),
        (Verdict::Slower, Verdict::Faster) | (Verdict::Faster, Verdict::Slower)
    );
    let [(a_low, a_high), (b_low, b_high)] = [a, b].map(|versus| {
        let [ratio, low, high] = versus.ratio;
        (ratio - SURE * (ratio - low), ratio + SURE * (high - ratio))
    });
    let apart = a_low > b_high || b_low > a_high;
    opposite || apart || would_have_seen(a, b) || would_have_seen(b, a)
}

/// Whether `none` saw no difference though what `some` is sure of is more than it says it would
/// have seen.
fn would_have_seen(none: &Versus, some: &Versus) -> bool {
    let [_, low, high] = some.ratio;
    let sure = (low - 1.0).max(1.0 - high);
    none.verdict == Verdict::NoDifference
        && some.verdict != Verdict::NoDifference
        && sure > none.smallest_seen
}
