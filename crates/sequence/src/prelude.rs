//! The built-in text: what the kernel's headers define for assembly.

/// Preprocessed before the file's own text.
pub(crate) const WORDS: &str = include_str!("prelude/words.S");
/// Macros of the assembler.
pub(crate) const MACROS: &str = include_str!("prelude/macros.S");

/// All of it, for who looks for a word in it.
#[must_use]
pub fn prelude() -> [&'static str; 2] {
    [WORDS, MACROS]
}
