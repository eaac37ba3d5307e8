//! What `--fail-on regression` looks for.

use super::{Diff, Ratio};
use crate::measure::VsBaseline;
use crate::word::{Params, Verdict};

/// A variant that costs more after a change, or on one machine than on another.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// The variant.
    pub variant: String,
    /// Its params.
    pub params: Params,
    /// Index into [`Diff::records`].
    pub record: usize,
    /// By how much.
    pub ratio: Ratio,
}

impl Diff {
    /// Variants that cost more by more than `threshold` (0.02 is 2 %), with their whole interval.
    ///
    /// On one machine: whose cycles are more on a later record than on the first. The ratio to the
    /// baseline is no sign there: it rises too when the baseline has become faster. Machines have
    /// no order: there it is a variant that costs more than the baseline on any of them, and more
    /// so than on any other.
    #[must_use]
    pub fn regressions(&self, threshold: f64) -> Vec<Regression> {
        let mut found = Vec::new();
        for row in &self.rows {
            for record in 0..row.cells.len() {
                let ratio = if self.same_machine {
                    let later = record.checked_sub(1);
                    let ratio = later.and_then(|later| row.direct.get(later)?.as_ref());
                    ratio
                        .filter(|ratio| {
                            ratio.verdict == Verdict::Slower && ratio.low > 1.0 + threshold
                        })
                        .cloned()
                } else {
                    let vs = row.cells[record].vs_baseline.as_ref();
                    vs.filter(|vs| verdict(vs, threshold) == Verdict::Slower)
                        .and_then(|_| self.dearer(row, record, threshold))
                };
                if let Some(ratio) = ratio {
                    found.push(Regression {
                        variant: row.variant.clone(),
                        params: row.params.clone(),
                        record,
                        ratio,
                    });
                }
            }
        }
        found
    }
}

/// A comparison with the baseline in one word, where smaller differences than `threshold` are none.
pub(super) fn verdict(vs: &VsBaseline, threshold: f64) -> Verdict {
    match vs.verdict {
        Verdict::Slower if vs.low > 1.0 + threshold => Verdict::Slower,
        Verdict::Faster if vs.high < 1.0 - threshold => Verdict::Faster,
        _ => Verdict::NoDifference,
    }
}
