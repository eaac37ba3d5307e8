//! Reading a counter without a system call: the page that the kernel shares for each one, and
//! `rdpmc`.
//!
//! The protocol is that of `struct perf_event_mmap_page` in `linux/perf_event.h`: the kernel bumps a
//! sequence number when it changes the page, and what was read between two equal ones belongs
//! together.

#![expect(
    unsafe_code,
    reason = "reads a page that the kernel writes, and executes rdpmc"
)]

use std::os::fd::AsRawFd;
use std::sync::atomic::{Ordering, compiler_fence};

use memmap2::{MmapOptions, MmapRaw};
use perf_event::Counter;

/// Bytes of the page.
const BYTES: usize = 4096;
/// Bits of `capabilities`.
const CAP_USER_RDPMC: u64 = 1 << 2;
const CAP_USER_TIME: u64 = 1 << 3;
/// How often a page that changes under the reader is read again.
const TRIES: u32 = 64;

/// The fields of the page that a reading needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fields {
    /// Number of the hardware counter, plus 1; 0 while it has none.
    index: u32,
    /// To be added to what `rdpmc` reads.
    offset: i64,
    enabled_ns: u64,
    running_ns: u64,
    capabilities: u64,
    /// Bits of the hardware counter.
    width: u16,
    time_shift: u16,
    time_mult: u32,
    time_offset: u64,
}

/// What one counter stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) count: u64,
    pub(super) enabled_ns: u64,
    pub(super) running_ns: u64,
}

/// A counter's page.
#[derive(Debug)]
pub(super) struct Page(MmapRaw);

impl Page {
    /// Maps the page of a counter; `None` where the kernel gives none.
    pub(super) fn map(counter: &Counter) -> Option<Self> {
        let map = MmapOptions::new()
            .len(BYTES)
            .map_raw_read_only(counter.as_raw_fd())
            .ok()?;
        Some(Self(map))
    }

    /// Reads the counter; `None` unless it has a place in the PMU now and user code may read it.
    /// The caller runs in the thread that the counter belongs to.
    pub(super) fn read(&self) -> Option<Value> {
        read(
            || self.field::<u32>(8),
            || Fields {
                index: self.field(12),
                offset: self.field(16),
                enabled_ns: self.field(24),
                running_ns: self.field(32),
                capabilities: self.field(40),
                width: self.field(48),
                time_shift: self.field(50),
                time_mult: self.field(52),
                time_offset: self.field(56),
            },
            rdtsc,
            // SAFETY: `read` asks only where the kernel said that user code may, and that the
            // counter of this index is this thread's.
            |index| unsafe { rdpmc(index) },
        )
    }

    fn field<T: Copy>(&self, at: usize) -> T {
        debug_assert!(at + size_of::<T>() <= BYTES && at.is_multiple_of(align_of::<T>()));
        // SAFETY: the mapping is a page long and lives as long as `self`; fields are aligned integers
        // that have no invalid values. The kernel changes them, hence volatile.
        unsafe { self.0.as_ptr().add(at).cast::<T>().read_volatile() }
    }
}

/// A consistent reading of a page.
fn read(
    lock: impl Fn() -> u32,
    fields: impl Fn() -> Fields,
    tsc: impl Fn() -> u64,
    pmc: impl Fn(u32) -> u64,
) -> Option<Value> {
    for _ in 0..TRIES {
        let before = lock();
        compiler_fence(Ordering::SeqCst);
        let found = fields();
        let both = CAP_USER_RDPMC | CAP_USER_TIME;
        if found.index == 0 || found.capabilities & both != both {
            return None;
        }
        let now = tsc();
        let counted = pmc(found.index - 1);
        compiler_fence(Ordering::SeqCst);
        if lock() == before {
            return Some(found.value(now, counted));
        }
    }
    None
}

impl Fields {
    fn value(self, tsc: u64, counted: u64) -> Value {
        // The hardware counter is narrower than a word, and counts up to its overflow.
        let unused = 64 - u32::from(self.width.clamp(1, 64));
        let counted = (counted << unused).cast_signed() >> unused;
        // TSC ticks to nanoseconds, in two parts so that nothing overflows.
        let shift = u32::from(self.time_shift.min(63));
        let mult = u64::from(self.time_mult);
        let (whole, rest) = (tsc >> shift, tsc & ((1 << shift) - 1));
        let since = self
            .time_offset
            .wrapping_add(whole.wrapping_mul(mult))
            .wrapping_add(rest.wrapping_mul(mult) >> shift);
        Value {
            count: self.offset.wrapping_add(counted).cast_unsigned(),
            enabled_ns: self.enabled_ns.wrapping_add(since),
            running_ns: self.running_ns.wrapping_add(since),
        }
    }
}

fn rdtsc() -> u64 {
    // SAFETY: every x86-64 CPU has the instruction; nothing here is run where CR4.TSD is set.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Reads a hardware counter.
///
/// # Safety
/// User code must be allowed to (else it faults), and the counter be the calling thread's.
unsafe fn rdpmc(index: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: the caller's promise; the instruction writes the two registers only.
    unsafe {
        std::arch::asm!(
            "rdpmc",
            in("ecx") index,
            out("eax") low,
            out("edx") high,
            options(nomem, nostack, preserves_flags)
        );
    }
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn fields() -> Fields {
        Fields {
            index: 3,
            offset: 1000,
            enabled_ns: 50,
            running_ns: 40,
            capabilities: CAP_USER_RDPMC | CAP_USER_TIME,
            width: 48,
            time_shift: 10,
            time_mult: 512,
            time_offset: 7,
        }
    }

    fn read_of(fields: Fields, counted: u64) -> Option<Value> {
        read(
            || 2,
            || fields,
            || 4096 + 100,
            |index| {
                assert_eq!(index, 2, "the page's index is one too high");
                counted
            },
        )
    }

    #[test]
    fn a_value_is_the_offset_and_what_the_hardware_says() {
        let value = read_of(fields(), 234).expect("readable");
        // 4096 >> 10 is 4 whole parts of 512, and 100 * 512 >> 10 is 50.
        let since = 7 + 4 * 512 + 50;
        assert_eq!(
            value,
            Value {
                count: 1234,
                enabled_ns: 50 + since,
                running_ns: 40 + since
            }
        );
    }

    #[test]
    fn a_hardware_counter_is_signed_at_its_own_width() {
        // The kernel starts a counter below its overflow: 48 bits of -5.
        let value = read_of(fields(), (1 << 48) - 5).expect("readable");
        assert_eq!(value.count, 995);
    }

    #[test]
    fn a_page_that_changes_meanwhile_is_read_again() {
        let locks = Cell::new(0_u32);
        // Odd readings come before a change, even ones after it, up to the fifth.
        let lock = || {
            locks.set(locks.get() + 1);
            locks.get().min(5)
        };
        let value = read(lock, fields, || 0, |_| 1);
        assert!(value.is_some());
        assert!(locks.get() >= 6, "{}", locks.get());
        let restless = Cell::new(0_u32);
        let never = read(
            || {
                restless.set(restless.get() + 1);
                restless.get()
            },
            fields,
            || 0,
            |_| 1,
        );
        assert_eq!(never, None);
    }

    #[test]
    fn without_leave_or_place_nothing_is_read() {
        let off_the_pmu = Fields {
            index: 0,
            ..fields()
        };
        let forbidden = Fields {
            capabilities: CAP_USER_TIME,
            ..fields()
        };
        for fields in [off_the_pmu, forbidden] {
            let read = read(|| 2, || fields, || 0, |_| panic!("rdpmc would fault"));
            assert_eq!(read, None);
        }
    }
}
