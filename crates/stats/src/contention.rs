//! Was the core ours? What the sentinels beside the samples say.

/// Two sentinels within this part of the floor vouch for the sample between them.
const LEAST_SUPPORT: usize = 8;

/// Whether enough samples were taken while the core was ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// Nearly all samples were.
    Ours,
    /// Some were not, but enough were.
    Shared {
        /// Share of the samples that were not, `0.0..=1.0`.
        contended: f64,
    },
    /// Too few were: figures made from all samples are those of a contended core.
    NeverOurs {
        /// Share of the samples that were not, `0.0..=1.0`.
        contended: f64,
    },
}

/// Learns what the sentinel takes when the core is ours: the lowest value that enough samples
/// agree on (at least 8 and 1 % of them within 2 %), so that a few absurdly low readings are passed over.
/// Where nothing has that support, the lowest value.
///
/// A floor learnt while the core was contended all along is too high. `least_ever` is the least
/// floor known for this core from elsewhere, in the same unit; the lower of the two is returned.
///
/// NaN, infinite and non-positive readings are passed over; `None` where none is left and no `least_ever` is given.
#[must_use]
pub fn floor(sentinels: &[f64], least_ever: Option<f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = sentinels
        .iter()
        .copied()
        .filter(|v| v.is_finite() && *v > 0.0)
        .collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let support = LEAST_SUPPORT.max(sorted.len() / 100);
    let learnt = sorted
        .windows(support)
        .find(|window| window[support - 1] <= window[0] * 1.02)
        .map(|window| window[support / 2])
        .or(sorted.first().copied());
    let least_ever = least_ever.filter(|v| v.is_finite() && *v > 0.0);
    match (learnt, least_ever) {
        (Some(learnt), Some(least)) => Some(learnt.min(least)),
        (learnt, least) => learnt.or(least),
    }
}

/// Which samples were taken while the core was ours: those whose sentinels before and after are
/// both at most `tolerance` (relative, 0.02 is 2 %) above `floor`.
#[must_use]
pub fn clean(before_after: &[[f64; 2]], floor: f64, tolerance: f64) -> Vec<bool> {
    let most = floor * (1.0 + tolerance);
    before_after
        .iter()
        .map(|pair| pair.iter().all(|s| *s > 0.0 && *s <= most))
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
    if clean.iter().filter(|clean| **clean).count() < enough {
        Core::NeverOurs { contended }
    } else if contended > 0.05 {
        Core::Shared { contended }
    } else {
        Core::Ours
    }
}
