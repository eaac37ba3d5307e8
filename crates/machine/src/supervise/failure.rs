//! From how a worker ended to what the user is told.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;

use assemble::{Code, ListingSyntax, SectionId};
use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter};

use super::culprit;
use super::launch::Launched;
use super::plausible::Doubt;
use super::process::Ended;
use crate::api::{Case, Failure, FailureKind};
use crate::shared::{Displaced, EXCEPTION, Fault, RAX, RCX, RDI, RIP, STAGE_SETUP};
use crate::system_calls;

/// Signal codes of the kernel.
const SI_KERNEL: i32 = 0x80;
const TRAP_TRACE: i32 = 2;
/// What the kernel calls 64-bit code (AUDIT_ARCH_X86_64); of x32 it is a bit in the number.
const ARCH_64: u32 = 0xc000_003e;
const X32: u32 = 0x4000_0000;
/// No x32 call has a number above this one.
const MOST_X32: u32 = 1023;
/// Bytes of `syscall`, and of `int $0x80`.
const SYSCALL: u64 = 2;
/// The CPU's exception of `int $4` and `into` (#OF).
const OVERFLOW: u64 = 4;

/// What a worker left behind, as far as it bears on a case.
#[derive(Clone, Copy, Debug)]
pub(super) enum Left {
    /// A state that is not as it was.
    Displaced {
        /// What.
        what: Displaced,
        /// As it was.
        expected: u64,
        /// As it is.
        found: u64,
    },
    /// Nonsense in the shared memory.
    Spoiled,
    /// A number that cannot be.
    Implausible(Doubt),
    /// Nothing but its end.
    Nothing,
}

/// Where an address lies in a case.
struct Spot {
    offset: Option<u64>,
    instruction: Option<String>,
    file: Option<String>,
    line: Option<u32>,
}

/// Explains the end of a worker as the failure of a case, by its place in the worker's job.
pub(super) fn explain(launched: &Launched, place: usize, case: &Case, ended: Ended) -> Failure {
    let mut failure = match launched.left {
        Left::Displaced {
            what,
            expected,
            found,
        } => {
            let mut failure = displaced(what, expected, found);
            culprit::add(case, what, &mut failure);
            failure
        }
        Left::Spoiled => plain(
            FailureKind::Tampered,
            "it wrote over the results in the shared memory".to_owned(),
        ),
        Left::Implausible(doubt) => plain(
            FailureKind::Tampered,
            format!("its worker told what cannot be: {}", doubt.what),
        ),
        Left::Nothing => match fault(launched, place, case) {
            Some(mut failure) => {
                if failure.kind == FailureKind::Syscall && failure.instruction.is_none() {
                    culprit::add_sysenter(case, &mut failure);
                }
                if failure.line.is_none() && is_trap_flag(launched) {
                    culprit::add(case, Displaced::Flags, &mut failure);
                }
                if returned(launched) {
                    culprit::add_return(case, launched.worker.stage(), &mut failure);
                }
                failure
            }
            None => {
                let mut failure = end(launched, ended);
                culprit::add_system_call(case, &mut failure);
                failure
            }
        },
    };
    if launched.worker.stage() == STAGE_SETUP {
        failure.message.push_str(", in its setup");
    }
    failure
}

fn plain(kind: FailureKind, message: String) -> Failure {
    Failure {
        kind,
        signal: None,
        address: None,
        ip: None,
        instruction: None,
        file: None,
        line: None,
        message,
    }
}

/// The case that code at an address belongs to, by place in the job.
pub(super) fn owner(launched: &Launched) -> Option<usize> {
    if let Left::Implausible(doubt) = launched.left {
        return doubt.place;
    }
    let fault = &launched.worker.memory.header().fault;
    if fault.done.load(Ordering::Acquire) == 0 {
        return None;
    }
    let ip = address_at_fault(launched, fault);
    launched.image.cases.iter().position(|case| {
        let inside = |start: u64, length: u64| (start..start + length).contains(&ip);
        case.copies
            .iter()
            .any(|copy| inside(copy.address, copy.length))
    })
}

/// Who sent a signal, where it was sent and is not the CPU's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    /// The worker itself.
    Itself,
    /// A timer that the worker set.
    Timer,
    /// The watchdog.
    Watchdog,
    /// Another process.
    Other(u32),
}

