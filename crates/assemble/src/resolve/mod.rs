//! Bytes, fields and relocations once everything has its place.

mod outcome;
mod pieces;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use crate::assembler::{Assembler, PIECE};
use crate::code::{
    Code, Group, Relocation, RelocationKind, Section, SectionId, Symbol, SymbolPlace,
};
use crate::expr::{ExprError, Folded, Worth, node_worth, symbol_worth};
use crate::layout::{Layout, Placed, problem};
use crate::stream::{Field, Fixup, Piece, PieceKind, Reach, Stream};
use crate::symbols::SymbolId;
use outcome::out_of_range;
use pieces::{branch_fixup, bytes_of, is_short, shorten_brought};

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
    /// The text of all names of symbols.
    names: Arc<String>,
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
    let is_sorted = place_items(&mut assembler, layout);
    code.items = std::mem::take(&mut assembler.items);
    if !is_sorted {
        code.items.sort_by_key(|item| (item.section, item.offset));
    }
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for section in 0..assembler.sections.len() {
        let nobits = assembler.sections[section].is_empty_in_file();
        contents.push(if nobits {
            Vec::new()
        } else {
            match whole(&mut assembler, layout, section) {
                Some(bytes) => bytes,
                None => bytes_of(&assembler, layout, section, problems),
            }
        });
    }
    let mut resolver = Resolver {
        assembler: &assembler,
        layout,
        indices: vec![u32::MAX; assembler.symbols.len()],
        absolute: None,
        names: assembler.symbols.text(),
    };
    code.symbols = resolver.symbols(problems);
    let mut groups: HashMap<&String, usize> = HashMap::new();
    for (section, state) in assembler.sections.iter().enumerate() {
        let mut relocations = Vec::new();
        let bytes = &mut contents[section];
        for &index in &layout.order[section] {
            let stream = &assembler.streams[index as usize];
            for fixup in stream.fixups.iter().filter(|fixup| !fixup.is_jump) {
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
        }
        // GNU as makes the fields of jumps when it knows their lengths, after all others.
        for &index in &layout.order[section] {
            let stream = &assembler.streams[index as usize];
            let mut jumps: Vec<(u64, Fixup)> = Vec::new();
            for fixup in stream.fixups.iter().filter(|fixup| fixup.is_jump) {
                let offset = position(stream, layout, index, fixup.frag, fixup.at);
                jumps.push((offset, fixup.clone()));
            }
            let settled = jumps.len();
            for (frag, piece) in stream.pieces.iter().enumerate() {
                // A short jump that is not where it would be goes nowhere: its length is all that counts.
                if stream.elsewhere.contains_key(&frag) && is_short(piece) {
                    continue;
                }
                if stream.brought.contains_key(&frag)
                    && let Some(target) = resolver.settled(piece)
                {
                    let end = layout.starts[index as usize][frag + 1];
                    if shorten_brought(piece, target, end, bytes) {
                        continue;
                    }
                }
                let Some(mut fixup) = branch_fixup(piece) else {
                    continue;
                };
                if let Folded::Sum {
                    plus, addend: 0, ..
                } = fixup.value
                {
                    fixup.is_call = assembler.symbols.may_be_replaced(plus);
                }
                if let Some(target) = resolver.settled(piece) {
                    fixup.value = Folded::Number(target);
                    fixup.field = Field::Settled;
                    fixup.modifier = None;
                }
                let end = layout.starts[index as usize][frag + 1];
                jumps.push((end - u64::from(fixup.width), fixup));
            }
            if settled > 0 {
                jumps.sort_by_key(|(offset, _)| *offset);
            }
            for (offset, fixup) in &jumps {
                resolver.fix(
                    fixup,
                    section,
                    *offset,
                    bytes,
                    &mut relocations,
                    &mut code.symbols,
                    problems,
                );
            }
        }
        let relocation_order = order(&mut relocations);
        if let Some(signature) = &state.group {
            let id = SectionId(u32::try_from(section).unwrap_or(u32::MAX));
            let index = *groups.entry(signature).or_insert(code.groups.len());
            match code.groups.get_mut(index) {
                Some(group) => group.sections.push(id),
                None => code.groups.push(Group {
                    signature: signature.clone(),
                    comdat: state.is_comdat,
                    sections: vec![id],
                }),
            }
        }
        code.sections.push(Section {
            name: state.name.clone(),
            flags: state.flags,
            kind: state.kind,
            align: state.align,
            bytes: std::mem::take(bytes),
            size: layout.sizes[section],
            entry_size: state.entry_size,
            relocations,
            relocation_order,
            link: state.link.map(SectionId),
        });
    }
    code.symbol_order = resolver.symbol_order(&code);
    code
}

