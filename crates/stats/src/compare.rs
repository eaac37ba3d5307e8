//! Two series to one ratio, and two ratios to one.

use std::collections::{HashMap, HashSet};

use crate::blocks::Blocks;
use crate::resample::Resampled;
use crate::series::Series;

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The variant takes longer.
    Slower,
    /// The variant takes less long.
    Faster,
    /// No difference seen; which is not the same as none being there.
    NoDifference,
}

/// A variant against its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Variant over baseline.
    pub ratio: f64,
    /// Lower end of the ratio's 95 % interval.
    pub low: f64,
    /// Upper end of the ratio's 95 % interval.
    pub high: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// The least relative difference (0.02 is 2 %) that would have been seen, in 19 of 20
    /// such runs.
    pub smallest_seen: f64,
}

impl Comparison {
    /// The same with an interval that reaches at least this far to either side, as a share of the
    /// ratio, for a caller who knows of errors that all samples have in common.
    #[must_use]
    pub fn at_least(self, share: f64) -> Self {
        let half = share * self.ratio.abs();
        Self {
            low: self.low.min(self.ratio - half),
            high: self.high.max(self.ratio + half),
            ..self
        }
    }
}

/// One ratio over another: the same comparison on two machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioOfRatios {
    /// The first ratio over the second.
    pub ratio: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Whether the first machine's ratio is the greater ([`Verdict::Slower`]), the smaller, or no
    /// difference was seen.
    pub verdict: Verdict,
}

/// A verdict needs a difference of more than this many halves of its interval: some 3.1 standard
/// deviations, where the interval has 1.96. A table makes dozens of comparisons, and is made again
/// and again: of 95 % intervals, one in twenty errs.
const SURE: f64 = 1.6;

/// And for two ratios of different runs, more than this many halves: some 3.7 standard deviations. Two
/// runs share no worker, and a comparison of two records has as many numbers as three tables. Of 185
/// pairs of runs of one file, 4, 7 and 2 had a number beyond 1.6 in the three contexts, and one
/// beyond this.
const SURE_OF_TWO_RUNS: f64 = 1.9;

/// Half the width of an interval, times this, is what must lie between a difference and what a
/// verdict needs for it to be seen in 19 of 20 runs: 95 % of a normal distribution lie above its
/// mean less 1.64 standard deviations, of which half a width has 1.96.
const NEARLY_ALWAYS: f64 = 1.645 / 1.96;

/// Compares a variant with its baseline: the ratio of their estimates, made from the blocks of
/// rounds that have samples of both, and resampled together, so that what both share (drift, a
/// neighbour's load, a slow process) cancels in the interval.
///
/// `floor` is the relative noise floor of this machine (0.01 is 1 %; [`noise_floor`]). A verdict
/// other than [`Verdict::NoDifference`] needs a difference above the floor, and an interval that
/// excludes 1 even if it were 1.6 times as wide: so that not one comparison in twenty is wrong, but
/// less than one in some hundred.
///
/// The ratio is one of locations and not the location of the rounds' ratios: that would lose each
/// round in which either sample was left out, means nothing where samples are net values near zero, and
/// would disagree with the two estimates shown beside it.
///
/// Samples are matched by worker and block of rounds; where the two series share no worker (their
/// variants need differently prepared processes, and the rounds alternate between these), by round alone. `None` where there are fewer than two
/// blocks with samples of both, where the baseline's interval includes zero, and for series that [`crate::estimate`]
/// refuses.
#[must_use]
pub fn compare(
    variant: &Series<'_>,
    baseline: &Series<'_>,
    floor: f64,
    seed: u64,
) -> Option<Comparison> {
    if !variant.is_sound() || !baseline.is_sound() {
        return None;
    }
    let moved = beside(variant, baseline);
    let baseline = moved.as_ref().map_or(*baseline, Moved::series);
    let blocks = Blocks::of([variant, &baseline])?;
    let [ours, theirs] = blocks.middles;
    let resampled = Resampled::of(&blocks, seed);
    let (least, most) = resampled.interval(|[_, theirs]| *theirs);
    let [our_step, their_step] = blocks.resolutions;
    if least.min(theirs - their_step) <= 0.0 && most.max(theirs + their_step) >= 0.0 {
        return None;
    }
    let ratio = ours / theirs;
    let (low, high) = resampled.interval(|[ours, theirs]| ours / theirs);
    let step = (our_step + ratio.abs() * their_step) / theirs.abs();
    let (low, high) = (low.min(ratio - step), high.max(ratio + step));
    if !(ratio.is_finite() && low.is_finite() && high.is_finite()) {
        return None;
    }
    // How wide the interval would be if there were no difference.
    let scale = if ratio > 0.0 { ratio } else { 1.0 };
    let half = (ratio - low).max(high - ratio) / scale;
    Some(Comparison {
        ratio,
        low,
        high,
        verdict: verdict(ratio, low, high, floor, SURE),
        smallest_seen: (SURE * half).max(floor) + NEARLY_ALWAYS * half,
    })
}

