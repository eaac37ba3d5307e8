//! GNU as as the reference.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use assemble::{Code, RelocationKind};
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SymbolKind};
use sequence::{Diagnostic, MemoryReader, Program, Severity};

/// One section as either side has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) bytes: Vec<u8>,
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// Offset, ELF type, symbol, addend; sorted, for GNU as writes those of jumps last.
    pub(crate) relocations: Vec<(u64, u32, String, i64)>,
}

/// Sections by name, without those that are empty on both sides.
pub(crate) type Sections = BTreeMap<String, Contents>;

/// What this crate makes of a text.
pub(crate) fn ours(text: &str) -> Result<Code, Vec<Diagnostic>> {
    let mut program = Program::plain("input.s", text);
    let mut reader = MemoryReader::default();
    Ok(assemble::assemble(&mut program, &mut reader)?.code)
}

/// Lines that this crate refuses. One walk tells no more than a thousand errors.
pub(crate) fn our_errors(lines: &[&str]) -> BTreeSet<usize> {
    let mut errors = BTreeSet::new();
    while let Err(diagnostics) = ours(&without(lines, &errors)) {
        let before = errors.len();
        errors.extend(
            diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == Severity::Error)
                .map(|diagnostic| diagnostic.line as usize),
        );
        assert!(
            errors.len() > before,
            "an error without a line: {diagnostics:?}"
        );
    }
    errors
}

/// The text without some lines, counted from 1.
pub(crate) fn without(lines: &[&str], skip: &BTreeSet<usize>) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if !skip.contains(&(index + 1)) {
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

/// What GNU as makes of a text: its object file, or its messages.
pub(crate) fn theirs(text: &str) -> Result<Vec<u8>, String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("input.s");
    let output_file = directory.path().join("output.o");
    std::fs::write(&source, text).expect("a file in the temporary directory");
    let output = Command::new("as")
        .args(["--64", "-o"])
        .arg(&output_file)
        .arg(&source)
        .env("LC_ALL", "C")
        .output()
        .expect("these tests need GNU as: install binutils");
    if output.status.success() {
        Ok(std::fs::read(&output_file).expect("an object file"))
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Lines that GNU as refuses.
pub(crate) fn their_errors(text: &str) -> BTreeSet<usize> {
    let Err(messages) = theirs(text) else {
        return BTreeSet::new();
    };
    messages
        .lines()
        .filter(|line| line.contains("Error: "))
        .filter_map(|line| line.split(':').nth(1)?.parse().ok())
        .collect()
}

/// GNU as's bytes of each line, `None` for those it refuses; `head` comes before them. A line may
/// start with a label `L...:`.
pub(crate) fn bytes_by_line(lines: &[String], head: &str) -> Vec<Option<Vec<u8>>> {
    let whole = |skip: &BTreeSet<usize>| {
        let mut text = format!("{head}\n");
        for (index, line) in lines.iter().enumerate() {
            text.push_str(&format!("line{index}: "));
            if !skip.contains(&(index + 2)) {
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    };
    let errors = their_errors(&whole(&BTreeSet::new()));
    let data = theirs(&whole(&errors)).unwrap_or_else(|messages| panic!("{messages}"));
    let bytes = bytes_of_lines(&data, lines.len());
    let taken = |(index, bytes)| (!errors.contains(&(index + 2))).then_some(bytes);
    bytes.into_iter().enumerate().map(taken).collect()
}

/// The bytes of `.text` behind each of the labels `line0`, `line1` ... of an object file.
pub(crate) fn bytes_of_lines(data: &[u8], count: usize) -> Vec<Vec<u8>> {
    let file = object::File::parse(data).expect("an ELF file");
    let section = file.section_by_name(".text").expect("there is always one");
    let bytes = section.data().expect("a section's bytes");
    let mut starts = vec![0; count + 1];
    starts[count] = bytes.len();
    for symbol in file.symbols() {
        let name = symbol.name().expect("a symbol's name");
        let index = name
            .strip_prefix("line")
            .and_then(|index| index.parse().ok());
        if let Some(index) = index {
            let index: usize = index;
            starts[index] = usize::try_from(symbol.address()).expect("a small section");
        }
    }
    (0..count)
        .map(|index| bytes[starts[index]..starts[index + 1]].to_vec())
        .collect()
}

/// The same by this crate.
pub(crate) fn our_bytes_by_line(lines: &[String], head: &str) -> Vec<Option<Vec<u8>>> {
    let mut all: Vec<&str> = vec![head];
    all.extend(lines.iter().map(String::as_str));
    let errors = our_errors(&all);
    let code = ours(&without(&all, &errors)).expect("what is wrong has been taken out");
    let mut bytes: Vec<Option<Vec<u8>>> = (0..lines.len())
        .map(|index| (!errors.contains(&(index + 2))).then(Vec::new))
        .collect();
    for item in &code.items {
        if let Some(Some(bytes)) = bytes.get_mut((item.line as usize).wrapping_sub(2)) {
            bytes.extend(code.bytes_of(item));
        }
    }
    bytes
}

fn number(kind: RelocationKind) -> u32 {
    match kind {
        RelocationKind::Abs64 => 1,
        RelocationKind::Pc32 => 2,
        RelocationKind::Plt32 => 4,
        RelocationKind::Abs32 => 10,
        RelocationKind::Abs32S => 11,
        RelocationKind::Abs16 => 12,
        RelocationKind::Pc16 => 13,
        RelocationKind::Abs8 => 14,
        RelocationKind::Pc8 => 15,
        RelocationKind::Pc64 => 24,
        RelocationKind::Other(number) => number,
    }
}

/// This crate's sections.
pub(crate) fn sections_of_code(code: &Code) -> Sections {
    let mut sections = Sections::new();
    for section in &code.sections {
        let mut relocations: Vec<_> = section
            .relocations
            .iter()
            .map(|relocation| {
                (
                    relocation.offset,
                    number(relocation.kind),
                    code.symbols[relocation.symbol as usize].name.to_string(),
                    relocation.addend,
                )
            })
            .collect();
        relocations.sort();
        sections.insert(
            section.name.clone(),
            Contents {
                bytes: section.bytes.clone(),
                size: section.size,
                align: section.align,
                relocations,
            },
        );
    }
    sections.retain(|_, contents| contents.size > 0);
    sections
}

/// GNU as's sections, those of symbols and notes left out.
pub(crate) fn sections_of_object(data: &[u8]) -> Sections {
    let file = object::File::parse(data).expect("GNU as writes ELF");
    let mut sections = Sections::new();
    for section in file.sections() {
        let name = section.name().expect("a section's name").to_string();
        let kind = match section.flags() {
            object::SectionFlags::Elf { .. } => section.kind(),
            _ => continue,
        };
        if name.is_empty() || kind == object::SectionKind::Metadata {
            continue;
        }
        let mut relocations = Vec::new();
        for (offset, relocation) in section.relocations() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                panic!("not an ELF relocation");
            };
            let symbol = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let symbol = file.symbol_by_index(index).expect("a symbol");
                    match symbol.section_index() {
                        Some(at) if symbol.kind() == SymbolKind::Section => file
                            .section_by_index(at)
                            .and_then(|section| section.name().map(str::to_string))
                            .expect("a section"),
                        _ => symbol.name().expect("a symbol's name").to_string(),
                    }
                }
                _ => "*ABS*".into(),
            };
            relocations.push((offset, r_type.0, symbol, relocation.addend()));
        }
        relocations.sort();
        let bytes = match kind {
            object::SectionKind::UninitializedData | object::SectionKind::UninitializedTls => {
                Vec::new()
            }
            _ => section.data().expect("a section's bytes").to_vec(),
        };
        sections.insert(
            name,
            Contents {
                bytes,
                size: section.size(),
                align: section.align().max(1),
                relocations,
            },
        );
    }
    sections.retain(|_, contents| contents.size > 0);
    sections
}

