//! The hierarchical bootstrap: workers first, then blocks of rounds within each.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Resampled sets per interval.
const DRAWS: usize = 400;
/// Blocks that the rounds of one worker are cut into, where there are enough of them.
const BLOCKS: usize = 12;

/// What one sample adds to two sums whose joint spread is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) worker: u32,
    pub(crate) round: u32,
    pub(crate) sums: [f64; 2],
}

/// How far the two sums may lie from what was seen.
pub(crate) struct Spread {
    /// Deviations of the resampled sums, already widened for the number of workers.
    pub(crate) draws: Vec<[f64; 2]>,
}

type Block = [f64; 2];

fn blocks(parts: &mut [Part]) -> Vec<Vec<Block>> {
    parts.sort_by_key(|part| (part.worker, part.round));
    parts
        .chunk_by(|a, b| a.worker == b.worker)
        .map(|worker| {
            let rounds = worker.chunk_by(|a, b| a.round == b.round).count();
            let wanted = (rounds / 2).clamp(rounds.min(2), BLOCKS);
            let mut blocks = vec![[0.0; 2]; wanted];
            for (i, round) in worker.chunk_by(|a, b| a.round == b.round).enumerate() {
                for part in round {
                    let block = &mut blocks[i * wanted / rounds];
                    block[0] += part.sums[0];
                    block[1] += part.sums[1];
                }
            }
            blocks
        })
        .collect()
}

impl Spread {
    pub(crate) fn of(mut parts: Vec<Part>, seed: u64) -> Self {
        let workers = blocks(&mut parts);
        let scale = widening(&workers);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let draws = (0..DRAWS)
            .map(|_| {
                let mut sums = [0.0; 2];
                for _ in 0..workers.len() {
                    let worker = &workers[rng.random_range(0..workers.len())];
                    for _ in 0..worker.len() {
                        let block = worker[rng.random_range(0..worker.len())];
                        sums[0] += block[0];
                        sums[1] += block[1];
                    }
                }
                sums.map(|sum| sum * scale)
            })
            .collect();
        Self { draws }
    }
}

/// Few workers look more alike than many would: the bootstrap's interval is widened as Student's
/// does.
fn widening(workers: &[Vec<Block>]) -> f64 {
    let n = if workers.len() > 1 {
        workers.len()
    } else {
        workers[0].len()
    } as f64;
    let freedom = n - 1.0;
    let t = StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975));
    t / 1.959_964 * (n / freedom).sqrt()
}
