//! Programs to machine code, with the encodings GNU as chooses.
//!
//! [`assemble()`] walks a [`sequence::Program`] and gives [`Code`]: sections with their bytes as GNU
//! as would write them (fields that need a relocation hold what RELA leaves there), relocations,
//! symbols, and a table of statements that says which bytes came from which line.

mod code;

pub use code::{
    Assembled, Code, Item, ItemKind, Relocation, RelocationKind, Section, SectionId, Symbol,
    SymbolPlace,
};

use sequence::{Diagnostic, Program, Reader};

/// Assembles one translation unit.
///
/// # Errors
/// All errors of the unit, with their places.
pub fn assemble(
    _program: &mut Program,
    _reader: &mut dyn Reader,
) -> Result<Assembled, Vec<Diagnostic>> {
    Err(Vec::new())
}
