//! Text of GNU as.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[expect(dead_code, reason = "each fuzzer runs one of the two")]
#[path = "../../crates/assemble/tests/fuzz/body.rs"]
mod body;

fuzz_target!(|text: &str| body::plain(text));
