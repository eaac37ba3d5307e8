//! Which line of which file each instruction came from, as DWARF.

use gimli::write::{
    Address, AttributeValue, Dwarf, EndianVec, LineProgram, LineString, Range, RangeList,
    RelocateWriter, Relocation, RelocationTarget, Sections, Unit,
};
use gimli::{
    DW_AT_comp_dir, DW_AT_high_pc, DW_AT_language, DW_AT_low_pc, DW_AT_name, DW_AT_producer,
    DW_AT_ranges, DW_LANG_Mips_Assembler, Encoding, Format, LineEncoding, LittleEndian, SectionId,
};

use super::{Against, EXECUTE, ObjectError, Planned, PlannedSection};
use crate::code::{Code, ItemKind};

/// ELF's numbers for fields of eight and four bytes.
const ABS_64: u32 = 1;
const ABS_32: u32 = 10;

/// A section's bytes and its relocations so far.
#[derive(Clone)]
struct Bytes {
    bytes: EndianVec<LittleEndian>,
    relocations: Vec<Relocation>,
}

impl RelocateWriter for Bytes {
    type Writer = EndianVec<LittleEndian>;

    fn writer(&self) -> &Self::Writer {
        &self.bytes
    }

    fn writer_mut(&mut self) -> &mut Self::Writer {
        &mut self.bytes
    }

    fn relocate(&mut self, relocation: Relocation) {
        self.relocations.push(relocation);
    }
}

/// Runs of instructions of one line, in order of address, per executable section.
fn program(code: &Code, encoding: Encoding, directory: &str) -> (LineProgram, Vec<Range>) {
    let name = |file: &str| LineString::String(file.as_bytes().to_vec());
    let first = code.files.iter().find(|file| !file.is_empty());
    let mut program = LineProgram::new(
        encoding,
        LineEncoding::default(),
        name(directory),
        None,
        name(first.map_or("", String::as_str)),
        None,
    );
    let folder = program.default_directory();
    let files: Vec<_> = code
        .files
        .iter()
        .map(|file| (!file.is_empty()).then(|| program.add_file(name(file), folder, None)))
        .collect();
    let mut ranges = Vec::new();
    let mut items = code.items.as_slice();
    for (index, section) in code.sections.iter().enumerate() {
        // Items are in order of section.
        let count = items
            .iter()
            .take_while(|item| item.section.0 as usize == index)
            .count();
        let (own, rest) = items.split_at(count);
        items = rest;
        if section.flags & EXECUTE == 0 {
            continue;
        }
        let begin = Address::Symbol {
            symbol: index,
            addend: 0,
        };
        let mut last = None;
        for item in own {
            let file = files.get(item.file as usize).copied().flatten();
            let (Some(file), false) = (file, item.kind == ItemKind::Label || item.length == 0)
            else {
                continue;
            };
            if item.line == 0 || last == Some((file, item.line)) {
                continue;
            }
            if last.is_none() {
                program.begin_sequence(Some(begin));
            }
            last = Some((file, item.line));
            let row = program.row();
            row.address_offset = u64::from(item.offset);
            row.file = file;
            row.line = u64::from(item.line);
            program.generate_row();
        }
        if last.is_some() {
            program.end_sequence(section.size);
            ranges.push(Range::StartLength {
                begin,
                length: section.size,
            });
        }
    }
    (program, ranges)
}

/// A section of the line table.
pub(super) struct Table {
    id: SectionId,
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

/// The sections that say which line each instruction came from; none where no line is known.
pub(super) fn tables(code: &Code, directory: &str) -> Result<Vec<Table>, ObjectError> {
    let encoding = Encoding {
        format: Format::Dwarf32,
        version: 4,
        address_size: 8,
    };
    let (program, ranges) = program(code, encoding, directory);
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let mut dwarf = Dwarf::new();
    let unit = dwarf.units.add(Unit::new(encoding, program));
    let unit = dwarf.units.get_mut(unit);
    let string = |text: &str| AttributeValue::String(text.as_bytes().to_vec());
    let name = code.files.iter().find(|file| !file.is_empty());
    let place = match &ranges[..] {
        &[Range::StartLength { begin, length }] => vec![
            (DW_AT_low_pc, AttributeValue::Address(begin)),
            (DW_AT_high_pc, AttributeValue::Udata(length)),
        ],
        _ => {
            let list = unit.ranges.add(RangeList(ranges));
            vec![(DW_AT_ranges, AttributeValue::RangeListRef(list))]
        }
    };
    let root = unit.root();
    let root = unit.get_mut(root);
    root.set(DW_AT_name, string(name.map_or("", String::as_str)));
    root.set(DW_AT_comp_dir, string(directory));
    root.set(
        DW_AT_producer,
        string(concat!("thunklab ", env!("CARGO_PKG_VERSION"))),
    );
    root.set(
        DW_AT_language,
        AttributeValue::Language(DW_LANG_Mips_Assembler),
    );
    for (attribute, value) in place {
        root.set(attribute, value);
    }
    let mut written = Sections::new(Bytes {
        bytes: EndianVec::new(LittleEndian),
        relocations: Vec::new(),
    });
    dwarf.write(&mut written)?;
    let mut added = Vec::new();
    written.for_each(|id, bytes| -> Result<(), ObjectError> {
        if !bytes.bytes.slice().is_empty() {
            added.push(Table {
                id,
                bytes: bytes.bytes.slice().to_vec(),
                relocations: bytes.relocations.clone(),
            });
        }
        Ok(())
    })?;
    Ok(added)
}

/// Adds the tables to the sections of the code, which come first.
pub(super) fn plan<'a>(
    tables: &'a [Table],
    sections: &mut Vec<PlannedSection<'a>>,
) -> Result<(), ObjectError> {
    let own = sections.len();
    for table in tables {
        let mut planned = PlannedSection::plain(table.id.name(), &table.bytes);
        for relocation in &table.relocations {
            let target = match relocation.target {
                RelocationTarget::Symbol(index) => Some(index).filter(|&index| index < own),
                RelocationTarget::Section(id) => tables
                    .iter()
                    .position(|known| known.id == id)
                    .map(|position| own + position),
            };
            let Some(target) = target else {
                return Err(ObjectError("a line table refers to nothing".to_string()));
            };
            planned.relocations.push(Planned {
                offset: relocation.offset as u64,
                kind: if relocation.size == 8 { ABS_64 } else { ABS_32 },
                against: Against::Section(target),
                addend: relocation.addend,
            });
        }
        sections.push(planned);
    }
    Ok(())
}
