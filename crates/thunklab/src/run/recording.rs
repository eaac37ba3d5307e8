//! From a job, a machine and its figures to a record.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use jiff::Timestamp;
use machine::{Executed, FailureKind, Machine, Span, TscSource};
use record::{
    Address, Around, Code, Context, Failure, Measure, ParamValue, Plan, Record, Rulers, Sentinel,
    SequenceFile, Speculation, Status, Tool, Variant, Warning,
};
use sha2::{Digest as _, Sha256};

use crate::words;

use super::analysis::{self, Analysis};
use super::gathered::{Gathered, Told};
use super::job::{Entry, Job};
use super::order::Order;
use super::placement;

/// Rounds that make numbers to be relied on where each takes long: two for each worker, and one
/// more that warms it up.
const ROUNDS_TO_TRUST: u32 = 36;

/// When a run started.
#[derive(Clone, Debug)]
pub(crate) struct Start(String);

impl Start {
    /// Now, RFC 3339, to the second.
    pub(crate) fn now() -> Self {
        Self(format!("{:.0}", Timestamp::now()))
    }
}

/// The record of what was measured so far.
pub(crate) fn record(
    job: &Job,
    machine: &Machine,
    order: &Order,
    start: &Start,
    gathered: &Gathered,
    analysis: Analysis,
    complete: bool,
) -> Record {
    Record {
        schema: record::SCHEMA,
        complete,
        tool: Tool {
            name: String::from(env!("CARGO_PKG_NAME")),
            version: String::from(env!("CARGO_PKG_VERSION")),
        },
        time: start.0.clone(),
        warnings: warnings(job, machine, order, gathered, &analysis),
        machine: self::machine(machine),
        plan: plan(job, order, gathered, &analysis),
        sequence: sequence(job),
        rulers: rulers(machine, gathered, &analysis),
        sentinel: Sentinel {
            instructions: machine.sentinel.instructions,
            floor_cycles: analysis.contention.floor_cycles,
            contended_share: analysis.contention.share,
        },
        variants: variants(job, gathered, analysis.entries),
        empty: analysis.empty,
    }
}

/// The machine's facts as records have them.
pub(crate) fn machine(machine: &Machine) -> record::Machine {
    record::Machine {
        vendor: machine.vendor.clone(),
        brand: machine.brand.clone(),
        family: machine.family,
        model: machine.model,
        stepping: machine.stepping,
        microarchitecture: machine.microarchitecture.clone(),
        core_type: machine.core_type.clone(),
        microcode: machine.microcode.clone(),
        cores: machine.cores,
        smt: machine.smt,
        hypervisor: machine.hypervisor.clone(),
        kernel: machine.kernel.clone(),
        mitigations: machine.mitigations.clone(),
        features: machine.features.clone(),
        tsc_hz: machine.clock.tsc_hz,
        tsc_source: match machine.clock.source {
            TscSource::Cpuid => record::TscSource::Cpuid,
            TscSource::Kernel => record::TscSource::Kernel,
            TscSource::Calibrated => record::TscSource::Calibrated,
        },
        governor: machine.governor.clone(),
        cpu: machine.cpu,
        speculation: Speculation {
            store_bypass: machine.store_bypass.clone(),
            indirect_branch: machine.indirect_branch.clone(),
        },
        lfence_serialises: machine.lfence_serialises,
        history_length: None,
    }
}

/// Share of contended samples above which the others are suspect too: of 325 runs on a busy host, all in
/// which a number was further off than its interval says had 0.92 and more.
const SELDOM: f64 = 0.9;
/// What to do about a contended core.
const QUIETER: &str =
    "run again when the machine is quiet, with a longer --time or on another --cpu";

