//! The history probe: what is asked of it and what it gives. The method, in one process and on its
//! own random bits, is in docs/history-probe.md.
//!
//! A trial erases older history, takes one of two paths by a random bit (the marker), runs the
//! sequence, and then times one indirect jump that is taken by another bit. If that other bit is
//! always the marker's, the jump can be predicted as long as the history still holds the marker.

use std::time::Duration;

use crate::api::{Counts, Failure, Reason};

/// The branch whose two outcomes leave different history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Marker {
    /// A conditional branch with a taken branch on each of its two paths.
    Conditional,
    /// An indirect jump to one of two jumps.
    Indirect,
    /// A conditional branch, taken or not, over one instruction.
    TakenOrNot,
}

/// One way to look: a marker, and how late the jump can be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    /// The marker.
    pub marker: Marker,
    /// Dependent multiplications between reading the bit and jumping by it.
    pub delay: u32,
}

impl Setting {
    /// All of them, in the order in which [`Reading::setting`] counts.
    pub const ALL: [Self; 6] = {
        const fn of(marker: Marker, delay: u32) -> Setting {
            Setting { marker, delay }
        }
        [
            of(Marker::Conditional, 30),
            of(Marker::Conditional, 60),
            of(Marker::Indirect, 30),
            of(Marker::Indirect, 60),
            of(Marker::TakenOrNot, 30),
            of(Marker::TakenOrNot, 60),
        ]
    };
}

/// What the jump goes by. The code is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Always the same way: always predicted.
    Constant,
    /// The marker's bit: predicted if the history still holds the marker.
    Dependent,
    /// A bit of its own: mispredicted half the time.
    Independent,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Constant, Self::Dependent, Self::Independent];
}

/// What is probed, in this order: first nothing, then each case between marker and jump, and behind
/// that the same case in front of the marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeSubject {
    /// A control: no sequence at all. The marker must be visible.
    Nothing,
    /// This case between marker and jump.
    Between(usize),
    /// A control: this case in front of the marker. The marker must be visible; if it is not, the
    /// case leaves random history of its own.
    Before(usize),
}

/// How to probe.
#[derive(Clone, Debug)]
pub struct ProbePlan {
    /// Seed of tables and places. The bits are fresh in every process, whatever the seed.
    pub seed: u64,
    /// CPU to run on; the backend's choice if `None`.
    pub cpu: Option<u32>,
    /// Trials that are told of in each mode of each setting of a round, at most 900.
    pub trials: u32,
    /// Trials before them that are not.
    pub warm_up: u32,
    /// Rounds that are run before a batch is told.
    pub rounds: u32,
    /// Taken branches of the loop that erases older history: more than the history holds.
    pub erased: u32,
    /// Longest that a mode of a setting may take in a round. Cases that take longer are not probed.
    pub longest: Duration,
    /// Whether each case's own control is run, unless [`ProbeNext::Done`] says that none is needed:
    /// the case in front of the marker.
    pub before: bool,
    /// Whether each case's branches are counted.
    pub counts: bool,
    /// As in [`Plan`](crate::Plan).
    pub allow_syscalls: bool,
    /// As in [`Plan`](crate::Plan).
    pub require_sandbox: bool,
    /// As in [`Plan`](crate::Plan).
    pub apart: bool,
}

impl Default for ProbePlan {
    fn default() -> Self {
        Self {
            seed: 0,
            cpu: None,
            trials: 300,
            warm_up: 100,
            rounds: 3,
            erased: 255,
            longest: Duration::from_millis(1),
            before: true,
            counts: false,
            allow_syscalls: false,
            require_sandbox: false,
            apart: false,
        }
    }
}

/// Times of the jump in one mode of one setting in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Index into [`Setting::ALL`].
    pub setting: usize,
    /// What the jump went by.
    pub mode: Mode,
    /// TSC ticks of each trial behind the warm-up.
    pub ticks: Vec<u32>,
}

/// What is told while a probe goes on.
#[derive(Clone, Debug)]
pub enum ProbeEvent {
    /// A batch of rounds of one subject, every setting in every mode. The answer
    /// [`ProbeNext::Again`] gives another batch of the same, [`ProbeNext::Done`] leaves out the
    /// case's control.
    Read {
        /// Of what.
        subject: ProbeSubject,
        /// What was read.
        readings: Vec<Reading>,
    },
    /// A case will not be probed, for a stated reason. No failure.
    NotRun {
        /// The case.
        case: usize,
        /// Why.
        reason: Reason,
    },
    /// A case failed.
    Failed {
        /// The case.
        case: usize,
        /// What happened.
        failure: Failure,
    },
    /// Exact counts of a case.
    Counted {
        /// The case.
        case: usize,
        /// Counts, or why there are none.
        counts: Result<Counts, Reason>,
    },
    /// Nothing has come: a chance to end what takes long.
    Waiting,
}

/// What the listener wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeNext {
    /// The next subject.
    On,
    /// The next case: no more of this one, its control neither.
    Done,
    /// Another batch of the same.
    Again,
    /// No more of anything.
    Stop,
}
