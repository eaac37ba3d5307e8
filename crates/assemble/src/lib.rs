//! Programs to machine code, with the encodings GNU as chooses.
//!
//! [`assemble()`] walks a [`sequence::Program`] and gives [`Code`]: sections with their bytes as GNU
//! as would write them (fields that need a relocation hold what RELA leaves there), relocations,
//! symbols, and a table of statements that says which bytes came from which line.

mod aliases;
mod assembler;
mod code;
mod encode;
mod expr;
mod forms;
mod layout;
mod names;
mod operand;
mod padding;
mod resolve;
mod section;
mod select;
mod stream;
mod symbols;
mod unit;

pub use code::{
    Assembled, Code, Item, ItemKind, Relocation, RelocationKind, Section, SectionId, Symbol,
    SymbolPlace,
};
pub use unit::assemble;
