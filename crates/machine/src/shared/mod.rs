//! What parent and worker share: the job that the parent sends, the commands after it, and the
//! memory in which the worker's findings appear.
//!
//! The parent trusts nothing in that memory. Everything in it is an atomic word, so that reading
//! it is defined whatever the worker does; every index that comes back is checked by its user.

mod job;
mod memory;
mod record;

pub(crate) use job::{
    CONTEXTS, Command, Job, JobCase, JobMeasure, JobProbe, JobProbing, JobRandom, JobSandbox,
};
pub(crate) use memory::{
    EXCEPTION, Fault, GENERAL_REGISTERS, Memory, RAX, RCX, RDI, RIP, STAGE_COUNTING, STAGE_PROBING,
    STAGE_SETUP, Spoiled,
};
pub(crate) use record::{Displaced, Layer, PROBED_TICKS, Record};
