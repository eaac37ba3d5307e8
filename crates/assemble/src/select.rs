//! Which of a name's forms fits the operands.

use std::collections::HashMap;

use iced_x86::{Code, Mnemonic};
use sequence::{
    Broadcast, Instruction, Modifier, Prefix, Problem, PseudoPrefix, RegisterClass, Syntax,
};

use crate::symbols::NameMap;

use crate::expr::Folded;
use crate::forms::{Form, Slot, Space, types::*};
use crate::intel;
use crate::layout::problem;
use crate::names::{self, Candidate, INTEL_NAMES, NAMES, Named};
use crate::operand::{Address, Operands, PlacedRounding, Value, Written, immediate_types, is_cut};

/// Width in bytes of the last general register, which is what an immediate is measured by.
pub(crate) fn register_width(operands: &Operands) -> u8 {
    for operand in operands.list.iter().rev() {
        if let Value::Register(register) = operand.value {
            match register.class {
                RegisterClass::Gpr8 | RegisterClass::Gpr8High => return 1,
                RegisterClass::Gpr16 => return 2,
                RegisterClass::Gpr32 => return 4,
                RegisterClass::Gpr64 => return 8,
                _ => {}
            }
        }
    }
    0
}

/// Width in bytes that Intel syntax states for memory.
fn memory_width(operands: &Operands) -> u8 {
    operands
        .list
        .iter()
        .find_map(|operand| match &operand.value {
            Value::Memory(address) => address.size,
            _ => None,
        })
        .map_or(0, |size| u8::try_from(size).unwrap_or(0))
}

/// Whether memory has the size, and is far or not, as Intel syntax states it.
fn fits_memory(candidate: &Candidate, list: &[Written], name: &str) -> bool {
    let form = candidate.form();
    list.iter().all(|operand| match &operand.value {
        Value::Memory(address) => {
            let far = intel::is_far(form);
            if far && name.starts_with('l') {
                return address.size.is_none() && !address.is_far;
            }
            match address.size {
                Some(size) => intel::fits_size(form, size, address.broadcast.is_some()),
                // `far ptr` alone is the one of six bytes.
                None => far == address.is_far && (!far || form.memory == 6),
            }
        }
        _ => true,
    })
}

fn fits_decorations(candidate: &Candidate, operands: &Operands) -> bool {
    let form = candidate.form();
    let mut masked = false;
    for (place, operand) in operands.list.iter().enumerate() {
        if let Some(mask) = operand.mask {
            // Sources come first, and only what is written to is masked.
            if place + 1 != operands.list.len() {
                return false;
            }
            // What a store leaves out stays as it was.
            let stores = matches!(operand.value, Value::Memory(_));
            if !form.masking || (mask.zeroing && (!form.zeroing || stores)) {
                return false;
            }
            masked |= mask.register != 0;
        }
        if let Value::Memory(address) = &operand.value {
            match address.broadcast {
                Some(_) if form.broadcast == 0 => return false,
                Some(Broadcast(0)) => {}
                Some(broadcast) if broadcast.0 != form.broadcast => return false,
                _ => {}
            }
        }
    }
    if form.mask_required && !masked {
        return false;
    }
    if let Some(rounding) = &operands.rounding {
        let memory = operands
            .list
            .iter()
            .any(|operand| matches!(operand.value, Value::Memory(_)));
        if memory {
            return false;
        }
        return if rounding.mode == sequence::Rounding::Sae {
            form.sae
        } else {
            form.rounding
        };
    }
    true
}

fn fits_pseudo(candidate: &Candidate, pseudo: &[PseudoPrefix]) -> bool {
    let form = candidate.form();
    pseudo.iter().all(|pseudo| match pseudo {
        // XOP counts as VEX, and has no other encoding.
        PseudoPrefix::Vex | PseudoPrefix::Vex2 | PseudoPrefix::Vex3 => {
            matches!(form.space, Space::Vex | Space::Xop)
        }
        PseudoPrefix::Evex => form.space == Space::Evex,
        PseudoPrefix::Rex => matches!(form.space, Space::Legacy | Space::D3Now),
        PseudoPrefix::Rex2 => false,
        _ => true,
    })
}

