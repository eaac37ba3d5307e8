//! The scripted history probe: times as a CPU with such a history would give.

use machine::{
    Case, Entry, Mode, ProbeEvent, ProbeNext, ProbePlan, ProbeSubject, Reading, Setting,
};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use serde::Deserialize;

/// How the scripted CPU's branch history is.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Branches {
    /// Taken branches that it holds; null: every filler leaves it half visible.
    pub(crate) history: Option<u32>,
    /// Ticks by which a mispredicted jump is slower.
    pub(crate) gap: u32,
    /// Share of slow jumps that nothing explains, as on a contended core.
    pub(crate) disturbed: f64,
}

impl Default for Branches {
    fn default() -> Self {
        Self {
            history: Some(194),
            gap: 40,
            disturbed: 0.01,
        }
    }
}

/// What a case does to the history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// Share of slow jumps by the marker, 0 to 0.5.
    pub(crate) between: f64,
    /// The same where the case stands in front of the marker.
    pub(crate) before: f64,
}

/// A filler's count, from its case's name: `filler-loop COUNT=193`.
pub(crate) fn filler(case: &Case) -> Option<u64> {
    let (_, count) = case.name.strip_prefix("filler-")?.split_once(" COUNT=")?;
    count.parse().ok()
}

impl Branches {
    /// What so many taken branches of a case do; the call is one more.
    pub(crate) fn effect(&self, case: &Case, branches: u64, random: bool) -> Effect {
        let branches = branches + u64::from(case.entry != Entry::Inline);
        let between = match self.history {
            Some(length) if branches >= u64::from(length) => 0.5,
            Some(_) => 0.0,
            None => 0.25,
        };
        Effect {
            between: if random { 0.5 } else { between },
            before: if random { 0.5 } else { 0.0 },
        }
    }

    /// Tells what a probe of these cases gives.
    pub(crate) fn tell(
        &self,
        effects: &[(usize, Effect)],
        plan: &ProbePlan,
        sink: &mut dyn FnMut(ProbeEvent) -> ProbeNext,
    ) {
        let mut random = Pcg64::seed_from_u64(plan.seed);
        let mut subjects = vec![(ProbeSubject::Nothing, 0.0)];
        for &(case, effect) in effects {
            subjects.push((ProbeSubject::Between(case), effect.between));
            if plan.before {
                subjects.push((ProbeSubject::Before(case), effect.before));
            }
        }
        let mut done = None;
        for (subject, share) in subjects {
            if done.is_some_and(|case| subject == ProbeSubject::Before(case)) {
                continue;
            }
            loop {
                let readings = self.batch(share, plan, &mut random);
                match (sink(ProbeEvent::Read { subject, readings }), subject) {
                    (ProbeNext::Again, _) => {}
                    (ProbeNext::Stop, _) => return,
                    (ProbeNext::Done, ProbeSubject::Between(case)) => {
                        done = Some(case);
                        break;
                    }
                    (ProbeNext::On | ProbeNext::Done, _) => break,
                }
            }
        }
    }

    fn batch(&self, dependent: f64, plan: &ProbePlan, random: &mut Pcg64) -> Vec<Reading> {
        let mut readings = Vec::new();
        for _ in 0..plan.rounds {
            for setting in 0..Setting::ALL.len() {
                for mode in Mode::ALL {
                    let share = match mode {
                        Mode::Constant => 0.0,
                        Mode::Dependent => dependent,
                        Mode::Independent => 0.5,
                    };
                    let slow = share + self.disturbed * (1.0 - share);
                    let ticks = (0..plan.trials).map(|_| {
                        let bits = random.next_u64();
                        let is_slow = ((bits >> 11) as f64) < slow * (1_u64 << 53) as f64;
                        100 + (bits & 7) as u32 + if is_slow { self.gap } else { 0 }
                    });
                    readings.push(Reading {
                        setting,
                        mode,
                        ticks: ticks.collect(),
                    });
                }
            }
        }
        readings
    }
}
