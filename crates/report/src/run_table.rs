//! A record as a table for a terminal or a mail.

use record::{Context, HistoryWord, Record, Variant, Verdict};

use crate::against::{Against, Baselines};
use crate::columns::{Cell, Columns, Group, Line};
use crate::number::cycles;
use crate::style::{Style, Tone};
use crate::text::{clean, paragraph, with_params};
use crate::unit::Unit;
use crate::{counted, counts, heading, modes, notes, placements, run_detail};

/// A record as it is shown after a run. Lines are at most as wide as the style's columns.
#[must_use]
pub fn run_table(record: &Record, style: &Style) -> String {
    let mut text = String::new();
    let say = |text: &mut String, line: &str, indent: &str, tone: Tone| {
        text.push_str(&paragraph(&clean(line, style), indent, tone, style));
    };
    for line in heading::degraded(record) {
        say(&mut text, &line, "  ", Tone::Alarm);
    }
    say(&mut text, &heading::title(record), "  ", Tone::Head);
    if style.verbose && !record.sequence.title.is_empty() {
        say(&mut text, &record.sequence.title, "  ", Tone::Plain);
    }
    say(&mut text, &heading::machine_of(record), "  ", Tone::Plain);
    say(&mut text, &heading::run(record), "  ", Tone::Plain);
    let contexts = record.contexts();
    if !contexts.is_empty() {
        text.push('\n');
        text.push_str(&columns(record, &contexts, style).render(style));
    }
    let counted = counted::table(record, style);
    if !counted.is_empty() {
        text.push('\n');
        text.push_str(&counted);
    }
    let mut left_out = notes::left_out(record);
    left_out.extend(notes::no_baseline(record));
    if !left_out.is_empty() {
        text.push('\n');
    }
    for line in &left_out {
        say(&mut text, line, "  ", Tone::Alarm);
    }
    let mut explained: Vec<String> = notes::signs(record).into_iter().collect();
    explained.extend(notes::units(record));
    explained.extend(placements::note(record));
    explained.extend(notes::taken_off(record));
    explained.extend(notes::dropped(record));
    explained.extend(modes::note(record));
    explained.extend(counts::notes(record));
    explained.extend(notes::probe(record));
    if !explained.is_empty() {
        text.push('\n');
        // One paragraph: each is bounded by itself, so that a long name cannot cut the rest off.
        let notes: Vec<String> = explained.iter().map(|note| clean(note, style)).collect();
        text.push_str(&paragraph(&notes.join(" "), "", Tone::Plain, style));
    }
    if style.drawings {
        text.push_str(&modes::drawn(record, style));
    }
    let mut warnings = notes::does_less(record);
    if !style.quiet {
        warnings.extend(notes::warnings(record));
    }
    if explained.is_empty() && !warnings.is_empty() {
        text.push('\n');
    }
    for warning in warnings {
        say(&mut text, &warning, "  ", Tone::Alarm);
    }
    if style.verbose {
        text.push_str(&run_detail::details(record, style));
    }
    if let Some(finding) = notes::finding(record) {
        if style.verbose {
            text.push('\n');
        }
        say(&mut text, &finding, "", Tone::Head);
    }
    text
}

