//! The expanded text: what GNU as assembles to the same bytes.

use sequence::{Diagnostic, Expr, Origin, Problem, Program, Reader, Sink, Statement, Value};

use crate::assembler::Assembler;
use crate::unit::check;

/// Assembles, and keeps the text of each statement.
struct Writer {
    assembler: Assembler,
    text: String,
}

impl Sink for Writer {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        if !statement.text.is_empty() {
            self.text.push_str(statement.text);
            self.text.push('\n');
        }
        self.assembler.statement(statement)
    }

    fn instruction_text(&mut self, text: &str, origin: Origin) -> bool {
        let known = self.assembler.instruction_text(text, origin);
        if known {
            self.text.push_str(text);
            self.text.push('\n');
        }
        known
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        self.assembler.evaluate(expr)
    }

    fn is_defined(&mut self, name: &str) -> bool {
        self.assembler.is_defined(name)
    }
}

/// The program's text with all macros, conditionals and includes gone, one statement a line, params
/// as `.set` and blocks as sections: GNU as makes the same bytes of it.
///
/// # Errors
/// All errors of the unit, those of layout included: what does not assemble is not exported.
pub fn expand(program: &mut Program, reader: &mut dyn Reader) -> Result<String, Vec<Diagnostic>> {
    let mut writer = Writer {
        assembler: Assembler::default(),
        text: String::new(),
    };
    let walked = program.walk(reader, &mut writer);
    check(program, walked, writer.assembler)?;
    Ok(writer.text)
}
