//! What was planned, and the sequence that was run.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::word::{self, Context, ParamValue};

/// How the measurement was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Plan {
    /// Seed of every random choice.
    pub seed: u64,
    /// Rounds that were completed.
    pub rounds: u32,
    /// Fresh worker processes that the rounds were spread over.
    pub workers: u32,
    /// Contexts that were asked for.
    #[serde(deserialize_with = "word::contexts")]
    pub between: Vec<Context>,
    /// The context whose ratios give the verdicts.
    pub verdict: Option<Context>,
    /// The variant that the others are compared with at the same params; `null` in records that do
    /// not say, see [`crate::Record::baseline`].
    pub baseline: Option<String>,
    /// Relative difference below which a verdict is no difference (0.003 is 0.3 %); `null` where
    /// not known.
    pub noise_floor: Option<f64>,
    /// Every param with the values that were run.
    pub params: IndexMap<String, Vec<ParamValue>>,
    /// `X86_FEATURE_` words in force from the command line.
    pub features: Vec<String>,
    /// `CONFIG_` words in force from the command line, `NAME` or `NAME=VALUE`.
    pub configs: Vec<String>,
    /// Offsets within a line at which each variant was placed (1: only as written).
    pub layouts: u32,
    /// Time allowed for the file, seconds.
    pub time_s: f64,
    /// Relative half width of the interval at which to stop, 0 to 1; `null` where not asked for.
    pub precision: Option<f64>,
    /// Whether each variant had worker processes of its own; false in records that do not say.
    pub apart: bool,
}

/// The sequence file that was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SequenceFile {
    /// Its name: the file's stem.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Where it comes from.
    pub sources: Vec<String>,
    /// Its whole text.
    pub text: String,
    /// SHA-256 of that text, 64 hex digits.
    pub sha256: String,
}
