//! Preprocessing tokens of assembler text.

use std::rc::Rc;

/// What a token is to the preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string or character constant; one that is not closed takes the rest of its line.
    Quoted,
    Punctuation,
    /// An empty argument beside `##`.
    Nothing,
}

/// One token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    /// Blanks stand before it.
    pub(super) space: bool,
    /// A name that must never be expanded again.
    pub(super) painted: bool,
    /// It did not stand beside the token before it in any text, so that the two must not be read
    /// as one.
    pub(super) edge: bool,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Punctuation && &*self.text == text
    }
}

pub(super) const fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

pub(super) const fn continues_name(byte: u8) -> bool {
    starts_name(byte) || byte.is_ascii_digit()
}

/// The end of the name at `at`.
pub(super) fn name_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..]
        .iter()
        .take_while(|&&byte| continues_name(byte))
        .count();
    at + length
}

/// The end of the preprocessing number at `at`: more than a number may hold, as C has it.
pub(super) fn number_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        let signed =
            matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
        if !(continues_name(byte) || byte == b'.' || signed) {
            break;
        }
        end += 1;
    }
    end
}

/// The end of the quoted text at `at`, if it is closed on its line.
pub(crate) fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut end = at + 1;
    loop {
        match bytes.get(end) {
            None | Some(b'\n') => return None,
            Some(b'\\') => end += 2,
            Some(&byte) if byte == quote => return Some(end + 1),
            Some(_) => end += 1,
        }
    }
}

const LONG: [&str; 13] = [
    "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "##", "->", "++", "--",
];

/// The kind and end of the token at `at`, which is not a blank.
fn token_end(bytes: &[u8], text: &str, at: usize) -> (Kind, usize) {
    let byte = bytes[at];
    if starts_name(byte) {
        return (Kind::Name, name_end(bytes, at));
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if byte.is_ascii_digit() || (byte == b'.' && digit(at + 1)) {
        return (Kind::Number, number_end(bytes, at));
    }
    if matches!(byte, b'"' | b'\'') {
        // A lone quote is legal in assembler text, and hides what follows it.
        let end = quoted_end(bytes, at).unwrap_or(bytes.len());
        return (Kind::Quoted, end.min(bytes.len()));
    }
    let long = LONG.iter().find(|long| text[at..].starts_with(**long));
    (Kind::Punctuation, at + long.map_or(1, |long| long.len()))
}

/// Cuts a line without comments into tokens.
pub(super) fn tokens(text: &str, out: &mut Vec<Token>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut space = false;
    while let Some(&byte) = bytes.get(at) {
        if matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'\n') {
            space = true;
            at += 1;
            continue;
        }
        let (kind, end) = token_end(bytes, text, at);
        out.push(Token {
            kind,
            text: Rc::from(&text[at..end]),
            space,
            painted: false,
            edge: false,
        });
        space = false;
        at = end;
    }
}

/// Whether all of `text` is one token.
pub(super) fn single(text: &str) -> Option<Kind> {
    if text.is_empty() {
        return None;
    }
    let (kind, end) = token_end(text.as_bytes(), text, 0);
    (end == text.len()).then_some(kind)
}

/// Whether two tokens written side by side would be read as others.
pub(super) fn would_join(left: &Token, right: &Token) -> bool {
    let (Some(&last), Some(&first)) = (left.text.as_bytes().last(), right.text.as_bytes().first())
    else {
        return false;
    };
    match left.kind {
        Kind::Name => matches!(right.kind, Kind::Name | Kind::Number) && first != b'.',
        Kind::Number => {
            matches!(right.kind, Kind::Name | Kind::Number) || matches!(first, b'.' | b'+' | b'-')
        }
        Kind::Punctuation => match last {
            b'.' => right.kind == Kind::Number || first == b'.',
            b'+' | b'-' | b'<' | b'>' | b'&' | b'|' | b'=' | b'#' => {
                first == last || (first == b'=' && last != b'#') || (last == b'-' && first == b'>')
            }
            _ => false,
        },
        Kind::Quoted | Kind::Nothing => false,
    }
}

/// The text of tokens, with single blanks where there were any.
pub(super) fn print(tokens: &[Token], out: &mut String) {
    let mut before: Option<&Token> = None;
    for token in tokens.iter().filter(|token| token.kind != Kind::Nothing) {
        let apart =
            token.space || before.is_some_and(|before| token.edge && would_join(before, token));
        if apart && before.is_some() {
            out.push(' ');
        }
        out.push_str(&token.text);
        before = Some(token);
    }
}
