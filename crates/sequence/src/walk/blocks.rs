//! Directives that steer the walk: definitions, repeats, includes, messages.

use std::sync::Arc;

use super::conditions::Condition;
use super::macros::{Formal, Macro, argument, heading, scrub, substitute};
use super::{At, Flow, Head, MAX_BYTES, MAX_STATEMENTS, Walker, WithHelp, lower};
use crate::frames::Via;
use crate::lines::{Cursor, Mark, Raw, place};
use crate::scanner::{Scanner, is_name, problem, saturate};
use crate::{Problem, Severity, StatementKind, Syntax};

/// The text between two directives and the places of its lines.
struct Body<'t> {
    text: &'t str,
    marks: Vec<Mark>,
}

impl Walker<'_> {
    /// Takes a directive that steers the walk; `None` if `name` is not one.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one text's walk, which must not be kept in the walker"
    )]
    pub(super) fn steering(
        &mut self,
        name: &str,
        scanner: &mut Scanner<'_>,
        at: &At<'_>,
        raw: &Raw<'_>,
        cursor: &mut Cursor<'_>,
        conditions: &mut Vec<Condition>,
        marks: &[Mark],
    ) -> Option<Flow> {
        let text = scanner.text;
        let operands = scanner.at;
        match name {
            ".macro" => {
                let body = self.body(name, at, raw, cursor, marks);
                match (heading(text, operands), body) {
                    (Ok((name, formals)), Some(body)) => self.define(name, formals, &body, at),
                    (Err(problem), _) => self.lose(problem, at, 0),
                    (Ok(_), None) => {}
                }
            }
            ".rept" | ".rep" => {
                let body = self.body(name, at, raw, cursor, marks);
                let count = self.number(scanner, "a number of repeats");
                match count.and_then(|count| scanner.finish().map(|()| count)) {
                    Ok(count) => {
                        if let Some(body) = body {
                            return Some(self.repeat(count, &body, at));
                        }
                    }
                    Err(problem) => self.lose(problem, at, 0),
                }
            }
            ".irp" | ".irpc" => {
                let body = self.body(name, at, raw, cursor, marks);
                if let Some(body) = body {
                    return Some(self.iterate(name, text, operands, &body, at));
                }
            }
            ".endm" | ".endr" => {
                let opener = if name == ".endm" { ".macro" } else { ".rept" };
                let mut warning =
                    problem(0, name.len(), format!("this `{name}` has no `{opener}`"));
                warning.severity = Severity::Warning;
                self.report(warning, at, 0);
            }
            ".exitm" => {
                if self.depth <= 1 {
                    let error = problem(0, name.len(), "`.exitm` stands outside of a macro");
                    self.lose(error, at, 0);
                } else {
                    // What the expansion opened, it need not close.
                    conditions.clear();
                    return Some(Flow::Exit);
                }
            }
            ".altmacro" => self.altmacro = true,
            ".noaltmacro" => self.altmacro = false,
            ".purgem" => self.purge(scanner, at),
            ".include" => return Some(self.include(scanner, at)),
            ".end" => return Some(Flow::Stop),
            ".error" | ".warning" | ".err" => self.message(name, scanner, at),
            ".print" => {}
            ".intel_syntax" | ".att_syntax" => self.set_syntax(name, scanner, at),
            _ => return self.conditional(name, text, operands, at, conditions),
        }
        Some(Flow::Next)
    }

    /// Takes the text up to the directive that closes `name`.
    fn body<'t>(
        &mut self,
        name: &str,
        at: &At<'_>,
        raw: &Raw<'_>,
        cursor: &mut Cursor<'t>,
        marks: &[Mark],
    ) -> Option<Body<'t>> {
        let macros = name == ".macro";
        let closer = if macros { ".endm" } else { ".endr" };
        let (begin, index) = (cursor.at, cursor.index);
        let mut nested = 0;
        while let Ok(Some(next)) = cursor.next() {
            let text: &str = &next.text;
            if !text.starts_with('.') {
                continue;
            }
            let length = text.bytes().take_while(|&byte| is_name(byte)).count();
            let word = lower(&text[..length]);
            let opens = if macros {
                &*word == ".macro"
            } else {
                matches!(&*word, ".rept" | ".rep" | ".irp" | ".irpc")
            };
            if opens {
                nested += 1;
            } else if &*word == closer || (macros && &*word == ".endmacro") {
                if nested == 0 {
                    return Some(Body {
                        text: &cursor.text[begin..next.start],
                        marks: rebased(marks, index, next.index),
                    });
                }
                nested -= 1;
            }
        }
        let width = raw.text.len();
        let error = problem(0, width, format!("this `{name}` is not closed"))
            .with_help(&format!("write `{closer}` behind its last line"));
        self.lose(error, at, 0);
        None
    }

    fn define(&mut self, name: String, formals: Vec<Formal>, body: &Body<'_>, at: &At<'_>) {
        // Names of macros have no case in GNU as.
        let key = name.to_ascii_lowercase();
        if self.macros.contains_key(&key) {
            let error = problem(0, at.text.len(), format!("a second macro `{name}`"))
                .with_help("take the first away with `.purgem`, or choose another name");
            self.lose(Problem { at: None, ..error }, at, 0);
            return;
        }
        self.purged.remove(&key);
        let defined = Macro {
            name,
            formals,
            body: Arc::from(body.text),
            marks: Arc::from(body.marks.as_slice()),
        };
        self.macros.insert(key, Arc::new(defined));
    }

    fn purge(&mut self, scanner: &mut Scanner<'_>, at: &At<'_>) {
        scanner.skip_space();
        let start = scanner.at;
        let name = scanner.word();
        let key = name.to_ascii_lowercase();
        if self.find_macro(&key).is_some() {
            self.macros.remove(&key);
            self.purged.insert(key);
        } else {
            let message = format!("there is no macro `{name}` to purge");
            let mut warning = problem(start, name.len(), message);
            warning.severity = Severity::Warning;
            self.report(warning, at, 0);
        }
    }

    fn repeat(&mut self, count: i64, body: &Body<'_>, at: &At<'_>) -> Flow {
        if count < 0 {
            let error = problem(0, 5, format!("a repeat of {count} times is impossible"));
            self.lose(error, at, 0);
            return Flow::Next;
        }
        let via = self.via("in this repeat", at);
        for _ in 0..count {
            match self.round(body.text, &body.marks, via, at) {
                Flow::Next => {}
                Flow::Exit => break,
                Flow::Stop => return Flow::Stop,
            }
        }
        Flow::Next
    }

    /// One round of a repeat; an empty one counts too, so that no count runs forever.
    fn round(&mut self, text: &str, marks: &[Mark], via: Via, at: &At<'_>) -> Flow {
        self.statements += 1;
        if self.statements > MAX_STATEMENTS {
            return self.too_large(at);
        }
        self.run(text, marks, Some(via))
    }

    fn iterate(
        &mut self,
        name: &str,
        text: &str,
        operands: usize,
        body: &Body<'_>,
        at: &At<'_>,
    ) -> Flow {
        let mut scanner = Scanner::new(text, operands);
        let Some(symbol) = scanner.name() else {
            let error = scanner.expected(scanner.at, "the name that stands for each value");
            self.lose(error, at, 0);
            return Flow::Next;
        };
        let formals = [Formal {
            name: symbol.to_owned(),
            default: String::new(),
            required: false,
            vararg: false,
        }];
        scanner.eat(b',');
        let scrubbed = scrub(scanner.rest());
        let mut rest = scrubbed.trim();
        let mut values = Vec::new();
        if name == ".irpc" {
            let (word, _) = argument(rest, false);
            let chars = if rest.starts_with('"') {
                word.as_str()
            } else {
                rest
            };
            values.extend(chars.chars().filter(|char| *char != ' ').map(String::from));
        } else {
            while !rest.is_empty() {
                let (value, left) = argument(rest, self.altmacro);
                values.push(value);
                let left = left.trim_start();
                rest = left.strip_prefix(',').unwrap_or(left).trim_start();
            }
        }
        if values.is_empty() {
            values.push(String::new());
        }
        let via = self.via(&format!("in this `{name}`"), at);
        for value in values {
            let text = substitute(body.text, &formals, std::slice::from_ref(&value), None);
            match self.round(&text, &body.marks, via, at) {
                Flow::Next => {}
                Flow::Exit => break,
                Flow::Stop => return Flow::Stop,
            }
        }
        Flow::Next
    }

    pub(super) fn via(&mut self, name: &str, at: &At<'_>) -> Via {
        Via {
            frame: at.frame,
            line: at.line,
            name: self.frames.name(name),
        }
    }

    fn include(&mut self, scanner: &mut Scanner<'_>, at: &At<'_>) -> Flow {
        scanner.skip_space();
        let start = scanner.at;
        let mut bytes = Vec::new();
        let read = crate::strings::string(scanner, &mut bytes).and_then(|()| scanner.finish());
        if let Err(problem) = read {
            self.lose(problem, at, 0);
            return Flow::Next;
        }
        let name = String::from_utf8_lossy(&bytes).into_owned();
        let (file, _) = self.frames.outermost(at.frame, at.line);
        let from = self.frames.file_name(file).to_owned();
        match self.reader.read(&name, &from) {
            Ok(found) => {
                if let Some(offset) = found.text.find('\0') {
                    let line = found.text[..offset].matches('\n').count() + 1;
                    let error = problem(
                        start,
                        name.len() + 2,
                        format!("`{}` holds a NUL byte in line {line}", found.name),
                    );
                    self.lose(error, at, 0);
                    return Flow::Next;
                }
                let text: Arc<str> = found.text.into();
                let file = self.frames.add_file(&found.name, Arc::clone(&text));
                let via = self.via("included from here", at);
                let marks = [Mark {
                    index: 0,
                    file,
                    line: 1,
                }];
                self.run(&text, &marks, Some(via))
            }
            Err(why) => {
                let error = problem(
                    start,
                    name.len() + 2,
                    format!("cannot include `{name}`: {why}"),
                );
                self.lose(error, at, 0);
                Flow::Next
            }
        }
    }

    /// `.incbin "FILE"[, SKIP[, COUNT]]`: the bytes of a file, or some of them.
    pub(super) fn include_bytes(&mut self, text: &str, head: &Head<'_>, at: &At<'_>) {
        match self.bytes_of_file(text, head.word.len(), at) {
            Ok(bytes) => {
                self.bytes += bytes.len() as u64;
                self.emit(StatementKind::Bytes(bytes), text, at, head.start);
            }
            Err(problem) => self.report(problem, at, head.start),
        }
    }

    fn bytes_of_file(
        &mut self,
        text: &str,
        operands: usize,
        at: &At<'_>,
    ) -> Result<Vec<u8>, Problem> {
        let mut scanner = Scanner::new(text, operands);
        scanner.skip_space();
        let start = scanner.at;
        let mut name = Vec::new();
        crate::strings::string(&mut scanner, &mut name)?;
        let width = scanner.at - start;
        let mut bounds = [None, None];
        for bound in &mut bounds {
            if !scanner.eat(b',') {
                break;
            }
            scanner.skip_space();
            // The first may be left out.
            if scanner.peek() != b',' {
                *bound = Some(self.number(&mut scanner, "a number of bytes")?);
            }
        }
        scanner.finish()?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let (file, _) = self.frames.outermost(at.frame, at.line);
        let from = self.frames.file_name(file).to_owned();
        let whole = self.reader.read_bytes(&name, &from).map_err(|why| {
            problem(
                start,
                width,
                format!("cannot include the bytes of `{name}`: {why}"),
            )
        })?;
        let skip = usize::try_from(bounds[0].unwrap_or(0)).ok();
        let rest = skip.and_then(|skip| whole.get(skip..));
        // GNU as takes a count of 0 for all there is.
        let count = match bounds[1] {
            None | Some(0) => rest.map(<[u8]>::len),
            Some(count) => usize::try_from(count).ok(),
        };
        let taken = rest.zip(count).and_then(|(rest, count)| rest.get(..count));
        if whole.len() as u64 > MAX_BYTES {
            let message = format!("`{name}` has more than {} MiB", MAX_BYTES >> 20);
            return Err(problem(start, width, message));
        }
        taken.map(<[u8]>::to_vec).ok_or_else(|| {
            let message = format!(
                "`{name}` has {} bytes, fewer than are asked for",
                whole.len()
            );
            problem(start, text.len() - start, message).with_help("lower the two numbers")
        })
    }

    fn message(&mut self, name: &str, scanner: &mut Scanner<'_>, at: &At<'_>) {
        let mut bytes = Vec::new();
        if name != ".err"
            && !scanner.at_end()
            && let Err(problem) = crate::strings::string(scanner, &mut bytes)
        {
            self.report(problem, at, 0);
            return;
        }
        let said = String::from_utf8_lossy(&bytes).into_owned();
        let mut error = problem(
            0,
            scanner.text.len(),
            if said.is_empty() {
                format!("`{name}` is reached")
            } else {
                said
            },
        );
        if name == ".warning" {
            error.severity = Severity::Warning;
        }
        self.report(error, at, 0);
    }

    fn set_syntax(&mut self, name: &str, scanner: &mut Scanner<'_>, at: &At<'_>) {
        let start = {
            scanner.skip_space();
            scanner.at
        };
        let mode = scanner.rest().trim();
        let supported = match (name, mode) {
            (".intel_syntax", "noprefix") => Some((Syntax::Intel, false)),
            (".intel_syntax", "" | "prefix") => Some((Syntax::Intel, true)),
            (".att_syntax", "" | "prefix") => Some((Syntax::Att, true)),
            _ => None,
        };
        match supported {
            Some((syntax, marked)) => {
                self.syntax = syntax;
                self.marked = marked;
                // The exported source needs the switch as well.
                self.emit(StatementKind::Ignored, scanner.text.trim(), at, 0);
            }
            None => {
                let error = problem(
                    start.saturating_sub(usize::from(mode.is_empty())),
                    mode.len(),
                    format!("`{name} {mode}` is not supported yet")
                        .trim_end()
                        .to_owned(),
                )
                .with_help(
                    "`.intel_syntax` with `noprefix` or `prefix` and `.att_syntax prefix` are",
                );
                self.lose(error, at, 0);
            }
        }
    }
}

/// Places of the lines from `first` to `last` of a text, counted from `first`.
fn rebased(marks: &[Mark], first: u32, last: u32) -> Vec<Mark> {
    let (file, line) = place(marks, first);
    let mut own = vec![Mark {
        index: 0,
        file,
        line,
    }];
    own.extend(
        marks
            .iter()
            .filter(|mark| mark.index > first && mark.index <= last)
            .map(|mark| Mark {
                index: mark.index - first,
                ..*mark
            }),
    );
    own
}

/// Longest text shown in a message.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if saturate(text.len()) as usize <= MOST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MOST).collect();
    short.push_str("...");
    short
}
