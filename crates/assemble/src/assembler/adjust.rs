//! Prefixes that GNU as reads otherwise than as the bytes they stand for.

use sequence::{Instruction, OperandKind, Prefix, PseudoPrefix, SizeHint};

use crate::forms::{Form, Slot};
use crate::names::NAMES;

/// The instruction without an ending that says how it is encoded: `mov.s`, `mov.d32`. `None` where
/// there is none.
pub(super) fn without_ending<'a>(instruction: &Instruction<'a>) -> Option<Instruction<'a>> {
    let (name, ending) = instruction.mnemonic.rsplit_once('.')?;
    let pseudo = match ending {
        "s" => PseudoPrefix::Swap,
        "d8" => PseudoPrefix::Disp8,
        "d32" => PseudoPrefix::Disp32,
        _ => return None,
    };
    if !NAMES.contains_key(name) {
        return None;
    }
    let mut plain = instruction.clone();
    plain.mnemonic = name;
    plain.pseudo.push(pseudo);
    Some(plain)
}

/// `data16` before these is the name of another form: `pushw`, `callw`. Elsewhere it leaves an
/// immediate's width alone.
pub(super) fn narrow<'a>(instruction: &Instruction<'a>) -> Option<Instruction<'a>> {
    if let ("push", [operand]) = (instruction.mnemonic, instruction.operands.as_slice())
        && matches!(operand.kind, OperandKind::Immediate(_))
        && operand.size == SizeHint::Word
    {
        let mut narrow = instruction.clone();
        narrow.mnemonic = "pushw";
        return Some(narrow);
    }
    let position = instruction
        .prefixes
        .iter()
        .position(|prefix| *prefix == Prefix::Data16)?;
    let name = match (instruction.mnemonic, instruction.operands.as_slice()) {
        ("push", [operand]) if matches!(operand.kind, OperandKind::Immediate(_)) => "pushw",
        // REX.W wins over it.
        ("call", [operand])
            if !operand.indirect
                && matches!(operand.kind, OperandKind::Memory(_))
                && !instruction.prefixes.iter().any(is_wide) =>
        {
            "callw"
        }
        _ => return None,
    };
    let mut narrow = instruction.clone();
    narrow.mnemonic = name;
    narrow.prefixes.remove(position);
    Some(narrow)
}

fn is_wide(prefix: &Prefix) -> bool {
    matches!(prefix, Prefix::Rex(bits) if bits & 8 != 0)
}

/// The instruction without the prefixes that GNU as leaves out of direct branches: segments that are no
/// hint, and sizes that have no part in it. `None` where there are none.
pub(super) fn without_skipped<'a>(
    instruction: &Instruction<'a>,
    form: &Form,
) -> Option<Instruction<'a>> {
    let &[Slot::Relative(width)] = form.slots() else {
        return None;
    };
    let name = instruction.mnemonic;
    let hinted = name.starts_with('j') || name.starts_with("loop");
    // Loops and `jecxz`, which have one byte whatever the distance.
    let counts = width == 1 && (name.starts_with("loop") || name.ends_with("cxz"));
    let is_skipped = |prefix: &Prefix| match prefix {
        Prefix::Segment(1 | 3) => !hinted,
        Prefix::Segment(_) => true,
        Prefix::Fwait => true,
        Prefix::Addr32 => !counts,
        Prefix::Data16 => counts,
        _ => false,
    };
    if !instruction.prefixes.iter().any(is_skipped) {
        return None;
    }
    let mut left = instruction.clone();
    left.prefixes.retain(|prefix| !is_skipped(prefix));
    Some(left)
}
