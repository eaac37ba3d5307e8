//! The hierarchical bootstrap: workers first, then blocks of rounds within each.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::blocks::{Block, Blocks};
use crate::quantile::of_sorted;

/// Resampled sets per interval.
const DRAWS: usize = 400;
/// The normal distribution's 97.5 % quantile.
const NORMAL: f64 = 1.959_963_985;

/// Locations of resampled sets.
pub(crate) struct Resampled<const N: usize> {
    draws: Vec<[f64; N]>,
    /// Whether the spread between workers is in them; else only that within one is.
    pub(crate) between_workers: bool,
}

impl<const N: usize> Resampled<N> {
    /// Draws workers and blocks with replacement, the series always together.
    pub(crate) fn of(blocks: &Blocks<N>, seed: u64) -> Self {
        let effective = blocks.effective_workers();
        let between_workers = effective >= 1.5;
        let alone: Vec<Vec<Block<N>>>;
        let (workers, witnesses) = if between_workers {
            // Rounded up: taken to the letter, uneven shares would widen intervals far beyond need.
            (&blocks.workers, effective.max(2.0).ceil())
        } else {
            // A handful of samples beside one worker's hundreds says nothing about workers.
            alone = vec![blocks.workers.concat()];
            (&alone, alone[0].len() as f64)
        };
        let widening = widening(witnesses);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let draws = (0..DRAWS)
            .map(|_| {
                let mut pulls = [0.0; N];
                for _ in 0..workers.len() {
                    let worker = &workers[random.random_range(0..workers.len())];
                    for _ in 0..worker.len() {
                        let block = &worker[random.random_range(0..worker.len())];
                        for (sum, pull) in pulls.iter_mut().zip(block.pulls) {
                            *sum += pull;
                        }
                    }
                }
                std::array::from_fn(|i| blocks.middles[i] + widening * pulls[i])
            })
            .collect();
        Self {
            draws,
            between_workers,
        }
    }

    /// The 95 % interval of a function of the locations.
    pub(crate) fn interval(&self, of: impl Fn(&[f64; N]) -> f64) -> (f64, f64) {
        let mut values: Vec<f64> = self.draws.iter().map(of).collect();
        values.sort_unstable_by(f64::total_cmp);
        (of_sorted(&values, 0.025), of_sorted(&values, 0.975))
    }
}

/// Few witnesses are more alike than many would be, and their spread is itself uncertain: the
/// bootstrap knows neither, so its deviations are widened as far as Student's interval is wider
/// than the normal one.
fn widening(witnesses: f64) -> f64 {
    let freedom = witnesses - 1.0;
    let student = StudentsT::new(0.0, 1.0, freedom)
        .map_or(f64::INFINITY, |student| student.inverse_cdf(0.975));
    student / NORMAL * (witnesses / freedom).sqrt()
}
