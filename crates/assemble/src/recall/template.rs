//! An instruction's bytes with its registers and numbers taken out.

use sequence::{Register, RegisterClass};

use super::key::{MOST_REGISTERS, Numbers};
use super::number::is_alone;
use crate::forms::Slot;
use crate::names::{Candidate, To};
use crate::operand::{Address, Operands, Value};

/// A field that a number was written to, from the instruction's first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    /// First byte.
    pub(crate) at: u8,
    /// Width in bytes; 0 for no field.
    pub(crate) width: u8,
}

/// Where an instruction has its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spots {
    /// Last byte of the opcode.
    pub(crate) opcode: u8,
    /// Bytes of the opcode behind a VEX or EVEX prefix, with what EVEX has behind vvvv.
    pub(crate) from_vvvv: u8,
    /// The displacement's field, unless it is scaled.
    pub(crate) displacement: Spot,
    /// The first immediate's field.
    pub(crate) immediate: Spot,
}

/// Most fields of registers: those of `vpermil2ps` with base and index.
const MOST_FIELDS: usize = 5;
/// The register that a field has that is not there: its number is always 0.
const NO_REGISTER: u8 = MOST_REGISTERS as u8;

/// Bytes of an instruction as they are where all that its key leaves open is zero. Other registers
/// and numbers flip bits of it, also where the encoding holds them inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    bytes: [u64; 2],
    length: u8,
    displacement: Spot,
    immediate: Spot,
    /// For fields of registers: which register, and the field's first bit. They are among the first eight
    /// bytes, but for those of a few long instructions, which have no template.
    fields: [(u8, u8); MOST_FIELDS],
    count: u8,
}

/// In eight-byte parts, which waste no room between keys.
fn halves(bytes: u128) -> [u64; 2] {
    [bytes as u64, (bytes >> 64) as u64]
}

impl Spot {
    fn bits(self, value: i64) -> u128 {
        const KEPT: [u64; 9] = {
            let mut kept = [0; 9];
            let mut width = 1;
            while width < 9 {
                kept[width] = u64::MAX >> (64 - 8 * width);
                width += 1;
            }
            kept
        };
        let kept = value.cast_unsigned() & KEPT[usize::from(self.width.min(8))];
        u128::from(kept) << (8 * u32::from(self.at & 15))
    }
}

impl Template {
    /// The bytes with these registers and numbers.
    #[inline(always)]
    fn with(&self, numbers: &Numbers) -> u128 {
        let [mut low, high] = self.bytes;
        // What is not there is zero and flips nothing: no branch that a CPU could guess wrong.
        for &(register, bit) in &self.fields {
            low ^= numbers.register(register) << (bit & 63);
        }
        let mut bytes = u128::from(low) | u128::from(high) << 64;
        bytes ^= self.displacement.bits(numbers.displacement.value);
        bytes ^ self.immediate.bits(numbers.immediate.value)
    }

    /// Appends them.
    #[inline(always)]
    pub(super) fn append(&self, numbers: &Numbers, to: &mut Vec<u8>) {
        let end = to.len() + usize::from(self.length);
        to.extend_from_slice(&self.with(numbers).to_le_bytes());
        to.truncate(end);
    }

    fn add(&mut self, register: u8, byte: u8, bit: u8) -> Option<()> {
        let place = self.fields.get_mut(usize::from(self.count))?;
        *place = (register, (byte < 8).then_some(byte * 8 + bit)?);
        self.count += 1;
        Some(())
    }
}

/// Whether a key may leave a register's number open.
fn is_open(register: Register) -> bool {
    use RegisterClass::{Gpr8, Gpr16, Gpr32, Gpr64, Xmm, Ymm, Zmm};
    match register.class {
        Gpr64 | Gpr32 | Xmm | Ymm | Zmm => true,
        Gpr16 => register.number != 0 && register.number != 2,
        Gpr8 => register.number >= 2,
        _ => false,
    }
}

