//! The loop that other programs time: a chain of multiplications, each of which waits for the last.

use std::hint::black_box;

/// Runs a chain of so many links so many times.
pub(crate) fn turns(links: u32, turns: u64) -> u64 {
    let mut x = black_box(3_u64);
    for _ in 0..turns {
        for _ in 0..links {
            // Never 0, and nothing that a compiler could foresee.
            x = x.wrapping_mul(x) | 1;
        }
    }
    x
}
