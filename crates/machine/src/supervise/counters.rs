//! Performance counters: which can be had, and what is made of what the workers read.

use std::collections::BTreeMap;
use std::time::Duration;

use super::planning::Planned;
use crate::api::{
    Case, Context, CounterRequest, CounterValue, Counts, Entry, Event, Measure, MeasureId, Reason,
};
use crate::counters::{Batch, Expected, Group, Reading, judge};
use crate::image::has_own_empty;
use crate::shared::Record;

/// Batches that each worker reads.
pub(super) const BATCHES: u32 = 8;
/// Time that a batch of a measure takes, roughly: 24 passes and three readings.
const BATCH: Duration = Duration::from_micros(70);

/// Time that reading the counters of so many measures takes, roughly.
pub(super) fn time(measures: usize) -> Duration {
    BATCH * BATCHES * u32::try_from(measures).unwrap_or(u32::MAX)
}

/// Names of the counters that this process can open.
///
/// # Errors
/// Why there are none.
pub(super) fn names(request: &CounterRequest) -> Result<Vec<&'static str>, Reason> {
    let group = Group::open(request)?;
    Ok(group.map(|group| group.names()).unwrap_or_default())
}

/// Counters that were asked for by name and cannot be had: an error for each measure.
pub(super) fn refused(request: &CounterRequest, planned: &Planned, reason: &Reason) -> Vec<Event> {
    let CounterRequest::Events(names) = request else {
        return Vec::new();
    };
    let ids = 0..planned.measures.len() as u32;
    ids.flat_map(|id| {
        names.iter().map(move |name| Event::Counter {
            measure: MeasureId(id),
            name: name.clone(),
            value: CounterValue::Error(reason.0.clone()),
        })
    })
    .collect()
}

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Readings {
    batches: BTreeMap<u32, Vec<Batch>>,
}

impl Readings {
    /// Takes a record of a measure of the plan; others than counters are none of its business.
    /// The counters of one batch come one after the other.
    pub(super) fn take(&mut self, measure: u32, record: &Record) {
        let Record::Counter {
            counter,
            runs,
            short,
            long,
            enabled_ns,
            running_ns,
            ..
        } = *record
        else {
            return;
        };
        let batches = self.batches.entry(measure).or_default();
        let empty = || Reading {
            values: Vec::new(),
            enabled_ns,
            running_ns,
        };
        if counter == 0 {
            batches.push(Batch {
                runs,
                short: empty(),
                long: empty(),
            });
        }
        if let Some(batch) = batches.last_mut()
            && batch.short.values.len() == counter as usize
        {
            batch.short.values.push(short);
            batch.long.values.push(long);
        }
    }

    /// Values per run of each measure; for one that no worker could read, the error of no batches.
    pub(super) fn judge(
        mut self,
        names: &[&'static str],
        planned: &Planned,
        cases: &[Case],
        counts: &BTreeMap<usize, Counts>,
        calibrated: &[Option<(u32, u32)>],
    ) -> Vec<Event> {
        if names.is_empty() {
            return Vec::new();
        }
        let mut events = Vec::new();
        let live = planned.worlds.iter().flat_map(|world| &world.measures);
        for id in live {
            let mut batches = self.batches.remove(id).unwrap_or_default();
            batches.retain(|batch| batch.short.values.len() == names.len());
            let measure = &planned.measures[*id as usize];
            let expected = expected(measure, cases, counts, calibrated[*id as usize]);
            for (name, value) in judge(names, &batches, expected.as_ref()) {
                events.push(Event::Counter {
                    measure: MeasureId(*id),
                    name: name.to_owned(),
                    value,
                });
            }
        }
        events
    }
}

/// What counters must see, where that is known: not behind random branches, and not where other
/// blocks or padding stand between the bodies.
fn expected(
    measure: &Measure,
    cases: &[Case],
    counts: &BTreeMap<usize, Counts>,
    calibrated: Option<(u32, u32)>,
) -> Option<Expected> {
    let index = measure.case.filter(|_| !measure.is_empty)?;
    let case = &cases[index];
    if has_own_empty(case) || case.entry == Entry::Inline {
        return None;
    }
    let context = match measure.context {
        Context::Chained => 0,
        Context::Overlap => 15,
        Context::Isolated => 1,
        Context::History => return None,
    };
    let (level, _) = calibrated?;
    // The call; and the loop's counter and branch where each turn has one run.
    let harness = if level == 0 { 3 } else { 1 };
    Some(Expected {
        counts: *counts.get(&index)?,
        harness_instructions: harness + context,
    })
}
