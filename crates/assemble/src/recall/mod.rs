//! Instructions whose like has been assembled before.
//!
//! Most lines of a long text differ from an earlier one only by registers, a displacement or an
//! immediate. Such a line's bytes are the earlier one's with other numbers in known fields, as long
//! as nothing that chooses the form, or a field's width, tells the two apart: both then have the
//! same key. Only AT&T text without symbols is recalled, for a symbol's value may change.

mod key;
mod number;
mod registers;
mod template;
mod text;

use key::{Key, Words};
pub(crate) use template::{Spot, Spots};
use template::{Template, template};

use crate::names::Candidate;
use crate::operand::Operands;

/// Most keys that are kept: what they take stays below 3 MB.
const MOST: usize = 1 << 15;

/// A key and what became of its text: a cache line of the CPU.
#[derive(Debug)]
#[repr(align(64))]
struct Known {
    words: Words,
    template: Template,
}

/// Texts and what became of them.
#[derive(Debug)]
pub(crate) struct Recall {
    /// Keys by their hash: one more than the index in `known`, 0 for none. Half of it is empty.
    slots: Vec<u32>,
    known: Vec<Known>,
    /// The last text's, where it could have been recalled and was not known.
    unknown: Option<Key>,
}

impl Default for Recall {
    fn default() -> Self {
        Self {
            slots: vec![0; 4096],
            known: Vec::new(),
            unknown: None,
        }
    }
}

/// Where a key of this hash is, or the empty slot where it belongs.
#[inline(always)]
fn find(slots: &[u32], known: &[Known], words: &Words) -> usize {
    let mask = slots.len() - 1;
    let mut at = key::hash(words) & mask;
    loop {
        let slot = slots[at] as usize;
        if slot == 0 || key::is_same(&known[slot - 1].words, words) {
            return at;
        }
        at = (at + 1) & mask;
    }
}

impl Recall {
    /// Appends the bytes of an instruction to `bytes` if its like is known.
    pub(crate) fn append(&mut self, text: &str, bytes: &mut Vec<u8>) -> bool {
        self.unknown = None;
        let Some(key) = Key::read(text.as_bytes(), 0).filter(|key| key.end == text.len()) else {
            return false;
        };
        let Some(template) = self.template(&key) else {
            self.unknown = (self.known.len() < MOST).then_some(key);
            return false;
        };
        template.append(&key.numbers, bytes);
        true
    }

    /// The same for the line of a longer text that starts at `at`. Where the next line starts, if this one
    /// is an instruction whose like is known.
    #[inline(always)]
    pub(crate) fn append_line(
        &self,
        text: &[u8],
        mut at: usize,
        bytes: &mut Vec<u8>,
    ) -> Option<usize> {
        while matches!(text.get(at), Some(&byte) if text::is_blank(byte)) {
            at += 1;
        }
        let key = Key::read(text, at)?;
        if key.end >= text.len() {
            return None;
        }
        self.template(&key)?.append(&key.numbers, bytes);
        Some(key.end + 1)
    }

    #[inline(always)]
    fn template(&self, key: &Key) -> Option<&Template> {
        let slot = self.slots[find(&self.slots, &self.known, &key.words)];
        let index = (slot as usize).checked_sub(1)?;
        Some(&self.known[index].template)
    }

    /// Keeps what became of the text that [`Self::append`] has just seen and not known.
    pub(crate) fn learn(
        &mut self,
        candidate: &Candidate,
        operands: &Operands,
        bytes: &[u8],
        spots: Spots,
    ) {
        let Some(key) = self.unknown.take() else {
            return;
        };
        let Some(template) = template(&key.numbers, candidate, operands, bytes, spots) else {
            return;
        };
        if self.known.len() * 2 >= self.slots.len() {
            let mut slots = vec![0; self.slots.len() * 2];
            for (index, known) in (1..).zip(&self.known) {
                let at = find(&slots, &self.known, &known.words);
                slots[at] = index;
            }
            self.slots = slots;
        }
        let words = key.words;
        let at = find(&self.slots, &self.known, &words);
        self.known.push(Known { words, template });
        self.slots[at] = u32::try_from(self.known.len()).unwrap_or(0);
    }
}
