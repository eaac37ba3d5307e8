//! Measures on this machine, through a real worker: this executable, started again.
//!
//! - `timing`: known shapes, with wide margins
//! - `places`: data, relocations, setup, blocks, random tables
//! - `probe`: the history probe's controls and ends, with wide margins
//! - `faults`: each way in which a case can end, and that the others are measured
//! - `lost`: workers that end before anything of a sequence has run
//! - `sandbox`: what the kernel shows of a worker, and what is said where it cannot be confined

#![expect(
    clippy::print_stdout,
    reason = "a test program without the test harness prints its own results"
)]

mod faults;
mod lost;
mod outcome;
mod places;
mod probe;
mod sandbox;
mod sequence;
mod timing;

use std::panic::catch_unwind;
use std::process::ExitCode;

fn main() -> ExitCode {
    machine::worker_main(std::env::args_os());
    if std::env::args().nth(1).as_deref() == Some(sandbox::WITHOUT) {
        sandbox::without_seccomp(std::env::args().nth(2).as_deref() == Some("yes"));
        return ExitCode::SUCCESS;
    }
    let filter = std::env::args()
        .nth(1)
        .filter(|word| !word.starts_with('-'));
    let tests = [
        timing::TESTS,
        places::TESTS,
        faults::TESTS,
        lost::TESTS,
        probe::TESTS,
        sandbox::TESTS,
    ]
    .concat();
    let mut failed = 0;
    for (name, test) in tests {
        if filter.as_ref().is_some_and(|filter| !name.contains(filter)) {
            continue;
        }
        let passed = catch_unwind(test).is_ok();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += u32::from(!passed);
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        println!("{failed} failed");
        ExitCode::FAILURE
    }
}
