//! `thunklab run`: read, assemble, measure, analyse, record, show. Each stage is a module.

mod analysis;
pub(crate) mod cases;
mod contention;
mod gathered;
mod job;
mod keeper;
mod layouts;
mod noise;
pub(crate) mod order;
mod placement;
mod probing;
mod progress;
pub(crate) mod recording;
mod samples;
mod show;
mod spread;

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use machine::{Backend, Elsewhere, Held, Machine};
use record::{Record, Status as VariantStatus};

use crate::args::Selection;
use crate::args::typed::{Common, Run};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;
use crate::unasked::unasked;
use crate::unit::Source;

use analysis::Analysis;
use gathered::Gathered;
use job::Job;
use keeper::Keeper;
use noise::Noise;
use order::Order;
use probing::{Asked, Probing};
use progress::Progress;

/// How often a record is rewritten, and a precision looked at, while the run goes on.
const PULSE: Duration = Duration::from_millis(900);

/// Runs what was typed on `backend`.
pub(crate) fn run(
    typed: &Run,
    common: &Common,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<Status> {
    let order = Order::new(typed)?;
    let jobs = Job::all(typed, common, &order)?;
    for job in &jobs {
        job.tell_warnings(terminal);
    }
    let sources: Vec<&Source> = jobs.iter().map(Job::source).collect();
    terminal.warn(unasked(&sources, &typed.assembly));
    let interrupt = Held::new();
    let mut machines = Vec::new();
    for cpu in order.cpus(backend)? {
        machines.push(backend.machine(cpu).map_err(Refusal::from)?);
    }
    // Where the records go is settled before anything runs.
    let pairs = machines
        .iter()
        .flat_map(|machine| jobs.iter().map(move |job| (machine, job)));
    let mut kept = Vec::new();
    for (machine, job) in pairs {
        let path = order.path(job, machine);
        keeper::check_distinct(&path, kept.iter().map(|(_, _, _, other)| other))?;
        kept.push((machine, job, Keeper::new(path.clone())?, path));
    }
    let mut status = Status::Done;
    let mut shown = 0;
    // What kept files from being measured: the others are no worse for it.
    let mut refused: Option<Refusal> = None;
    for (machine, job, keeper, _) in kept {
        let outcome = match one(
            job, machine, &order, keeper, true, terminal, backend, &interrupt,
        ) {
            Ok(outcome) => outcome,
            Err(error) => {
                refused
                    .get_or_insert_default()
                    .extend(error.downcast::<Refusal>()?);
                if interrupt.interrupted() {
                    break;
                }
                continue;
            }
        };
        // The record first: what reads the table may have gone away.
        let printed = show::record(&outcome.record, &outcome.noise, &order, shown, terminal);
        shown += 1;
        let before = interrupt.interrupted();
        let given = outcome
            .keeper
            .give(&outcome.record, &mut || interrupt.interrupted() == before);
        for kept in [outcome.saved, given] {
            // What could be measured of the other files is worth having all the same.
            if let Err(error) = kept {
                terminal.tell(&record::harmless(&format!("thunklab: {error:#}\n")));
                status = status.max(Status::Failed);
            }
        }
        if let Err(error) = printed {
            // Nobody sees the others' tables either.
            if let Some(refused) = refused {
                refused.tell(terminal);
            }
            return Err(error.into());
        }
        status = status.max(status_of(&outcome.record));
        if interrupt.interrupted() {
            status = Status::Interrupted;
            break;
        }
    }
    match refused {
        None => Ok(status),
        Some(refused) if status == Status::Interrupted => {
            refused.tell(terminal);
            Ok(status)
        }
        Some(refused) => Err(refused.into()),
    }
}

/// Times these points of one sequence, without the history probe, and gives the record.
pub(crate) fn timed(
    source: Source,
    selection: &Selection,
    typed: &Run,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<(Record, Status)> {
    let order = Order::new(typed)?;
    let job = Job::of(source, selection, typed, &order)?;
    let interrupt = Held::new();
    let cpu = order.cpus(backend)?.first().copied().flatten();
    let machine = backend.machine(cpu).map_err(Refusal::from)?;
    let keeper = Keeper::new(None)?;
    let outcome = one(
        &job, &machine, &order, keeper, false, terminal, backend, &interrupt,
    )?;
    let status = if interrupt.interrupted() {
        Status::Interrupted
    } else {
        status_of(&outcome.record)
    };
    Ok((outcome.record, status))
}

/// What came of one sequence on one CPU.
struct Outcome {
    record: Record,
    noise: Noise,
    /// Whether the record could be written, where it goes to a file.
    saved: Result<()>,
    /// Where it goes.
    keeper: Keeper,
}

/// Measures one sequence on one CPU.
#[expect(
    clippy::too_many_arguments,
    reason = "the pipeline's parts, each of them once"
)]
fn one(
    job: &Job,
    machine: &Machine,
    order: &Order,
    keeper: Keeper,
    probes: bool,
    terminal: &Terminal,
    backend: &mut dyn Backend,
    interrupt: &Held,
) -> Result<Outcome> {
    let cases = cases::cases(job);
    let plan = order.plan(job, machine.cpu);
    let start = recording::Start::now();
    let mut gathered = Gathered::new(cases.len());
    let mut progress = Progress::new(job, &plan, terminal);
    let mut pulse = Instant::now();
    backend
        .measure(&cases, &plan, &mut |event| {
            progress.see(&event);
            let ends_a_round = matches!(event, machine::Event::Round(_));
            gathered.take(event);
            if interrupt.interrupted() {
                return ControlFlow::Break(());
            }
            if !ends_a_round || pulse.elapsed() < PULSE {
                return ControlFlow::Continue(());
            }
            let narrow = pulse_of(job, machine, order, &start, &gathered, &keeper);
            pulse = Instant::now();
            narrow
        })
        .map_err(Refusal::from)?;
    progress.end();
    let asked = Asked {
        job,
        machine,
        order,
        gathered: &gathered,
        cases: &cases,
    };
    let (probing, analysis) = if probes {
        probed_and_judged(&asked, terminal, backend, interrupt)
    } else {
        (Probing::default(), asked.judged())
    };
    let complete = !interrupt.interrupted();
    let noise = analysis.noise.clone();
    let mut record = recording::record(job, machine, order, &start, &gathered, analysis, complete);
    drop(gathered);
    probing.write(&mut record);
    let saved = keeper.save(&record);
    Ok(Outcome {
        record,
        noise,
        saved,
        keeper,
    })
}

