//! What performance counters counted: a table of its own below the times.

use record::{Context, Counter, Record, Variant};

use crate::columns::{Cell, Columns, Group, Line};
use crate::number::cycles;
use crate::style::{Style, Tone};
use crate::text::{clean, full_name, paragraph};

/// Widest that all columns may be together before they are numbered instead of named.
const ROOM: usize = 52;

/// Events a run in the context of the verdicts, beside the cycles by the ruler; empty where nothing
/// was counted.
pub(crate) fn table(record: &Record, style: &Style) -> String {
    let Some(context) = context(record) else {
        return String::new();
    };
    let (_, varying) = record.common_params();
    let rows: Vec<&Variant> = record
        .variants
        .iter()
        .filter(|variant| variant.measures.contains_key(&context))
        .collect();
    let mut names: Vec<&String> = Vec::new();
    for counter in rows
        .iter()
        .flat_map(|variant| variant.measures[&context].counters.keys())
    {
        if !names.contains(&counter) {
            names.push(counter);
        }
    }
    let shown: Vec<String> = names.iter().map(|name| clean(name, style)).collect();
    let wide: usize = shown.iter().map(|name| name.chars().count() + 2).sum();
    let numbered = wide > ROOM;
    let title = |index: usize| {
        if numbered {
            format!("#{}", index + 1)
        } else {
            shown[index].clone()
        }
    };
    let mut groups = vec![Group {
        title: "by ruler".to_owned(),
        heads: vec![""],
    }];
    groups.extend((0..names.len()).map(|index| Group {
        title: title(index),
        heads: vec![""],
    }));
    let lines = rows.iter().map(|variant| {
        let measure = &variant.measures[&context];
        // Counters see the harness too, so what was taken off for it is added again.
        let ours = measure.cycles.as_ref();
        let ours = ours.map(|found| found.estimate + found.minus_empty.unwrap_or(0.0));
        let mut cells = vec![Cell::plain(ours.map_or("?".to_owned(), cycles))];
        cells.extend(names.iter().map(|name| match measure.counters.get(*name) {
            Some(Counter::Value { per_run, .. }) => Cell::plain(cycles(*per_run)),
            Some(Counter::Error { .. }) => Cell::new("?", Tone::Alarm),
            None => Cell::default(),
        }));
        Line::Row(clean(&full_name(variant, &varying), style), cells)
    });
    let table = Columns {
        left: "variant".to_owned(),
        groups,
        lines: lines.collect(),
    };
    let mut text = paragraph(
        &format!("Counted a run, {context}, the harness included:"),
        "",
        Tone::Plain,
        style,
    );
    text.push_str(&table.render(style));
    if numbered {
        for (index, name) in shown.iter().enumerate() {
            text.push_str(&paragraph(
                &format!("{}: {name}", title(index)),
                "  ",
                Tone::Plain,
                style,
            ));
        }
    }
    for error in errors(&rows, context) {
        text.push_str(&paragraph(&clean(&error, style), "  ", Tone::Alarm, style));
    }
    text
}

/// The context of the verdicts, or the first in which something was counted.
fn context(record: &Record) -> Option<Context> {
    let counted = |context: &Context| {
        record.variants.iter().any(|variant| {
            variant.measures.get(context).is_some_and(|measure| {
                measure
                    .counters
                    .values()
                    .any(|counter| matches!(counter, Counter::Value { .. }))
            })
        })
    };
    record
        .verdict_context()
        .filter(counted)
        .or_else(|| record.contexts().into_iter().find(counted))
}

/// Why there is `?`, each reason once.
fn errors(rows: &[&Variant], context: Context) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    for (name, counter) in rows
        .iter()
        .flat_map(|variant| &variant.measures[&context].counters)
    {
        if let Counter::Error { error } = counter {
            let line = format!("? {name}: {error}");
            if !errors.contains(&line) {
                errors.push(line);
            }
        }
    }
    errors
}
