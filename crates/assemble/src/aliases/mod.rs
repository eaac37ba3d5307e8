//! What AT&T syntax calls instructions where it is not Intel's name, with or without a suffix,
//! and operands that may be left out or written twice.

mod branch;
mod general;
mod moves;
mod string;
mod system;
mod vector;
mod x87;

use iced_x86::{Code, Mnemonic};

pub(crate) use vector::is_narrowing;
pub(crate) use x87::is_real;

use crate::forms::{Form, Space};
use crate::names::Candidate;

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

/// Calls `add` with every way to spell a form. `base` is iced-x86's mnemonic in lower case.
pub(crate) fn spell(
    form: &Form,
    base: &str,
    candidate: Candidate,
    intel: bool,
    add: &mut dyn FnMut(Spelling<'_>),
) {
    if form.space != Space::Legacy {
        return vector::spell_vector(form, base, candidate, add);
    }
    if base.starts_with('f') && is_x87(form) {
        return x87::spell_x87(form, base, candidate, intel, add);
    }
    if branch::spell_branch(form, base, candidate, add)
        || string::spell_string(form, base, candidate, intel, add)
        || system::spell_system(form, base, candidate, add)
        || moves::spell_stack(form, base, candidate, add)
        || moves::spell_moves(form, base, candidate, add)
        || general::spell_general(form, base, candidate, add)
    {
        return;
    }
    vector::spell_sse(form, base, candidate, add);
}

fn is_x87(form: &Form) -> bool {
    form.map == 0
}
