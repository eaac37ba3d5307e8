//! Made-up samples for the tests.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use stats::Series;

/// Owned samples of one measure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    pub(crate) values: Vec<f64>,
    pub(crate) rounds: Vec<u32>,
    pub(crate) workers: Vec<u32>,
}

impl Made {
    /// Rounds counted over all workers, as many for each.
    pub(crate) fn new(workers: u32, rounds: u32, mut value: impl FnMut(u32, u32) -> f64) -> Self {
        let mut made = Self::default();
        for worker in 0..workers {
            for round in worker * rounds..(worker + 1) * rounds {
                made.values.push(value(worker, round));
                made.rounds.push(round);
                made.workers.push(worker);
            }
        }
        made
    }

    /// One worker's samples, one a round.
    pub(crate) fn plain(values: &[f64]) -> Self {
        Self::new(1, values.len() as u32, |_, round| values[round as usize])
    }

    pub(crate) fn series(&self) -> Series<'_> {
        Series {
            values: &self.values,
            rounds: &self.rounds,
            workers: &self.workers,
        }
    }
}

/// A generator and what tests draw from it.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// Nearly normal, mean 0, standard deviation 1.
    pub(crate) fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}
