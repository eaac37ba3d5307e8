//! Ctrl-C, SIGTERM, and SIGHUP of a terminal that was closed: the first one ends the measurement in
//! order, the second one at once. One that was ignored when the program was started, as by nohup(1),
//! stays so.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

/// Whether the user wants it to end.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// From here on the signals no longer end the process by themselves.
    ///
    /// # Errors
    /// As the system gives them.
    pub(crate) fn install() -> io::Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        // One that comes while the others are being registered is not lost: without this, it would
        // find the first of them, which does nothing, and not the second.
        let early = Arc::new(AtomicBool::new(false));
        let ignored = ignored();
        let signals = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| ignored >> (signal - 1) & 1 == 0);
        for signal in signals.clone() {
            flag::register(signal, Arc::clone(&early))?;
        }
        for signal in signals {
            // Handlers run in the order in which they are registered: the one that exits sees the
            // flag only from the second signal on.
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag))?;
            flag::register(signal, Arc::clone(&flag))?;
        }
        if early.load(Ordering::Relaxed) {
            flag.store(true, Ordering::Relaxed);
        }
        // A limit on the size of files is an error of the write, to be told, and no death.
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        Ok(Self { flag })
    }

    /// Whether one of the signals came.
    pub(crate) fn happened(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// The signals that this process ignores, bit 0 for number 1, as the kernel lists them; none where it
/// does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
