//! Performance counters: which can be had, and what is made of what the workers read.

use std::collections::BTreeMap;
use std::time::Duration;

use super::planning::Planned;
use crate::api::{
    Case, Context, CounterRequest, CounterValue, Counts, Entry, Event, Executed, Measure,
    MeasureId, Reason, Span,
};
use crate::counters::{self, Batch, Expected, Group, Pmus, Reading, judge};
use crate::shared::Record;

/// Batches that each worker reads.
pub(super) const BATCHES: u32 = 8;
/// Time that a batch of a measure takes, roughly: 24 passes and three readings.
const BATCH: Duration = Duration::from_micros(70);

/// Time that reading the counters of so many measures takes, roughly.
pub(super) fn time(measures: usize) -> Duration {
    BATCH * BATCHES * u32::try_from(measures).unwrap_or(u32::MAX)
}

/// The events that a CPU's PMU and this process can count.
///
/// # Errors
/// Why there are none.
pub(super) fn events(request: &CounterRequest, cpu: u32) -> Result<Vec<counters::Event>, Reason> {
    let events = counters::requested(request, &Pmus::of_system(), cpu)?;
    let group = Group::open(&events, *request == CounterRequest::Auto)?;
    Ok(group.map(|group| group.events()).unwrap_or_default())
}

/// Counters that were asked for by name and cannot be had: a warning, and an error for each measure.
pub(super) fn refused(request: &CounterRequest, planned: &Planned, reason: &Reason) -> Vec<Event> {
    let CounterRequest::Events(names) = request else {
        return Vec::new();
    };
    let warning = Event::Warning {
        kind: "no-counters".to_owned(),
        message: format!("{} cannot be counted: {}", names.join(", "), reason.0),
        advice: "`thunklab machine` says what can be counted here".to_owned(),
    };
    let ids = 0..planned.measures.len() as u32;
    let errors = ids.flat_map(|id| {
        names.iter().map(move |name| Event::Counter {
            measure: MeasureId(id),
            name: name.clone(),
            value: CounterValue::Error(reason.0.clone()),
        })
    });
    std::iter::once(warning).chain(errors).collect()
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
        events: &[counters::Event],
        planned: &Planned,
        cases: &[Case],
        counts: &BTreeMap<usize, Counts>,
        calibrated: &[Option<(u32, u32)>],
    ) -> Vec<Event> {
        if events.is_empty() {
            return Vec::new();
        }
        let mut told = Vec::new();
        let live = planned.worlds.iter().flat_map(|world| &world.measures);
        for id in live {
            let mut batches = self.batches.remove(id).unwrap_or_default();
            batches.retain(|batch| batch.short.values.len() == events.len());
            let measure = &planned.measures[*id as usize];
            let expected = expected(measure, cases, counts, calibrated[*id as usize]);
            for (name, value) in judge(events, &batches, expected.as_ref()) {
                told.push(Event::Counter {
                    measure: MeasureId(*id),
                    name,
                    value,
                });
            }
        }
        told
    }
}

/// Most instructions of the padding in front of an inline body: no line is wider than 63 bytes of
/// NOPs, each of nine bytes but for the last.
const MOST_PADDING: u64 = 8;

/// What counters must see, where that is known.
fn expected(
    measure: &Measure,
    cases: &[Case],
    counts: &BTreeMap<usize, Counts>,
    calibrated: Option<(u32, u32)>,
) -> Option<Expected> {
    let index = measure.case.filter(|_| !measure.is_empty)?;
    let inline = cases[index].entry == Entry::Inline;
    let context = match measure.context {
        Context::Chained => Some(0),
        Context::Overlap => Some(15),
        Context::Isolated => Some(1),
        // Its branches go by random bits.
        Context::History => None,
    };
    let (level, _) = calibrated?;
    let counts = counts.get(&index)?;
    let around = counts.around.unwrap_or_default();
    // The call; and the loop's counter and branch where each turn has one run.
    let harness = u64::from(!inline) + if level == 0 { 2 } else { 0 };
    let padding = if inline { MOST_PADDING } else { 0 };
    let sum = |of: fn(Executed) -> Span| Span {
        least: of(counts.body).least + of(around).least,
        most: of(counts.body).most + of(around).most,
    };
    let instructions = sum(|executed| executed.instructions);
    Some(Expected {
        instructions: instructions.least + harness + context.unwrap_or(0),
        most_instructions: context.map(|context| instructions.most + harness + context + padding),
        taken_branches: sum(|executed| executed.taken_branches),
    })
}

#[cfg(test)]
mod tests {

    use assemble::Code;

    use super::*;

    fn case(entry: Entry) -> Case {
        Case::plain("a".to_owned(), Code::default(), entry)
    }

    fn check(entry: Entry, context: Context, level: u32, least: u64, most: Option<u64>) {
        let counts = Counts {
            body: Executed {
                instructions: Span {
                    least: 100,
                    most: 110,
                },
                taken_branches: Span::always(60),
                ..Executed::default()
            },
            around: Some(Executed {
                instructions: Span::always(7),
                taken_branches: Span::always(2),
                ..Executed::default()
            }),
            runs: 3,
        };
        let measure = Measure {
            case: Some(0),
            context,
            empty: None,
            is_empty: false,
        };
        let counts = BTreeMap::from([(0, counts)]);
        let found = expected(&measure, &[case(entry)], &counts, Some((level, 4)));
        let found = found.expect("it was counted");
        assert_eq!((found.instructions, found.most_instructions), (least, most));
        assert_eq!(found.taken_branches, Span::always(62));
    }

    #[test]
    fn counters_see_body_blocks_and_harness() {
        check(Entry::Call(None), Context::Chained, 1, 108, Some(118));
        check(Entry::Call(None), Context::Isolated, 1, 109, Some(119));
        check(Entry::Call(None), Context::Chained, 0, 110, Some(120));
        check(Entry::Call(None), Context::History, 1, 108, None);
        check(Entry::Inline, Context::Overlap, 1, 122, Some(140));
    }
}
