//! The sandbox as the kernel shows it from outside, and what is said where it cannot be had.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use machine::{Backend, CounterRequest, CounterValue, Event, FailureKind, Plan, Real};
use seccompiler::{SeccompAction, SeccompFilter, TargetArch};

use crate::outcome::plan;
use crate::sequence::called;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("sandbox::workers_are_confined", workers_are_confined),
    ("sandbox::what_is_missing_is_told", what_is_missing_is_told),
    ("sandbox::no_worker_no_run", no_worker_no_run),
    (
        "sandbox::counters_are_read_inside",
        counters_are_read_inside,
    ),
    (
        "sandbox::nothing_runs_before_the_sandbox_is_seen",
        nothing_runs_before_the_sandbox_is_seen,
    ),
];

/// First argument of this executable, started again where no filter may be installed.
pub(crate) const WITHOUT: &str = "--without-seccomp";

/// What the kernel tells of a process.
#[derive(Debug)]
struct Seen {
    status: BTreeMap<String, String>,
    limits: String,
    /// Descriptors; `None` where they are hidden, as those of processes that cannot be traced are.
    descriptors: Option<Vec<String>>,
}

/// The worker that runs now: the child of any thread of this process.
fn look() -> Option<Seen> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let children = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<String> = children.collect();
    let child = children
        .iter()
        .flat_map(|line| line.split_whitespace())
        .next()?;
    let folder = Path::new("/proc").join(child);
    let status = std::fs::read_to_string(folder.join("status")).ok()?;
    let descriptors = std::fs::read_dir(folder.join("fd")).ok().map(|entries| {
        let names = entries.flatten().map(|entry| entry.file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    });
    Some(Seen {
        status: status
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(key, value)| (key.to_owned(), value.trim().to_owned()))
            .collect(),
        limits: std::fs::read_to_string(folder.join("limits")).ok()?,
        descriptors,
    })
}

