//! The history probe from its first event to its last.

use std::collections::VecDeque;
use std::time::Duration;

use super::count::Counter;
use super::failure::{self, Left as LeftBehind};
use super::launch::{Launched, Launcher, Purpose};
use super::planning::{Planned, World};
use super::plausible::Doubt;
use super::process::Ended;
use super::progress::{self, Stuck};
use crate::api::{Error, Reason};
use crate::harness::probe::MOST_TRIALS;
use crate::image::PlacedProbe;
use crate::probe::{Mode, ProbeEvent, ProbeNext, ProbePlan, ProbeSubject, Reading, Setting};
use crate::shared::{Command, PROBED_TICKS, Record};

/// How often the parent looks: each subject takes a few milliseconds.
const LOOK: Duration = Duration::from_micros(150);
/// Cases in one worker: their functions fill some megabytes.
const MOST_CASES: usize = 48;
/// Probing workers lie elsewhere than those that time or count.
const SERIAL: u64 = 1 << 40;
/// Workers that may be lost without a case to blame.
const MOST_LOST: u32 = 3;
/// The loss from which on each case has a worker of its own.
const MOST_PARTED: u32 = 2;
/// Workers that may not come to their begin.
const MOST_NOT_BEGUN: u32 = 1;
/// Time for counting: of an amount that no probe of many variants reaches.
pub(super) const COUNTING: Duration = Duration::from_secs(8);
/// And when the probing is over: it is the shorter of the two where few cases take long to step.
pub(super) const GRACE: Duration = Duration::from_secs(3);

/// A probe under way.
pub(super) struct Session<'a> {
    launcher: &'a Launcher<'a>,
    plan: &'a ProbePlan,
    counter: Counter,
    sink: &'a mut dyn FnMut(ProbeEvent) -> ProbeNext,
    serial: u64,
    lost: u32,
    not_begun: u32,
    /// Whether a worker has come to something.
    begun: bool,
    stopped: bool,
}

/// What is left of a worker's cases when it is gone.
enum Left {
    /// Nothing.
    Nothing,
    /// All but these.
    From(Vec<usize>),
    /// All but these, and no case is to blame for its end.
    Lost { done: Vec<usize>, how: String },
}

/// What became of one command.
enum Batch {
    /// It was carried out.
    Read(Vec<Reading>),
    /// Not carried out: a trial takes so many ticks.
    Slow(u32),
    /// The worker ended.
    Ended(Ended),
    /// No more is wanted.
    Stopped,
}

impl<'a> Session<'a> {
    /// Nothing is told yet.
    pub(super) fn new(
        launcher: &'a Launcher<'a>,
        plan: &'a ProbePlan,
        counter: Counter,
        sink: &'a mut dyn FnMut(ProbeEvent) -> ProbeNext,
    ) -> Self {
        Self {
            launcher,
            plan,
            counter,
            sink,
            serial: SERIAL,
            lost: 0,
            not_begun: 0,
            begun: false,
            stopped: false,
        }
    }

    fn tell(&mut self, event: ProbeEvent) -> ProbeNext {
        let next = if self.stopped {
            ProbeNext::Stop
        } else {
            (self.sink)(event)
        };
        self.stopped |= next == ProbeNext::Stop;
        next
    }

    /// Probes all cases.
    ///
    /// # Errors
    /// As [`Launcher::launch`] before anything was probed, or a plan that asks for too much.
    pub(super) fn run(
        mut self,
        live: &[usize],
        not_run: Vec<(usize, Reason)>,
    ) -> Result<(), Error> {
        if self.plan.trials == 0 || self.plan.trials + self.plan.warm_up > MOST_TRIALS {
            return Err(Error {
                message: format!("a probe of {} trials cannot be run", self.plan.trials),
                advice: format!("1 to {MOST_TRIALS} trials, with the warm-up, fit its tables"),
            });
        }
        for (case, reason) in not_run {
            self.tell(ProbeEvent::NotRun { case, reason });
        }
        let planned = Planned::new(
            self.launcher.cases,
            live,
            self.launcher.trusted,
            self.plan.apart,
        );
        let mut chunks: VecDeque<World> = planned
            .worlds
            .iter()
            .flat_map(|world| {
                let chunks = world.cases.chunks(MOST_CASES);
                chunks.map(|cases| world_of(world, cases))
            })
            .collect();
        let mut counting = false;
        while let Some(mut world) = chunks.pop_front() {
            match self.world(&world) {
                Ok(Left::Nothing) => self.begun = true,
                Ok(Left::From(done)) => {
                    self.begun = true;
                    world.cases.retain(|case| !done.contains(case));
                    if !world.cases.is_empty() {
                        chunks.push_front(world);
                    }
                }
                Ok(Left::Lost { done, how }) => {
                    world.cases.retain(|case| !done.contains(case));
                    for world in self.lost(&world, &how).into_iter().rev() {
                        chunks.push_front(world);
                    }
                }
                Err(error) => {
                    // Nothing of a sequence had run, or nothing ran at all. Another one may have more
                    // luck.
                    self.not_begun += 1;
                    if self.not_begun <= MOST_NOT_BEGUN {
                        chunks.push_front(world);
                    } else if self.begun {
                        for case in world.cases {
                            let reason = Reason(error.message.clone());
                            self.tell(ProbeEvent::NotRun { case, reason });
                        }
                    } else {
                        return Err(error);
                    }
                }
            }
            if self.plan.counts && self.begun && !std::mem::replace(&mut counting, true) {
                // Only when the first have come back: a case that ends a worker ends this one too.
                self.counter.begin(&planned);
            }
        }
        if self.plan.counts {
            loop {
                let (sink, stopped) = (&mut *self.sink, &mut self.stopped);
                let mut goes_on = || {
                    *stopped = *stopped || sink(ProbeEvent::Waiting) == ProbeNext::Stop;
                    !*stopped
                };
                let counted = self.counter.poll_to_the_end(&planned, &mut goes_on);
                let Some((case, counts)) = counted else {
                    break;
                };
                self.tell(ProbeEvent::Counted { case, counts });
            }
        }
        Ok(())
    }

