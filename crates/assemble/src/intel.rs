//! Names in Intel syntax: those of the manuals, with the sizes stated by memory operands.

use iced_x86::{Code, Mnemonic};

use crate::aliases::{self, Spelling};
use crate::forms::{Form, Slot, types::*};
use crate::names::Candidate;

/// Instructions that have the same order of operands in both syntaxes.
pub(crate) fn keeps_order(mnemonic: &str) -> bool {
    matches!(
        mnemonic,
        "bound"
            | "enter"
            | "enterw"
            | "enterq"
            | "invlpga"
            | "invlpgb"
            | "pvalidate"
            | "tpause"
            | "umwait"
    ) || ["monitor", "mwait", "rmp"]
        .iter()
        .any(|start| mnemonic.starts_with(start))
}

/// Calls `add` with every way to spell a form. `base` is iced-x86's mnemonic in lower case.
pub(crate) fn spell(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(&str, Candidate, u8),
) {
    let mut plain = |name: &str, candidate: Candidate| add(name, candidate, 0);
    if is_far(form) {
        // With `rex.w`, `fword` memory is what `tbyte` memory would be.
        if form.operand_size != 64 {
            plain(base, candidate);
        }
        if form.operand_size == 32 {
            plain(&format!("l{base}"), candidate);
            add(&format!("l{base}d"), candidate, 4);
        }
        return;
    }
    if form.map == 0 && base.starts_with('f') && takes_memory(form) {
        let width = u8::try_from(form.memory).unwrap_or(0);
        let candidate = Candidate { width, ..candidate };
        // Environments come in two sizes, of which the prefixed one has a name of its own.
        if form.operand_size != 16 {
            plain(base, candidate);
        }
        if let Some(letter) = x87_suffix(base, form.memory) {
            add(&format!("{base}{letter}"), candidate, width);
        }
        return;
    }
    match form.code {
        Code::Retfd | Code::Retfd_imm16 => plain("retf", candidate),
        // GCC writes `movsx` whatever the width.
        Code::Movsxd_r64_rm32 | Code::Movsxd_r32_rm32 => plain("movsx", candidate),
        Code::Retfq | Code::Retfq_imm16 => plain("retfq", candidate),
        // Memory of eight bytes does under that name too.
        Code::Movq_xmm_rm64 | Code::Movq_rm64_xmm | Code::Movq_mm_rm64 | Code::Movq_rm64_mm => {
            plain("movd", candidate)
        }
        Code::Iretd => plain("iretd", candidate),
        Code::Pushfq | Code::Popfq => plain(base, candidate),
        // Without a size these are ambiguous to GNU as.
        Code::Sysretd | Code::Sysexitd => {
            plain(&format!("{}d", base.trim_end_matches('d')), candidate);
            return;
        }
        Code::Sysretq | Code::Sysexitq => {
            plain(&format!("{}q", base.trim_end_matches('q')), candidate);
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
            // Sizes of sources behind conversions' names are AT&T's.
            Spelling::Plain(name, _) if name != base && aliases::is_narrowing(base, form) => {}
            Spelling::Plain(name, candidate) => add(name, candidate, 0),
            Spelling::Sized(name, candidate) => {
                add(name, candidate, 0);
                // `shld` and `shrd` are instructions of their own.
                let letter = letter(candidate.width)
                    .filter(|&letter| letter != 'd' || !matches!(name, "shl" | "shr"));
                if let Some(letter) = letter {
                    add(&format!("{name}{letter}"), candidate, candidate.width);
                }
            }
            // `iretq` and `pushfq` are the manuals' names too, and strings are known by nothing else.
            Spelling::Suffixed(name, candidate) => {
                if name == base {
                    add(name, candidate, 0);
                } else if form.operand_size == 16 && has_narrow_form(form) {
                    // objdump's names, and memory whose stated size is the only sign.
                    add(&format!("{}w", base.trim_end_matches('q')), candidate, 0);
                    if takes_memory(form) {
                        let narrow = Candidate {
                            width: 0,
                            rank: candidate.rank + 5,
                            ..candidate
                        };
                        add(base, narrow.only(0, MEMORY), 0);
                    }
                } else if let Some(letter) = name.strip_prefix(base).and_then(|rest| match rest {
                    "b" => Some('b'),
                    "w" => Some('w'),
                    "l" => Some('d'),
                    "q" => Some('q'),
                    _ => None,
                }) {
                    add(&format!("{base}{letter}"), candidate, candidate.width);
                } else if form.slots().contains(&Slot::ImpliedMemory) {
                    add(base, candidate, 0);
                }
            }
        },
    );
}

/// The letter that states a size of `width` bytes.
fn letter(width: u8) -> Option<char> {
    Some(match width {
        1 => 'b',
        2 => 'w',
        4 => 'd',
        8 => 'q',
        _ => return None,
    })
}

/// The letter that states the size of memory that an x87 instruction reads or writes, in bytes.
fn x87_suffix(base: &str, memory: u16) -> Option<char> {
    let is_integer = base.starts_with("fi");
    let is_real = aliases::is_real(base);
    Some(match memory {
        2 if is_integer => 'w',
        4 if is_integer || is_real => 'd',
        8 if is_integer => 'q',
        10 if is_real => 't',
        _ => return None,
    })
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
    match form.code.mnemonic() {
        // Addresses that are no memory of a size.
        Mnemonic::Lea
        | Mnemonic::Prefetch
        | Mnemonic::Prefetchit0
        | Mnemonic::Prefetchit1
        | Mnemonic::Prefetchnta
        | Mnemonic::Prefetcht0
        | Mnemonic::Prefetcht1
        | Mnemonic::Prefetcht2
        | Mnemonic::Prefetchw
        | Mnemonic::Prefetchwt1
        | Mnemonic::Cldemote
        | Mnemonic::Clflush
        | Mnemonic::Clflushopt
        | Mnemonic::Clwb
        | Mnemonic::Bndmk
        | Mnemonic::Bndcl
        | Mnemonic::Bndcn
        | Mnemonic::Bndcu => return true,
        // Areas whose size GNU as knows no word for.
        Mnemonic::Xsave
        | Mnemonic::Xsave64
        | Mnemonic::Xsavec
        | Mnemonic::Xsavec64
        | Mnemonic::Xsaveopt
        | Mnemonic::Xsaveopt64
        | Mnemonic::Xsaves
        | Mnemonic::Xsaves64
        | Mnemonic::Xrstor
        | Mnemonic::Xrstor64
        | Mnemonic::Xrstors
        | Mnemonic::Xrstors64
        | Mnemonic::Tileloadd
        | Mnemonic::Tileloaddt1
        | Mnemonic::Tilestored => return false,
        _ => {}
    }
    // As with a register, GNU as wants the wide source here.
    if form.code == Code::Movsxd_r16_rm16 {
        return size == 4;
    }
    if form.memory == 0 {
        return true;
    }
    if broadcast {
        return form.memory == size * u16::from(form.broadcast);
    }
    form.memory == size
}
