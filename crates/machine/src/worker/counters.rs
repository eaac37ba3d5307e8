//! Performance counters, read in rounds of their own.

use super::rounds::{Length, Rounds, Timing};
use crate::api::{Context, Reason};
use crate::counters::{Event, Group};
use crate::shared::Record;

/// Passes between two readings of performance counters: the reading itself is counted too.
const PASSES_PER_READING: u32 = 8;

impl Rounds {
    /// Reads the counters round passes of every measure, in rounds: they are rounds of their own,
    /// since reading a counter is a system call and would show in a time.
    pub(super) fn read_counters(&mut self, batches: u32) {
        if let Some(mut group) = self.counters.take() {
            // A counter that cannot be started or read gives no more values, and the parent, which
            // has opened the same, says so.
            if self.read_all_counters(batches, &mut group).is_ok() {
                self.counters = Some(group);
            }
        }
        self.memory.write(&Record::CountersRead);
        self.rest();
    }

    fn read_all_counters(&mut self, batches: u32, group: &mut Group) -> Result<(), Reason> {
        group.enable()?;
        for batch in 0..batches {
            self.fill_tables(batch);
            for index in 0..self.job.measures.len() {
                self.read_counters_of(index, group)?;
            }
        }
        group.disable()
    }

    fn read_counters_of(&mut self, index: usize, group: &mut Group) -> Result<(), Reason> {
        let measure = self.job.measures[index];
        let Timing { level, turns, .. } = self.timings[index];
        let runs = turns * measure.passes.copies[level];
        self.announce(&measure);
        let mut readings = Vec::with_capacity(3);
        self.passes(index, Length::Short);
        readings.push(group.read()?);
        for length in [Length::Short, Length::Long] {
            self.passes(index, length);
            readings.push(group.read()?);
        }
        let [short, long] = [0, 1].map(|at: usize| readings[at + 1].since(&readings[at]));
        for (counter, (&short_value, &long_value)) in
            short.values.iter().zip(&long.values).enumerate()
        {
            self.memory.write(&Record::Counter {
                measure: index as u32,
                counter: counter as u32,
                runs: runs * PASSES_PER_READING,
                short: short_value,
                long: long_value,
                enabled_ns: short.enabled_ns + long.enabled_ns,
                running_ns: short.running_ns + long.running_ns,
            });
        }
        Ok(())
    }

    /// As many passes as lie between two readings of the counters.
    fn passes(&mut self, index: usize, length: Length) {
        let measure = self.job.measures[index];
        let Timing { level, turns, .. } = self.timings[index];
        for _ in 0..PASSES_PER_READING {
            if measure.context == Context::History {
                let runs = 2 * measure.passes.copies[level] * turns;
                self.mapped.fill_history(&mut self.history_bits, runs);
            }
            self.pass(&measure, length, level, turns);
        }
    }
}

/// Opens the counters that the parent has opened for itself. Where that fails here, there are none:
/// the parent hears of no values, and says so.
pub(super) fn open(events: &[Event]) -> Option<Group> {
    Group::open(events, false).ok().flatten()
}
