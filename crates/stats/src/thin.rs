//! Fewer samples, evenly.

/// Indices of at most `at_most` out of `n` samples, evenly spread and ascending, the first and the
/// last among them where there is room for two.
#[must_use]
pub fn thin(n: usize, at_most: usize) -> Vec<usize> {
    if n <= at_most {
        return (0..n).collect();
    }
    match at_most {
        0 => Vec::new(),
        1 => vec![n / 2],
        // In 128 bits, so that no product overflows.
        _ => (0..at_most as u128)
            .map(|i| (i * (n as u128 - 1) / (at_most as u128 - 1)) as usize)
            .collect(),
    }
}
