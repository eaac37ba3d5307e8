//! What was measured of one variant in one context.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::placement::Layout;
use crate::word::Verdict;

/// One variant in one context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Measure {
    /// Core cycles a run, by the ruler; `null` without a ruler or without samples.
    pub cycles: Option<Cycles>,
    /// Nanoseconds a run, by the time-stamp counter.
    pub ns: Option<Nanoseconds>,
    /// The steady states that were seen, by cycles.
    pub modes: Vec<Mode>,
    /// Against the baseline at the same params; `null` for the baseline itself and where there is
    /// nothing to compare.
    pub vs_baseline: Option<VsBaseline>,
    /// The same at each offset within a line, where layouts were swept; else empty.
    pub layouts: Vec<Layout>,
    /// Hardware counters by name; empty where none was asked for.
    pub counters: IndexMap<String, Counter>,
    /// The samples that were kept.
    pub samples: Samples,
}

/// Cycles of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cycles {
    /// The estimate, the empty body already taken off where `minus_empty` is a number.
    pub estimate: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The estimator's name.
    pub method: String,
    /// Number of samples.
    pub n: u64,
    /// Cycles of the empty body that were taken off; `null` where it is not.
    #[serde(default)]
    pub minus_empty: Option<f64>,
}

/// Nanoseconds of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Nanoseconds {
    /// The estimate.
    pub estimate: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A steady state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mode {
    /// Cycles of a run in it.
    pub cycles: f64,
    /// Share of the samples, 0 to 1.
    pub share: f64,
}

/// A variant against its baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VsBaseline {
    /// Cycles of the variant divided by cycles of the baseline.
    pub ratio: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// What that says.
    pub verdict: Verdict,
    /// The smallest difference that would have been seen, as a share (0.003 is 0.3 %).
    #[serde(default)]
    pub smallest_seen: Option<f64>,
}

/// A hardware counter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Counter {
    /// Events a run.
    Value {
        /// Median.
        per_run: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Why there is no number.
    Error {
        /// The reason, in words.
        error: String,
    },
}

/// Samples that were kept: parallel arrays, evenly thinned to at most
/// [`Samples::MOST`] entries.
/// Ticks are TSC ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Samples {
    /// Runs by which the two lengths differ, the same for every sample of a measure.
    pub runs: u32,
    /// Ticks of the short pass.
    pub ticks: Vec<u32>,
    /// Ticks of the long pass.
    pub long_ticks: Vec<u32>,
    /// Long less short ticks of the empty body of the same round, scaled to `runs` runs; empty
    /// where the empty body is not taken off.
    pub empty_ticks: Vec<f64>,
    /// Ticks of the ruler's `links` links.
    pub ruler_ticks: Vec<u32>,
    /// Rounds, counted over all workers.
    pub rounds: Vec<u32>,
    /// Workers, from 0.
    pub workers: Vec<u32>,
    /// Offsets within a line at which the code was placed, bytes.
    pub offsets: Vec<u32>,
    /// The sentinel's ticks just before and just after.
    pub sentinels: Vec<[u32; 2]>,
    /// Samples that were left out, by reason.
    pub discarded_by: DiscardedBy,
    /// Number of kept samples before they were thinned; `null` where all are here.
    pub thinned_from: Option<u64>,
}

/// Counts of samples that were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DiscardedBy {
    /// Interrupted, by a timer tick or otherwise.
    pub tick: u64,
    /// The CPU changed.
    pub migration: u64,
    /// A context switch.
    pub switch: u64,
    /// Their ruler was hit.
    pub ruler: u64,
    /// A sentinel beside them says that the core was not ours.
    pub contended: u64,
}

/// The empty body in one context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Empty {
    /// Its cycles, nothing taken off.
    pub cycles: Option<Cycles>,
}
