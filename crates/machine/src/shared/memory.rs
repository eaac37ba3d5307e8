#![expect(unsafe_code, reason = "shared memory is viewed as atomic words")]
//! The memory that parent and worker share.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use super::record::{Record, WORDS};

/// Records that the ring holds: about 100 ms of samples.
const SLOTS: usize = 1 << 14;
/// Bytes of the worker's last words.
const NOTE_WORDS: usize = 64;
/// General registers in a signal frame (`gregset_t`).
pub(crate) const GENERAL_REGISTERS: usize = 23;
/// Index of the instruction pointer among them (`REG_RIP`), and of some others.
pub(crate) const RIP: usize = 16;
/// See [`RIP`].
pub(crate) const RDI: usize = 8;
/// See [`RIP`].
pub(crate) const RCX: usize = 14;
/// See [`RIP`].
pub(crate) const RAX: usize = 13;
/// Index of the number of the CPU's last exception (`REG_TRAPNO`).
pub(crate) const EXCEPTION: usize = 20;

/// Stages beside the contexts.
pub(crate) const STAGE_SETUP: u32 = 4;
/// See [`STAGE_SETUP`].
pub(crate) const STAGE_COUNTING: u32 = 5;
/// See [`STAGE_SETUP`].
pub(crate) const STAGE_PROBING: u32 = 6;

/// What a signal handler leaves. Written by a few instructions of assembly.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Fault {
    /// Nonzero once the rest is written.
    pub(crate) done: AtomicU32,
    /// The signal.
    pub(crate) signal: AtomicU32,
    /// `siginfo_t`: number, errno, code as 32-bit words, then the union from byte 16.
    pub(crate) info: [AtomicU64; 16],
    /// `gregset_t`.
    pub(crate) registers: [AtomicU64; GENERAL_REGISTERS],
}

/// The fixed part of the shared memory.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Header {
    /// Records written since the worker started; written by the worker.
    written: AtomicU64,
    _line: [AtomicU64; 7],
    /// Records taken; written by the parent.
    taken: AtomicU64,
    /// Nonzero: no more rounds; written by the parent.
    pub(crate) stop: AtomicU32,
    _line2: [AtomicU32; 13],
    /// Grows before every piece of foreign code; written by the worker.
    pub(crate) beat: AtomicU32,
    /// The case that runs, plus one; 0 between cases.
    pub(crate) case: AtomicU32,
    /// The context that runs, as its place in the list of all; or one of the stages below.
    pub(crate) stage: AtomicU32,
    /// Nonzero once the image is mapped.
    pub(crate) mapped: AtomicU32,
    _gap: AtomicU32,
    /// Length of the worker's last words.
    note_length: AtomicU32,
    note: [AtomicU64; NOTE_WORDS],
    /// The fault that ended the worker.
    pub(crate) fault: Fault,
}

#[repr(C)]
struct Layout {
    header: Header,
    slots: [[AtomicU32; WORDS + 1]; SLOTS],
}

/// A mapping of the shared memory, in the parent or in the worker.
#[derive(Debug)]
pub(crate) struct Memory {
    map: MmapRaw,
    /// What only parent and worker know.
    key: AtomicU64,
    /// The worker: records written. What stands in the shared memory is for the parent.
    written: AtomicU64,
}

/// The word behind a record: its number in the sequence and its words, under the key. A stray write
/// does not hit it.
fn seal(key: u64, number: u64, words: &[u32; WORDS]) -> u32 {
    let mut state = key ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for word in words {
        state = (state.rotate_left(23) ^ u64::from(*word)).wrapping_mul(0xd1b5_4a32_d192_ed03);
    }
    (state >> 32) as u32
}

