//! What follows the opcode: ModRM, SIB, displacement, immediates.

use sequence::{Instruction, Modifier, Origin, PseudoPrefix, RegisterClass};

use super::fields::{Fields, Rm};
use super::prefixes::Prefixes;
use crate::expr::Folded;
use crate::forms::{Form, Slot, Space};
use crate::operand::Address;
use crate::recall::{Spot, Spots};
use crate::select::wraps;
use crate::stream::{Field, Fixup, Stream};

pub(super) fn push_fixup(
    stream: &mut Stream,
    width: u8,
    field: Field,
    value: &Folded,
    modifier: Option<Modifier>,
    relaxes: Option<bool>,
    origin: Origin,
) {
    stream.fixups.push(Fixup {
        at: u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX),
        frag: stream.frag(),
        width,
        field,
        modifier,
        relaxes,
        into: 0,
        is_call: false,
        is_immediate: false,
        is_jump: false,
        value: value.clone(),
        origin,
    });
    stream
        .bytes
        .extend(std::iter::repeat_n(0, usize::from(width)));
}

/// What follows the opcode.
pub(super) struct Tail<'a> {
    pub(super) stream: &'a mut Stream,
    pub(super) origin: Origin,
    pub(super) relaxes: Option<bool>,
    /// Where the instruction's bytes start in the stream.
    pub(super) start: usize,
    /// Fields of numbers so far.
    pub(super) spots: Spots,
}

