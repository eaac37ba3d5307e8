//! A record as Markdown.

use record::{Record, Status};

use crate::against::Baselines;
use crate::markdown::{escaped, list, table};
use crate::number::cycles;
use crate::text::full_name;
use crate::unit::Unit;
use crate::{counts, heading, modes, notes, placements, run_detail};

/// A record as Markdown: a heading, the table and the notes. With `verbose`, every comparison has
/// its interval and every variant its details.
#[must_use]
pub fn run_markdown(record: &Record, verbose: bool) -> String {
    let mut text = format!("### {}\n\n", escaped(&heading::title(record)));
    if !record.sequence.title.is_empty() {
        text.push_str(&format!("{}\n\n", escaped(&record.sequence.title)));
    }
    for line in heading::degraded(record) {
        text.push_str(&format!("**{}**\n\n", escaped(&line)));
    }
    text.push_str(&format!(
        "{}; {}.\n",
        escaped(&heading::machine_of(record)),
        escaped(&heading::run(record))
    ));
    let contexts = record.contexts();
    if !contexts.is_empty() {
        text.push('\n');
        text.push_str(&numbers(record, verbose));
    }
    let mut below = notes::left_out(record);
    below.extend(notes::no_baseline(record));
    below.extend(notes::signs(record));
    below.extend(notes::units(record));
    below.extend(placements::note(record));
    below.extend(notes::taken_off(record));
    below.extend(notes::dropped(record));
    below.extend(modes::note(record));
    below.extend(counts::notes(record));
    below.extend(notes::probe(record));
    below.extend(notes::does_less(record));
    below.extend(notes::warnings(record));
    if !below.is_empty() {
        text.push('\n');
        text.push_str(&list(&below));
    }
    if verbose {
        let (_, varying) = record.common_params();
        for variant in &record.variants {
            let lines = run_detail::lines(variant, |_| None);
            if !lines.is_empty() {
                let name = escaped(&full_name(variant, &varying));
                text.push_str(&format!("\n#### {name}\n\n{}", list(&lines)));
            }
        }
    }
    if let Some(finding) = notes::finding(record) {
        text.push_str(&format!("\n**{}**\n", escaped(&finding)));
    }
    text
}

fn numbers(record: &Record, verbose: bool) -> String {
    let (_, varying) = record.common_params();
    let unit = Unit::of(record);
    let baselines = Baselines::of(record);
    let contexts = record.contexts();
    let probed = record
        .variants
        .iter()
        .any(|variant| variant.history.is_some());
    let mut heads = vec!["variant".to_owned()];
    for context in &contexts {
        heads.push(format!("{context} {}", unit.head()));
        heads.push("+%".to_owned());
    }
    if probed {
        heads.push("BHB".to_owned());
    }
    heads.push("bytes".to_owned());
    let mut rows = Vec::new();
    for variant in &record.variants {
        if variant.status != Status::Measured && variant.measures.is_empty() {
            continue;
        }
        let is_baseline = record.baseline() == Some(&variant.name);
        let base = if is_baseline { " (base)" } else { "" };
        let mut row = vec![format!("{}{base}", escaped(&full_name(variant, &varying)))];
        for context in &contexts {
            let Some(measure) = variant.measures.get(context) else {
                row.extend([String::new(), String::new()]);
                continue;
            };
            let against = baselines.against(variant, *context);
            row.push(escaped(&baselines.number(measure, *context)));
            row.push(escaped(&if verbose {
                against.in_full()
            } else {
                format!("{}{}", against.cell(), placements::mark(measure))
            }));
        }
        if probed {
            let word = variant.history.as_ref().map(|history| history.word.word());
            let word = word.unwrap_or("");
            row.push(if record.does_less(variant) {
                format!("{word} (does less)")
            } else {
                word.to_owned()
            });
        }
        let size = variant.code.as_ref().map(|code| code.size.to_string());
        row.push(size.unwrap_or_default());
        rows.push(row);
    }
    let empties: Vec<Option<f64>> = contexts
        .iter()
        .map(|context| Some(record.empty.get(context)?.cycles.as_ref()?.estimate))
        .collect();
    if unit == Unit::Cycles && empties.iter().any(Option::is_some) {
        let mut row = vec!["empty".to_owned()];
        for empty in empties {
            row.extend([empty.map_or(String::new(), cycles), String::new()]);
        }
        row.resize(heads.len(), String::new());
        rows.push(row);
    }
    table(&heads, &rows)
}
