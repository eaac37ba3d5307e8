//! Assembles a file with this crate and with GNU as and prints the lines whose bytes differ.
//!
//! Usage: `compare FILE.s`. Each line that GNU as refuses is expected to be refused here too.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::process::Command;

use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget};
use sequence::{MemoryReader, Program};

fn ours(text: &str) -> Result<assemble::Code, Vec<sequence::Diagnostic>> {
    let mut reader = MemoryReader::default();
    let mut program = Program::plain("input.s", text);
    Ok(assemble::assemble(&mut program, &mut reader)?.code)
}

/// Bytes of `.text` and its relocations as GNU as gives them, else its messages.
fn theirs(text: &str) -> Result<(Vec<u8>, Vec<String>), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = directory.path().join("input.s");
    let object_file = directory.path().join("output.o");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let output = Command::new("as")
        .arg("--64")
        .arg("-o")
        .arg(&object_file)
        .arg(&source)
        .output()
        .map_err(|error| format!("GNU as (package binutils) does not run: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let data = std::fs::read(&object_file).map_err(|error| error.to_string())?;
    let file = object::File::parse(&*data).map_err(|error| error.to_string())?;
    let section = file
        .section_by_name(".text")
        .ok_or_else(|| "no .text".to_string())?;
    let mut relocations = Vec::new();
    for (offset, relocation) in section.relocations() {
        let name = match relocation.target() {
            RelocationTarget::Symbol(index) => {
                let symbol = file.symbol_by_index(index).map_err(|e| e.to_string())?;
                match symbol.section_index() {
                    Some(at) if symbol.kind() == object::SymbolKind::Section => file
                        .section_by_index(at)
                        .and_then(|section| section.name().map(str::to_string))
                        .map_err(|e| e.to_string())?,
                    _ => symbol.name().unwrap_or_default().to_string(),
                }
            }
            _ => "*ABS*".to_string(),
        };
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            continue;
        };
        relocations.push(format!(
            "{offset:x} {r_type:?} {name} {:x}",
            relocation.addend()
        ));
    }
    let bytes = section.data().map_err(|error| error.to_string())?.to_vec();
    Ok((bytes, relocations))
}

/// GNU as's messages by line.
fn errors_by_line(messages: &str) -> BTreeMap<usize, String> {
    messages
        .lines()
        .filter(|line| line.contains("Error:"))
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':');
            parts.next()?;
            let number = parts.next()?.parse().ok()?;
            Some((number, parts.next()?.trim().to_string()))
        })
        .collect()
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("a readable file");
    let lines: Vec<&str> = text.lines().collect();
    let (mut same, mut differ, mut refused, mut accepted) = (0, 0, 0, 0);
    let mut skip = std::collections::BTreeSet::new();
    // Lines that one side refuses are taken out, so that the rest can be compared.
    let mut their_errors = BTreeMap::new();
    if let Err(messages) = theirs(&text) {
        their_errors = errors_by_line(&messages);
        if their_errors.is_empty() {
            println!("{messages}");
        }
    }
    let without = |skip: &std::collections::BTreeSet<usize>| {
        let mut kept = String::new();
        for (index, line) in lines.iter().enumerate() {
            if !skip.contains(&(index + 1)) {
                kept.push_str(line);
            }
            kept.push('\n');
        }
        kept
    };
    // One walk tells no more than a thousand errors.
    let mut our_errors = BTreeMap::new();
    while let Err(diagnostics) = ours(&without(&our_errors.keys().copied().collect())) {
        let before = our_errors.len();
        for diagnostic in diagnostics {
            if diagnostic.severity == sequence::Severity::Error {
                our_errors.insert(diagnostic.line as usize, diagnostic.message);
            }
        }
        if our_errors.len() == before {
            break;
        }
    }
    for (line, message) in &their_errors {
        skip.insert(*line);
        if !our_errors.contains_key(line) {
            println!("ACCEPTED {}    as: {message}", lines[line - 1]);
            accepted += 1;
        }
    }
    for (line, message) in &our_errors {
        skip.insert(*line);
        if !their_errors.contains_key(line) {
            println!("REFUSED {}    {message}", lines[line - 1]);
            refused += 1;
        }
    }
    let kept = without(&skip);
    let (their_bytes, their_relocations) = match theirs(&kept) {
        Ok(result) => result,
        Err(message) => {
            println!("as: {message}");
            return;
        }
    };
    let code = match ours(&kept) {
        Ok(code) => code,
        Err(diagnostics) => {
            println!("{diagnostics:#?}");
            return;
        }
    };
    let (text_id, section) = code.section(".text").expect(".text");
    // Byte for byte by our items; after a difference in length, look for the place where both meet.
    let mut position = 0_usize;
    for item in code.items.iter().filter(|item| item.section == text_id) {
        let start = item.offset as usize;
        let bytes = &section.bytes[start..start + item.length as usize];
        let mine = their_bytes.get(position..position + bytes.len());
        if mine == Some(bytes) {
            position += bytes.len();
            same += 1;
            continue;
        }
        differ += 1;
        let rest = &section.bytes[start + bytes.len()..];
        let probe = &rest[..rest.len().min(12)];
        let found = (0..24).find(|&skip| {
            their_bytes.get(position + skip..position + skip + probe.len()) == Some(probe)
        });
        let length = found.unwrap_or(bytes.len());
        println!(
            "DIFFER {}    ours {:02x?} as {:02x?}",
            lines[item.line as usize - 1],
            bytes,
            their_bytes
                .get(position..position + length)
                .unwrap_or_default()
        );
        position += length;
    }
    let mut our_relocations: Vec<String> = section
        .relocations
        .iter()
        .map(|relocation| {
            use assemble::RelocationKind as Kind;
            let number = match relocation.kind {
                Kind::Abs64 => 1,
                Kind::Pc32 => 2,
                Kind::Plt32 => 4,
                Kind::Abs32 => 10,
                Kind::Abs32S => 11,
                Kind::Abs16 => 12,
                Kind::Pc16 => 13,
                Kind::Abs8 => 14,
                Kind::Pc8 => 15,
                Kind::Pc64 => 24,
                Kind::Other(number) => number,
            };
            format!(
                "{:x} {number} {} {:x}",
                relocation.offset, code.symbols[relocation.symbol as usize].name, relocation.addend
            )
        })
        .collect();
    // GNU as writes those of jumps last.
    our_relocations.sort();
    let mut their_relocations = their_relocations;
    their_relocations.sort();
    for (index, (a, b)) in our_relocations.iter().zip(&their_relocations).enumerate() {
        if a != b && differ == 0 {
            println!("RELOCATION {index}: ours {a}  as {b}");
            differ += 1;
        }
    }
    if our_relocations.len() != their_relocations.len() {
        println!(
            "relocations: ours {}, as {}",
            our_relocations.len(),
            their_relocations.len()
        );
    }
    println!("same {same}, differ {differ}, refused {refused}, accepted {accepted}");
}
