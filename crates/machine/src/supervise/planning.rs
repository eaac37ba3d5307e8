//! What is timed: measures, and which cases can live in one worker.

use std::collections::BTreeMap;

use crate::api::{Case, Context, Entry, Filter, Measure, MeasureId};
use crate::image::{Subject, Wanted, has_own_empty};

/// Cases that share a worker, since they run under the same filter.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Their filter.
    pub(super) filter: Option<Filter>,
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
    /// own.
    pub(super) fn new(cases: &[Case], live: &[usize]) -> Self {
        let mut plan = Self::default();
        let mut by_filter: BTreeMap<Option<Filter>, Vec<usize>> = BTreeMap::new();
        for &index in live {
            by_filter
                .entry(cases[index].filter)
                .or_default()
                .push(index);
        }
        for (filter, members) in by_filter {
            let first = plan.measures.len();
            plan.world(cases, &members);
            plan.worlds.push(World {
                filter,
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

    /// Takes a case out; worlds without cases end.
    pub(super) fn remove(&mut self, case: usize) {
        for world in &mut self.worlds {
            world.cases.retain(|index| *index != case);
            world
                .measures
                .retain(|id| self.measures[*id as usize].case != Some(case));
        }
        self.worlds.retain(|world| !world.cases.is_empty());
    }
}
