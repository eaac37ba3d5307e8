//! Where included text comes from: the caller, for this crate knows no files.

/// A file that was asked for and found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// Name to show in diagnostics.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Finds what `#include "x"`, `#include <x>` and `.include "x"` name.
pub trait Reader {
    /// The text of `name` as seen from the file `from`; else why not.
    ///
    /// # Errors
    /// A sentence that says what was looked for and where.
    fn read(&mut self, name: &str, from: &str) -> Result<Include, String>;

    /// The bytes of what `.incbin` names: those of the text, for a reader that has only texts.
    ///
    /// # Errors
    /// A sentence that says what was looked for and where.
    fn read_bytes(&mut self, name: &str, from: &str) -> Result<Vec<u8>, String> {
        self.read(name, from).map(|found| found.text.into_bytes())
    }
}

/// A reader over texts in memory, for tests and for callers that allow no includes (leave it empty).
#[derive(Clone, Debug, Default)]
pub struct MemoryReader {
    /// Name and text of each file.
    pub files: Vec<Include>,
}

impl Reader for MemoryReader {
    fn read(&mut self, name: &str, _from: &str) -> Result<Include, String> {
        self.files
            .iter()
            .find(|file| file.name == name)
            .cloned()
            .ok_or_else(|| format!("there is no file `{name}` here"))
    }
}
