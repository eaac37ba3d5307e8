//! Exact counts beside the timing: on another CPU, in a thread of their own.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::failure;
use super::launch::{Launched, Launcher, Purpose};
use super::planning::{Planned, World};
use crate::api::{Counts, Entry, Failure, Reason};
use crate::shared::{Command, Record};
use crate::step;
use crate::worker::CountTarget;

/// How long counting may go on when the timing is over.
pub(super) const GRACE: Duration = Duration::from_millis(500);
/// How long a counting worker may take to begin, and how often to look.
const READY: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_micros(200);
/// How often the session is asked whether counts are still wanted.
const PAUSE: Duration = Duration::from_millis(20);
/// Counting workers lie elsewhere than those that time.
const SERIAL: u64 = 1 << 32;
/// Least time for one run of a case.
const LEAST_TIME: Duration = Duration::from_millis(500);

type Counted = (usize, Result<Counts, Reason>);

/// The session's end of counting.
pub(super) struct Counter {
    begin: Option<Sender<Vec<Vec<usize>>>>,
    counted: Receiver<Counted>,
    beside: bool,
    grace: Duration,
    deadline: Option<Instant>,
}

/// The counting thread's end.
pub(super) struct Counting {
    begin: Receiver<Vec<Vec<usize>>>,
    counted: Sender<Counted>,
    cpu: Option<u32>,
    time: Duration,
}

/// Both ends. With one CPU alone, counting waits until the timing is over; then it may go on for
/// `grace`.
pub(super) fn counting(measured: u32, time: Duration, grace: Duration) -> (Counter, Counting) {
    let (begin, begins) = channel();
    let (tells, counted) = channel();
    let cpu = step::counting_cpu(measured);
    let counter = Counter {
        begin: Some(begin),
        counted,
        beside: cpu.is_some(),
        grace,
        deadline: None,
    };
    let counting = Counting {
        begin: begins,
        counted: tells,
        cpu,
        time: (time / 2).max(LEAST_TIME),
    };
    (counter, counting)
}

impl Counter {
    /// The cases have been tried: they may be counted beside the timing.
    pub(super) fn begin(&mut self, planned: &Planned) {
        if self.beside {
            self.send(planned);
        }
    }

    fn send(&mut self, planned: &Planned) {
        if let Some(begin) = self.begin.take() {
            let cases = planned.worlds.iter().map(|world| world.cases.clone());
            // If the thread is gone, nothing is counted, and nothing will come.
            drop(begin.send(cases.collect()));
        }
    }

    /// The next counts, if there are any.
    pub(super) fn poll(&mut self) -> Option<Counted> {
        self.counted.try_recv().ok()
    }

    /// The next counts, when the timing is over; `None` when there are no more or the grace is up.
    /// `goes_on` is asked now and then.
    pub(super) fn poll_to_the_end(
        &mut self,
        planned: &Planned,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Counted> {
        self.send(planned);
        let deadline = *self
            .deadline
            .get_or_insert_with(|| Instant::now() + self.grace);
        while goes_on() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.counted.recv_timeout(left.min(PAUSE)) {
                Ok(counted) => return Some(counted),
                Err(RecvTimeoutError::Timeout) if left > PAUSE => {}
                Err(_) => return None,
            }
        }
        None
    }
}

impl Counting {
    /// Counts when told to, until all are counted or `cancel` is set.
    pub(super) fn run(self, launcher: &Launcher<'_>, cancel: &AtomicBool) {
        let Ok(worlds) = self.begin.recv() else {
            return;
        };
        let limits = step::Limits {
            time: self.time,
            ..step::Limits::default()
        };
        for cases in worlds {
            let spawn = || Stepped::start(launcher, &cases, self.cpu);
            step::count_all(&cases, limits, spawn, cancel, |case, counts| {
                // The session may have ended; then nobody asks any more.
                drop(self.counted.send((case, counts)));
            });
        }
    }
}

/// Runs a case that failed outside of its code once more, stepped, and tells in the failure which
/// instruction left the code. Nothing is told where it does not fail this time.
pub(super) fn find_last_inside(launcher: &Launcher<'_>, case: usize, failure: &mut Failure) {
    let cpu = step::counting_cpu(launcher.machine.cpu);
    let Ok(mut stepped) = Stepped::start(launcher, &[case], cpu) else {
        return;
    };
    let placed = &stepped.launched.image.cases[0];
    // The body's own code: the first thing placed, or its copy in the counting harness.
    let inside = match (&launcher.cases[case].entry, placed.copies.first()) {
        (Entry::Call(_), Some(text)) => text.address..text.address + text.length,
        _ => placed.counting.start..placed.counting.end,
    };
    let limits = step::Limits {
        time: LEAST_TIME,
        ..step::Limits::default()
    };
    if let Ok(last) = step::last_inside(&mut stepped, case, inside, limits) {
        failure::add_last_inside(&stepped.launched, &launcher.cases[case], last.ip, failure);
    }
}

/// A worker that runs a case once when told to.
struct Stepped {
    launched: Launched,
    /// Whether each run finds other data, by place in the worker.
    draws_data: Vec<bool>,
}

impl Stepped {
    fn start(launcher: &Launcher<'_>, cases: &[usize], cpu: Option<u32>) -> Result<Self, Reason> {
        // They are of one world, so that the rules of one are those of all.
        let rules = cases.first().map(|case| launcher.rules(*case));
        let world = World {
            rules: rules.ok_or_else(|| Reason("not counted: there is no case".to_owned()))?,
            cases: cases.to_vec(),
            measures: Vec::new(),
        };
        let mut launched = launcher
            .launch(&world, &Planned::default(), SERIAL, Purpose::Counting(cpu))
            .map_err(|error| Reason(format!("no worker could be started to step it: {error}")))?;
        let deadline = Instant::now() + READY;
        loop {
            let ended = launched.worker.wait(LOOK);
            if let Ok(Some(Record::Ready)) = launched.worker.take() {
                let draws = |case: &usize| !launcher.cases[*case].randoms.is_empty();
                return Ok(Self {
                    draws_data: cases.iter().map(draws).collect(),
                    launched,
                });
            }
            if !matches!(ended, Ok(None)) || Instant::now() > deadline {
                let note = launched.worker.memory.note().unwrap_or_default();
                return Err(Reason(format!(
                    "the worker that was to be stepped did not begin: {note}"
                )));
            }
        }
    }
}

impl step::Worker for Stepped {
    fn pid(&self) -> u32 {
        self.launched.worker.pid()
    }

    fn target(&self, case: usize) -> CountTarget {
        let place = self.launched.cases.iter().position(|index| *index == case);
        let counting = place.map(|place| self.launched.image.cases[place].counting);
        let counting = counting.unwrap_or_default();
        CountTarget {
            marker: counting.marker,
            before: counting.before,
            enter: counting.enter,
            start: counting.start,
            end: counting.end,
            stop: counting.stop,
        }
    }

    fn start(&mut self, case: usize) -> io::Result<()> {
        let place = self.launched.cases.iter().position(|index| *index == case);
        let place = place.ok_or(io::ErrorKind::InvalidInput)?;
        self.launched
            .worker
            .send(Command::Count { case: place as u32 })
    }

    fn draws_data(&self, case: usize) -> bool {
        let place = self.launched.cases.iter().position(|index| *index == case);
        place.is_some_and(|place| self.draws_data[place])
    }
}
