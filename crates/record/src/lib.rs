//! Records: what a run leaves behind, on disk and between commands.
//!
//! The types here are the JSON's own shape: every key is always written, `null` where there is
//! nothing; unknown keys are ignored on reading. A [`Record`] is enough to draw every table and
//! page again. [`Samples::cycles`] is the one place where ticks become cycles, [`Diff`] compares
//! records, and [`schema()`] is the JSON Schema.
//!
//! ```
//! use record::Record;
//!
//! let text = r#"{"schema": 1, "machine": {}, "sequence": {"name": "fences"}, "variants": []}"#;
//! let record = Record::from_slice(text.as_bytes()).unwrap();
//! assert_eq!(record.sequence.name, "fences");
//! let error = Record::from_slice(text.replace('1', "2").as_bytes()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "written by a newer thunklab, schema 2; this one reads 1"
//! );
//! ```

mod baseline;
mod cycles;
mod diff;
mod file;
mod folder;
mod history;
mod layout;
mod machine;
mod measure;
mod outputs;
mod placement;
mod plan;
mod printable;
mod record;
mod replace;
mod schema;
mod variant;
mod word;

pub use diff::{
    Cell, Compared, Diff, DiffOptions, Hidden, Ratio, Refusal, Regression, Row, by_sequence,
};
pub use file::{Error, ErrorKind, MOST_BYTES, to_json_line, to_json_text};
pub use folder::{find, load_all};
pub use machine::{Capability, Machine, Ruler, Rulers, Sentinel, Speculation, TscSource};
pub use measure::{
    Counter, Cycles, DiscardedBy, Empty, Measure, Mode, Nanoseconds, Samples, VsBaseline,
};
pub use outputs::{
    Finding, Listed, Listing, ListingLine, MachineOutput, Probe, ProbeStep, Probed, Severity,
};
pub use placement::{Holds, Layout, Survival};
pub use plan::{Plan, SequenceFile};
pub use printable::{harmless, is_harmful, printable};
pub use record::{Record, SCHEMA, Tool, Warning};
pub use replace::{Place, open_special, replace_file, write_special};
pub use schema::{output_schemas, schema};
pub use variant::{Around, Code, Failure, FailureKind, History, HistoryWord, Status, Variant};
pub use word::{Address, Context, ParamValue, Params, UnknownContext, Verdict};