/// The form for an instruction.
///
/// # Errors
/// An unknown name, operands that no form takes, a size that nothing states.
pub(crate) fn select(
    instruction: &Instruction<'_>,
    operands: &mut Operands,
) -> Result<Selected, Problem> {
    let name = instruction.mnemonic;
    let intel = instruction.syntax == Syntax::Intel;
    let names: &'static NameMap<Box<str>, Named> = if intel { &INTEL_NAMES } else { &NAMES };
    let Some(named) = names.get(name) else {
        if names::is_younger(name) {
            return Err(problem(
                format!("`{name}` is younger than GNU as 2.40, which encodings are held against"),
                "write its bytes with `.byte`",
            ));
        }
        return Err(problem(
            format!("no such instruction: `{name}`"),
            remedy(name, &mut operands.unknown),
        ));
    };
    let width = if named.suffix == 0 {
        match (register_width(operands), memory_width(operands)) {
            // The one name that has a suffix in Intel syntax too, and takes a number alone.
            (0, 0) if intel && name == "pushw" => 2,
            (0, width) | (width, _) => width,
        }
    } else {
        named.suffix
    };
    for operand in &mut operands.list {
        if let Value::Immediate(value, modifier) = &operand.value {
            operand.types = match modifier {
                // These have relocations of 64 bits alone.
                Some(Modifier::Pltoff | Modifier::Gotoff | Modifier::Gotplt) => IMM64,
                Some(Modifier::Size) if width == 8 => IMM64,
                _ => immediate_types(value, width),
            };
        }
    }
    let list = &operands.list;
    let matches = |candidate: &Candidate| {
        usize::from(candidate.count) == list.len()
            && candidate
                .accepts()
                .iter()
                .zip(list)
                .all(|(accepts, operand)| accepts & operand.types != 0)
    };
    let decorated = operands.rounding.is_some()
        || list.iter().any(|operand| {
            operand.mask.is_some()
                || matches!(&operand.value, Value::Memory(address) if address.broadcast.is_some())
        });
    let pseudo = &instruction.pseudo;
    let fits = |candidate: &Candidate| {
        matches(candidate)
            && is_possible(candidate, list)
            && (!intel || fits_memory(candidate, list, name))
            && (pseudo.is_empty() || fits_pseudo(candidate, pseudo))
            && (if decorated {
                fits_decorations(candidate, operands)
            } else {
                !candidate.form().mask_required
            })
    };
    let Some(position) = named.candidates.iter().position(fits) else {
        let plain = !pseudo.is_empty() && named.candidates.iter().any(matches);
        return Err(if plain {
            problem(
                format!("`{name}` with these operands has no encoding of the kind in braces"),
                "leave the braces before it out",
            )
        } else {
            mismatch(name, named, operands)
        });
    };
    let mut chosen = &named.candidates[position];
    let mut guessed = false;
    let ambiguous = is_ambiguous(chosen, list)
        || (intel && (is_unsized_conversion(chosen, list) || is_unsized_source(name, list)));
    if named.suffix == 0 && chosen.width != 0 && ambiguous {
        // Intel syntax has no default, so that a number's own width says nothing.
        let has_number = intel
            && !decorated
            && list
                .iter()
                .any(|operand| matches!(operand.value, Value::Immediate(..)));
        let memory_alone = |other: &Candidate| {
            usize::from(other.count) == list.len()
                && other.accepts().iter().zip(list).all(|(accepts, operand)| {
                    matches!(operand.value, Value::Immediate(..)) || accepts & operand.types != 0
                })
        };
        let other = named.candidates[position + 1..].iter().any(|other| {
            other.width != 0
                && other.width != chosen.width
                && (fits(other) || (has_number && memory_alone(other)))
        });
        let other = other || (intel && is_unsized_source(name, list));
        if other {
            if intel {
                return Err(problem(
                    format!("the operand size of `{name}` is ambiguous"),
                    "write `byte ptr`, `word ptr`, `dword ptr` or `qword ptr` before the memory",
                ));
            }
            guessed = true;
            // GNU as takes four bytes then, and says so.
            let default = named
                .candidates
                .iter()
                .find(|other| other.width == 4 && fits(other));
            let Some(default) = default else {
                return Err(problem(
                    format!("`{name}` without a size suffix, and no register says the size"),
                    sizes(name, &named.candidates),
                ));
            };
            chosen = default;
        }
    }
    // `bcst` leaves it to the operands how many elements there are; where they do not say it
    // either, GNU as takes the most.
    let mut widest = false;
    if list.iter().any(
        |operand| matches!(&operand.value, Value::Memory(address) if address.broadcast == Some(Broadcast(0))),
    ) {
        let all = named.candidates.iter().filter(|other| fits(other));
        if let Some(most) = all.max_by_key(|other| other.form().l) {
            widest = most.form().l > chosen.form().l;
            chosen = most;
        }
    }
    // What may be written both ways round has one form for both.
    let has_one = matches!(
        chosen.form().code.mnemonic(),
        Mnemonic::Test | Mnemonic::Xchg
    );
    let is_short = chosen.form().slots().first() == Some(&Slot::Opcode);
    if has_one && pseudo.contains(&PseudoPrefix::Load) && !is_short {
        let other = named
            .candidates
            .iter()
            .find(|other| other.form == chosen.form && other.to != chosen.to && fits(other));
        chosen = other.unwrap_or(chosen);
    } else if has_one && pseudo.contains(&PseudoPrefix::Swap) {
        let from_accumulator = list
            .first()
            .is_some_and(|first| first.types & (AX | EAX | RAX) != 0);
        if is_short && !from_accumulator {
            return Err(problem(
                "an exchange with the accumulator has no other direction",
                "leave the `.s` out",
            ));
        }
        let other = named
            .candidates
            .iter()
            .find(|other| other.form == chosen.form && other.to != chosen.to && fits(other));
        chosen = other.unwrap_or(chosen);
    }
    // `{load}` and `{store}` choose the direction where both forms fit.
    let swaps = pseudo.contains(&PseudoPrefix::Swap);
    let wanted: &[&[Slot]] = if has_one && !swaps {
        &[]
    } else if pseudo.contains(&PseudoPrefix::Load) && !swaps {
        &[&[Slot::Reg, Slot::Rm]]
    } else if pseudo.contains(&PseudoPrefix::Store) && !swaps {
        // `vmovss` of three registers, and XOP's shifts, whose first source may be memory or not.
        let three: &[Slot] = match chosen.form().space {
            Space::Xop => &[Slot::Reg, Slot::Vvvv, Slot::Rm],
            _ => &[Slot::Rm, Slot::Vvvv, Slot::Reg],
        };
        &[&[Slot::Rm, Slot::Reg], three]
    } else if swaps {
        match chosen.form().slots() {
            [Slot::Rm, Slot::Reg, ..] => &[&[Slot::Reg, Slot::Rm]],
            [Slot::Reg, Slot::Rm, ..] => &[&[Slot::Rm, Slot::Reg]],
            [Slot::Reg, Slot::Vvvv, Slot::Rm] => &[&[Slot::Rm, Slot::Vvvv, Slot::Reg]],
            _ => &[],
        }
    } else {
        &[]
    };
    // `xchg %rax,%rax` is a NOP whatever is asked for.
    if !wanted.is_empty() && chosen.form().code != Code::Xchg_r64_RAX {
        let other = named.candidates.iter().find(|other| {
            wanted
                .iter()
                .any(|wanted| other.form().slots().starts_with(wanted))
                && other.form().space == chosen.form().space
                && other.width == chosen.width
                && fits(other)
        });
        chosen = other.unwrap_or(chosen);
    }
    let keeps = |pseudo: &PseudoPrefix| {
        matches!(
            pseudo,
            PseudoPrefix::Vex3 | PseudoPrefix::Load | PseudoPrefix::Store | PseudoPrefix::Swap
        )
    };
    if chosen.form().space == Space::Vex && !pseudo.iter().any(keeps) {
        let reversed = shorter_vex(chosen, list, &named.candidates);
        chosen = reversed.filter(|other| fits(other)).unwrap_or(chosen);
    }
    if instruction.prefixes.contains(&Prefix::Addr32) || pseudo.contains(&PseudoPrefix::Disp32) {
        // The address without ModRM is short then.
        let offset = named.candidates.iter().find(|other| {
            other.form().slots().contains(&Slot::Offset)
                && other.width == chosen.width
                && fits(other)
        });
        chosen = offset.unwrap_or(chosen);
    }
    if let Some(rounding) = &operands.rounding {
        check_rounding(name, intel, rounding, list)?;
    }
    let cut = list
        .iter()
        .zip(chosen.accepts())
        .any(|(operand, &accepts)| match &operand.value {
            Value::Immediate(value, _) => is_cut(value, width, accepts),
            // An address without ModRM has eight bytes, and where a jump goes is the linker's to reach.
            Value::Memory(_)
                if chosen
                    .form()
                    .slots()
                    .iter()
                    .any(|slot| matches!(slot, Slot::Offset | Slot::Relative(_))) =>
            {
                false
            }
            Value::Memory(Address {
                displacement: Folded::Number(value),
                ..
            }) => i32::try_from(*value).is_err() && u32::try_from(*value).is_err(),
            _ => false,
        });
    Ok(Selected {
        candidate: chosen,
        guessed,
        widest,
        cut,
    })
}

