//! Jumps, calls, returns, loops, conditions.

use iced_x86::{Code, Mnemonic};

use super::Spelling;
use crate::forms::{Form, Slot, types::*};
use crate::names::Candidate;

/// Condition codes and all their names, in encoding order.
pub(crate) const CONDITIONS: [&[&str]; 16] = [
    &["o"],
    &["no"],
    &["b", "c", "nae"],
    &["ae", "nb", "nc"],
    &["e", "z"],
    &["ne", "nz"],
    &["be", "na"],
    &["a", "nbe"],
    &["s"],
    &["ns"],
    &["p", "pe"],
    &["np", "po"],
    &["l", "nge"],
    &["ge", "nl"],
    &["le", "ng"],
    &["g", "nle"],
];

/// Jumps, calls, returns, loops, conditions.
pub(super) fn spell_branch(
    form: &Form,
    base: &str,
    mut candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    let opcode = (form.opcode & 0xff) as u8;
    let condition = usize::from(opcode & 15);
    match form.code.mnemonic() {
        Mnemonic::Jmp | Mnemonic::Call if form.slots().first() == Some(&Slot::Rm) => {
            let far = matches!(
                form.code,
                Code::Jmp_m1616
                    | Code::Jmp_m1632
                    | Code::Jmp_m1664
                    | Code::Call_m1616
                    | Code::Call_m1632
                    | Code::Call_m1664
            );
            let name = if far { format!("l{base}") } else { base.into() };
            let with = |letter: char| format!("{name}{letter}");
            match (far, form.operand_size) {
                (_, 16) => {
                    if !far {
                        add(Plain(&name, candidate.only(0, R16)));
                    }
                    add(Suffixed(&with('w'), candidate));
                }
                (true, 32) | (false, 64) => add(Sized(&name, candidate)),
                // `rex.w ljmp` is how GNU as has the others.
                _ => {}
            }
            true
        }
        Mnemonic::Jmp => {
            if form.code == Code::Jmp_rel8_64 {
                candidate.branch = Some(None);
                add(Plain(base, candidate));
            }
            true
        }
        Mnemonic::Call => {
            if form.code == Code::Call_rel32_64 {
                add(Sized(base, candidate));
            } else {
                add(Suffixed("callw", candidate));
            }
            true
        }
        Mnemonic::Ret | Mnemonic::Retf => {
            let far = form.code.mnemonic() == Mnemonic::Retf;
            let name = if far { "lret" } else { "ret" };
            if far {
                // GNU as knows the manuals' name as well.
                match form.operand_size {
                    16 => add(Suffixed("retfw", candidate)),
                    32 => add(Sized("retf", candidate)),
                    _ => add(Suffixed("retfq", candidate)),
                }
            }
            match (far, form.operand_size) {
                (true, 32) | (false, 64) => add(Sized(name, candidate)),
                (_, 16) => add(Suffixed(&format!("{name}w"), candidate)),
                _ => add(Suffixed(&format!("{name}q"), candidate)),
            }
            true
        }
        Mnemonic::Iret | Mnemonic::Iretd | Mnemonic::Iretq => {
            match form.operand_size {
                16 => add(Suffixed("iretw", candidate)),
                32 => add(Sized("iret", candidate)),
                _ => add(Suffixed("iretq", candidate)),
            }
            true
        }
        Mnemonic::Loop | Mnemonic::Loope | Mnemonic::Loopne => {
            if form.operand_size == 64 {
                let mut names = vec![base];
                match form.code.mnemonic() {
                    Mnemonic::Loope => names.push("loopz"),
                    Mnemonic::Loopne => names.push("loopnz"),
                    _ => {}
                }
                for name in names {
                    if form.address_size == 64 {
                        add(Plain(name, candidate));
                        add(Suffixed(&format!("{name}q"), candidate));
                    } else {
                        candidate.width = 4;
                        add(Suffixed(&format!("{name}l"), candidate));
                    }
                }
            }
            true
        }
        Mnemonic::Jecxz | Mnemonic::Jrcxz => {
            if form.operand_size == 64 {
                add(Plain(base, candidate));
            }
            true
        }
        Mnemonic::Xbegin => {
            if form.slots().first() == Some(&Slot::Relative(4)) {
                add(Plain(base, candidate));
            }
            true
        }
        _ if form.map == 0 && opcode & 0xf0 == 0x70 && base.starts_with('j') => {
            if form.operand_size == 64 {
                candidate.branch = Some(Some(opcode & 15));
                for name in CONDITIONS[condition] {
                    add(Plain(&format!("j{name}"), candidate));
                }
            }
            true
        }
        _ if form.map == 1 && opcode & 0xf0 == 0x80 && base.starts_with('j') => true,
        _ if form.map == 1 && opcode & 0xf0 == 0x90 && base.starts_with("set") => {
            for name in CONDITIONS[condition] {
                add(Sized(&format!("set{name}"), candidate));
            }
            true
        }
        _ if form.map == 1 && opcode & 0xf0 == 0x40 && base.starts_with("cmov") => {
            for name in CONDITIONS[condition] {
                add(Sized(&format!("cmov{name}"), candidate));
            }
            true
        }
        _ => false,
    }
}
