//! Which variants are cheaper because they do less.

use crate::record::Record;
use crate::variant::{HistoryWord, Variant};
use crate::word::Verdict;

impl Record {
    /// Whether a variant is faster than the baseline in the context of the verdicts and keeps the
    /// branch history, which the baseline at the same params displaces: what it saves, it does not
    /// do.
    #[must_use]
    pub fn does_less(&self, variant: &Variant) -> bool {
        let baseline = self.baseline().and_then(|name| {
            self.variants
                .iter()
                .find(|other| other.name == name && other.params == variant.params)
        });
        let verdict = self
            .verdict_context()
            .and_then(|context| variant.measures.get(&context)?.vs_baseline.as_ref())
            .map(|vs| vs.verdict);
        does_less(word(variant), baseline.and_then(word), verdict)
    }
}

/// What the probe said of a variant.
pub(crate) fn word(variant: &Variant) -> Option<HistoryWord> {
    variant.history.as_ref().map(|history| history.word)
}

/// Whether what is faster than a reference keeps the branch history, which that displaces.
pub(crate) fn does_less(
    own: Option<HistoryWord>,
    reference: Option<HistoryWord>,
    verdict: Option<Verdict>,
) -> bool {
    verdict == Some(Verdict::Faster)
        && own == Some(HistoryWord::Kept)
        && reference == Some(HistoryWord::Displaced)
}
