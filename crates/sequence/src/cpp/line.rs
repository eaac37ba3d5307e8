//! Logical lines: joined at backslashes, without comments.

use std::borrow::Cow;

use super::Preprocessor;
use super::lex::quoted_end;

impl Preprocessor<'_> {
    /// Takes the next logical line off the current file, whose text is `text`.
    pub(super) fn fetch<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let start = self.current.at;
        let rest = &text[start..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = rest[..length].trim_end_matches('\r');
        if !needs_work(line) {
            self.current.at = (start + length + 1).min(text.len());
            self.current.next += 1;
            return Cow::Borrowed(line);
        }
        let mut out = String::with_capacity(length);
        let bytes = text.as_bytes();
        let mut at = start;
        let mut from = start;
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => break,
                Some(b'\\') => match joined(bytes, at) {
                    Some(next) => {
                        out.push_str(&text[from..at]);
                        self.current.next += 1;
                        at = next;
                        from = next;
                    }
                    None => at += 1,
                },
                Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                    out.push_str(&text[from..at]);
                    out.push(' ');
                    let Some(length) = text[at + 2..].find("*/") else {
                        self.line_error("this comment has no end".to_owned());
                        self.current.at = text.len();
                        return Cow::Owned(out);
                    };
                    let end = at + 2 + length + 2;
                    let lines = text[at..end].matches('\n').count();
                    self.current.next += crate::scanner::saturate(lines);
                    at = end;
                    from = end;
                }
                Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                    out.push_str(&text[from..at]);
                    while let Some(&byte) = bytes.get(at) {
                        match joined(bytes, at) {
                            Some(next) => {
                                self.current.next += 1;
                                at = next;
                            }
                            None if byte == b'\n' => break,
                            None => at += 1,
                        }
                    }
                    from = at;
                }
                Some(b'"' | b'\'') => {
                    let end = quoted_end(bytes, at)
                        .unwrap_or(bytes.len())
                        .min(bytes.len());
                    // One that goes on over a joined line is read again from there.
                    let stop = bytes[at..end].iter().position(|&byte| byte == b'\n');
                    at = match stop {
                        None => end,
                        Some(length) => self.joined_quote(text, &mut out, &mut from, at, length),
                    };
                }
                Some(_) => at += 1,
            }
        }
        out.push_str(text[from..at].trim_end_matches('\r'));
        self.current.next += 1;
        self.current.at = (at + 1).min(text.len());
        Cow::Owned(out)
    }
}

impl Preprocessor<'_> {
    /// Takes quoted text that is not closed on its line: up to the line's end, or over it where a
    /// backslash joins it with the next. Gives where to go on.
    fn joined_quote(
        &mut self,
        text: &str,
        out: &mut String,
        from: &mut usize,
        at: usize,
        length: usize,
    ) -> usize {
        let end = at + length;
        let line = text[at..end].trim_end_matches([' ', '\t', '\r']);
        if !line.ends_with('\\') {
            return end;
        }
        out.push_str(&text[*from..at + line.len() - 1]);
        self.current.next += 1;
        *from = end + 1;
        end + 1
    }
}

/// Behind the line's end that the backslash at `at` takes away, if it does. GCC lets blanks stand
/// between the two.
fn joined(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at] != b'\\' {
        return None;
    }
    let mut end = at + 1;
    while matches!(bytes.get(end), Some(b' ' | b'\t' | b'\r')) {
        end += 1;
    }
    (bytes.get(end) == Some(&b'\n')).then_some(end + 1)
}

/// Whether a line may hold a comment or go on.
fn needs_work(line: &str) -> bool {
    let bytes = line.as_bytes();
    line.trim_end().ends_with('\\')
        || bytes
            .windows(2)
            .any(|pair| pair[0] == b'/' && matches!(pair[1], b'*' | b'/'))
}
