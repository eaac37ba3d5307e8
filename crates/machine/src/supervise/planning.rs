//! What is timed: measures, and which cases can live in one worker.

use std::collections::BTreeMap;

use crate::api::{Case, Context, Entry, Filter, Measure, MeasureId};
use crate::image::{Subject, Wanted, has_own_empty};
use crate::system_calls;

/// What a case's system calls meet. It cannot be changed in the life of a worker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rules {
    /// Whether the sandbox filters them.
    pub(super) sandboxed: bool,
    /// Numbers of those that it may make.
    pub(super) calls: Vec<u32>,
    /// The filter whose cost is asked for.
    pub(super) filter: Option<Filter>,
}

impl Rules {
    /// Those of a case. Code that makes system calls of its own is timed without the sandbox's
    /// filter if the user vouches for it: the filter would be in its figures.
    pub(super) fn of(case: &Case, trusted: bool) -> Self {
        Self {
            sandboxed: !trusted || case.syscalls.is_empty(),
            calls: system_calls::declared(case),
            filter: case.filter.filter(|filter| *filter != Filter::None),
        }
    }
}

/// Cases that share a worker, since the same rules hold for their system calls.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// The rules.
    pub(super) rules: Rules,
    /// The cases, by their index in the list of all.
    pub(super) cases: Vec<usize>,
    /// The measures, by their index in the plan.
    pub(super) measures: Vec<u32>,
}

/// All measures and the worlds they live in.
#[derive(Clone, Debug, Default)]
pub(super) struct Planned {
    /// Measures; their index is their [`MeasureId`].
    pub(super) measures: Vec<Measure>,
    /// What they time; cases by their index in the list of all.
    pub(super) wanted: Vec<Wanted>,
    /// Worlds.
    pub(super) worlds: Vec<World>,
}

impl Planned {
    /// Plans the measures of these cases: the empty bodies first, so that a body can refer to its
    /// own. What makes system calls in the sandbox has a worker of its own: timers, handlers and
    /// mappings that one case makes must not reach another. With `apart`, everything has.
    pub(super) fn new(cases: &[Case], live: &[usize], trusted: bool, apart: bool) -> Self {
        let mut plan = Self::default();
        let mut by_rules: BTreeMap<(Rules, Option<usize>), Vec<usize>> = BTreeMap::new();
        for &index in live {
            let rules = Rules::of(&cases[index], trusted);
            let alone = apart || rules.sandboxed && !rules.calls.is_empty();
            by_rules
                .entry((rules, alone.then_some(index)))
                .or_default()
                .push(index);
        }
        for ((rules, _), members) in by_rules {
            let first = plan.measures.len();
            plan.world(cases, &members);
            plan.worlds.push(World {
                rules,
                cases: members,
                measures: (first..plan.measures.len()).map(|id| id as u32).collect(),
            });
        }
        plan
    }

    fn world(&mut self, cases: &[Case], members: &[usize]) {
        let mut shared: BTreeMap<(bool, Context), MeasureId> = BTreeMap::new();
        for &index in members {
            let case = &cases[index];
            let inline = case.entry == Entry::Inline;
            let mut contexts = case.contexts.clone();
            contexts.sort_unstable();
            contexts.dedup();
            for context in contexts {
                let subject = if inline {
                    Subject::EmptyInline
                } else {
                    Subject::EmptyCall
                };
                let common = *shared
                    .entry((inline, context))
                    .or_insert_with(|| self.add(None, context, None, Wanted { subject, context }));
                let fenced = matches!(context, Context::Isolated | Context::History);
                let empty = if has_own_empty(case) {
                    let subject = Subject::OwnEmpty(index);
                    Some(self.add(Some(index), context, None, Wanted { subject, context }))
                } else {
                    fenced.then_some(common)
                };
                let subject = Subject::Body(index);
                self.add(Some(index), context, empty, Wanted { subject, context });
            }
        }
    }

    fn add(
        &mut self,
        case: Option<usize>,
        context: Context,
        empty: Option<MeasureId>,
        wanted: Wanted,
    ) -> MeasureId {
        let id = MeasureId(self.measures.len() as u32);
        self.measures.push(Measure {
            case,
            context,
            empty,
            is_empty: !matches!(wanted.subject, Subject::Body(_)),
        });
        self.wanted.push(wanted);
        id
    }

    /// The world of one case alone, with what is measured beside it.
    pub(super) fn alone(&self, case: usize) -> Option<World> {
        self.some(&[case])
    }

