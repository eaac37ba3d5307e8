//! Numbered text, and its split into statements.
//!
//! A text that came out of the preprocessor or was collected from a macro's body still knows the
//! file and line of each of its lines, as runs of consecutive numbers.

use std::borrow::Cow;

/// From line `index` of a text on, lines count up from `line` of `file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Line of the text, from 0.
    pub(crate) index: u32,
    /// Index into the table of files.
    pub(crate) file: u32,
    /// Line of that file, from 1; 0 for built-in text.
    pub(crate) line: u32,
}

/// The place of line `index`, by the mark at or before it.
pub(crate) fn place(marks: &[Mark], index: u32) -> (u32, u32) {
    let after = marks.partition_point(|mark| mark.index <= index);
    match after.checked_sub(1).map(|before| marks[before]) {
        Some(mark) if mark.file != BUILTIN => (mark.file, mark.line + (index - mark.index)),
        _ => (BUILTIN, 0),
    }
}

/// Lines from `index` on that count up without a mark between them.
pub(crate) fn until_mark(marks: &[Mark], index: u32) -> u32 {
    let after = marks.partition_point(|mark| mark.index <= index);
    marks.get(after).map_or(u32::MAX, |mark| mark.index - index)
}

/// The file of text that is built into this crate.
pub(crate) const BUILTIN: u32 = u32::MAX;

/// Bytes that one line may have. What stands on it becomes ten times as much, and an error about its
/// millionth statement could not be shown.
pub(crate) const MAX_LINE: usize = 4 << 20;

/// The first line that has more than [`MAX_LINE`] bytes, from 0.
pub(crate) fn too_long(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    let mut start = 0;
    // From the end of what a line may have back to the last line feed: few bytes are looked at.
    while bytes.len() - start > MAX_LINE {
        let window = &bytes[start..=start + MAX_LINE];
        let Some(end) = window.iter().rposition(|&byte| byte == b'\n') else {
            let before = bytes[..start].iter().filter(|&&byte| byte == b'\n');
            return Some(crate::scanner::saturate(before.count()));
        };
        start += end + 1;
    }
    None
}

/// The message and the remedy of such a line.
pub(crate) fn too_long_message() -> (String, &'static str) {
    let message = format!("a line of more than {} MiB", MAX_LINE >> 20);
    (message, "split it")
}

/// One statement as it stands in a text.
#[derive(Debug)]
pub(crate) struct Raw<'t> {
    /// Without comments and outer blanks.
    pub(crate) text: Cow<'t, str>,
    /// The same as it stands in the text, with comments.
    pub(crate) source: &'t str,
    /// Byte offset of its first character in the text.
    pub(crate) start: usize,
    /// Line of the text it starts on, from 0.
    pub(crate) index: u32,
    /// Byte offset of that line's first character.
    pub(crate) line_begin: usize,
}

/// A comment or string that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unclosed {
    pub(crate) index: u32,
    pub(crate) start: usize,
    pub(crate) line_begin: usize,
}

/// Cuts a text into statements.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    pub(crate) index: u32,
    line_start: bool,
    line_begin: usize,
}

/// Bytes at which the scan for the end of a statement must stop and look.
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut index = 0;
    let bytes = b"\n;#\"'/\\";
    while index < bytes.len() {
        stops[bytes[index] as usize] = true;
        index += 1;
    }
    stops
};

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            index: 0,
            line_start: true,
            line_begin: 0,
        }
    }

    /// The next statement that is not empty.
    ///
    /// # Errors
    /// If a comment in it never ends; the text is at its end then.
    pub(crate) fn next(&mut self) -> Result<Option<Raw<'t>>, Unclosed> {
        loop {
            if self.at >= self.text.len() {
                return Ok(None);
            }
            let raw = self.advance()?;
            if !raw.text.is_empty() {
                return Ok(Some(raw));
            }
        }
    }

    /// What is left of the text, if that starts with a line.
    pub(crate) fn whole_lines(&self) -> Option<&'t str> {
        (self.line_start && self.at < self.text.len()).then(|| &self.text[self.at..])
    }

    /// Goes on behind whole lines.
    pub(crate) fn skip_lines(&mut self, bytes: usize, lines: u32) {
        self.at += bytes;
        self.index += lines;
        self.line_begin = self.at;
    }

    fn advance(&mut self) -> Result<Raw<'t>, Unclosed> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | 0x0c)) {
            at += 1;
        }
        let start = at;
        let index = self.index;
        let line_begin = self.line_begin;
        let line_start = std::mem::replace(&mut self.line_start, false);
        // Pieces of text between comments, put together only where there are comments.
        let mut cleaned: Option<String> = None;
        let mut piece = start;
        let end = loop {
            at = stop(bytes, at);
            match bytes.get(at) {
                None => {
                    self.at = at;
                    break at;
                }
                Some(b'\n') => {
                    self.at = at + 1;
                    self.index += 1;
                    self.line_start = true;
                    self.line_begin = self.at;
                    break at;
                }
                Some(b';') => {
                    self.at = at + 1;
                    break at;
                }
                Some(b'#') => {
                    let length = self.text[at..].find('\n').unwrap_or(self.text.len() - at);
                    let end = at;
                    self.at = (at + length + 1).min(self.text.len());
                    self.index += 1;
                    self.line_start = true;
                    self.line_begin = self.at;
                    break end;
                }
                Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                    let Some(length) = self.text[at + 2..].find("*/") else {
                        self.at = self.text.len();
                        return Err(Unclosed {
                            index: self.index,
                            start: at,
                            line_begin: self.text[..at].rfind('\n').map_or(0, |end| end + 1),
                        });
                    };
                    let before = at;
                    let comment = &self.text[at..at + length + 4];
                    self.index += crate::scanner::saturate(comment.matches('\n').count());
                    if let Some(end) = comment.rfind('\n') {
                        self.line_begin = at + end + 1;
                    }
                    at += comment.len();
                    // GNU as takes a comment for nothing, together with the blanks behind it, and ends the
                    // statement where the comment's first line ends.
                    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r')) {
                        at += 1;
                    }
                    if comment.contains('\n') {
                        self.at = at;
                        break before;
                    }
                    let cleaned = cleaned.get_or_insert_default();
                    cleaned.push_str(&self.text[piece..before]);
                    piece = at;
                }
                // GNU as takes `/` for a comment's start only at the start of a line.
                Some(b'/') if line_start && at == start => {
                    let length = self.text[at..].find('\n').unwrap_or(self.text.len() - at);
                    self.at = (at + length + 1).min(self.text.len());
                    self.index += 1;
                    self.line_start = true;
                    self.line_begin = self.at;
                    break at;
                }
                Some(b'"') => at = string_end(bytes, at),
                Some(b'\'') => at = character_end(bytes, at),
                // `\@` and the like; a backslash never hides a line's end.
                Some(_) => at += 1,
            }
        };
        let text = match cleaned {
            None => Cow::Borrowed(trim_end(&self.text[start..end])),
            Some(mut cleaned) => {
                cleaned.push_str(&self.text[piece..end]);
                Cow::Owned(cleaned.trim().to_owned())
            }
        };
        Ok(Raw {
            text,
            source: &self.text[start..end],
            start,
            index,
            line_begin,
        })
    }
}

