//! Directives of the preprocessor.

use std::rc::Rc;
use std::sync::Arc;

use super::lex::{Token, name_end};
use super::macros::{Definition, define};
use super::{Group, Position, Preprocessor};
use crate::Severity;
use crate::frames::SourceFile;
use crate::lines::{BUILTIN, too_long, too_long_message};
use crate::scanner::saturate;

/// Files in files.
const MAX_INCLUDES: usize = 100;

/// Files that may be included in all, and their bytes.
const MOST_FILES: usize = 10_000;
const MOST_INCLUDED: usize = 64 << 20;

/// Headers whose words are built in, as far as sequences use them.
const BUILTIN_HEADERS: [&str; 32] = [
    "asm/alternative.h",
    "asm/asm-offsets.h",
    "asm/asm.h",
    "asm/assembler.h",
    "asm/bug.h",
    "asm/calling.h",
    "asm/cpufeature.h",
    "asm/cpufeatures.h",
    "asm/errno.h",
    "asm/export.h",
    "asm/fpu/api.h",
    "asm/frame.h",
    "asm/irqflags.h",
    "asm/linkage.h",
    "asm/msr-index.h",
    "asm/nops.h",
    "asm/nospec-branch.h",
    "asm/page_types.h",
    "asm/percpu.h",
    "asm/processor-flags.h",
    "asm/ptrace-abi.h",
    "asm/ptrace-offsets.h",
    "asm/segment.h",
    "asm/thread_info.h",
    "asm/unwind_hints.h",
    "calling.h",
    "linux/annotate.h",
    "linux/cfi_types.h",
    "linux/export.h",
    "linux/linkage.h",
    "linux/objtool.h",
    "linux/stringify.h",
];

/// The directives by name.
pub(crate) const DIRECTIVES: [&str; 14] = [
    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "error",
    "warning", "line", "pragma", "ident",
];