fn warnings(
    job: &Job,
    machine: &Machine,
    order: &Order,
    gathered: &Gathered,
    analysis: &Analysis,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |kind: &str, message: String, advice: &str| {
        warnings.push(Warning {
            kind: kind.to_owned(),
            message,
            advice: advice.to_owned(),
        });
    };
    if analysis.contention.never_ours {
        let share = analysis.contention.share.unwrap_or(1.0) * 100.0;
        warn(
            Warning::CONTENDED,
            format!(
                "the core was never ours for long: {share:.0} % of the samples were contended, and none was left out"
            ),
            QUIETER,
        );
    } else if let Some(share) = analysis.contention.share.filter(|share| *share > SELDOM) {
        warn(
            Warning::SELDOM_OURS,
            format!(
                "the core was seldom ours: {:.1} % of the samples were contended and left out, and \
                 the rest may not be free of it",
                share * 100.0
            ),
            QUIETER,
        );
    }
    if analysis.contention.too_few {
        let (message, needed) = too_few(job, machine, order, gathered);
        warn(
            Warning::FEW_ROUNDS,
            message,
            &format!("raise --time to {needed}s"),
        );
    }
    if !machine.ruler.known_model {
        let ruler = &machine.ruler;
        warn(
            Warning::UNKNOWN_RULER,
            format!(
                "this model is not in the table of rulers: cycles assume {} of {} cycles",
                ruler.instruction, ruler.cycles_per_link
            ),
            "trust ratios and nanoseconds; tell the maintainers the model and its latencies",
        );
    }
    let misfits: u64 = gathered.measures.iter().map(|raw| raw.misfits).sum();
    if misfits > 0 {
        warn(
            "misfits",
            format!(
                "{misfits} samples held another number of runs than they should and were left out"
            ),
            "distrust this run: a variant may write where it should not",
        );
    }
    if machine.jcc_erratum
        && let Some(message) = placement::at_boundaries(job)
    {
        warn(
            "jcc-erratum",
            message,
            "see `thunklab listing`; --layouts 8 tells whether a difference survives elsewhere",
        );
    }
    let reached = placement::reached(gathered);
    if reached < order.layouts as usize {
        warn(
            "layouts-missed",
            format!(
                "{reached} of {} layouts were timed before the time was up",
                order.layouts
            ),
            "give it more --time, or fewer --layouts",
        );
    }
    if let Some(message) = placement::not_moved(job, order.layouts) {
        warn(
            "fixed-placement",
            message,
            "their comparisons hold for the placements that they have",
        );
    }
    for (kind, message, advice) in machine.warnings.iter().chain(&gathered.warnings) {
        warn(kind, message.clone(), advice);
    }
    warnings
}

/// Why there are too few rounds, and how many seconds would be enough.
fn too_few(job: &Job, machine: &Machine, order: &Order, gathered: &Gathered) -> (String, f64) {
    let time = order.time.as_secs_f64();
    let mut message = match gathered.rounds {
        1 => format!("only 1 round fitted into {time} s"),
        rounds => format!("only {rounds} rounds fitted into {time} s"),
    };
    let of_bodies = gathered.seconds_for_rounds(ROUNDS_TO_TRUST, machine.clock.tsc_hz);
    // As much as a round took with all that stands round it.
    let of_all = time * f64::from(ROUNDS_TO_TRUST) / f64::from(gathered.rounds.max(1));
    let needed = if of_bodies > time {
        of_bodies
    } else {
        let stopped = gathered
            .cases
            .iter()
            .zip(&job.entries)
            .find_map(|(told, entry)| {
                let failure = told.failure.as_ref()?;
                (failure.kind == FailureKind::Timeout).then(|| job.name(*entry))
            });
        match stopped {
            Some(name) => message.push_str(&format!(
                " beside the starting of workers, and {name} held them up until it was stopped"
            )),
            None => message.push_str(" beside the starting of workers"),
        }
        of_all.max(2.0 * time)
    };
    message.push_str(": too few for numbers to be relied on");
    (message, needed.ceil())
}

fn plan(job: &Job, order: &Order, gathered: &Gathered, analysis: &Analysis) -> Plan {
    Plan {
        seed: order.seed,
        rounds: gathered.rounds,
        workers: gathered.workers,
        between: job.all_contexts(),
        verdict: Some(job.verdict()),
        baseline: Some(job.baseline().to_owned()),
        noise_floor: Some(analysis.noise.floor(job.verdict())),
        params: swept(job),
        features: job.features.clone(),
        configs: job.configs.clone(),
        layouts: order.layouts,
        time_s: order.time.as_secs_f64(),
        precision: order.precision,
        apart: order.apart,
    }
}