impl Tail<'_> {
    pub(super) fn finish(
        &mut self,
        form: &Form,
        fields: &Fields<'_>,
        prefixes: &Prefixes,
        instruction: &Instruction<'_>,
    ) {
        self.spots.opcode = self.spot(1).at;
        self.spots.from_vvvv = match form.space {
            Space::Evex => 2,
            _ => form.opcode_length,
        };
        // Bytes after the displacement, which a `%rip`-relative one counts from.
        let mut after: u8 = 0;
        for immediate in fields.immediates.iter().flatten() {
            after += immediate.0;
        }
        let has_last_byte =
            fields.is4.is_some() || fields.filled.is_some() || form.space == Space::D3Now;
        after += u8::from(has_last_byte);
        let reg = if form.group >= 0 {
            form.group.cast_unsigned()
        } else {
            fields.reg & 7
        };
        match fields.rm {
            Rm::Register(rm) => self.stream.bytes.push(0xc0 | reg << 3 | rm & 7),
            Rm::Memory(address) => {
                let scale = if form.space == Space::Evex {
                    form.disp8[usize::from(address.broadcast.is_some())]
                } else {
                    1
                };
                let width = self.memory(form, address, reg, scale, after, prefixes, instruction);
                if form.space != Space::Evex {
                    self.spots.displacement = self.spot(width);
                }
            }
            Rm::None => {
                if form.rm_group >= 0 {
                    self.stream
                        .bytes
                        .push(0xc0 | reg << 3 | form.rm_group.cast_unsigned());
                } else if form.group >= 0 || form.slots().contains(&Slot::Reg) {
                    self.stream.bytes.push(0xc0 | reg << 3);
                }
            }
        }
        if let Some(address) = fields.offset {
            let width = if prefixes.address { 4 } else { 8 };
            self.field(
                width,
                Field::Absolute,
                &address.displacement,
                address.modifier,
            );
        }
        for &(width, signed, value, modifier) in fields.immediates.iter().flatten() {
            let field = if signed {
                Field::Signed
            } else {
                Field::Absolute
            };
            let fixups = self.stream.fixups.len();
            self.field(width, field, value, modifier);
            for fixup in &mut self.stream.fixups[fixups..] {
                fixup.is_immediate = true;
            }
            if self.spots.immediate.width == 0 {
                self.spots.immediate = self.spot(width);
            }
        }
        if let Some(register) = fields.is4 {
            self.stream.bytes.push(register << 4 | fields.m2z);
        }
        if let Some(value) = fields.filled {
            self.stream.bytes.push(value);
        }
        if form.space == Space::D3Now {
            self.stream.bytes.push((form.opcode & 0xff) as u8);
        }
        if let Some((width, address)) = fields.target {
            self.target(width, address);
        }
    }

    /// The field of the last `width` bytes.
    fn spot(&self, width: u8) -> Spot {
        let at = self.stream.bytes.len() - self.start - usize::from(width);
        Spot {
            at: u8::try_from(at).unwrap_or(u8::MAX),
            width,
        }
    }

    /// A number, or zeros and a fixup.
    pub(super) fn field(
        &mut self,
        width: u8,
        field: Field,
        value: &Folded,
        modifier: Option<Modifier>,
    ) {
        if let (&Folded::Number(value), None) = (value, modifier) {
            self.stream
                .bytes
                .extend(&value.to_le_bytes()[..usize::from(width)]);
        } else {
            push_fixup(
                self.stream,
                width,
                field,
                value,
                modifier,
                self.relaxes,
                self.origin,
            );
            let into = self.stream.bytes.len() - usize::from(width) - self.start;
            if let Some(fixup) = self.stream.fixups.last_mut() {
                fixup.into = u8::try_from(into).unwrap_or(0);
            }
        }
    }

    pub(super) fn target(&mut self, width: u8, address: &Address) {
        push_fixup(
            self.stream,
            width,
            Field::Branch(0),
            &address.displacement,
            address.modifier,
            None,
            self.origin,
        );
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what decides an address's bytes comes from all sides"
    )]
    /// ModRM and what belongs to it. Width of the displacement.
    pub(super) fn memory(
        &mut self,
        form: &Form,
        address: &Address,
        reg: u8,
        scale: u8,
        after: u8,
        prefixes: &Prefixes,
        instruction: &Instruction<'_>,
    ) -> u8 {
        let modrm = |mode: u8, rm: u8| mode << 6 | reg << 3 | rm;
        let wide = if prefixes.address || wraps(form, address) {
            Field::Absolute
        } else {
            Field::Signed
        };
        let index = address.index.map(|index| match index.class {
            RegisterClass::Riz | RegisterClass::Eiz => 4,
            _ => index.number & 7,
        });
        let Some(base) = address.base else {
            let sib = address.scale << 6 | index.unwrap_or(4) << 3 | 5;
            self.stream.bytes.extend([modrm(0, 4), sib]);
            self.field(4, wide, &address.displacement, address.modifier);
            return 4;
        };
        if matches!(base.class, RegisterClass::Rip | RegisterClass::Eip) {
            self.stream.bytes.push(modrm(0, 5));
            self.field(
                4,
                Field::Relative(after),
                &address.displacement,
                address.modifier,
            );
            return 4;
        }
        let base = base.number & 7;
        let must_have_sib = form
            .code
            .op_code()
            .op_kinds()
            .contains(&iced_x86::OpCodeOperandKind::sibmem);
        let sib = if index.is_some() || base == 4 || must_have_sib {
            Some(address.scale << 6 | index.unwrap_or(4) << 3 | base)
        } else {
            None
        };
        let rm = if sib.is_some() { 4 } else { base };
        let forced8 = instruction.pseudo.contains(&PseudoPrefix::Disp8);
        let forced32 = instruction.pseudo.contains(&PseudoPrefix::Disp32);
        let number = match (&address.displacement, address.modifier) {
            (Folded::Number(number), None) => Some(*number),
            (_, Some(Modifier::Tlscall)) => Some(0),
            _ => None,
        };
        // 32-bit addresses wrap round, so that 0xffffffff is -1.
        let wraps = prefixes.address || wraps(form, address);
        let number = number.map(|number| match u32::try_from(number) {
            Ok(narrow) if wraps => i64::from(narrow.cast_signed()),
            _ => number,
        });
        let short = number.and_then(|number| {
            let scaled = if number % i64::from(scale) == 0 {
                i8::try_from(number / i64::from(scale)).ok()
            } else {
                None
            };
            scaled.filter(|_| !forced32)
        });
        let bytes = &mut self.stream.bytes;
        match (number, short) {
            (Some(0), _) if base != 5 && !forced8 && !forced32 => {
                bytes.push(modrm(0, rm));
                bytes.extend(sib);
                0
            }
            (_, Some(short)) => {
                bytes.push(modrm(1, rm));
                bytes.extend(sib);
                bytes.push(short.cast_unsigned());
                1
            }
            _ => {
                bytes.push(modrm(2, rm));
                bytes.extend(sib);
                self.field(4, wide, &address.displacement, address.modifier);
                4
            }
        }
    }
}
