//! How many copies and turns each measure needs.

use super::rounds::{Length, Rounds};
use crate::api::Context;
use crate::shared::{JobMeasure, Record};

/// A long pass is made about this long, microseconds.
const LONG_PASS_US: u32 = 3;
/// And is not longer than this where the body allows, microseconds.
const LONGEST_PASS_US: u32 = 5;
/// A body that takes this long hides the loop's counter alone, nanoseconds.
const HIDES_COUNTER_NS: u32 = 12;
/// Turns for finding that out.
const PROBE_TURNS: u32 = 16;
/// Most turns of a loop, for bodies that take no time at all.
const MOST_TURNS: u32 = 512;

impl Rounds {
    /// Finds the passes and the turns for each measure that came without.
    pub(super) fn calibrate_all(&mut self) {
        for index in 0..self.job.measures.len() {
            let measure = self.job.measures[index];
            if measure.calibrated.is_none() {
                self.announce(&measure);
                let (level, turns) = self.calibrate(&measure);
                self.timings[index].level = level;
                self.timings[index].turns = turns;
                self.memory.write(&Record::Calibrated {
                    measure: index as u32,
                    level: level as u32,
                    turns,
                });
            }
        }
        self.rest();
    }

    /// From one turn of one copy upward, so that the slowest body runs twice and no more.
    fn calibrate(&mut self, measure: &JobMeasure) -> (usize, u32) {
        let wanted = LONG_PASS_US * self.job.ticks_per_us;
        let (level, mut ticks) = self.choose_copies(measure);
        let mut turns = 1;
        // What is timed beside the loop weighs less with more turns: the third guess is close.
        for _ in 0..3 {
            let next = u64::from(turns) * u64::from(wanted) / u64::from(ticks.max(1));
            let next = next.clamp(1, u64::from(MOST_TURNS)) as u32;
            if next == turns {
                break;
            }
            turns = next;
            ticks = self.fastest(measure, Length::Long, level, turns);
        }
        (level, turns)
    }

    /// The pair of passes for a body, and the ticks of its long one with the fewest turns.
    fn choose_copies(&mut self, measure: &JobMeasure) -> (usize, u32) {
        let copies = measure.passes.copies;
        let single = self.fastest(measure, Length::Long, 0, 1);
        // One pass of many copies must not be too long.
        let most = LONGEST_PASS_US * self.job.ticks_per_us;
        if copies[1] == 1 || u64::from(single) * u64::from(copies[1]) > u64::from(most) {
            return (0, single);
        }
        // What is taken off must not depend on a close call: the same loop in every run. A fence hides
        // the counter of many copies, and shows a cycle of it with one.
        let fenced = matches!(measure.context, Context::Isolated | Context::History);
        if fenced && measure.case.is_none() {
            return (1, self.fastest(measure, Length::Long, 1, 1));
        }
        let short = self.fastest(measure, Length::Short, 0, PROBE_TURNS);
        let long = self.fastest(measure, Length::Long, 0, PROBE_TURNS);
        let run_ns = long.saturating_sub(short) * 1000 / self.job.ticks_per_us / PROBE_TURNS;
        if run_ns >= HIDES_COUNTER_NS {
            return (0, single);
        }
        (1, self.fastest(measure, Length::Long, 1, 1))
    }

    /// The least of three passes. Bodies that take milliseconds are not run again for that.
    fn fastest(&mut self, measure: &JobMeasure, length: Length, level: usize, turns: u32) -> u32 {
        let mut fastest = u32::MAX;
        for _ in 0..3 {
            if measure.context == Context::History {
                let runs = 2 * measure.passes.copies[level] * turns;
                self.mapped.fill_history(&mut self.history_bits, runs);
            }
            let ticks = self.pass(measure, length, level, turns);
            fastest = fastest.min(ticks);
            if ticks > 1000 * self.job.ticks_per_us {
                break;
            }
        }
        fastest
    }
}
