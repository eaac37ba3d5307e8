//! From a world to a running worker: image, job, process.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::counters::BATCHES;
use super::failure::Left;
use super::planning::{Planned, Rules, World};
use super::plausible::Tale;
use super::process::{Ended, Worker};
use super::sandbox::{self, Found};
use crate::api::{Case, Error, Machine, Measure};
use crate::counters;
use crate::harness::features::Features;
use crate::image::{Image, Lines, Probing, Settings, Subject, Wanted, placement};
use crate::probe::ProbePlan;
use crate::shared::{
    Command, Job, JobCase, JobMeasure, JobProbe, JobProbing, JobRandom, JobSandbox, Record, Spoiled,
};
use crate::worker::{STATUS_RANGE, STATUS_UNCONFINED};

/// Ranges that are tried before giving up.
const TRIES: u64 = 8;
/// How long a fresh worker may take before it tells that the range was not free.
const SETTLING: Duration = Duration::from_micros(300);
/// How often to look whether it has entered its sandbox.
pub(super) const CONFINING: Duration = Duration::from_micros(100);
/// How long it may take to enter its sandbox.
const ENTERING: Duration = Duration::from_secs(10);
/// CPU time beyond the measurement's own that a worker may use, seconds. A worker that outlives its
/// parent is ended by the kernel in any case; this is for what may outlive the worker.
const CPU_SECONDS: u32 = 60;

/// What all workers of a measurement have in common.
#[derive(Debug)]
pub(super) struct Launcher<'a> {
    /// The executable.
    pub(super) executable: PathBuf,
    /// All cases.
    pub(super) cases: &'a [Case],
    /// The machine.
    pub(super) machine: &'a Machine,
    /// What its CPU has.
    pub(super) features: Features,
    /// The seed.
    pub(super) seed: u64,
    /// Performance counters that can be had.
    pub(super) counters: Vec<counters::Event>,
    /// Whether the user vouches for code that makes system calls.
    pub(super) trusted: bool,
    /// Whether nothing may run outside a sandbox.
    pub(super) required: bool,
    /// Time that a worker may be wanted for.
    pub(super) time: Duration,
    /// How often to look whether a fresh worker has entered its sandbox.
    pub(super) confining: Duration,
    /// Whether what starts beside a measurement is on another CPU than that.
    pub(super) elsewhere: bool,
    /// Where the bodies of each set of cases that share a worker have lain when they were timed.
    pub(super) lines: Mutex<HashMap<Vec<usize>, Lines>>,
}

/// A worker and what it maps.
#[derive(Debug)]
pub(super) struct Launched {
    /// The process.
    pub(super) worker: Worker,
    /// Its image.
    pub(super) image: Image,
    /// Its cases, by their index in the list of all.
    pub(super) cases: Vec<usize>,
    /// Its measures, by their index in the plan; empty for counting.
    pub(super) measures: Vec<u32>,
    /// What it told about its end.
    pub(super) left: Left,
    /// What became of its sandbox.
    pub(super) found: Found,
    /// What it may tell next.
    pub(super) tale: Tale,
}

/// A worker that was started and has not begun.
#[derive(Debug)]
pub(super) struct Started {
    launched: Launched,
    /// Where it is to run.
    cpu: Option<u32>,
    /// The sandbox that it was told to enter.
    sandbox: JobSandbox,
}

/// Most records that are taken at once: what a worker writes faster than they are taken has to
/// wait, so that it cannot keep the parent from looking at anything else.
const MOST_AT_ONCE: usize = 1 << 15;

impl Launched {
    /// What the worker has told since the last look.
    ///
    /// # Errors
    /// With [`Spoiled`], if what stands in the shared memory is not what a worker writes; with what
    /// came before it.
    pub(super) fn take(&mut self) -> (Vec<Record>, Result<(), Spoiled>) {
        let mut batch = Vec::new();
        if self.worker.was_stopped_by_itself() {
            self.left = Left::Spoiled;
            return (batch, Err(Spoiled));
        }
        while batch.len() < MOST_AT_ONCE {
            match self.worker.take() {
                Ok(Some(Record::Displaced {
                    what,
                    expected,
                    found,
                })) => {
                    self.left = Left::Displaced {
                        what,
                        expected,
                        found,
                    };
                }
                Ok(Some(record)) => batch.push(record),
                Ok(None) => break,
                Err(spoiled) => {
                    self.left = Left::Spoiled;
                    return (batch, Err(spoiled));
                }
            }
        }
        (batch, Ok(()))
    }
}

