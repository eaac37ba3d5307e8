//! What statements leave behind: bytes of known place, and pieces whose size layout decides.

use std::collections::BTreeMap;

use sequence::{Modifier, Origin};

use crate::expr::{Folded, Node};
use crate::symbols::{Place, SymbolId};

/// How a jump stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Two bytes.
    Short,
    /// Five or six bytes.
    Long,
    /// Long whatever the distance: the linker decides where it goes.
    Linked,
}

/// What a piece is made of.
#[derive(Clone, Debug)]
pub(crate) enum PieceKind {
    /// `jmp` or `jcc`, opcode included.
    Branch {
        /// Low four bits of the opcode of `jcc`; `None` for `jmp`.
        condition: Option<u8>,
        /// The distance so far.
        reach: Reach,
        /// Where to.
        target: SymbolId,
        /// And how much further.
        addend: i64,
        /// `@PLT`, which only a long form can carry.
        modifier: Option<Modifier>,
        /// Behind `data16`: the long form has two bytes for the distance.
        is_narrow: bool,
    },
    /// An alignment.
    Align(Box<AlignPiece>),
    /// `.skip` and `.fill` whose count layout decides: a pattern, repeated.
    Space(Box<SpacePiece>),
    /// `.org`
    Org(Box<(Node, u8)>),
    /// `.nops`
    Nops(Box<(Node, u8)>),
    /// `.uleb128` (`false`) or `.sleb128`.
    Leb128(Box<(Node, bool)>),
}

/// An alignment.
#[derive(Clone, Debug)]
pub(crate) struct AlignPiece {
    /// Boundary, a power of two.
    pub(crate) boundary: u64,
    /// What to fill with; `None` for NOPs.
    pub(crate) fill: Option<(u32, u8)>,
    /// Most bytes to insert.
    pub(crate) max_skip: u64,
}

/// A repeated pattern.
#[derive(Clone, Debug)]
pub(crate) struct SpacePiece {
    /// How often.
    pub(crate) count: Node,
    /// The pattern, low byte first.
    pub(crate) value: u64,
    /// Its width in bytes.
    pub(crate) width: u8,
}

/// A piece whose size layout decides.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Offset among the bytes of known place.
    pub(crate) at: u32,
    /// Size in bytes so far.
    pub(crate) size: u32,
    /// What it is.
    pub(crate) kind: PieceKind,
    /// Where it was written.
    pub(crate) origin: Origin,
}

/// How a field is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Value, of this many bytes.
    Absolute,
    /// A 32-bit value that the CPU extends by its sign.
    Signed,
    /// Distance from the end of the instruction, this many bytes after the field's start.
    Relative(u8),
    /// Distance to an offset of this section that layout has settled.
    Settled,
    /// As `Relative`, but a call or jump, which the linker may send through a stub.
    Branch(u8),
}

/// A field that is filled in after layout.
#[derive(Clone, Debug)]
pub(crate) struct Fixup {
    /// Offset among the bytes of known place.
    pub(crate) at: u32,
    /// Pieces before it.
    pub(crate) frag: u32,
    /// Width in bytes.
    pub(crate) width: u8,
    /// How it is computed.
    pub(crate) field: Field,
    /// `@PLT` and the like.
    pub(crate) modifier: Option<Modifier>,
    /// Whether a linker may do without the global offset table here, and then whether there is a REX
    /// prefix to do it with.
    pub(crate) relaxes: Option<bool>,
    /// Whether a call goes to what the linker may send elsewhere.
    pub(crate) is_call: bool,
    /// It is an immediate operand.
    pub(crate) is_immediate: bool,
    /// It is a jump's that needs no layout, and stands among those that do all the same.
    pub(crate) is_jump: bool,
    /// Bytes of the instruction before the field.
    pub(crate) into: u8,
    /// Of what.
    pub(crate) value: Folded,
    /// Where it was written.
    pub(crate) origin: Origin,
}

/// One subsection's content.
#[derive(Debug)]
pub(crate) struct Stream {
    /// Index of its section.
    pub(crate) section: u32,
    /// Subsection number.
    pub(crate) number: i64,
    /// Bytes of known place; empty where the section has no bytes (`.bss`).
    pub(crate) bytes: Vec<u8>,
    /// How many bytes of known place there are.
    pub(crate) length: u32,
    /// Pieces in order.
    pub(crate) pieces: Vec<Piece>,
    /// Fields in order.
    pub(crate) fixups: Vec<Fixup>,
    /// Jumps have the lengths that they would have at the first label, if the second were there.
    pub(crate) placed_as: Option<(SymbolId, SymbolId)>,
    /// The pieces of which that is so, by index.
    pub(crate) elsewhere: BTreeMap<usize, (SymbolId, SymbolId)>,
    /// Jumps have the lengths that they would have if what is between the labels were a section of its own.
    pub(crate) brought_from: Option<(SymbolId, SymbolId)>,
    /// The pieces of which that is so, by index.
    pub(crate) brought: BTreeMap<usize, (SymbolId, SymbolId)>,
}

impl Stream {
    /// An empty one.
    pub(crate) fn new(section: u32, number: i64) -> Self {
        Self {
            section,
            number,
            bytes: Vec::new(),
            length: 0,
            pieces: Vec::new(),
            fixups: Vec::new(),
            placed_as: None,
            elsewhere: BTreeMap::new(),
            brought_from: None,
            brought: BTreeMap::new(),
        }
    }

    /// How many pieces there are so far.
    pub(crate) fn frag(&self) -> u32 {
        u32::try_from(self.pieces.len()).unwrap_or(u32::MAX)
    }

    /// The place at its end.
    pub(crate) fn here(&self, index: u32) -> Place {
        Place {
            stream: index,
            frag: self.frag(),
            fixed: self.length,
        }
    }

    /// Adds a piece.
    pub(crate) fn piece(&mut self, kind: PieceKind, origin: Origin) {
        if let Some(labels) = self.placed_as {
            self.elsewhere.insert(self.pieces.len(), labels);
        }
        if let Some(labels) = self.brought_from {
            self.brought.insert(self.pieces.len(), labels);
        }
        self.pieces.push(Piece {
            at: self.length,
            size: 0,
            kind,
            origin,
        });
    }
}
