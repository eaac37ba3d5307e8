//! The harness's own data: what it keeps while a stranger's code holds every register.

/// Addresses in the control page, all reachable as 32-bit absolute operands.
///
/// Stack and data of the sequences begin at the ends of pages; what the timed loop touches stands
/// in the middle of one, so that no load of a sequence meets a harness store at the same offset of
/// another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control {
    /// Address of the page.
    pub(crate) page: u64,
}

/// Bytes of the control region: the page, and behind it the clean processor state.
pub(crate) const CONTROL_BYTES: u64 = 0x1000 + STATE_BYTES;
/// Bytes kept for one processor state: 15 general registers and an XSAVE area.
pub(crate) const STATE_BYTES: u64 = 0x1000;
/// Offset of the XSAVE area in a state.
pub(crate) const STATE_XSAVE: u64 = 0x100;

/// Entries of the table of random bits for the history context, a power of two.
pub(crate) const HISTORY_ENTRIES: u32 = 1024;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident = $offset:literal;)*) => {
        impl Control {
            $($(#[$doc])* pub(crate) fn $name(self) -> i32 {
                // The image lies below 2 GiB, so every address is a positive i32.
                (self.page as i32) + $offset
            })*
        }
    };
}

fields! {
    /// u64: the worker's stack pointer while a sequence runs.
    saved_rsp = 0x000;
    /// u64: TSC before the loop.
    start = 0x008;
    /// u64: TSC behind it.
    end = 0x010;
    /// u32: IA32_TSC_AUX behind it.
    aux = 0x018;
    /// u64: %rsp behind the loop.
    rsp = 0x020;
    /// u64: RFLAGS behind the loop.
    flags = 0x028;
    /// u32: MXCSR behind the loop.
    mxcsr = 0x030;
    /// u16: x87 control word behind the loop.
    x87 = 0x034;
    /// u64: fs base behind the loop.
    fs = 0x038;
    /// u64: gs base behind the loop.
    gs = 0x040;
    /// u64: fs base of the worker, restored behind every pass.
    clean_fs = 0x048;
    /// u64: gs base of the worker.
    clean_gs = 0x050;
    /// u32: turns of the loop of the next pass.
    turns = 0x058;
    /// u32: trials of the next pass of a history probe.
    trials = 0x05c;
    /// u64: the body that the shared places call.
    body = 0x060;
    /// u16: x87 status word behind the loop.
    x87_status = 0x068;
    /// u32: what is left of them, on a line of its own.
    counter = 0x800;
    /// u32: address of the next entry of the table of random bits, on a line of its own.
    history_cursor = 0x840;
    /// u64: a register that the history branches borrow.
    history_register = 0x848;
    /// u32: the trial of a history probe that runs, on a line of its own.
    trial = 0x880;
}

/// Offsets in the control region of words that nobody changes: behind what the harness keeps, in
/// front of the loop's counter, and at the ends of its pages.
const GUARDS: [i32; 4] = [0x070, 0x7f8, 0xff8, 0x1ff8];

impl Control {
    /// Addresses of the words that nobody changes.
    pub(crate) fn guards(self) -> [i32; GUARDS.len()] {
        GUARDS.map(|offset| self.page as i32 + offset)
    }

    /// The XSAVE area of the worker's own state.
    pub(crate) fn clean_state(self) -> i32 {
        (self.page as i32) + 0x1000 + STATE_XSAVE as i32
    }
}
