//! A field's value, or the relocation that leaves it to the linker.

use sequence::{MISSING_LABEL, Modifier};

use super::{Outcome, Resolver, Target};
use crate::code::RelocationKind;
use crate::expr::{ExprError, Folded, Worth};
use crate::layout::problem;
use crate::section::{MERGE, TLS};
use crate::stream::{Field, Fixup};

/// ELF numbers that have no name of their own in [`RelocationKind`].
mod elf {
    pub(super) const GOT32: u32 = 3;
    pub(super) const GOTPCREL: u32 = 9;
    pub(super) const DTPOFF64: u32 = 17;
    pub(super) const TPOFF64: u32 = 18;
    pub(super) const TLSGD: u32 = 19;
    pub(super) const TLSLD: u32 = 20;
    pub(super) const DTPOFF32: u32 = 21;
    pub(super) const GOTTPOFF: u32 = 22;
    pub(super) const TPOFF32: u32 = 23;
    pub(super) const GOTOFF64: u32 = 25;
    pub(super) const PLTOFF64: u32 = 31;
    pub(super) const SIZE32: u32 = 32;
    pub(super) const SIZE64: u32 = 33;
    pub(super) const GOTPC32_TLSDESC: u32 = 34;
    pub(super) const TLSDESC_CALL: u32 = 35;
    pub(super) const GOTPCRELX: u32 = 41;
    pub(super) const REX_GOTPCRELX: u32 = 42;
}

impl Resolver<'_> {
    /// What a relocation to this is against, and the addend that goes with it.
    pub(super) fn target(&self, worth: Worth, relative: bool) -> Result<(Target, i64), ExprError> {
        match worth {
            Worth::Absolute(value) => Ok((Target::Absolute, value)),
            Worth::External(id, addend) => {
                let entry = self.assembler.symbols.get(id);
                if let Some(number) = entry.numeric {
                    let missing = crate::unit::missing_forward(number);
                    return Err(ExprError(missing.message, missing.help));
                }
                // GNU as leaves even these to the linker, where a hunk's reader would not look.
                if self.assembler.has_patches && entry.name.starts_with(".L") {
                    return Err(ExprError(
                        format!("{MISSING_LABEL} `{}:` here", entry.name),
                        "define it".into(),
                    ));
                }
                Ok((Target::Symbol(id), addend))
            }
            Worth::Address {
                section,
                offset,
                symbol,
                addend,
            } => {
                let entry = self.assembler.symbols.get(symbol);
                let flags = self.assembler.sections[section as usize].flags;
                let keeps =
                    entry.binding != 0 || flags & TLS != 0 || (relative && flags & MERGE != 0);
                if keeps && self.indices[symbol.0 as usize] != u32::MAX {
                    Ok((Target::Symbol(symbol), addend))
                } else {
                    Ok((Target::Section(section), offset))
                }
            }
        }
    }

    pub(super) fn is_local(&self, worth: Worth, section: usize) -> Option<i64> {
        match worth {
            Worth::Address {
                section: there,
                offset,
                symbol,
                ..
            } if there as usize == section && self.assembler.symbols.get(symbol).binding == 0 => {
                Some(offset)
            }
            _ => None,
        }
    }

    pub(super) fn outcome(
        &self,
        fixup: &Fixup,
        section: usize,
        offset: u64,
    ) -> Result<Outcome, ExprError> {
        let (worth, minus) = self.worth(&fixup.value)?;
        let here = offset.cast_signed();
        if let Some(modifier) = fixup.modifier {
            return self.modified(fixup, modifier, worth);
        }
        if let Some(minus) = minus {
            // A difference with a place in this section is a distance to the linker too.
            return match (self.is_here(minus, section), fixup.field) {
                (Some(from), Field::Absolute | Field::Signed) => {
                    let (target, addend) = self.target(worth, true)?;
                    Ok(Outcome::Relocation {
                        target,
                        kind: relative_kind(fixup.width),
                        addend: addend.wrapping_add(here).wrapping_sub(from),
                    })
                }
                _ => Err(ExprError(
                    "the difference of these two symbols is known neither here nor to a linker"
                        .into(),
                    "the subtracted one must be in this section, or both in the same one".into(),
                )),
            };
        }
        match fixup.field {
            Field::Relative(after) | Field::Branch(after) => {
                let end = i64::from(fixup.width) + i64::from(after);
                if let Some(to) = self.is_local(worth, section) {
                    return Ok(Outcome::Value(to - here - end));
                }
                let (target, addend) = self.target(worth, true)?;
                let through_stub = matches!(fixup.field, Field::Branch(_))
                    && fixup.width == 4
                    && plus_nothing(&fixup.value)
                    && matches!(target, Target::Symbol(_))
                    && !self.is_plain_local(worth);
                Ok(Outcome::Relocation {
                    target,
                    kind: if through_stub {
                        RelocationKind::Plt32
                    } else {
                        relative_kind(fixup.width)
                    },
                    addend: addend.wrapping_sub(end),
                })
            }
            Field::Settled => match worth {
                Worth::Absolute(to) => Ok(Outcome::Value(to - here - i64::from(fixup.width))),
                _ => Err(ExprError("a jump without a target".into(), String::new())),
            },
            Field::Absolute | Field::Signed => {
                if let Worth::Absolute(value) = worth {
                    return Ok(Outcome::Value(value));
                }
                let (target, addend) = self.target(worth, false)?;
                Ok(Outcome::Relocation {
                    target,
                    kind: match (fixup.width, fixup.field) {
                        (1, _) => RelocationKind::Abs8,
                        (2, _) => RelocationKind::Abs16,
                        (4, Field::Signed) => RelocationKind::Abs32S,
                        (4, _) => RelocationKind::Abs32,
                        _ => RelocationKind::Abs64,
                    },
                    addend,
                })
            }
        }
    }

    pub(super) fn is_plain_local(&self, worth: Worth) -> bool {
        matches!(worth, Worth::Address { symbol, .. }
            if self.assembler.symbols.get(symbol).binding == 0)
    }

    pub(super) fn is_here(&self, worth: Worth, section: usize) -> Option<i64> {
        match worth {
            Worth::Address {
                section: there,
                offset,
                ..
            } if there as usize == section => Some(offset),
            _ => None,
        }
    }

    /// A relocation that a modifier chose. It always names the symbol itself.
    pub(super) fn modified(
        &self,
        fixup: &Fixup,
        modifier: Modifier,
        worth: Worth,
    ) -> Result<Outcome, ExprError> {
        let (target, addend) = match worth {
            Worth::Address { symbol, addend, .. }
                if self.indices[symbol.0 as usize] != u32::MAX =>
            {
                (Target::Symbol(symbol), addend)
            }
            other => self.target(other, true)?,
        };
        let wide = fixup.width == 8;
        let (relative, after) = match fixup.field {
            Field::Relative(after) | Field::Branch(after) => (true, after),
            _ => (false, 0),
        };
        let kind = match modifier {
            Modifier::Plt => RelocationKind::Plt32,
            Modifier::Pltoff => RelocationKind::Other(elf::PLTOFF64),
            Modifier::Got => RelocationKind::Other(elf::GOT32),
            Modifier::Gotpcrel if relative => RelocationKind::Other(match fixup.relaxes {
                Some(true) => elf::REX_GOTPCRELX,
                Some(false) => elf::GOTPCRELX,
                None => elf::GOTPCREL,
            }),
            Modifier::Gotpcrel => RelocationKind::Other(elf::GOTPCREL),
            Modifier::Gotoff => RelocationKind::Other(elf::GOTOFF64),
            Modifier::Gottpoff => RelocationKind::Other(elf::GOTTPOFF),
            Modifier::Tpoff if wide => RelocationKind::Other(elf::TPOFF64),
            Modifier::Tpoff => RelocationKind::Other(elf::TPOFF32),
            Modifier::Dtpoff if wide => RelocationKind::Other(elf::DTPOFF64),
            Modifier::Dtpoff => RelocationKind::Other(elf::DTPOFF32),
            Modifier::Tlsgd => RelocationKind::Other(elf::TLSGD),
            Modifier::Tlsld => RelocationKind::Other(elf::TLSLD),
            Modifier::Tlsdesc => RelocationKind::Other(elf::GOTPC32_TLSDESC),
            Modifier::Tlscall => RelocationKind::Other(elf::TLSDESC_CALL),
            Modifier::Size if wide => RelocationKind::Other(elf::SIZE64),
            Modifier::Size => RelocationKind::Other(elf::SIZE32),
        };
        let end = if relative {
            i64::from(fixup.width) + i64::from(after)
        } else {
            0
        };
        Ok(Outcome::Relocation {
            target,
            kind,
            addend: addend.wrapping_sub(end),
        })
    }
}

