//! The parent's side: plans, starts workers one after the other, takes what they tell, and explains
//! how they end.

mod affinity;
mod claim;
mod count;
mod counters;
mod culprit;
mod failure;
mod launch;
mod planning;
mod plausible;
mod probe;
mod process;
mod progress;
mod rulers;
mod sandbox;
mod session;
mod switches;
mod trial;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

use crate::api::{Backend, Case, Error, Event, Machine, Plan, Reason};
use crate::facts;
use crate::harness::features::Features;
use crate::probe::{ProbeEvent, ProbeNext, ProbePlan};
use crate::system_calls;
pub use affinity::Elsewhere;
use launch::{Launcher, Purpose};
use planning::Planned;
use session::Session;

/// Longest that one worker of a history probe is wanted for.
const PROBING: Duration = Duration::from_secs(600);

/// This machine. It starts an executable as its worker: one whose `main` calls
/// [`worker_main`](crate::worker_main) first.
#[derive(Clone, Debug)]
pub struct Real {
    executable: PathBuf,
    machine: Option<Machine>,
    confining: Duration,
}

impl Default for Real {
    fn default() -> Self {
        Self::new()
    }
}

impl Real {
    /// Workers are the running executable, started again.
    #[must_use]
    pub fn new() -> Self {
        Self::with_worker("/proc/self/exe")
    }

    /// Workers are this executable, for tests.
    #[must_use]
    pub fn with_worker(executable: impl Into<PathBuf>) -> Self {
        Self {
            executable: executable.into(),
            machine: None,
            confining: launch::CONFINING,
        }
    }

    /// Looks so seldom whether a fresh worker has entered its sandbox, for tests: what must not
    /// happen before that is seen then has the time to.
    #[must_use]
    pub fn looking_every(mut self, pause: Duration) -> Self {
        self.confining = pause;
        self
    }

    /// The facts of a CPU, read once.
    fn facts(&mut self, cpu: Option<u32>) -> Result<&Machine, Error> {
        let cpu = facts::choose_cpu(cpu)?;
        let known = self.machine.take().filter(|machine| machine.cpu == cpu);
        let machine = match known {
            Some(machine) => machine,
            None => facts::machine(cpu)?,
        };
        Ok(self.machine.insert(machine))
    }
}

impl Backend for Real {
    fn machine(&mut self, cpu: Option<u32>) -> Result<Machine, Error> {
        self.facts(cpu).cloned()
    }

    fn each_kind(&mut self) -> Result<Vec<u32>, Error> {
        facts::one_of_each_kind()
    }

