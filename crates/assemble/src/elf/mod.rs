//! ELF relocatable objects, which `ld` links and `objdump -dl` and `perf annotate` show with the
//! lines of the source.

mod lines;

use std::collections::HashMap;
use std::fmt;

use object::elf::{RelocationType, SectionFlags as ElfFlags, SectionType, SymbolInfo, SymbolOther};
use object::write::{Comdat, Object, Relocation, SectionId, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, ComdatKind, Endianness, RelocationFlags, SectionFlags, SectionKind,
    SymbolFlags, SymbolKind, SymbolScope,
};

use crate::code::{Code, RelocationKind, SymbolPlace};

/// `SHF_LINK_ORDER` and `SHF_GROUP`: what they refer to is not kept but for COMDAT groups, and without it
/// they are wrong.
const REFERRING: u64 = 0x80 | GROUP;
/// `SHF_GROUP`
const GROUP: u64 = 0x200;
/// `SHF_EXECINSTR`
const EXECUTE: u64 = 4;
/// `SHT_RELA`
const RELA: u32 = 4;
/// `SHT_GROUP`
const SECTION_GROUP: u32 = 17;
/// `SHT_NOBITS`
const NOBITS: u32 = 8;

/// Why an object cannot be written.
#[derive(Debug)]
pub struct ObjectError(String);

impl fmt::Display for ObjectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the object cannot be written: {}", self.0)
    }
}

impl std::error::Error for ObjectError {}

