//! Records: what a run leaves behind, on disk and between commands.
//!
//! The types here are the JSON's own shape: every key is always written, `null` where there is
//! nothing.

mod machine;
mod measure;
mod plan;
mod record;
mod variant;
mod word;

pub use machine::{Capability, Machine, Ruler, Rulers, Sentinel, Speculation, TscSource};
pub use measure::{
    Counter, Cycles, DiscardedBy, Empty, Measure, Mode, Nanoseconds, Samples, VsBaseline,
};
pub use plan::{Plan, SequenceFile};
pub use record::{Record, SCHEMA, Tool, Warning};
pub use variant::{Code, Failure, FailureKind, History, HistoryWord, Status, Variant};
pub use word::{Address, Context, ParamValue, Params, UnknownContext, Verdict};
