//! Sections by name: the flags and types that GNU as gives them, and `.section`'s own.

use std::borrow::Cow;

use sequence::SectionRef;

use crate::layout::problem;

/// `SHF_` values.
pub(crate) const WRITE: u64 = 1;
pub(crate) const ALLOC: u64 = 2;
pub(crate) const EXECUTE: u64 = 4;
pub(crate) const MERGE: u64 = 0x10;
const STRINGS: u64 = 0x20;
const LINK_ORDER: u64 = 0x80;
pub(crate) const GROUP: u64 = 0x200;
pub(crate) const TLS: u64 = 0x400;
const RETAIN: u64 = 0x20_0000;
const LARGE: u64 = 0x1000_0000;
const EXCLUDE: u64 = 0x8000_0000;

/// `SHT_` values.
const PROGBITS: u32 = 1;
const NOTE: u32 = 7;
pub(crate) const NOBITS: u32 = 8;
const INIT_ARRAY: u32 = 14;
const FINI_ARRAY: u32 = 15;
const PREINIT_ARRAY: u32 = 16;
const UNWIND: u32 = 0x7000_0001;

/// A section that is being filled.
#[derive(Clone, Debug)]
pub(crate) struct SectionState {
    pub(crate) name: String,
    pub(crate) flags: u64,
    pub(crate) kind: u32,
    pub(crate) entry_size: u64,
    pub(crate) align: u64,
    /// Signature of its COMDAT group.
    pub(crate) group: Option<String>,
}

impl SectionState {
    /// What tells it apart: sections of one name in several groups are several.
    pub(crate) fn key(&self) -> Cow<'_, str> {
        match &self.group {
            None => Cow::Borrowed(&self.name),
            Some(group) => Cow::Owned(format!("{}\0{group}", self.name)),
        }
    }

    /// Whether padding in it is NOPs.
    pub(crate) fn is_code(&self) -> bool {
        self.flags & EXECUTE != 0
    }

    /// Whether it has no bytes.
    pub(crate) fn is_empty_in_file(&self) -> bool {
        self.kind == NOBITS
    }
}

/// Flags and type by name alone.
fn by_name(name: &str) -> (u64, u32) {
    let is = |base: &str| {
        name == base
            || name
                .strip_prefix(base)
                .is_some_and(|rest| rest.starts_with('.'))
    };
    if is(".text") || name == ".init" || name == ".fini" || name == ".plt" {
        (ALLOC | EXECUTE, PROGBITS)
    } else if is(".bss") {
        (ALLOC | WRITE, NOBITS)
    } else if is(".tbss") {
        (ALLOC | WRITE | TLS, NOBITS)
    } else if is(".tdata") {
        (ALLOC | WRITE | TLS, PROGBITS)
    } else if is(".data") || name == ".data1" || name == ".got" {
        (ALLOC | WRITE, PROGBITS)
    } else if is(".rodata") || name == ".rodata1" {
        (ALLOC, PROGBITS)
    } else if is(".init_array") {
        (ALLOC | WRITE, INIT_ARRAY)
    } else if is(".fini_array") {
        (ALLOC | WRITE, FINI_ARRAY)
    } else if is(".preinit_array") {
        (ALLOC | WRITE, PREINIT_ARRAY)
    } else if name == ".eh_frame" {
        (ALLOC, UNWIND)
    } else if name == ".note.GNU-stack" {
        (0, PROGBITS)
    } else if name.starts_with(".note") {
        (0, NOTE)
    } else {
        (0, PROGBITS)
    }
}

/// The section that a reference asks for.
///
/// # Errors
/// Unknown flags or types.
pub(crate) fn describe(reference: &SectionRef) -> Result<SectionState, sequence::Problem> {
    let (mut flags, mut kind) = by_name(&reference.name);
    let mut entry_size = 0;
    let mut group = None;
    if let Some(text) = &reference.flags.flags {
        flags = 0;
        for letter in text.chars() {
            flags |= match letter {
                'a' => ALLOC,
                'w' => WRITE,
                'x' => EXECUTE,
                'M' => MERGE,
                'S' => STRINGS,
                'G' => GROUP,
                'T' => TLS,
                'o' => LINK_ORDER,
                'e' => EXCLUDE,
                'R' => RETAIN,
                'l' => LARGE,
                '?' => 0,
                _ => {
                    return Err(problem(
                        format!("unknown section flag `{letter}`"),
                        "the flags are a, w, x, M, S, G, T, o, e, R, l and ?",
                    ));
                }
            };
        }
        if flags & MERGE != 0 {
            entry_size = reference
                .flags
                .rest
                .first()
                .and_then(|text| text.trim().parse().ok())
                .unwrap_or(0);
        }
        if flags & GROUP != 0 {
            group = group_of(reference, usize::from(flags & MERGE != 0))?;
        }
        // Flags given for a well-known section add to what its name says.
        let (known, _) = by_name(&reference.name);
        flags |= known & (ALLOC | WRITE | EXECUTE | TLS);
    }
    if let Some(word) = &reference.flags.kind {
        kind = match word.as_str() {
            "progbits" => PROGBITS,
            "nobits" => NOBITS,
            "note" => NOTE,
            "init_array" => INIT_ARRAY,
            "fini_array" => FINI_ARRAY,
            "preinit_array" => PREINIT_ARRAY,
            "unwind" => UNWIND,
            other => {
                let digits = other.strip_prefix("0x");
                let number = digits.map_or_else(
                    || other.parse().ok(),
                    |digits| u32::from_str_radix(digits, 16).ok(),
                );
                number.ok_or_else(|| {
                    problem(
                        format!("unknown section type `{other}`"),
                        "the types are progbits, nobits, note, init_array, fini_array, \
                         preinit_array and unwind",
                    )
                })?
            }
        };
    }
    if matches!(kind, INIT_ARRAY | FINI_ARRAY | PREINIT_ARRAY) && entry_size == 0 {
        entry_size = 8;
    }
    Ok(SectionState {
        name: reference.name.clone(),
        flags,
        kind,
        entry_size,
        align: 1,
        group,
    })
}

/// The COMDAT group that a reference names behind its type and entry size. Other groups only say what
/// belongs together, which this assembler does not keep.
fn group_of(reference: &SectionRef, before: usize) -> Result<Option<String>, sequence::Problem> {
    let rest = &reference.flags.rest;
    let signature = rest.get(before).map(|name| name.trim().trim_matches('"'));
    let Some(signature) = signature.filter(|name| !name.is_empty()) else {
        return Err(problem(
            "a section with the flag `G` has no group",
            "name it behind the type: `\"axG\",@progbits,NAME,comdat`",
        ));
    };
    match rest.get(before + 1).map(|word| word.trim()) {
        Some("comdat") => Ok(Some(signature.to_owned())),
        None => Ok(None),
        Some(other) => Err(problem(
            format!("a group cannot be `{other}`"),
            "`comdat` is the one kind there is",
        )),
    }
}
