//! What this process may use.

use rustix::process::{Resource, getrlimit};

/// Most bytes of address space that this process may have (`ulimit -v`); `None` for no limit.
#[must_use]
pub fn address_space() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// Most bytes that it may write to (`ulimit -d`); `None` for no limit.
#[must_use]
pub fn data_segment() -> Option<u64> {
    getrlimit(Resource::Data).current
}
