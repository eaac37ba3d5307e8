//! What AT&T syntax calls instructions where it is not Intel's name, with or without a suffix,
//! and operands that may be left out or written twice.

use iced_x86::{Code, Mnemonic};

use crate::forms::{Form, Slot, Space, types::*};
use crate::names::{Candidate, To};

/// A name for a candidate.
pub(crate) enum Spelling<'a> {
    /// This name, without a suffix.
    Plain(&'a str, Candidate),
    /// This name, and this name with the suffix of the candidate's width.
    Sized(&'a str, Candidate),
    /// This name, which already has the suffix of the candidate's width.
    Suffixed(&'a str, Candidate),
}

/// Instructions whose operands AT&T writes in Intel's order.
pub(crate) fn keeps_order(code: Code) -> bool {
    matches!(
        code.mnemonic(),
        Mnemonic::Enter | Mnemonic::Tpause | Mnemonic::Umwait | Mnemonic::Bound
    )
}

/// Instructions that AVX-512 had before AVX got them.
pub(crate) fn is_evex_first(code: Code) -> bool {
    matches!(
        code.mnemonic(),
        Mnemonic::Vpdpbusd
            | Mnemonic::Vpdpbusds
            | Mnemonic::Vpdpwssd
            | Mnemonic::Vpdpwssds
            | Mnemonic::Vpmadd52luq
            | Mnemonic::Vpmadd52huq
            | Mnemonic::Vcvtneps2bf16
    )
}

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

/// Predicates of `cmpps` and the like; the first eight exist without VEX.
const PREDICATES: [&[&str]; 32] = [
    &["eq", "eq_oq"],
    &["lt", "lt_os"],
    &["le", "le_os"],
    &["unord", "unord_q"],
    &["neq", "neq_uq"],
    &["nlt", "nlt_us"],
    &["nle", "nle_us"],
    &["ord", "ord_q"],
    &["eq_uq"],
    &["nge", "nge_us"],
    &["ngt", "ngt_us"],
    &["false", "false_oq"],
    &["neq_oq"],
    &["ge", "ge_os"],
    &["gt", "gt_os"],
    &["true", "true_uq"],
    &["eq_os"],
    &["lt_oq"],
    &["le_oq"],
    &["unord_s"],
    &["neq_us"],
    &["nlt_uq"],
    &["nle_uq"],
    &["ord_s"],
    &["eq_us"],
    &["nge_uq"],
    &["ngt_uq"],
    &["false_os"],
    &["neq_os"],
    &["ge_oq"],
    &["gt_oq"],
    &["true_us"],
];

/// Predicates of `vpcmpd` and the like.
const INTEGER_PREDICATES: [&[&str]; 8] = [
    &["eq"],
    &["lt"],
    &["le"],
    &[],
    &["neq"],
    &["nlt"],
    &["nle"],
    &[],
];

/// Predicates of XOP's `vpcomd` and the like.
const XOP_PREDICATES: [&str; 8] = ["lt", "le", "gt", "ge", "eq", "neq", "false", "true"];

/// Calls `add` with every way to spell a form. `base` is iced-x86's mnemonic in lower case.
pub(crate) fn spell(
    form: &Form,
    base: &str,
    candidate: Candidate,
    intel: bool,
    add: &mut dyn FnMut(Spelling<'_>),
) {
    if form.space != Space::Legacy {
        return spell_vector(form, base, candidate, add);
    }
    if base.starts_with('f') && is_x87(form) {
        return spell_x87(form, base, candidate, intel, add);
    }
    if spell_branch(form, base, candidate, add)
        || spell_string(form, base, candidate, add)
        || spell_system(form, base, candidate, add)
        || spell_stack(form, base, candidate, add)
        || spell_moves(form, base, candidate, add)
        || spell_general(form, base, candidate, add)
    {
        return;
    }
    spell_sse(form, base, candidate, add);
}

fn is_x87(form: &Form) -> bool {
    form.map == 0
}

/// Jumps, calls, returns, loops, conditions.
fn spell_branch(
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
                add(Sized(base, candidate));
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

/// `movs` and the like, with operands or without.
fn spell_string(
    form: &Form,
    base: &str,
    mut candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    if !form.slots().contains(&Slot::ImpliedMemory) {
        return false;
    }
    match form.code.mnemonic() {
        Mnemonic::Xlatb => {
            for name in ["xlat", "xlatb"] {
                add(Spelling::Plain(name, candidate.without(0)));
                add(Spelling::Plain(name, candidate));
            }
            return true;
        }
        Mnemonic::Maskmovq | Mnemonic::Maskmovdqu => {
            add(Spelling::Plain(base, candidate.without(2)));
            return true;
        }
        _ => {}
    }
    let (name, width) = match base.as_bytes().last() {
        Some(b'b') => (&base[..base.len() - 1], 1),
        Some(b'w') => (&base[..base.len() - 1], 2),
        Some(b'd') => (&base[..base.len() - 1], 4),
        _ => (&base[..base.len() - 1], 8),
    };
    candidate.width = width;
    let suffixed = format!(
        "{name}{}",
        match width {
            1 => 'b',
            2 => 'w',
            4 => 'l',
            _ => 'q',
        }
    );
    let bare = {
        let mut bare = candidate;
        bare.count = 0;
        bare
    };
    let mut all = vec![bare, candidate];
    match name {
        // `scas (%rdi)` and `lods (%rsi)`: the accumulator may be left out.
        "lods" => all.push(candidate.without(1)),
        "scas" => all.push(candidate.without(0)),
        "stos" => all.push(candidate.without(0)),
        _ => {}
    }
    if name == "scas" {
        // iced-x86 names the accumulator first, so it comes last here; GNU as has it last too.
        all.pop();
        all.push(candidate.without(1));
    }
    for way in all {
        add(Spelling::Suffixed(&suffixed, way));
        if way.count > 0 {
            add(Spelling::Plain(name, way));
        }
        // `movsd` and `cmpsd` stand beside the SSE instructions of the same name.
        if width == 4 && matches!(name, "movs" | "cmps") {
            add(Spelling::Plain(base, way));
        }
    }
    true
}

/// Descriptor tables, selectors, monitors: registers that say what the opcode says.
fn spell_system(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) -> bool {
    use Spelling::{Plain, Sized, Suffixed};
    let gpr = R16 | R32 | R64;
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
            let source = gpr | MEMORY;
            add(Sized(base, candidate.only(0, source)));
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
                        .with_front(R32 | R64)
                        .with_front(R32 | R64)
                        .with_front(address),
                )),
                Mnemonic::Mwait => add(Plain(
                    base,
                    candidate.with_front(R32 | R64).with_front(EAX | RAX),
                )),
                _ => add(Plain(
                    base,
                    candidate
                        .with_front(R32 | R64)
                        .with_front(R32 | R64)
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
                        add(Plain(base, candidate.with_front(R32).with_front(EAX)))
                    }
                    Mnemonic::Invlpgb | Mnemonic::Pvalidate => {
                        let two = candidate.with_front(R32).with_front(R32);
                        add(Plain(base, two.with_front(EAX)));
                    }
                    _ => add(Plain(base, one)),
                }
            } else {
                add(Plain(base, candidate));
                match form.code.mnemonic() {
                    Mnemonic::Skinit => add(Plain(base, candidate.with_front(EAX))),
                    Mnemonic::Invlpga => {
                        add(Plain(base, candidate.with_front(R32).with_front(RAX)))
                    }
                    Mnemonic::Invlpgb | Mnemonic::Pvalidate => {
                        let two = candidate.with_front(R32).with_front(R32);
                        add(Plain(base, two.with_front(RAX)));
                    }
                    Mnemonic::Rmpadjust => {
                        let two = candidate.with_front(R64).with_front(R64);
                        add(Plain(base, two.with_front(RAX)));
                    }
                    Mnemonic::Rmpupdate => {
                        add(Plain(base, candidate.with_front(R64).with_front(RAX)));
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
            add(Sized(base, candidate));
            let accumulator = usize::from(form.code.mnemonic() == Mnemonic::In);
            let short = candidate.without(accumulator);
            if let Some(letter) = [(1, 'b'), (2, 'w'), (4, 'l')]
                .iter()
                .find(|pair| pair.0 == candidate.width)
            {
                add(Suffixed(&format!("{base}{}", letter.1), short));
            }
            true
        }
        _ => false,
    }
}

/// `push`, `pop`, `enter`, `leave`, flags.
fn spell_stack(
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
fn spell_moves(
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
        Code::Movsxd_r16_rm16 | Code::Movsxd_r32_rm32 => {
            add(Plain("movsxd", candidate));
            true
        }
        Code::Movsxd_r64_rm32 => {
            add(Plain("movslq", candidate));
            add(Plain("movsxd", candidate));
            add(Plain("movsxdq", candidate));
            add(Plain("movsx", candidate.only(0, R32)));
            add(Plain("movsl", candidate.only(0, R32 | MEMORY)));
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
                add(Plain(base, candidate));
                // `movzxw`-like suffixes state the source's size.
                add(Plain(&format!("{base}{source}"), candidate));
            }
            true
        }
        _ => false,
    }
}

/// Arithmetic, shifts, bits, exchanges.
fn spell_general(
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
        // Younger than binutils 2.40, so that GNU as cannot be asked.
        Mnemonic::Lkgs => true,
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
        Mnemonic::Cmpxchg16b | Mnemonic::Fxsave64 | Mnemonic::Fxrstor64 => {
            add(Plain(base, candidate));
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
                add(Plain(base, candidate.with_back(R32).with_back(R32)));
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

/// MMX and SSE in legacy encoding.
fn spell_sse(form: &Form, base: &str, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    use Spelling::{Plain, Sized};
    let prefix = format!("{:?}", form.code);
    match form.code {
        // Wide forms of what has no use for the upper half: GNU as leaves REX.W out.
        _ if drops_wide(form) => return,
        Code::Movq_xmm_rm64 | Code::Movq_rm64_xmm | Code::Movq_mm_rm64 | Code::Movq_rm64_mm => {
            let general = usize::from(form.slots().first() == Some(&Slot::Rm));
            add(Plain("movq", candidate));
            add(Plain("movd", candidate.only(general, R64)));
            return;
        }
        _ => {}
    }
    let candidate = widen(form, candidate);
    if takes_both(&prefix) {
        add(Plain(base, candidate));
        spell_widths(base, candidate, add);
        return;
    }
    match form.code.mnemonic() {
        Mnemonic::Cvtsi2ss
        | Mnemonic::Cvtsi2sd
        | Mnemonic::Cvtss2si
        | Mnemonic::Cvtsd2si
        | Mnemonic::Cvttss2si
        | Mnemonic::Cvttsd2si => {
            let width = if prefix.contains("64") && form.operand_size == 64 {
                8
            } else {
                4
            };
            add(Sized(base, Candidate { width, ..candidate }));
        }
        Mnemonic::Cmpps | Mnemonic::Cmppd | Mnemonic::Cmpss | Mnemonic::Cmpsd => {
            add(Plain(base, candidate));
            for (predicate, names) in PREDICATES.iter().enumerate().take(8) {
                // Only the short names exist without VEX.
                spell_predicate(
                    &format!("cmp{}{}", names[0], &base[3..]),
                    candidate,
                    predicate,
                    add,
                );
            }
        }
        Mnemonic::Pclmulqdq => {
            add(Plain(base, candidate));
            spell_pclmul("", candidate, add);
        }
        Mnemonic::Blendvps | Mnemonic::Blendvpd | Mnemonic::Pblendvb | Mnemonic::Sha256rnds2 => {
            add(Plain(base, candidate));
            add(Plain(base, candidate.with_front(XMM0)));
        }
        _ => add(Plain(base, candidate)),
    }
}

fn spell_predicate(
    name: &str,
    candidate: Candidate,
    predicate: usize,
    add: &mut dyn FnMut(Spelling<'_>),
) {
    let To::Slot(slot) = candidate.to[0] else {
        return;
    };
    let mut short = candidate.without(0);
    short.filled = Some((slot, u8::try_from(predicate).unwrap_or(0)));
    add(Spelling::Plain(name, short));
}

fn spell_pclmul(prefix: &str, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    for (name, predicate) in [("lqlq", 0), ("hqlq", 1), ("lqhq", 0x10), ("hqhq", 0x11)] {
        spell_predicate(
            &format!("{prefix}pclmul{name}dq"),
            candidate,
            predicate,
            add,
        );
    }
}

/// Whether a 64-bit form exists only in the tables: GNU as takes the register and the 32-bit form.
fn drops_wide(form: &Form) -> bool {
    let name = format!("{:?}", form.code);
    let wide = form.accepts().iter().any(|&types| types & R64 != 0);
    wide && takes_both(&name)
}

fn takes_both(name: &str) -> bool {
    [
        "ovmskp", "movmskb", "insrw", "insrb", "extrw", "extrb", "xtractps",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// Lets the 32-bit form of such an instruction take a 64-bit register.
fn widen(form: &Form, mut candidate: Candidate) -> Candidate {
    if takes_both(&format!("{:?}", form.code)) {
        for types in &mut candidate.accepts {
            if *types & R32 != 0 {
                *types |= R64;
            }
        }
    }
    candidate
}

/// The suffixes of a general register that both widths may stand in.
fn spell_widths(base: &str, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    let register =
        (0..usize::from(candidate.count)).find(|&place| candidate.accepts[place] & R64 != 0);
    let words = ["pinsrw", "pextrw", "pmovmskb", "movmskps", "movmskpd"];
    let Some(place) = register.filter(|_| words.contains(&base.trim_start_matches('v'))) else {
        return;
    };
    for (letter, width, types) in [('l', 4, R32), ('q', 8, R64)] {
        let sized = Candidate { width, ..candidate }.only(place, types);
        add(Spelling::Suffixed(&format!("{base}{letter}"), sized));
    }
}

/// VEX, EVEX, XOP, 3DNow!.
fn spell_vector(form: &Form, base: &str, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    use Spelling::{Plain, Sized};
    if drops_wide(form) {
        return;
    }
    let candidate = widen(form, candidate);
    if form.space == Space::Vex && takes_both(&format!("{:?}", form.code)) {
        spell_widths(base, candidate, add);
    }
    let general = form.accepts().iter().any(|&types| types & (R32 | R64) != 0);
    let vector = form
        .accepts()
        .iter()
        .any(|&types| types & (ANY_VECTOR | MASK | TMM | VSIB_X | VSIB_Y | VSIB_Z) != 0);
    match form.code.mnemonic() {
        Mnemonic::Vmovq if form.accepts().iter().any(|&types| types & R64 != 0) => {
            let place = usize::from(form.slots().first() == Some(&Slot::Rm));
            add(Plain("vmovq", candidate));
            add(Plain("vmovd", candidate.only(place, R64)));
        }
        Mnemonic::Vcmpps
        | Mnemonic::Vcmppd
        | Mnemonic::Vcmpss
        | Mnemonic::Vcmpsd
        | Mnemonic::Vcmpph
        | Mnemonic::Vcmpsh => {
            add(Plain(base, candidate));
            for (predicate, names) in PREDICATES.iter().enumerate() {
                for name in *names {
                    spell_predicate(
                        &format!("vcmp{name}{}", &base[4..]),
                        candidate,
                        predicate,
                        add,
                    );
                }
            }
        }
        Mnemonic::Vpcmpb
        | Mnemonic::Vpcmpw
        | Mnemonic::Vpcmpd
        | Mnemonic::Vpcmpq
        | Mnemonic::Vpcmpub
        | Mnemonic::Vpcmpuw
        | Mnemonic::Vpcmpud
        | Mnemonic::Vpcmpuq => {
            add(Plain(base, candidate));
            for (predicate, names) in INTEGER_PREDICATES.iter().enumerate() {
                for name in *names {
                    let mut later = candidate;
                    // `vpcmpeqd` has an opcode of its own, which comes first.
                    later.rank += 50;
                    spell_predicate(&format!("vpcmp{name}{}", &base[5..]), later, predicate, add);
                }
            }
        }
        Mnemonic::Vpcomb
        | Mnemonic::Vpcomw
        | Mnemonic::Vpcomd
        | Mnemonic::Vpcomq
        | Mnemonic::Vpcomub
        | Mnemonic::Vpcomuw
        | Mnemonic::Vpcomud
        | Mnemonic::Vpcomuq => {
            add(Plain(base, candidate));
            for (predicate, name) in XOP_PREDICATES.iter().enumerate() {
                spell_predicate(
                    &format!("vpcom{name}{}", &base[5..]),
                    candidate,
                    predicate,
                    add,
                );
            }
        }
        Mnemonic::Vpclmulqdq => {
            add(Plain(base, candidate));
            spell_pclmul("v", candidate, add);
        }
        _ if is_narrowing(base, form) => {
            // A width that no suffix letter says, so that a source in memory is seen to be ambiguous.
            let (letter, width) = match form.l {
                0 => ('x', 16),
                1 => ('y', 32),
                _ => ('z', 64),
            };
            add(Plain(base, Candidate { width, ..candidate }));
            if letter != 'z' || base.starts_with("vfpclass") || base.ends_with("ph") {
                add(Plain(&format!("{base}{letter}"), candidate));
            }
        }
        _ if general && (!vector || takes_suffix(base)) => {
            let width = if form.w == 1 { 8 } else { 4 };
            add(Sized(base, Candidate { width, ..candidate }));
        }
        _ => add(Plain(base, candidate)),
    }
}

/// Vector instructions with a general register whose size a suffix may state.
fn takes_suffix(base: &str) -> bool {
    matches!(
        base,
        "vcvtsi2ss"
            | "vcvtsi2sd"
            | "vcvtusi2ss"
            | "vcvtusi2sd"
            | "vcvtss2si"
            | "vcvtsd2si"
            | "vcvttss2si"
            | "vcvttsd2si"
    )
}

/// Whether the source's size does not follow from the destination register.
fn is_narrowing(base: &str, form: &Form) -> bool {
    (base.starts_with("vcvt") || base.starts_with("vfpclassp"))
        && form.takes_memory()
        && [
            "vcvtpd2ps",
            "vcvtpd2dq",
            "vcvttpd2dq",
            "vcvtpd2udq",
            "vcvttpd2udq",
            "vcvtqq2ps",
            "vcvtuqq2ps",
            "vcvtneps2bf16",
            "vfpclassps",
            "vfpclasspd",
            "vfpclassph",
            "vcvtps2phx",
            "vcvtdq2ph",
            "vcvtudq2ph",
            "vcvtpd2ph",
            "vcvtqq2ph",
            "vcvtuqq2ph",
        ]
        .contains(&base)
}

/// The x87: suffixes of memory, operands left out, and AT&T's reversed `fsub` and `fdiv`.
fn spell_x87(
    form: &Form,
    base: &str,
    candidate: Candidate,
    intel: bool,
    add: &mut dyn FnMut(Spelling<'_>),
) {
    use Spelling::Plain;
    let integer = base.starts_with("fi") && !matches!(base, "finit" | "fincstp");
    let memory = form
        .accepts()
        .first()
        .is_some_and(|&types| types & MEMORY != 0);
    if memory {
        let real = matches!(
            base,
            "fadd"
                | "fmul"
                | "fcom"
                | "fcomp"
                | "fsub"
                | "fsubr"
                | "fdiv"
                | "fdivr"
                | "fld"
                | "fst"
                | "fstp"
        );
        let suffixes: &[&str] = match (integer, real, form.memory) {
            (true, _, 2) => &["", "s"],
            (true, _, 4) => &["l"],
            (true, _, 8) => &["ll", "q"],
            (_, true, 4) => &["", "s"],
            (_, true, 8) => &["l"],
            (_, true, 10) => &["t"],
            _ => &[""],
        };
        // Environments without a size prefix are the 32-bit ones, except with an `s`.
        if matches!(
            form.code.mnemonic(),
            Mnemonic::Fldenv
                | Mnemonic::Fstenv
                | Mnemonic::Fnstenv
                | Mnemonic::Fsave
                | Mnemonic::Fnsave
                | Mnemonic::Frstor
        ) {
            match form.operand_size {
                16 => add(Plain(&format!("{base}s"), candidate)),
                _ => {
                    add(Plain(base, candidate));
                    add(Plain(&format!("{base}l"), candidate));
                }
            }
            return;
        }
        for suffix in suffixes {
            add(Plain(&format!("{base}{suffix}"), candidate));
        }
        if matches!(base, "fldcw" | "fstcw" | "fnstcw" | "fstsw" | "fnstsw") {
            add(Plain(&format!("{base}w"), candidate));
        }
        return;
    }
    let name = match base {
        // With the destination in st(i), AT&T's names are Intel's exchanged.
        "fsub" | "fsubr" | "fdiv" | "fdivr" | "fsubp" | "fsubrp" | "fdivp" | "fdivrp"
            if !intel && form.slots().first() == Some(&Slot::Opcode) =>
        {
            match base {
                "fsub" => "fsubr",
                "fsubr" => "fsub",
                "fdiv" => "fdivr",
                "fdivr" => "fdiv",
                "fsubp" => "fsubrp",
                "fsubrp" => "fsubp",
                "fdivp" => "fdivrp",
                _ => "fdivp",
            }
        }
        other => other,
    };
    add(Plain(name, candidate));
    if matches!(name, "fld" | "fst" | "fstp") {
        // The suffix of a double is taken, and says nothing.
        add(Plain(&format!("{name}l"), candidate));
    }
    if form.code.mnemonic() == Mnemonic::Fnstsw || form.code.mnemonic() == Mnemonic::Fstsw {
        add(Plain(name, candidate.without(0)));
        return;
    }
    let pops = name.ends_with('p')
        && form.count == 2
        && !name.starts_with("fcom")
        && !name.starts_with("fucom");
    let st_i = form.slots().iter().position(|&slot| slot == Slot::Opcode);
    let Some(st_i) = st_i else {
        return;
    };
    if form.count == 2 {
        // One operand: the other is st(0).
        let implied = usize::from(candidate.to[0] != To::Nowhere);
        let one = candidate.without(implied);
        if matches!(name, "fcom" | "fcomp") {
            add(Plain(&format!("{name}l"), one));
        }
        if pops || (form.slots()[0] == Slot::Implied && !name.starts_with("fcmov")) {
            add(Plain(name, one));
        }
        let mut none = candidate;
        none.count = 0;
        none.filled = Some((u8::try_from(st_i).unwrap_or(0), 1));
        if pops
            || matches!(
                base,
                "fcomi"
                    | "fcomip"
                    | "fucomi"
                    | "fucomip"
                    | "fxch"
                    | "fcom"
                    | "fcomp"
                    | "fucom"
                    | "fucomp"
            )
        {
            add(Plain(name, none));
        }
        if pops {
            // `fadd` alone is `faddp`.
            add(Plain(&name[..name.len() - 1], none));
        }
        if matches!(base, "fcomip" | "fucomip") {
            let other = format!("{}pi", base.trim_end_matches("ip"));
            add(Plain(&other, candidate));
            add(Plain(&other, one));
            add(Plain(&other, none));
        }
    } else if form.count == 1 && matches!(base, "fxch" | "fcom" | "fcomp" | "fucom" | "fucomp") {
        let mut none = candidate;
        none.count = 0;
        none.filled = Some((u8::try_from(st_i).unwrap_or(0), 1));
        add(Plain(name, none));
        add(Plain(name, candidate.with_back(ST0)));
    }
}