    /// Probes the cases of one worker, and tells which are left.
    fn world(&mut self, world: &World) -> Result<Left, Error> {
        if self.stopped {
            return Ok(Left::Nothing);
        }
        self.serial += 1;
        let purpose = Purpose::Probing(self.plan);
        let mut launched =
            self.launcher
                .launch(world, &Planned::default(), self.serial, purpose)?;
        let probes = launched.image.probes.as_ref();
        let placed: Vec<PlacedProbe> = probes.map_or_else(Vec::new, |all| all.placed.clone());
        // The control without a sequence was placed last and is run first.
        let cases = placed.len().saturating_sub(1);
        let order = (cases..placed.len()).chain(0..cases);
        let mut begun = Vec::new();
        // The last case of which no more is wanted.
        let mut done = None;
        for index in order {
            let probe = placed[index];
            let case = probe.case.map(|place| launched.cases[place]);
            begun.extend(case.filter(|case| begun.last() != Some(case)));
            if case.is_some() && case == done {
                continue;
            }
            let subject = match case {
                None => ProbeSubject::Nothing,
                Some(case) if probe.before => ProbeSubject::Before(case),
                Some(case) => ProbeSubject::Between(case),
            };
            loop {
                match self.batch(&mut launched, index as u32)? {
                    Batch::Read(readings) => {
                        match self.tell(ProbeEvent::Read { subject, readings }) {
                            ProbeNext::On => break,
                            ProbeNext::Done => {
                                done = case;
                                break;
                            }
                            ProbeNext::Again => {}
                            ProbeNext::Stop => return Ok(Left::Nothing),
                        }
                    }
                    Batch::Slow(ticks) => {
                        if let Some(case) = case {
                            let reason = self.too_slow(ticks);
                            self.tell(ProbeEvent::NotRun { case, reason });
                            done = Some(case);
                        }
                        break;
                    }
                    Batch::Stopped => return Ok(Left::Nothing),
                    Batch::Ended(ended) => {
                        return Ok(self.ended(&launched, probe.case, ended, begun));
                    }
                }
            }
        }
        Ok(Left::Nothing)
    }

    fn too_slow(&self, ticks: u32) -> Reason {
        let us = f64::from(ticks) * 1e6 / self.launcher.machine.clock.tsc_hz;
        Reason(format!(
            "one run takes {us:.1} us, which takes too long to probe"
        ))
    }

    /// Has the worker run a batch and takes what it tells.
    fn batch(&mut self, launched: &mut Launched, probe: u32) -> Result<Batch, Error> {
        let rounds = self.plan.rounds;
        if launched
            .worker
            .send(Command::Probe { probe, rounds })
            .is_err()
        {
            let ended = launched.worker.wait(Duration::from_secs(1));
            return Ok(Batch::Ended(
                ended
                    .map_err(cannot_watch)?
                    .unwrap_or(Ended::Signal(libc::SIGKILL)),
            ));
        }
        let mut gathering = Gathering::new(self.plan);
        loop {
            let ended = launched.worker.wait(LOOK).map_err(cannot_watch)?;
            let (records, sound) = launched.take();
            for record in &records {
                if *record == Record::Probed(probe) {
                    return Ok(gathering.finish());
                }
                if gathering.take(probe, record) {
                    launched.worker.heard();
                } else if !matches!(record, Record::Ready) {
                    launched.left = LeftBehind::Implausible(Doubt {
                        what: "trials that were not asked for",
                        place: None,
                    });
                    break;
                }
            }
            if sound.is_err() || matches!(launched.left, LeftBehind::Implausible(_)) {
                launched.worker.kill();
                return Ok(Batch::Ended(Ended::Signal(libc::SIGKILL)));
            }
            while let Some((case, counts)) = self.counter.poll() {
                self.tell(ProbeEvent::Counted { case, counts });
            }
            if let Some(ended) = ended {
                return Ok(Batch::Ended(ended));
            }
            if self.tell(ProbeEvent::Waiting) == ProbeNext::Stop {
                return Ok(Batch::Stopped);
            }
            match launched.worker.is_stuck() {
                None => {}
                Some(Stuck::Hangs) => {
                    let ended = launched.worker.end_stuck().map_err(cannot_watch)?;
                    return Ok(Batch::Ended(ended));
                }
                Some(Stuck::Starves) => {
                    return Err(progress::starves(self.launcher.machine.cpu));
                }
            }
        }
    }

