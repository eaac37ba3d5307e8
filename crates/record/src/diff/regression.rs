//! What `--fail-on regression` looks for.

use super::{Diff, Ratio};
use crate::word::Params;

/// A variant that costs more on a later record than on the first.
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
    /// Variants whose whole interval lies above `1 + threshold` (0.02 is 2 %): of their cycles
    /// where the machine is the same, else of their ratio to the baseline. On one machine the
    /// ratio to the baseline is no sign: it rises too when the baseline has become faster.
    #[must_use]
    pub fn regressions(&self, threshold: f64) -> Vec<Regression> {
        let mut found = Vec::new();
        for row in &self.rows {
            let ratios = if self.same_machine {
                &row.direct
            } else {
                &row.ratio_of_ratios
            };
            for (index, ratio) in ratios.iter().enumerate() {
                if let Some(ratio) = ratio.as_ref().filter(|ratio| ratio.low > 1.0 + threshold) {
                    found.push(Regression {
                        variant: row.variant.clone(),
                        params: row.params.clone(),
                        record: index + 1,
                        ratio: ratio.clone(),
                    });
                }
            }
        }
        found
    }
}
