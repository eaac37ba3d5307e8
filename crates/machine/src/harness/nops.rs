//! Padding in harness code: few and long NOPs, since those between copies of a body are run.

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynasmApi, VecAssembler};

/// The recommended multi-byte NOPs of the SDM (NOP, table "Recommended Multi-Byte Sequence").
const NOPS: [&[u8]; 9] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// Writes `count` bytes of NOPs.
pub(super) fn pad(ops: &mut VecAssembler<X64Relocation>, mut count: usize) {
    while count > 0 {
        let nop = NOPS[count.min(NOPS.len()) - 1];
        ops.extend(nop);
        count -= nop.len();
    }
}

/// Pads to a multiple of `align`, counted from the assembler's base (which is at a line).
pub(super) fn align(ops: &mut VecAssembler<X64Relocation>, align: usize) {
    let here = ops.offset().0;
    pad(ops, here.next_multiple_of(align) - here);
}
