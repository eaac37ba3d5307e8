//! Symbols: names, what they are worth, and how ELF sees them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use sequence::Origin;

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
    Common(Box<(u64, u64)>),
}

/// What `.type` says, added up as GNU as does where it says several things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const FUNCTION: Self = Self(1);
    pub(crate) const OBJECT: Self = Self(2);
    pub(crate) const THREAD_LOCAL: Self = Self(4 | 2);
    pub(crate) const INDIRECT: Self = Self(8 | 1);
    pub(crate) const UNIQUE: Self = Self(16 | 2);
    /// What an alias takes over.
    const COPIED: u8 = 1 | 2 | 8;

    /// Takes what `.type` says: some of what was said before stays.
    pub(crate) fn say(&mut self, kinds: Self) {
        let mut gone = 1 | 2;
        if kinds != Self::FUNCTION {
            gone |= 8;
        }
        if kinds != Self::OBJECT {
            gone |= 4 | 16;
        }
        self.0 = self.0 & !gone | kinds.0;
    }

    /// Marks what a relocation of its kind tells of, whatever `.type` says later.
    pub(crate) fn mark_thread_local(&mut self) {
        self.0 |= 4 | 32;
    }

    /// A function that a relocation takes for data of a thread.
    pub(crate) fn is_mistaken(self) -> bool {
        self.0 & 32 != 0 && self.0 & 1 != 0
    }

    /// Adds what an alias has from the symbol that it stands for.
    pub(crate) fn copy(&mut self, from: Self) {
        self.0 |= from.0 & Self::COPIED;
    }

    /// An indirect function, which is found only at run time.
    pub(crate) fn is_indirect(self) -> bool {
        self.0 & 8 != 0
    }

    /// One of its name in the whole process.
    pub(crate) fn is_unique(self) -> bool {
        self.0 & 16 != 0
    }

    /// ELF's number.
    pub(crate) fn elf(self) -> u8 {
        match self.0 {
            kinds if kinds & (4 | 32) != 0 => crate::expr::THREAD_LOCAL,
            kinds if kinds & 8 != 0 => 10,
            kinds if kinds & 1 != 0 => 2,
            kinds if kinds & 2 != 0 => 1,
            _ => 0,
        }
    }
}

/// One symbol.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Where its name is in the text of all names, and its length; 0 for `.` and numeric labels.
    pub(crate) name: (u32, u32),
    /// Another symbol has taken over the name.
    is_replaced: bool,
    /// What it is worth.
    pub(crate) definition: Definition,
    /// ELF binding.
    pub(crate) binding: u8,
    /// What `.type` said of it.
    pub(crate) kinds: Kinds,
    /// ELF visibility.
    pub(crate) visibility: u8,
    /// Number of a numeric label; [`NO_NUMBER`] for a name.
    number: u32,
    /// Whether `.set` gave the value, so that another `.set` may give a new one.
    pub(crate) variable: bool,
    /// `.local`
    pub(crate) is_local: bool,
    /// Whether anything refers to it.
    pub(crate) used: bool,
    /// What few symbols have.
    rare: Option<Box<Rare>>,
    /// Set to a symbol that had no place yet: what it is comes with the place.
    pub(crate) is_forward: bool,
    /// Only `.weakref` has named it so far.
    pub(crate) weak_only: bool,
    /// `.largecomm`
    pub(crate) is_large: bool,
    /// Whether it is the start of the section of its name.
    pub(crate) is_section: bool,
    /// Set once something refers to it that was written before: what is set next is for what comes later.
    pub(crate) used_before: bool,
    /// Its turn in GNU as's list of symbols; [`UNLISTED`] for those that come there when relocations are made.
    pub(crate) listed: u32,
}

/// What few symbols have, so that it takes no room in all others.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// `.size`, and where it stands.
    size: Option<(Node, Origin)>,
    /// `.weakref`: the symbol that stands for it.
    weakref: Option<SymbolId>,
    /// Where `.set` gave the value.
    set_at: Origin,
}

/// [`Entry::number`] of symbols that are no numeric labels.
const NO_NUMBER: u32 = u32::MAX;

impl Entry {
    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Number of a numeric label.
    pub(crate) fn numeric(&self) -> Option<u32> {
        (self.number != NO_NUMBER).then_some(self.number)
    }

    /// `.size`, and where it stands.
    pub(crate) fn size(&self) -> Option<&(Node, Origin)> {
        self.rare.as_ref()?.size.as_ref()
    }

    pub(crate) fn set_size(&mut self, size: Node, at: Origin) {
        self.rare().size = Some((size, at));
    }