/// Whether a jump goes to a symbol itself: only then is it marked as a jump to the linker.
pub(super) fn plus_nothing(value: &Folded) -> bool {
    matches!(value, Folded::Sum { addend: 0, .. })
}

pub(super) fn relative_kind(width: u8) -> RelocationKind {
    match width {
        1 => RelocationKind::Pc8,
        2 => RelocationKind::Pc16,
        4 => RelocationKind::Pc32,
        _ => RelocationKind::Pc64,
    }
}

/// Why a value does not go into its field.
pub(super) fn out_of_range(fixup: &Fixup, value: i64) -> Option<sequence::Problem> {
    let bits = u32::from(fixup.width) * 8;
    if bits >= 64 {
        return None;
    }
    let signed = -(1_i64 << (bits - 1))..1_i64 << (bits - 1);
    match fixup.field {
        Field::Branch(_) | Field::Settled if !signed.contains(&value) => Some(problem(
            format!("the target is {value} bytes away: too far for this jump"),
            format!(
                "it reaches {} to {} bytes; jump over a long jump instead",
                signed.start,
                signed.end - 1
            ),
        )),
        Field::Relative(_) | Field::Signed if !signed.contains(&value) => Some(problem(
            format!("{value:#x} does not fit in {bits} signed bits"),
            "use a smaller value, or another instruction",
        )),
        Field::Absolute if !(signed.start..1_i64 << bits).contains(&value) => Some(problem(
            format!("{value:#x} does not fit in {bits} bits"),
            "use a smaller value, or a wider field",
        )),
        _ => None,
    }
}
