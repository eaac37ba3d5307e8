//! Instructions that are odd, and taken all the same: where GNU as warns.

use iced_x86::Mnemonic;
use sequence::{Instruction, RegisterClass, Syntax};

use crate::forms::{Form, Slot, Space};
use crate::operand::{Address, Operands, Value};

/// A message and a remedy.
type Doubt = (String, &'static str);

/// x87 names of which memory alone does not say the size.
const SIZED: [&str; 23] = [
    "fld", "fst", "fstp", "fadd", "fsub", "fsubr", "fmul", "fdiv", "fdivr", "fcom", "fcomp",
    "fild", "fist", "fistp", "fisttp", "fiadd", "fisub", "fisubr", "fimul", "fidiv", "fidivr",
    "ficom", "ficomp",
];

/// What is odd about an instruction.
pub(super) fn doubts(
    instruction: &Instruction<'_>,
    form: &Form,
    operands: &Operands,
) -> Vec<Doubt> {
    let mut found = Vec::new();
    if instruction.syntax == Syntax::Att {
        written(instruction, form, operands, &mut found);
    }
    let name = instruction.mnemonic;
    let takes_number = instruction.syntax == Syntax::Intel && operands.list.len() == 1;
    if takes_number && matches!(name, "lret" | "retf") {
        let message = format!("`{name}` has no size: the default is taken");
        found.push((message, "GNU as has a suffix for it in AT&T syntax alone"));
    }
    for operand in &operands.list {
        let Value::Memory(address) = &operand.value else {
            continue;
        };
        if address.scale != 0 && address.index.is_none() {
            let message = format!("a scale of {} without an index", 1 << address.scale);
            found.push((message, "leave it out, or write an index before it"));
        }
        if form.code.mnemonic() == Mnemonic::Lea && address.segment.is_some() {
            let message = "`lea` does not look at a segment's base".to_owned();
            found.push((message, "leave the segment out"));
        }
        let is_relative = address
            .base
            .is_some_and(|base| matches!(base.class, RegisterClass::Rip | RegisterClass::Eip));
        if matches!(name, "prefetchit0" | "prefetchit1") && !is_relative {
            let message = format!("`{name}` does nothing but with a `%rip`-relative address");
            found.push((message, "write `foo(%rip)`"));
        }
        if name.starts_with("vgather") || name.starts_with("vpgather") {
            found.extend(gathered(form, address, operands));
        }
    }
    found
}

/// What is odd in AT&T syntax alone.
fn written(
    instruction: &Instruction<'_>,
    form: &Form,
    operands: &Operands,
    found: &mut Vec<Doubt>,
) {
    let name = instruction.mnemonic;
    let is_branch = matches!(form.code.mnemonic(), Mnemonic::Call | Mnemonic::Jmp);
    if is_branch && form.slots() == [Slot::Rm] && !instruction.operands[0].indirect {
        let message = format!("an indirect `{name}` without `*`");
        found.push((message, "write the `*` before the operand"));
    }
    let memory = operands
        .list
        .iter()
        .any(|operand| matches!(operand.value, Value::Memory(_)));
    let count = operands.list.len();
    let is_unsized = matches!(name, "lret" | "retf" | "iret" | "sysret" | "sysexit")
        || (memory && (SIZED.contains(&name) || matches!(name, "crc32" | "ptwrite")))
        || (count == 1 && matches!(name, "in" | "out"));
    if is_unsized {
        let message = format!("`{name}` has no size suffix: the default is taken");
        found.push((message, "write the suffix"));
    }
    match (name, count) {
        ("fadd" | "fsub" | "fsubr" | "fmul" | "fdiv" | "fdivr", 0) => {
            let message = format!("`{name}` without operands is `{name}p`");
            found.push((message, "write that"));
        }
        ("movsd" | "cmpsd", 0) => {
            let message = format!("`{name}` without operands is `{}l`", &name[..4]);
            found.push((message, "write that"));
        }
        ("faddp" | "fmulp", 2) => {
            let number = |place: usize| match operands.list[place].value {
                Value::Register(register) => Some(register.number),
                _ => None,
            };
            if let (Some(first @ 1..), Some(0)) = (number(0), number(1)) {
                let message = format!("`{name} %st({first}),%st` is `{name} %st,%st({first})`");
                found.push((message, "write that"));
            }
        }
        _ => {}
    }
}

/// A gather reads its index and its mask while it writes: where they are one register, it faults.
fn gathered(form: &Form, address: &Address, operands: &Operands) -> Option<Doubt> {
    let registers = operands
        .list
        .iter()
        .filter_map(|operand| match operand.value {
            Value::Register(register) => Some(register.number),
            _ => None,
        });
    let mut all: Vec<u8> = registers
        .chain(address.index.map(|index| index.number))
        .collect();
    all.sort_unstable();
    let what = match form.space {
        Space::Evex => "index and destination",
        _ => "mask, index and destination",
    };
    all.windows(2).any(|pair| pair[0] == pair[1]).then(|| {
        let message = format!("{what} of a gather are not different registers");
        (message, "the instruction faults then: use another register")
    })
}
