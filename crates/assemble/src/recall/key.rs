//! What of an instruction's text decides how it is encoded.

/// Longest text that is looked at, in bytes. No key is longer than its text.
const LONGEST_TEXT: usize = 64;
/// Longest key; few are half as long.
const LONGEST: usize = 32;
/// Most registers whose numbers are left open: the most that an instruction has.
pub(super) const MOST_REGISTERS: usize = 6;

/// A key, to compare and hash.
pub(super) type Words = [u64; LONGEST / 8];

/// What a key leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    /// Low three bits of the registers' numbers, in the text's order.
    pub(super) registers: [u8; MOST_REGISTERS],
    pub(super) count: usize,
    pub(super) displacement: Option<i64>,
    pub(super) immediate: Option<i64>,
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

/// A hash of the words up to the first zero one, behind which there are only more.
pub(super) fn hash(words: &Words) -> usize {
    let mut hash = 0_u64;
    for word in words.iter().take_while(|&&word| word != 0) {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as usize
}

/// Whether two keys are the same, with no call to compare so few bytes.
pub(super) fn is_same(a: &Words, b: &Words) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    differ == 0
}

/// Where one class of numbers ends and the next begins: what fits signed and unsigned bytes, words
/// and doublewords, the same where a word or doubleword is read as signed, no displacement, `shl
/// $1`, `int $3` and four-bit immediates.
const BORDERS: [i64; 18] = [
    -0x8000_0000,
    -0x8000,
    -0x80,
    0,
    1,
    2,
    3,
    4,
    0x10,
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

/// The class of a number.
fn class(value: i64) -> u8 {
    let after = match value {
        // Most are small.
        0x10..0x80 => 9,
        -0x80..0 => 3,
        0x100..0x8000 => 11,
        0x1_0000..0x8000_0000 => 14,
        -0x8000..-0x80 => 2,
        _ => BORDERS.partition_point(|&border| border <= value),
    };
    0x80 + u8::try_from(after).unwrap_or(0)
}

/// Whether a number is alone in its class.
pub(super) fn is_alone(value: i64) -> bool {
    (0..4).contains(&value)
}

/// First of the bytes that stand for registers.
const REGISTERS: u8 = 0xa0;

/// The number of a general register of the first eight, by the last two letters of its name.
fn legacy(a: u8, b: u8) -> Option<u8> {
    const NAMES: [&[u8; 2]; 8] = [b"ax", b"cx", b"dx", b"bx", b"sp", b"bp", b"si", b"di"];
    // The letters' low bits tell the eight apart.
    const PLACES: [u8; 16] = {
        let mut places = [0; 16];
        let mut number = 0;
        while number < 8 {
            places[place(NAMES[number as usize])] = number;
            number += 1;
        }
        places
    };
    const fn place(name: &[u8; 2]) -> usize {
        ((name[0] as usize) << 1 ^ name[1] as usize) & 15
    }
    let number = PLACES[place(&[a, b])];
    (*NAMES[usize::from(number)] == [a, b]).then_some(number)
}

/// One or two digits.
fn index(digits: &[u8]) -> Option<u8> {
    match digits {
        [a @ b'0'..=b'9'] => Some(a - b'0'),
        [a @ b'1'..=b'9', b @ b'0'..=b'9'] => Some((a - b'0') * 10 + (b - b'0')),
        _ => None,
    }
}

/// A register by its name: the class that stands for it, and its number. `None` for those that
/// are rare or of a kind of their own.
fn register(name: &[u8], is_address: bool) -> Option<(u8, u8)> {
    let (kind, number) = match *name {
        [b'r', a, b] if a.is_ascii_alphabetic() => (0, legacy(a, b)?),
        [b'e', a, b] => (1, legacy(a, b)?),
        [b'r', ref digits @ .., b'd'] => (1, index(digits)?),
        [b'r', ref digits @ .., b'w'] => (2, index(digits)?),
        [b'r', ref digits @ .., b'b'] => (3, index(digits)?),
        [b'r', ref digits @ ..] => (0, index(digits)?),
        [letter @ b'x'..=b'z', b'm', b'm', ref digits @ ..] => {
            let number = index(digits).filter(|&number| number < 32)?;
            // The first one is implied by some; those above 7 and 15 need bits in the prefix.
            let part = if number == 0 { 4 } else { number / 8 };
            return Some((24 + (letter - b'x') * 5 + part, number));
        }
        _ => return None,
    };
    if number > 15 || (name.len() != 3 && number < 8) {
        return None;
    }
    let class = if is_address {
        // The stack and frame pointers and those with their low bits are encoded otherwise.
        match number {
            4 => 2,
            5 => 3,
            12 => 4,
            13 => 5,
            _ => number / 8,
        }
    } else {
        match number {
            0 => 2,
            _ => number / 8,
        }
    };
    // Addresses have two kinds, operands four.
    let first = if is_address { 12 + kind * 6 } else { kind * 3 };
    (kind < 2 || !is_address).then_some((first + class, number))
}

/// Letters and digits.
static WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        word[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    word
};

/// Length of the word at `at`.
fn word_length(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.iter().position(|&byte| !WORD[usize::from(byte)]);
    end.unwrap_or(rest.len())
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

    #[inline(always)]
    /// Copies letters and digits from `at` on. Where they end.
    fn word(&mut self, text: &[u8], at: usize) -> usize {
        let length = word_length(text, at);
        for &byte in &text[at..at + length] {
            self.push(byte);
        }
        at + length
    }

    #[inline(always)]
    /// Takes `%` and a register. Where it ends.
    fn register(&mut self, text: &[u8], at: usize, is_address: bool) -> Option<usize> {
        if text.get(at) != Some(&b'%') {
            return None;
        }
        let at = at + 1;
        let length = word_length(text, at);
        let free = self.numbers.count;
        let found = register(&text[at..at + length], is_address);
        let Some((class, number)) = found.filter(|_| free < MOST_REGISTERS) else {
            self.push(b'%');
            return Some(self.word(text, at));
        };
        self.push(REGISTERS + class);
        self.numbers.registers[free] = number & 7;
        self.numbers.count += 1;
        Some(at + length)
    }

    #[inline(always)]
    /// Takes `(base,index,scale)`. Where it ends.
    fn address(&mut self, text: &[u8], at: usize) -> Option<usize> {
        self.push(b'(');
        let mut at = at + 1;
        if text.get(at) == Some(&b'%') {
            at = self.register(text, at, true)?;
        }
        if text.get(at) == Some(&b',') {
            self.push(b',');
            at = self.register(text, at + 1, true)?;
            if let (Some(b','), Some(&scale @ (b'1' | b'2' | b'4' | b'8'))) =
                (text.get(at), text.get(at + 1))
            {
                self.push(scale);
                at += 2;
            }
        }
        self.push(b')');
        (text.get(at) == Some(&b')')).then_some(at + 1)
    }

    #[inline(always)]
    /// Takes one operand. Where it ends.
    fn operand(&mut self, text: &[u8], mut at: usize, is_scaled: bool) -> Option<usize> {
        let mut first = *text.get(at)?;
        if first == b'*' {
            self.push(first);
            at += 1;
            first = *text.get(at)?;
        }
        if first == b'%' {
            at = self.register(text, at, false)?;
            if text.get(at) != Some(&b':') {
                return Some(at);
            }
            self.push(b':');
            at += 1;
            first = *text.get(at)?;
        }
        match first {
            b'$' if self.numbers.immediate.is_none() => {
                let (value, end) = number(text, at + 1)?;
                self.numbers.immediate = Some(value);
                self.push(b'$');
                self.push(class(value));
                return Some(end);
            }
            b'-' | b'0'..=b'9' if self.numbers.displacement.is_none() => {
                let (value, end) = number(text, at)?;
                if is_scaled {
                    for &byte in &text[at..end] {
                        self.push(byte);
                    }
                } else {
                    self.numbers.displacement = Some(value);
                    self.push(class(value));
                }
                if text.get(end) != Some(&b'(') {
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

    /// The key of a text. `None` where more than registers and plain numbers stands in it.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let mut key = Self::default();
        let mut at = key.word(text, 0);
        if at == text.len() {
            return (key.length <= LONGEST).then_some(key);
        }
        if at == 0 || !is_blank(text[at]) {
            return None;
        }
        // EVEX scales displacements, so that they count as they are.
        let is_scaled = text[0] | 0x20 == b'v';
        key.push(b' ');
        loop {
            at = skip_blanks(text, at + 1);
            at = key.operand(text, at, is_scaled)?;
            while text.get(at) == Some(&b'{') {
                let length = text[at..].iter().position(|&byte| byte == b'}')?;
                for &byte in &text[at..=at + length] {
                    key.push(Some(byte).filter(u8::is_ascii)?);
                }
                at += length + 1;
            }
            match text.get(at) {
                None => return (key.length <= LONGEST).then_some(key),
                Some(b',') => key.push(b','),
                Some(_) => return None,
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

fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).copied().is_some_and(is_blank) {
        at += 1;
    }
    at
}

/// A number that ends its part of an operand, and where it ends.
fn number(text: &[u8], mut at: usize) -> Option<(i64, usize)> {
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(negative);
    let mut value = 0_u64;
    if text.get(at) == Some(&b'0') && text.get(at + 1) == Some(&b'x') {
        at += 2;
        let begin = at;
        while let Some(&byte) = text.get(at) {
            let digit = DIGITS[usize::from(byte)];
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
        while let Some(byte @ b'0'..=b'9') = text.get(at) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            at += 1;
        }
        // Octal numbers are rare, and so are those that may not fit.
        if at == begin || at - begin > 18 || (text[begin] == b'0' && at - begin > 1) {
            return None;
        }
    }
    let value = value.cast_signed();
    let value = if negative {
        value.wrapping_neg()
    } else {
        value
    };
    matches!(text.get(at), None | Some(b',' | b'(')).then_some((value, at))
}
