//! Bytes, fields and relocations once everything has its place.

use sequence::Modifier;

use crate::assembler::{Assembler, PIECE};
use crate::code::{
    Code, Item, Relocation, RelocationKind, Section, SectionId, Symbol, SymbolPlace,
};
use crate::expr::{ExprError, Folded, Worth, node_worth, symbol_worth};
use crate::layout::{Layout, Placed, leb128, problem};
use crate::padding;
use crate::section::{MERGE, TLS};
use crate::stream::{Field, Fixup, Piece, PieceKind, Reach, Stream};
use crate::symbols::{Definition, SymbolId};

/// A field's value or what the linker has to know.
enum Outcome {
    Value(i64),
    Relocation {
        target: Target,
        kind: RelocationKind,
        addend: i64,
    },
}

/// What a relocation is against.
#[derive(Clone, Copy)]
enum Target {
    Section(u32),
    Symbol(SymbolId),
    Absolute,
}

struct Resolver<'a> {
    assembler: &'a Assembler,
    layout: &'a Layout,
    /// Index in [`Code::symbols`] of each symbol.
    indices: Vec<u32>,
    absolute: Option<u32>,
}

/// Turns what statements left behind into code.
///
/// # Errors
/// Fields out of range, symbols that never came.
pub(crate) fn resolve(
    mut assembler: Assembler,
    layout: &Layout,
    problems: &mut Vec<Placed>,
) -> Code {
    let mut code = Code::default();
    place_items(&mut assembler, layout);
    code.items = std::mem::take(&mut assembler.items);
    // Items of a section in order of offset: statements may have gone back and forth.
    if !code
        .items
        .is_sorted_by_key(|item| (item.section, item.offset))
    {
        code.items.sort_by_key(|item| (item.section, item.offset));
    }
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for section in 0..assembler.sections.len() {
        let nobits = assembler.sections[section].is_empty_in_file();
        contents.push(if nobits {
            Vec::new()
        } else {
            bytes_of(&assembler, layout, section, problems)
        });
    }
    let mut resolver = Resolver {
        assembler: &assembler,
        layout,
        indices: vec![u32::MAX; assembler.symbols.len()],
        absolute: None,
    };
    code.symbols = resolver.symbols(problems);
    for (section, state) in assembler.sections.iter().enumerate() {
        let mut relocations = Vec::new();
        let bytes = &mut contents[section];
        for &index in &layout.order[section] {
            let stream = &assembler.streams[index as usize];
            for fixup in &stream.fixups {
                let offset = position(stream, layout, index, fixup.frag, fixup.at);
                resolver.fix(
                    fixup,
                    section,
                    offset,
                    bytes,
                    &mut relocations,
                    &mut code.symbols,
                    problems,
                );
            }
            for (frag, piece) in stream.pieces.iter().enumerate() {
                let Some(mut fixup) = branch_fixup(piece) else {
                    continue;
                };
                if let Some(target) = resolver.settled(piece) {
                    fixup.value = Folded::Number(target);
                    fixup.field = Field::Settled;
                }
                let end = layout.starts[index as usize][frag + 1];
                let offset = end - u64::from(fixup.width);
                resolver.fix(
                    &fixup,
                    section,
                    offset,
                    bytes,
                    &mut relocations,
                    &mut code.symbols,
                    problems,
                );
            }
        }
        relocations.sort_by_key(|relocation| relocation.offset);
        code.sections.push(Section {
            name: state.name.clone(),
            flags: state.flags,
            kind: state.kind,
            align: state.align,
            bytes: std::mem::take(bytes),
            size: layout.sizes[section],
            entry_size: state.entry_size,
            relocations,
        });
    }
    code
}

/// Offset in the section of a byte of known place.
fn position(stream: &Stream, layout: &Layout, index: u32, frag: u32, at: u32) -> u64 {
    let cut = match frag {
        0 => 0,
        frag => stream.pieces[frag as usize - 1].at,
    };
    layout.starts[index as usize][frag as usize] + u64::from(at - cut)
}

