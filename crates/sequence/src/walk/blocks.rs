//! Directives that steer the walk: definitions, repeats, includes, messages.

use std::cell::OnceCell;
use std::sync::Arc;

use super::arguments::{skip_blanks, skip_comma, token};
use super::macros::{Formal, Macro, heading};
use super::scrub::scrub;
use super::substitute::Substitution;
use super::{At, Flow, Head, MAX_BYTES, Walker, WithHelp, lower};
use crate::directive::is_directive;
use crate::frames::Via;
use crate::lines::{Cursor, Mark, Raw, place};
use crate::scanner::{Scanner, is_name, problem, saturate, starts_name};
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
        head: &Head<'_>,
        scanner: &mut Scanner<'_>,
        at: &At<'_>,
        raw: &Raw<'_>,
        cursor: &mut Cursor<'_>,
        marks: &[Mark],
    ) -> Option<Flow> {
        let text = scanner.text;
        let operands = scanner.at;
        match name {
            ".macro" => {
                let body = self.body(name, at, raw, cursor, marks);
                if head.start > 0 {
                    // GNU as takes the label for the macro's name, and the name for an argument.
                    let error = problem(0, head.start, "a label before `.macro` would be its name")
                        .with_help("write it on a line of its own, or behind `.macro`");
                    self.lose(error, at, 0);
                    return Some(Flow::Next);
                }
                if let Some(error) = super::invoke::unclosed(text) {
                    self.lose(error, at, 0);
                    return Some(Flow::Next);
                }
                let scrubbed = super::scrubbed(raw, head.start);
                let line = scrubbed.get(head.word.len()..).unwrap_or("");
                match (self.reading(|reading| heading(line, reading)), body) {
                    (Ok((name, formals)), Some(body)) => self.define(name, formals, &body, at),
                    (Err(problem), _) => self.lose(problem, at, 0),
                    (Ok(_), None) => {}
                }
            }
            ".rept" | ".rep" => {
                let body = self.body(name, at, raw, cursor, marks);
                let count = if scanner.at_end() {
                    Ok(0)
                } else {
                    self.number(scanner, "a number of repeats")
                };
                match count.and_then(|count| scanner.finish().map(|()| count)) {
                    Ok(count) => {
                        if let Some(body) = body {
                            return Some(self.repeat(count, &body, at));
                        }
                    }
                    Err(problem) => self.lose(problem, at, 0),
                }
            }
            ".irp" | ".irep" | ".irpc" | ".irepc" => {
                let body = self.body(name, at, raw, cursor, marks);
                if let Some(body) = body {
                    let scrubbed = super::scrubbed(raw, head.start);
                    return Some(self.iterate(name, &scrubbed, head.word.len(), &body, at));
                }
            }
            ".endm" | ".endr" => {
                let opener = if name == ".endm" { ".macro" } else { ".rept" };
                self.doubt(format!("this `{name}` has no `{opener}`"), at, head.start);
            }
            ".exitm" | ".mexit" => {
                if self.depth <= 1 {
                    let message = "`.exitm` stands outside of a macro: it ends nothing";
                    self.doubt(message.to_owned(), at, head.start);
                } else {
                    return Some(Flow::Exit);
                }
            }
            ".altmacro" => self.altmacro = true,
            ".noaltmacro" => self.altmacro = false,
            ".purgem" => self.purge(scanner, at, head.start),
            ".include" => return Some(self.include(scanner, at)),
            ".end" => return Some(Flow::Stop),
            ".error" | ".warning" | ".err" => self.message(name, scanner, at),
            ".print" => {
                let mut bytes = Vec::new();
                let said = crate::strings::string(scanner, &mut bytes);
                if let Err(problem) = said.and_then(|()| scanner.finish()) {
                    self.report(problem, at, 0);
                }
            }
            ".intel_syntax" | ".att_syntax" => self.set_syntax(name, scanner, at),
            _ => return self.conditional(name, text, operands, at),
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
            let labels = labels_of(&next.text);
            let text = &next.text[labels..];
            if !text.starts_with('.') {
                continue;
            }
            let length = text.bytes().take_while(|&byte| is_name(byte)).count();
            let word = lower(&text[..length]);
            let opens = if macros {
                &*word == ".macro"
            } else {
                matches!(
                    &*word,
                    ".rept" | ".rep" | ".irp" | ".irpc" | ".irep" | ".irepc"
                )
            };
            if opens {
                nested += 1;
            } else if &*word == closer {
                if nested == 0 {
                    return Some(Body {
                        text: &cursor.text[begin..next.start + labels],
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
        if is_directive(&key) {
            self.doubt(
                format!("`{name}` stays the directive: this macro is never used"),
                at,
                0,
            );
        }
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
            body: Arc::from(scrub(body.text)),
            marks: Arc::from(body.marks.as_slice()),
        };
        self.macros.insert(key, Arc::new(defined));
    }

    /// Says that something is odd, and taken all the same.
    fn doubt(&mut self, message: String, at: &At<'_>, offset: usize) {
        let warning = Problem {
            severity: Severity::Warning,
            at: None,
            ..problem(0, 1, message)
        };
        self.report(warning, at, offset);
    }

    fn purge(&mut self, scanner: &mut Scanner<'_>, at: &At<'_>, offset: usize) {
        scanner.skip_space();
        let name = scanner.word();
        let key = name.to_ascii_lowercase();
        if self.find_macro(&key).is_some() {
            self.macros.remove(&key);
            self.purged.insert(key);
        } else {
            self.doubt(format!("there is no macro `{name}` to purge"), at, offset);
        }
    }

    fn repeat(&mut self, count: i64, body: &Body<'_>, at: &At<'_>) -> Flow {
        if count < 0 {
            let error = problem(0, 5, format!("a repeat of {count} times is impossible"));
            self.lose(error, at, 0);
            return Flow::Next;
        }
        let via = self.via("in this repeat", at);
        let base = self.conditions.len();
        for _ in 0..count {
            match self.round(body.text, &body.marks, via, at) {
                Flow::Next => {}
                Flow::Exit => {
                    self.conditions.truncate(base);
                    break;
                }
                Flow::Stop => return Flow::Stop,
            }
        }
        self.close_conditions(base, body.text);
        Flow::Next
    }

    /// One round of a repeat; an empty one counts too, so that no count runs forever.
    fn round(&mut self, text: &str, marks: &[Mark], via: Via, at: &At<'_>) -> Flow {
        self.statements += 1;
        if self.is_too_large() {
            return self.too_large(at);
        }
        self.run_deeper(text, marks, Some(via), true)
    }

    fn iterate(
        &mut self,
        name: &str,
        text: &str,
        operands: usize,
        body: &Body<'_>,
        at: &At<'_>,
    ) -> Flow {
        if let Some(error) = super::invoke::unclosed(text) {
            self.lose(error, at, 0);
            return Flow::Next;
        }
        let operands = skip_blanks(text.get(operands..).unwrap_or(""));
        let (symbol, left) = token(operands, self.altmacro);
        if symbol.is_empty() {
            let error = problem(
                0,
                name.len(),
                "the name that stands for each value is missing",
            )
            .with_help(&format!("`{name} NAME, VALUES`"));
            self.lose(error, at, 0);
            return Flow::Next;
        }
        let pattern = scrub(body.text);
        let via = self.via(&format!("in this `{name}`"), at);
        let mut rest = skip_comma(left);
        // No values are one that is empty.
        let mut first = rest.is_empty();
        let mut quoted = false;
        if name.ends_with('c') && rest.starts_with('"') {
            quoted = true;
            rest = &rest[1..];
        }
        let base = self.conditions.len();
        while first || !rest.is_empty() {
            let value = if std::mem::take(&mut first) {
                String::new()
            } else if name.ends_with('c') {
                if let Some(behind) = rest.strip_prefix('"') {
                    quoted = !quoted;
                    if skip_blanks(behind).is_empty() {
                        break;
                    }
                }
                let length = rest.chars().next().map_or(0, char::len_utf8);
                let value = rest[..length].to_owned();
                rest = &rest[length..];
                if !quoted {
                    rest = skip_blanks(rest);
                }
                value
            } else {
                let read = self.reading(|reading| reading.argument(rest));
                match read {
                    Ok((value, left)) => {
                        rest = skip_comma(left);
                        value
                    }
                    Err(problem) => {
                        self.lose(problem, at, 0);
                        return Flow::Next;
                    }
                }
            };
            let substitution = Substitution {
                names: vec![(symbol, &value)],
                executed: self.executed,
                index: OnceCell::new(),
                alternate: self.altmacro,
                is_macro: false,
            };
            let text = match substitution.apply(&pattern, &mut self.locals) {
                Ok(text) => scrub(&text),
                Err(failure) => {
                    self.lose(problem(0, name.len(), failure.to_string()), at, 0);
                    return self.behind(&failure, &pattern);
                }
            };
            match self.round(&text, &body.marks, via, at) {
                Flow::Next => {}
                Flow::Exit => {
                    self.conditions.truncate(base);
                    break;
                }
                Flow::Stop => return Flow::Stop,
            }
        }
        self.close_conditions(base, &pattern);
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
            (".intel_syntax", "noprefix") => Some((Syntax::Intel, false, false)),
            (".intel_syntax", "" | "prefix") => Some((Syntax::Intel, true, false)),
            (".att_syntax", "" | "prefix") => Some((Syntax::Att, true, false)),
            (".att_syntax", "noprefix") => Some((Syntax::Att, false, true)),
            _ => None,
        };
        match supported {
            Some((syntax, marked, bare)) => {
                self.syntax = syntax;
                self.marked = marked;
                self.bare = bare;
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
                .with_help("both take `prefix` or `noprefix`");
                self.lose(error, at, 0);
            }
        }
    }
}

/// The bytes of the labels and blanks that stand before a statement's own word.
pub(super) fn labels_of(text: &str) -> usize {
    let mut scanner = Scanner::new(text, 0);
    loop {
        let at = scanner.at;
        if !starts_name(scanner.peek()) {
            return at;
        }
        scanner.word();
        if !scanner.eat(b':') {
            return at;
        }
        scanner.skip_space();
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
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if saturate(text.len()) as usize <= MOST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MOST).collect();
    short.push_str("...");
    short
}