/// Who sent the signal of a report.
fn sender(launched: &Launched, report: &Fault) -> Option<Sender> {
    let signal = report.signal.load(Ordering::Relaxed).cast_signed();
    let word = |index: usize| report.info[index].load(Ordering::Relaxed);
    let (code, sender) = ((word(1) as u32).cast_signed(), word(2) as u32);
    if signal == libc::SIGALRM && code == SI_KERNEL || code == libc::SI_TIMER {
        return Some(Sender::Timer);
    }
    // Codes of the CPU's own signals are above zero.
    (code <= 0).then(|| match sender {
        _ if sender == launched.worker.pid() => Sender::Itself,
        _ if launched.worker.timed_out && sender == std::process::id() => Sender::Watchdog,
        other => Sender::Other(other),
    })
}

/// The process that ended a worker by a signal, if another one did.
pub(super) fn ended_by_another(launched: &Launched) -> Option<(String, u32)> {
    let report = &launched.worker.memory.header().fault;
    if report.done.load(Ordering::Acquire) == 0 || !matches!(launched.left, Left::Nothing) {
        return None;
    }
    let signal = report.signal.load(Ordering::Relaxed).cast_signed();
    match sender(launched, report)? {
        Sender::Other(process) => Some((name(signal), process)),
        Sender::Itself | Sender::Timer | Sender::Watchdog => None,
    }
}

/// An address in the instruction that a report is about: of some, the address behind is reported.
fn address_at_fault(launched: &Launched, report: &Fault) -> u64 {
    let register = |index: usize| report.registers[index].load(Ordering::Relaxed);
    let at = register(RIP);
    let signal = report.signal.load(Ordering::Relaxed).cast_signed();
    let sender = sender(launched, report);
    let sent = sender.is_some();
    // `syscall` leaves the address behind it in %rcx: a call that was interrupted has just returned.
    // A timer may end a loop behind a call as well as the call.
    let failed = register(RAX).cast_signed() == -i64::from(libc::EINTR);
    let interrupted = register(RCX) == at && (failed || sender != Some(Sender::Timer));
    let back = match signal {
        libc::SIGSYS => SYSCALL,
        _ if sent && interrupted => SYSCALL,
        _ if sent => 0,
        // A trap comes behind its instruction, however long that is.
        libc::SIGTRAP => 1,
        libc::SIGSEGV if register(EXCEPTION) == OVERFLOW => 1,
        _ => 0,
    };
    at.wrapping_sub(back)
}

/// Whether straight-line code returned: where that goes lies at the image's first byte, which is in a
/// guard.
fn returned(launched: &Launched) -> bool {
    let report = &launched.worker.memory.header().fault;
    report.registers[RIP].load(Ordering::Relaxed) == launched.image.base
        && report.signal.load(Ordering::Relaxed).cast_signed() == libc::SIGSEGV
}

/// Whether it is the trap that follows an instruction which the trap flag was set for: the last one of
/// a body, or a system call, and then the trap comes behind them.
fn is_trap_flag(launched: &Launched) -> bool {
    let report = &launched.worker.memory.header().fault;
    report.signal.load(Ordering::Relaxed).cast_signed() == libc::SIGTRAP
        && (report.info[1].load(Ordering::Relaxed) as u32).cast_signed() == TRAP_TRACE
}

