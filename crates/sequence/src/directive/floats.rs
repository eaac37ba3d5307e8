//! Floating-point numbers, to the bits that GNU as makes of them.

use num_bigint::BigUint;

use super::after_comma;
use crate::scanner::{Helped, Scanner, problem};
use crate::{Expr, Problem, Sink, StatementKind};

/// A format of floating-point numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Bits of the significand, the first one included.
    precision: u32,
    /// Bits of the exponent.
    exponent: u32,
    /// Whether the first bit of the significand is written, as x87's is.
    is_explicit: bool,
    /// Bytes.
    width: usize,
    /// A number below two to the power of this, negated, is none to GNU as; those above it and too small
    /// are 0.
    least: i64,
}

/// `.hfloat`
pub(super) const HALF: Format = Format {
    precision: 11,
    exponent: 5,
    is_explicit: false,
    width: 2,
    least: 35,
};
/// `.bfloat16`
pub(super) const BRAIN: Format = Format {
    precision: 8,
    exponent: 8,
    is_explicit: false,
    width: 2,
    least: 141,
};
/// `.float`
pub(super) const SINGLE: Format = Format {
    precision: 24,
    exponent: 8,
    is_explicit: false,
    width: 4,
    least: 157,
};
/// `.double`
pub(super) const DOUBLE: Format = Format {
    precision: 53,
    exponent: 11,
    is_explicit: false,
    width: 8,
    least: 1_079,
};
/// `.tfloat`
pub(super) const EXTENDED: Format = Format {
    precision: 64,
    exponent: 15,
    is_explicit: true,
    width: 10,
    least: 16_446,
};

/// Decimal exponents beyond which every format has nothing left.
const MOST_EXPONENT: i64 = 6000;

/// Digits that one number may have.
const MOST_DIGITS: usize = 10_000;

/// A number as written.
enum Written {
    Nan {
        is_quiet: bool,
    },
    Infinity,
    /// A whole number and a power of ten.
    Finite(BigUint, i64),
}

impl Format {
    /// Sign, exponent and significand, the first bit of which is left out where it is not written.
    fn bits(self, is_negative: bool, exponent: u64, significand: u128) -> u128 {
        let stored = self.precision - u32::from(!self.is_explicit);
        let kept = significand & ((1 << stored) - 1);
        let sign = u128::from(is_negative) << (stored + self.exponent);
        sign | u128::from(exponent) << stored | kept
    }

    fn special(self, is_negative: bool, written: &Written) -> u128 {
        let all = (1_u128 << self.precision) - 1;
        let top = 1_u128 << (self.precision - 1);
        let significand = match written {
            Written::Nan { is_quiet: true } => all,
            Written::Nan { is_quiet: false } => all & !(top >> 1),
            _ => top,
        };
        self.bits(is_negative, (1 << self.exponent) - 1, significand)
    }

