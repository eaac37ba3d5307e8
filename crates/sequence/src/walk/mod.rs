//! The walk over a program: expands macros, decides conditionals, hands over statements.

mod arguments;
mod blocks;
mod builtin;
mod conditions;
mod instruction;
mod invoke;
mod macros;
mod report;
mod scrub;
mod substitute;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::directive::{directive, is_directive, takes_symbols};
use crate::expr_parse::expression;
use crate::frames::{Frames, Via};
use crate::lines::{Cursor, Mark, Raw, place, too_long, until_mark};
use crate::program::Piece;
use crate::scanner::{Equates, Scanner, is_name, problem, saturate, starts_name};
use crate::{
    Diagnostic, Operand, Origin, Part, Problem, Program, Reader, SectionFlags, SectionRef, Sink,
    Statement, StatementKind, Syntax, Width,
};
pub(crate) use blocks::shortened;
use conditions::Condition;
use macros::Macro;
pub(crate) use report::clipped;

/// Macros in macros and files in files: GNU as's own limit.
const MAX_NESTING: u32 = 100;
/// Statements that expansions may give in all.
const MAX_STATEMENTS: u64 = if cfg!(test) { 40_000 } else { 4_000_000 };
/// Bytes of text that expansions may give in all.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes that one statement may have: its numbers take ten times as much.
const MAX_STATEMENT: usize = 4 << 20;
/// A file with more errors than this is not what its author thinks it is.
const MAX_ERRORS: usize = 1000;

/// Whether the walk of a text goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// The text is at its end, or goes on.
    Next,
    /// `.exitm`: the innermost expansion ends.
    Exit,
    /// `.end`, or a limit: everything ends.
    Stop,
}

/// A statement and where it stands.
#[derive(Clone, Copy, Debug)]
struct At<'t> {
    /// The text that holds it.
    text: &'t str,
    /// Its first byte there.
    start: usize,
    /// Its frame and line.
    frame: u32,
    line: u32,
    /// Where its line begins in the text.
    line_begin: usize,
}

impl At<'_> {
    fn origin(&self, offset: usize) -> Origin {
        let end = (self.start + offset).min(self.text.len());
        let prefix = self
            .text
            .as_bytes()
            .get(self.line_begin..end)
            .unwrap_or_default();
        // Bytes that continue a character do not count, but where nobody would count characters.
        let chars = if prefix.len() > 4096 {
            prefix.len()
        } else {
            prefix.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
        };
        Origin {
            frame: self.frame,
            line: self.line,
            column: saturate(chars + 1),
        }
    }
}

pub(crate) struct Walker<'w> {
    frames: &'w mut Frames,
    pieces: &'w [Piece],
    symbols: &'w [(String, i64)],
    randoms: &'w [crate::Random],
    seed: u64,
    features: &'w std::collections::BTreeSet<String>,
    plain: bool,
    reader: &'w mut dyn Reader,
    sink: &'w mut dyn Sink,
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(String, u32, u32, String)>,
    errors: usize,
    /// Some text was not walked, because of an error.
    lost: &'w mut bool,
    /// One error for the whole text has been given: it is not assembler text at all.
    foreign: bool,
    macros: HashMap<String, Arc<Macro>>,
    /// Built-in macros that `.purgem` took away.
    purged: HashSet<String>,
    /// `\@`: macros executed so far.
    executed: u64,
    /// Names made for `LOCAL` so far.
    locals: u64,
    altmacro: bool,
    syntax: Syntax,
    /// `.intel_syntax prefix`
    marked: bool,
    part: Part,
    depth: u32,
    /// Whether the text is an expansion, which the limits count.
    statements: u64,
    bytes: u64,
    /// Other names of registers.
    equates: Arc<Equates>,
    /// Operands of the statement before, whose memory is used again.
    operands: Vec<Operand>,
    /// Open conditionals. A macro may close what was opened outside of it.
    conditions: Vec<Condition>,
    /// `.att_syntax noprefix`
    bare: bool,
}

impl<'w> Walker<'w> {
    pub(crate) fn new(
        program: &'w mut Program,
        reader: &'w mut dyn Reader,
        sink: &'w mut dyn Sink,
    ) -> Self {
        Self {
            frames: &mut program.frames,
            pieces: &program.pieces,
            symbols: &program.symbols,
            randoms: &program.randoms,
            seed: program.seed,
            features: &program.features,
            plain: program.plain,
            reader,
            sink,
            diagnostics: Vec::new(),
            seen: HashSet::new(),
            errors: 0,
            lost: &mut program.lost,
            foreign: false,
            macros: HashMap::new(),
            purged: HashSet::new(),
            executed: 0,
            locals: 0,
            altmacro: false,
            syntax: Syntax::Att,
            marked: false,
            part: Part::Common,
            depth: 0,
            statements: 0,
            bytes: 0,
            equates: Arc::default(),
            operands: Vec::new(),
            conditions: Vec::new(),
            bare: false,
        }
    }

