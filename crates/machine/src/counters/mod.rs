//! Performance counters, where the machine has them.
//!
//! All events are opened as one group, so that they count over exactly the same time. The parent
//! makes [`Event`]s of names (`event`, `generic`, `sysfs`), a worker opens a [`Group`] of them for
//! itself, reads it before and after a pass (by `rdpmc` where that is allowed, see `page`), and
//! [`judge()`] makes values per run of the differences, or says why a value is not to be believed.

mod event;
mod generic;
mod group;
mod judge;
mod page;
mod sysfs;

pub use event::check_events;
pub(crate) use event::{Attributes, Event, Kind, requested};
pub(crate) use group::{Group, Reading, unavailable};
pub(crate) use judge::{Batch, Expected, judge};
pub(crate) use sysfs::Pmus;