    /// A worker ended while a subject was probed, behind those that have begun.
    fn ended(
        &mut self,
        launched: &Launched,
        place: Option<usize>,
        ended: Ended,
        mut begun: Vec<usize>,
    ) -> Left {
        let by_another = failure::ended_by_another(launched);
        let case = place.map(|place| (place, launched.cases[place]));
        if let (Some((place, case)), None) = (case, &by_another) {
            let failure = failure::explain(launched, place, &self.launcher.cases[case], ended);
            self.tell(ProbeEvent::Failed { case, failure });
            return Left::From(begun);
        }
        let note = launched.worker.memory.note();
        let note = note.map(|note| format!(": {note}")).unwrap_or_default();
        let how = match by_another {
            Some((signal, process)) => format!("{signal}, sent by process {process}"),
            None => format!("{ended}, while none of the sequences ran"),
        };
        // The one at hand is probed again.
        begun.retain(|of| Some(*of) != case.map(|(_, case)| case));
        Left::Lost {
            done: begun,
            how: format!("a worker ended ({how}){note}"),
        }
    }

    /// A worker ended, and no case is to blame for it. What is left is probed again; then each case by
    /// itself, and one that loses its own workers still has failed.
    fn lost(&mut self, world: &World, how: &str) -> Vec<World> {
        self.lost += 1;
        match world.cases[..] {
            [] => Vec::new(),
            [case] if self.lost > MOST_LOST => {
                let failure = failure::lost(how);
                self.tell(ProbeEvent::Failed { case, failure });
                Vec::new()
            }
            [_, ..] if self.lost >= MOST_PARTED => {
                let cases = world.cases.iter();
                cases.map(|case| world_of(world, &[*case])).collect()
            }
            _ => vec![world.clone()],
        }
    }
}

fn world_of(world: &World, cases: &[usize]) -> World {
    World {
        rules: world.rules.clone(),
        cases: cases.to_vec(),
        measures: Vec::new(),
    }
}

/// Puts the records of a batch together. No more are taken than a batch has.
struct Gathering {
    readings: Vec<Reading>,
    /// Records that are still to come, at most.
    left: usize,
    trials: usize,
    most: usize,
    slow: Option<u32>,
}

impl Gathering {
    fn new(plan: &ProbePlan) -> Self {
        let most = plan.rounds as usize * Setting::ALL.len() * Mode::ALL.len();
        Self {
            readings: Vec::new(),
            left: most * (plan.trials as usize).div_ceil(PROBED_TICKS),
            trials: plan.trials as usize,
            most,
            slow: None,
        }
    }

    /// Takes a record; whether it could be expected.
    fn take(&mut self, probe: u32, record: &Record) -> bool {
        match *record {
            Record::Trials {
                probe: of,
                setting,
                mode,
                starts,
                count,
                ticks,
            } if of == probe && self.left > 0 => {
                self.left -= 1;
                let setting = setting as usize;
                if starts && setting < Setting::ALL.len() && self.readings.len() < self.most {
                    self.readings.push(Reading {
                        setting,
                        mode,
                        ticks: Vec::with_capacity(self.trials),
                    });
                }
                let last = self.readings.last_mut();
                let Some(last) = last.filter(|last| (last.setting, last.mode) == (setting, mode))
                else {
                    return false;
                };
                if last.ticks.len() + count as usize > self.trials {
                    return false;
                }
                last.ticks.extend(&ticks[..count as usize]);
                true
            }
            Record::Slow { probe: of, ticks } if of == probe => self.slow.replace(ticks).is_none(),
            _ => false,
        }
    }

    fn finish(self) -> Batch {
        match self.slow {
            Some(ticks) => Batch::Slow(ticks),
            None => Batch::Read(self.readings),
        }
    }
}

fn cannot_watch(error: std::io::Error) -> Error {
    Error {
        message: format!("the worker cannot be watched: {error}"),
        advice: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_gathered_than_a_batch_has() {
        let plan = ProbePlan::default();
        let mut gathering = Gathering::new(&plan);
        let count = PROBED_TICKS as u32;
        let record = Record::Trials {
            probe: 0,
            setting: 0,
            mode: Mode::Constant,
            starts: true,
            count,
            ticks: [1; PROBED_TICKS],
        };
        let taken = (0..1_000_000).take_while(|_| gathering.take(0, &record));
        let most = plan.rounds as usize * Setting::ALL.len() * Mode::ALL.len();
        assert!(taken.count() <= most * plan.trials.div_ceil(count) as usize);
        assert!(!gathering.take(0, &Record::Ready));
    }
}
