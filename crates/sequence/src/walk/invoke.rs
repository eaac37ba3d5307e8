//! Macro invocation.

use std::sync::Arc;

use super::macros::{Macro, substitute};
use super::{At, Flow, Walker};

impl Walker<'_> {
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

    /// Expands one invocation. `operands` is what follows the name.
    pub(super) fn invoke(
        &mut self,
        found: &Arc<Macro>,
        operands: &str,
        at: &At<'_>,
        offset: usize,
    ) -> Flow {
        if super::builtin::is_nothing(found) {
            return Flow::Next;
        }
        // Arguments that double with each call are text too.
        self.bytes += operands.len() as u64;
        let evaluated;
        let operands = if self.altmacro && operands.contains('%') {
            match self.evaluate_arguments(operands) {
                Ok(text) => {
                    evaluated = text;
                    &evaluated
                }
                Err(mut problem) => {
                    problem.at = None;
                    self.lose(problem, at, offset);
                    return Flow::Next;
                }
            }
        } else {
            operands
        };
        let values = match found.bind(operands, self.altmacro) {
            Ok(values) => values,
            Err(problem) => {
                self.lose(problem, at, offset);
                return Flow::Next;
            }
        };
        let executed = self.executed;
        self.executed += 1;
        let text = if self.altmacro {
            self.substitute_alternate(&found.body, &found.formals, &values, executed)
        } else {
            substitute(&found.body, &found.formals, &values, Some(executed))
        };
        let via = self.via(&format!("in the expansion of macro `{}`", found.name), at);
        match self.run(&text, &found.marks, Some(via)) {
            Flow::Stop => Flow::Stop,
            // `.exitm` ends this expansion and no more.
            Flow::Next | Flow::Exit => Flow::Next,
        }
    }
}
