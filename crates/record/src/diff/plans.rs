//! What the records are called, and where their plans differ in what matters to a comparison.

use std::path::Path;

use super::matching::{Basis, shown};
use super::{Compared, Row};
use crate::record::{Record, Warning};
use crate::variant::{HistoryWord, Status};

/// Rows that a warning names before it counts the rest.
const NAMED: usize = 4;

/// The records as the output shows them.
pub(super) fn compared(records: &[(&Path, &Record)]) -> Vec<Compared> {
    labels(records)
        .into_iter()
        .zip(records)
        .map(|(label, (path, record))| Compared {
            file: shown(path),
            label,
            time: record.time.clone(),
            complete: record.complete,
            tool: record.tool.clone(),
            machine: record.machine.clone(),
            sha256: record.sequence.sha256.clone(),
            noise_floor: record.noise_floor(),
        })
        .collect()
}

/// A short name for each record, no two alike: the first of these that tells all of them apart.
fn labels(records: &[(&Path, &Record)]) -> Vec<String> {
    let microarchitectures = records
        .iter()
        .map(|(_, record)| record.machine.microarchitecture.clone())
        .collect();
    let stems = records
        .iter()
        .map(|(path, _)| {
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default()
        })
        .collect();
    let folders = records
        .iter()
        .map(|(path, _)| {
            path.parent()
                .and_then(Path::file_name)
                .map(|folder| folder.to_string_lossy().into_owned())
                .unwrap_or_default()
        })
        .collect();
    [microarchitectures, stems, folders]
        .into_iter()
        .find(|names: &Vec<String>| tells_apart(names))
        .unwrap_or_else(|| (0..records.len()).map(letter).collect())
        .into_iter()
        .zip(records)
        .map(|(label, (_, record))| label + record.mark())
        .collect()
}

fn tells_apart(names: &[String]) -> bool {
    names
        .iter()
        .enumerate()
        .all(|(index, name)| !name.is_empty() && name.len() <= 40 && !names[..index].contains(name))
}

/// A, B ... Z, A1, B1 ...
fn letter(index: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// Everything that a reader should know before trusting the comparison.
pub(super) fn warnings(records: &[(&Path, &Record)], basis: &Basis, rows: &[Row]) -> Vec<Warning> {
    let labels = labels(records);
    let first = records[0].1;
    let mut warnings = Vec::new();
    for (label, (_, record)) in labels.iter().zip(records) {
        if !record.complete {
            warnings.push(warning(
                "incomplete",
                format!("{label} was cut short"),
                "run it again",
            ));
        }
        for found in record.warnings.iter().filter(|found| found.degrades()) {
            warnings.push(Warning {
                message: format!("{label}: {}", found.message),
                ..found.clone()
            });
        }
    }
    for (label, (_, record)) in labels.iter().zip(records).skip(1) {
        text_and_plan(&labels[0], first, label, record, basis, &mut warnings);
        if basis.same_machine {
            machine_state(&labels[0], first, label, record, &mut warnings);
        }
    }
    histories(&labels, rows, &mut warnings);
    missing(&labels, rows, &mut warnings);
    let changed: Vec<&str> = rows
        .iter()
        .filter(|row| row.changed)
        .map(|row| row.variant.as_str())
        .collect();
    if changed.contains(&basis.baseline.as_str()) {
        warnings.push(warning(
            "baseline-changed",
            format!("the baseline {} is not the same code in all records", basis.baseline),
            "ratios to it move when it does; compare cycles on one machine, or choose another --baseline",
        ));
    }
    if !changed.is_empty() {
        warnings.push(warning(
            "code-differs",
            format!("not the same bytes in all records: {}", list(&changed)),
            "expected after a change; otherwise run the same file everywhere",
        ));
    }
    warnings
}

/// What a cost alone does not say: where the same code displaces the history here and not there.
fn histories(labels: &[String], rows: &[Row], warnings: &mut Vec<Warning>) {
    let mut told: Vec<(String, bool, Vec<String>)> = Vec::new();
    for row in rows {
        let words: Vec<HistoryWord> = row.cells.iter().filter_map(|cell| cell.history).collect();
        if words.iter().all(|word| *word == words[0]) {
            continue;
        }
        let said: Vec<String> = labels
            .iter()
            .zip(&row.cells)
            .filter_map(|(label, cell)| Some(format!("{} on {label}", cell.history?.word())))
            .collect();
        let said = said.join(", ");
        let params = row
            .params
            .iter()
            .map(|(name, value)| format!(" {name}={value}"));
        let name = format!("{}{}", row.variant, params.collect::<String>());
        match told.iter_mut().find(|(other, ..)| *other == said) {
            Some((_, _, names)) => names.push(name),
            None => {
                let both = [HistoryWord::Displaced, HistoryWord::Kept];
                let contradicts = both.iter().all(|word| words.contains(word));
                told.push((said, contradicts, vec![name]));
            }
        }
    }
    for (said, contradicts, mut names) in told {
        if names.len() > NAMED + 1 {
            let more = names.split_off(NAMED).len();
            names.push(format!("{more} more"));
        }
        warnings.push(warning(
            "history-differs",
            format!("the branch history after {}: {said}", names.join(", ")),
            if contradicts {
                "counts that suffice on one CPU need not on another"
            } else {
                "the records say why there is no word"
            },
        ));
    }
}

fn text_and_plan(
    first_label: &str,
    first: &Record,
    label: &str,
    record: &Record,
    basis: &Basis,
    warnings: &mut Vec<Warning>,
) {
    let same_text = first.sequence.sha256 == record.sequence.sha256
        && first.sequence.text == record.sequence.text;
    if !same_text {
        warnings.push(warning(
            "text-differs",
            format!("the sequence's text differs between {first_label} and {label}"),
            "variants are matched by name; those whose bytes differ are named",
        ));
    }
    let (ours, theirs) = (&record.plan, &first.plan);
    let mut differ = |what: &str, first_has: String, has: String| {
        if first_has != has {
            warnings.push(warning(
                "plan-differs",
                format!("{what} differ: {first_label} has {first_has}, {label} has {has}"),
                "run both with the same options; only what both have is compared",
            ));
        }
    };
    let params = |record: &Record| {
        let mut params: Vec<String> = record
            .plan
            .params
            .iter()
            .map(|(name, values)| {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("{name}={}", values.join(","))
            })
            .collect();
        params.sort();
        words(&params)
    };
    differ("params", params(first), params(record));
    let contexts = |record: &Record| {
        words(
            &record
                .plan
                .between
                .iter()
                .map(|context| context.word().to_owned())
                .collect::<Vec<_>>(),
        )
    };
    differ("contexts", contexts(first), contexts(record));
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        words(&list)
    };
    differ("features", sorted(&theirs.features), sorted(&ours.features));
    differ("configs", sorted(&theirs.configs), sorted(&ours.configs));
    differ(
        "layouts",
        theirs.layouts.to_string(),
        ours.layouts.to_string(),
    );
    if let (Some(theirs), Some(ours)) = (first.verdict_context(), record.verdict_context())
        && theirs != ours
    {
        warnings.push(warning(
            "plan-differs",
            format!(
                "verdicts go by another context: {first_label} by {theirs}, {label} by {ours}; \
                 {} is compared",
                basis.between
            ),
            "choose one with --between",
        ));
    }
    if record.baseline() != Some(&basis.baseline) || first.baseline() != Some(&basis.baseline) {
        let name = |record: &Record| record.baseline().unwrap_or("none").to_owned();
        if name(first) != name(record) {
            warnings.push(warning(
                "plan-differs",
                format!(
                    "baselines differ: {first_label} has {}, {label} has {}; {} is used",
                    name(first),
                    name(record),
                    basis.baseline
                ),
                "choose one with --baseline",
            ));
        }
    }
}

