//! What has to be as it was when a sequence is over.

use std::sync::atomic::Ordering;

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
/// Of the x87 status: the error summary, and the top of the register stack.
const X87_STATUS: u16 = 1 << 7 | 0b111 << 11;

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
            (
                Displaced::X87Status,
                0,
                u64::from(left.x87_status & X87_STATUS),
            ),
            (Displaced::Fs, left.clean_fs, fs),
            (Displaced::Gs, left.clean_gs, gs),
        ];
        if let Some((expected, found)) = self.mapped.spoilt_guard() {
            self.leave(Displaced::Guard, expected, found);
        }
        let header = self.memory.header();
        let told = header.case.load(Ordering::Relaxed);
        if !self.memory.is_as_written() || told != self.told {
            self.leave(Displaced::Results, u64::from(self.told), u64::from(told));
        }
        for (what, expected, found) in checks {
            if expected != found {
                self.leave(what, expected, found);
            }
        }
    }

    fn leave(&self, what: Displaced, expected: u64, found: u64) -> ! {
        // What was told is told again: it may be what was written over.
        let header = self.memory.header();
        header.case.store(self.told, Ordering::Relaxed);
        self.memory.write(&Record::Displaced {
            what,
            expected,
            found,
        });
        process::exit(STATUS_DISPLACED);
    }
}