    /// `.weakref`: the symbol that stands for it.
    pub(crate) fn weakref(&self) -> Option<SymbolId> {
        self.rare.as_ref()?.weakref
    }

    /// Where `.set` gave the value.
    pub(crate) fn set_at(&self) -> Origin {
        self.rare
            .as_ref()
            .map_or_else(Origin::default, |rare| rare.set_at)
    }

    pub(crate) fn set_set_at(&mut self, at: Origin) {
        self.rare().set_at = at;
    }
}

/// Not in GNU as's list of symbols so far.
pub(crate) const UNLISTED: u32 = u32::MAX;

/// Names of which GNU as thinks that only the assembler needs them: it lists them late, if at all.
pub(crate) fn is_local_name(name: &str) -> bool {
    [".L", "..", "_.L_"]
        .iter()
        .any(|start| name.starts_with(start))
        || name.starts_with(|first: char| first.is_ascii_digit())
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
    /// All names, one behind the other: a text may have a million of them.
    text: Arc<String>,
    /// Symbols by the hash of their names: one more than the number of the symbol, 0 for none. At least half
    /// of it is empty.
    slots: Vec<u32>,
    /// How many of it are not.
    known: usize,
    /// For each numeric label: the last one defined, and the one that `1f` has asked for.
    numeric: NameMap<u32, (Option<SymbolId>, Option<SymbolId>)>,
    /// How many symbols GNU as has listed.
    listed: u32,
}

impl SymbolTable {
    /// A symbol of this name, which the table does not find.
    fn push(&mut self, name: &str, definition: Definition) -> SymbolId {
        let start = self.text.len();
        Arc::make_mut(&mut self.text).push_str(name);
        self.push_at((start, name.len()), definition)
    }

    fn push_at(&mut self, (start, length): (usize, usize), definition: Definition) -> SymbolId {
        let id = SymbolId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        let name = &self.text[start..start + length];
        let listed = if name.is_empty() || is_local_name(name) {
            UNLISTED
        } else {
            self.listed += 1;
            self.listed
        };
        // All names are of one text, which has no more than 256 MiB.
        let short = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        self.entries.push(Entry {
            name: (short(start), short(length)),
            is_replaced: false,
            definition,
            binding: 0,
            kinds: Kinds::NONE,
            visibility: 0,
            number: NO_NUMBER,
            variable: false,
            is_local: false,
            used: false,
            rare: None,
            is_forward: false,
            weak_only: false,
            is_large: false,
            is_section: false,
            used_before: false,
            listed,
        });
        id
    }

    /// Lists a symbol, as GNU as does with a local one when a directive names it or an operand begins with it.
    pub(crate) fn list(&mut self, id: SymbolId) {
        let entry = &mut self.entries[id.0 as usize];
        if entry.listed == UNLISTED {
            self.listed += 1;
            entry.listed = self.listed;
        }
    }

    /// The symbol of this name, which a directive speaks of.
    pub(crate) fn declared(&mut self, name: &str) -> SymbolId {
        let id = self.named(name);
        self.list(id);
        id
    }

    /// The symbol of this name, made where there is none.
    pub(crate) fn named(&mut self, name: &str) -> SymbolId {
        let slot = self.slot(name);
        if let Some(id) = self.at(slot) {
            self.get_mut(id).weak_only = false;
            return id;
        }
        let id = self.push(name, Definition::Undefined);
        self.enter(id);
        id
    }

