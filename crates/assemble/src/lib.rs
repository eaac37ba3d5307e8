//! Programs to machine code, with the encodings GNU as chooses.
//!
//! [`assemble()`] walks a [`sequence::Program`] and gives [`Code`]: sections with their bytes as GNU
//! as would write them (fields that need a relocation hold what RELA leaves there), relocations,
//! symbols, and a table of statements that says which bytes came from which line.
//!
//! ```
//! use assemble::{ListingSyntax, assemble, render};
//! use sequence::{MemoryReader, Program};
//!
//! let mut program = Program::plain("loop.s", "mov $5, %ecx\n1: sub $1, %ecx\n jnz 1b\n ret\n");
//! let code = assemble(&mut program, &mut MemoryReader::default())
//!     .expect("these lines assemble")
//!     .code;
//! let (_, text) = code.section(".text").expect("there is always a .text");
//! assert_eq!(text.bytes, [0xb9, 5, 0, 0, 0, 0x83, 0xe9, 1, 0x75, 0xfb, 0xc3]);
//! code.verify().expect("each instruction decodes to its own bytes");
//!
//! let lines = code.listing(ListingSyntax::Att);
//! assert_eq!(lines[3].text, "jne     1b");
//! print!("{}", render(&code, &lines));
//! ```
//!
//! How it goes: `names` holds every name that GNU as knows with the forms of iced-x86's tables that
//! it stands for (`forms`, `aliases`); `select` picks the form, `encode` writes it, and `recall`
//! spares both to lines that differ from an earlier one by a number only. What is not of
//! known size or place stays behind as pieces and fields (`stream`), which `layout` and `resolve`
//! settle at the end.
//!
//! # Where GNU as 2.40 differs
//!
//! Refused here, with the reason, though GNU as takes it: what it makes another instruction of than was
//! written (`rex.w fstps`), `data16` before a direct jump, some directives. `.ident` and `.cfi_*` leave
//! nothing, so that `.comment`, `.eh_frame` and `.debug_line` are absent; `docs/assembler.md` has the list.

mod aliases;
mod assembler;
mod boundary;
mod code;
mod elf;
mod encode;
mod expr;
mod features;
mod forms;
mod intel;
mod layout;
mod listing;
mod names;
mod operand;
mod padding;
mod recall;
mod resolve;
mod restrict;
mod section;
mod select;
mod settle;
mod source;
mod stream;
mod strings;
mod symbols;
mod unit;
mod verify;

pub use boundary::Boundary;
pub use code::{
    Assembled, Code, Group, Item, ItemKind, Name, Relocation, RelocationKind, Section, SectionId,
    Symbol, SymbolPlace,
};
pub use elf::ObjectError;
pub use listing::{Line, ListingSyntax, render};
pub use source::expand;
pub use unit::assemble;
pub use verify::Undecodable;
