//! The substitution of values into the bodies of macros and of `.irp`.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::{self, Write as _};

use super::arguments::{skip_blanks, skip_comma, token};

/// Names that are looked through one by one.
const FEW: usize = 16;

/// Bytes that one expansion may have.
const MOST_TEXT: usize = 16 << 20;

/// Why a body cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It would have more bytes than one expansion may have: nothing behind it is worth reading.
    TooLarge,
    Wrong(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Wrong(message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "this expands to more than {} MiB", MOST_TEXT >> 20),
            Self::Wrong(message) => f.write_str(message),
        }
    }
}

/// Names made by `LOCAL` in one expansion.
type Own<'b> = HashMap<&'b str, String>;

/// What the body is.
pub(super) struct Substitution<'s> {
    /// Names and what stands for them.
    pub(super) names: Vec<(&'s str, &'s str)>,
    /// `\@`: macros executed so far.
    pub(super) executed: u64,
    /// Their indices, where there are many of them.
    pub(super) index: OnceCell<HashMap<&'s str, usize>>,
    /// `.altmacro`: names need no backslash.
    pub(super) alternate: bool,
    /// A macro's body, in which `LOCAL` declares names; else it is `.irp`'s.
    pub(super) is_macro: bool,
}

/// `$` is a letter of names on x86.
fn starts_name(byte: u8) -> bool {
    byte == b'$' || crate::scanner::starts_name(byte)
}

impl Substitution<'_> {
    /// The scrubbed body with values in place. Names that are not known stay, for a macro that is
    /// defined inside may own them. `locals` counts the names made for `LOCAL`.
    ///
    /// # Errors
    /// `\(` without `)`, a `LOCAL` that names nothing, or a name twice; too many bytes.
    pub(super) fn apply(&self, body: &str, locals: &mut u64) -> Result<String, Failure> {
        let mut own = Own::new();
        let mut out = String::with_capacity(body.len() + 16);
        let mut rest = body;
        let mut quoted = false;
        while let Some(char) = rest.chars().next() {
            if out.len() > MOST_TEXT {
                return Err(Failure::TooLarge);
            }
            let tail = &rest[char.len_utf8()..];
            let starts = self.alternate && u8::try_from(char).map_or(true, starts_name);
            match char {
                // GNU as has this without `.altmacro`, too.
                '&' => {
                    let (name, left) = token(tail, self.alternate);
                    match self.find(&own, name) {
                        Some(value) => out.push_str(value),
                        None => {
                            out.push('&');
                            out.push_str(name);
                            if left.len() < tail.len() - name.len() {
                                out.push('&');
                            }
                        }
                    }
                    rest = left;
                }
                '\\' if tail.starts_with('(') => {
                    // The text up to `)` stands for itself, and is most often nothing.
                    let Some(close) = tail.find(')') else {
                        return Err("`\\(` is not closed by `)`".to_owned().into());
                    };
                    out.push_str(&tail[1..close]);
                    rest = &tail[close + 1..];
                }
                '\\' if tail.starts_with('@') => {
                    let _ = write!(out, "{}", self.executed);
                    rest = &tail[1..];
                }
                '\\' if tail.starts_with('&') => {
                    out.push_str("\\&");
                    rest = &tail[1..];
                }
                '\\' => {
                    let (name, left) = token(tail, self.alternate);
                    match self.find(&own, name) {
                        Some(value) => out.push_str(value),
                        None => {
                            out.push('\\');
                            out.push_str(name);
                        }
                    }
                    rest = left;
                }
                _ if starts && self.is_macro && !quoted && is_local(rest) => {
                    rest = self.locals(&rest[5..], &mut own, locals)?;
                }
                _ if starts => {
                    let (name, left) = token(rest, true);
                    out.push_str(self.find(&own, name).unwrap_or(name));
                    rest = left;
                }
                _ => {
                    quoted ^= char == '"';
                    // What means nothing here goes on in one piece; in `.altmacro` the next byte may start a
                    // name, and a search from each byte on would never end.
                    let plain = match self.alternate {
                        true => 0,
                        false => tail.find(['&', '\\', '"']).unwrap_or(tail.len()),
                    };
                    let end = char.len_utf8() + plain;
                    out.push_str(&rest[..end]);
                    rest = &rest[end..];
                }
            }
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        Ok(out)
    }

    fn find<'f>(&'f self, own: &'f Own<'_>, name: &str) -> Option<&'f str> {
        if name.is_empty() {
            return None;
        }
        let given = if self.names.len() > FEW {
            let index = self.index.get_or_init(|| {
                let names = self.names.iter().enumerate();
                names.map(|(index, (name, _))| (*name, index)).collect()
            });
            index.get(name).copied()
        } else {
            self.names.iter().position(|(known, _)| *known == name)
        };
        given.map(|index| self.names[index].1).or_else(|| {
            let own = own.get(name);
            own.map(String::as_str)
        })
    }

    /// Takes the names behind `LOCAL` up to the line's end.
    fn locals<'b>(
        &self,
        text: &'b str,
        own: &mut Own<'b>,
        count: &mut u64,
    ) -> Result<&'b str, String> {
        let mut rest = skip_blanks(text);
        while !rest.is_empty() && !rest.starts_with('\n') {
            let (name, left) = token(rest, true);
            if name.is_empty() {
                return Err("`LOCAL` takes names and nothing else".to_owned());
            }
            if self.find(own, name).is_some() {
                return Err(format!(
                    "`LOCAL {name}` is an argument or another local name"
                ));
            }
            *count += 1;
            own.insert(name, format!(".LL{count:04x}"));
            rest = skip_comma(left);
        }
        Ok(rest)
    }
}

fn is_local(text: &str) -> bool {
    let word = text.as_bytes();
    word.len() > 5 && word[..5].eq_ignore_ascii_case(b"local") && matches!(word[5], b' ' | b'\t')
}
