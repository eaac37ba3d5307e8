//! Was the core ours? What the sentinels beside the samples say.

use crate::density::peaks;

/// Fewest sentinels that make a floor.
const LEAST_SUPPORT: usize = 8;
/// Least share of the sentinels that makes a floor.
const LEAST_SHARE: f64 = 0.02;
/// Sentinels within this relative distance agree with each other.
const AGREE: f64 = 0.02;
/// Relative bandwidth with which sentinels are smoothed: well below what contention adds, well
/// above one tick.
const BANDWIDTH: f64 = 0.004;

/// Whether enough samples were taken while the core was ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// At least 95 % were.
    Ours,
    /// Fewer were, but enough.
    Shared {
        /// Share of the samples that were not, `0.0..=1.0`.
        contended: f64,
    },
    /// Too few were: only figures of a contended core can be given, and must be given as such.
    NeverOurs {
        /// Samples that were.
        kept: usize,
        /// Share of the samples that were not, `0.0..=1.0`.
        contended: f64,
    },
}

/// Learns what the sentinel takes when the core is ours: the lowest value round which at least 8
/// and at least 2 % of the readings lie within 2 %.
///
/// Not a low quantile: where readings scatter by as much as the tolerance, one sits in the tail
/// of what an undisturbed core gives, and keeps a few samples that are not even the good ones
/// (seen: the 1 % quantile kept 2 %, this 60 %). And a disturbed ruler makes readings near zero.
///
/// A floor learnt while the core was contended all along is too high. `least_ever` is the least
/// floor ever learnt for this core, in the same unit; the lower of the two is returned.
///
/// Readings that are not finite or not positive are passed over. `None` where neither the others
/// nor `least_ever` give a floor.
#[must_use]
pub fn floor(sentinels: &[f64], least_ever: Option<f64>) -> Option<f64> {
    let usable = |v: &f64| v.is_finite() && *v > 0.0;
    let learnt = learn(sentinels.iter().copied().filter(usable).collect());
    let least_ever = least_ever.filter(usable);
    match (learnt, least_ever) {
        (Some(learnt), Some(least)) => Some(learnt.min(least)),
        (learnt, least) => learnt.or(least),
    }
}

fn learn(mut readings: Vec<f64>) -> Option<f64> {
    let n = readings.len();
    if n < LEAST_SUPPORT {
        return None;
    }
    let support = LEAST_SUPPORT.max((LEAST_SHARE * n as f64).ceil() as usize);
    // Readings are compared by ratio, so the smoothing is done on a logarithmic scale. The floor
    // has readings enough that neither end's outermost can hold it.
    let low = *readings
        .select_nth_unstable_by(support / 2, f64::total_cmp)
        .1;
    let high = *readings
        .select_nth_unstable_by(n - 1 - support / 2, f64::total_cmp)
        .1;
    // Of very few readings, the one counted from below may lie above the one counted from above.
    let (low, high) = (low.min(high), low.max(high));
    let logs: Vec<f64> = readings.iter().map(|v| v.ln()).collect();
    peaks(&logs, low.ln(), high.ln(), BANDWIDTH)
        .into_iter()
        .find_map(|peak| {
            let floor = peak.at.exp();
            let agreeing = readings
                .iter()
                .filter(|v| (*v / floor - 1.0).abs() <= AGREE)
                .count();
            (agreeing >= support).then_some(floor)
        })
}

/// Which samples were taken while the core was ours: those whose sentinels before and after are
/// both within `tolerance` (relative, 0.02 is 2 %) of `floor`. Below as well as above, because a
/// reading far below the floor is one whose ruler was disturbed, and so is the sample beside it.
#[must_use]
pub fn clean(before_after: &[[f64; 2]], floor: f64, tolerance: f64) -> Vec<bool> {
    // What is not a number compares as false, and is not clean.
    let near = |sentinel: &f64| (sentinel / floor - 1.0).abs() <= tolerance;
    before_after
        .iter()
        .map(|pair| pair.iter().all(near))
        .collect()
}

/// Share of samples that were not clean, `0.0..=1.0`; 0 for no samples.
#[must_use]
pub fn contended_share(clean: &[bool]) -> f64 {
    if clean.is_empty() {
        return 0.0;
    }
    clean.iter().filter(|clean| !**clean).count() as f64 / clean.len() as f64
}

/// Sums up whose the core was, where `enough` clean samples are needed.
#[must_use]
pub fn core(clean: &[bool], enough: usize) -> Core {
    let contended = contended_share(clean);
    let kept = clean.iter().filter(|clean| **clean).count();
    if kept < enough {
        Core::NeverOurs { kept, contended }
    } else if contended > 0.05 {
        Core::Shared { contended }
    } else {
        Core::Ours
    }
}
