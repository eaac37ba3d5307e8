//! Relocations: from an assembled section and its address to the bytes that run there.

use std::collections::BTreeMap;

use assemble::{Code, Relocation, RelocationKind, Section, SectionId, SymbolPlace};

/// Where the parts of one case lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Address of each section that is placed once; `None` for sections that are not loaded and
    /// for blocks of which every run has a copy.
    pub(crate) sections: Vec<Option<u64>>,
    /// Symbols that the machine provides, and `.comm` symbols, by name.
    pub(crate) provided: BTreeMap<String, u64>,
}

/// Links one section of `code` for `address`. `copies` are the blocks that this run has its own
/// copy of; a reference into one of them goes to that copy.
///
/// # Errors
/// Each reference that cannot be resolved or does not fit, as a sentence.
pub(crate) fn link(
    code: &Code,
    section: SectionId,
    address: u64,
    places: &Places,
    copies: &[(SectionId, u64)],
) -> Result<Vec<u8>, Vec<String>> {
    let source = &code.sections[section.0 as usize];
    let mut bytes = source.bytes.clone();
    let mut errors = Vec::new();
    for relocation in &source.relocations {
        let result = symbol_value(code, relocation.symbol, places, copies)
            .and_then(|value| apply(&mut bytes, relocation, value, address));
        if let Err(message) = result {
            errors.push(format!(
                "{}{message}",
                place(code, section, source, relocation)
            ));
        }
    }
    if errors.is_empty() {
        Ok(bytes)
    } else {
        Err(errors)
    }
}

/// `file:line: ` of a relocation, or its section and offset.
fn place(code: &Code, id: SectionId, section: &Section, relocation: &Relocation) -> String {
    let item = u32::try_from(relocation.offset)
        .ok()
        .and_then(|offset| code.item_at(id, offset));
    match item {
        Some(item) if item.line > 0 => {
            let file = code
                .files
                .get(item.file as usize)
                .map_or("?", String::as_str);
            format!("{file}:{}: ", item.line)
        }
        _ => format!("{}+{:#x}: ", section.name, relocation.offset),
    }
}

/// The address or number that a symbol stands for.
///
/// # Errors
/// If it is not defined anywhere, or lies in a block that has one copy per run.
pub(crate) fn symbol_value(
    code: &Code,
    symbol: u32,
    places: &Places,
    copies: &[(SectionId, u64)],
) -> Result<u64, String> {
    let Some(symbol) = code.symbols.get(symbol as usize) else {
        return Err(format!(
            "a relocation names symbol number {symbol}, which does not exist"
        ));
    };
    let name = symbol.name.as_str();
    match symbol.place {
        SymbolPlace::Absolute(value) => Ok(value.cast_unsigned()),
        SymbolPlace::Undefined | SymbolPlace::Common(..) | SymbolPlace::LargeCommon(..) => {
            places.provided.get(name).copied().ok_or_else(|| {
                format!(
                    "undefined symbol `{name}`: define it in this variant or in the common lines \
                     (the image provides `scratch`, `entry_stack` and `entry_stack_top`)"
                )
            })
        }
        SymbolPlace::In(section, offset) => {
            let own = copies.iter().find(|(id, _)| *id == section);
            let start = own
                .map(|(_, address)| *address)
                .or_else(|| places.sections.get(section.0 as usize).copied().flatten());
            start.map(|start| start.wrapping_add(offset)).ok_or_else(|| {
                let section = &code.sections[section.0 as usize];
                format!(
                    "`{name}` lies in `{}`, of which every run has its own copy (or which is not \
                     loaded), so nothing outside can refer to it: use `#: entry call`, or keep the \
                     label and its users in one block",
                    section.name
                )
            })
        }
    }
}

