//! Operands by their place in the encoding.

use sequence::{Modifier, Register, RegisterClass};

use crate::expr::Folded;
use crate::forms::Slot;
use crate::names::{Candidate, To};
use crate::operand::{Address, Operands, Value};

/// What goes into ModRM.rm.
#[derive(Clone, Copy)]
pub(super) enum Rm<'a> {
    None,
    Register(u8),
    Memory(&'a Address),
}

/// An immediate: its width in bytes, whether the CPU extends its sign, and what it is.
pub(super) type Immediate<'a> = (u8, bool, &'a Folded, Option<Modifier>);

/// Operands by their place in the encoding.
pub(super) struct Fields<'a> {
    pub(super) reg: u8,
    pub(super) rm: Rm<'a>,
    pub(super) vvvv: u8,
    pub(super) opcode: u8,
    pub(super) is4: Option<u8>,
    /// The byte that `is4` shares.
    pub(super) m2z: u8,
    pub(super) immediates: [Option<Immediate<'a>>; 2],
    pub(super) filled: Option<u8>,
    pub(super) offset: Option<&'a Address>,
    pub(super) target: Option<(u8, &'a Address)>,
    /// Memory that the opcode fixes, for its segment and address size.
    pub(super) implied: Option<&'a Address>,
    /// A byte register that exists only with REX, and one that does not exist with it.
    pub(super) needs_rex: bool,
    pub(super) high_byte: Option<(u32, u32)>,
}

pub(super) fn place<'a>(candidate: &Candidate, operands: &'a Operands) -> Fields<'a> {
    let form = candidate.form();
    let mut fields = Fields {
        reg: 0,
        rm: Rm::None,
        vvvv: 0,
        opcode: 0,
        is4: None,
        m2z: 0,
        immediates: [None; 2],
        filled: None,
        offset: None,
        target: None,
        implied: None,
        needs_rex: false,
        high_byte: None,
    };
    // From the last operand as written to the first: Intel's order, that of immediates.
    for index in (0..operands.list.len()).rev() {
        let operand = &operands.list[index];
        if let Value::Register(register) = operand.value {
            match register.class {
                RegisterClass::Gpr8 if register.number >= 4 => fields.needs_rex = true,
                RegisterClass::Gpr8High => fields.high_byte = Some(operand.at),
                _ => {}
            }
        }
        match candidate.to[index] {
            To::Nowhere => {}
            To::Slot(slot) => fields.put(form.slots[usize::from(slot)], &operand.value),
            To::FirstTwo => {
                fields.put(form.slots[0], &operand.value);
                fields.put(form.slots[1], &operand.value);
            }
        }
    }
    if fields.immediates[1].is_some() && crate::aliases::keeps_order(form.code) {
        fields.immediates.swap(0, 1);
    }
    if let Some((slot, value)) = candidate.filled {
        match form.slots[usize::from(slot)] {
            Slot::Opcode => fields.opcode = value,
            _ => fields.filled = Some(value),
        }
    }
    fields
}

/// Number of a register in the encoding: `ah` to `bh` are 4 to 7.
pub(super) fn number(register: Register) -> u8 {
    match register.class {
        RegisterClass::Gpr8High => register.number + 4,
        _ => register.number,
    }
}

impl<'a> Fields<'a> {
    pub(super) fn put(&mut self, slot: Slot, value: &'a Value) {
        match (slot, value) {
            (Slot::Reg, Value::Register(register)) => self.reg = number(*register),
            (Slot::Rm, Value::Register(register)) => self.rm = Rm::Register(number(*register)),
            (Slot::Rm, Value::Memory(address)) => self.rm = Rm::Memory(address),
            (Slot::Opcode, Value::Register(register)) => self.opcode = number(*register),
            (Slot::Vvvv, Value::Register(register)) => self.vvvv = number(*register),
            (Slot::Is4, Value::Register(register)) => self.is4 = Some(number(*register)),
            (Slot::M2z, Value::Immediate(Folded::Number(value), _)) => {
                self.m2z = (value & 15) as u8;
            }
            (Slot::Immediate(width), Value::Immediate(value, modifier)) => {
                self.immediate(width, false, value, *modifier);
            }
            (Slot::Immediate32S, Value::Immediate(value, modifier)) => {
                self.immediate(4, true, value, *modifier);
            }
            (Slot::Offset, Value::Memory(address)) => self.offset = Some(address),
            (Slot::Relative(width), Value::Memory(address)) => self.target = Some((width, address)),
            (Slot::ImpliedMemory, Value::Memory(address)) => {
                // Of two, the source's segment may be changed.
                let source = address.base.is_some_and(|base| base.number != 7);
                if source || self.implied.is_none() {
                    self.implied = Some(address);
                }
            }
            _ => {}
        }
    }

    pub(super) fn immediate(
        &mut self,
        width: u8,
        signed: bool,
        value: &'a Folded,
        modifier: Option<Modifier>,
    ) {
        let free = usize::from(self.immediates[0].is_some());
        self.immediates[free] = Some((width, signed, value, modifier));
    }
}

/// Bits above the low three of registers and addresses: R, X, B, and EVEX's R', X, V'.
#[derive(Clone, Copy, Default)]
pub(super) struct Extension {
    pub(super) r: u8,
    pub(super) x: u8,
    pub(super) b: u8,
    pub(super) index_high: u8,
}

pub(super) fn extension(fields: &Fields<'_>) -> Extension {
    let mut extension = Extension {
        r: fields.reg >> 3,
        b: fields.opcode >> 3 & 1,
        ..Extension::default()
    };
    match fields.rm {
        Rm::None => {}
        Rm::Register(rm) => {
            extension.b |= rm >> 3 & 1;
            extension.x = rm >> 4 & 1;
        }
        Rm::Memory(address) => {
            if let Some(base) = address.base
                && matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Gpr64)
            {
                extension.b |= base.number >> 3 & 1;
            }
            if let Some(index) = address.index
                && !matches!(index.class, RegisterClass::Riz | RegisterClass::Eiz)
            {
                extension.x = index.number >> 3 & 1;
                extension.index_high = index.number >> 4 & 1;
            }
        }
    }
    extension
}
