//! Filler branches: code whose number of taken branches is known.

use machine::{Case, Entry};
use sequence::{MemoryReader, Options, Sequence};

use crate::outcome::Refusal;

/// The text; it is read as any other sequence.
const TEXT: &str = include_str!("filler.S");

/// Kinds of filler.
#[derive(Debug)]
pub(super) struct Fillers {
    sequence: Sequence,
}

impl Fillers {
    /// Reads them.
    ///
    /// # Errors
    /// Those of the text: a mistake in this program.
    pub(super) fn new() -> Result<Self, Refusal> {
        let mut none = MemoryReader::default();
        let sequence = Sequence::read("filler.S", TEXT, &mut none, &Options::default())?;
        Ok(Self { sequence })
    }

    /// Names of the kinds.
    pub(super) fn kinds(&self) -> Vec<String> {
        let variants = self.sequence.variants.iter();
        variants.map(|variant| variant.name.clone()).collect()
    }

    /// A case of `count` taken branches, at least one.
    ///
    /// # Errors
    /// Those of the text: a mistake in this program.
    pub(super) fn case(&self, kind: usize, count: u32) -> Result<Case, Refusal> {
        let mut params = self.sequence.default_params();
        params.insert(String::from("COUNT"), count.to_string());
        let mut program = self.sequence.program(kind, &params);
        let assembled = assemble::assemble(&mut program, &mut MemoryReader::default())?;
        Ok(Case::plain(
            format!("filler-{} COUNT={count}", self.sequence.variants[kind].name),
            assembled.code,
            Entry::Inline,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_assemble_at_every_count() {
        let fillers = Fillers::new().expect("it is right");
        assert!(fillers.kinds().len() >= 3);
        for kind in 0..fillers.kinds().len() {
            for count in [1, 2, 3, 193, 194, 512] {
                let case = fillers.case(kind, count).expect("it assembles");
                let (_, text) = case.code.section(".text").expect("code");
                assert!(text.align <= 1 && text.size > 0);
            }
        }
    }
}
