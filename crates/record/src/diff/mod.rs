//! Records against each other: several machines, or before and after a change.
//!
//! Cycles of different machines are never compared. Each variant stands against its own baseline
//! on its own machine, and these ratios are compared. Only where the machine is the same are
//! cycles compared directly as well, since a change of the baseline itself shows in nothing else.

mod finding;
mod matching;
mod plans;
mod refusal;
mod regression;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use matching::by_sequence;
pub use refusal::Refusal;
pub use regression::Regression;

use crate::machine::Machine;
use crate::measure::{Cycles, VsBaseline};
use crate::record::{Record, Tool, Warning};
use crate::variant::{HistoryWord, Status};
use crate::word::{Context, Params, Verdict};

/// How to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffOptions {
    /// The context; the first record's verdict context where none is given.
    pub between: Option<Context>,
    /// The baseline; the first record's own where none is given.
    pub baseline: Option<String>,
    /// Differences that do not surely exceed this are not what it comes to: 0.02 is 2 %. At 0 every
    /// difference that was seen counts.
    pub threshold: f64,
}

/// Two or more records against each other. The first is what the later ones are held against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// The records, in the order given.
    pub records: Vec<Compared>,
    /// Name of the sequence.
    pub sequence: String,
    /// The context that is compared.
    pub between: Context,
    /// The variant that the others are compared with on each record.
    pub baseline: String,
    /// Whether all records come from the same kind of machine.
    pub same_machine: bool,
    /// What a difference has to exceed to be part of the finding: 0.02 is 2 %, 0 is nothing.
    #[serde(default)]
    pub threshold: f64,
    /// Where the plans and machines differ in what matters here.
    pub warnings: Vec<Warning>,
    /// One row for each (name, params) of any record, in order of first appearance.
    pub rows: Vec<Row>,
    /// What it comes to, in words.
    pub finding: String,
    /// Indices of the rows that the finding names first, in their order; empty where no row differs.
    #[serde(default)]
    pub leads: Vec<usize>,
    /// Rows that are cheaper because they do less, a sentence each.
    #[serde(default)]
    pub less: Vec<String>,
}

/// One of the records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// The file it was read from.
    pub file: String,
    /// What it is called here: its microarchitecture where that is unlike the others', else the
    /// file's stem, else a letter.
    pub label: String,
    /// When it was taken.
    pub time: String,
    /// Whether it is complete.
    pub complete: bool,
    /// What wrote it.
    pub tool: Tool,
    /// Its machine.
    pub machine: Machine,
    /// SHA-256 of its sequence's text.
    pub sha256: String,
    /// Its noise floor, relative: 0.002 is 0.2 %.
    #[serde(default)]
    pub noise_floor: f64,
}

/// One variant at one set of params, on every record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The variant's name.
    pub variant: String,
    /// Its params.
    pub params: Params,
    /// On each record, in their order.
    pub cells: Vec<Cell>,
    /// For each record after the first: its ratio to the baseline over the first record's. `null`
    /// for the baseline and where either is missing.
    pub ratio_of_ratios: Vec<Option<Ratio>>,
    /// For each record after the first: its cycles over the first record's. `null` where the
    /// machines differ or either is missing.
    pub direct: Vec<Option<Ratio>>,
    /// Whether the variant's bytes differ between any two records.
    pub changed: bool,
}

/// A row on one record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Cycles; `null` where there are none.
    pub cycles: Option<Cycles>,
    /// Against that record's baseline; `null` for the baseline and where there is nothing to
    /// compare.
    pub vs_baseline: Option<VsBaseline>,
    /// What became of the variant; `null` where the record does not have it.
    pub status: Option<Status>,
    /// Why there is no number.
    pub reason: Option<String>,
    /// What the history probe said there, where it was asked.
    #[serde(default)]
    pub history: Option<HistoryWord>,
    /// Whether it is faster than the baseline there, or than on the first record of the same
    /// machine, and keeps the branch history, which that one displaces.
    #[serde(default)]
    pub does_less: bool,
    /// Where no difference from the baseline was seen over all placements together: the placement
    /// at which it is largest.
    #[serde(default)]
    pub hidden: Option<Hidden>,
}

/// A difference that placements hide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hidden {
    /// Bytes into the line.
    pub offset: u32,
    /// The ratio to the baseline there.
    pub ratio: f64,
}

/// A ratio with its interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// What that says of the later record.
    pub verdict: Verdict,
}

impl Diff {
    /// Compares records of one sequence.
    ///
    /// # Errors
    /// All reasons why they cannot be compared, at once.
    pub fn new(records: &[(&Path, &Record)], options: &DiffOptions) -> Result<Self, Vec<Refusal>> {
        let basis = matching::Basis::of(records, options)?;
        let rows = matching::rows(records, &basis);
        if !rows.iter().any(|row| {
            row.ratio_of_ratios
                .iter()
                .chain(&row.direct)
                .any(Option::is_some)
        }) {
            return Err(vec![Refusal::NothingInCommon]);
        }
        let mut diff = Self {
            records: plans::compared(records),
            sequence: records[0].1.sequence.name.clone(),
            between: basis.between,
            baseline: basis.baseline.clone(),
            same_machine: basis.same_machine,
            threshold: options.threshold,
            warnings: plans::warnings(records, &basis, &rows),
            rows,
            finding: String::new(),
            leads: Vec::new(),
            less: Vec::new(),
        };
        (diff.finding, diff.leads) = finding::finding(&diff);
        diff.less = finding::less(&diff);
        Ok(diff)
    }

    /// A row's ratio to the baseline on record `here` over that on record `there`; `None` where
    /// either is missing.
    pub(super) fn between_machines(&self, row: &Row, here: usize, there: usize) -> Option<Ratio> {
        let comparison = |index: usize| Some(row.cells[index].vs_baseline.as_ref()?.comparison());
        let floor = |index: usize| self.records[index].noise_floor;
        let ratio = stats::ratio_of_ratios(
            &comparison(here)?,
            &comparison(there)?,
            floor(here).max(floor(there)),
        )?;
        Some(ratio.into())
    }

    /// By how much a row costs more on record `here` than on any other, by more than `threshold`:
    /// the largest of these ratios.
    pub(super) fn dearer(&self, row: &Row, here: usize, threshold: f64) -> Option<Ratio> {
        (0..self.records.len())
            .filter(|&there| there != here)
            .filter_map(|there| self.between_machines(row, here, there))
            .filter(|ratio| ratio.verdict == Verdict::Slower && ratio.low > 1.0 + threshold)
            .max_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    /// Names of the params that are not the same in all rows, in order of first appearance: those
    /// that tell rows of one name apart.
    #[must_use]
    pub fn varying_params(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            for (name, value) in &row.params {
                let alike = self
                    .rows
                    .iter()
                    .all(|other| other.params.get(name) == Some(value));
                if !alike && !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// A row's name with the params that tell it apart: `al-ah OUTER=12`.
    #[must_use]
    pub fn row_name(&self, row: &Row) -> String {
        let mut name = row.variant.clone();
        for param in self.varying_params() {
            if let Some(value) = row.params.get(param) {
                name.push_str(&format!(" {param}={value}"));
            }
        }
        name
    }
}