/// Every param with the values that were run, in the file's order.
fn swept(job: &Job) -> IndexMap<String, Vec<ParamValue>> {
    let mut swept: IndexMap<String, Vec<ParamValue>> = IndexMap::new();
    for param in &job.sequence().params {
        let values = swept.entry(param.name.clone()).or_default();
        for unit in &job.units {
            if let Some(value) = unit.point.params.get(&param.name) {
                let value = ParamValue::from(value.as_str());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
    }
    swept
}

fn sequence(job: &Job) -> SequenceFile {
    let sequence = job.sequence();
    SequenceFile {
        name: sequence.name.clone(),
        title: sequence.title.clone(),
        sources: sequence.sources.clone(),
        text: sequence.text.to_string(),
        sha256: words::hex(&Sha256::digest(sequence.text.as_bytes())),
    }
}

fn rulers(machine: &Machine, gathered: &Gathered, analysis: &Analysis) -> Rulers {
    let ticks_per_cycle = analysis.ticks_per_cycle;
    let second = || {
        let ticks = ticks_per_cycle? * gathered.second_ruler?;
        Some(analysis::ruler(machine.second_ruler.as_ref()?, ticks))
    };
    Rulers {
        imul: ticks_per_cycle.map(|ticks| analysis::ruler(&machine.ruler, ticks)),
        second: second(),
    }
}

fn variants(
    job: &Job,
    gathered: &Gathered,
    entries: Vec<BTreeMap<Context, Measure>>,
) -> Vec<Variant> {
    let told = gathered.cases.iter();
    job.entries
        .iter()
        .zip(told)
        .zip(entries)
        .filter(|((entry, _), _)| entry.shown)
        .map(|((&entry, told), measures)| {
            let has_samples = measures.values().any(|measure| !measure.samples.is_empty());
            let (status, reason) = status(told, has_samples);
            Variant {
                name: job.name(entry),
                text: job.variant(entry).text.clone(),
                params: words::params(job.sequence(), &job.unit(entry).point.params),
                status,
                reason,
                failure: told.failure.as_ref().map(failure),
                code: Some(code(job, entry, told)),
                history: None,
                measures,
            }
        })
        .collect()
}

fn status(told: &Told, has_samples: bool) -> (Status, Option<String>) {
    if let Some(failure) = &told.failure {
        (Status::Failed, Some(failure.message.clone()))
    } else if let Some(reason) = &told.not_run {
        (Status::NotRun, Some(reason.0.clone()))
    } else if has_samples {
        (Status::Measured, None)
    } else {
        let reason = "the run ended before its first sample was kept";
        (Status::NotRun, Some(String::from(reason)))
    }
}

fn failure(failure: &machine::Failure) -> Failure {
    Failure {
        kind: words::failure(failure.kind),
        signal: failure.signal.clone(),
        address: failure.address.map(Address),
        ip: failure.ip,
        instruction: failure.instruction.clone(),
        file: failure.file.clone(),
        line: failure.line,
        message: failure.message.clone(),
    }
}

fn code(job: &Job, entry: Entry, told: &Told) -> Code {
    let text = job.unit(entry).text();
    let counts = told.counts.as_ref().and_then(|counts| counts.as_ref().ok());
    let reason = match &told.counts {
        Some(Err(reason)) => Some(reason.0.clone()),
        Some(Ok(_)) => None,
        None if told.not_run.is_some() => Some(String::from("it was not run")),
        None => Some(String::from(
            "the run ended before it was stepped; give it more --time",
        )),
    };
    let body = counts.map(|counts| counts.body);
    let least = |of: fn(Executed) -> Span| body.map(|body| of(body).least);
    let most = |of: fn(Executed) -> Span| body.map(|body| of(body).most);
    Code {
        bytes: words::hex(text),
        size: text.len() as u64,
        instructions: least(|body| body.instructions),
        instructions_max: most(|body| body.instructions),
        taken_branches: least(|body| body.taken_branches),
        taken_branches_max: most(|body| body.taken_branches),
        not_taken_branches: least(|body| body.not_taken_branches),
        not_taken_branches_max: most(|body| body.not_taken_branches),
        calls: least(|body| body.calls),
        calls_max: most(|body| body.calls),
        returns: least(|body| body.returns),
        returns_max: most(|body| body.returns),
        counted_runs: counts.map(|counts| counts.runs),
        around: counts.and_then(|counts| counts.around).map(around),
        counts_reason: reason,
    }
}

fn around(blocks: Executed) -> Around {
    Around {
        instructions: blocks.instructions.least,
        instructions_max: blocks.instructions.most,
        taken_branches: blocks.taken_branches.least,
        taken_branches_max: blocks.taken_branches.most,
        not_taken_branches: blocks.not_taken_branches.least,
        not_taken_branches_max: blocks.not_taken_branches.most,
        calls: blocks.calls.least,
        calls_max: blocks.calls.most,
        returns: blocks.returns.least,
        returns_max: blocks.returns.most,
    }
}