/// Gives items their sections, offsets and lengths.
fn place_items(assembler: &mut Assembler, layout: &Layout) {
    let mut frags = vec![0_u32; assembler.streams.len()];
    for item in &mut assembler.items {
        let index = item.section.0;
        let stream = &assembler.streams[index as usize];
        let frag = &mut frags[index as usize];
        let offset = position(stream, layout, index, *frag, item.offset);
        let fixed = item.length & !PIECE;
        let mut length = fixed;
        if item.length & PIECE != 0 {
            length += stream.pieces[*frag as usize].size;
            *frag += 1;
        }
        *item = Item {
            section: SectionId(stream.section),
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            length,
            ..*item
        };
    }
}

/// All bytes of a section.
fn bytes_of(
    assembler: &Assembler,
    layout: &Layout,
    section: usize,
    problems: &mut Vec<Placed>,
) -> Vec<u8> {
    let capacity = usize::try_from(layout.sizes[section]).unwrap_or(0);
    let mut bytes = Vec::with_capacity(capacity);
    for &index in &layout.order[section] {
        let stream = &assembler.streams[index as usize];
        let mut before = 0;
        for piece in &stream.pieces {
            let at = piece.at as usize;
            bytes.extend(&stream.bytes[before..at]);
            before = at;
            write_piece(&mut bytes, piece, assembler, layout, problems);
        }
        bytes.extend(&stream.bytes[before..]);
    }
    bytes
}

fn write_piece(
    bytes: &mut Vec<u8>,
    piece: &Piece,
    assembler: &Assembler,
    layout: &Layout,
    problems: &mut Vec<Placed>,
) {
    let size = piece.size as usize;
    match &piece.kind {
        PieceKind::Branch {
            condition, reach, ..
        } => match (reach, condition) {
            (Reach::Short, None) => bytes.extend([0xeb, 0]),
            (Reach::Short, Some(condition)) => bytes.extend([0x70 | condition, 0]),
            (_, None) => bytes.extend([0xe9, 0, 0, 0, 0]),
            (_, Some(condition)) => bytes.extend([0x0f, 0x80 | condition, 0, 0, 0, 0]),
        },
        PieceKind::Align(align) => match align.fill {
            Some((_, width)) if !size.is_multiple_of(usize::from(width.max(1))) => {
                problems.push((
                    piece.origin,
                    problem(
                        format!("the padding of {size} bytes is no multiple of {width}"),
                        "align to the pattern's width before, or use `.balign`",
                    ),
                ));
            }
            None => padding::append(bytes, size, padding::LONGEST),
            Some((value, width)) => {
                let width = usize::from(width.max(1));
                let pattern = value.to_le_bytes();
                for _ in 0..size / width {
                    bytes.extend(&pattern[..width]);
                }
            }
        },
        PieceKind::Space(space) => {
            let pattern = space.value.to_le_bytes();
            let pattern = &pattern[..usize::from(space.width)];
            bytes.extend(pattern.iter().cycle().take(size).copied());
        }
        PieceKind::Org(org) => {
            let to = node_worth(&assembler.symbols, layout, &org.0, 0);
            let wanted = match to {
                Ok(Worth::Absolute(value)) => value,
                Ok(Worth::Address { offset, .. }) => offset,
                _ => -1,
            };
            bytes.extend(std::iter::repeat_n(org.1, size));
            if wanted != i64::try_from(bytes.len()).unwrap_or(-1) {
                problems.push((
                    piece.origin,
                    problem(
                        format!("`.org` cannot go back, from {} to {wanted}", bytes.len()),
                        "name a place further on",
                    ),
                ));
            }
        }
        PieceKind::Nops(nops) => padding::append(bytes, size, usize::from(nops.1)),
        PieceKind::Leb128(leb) => {
            let value = match node_worth(&assembler.symbols, layout, &leb.0, 0) {
                Ok(Worth::Absolute(value)) => value,
                _ => 0,
            };
            bytes.extend(leb128(value, leb.1));
        }
    }
}

