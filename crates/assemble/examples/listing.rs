//! Prints the listing of a file: `listing FILE.S [att|intel|nasm|masm|source|features]`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints"
)]

use std::process::ExitCode;

use assemble::{ListingSyntax, assemble, expand, render};
use sequence::{MemoryReader, Options, Sequence};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: listing FILE.S [att|intel|nasm|masm|source|features]");
        return ExitCode::FAILURE;
    };
    let what = arguments.next().unwrap_or_default();
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{path} cannot be read");
        return ExitCode::FAILURE;
    };
    let mut reader = MemoryReader::default();
    let file = match Sequence::read(&path, &text, &mut reader, &Options::default()) {
        Ok(file) => file,
        Err(diagnostics) => {
            eprintln!("{diagnostics:#?}");
            return ExitCode::FAILURE;
        }
    };
    for (index, variant) in file.variants.iter().enumerate() {
        println!("# variant {}", variant.name);
        let mut program = file.program(index, &file.default_params());
        if what == "source" {
            match expand(&mut program, &mut reader) {
                Ok(text) => println!("{text}"),
                Err(diagnostics) => eprintln!("{diagnostics:#?}"),
            }
            continue;
        }
        let code = match assemble(&mut program, &mut reader) {
            Ok(assembled) => assembled.code,
            Err(diagnostics) => {
                eprintln!("{diagnostics:#?}");
                continue;
            }
        };
        if let Err(wrong) = code.verify() {
            eprintln!("{wrong:#?}");
        }
        let syntax = match what.as_str() {
            "intel" => ListingSyntax::Intel,
            "nasm" => ListingSyntax::Nasm,
            "masm" => ListingSyntax::Masm,
            _ => ListingSyntax::Att,
        };
        if what == "features" {
            println!("{:?}", code.required_features());
        } else {
            println!("{}", render(&code, &code.listing(syntax)));
        }
    }
    ExitCode::SUCCESS
}
