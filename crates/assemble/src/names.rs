//! GNU as's names for instruction forms, and the order in which it tries forms of one name.

use std::sync::LazyLock;

use iced_x86::Code;

use crate::aliases::{self, Spelling};
use crate::forms::{FORMS, Form, MOST_OPERANDS, Slot, Space, types::*};
use crate::intel;
use crate::symbols::NameMap;

/// How an operand as written reaches the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// One slot, in Intel's order.
    Slot(u8),
    /// The first two slots (`imul $5,%eax`).
    FirstTwo,
    /// Nowhere: it only says what the opcode says.
    Nowhere,
}

/// One way to write one form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Index into [`FORMS`].
    pub(crate) form: u16,
    /// Number of operands as written.
    pub(crate) count: u8,
    /// Types of operands, in AT&T's order.
    pub(crate) accepts: [u64; MOST_OPERANDS],
    /// Where they go.
    pub(crate) to: [To; MOST_OPERANDS],
    /// A slot that is not written, and what goes there: `st(1)`, a predicate.
    pub(crate) filled: Option<(u8, u8)>,
    /// Operand size in bytes as a suffix would say it; 0 where there is none.
    pub(crate) width: u8,
    /// For `jmp` and `jcc` whose distance decides their length: the condition.
    pub(crate) branch: Option<Option<u8>>,
    /// The lower the earlier it is tried.
    pub(crate) rank: u16,
}

impl Candidate {
    /// The form.
    pub(crate) fn form(&self) -> &'static Form {
        &FORMS[usize::from(self.form)]
    }

    /// Types of operands as written.
    pub(crate) fn accepts(&self) -> &[u64] {
        &self.accepts[..usize::from(self.count)]
    }
}

/// All candidates of one name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// In the order in which they are tried.
    pub(crate) candidates: Vec<Candidate>,
    /// Operand size in bytes that the name's suffix says, or 0.
    pub(crate) suffix: u8,
}

/// Every name in AT&T syntax.
pub(crate) static NAMES: LazyLock<NameMap<Box<str>, Named>> = LazyLock::new(|| build(false));

/// Every name in Intel syntax, where memory operands state the size.
pub(crate) static INTEL_NAMES: LazyLock<NameMap<Box<str>, Named>> = LazyLock::new(|| build(true));

/// Forms that GNU as never picks: further encodings of the same thing.
fn is_duplicate(code: Code) -> bool {
    let name = format!("{code:?}");
    let undocumented = [
        "_DCD0", "_DCD8", "_DDC8", "_DED0", "_DFC8", "_DFD0", "_DFD8", "_F6r1", "_F7r1", "_E9",
        "_EA", "_EB", "_EC", "_ED", "_EE", "_EF", "_F1", "_F2", "_F3", "_F4", "_F5", "_F6", "_F7",
        "_F9", "_FA", "_FB", "_FC", "_FD", "_FE", "_FF",
    ];
    name.starts_with("Reservednop")
        || name.starts_with("Sal_")
        || name.starts_with("Fstpnce")
        || name.starts_with("Prefetchreserved")
        || name.starts_with("Via_undoc")
        || name.starts_with("VEX_KNC")
        || name.starts_with("Getsecq")
        || is_younger(&format!("{:?}", code.mnemonic()).to_lowercase())
        || is_narrow_padlock(&name)
        || name.ends_with("_alt_32")
        || name.ends_with("_alt_64")
        || undocumented.iter().any(|ending| name.ends_with(ending))
}

/// Whether GNU as 2.40 does not know this instruction yet, or no longer, so that it cannot be asked
/// how it is encoded. `name` is iced-x86's, in lower case.
pub(crate) fn is_younger(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "erets",
        "eretu",
        "lkgs",
        "pbndkb",
        "pcommit",
        "tcmmimfp16ps",
        "tcmmrlfp16ps",
        "vsha512msg1",
        "vsha512msg2",
        "vsha512rnds2",
        "vsm3msg1",
        "vsm3msg2",
        "vsm3rnds2",
        "vsm4key4",
        "vsm4rnds4",
        "vpdpwuud",
        "vpdpwuuds",
    ];
    NAMES.contains(&name)
        || ["vpdpwsud", "vpdpwusd"].iter().any(|stem| {
            name.strip_prefix(stem)
                .is_some_and(|rest| matches!(rest, "" | "s"))
        })
}

