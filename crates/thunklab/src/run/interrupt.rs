//! Ctrl-C and SIGTERM: the first one ends the measurement in order, the second one at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
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
        for signal in [SIGINT, SIGTERM] {
            // Handlers run in the order in which they are registered: the one that exits sees the
            // flag only from the second signal on.
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag))?;
            flag::register(signal, Arc::clone(&flag))?;
        }
        Ok(Self { flag })
    }

    /// Whether one of the signals came.
    pub(crate) fn happened(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
