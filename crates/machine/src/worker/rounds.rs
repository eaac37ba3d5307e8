//! Rounds: every measure once, in an order of its own, with rulers and sentinels beside it.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::mapped::Mapped;
use crate::api::{Context, Discard};
use crate::counters::Group;
use crate::harness::instruments::SHORT_LINKS;
use crate::random::Stream;
use crate::shared::{
    CONTEXTS, Job, JobMeasure, JobRandom, Memory, Record, STAGE_COUNTING, STAGE_SETUP,
};

/// A pass that takes half as long again as the fastest, and this many microseconds more, was
/// interrupted: contention never does that, and the cheapest interrupt of a guest costs more.
const INTERRUPTED_US: f64 = 0.7;
/// Pairs of both rulers that a worker measures.
const RULER_PAIRS: u32 = 40;

/// Which of the two passes that a sample is the difference of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Short,
    Long,
}

/// How a measure is timed, and the fastest that it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) level: usize,
    pub(super) turns: u32,
    fastest: [u32; 2],
}

/// A worker's state between commands.
#[derive(Debug)]
pub(super) struct Rounds {
    pub(super) job: Job,
    pub(super) mapped: Mapped,
    pub(super) memory: &'static Memory,
    pub(super) timings: Vec<Timing>,
    pub(super) history_bits: Stream,
    home: Option<u32>,
    beat: u32,
    /// The case that runs, plus one, as it was told.
    pub(super) told: u32,
    /// Room for an order of measures and for the shapes of tables: nothing is allocated while
    /// sequences run, since that may take a system call.
    order: Vec<usize>,
    filled: Vec<JobRandom>,
    warm: bool,
    set_up: Vec<bool>,
    pub(super) counters: Option<Group>,
}

impl Rounds {
    /// Nothing has run yet.
    pub(super) fn new(
        job: Job,
        mapped: Mapped,
        memory: &'static Memory,
        counters: Option<Group>,
    ) -> Self {
        let timings = job
            .measures
            .iter()
            .map(|measure| {
                let (level, turns) = measure.calibrated.unwrap_or((0, 1));
                Timing {
                    level: level.min(1) as usize,
                    turns,
                    fastest: [u32::MAX; 2],
                }
            })
            .collect();
        Self {
            history_bits: Stream::new(job.seed, u64::from(std::process::id())),
            set_up: vec![false; job.cases.len()],
            order: (0..job.measures.len()).collect(),
            filled: Vec::with_capacity(job.cases.iter().map(|case| case.randoms.len()).sum()),
            told: 0,
            job,
            mapped,
            memory,
            timings,
            home: None,
            beat: 0,
            warm: false,
            counters,
        }
    }

    /// Takes note of the CPU, once it is the one to stay on.
    pub(super) fn arrive(&mut self) {
        // Where it runs is read with the clock.
        self.mapped.time(self.job.instruments.ruler[0]);
        self.home = self.job.cpu.map(|_| self.mapped.cpu());
    }

    /// Runs each case's setup, and each of its measures alone for the first time.
    pub(super) fn try_all(&mut self) {
        self.fill_tables(0);
        // Measures come in the order of their cases. Nothing is allocated for this: a worker that is
        // confined gets no more memory.
        let mut next = 0;
        for case in 0..self.job.cases.len() {
            self.set_up(case);
            while let Some(&measure) = self.job.measures.get(next)
                && measure.case.is_none_or(|of| of == case as u32)
            {
                next += 1;
                if measure.case.is_some() {
                    self.announce(&measure);
                    self.pass(&measure, Length::Short, 0, 1);
                }
            }
            self.memory.write(&Record::Tried(case as u32));
        }
        self.rest();
    }

    /// Runs a case's setup, once in the life of a worker.
    pub(super) fn set_up(&mut self, case: usize) {
        if std::mem::replace(&mut self.set_up[case], true) {
            return;
        }
        if let Some(setup) = self.job.cases[case].setup {
            self.tell(Some(case as u32), STAGE_SETUP);
            self.return_to_nowhere();
            self.mapped.call(setup);
            let left = self.mapped.left();
            self.check(&left, self.job.straight_rsp);
        }
    }

