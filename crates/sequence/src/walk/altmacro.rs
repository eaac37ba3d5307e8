//! `.altmacro`: arguments without backslashes, `LOCAL`, `%expression`, `&` and `!`.

use std::fmt::Write as _;

use super::Walker;
use super::macros::{Formal, substitute};
use crate::expr_parse::expression;
use crate::lines::string_end;
use crate::scanner::{Scanner, is_name, problem, starts_name};
use crate::{Problem, Value};

impl Walker<'_> {
    /// Replaces `%expression` arguments by their values, before they are bound.
    ///
    /// # Errors
    /// If a value is not known.
    pub(super) fn evaluate_arguments(&mut self, text: &str) -> Result<String, Problem> {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut fresh = true;
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'%' if fresh => {
                    let mut scanner = Scanner::new(text, at + 1);
                    let expr = expression(&mut scanner)?;
                    match self.evaluate(&expr) {
                        Value::Absolute(value) => {
                            let _ = write!(out, "{value}");
                        }
                        Value::Address | Value::Undefined => {
                            return Err(problem(
                                at,
                                scanner.at - at,
                                "a `%` argument must be a number that is known here",
                            ));
                        }
                    }
                    at = scanner.at;
                    fresh = false;
                    continue;
                }
                b'"' => {
                    let end = string_end(bytes, at);
                    out.push_str(&text[at..end]);
                    at = end;
                    fresh = false;
                    continue;
                }
                b' ' | b'\t' => {}
                _ => fresh = byte == b',',
            }
            let end = at + text[at..].chars().next().map_or(1, char::len_utf8);
            out.push_str(&text[at..end]);
            at = end;
        }
        Ok(out)
    }

    /// A body in which names stand for arguments without a backslash too, and `LOCAL` names are
    /// made unique.
    pub(super) fn substitute_alternate(
        &mut self,
        body: &str,
        formals: &[Formal],
        values: &[String],
        executed: u64,
    ) -> String {
        let mut names: Vec<(String, String)> = formals
            .iter()
            .map(|formal| formal.name.clone())
            .zip(values.iter().cloned())
            .collect();
        let mut out = String::with_capacity(body.len() + 16);
        for line in substitute(body, formals, values, Some(executed)).split_inclusive('\n') {
            let trimmed = line.trim_start();
            let declares = trimmed
                .get(..5)
                .is_some_and(|word| word.eq_ignore_ascii_case("local"))
                && trimmed
                    .as_bytes()
                    .get(5)
                    .is_some_and(u8::is_ascii_whitespace);
            if declares {
                for name in trimmed[5..].split([',', ' ', '\t', '\n']) {
                    if !name.trim().is_empty() {
                        let unique = format!(".LL{:04x}", self.locals);
                        self.locals += 1;
                        names.push((name.trim().to_owned(), unique));
                    }
                }
                out.push('\n');
            } else {
                replace_names(line, &names, &mut out);
            }
        }
        out
    }
}

fn replace_names(line: &str, names: &[(String, String)], out: &mut String) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if starts_name(byte) {
            let length = bytes[at..]
                .iter()
                .take_while(|&&byte| is_name(byte))
                .count();
            let word = &line[at..at + length];
            at += length;
            match names.iter().find(|(name, _)| name == word) {
                Some((_, value)) => {
                    // `&` joins a name to what stands beside it.
                    if out.ends_with('&') {
                        out.pop();
                    }
                    out.push_str(value);
                    if bytes.get(at) == Some(&b'&') && bytes.get(at + 1) != Some(&b'&') {
                        at += 1;
                    }
                }
                None => out.push_str(word),
            }
        } else if byte.is_ascii_digit() {
            let length = bytes[at..]
                .iter()
                .take_while(|&&byte| is_name(byte))
                .count();
            out.push_str(&line[at..at + length]);
            at += length;
        } else {
            let length = line[at..].chars().next().map_or(1, char::len_utf8);
            out.push_str(&line[at..at + length]);
            at += length;
        }
    }
}
