//! What an image must hold, and what it refuses.

use std::os::unix::fs::FileExt;

use assemble::{Item, ItemKind, Relocation, RelocationKind, Section, Symbol, SymbolPlace};

use super::*;

/// `lea data(%rip), %rax; ret` and a quadword that points back to the code.
fn code() -> Code {
    let section = |name: &str, flags, bytes: &[u8], relocation| Section {
        name: name.into(),
        flags,
        kind: 1,
        align: 8,
        bytes: bytes.to_vec(),
        size: bytes.len() as u64,
        entry_size: 0,
        relocation_order: Vec::new(),
        link: None,
        relocations: vec![relocation],
    };
    let relocation = |offset, kind, symbol, addend| Relocation {
        offset,
        kind,
        symbol,
        addend,
    };
    let symbol = |name: &str, section| Symbol {
        name: name.into(),
        place: SymbolPlace::In(SectionId(section), 0),
        binding: 0,
        kind: 0,
        size: 0,
        visibility: 0,
    };
    let text = [0x48, 0x8d, 0x05, 0, 0, 0, 0, 0xc3];
    let item = |offset, length| Item {
        section: SectionId(0),
        offset,
        length,
        kind: ItemKind::Instruction,
        line: 1,
        file: 0,
    };
    Code {
        sections: vec![
            section(
                ".text",
                6,
                &text,
                relocation(3, RelocationKind::Pc32, 1, -4),
            ),
            section(
                ".data",
                3,
                &[0; 8],
                relocation(0, RelocationKind::Abs64, 0, 0),
            ),
        ],
        symbols: vec![symbol("code", 0), symbol("data", 1)],
        items: vec![item(0, 7), item(7, 1)],
        files: vec!["test.S".to_owned()],
        ..Code::default()
    }
}

fn case(code: Code) -> Case {
    Case::plain("case".to_owned(), code, Entry::Call(None))
}

fn image(cases: &[&Case]) -> Result<Image, Error> {
    let ruler = Ruler {
        instruction: "imul".to_owned(),
        links: 600,
        cycles_per_link: 3.0,
        known_model: true,
    };
    let wanted: Vec<Wanted> = (0..cases.len())
        .map(|index| Wanted {
            subject: Subject::Body(index),
            context: Context::Chained,
        })
        .collect();
    let settings = Settings {
        features: Features::detect(),
        ruler: &ruler,
        second_ruler: None,
        seed: 3,
        probing: None,
    };
    Image::new(cases, &wanted, &settings, &mut Lines::default())
}

fn bytes<const N: usize>(image: &Image, address: u64) -> [u8; N] {
    let mut bytes = [0; N];
    let offset = image.file_offset(address).expect("it has contents");
    std::fs::File::from(image.file.try_clone().expect("a descriptor"))
        .read_exact_at(&mut bytes, offset)
        .expect("the file is as long as the mappings say");
    bytes
}

#[test]
fn references_meet_and_protection_is_by_content() {
    let case = case(code());
    let image = image(&[&case]).unwrap();
    let text = image.cases[0].copies[0].address;
    let field = i32::from_le_bytes(bytes(&image, text + 3));
    let data = text.wrapping_add(7).wrapping_add_signed(i64::from(field));
    assert_eq!(u64::from_le_bytes(bytes(&image, data)), text);
    let protection = |address| image.mapping(address).expect("mapped").protection;
    assert_eq!(protection(text), Protection::ReadExecute);
    assert_eq!(protection(data), Protection::ReadWrite);
    assert_eq!(
        protection(image.passes[0].short[0]),
        Protection::ReadExecute
    );
    assert_eq!(protection(image.control.page), Protection::ReadWrite);
    assert!(image.base + image.length <= LIMIT);
}

#[test]
fn variants_lie_alike_in_their_lines_and_apart_in_their_pages() {
    let cases = [case(code()), case(code()), case(code())];
    let image = image(&cases.iter().collect::<Vec<_>>()).unwrap();
    let mut places: Vec<u64> = image
        .cases
        .iter()
        .map(|case| case.copies[0].address % PAGE)
        .collect();
    assert!(places.iter().all(|place| place % 64 == 0));
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 3);
}

#[test]
fn nobody_can_write_to_the_contents() {
    let case = case(code());
    let image = image(&[&case]).unwrap();
    let file = std::fs::File::from(image.file.try_clone().expect("a descriptor"));
    assert!(file.write_at(&[0x90], 0).is_err());
    assert!(file.set_len(0).is_err());
}

#[test]
fn all_errors_of_all_cases_come_together() {
    let mut undefined = code();
    undefined.symbols[1].place = SymbolPlace::Undefined;
    let mut changed = code();
    // The relocation now hits the opcode.
    changed.sections[0].relocations[0].offset = 1;
    let mut writable = code();
    writable.sections[0].flags = 7;
    let cases = [case(undefined), case(changed), case(writable)];
    let error = image(&cases.iter().collect::<Vec<_>>()).unwrap_err();
    for part in ["`data`", "decode back", "writable and executable"] {
        assert!(error.message.contains(part), "{part}: {error}");
    }
}

#[test]
fn an_entry_must_be_code() {
    let entry = |name: &str| {
        let mut case = case(code());
        case.entry = Entry::Call(Some(name.to_owned()));
        image(&[&case])
    };
    assert!(entry("code").is_ok());
    assert!(
        entry("data")
            .unwrap_err()
            .message
            .contains("not in a section of code")
    );
    assert!(entry("missing").unwrap_err().message.contains("no symbol"));
}

#[test]
fn inline_bodies_cannot_be_referred_to_from_outside() {
    let mut inline = case(code());
    inline.entry = Entry::Inline;
    let error = image(&[&inline]).unwrap_err();
    assert!(error.message.contains("entry call"), "{error}");
}

#[test]
fn copies_of_an_inline_body_lie_alike() {
    let mut alone = code();
    alone.sections[1].relocations.clear();
    let mut inline = case(alone);
    inline.entry = Entry::Inline;
    inline.offset = 5;
    let image = image(&[&inline]).unwrap();
    let copies = &image.cases[0].copies;
    // 1, 8 and 16 in the passes, one for counting.
    assert_eq!(copies.len(), 1 + 8 + 16 + 1);
    assert!(copies.iter().all(|copy| copy.address % 64 == 5));
}
