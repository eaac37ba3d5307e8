//! Descriptor tables, selectors, monitors, ports.

use iced_x86::Mnemonic;

use super::Spelling;
use crate::forms::{Form, types::*};
use crate::names::Candidate;

/// Descriptor tables, selectors, monitors: registers that say what the opcode says.
pub(super) fn spell_system(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    match form.code.mnemonic() {
        Mnemonic::Sldt | Mnemonic::Str | Mnemonic::Smsw => {
            let smsw = form.code.mnemonic() == Mnemonic::Smsw;
            match form.operand_size {
                32 if !smsw => {
                    // Only `smsw` has a use for REX.W.
                    add(Plain(base, candidate.only(0, R32 | R64 | MEMORY)));
                    add(Suffixed(&format!("{base}w"), candidate.only(0, MEMORY)));
                    add(Suffixed(&format!("{base}l"), candidate.only(0, R32)));
                    add(Suffixed(&format!("{base}q"), candidate.only(0, R64)));
                }
                64 if !smsw => {}
                16 => add(Sized(base, candidate.only(0, R16))),
                32 => {
                    add(Plain(base, candidate));
                    add(Suffixed(&format!("{base}w"), candidate.only(0, MEMORY)));
                    add(Suffixed(&format!("{base}l"), candidate.only(0, R32)));
                }
                _ => add(Sized(base, candidate.only(0, R64))),
            }
            true
        }
        Mnemonic::Lldt | Mnemonic::Ltr | Mnemonic::Lmsw | Mnemonic::Verr | Mnemonic::Verw => {
            if form.operand_size == 32 {
                let candidate = Candidate {
                    width: 2,
                    ..candidate
                };
                add(Sized(base, candidate.only(0, R16 | MEMORY)));
            }
            true
        }
        Mnemonic::Lar | Mnemonic::Lsl => {
            let source = match form.operand_size {
                16 => R16,
                32 => R16 | R32,
                _ => R16 | R64,
            };
            add(Sized(base, candidate.only(0, source | MEMORY)));
            true
        }
        Mnemonic::Sgdt | Mnemonic::Sidt | Mnemonic::Lgdt | Mnemonic::Lidt => {
            add(Sized(
                base,
                Candidate {
                    width: 8,
                    ..candidate
                },
            ));
            true
        }
        Mnemonic::Sysret | Mnemonic::Sysretq | Mnemonic::Sysexit | Mnemonic::Sysexitq => {
            let name = base.trim_end_matches('q');
            if form.operand_size == 64 {
                add(Suffixed(&format!("{name}q"), candidate));
            } else {
                let candidate = Candidate {
                    width: 4,
                    ..candidate
                };
                add(Sized(name, candidate));
            }
            true
        }
        Mnemonic::Monitor | Mnemonic::Monitorx | Mnemonic::Mwait | Mnemonic::Mwaitx => {
            let address = if form.address_size == 32 { EAX } else { RAX };
            if form.address_size != 32 {
                add(Plain(base, candidate));
            }
            match form.code.mnemonic() {
                Mnemonic::Monitor | Mnemonic::Monitorx => add(Plain(
                    base,
                    candidate
                        .with_front(ANY_D)
                        .with_front(ANY_C)
                        .with_front(address),
                )),
                Mnemonic::Mwait => add(Plain(
                    base,
                    candidate.with_front(ANY_C).with_front(EAX | RAX),
                )),
                _ => add(Plain(
                    base,
                    candidate
                        .with_front(ANY_B)
                        .with_front(ANY_C)
                        .with_front(EAX | RAX),
                )),
            }
            true
        }
        Mnemonic::Vmrun
        | Mnemonic::Vmload
        | Mnemonic::Vmsave
        | Mnemonic::Clzero
        | Mnemonic::Invlpga
        | Mnemonic::Skinit
        | Mnemonic::Invlpgb
        | Mnemonic::Pvalidate
        | Mnemonic::Rmpadjust
        | Mnemonic::Rmpupdate
        | Mnemonic::Psmash => {
            if form.address_size == 32 {
                let one = candidate.with_front(EAX);
                match form.code.mnemonic() {
                    Mnemonic::Invlpga => {
                        add(Plain(base, candidate.with_front(ANY_C).with_front(EAX)))
                    }
                    Mnemonic::Invlpgb | Mnemonic::Pvalidate => {
                        let two = candidate.with_front(ANY_D).with_front(ANY_C);
                        add(Plain(base, two.with_front(EAX)));
                        if form.code.mnemonic() == Mnemonic::Pvalidate {
                            add(Plain(base, one));
                        }
                    }
                    _ => add(Plain(base, one)),
                }
            } else {
                add(Plain(base, candidate));
                match form.code.mnemonic() {
                    Mnemonic::Skinit => add(Plain(base, candidate.with_front(EAX))),
                    Mnemonic::Invlpga => {
                        add(Plain(base, candidate.with_front(ANY_C).with_front(RAX)))
                    }
                    Mnemonic::Invlpgb | Mnemonic::Pvalidate => {
                        let two = candidate.with_front(ANY_D).with_front(ANY_C);
                        add(Plain(base, two.with_front(RAX)));
                        if form.code.mnemonic() == Mnemonic::Pvalidate {
                            add(Plain(base, candidate.with_front(RAX)));
                        }
                    }
                    Mnemonic::Rmpadjust => {
                        let two = candidate.with_front(ANY_D).with_front(ANY_C);
                        add(Plain(base, two.with_front(RAX)));
                        add(Plain(base, candidate.with_front(RAX)));
                    }
                    Mnemonic::Rmpupdate => {
                        add(Plain(base, candidate.with_front(ANY_C).with_front(RAX)));
                        add(Plain(base, candidate.with_front(RAX)));
                    }
                    _ => add(Plain(base, candidate.with_front(RAX))),
                }
            }
            true
        }
        Mnemonic::Wait => {
            add(Plain("wait", candidate));
            add(Plain("fwait", candidate));
            true
        }
        Mnemonic::Int3 => {
            add(Plain("int3", candidate));
            // `int $3` is this one.
            add(Plain("int", candidate.with_front(IMM8)));
            true
        }
        Mnemonic::Ud2 => {
            add(Plain("ud2", candidate));
            add(Plain("ud2a", candidate));
            true
        }
        Mnemonic::Ud1 => {
            add(Sized("ud1", candidate));
            add(Sized("ud2b", candidate));
            true
        }
        Mnemonic::In | Mnemonic::Out => {
            let is_in = form.code.mnemonic() == Mnemonic::In;
            let port = usize::from(!is_in);
            let mut candidate = candidate;
            if candidate.accepts[port] & DX != 0 {
                candidate.accepts[port] |= ANY_D;
            }
            add(Sized(base, candidate));
            let accumulator = usize::from(is_in);
            let short = candidate.without(accumulator);
            if let Some(letter) = [(1, 'b'), (2, 'w'), (4, 'l')]
                .iter()
                .find(|pair| pair.0 == candidate.width)
            {
                add(Suffixed(&format!("{base}{}", letter.1), short));
                // Without a suffix four bytes are a guess, as where memory has no size.
                add(Plain(base, short));
            }
            true
        }
        _ => false,
    }
}
