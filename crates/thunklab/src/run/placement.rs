//! What is to be said of where variants lie.

use std::collections::BTreeSet;

use assemble::ListingSyntax;

use super::cases;
use super::gathered::Gathered;
use super::job::{Entry, Job};

/// Variants that are named before the others are only counted.
const NAMED: usize = 4;

/// Which variants have branches that cross or end at a 32-byte boundary, and how many; `None` if
/// none has.
pub(super) fn at_boundaries(job: &Job) -> Option<String> {
    let found = named(job, |entry| {
        let variant = job.variant(entry);
        let code = &job.unit(entry).code;
        let lines = code.listing_at(ListingSyntax::Att, u64::from(variant.offset));
        let branches = lines.iter().filter(|line| line.boundary.is_some()).count();
        (branches > 0).then(|| branches.to_string())
    })?;
    Some(format!(
        "this model has the JCC erratum (SKX102): blocks with a branch that crosses or ends at a \
         32-byte boundary are decoded anew each time; such branches, as placed: {found}"
    ))
}

/// Which variants a sweep of layouts cannot place at as many offsets, because they align parts of
/// themselves; `None` if all are moved.
pub(super) fn not_moved(job: &Job, layouts: u32) -> Option<String> {
    if layouts < 2 {
        return None;
    }
    let found = named(job, |entry| {
        let case = cases::of_unit(job.sequence(), job.unit(entry), Vec::new());
        let distinct = machine::distinct_layouts(&case, layouts);
        (distinct < layouts.min(64)).then(|| distinct.to_string())
    })?;
    Some(format!(
        "code that aligns parts of itself is moved by whole alignments only, and so lies at fewer \
         than {layouts} offsets in its line: {found}"
    ))
}

/// At how many offsets something was timed; at one where nothing was told of offsets.
pub(super) fn reached(gathered: &Gathered) -> usize {
    let samples = gathered.measures.iter().flat_map(|raw| &raw.samples);
    let offsets: BTreeSet<u32> = samples.map(|sample| sample.offset).collect();
    offsets.len().max(1)
}

/// The shown variants for which there is something to say, each with that behind it.
fn named(job: &Job, say: impl Fn(Entry) -> Option<String>) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for &entry in job.entries.iter().filter(|entry| entry.shown) {
        if let Some(said) = say(entry) {
            let part = format!("{} {said}", job.name(entry));
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    let rest = parts.len().saturating_sub(NAMED);
    parts.truncate(NAMED);
    if rest > 0 {
        parts.push(format!("and {rest} more"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