/// Sorts relocations by offset, and gives the order in which they came.
fn order(relocations: &mut Vec<Relocation>) -> Vec<u32> {
    let mut numbered: Vec<(u32, Relocation)> = (0..).zip(std::mem::take(relocations)).collect();
    numbered.sort_by_key(|(_, relocation)| relocation.offset);
    let mut order = vec![0; numbered.len()];
    for (position, (came, _)) in (0..).zip(&numbered) {
        order[*came as usize] = position;
    }
    relocations.extend(numbered.into_iter().map(|(_, relocation)| relocation));
    order
}

/// The bytes of a section that is one stream without pieces, which need no copy.
fn whole(assembler: &mut Assembler, layout: &Layout, section: usize) -> Option<Vec<u8>> {
    let &[index] = &layout.order[section][..] else {
        return None;
    };
    let stream = assembler.streams.get_mut(index as usize)?;
    stream
        .pieces
        .is_empty()
        .then(|| std::mem::take(&mut stream.bytes))
}

/// Offset in the section of a byte of known place.
fn position(stream: &Stream, layout: &Layout, index: u32, frag: u32, at: u32) -> u64 {
    let cut = match frag {
        0 => 0,
        frag => stream.pieces[frag as usize - 1].at,
    };
    layout.starts[index as usize][frag as usize] + u64::from(at - cut)
}

/// Gives items their sections, offsets and lengths. Whether items of a section are in order of offset:
/// statements may have gone back and forth.
fn place_items(assembler: &mut Assembler, layout: &Layout) -> bool {
    // For each stream, how many pieces have been met, and what is added to offsets behind the last.
    let mut met: Vec<(usize, u64)> = Vec::new();
    for starts in &layout.starts {
        met.push((0, starts[0]));
    }
    let mut last = (0, 0);
    let mut is_sorted = true;
    for item in &mut assembler.items {
        let index = item.section.0 as usize;
        let stream = &assembler.streams[index];
        let (frag, shift) = &mut met[index];
        let offset = u64::from(item.offset).wrapping_add(*shift);
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        let mut length = item.length & !PIECE;
        if item.length & PIECE != 0 {
            let piece = &stream.pieces[*frag];
            length += piece.size;
            *frag += 1;
            *shift = layout.starts[index][*frag].wrapping_sub(u64::from(piece.at));
        }
        item.section = SectionId(stream.section);
        item.offset = offset;
        item.length = length;
        is_sorted &= last <= (stream.section, offset);
        last = (stream.section, offset);
    }
    is_sorted
}

impl Resolver<'_> {
    /// Offset that a jump goes to, unless that is left to the linker.
    fn settled(&self, piece: &Piece) -> Option<i64> {
        match &piece.kind {
            PieceKind::Branch {
                reach: Reach::Short | Reach::Long,
                target,
                addend,
                ..
            } => match symbol_worth(&self.assembler.symbols, self.layout, *target, 0) {
                Ok(Worth::Address { offset, .. }) => Some(offset.wrapping_add(*addend)),
                _ => None,
            },
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
}
