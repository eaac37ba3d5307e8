//! From the names that users write to what the kernel is asked for.
//!
//! A name is generic (`cycles`, as `perf list` has it), a raw code (`r1a8`: umask 01, event a8), or a
//! PMU's own: `cpu/event=0xa8,umask=0x1/`, `cpu_atom/cycles/`, or a bare `slots` of the core's PMU.

use super::generic::{self, Generic};
use super::sysfs::{self, Pmu, Pmus};
use crate::api::{CounterRequest, Reason};

/// `perf_event_attr.type` of raw codes.
const RAW: u32 = 4;
/// Names of a PMU's events that are listed before the rest is left out.
const LISTED: usize = 12;

/// What the kernel is asked for: the fields of `perf_event_attr` of the same names, `kind` being its
/// `type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub(crate) kind: u32,
    pub(crate) config: u64,
    pub(crate) config1: u64,
    pub(crate) config2: u64,
}

impl Attributes {
    /// The word of this name.
    pub(super) fn word(&mut self, name: &str) -> Option<&mut u64> {
        match name {
            "config" => Some(&mut self.config),
            "config1" => Some(&mut self.config1),
            "config2" => Some(&mut self.config2),
            _ => None,
        }
    }
}

/// What an event counts, as far as its values can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Cycles,
    Instructions,
    Branches,
    BranchMisses,
    Other,
}

impl Kind {
    /// By a name that the kernel gives it.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "cycles" | "cpu-cycles" => Self::Cycles,
            "instructions" => Self::Instructions,
            "branches" | "branch-instructions" => Self::Branches,
            "branch-misses" => Self::BranchMisses,
            _ => Self::Other,
        }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// As records have it.
    pub(crate) name: String,
    /// What it counts.
    pub(crate) kind: Kind,
    /// What the kernel is asked for.
    pub(crate) attributes: Attributes,
}

/// Why a name gives no event.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refused {
    /// It is wrong wherever it is asked for.
    Unknown(String),
    /// This machine, or the CPU that is measured on, has no such PMU.
    Absent(String),
}

/// The events of a request, for a CPU.
///
/// # Errors
/// Names that are not known, all of them; or what this machine lacks.
pub(crate) fn requested(
    request: &CounterRequest,
    pmus: &Pmus,
    cpu: u32,
) -> Result<Vec<Event>, Reason> {
    let core = pmus.of_core(cpu);
    let names = match request {
        CounterRequest::None => return Ok(Vec::new()),
        CounterRequest::Auto => {
            return Ok(generic::usual()
                .map(|event| of_generic(event, core.as_ref()))
                .collect());
        }
        CounterRequest::Events(names) => names,
    };
    let mut events: Vec<Event> = Vec::new();
    let mut refused = Vec::new();
    for name in names {
        match event(name, pmus, core.as_ref(), cpu) {
            // Asked for twice, it is still one counter.
            Ok(event) if events.iter().any(|known| known.name == event.name) => {}
            Ok(event) => events.push(event),
            Err(Refused::Unknown(message) | Refused::Absent(message)) => refused.push(message),
        }
    }
    if refused.is_empty() {
        Ok(events)
    } else {
        Err(Reason(refused.join("; ")))
    }
}

/// Looks at names before anything runs: each that is wrong, with what would be right. What this
/// machine merely lacks is no mistake of the caller.
///
/// # Errors
/// A sentence for each wrong name.
pub fn check_events(names: &[String]) -> Result<(), Vec<String>> {
    wrong(names, &Pmus::of_system())
}

