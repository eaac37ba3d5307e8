//! Performance counters, where the machine has them.
//!
//! All events are opened as one group, so that they count over exactly the same time. A worker
//! opens a [`Group`] for itself, reads it before and after a pass, and [`judge()`] makes values per
//! run of the differences, or says why a value is not to be believed.

mod event;
mod group;
mod judge;

pub(crate) use group::{Group, Reading, unavailable};
pub(crate) use judge::{Batch, Expected, judge};
