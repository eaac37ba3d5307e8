//! Several workers take turns.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::{Session, Stretch, Wait, send};
use crate::api::{Error, Event};
use crate::shared::{Command, Record};
use crate::supervise::launch::Launched;
use crate::supervise::planning::World;
use crate::supervise::process::Ended;

/// How often it looks while several workers take turns.
const LOOK_IN_TURNS: Duration = Duration::from_micros(200);
/// How long a worker's turn is, roughly.
const TURN: Duration = Duration::from_millis(2);
/// Most rounds in a turn.
const MOST_IN_TURN: u32 = 64;
/// Share of the time that the starting of groups may take up.
const STARTING: f64 = 0.25;
/// Groups in any case, so that not all figures are of one placement.
const LEAST_GROUPS: u32 = 2;
/// Groups for each layout: what changes from one mapping to the next must not pass for what an offset
/// does.
const GROUPS_A_LAYOUT: u32 = 3;

impl Session<'_> {
    /// How many groups of workers that take turns are worth their starting.
    pub(super) fn groups(&self) -> u32 {
        let starting = self.starting.as_secs_f64().max(1e-3);
        let fit = (STARTING * self.plan.time.as_secs_f64() / starting) as u32;
        let least = match self.plan.layouts {
            0 | 1 => LEAST_GROUPS,
            layouts => GROUPS_A_LAYOUT * layouts,
        };
        fit.max(least)
    }

    /// Workers with different filters alternate, some rounds each. One whose only case failed leaves
    /// the others alone.
    pub(super) fn in_turns(
        &mut self,
        launched: &mut Vec<Launched>,
        mut end: Instant,
    ) -> Result<Stretch, Error> {
        let mut in_turn = 1;
        let mut first_done = self.rounds > 0;
        while !launched.is_empty() {
            let first = self.next_round;
            let last = first + in_turn - 1;
            let mut spent = Duration::ZERO;
            let mut place = 0;
            while let Some(one) = launched.get_mut(place) {
                let (began, start) = (Instant::now(), self.start);
                // The very first round is waited for, however long it takes.
                let until = first_done.then_some(end);
                match self.turn(one, first..last + 1, until)? {
                    Wait::Done => {
                        spent += began.elapsed();
                        place += 1;
                    }
                    Wait::Over => return Ok(Stretch::Over),
                    Wait::Ended(ended) => {
                        if !self.goes_on_without(one, ended)? {
                            return Ok(Stretch::Failed);
                        }
                        launched.remove(place);
                        // What was waited for in vain is not the others' time.
                        end += self.start.saturating_duration_since(start);
                    }
                }
            }
            for round in first..=last {
                self.tell(Event::Round(round));
            }
            self.next_round = last + 1;
            if self.broke || Instant::now() >= end {
                return Ok(Stretch::Over);
            }
            first_done = true;
            let each = spent / u32::try_from(launched.len().max(1)).unwrap_or(1);
            let rounds = f64::from(in_turn) * TURN.as_secs_f64() / each.as_secs_f64().max(1e-9);
            in_turn = (rounds as u32).clamp(1, MOST_IN_TURN);
        }
        Ok(Stretch::Failed)
    }

    /// One worker's turn.
    fn turn(
        &mut self,
        one: &mut Launched,
        rounds: Range<u32>,
        until: Option<Instant>,
    ) -> Result<Wait, Error> {
        let last = rounds.end - 1;
        let command = Command::Rounds {
            first: rounds.start,
            end: rounds.end,
        };
        if let Some(ended) = send(one, command)? {
            return Ok(Wait::Ended(ended));
        }
        let is_done = |record: &Record| *record == Record::Round(last);
        self.wait(one, until, LOOK_IN_TURNS, &is_done)
    }

    /// Deals with the end of one of several workers. Whether the others may go on: nothing of theirs
    /// is another than before.
    pub(super) fn goes_on_without(
        &mut self,
        one: &mut Launched,
        ended: Ended,
    ) -> Result<bool, Error> {
        let of = |world: &World| (world.cases.clone(), world.measures.clone());
        let worlds = self.planned.worlds.iter();
        let others: Vec<_> = worlds
            .filter(|world| world.cases != one.cases)
            .map(of)
            .collect();
        self.failed(one, ended)?;
        Ok(self.planned.worlds.iter().map(of).collect::<Vec<_>>() == others)
    }
}
