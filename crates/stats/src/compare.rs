//! Two series to one ratio, and two ratios to one.

use std::collections::HashMap;

use crate::location::Location;
use crate::quantile::of_sorted;
use crate::resample::{Part, Spread};
use crate::series::Series;

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The variant takes longer.
    Slower,
    /// The variant takes less long.
    Faster,
    /// No difference seen; which is not the same as none being there.
    NoDifference,
}

/// A variant against its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Variant over baseline.
    pub ratio: f64,
    /// Lower end of the ratio's 95 % interval.
    pub low: f64,
    /// Upper end of the ratio's 95 % interval.
    pub high: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// The least relative difference that would have been seen (0.02 is 2 %).
    pub smallest_seen: f64,
}

/// One ratio over another: the same comparison on two machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioOfRatios {
    /// The first ratio over the second.
    pub ratio: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Whether the first machine's ratio is the greater ([`Verdict::Slower`]), the smaller, or no
    /// difference was seen.
    pub verdict: Verdict,
}

/// Compares a variant with its baseline, within the rounds that both have samples of.
///
/// `floor` is the relative noise floor (0.01 is 1 %).
#[must_use]
pub fn compare(
    variant: &Series<'_>,
    baseline: &Series<'_>,
    floor: f64,
    seed: u64,
) -> Option<Comparison> {
    if !variant.is_sound() || !baseline.is_sound() {
        return None;
    }
    let others: HashMap<(u32, u32), f64> = baseline
        .workers
        .iter()
        .zip(baseline.rounds)
        .zip(baseline.values)
        .map(|((&worker, &round), &value)| ((worker, round), value))
        .collect();
    let pairs: Vec<(u32, u32, f64, f64)> = variant
        .workers
        .iter()
        .zip(variant.rounds)
        .zip(variant.values)
        .filter_map(|((&worker, &round), &value)| {
            others
                .get(&(worker, round))
                .map(|&other| (worker, round, value, other))
        })
        .collect();
    if pairs.len() < 2 {
        return None;
    }
    let ours = Location::of(&pairs.iter().map(|pair| pair.2).collect::<Vec<_>>());
    let theirs = Location::of(&pairs.iter().map(|pair| pair.3).collect::<Vec<_>>());
    let parts = pairs
        .iter()
        .zip(ours.influences.iter().zip(&theirs.influences))
        .map(|(&(worker, round, ..), (&a, &b))| Part {
            worker,
            round,
            sums: [a, b],
        })
        .collect();
    let draws = Spread::of(parts, seed).draws;
    let mut baselines: Vec<f64> = draws.iter().map(|draw| theirs.middle + draw[1]).collect();
    baselines.sort_unstable_by(f64::total_cmp);
    if of_sorted(&baselines, 0.025) <= 0.0 && of_sorted(&baselines, 0.975) >= 0.0 {
        return None;
    }
    let mut ratios: Vec<f64> = draws
        .iter()
        .map(|draw| (ours.middle + draw[0]) / (theirs.middle + draw[1]))
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let ratio = ours.middle / theirs.middle;
    let low = of_sorted(&ratios, 0.025).min(ratio);
    let high = of_sorted(&ratios, 0.975).max(ratio);
    let half = (high - low) / 2.0;
    Some(Comparison {
        ratio,
        low,
        high,
        verdict: verdict(ratio, low, high, floor),
        smallest_seen: half.max(floor),
    })
}

fn verdict(ratio: f64, low: f64, high: f64, floor: f64) -> Verdict {
    if low > 1.0 && ratio - 1.0 > floor {
        Verdict::Slower
    } else if high < 1.0 && 1.0 - ratio > floor {
        Verdict::Faster
    } else {
        Verdict::NoDifference
    }
}

/// Divides two ratios, with the interval that follows if both are log-normal.
///
/// `None` where a ratio or an end of an interval is not a positive finite number.
#[must_use]
pub fn ratio_of_ratios(a: &Comparison, b: &Comparison, floor: f64) -> Option<RatioOfRatios> {
    let sound = |c: &Comparison| {
        [c.ratio, c.low, c.high]
            .iter()
            .all(|v| v.is_finite() && *v > 0.0)
            && c.low <= c.ratio
            && c.ratio <= c.high
    };
    if !sound(a) || !sound(b) {
        return None;
    }
    let ratio = a.ratio / b.ratio;
    // The lower end of the quotient comes from the first's lower and the second's upper end.
    let below = (a.ratio / a.low).ln().hypot((b.high / b.ratio).ln());
    let above = (a.high / a.ratio).ln().hypot((b.ratio / b.low).ln());
    let (low, high) = (ratio * (-below).exp(), ratio * above.exp());
    if !(ratio.is_finite() && ratio > 0.0 && low > 0.0 && high.is_finite()) {
        return None;
    }
    Some(RatioOfRatios {
        ratio,
        low,
        high,
        verdict: verdict(ratio, low, high, floor),
    })
}

/// The noise floor that comparisons of things with themselves show: the greatest distance of any
/// of their ratios from 1, as a relative difference.
///
/// `None` for no comparisons.
#[must_use]
pub fn noise_floor(alike: &[Comparison]) -> Option<f64> {
    alike
        .iter()
        .map(|comparison| (comparison.ratio - 1.0).abs())
        .max_by(f64::total_cmp)
}
