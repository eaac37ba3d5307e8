//! From what was gathered to figures: estimates, comparisons, verdicts.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use machine::{CounterValue, Machine, Reason};
use record::{Context, Counter, Cycles, Empty, Measure, Mode, Nanoseconds, Samples, VsBaseline};
use stats::{Comparison, Estimate, Series};

use crate::words;

use super::contention::Contention;
use super::gathered::{Gathered, Raw};
use super::job::Job;
use super::layouts::{self, Floors};
use super::noise::Noise;
use super::order::Order;
use super::samples::{self, Empties};
use super::spread::spread;

/// The capability that counters need, as the machine names it.
const PERF_EVENTS: &str = "perf-events";

/// What a ruler of a few thousand ticks is worth, as a share: runs of a chain of exactly 24 cycles
/// agree to 0.005 % within each and differ by 0.02 % from one to the other.
const RULER_ERROR: f64 = 0.0003;

/// The figures so far.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    /// Whose the core was.
    pub(crate) contention: Contention,
    /// For each entry of the job: what was measured in each context.
    pub(crate) entries: Vec<BTreeMap<Context, Measure>>,
    /// The empty body in each context.
    pub(crate) empty: BTreeMap<Context, Empty>,
    /// TSC ticks to a core cycle over the whole run; `None` without samples.
    pub(crate) ticks_per_cycle: Option<f64>,
    /// The noise floor.
    pub(crate) noise: Noise,
}

/// What ticks become cycles by, and the seed of the resampling.
struct Scale {
    ruler: record::Ruler,
    seed: u64,
}

/// One measure's samples as figures.
pub(super) struct Cooked {
    pub(super) samples: Samples,
    pub(super) cycles: Vec<f64>,
    /// `None` for fewer samples than an interval needs.
    estimate: Option<Estimate>,
}

/// What was measured of an entry in one context.
struct Told<'a> {
    context: Context,
    raw: &'a Raw,
    one: Cooked,
}

impl Cooked {
    fn new(raw: &Raw, contention: &Contention, empties: &Empties, scale: &Scale) -> Self {
        let samples = samples::samples(raw, contention, empties);
        let cycles = samples.cycles(&scale.ruler);
        let mut cooked = Self {
            samples,
            cycles,
            estimate: None,
        };
        cooked.estimate = stats::estimate(&cooked.series(&cooked.cycles), scale.seed)
            .map(|estimate| estimate.at_least(RULER_ERROR * estimate.value.abs()));
        cooked
    }

    fn series<'a>(&'a self, values: &'a [f64]) -> Series<'a> {
        Series {
            values,
            rounds: &self.samples.rounds,
            workers: &self.samples.workers,
        }
    }

    /// Against a baseline. There is no ratio to one that costs nothing beyond the empty body: what
    /// is left of it is noise, and may be negative.
    fn compare(&self, baseline: &Self, floor: f64, seed: u64) -> Option<Comparison> {
        baseline.estimate.filter(|estimate| estimate.low > 0.0)?;
        stats::compare(
            &self.series(&self.cycles),
            &baseline.series(&baseline.cycles),
            floor,
            seed,
        )
        .map(|comparison| comparison.at_least(RULER_ERROR))
    }

    fn cycles(&self, ruler: &record::Ruler) -> Option<Cycles> {
        let estimate = self.estimate?;
        Some(Cycles {
            estimate: estimate.value,
            low: estimate.low,
            high: estimate.high,
            method: estimate.method.to_owned(),
            n: estimate.n as u64,
            minus_empty: stats::median(&self.samples.empty_cycles(ruler)),
        })
    }

    fn nanoseconds(&self, tsc_hz: f64, seed: u64) -> Option<Nanoseconds> {
        let ns = self.samples.nanoseconds(tsc_hz);
        let estimate = stats::estimate(&self.series(&ns), seed)?;
        Some(Nanoseconds {
            estimate: estimate.value,
            low: estimate.low,
            high: estimate.high,
        })
    }

    fn modes(&self) -> Vec<Mode> {
        let mut modes: Vec<Mode> = stats::modes(&self.cycles)
            .into_iter()
            .map(|mode| Mode {
                cycles: mode.value,
                share: mode.share,
            })
            .collect();
        modes.sort_by(|a, b| b.share.total_cmp(&a.share));
        modes
    }
}

