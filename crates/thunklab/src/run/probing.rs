//! The history probe of a run: for the variants of files that ask for it, when they are timed.

use std::time::Duration;

use machine::{Backend, Case, Held, Machine};
use record::{History, Record, Warning};

use crate::outcome::Refusal;
use crate::probe::{self, Length, Order as ProbeOrder};
use crate::terminal::Terminal;

use super::gathered::Gathered;
use super::job::{Entry, Job};
use super::order::Order;

/// The most that a run's probe may take of one variant: its cost is the run's subject.
const MOST: Duration = Duration::from_millis(50);

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Probing {
    length: Option<Length>,
    /// One for each entry that the record shows.
    shown: Vec<Option<History>>,
    /// Why nothing was.
    failed: Option<String>,
}

/// What is to be probed: what a run has timed.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) job: &'a Job,
    pub(crate) machine: &'a Machine,
    pub(crate) order: &'a Order,
    pub(crate) gathered: &'a Gathered,
    pub(crate) cases: &'a [Case],
}

impl Probing {
    /// Probes the entries of a job whose variants ask for it.
    ///
    /// # Errors
    /// Where the machine cannot probe at all.
    pub(crate) fn new(
        asked: &Asked<'_>,
        backend: &mut dyn Backend,
        interrupt: &Held,
        terminal: &Terminal,
    ) -> Result<Self, Refusal> {
        let &Asked {
            job,
            machine,
            order,
            gathered,
            cases,
        } = asked;
        let entries: Vec<(usize, Entry)> = job
            .entries
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, entry)| entry.shown)
            .collect();
        let asks = |(index, entry): (usize, Entry)| {
            let told = &gathered.cases[index];
            let runs = told.not_run.is_none() && told.failure.is_none();
            runs && job.variant(entry).probe_history
        };
        let asked: Vec<bool> = entries.iter().map(|&entry| asks(entry)).collect();
        if !asked.contains(&true) || interrupt.interrupted() {
            return Ok(Self::default());
        }
        let length = probe::quick(backend, machine.cpu, order.seed)?;
        let own: Vec<Case> = entries
            .iter()
            .zip(&asked)
            .filter(|(_, asked)| **asked)
            .map(|((index, _), _)| cases[*index].clone())
            .collect();
        let bar = terminal.bar("probing history {bar:30} {pos} of {len}", own.len());
        let probe_order = ProbeOrder {
            cpu: machine.cpu,
            seed: order.seed,
            length: &length,
            // The run has counted them, or said why not.
            counts: false,
            trusted: order.trusts(job),
            sandboxed: order.require_sandbox,
            apart: order.apart,
            most: Some(MOST),
            interrupted: &|| interrupt.interrupted(),
            done: &|| bar.inc(1),
        };
        let found = probe::histories(backend, &own, &probe_order);
        bar.finish_and_clear();
        let mut found = found?.into_iter();
        let shown = entries.iter().zip(&asked).map(|(&(index, _), asked)| {
            let mut found = asked.then(|| found.next())??;
            let counts = gathered.cases[index].counts.as_ref();
            let counts = counts.and_then(|counts| counts.as_ref().ok().copied());
            found.count(&cases[index], counts, &length);
            Some(found.history)
        });
        Ok(Self {
            shown: shown.collect(),
            length: Some(length),
            failed: None,
        })
    }

    /// Nothing, for this reason.
    pub(crate) fn failed(why: &Refusal) -> Self {
        Self {
            failed: Some(why.to_string()),
            ..Self::default()
        }
    }

    /// Writes it into the record.
    pub(crate) fn write(&self, record: &mut Record) {
        for (variant, shown) in record.variants.iter_mut().zip(&self.shown) {
            variant.history.clone_from(shown);
        }
        if let Some(why) = &self.failed {
            record.warnings.push(Warning {
                kind: String::from("history-probe"),
                message: format!("the branch history could not be probed: {why}"),
                advice: String::from("`thunklab probe` tries it again, without timing anything"),
            });
        }
        match self.length.as_ref().map(|length| &length.length) {
            None => {}
            Some(Ok(length)) => record.machine.history_length = Some(*length),
            Some(Err(reason)) => record.warnings.push(Warning {
                kind: String::from("history-length"),
                message: format!(
                    "whether the branch history is displaced cannot be said: {reason}"
                ),
                advice: String::from("`thunklab probe --length` shows the sweep"),
            }),
        }
    }
}
