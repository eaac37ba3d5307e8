//! Samples by worker, and within a worker by block of neighbouring rounds.

use crate::location::Location;
use crate::series::Series;

/// Blocks that the rounds of one worker are cut into, where there are enough of them. States last
/// for tens of rounds, so single rounds are no independent witnesses.
const BLOCKS: usize = 12;

/// What the samples of one block add up to, for each of `N` series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block<const N: usize> {
    /// Sums of the samples' influences on their series' location.
    pub(crate) pulls: [f64; N],
    /// Numbers of samples.
    pub(crate) counts: [usize; N],
}

/// `N` series in common blocks, and the location of each.
pub(crate) struct Blocks<const N: usize> {
    pub(crate) middles: [f64; N],
    /// Half the step of the clock, where it shows; see [`Location`].
    pub(crate) resolutions: [f64; N],
    pub(crate) workers: Vec<Vec<Block<N>>>,
}

/// One sample: its series, and its value there.
#[derive(Clone, Copy)]
struct Sample {
    worker: u32,
    round: u32,
    series: usize,
    value: f64,
}

impl<const N: usize> Blocks<N> {
    /// Cuts sound series into blocks. Blocks that lack samples of any series are left out: what
    /// was never measured side by side is not compared.
    ///
    /// `None` if fewer than two blocks remain, for then nothing is known about the spread.
    pub(crate) fn of(series: [&Series<'_>; N]) -> Option<Self> {
        let mut samples: Vec<Sample> = Vec::new();
        for (i, one) in series.iter().enumerate() {
            let places = one.workers.iter().zip(one.rounds);
            samples.extend(
                places
                    .zip(one.values)
                    .map(|((&worker, &round), &value)| Sample {
                        worker,
                        round,
                        series: i,
                        value,
                    }),
            );
        }
        // By value last, so that the order of the input makes no difference to the last bit.
        samples.sort_by(|a, b| {
            (a.worker, a.round, a.series)
                .cmp(&(b.worker, b.round, b.series))
                .then(a.value.total_cmp(&b.value))
        });
        let workers: Vec<Vec<&[Sample]>> = samples
            .chunk_by(|a, b| a.worker == b.worker)
            .map(|worker| {
                let mut blocks = cut(worker);
                blocks.retain(|block| (0..N).all(|i| block.iter().any(|s| s.series == i)));
                blocks
            })
            .filter(|blocks| !blocks.is_empty())
            .collect();
        if workers.iter().map(Vec::len).sum::<usize>() < 2 {
            return None;
        }
        let locations: [Location; N] = std::array::from_fn(|i| {
            let mut kept = Vec::with_capacity(series[i].values.len());
            for block in workers.iter().flatten() {
                kept.extend(block.iter().filter(|s| s.series == i).map(|s| s.value));
            }
            Location::of(kept)
        });
        let sum = |samples: &&[Sample]| {
            let mut block = Block {
                pulls: [0.0; N],
                counts: [0; N],
            };
            for sample in *samples {
                block.pulls[sample.series] += locations[sample.series].influence(sample.value);
                block.counts[sample.series] += 1;
            }
            block
        };
        Some(Self {
            middles: locations.each_ref().map(|location| location.middle),
            resolutions: locations.each_ref().map(|location| location.resolution),
            workers: workers
                .iter()
                .map(|blocks| blocks.iter().map(sum).collect())
                .collect(),
        })
    }

    /// How many workers the samples are worth: workers of equally many samples count in full, one
    /// that has nearly all of them is nearly alone. The least over the series.
    pub(crate) fn effective_workers(&self) -> f64 {
        (0..N)
            .map(|i| {
                let counts = self
                    .workers
                    .iter()
                    .map(|blocks| blocks.iter().map(|block| block.counts[i]).sum::<usize>() as f64);
                counts.clone().sum::<f64>().powi(2) / counts.map(|n| n * n).sum::<f64>()
            })
            .fold(f64::INFINITY, f64::min)
    }
}

/// Cuts one worker's samples, sorted by round, into blocks of equally many rounds.
fn cut(worker: &[Sample]) -> Vec<&[Sample]> {
    // Where each round begins, and where the last one ends.
    let mut begins: Vec<usize> = Vec::with_capacity(worker.len() + 1);
    begins.push(0);
    begins.extend((1..worker.len()).filter(|i| worker[*i].round != worker[i - 1].round));
    let rounds = begins.len();
    begins.push(worker.len());
    // At least two rounds to a block, as long as that leaves two blocks.
    let wanted = rounds.min((rounds / 2).clamp(2, BLOCKS));
    (0..wanted)
        .map(|i| &worker[begins[i * rounds / wanted]..begins[(i + 1) * rounds / wanted]])
        .collect()
}
