#![expect(
    unsafe_code,
    reason = "process settings that only system calls can change"
)]
//! What makes a process fit for running a stranger's code.

use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

/// The second argument of this process's own `exit_group`, by which the sandbox tells it from a
/// sequence's.
pub(super) static EXIT_KEY: AtomicU64 = AtomicU64::new(0);

/// Dies with its parent, leaves no core, holds no descriptor but the first three.
///
/// # Errors
/// What could not be set.
pub(super) fn prepare() -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| format!("the worker cannot be made to die with its parent: {error}"))?;
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none).map_err(|error| format!("core dumps stay on: {error}"))?;
    // SAFETY: the worker owns no descriptor above 2 yet: it has opened none, and what is open there
    // was left open by accident somewhere above its parent.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
    if closed != 0 {
        // Kernels before 5.9.
        for descriptor in 3..1024 {
            // SAFETY: as above.
            unsafe { libc::close(descriptor) };
        }
    }
    Ok(())
}

/// Closes the descriptors of the shared memory and of the image, which are mapped: the pipe of
/// commands and the performance counters are all that is left.
pub(super) fn close_mapped() {
    for descriptor in [1, 2] {
        // SAFETY: nothing of this process writes to its output: a panic leaves a note instead.
        unsafe { libc::close(descriptor) };
    }
}

/// The kernel's last refusal, as a number.
pub(super) fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Ends the process at once, without running anything that a sequence may have spoilt.
pub(super) fn exit(status: i32) -> ! {
    loop {
        // SAFETY: always allowed; nothing of this process is needed any more.
        unsafe {
            libc::syscall(
                libc::SYS_exit_group,
                status,
                EXIT_KEY.load(Ordering::Relaxed),
            )
        };
    }
}
