//! Which interrupted samples were context switches.

use super::launch::Launched;
use crate::api::Discard;
use crate::shared::Record;

/// The worker sees that a sample was interrupted, and the kernel counts how often it gave the CPU
/// to somebody else: of the interrupted samples since the last look, the longest are those.
pub(super) fn tell_from_ticks(
    batch: &mut [Record],
    switches: &mut Option<u64>,
    launched: &Launched,
) {
    let mut interrupted: Vec<(u32, usize)> = batch
        .iter()
        .enumerate()
        .filter_map(|(index, record)| match record {
            Record::Sample {
                ticks,
                long_ticks,
                discard: Some(Discard::Tick),
                ..
            } => Some((ticks.saturating_add(*long_ticks), index)),
            _ => None,
        })
        .collect();
    if interrupted.is_empty() {
        return;
    }
    let now = launched.worker.switches();
    let (Some(now), Some(before)) = (now, std::mem::replace(switches, now)) else {
        return;
    };
    interrupted.sort_unstable_by(|left, right| right.cmp(left));
    let count = usize::try_from(now.saturating_sub(before)).unwrap_or(0);
    for (_, index) in interrupted.into_iter().take(count) {
        if let Record::Sample { discard, .. } = &mut batch[index] {
            *discard = Some(Discard::Switch);
        }
    }
}
