//! Whether a worker that makes no progress hangs, or has only not had the CPU.
//!
//! What counts is what the worker itself did: time that it ran, and time that it slept. A machine
//! on which others run, whose host takes its CPUs away, or that was suspended, gives it neither.

use std::time::{Duration, Instant};

use crate::api::Error;

/// CPU time without progress after which a worker hangs.
const STUCK_RUNNING: Duration = Duration::from_millis(400);
/// Time asleep without progress after which it does.
const STUCK_ASLEEP: Duration = Duration::from_secs(1);
/// Time without progress after which it does where the kernel does not say what it did.
const STUCK_UNSEEN: Duration = Duration::from_secs(3);
/// Time after which nobody waits any longer for a worker that gets no CPU.
const STARVED: Duration = Duration::from_secs(30);
/// Time without a word after which a worker hangs, though it goes on from pass to pass: no sample takes
/// as long, and a sequence may pretend that it goes on.
const SILENT: Duration = Duration::from_secs(120);
/// How often the kernel is asked what it did.
const LOOK: Duration = Duration::from_millis(10);
/// Most that one look counts for. Where a machine stood still between two looks, the second one sees
/// all that time at once.
const MOST_PER_LOOK: Duration = Duration::from_millis(20);

/// Why a worker is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// It ran, or slept, without end.
    Hangs,
    /// It was ready to run, and got no CPU.
    Starves,
}

/// What a process has done so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Done {
    /// Time on a CPU.
    pub(super) ran: Duration,
    /// Whether it runs or is ready to, and does not wait for anything else.
    pub(super) is_ready: bool,
}

/// A look at it.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Instant,
    done: Option<Done>,
}

/// What was seen since the last progress.
#[derive(Debug)]
pub(super) struct Progress {
    beat: u32,
    last: Look,
    ran: Duration,
    slept: Duration,
    all: Duration,
    /// When it began, and since then none was seen.
    since: Instant,
    /// When it was looked at last, and the time since it told something.
    seen: Instant,
    silent: Duration,
    /// When it told something.
    heard: Instant,
}

impl Progress {
    /// It begins now, at this beat.
    pub(super) fn new(beat: u32, now: Instant) -> Self {
        Self {
            beat,
            last: Look {
                at: now,
                done: None,
            },
            ran: Duration::ZERO,
            slept: Duration::ZERO,
            all: Duration::ZERO,
            since: now,
            seen: now,
            silent: Duration::ZERO,
            heard: now,
        }
    }

    /// Time without progress, or without a word if that is longer: by the clock, for on a busy machine
    /// the looks at it are further apart than [`MOST_PER_LOOK`].
    pub(super) fn waited(&self) -> Duration {
        self.since.elapsed().max(self.heard.elapsed())
    }

    /// It told something.
    pub(super) fn told(&mut self) {
        self.silent = Duration::ZERO;
        self.heard = self.seen;
    }

    /// Looks at a worker that has something to do. `done` asks what it did, which costs a little.
    pub(super) fn look(
        &mut self,
        beat: u32,
        now: Instant,
        done: impl FnOnce() -> Option<Done>,
    ) -> Option<Stuck> {
        self.silent += now.saturating_duration_since(self.seen).min(MOST_PER_LOOK);
        self.seen = now;
        if self.silent >= SILENT {
            return Some(Stuck::Hangs);
        }
        if beat != self.beat {
            *self = Self {
                silent: self.silent,
                heard: self.heard,
                ..Self::new(beat, now)
            };
            return None;
        }
        let passed = now.saturating_duration_since(self.last.at);
        if passed < LOOK {
            return None;
        }
        let last = std::mem::replace(
            &mut self.last,
            Look {
                at: now,
                done: done(),
            },
        );
        let counts = passed.min(MOST_PER_LOOK);
        self.all += counts;
        let seen = self.last.done;
        if let (Some(before), Some(now)) = (last.done, seen) {
            let ran = now.ran.saturating_sub(before.ran).min(counts);
            self.ran += ran;
            if !now.is_ready {
                self.slept += counts - ran;
            }
        }
        let hangs = self.ran >= STUCK_RUNNING
            || self.slept >= STUCK_ASLEEP
            || seen.is_none() && self.all >= STUCK_UNSEEN;
        if hangs {
            Some(Stuck::Hangs)
        } else if self.all >= STARVED {
            Some(Stuck::Starves)
        } else {
            None
        }
    }
}

/// What the kernel says that a process did; `None` where it does not.
pub(super) fn done(pid: u32) -> Option<Done> {
    let read = |file| std::fs::read_to_string(format!("/proc/{pid}/{file}")).ok();
    let ran: u64 = read("schedstat")?.split_whitespace().next()?.parse().ok()?;
    // Its name stands in parentheses before, and may hold anything.
    let stat = read("stat")?;
    let state = stat.rsplit_once(')')?.1.trim_start().chars().next()?;
    Some(Done {
        ran: Duration::from_nanos(ran),
        is_ready: state == 'R',
    })
}