/// What may move the cycles of one machine between two runs.
fn machine_state(
    first_label: &str,
    first: &Record,
    label: &str,
    record: &Record,
    warnings: &mut Vec<Warning>,
) {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let (ours, theirs) = (&record.machine, &first.machine);
    let facts = [
        ("kernel", theirs.kernel.clone(), ours.kernel.clone()),
        ("microcode", text(&theirs.microcode), text(&ours.microcode)),
        ("governor", text(&theirs.governor), text(&ours.governor)),
    ];
    for (what, theirs, ours) in facts {
        if theirs != ours {
            warnings.push(warning(
                "machine-differs",
                format!("the {what} differs: {first_label} has {theirs}, {label} has {ours}"),
                "a difference may come from it",
            ));
        }
    }
    for (name, state) in &theirs.mitigations {
        let now = ours.mitigations.get(name);
        if now != Some(state) {
            warnings.push(warning(
                "machine-differs",
                format!(
                    "the mitigation of {name} differs: {first_label} has {state}, {label} has {}",
                    now.map_or("none", String::as_str)
                ),
                "a difference may come from it",
            ));
        }
    }
}

/// Variants that have a number on some records only.
fn missing(labels: &[String], rows: &[Row], warnings: &mut Vec<Warning>) {
    for (index, label) in labels.iter().enumerate() {
        let lacking = |row: &&Row| {
            row.cells[index].cycles.is_none() && row.cells.iter().any(|cell| cell.cycles.is_some())
        };
        let of = |wanted: Option<Status>| -> Vec<&str> {
            rows.iter()
                .filter(lacking)
                .filter(|row| row.cells[index].status == wanted)
                .map(|row| row.variant.as_str())
                .collect()
        };
        for (status, what) in [
            (None, "does not have"),
            (Some(Status::NotRun), "did not run"),
            (Some(Status::Failed), "failed in"),
            (Some(Status::Measured), "has no number for"),
        ] {
            let names = of(status);
            if !names.is_empty() {
                warnings.push(warning(
                    "missing",
                    format!("{label} {what} {}", list(&names)),
                    "these are not compared",
                ));
            }
        }
    }
}

fn warning(kind: &str, message: String, advice: &str) -> Warning {
    Warning {
        kind: kind.to_owned(),
        message,
        advice: advice.to_owned(),
    }
}

fn words(words: &[String]) -> String {
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(" ")
    }
}

/// The first few names, each once, and how many more there are.
fn list(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(name) {
            once.push(name);
        }
    }
    match once.len() {
        0..=SHOWN => once.join(", "),
        more => format!("{} and {} more", once[..SHOWN].join(", "), more - SHOWN),
    }
}
