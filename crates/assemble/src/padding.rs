//! NOPs as GNU as pads x86-64 code with them.

/// The NOPs of one to eleven bytes. The last two lead with CS and data16 prefixes.
const NOPS: [&[u8]; 11] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[
        0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00,
    ],
];

/// The longest single NOP.
pub(crate) const LONGEST: usize = NOPS.len();

/// More than this many of the longest NOPs in a row, and GNU as jumps over them.
const MOST_WITHOUT_JUMP: usize = 7;

/// Appends `count` bytes of NOPs, none longer than `longest` bytes.
pub(crate) fn append(bytes: &mut Vec<u8>, count: usize, longest: usize) {
    let longest = longest.clamp(1, LONGEST);
    let mut count = count;
    // The limit on one NOP's length does not enter into this.
    if count / LONGEST > MOST_WITHOUT_JUMP {
        match i8::try_from(count - 2) {
            Ok(distance) => {
                bytes.extend([0xeb, distance.cast_unsigned()]);
                count -= 2;
            }
            Err(_) => {
                count -= 5;
                bytes.push(0xe9);
                bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
            }
        }
    }
    while count >= longest {
        bytes.extend(NOPS[longest - 1]);
        count -= longest;
    }
    if count > 0 {
        bytes.extend(NOPS[count - 1]);
    }
}
