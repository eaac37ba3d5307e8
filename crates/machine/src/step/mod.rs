//! Exact counts by single-stepping: instructions retired and branches taken in one run of a case.
//!
//! No PMU is needed, and there is no noise: the kernel stops the worker after every instruction
//! (`PTRACE_SINGLESTEP`), and the instruction itself tells whether it branched. A step costs 25 to
//! 100 us, so it is bounded, and done beside the timing on another CPU.
//!
//! ptrace belongs to the thread that attached, so everything here runs on the calling thread; give
//! it one of its own, and let no other thread wait for the worker meanwhile.

mod count;
mod flow;
mod tracee;
mod walk;
mod watchdog;

#[cfg(test)]
mod child;

pub(crate) use count::{Limits, Worker, count_all, counting_cpu, last_inside};
