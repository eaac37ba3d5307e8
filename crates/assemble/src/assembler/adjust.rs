//! Prefixes that GNU as reads otherwise than as the bytes they stand for.

use sequence::{Instruction, OperandKind, Prefix};

use crate::forms::{Form, Slot};

/// `data16` before these is the name of another form: `pushw`, `callw`. Elsewhere it leaves an
/// immediate's width alone.
pub(super) fn narrow<'a>(instruction: &Instruction<'a>) -> Option<Instruction<'a>> {
    let position = instruction
        .prefixes
        .iter()
        .position(|prefix| *prefix == Prefix::Data16)?;
    let name = match (instruction.mnemonic, instruction.operands.as_slice()) {
        ("push", [operand]) if matches!(operand.kind, OperandKind::Immediate(_)) => "pushw",
        ("call", [operand])
            if !operand.indirect && matches!(operand.kind, OperandKind::Memory(_)) =>
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
