//! Which variants of which records belong together, and their ratios.

use std::path::Path;

use stats::{Comparison, ratio_of_ratios};

use super::{Cell, DiffOptions, Hidden, Ratio, Refusal, Row};
use crate::history::{does_less, word as history};
use crate::machine::Machine;
use crate::measure::{Cycles, Measure, VsBaseline};
use crate::record::Record;
use crate::variant::Variant;
use crate::word::{Context, Params};

/// Groups records by sequence: each name with the indices of its records, in order of first
/// appearance.
#[must_use]
pub fn by_sequence(records: &[(&Path, &Record)]) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, (_, record)) in records.iter().enumerate() {
        let name = &record.sequence.name;
        match groups.iter_mut().find(|(group, _)| group == name) {
            Some((_, indices)) => indices.push(index),
            None => groups.push((name.clone(), vec![index])),
        }
    }
    groups
}

/// What everything is compared by.
pub(super) struct Basis {
    pub(super) between: Context,
    pub(super) baseline: String,
    pub(super) same_machine: bool,
    /// The noise floor of each record.
    pub(super) floors: Vec<f64>,
}

impl Basis {
    pub(super) fn of(
        records: &[(&Path, &Record)],
        options: &DiffOptions,
    ) -> Result<Self, Vec<Refusal>> {
        let Some(((_, first), rest)) = records.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return Err(vec![Refusal::TooFew(records.len())]);
        };
        let mut refusals: Vec<Refusal> = rest
            .iter()
            .filter(|(_, record)| {
                record.sequence.name != first.sequence.name
                    && (record.sequence.sha256.is_empty()
                        || record.sequence.sha256 != first.sequence.sha256)
            })
            .map(|(path, record)| Refusal::OtherSequence {
                file: shown(path),
                sequence: record.sequence.name.clone(),
                first: first.sequence.name.clone(),
            })
            .collect();
        let between = options
            .between
            .or_else(|| {
                records
                    .iter()
                    .find_map(|(_, record)| record.verdict_context())
            })
            .unwrap_or(Context::Isolated);
        let baseline = options.baseline.clone().or_else(|| {
            records
                .iter()
                .find_map(|(_, record)| record.baseline())
                .map(str::to_owned)
        });
        for (path, record) in records {
            let measured = measured_in(record, between);
            if measured.is_empty() {
                refusals.push(Refusal::NoContext {
                    file: shown(path),
                    between,
                    measured: Context::ALL
                        .into_iter()
                        .filter(|&context| !measured_in(record, context).is_empty())
                        .collect(),
                });
            } else if baseline
                .as_ref()
                .is_none_or(|baseline| !measured.contains(baseline))
            {
                refusals.push(Refusal::NoBaseline {
                    file: shown(path),
                    baseline: baseline.clone(),
                    measured,
                });
            }
        }
        match baseline {
            Some(baseline) if refusals.is_empty() => Ok(Self {
                between,
                baseline,
                same_machine: rest
                    .iter()
                    .all(|(_, record)| is_same_machine(&record.machine, &first.machine)),
                floors: records
                    .iter()
                    .map(|(_, record)| record.noise_floor())
                    .collect(),
            }),
            _ => Err(refusals),
        }
    }

    /// The greater noise floor of the first record and of record `index`.
    fn floor(&self, index: usize) -> f64 {
        self.floors[0].max(self.floors[index])
    }
}

/// Names of the variants that have cycles in the context, each once.
fn measured_in(record: &Record, between: Context) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for variant in &record.variants {
        let measured = variant
            .measures
            .get(&between)
            .is_some_and(|measure| measure.cycles.is_some());
        if measured && !names.contains(&variant.name) {
            names.push(variant.name.clone());
        }
    }
    names
}

/// Whether two records come from the same kind of machine, so that their cycles may be compared.
/// Nothing in a record identifies one piece of hardware, and two of a kind serve as well.
pub(super) fn is_same_machine(a: &Machine, b: &Machine) -> bool {
    let kind = |machine: &Machine| {
        (
            machine.vendor.clone(),
            machine.brand.clone(),
            (machine.family, machine.model, machine.stepping),
            machine.core_type.clone(),
            machine.hypervisor.clone(),
            machine.cores,
        )
    };
    kind(a) == kind(b)
}

pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// All rows of all records.
pub(super) fn rows(records: &[(&Path, &Record)], basis: &Basis) -> Vec<Row> {
    let mut keys: Vec<(&str, &Params)> = Vec::new();
    for (_, record) in records {
        for variant in &record.variants {
            let key = (variant.name.as_str(), &variant.params);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys.into_iter()
        .map(|(name, params)| row(records, basis, name, params))
        .collect()
}

fn row(records: &[(&Path, &Record)], basis: &Basis, name: &str, params: &Params) -> Row {
    let found: Vec<Option<&Variant>> = records
        .iter()
        .map(|(_, record)| variant(record, name, params))
        .collect();
    let mut cells: Vec<Cell> = records
        .iter()
        .zip(&found)
        .map(|((_, record), variant)| cell(record, *variant, basis))
        .collect();
    let later = 1..cells.len();
    let direct: Vec<Option<Ratio>> = later
        .clone()
        .map(|index| direct(&cells, index, basis))
        .collect();
    let first = cells[0].history;
    for (cell, ratio) in cells[1..].iter_mut().zip(&direct) {
        let verdict = ratio.as_ref().map(|ratio| ratio.verdict);
        cell.does_less |= does_less(cell.history, first, verdict);
    }
    Row {
        variant: name.to_owned(),
        params: params.clone(),
        ratio_of_ratios: later
            .map(|index| {
                let (ours, first) = (&cells[index].vs_baseline, &cells[0].vs_baseline);
                let ratio = ratio_of_ratios(
                    &ours.as_ref()?.comparison(),
                    &first.as_ref()?.comparison(),
                    basis.floor(index),
                )?;
                Some(ratio.into())
            })
            .collect(),
        direct,
        changed: {
            let mut bytes = found
                .iter()
                .filter_map(|variant| Some(&variant.as_ref()?.code.as_ref()?.bytes));
            bytes
                .next()
                .is_some_and(|first| bytes.any(|bytes| bytes != first))
        },
        cells,
    }
}

/// The cycles of a later record over the first one's, where the machine is the same.
fn direct(cells: &[Cell], index: usize, basis: &Basis) -> Option<Ratio> {
    if !basis.same_machine {
        return None;
    }
    let (ours, first) = (&cells[index].cycles, &cells[0].cycles);
    let ratio = ratio_of_ratios(
        &as_ratio(ours.as_ref()?),
        &as_ratio(first.as_ref()?),
        basis.floor(index),
    )?;
    Some(ratio.into())
}

fn variant<'a>(record: &'a Record, name: &str, params: &Params) -> Option<&'a Variant> {
    record
        .variants
        .iter()
        .find(|variant| variant.name == name && variant.params == *params)
}

fn cell(record: &Record, found: Option<&Variant>, basis: &Basis) -> Cell {
    let Some(found) = found else {
        return Cell::default();
    };
    let measure = found.measures.get(&basis.between);
    let vs_baseline = measure.and_then(|measure| against(record, found, measure, basis));
    let baseline = variant(record, &basis.baseline, &found.params);
    Cell {
        cycles: measure.and_then(|measure| measure.cycles.clone()),
        does_less: does_less(
            history(found),
            baseline.and_then(history),
            vs_baseline.as_ref().map(|vs| vs.verdict),
        ),
        // What is recorded of the placements stands against the record's own baseline.
        hidden: measure
            .filter(|_| record.baseline() == Some(&basis.baseline))
            .and_then(Measure::hidden_placement)
            .map(|(offset, ratio)| Hidden { offset, ratio }),
        vs_baseline,
        status: Some(found.status),
        reason: found.reason.clone().or_else(|| {
            let failure = found.failure.as_ref()?;
            Some(failure.message.clone())
        }),
        history: history(found),
    }
}

/// A measure against the baseline at the same params: as recorded where that is the baseline asked
/// for, else from the samples.
fn against(
    record: &Record,
    found: &Variant,
    measure: &Measure,
    basis: &Basis,
) -> Option<VsBaseline> {
    if found.name == basis.baseline {
        return None;
    }
    if record.baseline() == Some(&basis.baseline) && measure.vs_baseline.is_some() {
        return measure.vs_baseline.clone();
    }
    let baseline = variant(record, &basis.baseline, &found.params)?;
    record.compare(measure, baseline.measures.get(&basis.between)?)
}

/// Cycles as if they were a ratio to one cycle, so that two of them divide as ratios do.
fn as_ratio(cycles: &Cycles) -> Comparison {
    Comparison {
        ratio: cycles.estimate,
        low: cycles.low,
        high: cycles.high,
        verdict: stats::Verdict::NoDifference,
        smallest_seen: 0.0,
    }
}

impl From<stats::RatioOfRatios> for Ratio {
    fn from(ratio: stats::RatioOfRatios) -> Self {
        Self {
            ratio: ratio.ratio,
            low: ratio.low,
            high: ratio.high,
            verdict: ratio.verdict.into(),
        }
    }
}