impl Memory {
    /// A file of the right size, all zero, whose size nobody can change.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn create() -> io::Result<OwnedFd> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = memfd_create("thunklab-samples", flags)?;
        ftruncate(&file, size_of::<Layout>() as u64)?;
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok(file)
    }

    /// Maps it.
    ///
    /// # Errors
    /// If the file is shorter than it should be, or cannot be mapped.
    pub(crate) fn map(file: impl AsFd) -> io::Result<Self> {
        let size = rustix::fs::fstat(&file)?.st_size;
        if size < size_of::<Layout>() as i64 {
            return Err(io::Error::other("the shared memory is too short"));
        }
        use std::os::fd::AsRawFd;
        let map = MmapOptions::new()
            .len(size_of::<Layout>())
            .populate()
            .map_raw(file.as_fd().as_raw_fd())?;
        Ok(Self {
            map,
            key: AtomicU64::new(0),
            written: AtomicU64::new(0),
        })
    }

    /// Sets what only parent and worker know, before anything is written or taken.
    pub(crate) fn set_key(&self, key: u64) {
        self.key.store(key, Ordering::Relaxed);
    }

    fn layout(&self) -> &Layout {
        // SAFETY: the mapping is page-aligned, at least as long as `Layout` (its length was given,
        // and the file is sealed against shrinking), readable and writable for as long as `self`
        // lives; `Layout` is made of atomics alone, for which every bit pattern is a value, and
        // which the other process may change at any time.
        unsafe { &*self.map.as_ptr().cast::<Layout>() }
    }

    /// The fixed part.
    pub(crate) fn header(&self) -> &Header {
        &self.layout().header
    }

    /// The worker: adds a record, waiting for room while `stop` is not set. Waiting is a loop and
    /// no system call, since the worker may make none.
    pub(crate) fn write(&self, record: &Record) {
        let layout = self.layout();
        let written = self.written.load(Ordering::Relaxed);
        while written.wrapping_sub(layout.header.taken.load(Ordering::Acquire)) >= SLOTS as u64 {
            if layout.header.stop.load(Ordering::Relaxed) != 0 {
                return;
            }
            std::hint::spin_loop();
        }
        let slot = &layout.slots[written as usize % SLOTS];
        let words = record.encode();
        for (place, word) in slot.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
        let key = self.key.load(Ordering::Relaxed);
        slot[WORDS].store(seal(key, written, &words), Ordering::Relaxed);
        self.written.store(written + 1, Ordering::Relaxed);
        layout.header.written.store(written + 1, Ordering::Release);
    }

    /// The worker: whether the shared memory still says what it has written there.
    pub(crate) fn is_as_written(&self) -> bool {
        let written = self.header().written.load(Ordering::Relaxed);
        written == self.written.load(Ordering::Relaxed)
    }

    /// The parent: takes the next record. `taken` is how many the parent has taken; the number in
    /// the shared memory is only for the worker.
    ///
    /// # Errors
    /// If what stands there is no record or not the next one, or a count jumped: somebody wrote over
    /// the worker's results.
    pub(crate) fn take(&self, taken: &mut u64) -> Result<Option<Record>, Spoiled> {
        let layout = self.layout();
        let written = layout.header.written.load(Ordering::Acquire);
        // Nobody but the parent writes this one.
        if layout.header.taken.load(Ordering::Relaxed) != *taken {
            return Err(Spoiled);
        }
        if written == *taken {
            return Ok(None);
        }
        if written.wrapping_sub(*taken) > SLOTS as u64 {
            return Err(Spoiled);
        }
        let slot = &layout.slots[*taken as usize % SLOTS];
        let words = std::array::from_fn(|index| slot[index].load(Ordering::Relaxed));
        let key = self.key.load(Ordering::Relaxed);
        if slot[WORDS].load(Ordering::Relaxed) != seal(key, *taken, &words) {
            return Err(Spoiled);
        }
        *taken += 1;
        layout.header.taken.store(*taken, Ordering::Release);
        Record::decode(words).map(Some).ok_or(Spoiled)
    }

    /// The worker: leaves its last words.
    pub(crate) fn leave_note(&self, note: &str) {
        let header = self.header();
        let bytes = &note.as_bytes()[..note.len().min(8 * NOTE_WORDS)];
        for (place, chunk) in header.note.iter().zip(bytes.chunks(8)) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            place.store(u64::from_le_bytes(word), Ordering::Relaxed);
        }
        header
            .note_length
            .store(bytes.len() as u32, Ordering::Release);
    }

    /// The parent: the worker's last words, if it left any. They may be a sequence's own, so no
    /// control character of them reaches a terminal.
    pub(crate) fn note(&self) -> Option<String> {
        let header = self.header();
        let length = header.note_length.load(Ordering::Acquire) as usize;
        let bytes: Vec<u8> = header
            .note
            .iter()
            .flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes())
            .take(length)
            .collect();
        let shown = String::from_utf8_lossy(&bytes).replace(char::is_control, "\u{fffd}");
        (!bytes.is_empty()).then_some(shown)
    }
}