    pub(crate) fn walk(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if !self.plain {
            self.preamble();
        }
        let pieces = self.pieces;
        for piece in pieces {
            self.part = piece.part;
            if let Some(line) = piece.switch {
                self.switch_section(piece.part, line);
            }
            match self.run(piece.text(), &piece.marks, None) {
                Flow::Stop => break,
                Flow::Next | Flow::Exit => {}
            }
        }
        if self.errors > 0 {
            return Err(self.diagnostics);
        }
        Ok(self.diagnostics)
    }

    /// Sets the params and the seed, and lays out the random tables.
    fn preamble(&mut self) {
        use std::fmt::Write as _;
        let mut text = String::new();
        for (name, value) in self.symbols {
            let _ = writeln!(text, ".set {name}, {value}");
        }
        let _ = writeln!(text, ".set SEED, {}", self.seed);
        if !self.randoms.is_empty() {
            text.push_str(".data\n");
            for random in self.randoms {
                let width = match random.width {
                    Width::Byte => 1,
                    Width::Word => 2,
                    Width::Long => 4,
                };
                let size = u64::from(random.count) * width;
                let _ = writeln!(text, ".balign 64\n{}:\n.zero {size}", random.symbol);
            }
            text.push_str(".text\n");
        }
        let marks = [Mark {
            index: 0,
            file: crate::lines::BUILTIN,
            line: 0,
        }];
        self.run(&text, &marks, None);
    }

    /// Goes to `.text` of a part.
    fn switch_section(&mut self, part: Part, line: u32) {
        let (name, text, flags) = match part {
            Part::Common | Part::Body => (".text", ".text", None),
            Part::Setup => (
                ".text.setup",
                ".section .text.setup,\"ax\",@progbits",
                Some("ax"),
            ),
            Part::Before => (
                ".text.before",
                ".section .text.before,\"ax\",@progbits",
                Some("ax"),
            ),
            Part::After => (
                ".text.after",
                ".section .text.after,\"ax\",@progbits",
                Some("ax"),
            ),
        };
        // Structured comments stand in the sequence file itself, which is the first.
        let frame = self.frames.frame(0, None);
        let at = At {
            text,
            start: 0,
            frame,
            line,
            line_begin: 0,
        };
        let kind = StatementKind::Section(SectionRef {
            name: name.to_owned(),
            flags: SectionFlags {
                flags: flags.map(str::to_owned),
                kind: flags.map(|_| "progbits".to_owned()),
                rest: Vec::new(),
            },
            subsection: None,
        });
        self.emit(kind, text, &at, 0);
    }

    /// Walks one text: a piece of the file, an included file or an expansion.
    fn run(&mut self, text: &str, marks: &[Mark], via: Option<Via>) -> Flow {
        self.run_deeper(text, marks, via, false)
    }

    /// The same for one round of a repeat, if it is one.
    fn run_deeper(&mut self, text: &str, marks: &[Mark], via: Option<Via>, is_round: bool) -> Flow {
        if self.depth >= MAX_NESTING {
            return self.too_deep(via);
        }
        self.depth += 1;
        let flow = self.run_nested(text, marks, via, is_round);
        self.depth -= 1;
        flow
    }

    /// Whether expansions have given more than anybody means them to.
    fn is_too_large(&self) -> bool {
        self.statements > MAX_STATEMENTS || self.bytes > MAX_BYTES
    }

