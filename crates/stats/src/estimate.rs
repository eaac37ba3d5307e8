//! One series to one number.

use crate::location::Location;
use crate::quantile::of_sorted;
use crate::resample::{Part, Spread};
use crate::series::Series;

/// A number with its interval, count and method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate, in the unit of the samples.
    pub value: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Samples that it was made from.
    pub n: usize,
    /// How it was made, in words for a record.
    pub method: &'static str,
}

/// Estimates the middle of a series.
///
/// `None` for fewer than two samples (there is no interval then), for arrays of unequal lengths and for values that are not
/// finite.
#[must_use]
pub fn estimate(series: &Series<'_>, seed: u64) -> Option<Estimate> {
    if series.values.len() < 2 || !series.is_sound() {
        return None;
    }
    let Location { middle, influences } = Location::of(series.values);
    let parts = influences
        .iter()
        .zip(series.workers.iter().zip(series.rounds))
        .map(|(&influence, (&worker, &round))| Part {
            worker,
            round,
            sums: [influence, 0.0],
        })
        .collect();
    let mut draws: Vec<f64> = Spread::of(parts, seed)
        .draws
        .iter()
        .map(|draw| middle + draw[0])
        .collect();
    draws.sort_unstable_by(f64::total_cmp);
    Some(Estimate {
        value: middle,
        low: of_sorted(&draws, 0.025).min(middle),
        high: of_sorted(&draws, 0.975).max(middle),
        n: series.values.len(),
        method: "interquartile mean, bootstrap over workers and blocks of rounds",
    })
}
