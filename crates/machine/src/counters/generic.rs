//! Events that the kernel knows by generic names, whatever the CPU.

use super::event::{Attributes, Kind};

/// `perf_event_attr.type` of the kernel's own kinds of events.
const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const CACHE: u32 = 3;

/// A row: the name that records use, the other spelling that `perf list` has for it, type, config.
type Row = (&'static str, Option<&'static str>, u32, u64);

/// A cache's event by the kernel's numbers: which cache, operation (read 0), result (access 0, miss
/// 1).
const fn cache(cache: u64, result: u64) -> u64 {
    cache | result << 16
}

/// The numbers are those of `linux/perf_event.h`. Those of [`AUTO`] come first.
const EVENTS: &[Row] = &[
    ("cycles", Some("cpu-cycles"), HARDWARE, 0),
    ("instructions", None, HARDWARE, 1),
    ("branches", Some("branch-instructions"), HARDWARE, 4),
    ("branch-misses", None, HARDWARE, 5),
    ("ref-cycles", None, HARDWARE, 9),
    ("bus-cycles", None, HARDWARE, 6),
    ("cache-references", None, HARDWARE, 2),
    ("cache-misses", None, HARDWARE, 3),
    (
        "stalled-cycles-frontend",
        Some("idle-cycles-frontend"),
        HARDWARE,
        7,
    ),
    (
        "stalled-cycles-backend",
        Some("idle-cycles-backend"),
        HARDWARE,
        8,
    ),
    ("L1-dcache-loads", None, CACHE, cache(0, 0)),
    ("L1-dcache-load-misses", None, CACHE, cache(0, 1)),
    ("L1-icache-load-misses", None, CACHE, cache(1, 1)),
    ("LLC-loads", None, CACHE, cache(2, 0)),
    ("LLC-load-misses", None, CACHE, cache(2, 1)),
    ("dTLB-load-misses", None, CACHE, cache(3, 1)),
    ("iTLB-load-misses", None, CACHE, cache(4, 1)),
    ("branch-load-misses", None, CACHE, cache(5, 1)),
    ("page-faults", Some("faults"), SOFTWARE, 2),
    ("context-switches", Some("cs"), SOFTWARE, 3),
    ("cpu-migrations", Some("migrations"), SOFTWARE, 4),
    ("task-clock", None, SOFTWARE, 1),
];

/// How many of [`EVENTS`] are read unless others are asked for.
const AUTO: usize = 4;

/// A generic event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Generic {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) attributes: Attributes,
    /// Whether a CPU's PMU counts it, and not the kernel.
    pub(super) is_hardware: bool,
}

/// The event of this name.
pub(super) fn named(name: &str) -> Option<Generic> {
    EVENTS
        .iter()
        .find(|(main, other, ..)| *main == name || *other == Some(name))
        .map(generic)
}

/// Those that are read unless others are asked for.
pub(super) fn usual() -> impl Iterator<Item = Generic> {
    EVENTS[..AUTO].iter().map(generic)
}

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|(name, ..)| *name)
}

fn generic(&(name, _, kind, config): &Row) -> Generic {
    Generic {
        name,
        kind: Kind::of(name),
        attributes: Attributes {
            kind,
            config,
            ..Attributes::default()
        },
        is_hardware: kind != SOFTWARE,
    }
}
