//! One measurement from its first event to its last.

mod blame;
mod first_runs;
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::count::Counter;
use super::counters::{self, Readings};
use super::failure::Left;
use super::launch::{Launched, Launcher, Purpose, Started};
use super::planning::{Planned, World};
use super::plausible::Doubt;
use super::process::Ended;
use super::progress::Stuck;
use super::rulers::{self, Reading};
use super::{progress, switches};
use crate::api::{Counts, Error, Event, MeasureId, Plan, Reason, Sample};
use crate::image::placement;
use crate::shared::{Command, Record};

/// How often the parent looks, with one worker: rarely, since it may share a core with it.
const LOOK: Duration = Duration::from_millis(3);
/// Most groups of workers, one after the other, where several take turns, for each layout: these are
/// not started ahead.
const MOST_GROUPS: u32 = 12;
/// How long before the end of a worker's time the next one is started.
const AHEAD: Duration = Duration::from_millis(12);
/// How often the parent looks while a worker starts.
const LOOK_AT_START: Duration = Duration::from_micros(300);
/// Workers that may be lost without a case to blame.
const MOST_LOST: u32 = 3;
/// Workers that may be lost before anything was measured: the next one may have more luck.
const MOST_NOT_BEGUN: u32 = 1;

/// Why a stretch of measuring ended.
#[derive(Debug)]
enum Stretch {
    /// Its time was up, or the sink wants no more.
    Over,
    /// A case failed; the others go on in fresh workers.
    Failed,
}

/// What became of waiting for something.
#[derive(Debug)]
enum Wait {
    /// It came.
    Done,
    /// The time was up first, or the sink wants no more.
    Over,
    /// The worker ended.
    Ended(Ended),
}

/// A worker that was started while another one measured.
#[derive(Debug)]
struct Ahead {
    started: Started,
    /// What it was started for: its number, and where its code lies in a line.
    worker: u32,
    offset: u32,
}

/// A measurement under way.
pub(super) struct Session<'a> {
    launcher: &'a Launcher<'a>,
    plan: &'a Plan,
    planned: Planned,
    counter: Counter,
    start: Instant,
    sink: &'a mut dyn FnMut(Event) -> ControlFlow<()>,
    calibrated: Vec<Option<(u32, u32)>>,
    worker: u32,
    /// Bytes into a line by which the present workers' code is moved, and how many workers came
    /// before these. On a busy machine some do not get their time; layouts take turns all the same.
    offset: u32,
    turn: u32,
    next_round: u32,
    /// Rounds that were completed.
    rounds: u32,
    /// Cases that have run and come back.
    tried: BTreeSet<usize>,
    /// Whether one failed at its first run: others may.
    fail_at_once: bool,
    /// How long the last workers took to start.
    starting: Duration,
    rulers: Vec<Reading>,
    readings: Readings,
    counts: BTreeMap<usize, Counts>,
    /// The next worker, which was started ahead of its time.
    ahead: Option<Ahead>,
    broke: bool,
    lost: u32,
    /// Why no more workers are started.
    given_up: bool,
    warned: bool,
}

impl<'a> Session<'a> {
    /// Nothing is told yet.
    pub(super) fn new(
        launcher: &'a Launcher<'a>,
        plan: &'a Plan,
        planned: Planned,
        counter: Counter,
        start: Instant,
        sink: &'a mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Self {
        Self {
            launcher,
            plan,
            calibrated: vec![None; planned.measures.len()],
            planned,
            counter,
            start,
            sink,
            worker: 0,
            offset: 0,
            turn: 0,
            next_round: 0,
            rounds: 0,
            tried: BTreeSet::new(),
            fail_at_once: false,
            starting: Duration::ZERO,
            rulers: Vec::new(),
            readings: Readings::default(),
            counts: BTreeMap::new(),
            ahead: None,
            broke: false,
            lost: 0,
            given_up: false,
            warned: false,
        }
    }

    fn tell(&mut self, event: Event) {
        self.rounds += u32::from(matches!(event, Event::Round(_)));
        if !self.broke && (self.sink)(event).is_break() {
            self.broke = true;
        }
    }

