//! The C preprocessor for `.S` files, with the kernel's words built in.

mod condition;
mod directives;
mod expand;
mod lex;
mod line;
mod macros;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::frames::SourceFile;
use crate::lines::{BUILTIN, Mark};
use crate::scanner::saturate;
use crate::{Configs, Diagnostic, Note, Reader, Severity};
pub(crate) use directives::looks_like_directive;
use expand::Context;
use lex::Token;
pub(crate) use lex::quoted_end;
use macros::{Builtin, Definition};

/// Bytes of text that a file may become.
const MAX_BYTES: usize = 256 << 20;

/// Diagnostics that are kept.
const MOST_ERRORS: usize = 1000;

/// Conditionals that are not closed of which each is told.
const MOST_OPEN: usize = 10;

/// Where a structured comment stood in the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    /// Its line in the file, from 1.
    pub(crate) line: u32,
    /// Bytes and lines of output before it.
    pub(crate) offset: usize,
    pub(crate) index: u32,
}

/// A preprocessed file.
#[derive(Debug)]
pub(crate) struct Preprocessed {
    pub(crate) text: Arc<str>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) files: Vec<SourceFile>,
}

/// A place in the text that is read.
#[derive(Clone, Debug)]
struct Position {
    file: u32,
    text: Arc<str>,
    /// The next byte.
    at: usize,
    /// The line of the next byte, from 1.
    next: u32,
    /// The line that is being treated, from 1.
    line: u32,
}

/// One `#if` that is open.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Everything around it is taken.
    reachable: bool,
    /// This branch is.
    taken: bool,
    /// Some branch was.
    decided: bool,
    /// `#else` was seen.
    closed: bool,
    line: u32,
}

/// Names that a word might be a macro by its first byte and length, to pass over other words fast.
#[derive(Debug)]
struct Filter([u64; 256]);

impl Filter {
    fn add(&mut self, name: &str) {
        self.0[usize::from(name.as_bytes()[0])] |= 1 << name.len().min(63);
    }

    fn may_hold(&self, name: &[u8]) -> bool {
        self.0[usize::from(name[0])] & (1 << name.len().min(63)) != 0
    }
}

pub(crate) struct Preprocessor<'r> {
    reader: &'r mut dyn Reader,
    configs: &'r Configs,
    /// Macros that are built in or follow from configs.
    fixed: HashMap<Rc<str>, Rc<Definition>>,
    /// Macros of the file; `None` where it undefined a built-in one.
    own: HashMap<Rc<str>, Option<Rc<Definition>>>,
    filter: Box<Filter>,
    files: Vec<SourceFile>,
    current: Position,
    includes: Vec<Position>,
    groups: Vec<Group>,
    contexts: Vec<Context>,
    out: String,
    out_lines: u32,
    marks: Vec<Mark>,
    switches: Vec<Switch>,
    counter: u64,
    expanded: u64,
    /// Tokens of the arguments that are being read.
    held: usize,
    /// Files that were included so far, and their bytes.
    included: (usize, usize),
    /// A limit was reached, behind which nothing is read.
    stopped: bool,
    diagnostics: Vec<Diagnostic>,
    /// File, line and first byte of the line that was shown last.
    shown: (u32, u32, usize),
}

/// Preprocesses a file. `variants` holds the lines of its `#: variant` comments: macros defined
/// behind one do not reach the next. `symbols` are names that the file's head gives a meaning, so
/// that built-in words of the same name have none.
///
/// # Errors
/// All errors, warnings among them.
pub(crate) fn preprocess(
    name: &str,
    text: &Arc<str>,
    variants: &[u32],
    symbols: &[&str],
    configs: &Configs,
    reader: &mut dyn Reader,
) -> Result<(Preprocessed, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut preprocessor = Preprocessor::new(reader, configs);
    preprocessor.prelude();
    for symbol in symbols {
        preprocessor.fixed.remove(*symbol);
    }
    preprocessor.files.push(SourceFile {
        name: name.into(),
        text: Arc::clone(text),
    });
    preprocessor.out.reserve(text.len() + text.len() / 8);
    preprocessor.current = Position {
        file: 0,
        text: Arc::clone(text),
        at: 0,
        next: 1,
        line: 1,
    };
    preprocessor.file(variants);
    let errors = |known: &Diagnostic| known.severity == Severity::Error;
    if preprocessor.diagnostics.iter().any(errors) {
        return Err(preprocessor.diagnostics);
    }
    let preprocessed = Preprocessed {
        text: preprocessor.out.into(),
        marks: preprocessor.marks,
        switches: preprocessor.switches,
        files: preprocessor.files,
    };
    Ok((preprocessed, preprocessor.diagnostics))
}

