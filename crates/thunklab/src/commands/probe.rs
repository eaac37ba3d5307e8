//! `thunklab probe`: which variants displace the branch history here, and how long it is.

use std::collections::BTreeSet;
use std::time::Duration;

use ::machine::{Backend, Case, Machine};
use anyhow::Result;
use record::{Probe as Output, Probed};

use crate::args::probe::{Probe, ProbeFormat};
use crate::args::typed::{Assembly, Common, Cpu, Run, TableFormat};
use crate::args::{Selection, Span, Sweep};
use crate::outcome::{Refusal, Status};
use crate::probe::{self, Length, Map, Order};
use crate::run::{self, cases, interrupt::Interrupt, order, recording};
use crate::terminal::Terminal;
use crate::unit::Source;
use crate::words;

/// Time for the cycles of a map, of the ten seconds in which it shall be there.
const MAP_TIME: Duration = Duration::from_secs(4);

/// Probes what was named.
pub(crate) fn probe(
    typed: &Probe,
    common: &Common,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<Status> {
    if typed.sequence.is_none() && !typed.length {
        let message = "probe: name a SEQUENCE (`thunklab list` shows the shipped ones), or ask for \
                       `--length`";
        return Err(Refusal::because(message).into());
    }
    let seed = typed.assembly.seed.unwrap_or_else(order::fresh_seed);
    let mut source = None;
    if let Some(argument) = &typed.sequence {
        let read = Source::read(argument, &typed.assembly, common, seed)?;
        let sweep = read.sweep(&typed.assembly, false)?;
        source = Some((read, sweep));
    }
    let machine = backend.machine(typed.cpu).map_err(Refusal::from)?;
    let length = if typed.length {
        probe::full(backend, machine.cpu, seed)?
    } else {
        probe::quick(backend, machine.cpu, seed)?
    };
    let mut status = Status::Done;
    let mut probed = Vec::new();
    let mut mapped = false;
    if let Some((source, sweep)) = source {
        mapped = is_map(&sweep);
        let found = if mapped {
            map(typed, source, &sweep, seed, terminal, backend)?
        } else {
            points(typed, &source, &sweep, &machine, &length, seed, backend)?
        };
        probed = found.0;
        status = found.1;
    }
    let text = match typed.format {
        ProbeFormat::Table => text(typed, &probed, mapped, &length),
        ProbeFormat::Json => {
            let mut machine = recording::machine(&machine);
            machine.history_length = length.length.as_ref().ok().copied();
            let output = Output {
                machine,
                length: length.length.as_ref().ok().copied(),
                length_reason: length.length.err(),
                steps: length.steps,
                variants: probed,
            };
            format!("{}\n", record::to_json_line(&output))
        }
    };
    terminal.data(text.as_bytes())?;
    Ok(status)
}

fn text(typed: &Probe, probed: &[Probed], mapped: bool, length: &Length) -> String {
    let mut parts = Vec::new();
    if typed.length {
        parts.push(probe::plot(length));
    }
    let maps = if mapped { Map::all(probed) } else { Vec::new() };
    if maps.is_empty() && !probed.is_empty() {
        parts.push(probe::table(probed, length));
    }
    if !maps.is_empty() {
        parts.extend(maps.iter().map(Map::text));
        parts.push(probe::below_map(length));
    }
    parts.join("\n")
}

/// Whether two params or more were given several values: a map, then, and not a list.
fn is_map(sweep: &Sweep) -> bool {
    let names: BTreeSet<&String> = sweep.points.iter().flat_map(|point| point.keys()).collect();
    let swept = names.into_iter().filter(|name| {
        let values: BTreeSet<_> = sweep.points.iter().map(|point| point.get(*name)).collect();
        values.len() > 1
    });
    // A product of two lists of two is better read as a list.
    swept.count() == 2 && sweep.points.len() > 4
}

/// Every variant that was asked for at every point, without timing it.
fn points(
    typed: &Probe,
    source: &Source,
    sweep: &Sweep,
    machine: &Machine,
    length: &Length,
    seed: u64,
    backend: &mut dyn Backend,
) -> Result<(Vec<Probed>, Status)> {
    let points = Selection::plain(&source.sequence, sweep, typed.only.as_deref());
    let units = source.assemble(&points.map_err(Refusal::because)?)?;
    let cases: Vec<Case> = units
        .iter()
        .map(|unit| cases::of_unit(&source.sequence, unit, Vec::new()))
        .collect();
    let interrupt = Interrupt::install()?;
    let order = Order {
        cpu: machine.cpu,
        seed,
        length,
        counts: true,
        interrupted: &|| interrupt.happened(),
    };
    let found = probe::histories(backend, &cases, &order)?;
    let failed = found.iter().any(|found| found.failed);
    let probed = units.iter().zip(found).map(|(unit, found)| Probed {
        name: source.sequence.variants[unit.point.variant].name.clone(),
        params: words::params(&source.sequence, &unit.point.params),
        history: found.history,
        branches: found.branches,
        cycles: None,
    });
    let status = match (interrupt.happened(), failed) {
        (true, _) => Status::Interrupted,
        (false, true) => Status::Failed,
        (false, false) => Status::Done,
    };
    Ok((probed.collect(), status))
}

/// The baseline, or what `--only` names, at every point, timed and probed.
fn map(
    typed: &Probe,
    source: Source,
    sweep: &Sweep,
    seed: u64,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<(Vec<Probed>, Status)> {
    let sequence = &source.sequence;
    let only = typed
        .only
        .clone()
        .unwrap_or_else(|| globset::escape(&sequence.baseline));
    let wanted = Selection::plain(sequence, sweep, Some(&only)).map_err(Refusal::because)?;
    let wanted: BTreeSet<String> = wanted
        .iter()
        .map(|point| sequence.variants[point.variant].name.clone())
        .collect();
    let verdict = words::context(sequence.verdict);
    let run = Run {
        sequences: Vec::new(),
        assembly: Assembly {
            seed: Some(seed),
            ..typed.assembly.clone()
        },
        grid: false,
        only: Some(only),
        baseline: None,
        between: vec![verdict],
        cpu: typed.cpu.map(Cpu::Number),
        time: Span(MAP_TIME),
        precision: None,
        noise: false,
        layouts: 1,
        counters: String::from("none"),
        allow_syscalls: false,
        require_sandbox: false,
        output: None,
        format: TableFormat::Table,
    };
    let (record, branches, status) = run::probed(source, &run, terminal, backend)?;
    let variants = record.variants.into_iter().zip(branches);
    let probed = variants
        .filter(|(variant, _)| wanted.contains(&variant.name))
        .filter_map(|(variant, branches)| {
            let measure = variant.measures.get(&verdict);
            Some(Probed {
                cycles: measure.and_then(|measure| measure.cycles.clone()),
                history: variant.history?,
                name: variant.name,
                params: variant.params,
                branches,
            })
        });
    Ok((probed.collect(), status))
}
