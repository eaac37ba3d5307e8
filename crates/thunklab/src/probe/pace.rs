//! How long one case may be probed: what is unclear is repeated only as long as its time lasts.

use std::time::Duration;

use machine::ProbeSubject;

/// A case's time, and how much of it is gone.
pub(super) struct Pace<'a> {
    /// The time of one case, its own control included; any if `None`.
    most: Option<Duration>,
    /// Time since some moment.
    clock: &'a dyn Fn() -> Duration,
    /// When the batch before ended.
    ended: Duration,
    /// The case under way, and when its first batch began.
    case: Option<(usize, Duration)>,
}

impl<'a> Pace<'a> {
    /// Begins before the first batch.
    pub(super) fn new(most: Option<Duration>, clock: &'a dyn Fn() -> Duration) -> Self {
        Self {
            most,
            clock,
            ended: clock(),
            case: None,
        }
    }

    /// Whether there is time for another batch of `subject`, of which one has just been read.
    ///
    /// A case and its control get their first batch whatever the clock says: without them there is
    /// nothing to say at all, and what made them late is not theirs. Another one comes only if it
    /// fits, taken to be as long as the last.
    pub(super) fn fits(&mut self, subject: ProbeSubject) -> bool {
        let now = (self.clock)();
        let batch = now.saturating_sub(self.ended);
        let began = std::mem::replace(&mut self.ended, now);
        let (case, to_come) = match subject {
            ProbeSubject::Nothing => return true,
            // Room has to be left for the control.
            ProbeSubject::Between(case) => (case, 2 * batch),
            ProbeSubject::Before(case) => (case, batch),
        };
        let (_, begun) = *match &mut self.case {
            Some(known) if known.0 == case => known,
            other => other.insert((case, began)),
        };
        self.most
            .is_none_or(|most| now.saturating_sub(begun) + to_come <= most)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Batches that a case gets, of itself and of its control, if both always want another and a
    /// batch takes so many milliseconds; four each would be the most.
    fn batches(most: Option<u64>, each: u64) -> (u32, u32) {
        let time = Cell::new(Duration::from_secs(7));
        let clock = || time.get();
        let mut pace = Pace::new(most.map(Duration::from_millis), &clock);
        let mut of = |subject| {
            for batch in 1..4 {
                time.set(time.get() + Duration::from_millis(each));
                if !pace.fits(subject) {
                    return batch;
                }
            }
            time.set(time.get() + Duration::from_millis(each));
            pace.fits(subject);
            4
        };
        // What went before is not the case's.
        of(ProbeSubject::Nothing);
        of(ProbeSubject::Before(0));
        (of(ProbeSubject::Between(1)), of(ProbeSubject::Before(1)))
    }

    #[test]
    fn repeats_end_when_another_would_not_fit() {
        assert_eq!(batches(Some(50), 5), (4, 4));
        assert_eq!(batches(Some(50), 7), (4, 3));
        assert_eq!(batches(Some(50), 10), (4, 1));
        assert_eq!(batches(Some(50), 20), (1, 1));
        for each in 1..=25 {
            let (case, control) = batches(Some(50), each);
            assert!(u64::from(case + control) * each <= 50, "{each} ms a batch");
        }
    }

    #[test]
    fn the_first_batches_are_run_however_late() {
        assert_eq!(batches(Some(50), 400), (1, 1));
        assert_eq!(batches(Some(0), 5), (1, 1));
    }

    #[test]
    fn without_a_limit_the_times_alone_decide() {
        assert_eq!(batches(None, 400), (4, 4));
    }
}
