//! Whether a choice that was made earlier can still be told from a later one's times.
//!
//! Three sets of times of one thing: taken the same way each time (`constant`, always fast), by the
//! earlier choice (`dependent`, fast if that is still known), and by a choice of its own
//! (`independent`, slow half the time). The score says where `dependent` stands between the others:
//! at 0 the earlier choice is known, at 1 it is not.

use crate::quantile::{median, quantile};

/// Share of slow times above which `constant` was disturbed.
const CONSTANT_MOST: f64 = 0.10;
/// Shares of slow times between which `independent` shows that slow and fast can be told apart.
const INDEPENDENT: [f64; 2] = [0.40, 0.60];
/// A round of some hundred times is given more room than all of them together.
const ROUND_ROOM: f64 = 0.08;
/// The quantile of `independent` that stands for slow: half of it is fast.
const SLOW: f64 = 0.85;
/// The normal distribution's 97.5 % quantile.
const NORMAL: f64 = 1.959_963_985;

/// The times of one round in the three modes, in any unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// The same way each time.
    pub constant: Vec<f64>,
    /// By the earlier choice.
    pub dependent: Vec<f64>,
    /// By a choice of its own.
    pub independent: Vec<f64>,
}

impl Trial {
    /// What the score needs of this round. Slow is what lies above the middle between `constant`'s
    /// median and `independent`'s upper times, which must be `least_gap` apart.
    #[must_use]
    pub fn round(&self, least_gap: f64) -> Round {
        let Some(fast) = median(&self.constant) else {
            return Round::default();
        };
        let gap = quantile(&self.independent, SLOW).map(|slow| slow - fast);
        let threshold = gap.filter(|gap| *gap >= least_gap);
        let threshold = threshold.map(|gap| fast + gap / 2.0);
        Round {
            gap,
            shares: threshold.and_then(|threshold| Shares::of(self, threshold)),
        }
    }
}

/// A round without its times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// How far slow and fast are apart.
    gap: Option<f64>,
    /// Where they are far enough apart.
    shares: Option<Shares>,
}

/// Where `dependent` stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// 0: the earlier choice is known; 1: it is not.
    pub score: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Rounds that count.
    pub rounds: usize,
}

/// Why there is no score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inseparable {
    /// There are no times, or none that are finite.
    Nothing,
    /// Slow and fast are only this far apart, in the unit of the times.
    Gap(f64),
    /// This share of `constant` is slow.
    Constant(f64),
    /// This share of `independent` is slow, not about half.
    Independent(f64),
}

/// Scores rounds, each by a threshold of its own, since clocks change. Rounds that were disturbed are
/// left out, as long as half of all rounds are left.
///
/// # Errors
/// What was wrong, over all rounds together.
pub fn separation(rounds: &[Round]) -> Result<Separation, Inseparable> {
    let all: Vec<Shares> = rounds.iter().filter_map(|round| round.shares).collect();
    let sound: Vec<&Shares> = all
        .iter()
        .filter(|shares| shares.problem(ROUND_ROOM).is_none())
        .collect();
    if all.is_empty() {
        return Err(rounds
            .iter()
            .find_map(|round| round.gap)
            .map_or(Inseparable::Nothing, Inseparable::Gap));
    }
    let together = Shares::mean(&all.iter().collect::<Vec<_>>());
    if sound.is_empty() || 2 * sound.len() < rounds.len() {
        let problem = together.problem(0.0).or_else(|| {
            let gaps: Vec<f64> = rounds.iter().filter_map(|round| round.gap).collect();
            Some(Inseparable::Gap(median(&gaps)?))
        });
        return Err(problem.unwrap_or(Inseparable::Nothing));
    }
    let mean = Shares::mean(&sound);
    if let Some(problem) = mean.problem(0.0) {
        return Err(problem);
    }
    let span = mean.independent - mean.constant;
    let score = (mean.dependent - mean.constant) / span;
    // How the score moves with each share, to first order.
    let error = |of: fn(&Shares) -> f64, weight: f64| weight * weight * variance(&sound, of);
    let variance = error(|shares| shares.dependent, 1.0)
        + error(|shares| shares.constant, 1.0 - score)
        + error(|shares| shares.independent, score);
    let half = NORMAL * variance.sqrt() / span;
    Ok(Separation {
        score,
        low: score - half,
        high: score + half,
        rounds: sound.len(),
    })
}

/// Shares of slow times in one round.
#[derive(Clone, Copy, Debug, Default)]
struct Shares {
    constant: f64,
    dependent: f64,
    independent: f64,
    /// Times in the smallest set.
    n: f64,
}

impl Shares {
    fn of(trial: &Trial, threshold: f64) -> Option<Self> {
        let share = |times: &[f64]| {
            let slow = times.iter().filter(|time| **time > threshold).count();
            slow as f64 / times.len() as f64
        };
        let sets = [&trial.constant, &trial.dependent, &trial.independent];
        let n = sets.iter().map(|times| times.len()).min()?;
        let sound = n > 0 && trial.dependent.iter().all(|time| time.is_finite());
        sound.then(|| Self {
            constant: share(&trial.constant),
            dependent: share(&trial.dependent),
            independent: share(&trial.independent),
            n: n as f64,
        })
    }

    fn mean(all: &[&Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| {
            all.iter().map(|shares| of(shares)).sum::<f64>() / all.len() as f64
        };
        Self {
            constant: mean(|shares| shares.constant),
            dependent: mean(|shares| shares.dependent),
            independent: mean(|shares| shares.independent),
            n: mean(|shares| shares.n),
        }
    }

    fn problem(&self, room: f64) -> Option<Inseparable> {
        if self.constant >= CONSTANT_MOST + room {
            Some(Inseparable::Constant(self.constant))
        } else if self.independent <= INDEPENDENT[0] - room
            || self.independent >= INDEPENDENT[1] + room
        {
            Some(Inseparable::Independent(self.independent))
        } else {
            None
        }
    }
}

/// Variance of a mean share: what chance alone gives, or the spread between rounds if that is more.
fn variance(rounds: &[&Shares], of: fn(&Shares) -> f64) -> f64 {
    let n = rounds.len() as f64;
    let mean = rounds.iter().map(|shares| of(shares)).sum::<f64>() / n;
    let times: f64 = rounds.iter().map(|shares| shares.n).sum();
    // One more slow and one more fast time, so that a share of exactly 0 has a variance too.
    let smoothed = (mean * times + 1.0) / (times + 2.0);
    let chance = smoothed * (1.0 - smoothed) / times;
    if rounds.len() < 2 {
        return chance;
    }
    let spread: f64 = rounds
        .iter()
        .map(|shares| (of(shares) - mean).powi(2))
        .sum();
    chance.max(spread / (n - 1.0) / n)
}