/// A fault that the worker's handler reported.
fn fault(launched: &Launched, place: usize, case: &Case) -> Option<Failure> {
    let report = &launched.worker.memory.header().fault;
    if report.done.load(Ordering::Acquire) == 0 {
        return None;
    }
    let number = report.signal.load(Ordering::Relaxed).cast_signed();
    let word = |index: usize| report.info[index].load(Ordering::Relaxed);
    let code = (word(1) as u32).cast_signed();
    let ip = address_at_fault(launched, report);
    let spot = spot(launched, place, case, ip);
    let sender = sender(launched, report);
    let timed_out = sender == Some(Sender::Watchdog);
    // Neither a general protection fault nor an alignment check tells an address.
    let has_address = sender.is_none()
        && match number {
            libc::SIGSEGV => code != SI_KERNEL,
            libc::SIGBUS => code != libc::BUS_ADRALN,
            _ => false,
        };
    let address = has_address.then(|| word(2));
    let call = (number == libc::SIGSYS && sender.is_none()).then(|| SystemCall {
        number: word(3) as u32,
        architecture: (word(3) >> 32) as u32,
        first_argument: report.registers[RDI].load(Ordering::Relaxed),
    });
    let exception = report.registers[EXCEPTION].load(Ordering::Relaxed);
    let what = match (&call, sender) {
        (_, Some(sender)) => sent(number, sender),
        (Some(call), None) => call.describe(&case.syscalls),
        (None, None) if number == libc::SIGSEGV && exception == OVERFLOW => {
            "SIGSEGV: overflow trap (`int $4`, or `into`)".to_owned()
        }
        (None, None) => describe(number, code, address, launched),
    };
    // Behind code lie breakpoints.
    let fell_out = number == libc::SIGTRAP
        && code == SI_KERNEL
        && launched.image.cases[place]
            .copies
            .iter()
            .any(|copy| copy.address + copy.length == ip);
    let (what, where_) = if fell_out {
        (
            "SIGTRAP: it ran out of the end of its code".to_owned(),
            "(a called body ends with `ret`)".to_owned(),
        )
    } else if returned(launched) {
        (
            "SIGSEGV: it returned".to_owned(),
            "from where nothing had called it".to_owned(),
        )
    } else {
        (what, where_of(launched, place, ip, &spot))
    };
    let exits = call.as_ref().is_some_and(SystemCall::exits);
    Some(Failure {
        kind: match number {
            _ if timed_out => FailureKind::Timeout,
            _ if exits => FailureKind::Exit,
            _ if call.is_some() => FailureKind::Syscall,
            _ => FailureKind::Signal,
        },
        signal: (!timed_out && !exits).then(|| name(number)),
        address,
        ip: spot.offset,
        instruction: spot.instruction,
        file: spot.file,
        line: spot.line,
        message: format!("{what} {where_}"),
    })
}

/// A system call that the sandbox did not let through.
struct SystemCall {
    number: u32,
    architecture: u32,
    first_argument: u64,
}

impl SystemCall {
    /// Whether it would have ended the worker.
    fn exits(&self) -> bool {
        let exits = [libc::SYS_exit, libc::SYS_exit_group];
        self.architecture == ARCH_64 && exits.contains(&i64::from(self.number))
    }

    fn describe(&self, declared: &[String]) -> String {
        let number = self.number;
        if self.architecture != ARCH_64 {
            return format!(
                "SIGSYS: 32-bit system call {number} (by `int $0x80`, `sysenter`, or from 32-bit code), \
                 which no sequence may make,"
            );
        }
        let x32 = number ^ X32;
        if x32 <= MOST_X32 {
            return format!("SIGSYS: x32 system call {x32}, which no sequence may make,");
        }
        let Some(name) = system_calls::name(number) else {
            let number = number.cast_signed();
            return format!("SIGSYS: {number} is the number of no system call,");
        };
        if self.exits() {
            let status = self.first_argument & 0xff;
            return format!("it wanted to end its worker ({name} with status {status})");
        }
        if declared.iter().any(|known| known == name) {
            if name == "madvise" {
                return format!(
                    "SIGSYS: system call {name} ({number}) may not advise on the machine's memory,"
                );
            }
            // What else is declared and still refused are signals.
            return format!(
                "SIGSYS: system call {name} ({number}) may send signals only to itself and its group,"
            );
        }
        format!("SIGSYS: system call {name} ({number}) is not declared by `#: syscalls`,")
    }
}

/// A signal that was sent, in words.
fn sent(number: i32, sender: Sender) -> String {
    let name = name(number);
    match sender {
        Sender::Watchdog => "it made no progress and was stopped".to_owned(),
        Sender::Itself => format!("{name}, which it sent to itself,"),
        Sender::Timer => format!("{name} of a timer that it set,"),
        Sender::Other(process) => format!("{name}, sent by process {process},"),
    }
}

