//! What a record's numbers are counted in.

use record::{Measure, Record};

/// Cycles, or nanoseconds where there was no ruler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Cycles,
    Nanoseconds,
}

impl Unit {
    /// Cycles, unless there are none at all and there are nanoseconds.
    pub(crate) fn of(record: &Record) -> Self {
        let mut measures = record
            .variants
            .iter()
            .flat_map(|variant| variant.measures.values());
        let any_cycles = measures.clone().any(|measure| measure.cycles.is_some());
        if !any_cycles && measures.any(|measure| measure.ns.is_some()) {
            Self::Nanoseconds
        } else {
            Self::Cycles
        }
    }

    /// Head of its column.
    pub(crate) fn head(self) -> &'static str {
        match self {
            Self::Cycles => "cyc",
            Self::Nanoseconds => "ns",
        }
    }

    /// The number of a measure, with its interval.
    pub(crate) fn interval(self, measure: &Measure) -> Option<[f64; 3]> {
        match self {
            Self::Cycles => measure
                .cycles
                .as_ref()
                .map(|found| [found.estimate, found.low, found.high]),
            Self::Nanoseconds => measure
                .ns
                .as_ref()
                .map(|found| [found.estimate, found.low, found.high]),
        }
    }
}
