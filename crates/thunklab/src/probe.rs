//! Does a sequence displace the branch history? From assembled cases to a word for each.
//!
//! The machine gives times; `judge` makes scores and words of them and says when there are enough;
//! `length` sweeps filler branches for this CPU's history length, without which no verdict is given.

mod filler;
mod judge;
mod length;
mod map;
mod show;

use machine::{Backend, Case, Counts, Entry, ProbeEvent, ProbeNext, ProbePlan, Reason};
use record::{History, HistoryWord};

use crate::outcome::Refusal;
use judge::Judge;

pub(crate) use length::{Length, full, quick};
pub(crate) use map::Map;
pub(crate) use show::{below_map, plot, table};

/// Taken branches that erase older history where the history is no longer than this.
const ERASED: u32 = 255;

/// What was found of one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// The word and the score.
    pub(crate) history: History,
    /// Taken branches of a run as the history sees them, its call among them, where counted.
    pub(crate) branches: Option<u64>,
    /// How it failed, in words.
    pub(crate) failed: bool,
}

/// How cases are probed.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    /// CPU to run on.
    pub(crate) cpu: u32,
    /// Seed of tables and places.
    pub(crate) seed: u64,
    /// This CPU's history length.
    pub(crate) length: &'a Length,
    /// Whether branches are counted as well.
    pub(crate) counts: bool,
    /// Whether the user vouches for code that makes system calls.
    pub(crate) trusted: bool,
    /// Whether nothing may run outside a sandbox.
    pub(crate) sandboxed: bool,
    /// Whether the user wants no more.
    pub(crate) interrupted: &'a dyn Fn() -> bool,
}

/// Probes cases.
///
/// # Errors
/// Where the machine cannot probe at all.
pub(crate) fn histories(
    backend: &mut dyn Backend,
    cases: &[Case],
    order: &Order<'_>,
) -> Result<Vec<Found>, Refusal> {
    let plan = ProbePlan {
        seed: order.seed,
        cpu: Some(order.cpu),
        erased: order.length.erased(),
        counts: order.counts,
        allow_syscalls: order.trusted,
        require_sandbox: order.sandboxed,
        ..ProbePlan::default()
    };
    let mut judge = Judge::new(cases.len());
    let mut told = vec![Told::default(); cases.len()];
    if !cases.is_empty() {
        backend.probe(cases, &plan, &mut |event| {
            if (order.interrupted)() {
                return ProbeNext::Stop;
            }
            match event {
                ProbeEvent::Read { subject, readings } => return judge.take(subject, readings),
                ProbeEvent::NotRun { case, reason } => {
                    told[case].refused = Some(format!("it was not run: {}", reason.0));
                }
                ProbeEvent::Failed { case, failure } => {
                    told[case].failed = true;
                    told[case].refused = Some(format!("it failed: {}", failure.message));
                }
                ProbeEvent::Counted { case, counts } => told[case].counts = Some(counts),
            }
            ProbeNext::On
        })?;
    }
    let found = cases.iter().zip(told).enumerate();
    Ok(found
        .map(|(index, (case, told))| {
            let history = match told.refused {
                Some(reason) => not_measurable(reason),
                None => judge.history(index),
            };
            let counts = told.counts.and_then(Result::ok);
            found_of(history, case, counts, told.failed, order.length)
        })
        .collect())
}

#[derive(Clone, Debug, Default)]
struct Told {
    refused: Option<String>,
    failed: bool,
    counts: Option<Result<Counts, Reason>>,
}

fn found_of(
    history: History,
    case: &Case,
    counts: Option<Counts>,
    failed: bool,
    length: &Length,
) -> Found {
    let mut found = Found {
        history,
        branches: None,
        failed,
    };
    if let Err(reason) = &length.length
        && found.history.word != HistoryWord::NotMeasurable
    {
        found.history.word = HistoryWord::NotMeasurable;
        found.history.reason = Some(format!("no verdict on this CPU: {reason}"));
    }
    found.count(case, counts, length);
    found
}

impl Found {
    /// Adds what was counted: the branches, and how many there are to spare.
    pub(crate) fn count(&mut self, case: &Case, counts: Option<Counts>, length: &Length) {
        let Some(counts) = counts else { return };
        // A sequence's own final `ret` is counted as its own; the call before it is a branch too.
        let call = u64::from(case.entry != Entry::Inline);
        let branches = counts.taken_branches + call;
        self.branches = Some(branches);
        self.history.taken_branches = Some(counts.taken_branches);
        let Ok(length) = length.length else { return };
        let with = if call > 0 { " with its call" } else { "" };
        let length = u64::from(length);
        let margin = match self.history.word {
            HistoryWord::Displaced if branches >= length => format!(
                "{branches} taken branches{with}, {} to spare of {length}",
                branches - length
            ),
            HistoryWord::Kept if branches < length => format!(
                "{branches} taken branches{with}, {} short of {length}",
                length - branches
            ),
            HistoryWord::Displaced => format!(
                "only {branches} taken branches{with}, though the history holds {length}: \
                 something else displaces it"
            ),
            HistoryWord::Kept => format!(
                "{branches} taken branches{with}, as many as the history holds ({length}), but \
                 the marker is visible: not all of them go into it"
            ),
            HistoryWord::Unclear | HistoryWord::NotMeasurable => return,
        };
        self.history.reason = Some(margin);
    }
}

fn not_measurable(reason: String) -> History {
    History {
        score: None,
        low: None,
        high: None,
        word: HistoryWord::NotMeasurable,
        reason: Some(reason),
        taken_branches: None,
    }
}