    fn run_nested(&mut self, text: &str, marks: &[Mark], via: Option<Via>, is_round: bool) -> Flow {
        if via.is_some() {
            self.bytes += text.len() as u64;
        }
        if let Some(index) = too_long(text) {
            return self.line_too_long(text, index, marks, via);
        }
        let mut cursor = Cursor::new(text);
        let base = self.conditions.len();
        let mut frame = None;
        let mut flow = Flow::Next;
        loop {
            if via.is_none() && self.conditions.last().is_none_or(Condition::active) {
                self.known_lines(&mut cursor, marks, &mut frame);
            }
            let next = cursor.next();
            let (index, start, line_begin) = match &next {
                Ok(None) => break,
                Ok(Some(raw)) => (raw.index, raw.start, raw.line_begin),
                Err(open) => (open.index, open.start, open.line_begin),
            };
            let (file, line) = place(marks, index);
            let frame = self.frame_of(file, via, &mut frame);
            let at = At {
                text,
                start,
                frame,
                line,
                line_begin,
            };
            let raw = match next {
                Ok(Some(raw)) => raw,
                _ => {
                    self.lose(problem(0, 2, "this comment has no end"), &at, 0);
                    break;
                }
            };
            if raw.text.len() > MAX_STATEMENT {
                let error = problem(
                    0,
                    1,
                    format!("a statement of more than {} MiB", MAX_STATEMENT >> 20),
                )
                .with_help("split it");
                self.report(error, &at, 0);
                continue;
            }
            // What comes behind so many errors says nothing new.
            if self.errors >= MAX_ERRORS {
                return Flow::Stop;
            }
            if via.is_some() {
                self.statements += 1;
                if self.is_too_large() {
                    return self.too_large(&at);
                }
            }
            flow = self.read(&raw, &at, &mut cursor, marks);
            if flow != Flow::Next {
                break;
            }
        }
        match flow {
            // The rounds of a repeat are one text to GNU as.
            Flow::Next if !is_round => self.close_conditions(base, text),
            // What the expansion opened, it need not close.
            Flow::Exit => self.conditions.truncate(base),
            _ => {}
        }
        flow
    }

    /// The frame of a file in this text, of which the last one is kept.
    fn frame_of(&mut self, file: u32, via: Option<Via>, last: &mut Option<(u32, u32)>) -> u32 {
        match *last {
            Some((known, frame)) if known == file => frame,
            _ => {
                let made = self.frames.frame(file, via);
                *last = Some((file, made));
                made
            }
        }
    }

    /// Hands over lines that the sink takes without their being read. Most lines of a long text are
    /// instructions, and no macros are looked for in their names.
    fn known_lines(
        &mut self,
        cursor: &mut Cursor<'_>,
        marks: &[Mark],
        frame: &mut Option<(u32, u32)>,
    ) {
        let is_plain = self.plain && self.macros.is_empty();
        if !is_plain || self.syntax != Syntax::Att || self.bare {
            return;
        }
        let Some(text) = cursor.whole_lines() else {
            return;
        };
        let (file, line) = place(marks, cursor.index);
        let origin = Origin {
            frame: self.frame_of(file, None, frame),
            line,
            column: 1,
        };
        let most = until_mark(marks, cursor.index);
        let (bytes, lines) = self.sink.known_lines(text, origin, most);
        cursor.skip_lines(bytes, lines);
    }

    /// Takes one statement as it stands: labels, then what follows them.
    fn read(
        &mut self,
        raw: &Raw<'_>,
        at: &At<'_>,
        cursor: &mut Cursor<'_>,
        marks: &[Mark],
    ) -> Flow {
        let text: &str = &raw.text;
        if self
            .conditions
            .last()
            .is_some_and(|condition| !condition.active())
        {
            self.skipped(text, at);
            return Flow::Next;
        }
        let mut scanner = Scanner::new(text, 0);
        loop {
            let start = scanner.at;
            let first = scanner.peek();
            if first == b'"' && self.quoted_label(&mut scanner, at) {
                scanner.skip_space();
                continue;
            }
            if !is_name(first) {
                break;
            }
            let word = scanner.word();
            scanner.skip_space();
            if scanner.peek() != b':' {
                return self.headed(Head { word, start }, &mut scanner, at, raw, cursor, marks);
            }
            scanner.at += 1;
            self.label(word, &text[start..scanner.at], at, start);
            scanner.skip_space();
        }
        if scanner.at_end() {
            return Flow::Next;
        }
        self.instruction(&text[scanner.at..], at, scanner.at);
        Flow::Next
    }

    /// Takes `"name":` if that is what comes next.
    fn quoted_label(&mut self, scanner: &mut Scanner<'_>, at: &At<'_>) -> bool {
        let start = scanner.at;
        let mut ahead = scanner.clone();
        let Ok(name) = ahead.symbol() else {
            return false;
        };
        if !ahead.eat(b':') {
            return false;
        }
        scanner.at = ahead.at;
        let text = &scanner.text[start..ahead.at];
        self.emit(StatementKind::Label(name), text, at, start);
        true
    }

