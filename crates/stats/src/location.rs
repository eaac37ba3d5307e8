//! The middle of many samples, and how much each sample moves it.

use crate::quantile::of_sorted;

/// Share of the samples that the estimator leaves out at either end; by the study, see
/// [`crate::estimate`].
const TRIM: f64 = 0.1;

/// The usual state is looked for low among the samples, between these shares of them: there it is
/// found even where most samples are in a higher state, which a neighbour can make them be.
const LOW: [f64; 2] = [0.1, 0.3];

/// From half as many times their distance above the second of these a value counts for less, and
/// from this many on it belongs to another state and does not count. Of normal values one in thirty
/// thousand does. Between the two it counts in part: with a sharp edge, a state that lies just there
/// counted whole in one run and not at all in the next, and moved the estimate by up to 7 %.
const FAR: f64 = 6.0;

/// Where values usually lie: the mean of the middle eight tenths of those that are in no far higher
/// state. A tenth of their weight is left out at either end; the values at the edge count in part.
///
/// `None` for no values and for any that is not finite.
#[must_use]
pub fn location(values: &[f64]) -> Option<f64> {
    if values.is_empty() || !values.iter().all(|v| v.is_finite()) {
        return None;
    }
    Some(Location::of(values.to_vec()).middle)
}

/// A share of samples in far higher states up to which they do not count: a neighbour puts a quarter
/// to a half of a branchy body's samples there in one run and a tenth in the next.
const RARE: f64 = 0.5;
/// A share from which on they count like all others: then theirs is the usual state. In between they
/// count in part, so that no single sample turns the estimate over.
const COMMON: f64 = 0.7;

/// A location and what is needed to tell the influence of a value on it.
pub(crate) struct Location {
    pub(crate) middle: f64,
    all: Trimmed,
    /// Of the values that are in no far higher state.
    usual: Trimmed,
    cut: Cut,
    /// Share of the values that is left out by that.
    above: f64,
    /// How far the values above count: 0 to 1, and by how much more for each further one.
    weight: f64,
    slope: f64,
    n: f64,
    /// Half the step in which the values come where nearly all are one and the same, else 0.
    pub(crate) resolution: f64,
}

impl Location {
    /// Of at least one value, all finite.
    pub(crate) fn of(values: Vec<f64>) -> Self {
        let mut sorted = values;
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let cut = Cut::of(&sorted);
        let all = Trimmed::of(&sorted, |_| 1.0);
        let usual = Trimmed::of(&sorted, |value| cut.weight(value));
        let above = 1.0 - usual.total / n;
        let weight = ((above - RARE) / (COMMON - RARE)).clamp(0.0, 1.0);
        let between = weight > 0.0 && weight < 1.0;
        Self {
            middle: usual.middle + weight * (all.middle - usual.middle),
            slope: if between { 1.0 / (COMMON - RARE) } else { 0.0 },
            resolution: resolution(&sorted),
            all,
            usual,
            cut,
            above,
            weight,
            n,
        }
    }

    /// How far one value of the set pulls the middle. The pulls of all values sum to zero, and a
    /// resampled set's middle is, to first order, the middle plus the pulls of what was drawn.
    pub(crate) fn influence(&self, value: f64) -> f64 {
        let counts = self.cut.weight(value);
        let in_usual = counts * self.usual.influence(value);
        let in_all = self.all.influence(value);
        // One more value above also lets all of those count for more.
        let by_share = (1.0 - counts - self.above) / self.n;
        let turn = self.slope * (self.all.middle - self.usual.middle);
        in_usual + self.weight * (in_all - in_usual) + turn * by_share
    }
}

/// Where the usual state ends. All that goes wrong takes time, so the others lie above: a loop that
/// has one misprediction more per run for as long as a sample lasts, in a few samples of a hundred
/// here and in half of them there.
#[derive(Clone, Copy)]
struct Cut {
    /// Up to here a value counts.
    full: f64,
    /// From here on it does not.
    none: f64,
}

impl Cut {
    fn of(sorted: &[f64]) -> Self {
        let [lower, upper] = LOW.map(|share| of_sorted(sorted, share));
        // Samples that are nearly all equal tell nothing of how far they spread; and what is less
        // than 3 % above them is no far higher state.
        let spread = (upper - lower).max(0.01 * upper.abs());
        Self {
            full: upper + FAR / 2.0 * spread,
            none: upper + FAR * spread,
        }
    }

    /// How far a value counts: 0 to 1.
    fn weight(self, value: f64) -> f64 {
        if value <= self.full {
            return 1.0;
        }
        ((self.none - value) / (self.none - self.full)).max(0.0)
    }
}

/// A weighted mean without a tenth of the weight at either end.
struct Trimmed {
    middle: f64,
    /// Values beyond these are trimmed and pull no further.
    low: f64,
    high: f64,
    /// Mean of the values with those beyond the ends put at the ends.
    center: f64,
    /// Sum of the weights.
    total: f64,
}

impl Trimmed {
    /// Of at least one value, ascending; the lowest has a weight.
    fn of(sorted: &[f64], weight: impl Fn(f64) -> f64) -> Self {
        let total: f64 = sorted.iter().map(|value| weight(*value)).sum();
        let (from, to) = (TRIM * total, (1.0 - TRIM) * total);
        let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
        let (mut low, mut high) = (first, last);
        // Summed as distances from one of them, so that equal values give exactly that value.
        let (mut before, mut sum) = (0.0, 0.0);
        for value in sorted {
            let after = before + weight(*value);
            if before <= from {
                low = *value;
            }
            if before < to {
                high = *value;
            }
            sum += (after.min(to) - before.max(from)).max(0.0) * (value - first);
            before = after;
        }
        let center: f64 = sorted
            .iter()
            .map(|value| weight(*value) * (value.clamp(low, high) - low))
            .sum();
        Self {
            middle: first + sum / (to - from),
            low,
            high,
            center: low + center / total,
            total,
        }
    }

    fn influence(&self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) - self.center) / ((1.0 - 2.0 * TRIM) * self.total)
    }
}

/// If most values are one and the same, the clock's steps are coarser than the noise, which then
/// cannot average them out: the truth may be half a step away.
fn resolution(sorted: &[f64]) -> f64 {
    let middle = sorted[sorted.len() / 2];
    let from = sorted.partition_point(|v| *v < middle);
    let to = sorted.partition_point(|v| *v <= middle);
    if 2 * (to - from) <= sorted.len() {
        return 0.0;
    }
    let below = from.checked_sub(1).map(|i| middle - sorted[i]);
    let above = sorted.get(to).map(|v| v - middle);
    // Where no other value was seen, nothing is known of the step.
    below
        .into_iter()
        .chain(above)
        .min_by(f64::total_cmp)
        .map_or(0.0, |step| step / 2.0)
}