impl Analysis {
    /// Judges everything that was gathered, on as many CPUs as the calling thread may use.
    pub(crate) fn new(job: &Job, machine: &Machine, order: &Order, gathered: &Gathered) -> Self {
        let (seed, wants_counters) = (order.seed, order.wants_counters());
        let ticks_per_cycle = ticks_per_cycle(machine, gathered);
        let contention = Contention::new(machine, gathered, order.apart);
        let scale = Scale {
            ruler: ruler(&machine.ruler, 1.0),
            seed,
        };
        let empties = Empties::new(gathered, &contention);
        let all = spread(&gathered.measures, |raw| {
            Cooked::new(raw, &contention, &empties, &scale)
        });
        let mut cooked: Vec<Vec<Told<'_>>> = job.entries.iter().map(|_| Vec::new()).collect();
        let mut empty = BTreeMap::new();
        for (raw, one) in gathered.measures.iter().zip(all) {
            let context = words::measured(raw.measure.context);
            match raw.measure.case {
                _ if raw.measure.is_empty => {
                    // The shared empty body comes before those of variants with `before`/`after`.
                    empty.entry(context).or_insert_with(|| Empty {
                        cycles: one.cycles(&scale.ruler),
                    });
                }
                Some(case) if case < cooked.len() => cooked[case].push(Told { context, raw, one }),
                _ => {}
            }
        }
        let noise = noise(job, &cooked, seed, contention.slowed);
        let floors = Floors::new(copies(job, &cooked), &noise, seed);
        let no_counters = no_counters(machine, wants_counters);
        let baselines: Vec<Option<usize>> = job
            .entries
            .iter()
            .map(|&entry| job.baseline_of(&job.unit(entry).point.params))
            .collect();
        let indices: Vec<usize> = (0..cooked.len()).collect();
        let measures = spread(&indices, |&index| -> Vec<Measure> {
            let baseline = baselines[index].filter(|&baseline| baseline != index);
            let measure = |told: &Told<'_>| {
                let (context, one) = (told.context, &told.one);
                let against = baseline.and_then(|baseline| in_context(&cooked[baseline], context));
                let comparison =
                    against.and_then(|baseline| one.compare(baseline, noise.floor(context), seed));
                Measure {
                    cycles: one.cycles(&scale.ruler),
                    ns: one.nanoseconds(machine.clock.tsc_hz, seed),
                    modes: one.modes(),
                    vs_baseline: comparison.map(vs_baseline),
                    layouts: layouts::layouts(one, against, context, &floors, &scale.ruler, seed),
                    counters: counters(told.raw, no_counters.as_ref()),
                    samples: Samples::default(),
                }
            };
            cooked[index].iter().map(measure).collect()
        });
        // All have been compared: from here on the samples are the record's.
        let entries = cooked.into_iter().zip(measures);
        let entries = entries.map(|(told, measures)| {
            let with_samples = told.into_iter().zip(measures).map(|(told, measure)| {
                let samples = samples::thinned(told.one.samples);
                (told.context, Measure { samples, ..measure })
            });
            with_samples.collect()
        });
        Self {
            contention,
            entries: entries.collect(),
            empty,
            ticks_per_cycle,
            noise,
        }
    }

    /// Whether every interval is within plus or minus `precision` of its estimate.
    pub(crate) fn is_within(&self, precision: f64) -> bool {
        let mut measures = self.entries.iter().flat_map(BTreeMap::values).peekable();
        measures.peek().is_some()
            && measures.all(|measure| {
                measure.cycles.as_ref().is_some_and(|cycles| {
                    (cycles.high - cycles.low) / 2.0 <= precision * cycles.estimate.abs()
                })
            })
    }
}

/// The floor, from the copies of the baseline among the entries.
fn noise(job: &Job, cooked: &[Vec<Told<'_>>], seed: u64, slowed: f64) -> Noise {
    let alike: Vec<(Context, Comparison)> = copies(job, cooked)
        .filter_map(|(context, copy, baseline)| Some((context, copy.compare(baseline, 0.0, seed)?)))
        .collect();
    Noise::new(&alike, slowed)
}

/// Each copy of the baseline beside the baseline, in each context.
fn copies<'a>(
    job: &'a Job,
    cooked: &'a [Vec<Told<'_>>],
) -> impl Iterator<Item = (Context, &'a Cooked, &'a Cooked)> {
    let copies = job.entries.iter().enumerate().filter(|(_, e)| e.copy > 0);
    copies.flat_map(move |(index, &entry)| {
        let baseline = job.baseline_of(&job.unit(entry).point.params);
        cooked[index].iter().filter_map(move |copy| {
            let baseline = in_context(&cooked[baseline?], copy.context)?;
            Some((copy.context, &copy.one, baseline))
        })
    })
}

fn in_context<'a>(told: &'a [Told<'_>], context: Context) -> Option<&'a Cooked> {
    let found = told.iter().find(|told| told.context == context)?;
    Some(&found.one)
}

fn ticks_per_cycle(machine: &Machine, gathered: &Gathered) -> Option<f64> {
    let rulers: Vec<f64> = gathered
        .measures
        .iter()
        .flat_map(|raw| &raw.samples)
        .map(|sample| f64::from(sample.ruler_ticks))
        .collect();
    let ticks = stats::median(&rulers)?;
    Some(ticks / (f64::from(machine.ruler.links) * machine.ruler.cycles_per_link))
}

/// A ruler as records have it.
pub(crate) fn ruler(ruler: &machine::Ruler, ticks_per_cycle: f64) -> record::Ruler {
    record::Ruler {
        instruction: ruler.instruction.clone(),
        links: ruler.links,
        cycles_per_link: ruler.cycles_per_link,
        ticks_per_cycle,
    }
}

pub(super) fn vs_baseline(comparison: Comparison) -> VsBaseline {
    VsBaseline {
        ratio: comparison.ratio,
        low: comparison.low,
        high: comparison.high,
        verdict: words::verdict(comparison.verdict),
        smallest_seen: Some(comparison.smallest_seen),
    }
}

/// Why nothing was counted though it was asked for.
fn no_counters(machine: &Machine, wanted: bool) -> Option<Reason> {
    let capability = machine.capabilities.get(PERF_EVENTS).filter(|_| wanted)?;
    capability.clone()
}

/// A measure's counters; where there is none, the first that was wanted stands there with the
/// reason, so that its absence is no silent one.
fn counters(raw: &Raw, missing: Option<&Reason>) -> IndexMap<String, Counter> {
    let counter = |value: &CounterValue| match value {
        &CounterValue::PerRun { per_run, low, high } => Counter::Value { per_run, low, high },
        CounterValue::Error(error) => Counter::Error {
            error: error.clone(),
        },
    };
    let mut counters: IndexMap<String, Counter> = raw
        .counters
        .iter()
        .map(|(name, value)| (name.clone(), counter(value)))
        .collect();
    if let Some(reason) = missing.filter(|_| counters.is_empty()) {
        let error = reason.0.clone();
        counters.insert(String::from("cycles"), Counter::Error { error });
    }
    counters
}