/// PadLock's instructions with 32-bit addresses, which GNU as makes with `addr32`.
fn is_narrow_padlock(name: &str) -> bool {
    name.ends_with("_32")
        && ["Xcrypt", "Xstore", "Xsha", "Montmul", "Ccs_"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// Operand size in bytes that a suffix would state for this form; 0 where there is no such thing.
fn width(form: &Form) -> u8 {
    match form.operand_size {
        16 => return 2,
        32 => return 4,
        64 => return 8,
        _ => {}
    }
    // `crc32b %al,%ecx`: the source counts.
    let of_source = matches!(form.code, Code::Crc32_r32_rm8 | Code::Crc32_r64_rm8);
    let mut accepts = form.accepts().iter();
    if of_source {
        accepts.next();
    }
    for &types in accepts {
        if types & R8 != 0 || types & AL != 0 {
            return 1;
        }
        if types & R32 != 0 {
            return 4;
        }
        if types & R64 != 0 {
            return 8;
        }
    }
    0
}

fn is_vector(types: u64) -> bool {
    types & (ANY_VECTOR | MM | MASK | BND | TMM) != 0
}

/// The lower the earlier: what GNU as tries first.
fn rank(form: &Form) -> u16 {
    // `int $3` is int3 before it is an `int` with an operand.
    if form.code == Code::Int_imm8 {
        return 50;
    }
    let mut rank = match form.space {
        Space::Legacy | Space::D3Now => 0,
        Space::Vex | Space::Xop => 100,
        Space::Evex => 200,
    };
    // Where AVX-512 came first, GNU as keeps to EVEX unless `{vex}` is written.
    if form.space == Space::Vex && aliases::is_evex_first(form.code) {
        rank = 300;
    }
    let slots = form.slots();
    let accepts = form.accepts();
    for (slot, &types) in slots.iter().zip(accepts) {
        rank += match slot {
            Slot::Immediate(1) if types & IMM8S != 0 => 0,
            Slot::Implied if types & (AL | AX | EAX | RAX) != 0 => 1,
            Slot::Implied | Slot::Opcode => 0,
            Slot::Immediate(8) => 9,
            Slot::Immediate(_) | Slot::Immediate32S => 4,
            Slot::Offset => 20,
            _ => 2,
        };
    }
    // Between general registers the form that could store, between others the one that loads.
    let stores = slots.first() == Some(&Slot::Rm) && slots.get(1) == Some(&Slot::Reg);
    let loads = slots.first() == Some(&Slot::Reg) && slots.get(1) == Some(&Slot::Rm);
    let vector = accepts.iter().any(|&types| is_vector(types));
    if (stores && vector) || (loads && !vector) {
        rank += 10;
    }
    // Of two that differ in which source may be memory, GNU as takes W1 for FMA4.
    if form.space == Space::Vex && form.w == 0 && slots.get(3) == Some(&Slot::Is4) {
        let name = format!("{:?}", form.code);
        if name.contains("Vfm") || name.contains("Vfnm") {
            rank += 1;
        }
    }
    // `crc32 (%rsi),%rcx` reads as much as it has room for.
    match form.code {
        Code::Crc32_r32_rm8 | Code::Crc32_r64_rm8 => rank += 40,
        Code::Crc32_r32_rm16 => rank += 20,
        _ => {}
    }
    // The forms that need no general register come first.
    if matches!(
        form.code,
        Code::Movq_xmm_rm64
            | Code::Movq_rm64_xmm
            | Code::Movq_mm_rm64
            | Code::Movq_rm64_mm
            | Code::VEX_Vmovq_xmm_rm64
            | Code::VEX_Vmovq_rm64_xmm
    ) {
        rank += 30;
    }
    rank
}

/// The plain way to write a form: operands in reverse, implied memory left out.
fn plain(index: usize, form: &Form) -> Candidate {
    let mut candidate = Candidate {
        form: u16::try_from(index).unwrap_or(u16::MAX),
        count: 0,
        accepts: [NEVER; MOST_OPERANDS],
        to: [To::Nowhere; MOST_OPERANDS],
        filled: None,
        width: width(form),
        branch: None,
        rank: rank(form),
    };
    let count = usize::from(form.count);
    for place in 0..count {
        let from = if aliases::keeps_order(form.code) {
            place
        } else {
            count - 1 - place
        };
        candidate.accepts[place] = form.accepts[from];
        candidate.to[place] = match form.slots[from] {
            Slot::Implied => To::Nowhere,
            _ => To::Slot(u8::try_from(from).unwrap_or(0)),
        };
    }
    candidate.count = form.count;
    candidate
}

impl Candidate {
    /// The same with operand `place` left out.
    pub(crate) fn without(mut self, place: usize) -> Self {
        let count = usize::from(self.count);
        self.accepts.copy_within(place + 1..count, place);
        self.to.copy_within(place + 1..count, place);
        self.count -= 1;
        self
    }

    /// The same with one more operand in front, which only says what the opcode says.
    pub(crate) fn with_front(mut self, types: u64) -> Self {
        let count = usize::from(self.count);
        self.accepts.copy_within(0..count, 1);
        self.to.copy_within(0..count, 1);
        self.accepts[0] = types;
        self.to[0] = To::Nowhere;
        self.count += 1;
        self
    }

    /// The same with one more operand at the end, which only says what the opcode says.
    pub(crate) fn with_back(mut self, types: u64) -> Self {
        let count = usize::from(self.count);
        self.accepts[count] = types;
        self.to[count] = To::Nowhere;
        self.count += 1;
        self
    }

    /// The same with the first two operands exchanged.
    pub(crate) fn exchanged(mut self) -> Self {
        self.accepts.swap(0, 1);
        self.to.swap(0, 1);
        self
    }

    /// The same, but operand `place` must be of these types.
    pub(crate) fn only(mut self, place: usize, types: u64) -> Self {
        self.accepts[place] = types;
        self
    }
}

/// Suffix letter of an operand size.
fn letter(width: u8) -> Option<char> {
    Some(match width {
        1 => 'b',
        2 => 'w',
        4 => 'l',
        8 => 'q',
        _ => return None,
    })
}

struct Builder {
    names: NameMap<Box<str>, Named>,
}

impl Builder {
    fn add(&mut self, name: &str, candidate: Candidate, suffix: u8) {
        let named = self.names.entry(name.into()).or_default();
        named.suffix = suffix;
        named.candidates.push(candidate);
    }

    /// Adds `name`, and `name` with its suffix.
    fn add_sized(&mut self, name: &str, candidate: Candidate) {
        self.add(name, candidate, 0);
        if let Some(letter) = letter(candidate.width) {
            self.add(&format!("{name}{letter}"), candidate, candidate.width);
        }
    }
}

fn build(intel: bool) -> NameMap<Box<str>, Named> {
    let mut builder = Builder {
        names: NameMap::default(),
    };
    for (index, form) in FORMS.iter().enumerate() {
        if is_duplicate(form.code) {
            continue;
        }
        let base = format!("{:?}", form.code.mnemonic()).to_lowercase();
        let candidate = plain(index, form);
        if intel {
            intel::spell(form, &base, candidate, &mut |name, candidate, suffix| {
                builder.add(name, candidate, suffix);
            });
            continue;
        }
        aliases::spell(
            form,
            &base,
            candidate,
            false,
            &mut |spelling| match spelling {
                Spelling::Plain(name, candidate) => builder.add(name, candidate, 0),
                Spelling::Sized(name, candidate) => builder.add_sized(name, candidate),
                Spelling::Suffixed(name, candidate) => {
                    builder.add(name, candidate, candidate.width);
                }
            },
        );
    }
    for named in builder.names.values_mut() {
        named.candidates.sort_by_key(|candidate| candidate.rank);
        named.candidates.shrink_to_fit();
    }
    builder.names
}