/// Refuses rounding that does not stand where GNU as looks for it: behind the last register and
/// before immediates in Intel's order, the other way round in AT&T's. Conversions of integers have
/// it behind the integer in AT&T's order, and on either side of it in Intel's.
fn check_rounding(
    name: &str,
    intel: bool,
    rounding: &PlacedRounding,
    list: &[Written],
) -> Result<(), Problem> {
    let immediates = list
        .iter()
        .filter(|operand| matches!(operand.value, Value::Immediate(..)))
        .count();
    let integer = name.starts_with("vcvtsi2") || name.starts_with("vcvtusi2");
    let before = rounding.before;
    let placed = match (intel, integer) {
        (true, false) => before == list.len() - immediates,
        (true, true) => before == list.len() || (before + 1 == list.len() && !rounding.attached),
        (false, false) => before == immediates,
        (false, true) => before == 1,
    };
    if placed {
        return Ok(());
    }
    let help = match (intel, integer) {
        (true, _) => "write it behind the last register",
        (false, true) => "write it behind the first operand",
        (false, false) => "write it before the first register, behind immediates",
    };
    Err(problem("the rounding stands in the wrong place", help))
}

/// A form, and whether its size was a guess.
pub(crate) struct Selected {
    /// How it is written and what it is.
    pub(crate) candidate: &'static Candidate,
    /// Nothing stated the size of memory: GNU as's default was taken.
    pub(crate) guessed: bool,
    /// Nothing stated how many elements a broadcast has: the most were taken.
    pub(crate) widest: bool,
    /// An immediate or a displacement does not fit: its upper bits are lost.
    pub(crate) cut: bool,
}