/// The field of a jump whose length layout decided.
fn branch_fixup(piece: &Piece) -> Option<Fixup> {
    let PieceKind::Branch {
        reach,
        target,
        addend,
        modifier,
        ..
    } = &piece.kind
    else {
        return None;
    };
    Some(Fixup {
        at: 0,
        frag: 0,
        width: if *reach == Reach::Short { 1 } else { 4 },
        field: Field::Branch(0),
        modifier: *modifier,
        rex: false,
        value: Folded::Sum {
            plus: *target,
            minus: None,
            addend: *addend,
        },
        origin: piece.origin,
    })
}

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
    pub(super) const SIZE32: u32 = 32;
    pub(super) const SIZE64: u32 = 33;
    pub(super) const GOTPC32_TLSDESC: u32 = 34;
    pub(super) const TLSDESC_CALL: u32 = 35;
    pub(super) const GOTPCRELX: u32 = 41;
    pub(super) const REX_GOTPCRELX: u32 = 42;
}

impl Resolver<'_> {
    /// All symbols: those of sections first.
    fn symbols(&mut self, problems: &mut Vec<Placed>) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self
            .assembler
            .sections
            .iter()
            .enumerate()
            .map(|(index, state)| Symbol {
                name: state.name.clone(),
                place: SymbolPlace::In(SectionId(u32::try_from(index).unwrap_or(u32::MAX)), 0),
                binding: 0,
                kind: 3,
                size: 0,
                visibility: 0,
            })
            .collect();
        for (id, entry) in self.assembler.symbols.iter() {
            let named = !entry.name.is_empty() && self.assembler.symbols.is_current(id);
            let undefined = entry.definition == Definition::Undefined;
            if !(named || entry.numeric.is_some()) || (undefined && !entry.used) {
                continue;
            }
            if undefined && entry.numeric.is_some() {
                continue;
            }
            let place = match &entry.definition {
                Definition::Common(size, align) => SymbolPlace::Common(*size, *align),
                _ => match symbol_worth(&self.assembler.symbols, self.layout, id, 0) {
                    Ok(Worth::Absolute(value)) => SymbolPlace::Absolute(value),
                    Ok(Worth::Address {
                        section, offset, ..
                    }) => SymbolPlace::In(SectionId(section), offset.cast_unsigned()),
                    Ok(Worth::External(..)) => SymbolPlace::Undefined,
                    Err(ExprError(message, help)) => {
                        problems.push((sequence::Origin::default(), problem(message, help)));
                        SymbolPlace::Undefined
                    }
                },
            };
            let size = entry.size.as_ref().and_then(|node| {
                match node_worth(&self.assembler.symbols, self.layout, node, 0) {
                    Ok(Worth::Absolute(size)) => u64::try_from(size).ok(),
                    _ => None,
                }
            });
            let size = match (&entry.definition, size) {
                (Definition::Common(size, _), None) => *size,
                (_, size) => size.unwrap_or(0),
            };
            self.indices[id.0 as usize] = u32::try_from(symbols.len()).unwrap_or(u32::MAX);
            symbols.push(Symbol {
                name: match entry.numeric {
                    Some(number) => number.to_string(),
                    None => entry.name.to_string(),
                },
                place,
                // What is not here is global to ELF, unless it is weak.
                binding: if undefined {
                    entry.binding.max(1)
                } else {
                    entry.binding
                },
                kind: entry.kind,
                size,
                visibility: entry.visibility,
            });
        }
        symbols
    }

    /// Offset that a jump goes to, unless that is left to the linker.
    fn settled(&self, piece: &Piece) -> Option<i64> {
        match &piece.kind {
            PieceKind::Branch {
                reach: Reach::Short | Reach::Long,
                target,
                addend,
                modifier,
                ..
            } if modifier.is_none() => {
                match symbol_worth(&self.assembler.symbols, self.layout, *target, 0) {
                    Ok(Worth::Address { offset, .. }) => Some(offset.wrapping_add(*addend)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn worth(&self, value: &Folded) -> Result<(Worth, Option<Worth>), ExprError> {
        let symbols = &self.assembler.symbols;
        match value {
            Folded::Number(value) => Ok((Worth::Absolute(*value), None)),
            Folded::Tree(node) => Ok((node_worth(symbols, self.layout, node, 0)?, None)),
            Folded::Sum {
                plus,
                minus,
                addend,
            } => {
                let plus = symbol_worth(symbols, self.layout, *plus, 0)?.plus(*addend);
                let Some(minus) = minus else {
                    return Ok((plus, None));
                };
                let minus = symbol_worth(symbols, self.layout, *minus, 0)?;
                Ok(match (plus, minus) {
                    (Worth::Absolute(a), Worth::Absolute(b)) => {
                        (Worth::Absolute(a.wrapping_sub(b)), None)
                    }
                    (plus, Worth::Absolute(b)) => (plus.plus(b.wrapping_neg()), None),
                    (
                        Worth::Address {
                            section: a,
                            offset: left,
                            ..
                        },
                        Worth::Address {
                            section: b,
                            offset: right,
                            ..
                        },
                    ) if a == b => (Worth::Absolute(left.wrapping_sub(right)), None),
                    (plus, minus) => (plus, Some(minus)),
                })
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one place where fields, bytes and relocations meet"
    )]
    fn fix(
        &mut self,
        fixup: &Fixup,
        section: usize,
        offset: u64,
        bytes: &mut [u8],
        relocations: &mut Vec<Relocation>,
        symbols: &mut Vec<Symbol>,
        problems: &mut Vec<Placed>,
    ) {
        match self.outcome(fixup, section, offset) {
            Err(ExprError(message, help)) => {
                problems.push((fixup.origin, problem(message, help)));
            }
            Ok(Outcome::Value(value)) => {
                if let Some(error) = out_of_range(fixup, value) {
                    problems.push((fixup.origin, error));
                    return;
                }
                let at = usize::try_from(offset).unwrap_or(0);
                let width = usize::from(fixup.width);
                if let Some(field) = bytes.get_mut(at..at + width) {
                    field.copy_from_slice(&value.to_le_bytes()[..width]);
                }
            }
            Ok(Outcome::Relocation {
                target,
                kind,
                addend,
            }) => {
                let symbol = match target {
                    Target::Section(section) => section,
                    Target::Symbol(id) => self.indices[id.0 as usize],
                    Target::Absolute => *self.absolute.get_or_insert_with(|| {
                        symbols.push(Symbol {
                            name: "*ABS*".into(),
                            place: SymbolPlace::Absolute(0),
                            binding: 0,
                            kind: 3,
                            size: 0,
                            visibility: 0,
                        });
                        u32::try_from(symbols.len() - 1).unwrap_or(u32::MAX)
                    }),
                };
                relocations.push(Relocation {
                    offset,
                    kind,
                    symbol,
                    addend,
                });
            }
        }
    }

    /// What a relocation to this is against, and the addend that goes with it.
    fn target(&self, worth: Worth, relative: bool) -> Result<(Target, i64), ExprError> {
        match worth {
            Worth::Absolute(value) => Ok((Target::Absolute, value)),
            Worth::External(id, addend) => {
                let entry = self.assembler.symbols.get(id);
                if let Some(number) = entry.numeric {
                    return Err(ExprError(
                        format!("there is no label `{number}:` after this"),
                        format!("write `{number}b` for the last one, or define it"),
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

    fn is_local(&self, worth: Worth, section: usize) -> Option<i64> {
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

    fn outcome(&self, fixup: &Fixup, section: usize, offset: u64) -> Result<Outcome, ExprError> {
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

    fn is_plain_local(&self, worth: Worth) -> bool {
        matches!(worth, Worth::Address { symbol, .. }
            if self.assembler.symbols.get(symbol).binding == 0)
    }

    fn is_here(&self, worth: Worth, section: usize) -> Option<i64> {
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
    fn modified(
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
            Modifier::Got => RelocationKind::Other(elf::GOT32),
            Modifier::Gotpcrel if relative && fixup.rex => {
                RelocationKind::Other(elf::REX_GOTPCRELX)
            }
            Modifier::Gotpcrel if relative => RelocationKind::Other(elf::GOTPCRELX),
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
fn plus_nothing(value: &Folded) -> bool {
    matches!(value, Folded::Sum { addend: 0, .. })
}

fn relative_kind(width: u8) -> RelocationKind {
    match width {
        1 => RelocationKind::Pc8,
        2 => RelocationKind::Pc16,
        4 => RelocationKind::Pc32,
        _ => RelocationKind::Pc64,
    }
}

/// Why a value does not go into its field.
fn out_of_range(fixup: &Fixup, value: i64) -> Option<sequence::Problem> {
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
