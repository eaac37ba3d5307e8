//! Rounds: every measure once, in an order of its own, with rulers and sentinels beside it.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::mapped::{Left, Mapped};
use super::{STATUS_DISPLACED, process};
use crate::api::{Context, Discard, Reason};
use crate::counters::Group;
use crate::harness::instruments::SHORT_LINKS;
use crate::random::Stream;
use crate::shared::{
    CONTEXTS, Displaced, Job, JobMeasure, JobRandom, Memory, Record, STAGE_COUNTING, STAGE_SETUP,
};

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
/// A pass that takes half as long again as the fastest, and this many microseconds more, was
/// interrupted: contention never does that, and the cheapest interrupt of a guest costs more.
const INTERRUPTED_US: f64 = 0.7;
/// Pairs of both rulers that a worker measures.
const RULER_PAIRS: u32 = 40;

/// Passes between two readings of performance counters: the reading itself is counted too.
const PASSES_PER_READING: u32 = 8;

/// Flags that must be as they were: TF, DF, NT, AC.
const FLAGS: u64 = 1 << 8 | 1 << 10 | 1 << 14 | 1 << 18;
/// The control bits of MXCSR: the others are exceptions seen, which any arithmetic may set.
const MXCSR_CONTROL: u32 = 0xffc0;
/// MXCSR and x87 control word as sequences find them.
const MXCSR: u32 = 0x1f80;
const X87: u16 = 0x037f;

/// Which of the two passes that a sample is the difference of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Short,
    Long,
}

/// How a measure is timed, and the fastest that it was.
#[derive(Clone, Copy, Debug)]
struct Timing {
    level: usize,
    turns: u32,
    fastest: [u32; 2],
}