    /// Measures: tells the plan, and `at_once` what is known without running anything; then spreads the time over the workers.
    ///
    /// # Errors
    /// If no worker can be started, or one fails without a case to blame.
    pub(super) fn run(mut self, at_once: Vec<Event>) -> Result<(), Error> {
        self.tell(Event::Planned(self.planned.measures.clone()));
        for event in at_once {
            self.tell(event);
        }
        let workers = match self.planned.worlds.len() {
            0 | 1 => self.plan.workers,
            _ => self
                .plan
                .workers
                .min(MOST_GROUPS * self.plan.layouts.max(1)),
        };
        let mut workers = workers.max(1);
        let mut slot = 1;
        while slot <= workers {
            self.slot(f64::from(slot) / f64::from(workers), workers)?;
            if slot == 1 && self.planned.worlds.len() > 1 {
                workers = workers.min(self.groups());
            }
            slot += 1;
        }
        for event in rulers::compare(self.launcher.machine, &self.rulers) {
            self.tell(event);
        }
        self.last_counts();
        let values = std::mem::take(&mut self.readings).judge(
            &self.launcher.counters,
            &self.planned,
            self.launcher.cases,
            &self.counts,
            &self.calibrated,
        );
        for value in values {
            self.tell(value);
        }
        Ok(())
    }

