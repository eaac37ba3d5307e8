//! What a comparison comes to, in words.
//!
//! Rows that differ in the same way are one finding and not several: they are named together, in
//! their order in the file, and what differs otherwise or much less is named behind them.

use super::regression::verdict;
use super::{Diff, Ratio, Row};
use crate::measure::VsBaseline;
use crate::variant::HistoryWord;
use crate::word::Verdict;

/// Said where rows differ, but by less.
const MORE_THAN_IT: &str = " by more than the threshold";
/// Rows that are named before the rest is counted.
const NAMED: usize = 4;

/// The finding, and the rows that it is about.
pub(super) fn finding(diff: &Diff) -> (String, Vec<usize>) {
    let (mut finding, leads) = if diff.same_machine {
        before_and_after(diff)
    } else {
        across_machines(diff)
    };
    let less = |row: &usize| diff.rows[*row].cells.iter().any(|cell| cell.does_less);
    let less: Vec<usize> = (0..diff.rows.len()).filter(less).collect();
    finding.push_str(&also(diff, "Cheaper because it does less", &less));
    finding.push_str(&hidden(diff));
    (finding, leads)
}

/// A sentence on variants that differ nowhere but at some placements; nothing for none.
fn hidden(diff: &Diff) -> String {
    let mut places = Vec::new();
    for row in &diff.rows {
        for (cell, record) in row.cells.iter().zip(&diff.records) {
            if let Some(hidden) = &cell.hidden {
                places.push(format!(
                    "{} on {}, {} at offset {}",
                    diff.row_name(row),
                    record.label,
                    percent(hidden.ratio),
                    hidden.offset
                ));
            }
        }
    }
    if places.len() > NAMED + 1 {
        let more = places.split_off(NAMED).len();
        places.push(format!("{more} more"));
    }
    match places.as_slice() {
        [] => String::new(),
        places => format!(" But at some placements differ: {}.", places.join("; ")),
    }
}

/// Rows that are cheaper because they do less.
pub(super) fn less(diff: &Diff) -> Vec<String> {
    let mut sentences = Vec::new();
    for row in &diff.rows {
        for (cell, record) in row.cells.iter().zip(&diff.records) {
            if !cell.does_less {
                continue;
            }
            let first = &row.cells[0];
            let displaced_by = if diff.same_machine && first.history == Some(HistoryWord::Displaced)
            {
                format!("which it displaces in {}", diff.records[0].label)
            } else {
                format!("which {} displaces", diff.baseline)
            };
            sentences.push(format!(
                "{} on {}: cheaper because it does less: it keeps the branch history, \
                 {displaced_by}.",
                diff.row_name(row),
                record.label
            ));
        }
    }
    sentences
}

/// A row that stands out.
struct Apart<H> {
    /// Its index.
    row: usize,
    /// How far.
    by: f64,
    /// In which way.
    how: H,
}

/// Those that stand out in one way, and the others.
struct Led<H> {
    /// The row that stands out most, and those that do so in the same way at least half as far, in
    /// the order of the rows.
    leads: Vec<usize>,
    /// In which way.
    how: H,
    /// The others, farthest first.
    others: Vec<usize>,
}

impl<H: PartialEq> Led<H> {
    fn of(all: Vec<Apart<H>>) -> Option<Self> {
        let most = (0..all.len()).reduce(|most, index| {
            if all[index].by > all[most].by {
                index
            } else {
                most
            }
        })?;
        let by = all[most].by;
        let alike = |one: &Apart<H>| one.how == all[most].how && 2.0 * one.by >= by;
        let leads = all.iter().filter(|one| alike(one)).map(|one| one.row);
        let leads: Vec<usize> = leads.collect();
        let mut others: Vec<&Apart<H>> = all.iter().filter(|one| !alike(one)).collect();
        others.sort_by(|a, b| b.by.total_cmp(&a.by));
        let others = others.into_iter().map(|one| one.row).collect();
        let how = all.into_iter().nth(most)?.how;
        Some(Self { leads, how, others })
    }
}