/// What is said of a worker that gets no CPU.
pub(super) fn starves(cpu: u32) -> Error {
    Error {
        message: format!(
            "a worker got no time on CPU {cpu} for {} s",
            STARVED.as_secs()
        ),
        advice:
            "look for what keeps that CPU: a real-time process, a cgroup's quota, the host; or \
                 choose another one with --cpu"
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks every three milliseconds at a worker that never beats, and tells when it is ended.
    /// `done`: what it did so many milliseconds after the start.
    fn ended(done: impl Fn(u64) -> Option<Done>) -> (u64, Stuck) {
        let start = Instant::now();
        let mut progress = Progress::new(7, start);
        for millisecond in (3..).step_by(3) {
            let now = start + Duration::from_millis(millisecond);
            if let Some(stuck) = progress.look(7, now, || done(millisecond)) {
                return (millisecond, stuck);
            }
        }
        unreachable!("nobody is waited for without end");
    }

    fn ran(milliseconds: u64, is_ready: bool) -> Option<Done> {
        Some(Done {
            ran: Duration::from_millis(milliseconds),
            is_ready,
        })
    }

    #[test]
    fn a_loop_hangs_when_it_has_run_for_long() {
        let (alone, stuck) = ended(|now| ran(now, true));
        assert_eq!(stuck, Stuck::Hangs);
        assert!((400..450).contains(&alone), "{alone}");
        // One of four on a CPU takes four times as long to be sure of, and is as sure.
        let (shared, stuck) = ended(|now| ran(now / 4, true));
        assert_eq!(stuck, Stuck::Hangs);
        assert!((1600..1700).contains(&shared), "{shared}");
    }

    #[test]
    fn a_blocked_one_hangs_and_one_without_a_cpu_does_not() {
        let (blocked, stuck) = ended(|_| ran(5, false));
        assert_eq!(stuck, Stuck::Hangs);
        assert!((1000..1100).contains(&blocked), "{blocked}");
        // One that sleeps again and again is as blocked.
        let (dozing, stuck) = ended(|now| ran(now / 10, false));
        assert_eq!(stuck, Stuck::Hangs);
        assert!((1000..1300).contains(&dozing), "{dozing}");
        let (starved, stuck) = ended(|_| ran(5, true));
        assert_eq!(stuck, Stuck::Starves);
        assert!(starved >= 30_000, "{starved}");
        let (unseen, stuck) = ended(|_| None);
        assert_eq!(stuck, Stuck::Hangs);
        assert!((3000..3100).contains(&unseen), "{unseen}");
    }

    #[test]
    fn time_in_which_the_machine_stood_still_counts_for_one_look() {
        let start = Instant::now();
        let mut progress = Progress::new(0, start);
        let mut look = |seconds: f64, ran: f64| {
            let done = Done {
                ran: Duration::from_secs_f64(ran),
                is_ready: true,
            };
            progress.look(0, start + Duration::from_secs_f64(seconds), || Some(done))
        };
        assert_eq!(look(0.01, 0.01), None);
        // What a host takes away may count as time that a guest's process ran.
        assert_eq!(look(60.0, 60.0), None);
        assert_eq!(look(60.1, 60.1), None);
    }

    #[test]
    fn beats_alone_are_no_progress_for_ever() {
        let start = Instant::now();
        let mut progress = Progress::new(0, start);
        let looks = (1..).map(|look| (look, start + LOOK * look));
        let mut ended = looks.map(|(beat, now)| progress.look(beat, now, || ran(0, true)));
        let looks = ended.position(|stuck| stuck == Some(Stuck::Hangs));
        assert_eq!(looks, Some(11_999));
    }

    #[test]
    fn beats_do_not_hide_how_long_nothing_was_told() {
        let now = Instant::now();
        let start = now - Duration::from_secs(1);
        let mut progress = Progress::new(0, start);
        assert_eq!(progress.look(1, now, || ran(0, true)), None);
        assert!(progress.waited() >= Duration::from_secs(1));
    }

    #[test]
    fn progress_begins_anew_with_each_beat() {
        let start = Instant::now();
        let mut progress = Progress::new(0, start);
        for beat in 1..1000 {
            progress.told();
            // A body that takes a third of a second.
            for part in 0..30 {
                let now = Duration::from_millis(10 * (30 * u64::from(beat) + part));
                let done = Done {
                    ran: now,
                    is_ready: true,
                };
                assert_eq!(progress.look(beat, start + now, || Some(done)), None);
            }
        }
    }

    #[test]
    fn the_kernel_says_what_this_process_does() {
        let seen = done(std::process::id()).expect("/proc is there");
        assert!(seen.ran > Duration::ZERO, "{seen:?}");
        assert_eq!(done(u32::MAX), None);
    }
}
