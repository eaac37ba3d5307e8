//! The layout sweep: one measure at several offsets of its code within a cache line.

use std::collections::BTreeMap;

use record::{Measure, Record, Samples, VsBaseline};

use super::histogram::quantile;

/// A variant at one offset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    /// Bytes into the line.
    pub(super) offset: u32,
    /// Samples there.
    pub(super) n: usize,
    /// The samples' quartiles, cycles.
    pub(super) quartiles: [f64; 3],
    /// Against the baseline at the same offset; `None` for the baseline, and without rounds that
    /// have both.
    pub(super) vs_baseline: Option<VsBaseline>,
}

/// A measure at each of its offsets; empty where there is only one.
pub(super) fn sweep(record: &Record, measure: &Measure, baseline: Option<&Measure>) -> Vec<Placed> {
    let Some(ruler) = &record.rulers.imul else {
        return Vec::new();
    };
    let ours = by_offset(&measure.samples);
    if ours.len() < 2 {
        return Vec::new();
    }
    // The ruler is smoothed over neighbours, so cycles are taken before the samples are divided.
    let cycles = measure.samples.cycles(ruler);
    let mut placed = Vec::new();
    for (&offset, indices) in &ours {
        let mut values: Vec<f64> = indices
            .iter()
            .filter_map(|&index| cycles.get(index).copied())
            .filter(|cycles| cycles.is_finite())
            .collect();
        if values.is_empty() {
            continue;
        }
        values.sort_unstable_by(f64::total_cmp);
        // The record has it from all samples, and not only from those that it keeps.
        let recorded = measure
            .layouts
            .iter()
            .find(|layout| layout.offset == offset);
        let vs_baseline = match recorded {
            Some(layout) => layout.vs_baseline.clone(),
            None => baseline.and_then(|baseline| {
                record.compare(&at_offset(measure, offset), &at_offset(baseline, offset))
            }),
        };
        placed.push(Placed {
            offset,
            n: values.len(),
            quartiles: [0.25, 0.5, 0.75].map(|q| quantile(&values, q)),
            vs_baseline,
        });
    }
    placed
}

fn by_offset(samples: &Samples) -> BTreeMap<u32, Vec<usize>> {
    let mut indices: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, &offset) in samples.offsets.iter().enumerate() {
        indices.entry(offset).or_default().push(index);
    }
    indices
}

/// The measure with its samples at one offset only.
fn at_offset(measure: &Measure, offset: u32) -> Measure {
    Measure {
        samples: measure.samples.at_offset(offset),
        ..Measure::default()
    }
}
