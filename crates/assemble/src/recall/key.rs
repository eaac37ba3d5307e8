//! What of an instruction's text decides how it is encoded.

use super::number::{self, Number, displacement_class, immediate_class};
use super::registers;
use super::text::{Text, is_blank, keep, word_bits};

/// Most registers whose numbers are left open: the most that an instruction has.
pub(super) const MOST_REGISTERS: usize = 6;

/// The name of an instruction and its operands, in which registers and numbers stand by their class, a
/// byte that no text has.
pub(super) type Words = [u64; 4];

/// What a key leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    /// Low three bits of the registers' numbers, a byte each, the text's first one lowest.
    pub(super) registers: u64,
    pub(super) count: usize,
    pub(super) displacement: Number,
    pub(super) immediate: Number,
}

impl Numbers {
    /// The low three bits of a register's number; 0 where there is none.
    #[inline(always)]
    pub(super) fn register(&self, index: u8) -> u64 {
        self.registers >> (8 * u32::from(index & 7)) & 7
    }
}

/// A text's key.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key {
    pub(super) words: Words,
    pub(super) numbers: Numbers,
    /// Where the line ends that it was read from: at the end of the text, or at a line feed.
    pub(super) end: usize,
}

/// A hash of which the lower half is good. The words are multiplied at once, not one after another.
pub(super) fn hash(words: &Words) -> usize {
    let [a, b, c, d] = *words;
    let a = a.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let b = b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let c = c.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let d = d.wrapping_mul(0xa076_1d64_78bd_642f);
    let hash = a ^ b.rotate_left(17) ^ c.rotate_left(31) ^ d.rotate_left(47);
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

/// Whether two keys are the same, with no call to compare so few bytes.
pub(super) fn is_same(a: &Words, b: &Words) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    differ == 0
}

/// Reads a key. It is made for each line of a text: all of its parts are inlined, so that what they
/// have found stays in registers of the CPU.
struct Reader<'t> {
    text: Text<'t>,
    at: usize,
    /// What operands have been, the last byte lowest.
    shape: u128,
    /// Not 0 if they were more than fit.
    lost: u8,
    numbers: Numbers,
}

impl Reader<'_> {
    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.lost |= (self.shape >> 120) as u8;
        self.shape = self.shape << 8 | u128::from(byte);
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text.byte(self.at)
    }

    /// Takes `%` and a register.
    #[inline(always)]
    fn register(&mut self, is_address: bool) -> Option<()> {
        if self.byte() != b'%' {
            return None;
        }
        let bytes = self.text.eight(self.at + 1);
        let bits = word_bits(bytes);
        let found = registers::find(keep(bytes, bits));
        let class = if is_address {
            found.address
        } else {
            found.operand
        };
        let free = self.numbers.count;
        if class == 0 || free >= MOST_REGISTERS {
            self.push(b'%');
            self.at += 1;
            while self.byte().is_ascii_alphanumeric() {
                self.push(self.byte());
                self.at += 1;
            }
            return Some(());
        }
        self.push(class);
        self.numbers.registers |= u64::from(found.number) << (8 * free);
        self.numbers.count += 1;
        self.at += 1 + bits as usize / 8;
        Some(())
    }

    /// Takes `(base,index,scale)`.
    #[inline(always)]
    fn address(&mut self) -> Option<()> {
        self.push(b'(');
        self.at += 1;
        if self.byte() == b'%' {
            self.register(true)?;
        }
        if self.byte() == b',' {
            self.push(b',');
            self.at += 1;
            self.register(true)?;
            if let (b',', scale @ (b'1' | b'2' | b'4' | b'8')) =
                (self.byte(), self.text.byte(self.at + 1))
            {
                self.push(scale);
                self.at += 2;
            }
        }
        let is_closed = self.byte() == b')';
        self.at += 1;
        is_closed.then_some(())
    }

    /// Takes one operand.
    #[inline(always)]
    fn operand(&mut self, is_scaled: bool) -> Option<()> {
        let mut first = self.byte();
        if first == b'*' {
            self.push(first);
            self.at += 1;
            first = self.byte();
        }
        if first == b'%' {
            self.register(false)?;
            if self.byte() != b':' {
                return Some(());
            }
            self.push(b':');
            self.at += 1;
            first = self.byte();
        }
        match first {
            b'$' if !self.numbers.immediate.is_there => {
                let (value, end) = number::read(&self.text, self.at + 1)?;
                self.numbers.immediate = Number::new(value);
                self.push(b'$');
                self.push(immediate_class(value));
                self.at = end;
                return Some(());
            }
            b'-' | b'0'..=b'9' if !self.numbers.displacement.is_there => {
                let (value, end) = number::read(&self.text, self.at)?;
                if is_scaled {
                    for place in self.at..end {
                        self.push(self.text.byte(place));
                    }
                } else {
                    self.numbers.displacement = Number::new(value);
                    self.push(displacement_class(value));
                }
                self.at = end;
                if self.byte() != b'(' {
                    return Some(());
                }
            }
            b'(' => {}
            // `{rn-sae}` and the like.
            b'{' => return Some(()),
            _ => return None,
        }
        self.address()
    }

    /// Takes what stands in braces behind an operand.
    #[inline(always)]
    fn decorations(&mut self) -> Option<()> {
        while self.byte() == b'{' {
            loop {
                let byte = self.byte();
                self.push(byte);
                self.at += 1;
                match byte {
                    b'}' => break,
                    0 | b'\n' | 0x80.. => return None,
                    _ => {}
                }
            }
        }
        Some(())
    }

    /// Takes operands up to the line's end.
    #[inline(always)]
    fn operands(&mut self, is_scaled: bool) -> Option<()> {
        loop {
            self.at += 1;
            while is_blank(self.byte()) {
                self.at += 1;
            }
            self.operand(is_scaled)?;
            self.decorations()?;
            match self.byte() {
                b'\n' => return Some(()),
                b',' => self.push(b','),
                _ => return None,
            }
        }
    }
}

impl Key {
    /// Reads the line that starts at `at`, unless something other than registers and plain numbers
    /// stands in it.
    #[inline(always)]
    pub(super) fn read(text: &[u8], at: usize) -> Option<Self> {
        let text = Text(text);
        // Few names of instructions are longer than eight letters.
        let bytes = text.eight(at);
        let mut bits = word_bits(bytes);
        let name = keep(bytes, bits);
        let mut end = at + bits as usize / 8;
        let mut more = 0;
        if bits == 64 {
            let bytes = text.eight(end);
            bits = word_bits(bytes);
            more = keep(bytes, bits);
            end += bits as usize / 8;
        }
        let mut reader = Reader {
            text,
            at: end,
            shape: 0,
            lost: 0,
            numbers: Numbers::default(),
        };
        if end == at || bits == 64 {
            return None;
        }
        if reader.byte() != b'\n' {
            if !is_blank(reader.byte()) {
                return None;
            }
            // EVEX scales displacements, so that they count as they are.
            reader.operands(name as u8 | 0x20 == b'v')?;
        }
        (reader.lost == 0).then_some(Self {
            words: [name, more, reader.shape as u64, (reader.shape >> 64) as u64],
            numbers: reader.numbers,
            end: reader.at,
        })
    }
}
