//! A field's value, or the relocation that leaves it to the linker.

use sequence::{MISSING_LABEL, Modifier};

use super::{Outcome, Resolver, Target};
use crate::code::RelocationKind;
use crate::expr::{ExprError, Folded, Worth};
use crate::layout::problem;
use crate::section::{MERGE, TLS};
use crate::stream::{Field, Fixup};
use crate::symbols::SymbolId;

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
    pub(super) const GOTPC32: u32 = 26;
    pub(super) const GOT64: u32 = 27;
    pub(super) const GOTPCREL64: u32 = 28;
    pub(super) const GOTPC64: u32 = 29;
    pub(super) const GOTPLT64: u32 = 30;
    pub(super) const PLTOFF64: u32 = 31;
    pub(super) const SIZE32: u32 = 32;
    pub(super) const SIZE64: u32 = 33;
    pub(super) const GOTPC32_TLSDESC: u32 = 34;
    pub(super) const TLSDESC_CALL: u32 = 35;
    pub(super) const GOTPCRELX: u32 = 41;
    pub(super) const REX_GOTPCRELX: u32 = 42;
}

/// How a relocation is asked for, by what decides whether it may go to a section.
#[derive(Clone, Copy)]
struct Asked {
    relative: bool,
    /// A symbol is subtracted.
    has_minus: bool,
    /// The section that holds the field.
    section: usize,
}

