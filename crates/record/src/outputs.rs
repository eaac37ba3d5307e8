//! What the other commands print with `--format json`.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::{Capability, Machine};
use crate::measure::Cycles;
use crate::variant::History;
use crate::word::{ParamValue, Params};

/// `machine`: this machine and what can be measured on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MachineOutput {
    /// As in a record.
    pub machine: Machine,
    /// By name: `true`, or why not.
    pub capabilities: BTreeMap<String, Capability>,
}

/// `list`: one shipped sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Its params with their listed values, the default first.
    pub params: IndexMap<String, Vec<ParamValue>>,
    /// Names of its variants.
    pub variants: Vec<String>,
}

/// How bad a finding of `check` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is its word's meaning")]
pub enum Severity {
    Error,
    Warning,
}

/// `check`: one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// `listing`: one variant at one set of params.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listing {
    /// The variant's name.
    pub variant: String,
    /// Its params.
    pub params: Params,
    /// What would run, in order.
    pub lines: Vec<ListingLine>,
}

/// One statement of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListingLine {
    /// Offset in its section, bytes.
    pub offset: u64,
    /// The bytes, two hex digits each.
    pub bytes: String,
    /// The instruction or directive.
    pub text: String,
    /// Source file.
    pub file: Option<String>,
    /// Source line, from 1.
    pub line: Option<u32>,
    /// Section it stands in.
    pub section: String,
    /// What a reader should see, such as a branch that ends at a 32-byte boundary.
    pub notes: Vec<String>,
}

/// `probe`: the branch history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// As in a record.
    pub machine: Machine,
    /// This CPU's history length, taken branches.
    pub length: Option<u32>,
    /// Why there is none.
    pub length_reason: Option<String>,
    /// The sweep that found it.
    pub steps: Vec<ProbeStep>,
    /// Variants that were probed.
    pub variants: Vec<Probed>,
}

/// One step of the sweep over filler branches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProbeStep {
    /// Kind of filler.
    #[serde(default)]
    pub filler: Option<String>,
    /// Taken branches of the filler.
    pub taken_branches: u32,
    /// As in a record's `history`; `null` where not measurable.
    pub score: Option<f64>,
}

/// A variant's history word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Probed {
    /// Its name.
    pub name: String,
    /// Its params.
    pub params: Params,
    /// What the probe says.
    pub history: History,
    /// Taken branches as the history sees them: with the call, where the sequence is called.
    #[serde(default)]
    pub branches: Option<u64>,
    /// Cycles of a run in the sequence's own context, where a map of counts was asked for.
    #[serde(default)]
    pub cycles: Option<Cycles>,
}
