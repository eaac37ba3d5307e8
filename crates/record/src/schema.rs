//! JSON Schemas.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::diff::Diff;
use crate::outputs::{Finding, Listed, Listing, MachineOutput, Probe};
use crate::record::Record;

/// The JSON Schema (2020-12) of a record as it is written: every key required.
#[must_use]
pub fn schema() -> Value {
    of::<Record>()
}

/// The JSON Schemas of what the other commands print with `--format json`, by command.
#[must_use]
pub fn output_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("run", of::<Record>()),
        ("diff", of::<Diff>()),
        ("machine", of::<MachineOutput>()),
        ("list", of::<Vec<Listed>>()),
        ("check", of::<Vec<Finding>>()),
        ("listing", of::<Vec<Listing>>()),
        ("probe", of::<Probe>()),
    ]
}

fn of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
