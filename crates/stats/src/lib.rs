//! Estimates and comparisons of samples, with intervals.
//!
//! Pure arithmetic: no units, clocks, files or assembly, and the same input (and seed) gives the
//! same bytes. What a sample is worth is the caller's business; here it is an `f64` that was taken
//! in some round by some worker process.
//!
//! The samples that this crate was made for have a few close steady states, shared out differently
//! from worker to worker, with outliers above; why the estimator is what it is stands at
//! [`estimate`] and, with the figures of the study, in `docs/estimator.md`.
//!
//! ```
//! use stats::{Series, compare, estimate};
//!
//! let rounds: Vec<u32> = (0..200).collect();
//! let workers: Vec<u32> = rounds.iter().map(|round| round / 50).collect();
//! let fast: Vec<f64> = rounds.iter().map(|round| 90.0 + f64::from(round % 3)).collect();
//! let slow: Vec<f64> = rounds.iter().map(|round| 99.0 + f64::from(round % 4)).collect();
//! let baseline = Series { values: &fast, rounds: &rounds, workers: &workers };
//! let variant = Series { values: &slow, rounds: &rounds, workers: &workers };
//!
//! let estimate = estimate(&baseline, 1).unwrap();
//! assert!(estimate.low <= 91.0 && 91.0 <= estimate.high);
//! let comparison = compare(&variant, &baseline, 0.01, 1).unwrap();
//! assert_eq!(comparison.verdict, stats::Verdict::Slower);
//! ```

mod blocks;
mod compare;
mod contention;
mod density;
mod estimate;
mod location;
mod modes;
mod quantile;
mod resample;
mod separation;
mod series;
mod thin;

pub use compare::{Comparison, RatioOfRatios, Verdict, compare, noise_floor, ratio_of_ratios};
pub use contention::{Core, clean, contended_share, core, floor};
pub use estimate::{Estimate, estimate};
pub use location::location;
pub use modes::{Mode, modes};
pub use quantile::{median, quantile};
pub use separation::{Inseparable, Round, Separation, Trial, separation};
pub use series::Series;
pub use thin::thin;