/// A worker's state between commands.
#[derive(Debug)]
pub(super) struct Rounds {
    job: Job,
    mapped: Mapped,
    memory: &'static Memory,
    timings: Vec<Timing>,
    history_bits: Stream,
    home: Option<u32>,
    beat: u32,
    warm: bool,
    set_up: Vec<bool>,
    counters: Option<Group>,
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
        mapped.time(job.instruments.ruler[0]);
        let home = job.cpu.map(|_| mapped.cpu());
        Self {
            history_bits: Stream::new(job.seed, u64::from(std::process::id())),
            set_up: vec![false; job.cases.len()],
            job,
            mapped,
            memory,
            timings,
            home,
            beat: 0,
            warm: false,
            counters,
        }
    }

    /// Runs each case's setup, and each of its measures alone for the first time.
    pub(super) fn try_all(&mut self) {
        self.fill_tables(0);
        for case in 0..self.job.cases.len() {
            self.set_up(case);
            for index in 0..self.job.measures.len() {
                let measure = self.job.measures[index];
                if measure.case == Some(case as u32) {
                    self.announce(&measure);
                    self.pass(&measure, Length::Short, 0, 1);
                }
            }
            self.memory.write(&Record::Tried(case as u32));
        }
        self.rest();
    }

    /// Runs a case's setup, once in the life of a worker.
    fn set_up(&mut self, case: usize) {
        if std::mem::replace(&mut self.set_up[case], true) {
            return;
        }
        if let Some(setup) = self.job.cases[case].setup {
            self.tell(Some(case as u32), STAGE_SETUP);
            self.mapped.call(setup);
            let left = self.mapped.left();
            self.check(&left, self.job.straight_rsp);
        }
    }

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

    /// Runs rounds until their end or until told to stop.
    pub(super) fn run(&mut self, rounds: Range<u32>) {
        if !self.warm {
            // A round that nobody hears of: caches, predictors and page tables are cold.
            self.second_ruler();
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
        let mut order: Vec<usize> = (0..self.job.measures.len()).collect();
        Stream::new(self.job.seed, 1 << 32 | u64::from(round)).shuffle(&mut order);
        for index in order {
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
    fn pass(&mut self, measure: &JobMeasure, length: Length, level: usize, turns: u32) -> u32 {
        let (short, long) = (measure.passes.short[level], measure.passes.long[level]);
        let (pass, turns) = match length {
            Length::Short => (short, turns),
            Length::Long if long == short => (short, 2 * turns),
            Length::Long => (long, turns),
        };
        self.beat();
        self.mapped.set_turns(turns);
        let ticks = self.mapped.time(pass);
        let left = self.mapped.left();
        self.check(&left, measure.rsp);
        ticks
    }

    /// Leaves with a report if something is not as it has to be.
    fn check(&self, left: &Left, rsp: u64) {
        let (mxcsr, flags) = (left.mxcsr & MXCSR_CONTROL, left.flags & FLAGS);
        let (fs, gs) = if self.job.fsgsbase {
            (left.fs, left.gs)
        } else {
            (left.clean_fs, left.clean_gs)
        };
        let checks = [
            (Displaced::Rsp, rsp, left.rsp),
            (Displaced::Flags, 0, flags),
            (Displaced::Mxcsr, u64::from(MXCSR), u64::from(mxcsr)),
            (Displaced::X87, u64::from(X87), u64::from(left.x87)),
            (Displaced::Fs, left.clean_fs, fs),
            (Displaced::Gs, left.clean_gs, gs),
        ];
        for (what, expected, found) in checks {
            if expected != found {
                self.memory.write(&Record::Displaced {
                    what,
                    expected,
                    found,
                });
                process::exit(STATUS_DISPLACED);
            }
        }
    }

    /// Both rulers, one beside the other.
    fn second_ruler(&mut self) {
        let at = self.job.instruments;
        if at.second_ruler[0] == 0 {
            return;
        }
        for _ in 0..RULER_PAIRS {
            let [first, second] = [at.ruler, at.second_ruler].map(|ruler| {
                let [short, long] = ruler.map(|ruler| self.mapped.time(ruler));
                long.saturating_sub(short)
            });
            self.memory.write(&Record::SecondRuler { first, second });
        }
    }

    /// Fills all tables for a round; those of one shape alike.
    fn fill_tables(&mut self, round: u32) {
        let mut filled: Vec<JobRandom> = Vec::new();
        for random in self.job.cases.iter().flat_map(|case| &case.randoms) {
            let shape = (random.count, random.below, random.width);
            let twin = filled
                .iter()
                .find(|other| (other.count, other.below, other.width) == shape);
            match twin {
                Some(twin) => self.mapped.copy(twin, random),
                None => {
                    let purpose = u64::from(random.below) << 32 ^ u64::from(round);
                    let mut stream = Stream::new(self.job.seed, 2 << 60 ^ purpose);
                    self.mapped.fill(random, &mut stream);
                    filled.push(*random);
                }
            }
        }
    }

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

    /// One body of a case behind the counting harness's `int3`.
    pub(super) fn count(&mut self, case: u32) {
        let Some(counting) = self.job.cases.get(case as usize).map(|case| case.counting) else {
            return;
        };
        self.fill_tables(self.beat);
        self.set_up(case as usize);
        self.tell(Some(case), STAGE_COUNTING);
        self.mapped.call(counting);
        self.memory.write(&Record::Counted(case));
        self.rest();
    }

    /// Tells what runs now, for the case that it does not come back.
    fn announce(&mut self, measure: &JobMeasure) {
        let context = CONTEXTS.iter().position(|known| *known == measure.context);
        self.tell(measure.case, context.unwrap_or(0) as u32);
    }

    fn tell(&mut self, case: Option<u32>, stage: u32) {
        self.beat();
        let header = self.memory.header();
        header
            .case
            .store(case.map_or(0, |case| case + 1), Ordering::Relaxed);
        header.stage.store(stage, Ordering::Relaxed);
    }

    /// Shows the watchdog that something else runs now.
    fn beat(&mut self) {
        self.beat = self.beat.wrapping_add(1);
        let header = self.memory.header();
        header.beat.store(self.beat, Ordering::Relaxed);
    }

    /// Nothing foreign runs.
    fn rest(&mut self) {
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