    /// All names.
    pub(crate) fn text(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// The name of a symbol; empty for `.` and numeric labels.
    pub(crate) fn name(&self, id: SymbolId) -> &str {
        let (start, length) = self.get(id).name;
        let start = start as usize;
        &self.text[start..start + length as usize]
    }

    /// The symbol of a slot.
    fn at(&self, slot: usize) -> Option<SymbolId> {
        let number = self.slots.get(slot)?.checked_sub(1)?;
        Some(SymbolId(number))
    }

    /// Where the symbol of a name is, or belongs.
    fn slot(&self, name: &str) -> usize {
        let mut hasher = NameHasher::default();
        hasher.write(name.as_bytes());
        let mask = self.slots.len().wrapping_sub(1);
        // Names that count up are alike but for a few bits, which must reach all of the slot's.
        let hash = hasher.finish();
        let hash = (hash ^ hash >> 29).wrapping_mul(MULTIPLIER);
        let mut slot = (hash >> 32) as usize & mask;
        while let Some(id) = self.at(slot)
            && self.name(id) != name
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Makes the table find a symbol by its name, and no longer another one of that name.
    fn enter(&mut self, id: SymbolId) {
        if (self.known + 1) * 2 > self.slots.len() {
            let slots = vec![0; (self.slots.len() * 2).max(64)];
            for number in std::mem::replace(&mut self.slots, slots) {
                if let Some(old) = number.checked_sub(1) {
                    let slot = self.slot(self.name(SymbolId(old)));
                    self.slots[slot] = number;
                }
            }
        }
        let slot = self.slot(self.name(id));
        self.known += usize::from(self.slots[slot] == 0);
        self.slots[slot] = id.0 + 1;
    }

    /// The symbol of this name, if anything has mentioned it.
    pub(crate) fn find(&self, name: &str) -> Option<SymbolId> {
        self.at(self.slot(name))
    }

    /// A new symbol that takes over the name: earlier uses keep the old one's value.
    pub(crate) fn replace(&mut self, old: SymbolId) -> SymbolId {
        let entry = self.get(old).clone();
        let name = (entry.name.0 as usize, entry.name.1 as usize);
        let id = self.push_at(name, Definition::Undefined);
        self.get_mut(old).is_replaced = true;
        self.enter(id);
        let new = self.get_mut(id);
        new.binding = entry.binding;
        new.kinds = entry.kinds;
        if let Some((size, at)) = entry.size().cloned() {
            new.set_size(size, at);
        }
        new.visibility = entry.visibility;
        new.listed = entry.listed;
        id
    }

    /// A nameless label.
    pub(crate) fn anonymous(&mut self, place: Place) -> SymbolId {
        self.push("", Definition::Label(place))
    }

    /// Makes `alias` stand for `target`, which is weak where nothing else names it.
    pub(crate) fn weak_alias(&mut self, alias: SymbolId, target: &str) {
        let id = match self.find(target) {
            Some(id) => id,
            None => {
                let id = self.named(target);
                self.get_mut(id).weak_only = true;
                id
            }
        };
        // An alias of an alias stands for the same.
        let id = self.get(id).weakref().unwrap_or(id);
        if self.get(alias).used {
            self.get_mut(id).used = true;
        }
        let entry = self.get_mut(alias);
        entry.definition = Definition::Expression(Box::new(Node::Symbol(id)));
        entry.rare().weakref = Some(id);
        entry.is_forward = true;
    }

    /// Makes weak what only `.weakref` has named.
    pub(crate) fn settle_weak(&mut self) {
        for entry in &mut self.entries {
            if entry.weak_only && entry.used && entry.definition == Definition::Undefined {
                entry.binding = 2;
            }
        }
    }

    /// A nameless number.
    pub(crate) fn constant(&mut self, value: i64) -> SymbolId {
        self.push("", Definition::Absolute(value))
    }

    /// The symbol of a section's name: where it starts, unless that name is taken. GNU as has it whether
    /// it is written or not.
    pub(crate) fn section(&mut self, name: &str, start: Place) -> Result<(), ()> {
        let id = self.named(name);
        let entry = self.get_mut(id);
        if entry.is_section {
            return Ok(());
        }
        if entry.definition != Definition::Undefined {
            return Err(());
        }
        entry.definition = Definition::Label(start);
        entry.binding = 0;
        entry.is_section = true;
        Ok(())
    }

    /// Defines numeric label `number` at a place.
    pub(crate) fn define_numeric(&mut self, number: u32, place: Place) {
        let waiting = self.numeric.entry(number).or_default().1.take();
        let id = waiting.unwrap_or_else(|| self.push("", Definition::Undefined));
        let entry = self.get_mut(id);
        entry.number = number;
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
        let id = self.push("", Definition::Undefined);
        self.get_mut(id).number = number;
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

    /// Whether a linker may send a call of the symbol elsewhere, by what is known now: GNU as marks calls
    /// of global, weak and undefined ones.
    pub(crate) fn may_be_replaced(&self, id: SymbolId) -> bool {
        let entry = self.get(id);
        let is_undefined = match &entry.definition {
            Definition::Undefined | Definition::Common(..) => true,
            Definition::Expression(_) => entry.is_forward,
            Definition::Label(_) | Definition::Absolute(_) => false,
        };
        is_undefined || entry.binding != 0
    }

    /// Gives an alias what it has from the symbol that it stands for: types, and the size unless it has
    /// one.
    pub(crate) fn copy_attributes(&mut self, to: SymbolId, from: SymbolId) {
        let (kinds, size) = {
            let from = self.get(from);
            (from.kinds, from.size().cloned())
        };
        let to = self.get_mut(to);
        to.kinds.copy(kinds);
        if let (None, Some((size, at))) = (to.size(), size) {
            to.set_size(size, at);
        }
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
        !self.get(id).is_replaced
    }
}
