//! The worker: the same executable, started again, that maps an image and runs what is in it.
//!
//! # What the worker is told
//! It is started as `argv[0] __worker`, with three descriptors: 0 is a pipe of commands (and, when
//! it ends, the sign to leave), 1 the shared memory, 2 the image. The first message on the pipe is
//! the [`Job`]; after it come commands of three 32-bit words each, see [`Command`]. Before anything
//! of a sequence runs, the worker closes all but the pipe and enters its [`sandbox`].
//!
//! # Counting one run of a case (what the single-stepper needs)
//! A counting worker is an ordinary worker, unpinned or on another CPU, which gets only counting
//! commands. `Command::Count { case }` makes it run the case's setup (the first time only) and then
//! its counting harness: it loads the state that setup left, executes one `int3`, and behind it the
//! `before` block, one body and the `after` block, then leaves the harness as after any sample and
//! waits for the next command. The tracer
//!
//! 1. attaches to the worker (`PTRACE_SEIZE`) once the job is read, while the worker waits in
//!    `read` on its pipe,
//! 2. sends the command (a closure given by the caller does that),
//! 3. continues the worker until `SIGTRAP` with the instruction pointer at
//!    [`CountTarget::marker`]` + 1` (a signal elsewhere is a fault of the case: a `Reason`),
//! 4. steps without counting until the instruction pointer is [`CountTarget::before`], and from
//!    there counts for the blocks round the body until it is [`CountTarget::enter`],
//! 5. counts for the body from [`CountTarget::start`] until it is [`CountTarget::end`] (for a call:
//!    the final `ret` is counted, the harness's `call` is not),
//! 6. counts for the blocks round the body again until it is [`CountTarget::stop`],
//! 7. suppresses nothing else, and continues the worker without a signal; it may now be sent the
//!    next command, or be detached from and killed.

/// Addresses that the single-stepper needs, all in the worker's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountTarget {
    /// Address of the harness's `int3`; the trap is reported with the address behind it.
    pub(crate) marker: u64,
    /// First instruction of the block `before`; as `enter` where there is none.
    pub(crate) before: u64,
    /// The harness's `call` of the body; as `start` where the body is inline.
    pub(crate) enter: u64,
    /// First instruction of the body: the function's entry, or the first inline byte.
    pub(crate) start: u64,
    /// Instruction that follows the body: behind the harness's `call`, or behind the inline body.
    pub(crate) end: u64,
    /// Instruction that follows the block `after`; as `end` where there is none.
    pub(crate) stop: u64,
}

mod calibration;
mod checks;
mod counters;
mod faults;
mod mapped;
mod probe;
mod process;
mod rounds;
mod sandbox;

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::Ordering;

use crate::shared::{Command, Job, Memory, Record};
use mapped::Mapped;
use rounds::Rounds;

/// First argument of an executable that is started as a worker.
pub const WORKER_ARGUMENT: &str = "__worker";

/// Exit status of a worker that reports something by its last words.
pub(crate) const STATUS_NOTE: i32 = 121;
/// Exit status of a worker whose image's range was not free: another base may be.
pub(crate) const STATUS_RANGE: i32 = 123;
/// Exit status of a worker that found something displaced.
pub(crate) const STATUS_DISPLACED: i32 = 122;
/// Exit status of a worker that lacks a part of the sandbox without which it shall not run.
pub(crate) const STATUS_UNCONFINED: i32 = 124;

/// Bytes that are allocated and given back before the sandbox is entered: what little is allocated
/// afterwards comes from there, without a system call.
const HEAP: usize = 96 << 10;

/// Runs as a worker if the process was started as one (its first argument is [`WORKER_ARGUMENT`]),
/// and does not return then. A program that measures calls this first of all in `main`, with
/// [`std::env::args_os`], before threads or signal handlers exist.
pub fn worker_main(mut arguments: impl Iterator<Item = OsString>) {
    if arguments
        .nth(1)
        .is_none_or(|first| first != WORKER_ARGUMENT)
    {
        return;
    }
    process::exit(work());
}

