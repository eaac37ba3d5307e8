//! Runs code in an isolated worker on this CPU, and gives samples.
//!
//! The stages: [`Case`]s are linked into an image (one reservation below 2 GiB), a worker process
//! maps it and runs each case's harness, and [`Event`]s come back as they happen. What came back
//! is ticks and counts: making cycles and intervals of them is the caller's work.
//!
//! - `image` links cases, proves that they decode back, and lays them out
//! - `harness` writes the code that enters, repeats and times a body
//! - `shared` is what parent and worker tell each other
//! - `worker` maps an image, runs rounds, and reports faults
//! - `supervise` plans, starts workers, and explains how they end
//! - `probe`: what is asked of the history probe; its code stands in the stages above
//! - `facts`, `counters`, `step`, `filter`: the machine, its counters, exact counts by stepping, and
//!   the seccomp filters that sequences ask for
//! - `streams`: whether there are a stdin and a stdout
//! - `interrupt`: Ctrl-C and its like, held off while something is measured
//! - `system_calls`: their names, and which of them a sequence may declare
//!
//! A program that measures is its own worker:
//!
//! ```no_run
//! use machine::{Backend, Real};
//!
//! machine::worker_main(std::env::args_os());
//! let machine = Real::new().machine(None).expect("this CPU can be read");
//! assert!(machine.clock.tsc_hz > 0.0);
//! ```

mod api;
mod counters;
mod facts;
mod filter;
mod harness;
mod image;
mod interrupt;
mod limits;
mod probe;
mod random;
mod shared;
mod step;
mod streams;
mod supervise;
mod system_calls;
mod worker;

pub use api::{
    Backend, Case, Clock, Context, CounterRequest, CounterValue, Counts, Discard, Entry, Error,
    Event, Executed, Failure, FailureKind, Filter, Machine, Measure, MeasureId, Plan, Random,
    Reason, Ruler, Sample, Sentinel, Span, TscSource, Width,
};
pub use counters::check_events;
pub use image::distinct_layouts;
pub use interrupt::{Held, catch_interrupts};
pub use limits::{address_space, data_segment};
pub use probe::{Marker, Mode, ProbeEvent, ProbeNext, ProbePlan, ProbeSubject, Reading, Setting};
pub use streams::{stdin_was_closed, stdout_was_closed};
pub use supervise::{Elsewhere, Real};
pub use worker::{WORKER_ARGUMENT, worker_main};
