//! The arguments of macros and of `.irp`, taken off scrubbed text.

use crate::Problem;
use crate::scanner::{is_name, starts_name};

/// What `%expression` is worth in `.altmacro`: the number, and how many bytes were read.
pub(super) type Evaluate<'e> = dyn FnMut(&str) -> Result<(i64, usize), Problem> + 'e;

/// How arguments are read.
pub(super) struct Reading<'e> {
    /// `.altmacro`
    pub(super) alternate: bool,
    /// Works out `%expression`.
    pub(super) evaluate: &'e mut Evaluate<'e>,
}

/// Text without blanks at its front.
pub(super) fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// Text behind a comma and blanks, or behind blanks alone.
pub(super) fn skip_comma(text: &str) -> &str {
    let text = skip_blanks(text);
    text.strip_prefix(',').map_or(text, skip_blanks)
}

/// The name that starts `text`, and what is left; nothing where there is none. In `.altmacro` a `&` behind
/// it goes with it.
pub(super) fn token(text: &str, alternate: bool) -> (&str, &str) {
    let bytes = text.as_bytes();
    let length = match bytes.first() {
        Some(&first) if starts_name(first) || first == b'$' => {
            bytes.iter().take_while(|&&byte| is_name(byte)).count()
        }
        _ => 0,
    };
    let (name, rest) = text.split_at(length);
    let rest = rest.strip_prefix('&').filter(|_| alternate).unwrap_or(rest);
    (name, rest)
}

impl Reading<'_> {
    /// One argument off the front of `text`, and what is left. Quotes come off, but for `.altmacro`'s.
    ///
    /// # Errors
    /// A `%` whose value is not known.
    pub(super) fn argument<'t>(&mut self, text: &'t str) -> Result<(String, &'t str), Problem> {
        let text = skip_blanks(text);
        let bytes = text.as_bytes();
        let mut out = String::new();
        let Some(&first) = bytes.first() else {
            return Ok((out, text));
        };
        // `H'1f` and its like keep their quote.
        if bytes.get(1) == Some(&b'\'') && bytes.len() > 2 && b"bBqQhHdD".contains(&first) {
            let length = bytes
                .iter()
                .take_while(|&&byte| !self.separates(byte))
                .count();
            return Ok((text[..length].to_owned(), &text[length..]));
        }
        match first {
            b'%' if self.alternate => {
                let (value, length) = (self.evaluate)(&text[1..])?;
                Ok((value.to_string(), &text[1 + length..]))
            }
            b'"' | b'\'' | b'<' if first == b'"' || self.alternate => {
                let keeps = self.alternate && first != b'<';
                if keeps {
                    out.push('"');
                }
                let rest = self.strings(text, &mut out);
                if keeps {
                    out.push('"');
                }
                Ok((out, rest))
            }
            _ => {
                let length = self.plain(bytes);
                Ok((text[..length].to_owned(), &text[length..]))
            }
        }
    }

    /// Whether a byte ends what might be a name before `=`.
    fn separates(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b',' | b'"' | b';' | b')' | b'(')
            || (self.alternate && matches!(byte, b'<' | b'>'))
    }

    /// Whether `name=` starts `text`; that it is no name is an error of the caller's.
    pub(super) fn is_keyword(&self, text: &str) -> bool {
        if self.alternate {
            return false;
        }
        let length = text
            .bytes()
            .take_while(|&byte| !self.separates(byte) && byte != b'=')
            .count();
        text.as_bytes().get(length) == Some(&b'=')
    }

    /// The length of an argument that is not quoted: up to a comma, or a blank outside of parentheses.
    fn plain(&self, bytes: &[u8]) -> usize {
        let mut open = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b' ' | b'\t' if open.is_empty() => break,
                b',' => break,
                b'<' if self.alternate => break,
                b'"' | b'\'' => {
                    let rest = bytes[at + 1..].iter().position(|&next| next == byte);
                    match rest {
                        Some(length) => at += length + 1,
                        None => return bytes.len(),
                    }
                }
                b'(' | b'[' => open.push(byte),
                b')' if open.last() == Some(&b'(') => {
                    open.pop();
                }
                b']' if open.last() == Some(&b'[') => {
                    open.pop();
                }
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Takes the strings at the front of `text`, without their quotes; two quotes in one are one, and a
    /// backslash hides a quote. Gives what is left.
    fn strings<'t>(&self, text: &'t str, out: &mut String) -> &'t str {
        let mut rest = text;
        loop {
            rest = match rest.as_bytes().first() {
                Some(b'"') => self.quoted(rest, '"', out),
                Some(b'\'') if self.alternate => self.quoted(rest, '\'', out),
                Some(b'<') if self.alternate => angled(rest, out),
                _ => return rest,
            };
        }
    }

    fn quoted<'t>(&self, text: &'t str, quote: char, out: &mut String) -> &'t str {
        let mut chars = text.char_indices().skip(1).peekable();
        let mut escaped = false;
        let mut before = quote;
        while let Some((at, char)) = chars.next() {
            escaped = before == '\\' && !escaped;
            before = char;
            if self.alternate && char == '!' {
                if let Some((_, next)) = chars.next() {
                    out.push(next);
                    before = next;
                }
                continue;
            }
            if char == quote && !escaped {
                match chars.peek() {
                    Some(&(_, next)) if next == quote => {
                        chars.next();
                        before = quote;
                    }
                    _ => return &text[at + 1..],
                }
            }
            out.push(char);
        }
        ""
    }
}

/// Takes `<...>` of `.altmacro`, where `!` takes the next character as it is.
fn angled<'t>(text: &'t str, out: &mut String) -> &'t str {
    let mut depth = 0;
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '!' => {
                if let Some((_, next)) = chars.next() {
                    out.push(next);
                }
                continue;
            }
            '<' => depth += 1,
            '>' if depth == 0 => return &text[at + 1..],
            '>' => depth -= 1,
            _ => {}
        }
        out.push(char);
    }
    ""
}