fn wrong(names: &[String], pmus: &Pmus) -> Result<(), Vec<String>> {
    let core = pmus.of_core(0);
    let wrong: Vec<String> = names
        .iter()
        .filter_map(|name| match event(name, pmus, core.as_ref(), 0) {
            Err(Refused::Unknown(message)) => Some(message),
            Ok(_) | Err(Refused::Absent(_)) => None,
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn event(name: &str, pmus: &Pmus, core: Option<&Pmu>, cpu: u32) -> Result<Event, Refused> {
    if let Some(generic) = generic::named(name) {
        return Ok(of_generic(generic, core));
    }
    if let Some(config) = raw(name) {
        return Ok(Event {
            name: name.to_owned(),
            kind: Kind::Other,
            attributes: Attributes {
                // On hybrid parts a code means something to the PMU of one kind of core only.
                kind: core
                    .filter(|pmu| pmu.is_of_a_kind())
                    .map_or(RAW, |pmu| pmu.kind),
                config,
                ..Attributes::default()
            },
        });
    }
    if let Some((pmu, rest)) = name.split_once('/') {
        return of_pmu(name, pmu, rest, pmus, cpu);
    }
    match core {
        Some(pmu) if pmu.event(name).is_some() => of_terms(name, name, pmu),
        _ => Err(Refused::Unknown(unknown(name, pmus, core))),
    }
}

/// `pmu/terms/`
fn of_pmu(name: &str, pmu: &str, rest: &str, pmus: &Pmus, cpu: u32) -> Result<Event, Refused> {
    let terms = rest.strip_suffix('/').filter(|terms| !terms.contains('/'));
    let Some(terms) = terms.filter(|terms| !terms.is_empty()) else {
        return Err(Refused::Unknown(format!(
            "`{name}` is no event: a PMU's own are written PMU/TERM=VALUE,.../ or PMU/EVENT/, such \
             as cpu/event=0xa8,umask=0x1/"
        )));
    };
    let Some(found) = pmus.named(pmu) else {
        let message = format!(
            "`{name}`: there is no PMU `{pmu}` here; there are {}",
            pmus.names().join(", ")
        );
        return Err(if sysfs::is_core(pmu) {
            Refused::Absent(message)
        } else {
            Refused::Unknown(message)
        });
    };
    if !found.counts_on(cpu) {
        return Err(Refused::Absent(format!(
            "`{name}`: PMU `{pmu}` counts on CPUs {} only, and this is CPU {cpu}",
            found.cpus().unwrap_or_default()
        )));
    }
    of_terms(name, terms, &found)
}

fn of_terms(name: &str, terms: &str, pmu: &Pmu) -> Result<Event, Refused> {
    let attributes = pmu
        .encode(terms)
        .map_err(|message| Refused::Unknown(format!("`{name}`: {message}")))?;
    Ok(Event {
        name: name.to_owned(),
        kind: if sysfs::is_core(&pmu.name) {
            Kind::of(terms)
        } else {
            Kind::Other
        },
        attributes,
    })
}

fn of_generic(generic: Generic, core: Option<&Pmu>) -> Event {
    let mut attributes = generic.attributes;
    if let Some(pmu) = core.filter(|pmu| generic.is_hardware && pmu.is_of_a_kind()) {
        // Without the PMU's number in the upper half, the kernel asks the big cores' alone.
        attributes.config |= u64::from(pmu.kind) << 32;
    }
    Event {
        name: generic.name.to_owned(),
        kind: generic.kind,
        attributes,
    }
}

/// The config of a raw code: `r` and hexadecimal digits.
fn raw(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('r')?;
    let all_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all_hex
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
}

/// What there is in place of a name that is none.
fn unknown(name: &str, pmus: &Pmus, core: Option<&Pmu>) -> String {
    let generic: Vec<&str> = generic::names().collect();
    let mut text = format!(
        "no such event: `{name}`; there are {}; raw codes such as r1a8 and \
         cpu/event=0xa8,umask=0x1/",
        generic.join(", ")
    );
    let mut own: Vec<String> = core.map_or_else(Vec::new, Pmu::events);
    for pmu in pmus.names().iter().filter(|name| !sysfs::is_core(name)) {
        let events = pmus.named(pmu).map_or_else(Vec::new, |pmu| pmu.events());
        own.extend(events.iter().map(|event| format!("{pmu}/{event}/")));
    }
    if !own.is_empty() {
        let rest = own.len().saturating_sub(LISTED);
        own.truncate(LISTED);
        text.push_str(&format!("; this machine's own: {}", own.join(", ")));
        if rest > 0 {
            text.push_str(&format!(" and {rest} more (see `perf list`)"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::sysfs::tests::{hybrid, uniform};
    use super::*;

    fn events(names: &[&str]) -> CounterRequest {
        CounterRequest::Events(names.iter().map(|&name| name.to_owned()).collect())
    }

    fn names(request: &CounterRequest) -> Result<Vec<String>, Reason> {
        let tree = uniform("names");
        let found = requested(request, &tree.pmus(), 0)?;
        Ok(found.into_iter().map(|event| event.name).collect())
    }

    #[test]
    fn the_usual_four_are_read_unless_others_are_asked_for() {
        let four = ["cycles", "instructions", "branches", "branch-misses"];
        assert_eq!(names(&CounterRequest::Auto).expect("known"), four);
        assert_eq!(names(&CounterRequest::None), Ok(vec![]));
    }

    #[test]
    fn either_spelling_gives_the_name_of_records() {
        let found = names(&events(&["branch-instructions", "cpu-cycles", "cycles"]));
        assert_eq!(found.expect("known"), ["branches", "cycles"]);
    }

    #[test]
    fn raw_codes_and_a_pmus_own_names_are_events() {
        let tree = uniform("own");
        let request = events(&[
            "r1a8",
            "cpu/event=0xa8,umask=0x1/",
            "slots",
            "cpu/cpu-cycles/",
            "msr/tsc/",
        ]);
        let found = requested(&request, &tree.pmus(), 1).expect("all are there");
        let codes: Vec<(u32, u64, Kind)> = found
            .iter()
            .map(|event| (event.attributes.kind, event.attributes.config, event.kind))
            .collect();
        let expected = [
            (4, 0x1a8, Kind::Other),
            (4, 0x1a8, Kind::Other),
            (4, 0x400, Kind::Other),
            (4, 0x3c, Kind::Cycles),
            (9, 0, Kind::Other),
        ];
        assert_eq!(codes, expected);
        assert_eq!(found[1].name, "cpu/event=0xa8,umask=0x1/");
    }

    #[test]
    fn hybrid_parts_count_on_the_pmu_of_the_cpus_kind() {
        let tree = hybrid("each");
        let request = events(&["cycles", "r3c", "task-clock"]);
        let on = |cpu| -> Vec<(u32, u64)> {
            requested(&request, &tree.pmus(), cpu)
                .expect("known")
                .iter()
                .map(|event| (event.attributes.kind, event.attributes.config))
                .collect()
        };
        assert_eq!(on(0), [(0, 4 << 32), (4, 0x3c), (1, 1)]);
        assert_eq!(on(16), [(0, 10 << 32), (10, 0x3c), (1, 1)]);
        let elsewhere = events(&["cpu_atom/event=0x3c/"]);
        let reason = requested(&elsewhere, &tree.pmus(), 3).expect_err("another kind");
        assert!(
            reason.0.contains("CPUs 16-23 only, and this is CPU 3"),
            "{}",
            reason.0
        );
        assert!(requested(&elsewhere, &tree.pmus(), 17).is_ok());
    }

    #[test]
    fn every_wrong_name_is_told_before_anything_runs() {
        let tree = uniform("wrong");
        let names: Vec<String> = [
            "cycles",
            "foo",
            "cpu/evnt=1/",
            "nosuch/event=1/",
            "cpu/event=1",
        ]
        .map(str::to_owned)
        .to_vec();
        let messages = wrong(&names, &tree.pmus()).expect_err("four are wrong");
        assert_eq!(messages.len(), 4);
        for (message, part) in messages.iter().zip([
            "no such event: `foo`; there are cycles, instructions,",
            "no term `evnt`",
            "no PMU `nosuch` here; there are cpu, msr",
            "written PMU/TERM=VALUE",
        ]) {
            assert!(message.contains(part), "{message}");
        }
        assert!(messages[0].contains("msr/tsc/"), "{}", messages[0]);
    }

    #[test]
    fn what_the_machine_lacks_is_no_wrong_name() {
        let tree = hybrid("lacks");
        let names = [
            "cpu/event=0x3c/".to_owned(),
            "cpu_atom/event=0x3c/".to_owned(),
        ];
        assert_eq!(wrong(&names, &tree.pmus()), Ok(()));
        let reason = requested(&events(&["cpu/event=0x3c/"]), &tree.pmus(), 0);
        assert!(reason.expect_err("absent").0.contains("no PMU `cpu` here"));
    }
}
