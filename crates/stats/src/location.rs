//! The middle of many samples, and how much each sample moves it.

use crate::quantile::of_sorted;

/// Share of the samples that the estimator leaves out at either end; by the study, see
/// [`crate::estimate`].
const TRIM: f64 = 0.1;

/// The usual state is looked for low among the samples, between these shares of them: there it is
/// found even where most samples are in a higher state, which a neighbour can make them be.
const LOW: [f64; 2] = [0.1, 0.3];

/// A value that lies further above the second of these than this many times their distance belongs to
/// another state. Of normal values one in thirty thousand does.
const FAR: f64 = 6.0;

/// Where values usually lie: the mean of the middle eight tenths of those that are in no far higher
/// state. A tenth of them is left out at either end; where that is no whole number of values, the
/// ones at the edge count in part.
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

/// Values half as far above as a far higher state belong to neither. Up to so many of them for each in
/// such a state it is one; from the second number on there is no state but a long tail, which counts.
const GAP: [f64; 2] = [0.4, 0.8];

/// A location and what is needed to tell the influence of a value on it.
pub(crate) struct Location {
    pub(crate) middle: f64,
    all: Trimmed,
    /// Of the values up to `cut`.
    usual: Trimmed,
    cut: f64,
    /// Share of the values above `cut`.
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
        let [half_way, cut] = cuts(&sorted);
        let nearer = sorted.partition_point(|v| *v <= half_way);
        let usual = sorted.partition_point(|v| *v <= cut);
        let above = 1.0 - usual as f64 / n;
        let by_share = ((above - RARE) / (COMMON - RARE)).clamp(0.0, 1.0);
        let tail = (usual - nearer) as f64 / (sorted.len() - usual).max(1) as f64;
        let weight = ((tail - GAP[0]) / (GAP[1] - GAP[0])).clamp(by_share, 1.0);
        let between = by_share > 0.0 && by_share < 1.0 && weight <= by_share;
        let resolution = resolution(&sorted);
        let all = Trimmed::of(&sorted);
        let usual = Trimmed::of(&sorted[..usual]);
        Self {
            middle: usual.middle + weight * (all.middle - usual.middle),
            slope: if between { 1.0 / (COMMON - RARE) } else { 0.0 },
            all,
            usual,
            cut,
            above,
            weight,
            n,
            resolution,
        }
    }

    /// How far one value of the set pulls the middle. The pulls of all values sum to zero, and a
    /// resampled set's middle is, to first order, the middle plus the pulls of what was drawn.
    pub(crate) fn influence(&self, value: f64) -> f64 {
        let is_above = value > self.cut;
        let in_usual = if is_above {
            0.0
        } else {
            self.usual.influence(value)
        };
        let in_all = self.all.influence(value);
        // One more value above also lets all of those count for more.
        let by_share = (f64::from(u8::from(is_above)) - self.above) / self.n;
        let turn = self.slope * (self.all.middle - self.usual.middle);
        in_usual + self.weight * (in_all - in_usual) + turn * by_share
    }
}

/// A mean without a tenth at either end.
struct Trimmed {
    middle: f64,
    /// Values beyond these are trimmed and pull no further.
    low: f64,
    high: f64,
    /// Mean of the values with those beyond the ends put at the ends.
    center: f64,
    n: f64,
}

impl Trimmed {
    fn of(sorted: &[f64]) -> Self {
        let n = sorted.len() as f64;
        let low = of_sorted(sorted, TRIM);
        // Between two equal values, interpolation may end one step of the float below.
        let high = of_sorted(sorted, 1.0 - TRIM).max(low);
        // Summed as distances from one of them, so that equal values give exactly that value.
        let center = low + sorted.iter().map(|v| v.clamp(low, high) - low).sum::<f64>() / n;
        Self {
            middle: mean_of_inner(sorted),
            low,
            high,
            center,
            n,
        }
    }

    fn influence(&self, value: f64) -> f64 {
        (value.clamp(self.low, self.high) - self.center) / ((1.0 - 2.0 * TRIM) * self.n)
    }
}

/// Where the usual state ends, and half the way there from what is surely in it. All that goes wrong takes time, so the others lie above: a loop that
/// has one misprediction more per run for as long as a sample lasts, in a few samples of a hundred
/// here and in half of them there.
fn cuts(sorted: &[f64]) -> [f64; 2] {
    let [lower, upper] = LOW.map(|share| of_sorted(sorted, share));
    // Samples that are nearly all equal tell nothing of how far they spread.
    let spread = (upper - lower).max(0.005 * upper.abs());
    [FAR / 2.0, FAR].map(|far| upper + far * spread)
}

fn mean_of_inner(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let cut = TRIM * n as f64;
    let whole = cut as usize;
    let inner = &sorted[whole..n - whole];
    let (first, last) = (inner[0], inner[inner.len() - 1]);
    if inner.len() == 1 {
        return first;
    }
    let between: f64 = inner[1..inner.len() - 1].iter().map(|v| v - first).sum();
    first + ((1.0 - cut.fract()) * (last - first) + between) / (n as f64 - 2.0 * cut)
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
