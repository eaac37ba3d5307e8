//! `thunklab`: the command line, the only place where the stages meet.

mod args;
mod catalogue;
mod commands;
mod diagnostics;
mod fake;
mod input;
mod outcome;
mod probe;
mod run;
mod terminal;
mod unasked;
mod unit;
mod words;

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use args::typed::Typed;
use outcome::Refusal;
use terminal::Terminal;

/// Exit status where the input or the call was wrong.
const REFUSED: u8 = 2;

/// Bytes of the stack that commands run on, whatever `ulimit -s` says.
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    // A worker is this executable, started again: nothing of a command line belongs into it.
    machine::worker_main(std::env::args_os());
    if let Err(error) = machine::catch_interrupts() {
        let complaint = format!("thunklab: signals cannot be caught: {error}\n");
        // Without a stderr there is nobody to tell.
        let _ = io::Write::write_all(&mut io::stderr(), complaint.as_bytes());
    }
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(command);
    // A panic has been printed where it happened.
    thread.map_or_else(
        |_| command(),
        |thread| thread.join().unwrap_or(ExitCode::from(101)),
    )
}

/// Bytes of address space, and of what can be written, below which an allocation may fail, at which
/// a program can only abort: its own image, threads and what the C library reserves for each, and the
/// tables of instructions.
const LEAST_MEMORY: u64 = 256 << 20;
const LEAST_DATA: u64 = 128 << 20;

/// A limit that leaves too little memory.
fn too_little() -> Option<Refusal> {
    let limits = [
        (machine::address_space(), LEAST_MEMORY, 'v'),
        (machine::data_segment(), LEAST_DATA, 'd'),
    ];
    limits.into_iter().find_map(|(limit, least, option)| {
        let have = limit.filter(|limit| *limit < least)? >> 10;
        let need = least >> 10;
        Some(Refusal::because(format!(
            "this process may have {have} KiB of memory, and needs {need}: raise the limit on it \
             (ulimit -{option} {need})"
        )))
    })
}

/// Does what was typed.
fn command() -> ExitCode {
    let typed = Typed::parse();
    let terminal = Terminal::new(typed.common.quiet, typed.common.verbose);
    if let Some(refusal) = too_little() {
        refusal.tell(&terminal);
        return ExitCode::from(REFUSED);
    }
    match commands::dispatch(typed, &terminal) {
        Ok(status) => status.into(),
        Err(error) => explain(&error, &terminal),
    }
}

/// Says why it ended early, and gives the exit status for it.
fn explain(error: &anyhow::Error, terminal: &Terminal) -> ExitCode {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        refusal.tell(terminal);
        return ExitCode::from(REFUSED);
    }
    if error
        .downcast_ref::<io::Error>()
        .is_some_and(terminal::is_closed)
    {
        return ExitCode::SUCCESS;
    }
    terminal.tell(&record::harmless(&format!("thunklab: {error:#}\n")));
    ExitCode::FAILURE
}
