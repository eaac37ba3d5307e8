//! What a script says. Every key may be left out.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::facts::Facts;
use super::probe::Branches;

/// The whole script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Script {
    /// What the script is for; not used.
    #[serde(rename = "about")]
    pub(crate) _about: String,
    /// The machine it pretends to be.
    pub(crate) machine: Facts,
    /// How it measures.
    pub(crate) measuring: Measuring,
    /// Its branch history.
    pub(crate) branches: Branches,
    /// Variants by name (`al-ah`), or by name and params (`al-ah INNER=5 OUTER=5`), which goes first.
    pub(crate) variants: BTreeMap<String, Behaviour>,
    /// Variants that have no entry of their own.
    pub(crate) others: Behaviour,
}

/// How it measures.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Measuring {
    /// Rounds in all, spread evenly over the plan's workers.
    pub(crate) rounds: u32,
    /// Standard deviation of a sample, as a share of it.
    pub(crate) noise: f64,
    /// Standard deviation between workers, as a share.
    pub(crate) worker_spread: f64,
    /// Share of samples whose core was not ours.
    pub(crate) contended: f64,
    /// Share of samples that a timer tick hit.
    pub(crate) ticks: f64,
    /// The core's clock.
    pub(crate) core_hz: f64,
    /// Cycles of the empty body by context.
    pub(crate) empty: BTreeMap<String, f64>,
    /// Wall time of a round in milliseconds: 0 but for tests of what happens meanwhile.
    pub(crate) round_ms: u64,
    /// Nothing can be measured at all, for this reason.
    pub(crate) broken: Option<String>,
}

impl Default for Measuring {
    fn default() -> Self {
        Self {
            rounds: 240,
            noise: 0.004,
            worker_spread: 0.0003,
            contended: 0.0,
            ticks: 0.01,
            core_hz: 3.0e9,
            empty: [
                ("chained", 5.0),
                ("overlap", 12.0),
                ("isolated", 27.2),
                ("history", 70.0),
            ]
            .map(|(word, cycles)| (word.to_owned(), cycles))
            .into(),
            round_ms: 0,
            broken: None,
        }
    }
}

/// What a variant does.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Behaviour {
    /// Cycles a run by context, the empty body's already taken off.
    pub(crate) cycles: BTreeMap<String, f64>,
    /// More cycles a run at offsets in a line, `{"32": 30.0}`, where layouts are swept.
    pub(crate) at_offset: BTreeMap<u32, f64>,
    /// Steady states beside the first: extra cycles and their share of the samples.
    pub(crate) modes: Vec<Mode>,
    /// It fails.
    pub(crate) fails: Option<Fault>,
    /// It does not run, for this reason.
    pub(crate) not_run: Option<String>,
    /// Exact counts, or why there are none.
    pub(crate) counts: Counted,
    /// Counters by name.
    pub(crate) counters: BTreeMap<String, Counter>,
    /// It leaves history that changes from run to run.
    pub(crate) random_history: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            cycles: [
                ("chained", 90.0),
                ("overlap", 92.0),
                ("isolated", 64.0),
                ("history", 97.0),
            ]
            .map(|(word, cycles)| (word.to_owned(), cycles))
            .into(),
            at_offset: BTreeMap::new(),
            modes: Vec::new(),
            fails: None,
            not_run: None,
            counts: Counted::default(),
            counters: BTreeMap::new(),
            random_history: false,
        }
    }
}

/// One more steady state.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mode {
    /// Cycles above the first state.
    pub(crate) more: f64,
    /// Share of the samples, 0 to 1.
    pub(crate) share: f64,
}

/// A failure in the making.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    /// The round in which it happens.
    pub(crate) round: u32,
    /// `signal`, `timeout`, `exit`, `syscall`, `stack`, `state` or `tampered`.
    pub(crate) kind: FaultKind,
    /// `SIGSEGV`
    pub(crate) signal: Option<String>,
    /// What was accessed.
    pub(crate) address: Option<u64>,
    /// Offset from the first byte.
    pub(crate) ip: Option<u64>,
    /// AT&T text.
    pub(crate) instruction: Option<String>,
    /// Source line.
    pub(crate) line: Option<u32>,
    /// One sentence.
    pub(crate) message: String,
}

/// Kinds of failure, as records name them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FaultKind {
    Signal,
    Timeout,
    Exit,
    Syscall,
    Stack,
    State,
    Tampered,
}

/// Exact counts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Counted {
    /// `{"instructions": 104, "taken_branches": 63}`, maxima where they differ; without a word of
    /// them, six branches are not taken, and six calls and six returns are among the taken ones.
    Counts {
        instructions: u64,
        taken_branches: u64,
        instructions_max: Option<u64>,
        taken_branches_max: Option<u64>,
        not_taken_branches: Option<u64>,
        calls: Option<u64>,
        returns: Option<u64>,
    },
    /// `{"reason": "..."}`
    Reason { reason: String },
}

impl Default for Counted {
    fn default() -> Self {
        Self::Counts {
            instructions: 104,
            taken_branches: 63,
            instructions_max: None,
            taken_branches_max: None,
            not_taken_branches: None,
            calls: None,
            returns: None,
        }
    }
}

/// A counter.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Counter {
    /// Events per run and the interval.
    PerRun { per_run: f64, low: f64, high: f64 },
    /// Why there is no number.
    Error { error: String },
}
