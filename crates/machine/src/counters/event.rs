//! Names of events.

use perf_event::events::{self, Hardware, Software};

use crate::api::{CounterRequest, Reason};

/// An event by the name that records use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) name: &'static str,
    source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Cycles,
    Instructions,
    Branches,
    BranchMisses,
    RefCycles,
    BusCycles,
    CacheReferences,
    CacheMisses,
    PageFaults,
    ContextSwitches,
    CpuMigrations,
    TaskClock,
}

/// Every event, with the other spelling that `perf list` has for it. Those of [`AUTO`] come first.
const EVENTS: &[(&str, Option<&str>, Source)] = &[
    ("cycles", Some("cpu-cycles"), Source::Cycles),
    ("instructions", None, Source::Instructions),
    ("branches", Some("branch-instructions"), Source::Branches),
    ("branch-misses", None, Source::BranchMisses),
    ("ref-cycles", None, Source::RefCycles),
    ("bus-cycles", None, Source::BusCycles),
    ("cache-references", None, Source::CacheReferences),
    ("cache-misses", None, Source::CacheMisses),
    ("page-faults", Some("faults"), Source::PageFaults),
    ("context-switches", Some("cs"), Source::ContextSwitches),
    ("cpu-migrations", Some("migrations"), Source::CpuMigrations),
    ("task-clock", None, Source::TaskClock),
];

/// How many of [`EVENTS`] are read unless others are asked for.
const AUTO: usize = 4;

impl Event {
    /// The event of this name.
    fn named(name: &str) -> Option<Self> {
        EVENTS
            .iter()
            .find(|(main, other, _)| *main == name || *other == Some(name))
            .map(|&(name, _, source)| Self { name, source })
    }

    /// For the perf-event crate.
    pub(super) fn kind(self) -> events::Event {
        match self.source {
            Source::Cycles => Hardware::CPU_CYCLES.into(),
            Source::Instructions => Hardware::INSTRUCTIONS.into(),
            Source::Branches => Hardware::BRANCH_INSTRUCTIONS.into(),
            Source::BranchMisses => Hardware::BRANCH_MISSES.into(),
            Source::RefCycles => Hardware::REF_CPU_CYCLES.into(),
            Source::BusCycles => Hardware::BUS_CYCLES.into(),
            Source::CacheReferences => Hardware::CACHE_REFERENCES.into(),
            Source::CacheMisses => Hardware::CACHE_MISSES.into(),
            Source::PageFaults => Software::PAGE_FAULTS.into(),
            Source::ContextSwitches => Software::CONTEXT_SWITCHES.into(),
            Source::CpuMigrations => Software::CPU_MIGRATIONS.into(),
            Source::TaskClock => Software::TASK_CLOCK.into(),
        }
    }
}

/// The events of a request.
///
/// # Errors
/// Names that are not known, all of them.
pub(super) fn requested(request: &CounterRequest) -> Result<Vec<Event>, Reason> {
    let names = match request {
        CounterRequest::None => return Ok(Vec::new()),
        CounterRequest::Auto => {
            return Ok(EVENTS[..AUTO]
                .iter()
                .map(|&(name, _, source)| Event { name, source })
                .collect());
        }
        CounterRequest::Events(names) => names,
    };
    let mut events: Vec<Event> = Vec::new();
    let mut unknown = Vec::new();
    for name in names {
        match Event::named(name) {
            // Asked for twice, it is still one counter.
            Some(event) if events.contains(&event) => {}
            Some(event) => events.push(event),
            None => unknown.push(format!("`{name}`")),
        }
    }
    if unknown.is_empty() {
        return Ok(events);
    }
    let known: Vec<&str> = EVENTS.iter().map(|(name, ..)| *name).collect();
    Err(Reason(format!(
        "no such event: {}; known are {} (raw codes and the PMU's own names are not supported)",
        unknown.join(", "),
        known.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(request: &CounterRequest) -> Result<Vec<&'static str>, Reason> {
        Ok(requested(request)?.iter().map(|event| event.name).collect())
    }

    fn events(names: &[&str]) -> CounterRequest {
        CounterRequest::Events(names.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn the_usual_four_are_read_unless_others_are_asked_for() {
        assert_eq!(
            names(&CounterRequest::Auto),
            Ok(vec!["cycles", "instructions", "branches", "branch-misses"])
        );
        assert_eq!(names(&CounterRequest::None), Ok(vec![]));
    }

    #[test]
    fn either_spelling_gives_the_name_of_records() {
        assert_eq!(
            names(&events(&["branch-instructions", "cpu-cycles", "cycles"])),
            Ok(vec!["branches", "cycles"])
        );
    }

    #[test]
    fn every_unknown_name_is_told() {
        let reason = names(&events(&["cycles", "r1a8", "ild_stall.lcp"])).expect_err("unknown");
        assert!(
            reason
                .0
                .starts_with("no such event: `r1a8`, `ild_stall.lcp`; known are cycles,"),
            "{}",
            reason.0
        );
    }
}
