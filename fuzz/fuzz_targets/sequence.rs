//! Sequence files: structured comments, preprocessor, macros, variants.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[expect(dead_code, reason = "each fuzzer runs one of the two")]
#[path = "../../crates/assemble/tests/fuzz/body.rs"]
mod body;

fuzz_target!(|text: &str| body::sequence_file(text));