/// The names that state a size.
pub(crate) fn sizes(name: &str, candidates: &[Candidate]) -> String {
    let letters = [
        (1, "b"),
        (2, "w"),
        (4, "l"),
        (8, "q"),
        (16, "x"),
        (32, "y"),
        (64, "z"),
    ];
    let names: Vec<String> = letters
        .iter()
        .filter(|(width, _)| candidates.iter().any(|candidate| candidate.width == *width))
        .map(|(_, letter)| format!("`{name}{letter}`"))
        .collect();
    format!("write {}", names.join(" or "))
}

/// With a high register only in ModRM.rm, the form that goes the other way needs two bytes of VEX
/// where this one needs three.
fn shorter_vex<'a>(
    chosen: &Candidate,
    list: &[Written],
    candidates: &'a [Candidate],
) -> Option<&'a Candidate> {
    let form = chosen.form();
    let slots = form.slots();
    if form.map != 1 || form.w == 1 && !form.wig || slots.first() != Some(&Slot::Reg) {
        return None;
    }
    let numbers = |operand: &Written| match operand.value {
        Value::Register(register) => Some(register.number),
        _ => None,
    };
    // Sources first: the one in ModRM.rm leads, the one in ModRM.reg ends the list.
    let high = numbers(list.first()?)? >= 8 && numbers(list.last()?)? < 8;
    if !high || slots.last() != Some(&Slot::Rm) {
        return None;
    }
    candidates.iter().find(|other| {
        let other = other.form();
        other.space == Space::Vex
            && other.l == form.l
            && other.slots().first() == Some(&Slot::Rm)
            && other.slots().last() == Some(&Slot::Reg)
    })
}

