//! Sections by name: the flags and types that GNU as gives them, and `.section`'s own.

use sequence::{Origin, Problem, SectionRef};

use crate::layout::problem;

/// `SHF_` values.
pub(crate) const WRITE: u64 = 1;
pub(crate) const ALLOC: u64 = 2;
pub(crate) const EXECUTE: u64 = 4;
pub(crate) const MERGE: u64 = 0x10;
const STRINGS: u64 = 0x20;
pub(crate) const LINK_ORDER: u64 = 0x80;
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
    /// Name of its group.
    pub(crate) group: Option<String>,
    /// Whether a linker keeps one copy of that group.
    pub(crate) is_comdat: bool,
    /// The section or symbol that its flag `o` names.
    pub(crate) link_name: Option<String>,
    /// The index of that section, once all are known.
    pub(crate) link: Option<u32>,
    /// Where that was written.
    pub(crate) link_at: Origin,
    /// `unique,NUMBER`
    pub(crate) unique: Option<u32>,
}

impl SectionState {
    /// What tells it from others of its name.
    pub(crate) fn key(&self) -> String {
        let mut key = self.name.clone();
        if self.group.is_some() || self.link_name.is_some() || self.unique.is_some() {
            let (group, link) = (self.group.as_deref(), self.link_name.as_deref());
            key.push_str(&format!("\0{group:?}\0{link:?}\0{:?}", self.unique));
        }
        key
    }

    /// Whether padding in it is NOPs.
    pub(crate) fn is_code(&self) -> bool {
        self.flags & EXECUTE != 0
    }

    /// Whether it has bytes, in entries of one size that a linker merges.
    pub(crate) fn is_merged(&self) -> bool {
        self.flags & MERGE != 0 && !self.is_empty_in_file()
    }

    /// Whether it has no bytes.
    pub(crate) fn is_empty_in_file(&self) -> bool {
        self.kind == NOBITS
    }
}

/// Names with the flags and types that they have by themselves; the second ones also with a dot and more
/// behind them.
const EXACT: [(&str, u64, u32); 9] = [
    (".init", ALLOC | EXECUTE, PROGBITS),
    (".fini", ALLOC | EXECUTE, PROGBITS),
    (".plt", ALLOC | EXECUTE, PROGBITS),
    (".data1", ALLOC | WRITE, PROGBITS),
    (".got", ALLOC | WRITE, PROGBITS),
    (".rodata1", ALLOC, PROGBITS),
    (".eh_frame", ALLOC, UNWIND),
    (".note.GNU-stack", 0, PROGBITS),
    (".persistent.bss", ALLOC | WRITE, NOBITS),
];
const WITH_SUFFIX: [(&str, u64, u32); 19] = [
    (".text", ALLOC | EXECUTE, PROGBITS),
    (".data", ALLOC | WRITE, PROGBITS),
    (".bss", ALLOC | WRITE, NOBITS),
    (".rodata", ALLOC, PROGBITS),
    (".tdata", ALLOC | WRITE | TLS, PROGBITS),
    (".tbss", ALLOC | WRITE | TLS, NOBITS),
    (".init_array", ALLOC | WRITE, INIT_ARRAY),
    (".fini_array", ALLOC | WRITE, FINI_ARRAY),
    (".preinit_array", ALLOC | WRITE, PREINIT_ARRAY),
    (".noinit", ALLOC | WRITE, NOBITS),
    (".persistent", ALLOC | WRITE, PROGBITS),
    (".ldata", ALLOC | WRITE | LARGE, PROGBITS),
    (".lbss", ALLOC | WRITE | LARGE, NOBITS),
    (".lrodata", ALLOC | LARGE, PROGBITS),
    (".gnu.linkonce.b", ALLOC | WRITE, NOBITS),
    (".gnu.linkonce.lb", ALLOC | WRITE | LARGE, NOBITS),
    (".gnu.linkonce.lr", ALLOC | LARGE, PROGBITS),
    (".gnu.linkonce.n", ALLOC | WRITE, NOBITS),
    (".gnu.linkonce.p", ALLOC | WRITE, PROGBITS),
];

