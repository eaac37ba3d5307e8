//! What is exact about a variant: its bytes, its counts, and whether it displaces the history.

use record::{Record, Variant, printable};

use super::machine::history_meaning;
use super::number::list_first;
use super::sequence::{Row, Sequence};
use crate::counts;

/// Bytes in a line of the listing.
const BYTES_A_LINE: usize = 16;
/// Labels that a sentence names before it counts the rest.
const NAMED: usize = 6;

/// Code bytes, and the machines they were the same on.
pub(super) struct CodeView {
    pub(super) machines: String,
    pub(super) size: u64,
    pub(super) lines: Vec<(String, String)>,
}

impl Sequence {
    /// Exact counts, machines with the same counts together.
    pub(super) fn counts(&self, row: &Row) -> Vec<String> {
        self.together(row, |_, variant| {
            let code = variant.code.as_ref()?;
            let counted = counts::of_code(code).unwrap_or_else(|| {
                let reason = code.counts_reason.as_deref();
                let reason = printable(reason.unwrap_or("the record gives no reason"));
                format!("no exact counts: {reason}")
            });
            Some(format!("{} bytes; {counted}", code.size))
        })
    }

    /// What the probe says of the branch history.
    pub(super) fn history(&self, row: &Row) -> Vec<String> {
        self.together(row, |record, variant| {
            let history = variant.history.as_ref()?;
            let mut words = format!(
                "{} \u{2013} {}",
                history.word.word(),
                history_meaning(history.word)
            );
            if let Some(score) = history.score {
                words.push_str(&format!("; score {score:.2}"));
                if let (Some(low), Some(high)) = (history.low, history.high) {
                    words.push_str(&format!(" [{low:.2}, {high:.2}]"));
                }
                words.push_str(" from 0, kept, to 1, gone");
            }
            if let Some(branches) = history.taken_branches {
                words.push_str(&format!("; {branches} taken branches"));
            }
            if let Some(reason) = &history.reason {
                words.push_str(&format!("; {}", printable(reason)));
            }
            if record.does_less(variant) {
                words
                    .push_str("; cheaper because it does less: the baseline displaces the history");
            }
            Some(words)
        })
    }

    /// What machines say of a variant, each saying once with the machines that say it.
    fn together(
        &self,
        row: &Row,
        say: impl Fn(&Record, &Variant) -> Option<String>,
    ) -> Vec<String> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (record, label) in self.labels.iter().enumerate() {
            let whole = &self.digests[record].record;
            let said = self.variant(row, record);
            let Some(words) = said.and_then(|variant| say(whole, variant)) else {
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == words) {
                Some((_, labels)) => labels.push(label.clone()),
                None => groups.push((words, vec![label.clone()])),
            }
        }
        groups
            .into_iter()
            .map(|(words, labels)| format!("{}: {words}.", list_first(&labels, NAMED)))
            .collect()
    }

    /// The bytes, machines with the same bytes together.
    pub(super) fn code(&self, row: &Row) -> Vec<CodeView> {
        let mut groups: Vec<(&str, u64, Vec<String>)> = Vec::new();
        for (record, label) in self.labels.iter().enumerate() {
            let Some(code) = self
                .variant(row, record)
                .and_then(|variant| variant.code.as_ref())
            else {
                continue;
            };
            match groups.iter_mut().find(|(bytes, ..)| *bytes == code.bytes) {
                Some((.., labels)) => labels.push(label.clone()),
                None => groups.push((&code.bytes, code.size, vec![label.clone()])),
            }
        }
        groups
            .into_iter()
            .filter(|(bytes, ..)| !bytes.is_empty())
            .map(|(bytes, size, labels)| CodeView {
                machines: list_first(&labels, NAMED),
                size,
                lines: hex_lines(bytes),
            })
            .collect()
    }
}

/// Hex digits as lines of offset and bytes.
fn hex_lines(digits: &str) -> Vec<(String, String)> {
    let digits: Vec<char> = printable(digits).chars().collect();
    digits
        .chunks(2 * BYTES_A_LINE)
        .enumerate()
        .map(|(line, digits)| {
            let bytes: Vec<String> = digits.chunks(2).map(|byte| byte.iter().collect()).collect();
            (format!("{:04x}", line * BYTES_A_LINE), bytes.join(" "))
        })
        .collect()
}
