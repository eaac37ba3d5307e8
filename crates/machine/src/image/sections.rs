//! Where a case's sections, its own spaces and its random tables lie.

use std::ops::Range;

use assemble::{Code, SectionId, SymbolPlace};

use super::layout::{Layout, Protection};
use super::link::Places;
use crate::api::{Case, Entry, Random, Width};

/// Bytes of `scratch` and of the entry stack.
pub(crate) const SPACE: u64 = 0x1_0000;

/// ELF section flags and type.
const SHF_WRITE: u64 = 1;
const SHF_ALLOC: u64 = 2;
pub(crate) const SHF_EXECINSTR: u64 = 4;
const SHT_NOBITS: u32 = 8;

/// The blocks of a case, by their sections' names.
pub(crate) struct Blocks {
    /// The body.
    pub(crate) text: SectionId,
    /// What runs once.
    pub(crate) setup: Option<SectionId>,
    /// What runs in front of each body.
    pub(crate) before: Option<SectionId>,
    /// What runs behind each body.
    pub(crate) after: Option<SectionId>,
    inline: bool,
}

impl Blocks {
    /// Finds them.
    ///
    /// # Errors
    /// If there is no body.
    pub(crate) fn of(case: &Case) -> Result<Self, String> {
        let block = |name: &str| {
            case.code
                .section(name)
                .filter(|(_, section)| section.size > 0)
                .map(|(id, _)| id)
        };
        Ok(Self {
            text: block(".text").ok_or("there is no code in .text: nothing to run")?,
            setup: block(".text.setup"),
            before: block(".text.before"),
            after: block(".text.after"),
            inline: case.entry == Entry::Inline,
        })
    }

    /// Whether runs have their own copies of this section, so that it has no address of its own.
    fn copied(&self, section: SectionId) -> bool {
        [self.setup, self.before, self.after].contains(&Some(section))
            || self.inline && section == self.text
    }
}

/// Whether a case's empty body is its own, because it has blocks round it.
pub(crate) fn has_own_empty(case: &Case) -> bool {
    [".text.before", ".text.after"].iter().any(|name| {
        case.code
            .section(name)
            .is_some_and(|(_, section)| section.size > 0)
    })
}

/// The sections of code that have an address of their own: `.text` first, unless runs have their own
/// copies of it.
pub(crate) fn code_sections(case: &Case, blocks: &Blocks) -> Vec<SectionId> {
    let text = (!blocks.inline).then_some(blocks.text);
    let others = loaded(&case.code, |flags, _| flags & SHF_EXECINSTR != 0)
        .filter(|id| !blocks.copied(*id) && Some(*id) != text);
    text.into_iter().chain(others).collect()
}

/// Gives every section its address, code from `start` on, and every table of random numbers.
///
/// # Errors
/// Sections that are writable and executable, tables that do not fit or are not writable.
pub(crate) fn place(
    case: &Case,
    blocks: &Blocks,
    start: Option<u64>,
    layout: &mut Layout,
) -> Result<(Places, Vec<u64>), Vec<String>> {
    let code = &*case.code;
    let mut errors = Vec::new();
    for section in &code.sections {
        let both = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;
        if section.flags & both == both {
            errors.push(format!(
                "section `{}` is writable and executable, which no page here ever is: drop one of \
                 the flags `w` and `x`",
                section.name
            ));
        }
    }
    let mut places = Places {
        sections: vec![None; code.sections.len()],
        ..Places::default()
    };

    // The first byte of .text is at the case's offset from its alignment.
    if let Some(start) = start {
        let text = (!blocks.inline).then_some(blocks.text);
        let first = start + text.map_or(0, |_| u64::from(case.offset));
        stack_up(code, &code_sections(case, blocks), first, text, &mut places);
    }

    let constants: Vec<SectionId> =
        loaded(code, |flags, _| flags & (SHF_WRITE | SHF_EXECINSTR) == 0).collect();
    let end = stack_up(code, &constants, layout.next(), None, &mut places);
    layout.region(end - layout.next(), Protection::Read);

    let data: Vec<SectionId> = loaded(code, |flags, kind| {
        flags & SHF_WRITE != 0 && kind != SHT_NOBITS
    })
    .collect();
    let end = stack_up(code, &data, layout.next(), None, &mut places);
    let data_region = layout.next()..end;
    layout.region(end - layout.next(), Protection::ReadWrite);

    let zeroes: Vec<SectionId> = loaded(code, |flags, kind| {
        flags & SHF_WRITE != 0 && kind == SHT_NOBITS
    })
    .collect();
    let start = layout.next();
    let end = stack_up(code, &zeroes, start, None, &mut places);
    let (end, tables) = provide(case, end, &mut places);
    layout.zeroes(end - start);
    let writable = [data_region, start..end];

    for name in ["scratch", "entry_stack"] {
        let address = layout.zeroes(SPACE);
        places.provided.insert(name.to_owned(), address);
        if name == "entry_stack" {
            places
                .provided
                .insert("entry_stack_top".to_owned(), address + SPACE);
        }
    }

    let mut randoms = Vec::with_capacity(case.randoms.len());
    for (random, provided) in case.randoms.iter().zip(tables) {
        match provided.map_or_else(|| table(code, random, &places, &writable), Ok) {
            Ok(address) => randoms.push(address),
            Err(message) => errors.push(message),
        }
    }
    if errors.is_empty() {
        Ok((places, randoms))
    } else {
        Err(errors)
    }
}