/// The shared memory does not hold what a worker writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoiled;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_pass_in_order_and_a_jump_is_found() {
        let file = Memory::create().unwrap();
        let worker = Memory::map(&file).unwrap();
        let parent = Memory::map(&file).unwrap();
        let mut taken = 0;
        assert_eq!(parent.take(&mut taken), Ok(None));
        for round in 0..3 * SLOTS as u32 {
            worker.write(&Record::Round(round));
            assert_eq!(parent.take(&mut taken), Ok(Some(Record::Round(round))));
        }
        worker
            .header()
            .written
            .store(u64::MAX / 2, Ordering::Relaxed);
        assert_eq!(parent.take(&mut taken), Err(Spoiled));
    }

    /// One word anywhere in the shared memory is changed at random, thousands of times: what the
    /// parent takes is what was written, or it is told that it was spoiled.
    #[test]
    fn a_changed_word_gives_no_other_record() {
        let mut random = crate::random::Stream::new(1, 2);
        let file = Memory::create().unwrap();
        let size = rustix::fs::fstat(&file).unwrap().st_size as u32;
        let mut spoiled = 0;
        let worker = Memory::map(&file).unwrap();
        let parent = Memory::map(&file).unwrap();
        worker.set_key(77);
        parent.set_key(77);
        for trial in 0..10_000 {
            worker.written.store(0, Ordering::Relaxed);
            worker.header().written.store(0, Ordering::Relaxed);
            worker.header().taken.store(0, Ordering::Relaxed);
            let told: Vec<Record> = (0..20)
                .map(|index| Record::Trials {
                    probe: trial,
                    setting: 3,
                    mode: crate::probe::Mode::Dependent,
                    starts: index == 0,
                    count: 12,
                    ticks: std::array::from_fn(|at| at as u32 + index),
                })
                .collect();
            for record in &told {
                worker.write(record);
            }
            // Mostly among the records at hand, where it matters.
            let words = if trial % 4 == 0 { size / 4 } else { 400 };
            let at = random.below(words) as usize;
            let base = parent.map.as_mut_ptr().cast::<AtomicU32>();
            // SAFETY: within the mapping (its size was asked for), aligned, and all of it is atomic.
            let word = unsafe { &*base.add(at) };
            word.fetch_xor(1 << random.below(32), Ordering::Relaxed);
            let mut taken = 0;
            for record in told {
                match parent.take(&mut taken) {
                    Ok(Some(found)) => assert_eq!(found, record),
                    Ok(None) => break,
                    Err(Spoiled) => {
                        spoiled += 1;
                        break;
                    }
                }
            }
            drop(parent.note());
        }
        assert!(spoiled > 1000, "{spoiled}");
    }

    #[test]
    fn a_note_is_cut_and_not_lost() {
        let file = Memory::create().unwrap();
        let memory = Memory::map(&file).unwrap();
        assert_eq!(memory.note(), None);
        memory.leave_note("the reservation failed");
        assert_eq!(memory.note().as_deref(), Some("the reservation failed"));
        memory.leave_note(&"x".repeat(5000));
        assert_eq!(memory.note().unwrap().len(), 8 * NOTE_WORDS);
    }

    #[test]
    fn a_full_ring_waits_only_until_stopped() {
        let file = Memory::create().unwrap();
        let memory = Memory::map(&file).unwrap();
        memory.header().stop.store(1, Ordering::Relaxed);
        for round in 0..SLOTS as u32 + 10 {
            memory.write(&Record::Round(round));
        }
        assert_eq!(
            memory.header().written.load(Ordering::Relaxed),
            SLOTS as u64
        );
    }
}
