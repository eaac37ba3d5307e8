//! A position in one statement's text, and the lexical pieces that all of its parsers share.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Problem, Register, Severity};

/// Other names of registers: `name = %rax`.
pub(crate) type Equates = HashMap<String, Register>;

/// Deepest nesting of parentheses and operators that is accepted; kernel text stays below twenty.
pub(crate) const MAX_DEPTH: u32 = 200;

/// Whether `byte` may stand in a symbol's name.
pub(crate) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$') || byte >= 0x80
}

/// [`is_name`] of each byte.
static NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0_u8;
    loop {
        name[byte as usize] = is_name(byte);
        if byte == u8::MAX {
            break name;
        }
        byte += 1;
    }
};

/// Whether `byte` may start a symbol's name.
pub(crate) const fn starts_name(byte: u8) -> bool {
    is_name(byte) && !byte.is_ascii_digit() && byte != b'$'
}

/// An error at a place in the statement.
pub(crate) fn problem(at: usize, width: usize, message: impl Into<String>) -> Problem {
    Problem {
        severity: Severity::Error,
        message: message.into(),
        help: String::new(),
        at: Some((saturate(at), saturate(width.max(1)))),
    }
}

/// The same with what would be right.
pub(crate) trait Helped {
    fn help(self, help: impl Into<String>) -> Self;
}

impl Helped for Problem {
    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Offsets fit `u32`, for texts are limited to 256 MiB.
pub(crate) fn saturate(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// A cursor over a statement.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    pub(crate) depth: u32,
    /// Intel syntax has words for operators, and takes `[` for memory.
    pub(crate) intel: bool,
    /// `.intel_syntax prefix`: a name without `%` is no register.
    pub(crate) marked: bool,
    /// `.att_syntax noprefix`: registers have no `%`.
    pub(crate) bare: bool,
    /// Expressions of directives in Intel syntax, which have its operators.
    pub(crate) is_data: bool,
    /// Operands of an instruction, which GNU as lets have no `=`.
    pub(crate) is_operand: bool,
    /// Names that stand for registers, if there are any.
    pub(crate) equates: Option<Arc<Equates>>,
    /// What is odd about the text, and taken all the same.
    pub(crate) warnings: Vec<Problem>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            depth: 0,
            intel: false,
            marked: false,
            bare: false,
            is_data: false,
            is_operand: false,
            equates: None,
            warnings: Vec::new(),
        }
    }

    /// The register that the name here stands for, and the name's length, without taking it.
    pub(crate) fn equated(&self) -> Option<(usize, Register)> {
        if self.equates.is_none() && !self.bare {
            return None;
        }
        let rest = self.rest();
        let length = rest.bytes().take_while(|&byte| is_name(byte)).count();
        let name = &rest[..length];
        let equates = self.equates.as_ref();
        if let Some(register) = equates.and_then(|equates| equates.get(name)) {
            return Some((length, *register));
        }
        let register = crate::registers::lookup(name).filter(|_| self.bare)?;
        Some((length, register))
    }

    pub(crate) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    /// The byte at `at`, or NUL (which no accepted text contains) behind the end.
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    pub(crate) fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | 0x0c) {
            self.at += 1;
        }
    }

    /// The character here as text; nothing at the end.
    pub(crate) fn shown(&self) -> &'t str {
        let rest = self.rest();
        &rest[..rest.chars().next().map_or(0, char::len_utf8)]
    }

    /// Skips blanks, then `byte` if it comes next.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    /// Whether `byte` comes next behind blanks, without taking it.
    pub(crate) fn eat_ahead(&mut self, byte: u8) -> bool {
        self.skip_space();
        self.peek() == byte
    }

    /// Whether only blanks are left.
    pub(crate) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at >= self.text.len()
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at.min(self.text.len())..]
    }

    /// A symbol's name if one starts here (digits may not start it).
    pub(crate) fn name(&mut self) -> Option<&'t str> {
        self.skip_space();
        if !starts_name(self.peek()) {
            return None;
        }
        Some(self.word())
    }

    /// As many name characters as stand here.
    pub(crate) fn word(&mut self) -> &'t str {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let end = rest.iter().position(|&byte| !NAME[usize::from(byte)]);
        self.at = start + end.unwrap_or(rest.len());
        &self.text[start..self.at]
    }

    /// A symbol's name, quoted or not.
    ///
    /// # Errors
    /// If none stands here.
    pub(crate) fn symbol(&mut self) -> Result<&'t str, Problem> {
        self.skip_space();
        let start = self.at;
        if self.peek() == b'"' {
            let close = self.text[start + 1..].find('"');
            return match close {
                // GNU as makes other names of these in directives than in expressions.
                Some(length) if self.text[start + 1..=start + length].contains('\\') => {
                    Err(problem(start, length + 2, "a backslash in a quoted name")
                        .help("use a name without one"))
                }
                Some(length) if length > 0 => {
                    self.at = start + length + 2;
                    Ok(&self.text[start + 1..=start + length])
                }
                _ => Err(problem(
                    start,
                    self.text.len() - start,
                    "this quoted name has no end",
                )),
            };
        }
        // `$` is a letter of names, and only operands have another use for it.
        if self.peek() == b'$' && is_name(self.byte(start + 1)) {
            return Ok(self.word());
        }
        self.name()
            .ok_or_else(|| self.expected(start, "a symbol's name"))
    }

    /// "expected X, found Y" at `at`.
    pub(crate) fn expected(&self, at: usize, what: &str) -> Problem {
        let rest = self.text.get(at..).unwrap_or("").trim_end();
        if rest.is_empty() {
            return problem(
                self.text.trim_end().len(),
                1,
                format!("expected {what} here"),
            );
        }
        let bytes = rest.as_bytes();
        let mut width = bytes.iter().take_while(|&&byte| is_name(byte)).count();
        if width == 0 {
            width = rest.chars().next().map_or(1, char::len_utf8);
        }
        problem(
            at,
            width,
            format!("expected {what}, found `{}`", &rest[..width]),
        )
    }

    /// An error unless only blanks are left.
    ///
    /// # Errors
    /// If something else is.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        if self.at_end() {
            return Ok(());
        }
        let rest = self.rest().trim_end();
        Err(problem(
            self.at,
            rest.len(),
            format!("`{rest}` does not belong here"),
        ))
    }

    /// Goes one level deeper.
    ///
    /// # Errors
    /// If that is too deep.
    pub(crate) fn enter(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(problem(
                self.at,
                1,
                format!("this expression is nested more than {MAX_DEPTH} levels deep"),
            )
            .help("split it with `.set`"));
        }
        Ok(())
    }
}
