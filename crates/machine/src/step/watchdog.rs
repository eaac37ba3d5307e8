//! Ends a traced process whose time is up.
//!
//! The tracing thread sleeps in the kernel until its process stops, and a process in an endless
//! loop or an endless system call never does. Another thread may not use ptrace on it, but may kill
//! it, which ends the wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How often the cancel flag is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Why a process was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Timeout,
    Cancelled,
}

#[derive(Debug, Default)]
struct State {
    /// The process under watch and the end of its time.
    watched: Option<(Pid, Instant)>,
    ended: Option<Ended>,
    done: bool,
    /// Whether no thread could be started for the watch.
    unwatched: bool,
}

/// The watch over one process after the other.
#[derive(Debug)]
pub(super) struct Watchdog<'a> {
    state: Mutex<State>,
    changed: Condvar,
    cancel: &'a AtomicBool,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(cancel: &'a AtomicBool) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            cancel,
        }
    }

    /// Watches while `work` runs; the watch itself is in a thread that ends with it.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Tells the thread to end, also when `work` panics: the scope would wait for it for ever.
        struct Done<'a>(&'a Watchdog<'a>);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.state().done = true;
                self.0.changed.notify_all();
            }
        }
        std::thread::scope(|scope| {
            let watch = std::thread::Builder::new().spawn_scoped(scope, || self.watch());
            self.state().unwatched = watch.is_err();
            let _done = Done(self);
            work()
        })
    }

    /// Puts a process under watch; whether that could be done. It must not be collected before
    /// [`Watchdog::release`].
    #[must_use]
    pub(super) fn watch_over(&self, pid: u32, time: Duration) -> bool {
        let mut state = self.state();
        if let Ok(pid) = i32::try_from(pid) {
            state.watched = Some((Pid::from_raw(pid), Instant::now() + time));
            state.ended = None;
        }
        !state.unwatched
    }

    /// Ends the watch over it, and says whether it was killed.
    pub(super) fn release(&self) -> Option<Ended> {
        let mut state = self.state();
        state.watched = None;
        state.ended.take()
    }

    fn watch(&self) {
        let mut state = self.state();
        while !state.done {
            let ended = match state.watched {
                Some(_) if self.cancel.load(Ordering::Relaxed) => Some(Ended::Cancelled),
                Some((_, end)) if Instant::now() >= end => Some(Ended::Timeout),
                _ => None,
            };
            if let Some(ended) = ended
                && let Some((pid, _)) = state.watched.take()
            {
                // Not collected yet, so that the number is still its own; it may have exited.
                let _ = kill(pid, Signal::SIGKILL);
                state.ended = Some(ended);
            }
            state = self
                .changed
                .wait_timeout(state, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
