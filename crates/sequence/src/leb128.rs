//! Numbers in as many bytes as they need, seven bits in each (DWARF 5, section 7.6).

/// The bytes of a number; one that is not signed must not be negative.
pub(crate) fn wide_leb128(value: i128, signed: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = value;
    loop {
        let byte = (rest & 0x7f) as u8;
        rest = if signed {
            rest >> 7
        } else {
            (rest.cast_unsigned() >> 7).cast_signed()
        };
        let is_last = if signed {
            (rest == 0 && byte & 0x40 == 0) || (rest == -1 && byte & 0x40 != 0)
        } else {
            rest == 0
        };
        bytes.push(if is_last { byte } else { byte | 0x80 });
        if is_last {
            return bytes;
        }
    }
}

/// The bytes of 64 bits, whose highest is the sign or, without one, a bit like the others.
#[must_use]
pub fn leb128_of_bits(value: i64, signed: bool) -> Vec<u8> {
    let wide = if signed {
        i128::from(value)
    } else {
        i128::from(value.cast_unsigned())
    };
    wide_leb128(wide, signed)
}
