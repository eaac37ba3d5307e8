#![expect(unsafe_code, reason = "looks at a descriptor before Rust's own start")]
//! Whether stdout was open when the program was started.
//!
//! Rust opens `/dev/null` in place of standard streams that are closed, before `main`: a program
//! that was started with `>&-` would seem to print, and nobody would see it.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// What the loader calls before Rust's runtime starts.
// SAFETY: functions in this section are called once, with the C calling convention, before `main`;
// this one needs nothing of Rust's runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // SAFETY: asks for a flag of a descriptor, whether it is open or not.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    CLOSED.store(flags == -1, Ordering::Relaxed);
}

/// Whether stdout was closed when the program was started, so that what is written to it is lost.
#[must_use]
pub fn stdout_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_have_a_stdout() {
        assert!(!stdout_was_closed());
    }
}