    /// The bits of `digits` times a power of ten, if there are such.
    ///
    /// What is exactly between two numbers goes away from zero where it is whole, and else towards zero:
    /// GNU as works with powers of ten that are a little too small.
    fn finite(self, is_negative: bool, digits: &BigUint, power: i64) -> Option<u128> {
        if digits.bits() == 0 {
            return Some(self.bits(is_negative, 0, 0));
        }
        let ten = BigUint::from(10_u32).pow(u32::try_from(power.unsigned_abs()).ok()?);
        let (above, below) = if power < 0 {
            (digits.clone(), ten)
        } else {
            (digits * ten, BigUint::from(1_u32))
        };
        let lowest = 2 - (1_i64 << (self.exponent - 1));
        let precision = i64::from(self.precision);
        // At most one too large.
        let mut exponent = i64::try_from(above.bits()).ok()? - i64::try_from(below.bits()).ok()?;
        let (mut whole, mut rest, mut unit);
        loop {
            let quantum = exponent.max(lowest) - precision + 1;
            let (above, scaled) = if quantum < 0 {
                (&above << quantum.unsigned_abs(), below.clone())
            } else {
                (above.clone(), &below << quantum.unsigned_abs())
            };
            whole = &above / &scaled;
            rest = above - &whole * &scaled;
            unit = scaled;
            if whole.bits() >= u64::from(self.precision) || exponent <= lowest {
                break;
            }
            exponent -= 1;
        }
        if whole.bits() < u64::from(self.precision) {
            // The number's own exponent, however few bits are left of it.
            let size = |number: &BigUint| i64::try_from(number.bits()).unwrap_or(i64::MAX);
            let mut own = size(&above) - size(&below);
            let is_less = if own < 0 {
                &above << own.unsigned_abs() < below
            } else {
                above < &below << own.unsigned_abs()
            };
            own -= i64::from(is_less);
            if own < -self.least {
                return None;
            }
        }
        let twice = rest * 2_u32;
        if twice > unit || (twice == unit && power >= 0) {
            whole += 1_u32;
        }
        let highest = (1_i64 << (self.exponent - 1)) - 1;
        if exponent > highest {
            return None;
        }
        let mut significand = u128::try_from(&whole).ok()?;
        let mut exponent = exponent.max(lowest);
        if significand >> self.precision != 0 {
            significand >>= 1;
            exponent += 1;
            if exponent > highest {
                // GNU as makes infinity of it in the narrow formats alone.
                return (self.precision <= 24)
                    .then(|| self.special(is_negative, &Written::Infinity));
            }
        }
        let is_normal = significand >> (self.precision - 1) != 0;
        let biased = if is_normal { exponent + highest } else { 0 };
        Some(self.bits(is_negative, biased.cast_unsigned(), significand))
    }
}

/// Reads a number: `1.5`, `-1e3`, `0f1.5`, `nan`, `inf`. One that is missing is 0.
fn number(scanner: &mut Scanner<'_>, format: Format) -> Result<Vec<u8>, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    // GNU as takes `0f1.5`, `0d1.5` and any other letter for 1.5.
    if scanner.peek() == b'0' && scanner.byte(start + 1).is_ascii_alphabetic() {
        scanner.at += 2;
    }
    let is_negative = scanner.peek() == b'-';
    if matches!(scanner.peek(), b'+' | b'-') {
        scanner.at += 1;
    }
    let written = match word(scanner) {
        Some(special) => special,
        None => finite(scanner, start)?,
    };
    let bits = match &written {
        Written::Finite(digits, power) => format.finite(is_negative, digits, *power),
        special => Some(format.special(is_negative, special)),
    };
    let Some(bits) = bits else {
        let width = scanner.at - start;
        return Err(out_of_range(start, width));
    };
    let mut bytes = bits.to_le_bytes()[..format.width.min(16)].to_vec();
    bytes.resize(format.width, 0);
    Ok(bytes)
}

fn out_of_range(at: usize, width: usize) -> Problem {
    problem(
        at,
        width,
        "this number is too large or too small for its format",
    )
    .help("use a wider format, or write `inf` or 0")
}

/// A number that is a word.
fn word(scanner: &mut Scanner<'_>) -> Option<Written> {
    let rest = scanner.rest();
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let written = match rest[..length].to_ascii_lowercase().as_str() {
        "nan" | "qnan" => Written::Nan { is_quiet: true },
        "snan" => Written::Nan { is_quiet: false },
        "inf" | "infinity" => Written::Infinity,
        _ => return None,
    };
    scanner.at += length;
    Some(written)
}

