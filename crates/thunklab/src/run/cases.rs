//! What the machine is asked to measure.

use std::sync::Arc;

use machine::Case;
use record::Context;
use sequence::{Need, Sequence};

use crate::unit::Unit;
use crate::words;

use super::job::{Entry, Job};

/// One case for each entry of the job, in the same order.
pub(crate) fn cases(job: &Job) -> Vec<Case> {
    job.entries.iter().map(|&entry| case(job, entry)).collect()
}

fn case(job: &Job, entry: Entry) -> Case {
    of_unit(job.sequence(), job.unit(entry), job.contexts(entry))
}

/// The case of one unit, to be timed in these contexts.
pub(crate) fn of_unit(sequence: &Sequence, unit: &Unit, contexts: Vec<Context>) -> Case {
    let variant = &sequence.variants[unit.point.variant];
    let features = variant.needs.iter().filter_map(|need| match need {
        Need::Feature(feature) => Some(feature.clone()),
        Need::Ring0 => None,
    });
    Case {
        name: unit.point.label(sequence),
        code: Arc::clone(&unit.code),
        entry: words::entry(&variant.entry),
        contexts: contexts.into_iter().map(words::timed).collect(),
        unroll: variant.unroll,
        align: variant.align,
        offset: variant.offset,
        needs: features.collect(),
        ring0: variant.needs.contains(&Need::Ring0),
        randoms: sequence.randoms.iter().map(words::random).collect(),
        syscalls: variant.syscalls.clone(),
        filter: variant.filter.map(words::filter),
    }
}