/// A signal in words.
fn describe(number: i32, code: i32, address: Option<u64>, launched: &Launched) -> String {
    let name = name(number);
    match (number, address) {
        (libc::SIGSEGV | libc::SIGBUS, Some(address)) => {
            let below = launched.image.stack_bottom().wrapping_sub(address);
            let above = address.wrapping_sub(launched.image.stack_end());
            let place = match address {
                _ if (1..=crate::image::layout::GUARD).contains(&below) => {
                    "which is just below the stack: it overflowed"
                }
                _ if above < crate::image::layout::GUARD => {
                    "which is just above the stack: more was popped than pushed"
                }
                // SEGV_ACCERR
                _ if code == 2 && launched.image.protects(address) => {
                    "which may not be accessed like this"
                }
                _ => "which is not mapped",
            };
            format!("{name}: access to {address:#x}, {place},")
        }
        (libc::SIGSEGV, None) => format!(
            "{name}: general protection fault (a non-canonical address, a misaligned vector \
             access or a privileged instruction)"
        ),
        (libc::SIGILL, _) => format!("{name}: invalid instruction"),
        (libc::SIGTRAP, _) if code == SI_KERNEL => format!("{name}: breakpoint"),
        (libc::SIGTRAP, _) => format!("{name}: trap flag or debug exception"),
        (libc::SIGFPE, _) => format!("{name}: divide error or unmasked floating-point exception"),
        (libc::SIGBUS, None) => format!("{name}: alignment check"),
        _ => name,
    }
}

/// Finds the instruction at an address.
fn spot(launched: &Launched, place: usize, case: &Case, ip: u64) -> Spot {
    let mut spot = Spot {
        offset: None,
        instruction: None,
        file: None,
        line: None,
    };
    let placed = &launched.image.cases[place];
    let Some(copy) = placed
        .copies
        .iter()
        .find(|copy| (copy.address..copy.address + copy.length).contains(&ip))
    else {
        return spot;
    };
    let code = &*case.code;
    let item = code.item_at(copy.section, (ip - copy.address) as u32);
    // From any byte of it to its first.
    let in_section = item.map_or(ip - copy.address, |item| u64::from(item.offset));
    let ip = copy.address + in_section;
    let is_text = |index: u32| code.sections[index as usize].name == ".text";
    spot.offset = if is_text(copy.section.0) {
        Some(in_section)
    } else {
        // Other code that lies behind .text has an offset too; blocks with copies have none.
        placed
            .copies
            .iter()
            .find(|first| is_text(first.section.0))
            .filter(|_| !placed.harness.contains(&ip))
            .and_then(|first| ip.checked_sub(first.address))
    };
    spot.instruction = as_written(code, copy.section, in_section)
        .or_else(|| instruction(&launched.image.file, launched.image.file_offset(ip), ip));
    if let Some(item) = item {
        spot.line = (item.line > 0).then_some(item.line);
        spot.file = code.files.get(item.file as usize).cloned();
    }
    spot
}

/// Adds the last instruction inside a case's code, found by a stepped run of it alone in a worker.
pub(super) fn add_last_inside(launched: &Launched, case: &Case, ip: u64, failure: &mut Failure) {
    let spot = spot(launched, 0, case, ip);
    let text = spot.instruction.as_deref().unwrap_or("?");
    let line = spot
        .line
        .map(|line| format!("line {line}, "))
        .unwrap_or_default();
    failure.message = format!(
        "{}; the last instruction inside is {line}`{text}`",
        failure.message
    );
    failure.ip = spot.offset;
    failure.instruction = spot.instruction;
    failure.file = spot.file;
    failure.line = spot.line;
}

/// The instruction at a place as a listing has it: with the names of labels, and not with the
/// addresses of one worker.
fn as_written(code: &Code, section: SectionId, offset: u64) -> Option<String> {
    let lines = code.listing(ListingSyntax::Att);
    let here = lines
        .into_iter()
        .find(|line| line.section == section && line.offset == offset && !line.bytes.is_empty())?;
    let words: Vec<&str> = here.text.split_whitespace().collect();
    (!here.text.starts_with('.')).then(|| words.join(" "))
}

/// Text of the instruction at an address, from the image's contents.
fn instruction(file: &OwnedFd, offset: Option<u64>, ip: u64) -> Option<String> {
    let mut bytes = [0; 15];
    let file = File::from(file.try_clone().ok()?);
    let length = file.read_at(&mut bytes, offset?).ok()?;
    let decoded = Decoder::with_ip(64, &bytes[..length], ip, DecoderOptions::NONE).decode();
    if decoded.is_invalid() {
        return Some("(bad)".to_owned());
    }
    let mut text = String::new();
    GasFormatter::new().format(&decoded, &mut text);
    Some(text)
}

