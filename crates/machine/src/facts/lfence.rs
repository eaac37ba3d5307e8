//! Whether `lfence` waits for older instructions.
//!
//! It does by definition on Intel. On AMD it does where the kernel set a bit in DE_CFG, or where
//! CPUID promises it; a guest sees neither, so there it is measured: two independent chains take
//! the time of one if they overlap, and of both if `lfence` keeps them apart.

#![expect(unsafe_code, reason = "two chains in inline assembly")]

use super::identity::Identity;
use super::microarchitecture::Vendor;

/// Tries, of which the fastest counts: an interrupt only ever adds time.
const TRIES: u32 = 64;

/// Says whether `lfence` serialises; `None` if the measurement is not clear.
pub(super) fn serialises(identity: &Identity) -> Option<bool> {
    if Vendor::from_signature(&identity.vendor) == Vendor::Intel
        || identity.lfence_always_serialises
    {
        return Some(true);
    }
    let (mut plain, mut fenced) = (u64::MAX, u64::MAX);
    for _ in 0..TRIES {
        plain = plain.min(two_chains::<false>());
        fenced = fenced.min(two_chains::<true>());
    }
    decide(plain, fenced)
}

/// Twice the time: kept apart. The same time: overlapped. In between: not clear.
fn decide(plain: u64, fenced: u64) -> Option<bool> {
    if fenced * 10 >= plain * 16 {
        Some(true)
    } else if fenced * 10 <= plain * 13 {
        Some(false)
    } else {
        None
    }
}

/// Ticks of two independent chains of 60 dependent multiplications, with or without a fence between.
/// Sixty and the code around them fit into the window of any core that could overlap them.
fn two_chains<const FENCE: bool>() -> u64 {
    let (start_low, start_high, end_low, end_high): (u64, u64, u64, u64);
    // SAFETY: the code writes only the registers named as outputs, touches no memory and no stack,
    // and the counter reads are legal at any privilege unless the process forbade them itself.
    unsafe {
        core::arch::asm!(
            // `rdtscp` waits for all older instructions by itself, at both ends.
            "rdtscp",
            "mov {start_low}, rax",
            "mov {start_high}, rdx",
            ".rept 60",
            "imul {first}, {first}",
            ".endr",
            ".if {fence}",
            "lfence",
            ".endif",
            ".rept 60",
            "imul {second}, {second}",
            ".endr",
            "rdtscp",
            start_low = out(reg) start_low,
            start_high = out(reg) start_high,
            first = inout(reg) 3u64 => _,
            second = inout(reg) 5u64 => _,
            fence = const FENCE as u32,
            out("rax") end_low,
            out("rdx") end_high,
            out("rcx") _,
            options(nomem, nostack),
        );
    }
    ((end_high << 32) | end_low).wrapping_sub((start_high << 32) | start_low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_time_means_kept_apart() {
        assert_eq!(decide(200, 380), Some(true));
        assert_eq!(decide(200, 205), Some(false));
        assert_eq!(decide(200, 290), None);
    }

    #[test]
    fn both_forms_run() {
        assert!(two_chains::<false>() > 0);
        assert!(two_chains::<true>() > 0);
    }
}