/// Sections that are loaded, by their flags and type.
fn loaded(code: &Code, which: impl Fn(u64, u32) -> bool) -> impl Iterator<Item = SectionId> {
    code.sections
        .iter()
        .enumerate()
        .filter(move |(_, section)| {
            section.flags & SHF_ALLOC != 0 && which(section.flags, section.kind)
        })
        .map(|(index, _)| SectionId(u32::try_from(index).unwrap_or(u32::MAX)))
        .collect::<Vec<_>>()
        .into_iter()
}

/// Places sections one behind the other and gives the address behind the last. `exact` is placed
/// where it is asked for, whatever its alignment.
fn stack_up(
    code: &Code,
    sections: &[SectionId],
    start: u64,
    exact: Option<SectionId>,
    places: &mut Places,
) -> u64 {
    let mut address = start;
    for &id in sections {
        let section = &code.sections[id.0 as usize];
        if Some(id) != exact {
            address = address.next_multiple_of(section.align.max(1));
        }
        places.sections[id.0 as usize] = Some(address);
        address = address.saturating_add(section.size);
    }
    address
}

/// Gives room to `.comm` symbols and to random tables that the code does not define itself.
fn provide(case: &Case, start: u64, places: &mut Places) -> (u64, Vec<Option<u64>>) {
    let mut address = start;
    for symbol in &case.code.symbols {
        if let SymbolPlace::Common(size, align) | SymbolPlace::LargeCommon(size, align) =
            symbol.place
        {
            address = address.next_multiple_of(align.max(1));
            places.provided.insert(symbol.name.to_string(), address);
            address = address.saturating_add(size);
        }
    }
    let tables = case
        .randoms
        .iter()
        .map(|random| {
            let defined = case
                .code
                .symbol(&random.symbol)
                .is_some_and(|symbol| symbol.place != SymbolPlace::Undefined);
            (!defined).then(|| {
                address = address.next_multiple_of(64);
                let table = address;
                places.provided.insert(random.symbol.clone(), table);
                address = address.saturating_add(bytes(random));
                table
            })
        })
        .collect();
    (address, tables)
}

/// The address of a random table that the code defines.
fn table(
    code: &Code,
    random: &Random,
    places: &Places,
    writable: &[Range<u64>],
) -> Result<u64, String> {
    let name = &random.symbol;
    let address = code.symbol(name).and_then(|symbol| match symbol.place {
        SymbolPlace::In(section, offset) => {
            Some(places.sections[section.0 as usize]?.wrapping_add(offset))
        }
        SymbolPlace::Common(..) | SymbolPlace::LargeCommon(..) => {
            places.provided.get(name).copied()
        }
        SymbolPlace::Absolute(_) | SymbolPlace::Undefined => None,
    });
    let fits = |address: &u64| {
        writable
            .iter()
            .any(|range| range.contains(address) && range.end - address >= bytes(random))
    };
    address.filter(fits).ok_or_else(|| {
        format!(
            "`#: random {name}` needs {} writable bytes at `{name}`: reserve them in .data or \
             .bss, or leave the symbol undefined",
            bytes(random)
        )
    })
}

/// Bytes of a random table.
fn bytes(random: &Random) -> u64 {
    let width = match random.width {
        Width::Byte => 1,
        Width::Word => 2,
        Width::Long => 4,
    };
    u64::from(random.count) * width
}
