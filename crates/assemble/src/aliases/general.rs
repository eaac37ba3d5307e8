//! Arithmetic, shifts, bits, exchanges, and what has no rule of its own.

use iced_x86::{Code, Mnemonic};

use super::Spelling;
use crate::forms::{Form, Slot, types::*};
use crate::names::{Candidate, To};

/// Arithmetic, shifts, bits, exchanges.
pub(super) fn spell_general(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    let accumulator = match candidate.width {
        1 => AL,
        2 => AX,
        4 => EAX,
        _ => RAX,
    };
    match form.code.mnemonic() {
        Mnemonic::Cbw
        | Mnemonic::Cwde
        | Mnemonic::Cdqe
        | Mnemonic::Cwd
        | Mnemonic::Cdq
        | Mnemonic::Cqo => {
            let name = match form.code.mnemonic() {
                Mnemonic::Cbw => "cbtw",
                Mnemonic::Cwde => "cwtl",
                Mnemonic::Cdqe => "cltq",
                Mnemonic::Cwd => "cwtd",
                Mnemonic::Cdq => "cltd",
                _ => "cqto",
            };
            add(Plain(name, candidate));
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Shl => {
            spell_shift("shl", form, candidate, add);
            spell_shift("sal", form, candidate, add);
            true
        }
        Mnemonic::Shr
        | Mnemonic::Sar
        | Mnemonic::Rol
        | Mnemonic::Ror
        | Mnemonic::Rcl
        | Mnemonic::Rcr => {
            spell_shift(base, form, candidate, add);
            true
        }
        Mnemonic::Shld | Mnemonic::Shrd => {
            add(Sized(base, candidate));
            if form.slots().get(2) == Some(&Slot::Implied) {
                add(Sized(base, candidate.without(0)));
            }
            true
        }
        Mnemonic::Test => {
            add(Sized(base, candidate));
            if form.slots().get(1) == Some(&Slot::Reg) {
                add(Sized(base, candidate.exchanged()));
            }
            true
        }
        Mnemonic::Xchg => {
            let mut candidate = candidate;
            if form.slots().first() == Some(&Slot::Opcode) && form.operand_size == 32 {
                // 90 alone would be a NOP, which keeps the upper half: not with %eax twice.
                candidate.rank = 1;
            }
            add(Sized(base, candidate));
            add(Sized(base, candidate.exchanged()));
            true
        }
        Mnemonic::Imul => {
            add(Sized(base, candidate));
            if form.count == 3 {
                let mut short = candidate.without(1);
                short.to[1] = To::FirstTwo;
                short.accepts[1] = form.accepts[0];
                add(Sized(base, short));
            }
            true
        }
        Mnemonic::Div | Mnemonic::Idiv | Mnemonic::Mul => {
            add(Sized(base, candidate));
            if form.code.mnemonic() != Mnemonic::Mul {
                add(Sized(base, candidate.with_back(accumulator)));
            }
            true
        }
        Mnemonic::Xor => {
            add(Sized(base, candidate));
            if form.slots() == [Slot::Rm, Slot::Reg] {
                // `clr %eax` has one register for both.
                let mut one = candidate.without(1);
                one.to[0] = To::FirstTwo;
                add(Sized("clr", one.only(0, form.accepts[1])));
            }
            true
        }
        Mnemonic::Aadd | Mnemonic::Aand | Mnemonic::Aor | Mnemonic::Axor => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Nop => {
            if form.map == 0 {
                if form.code == Code::Nopd {
                    add(Plain(base, candidate));
                }
            } else {
                add(Sized(base, candidate));
            }
            true
        }
        Mnemonic::Crc32 => {
            let width = match form.accepts[1] {
                types if types & R8 != 0 => 1,
                types if types & R16 != 0 => 2,
                types if types & R32 != 0 => 4,
                _ => 8,
            };
            add(Sized(base, Candidate { width, ..candidate }));
            true
        }
        Mnemonic::Bswap => {
            if form.operand_size != 16 {
                add(Sized(base, candidate));
            }
            true
        }
        Mnemonic::Lss | Mnemonic::Lfs | Mnemonic::Lgs => {
            if form.operand_size != 64 {
                add(Sized(base, candidate));
            }
            true
        }
        Mnemonic::Rdrand
        | Mnemonic::Rdseed
        | Mnemonic::Rdfsbase
        | Mnemonic::Rdgsbase
        | Mnemonic::Wrfsbase
        | Mnemonic::Wrgsbase => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Cmpxchg8b => {
            add(Sized(
                base,
                Candidate {
                    width: 8,
                    ..candidate
                },
            ));
            true
        }
        Mnemonic::Fxsave64
        | Mnemonic::Fxrstor64
        | Mnemonic::Xsave64
        | Mnemonic::Xrstor64
        | Mnemonic::Xsaveopt64 => {
            add(Plain(base, candidate));
            // A suffix says the same.
            let name = base.trim_end_matches("64");
            add(Suffixed(
                &format!("{name}q"),
                Candidate {
                    width: 8,
                    ..candidate
                },
            ));
            true
        }
        Mnemonic::Cmpxchg16b => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Xstore => {
            add(Plain(base, candidate));
            add(Plain("xstorerng", candidate));
            true
        }
        Mnemonic::Endbr64 | Mnemonic::Endbr32 | Mnemonic::Pause => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Movdir64b | Mnemonic::Enqcmd | Mnemonic::Enqcmds | Mnemonic::Umonitor => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Invept
        | Mnemonic::Invvpid
        | Mnemonic::Invpcid
        | Mnemonic::Int
        | Mnemonic::Xabort
        | Mnemonic::Rdpid
        | Mnemonic::Senduipi => {
            add(Plain(base, candidate));
            true
        }
        Mnemonic::Tpause | Mnemonic::Umwait => {
            if form.operand_size != 64 {
                add(Plain(base, candidate));
                add(Plain(base, candidate.with_back(ANY_D).with_back(EAX)));
            }
            true
        }
        Mnemonic::Vmread | Mnemonic::Vmwrite => {
            add(Sized(base, candidate));
            true
        }
        Mnemonic::Incsspd
        | Mnemonic::Incsspq
        | Mnemonic::Rdsspd
        | Mnemonic::Rdsspq
        | Mnemonic::Wrssd
        | Mnemonic::Wrssq
        | Mnemonic::Wrussd
        | Mnemonic::Wrussq => {
            add(Plain(base, candidate));
            true
        }
        _ => {
            let vector = form
                .accepts()
                .iter()
                .any(|&types| types & (ANY_VECTOR | MM | BND | MASK | TMM) != 0);
            if vector {
                return false;
            }
            if candidate.width == 0 || base.ends_with("64") {
                add(Plain(base, candidate));
            } else if form.map == 0 || form.accepts().iter().any(|&types| types & ANY_GPR != 0) {
                add(Sized(base, candidate));
            } else {
                add(Suffixed(base, candidate));
            }
            true
        }
    }
}

fn spell_shift(name: &str, form: &Form, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    add(Spelling::Sized(name, candidate));
    if form.accepts[1] == ONE {
        add(Spelling::Sized(name, candidate.without(0)));
    }
}
