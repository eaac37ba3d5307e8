//! Which case a worker's end is laid to.

use std::time::Instant;

use super::{MOST_LOST, Session, Stretch};
use crate::api::{Error, Event, Failure, FailureKind};
use crate::supervise::failure::{self, Left};
use crate::supervise::launch::Launched;
use crate::supervise::process::Ended;
use crate::supervise::{count, trial};

/// The loss after which each case of a worker gets one of its own.
const MOST_PARTED: u32 = 2;
/// Rounds for which each case is run alone when a worker was lost: the first time, the second, ...
const TRIAL_ROUNDS: [u32; MOST_LOST as usize + 1] = [3, 50, 500, 500];

impl Session<'_> {
    /// Tells that a case failed and takes it out. Where it is not plain which one, they are run
    /// alone. A worker that ended for no reason is replaced a few times: something else may have
    /// ended it.
    pub(super) fn failed(
        &mut self,
        launched: &mut Launched,
        ended: Ended,
    ) -> Result<Stretch, Error> {
        let by_another = failure::ended_by_another(launched);
        let (owner, told) = (failure::owner(launched), launched.worker.running());
        // Code of another case than the one that was told to run: it may have been jumped into.
        let strayed = owner.is_some() && told.is_some() && owner != told;
        let nothing_else = matches!(launched.left, Left::Nothing);
        let place = match owner {
            Some(_) if strayed && nothing_else => told,
            owner => owner.or(told),
        };
        let case = place.and_then(|place| Some((place, *launched.cases.get(place)?)));
        let plain = match launched.left {
            Left::Nothing => by_another.is_none() && !strayed,
            Left::Displaced { .. } => by_another.is_none(),
            Left::Implausible(doubt) => doubt.place.is_some(),
            Left::Spoiled => false,
        };
        let (case, failure) = match case {
            Some((place, case)) if plain => {
                let mut failure =
                    failure::explain(launched, place, &self.launcher.cases[case], ended);
                // Blocks round the body have a line and no offset.
                let outside = failure.ip.is_none() && failure.line.is_none();
                if failure.kind == FailureKind::Signal && outside {
                    count::find_last_inside(self.launcher, case, &mut failure);
                }
                (case, failure)
            }
            suspect => match (
                self.search(launched, suspect.map(|(_, case)| case)),
                suspect,
            ) {
                (Some(found), _) => found,
                // What ran at that moment has no part in it, unless it does so again.
                (None, _) if let Some((signal, process)) = &by_another => {
                    let how = format!("{signal}, sent by process {process}");
                    return Ok(self.lost(launched, &how));
                }
                (None, Some((place, case))) => {
                    let case_of_it = &self.launcher.cases[case];
                    (case, failure::explain(launched, place, case_of_it, ended))
                }
                (None, None) => {
                    let how = format!("{ended}, while none of the sequences ran");
                    return Ok(self.lost(launched, &how));
                }
            },
        };
        // Waiting for nothing is not the others' time, however it ended: one that beats and tells
        // nothing uses up its CPU time before it counts as silent.
        self.start += launched.worker.waited();
        self.tell(Event::Failed { case, failure });
        self.planned.remove(case);
        // It has the case that failed.
        self.ahead = None;
        Ok(Stretch::Failed)
    }

    /// Looks for the case that spoilt a worker, the suspect first.
    fn search(&mut self, launched: &Launched, suspect: Option<usize>) -> Option<(usize, Failure)> {
        let began = Instant::now();
        let mut cases = launched.cases.clone();
        cases.sort_by_key(|case| Some(*case) != suspect);
        let rounds = TRIAL_ROUNDS[self.lost.min(MOST_LOST) as usize];
        let (sink, broke) = (&mut *self.sink, &mut self.broke);
        let mut goes_on = || {
            *broke = *broke || sink(Event::Waiting).is_break();
            !*broke
        };
        let found = trial::find(self.launcher, &self.planned, &cases, rounds, &mut goes_on);
        // This is not the others' time.
        self.start += began.elapsed();
        found
    }

    /// A worker ended, and no case is to blame for it. Another takes its place, then one for each of
    /// its cases; a case that is alone and loses workers still has failed.
    fn lost(&mut self, launched: &Launched, how: &str) -> Stretch {
        let note = launched.worker.memory.note();
        let note = note.map(|note| format!(": {note}")).unwrap_or_default();
        let message = format!("a worker ended ({how}){note}");
        self.ahead = None;
        self.lost += 1;
        if let (&[case], true) = (&launched.cases[..], self.lost > MOST_LOST) {
            let failure = failure::lost(&message);
            self.tell(Event::Failed { case, failure });
            self.planned.remove(case);
            return Stretch::Failed;
        }
        let advice = if self.lost >= MOST_PARTED && launched.cases.len() > 1 {
            self.planned.part(&launched.cases);
            "each variant got a worker of its own; look for what ends processes here, such as a \
             limit on memory"
        } else {
            "another worker took its place; look for what ends processes here, such as a limit on \
             memory"
        };
        self.tell(Event::Warning {
            kind: "worker-lost".to_owned(),
            message,
            advice: advice.to_owned(),
        });
        Stretch::Failed
    }
}
