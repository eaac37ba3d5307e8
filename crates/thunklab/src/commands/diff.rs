//! `thunklab diff`: records against each other.

use std::path::{Path, PathBuf};

use anyhow::Result;
use record::{Diff as Comparison, DiffOptions, Record};

use crate::args::typed::{Diff, FailOn, TableFormat};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;

/// Compares what was named, sequence by sequence.
pub(crate) fn diff(typed: &Diff, terminal: &Terminal) -> Result<Status> {
    let records = load(&typed.results)?;
    let options = DiffOptions {
        between: typed.between,
        baseline: typed.baseline.clone(),
        threshold: typed.threshold.0,
    };
    let comparisons = compare(&records, &options)?;
    let mut out = String::new();
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 && typed.format != TableFormat::Json {
            out.push('\n');
        }
        out.push_str(&show(comparison, typed.format, terminal));
    }
    terminal.data(out.as_bytes())?;
    let regressed = |comparison: &Comparison| !comparison.regressions(typed.threshold.0).is_empty();
    if typed.fail_on == Some(FailOn::Regression) && comparisons.iter().any(regressed) {
        return Ok(Status::Failed);
    }
    Ok(Status::Done)
}

/// Every record that was named; a file that is none ends it, for a comparison that silently lacks a
/// machine misleads.
fn load(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Record)>, Refusal> {
    let (records, problems) = record::load_all(paths);
    Refusal {
        diagnostics: Vec::new(),
        messages: problems,
    }
    .check()?;
    Ok(records)
}

fn compare(
    records: &[(PathBuf, Record)],
    options: &DiffOptions,
) -> Result<Vec<Comparison>, Refusal> {
    let all: Vec<(&Path, &Record)> = records
        .iter()
        .map(|(path, record)| (path.as_path(), record))
        .collect();
    let mut groups = record::by_sequence(&all);
    // Folders may hold sequences that the other side lacks; a lone record is no comparison.
    if groups.iter().any(|(_, members)| members.len() > 1) {
        groups.retain(|(_, members)| members.len() > 1);
    } else {
        groups = vec![(String::new(), (0..all.len()).collect())];
    }
    let mut comparisons = Vec::new();
    let mut messages = Vec::new();
    for (_, members) in groups {
        let members: Vec<(&Path, &Record)> = members.into_iter().map(|index| all[index]).collect();
        match Comparison::new(&members, options) {
            Ok(comparison) => comparisons.push(comparison),
            Err(refusals) => messages.extend(refusals.iter().map(ToString::to_string)),
        }
    }
    Refusal {
        diagnostics: Vec::new(),
        messages,
    }
    .check()?;
    Ok(comparisons)
}

fn show(comparison: &Comparison, format: TableFormat, terminal: &Terminal) -> String {
    match format {
        TableFormat::Table => report::diff_table(comparison, &terminal.style),
        TableFormat::Markdown => report::diff_markdown(comparison, terminal.style.verbose),
        TableFormat::Csv => report::diff_csv(comparison),
        TableFormat::Json => format!("{}\n", record::to_json_line(comparison)),
    }
}
