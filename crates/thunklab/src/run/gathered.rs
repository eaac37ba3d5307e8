//! What the machine told while it measured, sorted but not yet judged.

use indexmap::IndexMap;
use machine::{CounterValue, Counts, Discard, Event, Failure, Measure, MeasureId, Reason, Sample};
use record::DiscardedBy;

/// Everything that was told so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    /// One for each [`MeasureId`].
    pub(crate) measures: Vec<Raw>,
    /// One for each case.
    pub(crate) cases: Vec<Told>,
    /// Rounds that were completed.
    pub(crate) rounds: u32,
    /// Workers that were started.
    pub(crate) workers: u32,
    /// Ticks to a cycle by the second ruler over those by the first.
    pub(crate) second_ruler: Option<f64>,
    /// What a timed region takes beside what is timed, cycles.
    pub(crate) overhead_cycles: Option<f64>,
    /// Kind, message and advice of each warning.
    pub(crate) warnings: Vec<(String, String, String)>,
}

/// What came of one measure.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    /// What it is.
    pub(crate) measure: Measure,
    /// Runs by which the two lengths differ, the same for all samples; 0 before the first.
    pub(crate) runs: u32,
    /// Samples that the worker has nothing against.
    pub(crate) samples: Vec<Kept>,
    /// The others, by reason.
    pub(crate) discarded: DiscardedBy,
    /// Samples of another number of runs than the first one's. A measure has one number, so these
    /// are a backend's fault or a tampered worker's.
    pub(crate) misfits: u64,
    /// Counters by name.
    pub(crate) counters: IndexMap<String, CounterValue>,
}

/// A sample without what all of a measure have alike: of many variants there are half a million.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// As in [`Sample`].
    pub(crate) round: u32,
    /// As in [`Sample`].
    pub(crate) worker: u32,
    /// As in [`Sample`].
    pub(crate) offset: u32,
    /// As in [`Sample`].
    pub(crate) ticks: u32,
    /// As in [`Sample`].
    pub(crate) long_ticks: u32,
    /// As in [`Sample`].
    pub(crate) ruler_ticks: u32,
    /// As in [`Sample`].
    pub(crate) sentinels: [u32; 2],
}

/// What was told of one case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// Why it did not run.
    pub(crate) not_run: Option<Reason>,
    /// How it failed.
    pub(crate) failure: Option<Failure>,
    /// Its exact counts, or why there are none; `None` if nothing was said.
    pub(crate) counts: Option<Result<Counts, Reason>>,
}

impl Gathered {
    /// Nothing yet, of so many cases.
    pub(crate) fn new(cases: usize) -> Self {
        Self {
            cases: vec![Told::default(); cases],
            ..Self::default()
        }
    }

    /// Takes one event. What names a case or measure that does not exist is dropped: it comes from
    /// shared memory that a stranger's code could have written to.
    pub(crate) fn take(&mut self, event: Event) {
        match event {
            Event::Planned(measures) => {
                self.measures = measures.into_iter().map(Raw::new).collect();
            }
            Event::Worker { .. } => self.workers += 1,
            Event::Sample(sample) => {
                if let Some(raw) = self.measure(sample.measure) {
                    raw.take(sample);
                }
            }
            Event::Round(_) => self.rounds += 1,
            Event::Waiting => {}
            Event::NotRun { case, reason } => {
                if let Some(told) = self.cases.get_mut(case) {
                    told.not_run = Some(reason);
                }
            }
            Event::Failed { case, failure } => {
                if let Some(told) = self.cases.get_mut(case) {
                    told.failure = Some(failure);
                }
            }
            Event::Counted { case, counts } => {
                if let Some(told) = self.cases.get_mut(case) {
                    told.counts = Some(counts);
                }
            }
            Event::Counter {
                measure,
                name,
                value,
            } => {
                if let Some(raw) = self.measure(measure) {
                    raw.counters.insert(name, value);
                }
            }
            Event::Overhead { cycles } => self.overhead_cycles = Some(cycles),
            Event::SecondRuler { ratio } => self.second_ruler = Some(ratio),
            Event::Warning {
                kind,
                message,
                advice,
            } => {
                let warning = (kind, message, advice);
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
    }

    /// How long so many rounds take, seconds, by the samples so far: each has a short pass to warm
    /// up, a short one and a long one.
    pub(crate) fn seconds_for_rounds(&self, rounds: u32, tsc_hz: f64) -> f64 {
        let ticks = |sample: &Kept| 2.0 * f64::from(sample.ticks) + f64::from(sample.long_ticks);
        let of_measure = |raw: &Raw| {
            let ticks: Vec<f64> = raw.samples.iter().map(ticks).collect();
            stats::median(&ticks).unwrap_or(0.0)
        };
        let round: f64 = self.measures.iter().map(of_measure).sum();
        f64::from(rounds) * round / tsc_hz
    }

    fn measure(&mut self, id: MeasureId) -> Option<&mut Raw> {
        self.measures.get_mut(id.0 as usize)
    }
}

impl Raw {
    fn new(measure: Measure) -> Self {
        Self {
            measure,
            runs: 0,
            samples: Vec::new(),
            discarded: DiscardedBy::default(),
            misfits: 0,
            counters: IndexMap::new(),
        }
    }

    fn take(&mut self, sample: Sample) {
        if sample.runs == 0 || (!self.samples.is_empty() && self.runs != sample.runs) {
            self.misfits += 1;
            return;
        }
        let discarded = &mut self.discarded;
        match sample.discard {
            None => {
                // By a quarter and not to the double: of a thousand variants, the room that is never
                // filled would be as large as what is.
                if self.samples.len() == self.samples.capacity() {
                    self.samples.reserve_exact(self.samples.len() / 4 + 8);
                }
                self.runs = sample.runs;
                self.samples.push(Kept {
                    round: sample.round,
                    worker: sample.worker,
                    offset: sample.offset,
                    ticks: sample.ticks,
                    long_ticks: sample.long_ticks,
                    ruler_ticks: sample.ruler_ticks,
                    sentinels: sample.sentinels,
                });
            }
            Some(Discard::Tick) => discarded.tick += 1,
            Some(Discard::Migration) => discarded.migration += 1,
            Some(Discard::Switch) => discarded.switch += 1,
            Some(Discard::Ruler) => discarded.ruler += 1,
        }
    }
}
