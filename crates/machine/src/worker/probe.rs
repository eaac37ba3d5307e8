//! The worker's part of the history probe: fresh bits, trials, ticks.

use std::sync::atomic::Ordering;

use super::rounds::Rounds;
use crate::probe::Mode;
use crate::shared::{JobProbe, PROBED_TICKS, Record, STAGE_PROBING};

/// Trials for finding out how long one takes.
const TRIED: u32 = 16;
/// A trial that alone would take so many times as long as a mode may is too slow without a doubt.
const SURELY: u64 = 1000;

impl Rounds {
    /// Rounds of one subject: every setting in every mode, with bits that were never seen before.
    pub(super) fn probe(&mut self, probe: u32, rounds: u32) {
        let Some(subject) = self.job.probes.get(probe as usize).copied() else {
            return;
        };
        self.fill_tables(self.next_filling());
        if let Some(case) = subject.case {
            self.set_up(case as usize);
        }
        self.tell(subject.case, STAGE_PROBING);
        if let Some(ticks) = self.too_slow(&subject) {
            self.memory.write(&Record::Slow { probe, ticks });
        } else {
            for round in 0..rounds {
                self.probe_round(probe, &subject, round);
            }
        }
        self.memory.write(&Record::Probed(probe));
        self.rest();
    }

    fn probe_round(&mut self, probe: u32, subject: &JobProbe, round: u32) {
        let filling = self.next_filling();
        self.fill_tables(filling);
        for (setting, function) in subject.functions.into_iter().enumerate() {
            for turn in 0..Mode::ALL.len() {
                if self.memory.header().stop.load(Ordering::Relaxed) != 0 {
                    return;
                }
                // In turns, so that no mode is always the first one behind another setting.
                let mode = Mode::ALL[(turn + round as usize) % Mode::ALL.len()];
                let trials = self.job.probing.warm_up + self.job.probing.trials;
                self.trials(subject, function, mode, trials);
                self.tell_ticks(probe, setting as u32, mode);
            }
        }
    }

    /// Ticks of one trial where a mode of a setting would take too long.
    fn too_slow(&mut self, subject: &JobProbe) -> Option<u32> {
        let probing = self.job.probing;
        let longest = u64::from(probing.longest_us) * u64::from(self.job.ticks_per_us);
        let function = subject.functions[0];
        let wanted = u64::from(probing.warm_up + probing.trials);
        // One at a time first: many of a slow one would look like no progress.
        let mut alone = u32::MAX;
        for _ in 0..3 {
            alone = alone.min(self.trials(subject, function, Mode::Constant, 1));
            if u64::from(alone) * wanted <= SURELY * longest {
                break;
            }
        }
        if u64::from(alone) * wanted > SURELY * longest {
            return Some(alone);
        }
        // The second time nothing is cold, and two interruptions in a row are rare.
        let ticks = [0, 1, 2]
            .map(|_| self.trials(subject, function, Mode::Constant, TRIED))
            .into_iter()
            .min()?;
        let each = ticks / TRIED;
        (u64::from(each) * wanted > longest).then_some(each)
    }

    /// Runs trials with fresh bits and gives the ticks of all of them together.
    fn trials(&mut self, subject: &JobProbe, function: u64, mode: Mode, trials: u32) -> u32 {
        let mut markers = 0;
        let mut jumps = 0;
        for trial in 0..trials {
            if trial % 64 == 0 {
                markers = self.history_bits.next();
                jumps = match mode {
                    Mode::Constant => 0,
                    Mode::Dependent => markers,
                    Mode::Independent => self.history_bits.next(),
                };
            }
            let bit = |bits: u64| (bits >> (trial % 64) & 1) as u8;
            self.mapped
                .set_trial(&self.job.probing.tables, trial, bit(markers), bit(jumps));
        }
        self.beat();
        self.mapped.set_trials(trials);
        let ticks = self.mapped.time(function);
        let left = self.mapped.left();
        self.check(&left, subject.rsp);
        ticks
    }

    /// Tells the ticks of the trials behind the warm-up.
    fn tell_ticks(&mut self, probe: u32, setting: u32, mode: Mode) {
        let probing = self.job.probing;
        let end = probing.warm_up + probing.trials;
        let mut first = probing.warm_up;
        while first < end {
            let count = (end - first).min(PROBED_TICKS as u32);
            let mut ticks = [0; PROBED_TICKS];
            for (place, trial) in ticks.iter_mut().zip(first..first + count) {
                *place = self.mapped.trial_ticks(&probing.tables, trial);
            }
            self.memory.write(&Record::Trials {
                probe,
                setting,
                mode,
                starts: first == probing.warm_up,
                count,
                ticks,
            });
            first += count;
        }
    }
}
