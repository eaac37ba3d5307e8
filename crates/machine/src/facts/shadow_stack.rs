//! Whether this process runs with a shadow stack.

#![expect(
    unsafe_code,
    reason = "arch_prctl has no safe wrapper for this question"
)]

/// `ARCH_SHSTK_STATUS` of the kernel's `asm/prctl.h`; the libc crate does not have it.
const ARCH_SHSTK_STATUS: libc::c_long = 0x5005;
/// The bit for the shadow stack itself, `ARCH_SHSTK_SHSTK`.
const SHSTK: u64 = 1;

/// Asks the kernel. One that cannot tell has no shadow stacks for user code.
pub(super) fn is_on() -> bool {
    let mut features = 0u64;
    // SAFETY: ARCH_SHSTK_STATUS writes one u64 through the pointer, which is to this stack; older
    // kernels refuse the number without touching it.
    let result =
        unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_SHSTK_STATUS, &raw mut features) };
    result == 0 && features & SHSTK != 0
}
