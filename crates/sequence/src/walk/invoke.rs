//! Macro invocation.

use std::cell::OnceCell;
use std::sync::Arc;

use super::arguments::Reading;
use super::macros::Macro;
use super::scrub::{open_string, scrub};
use super::substitute::{Failure, Substitution};
use super::{At, Flow, Walker};
use crate::expr_parse::expression;
use crate::scanner::{Scanner, problem};
use crate::{Problem, Value};

/// The error of a string that its statement does not close.
pub(super) fn unclosed(text: &str) -> Option<Problem> {
    let start = open_string(text)?;
    let mut error = problem(start, text.len() - start, "this string has no end");
    "close it with `\"`".clone_into(&mut error.help);
    Some(error)
}

/// What a value counts for among the bytes of expansions.
const BYTES_PER_FORMAL: usize = 4;

impl Walker<'_> {
    /// Goes on behind a body that was not expanded, or does not.
    pub(super) fn behind(&mut self, failure: &Failure, body: &str) -> Flow {
        match failure {
            Failure::TooLarge => Flow::Stop,
            Failure::Wrong(_) => {
                self.bytes += body.len() as u64;
                Flow::Next
            }
        }
    }

    /// The macro of this name (in lower case): the text's own before the built-in ones.
    pub(super) fn find_macro(&self, name: &str) -> Option<Arc<Macro>> {
        if let Some(found) = self.macros.get(name) {
            return Some(Arc::clone(found));
        }
        if self.plain || self.purged.contains(name) {
            return None;
        }
        super::builtin::find(name)
    }

    /// What a `%` argument of `.altmacro` is worth, and how many bytes of `text` say so.
    fn evaluate_argument(&mut self, text: &str) -> Result<(i64, usize), Problem> {
        let mut scanner = Scanner::new(text, 0);
        let expr = expression(&mut scanner)?;
        match self.evaluate(&expr) {
            Value::Absolute(value) => Ok((value, scanner.at)),
            Value::Address | Value::Undefined => Err(problem(
                0,
                scanner.at,
                "a `%` argument must be a number that is known here",
            )),
        }
    }

    /// Reads arguments by the mode in force.
    pub(super) fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Reading<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let alternate = self.altmacro;
        let mut evaluate = |text: &str| self.evaluate_argument(text);
        let result = read(&mut Reading {
            alternate,
            evaluate: &mut evaluate,
        });
        // Places count in scrubbed text, which is not what is shown.
        result.map_err(|problem| Problem {
            at: None,
            ..problem
        })
    }

    /// Expands one invocation. `statement` is scrubbed and begins with the macro's name, of `length` bytes.
    pub(super) fn invoke(
        &mut self,
        found: &Arc<Macro>,
        statement: &str,
        length: usize,
        at: &At<'_>,
        offset: usize,
    ) -> Flow {
        if super::builtin::is_nothing(found) {
            return Flow::Next;
        }
        if let Some(error) = unclosed(statement) {
            self.lose(error, at, offset);
            return Flow::Next;
        }
        // Arguments that double with each call are text too, and values of many formals take as long.
        self.bytes += (statement.len() + BYTES_PER_FORMAL * found.formals.len()) as u64;
        if self.is_too_large() {
            return self.too_large(at);
        }
        let operands = statement.get(length..).unwrap_or("");
        let values = match self.reading(|reading| found.bind(operands, reading)) {
            Ok(values) => values,
            Err(problem) => {
                self.lose(problem, at, offset);
                return Flow::Next;
            }
        };
        let names = found.formals.iter().map(|formal| formal.name.as_str());
        let substitution = Substitution {
            names: names.zip(values.iter().map(String::as_str)).collect(),
            executed: self.executed,
            index: OnceCell::new(),
            alternate: self.altmacro,
            is_macro: true,
        };
        let text = match substitution.apply(&found.body, &mut self.locals) {
            Ok(text) => scrub(&text),
            Err(failure) => {
                let error = problem(0, 1, failure.to_string());
                self.lose(Problem { at: None, ..error }, at, offset);
                return self.behind(&failure, &found.body);
            }
        };
        self.executed += 1;
        let via = self.via(&format!("in the expansion of macro `{}`", found.name), at);
        match self.run(&text, &found.marks, Some(via)) {
            Flow::Stop => Flow::Stop,
            // `.exitm` ends this expansion and no more.
            Flow::Next | Flow::Exit => Flow::Next,
        }
    }
}
