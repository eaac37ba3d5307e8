//! Whether what a worker tells can be so.
//!
//! A record that reached the parent intact may still be a sequence's work, if it wrote over the
//! worker's own memory. Rounds come one after the other, each measure once in each; the number of
//! runs is what was calibrated; and nothing takes longer than the worker has lived.

use std::time::Instant;

use super::failure::Left;
use super::launch::Launched;
use crate::shared::Record;

/// The least time of a sample, seconds. With its rulers, sentinels and passes it takes 10 us on a Golden
/// Cove at 3 GHz.
const LEAST_TIME: f64 = 3e-6;
/// Samples beyond that, since clocks are read at other moments than samples are told.
const AT_ONCE: f64 = 1000.0;

/// Pairs of rulers that a worker tells of, with room for more.
const MOST_RULERS: u32 = 1000;

/// What cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    /// In words.
    pub(super) what: &'static str,
    /// Whose number it is, by place in the job; `None` if that cannot be said.
    pub(super) place: Option<usize>,
}

/// What is known of a worker's tale so far.
#[derive(Debug)]
pub(super) struct Tale {
    began: Instant,
    /// Ticks of the TSC in a second.
    tsc_hz: f64,
    /// The round that goes on.
    round: u32,
    /// Whether a measure was timed in it.
    timed: Vec<bool>,
    rulers: u32,
    /// Samples so far.
    samples: u64,
    /// Whether rounds go on.
    rounds: bool,
    /// Whether each case was tried, and whether all are.
    tried: Vec<bool>,
    ready: bool,
    /// Whether performance counters are being read.
    counting: bool,
    /// Readings of counters of each measure that are still to come.
    counters: Vec<u32>,
}

impl Tale {
    /// Nothing is told yet, of so many cases and measures. `counters`: readings of counters for each
    /// measure.
    pub(super) fn new(cases: usize, measures: usize, counters: u32, tsc_hz: f64) -> Self {
        Self {
            began: Instant::now(),
            tsc_hz,
            round: 0,
            timed: vec![false; measures],
            rulers: 0,
            samples: 0,
            rounds: false,
            tried: vec![false; cases],
            ready: false,
            counting: false,
            counters: vec![counters; measures],
        }
    }

    /// A round is complete, or one that is not will never be.
    fn begin(&mut self, round: u32) {
        self.round = round;
        self.timed.fill(false);
    }

    /// Samples that fit into the time since the worker began.
    fn most_samples(&self) -> f64 {
        self.began.elapsed().as_secs_f64() / LEAST_TIME + AT_ONCE
    }

    /// Ticks that have passed since the worker began, with some to spare.
    fn most_ticks(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * self.tsc_hz * 1.1 + self.tsc_hz / 100.0
    }
}

impl Launched {
    /// Rounds will be told from this one on.
    pub(super) fn expect_round(&mut self, first: u32) {
        self.tale.begin(first);
        self.tale.rounds = true;
    }

    /// Counters will be told. What is still to come of rounds says nothing about its progress.
    pub(super) fn expect_counters(&mut self) {
        self.tale.rounds = false;
        self.tale.counting = true;
    }

    /// Doubts a record. `calibrated`: pair of passes and turns of each measure of the plan;
    /// `owner`: the case of a measure of the plan.
    ///
    /// # Errors
    /// What cannot be, which is remembered as what the worker left.
    pub(super) fn doubt(
        &mut self,
        record: &Record,
        calibrated: &[Option<(u32, u32)>],
        owner: &dyn Fn(u32) -> Option<usize>,
    ) -> Result<(), Doubt> {
        let sound = self.contradiction(record, calibrated);
        let is_expected = match record {
            Record::Sample { .. } | Record::Round(_) => self.tale.rounds,
            Record::Rulers { .. } | Record::Missing { .. } | Record::Confined => false,
            _ => true,
        };
        if sound.is_ok() && is_expected {
            self.worker.heard();
        }
        sound.map_err(|what| {
            let measure = match *record {
                Record::Sample { measure, .. } => self.measures.get(measure as usize).copied(),
                _ => None,
            };
            let case = measure.and_then(owner);
            let doubt = Doubt {
                what,
                place: self.cases.iter().position(|known| Some(*known) == case),
            };
            self.left = Left::Implausible(doubt);
            doubt
        })
    }

    fn contradiction(
        &mut self,
        record: &Record,
        calibrated: &[Option<(u32, u32)>],
    ) -> Result<(), &'static str> {
        match *record {
            Record::Sample {
                measure,
                round,
                runs,
                ticks,
                long_ticks,
                ruler_ticks,
                sentinels,
                discard,
            } => {
                let index = measure as usize;
                let (Some(timed), Some(&global)) =
                    (self.tale.timed.get_mut(index), self.measures.get(index))
                else {
                    return Err("a sample of nothing that is measured");
                };
                if round != self.tale.round || std::mem::replace(timed, true) {
                    return Err("a sample out of its turn");
                }
                self.tale.samples += 1;
                if self.tale.samples as f64 > self.tale.most_samples() {
                    return Err("more samples than there was time for");
                }
                let expected = calibrated[global as usize].map(|(level, turns)| {
                    self.image.passes[index].copies[level.min(1) as usize].saturating_mul(turns)
                });
                if expected != Some(runs) {
                    return Err("a sample of another number of runs than was calibrated");
                }
                if discard.is_none() {
                    let parts = [ticks, long_ticks, ruler_ticks, sentinels[0], sentinels[1]];
                    if parts.contains(&0) {
                        return Err("a time of zero");
                    }
                    let all: f64 = parts.into_iter().map(f64::from).sum();
                    if all > self.tale.most_ticks() {
                        return Err("a sample that took longer than its worker has lived");
                    }
                }
            }
            Record::Round(round) => {
                if round != self.tale.round || self.tale.timed.contains(&false) {
                    return Err("a round that was not complete");
                }
                self.tale.begin(round.wrapping_add(1));
            }
            Record::Tried(case) => {
                let tried = self.tale.tried.get_mut(case as usize);
                if tried.is_none_or(|tried| std::mem::replace(tried, true)) {
                    return Err("a case tried twice, or none");
                }
            }
            Record::Calibrated { measure, .. } => match self.measures.get(measure as usize) {
                Some(&global) if calibrated[global as usize].is_none() => {}
                _ => return Err("a calibration of what was calibrated, or of nothing"),
            },
            Record::Ready => {
                if std::mem::replace(&mut self.tale.ready, true) {
                    return Err("twice that it is ready");
                }
            }
            Record::Counter { measure, .. } => {
                let counters = self.tale.counters.get_mut(measure as usize);
                match counters.filter(|left| self.tale.counting && **left > 0) {
                    Some(left) => *left -= 1,
                    None => return Err("more counters than were asked for"),
                }
            }
            Record::CountersRead => {
                if !std::mem::replace(&mut self.tale.counting, false) {
                    return Err("counters that nobody asked for");
                }
            }
            Record::Counted(_)
            | Record::Trials { .. }
            | Record::Slow { .. }
            | Record::Probed(_) => return Err("what workers for other purposes tell"),
            Record::Rulers { .. } => {
                self.tale.rulers += 1;
                if self.tale.rulers > MOST_RULERS {
                    return Err("more pairs of rulers than are timed");
                }
            }
            Record::Missing { .. } | Record::Confined | Record::Displaced { .. } => {}
        }
        Ok(())
    }
}