impl Asked<'_> {
    fn judged(&self) -> Analysis {
        Analysis::new(self.job, self.machine, self.order, self.gathered)
    }
}

/// Probes the history, and judges meanwhile what was gathered, where there is a CPU for it beside the
/// one that is probed on.
fn probed_and_judged(
    asked: &Asked<'_>,
    terminal: &Terminal,
    backend: &mut dyn Backend,
    interrupt: &Held,
) -> (Probing, Analysis) {
    thread::scope(|scope| {
        let elsewhere = || {
            let elsewhere = Elsewhere::new(asked.machine.cpu);
            elsewhere.has_left().then(|| asked.judged())
        };
        let judging = thread::Builder::new().spawn_scoped(scope, elsewhere);
        // What was timed is kept even if the machine cannot probe any more.
        let probing = Probing::new(asked, backend, interrupt, terminal)
            .unwrap_or_else(|why| Probing::failed(&why));
        let judged = match judging.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(judged)) => judged,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        };
        (probing, judged.unwrap_or_else(|| asked.judged()))
    })
}

/// What is done about once a second: the record so far is written, and the run ends if it is as
/// precise as was asked for.
fn pulse_of(
    job: &Job,
    machine: &Machine,
    order: &Order,
    start: &recording::Start,
    gathered: &Gathered,
    keeper: &Keeper,
) -> ControlFlow<()> {
    if !keeper.keeps() && order.precision.is_none() {
        return ControlFlow::Continue(());
    }
    let analysis = Analysis::new(job, machine, order, gathered);
    let within = order.precision.map(|most| analysis.is_within(most));
    if keeper.keeps() {
        let record = recording::record(job, machine, order, start, gathered, analysis, false);
        keeper.save_meanwhile(&record);
    }
    match within {
        Some(true) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

fn status_of(record: &Record) -> Status {
    let failed = |variant: &record::Variant| variant.status == VariantStatus::Failed;
    if record.variants.iter().any(failed) {
        Status::Failed
    } else {
        Status::Done
    }
}