/// The worker's life, and its exit status. Its last words go to the shared memory.
fn work() -> i32 {
    // Without the shared memory there is nobody to tell.
    let Ok(memory) = Memory::map(io::stdout().as_fd()) else {
        return STATUS_NOTE;
    };
    // It lives until the process ends: signal handlers refer to it.
    let memory: &'static Memory = Box::leak(Box::new(memory));
    std::panic::set_hook(Box::new(|panic| {
        memory.leave_note(&panic.to_string());
        // Unwinding would end in system calls that the sandbox does not allow.
        process::exit(STATUS_NOTE);
    }));
    match serve(memory) {
        Ok(()) => 0,
        Err(End { status, note }) => {
            memory.leave_note(&note);
            status
        }
    }
}

/// Why a worker leaves before its time.
struct End {
    status: i32,
    note: String,
}

impl From<String> for End {
    fn from(note: String) -> Self {
        Self {
            status: STATUS_NOTE,
            note,
        }
    }
}

fn serve(memory: &'static Memory) -> Result<(), End> {
    process::prepare()?;
    let stdin = io::stdin();
    let mut pipe = Pipe(stdin.as_fd());
    let job = Job::receive(&mut pipe).map_err(|error| format!("no job came: {error}"))?;
    process::EXIT_KEY.store(job.key, Ordering::Relaxed);
    memory.set_key(job.key);
    mapped::reserve(&job).map_err(|note| End {
        status: STATUS_RANGE,
        note,
    })?;
    let mapped = Mapped::new(&job, io::stderr().as_fd())?;
    memory.header().mapped.store(1, Ordering::Release);
    faults::install(&memory.header().fault)?;
    let counters = counters::open(&job.counters);
    process::close_mapped();
    let (counting, filter, sandbox) = (job.counting, job.filter, job.sandbox.clone());
    let image_bytes = job.length;
    let command: &'static mut [u8; Command::BYTES] = Box::leak(Box::new([0; Command::BYTES]));
    let own = sandbox::Own {
        command: (command.as_ptr() as u64, command.len() as u64),
        exit_key: job.key,
        counters: counters.as_ref().map(crate::counters::Group::descriptor),
    };
    let mut rounds = Rounds::new(job, mapped, memory, counters);
    drop(std::hint::black_box(vec![1u8; HEAP]));
    if let Some(filter) = filter {
        crate::filter::install(filter)?;
    }
    let missing = sandbox::enter(&sandbox, image_bytes, &own);
    for &(layer, errno) in &missing {
        memory.write(&Record::Missing { layer, errno });
    }
    if sandbox.required && missing.iter().any(|(layer, _)| sandbox.needs(*layer)) {
        return Err(End {
            status: STATUS_UNCONFINED,
            note: String::new(),
        });
    }
    memory.write(&Record::Confined);
    // What the parent reads of the sandbox shall not be what a sequence has written over.
    match next_command(pipe.0, command)? {
        None => return Ok(()),
        // The parent has put it on its CPU meanwhile.
        Some(Command::Begin) => rounds.arrive(),
        Some(other) => return Err(format!("{other:?} came before the word to begin").into()),
    }
    if !counting {
        rounds.try_all();
        rounds.calibrate_all();
    }
    memory.write(&Record::Ready);
    loop {
        match next_command(pipe.0, command)? {
            None => return Ok(()),
            Some(Command::Begin) => return Err("a second word to begin came".to_owned().into()),
            Some(Command::Rounds { first, end }) => rounds.run(first..end),
            Some(Command::Count { case }) => rounds.count(case),
            Some(Command::Counters { batches }) => rounds.read_counters(batches),
            Some(Command::Probe {
                probe,
                rounds: many,
            }) => rounds.probe(probe, many),
        }
    }
}

/// The pipe, without a buffer: what is behind the job stays in it.
struct Pipe<'a>(BorrowedFd<'a>);

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(self.0, buffer)?)
    }
}

/// Waits for a command; `None` when the parent has closed the pipe. The only place at which the
/// worker waits for anything, and the only system call that it makes between two commands.
fn next_command(
    pipe: BorrowedFd<'_>,
    buffer: &mut [u8; Command::BYTES],
) -> Result<Option<Command>, String> {
    loop {
        match rustix::io::read(pipe, &mut buffer[..]) {
            Ok(0) => return Ok(None),
            // A command is written at once, and a pipe does not cut what is so short.
            Ok(Command::BYTES) => {
                return Command::decode(buffer)
                    .map(Some)
                    .ok_or_else(|| "a command was not understood".to_owned());
            }
            Ok(length) => return Err(format!("{length} bytes of a command came")),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(format!("no command can be read: {error}")),
        }
    }
}
