//! The templates, and what each of them is given.

use std::io;

use askama::Template;
use record::{Context, printable};

use super::PageError;
use super::machine::{self, Fact};
use super::matrix::{Group, Matrix};
use super::number::{count, percent};
use super::plot::{self, Lane, LaneGroup, Mark, Svg};
use super::policy::{Asset, SCRIPT, STYLE, policy};
use super::sequence::{Row, Sequence};
use super::source::{Line, Source};
use super::variant::VariantView;
use super::warning::WarningView;
use super::words::{Words, context_meaning};

/// Rows and machines that the first plot has room for.
const MOST_ROWS: usize = 40;
const MOST_LANES: usize = 12;
/// Characters of a machine's name in the first plot.
const MOST_LABEL: usize = 30;

#[derive(Template)]
#[template(path = "head.html", whitespace = "minimize")]
struct HeadTemplate<'a> {
    policy: &'a str,
    style: Asset,
    title: &'a str,
    scope: &'a str,
    sequences: &'a [(usize, String)],
}

#[derive(Template)]
#[template(path = "sequence.html", whitespace = "minimize")]
struct SequenceTemplate<'a> {
    id: usize,
    title: String,
    name: String,
    sources: Vec<String>,
    words: Words,
    baseline: String,
    context: Option<Context>,
    context_meaning: &'static str,
    overview: Option<Overview>,
    warnings: &'a [WarningView],
    matrices: Vec<Matrix>,
    shares_columns: bool,
    has_history: bool,
}

#[derive(Template)]
#[template(path = "variant.html", whitespace = "minimize")]
struct VariantTemplate<'a> {
    id: usize,
    index: usize,
    view: VariantView,
    is_large: bool,
    sequence: &'a str,
}

#[derive(Template)]
#[template(path = "machines.html", whitespace = "minimize")]
struct MachinesTemplate<'a> {
    id: usize,
    machines: Vec<MachineView<'a>>,
    common: Vec<Line>,
    title: String,
}

#[derive(Template)]
#[template(path = "foot.html", whitespace = "minimize")]
struct FootTemplate {
    script: Asset,
}

/// The first plot and its words.
struct Overview {
    svg: Svg,
    alternative: String,
    /// What it has no room for; empty where it shows everything.
    left_out: String,
}

struct MachineView<'a> {
    label: &'a str,
    machine: Vec<Fact>,
    plan: Vec<Fact>,
    mitigations: Vec<(String, String)>,
    features: String,
}

/// Writes the whole page.
pub(super) fn write(
    sequences: &[Sequence],
    records: usize,
    out: &mut dyn io::Write,
) -> Result<(), PageError> {
    let names: Vec<(usize, String)> = sequences.iter().map(title).enumerate().collect();
    let (title, scope) = match sequences {
        [only] => (title(only), scope(only)),
        _ => (
            format!("{} of assembly", count(sequences.len(), "sequence")),
            format!("{} in all", count(records, "record")),
        ),
    };
    HeadTemplate {
        policy: &policy(),
        style: STYLE,
        title: &title,
        scope: &scope,
        sequences: if sequences.len() > 1 { &names } else { &[] },
    }
    .write_into(out)?;
    for (id, sequence) in sequences.iter().enumerate() {
        write_sequence(id, sequence, sequences.len() == 1, out)?;
    }
    FootTemplate { script: SCRIPT }.write_into(out)?;
    Ok(())
}

fn write_sequence(
    id: usize,
    sequence: &Sequence,
    is_only: bool,
    out: &mut dyn io::Write,
) -> Result<(), PageError> {
    let file = &sequence.first().sequence;
    let mut contexts = sequence.contexts.clone();
    contexts.sort_by_key(|&context| Some(context) != sequence.context);
    SequenceTemplate {
        id,
        title: if is_only {
            String::new()
        } else {
            title(sequence)
        },
        name: printable(&file.name),
        sources: file
            .sources
            .iter()
            .map(|source| printable(source))
            .collect(),
        words: sequence.finding(),
        baseline: sequence.baseline_name(),
        context: sequence.context,
        context_meaning: sequence.context.map_or("", context_meaning),
        overview: overview(sequence)?,
        warnings: &sequence.warnings(),
        matrices: contexts
            .into_iter()
            .map(|context| sequence.matrix(context))
            .collect(),
        shares_columns: sequence
            .columns
            .iter()
            .any(|column| column.single().is_none()),
        has_history: sequence
            .columns
            .iter()
            .any(|column| sequence.has_history(column)),
    }
    .write_into(out)?;
    let source = Source::of(&file.text);
    let name = printable(&file.name);
    let headline = sequence
        .context
        .and_then(|context| sequence.headline(context));
    for (index, row) in sequence.rows.iter().enumerate() {
        let is_headline = headline.is_some_and(|headline| std::ptr::eq(headline, row));
        VariantTemplate {
            id,
            index,
            view: sequence.view(row, &source, is_headline)?,
            is_large: sequence.is_large(),
            sequence: &name,
        }
        .write_into(out)?;
    }
    MachinesTemplate {
        id,
        machines: sequence
            .digests
            .iter()
            .zip(&sequence.labels)
            .map(|(digest, label)| MachineView {
                label,
                machine: machine::machine(&digest.record),
                plan: machine::plan(&digest.record, &digest.file),
                mitigations: machine::mitigations(&digest.record),
                features: printable(&digest.record.machine.features.join(" ")),
            })
            .collect(),
        common: source.common(),
        title: title(sequence),
    }
    .write_into(out)?;
    Ok(())
}