impl<'r> Preprocessor<'r> {
    fn new(reader: &'r mut dyn Reader, configs: &'r Configs) -> Self {
        Self {
            reader,
            configs,
            fixed: HashMap::new(),
            own: HashMap::new(),
            filter: Box::new(Filter([0; 256])),
            files: Vec::new(),
            current: Position {
                file: BUILTIN,
                text: Arc::from(crate::prelude::WORDS),
                at: 0,
                next: 1,
                line: 1,
            },
            includes: Vec::new(),
            groups: Vec::new(),
            contexts: Vec::new(),
            out: String::new(),
            out_lines: 0,
            marks: Vec::new(),
            switches: Vec::new(),
            counter: 0,
            expanded: 0,
            held: 0,
            included: (0, 0),
            stopped: false,
            diagnostics: Vec::new(),
            shown: (BUILTIN, 1, 0),
        }
    }

    /// Defines what is defined before the file is read.
    fn prelude(&mut self) {
        let builtins = [
            ("__LINE__", Builtin::Line),
            ("__FILE__", Builtin::File),
            ("__COUNTER__", Builtin::Counter),
            ("IS_ENABLED", Builtin::Enabled),
            ("IS_BUILTIN", Builtin::BuiltIn),
            ("IS_REACHABLE", Builtin::BuiltIn),
            ("IS_MODULE", Builtin::Module),
            ("__has_feature_word", Builtin::HasFeature),
        ];
        for (name, builtin) in builtins {
            self.fix(name, Definition::builtin(builtin));
        }
        let place = (BUILTIN, 0);
        let configs = self.configs;
        for (name, value) in &configs.configs {
            // As the kernel's autoconf.h has it: y is 1, m is 1 under another name.
            let (name, value) = match value.as_str() {
                "y" => (name.clone(), "1"),
                "m" => (format!("{name}_MODULE"), "1"),
                "n" => continue,
                value => (name.clone(), value),
            };
            self.fix(&name, Definition::new(None, value.to_owned(), place));
        }
        self.file(&[]);
        self.fixed.extend(
            std::mem::take(&mut self.own)
                .into_iter()
                .filter_map(|(name, definition)| Some((name, definition?))),
        );
        self.out.clear();
        self.out_lines = 0;
        self.marks.clear();
    }

    fn fix(&mut self, name: &str, definition: Definition) {
        self.filter.add(name);
        self.fixed.insert(Rc::from(name), Rc::new(definition));
    }

    fn lookup(&self, name: &str) -> Option<Rc<Definition>> {
        if !self
            .filter
            .may_hold(name.as_bytes().get(..name.len().max(1))?)
        {
            return None;
        }
        if let Some(own) = self.own.get(name) {
            return own.clone();
        }
        self.fixed.get(name).cloned()
    }

    fn skipping(&self) -> bool {
        self.groups
            .last()
            .is_some_and(|group| !(group.reachable && group.taken))
    }

    /// Reads the current file to its end.
    fn file(&mut self, variants: &[u32]) {
        let text = Arc::clone(&self.current.text);
        let outer = self.groups.len();
        let mut common: Option<HashMap<Rc<str>, Option<Rc<Definition>>>> = None;
        while self.current.at < text.len() && !self.stopped {
            self.current.line = self.current.next;
            if text[self.current.at..].starts_with("#:") {
                self.structured();
                if variants.contains(&self.current.line) {
                    match &common {
                        None => common = Some(self.own.clone()),
                        Some(common) => self.own.clone_from(common),
                    }
                }
                continue;
            }
            let line = self.fetch(&text);
            let trimmed = line.trim_start_matches([' ', '\t']);
            if let Some(directive) = trimmed.strip_prefix('#') {
                self.directive(directive);
            } else if !self.skipping() && !trimmed.is_empty() {
                self.text_line(&line);
            }
            if self.out.len() > MAX_BYTES {
                self.line_error(format!(
                    "the text becomes more than {} MiB",
                    MAX_BYTES >> 20
                ));
                break;
            }
        }
        let open = self.groups.split_off(outer.min(self.groups.len()));
        for group in open.iter().take(MOST_OPEN) {
            self.current.line = group.line;
            self.line_error("this `#if` is not closed by `#endif`".to_owned());
        }
        if open.len() > MOST_OPEN {
            let more = open.len() - MOST_OPEN;
            self.line_error(format!("{more} more `#if`s behind this are not closed"));
        }
    }

    /// Passes a structured comment by: its meaning is taken from the file as it stands.
    fn structured(&mut self) {
        if self.skipping() {
            self.line_error(
                "this structured comment stands where `#if` leaves text out".to_owned(),
            );
        } else if !self.includes.is_empty() {
            self.line_error("structured comments belong in the sequence file itself".to_owned());
        }
        self.switches.push(Switch {
            line: self.current.line,
            offset: self.out.len(),
            index: self.out_lines,
        });
        let rest = &self.current.text[self.current.at..];
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        self.current.at += length;
        self.current.next += 1;
    }