/// What a worker is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose<'a> {
    /// Timing, on the machine's CPU, with what is known of each measure's passes and turns.
    Timing {
        known: &'a [Option<(u32, u32)>],
        /// Bytes into its line by which everything is moved.
        offset: u32,
    },
    /// Counting, on this CPU.
    Counting(Option<u32>),
    /// Probing the branch history, on the machine's CPU.
    Probing(&'a ProbePlan),
}

impl Purpose<'_> {
    fn probing(self) -> Option<Probing> {
        match self {
            Self::Timing { .. } | Self::Counting(_) => None,
            Self::Probing(plan) => Some(Probing {
                before: plan.before,
                erased: plan.erased,
            }),
        }
    }
}

impl Launcher<'_> {
    /// The rules for a case's system calls.
    pub(super) fn rules(&self, case: usize) -> Rules {
        Rules::of(&self.cases[case], self.trusted)
    }

    /// Links the image of a world. `serial` makes this one lie elsewhere than the last.
    ///
    /// # Errors
    /// As [`Image::new`].
    pub(super) fn image(
        &self,
        cases: &[usize],
        measures: &[u32],
        plan: &Planned,
        serial: u64,
        purpose: Purpose<'_>,
    ) -> Result<Image, Error> {
        let offset = match purpose {
            Purpose::Timing { offset, .. } => offset,
            Purpose::Counting(_) | Purpose::Probing(_) => 0,
        };
        let moved: Vec<Case> = cases
            .iter()
            .map(|index| placement::moved(&self.cases[*index], offset))
            .collect();
        let members: Vec<&Case> = moved.iter().collect();
        let places: HashMap<usize, usize> = cases.iter().copied().zip(0..).collect();
        let local = |case: usize| places.get(&case).copied().unwrap_or(0);
        let wanted: Vec<Wanted> = measures
            .iter()
            .map(|id| {
                let wanted = plan.wanted[*id as usize];
                let subject = match wanted.subject {
                    Subject::Body(case) => Subject::Body(local(case)),
                    Subject::OwnEmpty(case) => Subject::OwnEmpty(local(case)),
                    shared => shared,
                };
                Wanted { subject, ..wanted }
            })
            .collect();
        let settings = Settings {
            features: self.features,
            ruler: &self.machine.ruler,
            second_ruler: self.machine.second_ruler.as_ref(),
            seed: self.seed.wrapping_add(serial.wrapping_mul(0x9e37_79b9)),
            probing: purpose.probing(),
        };
        if !matches!(purpose, Purpose::Timing { .. }) {
            return Image::new(&members, &wanted, &settings, &mut Lines::default());
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = lines.entry(cases.to_vec()).or_default();
        Image::new(&members, &wanted, &settings, lines)
    }

    /// Links a world and starts a worker for it, which may then begin.
    ///
    /// # Errors
    /// As [`Image::new`], or if no worker can be started, or if it has no sandbox and needs one.
    pub(super) fn launch(
        &self,
        world: &World,
        plan: &Planned,
        serial: u64,
        purpose: Purpose<'_>,
    ) -> Result<Launched, Error> {
        let mut last = String::new();
        for attempt in 0..TRIES {
            let started = self.start(world, plan, serial, attempt, purpose)?;
            match self.begin(started)? {
                Ok(launched) => return Ok(launched),
                Err(note) => last = note,
            }
        }
        Err(Error {
            message: format!("no range below 2 GiB is free for the image: {last}"),
            advice: "run a position-independent build of this program".to_owned(),
        })
    }

    /// Links a world and starts a worker for it, beside whatever else runs. It maps its image, enters
    /// its sandbox and waits; it is on no CPU of its own yet.
    ///
    /// # Errors
    /// As [`Image::new`], or if no worker can be started.
    pub(super) fn start(
        &self,
        world: &World,
        plan: &Planned,
        serial: u64,
        attempt: u64,
        purpose: Purpose<'_>,
    ) -> Result<Started, Error> {
        let measures: &[u32] = match purpose {
            Purpose::Timing { .. } => &world.measures,
            Purpose::Counting(_) | Purpose::Probing(_) => &[],
        };
        let place = serial * TRIES + attempt;
        let image = self.image(&world.cases, measures, plan, place, purpose)?;
        let job = self.job(&image, world, measures, plan, purpose, serial);
        let worker = Worker::start(&self.executable, &image.file, &job)
            .map_err(|error| cannot_start(&self.executable, &error))?;
        Ok(Started {
            launched: Launched {
                worker,
                image,
                cases: world.cases.clone(),
                measures: measures.to_vec(),
                left: Left::Nothing,
                found: Found::default(),
                tale: Tale::new(
                    world.cases.len(),
                    measures.len(),
                    BATCHES.saturating_mul(self.counters.len() as u32),
                    self.machine.clock.tsc_hz,
                ),
            },
            cpu: job.cpu,
            sandbox: job.sandbox,
        })
    }

    /// Waits until a worker has entered its sandbox, puts it on its CPU and lets it begin. The inner
    /// error is what it said of a range that was not free.
    ///
    /// # Errors
    /// If it has no sandbox and needs one, or cannot be put there.
    pub(super) fn begin(&self, started: Started) -> Result<Result<Launched, String>, Error> {
        let Started {
            mut launched,
            cpu,
            sandbox,
        } = started;
        if !has_mapped(&mut launched.worker)? {
            return Ok(Err(launched.worker.memory.note().unwrap_or_default()));
        }
        is_confined(&mut launched, &sandbox, self.confining)?;
        if let Some(cpu) = cpu {
            launched.worker.pin(cpu).map_err(|error| Error {
                message: format!("a worker cannot be put on CPU {cpu}: {error}"),
                advice: "choose a CPU that this process may use: --cpu N; `thunklab machine` \
                         names them"
                    .to_owned(),
            })?;
        }
        // If it is gone by now, the session sees that as with any worker.
        let _ = launched.worker.send(Command::Begin);
        Ok(Ok(launched))
    }

    fn job(
        &self,
        image: &Image,
        world: &World,
        measures: &[u32],
        plan: &Planned,
        purpose: Purpose<'_>,
        serial: u64,
    ) -> Job {
        let cases = world.cases.iter().zip(&image.cases).map(|(index, placed)| {
            let randoms = self.cases[*index].randoms.iter().zip(&placed.randoms);
            JobCase {
                setup: placed.setup,
                counting: placed.counting.function,
                randoms: randoms
                    .map(|(random, &address)| JobRandom {
                        address,
                        count: random.count,
                        below: random.below,
                        width: random.width,
                    })
                    .collect(),
            }
        });
        let places: HashMap<usize, usize> = world.cases.iter().copied().zip(0..).collect();
        let place = |case: usize| places.get(&case).copied();
        let rsp = |calls: bool| {
            if calls {
                image.stack_top
            } else {
                image.stack_top - 8
            }
        };
        let is_called = |case: usize| self.cases[case].entry != crate::api::Entry::Inline;
        let measures = measures.iter().zip(&image.passes).map(|(&id, &passes)| {
            let measure: &Measure = &plan.measures[id as usize];
            let calls = match plan.wanted[id as usize].subject {
                Subject::EmptyCall => true,
                Subject::EmptyInline => false,
                Subject::Body(case) | Subject::OwnEmpty(case) => is_called(case),
            };
            JobMeasure {
                case: measure.case.and_then(place).map(|place| place as u32),
                context: measure.context,
                passes,
                rsp: rsp(calls),
                calibrated: match purpose {
                    Purpose::Timing { known, .. } => known[id as usize],
                    Purpose::Counting(_) | Purpose::Probing(_) => None,
                },
            }
        });
        let probes = image.probes.iter().flat_map(|probes| &probes.placed);
        let probes = probes.map(|placed| JobProbe {
            case: placed.case.map(|place| place as u32),
            rsp: rsp(placed
                .case
                .is_some_and(|place| is_called(world.cases[place]))),
            functions: placed.functions,
        });
        Job {
            base: image.base,
            length: image.length,
            control: image.control.page,
            history_table: image.history_table,
            straight_rsp: image.stack_top - 8,
            instruments: image.instruments,
            ruler_links: self.machine.ruler.links,
            ticks_per_us: (self.machine.clock.tsc_hz / 1e6).round() as u32,
            fsgsbase: self.features.fsgsbase,
            cpu: match purpose {
                Purpose::Timing { .. } | Purpose::Probing(_) => Some(self.machine.cpu),
                Purpose::Counting(cpu) => cpu,
            },
            seed: self.seed,
            filter: match purpose {
                Purpose::Timing { .. } => world.rules.filter,
                // What they tell does not depend on it.
                Purpose::Counting(_) | Purpose::Probing(_) => None,
            },
            sandbox: JobSandbox {
                filtered: world.rules.sandboxed,
                traced: matches!(purpose, Purpose::Counting(_)),
                required: self.required,
                calls: world.rules.calls.clone(),
                cpu_seconds: u32::try_from(self.time.as_secs())
                    .unwrap_or(u32::MAX)
                    .saturating_add(CPU_SECONDS),
            },
            key: RandomState::new().hash_one(serial),
            counters: match purpose {
                Purpose::Timing { .. } => self.counters.clone(),
                Purpose::Counting(_) | Purpose::Probing(_) => Vec::new(),
            },
            counting: !matches!(purpose, Purpose::Timing { .. }),
            probing: match (purpose, &image.probes) {
                (Purpose::Probing(plan), Some(probes)) => JobProbing {
                    tables: probes.tables,
                    trials: plan.trials,
                    warm_up: plan.warm_up,
                    longest_us: u32::try_from(plan.longest.as_micros()).unwrap_or(u32::MAX),
                },
                _ => JobProbing::default(),
            },
            mappings: image.mappings.clone(),
            cases: cases.collect(),
            measures: measures.collect(),
            probes: probes.collect(),
        }
    }
}

