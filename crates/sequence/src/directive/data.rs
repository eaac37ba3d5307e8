//! Numbers and strings.

use super::{known, missing};
use crate::expr_parse::{expression, integer};
use crate::leb128::{leb128_of_bits, wide_leb128};
use crate::scanner::{Helped, Scanner, problem};
use crate::strings::string;
use crate::{DataWidth, Expr, Problem, Severity, Sink, StatementKind};

/// Each byte of a string in `width` bytes.
pub(super) fn widened(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut wide = vec![0; bytes.len() * width];
    for (index, byte) in bytes.iter().enumerate() {
        wide[index * width] = *byte;
    }
    wide
}

/// A number of more than 64 bits that stands alone, cut to its lower 128 bits.
pub(super) fn wide(scanner: &mut Scanner<'_>) -> Option<u128> {
    let mut ahead = scanner.clone();
    ahead.skip_space();
    let negative = ahead.eat(b'-');
    ahead.skip_space();
    let word = ahead.word();
    if !word.as_bytes().first()?.is_ascii_digit() || !matches!(integer(word)?, (_, true)) {
        return None;
    }
    ahead.skip_space();
    if ahead.peek() != b',' && !ahead.at_end() {
        return None;
    }
    let (digits, radix) = match word.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&word[2..], 16),
        [b'0', b'b' | b'B', ..] => (&word[2..], 2),
        [b'0', ..] => (&word[1..], 8),
        _ => (word, 10),
    };
    let value = digits.chars().fold(0_u128, |value, digit| {
        value
            .wrapping_mul(u128::from(radix))
            .wrapping_add(u128::from(digit.to_digit(radix).unwrap_or(0)))
    });
    scanner.at = ahead.at;
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

pub(super) fn data<'t>(width: u8, scanner: &mut Scanner<'_>) -> Result<StatementKind<'t>, Problem> {
    let mut values = Vec::new();
    if scanner.at_end() {
        return Ok(StatementKind::Data(DataWidth(width), values));
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        // GNU as takes a missing value for zero.
        if scanner.peek() == b',' || scanner.at_end() {
            let value = missing(scanner);
            values.push(value);
        } else if let Some(value) = wide(scanner) {
            let message = format!("a number of more than 64 bits is cut off to {width} bytes");
            let mut warning = problem(start, scanner.at - start, message);
            warning.severity = Severity::Warning;
            scanner
                .warnings
                .push(warning.help("`.octa` takes 128 bits"));
            let bits = 8 * u32::from(width.min(8));
            let kept = (value as u64) << (64 - bits) >> (64 - bits);
            values.push(Expr::Number(kept.cast_signed()));
        } else {
            values.push(expression(scanner)?);
        }
        if !scanner.eat(b',') {
            return Ok(StatementKind::Data(DataWidth(width), values));
        }
    }
}

pub(super) fn octa<'t>(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
) -> Result<StatementKind<'t>, Problem> {
    let mut values = Vec::new();
    if scanner.at_end() {
        return Ok(StatementKind::Octa(values));
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        let value = if scanner.peek() == b',' || scanner.at_end() {
            0
        } else if let Some(value) = wide(scanner) {
            value.cast_signed()
        } else {
            let expr = expression(scanner)?;
            let width = scanner.at - start;
            let number = known(&expr, start, width, sink, "a value of `.octa`")?;
            // A number that fits 64 bits only without a sign has none.
            match scanner.text[start..].trim_start().as_bytes().first() {
                Some(b'0'..=b'9') if matches!(expr, Expr::Number(_)) => {
                    i128::from(number.cast_unsigned())
                }
                _ => i128::from(number),
            }
        };
        values.push(value.to_le_bytes());
        if !scanner.eat(b',') {
            return Ok(StatementKind::Octa(values));
        }
    }
}

pub(super) fn strings(scanner: &mut Scanner<'_>, terminated: bool) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    if scanner.at_end() {
        return Ok(bytes);
    }
    loop {
        string(scanner, &mut bytes)?;
        // `.ascii "a" "b"` is one string in GNU as, terminated once.
        scanner.skip_space();
        if scanner.peek() == b'"' {
            continue;
        }
        if terminated {
            bytes.push(0);
        }
        if !scanner.eat(b',') {
            return Ok(bytes);
        }
    }
}

/// `.uleb128` and `.sleb128`
pub(super) fn leb128<'t>(
    scanner: &mut Scanner<'_>,
    signed: bool,
) -> Result<StatementKind<'t>, Problem> {
    let mut values = Vec::new();
    let mut bytes = Vec::new();
    let mut has_wide = false;
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        if scanner.peek() == b',' || scanner.at_end() {
            values.push(missing(scanner));
            bytes.extend(wide_leb128(0, signed));
        } else if let Some(value) = wide(scanner) {
            has_wide = true;
            let value = value.cast_signed();
            if value < 0 && !signed {
                let message = "a negative number of more than 64 bits has no unsigned form";
                return Err(problem(start, scanner.at - start, message).help("use `.sleb128`"));
            }
            bytes.extend(wide_leb128(value, signed));
        } else {
            let value = expression(scanner)?;
            if let Expr::Number(number) = value {
                bytes.extend(leb128_of_bits(number, signed));
            }
            values.push(value);
        }
        if !scanner.eat(b',') {
            break;
        }
    }
    if !has_wide {
        return Ok(StatementKind::Leb128 { signed, values });
    }
    if values.iter().any(|value| !matches!(value, Expr::Number(_))) {
        let message = "symbols beside a number of more than 64 bits";
        return Err(problem(0, scanner.at, message).help("write them on lines of their own"));
    }
    Ok(StatementKind::Bytes(bytes))
}
