//! Samples of one measure in a record's form: kept ones only, the empty body's beside them.

use std::collections::HashMap;

use machine::Sample;
use record::Samples;

use super::contention::Contention;
use super::gathered::{Gathered, Raw};

/// All kept samples of a measure, not thinned yet.
pub(crate) fn samples(gathered: &Gathered, raw: &Raw, contention: &Contention) -> Samples {
    let counts = contention.counts(&raw.samples);
    let empty = raw
        .measure
        .empty
        .and_then(|id| gathered.measures.get(id.0 as usize))
        .map(|empty| EmptyTicks::new(empty, contention));
    let mut samples = Samples {
        runs: raw.samples.first().map_or(0, |sample| sample.runs),
        discarded_by: raw.discarded,
        ..Samples::default()
    };
    for (sample, counts) in raw.samples.iter().zip(counts) {
        if !counts {
            samples.discarded_by.contended += 1;
            continue;
        }
        match &empty {
            None => {}
            Some(empty) => match empty.beside(sample) {
                Some(ticks) => samples.empty_ticks.push(ticks),
                // Nothing is known of the empty body: half a difference is no sample.
                None => continue,
            },
        }
        push(&mut samples, sample);
    }
    samples
}

fn push(samples: &mut Samples, sample: &Sample) {
    samples.ticks.push(sample.ticks);
    samples.long_ticks.push(sample.long_ticks);
    samples.ruler_ticks.push(sample.ruler_ticks);
    samples.rounds.push(sample.round);
    samples.workers.push(sample.worker);
    samples.offsets.push(sample.offset);
    samples.sentinels.push(sample.sentinels);
}

/// At most so many of them as a record holds, evenly.
pub(crate) fn thinned(samples: &Samples) -> Samples {
    let kept = stats::thin(samples.len(), Samples::MOST);
    if kept.len() == samples.len() {
        return samples.clone();
    }
    fn take<T: Copy>(values: &[T], kept: &[usize]) -> Vec<T> {
        kept.iter()
            .filter_map(|&i| values.get(i).copied())
            .collect()
    }
    Samples {
        runs: samples.runs,
        ticks: take(&samples.ticks, &kept),
        long_ticks: take(&samples.long_ticks, &kept),
        empty_ticks: take(&samples.empty_ticks, &kept),
        ruler_ticks: take(&samples.ruler_ticks, &kept),
        rounds: take(&samples.rounds, &kept),
        workers: take(&samples.workers, &kept),
        offsets: take(&samples.offsets, &kept),
        sentinels: take(&samples.sentinels, &kept),
        discarded_by: samples.discarded_by,
        thinned_from: Some(samples.len() as u64),
    }
}

/// Ticks a run of an empty body: of each round where its sample was kept, else the worker's median.
struct EmptyTicks {
    of_round: HashMap<u32, f64>,
    of_worker: HashMap<u32, f64>,
}

impl EmptyTicks {
    fn new(raw: &Raw, contention: &Contention) -> Self {
        let counts = contention.counts(&raw.samples);
        let mut of_round = HashMap::new();
        let mut all: HashMap<u32, Vec<f64>> = HashMap::new();
        for (sample, _) in raw.samples.iter().zip(counts).filter(|(_, counts)| *counts) {
            let ticks = f64::from(sample.long_ticks) - f64::from(sample.ticks);
            let ticks = ticks / f64::from(sample.runs.max(1));
            of_round.insert(sample.round, ticks);
            all.entry(sample.worker).or_default().push(ticks);
        }
        let of_worker = all
            .into_iter()
            .filter_map(|(worker, ticks)| Some((worker, stats::median(&ticks)?)))
            .collect();
        Self {
            of_round,
            of_worker,
        }
    }

    /// Of the same round, scaled to the sample's runs.
    fn beside(&self, sample: &Sample) -> Option<f64> {
        let ticks = self.of_round.get(&sample.round);
        let ticks = ticks.or_else(|| self.of_worker.get(&sample.worker))?;
        Some(ticks * f64::from(sample.runs))
    }
}

#[cfg(test)]
mod tests {
    use machine::{Context, Measure, MeasureId};

    use super::*;

    fn raw(measure: u32, empty: Option<u32>, rounds: &[(u32, u32)]) -> Raw {
        let samples = rounds.iter().map(|&(round, long_ticks)| Sample {
            measure: MeasureId(measure),
            round,
            worker: 0,
            offset: 0,
            runs: 10,
            ticks: 1000,
            long_ticks,
            ruler_ticks: 1800,
            sentinels: [349, 349],
            discard: None,
        });
        Raw {
            measure: Measure {
                case: None,
                context: Context::Isolated,
                empty: empty.map(MeasureId),
                is_empty: empty.is_none(),
            },
            samples: samples.collect(),
            discarded: Default::default(),
            misfits: 0,
            counters: Default::default(),
        }
    }

    fn gathered(empty: &[(u32, u32)], body: &[(u32, u32)]) -> Samples {
        let gathered = Gathered {
            measures: vec![raw(0, None, empty), raw(1, Some(0), body)],
            ..Gathered::default()
        };
        let ours = Contention::ours();
        samples(&gathered, &gathered.measures[1], &ours)
    }

    #[test]
    fn empty_ticks_are_those_of_the_same_round() {
        let samples = gathered(&[(0, 1270), (1, 1290)], &[(0, 1900), (1, 1900)]);
        assert_eq!(samples.empty_ticks, [270.0, 290.0]);
    }

    #[test]
    fn a_round_without_an_empty_sample_takes_the_workers_median() {
        let samples = gathered(&[(0, 1270), (1, 1280), (2, 1290)], &[(3, 1900)]);
        assert_eq!(samples.empty_ticks, [280.0]);
    }

    #[test]
    fn without_any_empty_sample_there_is_no_difference_to_take() {
        assert!(gathered(&[], &[(0, 1900)]).is_empty());
    }

    #[test]
    fn thinning_keeps_arrays_parallel_and_says_so() {
        let rounds: Vec<(u32, u32)> = (0..1200).map(|round| (round, 1900 + round)).collect();
        let all = gathered(&[(0, 1270)], &rounds);
        let thin = thinned(&all);
        assert_eq!(thin.len(), Samples::MOST);
        assert_eq!(thin.thinned_from, Some(1200));
        assert_eq!(thin.empty_ticks.len(), thin.len());
        assert!(
            thin.rounds
                .iter()
                .zip(&thin.long_ticks)
                .all(|(r, t)| r + 1900 == *t)
        );
        assert_eq!(thinned(&thin), thin);
    }
}
