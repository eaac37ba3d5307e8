//! One variant at one set of params: what it is, what became of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measure::Measure;
use crate::word::{self, Address, Context, Params};

/// One variant at one set of params.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The text after its name in the sequence file.
    #[serde(default)]
    pub text: String,
    /// The params it was assembled with.
    #[serde(default)]
    pub params: Params,
    /// What became of it.
    pub status: Status,
    /// Why it was not run or failed.
    #[serde(default)]
    pub reason: Option<String>,
    /// How it failed.
    #[serde(default)]
    pub failure: Option<Failure>,
    /// Its code; `null` where it was not assembled.
    #[serde(default)]
    pub code: Option<Code>,
    /// Whether it displaces the branch history, where probed.
    #[serde(default)]
    pub history: Option<History>,
    /// What was measured in each context.
    #[serde(default, deserialize_with = "word::by_context")]
    pub measures: BTreeMap<Context, Measure>,
}

/// What became of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was measured.
    Measured,
    /// It was not run, for a stated reason. No failure.
    NotRun,
    /// It failed. What it gave before stays.
    Failed,
}

impl Status {
    /// The word in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::NotRun => "not-run",
            Self::Failed => "failed",
        }
    }
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// A signal: see `signal`.
    Signal,
    /// It did not come back in time.
    Timeout,
    /// It ended the worker.
    Exit,
    /// A system call that it did not declare.
    Syscall,
    /// `%rsp` was not as found.
    Stack,
    /// Other state was not as found.
    State,
    /// The harness's own memory was changed.
    Tampered,
}

/// How a variant failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// `SIGSEGV` and the like.
    #[serde(default)]
    pub signal: Option<String>,
    /// Address that was accessed.
    #[serde(default)]
    pub address: Option<Address>,
    /// Offset of the instruction from the variant's first byte; `null` if outside.
    #[serde(default)]
    pub ip: Option<u64>,
    /// The instruction, in AT&T syntax.
    #[serde(default)]
    pub instruction: Option<String>,
    /// Source file of the instruction.
    #[serde(default)]
    pub file: Option<String>,
    /// Source line of the instruction, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// One sentence.
    #[serde(default)]
    pub message: String,
}

/// A variant's code and its exact counts, from the first instruction of a run to the last (for
/// `call`, the final `ret` inclusive; the harness excluded).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Code {
    /// The bytes as assembled, before relocation, two hex digits each.
    pub bytes: String,
    /// How many bytes.
    pub size: u64,
    /// Fewest instructions of the counted runs.
    pub instructions: Option<u64>,
    /// Most instructions of the counted runs.
    pub instructions_max: Option<u64>,
    /// Fewest taken branches of the counted runs.
    pub taken_branches: Option<u64>,
    /// Most taken branches of the counted runs.
    pub taken_branches_max: Option<u64>,
    /// Fewest branches that were not taken.
    pub not_taken_branches: Option<u64>,
    /// Most branches that were not taken.
    pub not_taken_branches_max: Option<u64>,
    /// Fewest calls; they are among the taken branches.
    pub calls: Option<u64>,
    /// Most calls.
    pub calls_max: Option<u64>,
    /// Fewest returns, those from interrupts included; they are among the taken branches.
    pub returns: Option<u64>,
    /// Most returns.
    pub returns_max: Option<u64>,
    /// Runs that were counted, each with data of its own.
    pub counted_runs: Option<u32>,
    /// What the blocks `before` and `after` execute in a run; `null` where there are none.
    pub around: Option<Around>,
    /// Why there are no counts.
    pub counts_reason: Option<String>,
}

/// What the blocks `before` and `after` execute in a run, both together: the fewest and the most of
/// the counted runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "as of the body, see `Code`")]
pub struct Around {
    pub instructions: u64,
    pub instructions_max: u64,
    pub taken_branches: u64,
    pub taken_branches_max: u64,
    pub not_taken_branches: u64,
    pub not_taken_branches_max: u64,
    pub calls: u64,
    pub calls_max: u64,
    pub returns: u64,
    pub returns_max: u64,
}

/// Whether a variant displaces the branch history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// 0: the marker is still visible; 1: it is gone.
    #[serde(default)]
    pub score: Option<f64>,
    /// Lower end of the score's interval.
    #[serde(default)]
    pub low: Option<f64>,
    /// Upper end.
    #[serde(default)]
    pub high: Option<f64>,
    /// The score in one word: at least 0.75 is displaced, at most 0.25 kept.
    pub word: HistoryWord,
    /// Why it could not be measured or is unclear; else how many branches there are to spare.
    #[serde(default)]
    pub reason: Option<String>,
    /// Taken branches of one run, as counted.
    #[serde(default)]
    pub taken_branches: Option<u64>,
}

/// What the history probe says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryWord {
    /// The history is gone.
    Displaced,
    /// The history is still there.
    Kept,
    /// Between the two.
    Unclear,
    /// No valid measurement.
    NotMeasurable,
}

impl HistoryWord {
    /// The word in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Displaced => "displaced",
            Self::Kept => "kept",
            Self::Unclear => "unclear",
            Self::NotMeasurable => "not-measurable",
        }
    }
}