fn columns(record: &Record, contexts: &[Context], style: &Style) -> Columns {
    let unit = Unit::of(record);
    let baselines = Baselines::of(record);
    let probed = record
        .variants
        .iter()
        .any(|variant| variant.history.is_some());
    let sized = record.variants.iter().any(|variant| variant.code.is_some());
    let mut groups: Vec<Group> = contexts
        .iter()
        .map(|context| Group {
            title: context.word().to_owned(),
            heads: vec![unit.head(), "+%"],
        })
        .collect();
    let mut single = |present: bool, title: &str, head: &'static str| {
        if present {
            groups.push(Group {
                title: title.to_owned(),
                heads: vec![head],
            });
        }
    };
    single(probed, "BHB", "");
    single(sized, "size", "byte");
    let row = |variant: &Variant, name: String| {
        let mut cells: Vec<Cell> = contexts
            .iter()
            .flat_map(|&context| measure_cells(&baselines, variant, context))
            .collect();
        if probed {
            cells.push(Cell::plain(variant.history.as_ref().map_or(
                "",
                |history| match history.word {
                    HistoryWord::Displaced => "gone",
                    HistoryWord::Kept if record.does_less(variant) => "less!",
                    HistoryWord::Kept => "kept",
                    HistoryWord::Unclear => "?",
                    HistoryWord::NotMeasurable => "n/a",
                },
            )));
        }
        if sized {
            let size = variant.code.as_ref().map(|code| code.size);
            cells.push(Cell::plain(size.map_or(String::new(), size_text)));
        }
        Line::Row(clean(&name, style), cells)
    };
    let mut lines = Vec::new();
    let (_, varying) = record.common_params();
    let points = points(record, &varying);
    let grouped = points.len() > 1 && points.iter().any(|(_, variants)| variants.len() > 1);
    for (point, variants) in &points {
        let shown: Vec<&&Variant> = variants
            .iter()
            .filter(|variant| !variant.measures.is_empty())
            .collect();
        if grouped && !shown.is_empty() {
            lines.push(Line::Across(clean(point.trim(), style)));
        }
        for variant in shown {
            let mut name = variant.name.clone();
            if !grouped {
                name.push_str(point);
            }
            if record.baseline() == Some(&variant.name) {
                name.push_str(" (base)");
            }
            lines.push(row(variant, name));
        }
    }
    if let Some(cells) = empty_cells(record, contexts, unit) {
        if grouped {
            lines.push(Line::Across(String::new()));
        }
        lines.push(Line::Row("empty".to_owned(), cells));
    }
    Columns {
        left: "variant".to_owned(),
        groups,
        lines,
    }
}

/// Variants by the params that vary, in order of first appearance.
pub(crate) fn points<'a>(record: &'a Record, varying: &[&str]) -> Vec<(String, Vec<&'a Variant>)> {
    let mut points: Vec<(String, Vec<&Variant>)> = Vec::new();
    for variant in &record.variants {
        let point = with_params(variant, varying);
        match points.iter_mut().find(|(name, _)| *name == point) {
            Some((_, variants)) => variants.push(variant),
            None => points.push((point, vec![variant])),
        }
    }
    points
}

/// The number and the comparison of a measure.
fn measure_cells(baselines: &Baselines<'_>, variant: &Variant, context: Context) -> [Cell; 2] {
    let Some(measure) = variant.measures.get(&context) else {
        return [Cell::default(), Cell::default()];
    };
    let against = baselines.against(variant, context);
    let tone = match (&against, against.verdict()) {
        (_, Verdict::Slower) => Tone::Slower,
        (_, Verdict::Faster) => Tone::Faster,
        (Against::Ratio(_) | Against::Difference(_), _) => Tone::Plain,
        _ => Tone::Faint,
    };
    [
        Cell::plain(baselines.number(measure, context)),
        Cell::new(
            format!("{}{}", against.cell(), placements::mark(measure)),
            tone,
        ),
    ]
}

/// Cells of the empty body's row; `None` where it was not measured.
fn empty_cells(record: &Record, contexts: &[Context], unit: Unit) -> Option<Vec<Cell>> {
    let numbers: Vec<Option<f64>> = contexts
        .iter()
        .map(|context| Some(record.empty.get(context)?.cycles.as_ref()?.estimate))
        .collect();
    if unit != Unit::Cycles || numbers.iter().all(Option::is_none) {
        return None;
    }
    Some(
        numbers
            .into_iter()
            .flat_map(|number| {
                let number = number.map_or(String::new(), cycles);
                [Cell::new(number, Tone::Faint), Cell::default()]
            })
            .collect(),
    )
}

/// Bytes, at most six characters.
fn size_text(size: u64) -> String {
    if size < 1_000_000 {
        size.to_string()
    } else {
        format!("{}M", (size / 1_000_000).min(99_999))
    }
}