/// Waits until a worker has either ended for want of its range or gone on; whether it went on.
fn has_mapped(worker: &mut Worker) -> Result<bool, Error> {
    let start = Instant::now();
    loop {
        match worker.wait(SETTLING).map_err(cannot_watch)? {
            Some(Ended::Status(STATUS_RANGE)) => return Ok(false),
            Some(_) => return Ok(true),
            None if worker.has_mapped() || start.elapsed() > Duration::from_secs(5) => {
                return Ok(true);
            }
            None => {}
        }
    }
}

/// Waits until a worker has entered its sandbox, or ended: nothing of a sequence has run until then.
fn is_confined(launched: &mut Launched, wanted: &JobSandbox, look: Duration) -> Result<(), Error> {
    let start = Instant::now();
    let mut missing = Vec::new();
    loop {
        let ended = launched.worker.wait(look).map_err(cannot_watch)?;
        // One at a time: what comes behind is for the session.
        while let Ok(Some(record)) = launched.worker.take() {
            match record {
                Record::Missing { layer, errno } => missing.push((layer, errno)),
                Record::Confined => {
                    launched.found = Found {
                        missing,
                        unlike_parent: sandbox::speculation_differs(launched.worker.pid()),
                    };
                    return Ok(());
                }
                _ => break,
            }
        }
        if ended == Some(Ended::Status(STATUS_UNCONFINED)) {
            missing.retain(|(layer, _)| wanted.needs(*layer));
            return Err(sandbox::refused(&missing));
        }
        if ended.is_some() || start.elapsed() > ENTERING {
            let note = launched.worker.memory.note().unwrap_or_default();
            let how = ended.map_or_else(|| "it hangs".to_owned(), |ended| ended.to_string());
            return Err(Error {
                message: format!("a worker did not enter its sandbox ({how}): {note}"),
                advice: "look for what limits processes here: ulimit, cgroups, a container's \
                         seccomp filter"
                    .to_owned(),
            });
        }
    }
}

fn cannot_watch(error: std::io::Error) -> Error {
    Error {
        message: format!("the worker cannot be watched: {error}"),
        advice: String::new(),
    }
}

fn cannot_start(executable: &Path, error: &std::io::Error) -> Error {
    let advice = match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE) => "raise the limit on open files: ulimit -n",
        Some(libc::EAGAIN) => "raise the limit on processes: ulimit -u, or pids.max of the cgroup",
        Some(libc::ENOMEM) => "raise the limit on memory: ulimit -v, or memory.max of the cgroup",
        Some(libc::EFBIG) => {
            "raise the limit on the size of files, which holds for files in memory too: ulimit -f"
        }
        _ => {
            "the program starts itself again as its worker: /proc must be mounted, and the \
             executable must still be there"
        }
    };
    Error {
        message: format!(
            "no worker can be started from {}: {error}",
            executable.display()
        ),
        advice: advice.to_owned(),
    }
}
