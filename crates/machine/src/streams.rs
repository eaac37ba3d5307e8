#![expect(unsafe_code, reason = "looks at a descriptor before Rust's own start")]
//! Whether stdin and stdout were open when the program was started.
//!
//! Rust opens `/dev/null` in place of standard streams that are closed, before `main`: a program
//! that was started with `>&-` would seem to print, and nobody would see it; one that was started with
//! `<&-` would seem to read an empty file.

use std::sync::atomic::{AtomicBool, Ordering};

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// What the loader calls before Rust's runtime starts.
// SAFETY: functions in this section are called once, with the C calling convention, before `main`;
// this one needs nothing of Rust's runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    for (descriptor, closed) in [
        (libc::STDIN_FILENO, &STDIN_CLOSED),
        (libc::STDOUT_FILENO, &STDOUT_CLOSED),
    ] {
        // SAFETY: asks for a flag of a descriptor, whether it is open or not.
        let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
        closed.store(flags == -1, Ordering::Relaxed);
    }
}

/// Whether stdin was closed when the program was started, so that there is nothing to read.
#[must_use]
pub fn stdin_was_closed() -> bool {
    STDIN_CLOSED.load(Ordering::Relaxed)
}

/// Whether stdout was closed when the program was started, so that what is written to it is lost.
#[must_use]
pub fn stdout_was_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_have_both() {
        assert!(!stdin_was_closed() && !stdout_was_closed());
    }
}
