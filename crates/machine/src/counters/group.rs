//! A group of counters of the calling thread.

use std::io;
use std::os::fd::AsRawFd;

use perf_event::events::Hardware;
use perf_event::{Builder, Counter};

use super::event::{Attributes, Event};
use super::page::Page;
use crate::api::Reason;

/// Counters that count together, user code of the calling thread only.
///
/// They belong to the thread that opened them, which should be pinned: on hybrid parts each kind of
/// core has counters of its own.
#[derive(Debug)]
pub(crate) struct Group {
    group: perf_event::Group,
    counters: Vec<(Event, Counter)>,
    /// A page for each counter, where all can be read without a system call.
    pages: Vec<Page>,
}

/// What the counters stand at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// In order of [`Group::names`].
    pub(crate) values: Vec<u64>,
    /// Nanoseconds for which the group was to count.
    pub(crate) enabled_ns: u64,
    /// Nanoseconds for which it had the PMU: less, if others wanted it too.
    pub(crate) running_ns: u64,
}

impl Reading {
    /// What was counted since an earlier reading of the same group.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        Self {
            values: self
                .values
                .iter()
                .zip(&earlier.values)
                .map(|(now, then)| now.wrapping_sub(*then))
                .collect(),
            enabled_ns: self.enabled_ns.wrapping_sub(earlier.enabled_ns),
            running_ns: self.running_ns.wrapping_sub(earlier.running_ns),
        }
    }
}

impl Group {
    /// Opens counters for the calling thread, stopped. `None` if none are asked for. With
    /// `those_there_are`, events that this machine lacks are left out, as long as one is there.
    ///
    /// # Errors
    /// Where there is no PMU, where it may not be used, or where it lacks an event.
    pub(crate) fn open(events: &[Event], those_there_are: bool) -> Result<Option<Self>, Reason> {
        if events.is_empty() {
            return Ok(None);
        }
        let mut wanted = events.to_vec();
        let (group, counters) = loop {
            match together(&wanted) {
                Ok(opened) => break opened,
                Err((_, reason)) if !those_there_are || wanted.len() == 1 => return Err(reason),
                // A group that refused a member cannot be read any more: begin again without it.
                Err((index, _)) => drop(wanted.remove(index)),
            }
        };
        let pages: Option<Vec<Page>> = counters
            .iter()
            .map(|(_, counter)| Page::map(counter))
            .collect();
        Ok(Some(Self {
            group,
            counters,
            pages: pages.unwrap_or_default(),
        }))
    }

    /// The events, in the order of a reading's values.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.counters
            .iter()
            .map(|(event, _)| event.clone())
            .collect()
    }

    /// The descriptor by which all are started, stopped and read.
    pub(crate) fn descriptor(&self) -> i32 {
        self.group.as_raw_fd()
    }

    /// Starts all counters at once.
    ///
    /// # Errors
    /// What the kernel says.
    pub(crate) fn enable(&mut self) -> Result<(), Reason> {
        self.group
            .enable()
            .map_err(|error| Reason(format!("cannot start the counters: {error}")))
    }

    /// Stops all counters at once.
    ///
    /// # Errors
    /// What the kernel says.
    pub(crate) fn disable(&mut self) -> Result<(), Reason> {
        self.group
            .disable()
            .map_err(|error| Reason(format!("cannot stop the counters: {error}")))
    }

    /// Reads all counters: by `rdpmc` where user code may and all of them have a place in the PMU,
    /// else by a system call or two. Allocates: not for timed code.
    ///
    /// # Errors
    /// What the kernel says.
    pub(crate) fn read(&mut self) -> Result<Reading, Reason> {
        if let Some(reading) = self.read_pages() {
            return Ok(reading);
        }
        let counts = self
            .group
            .read()
            .map_err(|error| Reason(format!("cannot read the counters: {error}")))?;
        Ok(Reading {
            values: self
                .counters
                .iter()
                .map(|(_, counter)| counts[counter])
                .collect(),
            enabled_ns: counts.time_enabled(),
            running_ns: counts.time_running(),
        })
    }

    /// One after the other, some ten cycles apart: both ends of a pass are read alike.
    fn read_pages(&self) -> Option<Reading> {
        let first = self.pages.first()?.read()?;
        let values: Option<Vec<u64>> = self
            .pages
            .iter()
            .map(|page| Some(page.read()?.count))
            .collect();
        Some(Reading {
            values: values?,
            enabled_ns: first.enabled_ns,
            running_ns: first.running_ns,
        })
    }
}

/// A group and its members.
type Together = (perf_event::Group, Vec<(Event, Counter)>);

