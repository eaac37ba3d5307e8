//! How many copies and turns each measure needs.

use super::rounds::{Length, Rounds, Timing};
use crate::api::Context;
use crate::shared::{CONTEXTS, JobMeasure, Record};

/// A long pass is made this long, or down to half of it, microseconds: turns are a power of two, and
/// nearly all alike. With 48 of them instead of 32 a branchy body takes 1 % longer, so that all runs
/// of a file shall come to the same number, and so shall variants that cost about the same.
const LONG_PASS_US: u32 = 3;
/// Fewer turns than these stay what they are: the pass would be far too long or too short.
const LEAST_EVENED: u32 = 4;
/// How often that is looked for: a neighbour makes it too small, and rests now and then.
const SWEEPS: u32 = 3;
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
        for sweep in 0..SWEEPS {
            for index in 0..self.job.measures.len() {
                let measure = self.job.measures[index];
                let Timing { level, turns, .. } = self.timings[index];
                // What one turn of one copy is enough for is not run more often than it has to be.
                if measure.calibrated.is_some() || (sweep > 0 && (level, turns) == (0, 1)) {
                    continue;
                }
                self.announce(&measure);
                let found = self.calibrate(&measure);
                (self.timings[index].level, self.timings[index].turns) = found.max((level, turns));
            }
        }
        self.even_out();
        for (index, measure) in self.job.measures.iter().enumerate() {
            if measure.calibrated.is_none() {
                self.memory.write(&Record::Calibrated {
                    measure: index as u32,
                    level: self.timings[index].level as u32,
                    turns: self.timings[index].turns,
                });
            }
        }
        self.rest();
    }

    /// Measures of one context that would have twice or half the turns of most get as many as these.
    fn even_out(&mut self) {
        for context in CONTEXTS {
            for level in [0, 1] {
                let is_alike = |measure: &JobMeasure, timing: &Timing| {
                    measure.context == context
                        && measure.case.is_some()
                        && measure.calibrated.is_none()
                        && timing.level == level
                        && timing.turns >= LEAST_EVENED
                };
                // Counted by powers of two: nothing may be allocated here.
                let mut counts = [0_usize; u32::BITS as usize];
                let pairs = self.job.measures.iter().zip(&self.timings);
                for (_, timing) in pairs.filter(|(m, t)| is_alike(m, t)) {
                    counts[timing.turns.ilog2() as usize] += 1;
                }
                let Some(usual) = middle(&counts).map(|power| 1 << power) else {
                    continue;
                };
                let pairs = self.job.measures.iter().zip(&mut self.timings);
                for (_, Timing { turns, .. }) in pairs.filter(|(m, t)| is_alike(m, t)) {
                    if *turns == 2 * usual || 2 * *turns == usual {
                        *turns = usual;
                    }
                }
            }
        }
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
        (level, 1 << turns.ilog2())
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
        // In 64 bits: an interruption of a few milliseconds would not fit.
        let run_ns = u64::from(long.saturating_sub(short)) * 1000
            / u64::from(self.job.ticks_per_us * PROBE_TURNS);
        if run_ns >= u64::from(HIDES_COUNTER_NS) {
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

/// The place in which the middle one of all that are counted stands.
fn middle(counts: &[usize]) -> Option<usize> {
    let all: usize = counts.iter().sum();
    let mut so_far = 0;
    counts.iter().position(|count| {
        so_far += count;
        2 * so_far > all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_what_is_counted() {
        assert_eq!(middle(&[0, 0, 0]), None);
        assert_eq!(middle(&[0, 1, 0]), Some(1));
        assert_eq!(middle(&[2, 3, 4]), Some(1));
        assert_eq!(middle(&[2, 0, 4]), Some(2));
    }
}