/// Both sides take the text and agree on every section.
pub(crate) fn check(text: &str) {
    let code = match ours(text) {
        Ok(code) => code,
        Err(diagnostics) => panic!("refused here: {diagnostics:#?}"),
    };
    let object = match theirs(text) {
        Ok(object) => object,
        Err(messages) => panic!("refused by GNU as: {messages}"),
    };
    if let Err(difference) = compare(&code, &sections_of_object(&object)) {
        panic!("{difference} in\n{text}");
    }
}

/// Whether each section of the code is GNU as's; else where they first differ.
pub(crate) fn compare(code: &Code, theirs: &Sections) -> Result<(), String> {
    let ours = sections_of_code(code);
    for (name, contents) in theirs {
        let Some(mine) = ours.get(name) else {
            return Err(format!("section {name} is missing"));
        };
        if let Some(at) = (0..mine.bytes.len().max(contents.bytes.len()))
            .find(|&at| mine.bytes.get(at) != contents.bytes.get(at))
        {
            let around = |bytes: &[u8]| {
                bytes[at.saturating_sub(8).min(bytes.len())..(at + 8).min(bytes.len())].to_vec()
            };
            let item = code
                .section(name)
                .and_then(|(id, _)| code.item_at(id, u32::try_from(at).ok()?));
            return Err(format!(
                "{name} differs at {at:#x}, line {}: here {:02x?}, GNU as {:02x?}",
                item.map_or(0, |item| item.line),
                around(&mine.bytes),
                around(&contents.bytes)
            ));
        }
        if mine != contents {
            return Err(format!("{name}: here {mine:?}, GNU as {contents:?}"));
        }
    }
    if let Some(name) = ours.keys().find(|name| !theirs.contains_key(*name)) {
        return Err(format!("section {name} is only here"));
    }
    Ok(())
}

/// Two object files agree on every section but those of line tables, which only ours has.
pub(crate) fn check_objects(ours: &[u8], theirs: &[u8]) {
    let mut ours = sections_of_object(ours);
    ours.retain(|name, _| !name.starts_with(".debug"));
    for contents in ours.values_mut() {
        // The absolute zero has no name where it is a symbol.
        for relocation in &mut contents.relocations {
            if relocation.2.is_empty() {
                relocation.2 = "*ABS*".into();
            }
        }
    }
    assert_eq!(ours, sections_of_object(theirs));
}
