//! The records of one sequence: what they are called, their rows and their columns.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use record::{Context, Diff, DiffOptions, Refusal, Variant, printable};

use super::PageOptions;
use super::digest::{Digest, Shape};

/// The most columns of a matrix that are a record each. Beyond it, records of one kind of machine
/// share a column, and the variants' plots become strips in a table.
pub(super) const MOST_SINGLE: usize = 12;

/// The records of one sequence.
pub(super) struct Sequence {
    /// In the order given.
    pub(super) digests: Vec<Digest>,
    /// What each record is called.
    pub(super) labels: Vec<String>,
    /// The context that gives the verdicts; `None` where nothing was measured.
    pub(super) context: Option<Context>,
    /// All contexts in which anything was measured.
    pub(super) contexts: Vec<Context>,
    /// The baseline's name.
    pub(super) baseline: Option<String>,
    /// Every variant at every set of params.
    pub(super) rows: Vec<Row>,
    /// The matrix's columns.
    pub(super) columns: Vec<Column>,
    /// For each record, the colour of its column.
    pub(super) series: Vec<usize>,
    /// The records against each other; `None` for one record and for many.
    pub(super) diff: Option<Result<Diff, Vec<Refusal>>>,
}

/// One variant at one set of params.
pub(super) struct Row {
    /// Its name, fit to be shown.
    pub(super) variant: String,
    /// Its name with the params that tell it apart, fit to be shown.
    pub(super) name: String,
    /// Whether it is the baseline.
    pub(super) is_baseline: bool,
    /// In each record, its place among the variants.
    pub(super) places: Vec<Option<usize>>,
}

/// A column of the matrix.
pub(super) struct Column {
    /// What it is called.
    pub(super) label: String,
    /// Its records.
    pub(super) members: Vec<usize>,
}

