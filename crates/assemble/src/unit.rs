//! One translation unit, from its program to its code.

use std::collections::{BTreeSet, HashMap};

use sequence::{Diagnostic, MISSING_LABEL, Origin, Problem, Program, Reader, Severity};

use crate::assembler::Assembler;
use crate::code::{Assembled, Code};
use crate::expr::Folded;
use crate::layout::{MOST_FILLED, Placed, lay_out, problem, too_many_bytes};
use crate::resolve::resolve;
use crate::settle::settle;
use crate::stream::{AlignPiece, PieceKind, Stream};
use crate::symbols::{Definition, SymbolId};

/// Assembles one translation unit.
///
/// # Errors
/// All errors of the unit, with their places, and the warnings among them.
pub fn assemble(
    program: &mut Program,
    reader: &mut dyn Reader,
) -> Result<Assembled, Vec<Diagnostic>> {
    let mut assembler = Assembler::default();
    let walked = program.walk(reader, &mut assembler);
    check(program, walked, assembler)
}

/// Brings what a walk has left behind to its end: layout, fields, places in the text.
pub(crate) fn check(
    program: &Program,
    walked: Result<Vec<Diagnostic>, Vec<Diagnostic>>,
    mut assembler: Assembler,
) -> Result<Assembled, Vec<Diagnostic>> {
    let failed = walked.is_err();
    assembler.has_patches = program.has_patches();
    let mut diagnostics = match walked {
        Ok(diagnostics) | Err(diagnostics) => diagnostics,
    };
    let mut found = std::mem::take(&mut assembler.problems);
    if let (Some((origin, _)), unsaid @ 1..) = (found.last(), assembler.unsaid) {
        let message = format!("{unsaid} more warnings like those above");
        let problem = Problem {
            severity: Severity::Warning,
            ..problem(message, "")
        };
        let more = (*origin, problem);
        found.push(more);
    }
    diagnostics.extend(diagnose(program, found));
    if failed {
        // Lines that failed have no length, so that what layout would say is noise; but a label
        // that is nowhere is not.
        if !program.has_lost_text() {
            diagnostics.extend(diagnose(program, missing_labels(&assembler)));
        }
        return Err(sorted(diagnostics));
    }
    let (mut code, problems) = finish(assembler);
    diagnostics.extend(diagnose(program, problems));
    let warnings = sorted(diagnostics);
    if warnings
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
    {
        return Err(warnings);
    }
    name_files(&mut code, program);
    Ok(Assembled { code, warnings })
}

/// In order of lines within each file.
fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    diagnostics
}

/// The error of a numeric label that does not come.
pub(crate) fn missing_forward(number: u32) -> Problem {
    problem(
        format!("{MISSING_LABEL} `{number}:` after this"),
        format!("write `{number}b` for the last one, or define it"),
    )
}

/// Uses of numeric labels that no line defines, each label once.
fn missing_labels(assembler: &Assembler) -> Vec<Placed> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let mut look = |id: SymbolId, origin: Origin| {
        let entry = assembler.symbols.get(id);
        if let Some(number) = entry.numeric()
            && entry.definition == Definition::Undefined
            && seen.insert(id)
        {
            problems.push((origin, missing_forward(number)));
        }
    };
    for stream in &assembler.streams {
        for fixup in &stream.fixups {
            if let Folded::Sum { plus, minus, .. } = fixup.value {
                look(plus, fixup.origin);
                if let Some(minus) = minus {
                    look(minus, fixup.origin);
                }
            }
        }
        for piece in &stream.pieces {
            if let PieceKind::Branch { target, .. } = piece.kind {
                look(target, piece.origin);
            }
        }
    }
    problems
}

/// The error of paddings that come to too many bytes, at the longest. What the text itself holds is
/// bounded by the text.
fn check_size(assembler: &Assembler) -> Option<Placed> {
    let has_bytes =
        |stream: &&Stream| !assembler.sections[stream.section as usize].is_empty_in_file();
    let streams = assembler.streams.iter().filter(has_bytes);
    let pieces = streams.flat_map(|stream| &stream.pieces);
    let total: u64 = pieces.clone().map(|piece| u64::from(piece.size)).sum();
    let longest = pieces.max_by_key(|piece| piece.size)?;
    (total + assembler.filled > MOST_FILLED && longest.size > 16)
        .then(|| (longest.origin, too_many_bytes()))
}

