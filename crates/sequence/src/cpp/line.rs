//! Logical lines: joined at backslashes, without comments.

use std::borrow::Cow;

use super::Preprocessor;
use super::lex::quoted_end;

impl Preprocessor<'_> {
    /// Takes the next logical line off the current file, whose text is `text`.
    pub(super) fn fetch<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let rest = &text[self.current.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = rest[..length].trim_end_matches('\r');
        if !needs_work(line) {
            self.advance(text, length);
            return Cow::Borrowed(line);
        }
        let mut raw = String::with_capacity(length);
        self.take_joined(text, &mut raw);
        let mut out = String::with_capacity(raw.len());
        let mut at = 0;
        while at < raw.len() {
            let bytes = raw.as_bytes();
            match (bytes[at], bytes.get(at + 1)) {
                (b'/', Some(b'*')) => {
                    out.push(' ');
                    let Some(end) = self.comment_end(text, &mut raw, at + 2) else {
                        self.line_error("this comment has no end".to_owned());
                        break;
                    };
                    at = end;
                }
                (b'/', Some(b'/')) => break,
                (b'"' | b'\'', _) => {
                    let end = quoted_end(bytes, at)
                        .unwrap_or(bytes.len())
                        .min(bytes.len());
                    out.push_str(&raw[at..end]);
                    at = end;
                }
                _ => {
                    let stop = bytes[at + 1..]
                        .iter()
                        .position(|byte| matches!(byte, b'/' | b'"' | b'\''))
                        .map_or(bytes.len(), |length| at + 1 + length);
                    out.push_str(&raw[at..stop]);
                    at = stop;
                }
            }
        }
        Cow::Owned(out)
    }

    /// Steps over a line of `length` bytes and its end.
    fn advance(&mut self, text: &str, length: usize) {
        self.current.at = (self.current.at + length + 1).min(text.len());
        self.current.next += 1;
    }

    /// Adds the next line to `out`, and those that backslashes join to it. GCC lets blanks stand
    /// behind the backslash.
    fn take_joined(&mut self, text: &str, out: &mut String) {
        loop {
            let rest = &text[self.current.at..];
            let length = rest.find('\n').unwrap_or(rest.len());
            let last = length == rest.len();
            self.advance(text, length);
            let line = rest[..length].trim_end_matches('\r');
            let Some(joined) = line.trim_end().strip_suffix('\\').filter(|_| !last) else {
                out.push_str(line);
                return;
            };
            out.push_str(joined);
            // A structured comment is never the rest of another line.
            if text[self.current.at..].starts_with("#:") {
                return;
            }
        }
    }

    /// The end of the comment whose text starts at `at` of `raw`; takes more lines where it goes on.
    fn comment_end(&mut self, text: &str, raw: &mut String, at: usize) -> Option<usize> {
        let mut from = at;
        loop {
            if let Some(length) = raw[from..].find("*/") {
                return Some(from + length + 2);
            }
            if self.current.at >= text.len() {
                return None;
            }
            // The line's end keeps a `*` and a `/` on its sides apart.
            from = raw.len();
            raw.push('\n');
            self.take_joined(text, raw);
        }
    }
}

/// Whether a line may hold a comment or go on.
fn needs_work(line: &str) -> bool {
    let bytes = line.as_bytes();
    line.trim_end().ends_with('\\')
        || bytes
            .windows(2)
            .any(|pair| pair[0] == b'/' && matches!(pair[1], b'*' | b'/'))
}