    /// Runs rounds until their end or until told to stop.
    pub(super) fn run(&mut self, rounds: Range<u32>) {
        if !self.warm {
            // A round that nobody hears of: caches, predictors and page tables are cold.
            self.rulers();
            self.round(rounds.start, false);
            self.warm = true;
        }
        for round in rounds {
            if !self.round(round, true) {
                break;
            }
        }
        self.rest();
    }

    /// One round; whether it was completed.
    fn round(&mut self, round: u32, heard: bool) -> bool {
        self.fill_tables(round);
        for (place, index) in self.order.iter_mut().enumerate() {
            *index = place;
        }
        Stream::new(self.job.seed, 1 << 32 | u64::from(round)).shuffle(&mut self.order);
        for turn in 0..self.order.len() {
            let index = self.order[turn];
            if self.memory.header().stop.load(Ordering::Relaxed) != 0 {
                return false;
            }
            let sample = self.sample(index, round);
            if heard {
                self.memory.write(&sample);
            }
        }
        if heard {
            self.memory.write(&Record::Round(round));
        }
        true
    }

    /// One sample: rulers, a warm-up, then sentinel, short pass, long pass, sentinel close together.
    fn sample(&mut self, index: usize, round: u32) -> Record {
        let measure = self.job.measures[index];
        let Timing { level, turns, .. } = self.timings[index];
        let copies = measure.passes.copies[level];
        let at = self.job.instruments;
        self.announce(&measure);
        if measure.context == Context::History {
            // For the warm-up, the short pass and the long one.
            self.mapped
                .fill_history(&mut self.history_bits, 6 * copies * turns);
        }

        self.mapped.time(at.sentinel);
        let rulers = at.ruler.map(|ruler| self.mapped.time(ruler));
        if level > 0 {
            // Its copies are not those of the short pass.
            self.pass(&measure, Length::Long, level, turns);
        }
        self.pass(&measure, Length::Short, level, turns);
        let before = self.mapped.time(at.sentinel);
        let ticks = self.pass(&measure, Length::Short, level, turns);
        let long_ticks = self.pass(&measure, Length::Long, level, turns);
        let after = self.mapped.time(at.sentinel);

        let interrupted = self.interrupted(index, [ticks, long_ticks]);
        let discard = if self.home.is_some_and(|home| home != self.mapped.cpu()) {
            Some(Discard::Migration)
        } else if interrupted {
            Some(Discard::Tick)
        } else if ruler_was_hit(rulers, self.job.ruler_links) {
            Some(Discard::Ruler)
        } else {
            None
        };
        Record::Sample {
            measure: index as u32,
            round,
            runs: turns * copies,
            ticks,
            long_ticks,
            ruler_ticks: rulers[1].saturating_sub(rulers[0]),
            sentinels: [before, after],
            discard,
        }
    }

    /// Whether one of two passes took far longer than the fastest of its kind.
    fn interrupted(&mut self, index: usize, ticks: [u32; 2]) -> bool {
        let slack = INTERRUPTED_US * f64::from(self.job.ticks_per_us);
        let fastest = &mut self.timings[index].fastest;
        let mut interrupted = false;
        for (fastest, ticks) in fastest.iter_mut().zip(ticks) {
            *fastest = (*fastest).min(ticks);
            interrupted |= f64::from(ticks) > 1.5 * f64::from(*fastest) + slack;
        }
        interrupted
    }

    /// One pass, and a look at what it left. The long pass of a loop of one copy is the same loop
    /// with twice the turns.
    pub(super) fn pass(
        &mut self,
        measure: &JobMeasure,
        length: Length,
        level: usize,
        turns: u32,
    ) -> u32 {
        let (short, long) = (measure.passes.short[level], measure.passes.long[level]);
        let (pass, turns) = match length {
            Length::Short => (short, turns),
            Length::Long if long == short => (short, 2 * turns),
            Length::Long => (long, turns),
        };
        self.beat();
        self.return_to_nowhere();
        self.mapped.set_turns(turns);
        let ticks = self.mapped.time(pass);
        let left = self.mapped.left();
        self.check(&left, measure.rsp);
        ticks
    }