fn workers_are_confined() {
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let mut seen = None;
    let mut warnings = Vec::new();
    let required = Plan {
        require_sandbox: true,
        ..plan(200)
    };
    let measured = Real::new().measure(&[case], &required, &mut |event| {
        match event {
            Event::Sample(_) if seen.is_none() => seen = look(),
            Event::Warning { kind, message, .. } => warnings.push((kind, message)),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    if let Err(error) = measured {
        // A container may allow none: then that is what it has to say.
        assert!(error.message.starts_with("--require-sandbox"), "{error}");
        return;
    }
    let Some(seen) = seen else {
        // A kernel without CONFIG_PROC_CHILDREN does not tell who the children are.
        assert!(!Path::new("/proc/self/task/self/children").exists());
        return;
    };
    let status = |key: &str| seen.status.get(key).map(String::as_str);
    assert_eq!(status("Seccomp"), Some("2"), "{seen:?}");
    assert_eq!(status("NoNewPrivs"), Some("1"), "{seen:?}");
    for sets in ["CapEff", "CapPrm", "CapInh", "CapAmb"] {
        assert_eq!(status(sets), Some("0000000000000000"), "{seen:?}");
    }
    // The speculation controls are the parent's.
    let own = std::fs::read_to_string("/proc/thread-self/status").expect("it is there");
    for key in ["Speculation_Store_Bypass", "SpeculationIndirectBranch"] {
        let own = own
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        assert_eq!(own.map(str::trim), status(key), "{key}");
    }
    for (limit, most) in [
        ("Max core file size", "0"),
        ("Max open files", "0"),
        ("Max processes", "0"),
        ("Max file size", "0"),
    ] {
        let line = seen
            .limits
            .lines()
            .find_map(|line| line.strip_prefix(limit));
        let soft = line.and_then(|line| line.split_whitespace().next());
        assert_eq!(soft, Some(most), "{limit}");
    }
    if let Some(descriptors) = &seen.descriptors {
        assert_eq!(descriptors, &["0"], "the pipe alone");
    }
    assert!(
        warnings.iter().all(|(kind, _)| kind != "speculation"),
        "{warnings:?}"
    );
}

/// Forbids filters to this process and its workers, and measures. What is printed is looked at by
/// the test.
pub(crate) fn without_seccomp(required: bool) {
    let filter = SeccompFilter::new(
        [(libc_seccomp(), Vec::new())].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(1),
        TargetArch::x86_64,
    );
    let program: seccompiler::BpfProgram = filter
        .and_then(TryInto::try_into)
        .expect("a filter of one rule");
    if let Err(error) = seccompiler::apply_filter(&program) {
        println!("no filter here: {error}");
        return;
    }
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let plan = Plan {
        require_sandbox: required,
        ..plan(100)
    };
    let mut samples = 0;
    let measured = Real::new().measure(&[case], &plan, &mut |event| {
        match event {
            Event::Sample(_) => samples += 1,
            Event::Warning { kind, message, .. } => println!("{kind}: {message}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    match measured {
        Ok(()) => println!("measured: {}", samples > 0),
        Err(error) => println!("refused: {error}; samples: {samples}"),
    }
}

/// The number of seccomp(2) on x86-64.
fn libc_seccomp() -> i64 {
    317
}

fn what_is_missing_is_told() {
    let run = |required: &str| {
        let own = std::env::current_exe().expect("this is one");
        let ran = Command::new(own).args([WITHOUT, required]).output();
        let ran = ran.expect("it starts");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let without = run("no");
    if without.contains("no filter here") {
        return;
    }
    assert!(without.contains("sandbox: "), "{without}");
    assert!(without.contains("seccomp"), "{without}");
    assert!(without.contains("not permitted"), "{without}");
    assert!(without.contains("measured: true"), "{without}");
    let refused = run("yes");
    assert!(refused.contains("refused: --require-sandbox"), "{refused}");
    assert!(refused.contains("samples: 0"), "{refused}");
}

/// An executable that is no worker ends the run with a reason.
fn no_worker_no_run() {
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    for executable in ["/bin/true", "/bin/cat", "/no/such/file"] {
        let mut told = 0;
        let measured = Real::with_worker(executable).measure(
            std::slice::from_ref(&case),
            &plan(100),
            &mut |event| {
                told += u32::from(matches!(event, Event::Sample(_)));
                ControlFlow::Continue(())
            },
        );
        let error = measured.expect_err("it is no worker");
        assert!(
            !error.message.is_empty() && !error.advice.is_empty(),
            "{error:?}"
        );
        assert_eq!(told, 0, "{executable}");
    }
}

/// The parent looks late, and finds that the sandbox is closed all the same: a sequence that throws
/// the shared memory away has not run by then. Were the worker to go on without the parent's word,
/// nothing would be left to be seen, and the run would be refused.
fn nothing_runs_before_the_sandbox_is_seen() {
    let mut bad = called("bad", |ops| {
        dynasm!(ops ; .arch x64
            // Every page of 64 MiB below the thread's own data, where the worker maps what it maps.
            ; rdfsbase r8
            ; and r8, -4096
            ; mov r9d, 0x4000
            ; again:
            ; sub r8, 4096
            ; mov rdi, r8
            ; mov esi, 4096
            ; mov edx, 9
            ; mov eax, 28
            ; syscall
            ; dec r9d
            ; jnz <again
        );
    });
    bad.syscalls.push("madvise".to_owned());
    let good = called("good", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let mut failures = Vec::new();
    let mut samples = 0;
    Real::new()
        .looking_every(Duration::from_millis(300))
        .measure(&[good, bad], &plan(200), &mut |event| {
            match event {
                Event::Sample(_) => samples += 1,
                Event::Failed { case, failure } => failures.push((case, failure)),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .expect("the sandbox was seen before anything ran");
    assert!(samples > 10, "{samples}");
    assert_eq!(failures.len(), 1, "{failures:?}");
    let (case, failure) = &failures[0];
    assert_eq!(*case, 1, "{failure:?}");
    assert_eq!(failure.kind, FailureKind::Tampered, "{failure:?}");
}

/// What is opened before the sandbox is closed is read behind it, by its one `read` and two `ioctl`s.
fn counters_are_read_inside() {
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let mut values = Vec::new();
    let counted = Plan {
        counters: CounterRequest::Events(vec!["task-clock".to_owned()]),
        ..plan(300)
    };
    Real::new()
        .measure(&[case], &counted, &mut |event| {
            match event {
                Event::Counter { value, .. } => values.push(value),
                Event::Failed { failure, .. } => panic!("{failure:?}"),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .expect("it measures");
    assert!(!values.is_empty());
    for value in values {
        match value {
            CounterValue::PerRun { per_run, .. } => assert!(per_run.is_finite(), "{per_run}"),
            // A container may forbid perf events altogether; a worker that cannot read what it has
            // opened gives nothing.
            CounterValue::Error(reason) => assert_ne!(reason, "nothing was counted"),
        }
    }
}
