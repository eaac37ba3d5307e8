//! Problems to diagnostics with their places.

use super::blocks::shortened;
use super::{At, Flow, MAX_BYTES, MAX_ERRORS, MAX_NESTING, MAX_STATEMENTS, Walker, WithHelp};
use crate::diagnostic::shorten;
use crate::frames::Via;
use crate::lines::{Mark, place, too_long_message};
use crate::scanner::{problem, saturate};
use crate::{Diagnostic, Origin, Problem, Severity};

/// Whether a line is from a C string, and no assembler text: its escapes or operands show it.
pub(crate) fn is_c_string(line: &str) -> bool {
    let line = line.trim();
    (line.starts_with('"') && (line.contains("\\n") || line.contains("\\t") || line.ends_with('"')))
        || line.contains("%%")
        || line.contains("%[")
}

/// As much of a line as anybody reads.
pub(crate) fn clipped(line: &str) -> &str {
    let mut end = line.len().min(4096);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

impl Walker<'_> {
    /// Reports a problem that leaves text out: labels that are missing may stand in there.
    pub(super) fn lose(&mut self, problem: Problem, at: &At<'_>, offset: usize) {
        *self.lost = true;
        self.report(problem, at, offset);
    }

    /// Reports a problem of the statement at `at`; its offsets count from `offset` in there.
    pub(super) fn report(&mut self, problem: Problem, at: &At<'_>, offset: usize) {
        if self.foreign {
            return;
        }
        let begin = at.line_begin.min(at.text.len());
        let length = at.text[begin..].find('\n').unwrap_or(at.text.len() - begin);
        let line = clipped(at.text[begin..begin + length].trim_end_matches('\r'));
        if problem.severity == Severity::Error && is_c_string(line) {
            self.foreign = true;
            self.diagnostics
                .retain(|known| known.severity == Severity::Warning);
            self.errors = 0;
            let error =
                crate::scanner::problem(0, line.trim().len(), "this is text from a C string")
                    .with_help("paste the .S, or objdump's output");
            self.add(error, at, 0, line);
            return;
        }
        self.add(problem, at, offset, line);
    }

    fn add(&mut self, problem: Problem, at: &At<'_>, offset: usize, line: &str) {
        let origin = at.origin(0);
        let diagnostic = if self.frames.is_builtin(at.frame) {
            // Built-in text is not the user's to read: the line that used it is.
            self.frames.diagnose(
                origin,
                Problem {
                    at: None,
                    ..problem
                },
            )
        } else {
            let statement = at.start - at.line_begin.min(at.start);
            let (start, width) = match problem.at {
                Some((from, width)) => (statement + offset + from as usize, width as usize),
                None => {
                    let from = statement + offset;
                    let rest = line.get(from..).unwrap_or("");
                    let end = rest.find([';', '#']).unwrap_or(rest.len());
                    (from, rest[..end].trim_end().len())
                }
            };
            self.at_columns(problem, origin, line, start, width)
        };
        let Some(diagnostic) = diagnostic else {
            return;
        };
        self.push(diagnostic);
    }

    /// A diagnostic over the bytes `start..start + width` of `line`.
    fn at_columns(
        &self,
        problem: Problem,
        origin: Origin,
        line: &str,
        start: usize,
        width: usize,
    ) -> Option<Diagnostic> {
        let (file, number, mut notes) = self.frames.locate(origin.frame, origin.line)?;
        shorten(&mut notes);
        let chars = |from: usize, to: usize| {
            line.char_indices()
                .filter(|(at, _)| (from..to).contains(at))
                .count()
        };
        Some(Diagnostic {
            file: self.frames.file_name(file).to_owned(),
            line: number,
            column: saturate(chars(0, start) + 1),
            width: saturate(chars(start, start + width).max(1)),
            severity: problem.severity,
            help: self.frames.help(file, number, &problem),
            message: problem.message,
            text: line.to_owned(),
            notes,
        })
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        let key = (
            diagnostic.file.clone(),
            diagnostic.line,
            diagnostic.column,
            diagnostic.message.clone(),
        );
        let full = self.errors >= MAX_ERRORS
            || (diagnostic.severity == Severity::Warning
                && self.diagnostics.len() - self.errors >= MAX_ERRORS);
        if full || !self.seen.insert(key) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn too_deep(&mut self, via: Option<Via>) -> Flow {
        *self.lost = true;
        let Some(via) = via else {
            return Flow::Stop;
        };
        let origin = Origin {
            frame: via.frame,
            line: via.line,
            column: 1,
        };
        let mut error = problem(
            0,
            1,
            format!("macros or files are nested more than {MAX_NESTING} deep"),
        )
        .with_help("a macro that calls itself must stop: put the call in an `.if`");
        error.at = None;
        if let Some(diagnostic) = self.frames.diagnose(origin, error) {
            self.push(diagnostic);
        }
        Flow::Stop
    }

    /// Ends the walk at line `index` of a text, counted from 0, of which nobody will read more.
    pub(super) fn line_too_long(
        &mut self,
        text: &str,
        index: u32,
        marks: &[Mark],
        via: Option<Via>,
    ) -> Flow {
        let (file, line) = place(marks, index);
        let frame = self.frames.frame(file, via);
        let begin = text.split_inclusive('\n').take(index as usize);
        let begin = begin.map(str::len).sum();
        let at = At {
            text,
            start: begin,
            frame,
            line,
            line_begin: begin,
        };
        let (message, help) = too_long_message();
        self.lose(problem(0, 1, message).with_help(help), &at, 0);
        Flow::Stop
    }

    pub(super) fn too_large(&mut self, at: &At<'_>) -> Flow {
        let message = format!(
            "macros and repeats expand to more than {MAX_STATEMENTS} statements or {} MiB",
            MAX_BYTES >> 20
        );
        let length = at.text[at.start.min(at.text.len())..]
            .find('\n')
            .unwrap_or(0);
        let width = shortened(&at.text[at.start..at.start + length]).len();
        let error = problem(0, width, message).with_help("lower the count, or fill with `.fill`");
        self.lose(error, at, 0);
        Flow::Stop
    }
}

#[cfg(test)]
mod tests {
    use crate::{Expr, MemoryReader, Problem, Program, Sink, Statement, Value};

    struct Nothing;

    impl Sink for Nothing {
        fn statement(&mut self, _statement: &Statement<'_>) -> Result<(), Problem> {
            Ok(())
        }

        fn evaluate(&mut self, _expr: &Expr) -> Value {
            Value::Undefined
        }

        fn is_defined(&mut self, _name: &str) -> bool {
            false
        }
    }

    /// Repeats that would never end give one error; tests have a lower limit, to be quick.
    #[test]
    fn repeats_are_bounded() {
        for text in [
            ".rept 0x7fffffffffffffff\n.endr\n",
            ".rept 100000\n.rept 100000\nnop\n.endr\n.endr\n",
            ".macro m\nm2\nm2\n.endm\n.macro m2\n.rept 300\nnop\n.endr\n.endm\n.rept 300\nm\n.endr\n",
        ] {
            let errors = Program::plain("t.s", text)
                .walk(&mut MemoryReader::default(), &mut Nothing)
                .expect_err("an error");
            let messages: Vec<_> = errors.iter().map(|found| found.message.as_str()).collect();
            let expected = "macros and repeats expand to more than 40000 statements or 64 MiB";
            assert_eq!(messages, [expected], "{text}");
        }
    }
}