/// Finds the sections that others are ordered by: by the name of one, or of a symbol in it.
fn link_sections(assembler: &mut Assembler, problems: &mut Vec<Placed>) {
    if assembler
        .sections
        .iter()
        .all(|section| section.link_name.is_none())
    {
        return;
    }
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for (index, section) in (0..).zip(&assembler.sections) {
        numbers.entry(section.name.clone()).or_insert(index);
    }
    for index in 0..assembler.sections.len() {
        let Some(name) = assembler.sections[index].link_name.clone() else {
            continue;
        };
        let of_symbol = assembler.symbols.find(&name).and_then(|id| {
            match assembler.symbols.get(id).definition {
                Definition::Label(place) => Some(assembler.streams[place.stream as usize].section),
                _ => None,
            }
        });
        let of_section = numbers.get(&name).copied();
        let section = &mut assembler.sections[index];
        section.link = of_symbol.or(of_section);
        if section.link.is_none() {
            let message = format!(
                "section `{}` is ordered by `{name}`, which is neither a section nor a label",
                section.name
            );
            problems.push((section.link_at, problem(message, "define it")));
        }
    }
}

/// Pads sections of entries that a linker merges to the largest power of two in the size of an entry,
/// as GNU as does.
fn pad_merged(assembler: &mut Assembler) {
    for section in 0..assembler.sections.len() {
        let state = &assembler.sections[section];
        let size = state.entry_size;
        if !state.is_merged() || !size.is_multiple_of(2) || size == 0 {
            continue;
        }
        let number = u32::try_from(section).unwrap_or(u32::MAX);
        let streams = assembler.streams.iter_mut();
        for stream in streams.filter(|stream| stream.section == number) {
            let align = AlignPiece {
                boundary: 1 << size.trailing_zeros(),
                fill: Some((0, 1)),
                max_skip: u64::MAX,
            };
            stream.piece(PieceKind::Align(Box::new(align)), Origin::default());
        }
    }
}

/// Layout and everything after it.
fn finish(mut assembler: Assembler) -> (Code, Vec<Placed>) {
    let mut problems = Vec::new();
    assembler.symbols.settle_weak();
    settle(&mut assembler.symbols, &mut problems);
    if !problems.is_empty() {
        return (Code::default(), problems);
    }
    link_sections(&mut assembler, &mut problems);
    pad_merged(&mut assembler);
    let sections = assembler.sections.len();
    let layout = lay_out(
        &mut assembler.streams,
        &assembler.symbols,
        sections,
        &mut problems,
    );
    if problems.is_empty() {
        problems.extend(check_size(&assembler));
    }
    if !problems.is_empty() {
        return (Code::default(), problems);
    }
    let code = resolve(assembler, &layout, &mut problems);
    (code, problems)
}

fn diagnose(program: &Program, problems: Vec<Placed>) -> Vec<Diagnostic> {
    problems
        .into_iter()
        .map(|(origin, problem)| {
            program
                .diagnose(origin, problem.clone())
                .unwrap_or_else(|| placeless(problem))
        })
        .collect()
}

/// A diagnostic of something that belongs to no line.
fn placeless(problem: Problem) -> Diagnostic {
    Diagnostic {
        file: String::new(),
        line: 0,
        column: 1,
        width: 1,
        severity: problem.severity,
        message: problem.message,
        help: problem.help,
        text: String::new(),
        notes: Vec::new(),
    }
}

/// Replaces frames and lines of items by the files and lines that a reader would look at.
fn name_files(code: &mut Code, program: &Program) {
    // Neighbours mostly stand in one frame, and so in one file; where it is no expansion, their lines are
    // those that a reader would look at.
    let mut last = (u32::MAX, 0, false);
    for item in &mut code.items {
        let origin = Origin {
            frame: item.file,
            line: item.line,
            column: 1,
        };
        if last.0 != item.file {
            let (name, _) = program.place(origin);
            let position = code.files.iter().rposition(|file| file == name);
            let file = position.unwrap_or_else(|| {
                code.files.push(name.to_string());
                code.files.len() - 1
            });
            let file = u32::try_from(file).unwrap_or(u32::MAX);
            last = (item.file, file, program.is_expansion(origin));
        }
        if last.2 {
            item.line = program.place(origin).1;
        }
        item.file = last.1;
    }
}
