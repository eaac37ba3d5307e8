//! Memory operands of string instructions, whose registers the opcode fixes whatever is written.

use iced_x86::Mnemonic;
use sequence::{Problem, Register, RegisterClass};

use crate::expr::Folded;
use crate::forms::{Slot, types::*};
use crate::layout::problem;
use crate::names::{Candidate, To};
use crate::operand::{Operands, Value};

/// Puts the registers that the opcode fixes in place of others, as GNU as does. Gives the register
/// of the first operand that was written otherwise.
///
/// # Errors
/// Two addresses of different widths.
pub(crate) fn settle(
    candidate: &Candidate,
    operands: &mut Operands,
) -> Result<Option<&'static str>, Problem> {
    let form = candidate.form();
    if !form.slots().contains(&Slot::ImpliedMemory) {
        return Ok(None);
    }
    // What has no register has the width of the other.
    let is_narrow = operands.list.iter().any(|operand| {
        matches!(&operand.value, Value::Memory(address) if address.base.is_some_and(
            |base| matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Eip)))
    });
    let mut other = None;
    let mut before = None;
    for (place, operand) in operands.list.iter_mut().enumerate() {
        let is_implied = matches!(candidate.to[place], To::Slot(slot)
            if form.slots[usize::from(slot)] == Slot::ImpliedMemory);
        let Value::Memory(address) = &mut operand.value else {
            continue;
        };
        if !is_implied {
            continue;
        }
        let accepts = candidate.accepts[place];
        let (number, name) = if accepts & STRING_SI != 0 {
            (6, "rsi")
        } else if accepts & STRING_DI != 0 {
            (7, "rdi")
        } else {
            (3, "rbx")
        };
        let class = match address.base {
            None if address.index.is_none() && is_narrow => RegisterClass::Gpr32,
            Some(base) if matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Eip) => {
                RegisterClass::Gpr32
            }
            _ => RegisterClass::Gpr64,
        };
        if accepts & STRING_DI != 0
            && !matches!(
                form.code.mnemonic(),
                Mnemonic::Maskmovq | Mnemonic::Maskmovdqu | Mnemonic::Vmaskmovdqu
            )
            && address.segment.is_some_and(|segment| segment != 0)
        {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    "the destination of a string instruction is always in `%es`",
                    "leave the segment out",
                )
            });
        }
        let has_register = address.base.is_some() || address.index.is_some();
        if has_register && before.replace(class).is_some_and(|before| before != class) {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    "the two addresses of a string instruction differ in width",
                    "use two 64-bit registers, or two 32-bit ones",
                )
            });
        }
        let fixed = Some(Register { class, number });
        let plain = address.index.is_none() && address.displacement == Folded::Number(0);
        if address.base == fixed && plain {
            continue;
        }
        address.base = fixed;
        address.index = None;
        address.displacement = Folded::Number(0);
        address.modifier = None;
        other.get_or_insert(name);
    }
    Ok(other)
}