fn displaced(what: Displaced, expected: u64, found: u64) -> Failure {
    match what {
        Displaced::Rsp => {
            let by = found.wrapping_sub(expected).cast_signed();
            plain(
                FailureKind::Stack,
                format!("it left %rsp displaced by {by:+} bytes: as many must be popped as pushed"),
            )
        }
        Displaced::Flags => {
            let names = [(8, "TF"), (10, "DF"), (14, "NT"), (18, "AC")]
                .iter()
                .filter(|(bit, _)| found >> bit & 1 == 1)
                .map(|(_, name)| *name)
                .collect::<Vec<_>>()
                .join(", ");
            plain(
                FailureKind::State,
                format!("it left {names} set, which has to be clear behind it"),
            )
        }
        Displaced::Mxcsr => state("the control bits of MXCSR", expected, found),
        Displaced::X87 => state("the x87 control word", expected, found),
        Displaced::Fs => state("the fs base", expected, found),
        Displaced::Gs => state("the gs base", expected, found),
        Displaced::X87Status => plain(
            FailureKind::State,
            format!(
                "it left the x87 unit with a pending exception or values on its stack (status \
                 {found:#x})"
            ),
        ),
        Displaced::Guard => plain(
            FailureKind::Tampered,
            "it wrote over the harness's own data".to_owned(),
        ),
        Displaced::Results => plain(
            FailureKind::Tampered,
            "it wrote over what the worker tells".to_owned(),
        ),
    }
}

/// The failure of a case whose worker ended only afterwards, when it had run there alone.
pub(super) fn afterwards(launched: &Launched, case: &Case, ended: Option<Ended>) -> Failure {
    let note = note(launched);
    let how = ended.map_or_else(|| "hung".to_owned(), |ended| format!("ended with {ended}"));
    let mut failure = plain(
        FailureKind::Tampered,
        format!("after it had run, its worker {how}{note}: it spoilt what the worker needs"),
    );
    culprit::add_system_call(case, &mut failure);
    failure
}

/// The failure of a case that was alone in its worker, when worker after worker ended.
pub(super) fn lost(how: &str) -> Failure {
    plain(
        FailureKind::Exit,
        format!("{how}, again and again, and no other variant was in it"),
    )
}

fn note(launched: &Launched) -> String {
    let note = launched.worker.memory.note();
    note.map(|note| format!(" ({note})")).unwrap_or_default()
}

fn state(what: &str, expected: u64, found: u64) -> Failure {
    plain(
        FailureKind::State,
        format!("it changed {what} from {expected:#x} to {found:#x} and did not restore it"),
    )
}

/// An end without a report.
fn end(launched: &Launched, ended: Ended) -> Failure {
    let note = note(launched);
    if launched.worker.timed_out {
        return plain(
            FailureKind::Timeout,
            format!("it made no progress, did not answer, and was killed{note}"),
        );
    }
    match ended {
        Ended::Status(status) => plain(
            FailureKind::Exit,
            format!("the worker ended with status {status} while it ran{note}"),
        ),
        Ended::Signal(number) => Failure {
            signal: Some(name(number)),
            ..plain(
                FailureKind::Exit,
                format!(
                    "the worker was ended by {} without a report while it ran{note}",
                    name(number)
                ),
            )
        },
    }
}

/// A signal's name.
fn name(number: i32) -> String {
    let known = [
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGTRAP, "SIGTRAP"),
        (libc::SIGSYS, "SIGSYS"),
        (libc::SIGALRM, "SIGALRM"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGQUIT, "SIGQUIT"),
        (libc::SIGUSR1, "SIGUSR1"),
        (libc::SIGUSR2, "SIGUSR2"),
        (libc::SIGVTALRM, "SIGVTALRM"),
        (libc::SIGPROF, "SIGPROF"),
        (libc::SIGXCPU, "SIGXCPU"),
        (libc::SIGXFSZ, "SIGXFSZ"),
    ];
    known
        .iter()
        .find(|(known, _)| *known == number)
        .map_or_else(
            || format!("signal {number}"),
            |(_, name)| (*name).to_owned(),
        )
}

/// Where a fault was, in words.
fn where_of(launched: &Launched, place: usize, ip: u64, spot: &Spot) -> String {
    match (&spot.instruction, &spot.line) {
        (Some(instruction), Some(line)) => format!("at line {line}, `{instruction}`"),
        (Some(instruction), None) => format!("at `{instruction}`"),
        _ if launched.image.cases[place].harness.contains(&ip) => {
            "in the harness round it, behind or between its instructions".to_owned()
        }
        _ if launched.image.protects(ip) => {
            format!("at {ip:#x}, in the harness or in data that is not its own")
        }
        _ => format!("at {ip:#x}, outside of its code"),
    }
}
