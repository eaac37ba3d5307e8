//! What the machine is asked to measure.

use std::sync::Arc;

use machine::Case;
use sequence::Need;

use crate::words;

use super::job::{Entry, Job};

/// One case for each entry of the job, in the same order.
pub(crate) fn cases(job: &Job) -> Vec<Case> {
    job.entries.iter().map(|&entry| case(job, entry)).collect()
}

fn case(job: &Job, entry: Entry) -> Case {
    let variant = job.variant(entry);
    let unit = job.unit(entry);
    let features = variant.needs.iter().filter_map(|need| match need {
        Need::Feature(feature) => Some(feature.clone()),
        Need::Ring0 => None,
    });
    Case {
        name: unit.point.label(job.sequence()),
        code: Arc::clone(&unit.code),
        entry: words::entry(&variant.entry),
        contexts: job.contexts(entry).into_iter().map(words::timed).collect(),
        unroll: variant.unroll,
        align: variant.align,
        offset: variant.offset,
        needs: features.collect(),
        ring0: variant.needs.contains(&Need::Ring0),
        randoms: job.sequence().randoms.iter().map(words::random).collect(),
        syscalls: variant.syscalls.clone(),
        filter: variant.filter.map(words::filter),
    }
}
