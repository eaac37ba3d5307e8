//! Who spoilt a worker, where that is not plain: each case is run alone.
//!
//! A sequence may close what the worker reads, stop it, or write over what it tells, and the worker
//! ends when another sequence runs or none. The others shall not pay for that.

use std::time::{Duration, Instant};

use super::failure;
use super::launch::{Launched, Launcher, Purpose};
use super::planning::Planned;
use super::process::Ended;
use super::progress::Stuck;
use crate::api::Failure;
use crate::shared::{Command, Record};
use crate::worker::STATUS_NOTE;

/// Workers of trials lie elsewhere than others.
const SERIAL: u64 = 1 << 44;
/// How often to look.
const LOOK: Duration = Duration::from_millis(1);
/// Rounds that each case is tried for in any case, and how long it may be tried for more.
const LEAST_ROUNDS: u32 = 3;
const LONG: Duration = Duration::from_secs(1);
/// How long a sound worker may take to leave when it is dismissed.
const LEAVING: Duration = Duration::from_secs(2);

/// Runs each of these cases alone for some rounds, and gives the first that does not leave its
/// worker as sound as it was. `goes_on` is asked now and then.
pub(super) fn find(
    launcher: &Launcher<'_>,
    planned: &Planned,
    cases: &[usize],
    rounds: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<(usize, Failure)> {
    cases.iter().find_map(|&case| {
        if !goes_on() {
            return None;
        }
        let world = planned.alone(case)?;
        let unknown = vec![None; planned.measures.len()];
        let serial = SERIAL + case as u64;
        let purpose = Purpose::Timing {
            known: &unknown,
            offset: 0,
        };
        let mut launched = launcher.launch(&world, planned, serial, purpose).ok()?;
        let mut trial = Trial {
            calibrated: unknown.clone(),
            planned,
            goes_on: &mut *goes_on,
            enough: false,
        };
        let ended = trial.run(&mut launched, rounds)?;
        let case_of_it = &launcher.cases[case];
        let plain = matches!(ended, Some(ended) if is_plain(&launched, ended));
        let failure = match ended {
            Some(ended) if plain => failure::explain(&launched, 0, case_of_it, ended),
            ended => failure::afterwards(&launched, case_of_it, ended),
        };
        Some((case, failure))
    })
}

/// Whether the worker ended while the case ran, or was found to be spoilt.
fn is_plain(launched: &Launched, ended: Ended) -> bool {
    let spoilt = !matches!(launched.left, failure::Left::Nothing);
    let own = failure::owner(launched).is_some();
    // What the worker says runs is believed unless it left by itself.
    let ran = launched.worker.running().is_some() && ended != Ended::Status(STATUS_NOTE);
    spoilt || own || launched.worker.timed_out || ran
}

/// A case alone.
struct Trial<'a> {
    calibrated: Vec<Option<(u32, u32)>>,
    planned: &'a Planned,
    goes_on: &'a mut dyn FnMut() -> bool,
    /// Whether it was tried for long and has done nothing.
    enough: bool,
}

impl Trial<'_> {
    /// Runs rounds and dismisses the worker. `None` if all went well, else how it ended; that is `None`
    /// if it did not.
    fn run(&mut self, launched: &mut Launched, rounds: u32) -> Option<Option<Ended>> {
        if let Some(ended) = self.until(launched, &Record::Ready) {
            return Some(ended);
        }
        let command = Command::Rounds {
            first: 0,
            end: rounds,
        };
        launched.expect_round(0);
        if launched.worker.send(command).is_ok()
            && let Some(ended) = self.until(launched, &Record::Round(rounds.saturating_sub(1)))
        {
            return Some(ended);
        }
        if self.enough {
            return None;
        }
        match launched.worker.dismiss(LEAVING) {
            Ok(Some(Ended::Status(0))) => None,
            Ok(ended) => Some(ended),
            Err(_) => Some(None),
        }
    }

    /// Waits until a record comes; else how the worker ended.
    fn until(&mut self, launched: &mut Launched, wanted: &Record) -> Option<Option<Ended>> {
        let begun = Instant::now();
        let mut rounds = 0;
        loop {
            let Ok(ended) = launched.worker.wait(LOOK) else {
                return Some(None);
            };
            let (records, sound) = launched.take();
            let mut sound = sound.is_ok();
            for record in &records {
                let owner = |measure: u32| self.planned.measures[measure as usize].case;
                sound &= launched.doubt(record, &self.calibrated, &owner).is_ok();
                if let Record::Calibrated {
                    measure,
                    level,
                    turns,
                } = *record
                    && let Some(&measure) = launched.measures.get(measure as usize)
                {
                    self.calibrated[measure as usize] = Some((level, turns));
                }
            }
            if !sound {
                launched.worker.kill();
                return Some(Some(Ended::Signal(libc::SIGKILL)));
            }
            if let Some(ended) = ended {
                return Some(Some(ended));
            }
            if records.contains(wanted) {
                return None;
            }
            let is_round = |record: &&Record| matches!(record, Record::Round(_));
            rounds += records.iter().filter(is_round).count() as u32;
            if rounds >= LEAST_ROUNDS && begun.elapsed() > LONG {
                self.enough = true;
                return None;
            }
            match launched.worker.is_stuck() {
                None if (self.goes_on)() => {}
                None => return None,
                Some(Stuck::Hangs) => return Some(launched.worker.end_stuck().ok()),
                // That says nothing about the case.
                Some(Stuck::Starves) => return None,
            }
        }
    }
}
