//! Names in Intel syntax: those of the manuals, with the sizes stated by memory operands.

use iced_x86::{Code, Mnemonic};

use crate::aliases::{self, Spelling};
use crate::forms::{Form, Slot, types::*};
use crate::names::Candidate;

/// Instructions that have the same order of operands in both syntaxes.
pub(crate) fn keeps_order(mnemonic: &str) -> bool {
    matches!(
        mnemonic,
        "bound" | "enter" | "invlpga" | "invlpgb" | "pvalidate" | "tpause" | "umwait"
    ) || ["monitor", "mwait", "rmp"]
        .iter()
        .any(|start| mnemonic.starts_with(start))
}

/// Calls `add` with every way to spell a form. `base` is iced-x86's mnemonic in lower case.
pub(crate) fn spell(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(&str, Candidate),
) {
    if is_far(form) {
        add(base, candidate);
        return;
    }
    if form.map == 0 && base.starts_with('f') && takes_memory(form) {
        let width = u8::try_from(form.memory).unwrap_or(0);
        // Environments come in two sizes, of which the prefixed one has a name of its own.
        if form.operand_size != 16 {
            add(base, Candidate { width, ..candidate });
        }
        return;
    }
    match form.code {
        Code::Retfd | Code::Retfd_imm16 => add("retf", candidate),
        // GCC writes `movsx` whatever the width.
        Code::Movsxd_r64_rm32 => add("movsx", candidate),
        Code::Retfq | Code::Retfq_imm16 => add("retfq", candidate),
        Code::Iretd => add("iretd", candidate),
        Code::Pushfq | Code::Popfq => add(base, candidate),
        // Without a size these are ambiguous to GNU as.
        Code::Sysretd | Code::Sysexitd => {
            add(&format!("{}d", base.trim_end_matches('d')), candidate);
            return;
        }
        Code::Sysretq | Code::Sysexitq => {
            add(&format!("{}q", base.trim_end_matches('q')), candidate);
            return;
        }
        _ => {}
    }
    aliases::spell(
        form,
        base,
        candidate,
        true,
        &mut |spelling| match spelling {
            Spelling::Plain(name, candidate) | Spelling::Sized(name, candidate) => {
                add(name, candidate);
            }
            // `iretq` and `pushfq` are the manuals' names too, and strings are known by nothing else.
            Spelling::Suffixed(name, candidate) => {
                if name == base {
                    add(name, candidate);
                } else if form.operand_size == 16 && has_narrow_form(form) {
                    // objdump's names, and memory whose stated size is the only sign.
                    add(&format!("{}w", base.trim_end_matches('q')), candidate);
                    if takes_memory(form) {
                        let narrow = Candidate {
                            width: 0,
                            rank: candidate.rank + 5,
                            ..candidate
                        };
                        add(base, narrow.only(0, MEMORY));
                    }
                } else if form.slots().contains(&Slot::ImpliedMemory) {
                    add(base, candidate);
                }
            }
        },
    );
}

/// Whether this is a jump or call through a far pointer in memory.
pub(crate) fn is_far(form: &Form) -> bool {
    matches!(
        form.code,
        Code::Jmp_m1616
            | Code::Jmp_m1632
            | Code::Jmp_m1664
            | Code::Call_m1616
            | Code::Call_m1632
            | Code::Call_m1664
    )
}

/// Stack instructions and branches, whose plain name means 64 bits.
fn has_narrow_form(form: &Form) -> bool {
    matches!(
        form.code.mnemonic(),
        Mnemonic::Push
            | Mnemonic::Pop
            | Mnemonic::Pushf
            | Mnemonic::Popf
            | Mnemonic::Enter
            | Mnemonic::Leave
            | Mnemonic::Ret
            | Mnemonic::Retf
            | Mnemonic::Iret
            | Mnemonic::Jmp
            | Mnemonic::Call
    )
}

fn takes_memory(form: &Form) -> bool {
    form.accepts()
        .first()
        .is_some_and(|&types| types & MEMORY != 0)
}

/// Whether memory of a stated size, in bytes, is what the form reads or writes.
pub(crate) fn fits_size(form: &Form, size: u16, broadcast: bool) -> bool {
    if form.memory == 0 || form.code.mnemonic() == Mnemonic::Lea {
        return true;
    }
    if broadcast {
        return form.memory == size * u16::from(form.broadcast);
    }
    form.memory == size
}
