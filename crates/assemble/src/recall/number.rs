//! Numbers of instructions, and the classes that stand for them in keys.

use super::text::{Text, below_digits, each};

/// A number that a text may have: 0 where it has not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) is_there: bool,
}

impl Number {
    pub(super) const fn new(value: i64) -> Self {
        Self {
            value,
            is_there: true,
        }
    }
}

/// Where one class of immediates ends and the next begins: what fits signed and unsigned bytes,
/// words and doublewords, the same where a word or doubleword is read as signed, `shl $1` and
/// `int $3`.
const BORDERS: [i64; 16] = [
    -0x8000_0000,
    -0x8000,
    -0x80,
    1,
    2,
    3,
    4,
    0x80,
    0x100,
    0x8000,
    0xff80,
    0x1_0000,
    0x8000_0000,
    0xffff_8000,
    0xffff_ff80,
    0x1_0000_0000,
];

/// The class of an immediate. Both signs have one class, as long as they fit the same fields.
#[inline(always)]
pub(super) fn immediate_class(value: i64) -> u8 {
    const CLASSES: [u8; 17] = [
        // Below each border, and above the last.
        0x80, 0x81, 0x82, 0x83, 0x84, 0x83, 0x85, 0x83, 0x86, 0x82, 0x87, 0x88, 0x81, 0x89, 0x8a,
        0x8b, 0x8c,
    ];
    match value {
        // Most are small.
        4..0x80 => 0x83,
        _ => CLASSES[BORDERS.partition_point(|&border| border <= value)],
    }
}

/// Where one class of displacements ends and the next begins: what fits a signed byte, what fits a
/// doubleword, the same where addresses have 32 bits and wrap round, and none.
const DISPLACEMENTS: [i64; 8] = [
    -0x8000_0000,
    -0x80,
    0,
    1,
    0x80,
    0x8000_0000,
    0xffff_ff80,
    0x1_0000_0000,
];

/// The class of a displacement. They come in no order that a CPU could guess, so that there is no branch.
#[inline(always)]
pub(super) fn displacement_class(value: i64) -> u8 {
    const CLASSES: [u8; 9] = [0x97, 0x98, 0x99, 0x9a, 0x99, 0x98, 0x9b, 0x9c, 0x97];
    let above = DISPLACEMENTS.iter();
    let class = above
        .map(|&border| usize::from(border <= value))
        .sum::<usize>();
    CLASSES[class]
}

/// Whether an immediate is alone in its class.
pub(super) fn is_alone(value: i64) -> bool {
    matches!(value, 1 | 3)
}

/// Eight digits of a base that is 16 or less, of which each byte of `digits` is one, the first lowest.
#[inline(always)]
fn join(digits: u64, base: u64) -> u64 {
    let pairs = (digits * base + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * (base * base) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * (base * base * base * base) + (fours >> 32)) & 0xffff_ffff
}

/// Characters at the upper end of eight bytes, those of `0` before them.
#[inline(always)]
fn justified(bytes: u64, length: u32) -> u64 {
    bytes << (64 - 8 * length) | each(b'0') >> (8 * (length - 1)) >> 8
}

/// The value of up to eight hexadecimal digits.
#[inline(always)]
fn hexadecimal(bytes: u64, length: u32) -> Option<u64> {
    let bytes = justified(bytes, length);
    let letters = bytes >> 6 & each(1);
    let is_letter = letters * 0xff;
    let low = bytes & each(0x0f);
    let digits = low + letters * 9;
    // `0` to `9` have 3 in their upper half and at most 9 in the lower, `a` to `f` 4 or 6 and 1 to 6.
    let no_digit = (bytes ^ each(0x30)) & each(0xf0) | (low + each(6)) & each(0x10);
    let no_letter = bytes & each(0x90) | digits & each(0x10) | !(digits + each(6)) & each(0x10);
    let wrong = no_digit & !is_letter | no_letter & is_letter;
    (wrong == 0).then(|| join(digits, 16))
}

/// The value of up to eight decimal digits.
#[inline(always)]
fn decimal(bytes: u64, length: u32) -> Option<u64> {
    let bytes = justified(bytes, length);
    let digits = bytes & each(0x0f);
    let wrong = (bytes ^ each(0x30)) & each(0xf0) | (digits + each(6)) & each(0x10);
    (wrong == 0).then(|| join(digits, 10))
}

/// A number that ends its part of an operand, and where it ends.
#[inline(always)]
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(i64, usize)> {
    let is_negative = text.byte(at) == b'-';
    let at = at + usize::from(is_negative);
    let mut bytes = text.eight(at);
    let is_hexadecimal = bytes & 0xffff == 0x7830;
    let begin = if is_hexadecimal { at + 2 } else { at };
    if is_hexadecimal {
        bytes = text.eight(begin);
    }
    let length = below_digits(bytes).trailing_zeros() / 8;
    let (value, end) = match length {
        0 => return None,
        8.. => long(text, begin, is_hexadecimal)?,
        _ => {
            let value = if is_hexadecimal {
                hexadecimal(bytes, length)
            } else if bytes as u8 == b'0' && length > 1 {
                // Octal numbers are rare.
                None
            } else {
                decimal(bytes, length)
            };
            (value?, begin + length as usize)
        }
    };
    let sign = u64::from(is_negative).wrapping_neg();
    let value = ((value ^ sign).wrapping_sub(sign)).cast_signed();
    matches!(text.byte(end), b'\n' | b',' | b'(').then_some((value, end))
}

/// A number of more digits, without its sign.
#[cold]
fn long(text: &Text<'_>, begin: usize, is_hexadecimal: bool) -> Option<(u64, usize)> {
    // Those that may not fit are left alone.
    let (base, most) = if is_hexadecimal { (16, 16) } else { (10, 18) };
    let mut at = begin;
    let mut value = 0_u64;
    while let Some(digit) = char::from(text.byte(at)).to_digit(base) {
        value = value
            .wrapping_mul(u64::from(base))
            .wrapping_add(u64::from(digit));
        at += 1;
    }
    let is_octal = !is_hexadecimal && text.byte(begin) == b'0';
    (at > begin && at - begin <= most && !is_octal).then_some((value, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(i64, usize)> {
        read(&Text(text.as_bytes()), 0)
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0", 0),
            ("7", 7),
            ("1234567", 1_234_567),
            ("-12", -12),
            ("12345678", 12_345_678),
            ("123456789012345678", 123_456_789_012_345_678),
            ("0x0", 0),
            ("-0xfedcba9", -0xfed_cba9),
            ("0xABcdef", 0xab_cdef),
            ("0x12345678", 0x1234_5678),
            ("0xffffffffffffffff", -1),
            ("-0x8000000000000000", i64::MIN),
        ] {
            for end in ["", "\n", ",%eax", "(%rax)"] {
                let text = format!("{text}{end}");
                assert_eq!(
                    value(&text),
                    Some((expected, text.len() - end.len())),
                    "{text}"
                );
            }
        }
        for text in [
            "",
            "-",
            "0x",
            "012",
            "00",
            "1a",
            "12345678a",
            "0x1g",
            "0x1`",
            "0x@1",
            "0x1P",
            "0x1p",
            "0x:1",
            "1:",
            "1;",
            "1b",
            "0x1\u{e9}",
            "1/2",
            "1+2",
            "1 ",
            "0x11111111111111111",
            "1234567890123456789",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
