//! What a measurement gave, put together by measure.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use machine::{
    Backend, Case, Context, CounterValue, Counts, Event, Failure, Measure, Plan, Real, Reason,
    Sample,
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
    pub(crate) counters: Vec<(u32, String, CounterValue)>,
    pub(crate) warnings: Vec<String>,
    pub(crate) second_ruler: Option<f64>,
    pub(crate) cycles_per_ruler: f64,
    pub(crate) took: Duration,
}

/// Measures for some milliseconds.
pub(crate) fn measure(cases: &[Case], milliseconds: u64) -> Outcome {
    measure_as(cases, &plan(milliseconds))
}

/// Measures by a plan.
pub(crate) fn measure_as(cases: &[Case], plan: &Plan) -> Outcome {
    let mut real = Real::new();
    let machine = real.machine(None).expect("this machine has facts");
    let mut outcome = Outcome {
        cycles_per_ruler: f64::from(machine.ruler.links) * machine.ruler.cycles_per_link,
        ..Outcome::default()
    };
    let start = Instant::now();
    real.measure(cases, plan, &mut |event| {
        outcome.take(event);
        ControlFlow::Continue(())
    })
    .expect("the backend works");
    outcome.took = start.elapsed();
    outcome
}

/// A plan for some milliseconds and two workers.
pub(crate) fn plan(milliseconds: u64) -> Plan {
    Plan {
        seed: 1,
        time: Duration::from_millis(milliseconds),
        workers: 2,
        layouts: 1,
        cpu: None,
        counters: machine::CounterRequest::None,
        allow_syscalls: false,
        require_sandbox: false,
        apart: false,
    }
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
            Event::Waiting => {}
            Event::Round(_) => self.rounds += 1,
            Event::NotRun { case, reason } => self.not_run.push((case, reason)),
            Event::Failed { case, failure } => self.failures.push((case, failure)),
            Event::Counted { case, counts } => self.counts.push((case, counts)),
            Event::Counter {
                measure,
                name,
                value,
            } => self.counters.push((measure.0, name, value)),
            Event::Overhead { .. } => {}
            Event::SecondRuler { ratio } => self.second_ruler = Some(ratio),
            Event::Warning { message, .. } => self.warnings.push(message),
        }
    }

    /// Median cycles of a run of a case in a context, or of an empty body.
    pub(crate) fn cycles(&self, case: Option<usize>, context: Context, is_empty: bool) -> f64 {
        self.median(self.index(case, context, is_empty))
    }

    /// Median cycles of a run of a case's body.
    pub(crate) fn body(&self, case: usize, context: Context) -> f64 {
        self.cycles(Some(case), context, false)
    }

    /// Samples of a case's body.
    pub(crate) fn samples_of(&self, case: usize, context: Context) -> &[Sample] {
        &self.samples[self.index(Some(case), context, false)]
    }

    /// How a case failed.
    pub(crate) fn failure(&self, case: usize) -> &Failure {
        let failure = self.failures.iter().find(|(index, _)| *index == case);
        &failure.expect("it failed").1
    }

    /// A case's exact counts.
    pub(crate) fn counts(&self, case: usize) -> Option<Counts> {
        let counts = self.counts.iter().find(|(index, _)| *index == case);
        counts.and_then(|(_, counts)| counts.clone().ok())
    }

    fn index(&self, case: Option<usize>, context: Context, is_empty: bool) -> usize {
        self.measures
            .iter()
            .position(|measure| {
                (measure.case, measure.context, measure.is_empty) == (case, context, is_empty)
            })
            .expect("it was planned")
    }

    /// Median cycles of a run of a measure, over the samples that were not interrupted and, of
    /// these, over those beside which the core was least contended.
    pub(crate) fn median(&self, index: usize) -> f64 {
        let mut whole: Vec<(f64, f64)> = self.samples[index]
            .iter()
            .filter(|sample| sample.discard.is_none())
            .map(|sample| {
                let cycles =
                    |ticks: f64| ticks * self.cycles_per_ruler / f64::from(sample.ruler_ticks);
                let sentinels = sample.sentinels.map(f64::from);
                let run = f64::from(sample.long_ticks) - f64::from(sample.ticks);
                (
                    cycles(sentinels[0].max(sentinels[1])),
                    cycles(run) / f64::from(sample.runs),
                )
            })
            .collect();
        whole.sort_by(|left, right| left.0.total_cmp(&right.0));
        whole.truncate(whole.len().div_ceil(10));
        let mut values: Vec<f64> = whole.into_iter().map(|(_, cycles)| cycles).collect();
        values.sort_by(f64::total_cmp);
        *values.get(values.len() / 2).unwrap_or(&f64::NAN)
    }
}
