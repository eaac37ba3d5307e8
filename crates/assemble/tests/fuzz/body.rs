//! What a fuzzer runs: any text is assembled, or refused with errors that have a place.

use assemble::{Code, ListingSyntax, assemble, expand, render};
use sequence::{Diagnostic, Include, MemoryReader, Options, Program, Reader, Sequence, Severity};

/// Files that texts may include.
fn reader() -> MemoryReader {
    MemoryReader {
        files: vec![
            Include {
                name: "a".to_owned(),
                text: "#define A 1\n\tnop\n1:\n".to_owned(),
            },
            Include {
                name: "self".to_owned(),
                text: "#include \"self\"\n.include \"self\"\n".to_owned(),
            },
        ],
    }
}

/// GNU as's text.
pub(crate) fn plain(text: &str) {
    let mut program = Program::plain("input.s", text);
    let Some(code) = taken(assemble(&mut program, &mut reader()).map(|found| found.code)) else {
        return;
    };
    look_at(&code);
    // Its own expansion must give the same bytes.
    let expanded = expand(&mut program, &mut reader()).expect("it was taken before");
    let mut again = Program::plain("input.s", expanded.as_str());
    match assemble(&mut again, &mut reader()) {
        Ok(found) => assert_eq!(
            bytes(&found.code),
            bytes(&code),
            "the expansion has other bytes:\n{expanded}"
        ),
        Err(errors) => panic!("the expansion is refused: {errors:?}\n{expanded}"),
    }
}

/// A sequence file with its variants.
pub(crate) fn sequence_file(text: &str) {
    let mut reader = reader();
    let read = Sequence::read("input.S", text, &mut reader, &Options::default());
    let Some(sequence) = taken(read) else {
        // What is left of it must not do harm either.
        let options = Options::default();
        let rest = Sequence::read_despite_errors("input.S", text, &mut reader, &options);
        if let Some(rest) = rest {
            variants(&rest, &mut reader);
        }
        return;
    };
    variants(&sequence, &mut reader);
}

fn variants(sequence: &Sequence, reader: &mut dyn Reader) {
    let params = sequence.default_params();
    for index in 0..sequence.variants.len().min(4) {
        let mut program = sequence.program(index, &params);
        if let Some(found) = taken(assemble(&mut program, reader)) {
            look_at(&found.code);
        }
    }
}

/// The result, or the errors, each of which must say something.
fn taken<T>(result: Result<T, Vec<Diagnostic>>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(errors) => {
            let wrong = errors
                .iter()
                .any(|error| error.severity == Severity::Error && !error.message.is_empty());
            assert!(wrong, "refused without an error: {errors:?}");
            None
        }
    }
}

/// Everything that is shown or written of code.
fn look_at(code: &Code) {
    for syntax in [
        ListingSyntax::Att,
        ListingSyntax::Intel,
        ListingSyntax::Nasm,
        ListingSyntax::Masm,
    ] {
        let lines = code.listing(syntax);
        let _ = render(code, &lines);
    }
    let _ = code.required_features();
    let _ = code.privileged();
    let _ = code.verify();
    code.object("/").expect("what assembles can be written");
}

fn bytes(code: &Code) -> Vec<(&str, &[u8], u64)> {
    let sections = code.sections.iter();
    sections
        .filter(|section| section.size > 0)
        .map(|section| {
            (
                section.name.as_str(),
                section.bytes.as_slice(),
                section.size,
            )
        })
        .collect()
}
