//! Each comparison again, at each offset that was swept.

use std::collections::{BTreeMap, BTreeSet};

use record::{Context, Layout, Ruler};
use stats::{Comparison, Series, Verdict};

use super::analysis::Cooked;
use super::noise::{LEAST_FLOOR, Noise};

/// By how much wider the intervals of single layouts are taken for a verdict: with several layouts
/// there are as many chances for one of them to miss. 1.5 makes 99.7 % of 95 %.
const WIDER: f64 = 1.5;
/// The floor of single layouts is above this share of what the copies show at single layouts. It is
/// not the most of them: there are many, with few samples each.
const FLOOR_SHARE: f64 = 0.75;

/// The noise floor of single layouts, by context: what the baseline's hidden copy shows at three
/// quarters of them, and never less than the floor of all samples together.
#[derive(Clone, Debug, Default)]
pub(super) struct Floors(BTreeMap<Context, f64>);

impl Floors {
    /// Of pairs of things that are alike, with their contexts.
    pub(super) fn new<'a>(
        alike: impl Iterator<Item = (Context, &'a Cooked, &'a Cooked)>,
        noise: &Noise,
        seed: u64,
    ) -> Self {
        let mut seen: BTreeMap<Context, Vec<f64>> = BTreeMap::new();
        for (context, copy, baseline) in alike {
            let found = offsets(copy)
                .into_iter()
                .filter_map(|offset| compare(copy, baseline, offset, 0.0, seed))
                .map(|comparison| (comparison.ratio - 1.0).abs());
            seen.entry(context).or_default().extend(found);
        }
        Self(
            seen.into_iter()
                .map(|(context, apart)| {
                    let seen = stats::quantile(&apart, FLOOR_SHARE).unwrap_or(0.0);
                    (context, seen.max(noise.floor(context)))
                })
                .collect(),
        )
    }

    fn of(&self, context: Context) -> f64 {
        self.0.get(&context).copied().unwrap_or(LEAST_FLOOR)
    }
}

/// A measure at each offset; empty where there is only one.
pub(super) fn layouts(
    one: &Cooked,
    baseline: Option<&Cooked>,
    context: Context,
    floors: &Floors,
    ruler: &Ruler,
    seed: u64,
) -> Vec<Layout> {
    let offsets = offsets(one);
    if offsets.len() < 2 {
        return Vec::new();
    }
    let floor = floors.of(context);
    offsets
        .into_iter()
        .map(|offset| Layout {
            offset,
            cycles: cycles(one, offset, ruler, seed),
            vs_baseline: baseline
                .and_then(|baseline| compare(one, baseline, offset, floor, seed))
                .map(cautious)
                .map(super::analysis::vs_baseline),
        })
        .collect()
}

fn offsets(one: &Cooked) -> BTreeSet<u32> {
    one.samples.offsets.iter().copied().collect()
}

/// The samples at one offset.
struct At {
    values: Vec<f64>,
    rounds: Vec<u32>,
    workers: Vec<u32>,
}

impl At {
    fn new(one: &Cooked, offset: u32) -> Self {
        let mut at = Self {
            values: Vec::new(),
            rounds: Vec::new(),
            workers: Vec::new(),
        };
        for (index, _) in one
            .samples
            .offsets
            .iter()
            .enumerate()
            .filter(|(_, found)| **found == offset)
        {
            at.values.push(one.cycles[index]);
            at.rounds.push(one.samples.rounds[index]);
            at.workers.push(one.samples.workers[index]);
        }
        at
    }

    fn series(&self) -> Series<'_> {
        Series {
            values: &self.values,
            rounds: &self.rounds,
            workers: &self.workers,
        }
    }
}

fn compare(
    one: &Cooked,
    baseline: &Cooked,
    offset: u32,
    floor: f64,
    seed: u64,
) -> Option<Comparison> {
    let (ours, theirs) = (At::new(one, offset), At::new(baseline, offset));
    let estimate = stats::estimate(&theirs.series(), seed)?;
    // As over all samples: there is no ratio to what costs nothing beyond the empty body.
    (estimate.low > 0.0)
        .then(|| stats::compare(&ours.series(), &theirs.series(), floor, seed))
        .flatten()
}

/// A verdict that a wider interval would not give is none.
fn cautious(comparison: Comparison) -> Comparison {
    let Comparison {
        ratio, low, high, ..
    } = comparison;
    let (low, high) = (
        ratio - WIDER * (ratio - low),
        ratio + WIDER * (high - ratio),
    );
    Comparison {
        verdict: if (low..=high).contains(&1.0) {
            Verdict::NoDifference
        } else {
            comparison.verdict
        },
        smallest_seen: WIDER * comparison.smallest_seen,
        ..comparison
    }
}

fn cycles(one: &Cooked, offset: u32, ruler: &Ruler, seed: u64) -> Option<record::Cycles> {
    let at = At::new(one, offset);
    let estimate = stats::estimate(&at.series(), seed)?;
    let empty = one.samples.empty_cycles(ruler);
    let here: Vec<f64> = one
        .samples
        .offsets
        .iter()
        .zip(&empty)
        .filter(|(found, _)| **found == offset)
        .map(|(_, empty)| *empty)
        .collect();
    Some(record::Cycles {
        estimate: estimate.value,
        low: estimate.low,
        high: estimate.high,
        method: estimate.method.to_owned(),
        n: estimate.n as u64,
        minus_empty: stats::median(&here),
    })
}