impl From<object::write::Error> for ObjectError {
    fn from(error: object::write::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<gimli::write::Error> for ObjectError {
    fn from(error: gimli::write::Error) -> Self {
        Self(error.to_string())
    }
}

/// ELF's number of a relocation.
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

/// Adds a section as it is.
fn section(
    object: &mut Object<'_>,
    name: &str,
    kind: u32,
    flags: u64,
    bytes: &[u8],
    align: u64,
) -> SectionId {
    let general = if kind == NOBITS {
        SectionKind::UninitializedData
    } else if flags & EXECUTE != 0 {
        SectionKind::Text
    } else {
        SectionKind::Data
    };
    let id = object.add_section(Vec::new(), name.as_bytes().to_vec(), general);
    *object.section_flags_mut(id) = SectionFlags::Elf {
        sh_type: SectionType(kind),
        sh_flags: ElfFlags(flags & !REFERRING),
    };
    if kind != NOBITS {
        object.append_section_data(id, bytes, align.max(1));
    }
    id
}

/// Adds a relocation.
fn relocate(
    object: &mut Object<'_>,
    section: SectionId,
    offset: u64,
    kind: u32,
    symbol: SymbolId,
    addend: i64,
) -> Result<(), ObjectError> {
    let relocation = Relocation {
        offset,
        symbol,
        addend,
        flags: RelocationFlags::Elf {
            r_type: RelocationType(kind),
        },
    };
    Ok(object.add_relocation(section, relocation)?)
}

/// Adds a symbol as it is.
fn symbol(
    object: &mut Object<'_>,
    symbol: &crate::code::Symbol,
    sections: &[SectionId],
) -> SymbolId {
    let (section, value, size) = match symbol.place {
        SymbolPlace::Undefined => (SymbolSection::Undefined, 0, symbol.size),
        SymbolPlace::Absolute(value) => {
            (SymbolSection::Absolute, value.cast_unsigned(), symbol.size)
        }
        SymbolPlace::In(section, offset) => (
            SymbolSection::Section(sections[section.0 as usize]),
            offset,
            symbol.size,
        ),
        SymbolPlace::Common(size, align) => (SymbolSection::Common, align, size),
    };
    // The one of kind 3 that is no section's is the absolute zero, which has no name.
    let (name, kind) = match symbol.kind {
        3 => ("", 0),
        kind => (symbol.name.as_str(), kind),
    };
    object.add_symbol(Symbol {
        name: name.as_bytes().to_vec(),
        value,
        size,
        kind: SymbolKind::Unknown,
        scope: if symbol.binding == 0 {
            SymbolScope::Compilation
        } else {
            SymbolScope::Dynamic
        },
        weak: symbol.binding == 2,
        section,
        flags: SymbolFlags::Elf {
            st_info: SymbolInfo(symbol.binding << 4 | kind),
            st_other: SymbolOther(symbol.visibility),
        },
    })
}

/// Writes entry sizes into section headers, which the writer has no way to be told.
fn set_entry_sizes(bytes: &mut [u8], sizes: &[u64]) -> Result<(), ObjectError> {
    let short = || ObjectError("its section headers are not where they should be".to_string());
    let field = bytes
        .get(0x28..0x30)
        .and_then(|field| field.try_into().ok());
    let headers = u64::from_le_bytes(field.ok_or_else(short)?);
    let headers = usize::try_from(headers).map_err(|_| short())?;
    // The sections stand in their order, with those of their relocations and groups between them.
    let mut sizes = sizes.iter();
    let mut at = headers + 64;
    while let Some(header) = bytes.get_mut(at..at + 64) {
        at += 64;
        if [RELA, SECTION_GROUP]
            .iter()
            .any(|kind| header[4..8] == kind.to_le_bytes())
        {
            continue;
        }
        let Some(size) = sizes.next() else {
            return Ok(());
        };
        header[56..64].copy_from_slice(&size.to_le_bytes());
    }
    if sizes.next().is_some() {
        return Err(short());
    }
    Ok(())
}

impl Code {
    /// An ELF relocatable for x86-64: sections, symbols and relocations as GNU as has them, and the
    /// lines of the source (DWARF 4) for code. `directory` is where relative names of files
    /// start: the current one, as a rule.
    ///
    /// Local symbols that start with `.L` and numeric labels are left out, as GNU as does.
    ///
    /// # Errors
    /// What the object's format cannot hold.
    pub fn object(&self, directory: &str) -> Result<Vec<u8>, ObjectError> {
        let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
        let mut sections = Vec::new();
        for part in &self.sections {
            let id = section(
                &mut object,
                &part.name,
                part.kind,
                part.flags,
                &part.bytes,
                part.align,
            );
            if part.kind == NOBITS {
                object.append_section_bss(id, part.size, part.align.max(1));
            }
            sections.push(id);
        }
        // Locals that only the assembler needs, unless a relocation is against one.
        let used: std::collections::HashSet<u32> = self
            .sections
            .iter()
            .flat_map(|section| &section.relocations)
            .map(|relocation| relocation.symbol)
            .collect();
        let mut symbols: HashMap<u32, SymbolId> = HashMap::new();
        for (index, entry) in (0..).zip(&self.symbols) {
            let id = match (entry.kind, entry.place) {
                (3, SymbolPlace::In(section, 0)) => {
                    object.section_symbol(sections[section.0 as usize])
                }
                _ => {
                    let hidden = entry.binding == 0
                        && (entry.name.starts_with(".L")
                            || entry.name.starts_with(|first: char| first.is_ascii_digit()));
                    if hidden && !used.contains(&index) {
                        continue;
                    }
                    symbol(&mut object, entry, &sections)
                }
            };
            symbols.insert(index, id);
        }
        for (part, &id) in self.sections.iter().zip(&sections) {
            for relocation in &part.relocations {
                let Some(&symbol) = symbols.get(&relocation.symbol) else {
                    return Err(ObjectError(format!(
                        "a relocation in {} is against no symbol",
                        part.name
                    )));
                };
                let kind = number(relocation.kind);
                relocate(
                    &mut object,
                    id,
                    relocation.offset,
                    kind,
                    symbol,
                    relocation.addend,
                )?;
            }
        }
        for group in &self.groups {
            let members: Vec<SectionId> = group
                .sections
                .iter()
                .map(|section| sections[section.0 as usize])
                .collect();
            for &member in &members {
                if let SectionFlags::Elf { sh_flags, .. } = object.section_flags_mut(member) {
                    sh_flags.0 |= GROUP;
                }
            }
            let known = (0..)
                .zip(&self.symbols)
                .find(|(_, entry)| entry.kind != 3 && entry.name == group.signature);
            let symbol = match known.and_then(|(index, _): (u32, _)| symbols.get(&index)) {
                Some(&symbol) => symbol,
                // One that nothing defines or uses is there for its name alone.
                None => object.add_symbol(Symbol {
                    name: group.signature.as_bytes().to_vec(),
                    value: 0,
                    size: 0,
                    kind: SymbolKind::Unknown,
                    scope: SymbolScope::Compilation,
                    weak: false,
                    section: members
                        .first()
                        .map_or(SymbolSection::Undefined, |&id| SymbolSection::Section(id)),
                    flags: SymbolFlags::Elf {
                        st_info: SymbolInfo(0),
                        st_other: SymbolOther(0),
                    },
                }),
            };
            object.add_comdat(Comdat {
                kind: ComdatKind::Any,
                symbol,
                sections: members,
            });
        }
        lines::add(self, &mut object, &sections, directory)?;
        let mut bytes = object.write()?;
        let sizes: Vec<u64> = self.sections.iter().map(|part| part.entry_size).collect();
        set_entry_sizes(&mut bytes, &sizes)?;
        Ok(bytes)
    }
}
