#![expect(unsafe_code, reason = "maps foreign code and calls it")]
//! The image in the worker: mapped, called and looked at.

use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::ptr;

use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous};

use crate::api::Width;
use crate::harness::control::{Control, HISTORY_ENTRIES};
use crate::harness::probe::{MOST_TRIALS, Tables};
use crate::image::layout::{Mapping, Protection};
use crate::random::Stream;
use crate::shared::{Job, JobRandom};

/// The mapped image. It stays mapped until the process ends.
#[derive(Debug)]
pub(super) struct Mapped {
    control: Control,
    history_table: u64,
    /// What the guard words hold.
    guard: u64,
    /// The fs and gs bases of the worker.
    clean: [u64; 2],
}

/// What a pass left in the control page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// %rsp.
    pub(super) rsp: u64,
    /// RFLAGS.
    pub(super) flags: u64,
    /// MXCSR.
    pub(super) mxcsr: u32,
    /// x87 control word.
    pub(super) x87: u16,
    /// x87 status word.
    pub(super) x87_status: u16,
    /// fs base.
    pub(super) fs: u64,
    /// gs base.
    pub(super) gs: u64,
    /// fs base of the worker.
    pub(super) clean_fs: u64,
    /// gs base of the worker.
    pub(super) clean_gs: u64,
}

impl Mapped {
    /// Maps the image's regions with their final protection over the range that [`reserve`] made,
    /// and saves the worker's own processor state for the harness.
    ///
    /// # Errors
    /// If there is no memory.
    pub(super) fn new(job: &Job, file: BorrowedFd<'_>) -> Result<Self, String> {
        for mapping in &job.mappings {
            let inside = mapping.address >= job.base
                && mapping.address + mapping.length <= job.base + job.length;
            if !inside {
                return Err(format!(
                    "a region at {:#x} lies outside the image",
                    mapping.address
                ));
            }
            map(mapping, file).map_err(|error| {
                format!(
                    "a region at {:#x} cannot be mapped: {error}",
                    mapping.address
                )
            })?;
        }
        let mut mapped = Self {
            control: Control { page: job.control },
            history_table: job.history_table,
            guard: job.key,
            clean: [0; 2],
        };
        mapped.call(job.instruments.enter);
        let control = mapped.control;
        mapped.clean = [control.clean_fs(), control.clean_gs()].map(|at| mapped.read_u64(at));
        for guard in control.guards() {
            mapped.write_u64(guard, mapped.guard);
        }
        mapped.rewind_history();
        // A block round a called body finds the stack one word higher.
        mapped.set_return(job.straight_rsp + 8, job.base);
        Ok(mapped)
    }

    /// Sets where a `ret` of straight-line code goes, which nothing calls: to `nowhere`, and not to
    /// what a call has left on the stack. `rsp`: as that code finds it.
    pub(super) fn set_return(&self, rsp: u64, nowhere: u64) {
        self.write_u64(rsp as i32, nowhere);
    }

    /// Calls harness code.
    pub(super) fn call(&self, function: u64) {
        // SAFETY: the address comes from the job, so from the parent that wrote the image, and is
        // a function of the harness that is mapped here; it takes nothing, gives nothing and
        // restores all registers and flags that the ABI wants restored.
        let function: extern "sysv64" fn() = unsafe { std::mem::transmute(function as usize) };
        function();
    }

