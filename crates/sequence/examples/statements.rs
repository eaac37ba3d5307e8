//! Prints the statements of a sequence file's variants, for a look at what the walk gives.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write as _;

use sequence::{
    BinaryOp, Diagnostic, Expr, Include, Options, Problem, Reader, Sequence, Sink, Statement,
    StatementKind, Value,
};

struct Files;

impl Reader for Files {
    fn read(&mut self, name: &str, _from: &str) -> Result<Include, String> {
        match std::fs::read_to_string(name) {
            Ok(text) => Ok(Include {
                name: name.to_owned(),
                text,
            }),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Knows the symbols that are set to numbers, and adds and compares.
#[derive(Default)]
struct Printer {
    symbols: HashMap<String, Option<i64>>,
    lines: Vec<String>,
    quiet: bool,
}

impl Sink for Printer {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        match &statement.kind {
            StatementKind::Set { name, value, .. } => {
                let value = match self.evaluate(value) {
                    Value::Absolute(value) => Some(value),
                    Value::Address | Value::Undefined => None,
                };
                self.symbols.insert((*name).to_owned(), value);
            }
            StatementKind::Label(name) => {
                self.symbols.insert((*name).to_owned(), None);
            }
            _ => {}
        }
        if !self.quiet {
            self.lines
                .push(format!("{}\t# {:?}", statement.text, statement.kind));
        }
        Ok(())
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Number(value) => Value::Absolute(*value),
            Expr::Symbol(name, _) => match self.symbols.get(name) {
                Some(Some(value)) => Value::Absolute(*value),
                Some(None) => Value::Address,
                None => Value::Undefined,
            },
            Expr::Here | Expr::Local(..) => Value::Address,
            Expr::Unary(_, operand) => self.evaluate(operand),
            Expr::Binary(op, left, right) => {
                let (Value::Absolute(left), Value::Absolute(right)) =
                    (self.evaluate(left), self.evaluate(right))
                else {
                    return Value::Undefined;
                };
                Value::Absolute(match op {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Subtract => left.wrapping_sub(right),
                    BinaryOp::Multiply => left.wrapping_mul(right),
                    BinaryOp::Divide => left.checked_div(right).unwrap_or(0),
                    BinaryOp::Equal => -i64::from(left == right),
                    BinaryOp::NotEqual => -i64::from(left != right),
                    BinaryOp::Less => -i64::from(left < right),
                    BinaryOp::Greater => -i64::from(left > right),
                    BinaryOp::LessOrEqual => -i64::from(left <= right),
                    BinaryOp::GreaterOrEqual => -i64::from(left >= right),
                    BinaryOp::And => left & right,
                    BinaryOp::Or => left | right,
                    BinaryOp::LogicalAnd => i64::from(left != 0 && right != 0),
                    BinaryOp::LogicalOr => i64::from(left != 0 || right != 0),
                    _ => return Value::Undefined,
                })
            }
        }
    }

    fn is_defined(&mut self, name: &str) -> bool {
        self.symbols.contains_key(name)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let quiet = std::env::args().any(|argument| argument == "--quiet");
    for file in std::env::args()
        .skip(1)
        .filter(|argument| argument != "--quiet")
    {
        let text = std::fs::read_to_string(&file)?;
        let options = Options {
            plain: file.ends_with(".s"),
            ..Options::default()
        };
        let sequence = match Sequence::read(&file, &text, &mut Files, &options) {
            Ok(sequence) => sequence,
            Err(diagnostics) => {
                print(&mut out, &diagnostics)?;
                continue;
            }
        };
        print(&mut out, &sequence.warnings)?;
        for (index, variant) in sequence.variants.iter().enumerate() {
            writeln!(out, "## {} {}", variant.name, variant.text)?;
            let mut printer = Printer {
                quiet,
                ..Printer::default()
            };
            let mut program = sequence.program(index, &sequence.default_params());
            let result = program.walk(&mut Files, &mut printer);
            for line in &printer.lines {
                writeln!(out, "{line}")?;
            }
            match result {
                Ok(diagnostics) | Err(diagnostics) => print(&mut out, &diagnostics)?,
            }
        }
    }
    Ok(())
}

fn print(out: &mut impl std::io::Write, diagnostics: &[Diagnostic]) -> std::io::Result<()> {
    for found in diagnostics {
        writeln!(
            out,
            "{}:{}:{}: {}",
            found.file, found.line, found.column, found.message
        )?;
        writeln!(out, "  {}", found.text.replace('\t', " "))?;
        let space = " ".repeat(found.column as usize + 1);
        writeln!(out, "{space}{}", "^".repeat(found.width as usize))?;
        if !found.help.is_empty() {
            writeln!(out, "  = {}", found.help)?;
        }
        for note in &found.notes {
            writeln!(out, "  {}:{}: {}", note.file, note.line, note.message)?;
        }
    }
    Ok(())
}
