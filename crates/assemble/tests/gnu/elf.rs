//! Object files in full: what `readelf` shows of sections, groups, symbols and relocations, these in their
//! order, is what it shows of GNU as's, symbols in their order too.

use std::collections::BTreeSet;

use object::LittleEndian;
use object::elf::{FileHeader64, SHT_GROUP, SHT_NOBITS, SHT_RELA, STT_SECTION};
use object::read::elf::{FileHeader, Rela, SectionHeader, Sym};

use crate::compilers::compiled;
use crate::reference::{ours, theirs};

/// Sections that one side has alone, by how their names start: line tables and what `.cfi_*` and `.ident`
/// leave, and the tables of the file itself.
const APART: [&str; 7] = [
    ".debug",
    ".eh_frame",
    ".comment",
    ".symtab",
    ".strtab",
    ".shstrtab",
    ".rela",
];

/// One line for each section, symbol, relocation and group.
fn exact(data: &[u8]) -> Vec<String> {
    let endian = LittleEndian;
    let header = FileHeader64::<LittleEndian>::parse(data).expect("ELF");
    let sections = header.sections(endian, data).expect("sections");
    let symbols = sections
        .symbols(endian, data, object::elf::SHT_SYMTAB)
        .expect("symbols");
    let name = |index: usize| -> String {
        if index == 0 {
            return String::new();
        }
        let section = sections.section(object::SectionIndex(index));
        let name = section.and_then(|section| sections.section_name(endian, section));
        String::from_utf8_lossy(name.expect("a section's name")).into_owned()
    };
    let text_of = |index: usize| -> String {
        if index == 0 {
            return String::new();
        }
        let symbol = symbols
            .symbol(object::SymbolIndex(index))
            .expect("a symbol");
        if symbol.st_type() == STT_SECTION {
            return format!("section {}", name(usize::from(symbol.st_shndx(endian).0)));
        }
        let name = symbols.symbol_name(endian, symbol).expect("a name");
        String::from_utf8_lossy(name).into_owned()
    };
    let mut found = vec![format!("ABI {:?}", header.e_ident().os_abi)];
    let mut relocations = Vec::new();
    let mut targets = BTreeSet::new();
    for (index, section) in sections.enumerate() {
        let own = name(index.0);
        let kind = section.sh_type(endian);
        if kind == SHT_RELA {
            let of = name(section.sh_info(endian) as usize);
            if APART.iter().any(|start| of.starts_with(start)) {
                continue;
            }
            let (rows, _) = section
                .rela(endian, data)
                .expect("relocations")
                .expect("rows");
            for row in rows {
                let target = row.r_sym(endian, false);
                if target > 0 {
                    targets.insert(target as usize);
                }
                relocations.push(format!(
                    "{of}: {:#x} {:?} {} {}",
                    row.r_offset(endian),
                    row.r_type(endian, false),
                    text_of(target as usize),
                    row.r_addend(endian),
                ));
            }
        } else if kind == SHT_GROUP {
            let (flags, members) = section
                .group(endian, data)
                .expect("a group")
                .expect("members");
            let members: Vec<String> = members
                .iter()
                .map(|member| name(member.get(endian) as usize))
                .filter(|name| !name.starts_with(".rela.eh_frame"))
                .collect();
            found.push(format!(
                "group {} {flags:?}: {members:?}",
                text_of(section.sh_info(endian) as usize)
            ));
        } else if index.0 > 0 && !APART.iter().any(|start| own.starts_with(start)) {
            let bytes = if kind == SHT_NOBITS {
                &[][..]
            } else {
                section.data(endian, data).expect("bytes")
            };
            let link = section.sh_link(endian) as usize;
            found.push(format!(
                "{own}: {kind:?} {:?} align {} entries of {} link {} {bytes:02x?}",
                section.sh_flags(endian),
                section.sh_addralign(endian),
                section.sh_entsize(endian),
                if link > 0 { name(link) } else { String::new() },
            ));
        }
    }
    found.extend(relocations);
    let mut table = Vec::new();
    for (index, symbol) in symbols.enumerate() {
        // A line table is relative to sections that nothing else may be relative to.
        // Without symbols GNU as has no table of them, and so not even the first one.
        if index.0 == 0 || symbol.st_type() == STT_SECTION && !targets.contains(&index.0) {
            continue;
        }
        let place = symbol.st_shndx(endian).0;
        let place = if (1..0xff00).contains(&place) {
            name(usize::from(place))
        } else {
            format!("{place:#x}")
        };
        table.push(format!(
            "{} {:?} {:?} in {place} at {:#x} size {}",
            text_of(index.0),
            symbol.st_info(),
            symbol.st_other(),
            symbol.st_value(endian),
            symbol.st_size(endian),
        ));
    }
    found.extend(table);
    found
}

fn check(text: &str) {
    let theirs = theirs(text).expect("GNU as takes it");
    let code = ours(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let found = difference(&code.object("/").expect("an object"), &theirs);
    assert_eq!(found, None);
}

/// Where two objects differ, if they do.
pub(crate) fn difference(ours: &[u8], theirs: &[u8]) -> Option<String> {
    let (ours, theirs) = (exact(ours), exact(theirs));
    let only = |some: &[String], others: &[String]| -> Vec<String> {
        let missing = some.iter().filter(|line| !others.contains(line));
        missing.cloned().collect()
    };
    (ours != theirs).then(|| {
        let first = ours
            .iter()
            .zip(&theirs)
            .find(|(ours, theirs)| ours != theirs);
        format!(
            "only here: {:#?}\nonly GNU as: {:#?}\nfirst, here and by GNU as: {first:#?}",
            only(&ours, &theirs),
            only(&theirs, &ours)
        )
    })
}

/// Every `@` in fields of 4 and 8 bytes and in instructions, and the global offset table itself.
#[test]
fn modifiers() {
    check(include_str!("../units/modifiers.s"));
}

/// What relocations name: sections or symbols, local, global, weak, in groups, merged.
#[test]
fn relocations() {
    check(include_str!("../units/relocations.s"));
}

/// What an alias has from the symbol that it stands for.
#[test]
fn aliases() {
    check(include_str!("../units/aliases.s"));
}

#[test]
fn kinds_of_symbols() {
    check(include_str!("../units/kinds.s"));
}

#[test]
fn flags_of_sections() {
    check(include_str!("../units/section_flags.s"));
}

/// gcc's output, by how symbols are reached.
#[test]
fn compilers() {
    for options in [
        &["-O0"][..],
        &["-O2", "-fPIC", "-mtls-dialect=gnu2", "-fcommon"],
        &["-O2", "-mcmodel=large", "-fPIC"],
        &["-O2", "-mcmodel=medium", "-fPIC", "-ffunction-sections"],
        &[
            "-O2",
            "-fno-pic",
            "-fstack-protector-all",
            "-fdata-sections",
        ],
        &["-O2", "-fPIC", "-fno-plt", "-fvisibility=hidden"],
    ] {
        check(&compiled("dialect.c", options));
        check(&compiled("symbols.c", options));
    }
}

/// What both refuse, each by itself.
#[test]
fn refused_by_both() {
    for text in [
        ".byte foo@GOT\n",
        ".long foo@GOTOFF\n",
        ".quad foo@PLT\n",
        ".data\nd: .long d@TPOFF\n",
        ".comm c, 4\n.set a, c\n",
        ".set a, b\n.set b, a\n.long a\n",
    ] {
        assert!(theirs(text).is_err(), "GNU as takes {text}");
        assert!(ours(text).is_err(), "taken here: {text}");
    }
}
