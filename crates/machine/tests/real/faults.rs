//! Each way in which a case can end: it ends alone, is explained, and the others are measured.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use machine::{Case, Context, Failure, FailureKind, Plan};

use crate::outcome::{Outcome, measure, measure_as, plan};
use crate::sequence::{Ops, called, inline};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("faults::signals", signals),
    ("faults::state", state),
    ("faults::endless_loop", endless_loop),
    ("faults::exit", exit),
    ("faults::late", late),
    ("faults::offspring", offspring),
];

/// What a failure should be.
struct Expected {
    case: Case,
    kind: FailureKind,
    signal: Option<&'static str>,
    line: Option<u32>,
    /// A part of the message.
    says: &'static str,
}

fn fails(
    name: &str,
    kind: FailureKind,
    signal: Option<&'static str>,
    line: Option<u32>,
    says: &'static str,
    write: impl FnOnce(&mut Ops),
) -> Expected {
    Expected {
        case: called(name, write),
        kind,
        signal,
        line,
        says,
    }
}

/// Measures the cases with a good one between them.
fn check(expected: Vec<Expected>, milliseconds: u64) -> Outcome {
    let mut cases: Vec<Case> = expected.iter().map(|one| one.case.clone()).collect();
    let good = cases.len() / 2;
    cases.insert(
        good,
        called("good", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax)),
    );
    let outcome = measure(&cases, milliseconds);
    assert_eq!(
        outcome.failures.len(),
        expected.len(),
        "{:#?}",
        outcome.failures
    );
    for (index, one) in expected.iter().enumerate() {
        let index = if index < good { index } else { index + 1 };
        let failure = outcome.failure(index);
        let name = &one.case.name;
        assert_eq!(failure.kind, one.kind, "{name}: {failure:#?}");
        assert_eq!(
            failure.signal.as_deref(),
            one.signal,
            "{name}: {failure:#?}"
        );
        assert_eq!(failure.line, one.line, "{name}: {failure:#?}");
        assert!(failure.message.contains(one.says), "{name}: {failure:#?}");
        if one.line.is_some() {
            assert_eq!(failure.file.as_deref(), Some("test.S"));
            assert!(
                failure.ip.is_some() && failure.instruction.is_some(),
                "{failure:#?}"
            );
        }
    }
    assert!(
        outcome.samples_of(good, Context::Chained).len() > 10,
        "the good case was measured"
    );
    outcome
}

fn signals() {
    use FailureKind::Signal;
    let segv = Some("SIGSEGV");
    check(
        vec![
            fails("null", Signal, segv, Some(2), "0x10", |ops| {
                dynasm!(ops ; .arch x64 ; xor eax, eax ; mov rcx, [rax + 0x10]);
            }),
            fails(
                "non-canonical",
                Signal,
                segv,
                Some(2),
                "non-canonical",
                |ops| {
                    dynasm!(ops ; .arch x64 ; mov rax, QWORD 0x1234_5678_9abc_def0 ; mov rcx, [rax]);
                },
            ),
            fails(
                "write to code",
                Signal,
                segv,
                Some(2),
                "may not be accessed",
                |ops| {
                    dynasm!(ops ; .arch x64 ; lea rax, [rip] ; mov [rax], eax);
                },
            ),
            fails("overflow", Signal, segv, Some(1), "overflowed", |ops| {
                dynasm!(ops ; .arch x64 ; again: ; push rax ; jmp <again);
            }),
            fails("ud2", Signal, Some("SIGILL"), Some(1), "ud2", |ops| {
                dynasm!(ops ; .arch x64 ; ud2);
            }),
            fails("int3", Signal, Some("SIGTRAP"), Some(2), "int3", |ops| {
                dynasm!(ops ; .arch x64 ; nop ; int3);
            }),
            fails("hlt", Signal, segv, Some(1), "privileged", |ops| {
                dynasm!(ops ; .arch x64 ; hlt);
            }),
            fails("divide", Signal, Some("SIGFPE"), Some(2), "div", |ops| {
                dynasm!(ops ; .arch x64 ; xor ecx, ecx ; div ecx);
            }),
            // AC is set when the handler is entered.
            fails(
                "misaligned",
                Signal,
                Some("SIGBUS"),
                Some(4),
                "alignment",
                |ops| {
                    dynasm!(ops ; .arch x64
                        ; pushfq
                        ; or DWORD [rsp], 0x40000
                        ; popfq
                        ; mov eax, [rsp + 1]
                    );
                },
            ),
            fails(
                "trap flag",
                Signal,
                Some("SIGTRAP"),
                Some(3),
                "by `popf` at line 3",
                |ops| {
                    dynasm!(ops ; .arch x64 ; pushfq ; or DWORD [rsp], 0x100 ; popfq);
                },
            ),
            // A stepped run finds the instruction that left the code.
            fails(
                "wild jump",
                Signal,
                segv,
                Some(2),
                "last instruction inside",
                |ops| {
                    dynasm!(ops ; .arch x64 ; mov eax, 0x1000 ; jmp rax);
                },
            ),
            // The fs base is nowhere when the handler is entered.
            fails("fault without fs", Signal, segv, Some(3), "0x0", |ops| {
                dynasm!(ops ; .arch x64 ; xor eax, eax ; wrfsbase rax ; mov rax, [rax]);
            }),
            // %rsp is nowhere when the handler is entered.
            fails("no stack", Signal, segv, Some(2), "0x", |ops| {
                dynasm!(ops ; .arch x64 ; xor esp, esp ; push rax);
            }),
        ],
        600,
    );
}

