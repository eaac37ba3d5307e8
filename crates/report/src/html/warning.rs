//! What a reader should know before trusting the numbers.

use std::collections::HashMap;

use record::{Warning, printable};

use super::number::list_first;
use super::sequence::Sequence;

/// Machines that a warning names before it counts the rest.
const NAMED: usize = 6;

/// A warning, and the machines that it is about.
pub(super) struct WarningView {
    pub(super) about: String,
    pub(super) message: String,
    pub(super) advice: String,
    /// Whether it makes every number of its record worth less.
    pub(super) degrades: bool,
}

impl Sequence {
    /// The warnings of all records, each once, and those of their comparison.
    pub(super) fn warnings(&self) -> Vec<WarningView> {
        let mut found: Vec<(Warning, Vec<String>)> = Vec::new();
        let mut places: HashMap<(String, String, String), usize> = HashMap::new();
        let mut add = |warning: &Warning, label: &str| {
            let key = (
                warning.kind.clone(),
                warning.message.clone(),
                warning.advice.clone(),
            );
            let place = *places.entry(key).or_insert_with(|| {
                found.push((warning.clone(), Vec::new()));
                found.len() - 1
            });
            found[place].1.push(label.to_owned());
        };
        for (digest, label) in self.digests.iter().zip(&self.labels) {
            for warning in &digest.record.warnings {
                add(warning, label);
            }
            if !digest.record.complete {
                add(
                    &Warning {
                        kind: INCOMPLETE.to_owned(),
                        message: "the run was cut short".to_owned(),
                        advice: "run it again".to_owned(),
                    },
                    label,
                );
            }
            if self.is_large() && digest.record.sequence.text != self.first().sequence.text {
                add(
                    &Warning {
                        kind: "text-differs".to_owned(),
                        message: format!(
                            "the sequence's text is not that of the first record, {}",
                            self.labels[0]
                        ),
                        advice: "run the same file everywhere".to_owned(),
                    },
                    label,
                );
            }
        }
        let compared = self.compared().into_iter().flat_map(|diff| &diff.warnings);
        // The comparison repeats the records' own warnings of these kinds.
        for warning in compared.filter(|warning| !warning.degrades() && warning.kind != INCOMPLETE)
        {
            add(warning, "the comparison");
        }
        found.sort_by_key(|(warning, _)| !warning.degrades());
        found
            .into_iter()
            .map(|(warning, labels)| WarningView {
                about: list_first(&labels, NAMED),
                message: printable(&warning.message),
                advice: printable(&warning.advice),
                degrades: warning.degrades(),
            })
            .collect()
    }
}

const INCOMPLETE: &str = "incomplete";
