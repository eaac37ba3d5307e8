#![expect(unsafe_code, reason = "signal handlers")]
//! Faults: from a signal to a report in the shared memory, without trusting any register.
//!
//! A sequence may have left AC set, the direction flag, another fs base, or a stack pointer to
//! nowhere. So the handler is a few instructions that run on a stack of their own, touch no
//! thread-local data, and end the process when the report is written.

use std::arch::naked_asm;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::process::EXIT_KEY;
use crate::shared::{Fault, GENERAL_REGISTERS};

/// Exit status behind a report.
const STATUS_FAULT: i32 = 120;
/// Bytes of the stack of the handler: a signal frame with all of AMX is 11 KiB.
const STACK: usize = 64 * 1024;

/// Signals that end a worker with a report: the CPU's, the watchdog's, and those that somebody may
/// send, so that it is known who did.
const SIGNALS: [i32; 18] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGALRM,
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGABRT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGPIPE,
    libc::SIGTERM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
];

/// Where the report goes.
static REPORT: AtomicPtr<Fault> = AtomicPtr::new(ptr::null_mut());

/// Makes every fault of this thread end the process with a report.
///
/// # Errors
/// What the kernel refused.
pub(super) fn install(report: &'static Fault) -> Result<(), String> {
    REPORT.store(ptr::from_ref(report).cast_mut(), Ordering::Release);
    let stack: &'static mut [u8] = Box::leak(vec![0; STACK].into_boxed_slice());
    let alternate = libc::stack_t {
        ss_sp: stack.as_mut_ptr().cast(),
        ss_flags: 0,
        ss_size: stack.len(),
    };
    // SAFETY: the stack lives until the process ends, and nothing else uses it.
    if unsafe { libc::sigaltstack(&raw const alternate, ptr::null_mut()) } != 0 {
        return Err(refused("an alternate signal stack"));
    }
    for signal in SIGNALS {
        // SAFETY: all zero is a valid `sigaction`: no flags, an empty mask.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = report_fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: fills the mask of a local.
        unsafe { libc::sigfillset(&raw mut action.sa_mask) };
        // SAFETY: the handler has the signature that SA_SIGINFO asks for, and never returns.
        if unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) } != 0 {
            return Err(refused("a signal handler"));
        }
    }
    Ok(())
}

fn refused(what: &str) -> String {
    format!("{what} cannot be had: {}", std::io::Error::last_os_error())
}

/// Offset of `uc_mcontext.gregs` in a `ucontext_t`.
const REGISTERS: usize = offset_of!(libc::ucontext_t, uc_mcontext);

/// The handler: (signal in %edi, siginfo in %rsi, ucontext in %rdx). The kernel has cleared DF and
/// TF and aligned the stack; AC it leaves as it was.
#[unsafe(naked)]
unsafe extern "sysv64" fn report_fault() {
    naked_asm!(
        // Clears AC (and DF and TF again), with an aligned access.
        "push 2",
        "popfq",
        "mov rax, [rip + {report}]",
        "test rax, rax",
        "jz 2f",
        "mov [rax + {signal}], edi",
        "lea rdi, [rax + {info}]",
        "mov ecx, {info_words}",
        "rep movsq",
        "lea rsi, [rdx + {ucontext_registers}]",
        "lea rdi, [rax + {registers}]",
        "mov ecx, {register_count}",
        "rep movsq",
        "mov dword ptr [rax + {done}], 1",
        "2:",
        "mov edi, {status}",
        "mov rsi, [rip + {key}]",
        "mov eax, {exit_group}",
        "syscall",
        "ud2",
        report = sym REPORT,
        key = sym EXIT_KEY,
        signal = const offset_of!(Fault, signal),
        info = const offset_of!(Fault, info),
        info_words = const 16,
        registers = const offset_of!(Fault, registers),
        register_count = const GENERAL_REGISTERS,
        ucontext_registers = const REGISTERS,
        done = const offset_of!(Fault, done),
        status = const STATUS_FAULT,
        exit_group = const libc::SYS_exit_group,
    )
}
