//! How an error of a file is shown: its place, the line, a caret, and what would be right.

use std::collections::HashSet;
use std::fmt::Write as _;

use record::is_harmful;
use sequence::{Diagnostic, Severity};

/// Drops repeats: the common lines of a file belong to every variant, and so do their errors. What
/// is left is in order of place.
pub(crate) fn distinct(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let mut left: Vec<Diagnostic> = diagnostics
        .into_iter()
        .filter(|d| seen.insert((d.file.clone(), d.line, d.column, d.message.clone())))
        .collect();
    // Stable, so that files keep the order in which they were named.
    let files: Vec<String> = left.iter().map(|d| d.file.clone()).collect();
    let order = |file: &String| files.iter().position(|other| other == file);
    left.sort_by_key(|d| (order(&d.file), d.line, d.column));
    left
}

/// Whether any of them is an error.
pub(crate) fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The word for a severity, as scripts see it too.
pub(crate) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// One diagnostic as text, with its final newline:
///
/// ```text
/// mine.S:3:8: error: %ah cannot be used with a REX prefix
///     movb %ah, %r8b
///          ^~~
///   help: take %al, %bl, %cl or %dl
/// ```
pub(crate) fn render(diagnostic: &Diagnostic, colour: bool) -> String {
    let paint = Paint { colour };
    let mut out = String::new();
    let place = format!(
        "{}:{}:{}:",
        diagnostic.file, diagnostic.line, diagnostic.column
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{} {} {}",
        paint.bold(&harmless(&place)),
        paint.severity(diagnostic.severity),
        harmless(&diagnostic.message)
    );
    if !diagnostic.text.trim().is_empty() {
        let (line, caret) = underline(diagnostic);
        let _ = writeln!(out, "    {line}");
        let _ = writeln!(out, "    {}", paint.caret(&caret));
    }
    if !diagnostic.help.is_empty() {
        let _ = writeln!(out, "  help: {}", harmless(&diagnostic.help));
    }
    for note in &diagnostic.notes {
        let note = format!("{}:{}: {}", note.file, note.line, note.message);
        let _ = writeln!(out, "  {}", harmless(&note));
    }
    out
}

/// Text that may quote a file, with its letters as they are and nothing that a terminal acts on.
fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_harmful(c) { '\u{fffd}' } else { c })
        .collect()
}

/// The part of a line that a reader can take in, and where the column is in it.
fn window(line: String, column: usize) -> (String, usize) {
    const MOST: usize = 200;
    const BEFORE: usize = 60;
    let length = line.chars().count();
    if length <= MOST {
        return (line, column);
    }
    let from = if column < MOST { 0 } else { column - BEFORE };
    let shown: String = line.chars().skip(from).take(MOST).collect();
    let start = if from > 0 { "..." } else { "" };
    let end = if from + MOST < length { "..." } else { "" };
    (format!("{start}{shown}{end}"), column - from + start.len())
}

/// The line with its tabs as they are and what acts on a terminal made harmless, and a second line that
/// keeps those tabs, so that the caret stands right whatever a terminal's tab stops.
fn underline(diagnostic: &Diagnostic) -> (String, String) {
    let line: String = diagnostic
        .text
        .chars()
        .map(|c| {
            if is_harmful(c) && c != '\t' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect();
    let before = diagnostic.column.saturating_sub(1) as usize;
    let (line, before) = window(line, before);
    let mut caret: String = line
        .chars()
        .take(before)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let rest = line.chars().count().saturating_sub(before).max(1);
    let width = (diagnostic.width.max(1) as usize).min(rest);
    caret.push('^');
    caret.extend(std::iter::repeat_n('~', width - 1));
    (line, caret)
}

/// Colours, where they are wanted.
struct Paint {
    colour: bool,
}

impl Paint {
    fn style(&self, text: &str, style: console::Style) -> String {
        style.force_styling(self.colour).apply_to(text).to_string()
    }

    fn bold(&self, text: &str) -> String {
        self.style(text, console::Style::new().bold())
    }

    fn severity(&self, severity: Severity) -> String {
        let style = match severity {
            Severity::Warning => console::Style::new().yellow().bold(),
            Severity::Error => console::Style::new().red().bold(),
        };
        self.style(&format!("{}:", word(severity)), style)
    }

    fn caret(&self, text: &str) -> String {
        self.style(text, console::Style::new().green().bold())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(text: &str, column: u32, width: u32) -> Diagnostic {
        Diagnostic {
            file: String::from("mine.S"),
            line: 3,
            column,
            width,
            severity: Severity::Error,
            message: String::from("%ah cannot be used with a REX prefix"),
            help: String::from("take %al"),
            text: text.to_owned(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn caret_stands_under_the_operand_behind_tabs() {
        let shown = render(&diagnostic("\tmovb\t%ah, %r8b", 7, 3), false);
        assert_eq!(
            shown,
            "mine.S:3:7: error: %ah cannot be used with a REX prefix\n    \
             \tmovb\t%ah, %r8b\n    \t    \t^~~\n  help: take %al\n"
        );
    }

    #[test]
    fn a_long_line_is_shown_where_the_error_is() {
        let text = format!("{}%ah{}", "a".repeat(1000), "b".repeat(1000));
        let (line, caret) = underline(&diagnostic(&text, 1001, 3));
        assert_eq!(line.len(), 206);
        assert_eq!(&line[caret.find('^').expect("a caret")..][..3], "%ah");
        let (line, caret) = underline(&diagnostic(&text, 5, 3000));
        assert!(line.starts_with("aaaa") && line.ends_with("a..."));
        assert_eq!(caret.len(), line.len());
    }

    #[test]
    fn caret_stays_on_the_line() {
        let (_, caret) = underline(&diagnostic("nop", 2, 80));
        assert_eq!(caret, " ^~");
        let (_, caret) = underline(&diagnostic("nop", 4, 2));
        assert_eq!(caret, "   ^");
    }

    #[test]
    fn terminals_are_not_at_the_mercy_of_a_file() {
        let shown = render(&diagnostic("\u{1b}[2J nop", 1, 1), false);
        assert!(!shown.contains('\u{1b}'));
        // Code that is not what it looks like.
        let shown = render(&diagnostic("nop /* \u{202e} */ ud2", 1, 1), false);
        assert!(shown.contains("nop /* \u{fffd} */ ud2"), "{shown}");
        let said = Diagnostic {
            message: String::from("\u{1b}[2J f\u{fc}r"),
            ..diagnostic("nop", 1, 1)
        };
        let shown = render(&said, false);
        assert!(
            !shown.contains('\u{1b}') && shown.contains("f\u{fc}r"),
            "{shown}"
        );
    }

    #[test]
    fn an_error_of_the_common_lines_is_shown_once() {
        let one = diagnostic("nop", 1, 1);
        let other = Diagnostic {
            line: 1,
            ..one.clone()
        };
        let left = distinct(vec![one.clone(), one.clone(), other.clone()]);
        assert_eq!(left, [other, one]);
    }
}
