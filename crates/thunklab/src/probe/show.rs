//! What the probe found, for a terminal or a mail.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use record::{History, HistoryWord, ProbeStep, Probed, printable};

use super::Length;

/// Columns that a line may fill.
const WIDTH: usize = 75;
/// Columns of the plot between its two ends.
const PLOT: usize = 40;

/// What the words say, and what they do not.
const LIMITS: &str = "displaced: one chosen marker is no longer visible to one indirect \
    jump behind the sequence; kept: it is. In user mode, in this process, on this CPU, now. It is \
    no vendor's criterion, and says nothing of BHI_DIS_S, other privilege levels or other \
    predictors.";

/// The sentence on the history length.
pub(super) fn length_words(length: &Length) -> String {
    match &length.length {
        Ok(length) => format!("This CPU's history holds {length} taken branches."),
        Err(reason) => format!("This CPU's history length is unknown: {reason}."),
    }
}

/// A row for each variant, then what is to be said of some.
pub(crate) fn table(probed: &[Probed], length: &Length) -> String {
    let names: Vec<String> = probed.iter().map(|one| name(one, probed)).collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or(0).max("variant".len());
    let mut out = format!(
        "{:<width$}  {:>5}  {:<13}  {:<14}  branches\n",
        "variant", "score", "interval", "history"
    );
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for (one, name) in probed.iter().zip(&names) {
        let History {
            score,
            low,
            high,
            word,
            ..
        } = &one.history;
        let score = score.map_or(String::from("-"), two);
        let interval = match (low, high) {
            (Some(low), Some(high)) => format!("[{}, {}]", two(*low), two(*high)),
            _ => String::new(),
        };
        let branches = one.branches.map_or_else(String::new, |n| n.to_string());
        let line = format!(
            "{name:<width$}  {score:>5}  {interval:<13}  {:<14}  {branches}",
            word.word()
        );
        let _ = writeln!(out, "{}", line.trim_end());
        if let Some(reason) = &one.history.reason {
            match notes.iter_mut().find(|(known, _)| known == reason) {
                Some((_, names)) => names.push(name),
                None => notes.push((reason.clone(), vec![name])),
            }
        }
    }
    out.push('\n');
    for (reason, names) in &notes {
        let who = match names.as_slice() {
            [one] => (*one).to_owned(),
            [one, two] => format!("{one}, {two}"),
            all if all.len() == probed.len() => String::from("all"),
            [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
            [] => continue,
        };
        wrapped(&mut out, &format!("{who}: {reason}."));
    }
    wrapped(&mut out, &length_words(length));
    wrapped(&mut out, LIMITS);
    out
}

/// What stands below maps.
pub(crate) fn below_map(length: &Length) -> String {
    let mut out = String::new();
    wrapped(&mut out, &length_words(length));
    wrapped(&mut out, LIMITS);
    out
}

/// Two digits behind the point, without a sign at zero.
fn two(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" {
        String::from("0.00")
    } else {
        text
    }
}

/// A variant's name with the params that tell it from others.
pub(super) fn name(one: &Probed, all: &[Probed]) -> String {
    let mut name = one.name.clone();
    for (param, value) in &one.params {
        if all
            .iter()
            .any(|other| other.params.get(param) != Some(value))
        {
            let _ = write!(name, " {param}={value}");
        }
    }
    printable(&name)
}

/// The sweep as a plot: a row for each count, from kept at the left to displaced at the right.
pub(crate) fn plot(length: &Length) -> String {
    let mut by_count: BTreeMap<u32, Vec<&ProbeStep>> = BTreeMap::new();
    let mut fillers: Vec<&str> = Vec::new();
    for step in &length.steps {
        by_count.entry(step.taken_branches).or_default().push(step);
        if let Some(filler) = step.filler.as_deref()
            && !fillers.contains(&filler)
        {
            fillers.push(filler);
        }
    }
    let mut out = format!("{:>6}  {:<w$}\n", "taken", "kept 0", w = PLOT - 10);
    out = format!("{}{:>11}\n", out.trim_end_matches('\n'), "1 displaced");
    for (count, steps) in &by_count {
        let mut row = vec![b'.'; PLOT + 1];
        let mut unseen = 0;
        for step in steps {
            match step.score {
                Some(score) => {
                    let at = (score.clamp(0.0, 1.0) * PLOT as f64).round() as usize;
                    // How many kinds stand at one place.
                    row[at] = match row[at] {
                        b'.' => b'1',
                        known => (known + 1).min(b'9'),
                    };
                }
                None => unseen += 1,
            }
        }
        let row = String::from_utf8_lossy(&row).into_owned();
        let _ = write!(out, "{count:>6}  {row}");
        if unseen > 0 {
            let _ = write!(out, "  {unseen} not measurable");
        }
        if length.length.as_ref() == Ok(count) {
            out.push_str("  <- length");
        }
        out.push('\n');
    }
    out.push('\n');
    wrapped(
        &mut out,
        &format!(
            "Digits count the kinds of filler at a score; there are {}: {}.",
            fillers.len(),
            fillers.join(", ")
        ),
    );
    wrapped(&mut out, &length_words(length));
    out
}

/// One paragraph.
pub(super) fn wrapped(out: &mut String, text: &str) {
    let mut used = 0;
    for word in printable(text).split_whitespace() {
        let width = word.chars().count();
        if used > 0 && used + 1 + width > WIDTH {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
    }
    out.push('\n');
}

/// One sign of a word, for a map.
pub(super) fn sign(word: HistoryWord) -> char {
    match word {
        HistoryWord::Displaced => '#',
        HistoryWord::Kept => '.',
        HistoryWord::Unclear => '?',
        HistoryWord::NotMeasurable => '-',
    }
}
