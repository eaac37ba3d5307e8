//! Writes the ELF object of one file: `object FILE.s OUTPUT.o`.
#![expect(clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;

use sequence::{MemoryReader, Program};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, output] = &arguments[..] else {
        eprintln!("usage: object FILE.s OUTPUT.o");
        return ExitCode::FAILURE;
    };
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("{path} cannot be read");
        return ExitCode::FAILURE;
    };
    let directory = std::env::current_dir().unwrap_or_default();
    let mut program = Program::plain(path, text);
    let code = match assemble::assemble(&mut program, &mut MemoryReader::default()) {
        Ok(assembled) => assembled.code,
        Err(diagnostics) => {
            for found in diagnostics {
                eprintln!(
                    "{}:{}:{}: {}",
                    found.file, found.line, found.column, found.message
                );
            }
            return ExitCode::FAILURE;
        }
    };
    let written = code
        .object(&directory.display().to_string())
        .map_err(|error| error.to_string())
        .and_then(|bytes| std::fs::write(output, bytes).map_err(|error| error.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{output}: {message}");
            ExitCode::FAILURE
        }
    }
}