/// What the types alone do not say.
fn is_possible(candidate: &Candidate, list: &[Written]) -> bool {
    let form = candidate.form();
    if let (Code::Int3, Some(operand)) = (form.code, list.first()) {
        return matches!(operand.value, Value::Immediate(Folded::Number(3), _));
    }
    // 90 would be a NOP, which leaves the upper half as it is.
    if form.code == Code::Xchg_r32_EAX
        && list.iter().all(
            |operand| matches!(operand.value, Value::Register(register) if register.number == 0),
        )
    {
        return false;
    }
    for (operand, accepts) in list.iter().zip(candidate.accepts()) {
        let Value::Memory(address) = &operand.value else {
            continue;
        };
        // Where a jump goes is the linker's to reach.
        if accepts & TARGET != 0 && operand.types & TARGET != 0 {
            continue;
        }
        let bare = address.base.is_none() && address.index.is_none();
        // `jmpw foo` is neither direct nor, without a `*`, indirect.
        if matches!(form.code, Code::Jmp_rm16 | Code::Jmp_rm64) && operand.types & TARGET != 0 {
            return false;
        }
        // One address alone has a register, though which one it is does not matter.
        if bare && accepts & (STRING_SI | XLAT) != 0 && accepts & MEMORY == 0 && list.len() < 3 {
            let alone = !list.iter().any(|other| {
                !std::ptr::eq(other, operand)
                    && matches!(other.value, Value::Memory(_))
                    && other.types != DX
            });
            if alone {
                return false;
            }
        }
        // GNU as takes the address without ModRM only where asked, or where ModRM cannot hold it.
        if accepts & BARE != 0 && form.map == 0 && form.slots().contains(&Slot::Offset) {
            continue;
        }
        if let Folded::Number(value) = address.displacement
            && i32::try_from(value).is_err()
            && !wraps(form, address)
        {
            return false;
        }
        // Vectors of addresses above 15 need EVEX.
        let upper = address
            .index
            .is_some_and(|index| index.class != RegisterClass::Gpr32 && index.number > 15);
        if upper && form.space != Space::Evex {
            return false;
        }
    }
    true
}

/// Whether an address is cut off to 32 bits, so that any displacement does: its registers have 32,
/// or `lea` writes no more of it.
pub(crate) fn wraps(form: &Form, address: &Address) -> bool {
    let narrow = address.base.or(address.index).is_some_and(|register| {
        matches!(
            register.class,
            RegisterClass::Gpr32 | RegisterClass::Eip | RegisterClass::Eiz
        )
    });
    narrow || matches!(form.code, Code::Lea_r16_m | Code::Lea_r32_m)
}

/// Whether only memory and immediates could have said the size.
fn is_ambiguous(chosen: &Candidate, list: &[Written]) -> bool {
    let mut memory = false;
    if matches!(chosen.form().code.mnemonic(), Mnemonic::In | Mnemonic::Out) {
        // The accumulator, which would say it, may be left out.
        return chosen.count == 1;
    }
    if list.is_empty() {
        // `movs` alone, whose operands would not say it either.
        return chosen.form().slots().contains(&Slot::ImpliedMemory);
    }
    if chosen.width >= 16 {
        // The register is the narrowed result, which says nothing of the source.
        return list.iter().any(
            |operand| matches!(&operand.value, Value::Memory(address) if address.size.is_none()),
        );
    }
    for (operand, &accepts) in list.iter().zip(chosen.accepts()) {
        match &operand.value {
            Value::Memory(address) if address.size.is_some() => return false,
            Value::Memory(_) => memory = true,
            Value::Register(_) => {
                // The count in %cl and the port in %dx say nothing.
                if accepts & (CL | DX) == 0 || accepts & ANY_GPR != 0 {
                    return false;
                }
            }
            Value::Immediate(..) => {}
        }
    }
    memory
}

