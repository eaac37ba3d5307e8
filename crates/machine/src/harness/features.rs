#![expect(unsafe_code, reason = "XGETBV and CPUID are intrinsics")]
//! What the harness itself needs to know of the CPU.

use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// How processor state is saved and restored here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    /// Components of XSAVE that are saved and restored; `None`: FXSAVE.
    pub(crate) xsave: Option<u32>,
    /// Whether the kernel lets user code read and write the fs and gs bases.
    pub(crate) fsgsbase: bool,
    /// Whether there is RDTSCP.
    pub(crate) rdtscp: bool,
}

/// x87, SSE, AVX, the three of AVX-512, and the registers of APX. Left out: bounds registers,
/// protection keys (a sequence may not change them unseen, and the worker's differ from the initial
/// ones) and AMX (the kernel gives it to no process that did not ask).
const COMPONENTS: u64 = 0b111 | 0b111 << 5 | 1 << 19;

impl Features {
    /// Asks this CPU.
    pub(crate) fn detect() -> Self {
        let basic = __cpuid(1);
        let extended = __cpuid(0x8000_0001);
        let osxsave = basic.ecx >> 27 & 1 == 1;
        let xsave = osxsave.then(|| {
            // SAFETY: OSXSAVE is set, so XGETBV exists and the kernel has enabled it; register 0
            // always exists then.
            let enabled = unsafe { xcr0() };
            let wanted = enabled & COMPONENTS;
            // Components that do not fit the room kept for a state are left out, highest first.
            (0..32)
                .filter(|bit| wanted >> bit & 1 == 1)
                .fold(0, |mask, bit| {
                    let leaf = __cpuid_count(0xd, bit);
                    let fits = bit < 2 || u64::from(leaf.eax + leaf.ebx) <= ROOM;
                    if fits { mask | 1 << bit } else { mask }
                })
        });
        let (_, hwcap2) = rustix::param::linux_hwcap();
        Self {
            xsave,
            fsgsbase: hwcap2 & 2 != 0,
            rdtscp: extended.edx >> 27 & 1 == 1,
        }
    }
}

/// Bytes of a state's XSAVE area. The last word of the worker's own state is a guard.
const ROOM: u64 = super::control::STATE_BYTES - super::control::STATE_XSAVE - 8;

#[target_feature(enable = "xsave")]
fn xcr0() -> u64 {
    // SAFETY: the caller has the feature enabled, and register 0 exists wherever XGETBV does.
    unsafe { _xgetbv(0) }
}
