//! A sink that notes statements.

use std::collections::HashMap;

use sequence::{
    BinaryOp, Diagnostic, Expr, Include, MemoryReader, Options, Part, Problem, Sequence, Severity,
    Sink, Statement, StatementKind, UnaryOp, Value,
};

/// Notes each statement's text and part; knows symbols that are numbers. Refuses the instruction
/// `bad`.
#[derive(Default)]
pub(crate) struct Recorder {
    symbols: HashMap<String, Value>,
    pub(crate) lines: Vec<(Part, String)>,
    pub(crate) places: Vec<(u32, u32)>,
}

impl Sink for Recorder {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        match &statement.kind {
            StatementKind::Set { name, value, .. } => {
                let value = self.evaluate(value);
                self.symbols.insert((*name).to_owned(), value);
            }
            StatementKind::Label(name) => {
                self.symbols.insert((*name).to_owned(), Value::Address);
            }
            StatementKind::Instruction(instruction) if instruction.mnemonic == "bad" => {
                return Err(Problem {
                    severity: Severity::Error,
                    message: "there is no instruction `bad`".to_owned(),
                    help: "take a good one".to_owned(),
                    at: Some((0, 3)),
                });
            }
            _ => {}
        }
        if statement.text.is_empty() {
            return Ok(());
        }
        self.lines.push((statement.part, statement.text.to_owned()));
        self.places
            .push((statement.origin.line, statement.origin.column));
        Ok(())
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Number(value) => Value::Absolute(*value),
            Expr::Symbol(name, _) => self.symbols.get(name).copied().unwrap_or(Value::Undefined),
            Expr::Here | Expr::Local(..) => Value::Address,
            Expr::Unary(op, operand) => match self.evaluate(operand) {
                Value::Absolute(value) => Value::Absolute(match op {
                    UnaryOp::Negate => value.wrapping_neg(),
                    UnaryOp::Not => !value,
                    UnaryOp::LogicalNot => i64::from(value == 0),
                }),
                other => other,
            },
            Expr::Binary(op, left, right) => match (self.evaluate(left), self.evaluate(right)) {
                (Value::Absolute(left), Value::Absolute(right)) => {
                    Value::Absolute(binary(*op, left, right))
                }
                (Value::Undefined, _) | (_, Value::Undefined) => Value::Undefined,
                _ => Value::Address,
            },
        }
    }

    fn is_defined(&mut self, name: &str) -> bool {
        self.symbols.contains_key(name)
    }
}

fn binary(op: BinaryOp, left: i64, right: i64) -> i64 {
    match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide => left.checked_div(right).expect("a divisor"),
        BinaryOp::Remainder => left.checked_rem(right).expect("a divisor"),
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::OrNot => left | !right,
        BinaryOp::ShiftLeft => left << right,
        BinaryOp::ShiftRight => left >> right,
        BinaryOp::Equal => -i64::from(left == right),
        BinaryOp::NotEqual => -i64::from(left != right),
        BinaryOp::Less => -i64::from(left < right),
        BinaryOp::Greater => -i64::from(left > right),
        BinaryOp::LessOrEqual => -i64::from(left <= right),
        BinaryOp::GreaterOrEqual => -i64::from(left >= right),
        BinaryOp::LogicalAnd => i64::from(left != 0 && right != 0),
        BinaryOp::LogicalOr => i64::from(left != 0 || right != 0),
    }
}

/// A reader of one file, `inner.s`.
pub(crate) fn reader() -> MemoryReader {
    MemoryReader {
        files: vec![Include {
            name: "inner.s".to_owned(),
            text: "\tnop\n\tbad\n".to_owned(),
        }],
    }
}

/// Reads a `.S` text and walks one of its variants.
pub(crate) fn walked(text: &str, variant: usize) -> Result<Recorder, Vec<Diagnostic>> {
    let sequence = Sequence::read("t.S", text, &mut reader(), &Options::default())?;
    let mut recorder = Recorder::default();
    let mut program = sequence.program(variant, &sequence.default_params());
    program.walk(&mut reader(), &mut recorder)?;
    Ok(recorder)
}

/// Statements of a variant behind the seed, which comes last of what is set for every sequence.
pub(crate) fn statements(text: &str, variant: usize) -> Vec<String> {
    let recorder = walked(text, variant).expect("no errors");
    let lines = recorder.lines.into_iter().map(|(_, line)| line);
    lines
        .skip_while(|line| !line.starts_with(".set SEED"))
        .skip(1)
        .collect()
}