impl Column {
    /// The record, if it is one.
    pub(super) fn single(&self) -> Option<usize> {
        match self.members[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl Sequence {
    /// Arranges at least one record of one sequence.
    pub(super) fn new(digests: Vec<Digest>, options: &PageOptions) -> Self {
        let context = options.between.or_else(|| {
            digests
                .iter()
                .find_map(|digest| digest.record.verdict_context())
        });
        let contexts = Context::ALL
            .into_iter()
            .filter(|context| {
                digests
                    .iter()
                    .flat_map(|digest| &digest.record.variants)
                    .any(|variant| variant.measures.contains_key(context))
            })
            .collect();
        let baseline = digests
            .iter()
            .find_map(|digest| digest.record.baseline())
            .map(str::to_owned);
        let diff = (2..=MOST_SINGLE).contains(&digests.len()).then(|| {
            let records: Vec<_> = digests
                .iter()
                .map(|digest| (Path::new(&digest.file), &digest.record))
                .collect();
            Diff::new(
                &records,
                &DiffOptions {
                    between: context,
                    baseline: baseline.clone(),
                    ..DiffOptions::default()
                },
            )
        });
        let labels = match &diff {
            Some(Ok(diff)) => diff
                .records
                .iter()
                .map(|compared| printable(&compared.label))
                .collect(),
            _ => labels(&digests),
        };
        let rows = rows(&digests, baseline.as_deref());
        let columns = columns(&digests, &labels);
        let mut series = vec![0; digests.len()];
        for (colour, column) in columns.iter().enumerate() {
            for &record in &column.members {
                series[record] = colour;
            }
        }
        Self {
            digests,
            labels,
            context,
            contexts,
            baseline,
            rows,
            columns,
            series,
            diff,
        }
    }

    /// Whether there are too many records to show each of them in full.
    pub(super) fn is_large(&self) -> bool {
        self.digests.len() > MOST_SINGLE
    }

    /// A row's variant in a record.
    pub(super) fn variant(&self, row: &Row, record: usize) -> Option<&Variant> {
        self.digests[record]
            .record
            .variants
            .get(row.places[record]?)
    }

    /// What a row's samples were in a record.
    pub(super) fn shape(&self, row: &Row, record: usize, context: Context) -> Option<&Shape> {
        self.digests[record]
            .shapes
            .get(row.places[record]?)?
            .get(&context)
    }

    /// The comparison, if it could be made.
    pub(super) fn compared(&self) -> Option<&Diff> {
        self.diff.as_ref()?.as_ref().ok()
    }

    /// The baseline as shown.
    pub(super) fn baseline_name(&self) -> String {
        printable(self.baseline.as_deref().unwrap_or("the baseline"))
    }

    /// The first record, whose texts stand for the sequence's.
    pub(super) fn first(&self) -> &record::Record {
        &self.digests[0].record
    }
}

/// What a kind of machine is called: its core's design, else its brand, else its numbers.
pub(super) fn kind(machine: &record::Machine) -> String {
    let name = if !machine.microarchitecture.is_empty() {
        printable(&machine.microarchitecture)
    } else if !machine.brand.trim().is_empty() {
        printable(machine.brand.trim())
    } else {
        format!("family {:#x} model {:#x}", machine.family, machine.model)
    };
    match &machine.core_type {
        Some(core) => format!("{name} ({})", printable(core)),
        None => name,
    }
}

/// A record's kind of machine, marked where the record tells nothing of it.
fn marked_kind(record: &record::Record) -> String {
    kind(&record.machine) + record.mark()
}

/// What each record is called: its kind of machine, numbered where there are several of it.
fn labels(digests: &[Digest]) -> Vec<String> {
    let kinds: Vec<String> = digests
        .iter()
        .map(|digest| marked_kind(&digest.record))
        .collect();
    let mut totals: HashMap<&str, usize> = HashMap::new();
    for kind in &kinds {
        *totals.entry(kind).or_default() += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    kinds
        .iter()
        .map(|kind| {
            let number = seen.entry(kind).or_default();
            *number += 1;
            match totals[kind.as_str()] {
                1 => kind.clone(),
                _ => format!("{kind} #{number}"),
            }
        })
        .collect()
}

fn columns(digests: &[Digest], labels: &[String]) -> Vec<Column> {
    if digests.len() <= MOST_SINGLE {
        return labels
            .iter()
            .enumerate()
            .map(|(index, label)| Column {
                label: label.clone(),
                members: vec![index],
            })
            .collect();
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (index, digest) in digests.iter().enumerate() {
        let kind = marked_kind(&digest.record);
        let place = *places.entry(kind.clone()).or_insert_with(|| {
            columns.push(Column {
                label: kind,
                members: Vec::new(),
            });
            columns.len() - 1
        });
        columns[place].members.push(index);
    }
    columns
}

/// A name and params, alike for params in any order.
type Key = (String, BTreeMap<String, String>);

fn rows(digests: &[Digest], baseline: Option<&str>) -> Vec<Row> {
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut found: Vec<(&Variant, Vec<Option<usize>>)> = Vec::new();
    for (record, digest) in digests.iter().enumerate() {
        for (index, variant) in digest.record.variants.iter().enumerate() {
            let params = variant
                .params
                .iter()
                // The integer 5 and the word "5" are two values.
                .map(|(name, value)| (name.clone(), format!("{value:?}")))
                .collect();
            let place = *places
                .entry((variant.name.clone(), params))
                .or_insert_with(|| {
                    found.push((variant, vec![None; digests.len()]));
                    found.len() - 1
                });
            found[place].1[record].get_or_insert(index);
        }
    }
    let varying = varying(found.iter().map(|(variant, _)| *variant));
    found
        .into_iter()
        .map(|(variant, places)| {
            let mut name = printable(&variant.name);
            for param in &varying {
                if let Some(value) = variant.params.get(param) {
                    name.push_str(&format!(
                        " {}={}",
                        printable(param),
                        printable(&value.to_string())
                    ));
                }
            }
            Row {
                variant: printable(&variant.name),
                name,
                is_baseline: Some(variant.name.as_str()) == baseline,
                places,
            }
        })
        .collect()
}

/// Names of the params that are not alike in all variants, in order of first appearance.
fn varying<'a>(variants: impl Iterator<Item = &'a Variant>) -> Vec<String> {
    let mut count = 0;
    let mut seen: Vec<(String, &record::ParamValue, usize, bool)> = Vec::new();
    for variant in variants {
        count += 1;
        for (name, value) in &variant.params {
            match seen.iter_mut().find(|(other, ..)| other == name) {
                Some((_, first, times, alike)) => {
                    *times += 1;
                    *alike &= *first == value;
                }
                None => seen.push((name.clone(), value, 1, true)),
            }
        }
    }
    seen.into_iter()
        .filter(|(_, _, times, alike)| !alike || *times != count)
        .map(|(name, ..)| name)
        .collect()
}
