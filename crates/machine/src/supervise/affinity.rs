//! Keeps the parent off the CPU that is measured.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// While this lives, the calling thread runs on any allowed CPU but one. Where there is no other
/// CPU, or the kernel refuses, it stays where it is: samples that the parent interrupts are seen
/// as interrupted.
#[derive(Debug)]
pub struct Elsewhere {
    before: Option<CpuSet>,
}

impl Elsewhere {
    /// Leaves `cpu`.
    #[must_use]
    pub fn new(cpu: u32) -> Self {
        let before = sched_getaffinity(None).ok().filter(|allowed| {
            let mut others = *allowed;
            others.unset(cpu as usize);
            others.count() > 0 && sched_setaffinity(None, &others).is_ok()
        });
        Self { before }
    }

    /// Whether the thread has left: there is another CPU for it.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.before.is_some()
    }
}

impl Elsewhere {
    /// Whether there is another CPU, and the thread has gone there.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.before.is_some()
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // It was allowed a moment ago; a CPU set that shrank meanwhile is the kernel's to apply.
            let _ = sched_setaffinity(None, before);
        }
    }
}
