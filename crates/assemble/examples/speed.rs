//! Times this crate against GNU as on one file, alternating: `speed FILE.s [RUNS]`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use sequence::{MemoryReader, Program};

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: speed FILE.s [RUNS]");
        return ExitCode::FAILURE;
    };
    let runs = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(5);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{path} cannot be read");
        return ExitCode::FAILURE;
    };
    let lines = text.lines().count();
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let start = Instant::now();
        let mut program = Program::plain(&path, text.as_str());
        match assemble::assemble(&mut program, &mut MemoryReader::default()) {
            Ok(assembled) => {
                std::hint::black_box(assembled);
            }
            Err(diagnostics) => {
                eprintln!("{:#?}", diagnostics.first());
                return ExitCode::FAILURE;
            }
        }
        here.push(start.elapsed());
        let start = Instant::now();
        let status = Command::new("as")
            .args(["--64", "-o", "/dev/null", &path])
            .status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("GNU as (package binutils) did not assemble {path}");
            return ExitCode::FAILURE;
        }
        there.push(start.elapsed());
    }
    let (here, there) = (median(here), median(there));
    println!(
        "{lines} lines: here {here:.1?}, GNU as {there:.1?}, {:.2} times as fast",
        there.as_secs_f64() / here.as_secs_f64()
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
            println!("{line}, source {} kB", text.len() / 1024);
        }
    }
    ExitCode::SUCCESS
}
