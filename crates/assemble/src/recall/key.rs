//! What of an instruction's text decides how it is encoded.

use super::registers;

/// Longest text that is looked at, in bytes. No key is longer than its text.
const LONGEST_TEXT: usize = 64;
/// Longest key; few are half as long.
const LONGEST: usize = 32;
/// Most registers whose numbers are left open: the most that an instruction has.
pub(super) const MOST_REGISTERS: usize = 6;

/// A key, to compare and hash.
pub(super) type Words = [u64; LONGEST / 8];

/// A text that reads as zeros behind its end.
struct Text<'t>(&'t [u8]);

impl Text<'_> {
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// The eight bytes at `at`, the first lowest.
    #[inline(always)]
    fn eight(&self, at: usize) -> u64 {
        if let Some(bytes) = self.0.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            return u64::from_le_bytes(*bytes);
        }
        let left = self.0.len().saturating_sub(at) * 8;
        match self.0.last_chunk::<8>() {
            Some(_) if left == 0 => 0,
            Some(bytes) => u64::from_le_bytes(*bytes) >> (64 - left),
            None => (at..self.0.len())
                .rev()
                .fold(0, |bytes, at| bytes << 8 | u64::from(self.0[at])),
        }
    }
}

/// A number that a text may have: 0 where it has not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) is_there: bool,
}

impl Number {
    const fn new(value: i64) -> Self {
        Self {
            value,
            is_there: true,
        }
    }
}

/// What a key leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    /// Low three bits of the registers' numbers, in the text's order, then zeros.
    pub(super) registers: [u8; MOST_REGISTERS + 1],
    pub(super) count: usize,
    pub(super) displacement: Number,
    pub(super) immediate: Number,
}

/// A text's key: registers and numbers stand in it by their class, a byte that no text has.
///
/// It is made for each line of a text. Its parts are inlined so that its length stays in a register.
#[derive(Debug)]
pub(super) struct Key {
    bytes: [u8; LONGEST_TEXT],
    length: usize,
    pub(super) numbers: Numbers,
}

impl Default for Key {
    fn default() -> Self {
        Self {
            bytes: [0; LONGEST_TEXT],
            length: 0,
            numbers: Numbers::default(),
        }
    }
}

pub(super) fn hash(words: &Words) -> usize {
    let mut hash = 0_u64;
    for word in words {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as usize
}

/// Whether two keys are the same, with no call to compare so few bytes.
pub(super) fn is_same(a: &Words, b: &Words) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    differ == 0
}

/// Where one class of immediates ends and the next begins: what fits signed and unsigned bytes,
/// words and doublewords, the same where a word or doubleword is read as signed, `shl $1` and
/// `int $3`.
const BORDERS: [i64; 17] = [
    -0x8000_0000,
    -0x8000,
    -0x80,
    0,
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

/// The class of an immediate.
fn immediate_class(value: i64) -> u8 {
    let after = match value {
        // Most are small.
        4..0x80 => 8,
        -0x80..0 => 3,
        _ => BORDERS.partition_point(|&border| border <= value),
    };
    0x80 + u8::try_from(after).unwrap_or(0)
}

/// The class of a displacement: what fits a signed byte, what fits a doubleword, the same where
/// addresses have 32 bits and wrap round, and none.
fn displacement_class(value: i64) -> u8 {
    match value {
        0 => 0x98,
        1..0x80 => 0x99,
        -0x80..0 => 0x9a,
        0x80..0x8000_0000 => 0x9b,
        -0x8000_0000..-0x80 => 0x9c,
        0x8000_0000..0xffff_ff80 => 0x9d,
        0xffff_ff80..0x1_0000_0000 => 0x9e,
        _ => 0x9f,
    }
}

/// Whether an immediate is alone in its class.
pub(super) fn is_alone(value: i64) -> bool {
    (0..4).contains(&value)
}

/// Eight times the length of the word that starts in the lowest of eight bytes. A byte that ends
/// words may be taken for a letter here, and be found out where the word is looked up.
#[inline(always)]
fn word_bits(bytes: u64) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGH;
    // Below `0` are the end, blanks, `,` and parentheses.
    let low = bytes.wrapping_sub(0x30 * ONES) & !bytes & HIGH;
    let ends = low | zero(bytes ^ (0x3a * ONES)) | zero(bytes ^ (0x7b * ONES));
    ends.trailing_zeros() & !7
}

/// The lowest bits of eight bytes.
#[inline(always)]
fn keep(bytes: u64, bits: u32) -> u64 {
    if bits >= 64 {
        bytes
    } else {
        bytes & ((1 << bits) - 1)
    }
}

