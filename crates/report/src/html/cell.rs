//! Cells of the page's tables.

use record::{Cycles, Status, Variant, Verdict, VsBaseline, printable};

use super::number::{amount, percent, percent_range, range};

/// A cell: a value, what stands below it in small, and what it is sorted by.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) main: String,
    pub(super) note: String,
    /// Said in place of `main` to who does not see it; empty where `main` says it.
    pub(super) spoken: &'static str,
    /// The style sheet's class.
    pub(super) class: &'static str,
    /// Empty sorts last.
    pub(super) sort: String,
}

/// A cell for cycles with their interval and count.
pub(super) fn cycles_cell(cycles: &Cycles) -> Cell {
    Cell {
        main: amount(cycles.estimate),
        note: format!("{} n {}", range(cycles.low, cycles.high), cycles.n),
        sort: cycles.estimate.to_string(),
        ..Cell::default()
    }
}

/// A cell for a comparison with the baseline.
pub(super) fn vs_cell(vs: &VsBaseline) -> Cell {
    let interval = percent_range(vs.low, vs.high);
    let mut cell = Cell {
        class: heat(vs.ratio, vs.verdict),
        sort: vs.ratio.to_string(),
        ..Cell::default()
    };
    if vs.verdict == Verdict::NoDifference {
        cell.main = "=".to_owned();
        cell.spoken = "no difference seen";
        cell.note = format!("{} {interval}", percent(vs.ratio));
    } else {
        cell.main = percent(vs.ratio);
        cell.note = format!("{interval} {}", vs.verdict.word());
    }
    cell
}

/// How strongly a cell is tinted.
pub(super) fn heat(ratio: f64, verdict: Verdict) -> &'static str {
    let much = (ratio - 1.0).abs();
    match verdict {
        Verdict::NoDifference => "same",
        Verdict::Slower if much < 0.05 => "slower",
        Verdict::Slower if much < 0.2 => "slower more",
        Verdict::Slower => "slower most",
        Verdict::Faster if much < 0.05 => "faster",
        Verdict::Faster if much < 0.2 => "faster more",
        Verdict::Faster => "faster most",
    }
}

/// A cell for what has no number: why.
pub(super) fn no_cycles(variant: Option<&Variant>) -> Cell {
    let (main, note) = match variant {
        None => ("not in the record", String::new()),
        Some(variant) => (
            match variant.status {
                Status::Measured => "not measured here",
                Status::NotRun => "not run",
                Status::Failed => "failed",
            },
            printable(
                variant
                    .failure
                    .as_ref()
                    .map(|failure| failure.message.as_str())
                    .filter(|message| !message.is_empty())
                    .or(variant.reason.as_deref())
                    .unwrap_or_default(),
            ),
        ),
    };
    Cell {
        main: main.to_owned(),
        note,
        class: if main == "failed" { "failed" } else { "none" },
        ..Cell::default()
    }
}

/// A cell for what there is none of.
pub(super) fn nothing() -> Cell {
    Cell {
        main: "\u{2013}".to_owned(),
        spoken: "nothing",
        class: "none",
        ..Cell::default()
    }
}

/// Exact counts: one where all agree, else the least and the most.
pub(super) fn exact(values: impl Iterator<Item = u64>) -> Cell {
    let Some((least, most)) = values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((least, most)) => Some((value.min(least), value.max(most))),
    }) else {
        return nothing();
    };
    Cell {
        main: if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        },
        sort: least.to_string(),
        ..Cell::default()
    }
}

/// A cell for the baseline against itself.
pub(super) fn baseline() -> Cell {
    Cell {
        main: "baseline".to_owned(),
        class: "base",
        sort: "0".to_owned(),
        ..Cell::default()
    }
}