/// On one machine: whose cycles changed.
fn before_and_after(diff: &Diff) -> (String, Vec<usize>) {
    let mut little = Vec::new();
    let apart = diff.rows.iter().enumerate().filter_map(|(index, row)| {
        let mut less = false;
        let changed = row.direct.iter().enumerate().filter_map(|(later, ratio)| {
            let ratio = ratio.as_ref()?;
            let beyond = match ratio.verdict {
                Verdict::Slower => ratio.low > 1.0 + diff.threshold,
                Verdict::Faster => ratio.high < 1.0 - diff.threshold,
                Verdict::NoDifference => false,
            };
            less |= !beyond && ratio.verdict != Verdict::NoDifference;
            beyond.then_some((later, ratio))
        });
        let most = changed.max_by(|a, b| distance(a.1.ratio).total_cmp(&distance(b.1.ratio)));
        if most.is_none() && less {
            little.push(index);
        }
        let (later, ratio) = most?;
        Some(Apart {
            row: index,
            by: distance(ratio.ratio),
            how: (later, ratio.verdict),
        })
    });
    let apart = apart.collect();
    let below = below(diff, &little);
    let Some(led) = Led::of(apart) else {
        let finding = format!(
            "No variant's cycles differ between {}{} ({}).{below}",
            labels(diff, &all(diff)),
            if little.is_empty() { "" } else { MORE_THAN_IT },
            within(diff)
        );
        return (finding, Vec::new());
    };
    let (later, verdict) = led.how;
    let verb = if verdict == Verdict::Slower {
        "regress"
    } else {
        "improve"
    };
    let ratios = led.leads.iter().filter_map(|&row| {
        let Ratio {
            ratio, low, high, ..
        } = *diff.rows[row].direct[later].as_ref()?;
        Some(Figure { ratio, low, high })
    });
    let finding = format!(
        "{} {} from {} to {}: {} ({}).{}{below}",
        names(diff, &led.leads),
        inflected(verb, &led.leads),
        diff.records[0].label,
        diff.records[later + 1].label,
        each(&ratios.collect::<Vec<_>>()),
        within(diff),
        also(diff, "Changed too", &led.others)
    );
    (finding, led.leads)
}

/// On several machines: on which of them a variant costs more than its baseline.
fn across_machines(diff: &Diff) -> (String, Vec<usize>) {
    let (mut unlike, mut alike, mut little) = (Vec::new(), Vec::new(), Vec::new());
    for (index, row) in diff.rows.iter().enumerate() {
        let compared = row.cells.iter().flat_map(|cell| &cell.vs_baseline);
        if compared.count() < 2 {
            continue;
        }
        // Machines have no order: each stands against each.
        let apart = |threshold: f64| {
            (0..row.cells.len())
                .filter_map(|here| diff.dearer(row, here, threshold))
                .map(|ratio| distance(ratio.ratio))
                .max_by(f64::total_cmp)
        };
        let against = row.cells.iter().flat_map(|cell| &cell.vs_baseline);
        let cost = against
            .filter(|vs| vs.verdict != Verdict::NoDifference)
            .map(|vs| distance(vs.ratio))
            .max_by(f64::total_cmp);
        let how = Machines::of(row, diff.threshold);
        let beyond = apart(diff.threshold);
        if beyond.is_none() && apart(0.0).is_some() {
            little.push(index);
            continue;
        }
        match (beyond, cost) {
            (Some(by), _) => unlike.push(Apart {
                row: index,
                by,
                how,
            }),
            (None, Some(by)) => alike.push(Apart {
                row: index,
                by,
                how,
            }),
            (None, None) => {}
        }
    }
    let below = below(diff, &little);
    let (finding, leads) = if let Some(led) = Led::of(unlike) {
        let finding = format!(
            "{} ({}).{}",
            unlike_sentence(diff, &led),
            within(diff),
            also(diff, "Differ too", &led.others)
        );
        (finding, led.leads)
    } else if let Some(led) = Led::of(alike) {
        let finding = format!(
            "{} {} from {} alike on {}: {} ({}).{}",
            names(diff, &led.leads),
            inflected("differ", &led.leads),
            diff.baseline,
            labels(diff, &all(diff)),
            figures(diff, &led.leads, &all(diff)),
            within(diff),
            also(diff, "Likewise", &led.others)
        );
        (finding, led.leads)
    } else if !little.is_empty() {
        let finding = format!(
            "No variant costs more on one of {} than on another{MORE_THAN_IT} ({}).",
            labels(diff, &all(diff)),
            within(diff)
        );
        (finding, Vec::new())
    } else {
        let finding = format!(
            "No variant differs from {} on any of {} ({}).",
            diff.baseline,
            labels(diff, &all(diff)),
            within(diff)
        );
        (finding, Vec::new())
    };
    (finding + &below, leads)
}