impl Key {
    /// The key, zeros behind its end.
    pub(super) fn words(&self) -> Words {
        let (chunks, _) = self.bytes.as_chunks::<8>();
        std::array::from_fn(|index| u64::from_le_bytes(chunks[index]))
    }

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length % LONGEST_TEXT] = byte;
        self.length += 1;
    }

    /// Copies letters and digits from `at` on. Where they end.
    #[inline(always)]
    fn word(&mut self, text: &Text<'_>, mut at: usize) -> usize {
        while text.byte(at).is_ascii_alphanumeric() {
            self.push(text.byte(at));
            at += 1;
        }
        at
    }

    /// Takes `%` and a register. Where it ends.
    #[inline(always)]
    fn register(&mut self, text: &Text<'_>, at: usize, is_address: bool) -> Option<usize> {
        if text.byte(at) != b'%' {
            return None;
        }
        let bytes = text.eight(at + 1);
        let bits = word_bits(bytes);
        let free = self.numbers.count;
        let found = registers::find(keep(bytes, bits));
        let class = if is_address {
            found.address
        } else {
            found.operand
        };
        if class == 0 || free >= MOST_REGISTERS {
            self.push(b'%');
            return Some(self.word(text, at + 1));
        }
        self.push(class);
        self.numbers.registers[free] = found.number;
        self.numbers.count += 1;
        Some(at + 1 + bits as usize / 8)
    }

    /// Takes `(base,index,scale)`. Where it ends.
    #[inline(always)]
    fn address(&mut self, text: &Text<'_>, at: usize) -> Option<usize> {
        self.push(b'(');
        let mut at = at + 1;
        if text.byte(at) == b'%' {
            at = self.register(text, at, true)?;
        }
        if text.byte(at) == b',' {
            self.push(b',');
            at = self.register(text, at + 1, true)?;
            if let (b',', scale @ (b'1' | b'2' | b'4' | b'8')) = (text.byte(at), text.byte(at + 1))
            {
                self.push(scale);
                at += 2;
            }
        }
        self.push(b')');
        (text.byte(at) == b')').then_some(at + 1)
    }

    /// Takes one operand. Where it ends.
    #[inline(always)]
    fn operand(&mut self, text: &Text<'_>, mut at: usize, is_scaled: bool) -> Option<usize> {
        let mut first = text.byte(at);
        if first == b'*' {
            self.push(first);
            at += 1;
            first = text.byte(at);
        }
        if first == b'%' {
            at = self.register(text, at, false)?;
            if text.byte(at) != b':' {
                return Some(at);
            }
            self.push(b':');
            at += 1;
            first = text.byte(at);
        }
        match first {
            b'$' if !self.numbers.immediate.is_there => {
                let (value, end) = number(text, at + 1)?;
                self.numbers.immediate = Number::new(value);
                self.push(b'$');
                self.push(immediate_class(value));
                return Some(end);
            }
            b'-' | b'0'..=b'9' if !self.numbers.displacement.is_there => {
                let (value, end) = number(text, at)?;
                if is_scaled {
                    for place in at..end {
                        self.push(text.byte(place));
                    }
                } else {
                    self.numbers.displacement = Number::new(value);
                    self.push(displacement_class(value));
                }
                if text.byte(end) != b'(' {
                    return Some(end);
                }
                at = end;
            }
            b'(' => {}
            // `{rn-sae}` and the like.
            b'{' => return Some(at),
            _ => return None,
        }
        self.address(text, at)
    }

    /// Reads a text. Whether nothing but registers and plain numbers stands in it.
    pub(super) fn read(&mut self, text: &[u8]) -> bool {
        text.len() <= LONGEST_TEXT && self.parts(&Text(text)).is_some() && self.length <= LONGEST
    }

    #[inline(always)]
    fn parts(&mut self, text: &Text<'_>) -> Option<()> {
        self.bytes = [0; LONGEST_TEXT];
        self.numbers = Numbers::default();
        // Few names of instructions are longer than eight letters.
        let bytes = text.eight(0);
        let bits = word_bits(bytes);
        let begin = keep(bytes, bits);
        self.bytes[..8].copy_from_slice(&begin.to_le_bytes());
        self.length = bits as usize / 8;
        let mut at = self.word(text, self.length);
        if at == text.0.len() {
            return Some(());
        }
        if at == 0 || !is_blank(text.byte(at)) {
            return None;
        }
        // EVEX scales displacements, so that they count as they are.
        let is_scaled = text.byte(0) | 0x20 == b'v';
        self.push(b' ');
        loop {
            at += 1;
            while is_blank(text.byte(at)) {
                at += 1;
            }
            at = self.operand(text, at, is_scaled)?;
            while text.byte(at) == b'{' {
                loop {
                    let byte = text.byte(at);
                    self.push(byte);
                    at += 1;
                    match byte {
                        b'}' => break,
                        0 | 0x80.. => return None,
                        _ => {}
                    }
                }
            }
            match text.byte(at) {
                0 => return Some(()),
                b',' => self.push(b','),
                _ => return None,
            }
        }
    }
}

/// Values of hexadecimal digits in lower case; 16 for what is none.
static DIGITS: [u8; 256] = {
    let mut digits = [16; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A number that ends its part of an operand, and where it ends.
fn number(text: &Text<'_>, mut at: usize) -> Option<(i64, usize)> {
    let negative = text.byte(at) == b'-';
    at += usize::from(negative);
    let mut value = 0_u64;
    if text.byte(at) == b'0' && text.byte(at + 1) == b'x' {
        at += 2;
        let begin = at;
        loop {
            let digit = DIGITS[usize::from(text.byte(at))];
            if digit > 15 {
                break;
            }
            value = value << 4 | u64::from(digit);
            at += 1;
        }
        if at == begin || at - begin > 16 {
            return None;
        }
    } else {
        let begin = at;
        while let byte @ b'0'..=b'9' = text.byte(at) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            at += 1;
        }
        // Octal numbers are rare, and so are those that may not fit.
        if at == begin || at - begin > 18 || (text.byte(begin) == b'0' && at - begin > 1) {
            return None;
        }
    }
    let value = value.cast_signed();
    let value = if negative {
        value.wrapping_neg()
    } else {
        value
    };
    matches!(text.byte(at), 0 | b',' | b'(').then_some((value, at))
}
