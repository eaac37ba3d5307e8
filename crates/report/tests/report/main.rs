//! Records as text, from outside.
//!
//! - `golden`: whole outputs of made-up records against files; `UPDATE_GOLDEN=1` rewrites them, to
//!   be read before they are committed
//! - `bounds`: what holds of every output of every record

mod bounds;
mod golden;

use std::path::{Path, PathBuf};

use record::Record;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// One of the made-up records.
fn made(name: &str) -> Record {
    Record::load(&folder("records").join(name).with_extension("json"))
        .unwrap_or_else(|error| panic!("{error}"))
}