/// The context, and what a difference has to exceed: `isolated, threshold 2%`.
fn within(diff: &Diff) -> String {
    if diff.threshold > 0.0 {
        format!("{}, threshold {}", diff.between, threshold(diff))
    } else {
        diff.between.to_string()
    }
}

fn threshold(diff: &Diff) -> String {
    format!("{}%", (diff.threshold * 1e4).round() / 100.0)
}

/// A sentence on rows that differ, but not surely by more than the threshold; nothing for none.
fn below(diff: &Diff, rows: &[usize]) -> String {
    let how = format!("Not beyond the threshold of {}", threshold(diff));
    also(diff, &how, rows)
}

/// What a row does on each machine.
#[derive(PartialEq)]
struct Machines {
    /// Against the baseline there.
    verdicts: Vec<Option<Verdict>>,
    /// Where it costs most.
    most: usize,
}

impl Machines {
    fn of(row: &Row, threshold: f64) -> Self {
        let ratio = |index: &usize| {
            let vs = row.cells[*index].vs_baseline.as_ref();
            vs.map_or(f64::NEG_INFINITY, |vs| vs.ratio)
        };
        let most = (0..row.cells.len()).reduce(|most, index| {
            if ratio(&index) > ratio(&most) {
                index
            } else {
                most
            }
        });
        Self {
            verdicts: row
                .cells
                .iter()
                .map(|cell| Some(verdict(cell.vs_baseline.as_ref()?, threshold)))
                .collect(),
            most: most.unwrap_or(0),
        }
    }

    fn on(&self, wanted: Verdict) -> Vec<usize> {
        let on = |index: &usize| self.verdicts[*index] == Some(wanted);
        (0..self.verdicts.len()).filter(on).collect()
    }
}

/// "al-ah regresses on A only: +37.1% [36.8, 37.4] against eax-ecx; no difference seen on B".
fn unlike_sentence(diff: &Diff, led: &Led<Machines>) -> String {
    let Led { leads, how, .. } = led;
    let known = how.verdicts.iter().flatten().count();
    let who = names(diff, leads);
    for (verdict, verb) in [(Verdict::Slower, "regress"), (Verdict::Faster, "gain")] {
        let on = how.on(verdict);
        if on.is_empty() || on.len() == known {
            continue;
        }
        let mut sentence = format!(
            "{who} {} on {} only: {} against {}",
            inflected(verb, leads),
            labels(diff, &on),
            figures(diff, leads, &on),
            diff.baseline
        );
        if verdict == Verdict::Slower && !how.on(Verdict::Faster).is_empty() {
            let faster = how.on(Verdict::Faster);
            sentence.push_str(&format!(
                "; {} on {}",
                span(&compared(diff, leads, &faster)),
                labels(diff, &faster)
            ));
        }
        let same = how.on(Verdict::NoDifference);
        if !same.is_empty() {
            sentence.push_str(&format!(
                "; {} on {}",
                no_difference(diff, leads, &same),
                labels(diff, &same)
            ));
        }
        return sentence;
    }
    // The same word on all of them, but not the same amount.
    let rest: Vec<usize> = (0..how.verdicts.len())
        .filter(|&index| index != how.most && how.verdicts[index].is_some())
        .collect();
    let how_much = if how.on(Verdict::Slower).len() == known {
        format!("{} more on all, most", inflected("cost", leads))
    } else if how.on(Verdict::Faster).len() == known {
        format!("{} on all, least", inflected("gain", leads))
    } else {
        format!("{} most", inflected("cost", leads))
    };
    format!(
        "{who} {how_much} on {}: {} against {}; {} on {}",
        labels(diff, &[how.most]),
        figures(diff, leads, &[how.most]),
        diff.baseline,
        span(&compared(diff, leads, &rest)),
        labels(diff, &rest)
    )
}