/// Writes one field.
fn apply(bytes: &mut [u8], relocation: &Relocation, value: u64, start: u64) -> Result<(), String> {
    let absolute = i128::from(value) + i128::from(relocation.addend);
    // Addresses may be written as 64-bit two's complement, so a negative absolute symbol is one.
    let wrapped = value.wrapping_add_signed(relocation.addend);
    let relative = i128::from(wrapped.cast_signed())
        - i128::from(start.wrapping_add(relocation.offset).cast_signed());
    let (number, width, signs) = match relocation.kind {
        RelocationKind::Abs64 => (i128::from(wrapped), 8, Signs::Either),
        RelocationKind::Abs32 => (absolute, 4, Signs::Unsigned),
        RelocationKind::Abs32S => (i128::from(wrapped.cast_signed()), 4, Signs::Signed),
        RelocationKind::Abs16 => (i128::from(wrapped.cast_signed()), 2, Signs::Either),
        RelocationKind::Abs8 => (i128::from(wrapped.cast_signed()), 1, Signs::Either),
        RelocationKind::Pc64 => (relative, 8, Signs::Either),
        RelocationKind::Pc32 | RelocationKind::Plt32 => (relative, 4, Signs::Signed),
        RelocationKind::Pc16 => (relative, 2, Signs::Signed),
        RelocationKind::Pc8 => (relative, 1, Signs::Signed),
        RelocationKind::Other(number) => {
            return Err(format!(
                "relocation type {number} has no meaning in an image (it is for shared objects or \
                 thread-local data)"
            ));
        }
    };
    let bits = 8 * width as u32;
    let least = if signs == Signs::Unsigned {
        0
    } else {
        -(1i128 << (bits - 1))
    };
    let most = if signs == Signs::Signed {
        (1i128 << (bits - 1)) - 1
    } else {
        (1i128 << bits) - 1
    };
    if !(least..=most).contains(&number) {
        return Err(format!("{number:#x} does not fit into {bits} bits"));
    }
    let field = usize::try_from(relocation.offset)
        .ok()
        .and_then(|offset| bytes.get_mut(offset..offset.checked_add(width)?));
    let Some(field) = field else {
        return Err("a relocation lies outside its section".to_owned());
    };
    field.copy_from_slice(&number.to_le_bytes()[..width]);
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Signs {
    Signed,
    Unsigned,
    Either,
}

#[cfg(test)]
mod tests {
    use super::*;
    use assemble::Symbol;

    fn code(kind: RelocationKind, addend: i64, place: SymbolPlace) -> Code {
        let section = |name: &str, relocations| Section {
            name: name.to_owned(),
            flags: 6,
            kind: 1,
            align: 1,
            bytes: vec![0; 16],
            size: 16,
            entry_size: 0,
            relocation_order: Vec::new(),
            link: None,
            relocations,
        };
        let relocation = Relocation {
            offset: 4,
            kind,
            symbol: 0,
            addend,
        };
        Code {
            sections: vec![section(".text", vec![relocation]), section(".data", vec![])],
            symbols: vec![Symbol {
                name: "target".into(),
                place,
                binding: 0,
                kind: 0,
                size: 0,
                visibility: 0,
            }],
            ..Code::default()
        }
    }

    fn linked(kind: RelocationKind, addend: i64, place: SymbolPlace) -> Result<Vec<u8>, String> {
        let places = Places {
            sections: vec![Some(0x1000), Some(0x2000)],
            provided: [("scratch".to_owned(), 0x3000)].into(),
        };
        link(
            &code(kind, addend, place),
            SectionId(0),
            0x1000,
            &places,
            &[],
        )
        .map(|bytes| bytes[4..12].to_vec())
        .map_err(|errors| errors.join("\n"))
    }

    const DATA: SymbolPlace = SymbolPlace::In(SectionId(1), 8);

    #[test]
    fn each_kind_writes_its_width() {
        use RelocationKind::{Abs16, Abs32, Abs32S, Abs64, Pc32};
        let check = |kind, addend, expected: [u8; 8]| {
            assert_eq!(linked(kind, addend, DATA).unwrap(), expected, "{kind:?}");
        };
        check(Abs64, 1, [0x09, 0x20, 0, 0, 0, 0, 0, 0]);
        check(Abs32, 0, [0x08, 0x20, 0, 0, 0, 0, 0, 0]);
        check(Abs32S, -8, [0x00, 0x20, 0, 0, 0, 0, 0, 0]);
        check(Abs16, 0, [0x08, 0x20, 0, 0, 0, 0, 0, 0]);
        // 0x2008 - 4 - 0x1004
        check(Pc32, -4, [0x00, 0x10, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(
            linked(RelocationKind::Abs8, 0, DATA)
                .unwrap_err()
                .contains("8 bits")
        );
        assert!(
            linked(RelocationKind::Abs32, -0x3000, DATA)
                .unwrap_err()
                .contains("32 bits")
        );
        assert!(
            linked(RelocationKind::Other(9), 0, DATA)
                .unwrap_err()
                .contains("type 9")
        );
    }

    #[test]
    fn undefined_symbols_are_named() {
        let error = linked(RelocationKind::Abs32, 0, SymbolPlace::Undefined).unwrap_err();
        assert!(error.contains("`target`"), "{error}");
    }

    #[test]
    fn a_copy_refers_to_itself() {
        let code = code(RelocationKind::Abs32, 0, SymbolPlace::In(SectionId(0), 2));
        let places = Places {
            sections: vec![None, None],
            ..Places::default()
        };
        let own = [(SectionId(0), 0x5000)];
        let bytes = link(&code, SectionId(0), 0x5000, &places, &own).unwrap();
        assert_eq!(bytes[4..8], [0x02, 0x50, 0, 0]);
        assert!(link(&code, SectionId(0), 0x5000, &places, &[]).is_err());
    }
}
