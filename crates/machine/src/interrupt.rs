#![expect(
    unsafe_code,
    reason = "a signal handler that says why the process ends"
)]
//! Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed, from the first moment of a program on.
//!
//! While nothing is [held](Held) they end the process at once, with a line and status 130. While
//! something is, the first one is only noted, so that what was measured can be kept and shown; the
//! second one ends the process. One that was ignored when the program was started, as by nohup(1),
//! stays so.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use signal_hook::low_level;

/// Exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;
const SIGNALS: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// How many hold them off.
static HELD: AtomicU32 = AtomicU32::new(0);
/// Whether one came while they were held off.
static CAME: AtomicBool = AtomicBool::new(false);

/// As long as this lives, the first signal is only noted.
#[derive(Debug)]
pub struct Held(());

impl Held {
    /// From here on.
    #[must_use]
    pub fn new() -> Self {
        HELD.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// Whether a signal came.
    #[must_use]
    pub fn interrupted(&self) -> bool {
        CAME.load(Ordering::SeqCst)
    }
}

impl Default for Held {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Catches the signals from here on. A program calls this first of all, behind
/// [`worker_main`](crate::worker_main). A limit on the size of files becomes an error of the write,
/// to be told, and is no death either.
///
/// # Errors
/// As the system gives them.
pub fn catch_interrupts() -> io::Result<()> {
    for signal in SIGNALS {
        if !is_ignored(signal)? {
            // SAFETY: the handler loads and stores atomics, makes one write(2) and ends the process by
            // _exit(2), which are all that a signal handler may do; it does not panic.
            unsafe { low_level::register(signal, came) }?;
        }
    }
    // SAFETY: it does nothing.
    unsafe { low_level::register(libc::SIGXFSZ, || {}) }?;
    Ok(())
}

/// What a signal does.
fn came() {
    let held = HELD.load(Ordering::SeqCst) > 0;
    if !CAME.swap(true, Ordering::SeqCst) && held {
        return;
    }
    let line: &[u8] = if held {
        b"thunklab: ended at once by a second signal\n"
    } else {
        b"thunklab: interrupted\n"
    };
    // A stderr that is closed loses it.
    let _ = rustix::io::write(io::stderr(), line);
    low_level::exit(INTERRUPTED);
}

fn is_ignored(signal: i32) -> io::Result<bool> {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is set, and what is there is written to a local of the right type.
    if unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: all zero is a valid `sigaction`, and so is what the kernel wrote.
    let action = unsafe { action.assume_init() };
    Ok(action.sa_sigaction == libc::SIG_IGN)
}
