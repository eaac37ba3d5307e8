//! Samples with the round and the worker that each was taken in.

/// Samples of one measure: parallel arrays of equal length, kept samples only, in any order.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// The samples, in whatever unit the caller counts. All must be finite.
    pub values: &'a [f64],
    /// The round that each sample was taken in. Samples of two series that share worker and round
    /// were taken next to each other.
    pub rounds: &'a [u32],
    /// The worker process that took each sample.
    pub workers: &'a [u32],
}

impl Series<'_> {
    /// Whether the arrays are of one length and every value is finite. Anything else is refused
    /// as a whole, because dropping the bad values would hide that something upstream is broken.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.values.len() == self.rounds.len()
            && self.values.len() == self.workers.len()
            && self.values.iter().all(|value| value.is_finite())
    }
}
