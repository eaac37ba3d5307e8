//! Everything here is held against GNU as itself.
//!
//! - `reference`: runs `as` and reads what it wrote
//! - `compilers`: what gcc writes
//! - `elf`: object files in full, relocations in their order
//! - `expansion`: shipped sequences, expanded
//! - `instances`: every form of iced-x86's tables, as bytes
//! - `lines`: instructions, one a line: the same bytes, or refused by both
//! - `macros`: programs of macros, made at random: the same bytes, or refused by both
//! - `nasm`: listings in its syntax, read by NASM
//! - `odd`: small programs of directives and expressions that are seldom seen
//! - `variations`: the same lines with other registers and numbers
//! - `units`: whole files: sections, bytes, relocations, symbols
//! - `objects`: object files, linked, run and shown
//! - `padding`: every alignment padding of 1 to 200 bytes, `.nops`
//! - `referee`: that the comparison fails on one changed byte
//! - `relaxation`: jumps at the edge of their reach
//! - `roundtrip`: every form to text and back

mod compilers;
mod elf;
mod expansion;
mod instances;
mod lines;
mod macros;
mod nasm;
mod objects;
mod odd;
mod padding;
mod referee;
mod reference;
mod relaxation;
mod roundtrip;
mod units;
mod variations;