/// Flags and type by name alone, where the name says any.
fn by_name(name: &str) -> Option<(u64, u32)> {
    let exact = EXACT.iter().find(|(known, ..)| *known == name);
    let known = exact.or_else(|| {
        WITH_SUFFIX.iter().find(|(known, ..)| {
            name.strip_prefix(known)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    });
    match known {
        Some(&(_, flags, kind)) => Some((flags, kind)),
        None if name.starts_with(".note") => Some((0, NOTE)),
        None => None,
    }
}

/// Flags as they are written: letters, and numbers whose bits are added.
fn written_flags(text: &str) -> Result<u64, Problem> {
    let mut flags = 0;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter.is_ascii_digit() {
            let end = rest.find(|digit: char| !digit.is_ascii_alphanumeric());
            let word = &rest[..end.unwrap_or(rest.len())];
            let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                Some(digits) => {
                    let end = digits.find(|digit: char| !digit.is_ascii_hexdigit());
                    let digits = &digits[..end.unwrap_or(digits.len())];
                    rest = &rest[2 + digits.len()..];
                    u64::from_str_radix(digits, 16).ok()
                }
                None => {
                    let end = word.find(|digit: char| !digit.is_ascii_digit());
                    let digits = &word[..end.unwrap_or(word.len())];
                    rest = &rest[digits.len()..];
                    let radix = if digits.starts_with('0') { 8 } else { 10 };
                    u64::from_str_radix(digits, radix).ok()
                }
            };
            flags |= number.ok_or_else(|| {
                problem(
                    format!("the section flags `{text}` have a number that is none"),
                    "write letters, or a number like 0x2",
                )
            })?;
            continue;
        }
        rest = &rest[letter.len_utf8()..];
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
    Ok(flags)
}

/// The section that a reference asks for. What is odd about it, and taken all the same as GNU as takes it,
/// is added to `doubts`.
///
/// # Errors
/// Unknown flags, sizes and groups that are none.
pub(crate) fn describe(
    reference: &SectionRef,
    doubts: &mut Vec<String>,
) -> Result<SectionState, Problem> {
    let named = by_name(&reference.name);
    let (mut flags, mut kind) = named.unwrap_or((0, PROGBITS));
    let mut entry_size = 0;
    let mut rest = reference.flags.rest.iter().map(|word| word.trim());
    let mut group = None;
    let mut link = None;
    let mut is_comdat = false;
    if let Some(text) = &reference.flags.flags {
        flags = written_flags(text)?;
        if flags & MERGE != 0 {
            let number = |text: &str| text.parse::<i64>();
            match rest.next().map(number) {
                Some(Ok(size @ 0..)) => entry_size = size.cast_unsigned(),
                Some(Err(_)) => {
                    return Err(problem(
                        "the size of a merged section's entries is no number",
                        "write the number of bytes: `\"aM\",@progbits,8`",
                    ));
                }
                _ => {
                    flags &= !MERGE;
                    doubts.push(
                        "a merged section without the size of its entries is not merged".to_owned(),
                    );
                }
            }
        }
        if flags & LINK_ORDER != 0 {
            link = rest.next().map(unquoted).filter(|name| !name.is_empty());
            if link.is_none() {
                return Err(problem(
                    "a section with the flag `o` names no other section",
                    "name it behind the type: `\"ao\",@progbits,NAME`",
                ));
            }
        }
        if flags & GROUP != 0 {
            group = rest.next().map(unquoted).filter(|name| !name.is_empty());
            if group.is_none() {
                flags &= !GROUP;
                doubts
                    .push("a section with the flag `G` names no group, and is in none".to_owned());
            }
        }
        let mut ahead = rest.clone();
        if flags & GROUP != 0 && ahead.next() == Some("comdat") {
            is_comdat = true;
            rest = ahead;
        }
        // What the name says is added, unless the flags say something else altogether.
        let (known, own_kind) = named.unwrap_or((0, PROGBITS));
        let more = flags & (ALLOC | WRITE | EXECUTE | TLS | LARGE) & !known;
        if named.is_some() && more == 0 || own_kind == NOTE {
            flags |= known;
        }
    }
    let unique = match (rest.next(), rest.next()) {
        (None, _) => None,
        (Some("unique"), Some(number)) => match number.parse::<u32>() {
            Ok(number) => Some(number),
            Err(_) => {
                return Err(problem(
                    format!("`unique` takes a number, and `{number}` is none"),
                    "write `unique,1`",
                ));
            }
        },
        (Some(other), _) if flags & GROUP != 0 && !is_comdat => {
            return Err(problem(
                format!("a group cannot be `{other}`"),
                "`comdat` is the one kind there is",
            ));
        }
        (Some(other), _) => {
            return Err(problem(
                format!("`{other}` does not belong behind the section's type"),
                "`unique,NUMBER` can stand here",
            ));
        }
    };
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
                number.unwrap_or_else(|| {
                    doubts.push(format!(
                        "the section type `{other}` is none of progbits, nobits, note, init_array, \
                         fini_array, preinit_array and unwind, and is left out"
                    ));
                    kind
                })
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
        is_comdat,
        link_name: link,
        link: None,
        link_at: Origin::default(),
        unique,
    })
}

fn unquoted(word: &str) -> String {
    word.trim_matches('"').to_owned()
}
