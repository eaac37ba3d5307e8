//! A comparison of records as a table for a terminal or a mail.

use record::{Cell as RecordCell, Diff, HistoryWord, Ratio, Row, Verdict, VsBaseline};

use crate::columns::{Cell, Columns, Group, Line};
use crate::heading;
use crate::number::{cycles, interval, percent, share, signed_percent, verdict};
use crate::style::{Style, Tone};
use crate::text::{clean, paragraph};

/// Most records whose cycles and ratios stand side by side in 75 columns.
const SIDE_BY_SIDE: usize = 3;
/// Most records in one block of percentages alone.
const BLOCK: usize = 6;

/// A comparison as it is shown by `diff`. Lines are at most as wide as the style's columns.
#[must_use]
pub fn diff_table(diff: &Diff, style: &Style) -> String {
    let say =
        |line: &str, indent: &str, tone: Tone| paragraph(&clean(line, style), indent, tone, style);
    let mut text = say(&title(diff), "  ", Tone::Head);
    for (index, _) in diff.records.iter().enumerate() {
        text.push_str(&say(&legend(diff, index), "   ", Tone::Plain));
    }
    text.push('\n');
    if diff.records.len() <= SIDE_BY_SIDE {
        text.push_str(&side_by_side(diff, style).render(style));
    } else {
        let all: Vec<usize> = (0..diff.records.len()).collect();
        for (number, block) in all.chunks(BLOCK).enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&percentages(diff, block, style).render(style));
        }
    }
    text.push('\n');
    let mut notes = vec![signs(diff)];
    notes.extend(histories(diff));
    // One paragraph; each note is bounded by itself.
    let notes: Vec<String> = notes.iter().map(|note| clean(note, style)).collect();
    text.push_str(&paragraph(&notes.join(" "), "", Tone::Plain, style));
    for row in diff.rows.iter().filter(|row| style.verbose || has_gap(row)) {
        for line in row_lines(diff, row, style.verbose) {
            text.push_str(&say(&line, "  ", Tone::Plain));
        }
    }
    for warning in &diff.warnings {
        let line = format!(
            "warning: {}.",
            heading::advised(warning).trim_end_matches('.')
        );
        text.push_str(&say(&line, "  ", Tone::Alarm));
    }
    for sentence in &diff.less {
        text.push_str(&say(sentence, "  ", Tone::Alarm));
    }
    text.push_str(&say(&diff.finding, "", Tone::Head));
    text
}

/// `clear_bhb_loop  isolated, against eax-ecx`
pub(crate) fn title(diff: &Diff) -> String {
    format!(
        "{}  {}, against {}",
        diff.sequence, diff.between, diff.baseline
    )
}

/// `A: Emerald Rapids: Intel Xeon (Emerald Rapids, 06-cf-02), KVM guest, results/x.json`
pub(crate) fn legend(diff: &Diff, index: usize) -> String {
    let record = &diff.records[index];
    let letter = letter(index);
    let mut text = format!("{letter}: ");
    if record.label != record.machine.microarchitecture && record.label != letter {
        text.push_str(&format!("{}: ", record.label));
    }
    text.push_str(&heading::machine(&record.machine));
    if !record.complete {
        text.push_str(", INCOMPLETE");
    }
    text
}

/// A, B ... Z, A1, B1 ...
pub(crate) fn letter(index: usize) -> String {
    let letter = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// The ratios that the last columns show: of cycles on one machine, else of ratios.
pub(crate) fn ratios<'a>(diff: &Diff, row: &'a Row) -> &'a [Option<Ratio>] {
    if diff.same_machine {
        &row.direct
    } else {
        &row.ratio_of_ratios
    }
}

/// Rows of the table: those without any number are told below it, with the reason.
pub(crate) fn shown(diff: &Diff) -> impl Iterator<Item = &Row> {
    diff.rows
        .iter()
        .filter(|row| !has_gap(row) || row.cells.iter().any(|cell| cell.cycles.is_some()))
}

/// Records whose history words have a column of their own: there is no room for those of three.
pub(crate) fn history_columns(diff: &Diff) -> Vec<bool> {
    let few = diff.records.len() < SIDE_BY_SIDE;
    let probed = |index: usize| {
        diff.rows
            .iter()
            .any(|row| row.cells[index].history.is_some())
    };
    (0..diff.records.len())
        .map(|index| few && probed(index))
        .collect()
}

