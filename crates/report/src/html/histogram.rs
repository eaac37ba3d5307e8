//! The distribution of one measure's samples, small enough to keep for every measure of a
//! thousand records.

/// Bins of a histogram. Steady states lie a cycle apart, and a measure spans some ten of them.
pub(super) const BINS: usize = 40;

/// Share of the samples at either end that may lie outside the bins, so that one interrupted
/// sample does not press all others into one bin.
const TAIL: f64 = 0.005;

/// Least width of all bins together, relative to the samples' middle: below that, differences are
/// the clock's reading error.
const LEAST_WIDTH: f64 = 0.005;

/// Counts of samples in bins of equal width.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Histogram {
    /// Lower end of the first bin.
    pub(super) low: f64,
    /// Upper end of the last bin.
    pub(super) high: f64,
    /// Samples in each bin.
    pub(super) bins: Vec<u32>,
    /// Samples below the first bin.
    pub(super) below: u32,
    /// Samples above the last bin.
    pub(super) above: u32,
    /// The least sample.
    pub(super) least: f64,
    /// The greatest sample.
    pub(super) greatest: f64,
}

impl Histogram {
    /// `None` where no value is finite.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (&least, &greatest) = (sorted.first()?, sorted.last()?);
        let (low, high) = (quantile(&sorted, TAIL), quantile(&sorted, 1.0 - TAIL));
        let middle = quantile(&sorted, 0.5);
        let half = ((high - low) / 2.0 * 1.1)
            .max(middle.abs() * LEAST_WIDTH / 2.0)
            .max(1e-6);
        let centre = f64::midpoint(low, high);
        let (low, high) = (centre - half, centre + half);
        if !(low.is_finite() && high.is_finite() && low < high) {
            return None;
        }
        let mut histogram = Self {
            low,
            high,
            bins: vec![0; BINS],
            below: 0,
            above: 0,
            least,
            greatest,
        };
        for value in sorted {
            let at = (value - low) / (high - low) * BINS as f64;
            if at < 0.0 {
                histogram.below += 1;
            } else if at < BINS as f64 {
                histogram.bins[at as usize] += 1;
            } else {
                histogram.above += 1;
            }
        }
        Some(histogram)
    }

    /// All samples, those outside the bins too.
    pub(super) fn total(&self) -> u32 {
        self.bins.iter().sum::<u32>() + self.below + self.above
    }

    /// The fullest bin's count.
    pub(super) fn tallest(&self) -> u32 {
        self.bins.iter().copied().max().unwrap_or(0).max(1)
    }
}

/// The `q` quantile, 0 to 1, of sorted values: the nearest of them. NaN for none.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let at = (q * last as f64).round() as usize;
    sorted.get(at.min(last)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sample_is_lost() {
        let mut values: Vec<f64> = (0..500).map(|i| 88.0 + f64::from(i % 4)).collect();
        values.push(4_000.0);
        values.push(-3.0);
        let histogram = Histogram::of(&values).unwrap();
        assert_eq!(histogram.total(), 502);
        assert_eq!((histogram.below, histogram.above), (1, 1));
        assert_eq!((histogram.least, histogram.greatest), (-3.0, 4_000.0));
        assert_eq!(histogram.bins.iter().filter(|&&n| n > 0).count(), 4);
    }

    #[test]
    fn degenerate_samples_still_have_a_width() {
        for values in [&[90.0][..], &[90.0; 7], &[0.0, 0.0], &[-1.0]] {
            let histogram = Histogram::of(values).unwrap();
            assert!(histogram.low < histogram.high, "{values:?}");
            assert_eq!(histogram.bins.iter().sum::<u32>() as usize, values.len());
        }
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        assert_eq!(Histogram::of(&[]), None);
        assert_eq!(Histogram::of(&[f64::NAN, f64::INFINITY]), None);
        assert_eq!(Histogram::of(&[f64::NAN, 2.0]).unwrap().total(), 1);
        assert_eq!(Histogram::of(&[f64::MAX, f64::MIN, f64::MAX]), None);
    }
}