/// What is said where rows do not differ from the baseline beyond the threshold.
fn no_difference(diff: &Diff, rows: &[usize], records: &[usize]) -> String {
    let seen = rows.iter().any(|&row| {
        let cells = records.iter().map(|&record| &diff.rows[row].cells[record]);
        cells
            .filter_map(|cell| cell.vs_baseline.as_ref())
            .any(|vs| vs.verdict != Verdict::NoDifference)
    });
    if seen {
        span(&compared(diff, rows, records))
    } else {
        "no difference seen".to_owned()
    }
}

/// A ratio with its interval.
#[derive(Clone, Copy)]
struct Figure {
    ratio: f64,
    low: f64,
    high: f64,
}

/// Every row against the baseline on every one of these records.
fn compared(diff: &Diff, rows: &[usize], records: &[usize]) -> Vec<Figure> {
    let rows = rows.iter().map(|&row| &diff.rows[row]);
    let cells = rows.flat_map(|row| records.iter().map(|&record| &row.cells[record]));
    let figure = |vs: &VsBaseline| Figure {
        ratio: vs.ratio,
        low: vs.low,
        high: vs.high,
    };
    cells
        .filter_map(|cell| cell.vs_baseline.as_ref())
        .map(figure)
        .collect()
}

/// The figures of rows on records: one by one where it is clear which is whose.
fn figures(diff: &Diff, rows: &[usize], records: &[usize]) -> String {
    let compared = compared(diff, rows, records);
    if rows.len() == 1 && records.len() <= 2 || records.len() == 1 {
        each(&compared)
    } else {
        span(&compared)
    }
}

/// Each with its interval, or the ends of many.
fn each(figures: &[Figure]) -> String {
    if figures.len() > NAMED {
        return span(figures);
    }
    let one = |figure: &Figure| {
        let Figure { ratio, low, high } = *figure;
        format!("{} {}", percent(ratio), interval(low, high))
    };
    list(&figures.iter().map(one).collect::<Vec<_>>())
}

/// `+36.5% to +37.1%`
fn span(figures: &[Figure]) -> String {
    let ratios = || figures.iter().map(|figure| figure.ratio);
    let (Some(least), Some(most)) = (
        ratios().min_by(f64::total_cmp),
        ratios().max_by(f64::total_cmp),
    ) else {
        return "no number".to_owned();
    };
    let mut ends = vec![percent(least), percent(most)];
    ends.dedup();
    ends.join(" to ")
}

/// The verb of one subject or of several.
fn inflected(verb: &str, subjects: &[usize]) -> String {
    match subjects {
        [_] if verb.ends_with("ss") => format!("{verb}es"),
        [_] => format!("{verb}s"),
        _ => verb.to_owned(),
    }
}

fn names(diff: &Diff, rows: &[usize]) -> String {
    let names = rows.iter().map(|&row| diff.row_name(&diff.rows[row]));
    let mut names: Vec<String> = names.collect();
    // One more costs less room than the words that stand for it.
    if names.len() > NAMED + 1 {
        let more = names.split_off(NAMED).len();
        names.push(format!("{more} more"));
    }
    list(&names)
}

/// A sentence that names further rows, with the space before it; nothing for none.
fn also(diff: &Diff, how: &str, rows: &[usize]) -> String {
    if rows.is_empty() {
        String::new()
    } else {
        format!(" {how}: {}.", names(diff, rows))
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

fn all(diff: &Diff) -> Vec<usize> {
    (0..diff.records.len()).collect()
}

fn labels(diff: &Diff, indices: &[usize]) -> String {
    let labels = indices
        .iter()
        .map(|&index| diff.records[index].label.clone());
    list(&labels.collect::<Vec<_>>())
}

/// How far a ratio is from 1, alike for twice and for half; what is no ratio at all is no distance.
fn distance(ratio: f64) -> f64 {
    let distance = ratio.ln().abs();
    if distance.is_nan() { 0.0 } else { distance }
}

/// `+37.1%`
fn percent(ratio: f64) -> String {
    format!("{:+.1}%", unsigned_zero((ratio - 1.0) * 100.0))
}

/// `[36.8, 37.4]`
fn interval(low: f64, high: f64) -> String {
    format!(
        "[{:.1}, {:.1}]",
        unsigned_zero((low - 1.0) * 100.0),
        unsigned_zero((high - 1.0) * 100.0)
    )
}

/// -0.04 would be printed as -0.0.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}