    fn label(&mut self, word: &str, text: &str, at: &At<'_>, offset: usize) {
        if word.as_bytes()[0].is_ascii_digit() {
            match word.parse() {
                Ok(number) => self.emit(StatementKind::LocalLabel(number), text, at, offset),
                Err(_) => self.report(
                    problem(0, word.len(), format!("`{word}` cannot be a label"))
                        .with_help("a label is a name, or a number by itself"),
                    at,
                    offset,
                ),
            }
        } else {
            self.emit(StatementKind::Label(word), text, at, offset);
        }
    }

    /// Takes what follows the labels, by its first word.
    fn headed(
        &mut self,
        head: Head<'_>,
        scanner: &mut Scanner<'_>,
        at: &At<'_>,
        raw: &Raw<'_>,
        cursor: &mut Cursor<'_>,
        marks: &[Mark],
    ) -> Flow {
        let text = scanner.text;
        if scanner.peek() == b'=' {
            self.assignment(&head, scanner, at);
            return Flow::Next;
        }
        scanner.at = head.start + head.word.len();
        let lower = lower(head.word);
        if let Some(found) = self.find_macro(&lower)
            && !is_directive(&lower)
        {
            let statement = scrubbed(raw, head.start);
            return self.invoke(&found, &statement, head.word.len(), at, head.start);
        }
        if head.word.starts_with('.') {
            if let Some(flow) = self.steering(&lower, &head, scanner, at, raw, cursor, marks) {
                return flow;
            }
            self.plain_directive(&lower, &head, scanner, at);
            return Flow::Next;
        }
        if starts_name(head.word.as_bytes()[0]) {
            self.instruction(&text[head.start..], at, head.start);
        } else {
            let error = problem(
                0,
                head.word.len(),
                format!("a statement cannot start with `{}`", head.word),
            );
            self.report(error, at, head.start);
        }
        Flow::Next
    }

    /// `name = value`, and `name == value` which must be its first.
    fn assignment(&mut self, head: &Head<'_>, scanner: &mut Scanner<'_>, at: &At<'_>) {
        if head.word.as_bytes()[0].is_ascii_digit() {
            let error = problem(0, head.word.len(), "a number cannot be set")
                .with_help("a symbol's name starts with a letter, `_` or `.`");
            self.report(error, at, head.start);
            return;
        }
        scanner.at += 1;
        let redefine = scanner.peek() != b'=';
        scanner.at += usize::from(!redefine);
        if self.equate(head.word, redefine, scanner, at, head.start) {
            return;
        }
        match expression(scanner).and_then(|value| scanner.finish().map(|()| value)) {
            Ok(value) => {
                // `. = value` moves on to there, as `.org` does.
                let kind = if head.word == "." {
                    StatementKind::Org(value, None)
                } else {
                    StatementKind::Set {
                        name: head.word,
                        value,
                        redefine,
                    }
                };
                self.emit(kind, &scanner.text[head.start..], at, head.start);
            }
            Err(problem) => self.report(problem, at, 0),
        }
    }

    /// Takes a register as a symbol's value. What the symbol was before, it is no longer.
    fn equate(
        &mut self,
        name: &str,
        redefine: bool,
        scanner: &mut Scanner<'_>,
        at: &At<'_>,
        offset: usize,
    ) -> bool {
        let mut value = Scanner {
            equates: Some(Arc::clone(&self.equates)),
            ..Scanner::new(scanner.text, scanner.at)
        };
        value.skip_space();
        let is_register = value.peek() == b'%'
            || value.equated().is_some()
            || (self.syntax == Syntax::Intel && !self.marked && is_bare_register(value.rest()));
        if !is_register {
            if redefine && self.equates.contains_key(name) {
                Arc::make_mut(&mut self.equates).remove(name);
            }
            return false;
        }
        let read = if value.peek() == b'%' || value.equated().is_some() {
            crate::att::register(&mut value)
        } else {
            let word = value.word();
            crate::registers::lookup(word).ok_or_else(|| value.expected(value.at, "a register"))
        };
        match read.and_then(|register| value.finish().map(|()| register)) {
            Ok(_)
                if !redefine && (self.equates.contains_key(name) || self.sink.is_defined(name)) =>
            {
                let message = format!("`{name}` is already defined");
                self.report(problem(0, name.len(), message), at, offset);
            }
            Ok(register) => {
                Arc::make_mut(&mut self.equates).insert(name.to_owned(), register);
                // The exported source needs it as well.
                self.emit(StatementKind::Ignored, &scanner.text[offset..], at, offset);
            }
            Err(problem) => self.report(problem, at, 0),
        }
        true
    }