fn state() {
    use FailureKind::{Stack, State};
    let mut expected = vec![
        fails("popped", Stack, None, None, "+8 bytes", |ops| {
            // Returns to where it was called from, but leaves the stack higher.
            dynasm!(ops ; .arch x64 ; pop rax ; add rsp, 8 ; jmp rax);
        }),
        fails(
            "direction",
            State,
            None,
            Some(1),
            "DF",
            |ops| dynasm!(ops ; .arch x64 ; std),
        ),
        fails("alignment", State, None, Some(3), "AC", |ops| {
            dynasm!(ops ; .arch x64 ; pushfq ; or DWORD [rsp], 0x40000 ; popfq);
        }),
        fails("mxcsr", State, None, Some(3), "MXCSR", |ops| {
            dynasm!(ops ; .arch x64
                ; stmxcsr [rsp - 8] ; and DWORD [rsp - 8], -0x81 ; ldmxcsr [rsp - 8]
            );
        }),
        fails("x87", State, None, Some(3), "x87", |ops| {
            dynasm!(ops ; .arch x64
                ; fnstcw [rsp - 8] ; and WORD [rsp - 8], -2 ; fldcw [rsp - 8]
            );
        }),
        fails("fs", State, None, Some(2), "fs base", |ops| {
            dynasm!(ops ; .arch x64 ; xor eax, eax ; wrfsbase rax);
        }),
        fails("gs", State, None, Some(2), "gs base", |ops| {
            dynasm!(ops ; .arch x64 ; mov eax, 64 ; wrgsbase rax);
        }),
    ];
    expected.push(Expected {
        case: inline("pushed inline", |ops| dynasm!(ops ; .arch x64 ; push rax)),
        kind: Stack,
        signal: None,
        line: None,
        says: "-8 bytes",
    });
    check(expected, 500);
}

fn endless_loop() {
    let expected = fails(
        "endless",
        FailureKind::Timeout,
        None,
        Some(2),
        "no progress",
        |ops| dynasm!(ops ; .arch x64 ; nop ; again: ; jmp <again),
    );
    let outcome = check(vec![expected], 800);
    assert!(outcome.took.as_secs_f64() < 30.0, "{:?}", outcome.took);
}

fn exit() {
    let says = "status 7";
    let expected = fails("exit", FailureKind::Exit, None, Some(3), says, |ops| {
        dynasm!(ops ; .arch x64 ; mov eax, 231 ; mov edi, 7 ; syscall);
    });
    check(vec![expected], 300);
}

/// What a sequence forks does not outlive the measurement.
fn offspring() {
    let mut case = called("forks", |ops| {
        dynasm!(ops ; .arch x64
            // Once a worker: memory is never reset.
            ; lea rbx, [rsp - 0x8000]
            ; inc DWORD [rbx]
            ; cmp DWORD [rbx], 1
            ; jne >parent
            ; mov eax, 57
            ; syscall
            ; test eax, eax
            ; jnz >parent
            ; child:
            ; pause
            ; jmp <child
            ; parent:
        );
    });
    case.syscalls.push("fork".to_owned());
    let refused = measure(std::slice::from_ref(&case), 200);
    assert!(
        refused.not_run[0].1.0.contains("--allow-syscalls"),
        "{:?}",
        refused.not_run
    );
    let trusting = Plan {
        allow_syscalls: true,
        ..plan(200)
    };
    let outcome = measure_as(&[case], &trusting);
    assert_eq!(outcome.failures, []);
    let own = std::fs::read_link("/proc/self/exe").expect("it is there");
    let left = || {
        std::fs::read_dir("/proc")
            .expect("it is there")
            .flatten()
            .filter(|entry| {
                let number: Option<u32> = entry.file_name().to_str().and_then(|n| n.parse().ok());
                number.is_some_and(|number| number != std::process::id())
            })
            .filter(|entry| {
                std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == own)
            })
            .count()
    };
    // A process that was killed takes a moment to go where the CPUs are busy.
    let start = std::time::Instant::now();
    while left() > 0 && start.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(left(), 0, "processes are left behind");
}

/// A fault after many good runs: what was measured before stays.
fn late() {
    let case = called("late", |ops| {
        // Counts in memory that is never reset.
        dynasm!(ops ; .arch x64
            ; lea rax, [rsp - 0x8000]
            ; inc DWORD [rax]
            ; cmp DWORD [rax], 100_000
            ; jb >fine
            ; ud2
            ; fine:
        );
    });
    let outcome = measure(&[case], 600);
    let failure: &Failure = outcome.failure(0);
    assert_eq!(failure.signal.as_deref(), Some("SIGILL"));
    assert_eq!(failure.line, Some(5));
    let samples = outcome.samples_of(0, Context::Chained);
    assert!(
        !samples.is_empty(),
        "samples from before the fault are kept"
    );
}
