//! Samples of one measure in a record's form: kept ones only, the empty body's beside them.

use std::collections::HashMap;

use record::Samples;

use super::contention::Contention;
use super::gathered::{Gathered, Kept, Raw};

/// The empty bodies that others' samples are measured against.
pub(super) struct Empties(HashMap<u32, EmptyTicks>);

impl Empties {
    /// Of everything that was gathered, each of them once.
    pub(super) fn new(gathered: &Gathered, contention: &Contention) -> Self {
        let mut all = HashMap::new();
        for id in gathered.measures.iter().filter_map(|raw| raw.measure.empty) {
            if let Some(raw) = gathered.measures.get(id.0 as usize) {
                all.entry(id.0)
                    .or_insert_with(|| EmptyTicks::new(raw, contention));
            }
        }
        Self(all)
    }
}

/// All kept samples of a measure, not thinned yet.
pub(super) fn samples(raw: &Raw, contention: &Contention, empties: &Empties) -> Samples {
    let counts = contention.counts(raw);
    let empty = raw.measure.empty.and_then(|id| empties.0.get(&id.0));
    let kept = counts.iter().filter(|counts| **counts).count();
    let mut samples = Samples {
        runs: raw.runs,
        ticks: Vec::with_capacity(kept),
        long_ticks: Vec::with_capacity(kept),
        empty_ticks: Vec::with_capacity(if empty.is_some() { kept } else { 0 }),
        ruler_ticks: Vec::with_capacity(kept),
        rounds: Vec::with_capacity(kept),
        workers: Vec::with_capacity(kept),
        offsets: Vec::with_capacity(kept),
        sentinels: Vec::with_capacity(kept),
        discarded_by: raw.discarded,
        thinned_from: None,
    };
    for (sample, counts) in raw.samples.iter().zip(counts) {
        if !counts {
            samples.discarded_by.contended += 1;
            continue;
        }
        match &empty {
            None => {}
            Some(empty) => match empty.beside(sample, raw.runs) {
                Some(ticks) => samples.empty_ticks.push(ticks),
                // Nothing is known of the empty body: half a difference is no sample.
                None => continue,
            },
        }
        push(&mut samples, sample);
    }
    samples
}

fn push(samples: &mut Samples, sample: &Kept) {
    samples.ticks.push(sample.ticks);
    samples.long_ticks.push(sample.long_ticks);
    samples.ruler_ticks.push(sample.ruler_ticks);
    samples.rounds.push(sample.round);
    samples.workers.push(sample.worker);
    samples.offsets.push(sample.offset);
    samples.sentinels.push(sample.sentinels);
}

/// At most so many of them as a record holds, evenly.
pub(super) fn thinned(samples: Samples) -> Samples {
    let kept = stats::thin(samples.len(), Samples::MOST);
    if kept.len() == samples.len() {
        return samples;
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
        let counts = contention.counts(raw);
        let mut of_round = HashMap::new();
        let mut all: HashMap<u32, Vec<f64>> = HashMap::new();
        for (sample, _) in raw.samples.iter().zip(counts).filter(|(_, counts)| *counts) {
            let ticks = f64::from(sample.long_ticks) - f64::from(sample.ticks);
            let ticks = ticks / f64::from(raw.runs.max(1));
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

    /// Of the same round, scaled to so many runs.
    fn beside(&self, sample: &Kept, runs: u32) -> Option<f64> {
        let ticks = self.of_round.get(&sample.round);
        let ticks = ticks.or_else(|| self.of_worker.get(&sample.worker))?;
        Some(ticks * f64::from(runs))
    }
}

#[cfg(test)]
mod tests {
    use machine::{Context, Measure, MeasureId};

    use super::*;

    fn raw(empty: Option<u32>, rounds: &[(u32, u32)]) -> Raw {
        let samples = rounds.iter().map(|&(round, long_ticks)| Kept {
            round,
            worker: 0,
            offset: 0,
            ticks: 1000,
            long_ticks,
            ruler_ticks: 1800,
            sentinels: [349, 349],
        });
        Raw {
            measure: Measure {
                case: None,
                context: Context::Isolated,
                empty: empty.map(MeasureId),
                is_empty: empty.is_none(),
            },
            runs: 10,
            samples: samples.collect(),
            discarded: Default::default(),
            misfits: 0,
            counters: Default::default(),
        }
    }

    fn gathered(empty: &[(u32, u32)], body: &[(u32, u32)]) -> Samples {
        let gathered = Gathered {
            measures: vec![raw(None, empty), raw(Some(0), body)],
            ..Gathered::default()
        };
        let ours = Contention::ours();
        let empties = Empties::new(&gathered, &ours);
        samples(&gathered.measures[1], &ours, &empties)
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
        let thin = thinned(all);
        assert_eq!(thin.len(), Samples::MOST);
        assert_eq!(thin.thinned_from, Some(1200));
        assert_eq!(thin.empty_ticks.len(), thin.len());
        assert!(
            thin.rounds
                .iter()
                .zip(&thin.long_ticks)
                .all(|(r, t)| r + 1900 == *t)
        );
        assert_eq!(thinned(thin.clone()), thin);
    }
}