/// A group of all these events; or which of them there is none of, and why.
fn together(events: &[Event]) -> Result<Together, (usize, Reason)> {
    let mut group = perf_event::Group::new()
        .map_err(|error| (0, reason("perf events", &error, &Site::read())))?;
    let mut counters = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        let counter = add(&mut group, event.attributes)
            .map_err(|error| (index, reason(&event.name, &error, &Site::read())))?;
        counters.push((event.clone(), counter));
    }
    Ok((group, counters))
}

/// Adds one event to the group. It is opened alone first: a group that refused a member cannot be
/// read any more, and a PMU that is not a core's may be unable to count user code alone.
fn add(group: &mut perf_event::Group, attributes: Attributes) -> io::Result<Counter> {
    let prepare = |builder: &mut Builder<'_>, with_kernel: bool| {
        if with_kernel {
            builder.include_kernel().include_hv();
        }
        let attrs = builder.attrs_mut();
        attrs.type_ = attributes.kind;
        attrs.config = attributes.config;
        attrs.__bindgen_anon_3.config1 = attributes.config1;
        attrs.__bindgen_anon_4.config2 = attributes.config2;
    };
    let alone = |with_kernel: bool| {
        let mut builder = Builder::new();
        prepare(&mut builder, with_kernel);
        builder.build().map(drop)
    };
    let with_kernel = match alone(false) {
        Ok(()) => false,
        Err(error)
            if attributes.kind > LAST_FIXED_KIND && error.raw_os_error() == Some(libc::EINVAL) =>
        {
            alone(true).map_err(|_| error)?;
            true
        }
        Err(error) => return Err(error),
    };
    let mut builder = Builder::new().group(group);
    prepare(&mut builder, with_kernel);
    builder.build()
}

/// Kinds up to this one have fixed numbers (the last is breakpoints); PMUs of their own come after.
const LAST_FIXED_KIND: u32 = 5;

/// Why hardware counters cannot be had here; `None` where they can.
pub(crate) fn unavailable(hypervisor: Option<&str>) -> Option<Reason> {
    let error = Builder::new().kind(Hardware::CPU_CYCLES).build().err()?;
    let site = Site {
        hypervisor: hypervisor.map(str::to_owned),
        ..Site::read()
    };
    Some(reason("cycles", &error, &site))
}

/// What a refusal may come from.
#[derive(Clone, Debug, Default)]
struct Site {
    hypervisor: Option<String>,
    /// `kernel.perf_event_paranoid`
    paranoid: Option<i32>,
    is_guest: bool,
}

impl Site {
    fn read() -> Self {
        Self {
            hypervisor: None,
            paranoid: std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid")
                .ok()
                .and_then(|text| text.trim().parse().ok()),
            is_guest: raw_cpuid::CpuId::new()
                .get_feature_info()
                .is_some_and(|info| info.has_hypervisor()),
        }
    }
}