/// A sequence's title, or its name where it has none.
fn title(sequence: &Sequence) -> String {
    let file = &sequence.first().sequence;
    let title = printable(&file.title);
    match title.trim() {
        "" => printable(&file.name),
        _ => title,
    }
}

/// `14 variants on 2 machines`
fn scope(sequence: &Sequence) -> String {
    format!(
        "{} in {}",
        count(sequence.rows.len(), "variant"),
        count(sequence.digests.len(), "record")
    )
}

/// Every row against the baseline on every machine; `None` where nothing stands against it.
fn overview(sequence: &Sequence) -> Result<Option<Overview>, PageError> {
    let Some(context) = sequence.context else {
        return Ok(None);
    };
    let rows: Vec<&Row> = sequence
        .rows
        .iter()
        .filter(|row| {
            sequence
                .columns
                .iter()
                .any(|column| sequence.comparisons(row, column, context).next().is_some())
        })
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let columns = &sequence.columns[..sequence.columns.len().min(MOST_LANES)];
    let groups: Vec<LaneGroup> = rows
        .iter()
        .take(MOST_ROWS)
        .map(|row| LaneGroup {
            name: row.name.clone(),
            lanes: columns
                .iter()
                .enumerate()
                .map(|(series, column)| {
                    let label = short(&column.label);
                    let single = column
                        .single()
                        .and_then(|_| sequence.comparisons(row, column, context).next());
                    match single {
                        Some((_, vs)) => Lane {
                            series,
                            mark: Some(Mark {
                                low: vs.low - 1.0,
                                middle: vs.ratio - 1.0,
                                high: vs.high - 1.0,
                            }),
                            text: match vs.verdict {
                                record::Verdict::NoDifference => format!("{label} ="),
                                _ => format!("{label} {}", percent(vs.ratio)),
                            },
                        },
                        None => shared_lane(sequence, row, series, context, &label),
                    }
                })
                .collect(),
        })
        .collect();
    let mut left_out = Vec::new();
    if rows.len() > MOST_ROWS {
        left_out.push(count(rows.len() - MOST_ROWS, "more variant"));
    }
    if sequence.columns.len() > MOST_LANES {
        left_out.push(count(sequence.columns.len() - MOST_LANES, "more kind"));
    }
    Ok(Some(Overview {
        alternative: format!(
            "Each variant's cycles a run against {}, {context}, in percent, with 95% intervals: \
             the same numbers as in the table below.",
            sequence.baseline_name()
        ),
        left_out: left_out.join(" and "),
        svg: plot::overview(&groups)?,
    }))
}

/// The lane of machines of one kind: from the least to the greatest of their ratios.
fn shared_lane(
    sequence: &Sequence,
    row: &Row,
    series: usize,
    context: Context,
    label: &str,
) -> Lane {
    let column = &sequence.columns[series];
    let group = Group::of(sequence.comparisons(row, column, context).map(|(_, vs)| vs));
    match group {
        None => Lane {
            series,
            mark: None,
            text: format!("{label}: no number"),
        },
        Some(group) => Lane {
            series,
            mark: Some(Mark {
                low: group.ratios[0] - 1.0,
                middle: group.ratios[1] - 1.0,
                high: group.ratios[2] - 1.0,
            }),
            text: format!("{label} {}", group.outcome()),
        },
    }
}

fn short(label: &str) -> String {
    if label.chars().count() <= MOST_LABEL {
        return label.to_owned();
    }
    let mut short: String = label.chars().take(MOST_LABEL - 1).collect();
    short.push('\u{2026}');
    short
}