/// Whether the source is memory whose size only its own word would say.
fn is_unsized_source(name: &str, list: &[Written]) -> bool {
    matches!(name, "movzx" | "movsx" | "crc32")
        && list.iter().any(
            |operand| matches!(&operand.value, Value::Memory(address) if address.size.is_none()),
        )
}

/// Whether an integer in memory is converted whose width only its size would say. AT&T syntax has four
/// bytes for it without a word.
fn is_unsized_conversion(chosen: &Candidate, list: &[Written]) -> bool {
    matches!(
        chosen.form().code.mnemonic(),
        Mnemonic::Cvtsi2sd
            | Mnemonic::Cvtsi2ss
            | Mnemonic::Vcvtsi2sd
            | Mnemonic::Vcvtsi2ss
            | Mnemonic::Vcvtsi2sh
            | Mnemonic::Vcvtusi2sd
            | Mnemonic::Vcvtusi2ss
            | Mnemonic::Vcvtusi2sh
    ) && list
        .iter()
        .any(|operand| matches!(&operand.value, Value::Memory(address) if address.size.is_none()))
}

fn mismatch(name: &str, named: &Named, operands: &Operands) -> Problem {
    let count = operands.list.len();
    if !named
        .candidates
        .iter()
        .any(|candidate| usize::from(candidate.count) == count)
    {
        let mut counts: Vec<u8> = named
            .candidates
            .iter()
            .map(|candidate| candidate.count)
            .collect();
        counts.sort_unstable();
        counts.dedup();
        let counts: Vec<String> = counts.iter().map(u8::to_string).collect();
        return problem(
            format!("`{name}` does not take {count} operands"),
            format!("it takes {}", counts.join(" or ")),
        );
    }
    let suffix = if named.suffix == 0 {
        String::new()
    } else {
        format!(" with the size of its suffix ({} bytes)", named.suffix)
    };
    problem(
        format!("`{name}` does not take these operands{suffix}"),
        forms(named, count),
    )
}

/// The operand lists that would have done.
fn forms(named: &Named, count: usize) -> String {
    let mut texts: Vec<String> = named
        .candidates
        .iter()
        .filter(|candidate| usize::from(candidate.count) == count)
        .map(|candidate| {
            candidate
                .form()
                .code
                .op_code()
                .instruction_string()
                .to_string()
        })
        .collect();
    texts.dedup();
    texts.truncate(4);
    format!("in Intel's notation there is: {}", texts.join("; "))
}

/// Most unknown names whose remedies are kept.
const MOST_UNKNOWN: usize = 1000;

/// What an unknown name may have been meant to be. All names are looked at, which takes longer than all
/// else where a repeat has the same one a million times: what came of it is kept.
fn remedy(name: &str, known: &mut HashMap<Box<str>, String>) -> String {
    if let Some(remedy) = known.get(name) {
        return remedy.clone();
    }
    let remedy = nearest(name).map_or_else(String::new, |near| format!("did you mean `{near}`?"));
    if known.len() < MOST_UNKNOWN {
        known.insert(name.into(), remedy.clone());
    }
    remedy
}

/// A known name close to an unknown one.
fn nearest(name: &str) -> Option<&'static str> {
    NAMES
        .keys()
        .map(|known| (distance(name, known), known))
        .filter(|pair| pair.0 <= 1)
        .min()
        .map(|pair| &**pair.1)
}

/// Edit distance, cut off at two.
fn distance(a: &str, b: &str) -> u32 {
    if a.len().abs_diff(b.len()) > 1 {
        return 2;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let is_one = match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Equal => {
            a.get(1..) == b.get(1..)
                || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
    };
    if is_one { 1 } else { 2 }
}
