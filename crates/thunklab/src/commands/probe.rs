//! `thunklab probe`: which variants displace the branch history here, and how long it is.

use std::collections::BTreeSet;
use std::time::Duration;

use ::machine::{Backend, Case, Held, Machine};
use anyhow::Result;
use record::{HistoryWord, Probe as Output, Probed};

use crate::args::probe::{Probe, ProbeFormat};
use crate::args::typed::{Assembly, Common, Cpu, Run, TableFormat};
use crate::args::{Point, Selection, Span, Sweep};
use crate::catalogue;
use crate::outcome::{Refusal, Status};
use crate::probe::{self, Length, Map, Order};
use crate::run::{self, cases, order, recording};
use crate::terminal::Terminal;
use crate::unasked::unasked;
use crate::unit::Source;
use crate::words;

/// Time for the cycles of a map, of the ten seconds in which it shall be there.
const MAP_TIME: Duration = Duration::from_millis(2500);

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
    // What is found from here on is printed, however far it comes.
    let _held = Held::new();
    let mut status = Status::Done;
    let mut probed = Vec::new();
    let mut mapped = false;
    if let Some((source, sweep)) = source {
        mapped = is_map(&sweep);
        // A map is of the baseline unless others are asked for: of all variants it would take long.
        let only = match &typed.only {
            None if mapped => Some(globset::escape(&source.sequence.baseline)),
            only => only.clone(),
        };
        let selected = Selection::plain(&source.sequence, &sweep, only.as_deref());
        let selected = selected.map_err(Refusal::because)?;
        let found = points(
            &source, &selected, &machine, &length, seed, terminal, backend,
        )?;
        terminal.warn(unasked(&[&source], &typed.assembly));
        probed = found.0;
        status = found.1;
        if mapped && status == Status::Done {
            let sufficient = sufficient(&source, selected, &probed);
            status = add_cycles(
                typed,
                source,
                &sufficient,
                seed,
                &mut probed,
                terminal,
                backend,
            )?;
        }
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

/// Every point, without timing it.
fn points(
    source: &Source,
    points: &[Point],
    machine: &Machine,
    length: &Length,
    seed: u64,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<(Vec<Probed>, Status)> {
    let units = source.assemble(points)?;
    let cases: Vec<Case> = units
        .iter()
        .map(|unit| cases::of_unit(&source.sequence, unit, Vec::new()))
        .collect();
    let interrupt = Held::new();
    let bar = terminal.bar("{bar:30} {pos} of {len}, {eta} left", cases.len());
    let order = Order {
        cpu: machine.cpu,
        seed,
        length,
        counts: true,
        trusted: catalogue::is_shipped(&source.sequence.text),
        sandboxed: false,
        apart: false,
        most: None,
        interrupted: &|| interrupt.interrupted(),
        done: &|| bar.inc(1),
    };
    let found = probe::histories(backend, &cases, &order);
    bar.finish_and_clear();
    let found = found?;
    let failed = found.iter().any(|found| found.failed);
    let probed = units.iter().zip(found).map(|(unit, found)| Probed {
        name: source.sequence.variants[unit.point.variant].name.clone(),
        params: words::params(&source.sequence, &unit.point.params),
        history: found.history,
        branches: found.branches,
        cycles: None,
    });
    let status = match (interrupt.interrupted(), failed) {
        (true, _) => Status::Interrupted,
        (false, true) => Status::Failed,
        (false, false) => Status::Done,
    };
    Ok((probed.collect(), status))
}

/// The points that displace the history: of those alone the cycles are asked.
fn sufficient(source: &Source, points: Vec<Point>, probed: &[Probed]) -> Selection {
    let variants = &source.sequence.variants;
    let baseline = &source.sequence.baseline;
    let points = points.into_iter().zip(probed);
    let displaced = points.filter(|(_, one)| one.history.word == HistoryWord::Displaced);
    Selection {
        points: displaced.map(|(point, _)| point).collect(),
        baseline: variants
            .iter()
            .position(|variant| variant.name == *baseline)
            .unwrap_or(0),
    }
}

/// Times points and adds their cycles to what was probed.
fn add_cycles(
    typed: &Probe,
    source: Source,
    selection: &Selection,
    seed: u64,
    probed: &mut [Probed],
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<Status> {
    if selection.points.is_empty() {
        return Ok(Status::Done);
    }
    let verdict = words::context(source.sequence.verdict);
    let run = Run {
        sequences: Vec::new(),
        assembly: Assembly {
            seed: Some(seed),
            ..typed.assembly.clone()
        },
        grid: false,
        only: None,
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
        apart: false,
        output: None,
        format: TableFormat::Table,
    };
    let (record, status) = run::timed(source, selection, &run, terminal, backend)?;
    for one in probed {
        let timed = record
            .variants
            .iter()
            .find(|variant| variant.name == one.name && variant.params == one.params);
        let measure = timed.and_then(|variant| variant.measures.get(&verdict));
        one.cycles = measure.and_then(|measure| measure.cycles.clone());
    }
    Ok(status)
}
