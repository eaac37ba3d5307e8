//! A variant's lines in its sequence's text.
//!
//! The record keeps the text as a whole; which lines are a variant's follows from the structured
//! comments alone, as `#: variant NAME` and `#: diff OLD NEW` say.

use std::collections::HashMap;
use std::ops::Range;

use record::printable;

/// A sequence's text, divided at the lines that start a variant.
pub(super) struct Source {
    lines: Vec<String>,
    /// Lines before the first variant.
    common: Range<usize>,
    /// For each name, its part.
    parts: HashMap<String, Range<usize>>,
}

/// One line: its number from 1, and its text.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
}

impl Source {
    pub(super) fn of(text: &str) -> Self {
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line))
            .map(clean)
            .collect();
        let mut starts: Vec<(usize, Vec<String>)> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let Some(comment) = line.strip_prefix("#:") else {
                continue;
            };
            let mut words = comment.split_whitespace();
            let names = match words.next() {
                Some("variant") => words.take(1).map(str::to_owned).collect(),
                Some("diff") => words.take(2).map(str::to_owned).collect(),
                _ => continue,
            };
            starts.push((index, names));
        }
        let mut parts = HashMap::new();
        for (at, (start, names)) in starts.iter().enumerate() {
            let end = starts.get(at + 1).map_or(lines.len(), |next| next.0);
            for name in names {
                parts.entry(name.clone()).or_insert(*start..end);
            }
        }
        let common = 0..starts.first().map_or(lines.len(), |first| first.0);
        Self {
            lines,
            common,
            parts,
        }
    }

    /// The lines that all variants share.
    pub(super) fn common(&self) -> Vec<Line> {
        self.numbered(self.common.clone())
    }

    /// A variant's own lines; `None` where the text does not name it.
    pub(super) fn variant(&self, name: &str) -> Option<Vec<Line>> {
        Some(self.numbered(self.parts.get(name)?.clone()))
    }

    fn numbered(&self, range: Range<usize>) -> Vec<Line> {
        let mut lines: Vec<Line> = self.lines[range.clone()]
            .iter()
            .zip(range.start + 1..)
            .map(|(text, number)| Line {
                number,
                text: text.clone(),
            })
            .collect();
        while lines.last().is_some_and(|line| line.text.trim().is_empty()) {
            lines.pop();
        }
        lines
    }
}

/// One line of text with its tabs kept, and without marks that reorder or hide text.
fn clean(line: &str) -> String {
    line.split('\t')
        .map(printable)
        .collect::<Vec<_>>()
        .join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#: title t\n\t.macro x\n\n#: variant a first\n\tnop\n#: variant b\n\tret\n\n\
                        #: diff old new\n-\tnop\n+\tret\n";

    fn text(lines: Option<Vec<Line>>) -> Option<String> {
        Some(
            lines?
                .iter()
                .map(|line| format!("{}:{}|", line.number, line.text))
                .collect(),
        )
    }

    #[test]
    fn each_variant_has_its_own_lines() {
        let source = Source::of(TEXT);
        assert_eq!(
            text(Some(source.common())).unwrap(),
            "1:#: title t|2:\t.macro x|"
        );
        assert_eq!(
            text(source.variant("a")).unwrap(),
            "4:#: variant a first|5:\tnop|"
        );
        assert_eq!(
            text(source.variant("b")).unwrap(),
            "6:#: variant b|7:\tret|"
        );
        assert_eq!(text(source.variant("new")), text(source.variant("old")));
        assert_eq!(text(source.variant("c")), None);
    }

    #[test]
    fn a_text_of_nothing_has_no_lines() {
        assert!(Source::of("").common().is_empty());
        assert!(Source::of("\n\r\n").common().is_empty());
    }
}