    /// The world of some cases that share one, with what is measured beside them.
    pub(super) fn some(&self, cases: &[usize]) -> Option<World> {
        let world = self
            .worlds
            .iter()
            .find(|world| cases.iter().all(|case| world.cases.contains(case)))?;
        let own = |id: &&u32| {
            let of = self.measures[**id as usize].case;
            of.is_none_or(|of| cases.contains(&of))
        };
        Some(World {
            rules: world.rules.clone(),
            cases: cases.to_vec(),
            measures: world.measures.iter().filter(own).copied().collect(),
        })
    }

    /// Gives each case of the world that has these a world of its own. What they share stays with the
    /// first.
    pub(super) fn part(&mut self, cases: &[usize]) {
        let Some(place) = self.worlds.iter().position(|world| world.cases == cases) else {
            return;
        };
        let shared = self.worlds.remove(place);
        for &case in cases {
            let is_first = Some(&case) == cases.first();
            let own = |id: &&u32| match self.measures[**id as usize].case {
                None => is_first,
                of => of == Some(case),
            };
            self.worlds.push(World {
                rules: shared.rules.clone(),
                cases: vec![case],
                measures: shared.measures.iter().filter(own).copied().collect(),
            });
        }
    }

    /// Takes a case out; worlds without cases end. An empty body that others refer to is timed beside
    /// one of these from then on.
    pub(super) fn remove(&mut self, case: usize) {
        let measures = &self.measures;
        let mut orphans = Vec::new();
        for world in &mut self.worlds {
            world.cases.retain(|index| *index != case);
            world
                .measures
                .retain(|id| measures[*id as usize].case != Some(case));
            if world.cases.is_empty() {
                orphans.append(&mut world.measures);
            }
        }
        self.worlds.retain(|world| !world.cases.is_empty());
        for orphan in orphans {
            let refers = |id: &u32| measures[*id as usize].empty == Some(MeasureId(orphan));
            let heir = self
                .worlds
                .iter_mut()
                .find(|world| world.measures.iter().any(refers));
            if let Some(world) = heir {
                world.measures.push(orphan);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use assemble::Code;

    use super::*;

    #[test]
    fn what_makes_system_calls_in_the_sandbox_is_alone() {
        let case = |calls: &[&str]| {
            let mut case = Case::plain("a".to_owned(), Code::default(), Entry::Call(None));
            case.syscalls = calls.iter().map(|name| (*name).to_owned()).collect();
            case
        };
        let cases = [case(&[]), case(&["getpid"]), case(&["getpid"]), case(&[])];
        let worlds = |trusted, apart| {
            let planned = Planned::new(&cases, &[0, 1, 2, 3], trusted, apart);
            let mut worlds: Vec<Vec<usize>> = planned
                .worlds
                .into_iter()
                .map(|world| world.cases)
                .collect();
            worlds.sort();
            worlds
        };
        assert_eq!(worlds(false, false), [vec![0, 3], vec![1], vec![2]]);
        assert_eq!(worlds(true, false), [vec![0, 3], vec![1, 2]]);
        for trusted in [false, true] {
            assert_eq!(worlds(trusted, true), [[0], [1], [2], [3]]);
        }
    }

    #[test]
    fn cases_part_and_keep_their_empty_bodies() {
        let mut case = Case::plain("a".to_owned(), Code::default(), Entry::Call(None));
        case.contexts = vec![Context::Chained, Context::Isolated];
        let cases = [case.clone(), case.clone(), case];
        let mut planned = Planned::new(&cases, &[0, 1, 2], false, false);
        let all = planned.worlds[0].measures.clone();
        planned.part(&[0, 1, 2]);
        let alone: Vec<_> = planned
            .worlds
            .iter()
            .map(|world| world.cases.clone())
            .collect();
        assert_eq!(alone, [[0], [1], [2]]);
        let timed = |planned: &Planned| {
            let worlds = planned.worlds.iter();
            let mut timed: Vec<u32> = worlds.flat_map(|world| world.measures.clone()).collect();
            timed.sort_unstable();
            timed
        };
        assert_eq!(timed(&planned), all, "each of them once");
        planned.remove(0);
        let empties: Vec<u32> = planned
            .measures
            .iter()
            .filter(|measure| measure.case == Some(1))
            .filter_map(|measure| measure.empty.map(|id| id.0))
            .collect();
        assert!(!empties.is_empty());
        let timed = timed(&planned);
        assert!(empties.iter().all(|id| timed.contains(id)), "{timed:?}");
    }
}
