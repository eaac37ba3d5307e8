//! This CPU's history length: the number of taken filler branches from which on the history is
//! displaced, by every kind of filler.

use std::collections::{BTreeMap, BTreeSet};

use machine::{Backend, ProbeEvent, ProbeNext, ProbePlan};
use record::{History, HistoryWord, ProbeStep};

use super::ERASED;
use super::filler::Fillers;
use super::judge::Judge;
use crate::outcome::Refusal;

/// Counts of the first sweep. The last is the longest history that is looked for.
const COARSE: [u32; 14] = [
    1, 16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512,
];
/// Taken branches of the loop that erases older history during a sweep: twice the longest.
const ERASED_IN_SWEEP: u32 = 1023;
/// Points between two neighbours of the last sweep.
const FINER: u32 = 8;
/// Published lengths (Golden Cove; Skylake and Broadwell), which a run looks for first. They are
/// only believed where the step is seen.
const PUBLISHED: [u32; 2] = [194, 93];
/// Kinds of filler that a quick look uses.
const QUICK_KINDS: usize = 3;

/// What a sweep found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Length {
    /// The length in taken branches, or why there is none.
    pub(crate) length: Result<u32, String>,
    /// What was swept: by kind of filler, then by count.
    pub(crate) steps: Vec<ProbeStep>,
}

impl Length {
    /// Taken branches that erase older history on this CPU.
    pub(super) fn erased(&self) -> u32 {
        match self.length {
            Ok(length) => ERASED.max(2 * length),
            Err(_) => ERASED_IN_SWEEP,
        }
    }
}

/// A sweep of all kinds of filler.
///
/// # Errors
/// Where the machine cannot probe at all.
pub(crate) fn full(backend: &mut dyn Backend, cpu: u32, seed: u64) -> Result<Length, Refusal> {
    let mut sweep = Sweep::new(cpu, seed)?;
    sweep.all_kinds(backend, &COARSE)?;
    loop {
        let step = sweep.step();
        let finer = match step {
            Step::Between(kept, displaced) if displaced - kept > 1 => {
                let stride = (displaced - kept).div_ceil(FINER) as usize;
                (kept + 1..displaced).step_by(stride).collect()
            }
            _ => Vec::new(),
        };
        let fresh: Vec<u32> = finer
            .into_iter()
            .filter(|count| !sweep.has(*count))
            .collect();
        if fresh.is_empty() {
            return Ok(sweep.finish());
        }
        sweep.all_kinds(backend, &fresh)?;
    }
}

/// A look at the published lengths; a full sweep where none of them is this CPU's.
///
/// # Errors
/// As [`full`].
pub(crate) fn quick(backend: &mut dyn Backend, cpu: u32, seed: u64) -> Result<Length, Refusal> {
    let mut sweep = Sweep::new(cpu, seed)?;
    let kinds = sweep.kinds().min(QUICK_KINDS);
    for length in PUBLISHED {
        let points: Vec<(usize, u32)> = [length - 1, length]
            .into_iter()
            .flat_map(|count| (0..kinds).map(move |kind| (kind, count)))
            .collect();
        // The rest of a look is not worth its time once one point of it is not as it should be.
        sweep.look(backend, &points, ERASED, &|(_, count), word| {
            let expected = if count < length {
                HistoryWord::Kept
            } else {
                HistoryWord::Displaced
            };
            word == expected
        })?;
        let all = points.iter().all(|point| sweep.found.contains_key(point));
        if all && sweep.step() == Step::Between(length - 1, length) {
            return Ok(sweep.finish());
        }
        sweep.found.clear();
    }
    full(backend, cpu, seed)
}

/// Where the words change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// At nothing that was swept.
    Never,
    /// Already at the least count.
    Always,
    /// All kinds keep the history up to the first count and displace it from the second on.
    Between(u32, u32),
}

struct Sweep {
    fillers: Fillers,
    cpu: u32,
    seed: u64,
    found: BTreeMap<(usize, u32), History>,
}

impl Sweep {
    fn new(cpu: u32, seed: u64) -> Result<Self, Refusal> {
        Ok(Self {
            fillers: Fillers::new()?,
            cpu,
            seed,
            found: BTreeMap::new(),
        })
    }

    fn kinds(&self) -> usize {
        self.fillers.kinds().len()
    }

    fn has(&self, count: u32) -> bool {
        self.found.keys().any(|(_, known)| *known == count)
    }

