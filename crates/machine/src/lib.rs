//! Runs code in an isolated worker on this CPU, and gives samples.
//!
//! The stages: [`Case`]s are linked into an image (one reservation below 2 GiB), a worker process
//! maps it and runs each case's harness, and [`Event`]s come back as they happen. What came back
//! is ticks and counts: making cycles and intervals of them is the caller's work.

mod api;
mod counters;
mod facts;
mod filter;
mod harness;
mod image;
mod random;
mod shared;
mod step;
mod supervise;
mod worker;

pub use api::{
    Backend, Case, Clock, Context, CounterRequest, CounterValue, Counts, Discard, Entry, Error,
    Event, Failure, FailureKind, Filter, Machine, Measure, MeasureId, Plan, Random, Reason, Ruler,
    Sample, Sentinel, TscSource, Width,
};
pub use supervise::Real;
pub use worker::{WORKER_ARGUMENT, worker_main};
