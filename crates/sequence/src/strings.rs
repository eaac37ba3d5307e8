//! Strings as GNU as escapes them.

use crate::Problem;
use crate::scanner::{Helped, Scanner, problem};

/// The byte that the escape at the start of `text` (a backslash and more) stands for, and its
/// length.
pub(crate) fn escape(text: &[u8]) -> Result<(u8, usize), String> {
    let Some(&kind) = text.get(1) else {
        return Err("expected a character after `\\`".to_owned());
    };
    let byte = match kind {
        b'b' => 8,
        b'f' => 12,
        b'n' => 10,
        b'r' => 13,
        b't' => 9,
        b'v' => 11,
        b'\\' | b'"' | b'\'' => kind,
        b'0'..=b'9' => {
            let mut value = 0_u32;
            let mut length = 1;
            while length < 4 && text.get(length).is_some_and(u8::is_ascii_digit) {
                value = value * 8 + u32::from(text[length] - b'0');
                length += 1;
            }
            return Ok((value.to_le_bytes()[0], length));
        }
        b'x' | b'X' => {
            let mut value = 0_u32;
            let mut length = 2;
            while let Some(digit) = text
                .get(length)
                .and_then(|&byte| char::from(byte).to_digit(16))
            {
                value = (value << 4 | digit) & 0xff;
                length += 1;
            }
            return Ok((value.to_le_bytes()[0], length));
        }
        // GNU as warns, and takes the character for itself.
        other => other,
    };
    Ok((byte, 2))
}

/// Appends the bytes of the quoted string that starts at the scanner.
pub(crate) fn string(scanner: &mut Scanner<'_>, out: &mut Vec<u8>) -> Result<(), Problem> {
    scanner.skip_space();
    let start = scanner.at;
    if scanner.peek() != b'"' {
        return Err(scanner.expected(start, "a string in double quotes"));
    }
    scanner.at += 1;
    let bytes = scanner.text.as_bytes();
    loop {
        match bytes.get(scanner.at) {
            None => {
                return Err(
                    problem(start, scanner.text.len() - start, "this string has no end")
                        .help("close it with `\"`"),
                );
            }
            Some(b'"') => {
                scanner.at += 1;
                return Ok(());
            }
            Some(b'\\') => {
                let (byte, length) = escape(&bytes[scanner.at..])
                    .map_err(|message| problem(scanner.at, 2, message))?;
                out.push(byte);
                scanner.at += length;
            }
            Some(&byte) => {
                out.push(byte);
                scanner.at += 1;
            }
        }
    }
}