    /// A directive that becomes a statement.
    fn plain_directive(
        &mut self,
        lower: &str,
        head: &Head<'_>,
        scanner: &mut Scanner<'_>,
        at: &At<'_>,
    ) {
        let text = &scanner.text[head.start..];
        if takes_symbols(lower) && text.contains(',') {
            for name in text[lower.len()..]
                .trim_end()
                .trim_end_matches(',')
                .split(',')
            {
                let one = format!("{lower} {}", name.trim());
                let mut scanner = Scanner::new(&one, lower.len());
                match directive(lower, 0, &mut scanner, self.sink) {
                    Ok(kind) => self.emit(kind, &one, at, head.start),
                    Err(mut problem) => {
                        problem.at = None;
                        self.report(problem, at, head.start);
                    }
                }
            }
            return;
        }
        // For built-in text alone, and nothing that an exported source could hold.
        if matches!(lower, ".placed_as" | ".brought_from") && self.frames.is_builtin(at.frame) {
            let mut labels = text[lower.len()..].split(',').map(str::trim);
            let pair = labels.next().zip(labels.next());
            let kind = match lower {
                ".placed_as" => StatementKind::PlacedAs(pair),
                _ => StatementKind::BroughtFrom(pair),
            };
            self.emit(kind, "", at, head.start);
            return;
        }
        // Offsets of problems then count from the statement's own text.
        let mut own = Scanner::new(text, head.word.len());
        if matches!(lower, ".set" | ".equ" | ".equiv")
            && let Ok(name) = own.symbol()
            && own.eat(b',')
        {
            let begin = head.start + own.at;
            let mut value = Scanner::new(scanner.text, begin);
            if self.equate(name, lower != ".equiv", &mut value, at, head.start) {
                return;
            }
        }
        if lower == ".incbin" {
            self.include_bytes(text, head, at);
            return;
        }
        let mut own = Scanner::new(text, head.word.len());
        own.is_data = self.syntax == Syntax::Intel;
        own.intel = own.is_data;
        if matches!(own.peek(), b'"' | b'\'') {
            let error = problem(own.at, 1, format!("`{}` is followed by a quote", head.word))
                .with_help("a blank separates a directive from its operands");
            self.report(error, at, head.start);
            return;
        }
        match directive(lower, 0, &mut own, self.sink) {
            Ok(kind) => {
                // `.set ., value` moves on to there, as `. = value` does.
                let kind = match kind {
                    StatementKind::Set {
                        name: ".", value, ..
                    } => StatementKind::Org(value, None),
                    kind => kind,
                };
                self.emit(kind, text, at, head.start);
                for warning in std::mem::take(&mut own.warnings) {
                    self.report(warning, at, head.start);
                }
            }
            Err(problem) => self.report(problem, at, head.start),
        }
    }

    /// Hands one statement to the sink. `offset` is where its text starts in the raw statement.
    fn emit(&mut self, kind: StatementKind<'_>, text: &str, at: &At<'_>, offset: usize) {
        let statement = Statement {
            kind,
            text,
            origin: at.origin(offset),
            part: self.part,
        };
        let result = self.sink.statement(&statement);
        if let StatementKind::Instruction(instruction) = statement.kind {
            self.operands = instruction.operands;
            self.operands.clear();
        }
        if let Err(problem) = result {
            self.report(problem, at, offset);
        }
    }
}

/// Whether a register's name is all there is.
fn is_bare_register(text: &str) -> bool {
    crate::registers::lookup(text.trim()).is_some()
}

/// A statement from its first word on, as a macro's arguments are read from it.
fn scrubbed(raw: &Raw<'_>, start: usize) -> String {
    if let Cow::Borrowed(text) = raw.text {
        return scrub::scrub(&text[start..]);
    }
    let whole = scrub::scrub(raw.source);
    let labels = blocks::labels_of(&whole);
    whole[labels..].to_owned()
}

/// The first word of a statement.
struct Head<'t> {
    word: &'t str,
    start: usize,
}

/// The word in lower case, copied only where it is not already.
fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// `help` for problems, by a name that does not collide with the field.
trait WithHelp {
    fn with_help(self, help: &str) -> Self;
}

impl WithHelp for Problem {
    fn with_help(mut self, help: &str) -> Self {
        help.clone_into(&mut self.help);
        self
    }
}