/// The kernel's refusal in words, with what to do.
fn reason(what: &str, error: &io::Error, site: &Site) -> Reason {
    let guest = site
        .hypervisor
        .as_deref()
        .map(|name| format!("{name} guest"))
        .or_else(|| site.is_guest.then(|| "virtual machine".to_owned()));
    Reason(match (error.raw_os_error(), guest, site.paranoid) {
        (Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV), Some(guest), _) => format!(
            "this {guest} has no PMU that counts {what}; the host's administrator can give it one \
             (QEMU: -cpu host,pmu=on)"
        ),
        (Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV), None, _) => {
            format!("this CPU's PMU, or the kernel's driver for it, has no event {what}")
        }
        (Some(libc::EACCES | libc::EPERM), _, Some(level)) if level > 2 => format!(
            "kernel.perf_event_paranoid is {level}, which forbids perf events; as root: sysctl \
             kernel.perf_event_paranoid=2"
        ),
        (Some(libc::EACCES | libc::EPERM), _, Some(_)) => {
            "perf events are forbidden here, by a container's seccomp filter or a security module; \
             start the container with --cap-add=PERFMON or --security-opt seccomp=unconfined"
                .to_owned()
        }
        (Some(libc::EACCES | libc::EPERM | libc::ENOSYS), _, _) => {
            "this kernel has no perf events (CONFIG_PERF_EVENTS), or a seccomp filter hides them"
                .to_owned()
        }
        (Some(libc::EINVAL), _, _) => {
            format!("the PMU cannot count {what} together with the other events; ask for fewer")
        }
        (Some(libc::EBUSY), _, _) => {
            format!("another process holds the PMU for itself, so that {what} cannot be counted")
        }
        _ => format!("cannot count {what}: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::event::requested;
    use super::super::sysfs::Pmus;
    use super::*;
    use crate::api::CounterRequest;

    fn events(names: &[&str]) -> Vec<Event> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let request = CounterRequest::Events(names);
        requested(&request, &Pmus::of_system(), 0).expect("known")
    }

    #[test]
    fn software_events_count_as_one_group() {
        let events = events(&["page-faults", "task-clock"]);
        let mut group = match Group::open(&events, false) {
            Ok(group) => group.expect("two events are asked for"),
            // Containers often forbid perf events altogether; then that must be what it says.
            Err(reason) => {
                assert!(reason.0.contains("perf"), "{}", reason.0);
                return;
            }
        };
        assert_eq!(group.events(), events);
        let start = group.read().expect("readable");
        group.enable().expect("startable");
        // Fresh pages, each touched for the first time here.
        let pages = 64;
        let mut memory = vec![0u8; pages * 4096 + (4 << 20)];
        for page in 0..pages {
            memory[page * 4096] = std::hint::black_box(1);
        }
        std::hint::black_box(&memory);
        group.disable().expect("stoppable");
        let counted = group.read().expect("readable").since(&start);
        assert!(counted.values[0] >= 32, "{counted:?}");
        assert!(counted.values[1] > 0, "{counted:?}");
        assert!(counted.running_ns > 0, "{counted:?}");
        let again = group.read().expect("readable").since(&start);
        assert_eq!(again.values, counted.values, "stopped counters stand still");
    }

    #[test]
    fn none_is_no_group() {
        assert!(Group::open(&[], false).expect("nothing to fail").is_none());
    }

    #[test]
    fn an_event_of_the_kernels_own_pmus_counts() {
        let pmus = Pmus::of_system();
        let request = CounterRequest::Events(vec!["msr/tsc/".to_owned()]);
        // The PMU may not be there, or not for everybody; then there is a reason.
        let Ok(events) = requested(&request, &pmus, 0) else {
            return;
        };
        let mut group = match Group::open(&events, false) {
            Ok(group) => group.expect("one event is asked for"),
            Err(reason) => {
                assert!(reason.0.contains("msr/tsc/"), "{}", reason.0);
                return;
            }
        };
        group.enable().expect("startable");
        let start = group.read().expect("readable");
        let spin = std::time::Instant::now();
        while spin.elapsed() < std::time::Duration::from_millis(2) {}
        let counted = group.read().expect("readable").since(&start);
        // At least a tenth of the slowest TSC's ticks: this thread may not have had the CPU always.
        assert!(counted.values[0] > 100_000, "{counted:?}");
    }

    #[test]
    fn hardware_counters_are_there_or_there_is_a_reason() {
        let usual = requested(&CounterRequest::Auto, &Pmus::of_system(), 0).expect("known");
        let open = Group::open(&usual, true);
        match unavailable(None) {
            None => assert!(open.expect("available").is_some()),
            Some(reason) => {
                assert!(!reason.0.is_empty());
                assert!(open.is_err());
            }
        }
    }

    fn says(errno: i32, site: &Site, part: &str) {
        let text = reason("cycles", &io::Error::from_raw_os_error(errno), site).0;
        assert!(text.contains(part), "{text}");
    }

    #[test]
    fn refusals_name_their_cause() {
        let metal = Site {
            paranoid: Some(2),
            ..Site::default()
        };
        let guest = Site {
            hypervisor: Some("KVM".to_owned()),
            is_guest: true,
            ..metal.clone()
        };
        let strict = Site {
            paranoid: Some(4),
            ..metal.clone()
        };
        says(libc::ENOENT, &guest, "this KVM guest has no PMU");
        says(
            libc::EOPNOTSUPP,
            &Site {
                hypervisor: None,
                ..guest
            },
            "this virtual machine has no PMU",
        );
        says(libc::ENOENT, &metal, "no event cycles");
        says(libc::EACCES, &strict, "perf_event_paranoid is 4");
        says(libc::EPERM, &metal, "seccomp");
        says(libc::ENOSYS, &metal, "CONFIG_PERF_EVENTS");
        says(libc::EINVAL, &metal, "ask for fewer");
    }

    #[test]
    fn differences_are_taken_value_by_value() {
        let then = Reading {
            values: vec![10, 20],
            enabled_ns: 5,
            running_ns: 4,
        };
        let now = Reading {
            values: vec![15, 20],
            enabled_ns: 9,
            running_ns: 6,
        };
        let counted = Reading {
            values: vec![5, 0],
            enabled_ns: 4,
            running_ns: 2,
        };
        assert_eq!(now.since(&then), counted);
    }
}
