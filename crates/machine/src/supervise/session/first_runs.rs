//! The first runs of many cases, when one has failed at its first.

use std::collections::BTreeSet;

use super::{LOOK_AT_START, MOST_LOST, Session, Wait};
use crate::api::Error;
use crate::shared::Record;
use crate::supervise::launch::Purpose;

/// Cases that are tried in one worker, when one of many has failed at once.
const TRIED_TOGETHER: usize = 16;
/// Workers that only try cases lie elsewhere.
const TRYING: u64 = 1 << 36;

impl Session<'_> {
    /// Runs what has never run, a few in a worker, when one failed at its first run: of many that do,
    /// each would else cost a worker of all.
    pub(super) fn try_the_rest(&mut self) -> Result<(), Error> {
        for world in self.planned.worlds.clone() {
            let rest: Vec<usize> = world
                .cases
                .into_iter()
                .filter(|case| !self.tried.contains(case))
                .collect();
            for cases in rest.chunks(TRIED_TOGETHER) {
                self.try_some(cases.to_vec())?;
            }
        }
        Ok(())
    }

    fn try_some(&mut self, mut cases: Vec<usize>) -> Result<(), Error> {
        while let (Some(last), true) = (cases.len().checked_sub(1), self.lost <= MOST_LOST) {
            let Some(world) = self.planned.some(&cases) else {
                return Ok(());
            };
            let purpose = Purpose::Timing {
                known: &self.calibrated,
                offset: self.offset,
            };
            let serial = TRYING + cases[0] as u64;
            let mut one = self
                .launcher
                .launch(&world, &self.planned, serial, purpose)?;
            let is_done = |record: &Record| *record == Record::Tried(last as u32);
            match self.wait(&mut one, None, LOOK_AT_START, &is_done)? {
                Wait::Done | Wait::Over => return Ok(()),
                Wait::Ended(ended) => {
                    self.failed(&mut one, ended)?;
                }
            }
            let left: BTreeSet<usize> = self
                .planned
                .worlds
                .iter()
                .flat_map(|world| world.cases.iter().copied())
                .collect();
            cases.retain(|case| left.contains(case) && !self.tried.contains(case));
        }
        Ok(())
    }
}
