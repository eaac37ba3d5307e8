//! The middle of many samples, and how much each sample moves it.

/// Share of the samples that the estimator leaves out at either end.
pub(crate) const TRIM: f64 = 0.25;

/// Mean of sorted values (at least one) without the fraction `trim` (below one half) at either
/// end. Where that is no whole number of samples, the ones at the edge count in part.
pub(crate) fn trimmed_mean(sorted: &[f64], trim: f64) -> f64 {
    let n = sorted.len();
    let cut = trim * n as f64;
    let whole = cut as usize;
    let edge = 1.0 - cut.fract();
    let inner = &sorted[whole..n - whole];
    if inner.len() == 1 {
        return inner[0];
    }
    // Summed as distances from one of them, so that equal values give exactly that value.
    let origin = inner[0];
    let last = inner[inner.len() - 1] - origin;
    let middle: f64 = inner[1..inner.len() - 1]
        .iter()
        .map(|value| value - origin)
        .sum();
    origin + (edge * last + middle) / (n as f64 - 2.0 * cut)
}

/// The middle of `values` and each value's influence on it: how far the middle moves per unit of
/// added weight of that value, over the number of values. The influences sum to zero, so the middle of a
/// resampled set is, to first order, the middle plus the sum of what was drawn.
pub(crate) struct Location {
    pub(crate) middle: f64,
    pub(crate) influences: Vec<f64>,
}

impl Location {
    /// Of at least one value.
    pub(crate) fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let low = crate::quantile::of_sorted(&sorted, TRIM);
        let high = crate::quantile::of_sorted(&sorted, 1.0 - TRIM);
        let n = values.len() as f64;
        let mean = values.iter().map(|v| v.clamp(low, high) - low).sum::<f64>() / n + low;
        let scale = 1.0 / ((1.0 - 2.0 * TRIM) * n);
        Self {
            middle: trimmed_mean(&sorted, TRIM),
            influences: values
                .iter()
                .map(|v| (v.clamp(low, high) - mean) * scale)
                .collect(),
        }
    }
}
