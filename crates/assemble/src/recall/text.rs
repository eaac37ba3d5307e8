//! A text by eight bytes at a time.

/// A text that reads as lines that end where it ends.
#[derive(Clone, Copy)]
pub(super) struct Text<'t>(pub(super) &'t [u8]);

const ONES: u64 = 0x0101_0101_0101_0101;

/// Each of the eight bytes of a word.
pub(super) const fn each(byte: u8) -> u64 {
    ONES * byte as u64
}

impl Text<'_> {
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(b'\n')
    }

    /// The eight bytes at `at`, the first lowest, with zeros behind the end.
    #[inline(always)]
    pub(super) fn eight(&self, at: usize) -> u64 {
        match self.0.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.last(at),
        }
    }

    /// The same where fewer than eight are left.
    #[cold]
    fn last(&self, at: usize) -> u64 {
        (at..self.0.len())
            .rev()
            .fold(0, |bytes, at| bytes << 8 | u64::from(self.0[at]))
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The highest bit of the first of eight bytes that is below `0` (the end, blanks, `,` and parentheses
/// are), and maybe of others behind it.
#[inline(always)]
pub(super) fn below_digits(bytes: u64) -> u64 {
    bytes.wrapping_sub(each(b'0')) & !bytes & each(0x80)
}

/// Eight times the length of the word that starts in the lowest of eight bytes. A byte that ends
/// words may be taken for a letter here, and be found out where the word is looked up.
#[inline(always)]
pub(super) fn word_bits(bytes: u64) -> u32 {
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & each(0x80);
    let ends = below_digits(bytes) | zero(bytes ^ each(b':')) | zero(bytes ^ each(b'{'));
    ends.trailing_zeros() & !7
}

/// The lowest bits of eight bytes.
#[inline(always)]
pub(super) fn keep(bytes: u64, bits: u32) -> u64 {
    if bits >= 64 {
        bytes
    } else {
        bytes & ((1 << bits) - 1)
    }
}
