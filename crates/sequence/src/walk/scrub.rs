//! Text as GNU as reads it: blanks that separate nothing and comments are gone, a character constant is its
//! number. Macros see only such text, so that where their arguments end hangs on it.

/// What has been seen of the statement so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Nothing: the next byte is the first of its statement.
    Nothing,
    /// Blanks, or a label.
    Blank,
    /// A word behind blanks.
    Opcode,
    /// A word at the start, which may be a label.
    First,
    /// An opcode and blanks, or an operand's byte that no word holds.
    Operand,
    /// A byte of a word in an operand.
    Word,
    /// Such a byte and blanks.
    Gap,
}

/// Bytes that keep the blank between them: those of names, and those that may start an operand.
fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'.' | b'$' | b'*' | b'%' | b'-' | b'(' | b'[' | b'{' | b'}'
        )
        || byte >= 0x80
}

fn is_blank(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b' ' | b'\t' | b'\r'))
}

/// The text of whole statements, scrubbed. The ends of lines all stay.
pub(super) fn scrub(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut seen = Seen::Nothing;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let opens_comment = byte == b'/' && bytes.get(at) == Some(&b'*');
        if opens_comment {
            let Some(length) = text[at + 1..].find("*/") else {
                break;
            };
            let comment = &text[at + 1..at + 1 + length];
            out.extend(comment.bytes().filter(|&byte| byte == b'\n'));
            at += length + 3;
            // Blanks behind a comment go with it.
            while is_blank(bytes.get(at)) {
                at += 1;
            }
            continue;
        }
        match byte {
            _ if is_blank(Some(&byte)) => {
                while is_blank(bytes.get(at)) {
                    at += 1;
                }
                let Some(&next) = bytes.get(at) else { break };
                let is_comment = next == b'/' && bytes.get(at + 1) == Some(&b'*');
                if is_comment && matches!(seen, Seen::Opcode | Seen::First) {
                    out.push(b' ');
                    seen = Seen::Operand;
                } else if seen == Seen::Nothing {
                    out.push(b' ');
                    seen = Seen::Blank;
                } else if !matches!(next, b'#' | b'/' | b';') {
                    seen = match seen {
                        Seen::Opcode | Seen::First if next == b':' => {
                            out.push(b':');
                            at += 1;
                            Seen::Blank
                        }
                        Seen::Opcode | Seen::First => {
                            out.push(b' ');
                            Seen::Operand
                        }
                        Seen::Word | Seen::Gap => Seen::Gap,
                        other => other,
                    };
                }
            }
            b'\n' | b';' => {
                out.push(byte);
                seen = Seen::Nothing;
            }
            b'#' => at = line_end(bytes, at),
            b'/' if matches!(seen, Seen::Nothing | Seen::Blank) => at = line_end(bytes, at),
            b'"' => {
                if seen == Seen::Gap {
                    out.push(b' ');
                }
                if matches!(seen, Seen::Gap | Seen::Operand) {
                    seen = Seen::Word;
                }
                let end = crate::lines::string_end(bytes, at - 1);
                out.extend(&bytes[at - 1..end]);
                at = end;
            }
            b'\'' => {
                if seen == Seen::Gap {
                    out.push(b' ');
                    seen = Seen::Operand;
                }
                if at == bytes.len() {
                    break;
                }
                let number = character(bytes, &mut at).to_string();
                out.extend(number.bytes());
                if number.len() > 1 && seen == Seen::Word {
                    seen = Seen::Operand;
                }
            }
            b':' => {
                out.push(b':');
                seen = match seen {
                    Seen::Word | Seen::Gap | Seen::Operand => Seen::Operand,
                    _ => Seen::Blank,
                };
            }
            _ => {
                // A backslash may begin a formal of a macro.
                if seen == Seen::Gap && (is_wordy(byte) || byte == b'\\') {
                    out.push(b' ');
                }
                seen = match seen {
                    Seen::Nothing | Seen::First => Seen::First,
                    Seen::Blank | Seen::Opcode => Seen::Opcode,
                    _ if is_wordy(byte) => Seen::Word,
                    _ => Seen::Operand,
                };
                out.push(byte);
            }
        }
    }
    String::from_utf8(out)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Where a string opens in a statement that does not close it: GNU as reads on to the next quote, in
/// whichever line.
pub(super) fn open_string(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = crate::lines::string_end(bytes, at);
                if end - at < 2 || bytes[end - 1] != b'"' || is_escaped(&bytes[at + 1..end - 1]) {
                    return Some(at);
                }
                at = end;
            }
            b'\'' => {
                at += 1;
                character(bytes, &mut at);
            }
            _ => at += 1,
        }
    }
    None
}

/// Whether what follows is hidden by a backslash.
fn is_escaped(inside: &[u8]) -> bool {
    let slashes = inside.iter().rev().take_while(|&&byte| byte == b'\\');
    slashes.count() % 2 == 1
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(rest.len())
}

/// The number of the character constant whose text starts at `at`, behind its quote.
fn character(bytes: &[u8], at: &mut usize) -> u8 {
    let mut take = || {
        let byte = bytes.get(*at).copied().unwrap_or(0);
        *at += 1;
        byte
    };
    let value = match take() {
        b'\\' => match take() {
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            other => other,
        },
        other => other,
    };
    *at = (*at).min(bytes.len());
    if bytes.get(*at) == Some(&b'\'') {
        *at += 1;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::scrub;

    /// As GNU as 2.40 gives them to a macro.
    #[test]
    fn blanks_and_comments() {
        let cases = [
            ("m a - b", "m a - b"),
            (
                "m a - 1, ( a ) + b * c , [ q ] { z } % r",
                "m a - 1,( a)+b * c,[ q]{ z } % r",
            ),
            ("m a @ b ? c", "m a@b?c"),
            ("m x $ y $z", "m x $ y $z"),
            ("m 1 + 2", "m 1+2"),
            ("m a : b", "m a:b"),
            ("x : y : m  a", "x:y:m a"),
            ("m %eax , 8( %rbx , %rcx , 4 )", "m %eax,8( %rbx,%rcx,4)"),
            ("m a /* c */ b / d", "m ab/d"),
            ("m/* c */ a", "ma"),
            ("m /* c */ a/* d */ - b", "m a- b"),
            ("m } a ) b ] c", "m } a)b]c"),
            ("m \"x  y\" b \"c\"", "m \"x  y\" b \"c\""),
            ("m 'a, '\\n'  b 'c' d", "m 97,10b 99d"),
            ("m a \\b+ \\c", "m a \\b+\\c"),
            (" m  a # c\n/ d\n x /* e\n */ y", " m a\n\n x \ny"),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub(text), expected, "{text}");
        }
    }

    #[test]
    fn strings_that_are_not_closed() {
        let open = super::open_string;
        for text in [
            "",
            "m \"a\"",
            "m \"\"",
            "m '\"",
            "m '\\\" \"b\"",
            "m \"a\\\\\"",
        ] {
            assert_eq!(open(text), None, "{text}");
        }
        for text in ["m \"", "m \"a\" \"b", "m \"a\\\"", "m 'a \""] {
            assert!(open(text).is_some(), "{text}");
        }
    }

    #[test]
    fn cut_off() {
        for text in ["'", "m '", "m '\\", "m \"a", "/*", "m /* a", "m a ", "\\"] {
            scrub(text);
        }
    }
}