    /// Calls a timed function, a ruler or the sentinel or a pass, and gives its ticks.
    pub(super) fn time(&self, function: u64) -> u32 {
        self.call(function);
        let start = self.read_u64(self.control.start());
        // A sequence may have written over the start.
        let ticks = self.read_u64(self.control.end()).wrapping_sub(start);
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// The CPU that the last timed function ended on, as the kernel numbers it in IA32_TSC_AUX.
    pub(super) fn cpu(&self) -> u32 {
        self.read_u32(self.control.aux())
    }

    /// Sets the turns of the next pass.
    pub(super) fn set_turns(&self, turns: u32) {
        self.write_u32(self.control.turns(), turns);
    }

    /// Sets the trials of the next pass of a history probe.
    pub(super) fn set_trials(&self, trials: u32) {
        self.write_u32(self.control.trials(), trials.min(MOST_TRIALS));
    }

    /// Sets the bits of one trial, for the marker and for the jump.
    pub(super) fn set_trial(&self, tables: &Tables, trial: u32, marker: u8, jump: u8) {
        if trial < MOST_TRIALS {
            let at = |table: u64| (table + u64::from(trial)) as usize as *mut u8;
            // SAFETY: both tables have MOST_TRIALS bytes in a region of the image that is mapped
            // readable and writable, and no reference to them exists.
            unsafe {
                at(tables.markers).write_volatile(marker & 1);
                at(tables.jumps).write_volatile(jump & 1);
            }
        }
    }

    /// Ticks of one trial.
    pub(super) fn trial_ticks(&self, tables: &Tables, trial: u32) -> u32 {
        let trial = u64::from(trial.min(MOST_TRIALS - 1));
        // SAFETY: the table has MOST_TRIALS aligned entries in a region of the image that is
        // mapped; volatile, since code that the compiler does not see writes it.
        unsafe { ((tables.ticks + 4 * trial) as usize as *const u32).read_volatile() }
    }

    /// What the last pass left.
    pub(super) fn left(&self) -> Left {
        let control = self.control;
        let x87 = self.read_u32(control.x87()) as u16;
        let x87_status = self.read_u32(control.x87_status()) as u16;
        Left {
            rsp: self.read_u64(control.rsp()),
            flags: self.read_u64(control.flags()),
            mxcsr: self.read_u32(control.mxcsr()),
            x87,
            x87_status,
            fs: self.read_u64(control.fs()),
            gs: self.read_u64(control.gs()),
            clean_fs: self.read_u64(control.clean_fs()),
            clean_gs: self.read_u64(control.clean_gs()),
        }
    }

    /// A word of the harness's own data that is not as the worker left it, and what it should be.
    pub(super) fn spoilt_guard(&self) -> Option<(u64, u64)> {
        let control = self.control;
        let clean = [control.clean_fs(), control.clean_gs()].into_iter();
        let kept = clean.zip(self.clean);
        let guards = control.guards().map(|guard| (guard, self.guard));
        kept.chain(guards)
            .map(|(address, expected)| (expected, self.read_u64(address)))
            .find(|(expected, found)| expected != found)
    }

    /// Puts fresh random bits where the next `runs` runs of the history context look for them.
    pub(super) fn fill_history(&self, stream: &mut Stream, runs: u32) {
        let entries = runs.min(HISTORY_ENTRIES).next_multiple_of(2);
        let table = self.history_table as usize as *mut u64;
        for pair in 0..entries as usize / 2 {
            // SAFETY: the table has HISTORY_ENTRIES (an even number) of 4 bytes, is mapped
            // readable and writable at a page, and no reference to it exists.
            unsafe { table.add(pair).write_volatile(stream.next()) };
        }
        self.rewind_history();
    }

    fn rewind_history(&self) {
        self.write_u32(self.control.history_cursor(), self.history_table as u32);
    }

    /// Fills a table of random numbers.
    pub(super) fn fill(&self, random: &JobRandom, stream: &mut Stream) {
        let start = random.address as usize;
        for index in 0..random.count as usize {
            let value = stream.below(random.below);
            // SAFETY: the parent has checked that the table lies in a writable region of the
            // image; sequences may place it at any address, so writes are unaligned.
            unsafe {
                match random.width {
                    Width::Byte => ((start + index) as *mut u8).write_volatile(value as u8),
                    Width::Word => ((start + 2 * index) as *mut u16).write_unaligned(value as u16),
                    Width::Long => ((start + 4 * index) as *mut u32).write_unaligned(value),
                }
            }
        }
    }

    /// Copies a table that was filled alike.
    pub(super) fn copy(&self, from: &JobRandom, to: &JobRandom) {
        let width = match from.width {
            Width::Byte => 1,
            Width::Word => 2,
            Width::Long => 4,
        };
        // SAFETY: both tables lie in writable regions of the image, in regions of two different
        // cases or at two symbols of one; `copy` allows an overlap.
        unsafe {
            ptr::copy(
                from.address as usize as *const u8,
                to.address as usize as *mut u8,
                from.count as usize * width,
            );
        }
    }

    fn read_u64(&self, address: i32) -> u64 {
        // SAFETY: a field of the control page, which is mapped, and aligned to its size. Volatile,
        // since code that the compiler does not see writes it.
        unsafe { (address as usize as *const u64).read_volatile() }
    }

    fn read_u32(&self, address: i32) -> u32 {
        // SAFETY: as in `read_u64`.
        unsafe { (address as usize as *const u32).read_volatile() }
    }

    fn write_u64(&self, address: i32, value: u64) {
        // SAFETY: as in `read_u64`, or the uppermost word of the sequences' stack; both are writable.
        unsafe { (address as usize as *mut u64).write_volatile(value) }
    }

    fn write_u32(&self, address: i32, value: u32) {
        // SAFETY: as in `read_u64`; the page is writable.
        unsafe { (address as usize as *mut u32).write_volatile(value) }
    }
}

/// Reserves the image's range.
///
/// # Errors
/// If it is not free.
pub(super) fn reserve(job: &Job) -> Result<(), String> {
    let base = job.base as usize as *mut c_void;
    let flags = MapFlags::PRIVATE | MapFlags::FIXED_NOREPLACE | MapFlags::NORESERVE;
    // SAFETY: FIXED_NOREPLACE never replaces a mapping of this process.
    let place = unsafe { mmap_anonymous(base, job.length as usize, ProtFlags::empty(), flags) }
        .map_err(|error| {
            format!(
                "{:#x}+{:#x} cannot be reserved: {error}",
                job.base, job.length
            )
        })?;
    if place == base {
        Ok(())
    } else {
        // Kernels before 4.17 take the address for a hint.
        Err(format!("{:#x}+{:#x} is not free", job.base, job.length))
    }
}

/// Maps one region over its part of the reservation.
fn map(mapping: &Mapping, file: BorrowedFd<'_>) -> rustix::io::Result<()> {
    let protection = match mapping.protection {
        Protection::Read => ProtFlags::READ,
        Protection::ReadWrite => ProtFlags::READ | ProtFlags::WRITE,
        Protection::ReadExecute => ProtFlags::READ | ProtFlags::EXEC,
    };
    let address = mapping.address as usize as *mut c_void;
    let length = mapping.length as usize;
    let flags = MapFlags::PRIVATE | MapFlags::FIXED;
    // SAFETY: the range lies in the reservation made for it (checked by the caller), so nothing
    // else of this process is replaced; no reference into it exists yet.
    unsafe {
        match mapping.file_offset {
            Some(offset) => {
                let flags = flags | MapFlags::POPULATE;
                mmap(address, length, protection, flags, file, offset)?;
            }
            None => {
                mmap_anonymous(address, length, protection, flags | MapFlags::NORESERVE)?;
            }
        }
    }
    Ok(())
}
