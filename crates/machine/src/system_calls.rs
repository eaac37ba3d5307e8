//! System calls by name and number, and which of them a stranger's sequence may declare.

use syscalls::Sysno;

use crate::api::{Case, Reason};

/// Calls that reach nothing beyond the worker that makes them, so that a file may declare them and
/// still run under the sandbox. All others (files, sockets, other processes, the machine's
/// settings) need the user's word.
///
/// Signals are among them because the filter lets them go to the worker itself and its own group
/// only.
const OWN: [Sysno; 66] = [
    Sysno::read,
    Sysno::write,
    Sysno::readv,
    Sysno::writev,
    Sysno::close,
    Sysno::close_range,
    Sysno::lseek,
    Sysno::dup,
    Sysno::poll,
    Sysno::ppoll,
    Sysno::select,
    Sysno::pselect6,
    Sysno::epoll_wait,
    Sysno::mmap,
    Sysno::munmap,
    Sysno::mremap,
    Sysno::mprotect,
    Sysno::madvise,
    Sysno::mincore,
    Sysno::msync,
    Sysno::brk,
    Sysno::pkey_mprotect,
    Sysno::pkey_alloc,
    Sysno::pkey_free,
    Sysno::membarrier,
    Sysno::rt_sigaction,
    Sysno::rt_sigprocmask,
    Sysno::rt_sigreturn,
    Sysno::rt_sigpending,
    Sysno::rt_sigsuspend,
    Sysno::rt_sigtimedwait,
    Sysno::sigaltstack,
    Sysno::kill,
    Sysno::tkill,
    Sysno::tgkill,
    Sysno::pause,
    Sysno::alarm,
    Sysno::getitimer,
    Sysno::setitimer,
    Sysno::nanosleep,
    Sysno::clock_nanosleep,
    Sysno::clock_gettime,
    Sysno::clock_getres,
    Sysno::gettimeofday,
    Sysno::time,
    Sysno::times,
    Sysno::sched_yield,
    Sysno::getcpu,
    Sysno::getpid,
    Sysno::getppid,
    Sysno::gettid,
    Sysno::getpgrp,
    Sysno::getuid,
    Sysno::geteuid,
    Sysno::getgid,
    Sysno::getegid,
    Sysno::getrusage,
    Sysno::getrlimit,
    Sysno::getrandom,
    Sysno::uname,
    Sysno::sysinfo,
    Sysno::umask,
    Sysno::futex,
    Sysno::arch_prctl,
    Sysno::restart_syscall,
    Sysno::exit,
];

/// The number of a system call; `None` if there is none of this name.
pub(crate) fn number(name: &str) -> Option<u32> {
    let number = name.parse::<Sysno>().ok()?;
    u32::try_from(number.id()).ok()
}

/// The name of a system call of 64-bit code; `None` for numbers that have none.
pub(crate) fn name(number: u32) -> Option<&'static str> {
    Sysno::new(number as usize).map(|call| call.name())
}

/// Numbers of the calls that a case declares, in order and each once.
pub(crate) fn declared(case: &Case) -> Vec<u32> {
    let mut numbers: Vec<u32> = case
        .syscalls
        .iter()
        .filter_map(|name| number(name))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Why a case cannot run with the calls that it declares; `None` if it can. `trusted`: the user
/// vouches for the code.
pub(crate) fn objection(case: &Case, trusted: bool) -> Option<Reason> {
    let quoted = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let select = |which: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let names = case.syscalls.iter().map(String::as_str);
        names.filter(|name| which(name)).collect()
    };
    let unknown = select(&|name| number(name).is_none());
    if !unknown.is_empty() {
        return Some(Reason(format!(
            "it declares {}, and Linux on x86-64 has no system call of that name",
            quoted(&unknown)
        )));
    }
    let own = |name: &str| OWN.iter().any(|call| call.name() == name);
    let beyond = select(&|name| !own(name));
    (!trusted && !beyond.is_empty()).then(|| {
        Reason(format!(
            "it declares {}, which may reach beyond the worker that it runs in; if you trust this \
             code: --allow-syscalls",
            quoted(&beyond)
        ))
    })
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::api::Entry;
    use assemble::Code;

    fn case(syscalls: &[&str]) -> Case {
        Case {
            syscalls: syscalls.iter().map(|&name| name.to_owned()).collect(),
            ..Case::plain("a".to_owned(), Code::default(), Entry::Call(None))
        }
    }

    #[test]
    fn names_and_numbers_are_the_kernels() {
        assert_eq!(number("getppid"), Some(110));
        assert_eq!(name(110), Some("getppid"));
        assert_eq!((number("getpidd"), name(100_000)), (None, None));
        assert_eq!(declared(&case(&["write", "read", "write"])), [0, 1]);
    }

    #[test]
    fn what_reaches_beyond_needs_a_word() {
        assert_eq!(objection(&case(&["getppid", "kill"]), false), None);
        let beyond = case(&["getppid", "ptrace", "openat"]);
        let reason = objection(&beyond, false).expect("it reaches beyond").0;
        assert!(reason.contains("`ptrace`, `openat`"), "{reason}");
        assert!(!reason.contains("getppid"), "{reason}");
        assert_eq!(objection(&beyond, true), None);
        for trusted in [false, true] {
            let reason = objection(&case(&["getpidd"]), trusted).expect("unknown").0;
            assert!(reason.contains("`getpidd`"), "{reason}");
        }
    }
}
