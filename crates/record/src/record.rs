//! The record as a whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::{Machine, Rulers, Sentinel};
use crate::measure::Empty;
use crate::plan::{Plan, SequenceFile};
use crate::variant::Variant;
use crate::word::{self, Context, ParamValue};

/// The schema number that this version writes, and the newest that it reads.
pub const SCHEMA: u32 = 1;

/// One sequence file's run on one machine: enough to draw every table and page again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// False while the run goes on or when it was cut short.
    #[serde(default)]
    pub complete: bool,
    /// What wrote it.
    #[serde(default)]
    pub tool: Tool,
    /// When the run started, RFC 3339.
    #[serde(default)]
    pub time: String,
    /// What the reader should know before trusting the numbers.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// The machine.
    pub machine: Machine,
    /// How it was measured.
    #[serde(default)]
    pub plan: Plan,
    /// What was run.
    pub sequence: SequenceFile,
    /// The rulers.
    #[serde(default)]
    pub rulers: Rulers,
    /// The sentinel.
    #[serde(default)]
    pub sentinel: Sentinel,
    /// Every variant, each (name, params) once.
    pub variants: Vec<Variant>,
    /// The empty body, measured like any variant.
    #[serde(default, deserialize_with = "word::by_context")]
    pub empty: BTreeMap<Context, Empty>,
}

/// What wrote a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tool {
    /// `thunklab`
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Something that makes the numbers worth less, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Warning {
    /// A short word for scripts, kebab-case. Those that this crate knows are constants here.
    pub kind: String,
    /// What is so.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

impl Warning {
    /// The core was never ours: all figures are contended ones.
    pub const CONTENDED: &str = "contended";
    /// It was seldom ours: figures rest on the few samples that are left.
    pub const SELDOM_OURS: &str = "seldom-ours";
    /// Too few rounds fitted into the time for numbers to be relied on.
    pub const FEW_ROUNDS: &str = "few-rounds";
    /// The model is not in the table of rulers: cycles rest on a guess.
    pub const UNKNOWN_RULER: &str = "unknown-ruler";
    /// The two rulers disagree by more than 1 %.
    pub const RULERS_DISAGREE: &str = "rulers-disagree";

    /// The record was written by hand and tells nothing of the machine that it names.
    pub const MADE_BY_HAND: &str = "made-by-hand";

    /// Whether it concerns every number of the record, so that it is told before them.
    #[must_use]
    pub fn degrades(&self) -> bool {
        [
            Self::CONTENDED,
            Self::SELDOM_OURS,
            Self::FEW_ROUNDS,
            Self::UNKNOWN_RULER,
            Self::RULERS_DISAGREE,
        ]
        .contains(&self.kind.as_str())
    }
}

impl Record {
    /// What stands behind the machine's name wherever it is shown: nothing, or that the record
    /// tells nothing of that machine.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        let mut kinds = self.warnings.iter().map(|warning| &warning.kind);
        if kinds.any(|kind| kind == Warning::MADE_BY_HAND) {
            " (made by hand)"
        } else {
            ""
        }
    }

    /// Values of the params that are the same for every variant, and the names of those that are
    /// not, both in order of first appearance.
    #[must_use]
    pub fn common_params(&self) -> (Vec<(&str, &ParamValue)>, Vec<&str>) {
        let mut names: Vec<&str> = Vec::new();
        for variant in &self.variants {
            for name in variant.params.keys() {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        let mut common = Vec::new();
        let mut varying = Vec::new();
        for name in names {
            let first = self.variants.first().and_then(|v| v.params.get(name));
            match first {
                Some(value)
                    if self
                        .variants
                        .iter()
                        .all(|v| v.params.get(name) == Some(value)) =>
                {
                    common.push((name, value));
                }
                _ => varying.push(name),
            }
        }
        (common, varying)
    }
}