    /// A `ret` in straight-line code is a fault, at an address by which it is known.
    fn return_to_nowhere(&self) {
        self.mapped.set_return(self.job.straight_rsp, self.job.base);
    }

    /// Both rulers, one beside the other, or the first alone where there is no second.
    fn rulers(&mut self) {
        let at = self.job.instruments;
        for _ in 0..RULER_PAIRS {
            let [short, long] = at.ruler.map(|ruler| self.mapped.time(ruler));
            let second = if at.second_ruler[0] == 0 {
                0
            } else {
                let [short, long] = at.second_ruler.map(|ruler| self.mapped.time(ruler));
                long.saturating_sub(short)
            };
            self.memory.write(&Record::Rulers {
                first: long.saturating_sub(short),
                short,
                second,
            });
        }
    }

    /// Fills all tables for a round; those of one shape alike.
    pub(super) fn fill_tables(&mut self, round: u32) {
        self.filled.clear();
        for random in self.job.cases.iter().flat_map(|case| &case.randoms) {
            let shape = (random.count, random.below, random.width);
            let twin = self
                .filled
                .iter()
                .find(|other| (other.count, other.below, other.width) == shape);
            match twin {
                Some(twin) => self.mapped.copy(twin, random),
                None => {
                    let purpose = u64::from(random.below) << 32 ^ u64::from(round);
                    let mut stream = Stream::new(self.job.seed, 2 << 60 ^ purpose);
                    self.mapped.fill(random, &mut stream);
                    self.filled.push(*random);
                }
            }
        }
    }

    /// A number for filling tables that no round had so far.
    pub(super) fn next_filling(&self) -> u32 {
        self.beat
    }

    /// One body of a case behind the counting harness's `int3`.
    pub(super) fn count(&mut self, case: u32) {
        let Some(counting) = self.job.cases.get(case as usize).map(|case| case.counting) else {
            return;
        };
        self.fill_tables(self.beat);
        self.set_up(case as usize);
        self.tell(Some(case), STAGE_COUNTING);
        self.return_to_nowhere();
        self.mapped.call(counting);
        self.memory.write(&Record::Counted(case));
        self.rest();
    }

    /// Tells what runs now, for the case that it does not come back.
    pub(super) fn announce(&mut self, measure: &JobMeasure) {
        let context = CONTEXTS.iter().position(|known| *known == measure.context);
        self.tell(measure.case, context.unwrap_or(0) as u32);
    }

    pub(super) fn tell(&mut self, case: Option<u32>, stage: u32) {
        self.beat();
        self.told = case.map_or(0, |case| case + 1);
        let header = self.memory.header();
        header.case.store(self.told, Ordering::Relaxed);
        header.stage.store(stage, Ordering::Relaxed);
    }

    /// Shows the watchdog that something else runs now.
    pub(super) fn beat(&mut self) {
        self.beat = self.beat.wrapping_add(1);
        let header = self.memory.header();
        header.beat.store(self.beat, Ordering::Relaxed);
    }

    /// Nothing foreign runs.
    pub(super) fn rest(&mut self) {
        self.tell(None, 0);
    }
}

/// Whether one of two rulers was interrupted: their lengths are known, so one foretells the other
/// at any frequency. The short one reads up to a sixth too long, for its own overhead.
fn ruler_was_hit([short, long]: [u32; 2], links: u32) -> bool {
    let foretold = f64::from(short) * f64::from(links) / f64::from(SHORT_LINKS);
    let difference = f64::from(long) - f64::from(short);
    !(0.7 * foretold..1.2 * foretold).contains(&difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruler_vouches_for_itself() {
        // 200 and 800 links of 3 cycles at 0.7 ticks a cycle, with 40 ticks of overhead.
        assert!(!ruler_was_hit([460, 1720], 600));
        assert!(ruler_was_hit([460 + 3000, 1720], 600));
        assert!(ruler_was_hit([460, 1720 + 3000], 600));
        assert!(ruler_was_hit([460, 100], 600));
    }
}
