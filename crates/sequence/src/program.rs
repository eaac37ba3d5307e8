//! A translation unit, and how it is walked.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::frames::{Frames, SourceFile};
use crate::lines::{BUILTIN, Mark};
use crate::walk::Walker;
use crate::{Diagnostic, Expr, Problem, Random, Reader, Statement};

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
    /// Line in the file where the text stands, from 1; 0 for built-in text.
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

    /// Offers the text of an instruction in AT&T syntax before it is read; `true` if that is all the
    /// sink needs, as where it knows the like of it. Else the statement follows at once, unless it
    /// cannot be read.
    fn instruction_text(&mut self, text: &str, origin: Origin) -> bool {
        let _ = (text, origin);
        false
    }

    /// Offers all that is left of a text, from the start of a line on, which is in AT&T syntax and has no
    /// macros that a name could stand for. How many bytes and lines of it the sink has taken: whole lines of
    /// one instruction each, at most so many. `origin` is the first line's.
    fn known_lines(&mut self, text: &str, origin: Origin, most: u32) -> (usize, u32) {
        let _ = (text, origin, most);
        (0, 0)
    }

    /// What `expr` is worth now, for `.if`, `.rept` and the like.
    fn evaluate(&mut self, expr: &Expr) -> Value;

    /// Whether `name` has been defined so far, for `.ifdef` and `.ifndef`.
    fn is_defined(&mut self, name: &str) -> bool;
}

/// A stretch of preprocessed text that belongs to one part.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The text of the whole preprocessed file.
    pub(crate) text: Arc<str>,
    /// Bytes of it that belong here.
    pub(crate) range: std::ops::Range<usize>,
    /// Places of the lines of `text[range]`, counted from its first.
    pub(crate) marks: Arc<[Mark]>,
    /// Which part it is.
    pub(crate) part: Part,
    /// The line of the structured comment that leads here, where one does: the section changes
    /// to the part's `.text`.
    pub(crate) switch: Option<u32>,
}

impl Piece {
    pub(crate) fn text(&self) -> &str {
        &self.text[self.range.clone()]
    }
}

/// One variant at one set of params: the unit that is assembled.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) frames: Frames,
    pub(crate) pieces: Vec<Piece>,
    /// Symbols and their values, in the order in which they are set.
    pub(crate) symbols: Vec<(String, i64)>,
    pub(crate) seed: u64,
    pub(crate) randoms: Vec<Random>,
    /// X86_FEATURE_ and X86_BUG_ words in force.
    pub(crate) features: Arc<BTreeSet<String>>,
    /// A `.s` file: GNU as alone, without the kernel's words.
    pub(crate) plain: bool,
    /// The last walk left text out, because of an error.
    pub(crate) lost: bool,
}

impl Program {
    /// A program of the assembler's text alone, without structured comments, params or the
    /// kernel's words: what GNU as would be given.
    #[must_use]
    pub fn plain(file: &str, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self {
            frames: Frames::new(vec![SourceFile {
                name: file.into(),
                text: Arc::clone(&text),
            }]),
            pieces: vec![Piece {
                range: 0..text.len(),
                text,
                marks: Arc::new([Mark {
                    index: 0,
                    file: 0,
                    line: 1,
                }]),
                part: Part::Body,
                switch: None,
            }],
            symbols: Vec::new(),
            seed: 0,
            randoms: Vec::new(),
            features: Arc::default(),
            plain: true,
            lost: false,
        }
    }

    /// Expands the text and hands each statement to `sink`, params and random tables first.
    /// Statements that set the params are marked [`Part::Common`]. Gives the warnings.
    ///
    /// # Errors
    /// All errors of the text and of the sink, with their places (warnings among them).
    pub fn walk(
        &mut self,
        reader: &mut dyn Reader,
        sink: &mut dyn Sink,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.frames.restart();
        self.lost = false;
        Walker::new(self, reader, sink).walk()
    }

    /// File name and line of an origin, the place in the file that a reader would look at: where
    /// the outermost expansion stands. Line 0 and an empty name for what is built in.
    #[must_use]
    pub fn place(&self, origin: Origin) -> (&str, u32) {
        let (file, line) = self.frames.outermost(origin.frame, origin.line);
        if file == BUILTIN {
            return ("", 0);
        }
        (self.frames.file_name(file), line)
    }

    /// Whether an origin is in an expansion, so that a reader would look at another line than its own.
    #[must_use]
    pub fn is_expansion(&self, origin: Origin) -> bool {
        self.frames.is_expansion(origin.frame)
    }

    /// Whether the last walk left text out, because of an error: what is missing then, such as a
    /// label, may stand there.
    #[must_use]
    pub fn has_lost_text(&self) -> bool {
        self.lost
    }

    /// Whether part of the text came from a patch (`#: diff`), where a label that is missing is an
    /// error although a linker might know it.
    #[must_use]
    pub fn has_patches(&self) -> bool {
        self.frames.has_patches()
    }

    /// The place of an origin as a diagnostic, for errors that are found after the walk (a jump out
    /// of range, an undefined symbol). `None` for what is built in and not expanded from any file.
    #[must_use]
    pub fn diagnose(&self, origin: Origin, problem: Problem) -> Option<Diagnostic> {
        self.frames.diagnose(origin, problem)
    }
}
