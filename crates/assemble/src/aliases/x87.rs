//! The x87: suffixes of memory, operands left out, AT&T's reversed `fsub` and `fdiv`.

use iced_x86::Mnemonic;

use super::Spelling;
use crate::forms::{Form, Slot, types::*};
use crate::names::{Candidate, To};

/// The x87: suffixes of memory, operands left out, and AT&T's reversed `fsub` and `fdiv`.
pub(super) fn spell_x87(
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
        let real = is_real(base);
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
    // The other names of these conditions.
    let second = match base {
        "fcmovb" => "fcmovnae",
        "fcmovbe" => "fcmovna",
        "fcmovnb" => "fcmovae",
        "fcmovnbe" => "fcmova",
        _ => "",
    };
    if !second.is_empty() {
        add(Plain(second, candidate));
    }
    if matches!(base, "faddp" | "fmulp") {
        // It means the same the other way round, and GNU as turns it.
        add(Plain(base, candidate.exchanged()));
    }
    // These have st(0) without a word of it.
    if !matches!(base, "fxch" | "fcom" | "fcomp" | "fucom" | "fucomp") || form.count == 1 {
        add(Plain(name, candidate));
    }
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
    }
}

/// Whether an x87 instruction's memory is a real number, of any of the three sizes.
pub(crate) fn is_real(base: &str) -> bool {
    matches!(
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
    )
}
