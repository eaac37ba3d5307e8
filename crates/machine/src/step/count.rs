//! Counts of all cases, one worker after the other.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::Signal;

use super::tracee::Tracee;
use super::walk::{Ended, Tally, Work, walk};
use super::watchdog::{self, Watchdog};
use crate::api::{Counts, Executed, Reason, Span};
use crate::facts;
use crate::worker::CountTarget;

/// A worker that can be told to run one case once, in its counting harness. Dropping it must kill
/// and collect it.
pub(crate) trait Worker {
    /// Its process number.
    fn pid(&self) -> u32;

    /// Where the marker and the body of a case are in it.
    fn target(&self, case: usize) -> CountTarget;

    /// Makes it run the case once. It stops at the marker.
    ///
    /// # Errors
    /// Where it cannot be told any more.
    fn start(&mut self, case: usize) -> io::Result<()>;

    /// Whether each run of the case finds other data than the last.
    fn draws_data(&self, case: usize) -> bool;

    /// Whether there are blocks round the case's body.
    fn has_blocks(&self, case: usize) -> bool {
        let target = self.target(case);
        target.before != target.enter || target.end != target.stop
    }
}

/// Bounds of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Steps; an iteration of a repeated string instruction is one, too.
    pub(crate) steps: u64,
    /// Time, setup of the case included.
    pub(crate) time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 200_000,
            time: Duration::from_secs(10),
        }
    }
}

/// Runs that are counted: of a case whose path has not been seen to depend on data, and of one that
/// draws new data for each run or whose runs differed. Memory keeps its state from run to run, so a
/// path may also depend on what the last run left there.
const RUNS: usize = 2;
const RUNS_WITH_DATA: usize = 16;

/// None of the first runs is begun when this many steps have been taken for a case: they cost a
/// second or two. And none of the others when this many have.
const STEPS: u64 = 20_000;
const STEPS_WITH_DATA: u64 = 4_000;

/// The CPU for counting beside a measurement on this one: another one, not its sibling if that can
/// be. `None` if there is no other; then count before or after.
pub(crate) fn counting_cpu(measured: u32) -> Option<u32> {
    let siblings = facts::siblings(measured);
    other_cpu(measured, &facts::allowed_cpus(), &siblings)
}

fn other_cpu(measured: u32, allowed: &[u32], siblings: &[u32]) -> Option<u32> {
    let others = || allowed.iter().copied().filter(|cpu| *cpu != measured);
    others()
        .find(|cpu| !siblings.contains(cpu))
        .or_else(|| others().next())
}

/// Counts some runs of each case, and tells the counts or why there are none, in order. A case that
/// fails costs its worker; the next one gets a fresh one. When `cancel` is set, it stops within some
/// ten milliseconds and tells so for the cases that are left.
pub(crate) fn count_all<W: Worker>(
    cases: &[usize],
    limits: Limits,
    mut spawn: impl FnMut() -> Result<W, Reason>,
    cancel: &AtomicBool,
    mut told: impl FnMut(usize, Result<Counts, Reason>),
) {
    let watchdog = Watchdog::new(cancel);
    watchdog.during(|| {
        let mut traced: Option<(W, Tracee)> = None;
        for &case in cases {
            if cancel.load(Ordering::Relaxed) {
                told(case, Err(cancelled()));
                continue;
            }
            let counts = match &mut traced {
                Some((worker, tracee)) => count(worker, tracee, case, limits, &watchdog),
                none => match spawn_traced(&mut spawn) {
                    Ok(pair) => {
                        let (worker, tracee) = none.insert(pair);
                        count(worker, tracee, case, limits, &watchdog)
                    }
                    Err(reason) => Err(reason),
                },
            };
            if counts.is_err() {
                traced = None;
            }
            told(case, counts);
        }
    });
}

fn spawn_traced<W: Worker>(
    spawn: &mut impl FnMut() -> Result<W, Reason>,
) -> Result<(W, Tracee), Reason> {
    let worker = spawn()?;
    let tracee = Tracee::attach(worker.pid())?;
    Ok((worker, tracee))
}

fn cancelled() -> Reason {
    Reason(
        "the timing was over before its turn to be stepped came; give the run more --time"
            .to_owned(),
    )
}

/// Counts some runs of one case.
fn count<W: Worker>(
    worker: &mut W,
    tracee: &mut Tracee,
    case: usize,
    limits: Limits,
    watchdog: &Watchdog<'_>,
) -> Result<Counts, Reason> {
    let target = worker.target(case);
    let mut tallies: Vec<Tally> = Vec::new();
    let mut wanted = if worker.draws_data(case) {
        RUNS_WITH_DATA
    } else {
        RUNS
    };
    let mut steps = 0;
    let goes_on = |runs: usize, wanted: usize, steps: u64| {
        runs < wanted && steps < if runs < RUNS { STEPS } else { STEPS_WITH_DATA }
    };
    while goes_on(tallies.len(), wanted, steps) {
        let ended = run(worker, tracee, case, &target, limits, watchdog, |_| {})?;
        let tally = match ended {
            Ended::AtEnd(tally) => tally,
            other => return Err(failure(&other, &target)),
        };
        // Let it leave its harness; it waits for the next command then.
        tracee.go_on()?;
        steps += tally.steps;
        if tallies
            .first()
            .is_some_and(|first| (first.body, first.around) != (tally.body, tally.around))
        {
            wanted = RUNS_WITH_DATA;
        }
        tallies.push(tally);
    }
    Ok(counts(&tallies, worker.has_blocks(case)))
}

