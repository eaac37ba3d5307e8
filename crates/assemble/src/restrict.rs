//! What GNU as asks of operands beyond their types, once the form is chosen.

use iced_x86::{Mnemonic, OpCodeOperandKind};
use sequence::{Modifier, Problem, PseudoPrefix, RegisterClass};

use crate::forms::{Form, Slot, types::*};
use crate::layout::problem;
use crate::names::{Candidate, To};
use crate::operand::{Address, Operands, Value, Written};

/// Refuses operands that have the right types and still do not go together.
///
/// # Errors
/// What they lack, at the operand that lacks it.
pub(crate) fn check(
    candidate: &Candidate,
    operands: &Operands,
    pseudo: &[PseudoPrefix],
) -> Result<(), Problem> {
    let form = candidate.form();
    let at = |operand: &Written, problem: Problem| Problem {
        at: Some(operand.at),
        ..problem
    };
    for (place, operand) in operands.list.iter().enumerate() {
        match &operand.value {
            Value::Memory(address) => {
                if pseudo.contains(&PseudoPrefix::Disp16) {
                    return Err(problem(
                        "a displacement of 16 bits in 64-bit code",
                        "`{disp8}` and `{disp32}` are those that there are",
                    ));
                }
                check_memory(form, address).map_err(|problem| at(operand, problem))?;
            }
            Value::Immediate(_, Some(modifier)) => {
                let To::Slot(slot) = candidate.to[place] else {
                    continue;
                };
                let is_unsigned = *modifier == Modifier::Size;
                let differs = match form.slots[usize::from(slot)] {
                    Slot::Immediate(4) => !is_unsigned && form.operand_size != 64,
                    Slot::Immediate32S => is_unsigned,
                    _ => false,
                };
                if differs {
                    return Err(at(
                        operand,
                        problem(
                            "this relocation and the number that it stands for differ in their sign",
                            "a 64-bit operation takes signed ones, a 32-bit one unsigned ones",
                        ),
                    ));
                }
            }
            _ => {}
        }
    }
    check_fixed(form, operands)?;
    check_exact(form, operands)?;
    check_distinct(form, operands)?;
    if form.accepts().iter().filter(|&&types| types == TMM).count() == 3 {
        let mut seen = 0_u8;
        for operand in &operands.list {
            if let Value::Register(register) = operand.value
                && register.class == RegisterClass::Tmm
            {
                if seen >> register.number & 1 != 0 {
                    return Err(at(
                        operand,
                        problem(
                            "the tile registers are not three different ones",
                            "this instruction faults where two are the same",
                        ),
                    ));
                }
                seen |= 1 << register.number;
            }
        }
    }
    Ok(())
}

/// Numbers of 32 bits become doubles as they are, so that nothing is rounded.
fn check_exact(form: &Form, operands: &Operands) -> Result<(), Problem> {
    let is_double = matches!(
        form.code.mnemonic(),
        Mnemonic::Vcvtsi2sd | Mnemonic::Vcvtusi2sd
    );
    let is_narrow = |operand: &Written| matches!(&operand.value, Value::Register(register) if register.class == RegisterClass::Gpr32);
    if is_double && operands.rounding.is_some() && operands.list.iter().any(is_narrow) {
        return Err(problem(
            "a rounding where nothing is rounded",
            "leave it out, or use a 64-bit register",
        ));
    }
    Ok(())
}

/// Products of complex numbers read their sources after they have begun to write.
fn check_distinct(form: &Form, operands: &Operands) -> Result<(), Problem> {
    let is_complex = matches!(
        form.code.mnemonic(),
        Mnemonic::Vfmaddcph
            | Mnemonic::Vfmaddcsh
            | Mnemonic::Vfcmaddcph
            | Mnemonic::Vfcmaddcsh
            | Mnemonic::Vfmulcph
            | Mnemonic::Vfmulcsh
            | Mnemonic::Vfcmulcph
            | Mnemonic::Vfcmulcsh
    );
    let Some((destination, sources)) = operands.list.split_last().filter(|_| is_complex) else {
        return Ok(());
    };
    let registers = |operand: &Written| match &operand.value {
        Value::Register(register) => Some(register.number),
        _ => None,
    };
    for source in sources {
        if registers(source).is_some() && registers(source) == registers(destination) {
            return Err(Problem {
                at: Some(source.at),
                ..problem(
                    "the destination of this product is one of its sources",
                    "the instruction faults then: use another register",
                )
            });
        }
    }
    Ok(())
}

/// Registers that the opcode fixes and that are written all the same have a width.
fn check_fixed(form: &Form, operands: &Operands) -> Result<(), Problem> {
    let alike = match form.code.mnemonic() {
        Mnemonic::Mwait | Mnemonic::Mwaitx => true,
        Mnemonic::Monitor | Mnemonic::Monitorx | Mnemonic::Rmpadjust => false,
        _ => return Ok(()),
    };
    let mut first = None;
    for operand in &operands.list {
        let Value::Register(register) = operand.value else {
            continue;
        };
        let wide = matches!(register.class, RegisterClass::Gpr32 | RegisterClass::Gpr64);
        let same = *first.get_or_insert(register.class) == register.class;
        if !wide || (alike && !same) {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    "the registers of this instruction differ in width",
                    "write the 32-bit ones, or leave them out",
                )
            });
        }
    }
    Ok(())
}

fn check_memory(form: &Form, address: &Address) -> Result<(), Problem> {
    let registers = || [address.base, address.index].into_iter().flatten();
    let narrow = registers().any(|register| {
        matches!(
            register.class,
            RegisterClass::Gpr32 | RegisterClass::Eip | RegisterClass::Eiz
        )
    });
    if form.accepts().contains(&BND) && narrow {
        return Err(problem(
            "an MPX instruction with a 32-bit address",
            "use 64-bit registers in it",
        ));
    }
    let relative = address
        .base
        .is_some_and(|base| matches!(base.class, RegisterClass::Rip | RegisterClass::Eip));
    let info = form.code.op_code();
    let needs_sib = info
        .op_kinds()
        .iter()
        .any(|kind| matches!(kind, OpCodeOperandKind::sibmem | OpCodeOperandKind::mem_mib));
    if relative && (needs_sib || form.code.mnemonic() == Mnemonic::Bndmk) {
        return Err(problem(
            "this instruction has no `%rip`-relative address",
            "load the address with `lea` first",
        ));
    }
    let writes_there = matches!(
        form.code.mnemonic(),
        Mnemonic::Movdir64b | Mnemonic::Enqcmd | Mnemonic::Enqcmds
    );
    if writes_there && address.size.is_some() {
        return Err(problem(
            "GNU as takes no size before the memory of this instruction",
            "leave it out: there is only one",
        ));
    }
    if writes_there && registers().next().is_some() && narrow != (form.address_size == 32) {
        return Err(problem(
            "the register that holds the destination's address differs in width from this address",
            "use two of 64 bits, or two of 32",
        ));
    }
    Ok(())
}
