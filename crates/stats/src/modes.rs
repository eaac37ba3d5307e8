//! The close steady states that samples have.

use crate::density::peaks;
use crate::quantile::of_sorted;

/// One steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Median of its samples, in their unit.
    pub value: f64,
    /// Share of all samples that belong to it, `0.0..=1.0`. What the shares of all modes leave
    /// is outliers.
    pub share: f64,
}

/// Least share of the samples that makes a mode; anything rarer is outliers.
const LEAST_SHARE: f64 = 0.05;
/// Samples nearer to each other than this part of their size differ by rounding alone.
const ROUNDING: f64 = 1e-12;

/// Finds the modes of samples, sorted by value: peaks of a kernel density that stand out from
/// chance and own at least 5 % of the samples. Empty for no values or any that is not finite.
///
/// The bandwidth is half of Silverman's, which is made for one peak and would melt states that
/// lie a cycle apart.
#[must_use]
pub fn modes(values: &[f64]) -> Vec<Mode> {
    if values.is_empty() || !values.iter().all(|v| v.is_finite()) {
        return Vec::new();
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let at = |q: f64| of_sorted(&sorted, q);
    // What only rounding tells apart is one and the same value.
    let rounding = ROUNDING * at(0.5).abs();
    let spread = [(at(0.75) - at(0.25)) / 1.349, (at(0.95) - at(0.05)) / 3.29]
        .into_iter()
        .find(|spread| *spread > rounding);
    let Some(spread) = spread.filter(|spread| spread.is_finite()) else {
        // Nine in ten are one and the same value.
        return vec![Mode {
            value: at(0.5),
            share: share(&sorted, at(0.5), at(0.5)),
        }];
    };
    let bandwidth = (0.45 * spread * n.powf(-0.2)).max(0.75 * grain(&sorted));
    let mut modes: Vec<Mode> = peaks(&sorted, at(0.02), at(0.98), bandwidth)
        .iter()
        .filter_map(|peak| {
            let from = sorted.partition_point(|v| *v < peak.from);
            let to = sorted.partition_point(|v| *v < peak.to);
            let own = &sorted[from..to];
            let share = own.len() as f64 / n;
            (share >= LEAST_SHARE).then(|| Mode {
                value: of_sorted(own, 0.5),
                share,
            })
        })
        .collect();
    if modes.is_empty() {
        // So few or so scattered samples that nothing stands out.
        modes.push(Mode {
            value: at(0.5),
            share: 1.0,
        });
    }
    modes
}

fn share(sorted: &[f64], from: f64, to: f64) -> f64 {
    let own = sorted.partition_point(|v| *v <= to) - sorted.partition_point(|v| *v < from);
    own as f64 / sorted.len() as f64
}

/// The step in which the values come, if they come in steps (most values are shared by several
/// samples); else 0.
pub(crate) fn grain(sorted: &[f64]) -> f64 {
    let mut gaps: Vec<f64> = sorted
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .filter(|gap| *gap > 0.0)
        .collect();
    if gaps.is_empty() || 3 * (gaps.len() + 1) > sorted.len() {
        return 0.0;
    }
    gaps.sort_unstable_by(f64::total_cmp);
    of_sorted(&gaps, 0.5)
}
