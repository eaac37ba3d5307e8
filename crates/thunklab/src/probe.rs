//! Does a sequence displace the branch history? From assembled cases to a word for each.
//!
//! The machine gives times; `judge` makes scores and words of them and says when there are enough;
//! `length` sweeps filler branches for this CPU's history length, without which no verdict is given.

mod filler;
mod judge;
mod length;
mod map;
mod pace;
mod show;

use std::time::{Duration, Instant};

use machine::{
    Backend, Case, Counts, Entry, Mode, ProbeEvent, ProbeNext, ProbePlan, ProbeSubject, Reason,
    Setting,
};
use record::{History, HistoryWord};

use crate::outcome::Refusal;
use judge::Judge;
use pace::Pace;

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
    /// Whether each case has a worker of its own.
    pub(crate) apart: bool,
    /// The most time for one case; as much as it takes if `None`.
    pub(crate) most: Option<Duration>,
    /// Whether the user wants no more.
    pub(crate) interrupted: &'a dyn Fn() -> bool,
    /// Told of each case that is done with.
    pub(crate) done: &'a dyn Fn(),
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
    let start = Instant::now();
    by_clock(backend, cases, order, &|| start.elapsed())
}

/// The same by any clock.
fn by_clock(
    backend: &mut dyn Backend,
    cases: &[Case],
    order: &Order<'_>,
    clock: &dyn Fn() -> Duration,
) -> Result<Vec<Found>, Refusal> {
    let plan = plan(order);
    let mut judge = Judge::new(cases.len());
    let mut pace = Pace::new(order.most, clock);
    let mut told = vec![Told::default(); cases.len()];
    if !cases.is_empty() {
        backend.probe(cases, &plan, &mut |event| {
            if (order.interrupted)() {
                return ProbeNext::Stop;
            }
            match event {
                ProbeEvent::Read { subject, readings } => {
                    let wanted = judge.take(subject, readings);
                    let fits = pace.fits(subject);
                    if wanted && fits {
                        return ProbeNext::Again;
                    }
                    let next = judge.then(subject);
                    let ends = matches!(subject, ProbeSubject::Before(_));
                    if ends || next == ProbeNext::Done {
                        (order.done)();
                    }
                    return next;
                }
                ProbeEvent::NotRun { case, reason } => {
                    told[case].refused = Some(format!("it was not run: {}", reason.0));
                }
                ProbeEvent::Failed { case, failure } => {
                    told[case].failed = true;
                    told[case].refused = Some(format!("it failed: {}", failure.message));
                }
                ProbeEvent::Counted { case, counts } => told[case].counts = Some(counts),
                ProbeEvent::Waiting => {}
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

fn plan(order: &Order<'_>) -> ProbePlan {
    let plan = ProbePlan {
        seed: order.seed,
        cpu: Some(order.cpu),
        erased: order.length.erased(),
        counts: order.counts,
        allow_syscalls: order.trusted,
        require_sandbox: order.sandboxed,
        apart: order.apart,
        ..ProbePlan::default()
    };
    let Some(most) = order.most else { return plan };
    // One batch of the case and one of its control have to fit.
    let turns = 2 * plan.rounds * (Setting::ALL.len() * Mode::ALL.len()) as u32;
    ProbePlan {
        longest: plan.longest.min(most / turns),
        ..plan
    }
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
        let taken = counts.body.taken_branches.least;
        let branches = taken + call;
        self.branches = Some(branches);
        self.history.taken_branches = Some(taken);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::fake::Fake;

    /// Batches that are run of one case whose score stays in the middle, if each takes so long, and
    /// what is said of it.
    fn unclear(most: Option<u64>, each: u64) -> (u32, History) {
        let mut backend = Fake::of(r#"{"branches": {"history": null}}"#).expect("a script");
        let case = Case::plain(
            String::from("a"),
            assemble::Code::default(),
            Entry::Call(None),
        );
        let length = Length {
            length: Ok(194),
            steps: Vec::new(),
        };
        let order = Order {
            cpu: 0,
            seed: 1,
            length: &length,
            counts: false,
            trusted: false,
            sandboxed: false,
            apart: false,
            most: most.map(Duration::from_millis),
            interrupted: &|| false,
            done: &|| (),
        };
        // The clock is looked at once before everything and then behind each batch.
        let looks = Cell::new(0);
        let clock = || {
            looks.set(looks.get() + 1);
            Duration::from_millis(each) * looks.get()
        };
        let found = by_clock(&mut backend, &[case], &order, &clock).expect("it probes");
        let control = 1;
        (looks.get() - 1 - control, found[0].history.clone())
    }

    #[test]
    fn a_case_is_repeated_within_its_time() {
        let (batches, history) = unclear(None, 20);
        assert_eq!((batches, history.word), (5, HistoryWord::Unclear));
        let (batches, history) = unclear(Some(50), 20);
        assert_eq!((batches, history.word), (2, HistoryWord::Unclear));
        assert!(history.reason.expect("why").contains("after 3 rounds"));
        let (batches, history) = unclear(Some(50), 15);
        assert_eq!((batches, history.word), (3, HistoryWord::Unclear));
        // On a machine that is busy elsewhere there is a word all the same.
        let (batches, history) = unclear(Some(50), 300);
        assert_eq!((batches, history.word), (2, HistoryWord::Unclear));
    }

    #[test]
    fn what_cannot_fit_at_all_is_not_begun() {
        let length = Length {
            length: Ok(194),
            steps: Vec::new(),
        };
        let order = |most| Order {
            cpu: 0,
            seed: 0,
            length: &length,
            counts: false,
            trusted: false,
            sandboxed: false,
            apart: false,
            most,
            interrupted: &|| false,
            done: &|| (),
        };
        let limited = plan(&order(Some(Duration::from_millis(50))));
        assert!(limited.longest < Duration::from_micros(500), "{limited:?}");
        let free = plan(&order(None));
        assert_eq!(free.longest, ProbePlan::default().longest);
    }
}
