//! Tests of the public interface, degenerate input first in each.

mod comparisons;
mod contention;
mod estimates;
mod made;
mod modes;
mod quantiles;
mod separations;
