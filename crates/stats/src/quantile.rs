//! Order statistics.

/// The `q` quantile (`0.0..=1.0`), interpolated linearly between neighbouring order statistics.
///
/// `None` for no values, for any that is not finite, and for a `q` out of its range.
#[must_use]
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=1.0).contains(&q) || !values.iter().all(|v| v.is_finite()) {
        return None;
    }
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    Some(of_sorted(&values, q))
}

/// The median: [`quantile`] at one half.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The `q` quantile of sorted values, of which there must be at least one.
pub(crate) fn of_sorted(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let below = at as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let part = at.fract();
    // Weighted, not `low + part * (high - low)`: the difference of two huge values may overflow.
    if part == 0.0 {
        sorted[below]
    } else {
        sorted[below] * (1.0 - part) + sorted[above] * part
    }
}