    /// Copies a line of text, expanded where it holds macros.
    fn text_line(&mut self, line: &str) {
        self.sync();
        if self.holds_macro(line) {
            let mut tokens = Vec::new();
            lex::tokens(line, &mut tokens);
            let expanded = self.expand(tokens, true);
            let indented = line.starts_with([' ', '\t']);
            if indented && !expanded.is_empty() {
                self.out.push('\t');
            }
            lex::print(&expanded, &mut self.out);
        } else {
            self.out.push_str(line);
        }
        self.out.push('\n');
        self.out_lines += 1;
    }

    /// Whether a word of `line` may be a macro.
    fn holds_macro(&self, line: &str) -> bool {
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if lex::starts_name(byte) {
                let end = lex::name_end(bytes, at);
                if self.filter.may_hold(&bytes[at..end]) && self.lookup(&line[at..end]).is_some() {
                    return true;
                }
                at = end;
            } else if byte.is_ascii_digit() {
                at = lex::number_end(bytes, at);
            } else {
                at += 1;
            }
        }
        false
    }

    /// Notes where the next line of output comes from, unless that follows from the one before.
    fn sync(&mut self) {
        let (file, line) = (self.current.file, self.current.line);
        let follows = self.marks.last().is_some_and(|mark| {
            mark.file == file && mark.line + (self.out_lines - mark.index) == line
        });
        if !follows {
            self.marks.push(Mark {
                index: self.out_lines,
                file,
                line,
            });
        }
    }

    /// The tokens of the next line of text, for a call that goes on there. Directives end it.
    fn next_line(&mut self) -> Option<Vec<Token>> {
        let text = Arc::clone(&self.current.text);
        while self.current.at < text.len() {
            let rest = text[self.current.at..].trim_start_matches([' ', '\t']);
            if rest.starts_with('#') {
                return None;
            }
            // The call keeps the line it began on.
            let line = self.fetch(&text);
            let mut tokens = Vec::new();
            lex::tokens(&line, &mut tokens);
            if !tokens.is_empty() {
                return Some(tokens);
            }
        }
        None
    }

    /// The same, if its first token is `(`.
    fn next_line_if_paren(&mut self) -> Option<Vec<Token>> {
        let rest = self.current.text[self.current.at.min(self.current.text.len())..].trim_start();
        if rest.starts_with('(') {
            return self.next_line();
        }
        None
    }

    fn file_name(&self) -> &str {
        self.files
            .get(self.current.file as usize)
            .map_or("<built in>", |file| &file.name)
    }

    /// An error about the whole current line.
    fn line_error(&mut self, message: String) {
        self.diagnose(Severity::Error, None, message, String::new());
    }

    /// A diagnostic about the current line, or bytes of it.
    fn diagnose(
        &mut self,
        severity: Severity,
        at: Option<(usize, usize)>,
        message: String,
        help: String,
    ) {
        // What comes behind so many errors says nothing new.
        if self.diagnostics.len() >= MOST_ERRORS {
            return;
        }
        let line = self.current.line;
        // Errors come in order of lines mostly, so that the place of the one before is near.
        let (file, from, begin) = self.shown;
        let (from, begin) = if file == self.current.file && from <= line {
            (from, begin)
        } else {
            (1, 0)
        };
        let rest = self.current.text.get(begin..).unwrap_or("");
        let mut before = rest.split_inclusive('\n');
        let skipped: usize = (from..line)
            .filter_map(|_| before.next())
            .map(str::len)
            .sum();
        self.shown = (self.current.file, line, begin + skipped);
        let text = rest
            .get(skipped..)
            .unwrap_or("")
            .lines()
            .next()
            .unwrap_or("");
        let indent = text.len() - text.trim_start().len();
        let (start, width) = at.unwrap_or((indent, text.trim().len()));
        let chars = |end: usize| text.char_indices().filter(|(at, _)| *at < end).count();
        let column = chars(start) + 1;
        let mut diagnostic = Diagnostic {
            file: self.file_name().to_owned(),
            line,
            column: saturate(column),
            width: saturate((chars(start + width) + 1).saturating_sub(column).max(1)),
            severity,
            message,
            help,
            text: text.to_owned(),
            notes: self
                .includes
                .iter()
                .rev()
                .map(|includer| Note {
                    file: self.files[includer.file as usize].name.to_string(),
                    line: includer.line,
                    message: "included from here".to_owned(),
                })
                .collect(),
        };
        crate::diagnostic::shorten(&mut diagnostic.notes);
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}
