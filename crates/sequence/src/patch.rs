//! `#: diff OLD NEW`: a patch as it was mailed becomes the text of two variants.
//!
//! The text is rewritten before anything else reads it. Each line keeps its columns, for marks and
//! quoting become blanks, and a table knows which line of the file it was.

use crate::lines::Mark;
use crate::scanner::saturate;
use crate::{Diagnostic, Severity};

/// A file's text with its patches as variants, and where its lines were.
pub(crate) struct Unfolded {
    pub(crate) text: String,
    /// For each line of `text`, its line in the file, from 1.
    lines: Vec<u32>,
    /// Lines of the file that are patches, first and last.
    pub(crate) patches: Vec<(u32, u32)>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Which variants a line of a patch belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
    Both,
    /// Headers and what surrounds hunks.
    Neither,
    Unknown,
}

/// Starts of lines that are not part of a hunk's text.
const HEADERS: [&str; 14] = [
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "@@",
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "similarity index ",
    "rename from ",
    "rename to ",
    "\\ No newline",
    "Binary files ",
];

/// The line behind mail's quoting, `> ` as often as it stands there.
fn unquoted(line: &str) -> &str {
    let mut rest = line;
    while let Some(inner) = rest.strip_prefix('>') {
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

/// Old and new name, if a line is a `diff` comment with both.
fn names(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("#:")?.split_ascii_whitespace();
    let found = match (words.next()?, words.next()?, words.next()?) {
        ("diff", old, new) => (old, new),
        _ => return None,
    };
    words.next().is_none().then_some(found)
}

fn side(line: &str) -> Side {
    if HEADERS.iter().any(|start| line.starts_with(start)) {
        return Side::Neither;
    }
    match line.bytes().next() {
        Some(b'+') => Side::New,
        Some(b'-') => Side::Old,
        // Mailers eat the blank of an empty line, and of one that starts with a tab.
        None | Some(b' ' | b'\t' | b'\r') => Side::Both,
        Some(_) => Side::Unknown,
    }
}

/// The sides of a patch's lines. Around hunks stand a message, file names and a signature.
fn sides(lines: &[&str]) -> Vec<Side> {
    let has_hunks = lines.iter().any(|line| unquoted(line).starts_with("@@"));
    let mut inside = !has_hunks;
    lines
        .iter()
        .map(|line| {
            let line = unquoted(line);
            if line.starts_with("@@") {
                inside = true;
            } else if has_hunks && (line.starts_with("diff ") || line == "-- ") {
                inside = false;
            }
            if inside { side(line) } else { Side::Neither }
        })
        .collect()
}

/// The line with marks and quoting as blanks.
fn blanked(line: &str) -> String {
    let inner = unquoted(line);
    let marked = inner.starts_with(['+', '-', ' ']);
    let width = line.len() - inner.len() + usize::from(marked);
    format!("{}{}", " ".repeat(width), &line[width..])
}

/// Turns each patch of a file into two variants; `None` where there is none.
pub(crate) fn unfold(file: &str, text: &str) -> Option<Unfolded> {
    let lines: Vec<&str> = text.lines().collect();
    if !lines.iter().any(|line| names(line).is_some()) {
        return None;
    }
    let mut unfolded = Unfolded {
        text: String::with_capacity(text.len() * 2),
        lines: Vec::new(),
        patches: Vec::new(),
        errors: Vec::new(),
    };
    let mut at = 0;
    while at < lines.len() {
        let Some((old, new)) = names(lines[at]) else {
            unfolded.push(lines[at], at);
            at += 1;
            continue;
        };
        let begin = at + 1;
        let length = lines[begin..]
            .iter()
            .take_while(|line| !line.starts_with("#:"))
            .count();
        let patch = &lines[begin..begin + length];
        let sides = sides(patch);
        for (name, own) in [(old, Side::Old), (new, Side::New)] {
            unfolded.push(&format!("#: variant {name}"), at);
            for (index, &side) in sides.iter().enumerate() {
                if side == own || side == Side::Both {
                    unfolded.push(&blanked(patch[index]), begin + index);
                }
            }
        }
        for (index, _) in sides
            .iter()
            .enumerate()
            .filter(|(_, side)| **side == Side::Unknown)
        {
            unfolded.errors.push(Diagnostic {
                file: file.to_owned(),
                line: saturate(begin + index + 1),
                column: 1,
                width: 1,
                severity: Severity::Error,
                message: "a line of a patch that starts with none of its marks".to_owned(),
                help:
                    "lines of both sides start with a blank, old ones with `-`, new ones with `+`"
                        .to_owned(),
                text: patch[index].to_owned(),
                notes: Vec::new(),
            });
        }
        unfolded
            .patches
            .push((saturate(begin + 1), saturate(begin + length)));
        at = begin + length;
    }
    Some(unfolded)
}

impl Unfolded {
    fn push(&mut self, line: &str, index: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(saturate(index + 1));
    }

    /// The line in the file of a line of the text.
    pub(crate) fn line(&self, line: u32) -> u32 {
        let index = (line as usize).wrapping_sub(1);
        self.lines.get(index).copied().unwrap_or(line)
    }

    /// Brings diagnostics of the text to the file's lines.
    pub(crate) fn place(&self, file: &str, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics {
            if diagnostic.file == file {
                diagnostic.line = self.line(diagnostic.line);
            }
            for note in &mut diagnostic.notes {
                if note.file == file {
                    note.line = self.line(note.line);
                }
            }
        }
    }

    /// Brings the places of a preprocessed text's `count` lines to the file's lines.
    pub(crate) fn marks(&self, marks: &[Mark], count: u32) -> Vec<Mark> {
        let mut placed: Vec<Mark> = Vec::with_capacity(marks.len());
        for (index, mark) in marks.iter().enumerate() {
            if mark.file != 0 {
                placed.push(*mark);
                continue;
            }
            let end = marks.get(index + 1).map_or(count, |next| next.index);
            let mut expected = None;
            for offset in 0..end.saturating_sub(mark.index).max(1) {
                let line = self.line(mark.line + offset);
                if expected != Some(line) {
                    placed.push(Mark {
                        index: mark.index + offset,
                        file: 0,
                        line,
                    });
                }
                expected = Some(line + 1);
            }
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u32)]) {
        let unfolded = unfold("a.S", text).expect("there is a patch");
        assert!(unfolded.errors.is_empty(), "{:?}", unfolded.errors);
        let found: Vec<(&str, u32)> = unfolded
            .text
            .lines()
            .zip(unfolded.lines.iter().copied())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn as_mailed() {
        check(
            "nop\n#: diff a b\n> message\n> ---\n> diff --git a/x b/x\n> --- a/x\n> +++ b/x\n\
             > @@ -1,3 +1,3 @@ f\n>  one\n> -\ttwo\n> +\tthree\n>\n> -- \n> 2.40\n#: unroll 4\n",
            &[
                ("nop", 1),
                ("#: variant a", 2),
                ("   one", 9),
                ("   \ttwo", 10),
                (" ", 12),
                ("#: variant b", 2),
                ("   one", 9),
                ("   \tthree", 11),
                (" ", 12),
                ("#: unroll 4", 15),
            ],
        );
    }

    #[test]
    fn a_hunk_by_hand() {
        check(
            "#: diff a b\n one\n-two\n",
            &[
                ("#: variant a", 1),
                (" one", 2),
                (" two", 3),
                ("#: variant b", 1),
                (" one", 2),
            ],
        );
        assert!(unfold("a.S", "nop\n#: diff a\n").is_none());
        let wrong = unfold("a.S", "#: diff a b\n nop\nnop\n").expect("there is a patch");
        assert_eq!(wrong.errors.len(), 1);
        assert_eq!(wrong.errors[0].line, 3);
    }
}
