//! VEX, EVEX and XOP: prefix and opcode.

use sequence::{Instruction, PseudoPrefix, Rounding};

use super::fields::{Extension, Fields, Rm};
use crate::forms::{Form, Space};
use crate::operand::Operands;

pub(super) fn pp(prefix: u8) -> u8 {
    match prefix {
        0x66 => 1,
        0xf3 => 2,
        0xf2 => 3,
        _ => 0,
    }
}

pub(super) fn vex(
    bytes: &mut Vec<u8>,
    form: &Form,
    fields: &Fields<'_>,
    extension: Extension,
    instruction: &Instruction<'_>,
) {
    let w = if form.wig { 0 } else { form.w };
    let l = if form.lig { 0 } else { form.l };
    let last = w << 7 | (!fields.vvvv & 15) << 3 | l << 2 | pp(form.prefix);
    let three = instruction.pseudo.contains(&PseudoPrefix::Vex3);
    if form.space == Space::Vex
        && !three
        && form.map == 1
        && w == 0
        && extension.x == 0
        && extension.b == 0
    {
        bytes.push(0xc5);
        bytes.push((!extension.r & 1) << 7 | last);
    } else {
        bytes.push(if form.space == Space::Vex { 0xc4 } else { 0x8f });
        bytes.push(
            (!extension.r & 1) << 7 | (!extension.x & 1) << 6 | (!extension.b & 1) << 5 | form.map,
        );
        bytes.push(last);
    }
    if form.opcode_length == 2 {
        bytes.push((form.opcode >> 8) as u8);
    }
    bytes.push((form.opcode & 0xff) as u8);
}

pub(super) fn evex(
    bytes: &mut Vec<u8>,
    form: &Form,
    fields: &Fields<'_>,
    extension: Extension,
    operands: &Operands,
) {
    let inverted = |bit: u8| !bit & 1;
    let high_r = extension.r >> 1;
    let high_v = match fields.rm {
        Rm::Memory(_) => extension.index_high | fields.vvvv >> 4,
        _ => fields.vvvv >> 4,
    };
    bytes.push(0x62);
    bytes.push(
        inverted(extension.r) << 7
            | inverted(extension.x) << 6
            | inverted(extension.b) << 5
            | inverted(high_r) << 4
            | form.map,
    );
    let w = if form.wig { 0 } else { form.w };
    bytes.push(w << 7 | (!fields.vvvv & 15) << 3 | 4 | pp(form.prefix));
    let mut l = if form.lig { 0 } else { form.l };
    let mut b = 0;
    match operands.rounding {
        None => {}
        Some(rounding) => {
            b = 1;
            l = match rounding.mode {
                Rounding::RnSae | Rounding::Sae => 0,
                Rounding::RdSae => 1,
                Rounding::RuSae => 2,
                Rounding::RzSae => 3,
            };
        }
    }
    if is_broadcast(fields) {
        b = 1;
    }
    let mask = operands.list.iter().filter_map(|operand| operand.mask);
    let (mut aaa, mut z) = (0, 0);
    for mask in mask {
        aaa |= mask.register;
        z |= u8::from(mask.zeroing);
    }
    bytes.push(z << 7 | l << 5 | b << 4 | inverted(high_v) << 3 | aaa);
    bytes.push((form.opcode & 0xff) as u8);
}

pub(super) fn is_broadcast(fields: &Fields<'_>) -> bool {
    matches!(fields.rm, Rm::Memory(address) if address.broadcast.is_some())
}
