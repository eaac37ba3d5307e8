//! Small programs of what is seldom seen: both make the same object of each, or both refuse it.

use std::collections::BTreeSet;
use std::process::Command;

use sequence::{MemoryReader, Program, Severity};

use crate::elf::difference;
use crate::reference::{ours, theirs};

#[test]
fn programs() {
    let mut wrong = Vec::new();
    for text in include_str!("../lines/odd_programs.txt").split("\n----\n") {
        let text = format!("{}\n", text.trim_end());
        let found = match (ours(&text), theirs(&text)) {
            (Ok(code), Ok(theirs)) => difference(&code.object("/").expect("an object"), &theirs),
            (Err(_), Err(_)) => None,
            (Ok(_), Err(messages)) => Some(format!("refused by GNU as alone: {messages}")),
            (Err(errors), Ok(_)) => Some(format!("refused here alone: {errors:?}")),
        };
        if let Some(found) = found {
            wrong.push(format!("{text}{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lines that GNU as warns of.
fn their_warnings(text: &str) -> BTreeSet<u32> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("input.s");
    std::fs::write(&source, text).expect("a file in the temporary directory");
    let output = Command::new("as")
        .args(["--64", "-o", "/dev/null"])
        .arg(&source)
        .env("LC_ALL", "C")
        .output()
        .expect("these tests need GNU as: install binutils");
    let messages = String::from_utf8_lossy(&output.stderr);
    let warnings = messages.lines().filter(|line| line.contains("Warning: "));
    let numbers = warnings.filter_map(|line| line.split(':').nth(1)?.parse().ok());
    numbers.collect()
}

#[test]
fn warnings() {
    let text = include_str!("../lines/warned.s");
    let mut program = Program::plain("input.s", text);
    let assembled = assemble::assemble(&mut program, &mut MemoryReader::default());
    let warnings = assembled.expect("warnings and no errors").warnings;
    assert!(
        warnings
            .iter()
            .all(|found| found.severity == Severity::Warning)
    );
    let lines: BTreeSet<u32> = warnings.iter().map(|found| found.line).collect();
    assert_eq!(lines, their_warnings(text));
}