    /// All kinds at these counts; what is unclear or disturbed once more.
    fn all_kinds(&mut self, backend: &mut dyn Backend, counts: &[u32]) -> Result<(), Refusal> {
        let kinds = self.kinds();
        let points: Vec<(usize, u32)> = counts
            .iter()
            .flat_map(|&count| (0..kinds).map(move |kind| (kind, count)))
            .collect();
        self.look(backend, &points, ERASED_IN_SWEEP, &|_, _| true)?;
        let again: Vec<(usize, u32)> = points
            .into_iter()
            .filter(|point| {
                let word = self.found.get(point).map(|history| history.word);
                !matches!(word, Some(HistoryWord::Kept | HistoryWord::Displaced))
            })
            .collect();
        // Where nothing at all can be seen, a second look would see nothing either.
        if again.len() < self.found.len() {
            self.look(backend, &again, ERASED_IN_SWEEP, &|_, _| true)?;
        }
        Ok(())
    }

    /// Probes points until `goes_on` says no.
    fn look(
        &mut self,
        backend: &mut dyn Backend,
        points: &[(usize, u32)],
        erased: u32,
        goes_on: &dyn Fn((usize, u32), HistoryWord) -> bool,
    ) -> Result<(), Refusal> {
        if points.is_empty() {
            return Ok(());
        }
        let mut cases = Vec::with_capacity(points.len());
        for &(kind, count) in points {
            cases.push(self.fillers.case(kind, count)?);
        }
        let plan = ProbePlan {
            seed: self.seed,
            cpu: Some(self.cpu),
            erased,
            rounds: 2,
            // Fillers are known to hold nothing random.
            before: false,
            ..ProbePlan::default()
        };
        let mut judge = Judge::new(cases.len());
        let mut read = BTreeSet::new();
        backend.probe(&cases, &plan, &mut |event| {
            let ProbeEvent::Read { subject, readings } = event else {
                return ProbeNext::On;
            };
            if judge.take(subject, readings) {
                return ProbeNext::Again;
            }
            if let machine::ProbeSubject::Between(case) = subject {
                read.insert(case);
                if !goes_on(points[case], judge.history(case).word) {
                    return ProbeNext::Stop;
                }
            }
            ProbeNext::On
        })?;
        for case in read {
            self.found.insert(points[case], judge.history(case));
        }
        Ok(())
    }

    /// The word of a count, where all kinds agree.
    fn word(&self, count: u32) -> Option<HistoryWord> {
        let mut words = self
            .found
            .iter()
            .filter(|((_, known), _)| *known == count)
            .map(|(_, history)| history.word);
        let first = words.next()?;
        words.all(|word| word == first).then_some(first)
    }

    fn step(&self) -> Step {
        let counts: BTreeSet<u32> = self.found.keys().map(|(_, count)| *count).collect();
        let of = |word: HistoryWord| move |count: &&u32| self.word(**count) == Some(word);
        let kept = counts.iter().take_while(of(HistoryWord::Kept)).last();
        let displaced = counts
            .iter()
            .rev()
            .take_while(of(HistoryWord::Displaced))
            .last();
        match (kept, displaced) {
            (_, None) => Step::Never,
            (None, Some(_)) => Step::Always,
            (Some(&kept), Some(&displaced)) => Step::Between(kept, displaced),
        }
    }

    fn finish(self) -> Length {
        let length = match self.step() {
            Step::Between(kept, displaced) if displaced == kept + 1 => Ok(displaced),
            Step::Between(kept, displaced) => Err(format!(
                "no clean step: between {kept} and {displaced} taken branches, kinds of filler \
                 disagree or are unclear"
            )),
            Step::Always => Err(String::from(
                "no clean step: even the shortest filler does not keep the history",
            )),
            Step::Never => Err(self.why_never()),
        };
        let kinds = self.fillers.kinds();
        let steps = self.found.iter().map(|((kind, count), history)| ProbeStep {
            filler: kinds.get(*kind).cloned(),
            taken_branches: *count,
            score: history.score,
        });
        Length {
            length,
            steps: steps.collect(),
        }
    }

    fn why_never(&self) -> String {
        let unseen = self
            .found
            .values()
            .find(|history| history.word == HistoryWord::NotMeasurable);
        match unseen.and_then(|history| history.reason.clone()) {
            Some(reason) => format!("no clean step: {reason}"),
            None => {
                let most = COARSE[COARSE.len() - 1];
                format!("no clean step: not all kinds of filler displace it with {most} branches")
            }
        }
    }
}
