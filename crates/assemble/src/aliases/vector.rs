//! MMX to AVX-512: predicates in the name, registers of either width, sizes of narrowed sources.

use iced_x86::{Code, Mnemonic};

use super::Spelling;
use super::branch::CONDITIONS;
use crate::forms::{Form, Slot, Space, types::*};
use crate::names::{Candidate, To};

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

/// `pcmpestri` and the like, whose suffix says how wide the two lengths in registers are.
fn spell_lengths(base: &str, candidate: Candidate, add: &mut dyn FnMut(Spelling<'_>)) {
    match base.strip_suffix("64") {
        Some(name) => {
            let wide = Candidate {
                width: 8,
                ..candidate
            };
            add(Spelling::Suffixed(&format!("{name}q"), wide));
        }
        None => {
            add(Spelling::Plain(base, candidate));
            let narrow = Candidate {
                width: 4,
                ..candidate
            };
            add(Spelling::Suffixed(&format!("{base}l"), narrow));
        }
    }
}

/// MMX and SSE in legacy encoding.
pub(super) fn spell_sse(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) {
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
        Mnemonic::Pcmpestri
        | Mnemonic::Pcmpestrm
        | Mnemonic::Pcmpestri64
        | Mnemonic::Pcmpestrm64 => {
            spell_lengths(base, candidate, add);
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
pub(super) fn spell_vector(
    form: &Form,
    base: &str,
    candidate: Candidate,
    add: &mut dyn FnMut(Spelling<'_>),
) {
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
        Mnemonic::Vmaskmovdqu => add(Plain(base, candidate.without(2))),
        Mnemonic::Vpcmpestri
        | Mnemonic::Vpcmpestrm
        | Mnemonic::Vpcmpestri64
        | Mnemonic::Vpcmpestrm64 => {
            spell_lengths(base, candidate, add);
        }
        _ if base.starts_with("cmp") && base.ends_with("xadd") => {
            let condition = usize::from(form.opcode & 15);
            for name in CONDITIONS[condition] {
                add(Plain(&format!("cmp{name}xadd"), candidate));
            }
        }
        // GNU as has only the narrow register for it.
        Mnemonic::Vmovw if form.accepts().iter().any(|&types| types & R64 != 0) => {}
        Mnemonic::Llwpcb | Mnemonic::Slwpcb => add(Plain(base, candidate)),
        Mnemonic::Vmovq if form.accepts().iter().any(|&types| types & R64 != 0) => {
            let place = usize::from(form.slots().first() == Some(&Slot::Rm));
            add(Plain("vmovq", candidate));
            if form.space == Space::Vex {
                add(Plain("vmovd", candidate.only(place, R64)));
            }
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
            | "vcvtsi2sh"
            | "vcvtusi2ss"
            | "vcvtusi2sd"
            | "vcvtusi2sh"
            | "vcvtss2si"
            | "vcvtsd2si"
            | "vcvttss2si"
            | "vcvttsd2si"
    )
}

/// Whether the source's size does not follow from the destination register.
pub(crate) fn is_narrowing(base: &str, form: &Form) -> bool {
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
