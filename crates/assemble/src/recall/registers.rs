//! Registers by the bytes of their names, and the classes that stand for them in keys.

/// A register whose number a key leaves open.
#[derive(Clone, Copy)]
pub(super) struct Found {
    name: u64,
    /// The byte that stands for it as an operand; 0 for none.
    pub(super) operand: u8,
    /// The byte that stands for it as base or index; 0 for none.
    pub(super) address: u8,
    /// The low three bits of its number.
    pub(super) number: u8,
}

const NONE: Found = Found {
    name: 0,
    operand: 0,
    address: 0,
    number: 0,
};

/// Slots of the table: a power of two, of which a quarter is full.
const SLOTS: usize = 1024;

/// First of the bytes that stand for registers; classes of numbers come before.
const FIRST: u8 = 0xa0;

const fn slot(name: u64) -> usize {
    (name.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

/// A name's bytes, the first lowest.
const fn pack(parts: &[&[u8]]) -> u64 {
    let (mut name, mut length, mut part) = (0, 0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            name |= (parts[part][at] as u64) << (8 * length);
            length += 1;
            at += 1;
        }
        part += 1;
    }
    name
}

const fn add(table: &mut [Found; SLOTS], found: Found) {
    let mut at = slot(found.name);
    while table[at].name != 0 {
        at = (at + 1) % SLOTS;
    }
    table[at] = found;
}

/// General registers: `kind` 0 for eight bytes, 1 for four, 2 for two, 3 for one.
const fn general(name: u64, kind: u8, number: u8) -> Found {
    // The first one is implied by some operations; those above 7 need bits in a prefix, and
    // the bytes from 4 to 7 a prefix without bits.
    let class = match (kind, number) {
        (_, 0) | (3, 4..8) => 2,
        _ => number / 8,
    };
    // The stack and frame pointers, and those with their low bits, are encoded otherwise.
    let place = match number {
        4 => 2,
        5 => 3,
        12 => 4,
        13 => 5,
        _ => number / 8,
    };
    Found {
        name,
        operand: FIRST + kind * 3 + class,
        address: if kind < 2 {
            FIRST + 12 + kind * 6 + place
        } else {
            0
        },
        number: number & 7,
    }
}

static TABLE: [Found; SLOTS] = {
    const LEGACY: [&[u8]; 8] = [b"ax", b"cx", b"dx", b"bx", b"sp", b"bp", b"si", b"di"];
    const LEGACY_BYTES: [&[u8]; 8] = [b"al", b"cl", b"dl", b"bl", b"spl", b"bpl", b"sil", b"dil"];
    const DIGITS: [&[u8]; 10] = [b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9"];
    let mut table = [NONE; SLOTS];
    let mut number = 0_u8;
    while number < 32 {
        let tens: &[u8] = if number < 10 {
            b""
        } else {
            DIGITS[number as usize / 10]
        };
        let ones = DIGITS[number as usize % 10];
        if number < 8 {
            let name = LEGACY[number as usize];
            add(&mut table, general(pack(&[b"r", name]), 0, number));
            add(&mut table, general(pack(&[b"e", name]), 1, number));
            // `%ax`, `%dx`, `%al` and `%cl` are implied by some operations.
            if number != 0 && number != 2 {
                add(&mut table, general(pack(&[name]), 2, number));
            }
            if number >= 2 {
                add(
                    &mut table,
                    general(pack(&[LEGACY_BYTES[number as usize]]), 3, number),
                );
            }
        } else if number < 16 {
            add(&mut table, general(pack(&[b"r", tens, ones]), 0, number));
            add(
                &mut table,
                general(pack(&[b"r", tens, ones, b"d"]), 1, number),
            );
            add(
                &mut table,
                general(pack(&[b"r", tens, ones, b"w"]), 2, number),
            );
            add(
                &mut table,
                general(pack(&[b"r", tens, ones, b"b"]), 3, number),
            );
        }
        let vectors: [&[u8]; 3] = [b"xmm", b"ymm", b"zmm"];
        let mut kind = 0;
        while kind < 3 {
            // Those above 7 and 15 need bits in the prefix, and some operations imply the first.
            let part = if number == 0 { 4 } else { number / 8 };
            let class = FIRST + 24 + kind as u8 * 5 + part;
            let found = Found {
                name: pack(&[vectors[kind], tens, ones]),
                operand: class,
                address: class,
                number: number & 7,
            };
            add(&mut table, found);
            kind += 1;
        }
        number += 1;
    }
    table
};

/// The register of this name, its bytes lowest first; one without classes where none is.
#[inline(always)]
pub(super) fn find(name: u64) -> Found {
    let mut at = slot(name);
    while TABLE[at % SLOTS].name != name {
        if TABLE[at % SLOTS].name == 0 {
            return NONE;
        }
        at += 1;
    }
    TABLE[at % SLOTS]
}
