//! What has to be as it was when a sequence is over.

use super::mapped::Left;
use super::rounds::Rounds;
use super::{STATUS_DISPLACED, process};
use crate::shared::{Displaced, Record};

/// Flags that must be as they were: TF, DF, NT, AC.
const FLAGS: u64 = 1 << 8 | 1 << 10 | 1 << 14 | 1 << 18;
/// The control bits of MXCSR: the others are exceptions seen, which any arithmetic may set.
const MXCSR_CONTROL: u32 = 0xffc0;
/// MXCSR and x87 control word as sequences find them.
const MXCSR: u32 = 0x1f80;
const X87: u16 = 0x037f;

impl Rounds {
    /// Leaves with a report if something is not as it has to be.
    pub(super) fn check(&self, left: &Left, rsp: u64) {
        let (mxcsr, flags) = (left.mxcsr & MXCSR_CONTROL, left.flags & FLAGS);
        let (fs, gs) = if self.job.fsgsbase {
            (left.fs, left.gs)
        } else {
            (left.clean_fs, left.clean_gs)
        };
        let checks = [
            (Displaced::Rsp, rsp, left.rsp),
            (Displaced::Flags, 0, flags),
            (Displaced::Mxcsr, u64::from(MXCSR), u64::from(mxcsr)),
            (Displaced::X87, u64::from(X87), u64::from(left.x87)),
            (Displaced::Fs, left.clean_fs, fs),
            (Displaced::Gs, left.clean_gs, gs),
        ];
        for (what, expected, found) in checks {
            if expected != found {
                self.memory.write(&Record::Displaced {
                    what,
                    expected,
                    found,
                });
                process::exit(STATUS_DISPLACED);
            }
        }
    }
}
