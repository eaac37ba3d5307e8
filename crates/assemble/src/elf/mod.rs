//! ELF relocatable objects, which `ld` links and `objdump -dl` and `perf annotate` show with the
//! lines of the source.

mod lines;

use std::collections::{HashMap, HashSet};
use std::fmt;

use object::elf::{
    EM_X86_64, ET_REL, FileFlags, OsAbi, RelocationType, SHN_ABS, SHN_COMMON, SHN_UNDEF,
    SectionFlags, SectionType, SymbolInfo, SymbolOther, SymbolSection,
};
use object::write::StringId;
use object::write::elf::{FileHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer};

use crate::code::{Code, RelocationKind, Symbol, SymbolPlace};
use crate::symbols::is_local_name;

/// `SHT_RELA`
const RELA: u32 = 4;
/// `SHF_INFO_LINK`
const INFO_LINK: u64 = 0x40;
/// `SHF_GROUP`
const GROUP: u64 = 0x200;
/// `SHF_EXECINSTR`
const EXECUTE: u64 = 4;
/// `SHF_GNU_RETAIN`
const RETAIN: u64 = 0x20_0000;
/// `SHT_NOBITS`
const NOBITS: u32 = 8;
/// `SHN_X86_64_LCOMMON`
const LARGE_COMMON: SymbolSection = SymbolSection(0xff02);
/// `STB_GNU_UNIQUE`
const UNIQUE: u8 = 10;
/// `STT_GNU_IFUNC`
const INDIRECT: u8 = 10;
/// `STT_SECTION`
const SECTION: u8 = 3;

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

/// What a relocation is against, before symbols have their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Against {
    /// Nothing: the addend is all.
    Nothing,
    /// The symbol of a section, by its index in [`Plan::sections`].
    Section(usize),
    /// Index into [`Code::symbols`].
    Symbol(u32),
}

/// A relocation before symbols have their numbers.
struct Planned {
    offset: u64,
    kind: u32,
    against: Against,
    addend: i64,
}

/// A section, the code's own or one of the line table.
struct PlannedSection<'a> {
    name: &'a [u8],
    kind: u32,
    flags: u64,
    align: u64,
    entry_size: u64,
    bytes: &'a [u8],
    size: u64,
    /// The section that it is ordered by.
    link: Option<usize>,
    relocations: Vec<Planned>,
    /// `.rela` and its name.
    relocations_name: Vec<u8>,
    /// Whether it is in a group.
    is_member: bool,
}

impl PlannedSection<'_> {
    /// The sections of the file that it is made of.
    fn count(&self) -> usize {
        1 + usize::from(!self.relocations.is_empty())
    }
}

impl<'a> PlannedSection<'a> {
    /// One without flags or alignment, as line tables are.
    fn plain(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name: name.as_bytes(),
            kind: 1,
            flags: 0,
            align: 1,
            entry_size: 0,
            bytes,
            size: bytes.len() as u64,
            link: None,
            relocations: Vec::new(),
            relocations_name: Vec::new(),
            is_member: false,
        }
    }
}

/// A section's numbers in the file.
struct Place {
    index: SectionIndex,
    name: StringId,
    offset: u64,
    relocations: Option<(SectionIndex, StringId, u64)>,
}

/// Sections of the code with their relocations, in GNU as's order.
fn plan(code: &Code) -> Vec<PlannedSection<'_>> {
    let against = |symbol: u32| match code.symbols.get(symbol as usize) {
        Some(known) if known.kind == SECTION => match known.place {
            SymbolPlace::In(section, _) => Against::Section(section.0 as usize),
            _ => Against::Nothing,
        },
        _ => Against::Symbol(symbol),
    };
    let sections = code.sections.iter().map(|part| {
        let in_order = part.relocation_order.iter();
        let relocations = in_order
            .filter_map(|&index| part.relocations.get(index as usize))
            .map(|relocation| Planned {
                offset: relocation.offset,
                kind: number(relocation.kind),
                against: against(relocation.symbol),
                addend: relocation.addend,
            });
        PlannedSection {
            name: part.name.as_bytes(),
            kind: part.kind,
            flags: part.flags & !GROUP,
            align: part.align.max(1),
            entry_size: part.entry_size,
            bytes: &part.bytes,
            size: part.size,
            link: part.link.map(|section| section.0 as usize),
            relocations: relocations.collect(),
            relocations_name: Vec::new(),
            is_member: false,
        }
    });
    sections.collect()
}

