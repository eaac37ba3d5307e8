//! Was the core ours? What the sentinels beside all samples of a run say together.

use machine::{Machine, Sample};
use stats::Core;

use super::gathered::Gathered;

/// Sentinels within this share of the floor vouch for the sample between them.
const TOLERANCE: f64 = 0.02;

/// Clean samples that a measure needs, on average, for a figure of its own: below that, the figures
/// are those of a contended core, and are given as such.
const ENOUGH: usize = 10;

/// Whose the core was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contention {
    /// Cycles of the sentinel on a core that is ours, as learnt in this run.
    pub(crate) floor_cycles: Option<f64>,
    /// Share of all samples that were contended.
    pub(crate) share: Option<f64>,
    /// Whether too few samples were clean, so that none is left out.
    pub(crate) never_ours: bool,
    /// Cycles of the ruler.
    ruler_cycles: f64,
}

impl Contention {
    /// Learns the floor from all samples of the run: one core, one floor.
    pub(crate) fn new(machine: &Machine, gathered: &Gathered) -> Self {
        let ruler_cycles = f64::from(machine.ruler.links) * machine.ruler.cycles_per_link;
        let pairs: Vec<[f64; 2]> = gathered
            .measures
            .iter()
            .flat_map(|raw| &raw.samples)
            .map(|sample| sentinel_cycles(sample, ruler_cycles))
            .collect();
        let floor_cycles = stats::floor(pairs.as_flattened(), None);
        let Some(floor) = floor_cycles else {
            return Self {
                floor_cycles,
                share: None,
                never_ours: false,
                ruler_cycles,
            };
        };
        let clean = stats::clean(&pairs, floor, TOLERANCE);
        let enough = ENOUGH * gathered.measures.len();
        Self {
            floor_cycles,
            share: Some(stats::contended_share(&clean)),
            never_ours: matches!(stats::core(&clean, enough), Core::NeverOurs { .. }),
            ruler_cycles,
        }
    }

    /// Which of these samples count.
    pub(crate) fn counts(&self, samples: &[Sample]) -> Vec<bool> {
        match self.floor_cycles {
            Some(floor) if !self.never_ours => {
                let pairs: Vec<[f64; 2]> = samples
                    .iter()
                    .map(|sample| sentinel_cycles(sample, self.ruler_cycles))
                    .collect();
                stats::clean(&pairs, floor, TOLERANCE)
            }
            _ => vec![true; samples.len()],
        }
    }
}

/// The sentinels in core cycles by the sample's own ruler, which a busy sibling does not slow.
fn sentinel_cycles(sample: &Sample, ruler_cycles: f64) -> [f64; 2] {
    let ticks_per_cycle = f64::from(sample.ruler_ticks) / ruler_cycles;
    sample
        .sentinels
        .map(|ticks| f64::from(ticks) / ticks_per_cycle)
}

#[cfg(test)]
impl Contention {
    /// A core that nobody else uses.
    pub(crate) fn ours() -> Self {
        Self {
            floor_cycles: None,
            share: None,
            never_ours: false,
            ruler_cycles: 1800.0,
        }
    }
}
