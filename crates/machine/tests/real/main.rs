//! Measures on this machine, through a real worker: this executable, started again.

#![expect(
    clippy::print_stdout,
    reason = "a test program of its own prints its results"
)]

mod outcome;
mod sequence;

use dynasmrt::{DynasmApi, dynasm};
use outcome::measure;
use sequence::{called, inline};

fn main() {
    machine::worker_main(std::env::args_os());
    let cases = vec![
        inline("imul", |ops| {
            for _ in 0..100 {
                dynasm!(ops ; .arch x64 ; imul rax, rax);
            }
        }),
        called("30 imul", |ops| {
            for _ in 0..30 {
                dynasm!(ops ; .arch x64 ; imul rax, rax);
            }
        }),
    ];
    let outcome = measure(&cases, 800);
    outcome.print();
}
