//! Instructions whose like has been assembled before.
//!
//! Most lines of a long text differ from an earlier one only by registers, a displacement or an
//! immediate. Such a line's bytes are the earlier one's with other numbers in known fields, as long
//! as nothing that chooses the form, or a field's width, tells the two apart: both then have the
//! same key. Only AT&T text without symbols is recalled, for a symbol's value may change.

mod key;
mod registers;
mod template;

use key::Key;
pub(crate) use template::{Spot, Spots};
use template::{Template, template};

use crate::names::Candidate;
use crate::operand::Operands;

/// Most keys that are kept: what they take stays below 3 MB.
const MOST: usize = 1 << 15;

/// Texts and what became of them.
#[derive(Debug)]
pub(crate) struct Recall {
    /// Keys by their hash: one more than the index in `known`, 0 for none. Half of it is empty.
    slots: Vec<u32>,
    known: Vec<(key::Words, Template)>,
    /// The last text's.
    key: Key,
    /// Whether the last text could have been recalled, and was not known.
    is_new: bool,
}

impl Default for Recall {
    fn default() -> Self {
        Self {
            slots: vec![0; 256],
            known: Vec::new(),
            key: Key::default(),
            is_new: false,
        }
    }
}

/// Where a key of this hash is, or the empty slot where it belongs.
fn find(slots: &[u32], known: &[(key::Words, Template)], words: &key::Words) -> usize {
    let mask = slots.len() - 1;
    let mut at = key::hash(words) & mask;
    loop {
        let slot = slots[at] as usize;
        if slot == 0 || key::is_same(&known[slot - 1].0, words) {
            return at;
        }
        at = (at + 1) & mask;
    }
}

impl Recall {
    /// Appends the bytes of an instruction to `bytes` if its like is known.
    pub(crate) fn append(&mut self, text: &str, bytes: &mut Vec<u8>) -> bool {
        self.is_new = false;
        if !self.key.read(text.as_bytes()) {
            return false;
        }
        let slot = self.slots[find(&self.slots, &self.known, &self.key.words())];
        if slot == 0 {
            self.is_new = self.known.len() < MOST;
            return false;
        }
        let template = &self.known[slot as usize - 1].1;
        let end = bytes.len() + usize::from(template.length);
        bytes.extend_from_slice(&template.with(&self.key.numbers).to_le_bytes());
        bytes.truncate(end);
        true
    }

    /// Keeps what became of the text that [`Self::append`] has just seen and not known.
    pub(crate) fn learn(
        &mut self,
        candidate: &Candidate,
        operands: &Operands,
        bytes: &[u8],
        spots: Spots,
    ) {
        if !std::mem::take(&mut self.is_new) {
            return;
        }
        let Some(template) = template(&self.key.numbers, candidate, operands, bytes, spots) else {
            return;
        };
        if self.known.len() * 2 >= self.slots.len() {
            let mut slots = vec![0; self.slots.len() * 2];
            for (index, (words, _)) in (1..).zip(&self.known) {
                let at = find(&slots, &self.known, words);
                slots[at] = index;
            }
            self.slots = slots;
        }
        let words = self.key.words();
        let at = find(&self.slots, &self.known, &words);
        self.known.push((words, template));
        self.slots[at] = u32::try_from(self.known.len()).unwrap_or(0);
    }
}