impl Resolver<'_> {
    /// Whether a relocation must name the symbol. A strict question asks about global ones too.
    fn is_forced(&self, id: SymbolId, strict: bool) -> bool {
        let entry = self.assembler.symbols.get(id);
        entry.kinds.is_indirect() || (strict && entry.binding != 0)
    }

    /// What a relocation to this is against, and the addend that goes with it.
    fn target(&self, worth: Worth, asked: Asked) -> Result<(Target, i64), ExprError> {
        match worth {
            Worth::Absolute(value) => Ok((Target::Absolute, value)),
            Worth::External(id, addend) => {
                let entry = self.assembler.symbols.get(id);
                if let Some(number) = entry.numeric() {
                    let missing = crate::unit::missing_forward(number);
                    return Err(ExprError(missing.message, missing.help));
                }
                // GNU as leaves even these to the linker, where a hunk's reader would not look.
                if self.assembler.has_patches && self.assembler.symbols.name(id).starts_with(".L") {
                    return Err(ExprError(
                        format!(
                            "{MISSING_LABEL} `{}:` here",
                            self.assembler.symbols.name(id)
                        ),
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
                let state = &self.assembler.sections[section as usize];
                let is_merged = state.flags & MERGE != 0;
                let name = self.assembler.symbols.name(symbol);
                // Sections of which a linker keeps one of several must not be gone into.
                let is_once = section as usize != asked.section
                    && !name.starts_with(".L")
                    && !name.is_empty()
                    && (state.is_comdat || state.name.starts_with(".gnu.linkonce"));
                if self.assembler.symbols.get(symbol).is_section {
                    return Ok((Target::Section(section), offset));
                }
                let keeps = self.is_forced(symbol, true)
                    || state.flags & TLS != 0
                    || (is_merged && (asked.relative || addend != 0 || asked.has_minus))
                    || is_once;
                if keeps && self.indices[symbol.0 as usize] != u32::MAX {
                    Ok((Target::Symbol(symbol), addend))
                } else {
                    Ok((Target::Section(section), offset))
                }
            }
        }
    }

    /// The offset that this is in the field's own section, where no linker can change it.
    fn is_local(&self, worth: Worth, section: usize, strict: bool) -> Option<i64> {
        match worth {
            Worth::Address {
                section: there,
                offset,
                symbol,
                ..
            } if there as usize == section && !self.is_forced(symbol, strict) => Some(offset),
            _ => None,
        }
    }

    /// Whether a relocation against this is one against the global offset table itself.
    fn is_table(&self, target: Target) -> bool {
        matches!(target, Target::Symbol(id)
            if self.assembler.symbols.name(id) == "_GLOBAL_OFFSET_TABLE_")
    }

    pub(super) fn outcome(
        &self,
        fixup: &Fixup,
        section: usize,
        offset: u64,
    ) -> Result<Outcome, ExprError> {
        let (worth, minus) = self.worth(&fixup.value)?;
        let here = offset.cast_signed();
        let asked = Asked {
            relative: matches!(fixup.field, Field::Relative(_) | Field::Branch(_)),
            has_minus: minus.is_some(),
            section,
        };
        // A call of a local function needs no table, whatever it says.
        let is_settled = fixup.modifier == Some(Modifier::Plt)
            && asked.relative
            && self.is_local(worth, section, true).is_some();
        if let Some(modifier) = fixup.modifier.filter(|_| !is_settled) {
            let outcome = self.modified(fixup, modifier, worth, asked)?;
            let Some(minus) = minus else {
                return Ok(outcome);
            };
            return match (outcome, self.is_local(minus, section, false)) {
                (
                    Outcome::Relocation {
                        target,
                        kind,
                        addend,
                    },
                    Some(from),
                ) if fixup.into == 0 && modifier != Modifier::Plt => {
                    // Those that are relative count from the field's end, with 4 bytes at least.
                    let end = match modifier {
                        Modifier::Got
                        | Modifier::Gotpcrel
                        | Modifier::Tlsgd
                        | Modifier::Tlsld
                        | Modifier::Gottpoff
                        | Modifier::Tlsdesc
                            if fixup.width == 4 =>
                        {
                            4
                        }
                        _ => 0,
                    };
                    Ok(Outcome::Relocation {
                        target,
                        kind,
                        addend: addend
                            .wrapping_add(here)
                            .wrapping_sub(from)
                            .wrapping_sub(end),
                    })
                }
                _ => Err(ExprError(
                    "a relocation with `@` cannot be of this difference".into(),
                    "leave the subtracted symbol out".into(),
                )),
            };
        }
        if let Some(minus) = minus {
            // A difference with a place in this section is a distance to the linker too.
            let settled = self.is_local(minus, section, false);
            return match (settled, fixup.field) {
                // GNU as takes the place of the subtracted one once, though the field is relative.
                (Some(from), Field::Relative(after)) => {
                    let (target, addend) = self.target(worth, asked)?;
                    let end = i64::from(fixup.width) + i64::from(after);
                    Ok(Outcome::Relocation {
                        target,
                        kind: self.relative_kind(fixup.width, target),
                        addend: addend.wrapping_sub(end).wrapping_sub(from),
                    })
                }
                (Some(from), Field::Absolute | Field::Signed) => {
                    let asked = Asked {
                        relative: true,
                        ..asked
                    };
                    let (target, addend) = self.target(worth, asked)?;
                    Ok(Outcome::Relocation {
                        target,
                        kind: self.relative_kind(fixup.width, target),
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
                if let Some(to) = self.is_local(worth, section, true) {
                    return Ok(Outcome::Value(to - here - end));
                }
                let (target, addend) = self.target(worth, asked)?;
                let through_stub = matches!(fixup.field, Field::Branch(_))
                    && fixup.width == 4
                    && fixup.is_call
                    && matches!(fixup.value, Folded::Sum { addend: 0, .. })
                    && matches!(target, Target::Symbol(_));
                Ok(Outcome::Relocation {
                    target,
                    kind: if through_stub {
                        RelocationKind::Plt32
                    } else {
                        self.relative_kind(fixup.width, target)
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
                let (target, addend) = self.target(worth, asked)?;
                if self.is_table(target) && fixup.width >= 4 {
                    // It is a distance from the instruction's start.
                    let into = i64::from(if fixup.is_immediate { fixup.into } else { 0 });
                    return Ok(Outcome::Relocation {
                        target,
                        kind: self.relative_kind(fixup.width, target),
                        addend: addend.wrapping_add(into),
                    });
                }
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

    fn relative_kind(&self, width: u8, target: Target) -> RelocationKind {
        match width {
            1 => RelocationKind::Pc8,
            2 => RelocationKind::Pc16,
            4 if self.is_table(target) => RelocationKind::Other(elf::GOTPC32),
            4 => RelocationKind::Pc32,
            _ if self.is_table(target) => RelocationKind::Other(elf::GOTPC64),
            _ => RelocationKind::Pc64,
        }
    }

    /// A relocation that a modifier chose. It names the symbol itself, but for local functions.
    fn modified(
        &self,
        fixup: &Fixup,
        modifier: Modifier,
        worth: Worth,
        asked: Asked,
    ) -> Result<Outcome, ExprError> {
        let (target, addend) = match worth {
            Worth::Address { symbol, addend, .. }
                if self.indices[symbol.0 as usize] != u32::MAX
                    && !matches!(
                        modifier,
                        Modifier::Plt | Modifier::Pltoff | Modifier::Gotplt
                    )
                    && !(fixup.width == 8
                        && matches!(modifier, Modifier::Got | Modifier::Gotpcrel)) =>
            {
                (Target::Symbol(symbol), addend)
            }
            // A number that was a name when it was read.
            Worth::Absolute(_)
                if modifier != Modifier::Plt
                    && let Folded::Sum {
                        plus,
                        minus: None,
                        addend,
                    } = fixup.value
                    && self.indices[plus.0 as usize] != u32::MAX =>
            {
                (Target::Symbol(plus), addend)
            }
            other => self.target(other, asked)?,
        };
        check_field(fixup, modifier)?;
        if modifier.is_thread_local()
            && let Worth::Address {
                section, symbol, ..
            } = worth
            && self.assembler.sections[section as usize].flags & TLS == 0
        {
            let name = self.assembler.symbols.name(symbol);
            return Err(ExprError(
                format!("`{name}` is not in a section of thread-local data"),
                "define it in `.tdata` or `.tbss`".into(),
            ));
        }
        let width = fixup.width;
        let (relative, after) = match fixup.field {
            Field::Relative(after) | Field::Branch(after) => (true, after),
            _ => (false, 0),
        };
        let number = match (modifier, width) {
            (Modifier::Plt, 4) if matches!(target, Target::Section(_)) => {
                let (kind, end) = if relative {
                    (RelocationKind::Pc32, 4 + i64::from(after))
                } else {
                    (RelocationKind::Abs32, 0)
                };
                return Ok(Outcome::Relocation {
                    target,
                    kind,
                    addend: addend.wrapping_sub(end),
                });
            }
            (Modifier::Plt, 4) => 4,
            (Modifier::Got, 4) => elf::GOT32,
            (Modifier::Got, 8) => elf::GOT64,
            (Modifier::Gotpcrel, 4) => match fixup.relaxes.filter(|_| relative) {
                Some(true) => elf::REX_GOTPCRELX,
                Some(false) => elf::GOTPCRELX,
                None => elf::GOTPCREL,
            },
            (Modifier::Gotpcrel, 8) => elf::GOTPCREL64,
            (Modifier::Gotoff, 8) => elf::GOTOFF64,
            (Modifier::Gotplt, 8) => elf::GOTPLT64,
            (Modifier::Pltoff, 8) => elf::PLTOFF64,
            (Modifier::Gottpoff, 4) => elf::GOTTPOFF,
            (Modifier::Tpoff, 4) => elf::TPOFF32,
            (Modifier::Tpoff, 8) => elf::TPOFF64,
            (Modifier::Dtpoff, 4) => elf::DTPOFF32,
            (Modifier::Dtpoff, 8) => elf::DTPOFF64,
            (Modifier::Tlsgd, 4) => elf::TLSGD,
            (Modifier::Tlsld, 4) => elf::TLSLD,
            (Modifier::Tlsdesc, 4) => elf::GOTPC32_TLSDESC,
            (Modifier::Tlscall, 0) => elf::TLSDESC_CALL,
            (Modifier::Size, 4) => elf::SIZE32,
            (Modifier::Size, 8) => elf::SIZE64,
            _ => {
                return Err(ExprError(
                    format!("this `@` has no relocation for a field of {width} bytes"),
                    "use a field of 4 or 8 bytes, whichever the relocation has".into(),
                ));
            }
        };
        if modifier == Modifier::Size
            && let Target::Symbol(id) = target
            && let Some(size) = self.known_size(id)
        {
            return Ok(Outcome::Value(size.wrapping_add(addend)));
        }
        let kind = match number {
            4 => RelocationKind::Plt32,
            number => RelocationKind::Other(number),
        };
        let end = if relative {
            i64::from(width) + i64::from(after)
        } else {
            0
        };
        Ok(Outcome::Relocation {
            target,
            kind,
            // A call through a descriptor has no field.
            addend: if modifier == Modifier::Tlscall {
                addend
            } else {
                addend.wrapping_sub(end)
            },
        })
    }

    /// The size of a symbol that no other object can bring.
    fn known_size(&self, id: SymbolId) -> Option<i64> {
        let entry = self.assembler.symbols.get(id);
        let is_own = entry.binding == 0
            && !matches!(
                entry.definition,
                crate::symbols::Definition::Undefined | crate::symbols::Definition::Common(..)
            );
        is_own.then(|| {
            let node = entry.size();
            let worth = node.map(|(node, _)| {
                crate::expr::node_worth(&self.assembler.symbols, self.layout, node, 0)
            });
            match worth {
                Some(Ok(Worth::Absolute(size))) => size,
                _ => 0,
            }
        })
    }
}

/// Whether a field can hold a relocation of this kind: one that is relative, or of the signedness that it has.
fn check_field(fixup: &Fixup, modifier: Modifier) -> Result<(), ExprError> {
    let is_relative = matches!(
        modifier,
        Modifier::Plt
            | Modifier::Gotpcrel
            | Modifier::Tlsgd
            | Modifier::Tlsld
            | Modifier::Gottpoff
            | Modifier::Tlsdesc
            | Modifier::Tlscall
    );
    let is_displacement = fixup.into > 0 && !fixup.is_immediate && fixup.width == 4;
    match fixup.field {
        Field::Relative(_) if !is_relative => Err(ExprError(
            "a relocation that is not relative, for an address that is relative to `%rip`".into(),
            "leave `(%rip)` out, or use another relocation".into(),
        )),
        Field::Absolute
            if is_displacement && !matches!(modifier, Modifier::Size | Modifier::Tlsdesc) =>
        {
            Err(ExprError(
                "a relocation with a sign, for an address of 32 bits without one".into(),
                "use 64-bit registers in the address".into(),
            ))
        }
        Field::Signed if is_displacement && modifier == Modifier::Size => Err(ExprError(
            "a relocation without a sign, for a displacement that has one".into(),
            "load the size as a number: `mov $foo@SIZE, %eax`".into(),
        )),
        _ => Ok(()),
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
        // A 16-bit target wraps round.
        Field::Settled if fixup.width == 2 => None,
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
        // The value or its negative is to fit.
        Field::Absolute if !(1 - (1_i64 << bits)..1_i64 << bits).contains(&value) => Some(problem(
            format!("{value:#x} does not fit in {bits} bits"),
            "use a smaller value, or a wider field",
        )),
        _ => None,
    }
}
