//! A translation unit, and how it is walked.

use crate::{Diagnostic, Expr, Problem, Reader, Statement};

/// Which block of the sequence file a statement stands in. `.text` of `setup`, `before` and
/// `after` is the section `.text.setup`, `.text.before`, `.text.after`; [`Program::walk`] sends the
/// section statements that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Lines before the first variant, outside any block.
    Common,
    /// `setup`
    Setup,
    /// `before`
    Before,
    /// The code that is measured.
    Body,
    /// `after`
    After,
}

/// Where a statement was written: a line and the expansion it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Origin {
    /// Index into the program's table of frames (a file, or one expansion of a macro in a frame).
    pub frame: u32,
    /// Line in the file where the text stands, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// What a symbol or expression is worth while a program is being walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Known now and the same whatever the layout.
    Absolute(i64),
    /// Defined, but an address.
    Address,
    /// Not defined so far.
    Undefined,
}

/// Takes statements, and answers what conditionals ask.
pub trait Sink {
    /// Takes one statement.
    ///
    /// # Errors
    /// Why it cannot be assembled; the walk goes on with the next one, so that all errors of a file
    /// are found at once.
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem>;

    /// What `expr` is worth now, for `.if`, `.rept` and the like.
    fn evaluate(&mut self, expr: &Expr) -> Value;

    /// Whether `name` has been defined so far, for `.ifdef` and `.ifndef`.
    fn is_defined(&mut self, name: &str) -> bool;
}

/// One variant at one set of params: the unit that is assembled.
#[derive(Clone, Debug)]
pub struct Program {}

impl Program {
    /// Expands the text and hands each statement to `sink`, params and random tables first.
    /// Statements that set the params are marked [`Part::Common`].
    ///
    /// # Errors
    /// All errors of the text and of the sink, with their places.
    pub fn walk(
        &mut self,
        _reader: &mut dyn Reader,
        _sink: &mut dyn Sink,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        Ok(Vec::new())
    }

    /// File name and line of an origin, the place in the file that a reader would look at: where
    /// the outermost expansion stands.
    #[must_use]
    pub fn place(&self, _origin: Origin) -> (&str, u32) {
        ("", 0)
    }

    /// The place of an origin as a diagnostic, for errors that are found after the walk (a jump out
    /// of range, an undefined symbol).
    #[must_use]
    pub fn diagnose(&self, _origin: Origin, _problem: Problem) -> Option<Diagnostic> {
        None
    }
}
