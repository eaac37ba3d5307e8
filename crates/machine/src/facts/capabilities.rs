//! What can and cannot be done here, each with the reason and the remedy in words.

#![expect(
    unsafe_code,
    reason = "asks the kernel for its versions of landlock and of ptrace"
)]

use std::collections::BTreeMap;

use super::{features, linux};
use crate::api::Reason;
use crate::counters;

/// Every capability by name: `None` where it is there.
pub(super) fn capabilities(hypervisor: Option<&str>) -> BTreeMap<String, Option<Reason>> {
    let perf = counters::unavailable(hypervisor);
    let rdpmc = perf.clone().or_else(rdpmc);
    [
        ("perf-events", perf),
        ("rdpmc", rdpmc),
        ("ptrace", ptrace()),
        ("seccomp", seccomp()),
        ("landlock", landlock()),
        ("shadow-stack-off", features::shadow_stack()),
        (
            "ring0",
            reason("code runs in ring 3 only: this version has no ring-0 guest to run it in"),
        ),
    ]
    .into_iter()
    .map(|(name, reason)| (name.to_owned(), reason))
    .collect()
}

#[expect(clippy::unnecessary_wraps, reason = "one entry of the table above")]
fn reason(text: &str) -> Option<Reason> {
    Some(Reason(text.to_owned()))
}

/// Reading counters from user code. Hybrid parts have a PMU for each kind of core.
fn rdpmc() -> Option<Reason> {
    let modes: Vec<String> = ["cpu", "cpu_core", "cpu_atom"]
        .iter()
        .filter_map(|pmu| linux::line(format!("/sys/bus/event_source/devices/{pmu}/rdpmc")))
        .collect();
    rdpmc_by_modes(&modes)
}

fn rdpmc_by_modes(modes: &[String]) -> Option<Reason> {
    if modes.is_empty() {
        reason("the kernel offers no PMU that user code could read")
    } else if modes.iter().any(|mode| mode == "0") {
        reason(
            "the kernel forbids user code to read counters; as root: echo 1 > \
             /sys/bus/event_source/devices/cpu/rdpmc",
        )
    } else {
        None
    }
}

/// Single-stepping an own child, which exact counts need. Yama forbids it from level 2 on without
/// CAP_SYS_PTRACE; a container's filter may forbid the system call altogether.
fn ptrace() -> Option<Reason> {
    let scope = linux::line("/proc/sys/kernel/yama/ptrace_scope");
    // SAFETY: no process has the number 0, so that the kernel answers ESRCH without touching
    // anything, unless a filter answers first.
    let result = unsafe { libc::ptrace(libc::PTRACE_PEEKUSER, 0, 0, 0) };
    let errno = std::io::Error::last_os_error().raw_os_error();
    let filtered = result == -1 && errno != Some(libc::ESRCH);
    ptrace_by(scope.as_deref(), has_sys_ptrace(), filtered)
}

fn ptrace_by(scope: Option<&str>, privileged: bool, filtered: bool) -> Option<Reason> {
    if filtered {
        return reason(
            "a seccomp filter forbids ptrace: exact counts need it; start the container with \
             --cap-add=SYS_PTRACE or --security-opt seccomp=unconfined",
        );
    }
    match scope {
        Some("3") => reason(
            "kernel.yama.ptrace_scope is 3: no process may be traced, and exact counts need that; \
             only a reboot with another setting changes it",
        ),
        Some("2") if !privileged => reason(
            "kernel.yama.ptrace_scope is 2: only root may trace, and exact counts need that; as \
             root: sysctl kernel.yama.ptrace_scope=1",
        ),
        _ => None,
    }
}

/// Whether this process has CAP_SYS_PTRACE (number 19).
fn has_sys_ptrace() -> bool {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    capability(&status, 19)
}

fn capability(status: &str, number: u32) -> bool {
    status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> number & 1 == 1)
}

/// Filters by BPF.
fn seccomp() -> Option<Reason> {
    if linux::line("/proc/sys/kernel/seccomp/actions_avail").is_some() {
        return None;
    }
    reason(
        "this kernel has no seccomp filters (CONFIG_SECCOMP_FILTER): code runs without a sandbox",
    )
}

/// Landlock, by the version of its interface.
fn landlock() -> Option<Reason> {
    const LANDLOCK_CREATE_RULESET_VERSION: libc::c_long = 1;
    // SAFETY: with this flag the call takes no pointer and only returns a number.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            0usize,
            0usize,
            LANDLOCK_CREATE_RULESET_VERSION,
        )
    };
    if version > 0 {
        return None;
    }
    reason(match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::EOPNOTSUPP) => {
            "landlock is built into this kernel but was not switched on at boot (lsm=landlock,...)"
        }
        Some(libc::EPERM) => "a seccomp filter forbids landlock",
        _ => "this kernel has no landlock (CONFIG_SECURITY_LANDLOCK, since 5.13)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(reason: Option<Reason>, part: &str) {
        let text = reason.expect("a reason").0;
        assert!(text.contains(part), "{text}");
    }

    #[test]
    fn tracing_goes_by_yama_capability_and_filter() {
        assert_eq!(ptrace_by(None, false, false), None);
        assert_eq!(ptrace_by(Some("0"), false, false), None);
        assert_eq!(ptrace_by(Some("1"), false, false), None);
        assert_eq!(ptrace_by(Some("2"), true, false), None);
        says(ptrace_by(Some("2"), false, false), "ptrace_scope=1");
        says(ptrace_by(Some("3"), true, false), "reboot");
        says(ptrace_by(None, true, true), "seccomp");
    }

    #[test]
    fn capabilities_are_bits_of_a_mask() {
        assert!(capability("CapEff:\t0000000000080000\n", 19));
        assert!(!capability("CapEff:\t0000000000040000\n", 19));
        assert!(!capability("", 19));
    }

    #[test]
    fn counters_are_readable_unless_a_pmu_says_no() {
        assert_eq!(rdpmc_by_modes(&["1".to_owned()]), None);
        says(rdpmc_by_modes(&["1".to_owned(), "0".to_owned()]), "echo 1");
        says(rdpmc_by_modes(&[]), "no PMU");
    }

    #[test]
    fn every_capability_is_named() {
        let all = capabilities(None);
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "landlock",
                "perf-events",
                "ptrace",
                "rdpmc",
                "ring0",
                "seccomp",
                "shadow-stack-off"
            ]
        );
    }
}
