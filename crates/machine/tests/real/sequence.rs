//! Code for tests, made of bytes.

use assemble::{
    Code, Item, ItemKind, Relocation, RelocationKind, Section, SectionId, Symbol, SymbolPlace,
};
use dynasmrt::x64::X64Relocation;
use dynasmrt::{VecAssembler, dynasm};
use iced_x86::{Decoder, DecoderOptions};
use machine::{Case, Context, Entry};

/// What the tests assemble with.
pub(crate) type Ops = VecAssembler<X64Relocation>;

/// Bytes of a block. Jumps within it are resolved; nothing in it refers outside.
pub(crate) fn bytes(write: impl FnOnce(&mut Ops)) -> Vec<u8> {
    let mut ops = Ops::new(0);
    write(&mut ops);
    ops.finalize().expect("the test's code assembles")
}

/// A function of one instruction after the other, then `ret`.
pub(crate) fn function(write: impl FnOnce(&mut Ops)) -> Vec<u8> {
    bytes(|ops| {
        write(ops);
        dynasm!(ops ; .arch x64 ; ret);
    })
}

/// A section with these flags (2 loaded, 1 writable, 4 code).
pub(crate) fn section(name: &str, flags: u64, bytes: &[u8]) -> Section {
    Section {
        name: name.to_owned(),
        flags,
        kind: 1,
        align: 16,
        bytes: bytes.to_vec(),
        size: bytes.len() as u64,
        entry_size: 0,
        relocation_order: Vec::new(),
        link: None,
        relocations: Vec::new(),
    }
}

/// Code of these sections; every instruction has a line of its own, from 1 in each section.
pub(crate) fn code(sections: Vec<Section>) -> Code {
    let mut items = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        if section.flags & 4 == 0 {
            continue;
        }
        let decoder = Decoder::with_ip(64, &section.bytes, 0, DecoderOptions::NONE);
        for (line, instruction) in decoder.into_iter().enumerate() {
            items.push(Item {
                section: SectionId(index as u32),
                offset: instruction.ip() as u32,
                length: instruction.len() as u32,
                kind: ItemKind::Instruction,
                line: line as u32 + 1,
                file: 0,
            });
        }
    }
    Code {
        sections,
        items,
        files: vec!["test.S".to_owned()],
        ..Code::default()
    }
}

/// A reference to a symbol from a field of a section.
pub(crate) fn refer(code: &mut Code, section: &str, offset: u64, kind: RelocationKind, to: &str) {
    let addend = if kind == RelocationKind::Pc32 { -4 } else { 0 };
    let symbol = code.symbols.iter().position(|symbol| symbol.name == to);
    let symbol = symbol.unwrap_or_else(|| {
        code.symbols.push(Symbol {
            name: to.into(),
            place: SymbolPlace::Undefined,
            binding: 1,
            kind: 0,
            size: 0,
            visibility: 0,
        });
        code.symbols.len() - 1
    });
    let (id, _) = code.section(section).expect("the section exists");
    code.sections[id.0 as usize].relocations.push(Relocation {
        offset,
        kind,
        symbol: symbol as u32,
        addend,
    });
}

/// A case of this code.
pub(crate) fn case(name: &str, code: Code, entry: Entry, contexts: &[Context]) -> Case {
    Case {
        contexts: contexts.to_vec(),
        ..Case::plain(name.to_owned(), code, entry)
    }
}

/// A called function.
pub(crate) fn called(name: &str, write: impl FnOnce(&mut Ops)) -> Case {
    let code = code(vec![section(".text", 6, &function(write))]);
    case(
        name,
        code,
        Entry::Call(None),
        &[Context::Chained, Context::Isolated],
    )
}

/// Straight-line code.
pub(crate) fn inline(name: &str, write: impl FnOnce(&mut Ops)) -> Case {
    let code = code(vec![section(".text", 6, &bytes(write))]);
    case(name, code, Entry::Inline, &[Context::Chained])
}