impl Preprocessor<'_> {
    /// Takes a line that starts with `#`; `text` is what follows it.
    pub(super) fn directive(&mut self, text: &str) {
        let text = text.trim_start_matches([' ', '\t']);
        let end = name_end(text.as_bytes(), 0);
        let (name, rest) = text.split_at(end);
        if self.conditional(name, rest) || self.skipping() {
            return;
        }
        match name {
            "define" => self.define(rest),
            "undef" => self.undefine(rest),
            "include" => self.include(rest),
            "error" | "warning" => {
                let severity = if name == "error" {
                    Severity::Error
                } else {
                    Severity::Warning
                };
                let said = rest.trim();
                let message = if said.is_empty() {
                    format!("`#{name}` is reached")
                } else {
                    format!("#{name} {said}")
                };
                self.diagnose(severity, None, message, String::new());
            }
            // Without their text, other bytes would come of it.
            "include_next" | "import" => {
                self.line_error(format!("`#{name}` is not supported: use `#include`"));
            }
            // `#line`, `#pragma` and whatever is no directive: comments of the assembler.
            _ => {}
        }
    }

    /// Takes `name` if it is one of `#if` to `#endif`.
    fn conditional(&mut self, name: &str, rest: &str) -> bool {
        match name {
            "if" | "ifdef" | "ifndef" => {
                let reachable = !self.skipping();
                let taken = reachable && self.test(name, rest);
                self.groups.push(Group {
                    reachable,
                    taken,
                    decided: taken,
                    closed: false,
                    line: self.current.line,
                });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let Some(group) = self.groups.last().copied() else {
                    self.line_error(format!("this `#{name}` has no `#if`"));
                    return true;
                };
                if group.closed {
                    self.line_error(format!("`#{name}` behind `#else`"));
                    return true;
                }
                let open = group.reachable && !group.decided;
                let taken =
                    open && (name == "else" || self.test(name.trim_start_matches("el"), rest));
                if let Some(group) = self.groups.last_mut() {
                    group.taken = taken;
                    group.decided |= taken;
                    group.closed = name == "else";
                }
            }
            "endif" => {
                if self.groups.pop().is_none() {
                    self.line_error("this `#endif` has no `#if`".to_owned());
                }
            }
            _ => return false,
        }
        true
    }

    fn test(&mut self, name: &str, rest: &str) -> bool {
        if name == "if" {
            return match self.decide(rest) {
                Ok(result) => result,
                Err(message) => {
                    self.line_error(message);
                    false
                }
            };
        }
        let word = rest.trim();
        let end = name_end(word.as_bytes(), 0);
        if end == 0 || word.as_bytes()[0].is_ascii_digit() {
            self.line_error(format!("`#{name}` needs a name"));
            return false;
        }
        self.lookup(&word[..end]).is_some() == (name == "ifdef")
    }

    /// Bytes of the current line that hold `part`, if it stands there unchanged.
    fn find(&self, part: &str) -> Option<(usize, usize)> {
        let line = self
            .current
            .text
            .lines()
            .nth(self.current.line as usize - 1)?;
        let at = line.find(part).filter(|_| !part.is_empty())?;
        Some((at, part.len()))
    }

    fn define(&mut self, rest: &str) {
        let place = (self.current.file, self.current.line);
        match define(rest, place) {
            Ok((name, definition)) => self.insert(name, definition),
            Err((offset, message)) => {
                let part = rest[offset..]
                    .split([' ', '\t', ',', ')'])
                    .next()
                    .unwrap_or("");
                let at = self.find(part);
                self.diagnose(Severity::Error, at, message, String::new());
            }
        }
    }

    fn insert(&mut self, name: &str, definition: Definition) {
        if let Err(message) = Self::checked(&definition) {
            self.line_error(message);
            return;
        }
        let known = self.own.get(name).and_then(Option::as_ref);
        if let Some(known) = known
            && !known.same(&definition)
        {
            // GCC warns too, and takes the new one.
            let help = match known.place {
                (BUILTIN, _) => String::new(),
                (_, line) => format!("line {line} defines it otherwise; `#undef` it in between"),
            };
            let at = self.find(name);
            self.diagnose(
                Severity::Warning,
                at,
                format!("`{name}` is defined anew"),
                help,
            );
        }
        self.filter.add(name);
        self.own.insert(Rc::from(name), Some(Rc::new(definition)));
    }

    /// Parses the bodies of the file's own macros at once, so that an error is given where it is.
    fn checked(definition: &Definition) -> Result<(), String> {
        if definition.place.0 == BUILTIN || !definition.text.contains("##") {
            return Ok(());
        }
        definition
            .pieces()
            .as_ref()
            .map(|_| ())
            .map_err(Clone::clone)
    }

    fn undefine(&mut self, rest: &str) {
        let word = rest.trim();
        let end = name_end(word.as_bytes(), 0);
        if end == 0 {
            self.line_error("`#undef` needs a name".to_owned());
            return;
        }
        let name = &word[..end];
        if self.fixed.contains_key(name) {
            self.own.insert(Rc::from(name), None);
        } else {
            self.own.remove(name);
        }
    }

    fn include(&mut self, rest: &str) {
        let mut name = rest.trim().to_owned();
        if !name.starts_with(['"', '<']) {
            let mut tokens: Vec<Token> = Vec::new();
            super::lex::tokens(&name, &mut tokens);
            let expanded = self.expand(tokens, false);
            name.clear();
            super::lex::print(&expanded, &mut name);
        }
        let close = match name.as_bytes().first() {
            Some(b'"') => '"',
            Some(b'<') => '>',
            _ => {
                self.line_error("`#include` needs \"a name\" or <a name>".to_owned());
                return;
            }
        };
        let Some(length) = name[1..].find(close) else {
            self.line_error(format!("the name is not closed by `{close}`"));
            return;
        };
        let name = name[1..=length].trim().to_owned();
        if self.includes.len() >= MAX_INCLUDES {
            self.line_error(format!("files are included more than {MAX_INCLUDES} deep"));
            // A file that includes itself twice would go on for ever.
            self.stopped = true;
            return;
        }
        let from = self.file_name().to_owned();
        match self.reader.read(&name, &from) {
            Ok(found) => {
                if found.text.contains('\0') {
                    self.line_error(format!("`{}` holds a NUL byte", found.name));
                    return;
                }
                if let Some(index) = too_long(&found.text) {
                    let (message, _) = too_long_message();
                    let line = index + 1;
                    self.line_error(format!("`{}` has {message} ({line})", found.name));
                    return;
                }
                let (files, bytes) = &mut self.included;
                *files += 1;
                *bytes += found.text.len();
                if *files > MOST_FILES || *bytes > MOST_INCLUDED {
                    self.line_error(format!(
                        "more than {MOST_FILES} files, or {} MiB of them, are included",
                        MOST_INCLUDED >> 20
                    ));
                    self.stopped = true;
                    return;
                }
                let text: Arc<str> = found.text.into();
                self.files.push(SourceFile {
                    name: found.name.into(),
                    text: Arc::clone(&text),
                });
                let inner = Position {
                    file: saturate(self.files.len() - 1),
                    text,
                    at: 0,
                    next: 1,
                    line: 1,
                };
                let outer = std::mem::replace(&mut self.current, inner);
                self.includes.push(outer);
                // Lines of `#: variant` are the sequence file's; an included one has none.
                self.file(&[]);
                if let Some(outer) = self.includes.pop() {
                    self.current = outer;
                }
            }
            Err(_) if BUILTIN_HEADERS.contains(&name.as_str()) => {}
            Err(why) => {
                let at = self.find(&name);
                self.diagnose(
                    Severity::Error,
                    at,
                    format!("cannot include `{name}`: {why}"),
                    "the kernel's words are built in and need no include; other files are looked \
                     for under `-I`"
                        .to_owned(),
                );
            }
        }
    }
}

/// Whether a line of a `.s` file would be a directive if there were a preprocessor.
pub(crate) fn looks_like_directive(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix('#')?.trim_start();
    let end = name_end(text.as_bytes(), 0);
    let (name, rest) = text.split_at(end);
    let known = DIRECTIVES[..11].contains(&name);
    // `# if the counter is zero` is a comment; a directive's operands look otherwise.
    let plausible = match name {
        "else" | "endif" => rest.trim().is_empty() || rest.trim_start().starts_with(['/', '#']),
        "ifdef" | "ifndef" | "undef" => rest.split_whitespace().count() == 1,
        "include" => rest.trim_start().starts_with(['"', '<']),
        "define" => line.starts_with('#') && !rest.trim().is_empty() && line.starts_with("#define"),
        "if" | "elif" => line.starts_with("#if") || line.starts_with("#elif"),
        _ => line.starts_with("#error") || line.starts_with("#warning"),
    };
    (known && plausible).then_some(name)
}
