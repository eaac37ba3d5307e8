//! Symbols: names, what they are worth, and how ELF sees them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::expr::Node;

/// Index of a symbol in a [`SymbolTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymbolId(pub(crate) u32);

/// A place in a stream of statements: known exactly once the pieces before it have their sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index of the stream (a subsection).
    pub(crate) stream: u32,
    /// How many pieces of unknown size stand before it in the stream.
    pub(crate) frag: u32,
    /// Offset among the bytes of known place, as if all pieces were empty.
    pub(crate) fixed: u32,
}

/// What a symbol is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Definition {
    /// Not defined so far.
    Undefined,
    /// A label.
    Label(Place),
    /// A number.
    Absolute(i64),
    /// Set to an expression that is worked out after layout.
    Expression(Box<Node>),
    /// `.comm`: size and alignment.
    Common(u64, u64),
}

/// One symbol.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its name; empty for `.` and numeric labels.
    pub(crate) name: Box<str>,
    /// What it is worth.
    pub(crate) definition: Definition,
    /// ELF binding.
    pub(crate) binding: u8,
    /// ELF type.
    pub(crate) kind: u8,
    /// ELF visibility.
    pub(crate) visibility: u8,
    /// Number of a numeric label.
    pub(crate) numeric: Option<u32>,
    /// Whether `.set` gave the value, so that another `.set` may give a new one.
    pub(crate) variable: bool,
    /// `.local`
    pub(crate) is_local: bool,
    /// Whether anything refers to it.
    pub(crate) used: bool,
    /// `.size`
    pub(crate) size: Option<Box<Node>>,
}

/// Multiplies and rotates: names are short, and the table is the assembler's most used one.
#[derive(Clone, Copy, Default)]
pub(crate) struct NameHasher(u64);

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.write_u64(u64::from_le_bytes(*chunk));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(MULTIPLIER);
    }
}

/// A map with [`NameHasher`].
pub(crate) type NameMap<K, V> = HashMap<K, V, BuildHasherDefault<NameHasher>>;

/// All symbols of a unit.
#[derive(Debug, Default)]
pub(crate) struct SymbolTable {
    entries: Vec<Entry>,
    names: NameMap<Box<str>, SymbolId>,
    /// For each numeric label: the last one defined, and the one that `1f` has asked for.
    numeric: NameMap<u32, (Option<SymbolId>, Option<SymbolId>)>,
}

impl SymbolTable {
    fn push(&mut self, name: Box<str>, definition: Definition) -> SymbolId {
        let id = SymbolId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(Entry {
            name,
            definition,
            binding: 0,
            kind: 0,
            visibility: 0,
            numeric: None,
            variable: false,
            is_local: false,
            used: false,
            size: None,
        });
        id
    }

    /// The symbol of this name, made where there is none.
    pub(crate) fn named(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = self.push(name.into(), Definition::Undefined);
        self.names.insert(name.into(), id);
        id
    }

    /// The symbol of this name, if anything has mentioned it.
    pub(crate) fn find(&self, name: &str) -> Option<SymbolId> {
        self.names.get(name).copied()
    }

    /// A new symbol that takes over the name: earlier uses keep the old one's value.
    pub(crate) fn replace(&mut self, old: SymbolId) -> SymbolId {
        let entry = self.get(old).clone();
        let id = self.push(entry.name.clone(), Definition::Undefined);
        self.names.insert(entry.name.clone(), id);
        let new = self.get_mut(id);
        new.binding = entry.binding;
        new.kind = entry.kind;
        new.visibility = entry.visibility;
        id
    }

    /// A nameless label.
    pub(crate) fn anonymous(&mut self, place: Place) -> SymbolId {
        self.push("".into(), Definition::Label(place))
    }

    /// Defines numeric label `number` at a place.
    pub(crate) fn define_numeric(&mut self, number: u32, place: Place) {
        let waiting = self.numeric.entry(number).or_default().1.take();
        let id = waiting.unwrap_or_else(|| self.push("".into(), Definition::Undefined));
        let entry = self.get_mut(id);
        entry.numeric = Some(number);
        entry.definition = Definition::Label(place);
        self.numeric.entry(number).or_default().0 = Some(id);
    }

    /// The last numeric label `number`.
    pub(crate) fn backward(&self, number: u32) -> Option<SymbolId> {
        self.numeric.get(&number).and_then(|pair| pair.0)
    }

    /// The next numeric label `number`.
    pub(crate) fn forward(&mut self, number: u32) -> SymbolId {
        if let Some(id) = self.numeric.entry(number).or_default().1 {
            return id;
        }
        let id = self.push("".into(), Definition::Undefined);
        self.get_mut(id).numeric = Some(number);
        self.numeric.entry(number).or_default().1 = Some(id);
        id
    }

    /// The entry of a symbol.
    pub(crate) fn get(&self, id: SymbolId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// The entry of a symbol, to change.
    pub(crate) fn get_mut(&mut self, id: SymbolId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    /// All symbols in order of first mention.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (SymbolId, &Entry)> + '_ {
        self.entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (SymbolId(u32::try_from(index).unwrap_or(u32::MAX)), entry))
    }

    /// How many symbols there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether `id` is still what its name stands for.
    pub(crate) fn is_current(&self, id: SymbolId) -> bool {
        let entry = self.get(id);
        entry.name.is_empty() || self.find(&entry.name) == Some(id)
    }
}