/// One run, watched over.
fn run<W: Worker>(
    worker: &mut W,
    tracee: &mut Tracee,
    case: usize,
    target: &CountTarget,
    limits: Limits,
    watchdog: &Watchdog<'_>,
    executes: impl FnMut(u64),
) -> Result<Ended, Reason> {
    if !watchdog.watch_over(worker.pid(), limits.time) {
        return Err(Reason(
            "not counted: no thread can be started to watch over it (ulimit -u, or a cgroup)"
                .to_owned(),
        ));
    }
    let ended = worker
        .start(case)
        .map_err(|error| Reason(format!("cannot tell the worker to run: {error}")))
        .and_then(|()| walk(tracee, target, limits.steps, executes));
    match watchdog.release() {
        Some(watchdog::Ended::Cancelled) => Err(cancelled()),
        Some(watchdog::Ended::Timeout) => Err(Reason(format!(
            "one run took longer than {} s while it was stepped",
            limits.time.as_secs_f64()
        ))),
        None => ended,
    }
}

/// Least and most of the runs. There is at least one.
fn counts(tallies: &[Tally], has_blocks: bool) -> Counts {
    Counts {
        body: executed(tallies.iter().map(|tally| tally.body)),
        around: has_blocks.then(|| executed(tallies.iter().map(|tally| tally.around))),
        runs: u32::try_from(tallies.len()).unwrap_or(u32::MAX),
    }
}

fn executed(runs: impl Iterator<Item = Work> + Clone) -> Executed {
    let span = |of: fn(Work) -> u64| {
        let values = || runs.clone().map(of);
        Span {
            least: values().min().unwrap_or(0),
            most: values().max().unwrap_or(0),
        }
    };
    Executed {
        instructions: span(|work| work.instructions),
        taken_branches: span(|work| work.taken_branches),
        not_taken_branches: span(|work| work.not_taken_branches),
        calls: span(|work| work.calls),
        returns: span(|work| work.returns),
    }
}

/// An end that gives no counts, in words.
fn failure(ended: &Ended, target: &CountTarget) -> Reason {
    Reason(match ended {
        Ended::AtEnd(_) => "counted".to_owned(),
        Ended::Fault { signal, ip } => format!(
            "{} {} ended it while it was stepped",
            signal.as_str(),
            place(*ip, target)
        ),
        Ended::TooLong { steps, ip } => format!(
            "one run takes more than {steps} steps (it was {})",
            place(*ip, target)
        ),
        Ended::Gone => "the worker ended while it was stepped".to_owned(),
    })
}

/// An address as the reader of a listing can find it.
fn place(ip: u64, target: &CountTarget) -> String {
    match ip.checked_sub(target.start) {
        // The end lies in the harness, wherever the body is: only nearness to the start tells.
        Some(offset) if offset < 1 << 20 => format!("at offset {offset:#x}"),
        _ => format!("at {ip:#x}, outside the code"),
    }
}

/// The last instruction that a faulting case executed inside its own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastInside {
    /// Its address.
    pub(crate) ip: u64,
    /// The signal that ended the run.
    pub(crate) signal: Signal,
    /// Where that was raised.
    pub(crate) fault_ip: u64,
}

/// Runs a case that faults outside its own code once more, stepped, and finds the instruction that
/// left the code. The worker is of no use afterwards.
///
/// # Errors
/// Where it may not be traced, or where this time it does not fault.
pub(crate) fn last_inside<W: Worker>(
    worker: &mut W,
    case: usize,
    inside: Range<u64>,
    limits: Limits,
) -> Result<LastInside, Reason> {
    let target = worker.target(case);
    let mut tracee = Tracee::attach(worker.pid())?;
    let never = AtomicBool::new(false);
    let watchdog = Watchdog::new(&never);
    let mut last = None;
    let ended = watchdog.during(|| {
        run(
            worker,
            &mut tracee,
            case,
            &target,
            limits,
            &watchdog,
            |ip| {
                if inside.contains(&ip) {
                    last = Some(ip);
                }
            },
        )
    })?;
    match (ended, last) {
        (
            Ended::Fault {
                signal,
                ip: fault_ip,
            },
            Some(ip),
        ) => Ok(LastInside {
            ip,
            signal,
            fault_ip,
        }),
        (Ended::Fault { .. }, None) => Err(Reason(
            "the fault was raised before the first instruction of the code".to_owned(),
        )),
        (Ended::AtEnd(_), _) => Err(Reason("it did not fault while it was stepped".to_owned())),
        (other, _) => Err(failure(&other, &target)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_keeps_away_from_the_measured_core() {
        assert_eq!(other_cpu(1, &[0, 1], &[]), Some(0));
        assert_eq!(other_cpu(0, &[0, 1, 2, 3], &[1]), Some(2));
        assert_eq!(other_cpu(0, &[0, 2], &[2]), Some(2));
        assert_eq!(other_cpu(0, &[0], &[]), None);
    }

    #[test]
    fn a_range_spans_all_runs() {
        let tally = |instructions, taken_branches| Tally {
            body: Work {
                instructions,
                taken_branches,
                ..Work::default()
            },
            ..Tally::default()
        };
        let found = counts(&[tally(5, 4), tally(3, 2), tally(9, 1)], false);
        assert_eq!(found.body.instructions, Span { least: 3, most: 9 });
        assert_eq!(found.body.taken_branches, Span { least: 1, most: 4 });
        assert_eq!((found.around, found.runs), (None, 3));
    }

    #[test]
    fn places_are_offsets_where_they_can_be() {
        let target = CountTarget {
            marker: 0x1000,
            before: 0x1001,
            enter: 0x1001,
            start: 0x2000,
            end: 0x1006,
            stop: 0x1006,
        };
        assert_eq!(place(0x2010, &target), "at offset 0x10");
        assert_eq!(place(0, &target), "at 0x0, outside the code");
        assert_eq!(place(0x1006, &target), "at 0x1006, outside the code");
    }
}
