//! String instructions, with operands or without.

use iced_x86::Mnemonic;

use super::Spelling;
use crate::forms::{Form, Slot, types::*};
use crate::names::Candidate;

/// `movs` and the like, with operands or without.
pub(super) fn spell_string(
    form: &Form,
    base: &str,
    mut candidate: Candidate,
    intel: bool,
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
    for accepts in &mut candidate.accepts {
        if *accepts & DX != 0 {
            *accepts |= ANY_D;
        }
    }
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
    // GNU as has a second name for each.
    let second = match name {
        "movs" => "smov",
        "cmps" => "scmp",
        "lods" => "slod",
        "scas" => "ssca",
        "stos" => "ssto",
        _ => "",
    };
    for way in all {
        add(Spelling::Suffixed(&suffixed, way));
        add(Spelling::Plain(name, way));
        if !second.is_empty() {
            let suffix = &suffixed[name.len()..];
            add(Spelling::Suffixed(&format!("{second}{suffix}"), way));
            add(Spelling::Plain(second, way));
        }
        // `movsd` and `cmpsd` stand beside the SSE instructions of the same name.
        if width == 4 && matches!(name, "movs" | "cmps") && (intel || way.count == 0) {
            add(Spelling::Plain(base, way));
        }
    }
    true
}