fn finite(scanner: &mut Scanner<'_>, start: usize) -> Result<Written, Problem> {
    let mut digits = String::new();
    let mut power = 0_i64;
    let mut is_fraction = false;
    loop {
        match scanner.peek() {
            digit @ b'0'..=b'9' => {
                digits.push(char::from(digit));
                power -= i64::from(is_fraction);
            }
            b'.' if !is_fraction => is_fraction = true,
            _ => break,
        }
        scanner.at += 1;
    }
    if digits.len() > MOST_DIGITS {
        let message = format!("a number of more than {MOST_DIGITS} digits");
        return Err(problem(start, scanner.at - start, message).help("round it"));
    }
    if is_fraction {
        // A fraction of zeros is none.
        let behind = power.unsigned_abs();
        let zeros = digits.bytes().rev().take_while(|&digit| digit == b'0');
        let zeros = zeros.count().min(usize::try_from(behind).unwrap_or(0));
        digits.truncate(digits.len() - zeros);
        power += i64::try_from(zeros).unwrap_or(0);
    }
    if matches!(scanner.peek(), b'e' | b'E') && scanner.at > start {
        power += exponent(scanner);
    }
    let value = digits.parse::<BigUint>().unwrap_or_default();
    let magnitude = power + i64::try_from(digits.len()).unwrap_or(0);
    if value.bits() == 0 || magnitude < -MOST_EXPONENT {
        return Ok(Written::Finite(BigUint::default(), 0));
    }
    if magnitude > MOST_EXPONENT {
        return Err(problem(
            start,
            scanner.at - start,
            "this number is too large for its format",
        )
        .help("write `inf`"));
    }
    Ok(Written::Finite(value, power))
}

/// Takes `e+5` and the like, whose digits may be missing.
fn exponent(scanner: &mut Scanner<'_>) -> i64 {
    scanner.at += 1;
    let is_negative = scanner.peek() == b'-';
    if matches!(scanner.peek(), b'+' | b'-') {
        scanner.at += 1;
    }
    let mut exponent = 0_i64;
    while let digit @ b'0'..=b'9' = scanner.peek() {
        exponent = (exponent * 10 + i64::from(digit - b'0')).min(1 << 40);
        scanner.at += 1;
    }
    if is_negative { -exponent } else { exponent }
}

/// `.float 1.5, -2`
pub(super) fn floats<'t>(
    scanner: &mut Scanner<'_>,
    format: Format,
) -> Result<StatementKind<'t>, Problem> {
    let mut bytes = Vec::new();
    if scanner.at_end() {
        return Ok(StatementKind::Float(bytes));
    }
    loop {
        bytes.extend(number(scanner, format)?);
        if !scanner.eat(b',') {
            return Ok(StatementKind::Float(bytes));
        }
    }
}

/// Most bytes of one number, repeated.
const MOST_REPEATED: usize = 16 << 20;

/// An element as often as `count` says, which must be known now.
fn repeated<'t>(
    count: &Expr,
    at: usize,
    width: usize,
    element: &[u8],
    sink: &mut dyn Sink,
) -> Result<StatementKind<'t>, Problem> {
    let count = super::known(count, at, width, sink, "the count")?.max(0);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count.saturating_mul(element.len()) > MOST_REPEATED {
        let message = format!("more than {} MiB", MOST_REPEATED >> 20);
        return Err(problem(at, width, message).help("use a smaller count"));
    }
    Ok(StatementKind::Float(element.repeat(count)))
}

/// `.dcb.d COUNT, NUMBER`
pub(super) fn repeated_float<'t>(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    format: Format,
) -> Result<StatementKind<'t>, Problem> {
    let start = scanner.at;
    let count = crate::expr_parse::expression(scanner)?;
    let width = scanner.at - start;
    super::comma(scanner)?;
    let element = number(scanner, format)?;
    repeated(&count, start, width, &element, sink)
}

/// `.ds.x COUNT, VALUE`: ten bytes each, of which the value has eight.
pub(super) fn repeated_ten<'t>(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
) -> Result<StatementKind<'t>, Problem> {
    let start = scanner.at;
    let count = crate::expr_parse::expression(scanner)?;
    let width = scanner.at - start;
    let value = match after_comma(scanner)? {
        Some(value) => super::known(&value, start, scanner.at - start, sink, "the value")?,
        None => 0,
    };
    let mut element = value.to_le_bytes().to_vec();
    element.resize(10, 0);
    repeated(&count, start, width, &element, sink)
}