/// Takes what a key leaves open out of an instruction. `None` where its fields are not plain to
/// see, so that the next one of its like is encoded anew.
pub(super) fn template(
    numbers: &Numbers,
    candidate: &Candidate,
    operands: &Operands,
    bytes: &[u8],
    spots: Spots,
) -> Option<Template> {
    if bytes.len() > 15 {
        return None;
    }
    for (spot, value, is_alone) in [
        (
            spots.displacement,
            numbers.displacement,
            numbers.displacement.value == 0,
        ),
        (
            spots.immediate,
            numbers.immediate,
            is_alone(numbers.immediate.value),
        ),
    ] {
        let (at, width) = (usize::from(spot.at), usize::from(spot.width));
        if !value.is_there {
            continue;
        }
        let value = value.value;
        let shown = bytes.get(at..at + width) == Some(&value.to_le_bytes()[..width]);
        if !shown || (width == 0 && !is_alone) {
            return None;
        }
    }
    let mut padded = [0; 16];
    padded[..bytes.len()].copy_from_slice(bytes);
    let mut template = Template {
        bytes: halves(u128::from_le_bytes(padded)),
        length: u8::try_from(bytes.len()).ok()?,
        displacement: spots.displacement,
        immediate: spots.immediate,
        fields: [(NO_REGISTER, 0); MOST_FIELDS],
        count: 0,
    };
    let form = candidate.form();
    let mut next = 0_u8;
    let mut take = |register: Register| {
        let index = next;
        next += 1;
        let is_there = usize::from(index) < numbers.count;
        let number = numbers.register(index);
        (is_there && number == u64::from(register.number & 7)).then_some(index)
    };
    for (operand, to) in operands.list.iter().zip(candidate.to) {
        match &operand.value {
            Value::Register(register) if is_open(*register) => {
                let index = take(*register)?;
                let slots = match to {
                    To::Slot(slot) => &form.slots[usize::from(slot)..=usize::from(slot)],
                    To::FirstTwo => &form.slots[..2],
                    To::Nowhere if register.number == 0 => &[],
                    To::Nowhere => return None,
                };
                for slot in slots {
                    match slot {
                        Slot::Reg => template.add(index, spots.opcode + 1, 3)?,
                        Slot::Rm => template.add(index, spots.opcode + 1, 0)?,
                        Slot::Opcode => template.add(index, spots.opcode, 0)?,
                        Slot::Vvvv => {
                            template.add(index, spots.opcode.checked_sub(spots.from_vvvv)?, 3)?;
                        }
                        Slot::Is4 => template.add(index, template.length - 1, 4)?,
                        Slot::Implied if register.number == 0 => {}
                        _ => return None,
                    }
                }
            }
            Value::Memory(address) => {
                let is_rm =
                    matches!(to, To::Slot(slot) if form.slots[usize::from(slot)] == Slot::Rm);
                if !is_rm {
                    return None;
                }
                memory(&mut template, address, bytes, spots, &mut take)?;
            }
            Value::Register(_) | Value::Immediate(..) => {}
        }
    }
    // The bytes as they would be with zeros.
    template.bytes = halves(template.with(numbers));
    (usize::from(next) == numbers.count).then_some(template)
}

/// Fields of base and index.
fn memory(
    template: &mut Template,
    address: &Address,
    bytes: &[u8],
    spots: Spots,
    take: &mut impl FnMut(Register) -> Option<u8>,
) -> Option<()> {
    let modrm = spots.opcode + 1;
    let has_sib = bytes.get(usize::from(modrm))? & 7 == 4;
    if let Some(base) = address.base.filter(|base| is_open(*base)) {
        template.add(take(base)?, modrm + u8::from(has_sib), 0)?;
    }
    if let Some(index) = address.index.filter(|index| is_open(*index)) {
        template.add(take(index)?, modrm + 1, 3)?;
    }
    Some(())
}
