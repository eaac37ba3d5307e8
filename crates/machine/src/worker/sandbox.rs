//! The sandbox: what the worker gives up before it runs a stranger's code.
//!
//! From here on two system calls of the worker's own are left: `read` of one command, and
//! `exit_group`. Both are let through for exactly the arguments that the worker uses (the buffer's
//! address; a number that only the worker knows), so that a sequence that makes them by itself is
//! caught as with any other call.

use std::collections::BTreeMap;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use super::process;
use crate::shared::{JobSandbox, Layer};

/// Memory beyond the image that a worker may map, bytes.
const ROOM: u64 = 256 << 20;
/// The Landlock interface whose restrictions are asked for, as far as the kernel has them: files,
/// TCP, signals and abstract sockets.
const LANDLOCK: ABI = ABI::V6;
/// Advice of madvise(2) from here on is about the machine's memory (MADV_HWPOISON, MADV_SOFT_OFFLINE).
const MACHINES_ADVICE: u64 = 100;
/// Requests that start and stop a group of performance counters.
const COUNTER_REQUESTS: [u64; 2] = [0x2400, 0x2401];

/// What the worker itself has to be able to do afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// Where commands are read to, and how long one is.
    pub(super) command: (u64, u64),
    /// The number that goes with `exit_group`.
    pub(super) exit_key: u64,
    /// The group of performance counters.
    pub(super) counters: Option<i32>,
}

/// Enters it. Gives each layer that cannot be had, with the kernel's error number (0 where there is
/// none).
pub(super) fn enter(sandbox: &JobSandbox, image_bytes: u64, own: &Own) -> Vec<(Layer, i32)> {
    let mut missing = Vec::new();
    let mut tried = |layer: Layer, result: Result<(), i32>| {
        if let Err(errno) = result {
            missing.push((layer, errno));
        }
    };
    tried(
        Layer::NoNewPrivileges,
        rustix::thread::set_no_new_privs(true).map_err(rustix::io::Errno::raw_os_error),
    );
    if sandbox.filtered {
        // Root's: some calls that reach nothing by themselves reach the machine with these.
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        };
        let dropped = rustix::thread::set_capabilities(None, none);
        tried(
            Layer::Capabilities,
            dropped.map_err(rustix::io::Errno::raw_os_error),
        );
        match landlock() {
            Ok(RulesetStatus::FullyEnforced) => {}
            Ok(RulesetStatus::PartiallyEnforced) => tried(Layer::AllOfLandlock, Err(0)),
            Ok(RulesetStatus::NotEnforced) | Err(()) => tried(Layer::Landlock, Err(0)),
        }
    }
    tried(Layer::Limits, limit(sandbox, image_bytes));
    if !sandbox.traced {
        let hidden = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        tried(
            Layer::Undumpable,
            hidden.map_err(rustix::io::Errno::raw_os_error),
        );
    }
    if sandbox.filtered {
        let installed = program(sandbox, own)
            .map_err(|_| libc::EINVAL)
            .and_then(|program| {
                crate::filter::install_program(program).map_err(|_| process::errno())
            });
        tried(Layer::Seccomp, installed);
    }
    missing
}

/// No files, no TCP, no signals to others, as far as this kernel can.
fn landlock() -> Result<RulesetStatus, ()> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(LANDLOCK))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(LANDLOCK)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(LANDLOCK)))
        .and_then(Ruleset::create);
    let status = ruleset.and_then(landlock::RulesetCreated::restrict_self);
    status.map(|status| status.ruleset).map_err(|_| ())
}

/// Limits on what the kernel gives to this process. Cores are off from its start.
fn limit(sandbox: &JobSandbox, image_bytes: u64) -> Result<(), i32> {
    let memory = image_bytes + ROOM;
    let mut limits = vec![
        (Resource::As, memory),
        (Resource::Data, memory),
        (Resource::Cpu, u64::from(sandbox.cpu_seconds)),
        (Resource::Memlock, 0),
    ];
    if sandbox.filtered {
        limits.extend([
            (Resource::Nofile, 0),
            (Resource::Nproc, 0),
            (Resource::Fsize, 0),
            (Resource::Msgqueue, 0),
        ]);
    }
    for (resource, most) in limits {
        // A limit that is lower already stays.
        let before = rustix::process::getrlimit(resource);
        let most = before.maximum.map_or(most, |maximum| maximum.min(most));
        let limit = Rlimit {
            current: Some(before.current.map_or(most, |current| current.min(most))),
            maximum: Some(most),
        };
        setrlimit(resource, limit).map_err(rustix::io::Errno::raw_os_error)?;
    }
    Ok(())
}

/// The filter: the worker's own two calls, those that the sequences declare, and a signal with the
/// call's number and place for everything else.
fn program(
    sandbox: &JobSandbox,
    own: &Own,
) -> Result<Vec<libc::sock_filter>, seccompiler::BackendError> {
    use SeccompCmpArgLen::{Dword, Qword};
    let equal =
        |argument, length, value| SeccompCondition::new(argument, length, SeccompCmpOp::Eq, value);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    let exit = [equal(1, Qword, own.exit_key)?];
    rules.insert(libc::SYS_exit_group, vec![SeccompRule::new(exit.into())?]);
    let (buffer, length) = own.command;
    let command = [
        equal(0, Dword, 0)?,
        equal(1, Qword, buffer)?,
        equal(2, Qword, length)?,
    ];
    let mut read = vec![SeccompRule::new(command.into())?];
    if let Some(counters) = own.counters {
        // A group's descriptor is not negative.
        let counters = u64::from(counters.unsigned_abs());
        read.push(SeccompRule::new(vec![equal(0, Dword, counters)?])?);
        let requests = COUNTER_REQUESTS.map(|request| {
            let request = [equal(0, Dword, counters)?, equal(1, Dword, request)?];
            SeccompRule::new(request.into())
        });
        let requests: Result<_, _> = requests.into_iter().collect();
        rules.insert(libc::SYS_ioctl, requests?);
    }
    rules.insert(libc::SYS_read, read);
    let pid = u64::from(std::process::id());
    // A negative number names a process group, and the worker leads its own.
    let group = u64::from((std::process::id()).wrapping_neg());
    for &number in &sandbox.calls {
        let number = i64::from(number);
        let to: &[u64] = match number {
            libc::SYS_kill => &[0, pid, group],
            libc::SYS_tkill | libc::SYS_tgkill => &[pid],
            _ => &[],
        };
        let rule = |to: &u64| SeccompRule::new(vec![equal(0, Dword, *to)?]);
        let mut those = to.iter().map(rule).collect::<Result<Vec<_>, _>>()?;
        if number == libc::SYS_madvise {
            let own = SeccompCondition::new(2, Dword, SeccompCmpOp::Lt, MACHINES_ADVICE)?;
            those.push(SeccompRule::new(vec![own])?);
        }
        rules.insert(number, those);
    }
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Trap,
        SeccompAction::Allow,
        TargetArch::x86_64,
    )?;
    let program = BpfProgram::try_from(filter)?;
    // What seccompiler kills without a word are calls by another door (`int $0x80`): they get the
    // same report.
    let report = |k| match k {
        libc::SECCOMP_RET_KILL_PROCESS => libc::SECCOMP_RET_TRAP,
        other => other,
    };
    let returns = (libc::BPF_RET | libc::BPF_K) as u16;
    Ok(program
        .into_iter()
        .map(|one| libc::sock_filter {
            code: one.code,
            jt: one.jt,
            jf: one.jf,
            k: if one.code == returns {
                report(one.k)
            } else {
                one.k
            },
        })
        .collect())
}