/// The first byte from `at` on at which the scan must look, or the text's end.
fn stop(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The highest bit of each byte that is zero, and maybe of those above the first such one.
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & (0x80 * ONES);
    while let Some(&chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let eight = u64::from_le_bytes(chunk);
        // `"` and `#`, and `'` and `/`, differ by one bit.
        let found = zero(eight ^ (0x0a * ONES))
            | zero(eight ^ (0x3b * ONES))
            | zero(eight ^ (0x5c * ONES))
            | zero((eight | ONES) ^ (0x23 * ONES))
            | zero((eight | (0x08 * ONES)) ^ (0x2f * ONES));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let stop = rest.iter().position(|&byte| STOPS[usize::from(byte)]);
    at + stop.unwrap_or(rest.len())
}

/// The text without blanks at its end, which mostly has none.
fn trim_end(text: &str) -> &str {
    match text.as_bytes().last() {
        Some(b'!'..=b'~') => text,
        _ => text.trim_end(),
    }
}

/// Behind the string that opens at `at`, or at the end of its line where it is not closed.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        match bytes.get(at) {
            None | Some(b'\n') => return at,
            Some(b'"') => return at + 1,
            Some(b'\\') if bytes.get(at + 1).is_some_and(|&byte| byte != b'\n') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Behind the character constant that opens at `at`.
fn character_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    match bytes.get(at) {
        None | Some(b'\n') => return at,
        Some(b'\\') => at += 1,
        Some(_) => {}
    }
    if bytes.get(at).is_some_and(|&byte| byte != b'\n') {
        at += 1;
    }
    if bytes.get(at) == Some(&b'\'') {
        at + 1
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u32)]) {
        let mut cursor = Cursor::new(text);
        let mut found = Vec::new();
        while let Some(raw) = cursor.next().expect("no open comment") {
            found.push((raw.text.into_owned(), raw.index));
        }
        let expected: Vec<_> = expected
            .iter()
            .map(|&(text, index)| (text.to_owned(), index))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn splits() {
        check(
            "nop; ret # a; b\n\n  // c\nnop",
            &[("nop", 0), ("ret", 0), ("nop", 3)],
        );
        check(
            ".ascii \"a;#\\\"b\" ; nop",
            &[(".ascii \"a;#\\\"b\"", 0), ("nop", 0)],
        );
        check("mov $';, %al;nop", &[("mov $';, %al", 0), ("nop", 0)]);
        check("mov $'\\'', %al;nop", &[("mov $'\\'', %al", 0), ("nop", 0)]);
        check("a /* x; */ b/* y */ c\nd", &[("a bc", 0), ("d", 1)]);
        check("a /* x;\n y */ b\nc", &[("a", 0), ("b", 1), ("c", 2)]);
        check(".quad 8/2\n/ comment\n", &[(".quad 8/2", 0)]);
    }

    #[test]
    fn open_comment() {
        let mut cursor = Cursor::new("nop\n a /* b\n");
        assert!(cursor.next().is_ok_and(|raw| raw.is_some()));
        assert_eq!(
            cursor.next().expect_err("open"),
            Unclosed {
                index: 1,
                start: 7,
                line_begin: 4
            }
        );
        assert!(cursor.next().is_ok_and(|raw| raw.is_none()));
    }

    #[test]
    fn long_lines() {
        let long = "x".repeat(MAX_LINE);
        for (text, expected) in [
            (format!("{long}\n{long}\n{long}"), None),
            (format!("{long}x"), Some(0)),
            (format!("a\n{long}x\n"), Some(1)),
            (format!("a\n{long}\nb\n{long}x"), Some(3)),
        ] {
            assert_eq!(too_long(&text), expected);
        }
    }

    #[test]
    fn marks_number_lines() {
        let marks = [
            Mark {
                index: 0,
                file: 0,
                line: 1,
            },
            Mark {
                index: 5,
                file: 1,
                line: 1,
            },
            Mark {
                index: 7,
                file: BUILTIN,
                line: 0,
            },
        ];
        assert_eq!(place(&marks, 4), (0, 5));
        assert_eq!(place(&marks, 6), (1, 2));
        assert_eq!(place(&marks, 9), (BUILTIN, 0));
    }
}
