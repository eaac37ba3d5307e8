//! What a measurement gave, put together by measure.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use machine::{
    Backend, Case, Context, Counts, Event, Failure, Measure, Plan, Real, Reason, Sample,
};

/// Everything that was told.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) measures: Vec<Measure>,
    pub(crate) samples: Vec<Vec<Sample>>,
    pub(crate) rounds: u32,
    pub(crate) workers: u32,
    pub(crate) failures: Vec<(usize, Failure)>,
    pub(crate) not_run: Vec<(usize, Reason)>,
    pub(crate) counts: Vec<(usize, Result<Counts, Reason>)>,
    pub(crate) warnings: Vec<String>,
    pub(crate) cycles_per_ruler: f64,
    pub(crate) took: Duration,
}

/// Measures for some milliseconds.
pub(crate) fn measure(cases: &[Case], milliseconds: u64) -> Outcome {
    let mut real = Real::new();
    let machine = real.machine(None).expect("this machine has facts");
    let mut outcome = Outcome {
        cycles_per_ruler: f64::from(machine.ruler.links) * machine.ruler.cycles_per_link,
        ..Outcome::default()
    };
    let plan = Plan {
        seed: 1,
        time: Duration::from_millis(milliseconds),
        workers: 2,
        cpu: None,
        counters: machine::CounterRequest::None,
        allow_syscalls: true,
    };
    let start = Instant::now();
    real.measure(cases, &plan, &mut |event| {
        outcome.take(event);
        ControlFlow::Continue(())
    })
    .expect("the backend works");
    outcome.took = start.elapsed();
    outcome
}

impl Outcome {
    fn take(&mut self, event: Event) {
        match event {
            Event::Planned(measures) => {
                self.samples = vec![Vec::new(); measures.len()];
                self.measures = measures;
            }
            Event::Worker { .. } => self.workers += 1,
            Event::Sample(sample) => self.samples[sample.measure.0 as usize].push(sample),
            Event::Round(_) => self.rounds += 1,
            Event::NotRun { case, reason } => self.not_run.push((case, reason)),
            Event::Failed { case, failure } => self.failures.push((case, failure)),
            Event::Counted { case, counts } => self.counts.push((case, counts)),
            Event::Counter { .. } => {}
            Event::Warning { message, .. } => self.warnings.push(message),
        }
    }

    /// Median cycles of a run of a case in a context, or of an empty body.
    pub(crate) fn cycles(&self, case: Option<usize>, context: Context, is_empty: bool) -> f64 {
        let index = self
            .measures
            .iter()
            .position(|measure| {
                (measure.case, measure.context, measure.is_empty) == (case, context, is_empty)
            })
            .expect("it was planned");
        self.median(index)
    }

    /// Median cycles of a run of a measure.
    pub(crate) fn median(&self, index: usize) -> f64 {
        let mut values: Vec<f64> = self.samples[index]
            .iter()
            .filter(|sample| sample.discard.is_none())
            .map(|sample| {
                let ticks = f64::from(sample.long_ticks) - f64::from(sample.ticks);
                ticks / f64::from(sample.runs) * self.cycles_per_ruler
                    / f64::from(sample.ruler_ticks)
            })
            .collect();
        values.sort_by(f64::total_cmp);
        *values.get(values.len() / 2).unwrap_or(&f64::NAN)
    }

    /// One line a measure, for reading.
    pub(crate) fn print(&self) {
        println!(
            "{} rounds, {} workers, {:?}; {:?}",
            self.rounds, self.workers, self.took, self.warnings
        );
        for (index, measure) in self.measures.iter().enumerate() {
            let samples = &self.samples[index];
            let runs = samples.first().map_or(0, |sample| sample.runs);
            let discards = samples
                .iter()
                .filter(|sample| sample.discard.is_some())
                .count();
            println!(
                "{:?} {:?} empty={} {:?}: {:.2} cycles, {} samples of {runs} runs, {discards} discarded",
                measure.case,
                measure.context,
                measure.is_empty,
                measure.empty,
                self.median(index),
                samples.len(),
            );
        }
        println!("{:?}\n{:?}\n{:?}", self.failures, self.not_run, self.counts);
    }
}
