//! Made-up machines: generators of samples that behave as measured ones do.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

pub(crate) type Random = Xoshiro256PlusPlus;

/// What samples look like on one made-up machine.
#[derive(Clone, Copy)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    /// Steady states.
    pub(crate) states: &'static [f64],
    /// How unlike the workers' shares of the states are: 0 is alike, 1 any share is as likely.
    pub(crate) unlike: f64,
    /// Probability that a round stays in the state of the round before.
    pub(crate) sticky: f64,
    /// Standard deviation of a sample within its state.
    pub(crate) noise: f64,
    /// Share of samples with one misprediction more, 28 above.
    pub(crate) outliers: f64,
    /// Share of samples whose ruler was disturbed: anything from nothing to the right value.
    pub(crate) broken: f64,
    /// Relative standard deviation of a slow wander that a round's samples share.
    pub(crate) drift: f64,
    /// Share of samples left out because the core was not ours, in bursts of whole rounds.
    pub(crate) contended: f64,
    /// Share of samples left out singly, for example because a sentinel read too high by chance.
    pub(crate) missing: f64,
    /// Share of worker processes in which everything takes twice as long.
    pub(crate) doubled: f64,
    /// Times as many rounds.
    pub(crate) longer: u32,
}

const CALM: World = World {
    name: "calm",
    states: &[90.0],
    unlike: 0.0,
    sticky: 0.0,
    noise: 0.4,
    outliers: 0.0,
    broken: 0.0,
    drift: 0.0,
    contended: 0.0,
    missing: 0.1,
    doubled: 0.0,
    longer: 1,
};

const MODES: World = World {
    name: "modes",
    states: &[88.4, 89.5, 90.4, 91.4],
    unlike: 1.0,
    sticky: 0.3,
    noise: 0.25,
    outliers: 0.02,
    ..CALM
};

pub(crate) const WORLDS: &[World] = &[
    CALM,
    MODES,
    // One misprediction more in some samples, and rulers that an interrupt hit.
    World {
        name: "outliers",
        outliers: 0.04,
        broken: 0.03,
        ..MODES
    },
    // As a 12x7 loop behaved: two states 11 % apart, kept for tens of rounds.
    World {
        name: "regimes",
        states: &[234.0, 260.0],
        sticky: 0.93,
        noise: 3.0,
        ..MODES
    },
    // Modes smeared by the noise of two lengths differenced.
    World {
        name: "smeared",
        noise: 2.0,
        outliers: 0.03,
        missing: 0.3,
        ..MODES
    },
    // One sample in ten is kept, so ten times as many rounds are made.
    World {
        name: "contended",
        contended: 0.9,
        longer: 10,
        ..MODES
    },
    World {
        name: "drift",
        drift: 0.04,
        contended: 0.5,
        missing: 0.3,
        ..MODES
    },
    World {
        name: "doubled",
        doubled: 0.07,
        ..MODES
    },
];

/// One sample of each of two variants; absent where it was left out.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) worker: u32,
    pub(crate) round: u32,
    pub(crate) values: [Option<f64>; 2],
}

pub(crate) fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

pub(crate) fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.random::<f64>()).cos()
}

impl World {
    /// Shares of the states in one worker, summed up: the last is 1.
    fn shares(&self, random: &mut Random) -> Vec<f64> {
        let weights: Vec<f64> = self
            .states
            .iter()
            .map(|_| (1.0 - self.unlike) - self.unlike * (1.0 - random.random::<f64>()).ln())
            .collect();
        let total: f64 = weights.iter().sum();
        weights
            .iter()
            .scan(0.0, |sum, weight| {
                *sum += weight / total;
                Some(*sum)
            })
            .collect()
    }

    fn state(&self, shares: &[f64], random: &mut Random) -> f64 {
        let at: f64 = random.random();
        self.states[shares
            .iter()
            .position(|share| at < *share)
            .unwrap_or(shares.len() - 1)]
    }

    /// One run: the same code twice, placed apart, so that each has its own shares of the states.
    pub(crate) fn run(&self, workers: u32, rounds: u32, random: &mut Random) -> Vec<Round> {
        let rounds = rounds * self.longer;
        let mut run = Vec::new();
        let mut wander = 0.0;
        let mut ours = random.random::<f64>() >= self.contended;
        for worker in 0..workers {
            let factor = if random.random::<f64>() < self.doubled {
                2.0
            } else {
                1.0
            };
            let shares = [self.shares(random), self.shares(random)];
            let mut state = [0, 1].map(|i: usize| self.state(&shares[i], random));
            for round in 0..rounds {
                // A wander with a memory of some 50 rounds.
                wander = 0.98 * wander + 0.2 * normal(random);
                // A burst of contention ends within some 20 rounds.
                if random.random::<f64>() < 0.05 {
                    ours = random.random::<f64>() >= self.contended;
                }
                let values = [0, 1].map(|i: usize| {
                    if random.random::<f64>() >= self.sticky {
                        state[i] = self.state(&shares[i], random);
                    }
                    let mut value = state[i] + self.noise * normal(random);
                    if random.random::<f64>() < self.outliers {
                        value += 28.0;
                    }
                    value *= factor * (1.0 + self.drift * wander);
                    if random.random::<f64>() < self.broken {
                        value *= random.random::<f64>();
                    }
                    (ours && random.random::<f64>() >= self.missing).then_some(value)
                });
                run.push(Round {
                    worker,
                    round: worker * rounds + round,
                    values,
                });
            }
        }
        run
    }
}
