//! Everything here is held against GNU as itself.
//!
//! - `reference`: runs `as` and reads what it wrote
//! - `compilers`: what gcc writes
//! - `expansion`: shipped sequences, expanded
//! - `lines`: instructions, one a line: the same bytes, or refused by both
//! - `variations`: the same lines with other registers and numbers
//! - `units`: whole files: sections, bytes, relocations, symbols
//! - `objects`: object files, linked, run and shown
//! - `padding`: every alignment padding of 1 to 200 bytes, `.nops`
//! - `relaxation`: jumps at the edge of their reach

mod compilers;
mod expansion;
mod lines;
mod objects;
mod padding;
mod reference;
mod relaxation;
mod units;
mod variations;
