//! The stack and `mov` with its kin.

use iced_x86::{Code, Mnemonic};

use super::Spelling;
use crate::forms::{Form, Slot, types::*};
use crate::names::Candidate;

/// `push`, `pop`, `enter`, `leave`, flags.
pub(super) fn spell_stack(
    form: &Form,
    base: &str,
    mut candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    match form.code.mnemonic() {
        Mnemonic::Push | Mnemonic::Pop => {
            if form.operand_size == 16 {
                let registers = candidate.accepts[0] & !(MEMORY | ANY_IMMEDIATE | FS | GS);
                if registers != 0 {
                    add(Plain(base, candidate.only(0, registers)));
                }
                add(Suffixed(&format!("{base}w"), candidate));
            } else {
                if form.slots().first() == Some(&Slot::Immediate(4)) {
                    candidate.accepts[0] = IMM32S;
                }
                add(Sized(base, candidate));
            }
            true
        }
        Mnemonic::Pushf | Mnemonic::Pushfq | Mnemonic::Popf | Mnemonic::Popfq => {
            let name = base.trim_end_matches('q');
            if form.operand_size == 16 {
                add(Suffixed(&format!("{name}w"), candidate));
            } else {
                add(Sized(name, candidate));
            }
            true
        }
        Mnemonic::Enter | Mnemonic::Leave => {
            if form.operand_size == 16 {
                add(Suffixed(&format!("{base}w"), candidate));
            } else {
                add(Sized(base, candidate));
            }
            true
        }
        _ => false,
    }
}

/// `mov` and its kin.
pub(super) fn spell_moves(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    match form.code {
        Code::Mov_AL_moffs8
        | Code::Mov_AX_moffs16
        | Code::Mov_EAX_moffs32
        | Code::Mov_RAX_moffs64
        | Code::Mov_moffs8_AL
        | Code::Mov_moffs16_AX
        | Code::Mov_moffs32_EAX
        | Code::Mov_moffs64_RAX => {
            add(Sized("movabs", candidate));
            add(Sized("mov", candidate));
            true
        }
        Code::Mov_r64_imm64 => {
            add(Sized("movabs", candidate));
            add(Sized("mov", candidate));
            true
        }
        // The 66 prefix is left out for segment registers, but not in `mov %ds,%ax`.
        Code::Mov_rm16_Sreg => {
            add(Sized(base, candidate.only(1, R16)));
            true
        }
        Code::Mov_r32m16_Sreg => {
            add(Plain(base, candidate.only(1, R32 | R64 | MEMORY)));
            add(Suffixed("movl", candidate.only(1, R32)));
            add(Suffixed(
                "movq",
                Candidate {
                    width: 8,
                    ..candidate
                }
                .only(1, R64),
            ));
            add(Suffixed(
                "movw",
                Candidate {
                    width: 2,
                    ..candidate
                }
                .only(1, MEMORY),
            ));
            true
        }
        Code::Mov_Sreg_r32m16 => {
            add(Plain(base, candidate.only(0, R16 | R32 | R64 | MEMORY)));
            add(Suffixed("movl", candidate.only(0, R32)));
            add(Suffixed(
                "movq",
                Candidate {
                    width: 8,
                    ..candidate
                }
                .only(0, R64),
            ));
            add(Suffixed(
                "movw",
                Candidate {
                    width: 2,
                    ..candidate
                }
                .only(0, R16 | MEMORY),
            ));
            true
        }
        Code::Mov_r64m16_Sreg | Code::Mov_Sreg_r64m16 | Code::Mov_Sreg_rm16 => true,
        Code::Mov_r64_cr | Code::Mov_cr_r64 | Code::Mov_r64_dr | Code::Mov_dr_r64 => {
            let candidate = Candidate {
                width: 8,
                ..candidate
            };
            add(Sized(base, candidate));
            true
        }
        Code::Movsxd_r16_rm16 => {
            // GNU as takes the wide register for what the narrow one is a part of.
            add(Plain("movsxd", candidate.only(0, R32 | MEMORY)));
            true
        }
        Code::Movsxd_r32_rm32 => {
            add(Plain("movsxd", candidate));
            add(Plain("movsx", candidate.only(0, R32)));
            add(Plain("movsxl", candidate.only(0, R32 | MEMORY)));
            true
        }
        Code::Movsxd_r64_rm32 => {
            add(Plain("movslq", candidate));
            add(Plain("movsxd", candidate));
            add(Plain("movsx", candidate.only(0, R32)));
            add(Plain("movsl", candidate.only(0, R32 | MEMORY)));
            add(Plain("movsxl", candidate.only(0, R32 | MEMORY)));
            true
        }
        _ if matches!(form.code.mnemonic(), Mnemonic::Movzx | Mnemonic::Movsx) => {
            let source = if form.accepts[1] & R8 != 0 { 'b' } else { 'w' };
            let target = match form.operand_size {
                16 => 'w',
                32 => 'l',
                _ => 'q',
            };
            let stem = &base[..4];
            if (source, target) != ('w', 'w') {
                add(Suffixed(&format!("{stem}{source}{target}"), candidate));
                // `movzb %al,%eax`; `movsb` and `movsw` are strings.
                add(Plain(&format!("{stem}{source}"), candidate));
            }
            add(Plain(base, candidate));
            // `movzxw`-like suffixes state the source's size.
            add(Plain(&format!("{base}{source}"), candidate));
            true
        }
        _ => false,
    }
}