/// A symbol's fields but its name.
fn fields(symbol: &Symbol, places: &[Place]) -> Sym {
    let (st_shndx, section, st_value, st_size) = match symbol.place {
        SymbolPlace::Undefined => (SHN_UNDEF, None, 0, symbol.size),
        SymbolPlace::Absolute(value) => (SHN_ABS, None, value.cast_unsigned(), symbol.size),
        SymbolPlace::In(section, offset) => {
            let index = places.get(section.0 as usize).map(|place| place.index.0);
            (SHN_UNDEF, index, offset, symbol.size)
        }
        SymbolPlace::Common(size, align) => (SHN_COMMON, None, align, size),
        SymbolPlace::LargeCommon(size, align) => (LARGE_COMMON, None, align, size),
    };
    let binding = match symbol.place {
        SymbolPlace::Undefined => symbol.binding.max(1),
        _ => symbol.binding,
    };
    Sym {
        section,
        st_name: 0,
        st_info: SymbolInfo(binding << 4 | symbol.kind),
        st_other: SymbolOther(symbol.visibility),
        st_shndx,
        st_value,
        st_size,
    }
}

/// A symbol of the object.
enum Entry<'a> {
    /// A section's, by its index in the plan.
    Section(usize),
    /// The code's.
    Own(u32, &'a Symbol),
    /// The name of a group, by index, that nothing defines: it is a symbol of the group itself.
    Signature(&'a str, usize),
}

impl Code {
    /// An ELF relocatable for x86-64: sections, symbols and relocations as GNU as has them, and the
    /// lines of the source (DWARF 4) for code. `directory` is where relative names of files
    /// start: the current one, as a rule.
    ///
    /// Symbols of sections and local symbols that start with `.L` are there only if a relocation is
    /// against them, as in GNU as's objects.
    ///
    /// # Errors
    /// What the object's format cannot hold.
    pub fn object(&self, directory: &str) -> Result<Vec<u8>, ObjectError> {
        let tables = lines::tables(self, directory)?;
        let mut sections = plan(self);
        lines::plan(&tables, &mut sections)?;
        for section in &mut sections {
            if !section.relocations.is_empty() {
                section.relocations_name = [b".rela", section.name].concat();
            }
        }
        let mut members = HashSet::new();
        for group in &self.groups {
            members.extend(group.sections.iter().map(|section| section.0 as usize));
        }
        for member in members {
            if let Some(section) = sections.get_mut(member) {
                section.flags |= GROUP;
                section.is_member = true;
            }
        }
        self.write(&sections)
    }

    /// The symbols in the order of the file: locals first.
    fn entries(&self, sections: &[PlannedSection<'_>]) -> (Vec<Entry<'_>>, u32) {
        let used: HashSet<Against> = sections
            .iter()
            .flat_map(|section| &section.relocations)
            .map(|relocation| relocation.against)
            .collect();
        let (mut locals, mut globals) = (Vec::new(), Vec::new());
        let ordered = u32::try_from(self.symbol_order.len()).unwrap_or(u32::MAX);
        let others = ordered..u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        for index in self.symbol_order.iter().copied().chain(others) {
            let Some(symbol) = self.symbols.get(index as usize) else {
                continue;
            };
            let is_needless = is_local_name(&symbol.name)
                && symbol.binding == 0
                && !used.contains(&Against::Symbol(index));
            let section = index as usize;
            if symbol.kind == SECTION {
                if section < self.sections.len() && used.contains(&Against::Section(section)) {
                    locals.push(Entry::Section(section));
                }
                continue;
            }
            if is_needless {
                continue;
            }
            let list = if symbol.binding == 0 && symbol.place != SymbolPlace::Undefined {
                &mut locals
            } else {
                &mut globals
            };
            list.push(Entry::Own(index, symbol));
        }
        // Those of the line table.
        let more = self.sections.len()..sections.len();
        let more = more.filter(|&index| used.contains(&Against::Section(index)));
        locals.extend(more.map(Entry::Section));
        let known: HashSet<&str> = if self.groups.is_empty() {
            HashSet::new()
        } else {
            let named = self.symbols.iter().filter(|symbol| symbol.kind != SECTION);
            named.map(|symbol| symbol.name.as_str()).collect()
        };
        for (index, group) in self.groups.iter().enumerate() {
            if !known.contains(group.signature.as_str()) {
                locals.push(Entry::Signature(&group.signature, index));
            }
        }
        let mut entries = locals;
        let local = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        entries.extend(globals);
        (entries, local)
    }

    /// GNU as's names of the numeric labels that are in the object: which one of its number each is.
    fn local_names(&self, entries: &[Entry<'_>]) -> HashMap<u32, String> {
        let is_numeric = |symbol: &Symbol| {
            symbol
                .name
                .starts_with(|first: char| first.is_ascii_digit())
        };
        let mut wanted = HashMap::new();
        for entry in entries {
            if let Entry::Own(index, symbol) = entry
                && is_numeric(symbol)
            {
                wanted.insert(*index, String::new());
            }
        }
        if wanted.is_empty() {
            return wanted;
        }
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for (index, symbol) in (0..).zip(&self.symbols) {
            if !is_numeric(symbol) || symbol.kind == SECTION {
                continue;
            }
            let count = counts.entry(&symbol.name).or_default();
            *count += 1;
            if let Some(name) = wanted.get_mut(&index) {
                *name = format!(".L{}\u{2}{count}", symbol.name);
            }
        }
        wanted
    }

    fn write(&self, sections: &[PlannedSection<'_>]) -> Result<Vec<u8>, ObjectError> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(object::Endianness::Little, true, &mut bytes);
        writer.reserve_file_header();
        writer.reserve_null_section_index();
        let mut groups = Vec::new();
        for group in &self.groups {
            let name = writer.add_section_name(b".group");
            let index = writer.reserve_section_index();
            let members = group.sections.iter();
            let members = members.filter_map(|member| sections.get(member.0 as usize));
            let count = members.map(PlannedSection::count).sum();
            groups.push((name, writer.reserve_comdat(count), count, index));
        }
        let mut places = Vec::with_capacity(sections.len());
        for section in sections {
            let name = writer.add_section_name(section.name);
            let index = writer.reserve_section_index();
            let offset = if section.kind == NOBITS {
                writer.reserve(0, 1)
            } else {
                writer.reserve(section.size, section.align)
            };
            let relocations = (!section.relocations.is_empty()).then(|| {
                let name = writer.add_section_name(&section.relocations_name);
                (writer.reserve_section_index(), name, 0)
            });
            places.push(Place {
                index,
                name,
                offset,
                relocations,
            });
        }
        writer.reserve_null_symbol_index();
        let (entries, locals) = self.entries(sections);
        let mut own = vec![0_u32; self.symbols.len()];
        let mut of_sections = vec![0_u32; sections.len()];
        let mut signatures: HashMap<&str, u32> = HashMap::new();
        let local_names = self.local_names(&entries);
        let mut names = Vec::with_capacity(entries.len());
        for entry in &entries {
            let (name, section) = match *entry {
                Entry::Section(section) => ("", places.get(section).map(|place| place.index)),
                Entry::Own(index, symbol) => {
                    let name = local_names.get(&index);
                    let name = name.map_or(symbol.name.as_str(), String::as_str);
                    match symbol.place {
                        SymbolPlace::In(section, _) => {
                            let place = places.get(section.0 as usize);
                            (name, place.map(|place| place.index))
                        }
                        _ => (name, None),
                    }
                }
                Entry::Signature(name, group) => (name, groups.get(group).map(|group| group.3)),
            };
            names.push((!name.is_empty()).then(|| writer.add_string(name.as_bytes())));
            let SymbolIndex(index) = writer.reserve_symbol_index(section);
            match *entry {
                Entry::Section(section) => of_sections[section] = index,
                Entry::Own(place, symbol) => {
                    own[place as usize] = index;
                    if !self.groups.is_empty() {
                        signatures.entry(&symbol.name).or_insert(index);
                    }
                }
                Entry::Signature(name, _) => {
                    signatures.insert(name, index);
                }
            }
        }
        for (section, place) in sections.iter().zip(&mut places) {
            if let Some((_, _, offset)) = &mut place.relocations {
                *offset = writer.reserve_relocations(section.relocations.len(), true);
            }
        }
        writer.reserve_symtab_section_index();
        writer.reserve_symtab();
        if writer.symtab_shndx_needed() {
            writer.reserve_symtab_shndx_section_index();
        }
        writer.reserve_symtab_shndx();
        writer.reserve_strtab_section_index();
        writer.reserve_strtab()?;
        writer.reserve_shstrtab_section_index();
        writer.reserve_shstrtab()?;
        writer.reserve_section_headers();

        writer.write_file_header(&FileHeader {
            os_abi: self.os_abi(),
            abi_version: 0,
            e_type: ET_REL,
            e_machine: EM_X86_64,
            e_entry: 0,
            e_flags: FileFlags(0),
        })?;
        for group in &self.groups {
            if group.comdat {
                writer.write_comdat_header();
            } else {
                writer.write_align(4);
                writer.write(&[0; 4]);
            }
            for section in &group.sections {
                if let Some(place) = places.get(section.0 as usize) {
                    writer.write_comdat_entry(place.index);
                    if let Some((index, ..)) = place.relocations {
                        writer.write_comdat_entry(index);
                    }
                }
            }
        }
        for (section, place) in sections.iter().zip(&places) {
            if section.kind != NOBITS {
                writer.pad_until(place.offset);
                writer.write(section.bytes);
            }
        }
        for section in sections
            .iter()
            .filter(|section| !section.relocations.is_empty())
        {
            writer.write_align_relocation();
            for relocation in &section.relocations {
                let r_sym = match relocation.against {
                    Against::Nothing => 0,
                    Against::Section(section) => of_sections[section],
                    Against::Symbol(symbol) => own.get(symbol as usize).copied().unwrap_or(0),
                };
                if r_sym == 0 && relocation.against != Against::Nothing {
                    return Err(ObjectError("a relocation is against no symbol".to_owned()));
                }
                writer.write_relocation(
                    true,
                    &Rel {
                        r_offset: relocation.offset,
                        r_sym,
                        r_type: RelocationType(relocation.kind),
                        r_addend: relocation.addend,
                    },
                );
            }
        }
        writer.write_null_symbol();
        for (entry, name) in entries.iter().zip(names) {
            let in_section = |section: Option<SectionIndex>, kind: u8| Sym {
                section: section.map(|section| section.0),
                st_name: 0,
                st_info: SymbolInfo(kind),
                st_other: SymbolOther(0),
                st_shndx: SHN_UNDEF,
                st_value: 0,
                st_size: 0,
            };
            let symbol = match *entry {
                Entry::Section(section) => {
                    in_section(places.get(section).map(|place| place.index), SECTION)
                }
                Entry::Own(_, symbol) => fields(symbol, &places),
                Entry::Signature(_, group) => in_section(groups.get(group).map(|group| group.3), 0),
            };
            let st_name = writer.string_offset(name);
            writer.write_symbol(&Sym { st_name, ..symbol });
        }
        writer.write_symtab_shndx();
        writer.write_strtab();
        writer.write_shstrtab();
        writer.write_null_section_header();
        let symtab = writer.symtab_index();
        for (group, &(name, offset, count, _)) in self.groups.iter().zip(&groups) {
            let symbol = signatures.get(group.signature.as_str()).copied();
            let symbol = SymbolIndex(symbol.unwrap_or(0));
            writer.write_comdat_section_header(name, symtab, symbol, offset, count);
        }
        for (section, place) in sections.iter().zip(&places) {
            let link = section.link.and_then(|link| places.get(link));
            let header = SectionHeader {
                sh_name: writer.section_name_offset(Some(place.name)),
                sh_type: SectionType(section.kind),
                sh_flags: SectionFlags(section.flags),
                sh_addr: 0,
                sh_offset: place.offset,
                sh_size: section.size,
                sh_link: link.map_or(0, |link| link.index.0),
                sh_info: 0,
                sh_addralign: section.align,
                sh_entsize: section.entry_size,
            };
            writer.write_section_header(&header);
            if let Some((_, name, offset)) = place.relocations {
                let group = if section.is_member { GROUP } else { 0 };
                let header = SectionHeader {
                    sh_name: writer.section_name_offset(Some(name)),
                    sh_type: SectionType(RELA),
                    sh_flags: SectionFlags(INFO_LINK | group),
                    sh_addr: 0,
                    sh_offset: offset,
                    sh_size: 24 * section.relocations.len() as u64,
                    sh_link: symtab.0,
                    sh_info: place.index.0,
                    sh_addralign: 8,
                    sh_entsize: 24,
                };
                writer.write_section_header(&header);
            }
        }
        writer.write_symtab_section_header(locals + 1);
        writer.write_symtab_shndx_section_header();
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
        Ok(bytes)
    }

    /// System V's, unless something is in the object that only GNU knows.
    fn os_abi(&self) -> OsAbi {
        let is_gnu = self
            .symbols
            .iter()
            .any(|symbol| symbol.binding == UNIQUE || symbol.kind == INDIRECT)
            || self
                .sections
                .iter()
                .any(|section| section.flags & RETAIN != 0);
        OsAbi(if is_gnu { 3 } else { 0 })
    }
}