    fn measure(
        &mut self,
        cases: &[Case],
        plan: &Plan,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let start = std::time::Instant::now();
        let (executable, confining) = (self.executable.clone(), self.confining);
        let machine = self.facts(plan.cpu)?;
        let (live, not_run) = sort_out(cases, plan.allow_syscalls);
        let counters = counters::events(&plan.counters, machine.cpu);
        let mut launcher = Launcher {
            executable,
            cases,
            machine,
            features: Features::detect(),
            seed: plan.seed,
            counters: counters.as_deref().unwrap_or_default().to_vec(),
            trusted: plan.allow_syscalls,
            required: plan.require_sandbox,
            time: plan.time,
            confining,
            elsewhere: false,
            lines: Mutex::default(),
        };
        let planned = Planned::new(cases, &live, plan.allow_syscalls, plan.apart);
        // Linked once before anything is told, so that all errors of all cases come together.
        for world in &planned.worlds {
            let purpose = Purpose::Timing {
                known: &[],
                offset: 0,
            };
            launcher.image(&world.cases, &world.measures, &planned, 0, purpose)?;
        }
        let mut at_once: Vec<Event> = not_run
            .into_iter()
            .map(|(case, reason)| Event::NotRun { case, reason })
            .collect();
        at_once.extend(filtered_calls(cases, &planned));
        if let Err(reason) = &counters {
            at_once.extend(counters::refused(&plan.counters, &planned, reason));
        }
        let claim = claim::Claim::new(machine.cpu);
        at_once.extend(claim.warning());
        let elsewhere = Elsewhere::new(machine.cpu);
        launcher.elsewhere = elsewhere.is_elsewhere();
        let (counter, counting) = count::counting(machine.cpu, plan.time, count::GRACE);
        let cancel = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let counts = Builder::new().spawn_scoped(scope, || counting.run(&launcher, &cancel));
            at_once.extend(counts.err().map(|error| not_counted(&error)));
            let ended = Session::new(&launcher, plan, planned, counter, start, sink).run(at_once);
            cancel.store(true, Ordering::Relaxed);
            ended
        })
    }

    fn probe(
        &mut self,
        cases: &[Case],
        plan: &ProbePlan,
        sink: &mut dyn FnMut(ProbeEvent) -> ProbeNext,
    ) -> Result<(), Error> {
        let (executable, confining) = (self.executable.clone(), self.confining);
        let machine = self.facts(plan.cpu)?;
        let (live, not_run) = sort_out(cases, plan.allow_syscalls);
        let launcher = Launcher {
            executable,
            cases,
            machine,
            features: Features::detect(),
            seed: plan.seed,
            counters: Vec::new(),
            trusted: plan.allow_syscalls,
            required: plan.require_sandbox,
            time: PROBING,
            confining,
            elsewhere: false,
            lines: Mutex::default(),
        };
        let _elsewhere = Elsewhere::new(machine.cpu);
        let (counter, counting) = count::counting(machine.cpu, probe::COUNTING, probe::GRACE);
        let cancel = AtomicBool::new(false);
        std::thread::scope(|scope| {
            if plan.counts {
                // Without a thread there are no counts, and the table shows none.
                let _ = Builder::new().spawn_scoped(scope, || counting.run(&launcher, &cancel));
            }
            let ended = probe::Session::new(&launcher, plan, counter, sink).run(&live, not_run);
            cancel.store(true, Ordering::Relaxed);
            ended
        })
    }
}

/// A warning where exact counts cannot be taken beside the timing.
fn not_counted(error: &std::io::Error) -> Event {
    Event::Warning {
        kind: "not-counted".to_owned(),
        message: format!("no thread can be started for the exact counts: {error}"),
        advice: "raise the limit on processes: ulimit -u, or pids.max of the cgroup".to_owned(),
    }
}

/// A warning where system calls are timed under the sandbox's filter, which is in their figures.
fn filtered_calls(cases: &[Case], planned: &Planned) -> Option<Event> {
    let filtered = planned.worlds.iter().filter(|world| {
        let rules = &world.rules;
        rules.sandboxed && !rules.calls.is_empty()
    });
    let mut names: Vec<&str> = Vec::new();
    for case in filtered.flat_map(|world| &world.cases) {
        // A baseline and its copies have one name.
        let name = cases[*case].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| Event::Warning {
        kind: "syscalls-filtered".to_owned(),
        message: format!(
            "the sandbox's own filter is in the cost of the system calls of {}",
            names.join(", ")
        ),
        advice: "for code that you trust: --allow-syscalls runs them without it".to_owned(),
    })
}

/// Cases that can run, and why the others cannot.
fn sort_out(cases: &[Case], trusted: bool) -> (Vec<usize>, Vec<(usize, Reason)>) {
    let mut live = Vec::new();
    let mut not_run = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let reason = if case.ring0 {
            Some(Reason(
                "it needs ring 0, and this program runs in user mode".to_owned(),
            ))
        } else {
            facts::missing_features(&case.code, &case.needs)
                .or_else(|| system_calls::objection(case, trusted))
        };
        match reason {
            Some(reason) => not_run.push((index, reason)),
            None => live.push(index),
        }
    }
    (live, not_run)
}
