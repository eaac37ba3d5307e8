//! What is wrong, where, and what would be right.

/// How messages about a label that is not there begin: in a patch they get an explanation.
pub const MISSING_LABEL: &str = "there is no label";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file still means something.
    Warning,
    /// The file cannot be used.
    Error,
}

/// A second place that belongs to a diagnostic: where a macro was expanded, a first definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// File name as given by the caller.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What is there, e.g. ``in the expansion of macro `foo` ``.
    pub message: String,
}

/// One error or warning with its place. Lines and columns count from 1; columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// File name as given by the caller.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// How many characters the caret underlines, at least 1.
    pub width: u32,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What would be right; empty where there is nothing to add.
    pub help: String,
    /// The text of the line, without its end.
    pub text: String,
    /// Expansions and other places, innermost first.
    pub notes: Vec<Note>,
}

/// What a [`crate::Sink`] answers when it cannot take a statement: a diagnostic without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
    /// Byte offset and length in [`crate::Statement::text`] to underline; the whole statement if `None`.
    pub at: Option<(u32, u32)>,
}

/// Leaves the ends of a long row of notes: a hundred equal ones say no more.
pub(crate) fn shorten(notes: &mut Vec<Note>) {
    const ENDS: usize = 3;
    let Some(between) = notes.len().checked_sub(2 * ENDS).filter(|&count| count > 0) else {
        return;
    };
    notes.drain(ENDS..ENDS + between);
    let last = &mut notes[ENDS - 1].message;
    *last = format!("{last}, and {between} times more from here to the next");
}
