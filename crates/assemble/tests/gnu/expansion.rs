//! The expanded text of the shipped sequences: GNU as makes the same bytes of it.

use std::path::Path;

use assemble::{assemble, expand};
use sequence::{MemoryReader, Options, Sequence};

use crate::reference::{sections_of_code, sections_of_object, theirs};

#[test]
fn every_variant_of_every_shipped_sequence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sequences");
    let mut variants = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of sequences") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "S") {
            continue;
        }
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).expect("a sequence's text");
        let mut reader = MemoryReader::default();
        let file = Sequence::read(&name, &text, &mut reader, &Options::default())
            .unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
        for index in 0..file.variants.len() {
            let mut program = file.program(index, &file.default_params());
            let code = assemble(&mut program, &mut reader)
                .unwrap_or_else(|errors| panic!("{name}: {errors:#?}"))
                .code;
            assert_eq!(code.verify(), Ok(()), "{name}");
            let source = expand(&mut program, &mut reader)
                .unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
            let object = theirs(&source).unwrap_or_else(|messages| panic!("{name}: {messages}"));
            assert_eq!(
                sections_of_code(&code),
                sections_of_object(&object),
                "{name}, variant {}:\n{source}",
                file.variants[index].name
            );
            variants += 1;
        }
    }
    assert!(variants > 20, "only {variants} variants were found");
}