    /// Rounds until this share of the time is over, in one worker, or more if cases fail.
    fn slot(&mut self, share: f64, workers: u32) -> Result<(), Error> {
        loop {
            let end = self.start + self.plan.time.mul_f64(share);
            // The first round is run even if the time is up: without it there is no result.
            let late = self.rounds > 0 && Instant::now() >= end;
            if self.broke || self.given_up || self.planned.worlds.is_empty() || late {
                return Ok(());
            }
            self.offset = placement::offset(self.turn, self.plan.layouts);
            let (began, start, rounds) = (Instant::now(), self.start, self.rounds);
            match self.stretch(end, workers.max(self.worker + 1), share < 1.0) {
                Ok(Stretch::Over) => {
                    self.turn += 1;
                    return Ok(());
                }
                // Where a case failed before there was a round, that time is not the others'.
                Ok(Stretch::Failed) if self.rounds == rounds => {
                    self.start = start + began.elapsed();
                }
                Ok(Stretch::Failed) => {}
                // What was measured stays, and the next worker may have more luck.
                Err(error) => {
                    self.lost += 1;
                    let begun = self.rounds > 0;
                    if !begun && self.lost > MOST_NOT_BEGUN {
                        return Err(error);
                    }
                    self.given_up = self.lost > MOST_LOST;
                    self.tell(Event::Warning {
                        kind: "worker-lost".to_owned(),
                        message: error.message,
                        advice: error.advice,
                    });
                    if begun {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Fresh workers, one for each world, until the time is up.
    fn stretch(&mut self, end: Instant, of: u32, more: bool) -> Result<Stretch, Error> {
        if self.fail_at_once {
            self.try_the_rest()?;
        }
        let worker = self.worker;
        self.worker += 1;
        self.tell(Event::Worker { worker, of });
        let mut launched = Vec::new();
        let starts = Instant::now();
        for world in self.planned.worlds.clone() {
            // One after the other: they share a CPU, and first runs must not be disturbed.
            let mut one = self.next_worker(&world, worker)?;
            if !std::mem::replace(&mut self.warned, true) {
                for warning in one.found.warnings() {
                    self.tell(warning);
                }
            }
            let is_ready = |record: &Record| *record == Record::Ready;
            match self.wait(&mut one, None, LOOK_AT_START, &is_ready)? {
                Wait::Done => launched.push(one),
                Wait::Over => return Ok(Stretch::Over),
                Wait::Ended(ended) => {
                    self.fail_at_once = true;
                    if !self.goes_on_without(&mut one, ended)? {
                        return Ok(Stretch::Failed);
                    }
                }
            }
        }
        if launched.is_empty() {
            return Ok(Stretch::Failed);
        }
        self.starting = starts.elapsed();
        self.counter.begin(&self.planned);
        let counters = !self.launcher.counters.is_empty();
        let reserve = if counters {
            counters::time(self.planned.measures.len())
        } else {
            Duration::ZERO
        };
        let end_of_rounds = end.checked_sub(reserve).unwrap_or(end);
        let ended = if self.planned.worlds.len() == 1 {
            self.alone(&mut launched[0], end_of_rounds, more)?
        } else {
            self.in_turns(&mut launched, end_of_rounds)?
        };
        if let (Stretch::Over, true, false) = (&ended, counters, self.broke) {
            return self.read_counters(&mut launched);
        }
        Ok(ended)
    }

    /// The worker that was started ahead, if it is the one that is wanted, or a fresh one.
    fn next_worker(&mut self, world: &World, worker: u32) -> Result<Launched, Error> {
        let ahead = self.ahead.take();
        if let Some(ahead) = ahead.filter(|a| (a.worker, a.offset) == (worker, self.offset))
            && let Ok(launched) = self.launcher.begin(ahead.started)?
        {
            return Ok(launched);
        }
        let purpose = Purpose::Timing {
            known: &self.calibrated,
            offset: self.offset,
        };
        self.launcher
            .launch(world, &self.planned, u64::from(worker), purpose)
    }

    /// Starts the next worker while this one measures, on another CPU: what it takes to start a
    /// process, to map and to enter a sandbox is not the measurement's time then. Where that fails,
    /// the next one is started in its turn, and the failure told.
    fn start_ahead(&mut self) {
        let (worker, offset) = (
            self.worker,
            placement::offset(self.turn + 1, self.plan.layouts),
        );
        let purpose = Purpose::Timing {
            known: &self.calibrated,
            offset,
        };
        let world = &self.planned.worlds[0];
        let started = self
            .launcher
            .start(world, &self.planned, u64::from(worker), 0, purpose);
        self.ahead = started.ok().map(|started| Ahead {
            started,
            worker,
            offset,
        });
    }

    /// Has the workers read their performance counters, when their rounds are over.
    fn read_counters(&mut self, launched: &mut [Launched]) -> Result<Stretch, Error> {
        let batches = counters::BATCHES;
        for one in launched {
            one.worker.stop();
            one.expect_counters();
            if let Some(ended) = send(one, Command::Counters { batches })? {
                return self.failed(one, ended);
            }
            let are_read = |record: &Record| *record == Record::CountersRead;
            match self.wait(one, None, LOOK, &are_read)? {
                Wait::Done => {}
                Wait::Over => return Ok(Stretch::Over),
                Wait::Ended(ended) => return self.failed(one, ended),
            }
        }
        Ok(Stretch::Over)
    }

    /// One worker runs rounds without a pause until its time is up. If there are `more` workers to
    /// come, the next one is started meanwhile.
    fn alone(
        &mut self,
        launched: &mut Launched,
        end: Instant,
        more: bool,
    ) -> Result<Stretch, Error> {
        let first = self.next_round;
        let rounds = Command::Rounds {
            first,
            end: u32::MAX,
        };
        if let Some(ended) = send(launched, rounds)? {
            return self.failed(launched, ended);
        }
        let mut waited = Wait::Over;
        if self.rounds == 0 {
            // The very first round is waited for, however long it takes.
            let is_done = |record: &Record| matches!(record, Record::Round(_));
            waited = self.wait(launched, None, LOOK, &is_done)?;
        }
        if more && self.launcher.elsewhere && !matches!(waited, Wait::Ended(_)) {
            let nearly = end.checked_sub(AHEAD).unwrap_or(end);
            waited = self.wait(launched, Some(nearly), LOOK, &|_| false)?;
            if matches!(waited, Wait::Over) && !self.broke {
                self.start_ahead();
            }
        }
        if !matches!(waited, Wait::Ended(_)) {
            waited = self.wait(launched, Some(end), LOOK, &|_| false)?;
        }
        match waited {
            Wait::Ended(ended) => self.failed(launched, ended),
            Wait::Done | Wait::Over => {
                launched.worker.stop();
                self.next_round = self.next_round.max(first + 1);
                Ok(Stretch::Over)
            }
        }
    }

    /// Takes what a worker tells until something comes, the time is up, or the worker ends.
    fn wait(
        &mut self,
        launched: &mut Launched,
        until: Option<Instant>,
        look: Duration,
        done: &dyn Fn(&Record) -> bool,
    ) -> Result<Wait, Error> {
        let alone = look == LOOK;
        let mut switches = launched.worker.switches();
        loop {
            let ended = launched.worker.wait(look).map_err(cannot_watch)?;
            let (mut batch, sound) = launched.take();
            switches::tell_from_ticks(&mut batch, &mut switches, launched);
            let mut came = false;
            for record in &batch {
                let owner = |measure: u32| self.planned.measures[measure as usize].case;
                if launched.doubt(record, &self.calibrated, &owner).is_err() {
                    break;
                }
                came |= done(record);
                self.absorb(launched, record, alone);
            }
            self.pass_counts_on();
            if sound.is_err() || matches!(launched.left, Left::Implausible(_)) {
                launched.worker.kill();
                return Ok(Wait::Ended(Ended::Signal(libc::SIGKILL)));
            }
            if let Some(ended) = ended {
                return Ok(Wait::Ended(ended));
            }
            if came {
                return Ok(Wait::Done);
            }
            self.tell(Event::Waiting);
            if self.broke || until.is_some_and(|until| Instant::now() >= until) {
                return Ok(Wait::Over);
            }
            match launched.worker.is_stuck() {
                None => {}
                Some(Stuck::Hangs) => {
                    let ended = launched.worker.end_stuck().map_err(cannot_watch)?;
                    return Ok(Wait::Ended(ended));
                }
                Some(Stuck::Starves) => {
                    return Err(progress::starves(self.launcher.machine.cpu));
                }
            }
        }
    }

    /// Makes events of one record. Numbers that the worker invented are dropped.
    fn absorb(&mut self, launched: &Launched, record: &Record, alone: bool) {
        let global = |measure: u32| launched.measures.get(measure as usize).copied();
        match *record {
            Record::Sample {
                measure,
                round,
                runs,
                ticks,
                long_ticks,
                ruler_ticks,
                sentinels,
                discard,
            } => {
                let Some(measure) = global(measure) else {
                    return;
                };
                if alone {
                    self.next_round = self.next_round.max(round.saturating_add(1));
                }
                self.tell(Event::Sample(Sample {
                    measure: MeasureId(measure),
                    round,
                    worker: self.worker - 1,
                    offset: self.offset,
                    runs,
                    ticks,
                    long_ticks,
                    ruler_ticks,
                    sentinels,
                    discard,
                }));
            }
            Record::Round(round) if alone => self.tell(Event::Round(round)),
            Record::Calibrated {
                measure,
                level,
                turns,
            } => {
                if let Some(measure) = global(measure) {
                    self.calibrated[measure as usize] = Some((level.min(1), turns.max(1)));
                }
            }
            Record::Rulers {
                first,
                short,
                second,
            } => self.rulers.push(Reading {
                worker: launched.worker.pid(),
                first,
                short,
                second,
            }),
            Record::Counter { measure, .. } => {
                if let Some(measure) = global(measure) {
                    self.readings.take(measure, record);
                }
            }
            Record::Tried(place) => {
                self.tried.extend(launched.cases.get(place as usize));
            }
            Record::Round(_)
            | Record::Displaced { .. }
            | Record::Missing { .. }
            | Record::Confined
            | Record::Ready
            | Record::Counted(_)
            | Record::CountersRead
            | Record::Trials { .. }
            | Record::Slow { .. }
            | Record::Probed(_) => {}
        }
    }

    fn pass_counts_on(&mut self) {
        while let Some((case, counts)) = self.counter.poll() {
            self.tell_counts(case, counts);
        }
    }

    fn tell_counts(&mut self, case: usize, counts: Result<Counts, Reason>) {
        if let Ok(counts) = counts {
            self.counts.insert(case, counts);
        }
        self.tell(Event::Counted { case, counts });
    }

    /// Counts that are still under way.
    fn last_counts(&mut self) {
        loop {
            let (sink, broke) = (&mut *self.sink, &mut self.broke);
            let mut goes_on = || {
                *broke = *broke || sink(Event::Waiting).is_break();
                !*broke
            };
            let counted = self.counter.poll_to_the_end(&self.planned, &mut goes_on);
            let Some((case, counts)) = counted else {
                return;
            };
            self.tell_counts(case, counts);
        }
    }
}

/// Sends a command; how the worker ended if it could not be told any more.
fn send(launched: &mut Launched, command: Command) -> Result<Option<Ended>, Error> {
    if let Command::Rounds { first, .. } = command {
        launched.expect_round(first);
    }
    let Err(error) = launched.worker.send(command) else {
        return Ok(None);
    };
    if error.kind() == io::ErrorKind::WouldBlock {
        launched.left = Left::Implausible(Doubt {
            what: "that it has done what it had not read",
            place: (launched.cases.len() == 1).then_some(0),
        });
        launched.worker.kill();
        return Ok(Some(Ended::Signal(libc::SIGKILL)));
    }
    launched
        .worker
        .wait(Duration::from_secs(1))
        .map_err(cannot_watch)
}

fn cannot_watch(error: io::Error) -> Error {
    Error {
        message: format!("the worker cannot be watched: {error}"),
        advice: String::new(),
    }
}