/// A history word in a table.
pub(crate) fn history_text(cell: &RecordCell) -> &'static str {
    match cell.history {
        None => "",
        Some(HistoryWord::Displaced) => "gone",
        Some(HistoryWord::Kept) if cell.does_less => "less!",
        Some(HistoryWord::Kept) => "kept",
        Some(HistoryWord::Unclear) => "?",
        Some(HistoryWord::NotMeasurable) => "n/a",
    }
}

/// What the history words mean, and whose they are where they have no column.
pub(crate) fn histories(diff: &Diff) -> Vec<String> {
    let probed = |row: &&Row| row.cells.iter().any(|cell| cell.history.is_some());
    if !diff.rows.iter().any(|row| probed(&row)) {
        return Vec::new();
    }
    let mut notes = vec![
        "BHB (branch history buffer): whether one chosen marker is still visible to one indirect jump behind the \
         sequence (kept) or not (gone): in user mode, in one process, on that CPU, then; no \
         vendor's criterion."
            .to_owned(),
    ];
    if history_columns(diff).contains(&true) {
        return notes;
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for row in diff.rows.iter().filter(probed) {
        let words = history_words(row);
        match groups.iter_mut().find(|(said, _)| *said == words) {
            Some((_, names)) => names.push(diff.row_name(row)),
            None => groups.push((words, vec![diff.row_name(row)])),
        }
    }
    notes.extend(groups.into_iter().map(|(words, names)| {
        let who = match names.as_slice() {
            all if all.len() == diff.rows.len() => "all".to_owned(),
            [one, two, three, rest @ ..] if rest.len() > 1 => {
                format!("{one}, {two}, {three} and {} more", rest.len())
            }
            few => few.join(", "),
        };
        format!("BHB of {who}: {words}.")
    }));
    notes
}

/// `kept on all`, `gone on A, kept on B, C`.
fn history_words(row: &Row) -> String {
    let mut words: Vec<(&str, Vec<String>)> = Vec::new();
    for (index, cell) in row.cells.iter().enumerate() {
        if cell.history.is_none() {
            continue;
        }
        let word = history_text(cell);
        match words.iter_mut().find(|(other, _)| *other == word) {
            Some((_, letters)) => letters.push(letter(index)),
            None => words.push((word, vec![letter(index)])),
        }
    }
    let words = words.iter().map(|(word, letters)| {
        if letters.len() == row.cells.len() {
            format!("{word} on all")
        } else {
            format!("{word} on {}", letters.join(", "))
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

fn side_by_side(diff: &Diff, style: &Style) -> Columns {
    let histories = history_columns(diff);
    let mut groups: Vec<Group> = histories
        .iter()
        .enumerate()
        .map(|(index, &history)| {
            let mut heads = vec!["cyc", "+%"];
            if history {
                heads.push("BHB");
            }
            Group {
                title: letter(index),
                heads,
            }
        })
        .collect();
    groups.extend((1..diff.records.len()).map(|index| Group {
        title: format!("{}/A", letter(index)),
        heads: vec!["+%"],
    }));
    let lines = shown(diff)
        .map(|row| {
            let mut cells: Vec<Cell> = Vec::new();
            for (cell, &history) in row.cells.iter().zip(&histories) {
                cells.push(Cell::plain(
                    cell.cycles
                        .as_ref()
                        .map_or("-".to_owned(), |found| cycles(found.estimate)),
                ));
                cells.push(against(diff, row, cell, false));
                if history {
                    cells.push(Cell::plain(history_text(cell)));
                }
            }
            cells.extend(ratios(diff, row).iter().map(ratio_cell));
            Line::Row(name(diff, row, style), cells)
        })
        .collect();
    Columns {
        left: "variant".to_owned(),
        groups,
        lines,
    }
}

fn percentages(diff: &Diff, block: &[usize], style: &Style) -> Columns {
    let groups = block
        .iter()
        .map(|&index| Group {
            title: letter(index),
            heads: vec!["+%"],
        })
        .collect();
    let lines = shown(diff)
        .map(|row| {
            let cells = block
                .iter()
                .map(|&index| {
                    let unlike = index > 0
                        && ratios(diff, row)[index - 1]
                            .as_ref()
                            .is_some_and(|ratio| ratio.verdict != Verdict::NoDifference);
                    against(diff, row, &row.cells[index], unlike)
                })
                .collect();
            Line::Row(name(diff, row, style), cells)
        })
        .collect();
    Columns {
        left: "variant".to_owned(),
        groups,
        lines,
    }
}

pub(crate) fn row_name(diff: &Diff, row: &Row) -> String {
    let mut name = diff.row_name(row);
    if row.variant == diff.baseline {
        name.push_str(" (base)");
    }
    if row.changed {
        name.push_str(" (changed)");
    }
    name
}

fn name(diff: &Diff, row: &Row, style: &Style) -> String {
    clean(&row_name(diff, row), style)
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Slower => Tone::Slower,
        Verdict::Faster => Tone::Faster,
        Verdict::NoDifference => Tone::Faint,
    }
}

/// A variant against its baseline; with a star where it is unlike the first record.
fn against(diff: &Diff, row: &Row, cell: &RecordCell, unlike: bool) -> Cell {
    let star = if unlike { "*" } else { "" };
    match &cell.vs_baseline {
        Some(vs) => Cell::new(format!("{}{star}", verdict(vs)), tone(vs.verdict)),
        None if cell.cycles.is_none() => Cell::new("-", Tone::Faint),
        None if row.variant == diff.baseline => Cell::new(format!("---{star}"), Tone::Faint),
        None => Cell::new("?", Tone::Faint),
    }
}

fn ratio_cell(ratio: &Option<Ratio>) -> Cell {
    match ratio {
        None => Cell::default(),
        Some(ratio) => Cell::new(ratio_text(ratio), tone(ratio.verdict)),
    }
}

/// `-28.1`, or `=` where no difference was seen.
pub(crate) fn ratio_text(ratio: &Ratio) -> String {
    if ratio.verdict == Verdict::NoDifference {
        "=".to_owned()
    } else {
        percent(ratio.ratio)
    }
}

/// What the columns mean, and how wide the widest interval is.
pub(crate) fn signs(diff: &Diff) -> String {
    let mut text = format!("+%: against {} on the same record", diff.baseline);
    let comparisons = diff
        .rows
        .iter()
        .flat_map(|row| &row.cells)
        .filter_map(|cell| cell.vs_baseline.as_ref());
    if let Some(bound) = widest(comparisons.map(|vs| (vs.low, vs.high))) {
        text.push_str(&format!(", {bound}"));
    }
    text.push_str(if diff.same_machine {
        "; B/A: cycles"
    } else {
        "; B/A: ratio of these ratios"
    });
    let found = diff.rows.iter().flat_map(|row| ratios(diff, row)).flatten();
    if let Some(bound) = widest(found.map(|ratio| (ratio.low, ratio.high))) {
        text.push_str(&format!(", {bound}"));
    }
    if diff.records.len() > SIDE_BY_SIDE {
        text.push_str("; *: B/A is not 1");
    }
    text.push_str("; \"=\": no difference seen.");
    text
}

fn widest(ends: impl Iterator<Item = (f64, f64)>) -> Option<String> {
    let half = ends
        .map(|(low, high)| (high - low) / 2.0)
        .filter(|half| half.is_finite())
        .max_by(f64::total_cmp)?;
    Some(format!(
        "95% intervals within +-{}",
        share(half).trim_end_matches('%')
    ))
}

fn has_gap(row: &Row) -> bool {
    row.cells.iter().any(|cell| cell.reason.is_some())
}

/// What a row's numbers are in full, and why some are missing.
pub(crate) fn row_lines(diff: &Diff, row: &Row, verbose: bool) -> Vec<String> {
    let name = diff.row_name(row);
    let mut lines = Vec::new();
    for (index, cell) in row.cells.iter().enumerate() {
        if let Some(reason) = &cell.reason {
            lines.push(format!("{name} on {}: {reason}", letter(index)));
        }
    }
    if !verbose {
        return lines;
    }
    for (index, cell) in row.cells.iter().enumerate() {
        if let Some(found) = &cell.cycles {
            let mut line = format!(
                "{name} on {}: {} cycles [{}, {}]",
                letter(index),
                cycles(found.estimate),
                cycles(found.low),
                cycles(found.high)
            );
            if let Some(vs) = &cell.vs_baseline {
                line.push_str(&format!(", {}", full(vs)));
            }
            lines.push(line);
        }
    }
    for (index, ratio) in ratios(diff, row).iter().enumerate() {
        if let Some(ratio) = ratio {
            lines.push(format!(
                "{name} {}/A: {} {}",
                letter(index + 1),
                signed_percent(ratio.ratio),
                interval(ratio.low, ratio.high)
            ));
        }
    }
    lines
}

fn full(vs: &VsBaseline) -> String {
    format!(
        "{} {} {}",
        signed_percent(vs.ratio),
        interval(vs.low, vs.high),
        vs.verdict.word()
    )
}