/// The samples of a baseline as if the variant's workers had taken them.
struct Moved {
    values: Vec<f64>,
    rounds: Vec<u32>,
    workers: Vec<u32>,
}

impl Moved {
    fn series(&self) -> Series<'_> {
        Series {
            values: &self.values,
            rounds: &self.rounds,
            workers: &self.workers,
        }
    }
}

/// Puts each sample of a baseline that shares no worker with the variant beside the variant's of
/// the same round, and leaves out those of other rounds. `None` if the two share a worker.
fn beside(variant: &Series<'_>, baseline: &Series<'_>) -> Option<Moved> {
    let ours: HashSet<u32> = variant.workers.iter().copied().collect();
    if baseline.workers.iter().any(|worker| ours.contains(worker)) {
        return None;
    }
    let places = variant.rounds.iter().zip(variant.workers);
    let worker_of: HashMap<u32, u32> = places.map(|(&round, &worker)| (round, worker)).collect();
    let mut moved = Moved {
        values: Vec::new(),
        rounds: Vec::new(),
        workers: Vec::new(),
    };
    for (&value, round) in baseline.values.iter().zip(baseline.rounds) {
        if let Some(&worker) = worker_of.get(round) {
            moved.values.push(value);
            moved.rounds.push(*round);
            moved.workers.push(worker);
        }
    }
    Some(moved)
}

fn verdict(ratio: f64, low: f64, high: f64, floor: f64, sure: f64) -> Verdict {
    if ratio - sure * (ratio - low) > 1.0 && ratio - 1.0 > floor {
        Verdict::Slower
    } else if ratio + sure * (high - ratio) < 1.0 && 1.0 - ratio > floor {
        Verdict::Faster
    } else {
        Verdict::NoDifference
    }
}

/// Divides two ratios, with the interval that follows if both are log-normal.
///
/// `floor` is the relative difference that a verdict needs, as for [`compare`]; for two machines
/// the greater of their floors. It needs an interval that excludes 1 even if it were 1.9 times as
/// wide.
///
/// `None` where a ratio or an end of an interval is not a positive finite number, or the ends do
/// not enclose the ratio.
#[must_use]
pub fn ratio_of_ratios(a: &Comparison, b: &Comparison, floor: f64) -> Option<RatioOfRatios> {
    let sound = |c: &Comparison| {
        [c.ratio, c.low, c.high]
            .iter()
            .all(|v| v.is_finite() && *v > 0.0)
            && c.low <= c.ratio
            && c.ratio <= c.high
    };
    if !sound(a) || !sound(b) {
        return None;
    }
    let ratio = a.ratio / b.ratio;
    // The lower end of the quotient comes from the first's lower and the second's upper end.
    let below = (a.ratio / a.low).ln().hypot((b.high / b.ratio).ln());
    let above = (a.high / a.ratio).ln().hypot((b.ratio / b.low).ln());
    let (low, high) = (ratio * (-below).exp(), ratio * above.exp());
    if !(ratio.is_finite() && ratio > 0.0 && low > 0.0 && high.is_finite()) {
        return None;
    }
    Some(RatioOfRatios {
        ratio,
        low,
        high,
        verdict: verdict(ratio, low, high, floor, SURE_OF_TWO_RUNS),
    })
}

/// The noise floor that comparisons of things with themselves show: the greatest distance of any of
/// their ratios from 1, or half of how far an interval reaches from 1 where that is more (the ratio
/// may be near 1 by luck; half an interval is its standard deviation), as a relative difference.
///
/// `None` for no comparisons.
#[must_use]
pub fn noise_floor(alike: &[Comparison]) -> Option<f64> {
    alike
        .iter()
        .map(|comparison| {
            let reach = (1.0 - comparison.low).max(comparison.high - 1.0);
            (comparison.ratio - 1.0).abs().max(reach / 2.0)
        })
        .max_by(f64::total_cmp)
}
