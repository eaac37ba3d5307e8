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
        let word = |of: &Variant| of.history.as_ref().map(|history| history.word);
        let baseline = self.baseline().and_then(|name| {
            self.variants
                .iter()
                .find(|other| other.name == name && other.params == variant.params)
        });
        let faster = self
            .verdict_context()
            .and_then(|context| variant.measures.get(&context)?.vs_baseline.as_ref())
            .is_some_and(|vs| vs.verdict == Verdict::Faster);
        faster
            && word(variant) == Some(HistoryWord::Kept)
            && baseline.and_then(word) == Some(HistoryWord::Displaced)
    }
}
