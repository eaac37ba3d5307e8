//! `.if` and its kin.

use super::scrub::scrub;
use super::{At, Flow, Walker, WithHelp, lower};
use crate::expr_parse::expression;
use crate::scanner::{Scanner, is_name, problem};
use crate::{Expr, Problem, Syntax, UnaryOp, Value};

/// One open `.if`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    /// Everything around it is assembled.
    reachable: bool,
    /// This branch is the chosen one.
    chosen: bool,
    /// Some branch has been chosen.
    decided: bool,
    /// `.else` has been seen.
    closed: bool,
    /// Where the `.if` stands, for messages.
    start: usize,
    line_begin: usize,
    frame: u32,
    line: u32,
}

impl Condition {
    pub(super) fn active(&self) -> bool {
        self.reachable && self.chosen
    }
}

const IFS: [&str; 17] = [
    ".if",
    ".ifb",
    ".ifc",
    ".ifdef",
    ".ifeq",
    ".ifeqs",
    ".ifge",
    ".ifgt",
    ".ifknown",
    ".ifle",
    ".iflt",
    ".ifnb",
    ".ifnc",
    ".ifndef",
    ".ifne",
    ".ifnes",
    ".ifnotdef",
];

impl Walker<'_> {
    /// Takes a statement in a branch that is not chosen: only conditionals count there.
    pub(super) fn skipped(&mut self, text: &str, at: &At<'_>) {
        if !text.starts_with('.') {
            return;
        }
        let length = text.bytes().take_while(|&byte| is_name(byte)).count();
        let name = lower(&text[..length]);
        let known = self.conditional(&name, text, length, at);
        // GNU as looks at all words that begin so, wherever they stand.
        let looked_at = [".if", ".else", ".endif", ".endc"];
        if known.is_none() && looked_at.iter().any(|start| name.starts_with(start)) {
            self.lose(crate::directive::unknown(&name, 0), at, 0);
        }
    }

    /// Takes `name` if it is a conditional directive; `operands` is where its operands start in
    /// `text`.
    pub(super) fn conditional(
        &mut self,
        name: &str,
        text: &str,
        operands: usize,
        at: &At<'_>,
    ) -> Option<Flow> {
        if matches!(name, ".else" | ".endif" | ".endc")
            && let Some(junk) = text.get(operands..)
            && !junk.trim().is_empty()
        {
            let at_junk = operands + junk.len() - junk.trim_start().len();
            let message = format!("words behind `{name}`");
            self.lose(problem(at_junk, junk.trim().len(), message), at, 0);
        }
        match name {
            ".else" | ".elseif" => {
                let reaches = match self.conditions.last() {
                    None => {
                        let error = problem(0, name.len(), format!("this `{name}` has no `.if`"));
                        self.lose(error, at, 0);
                        return Some(Flow::Next);
                    }
                    Some(open) if open.closed => {
                        let error = problem(0, name.len(), format!("`{name}` behind `.else`"))
                            .with_help("close the conditional with `.endif` first");
                        self.lose(error, at, 0);
                        return Some(Flow::Next);
                    }
                    Some(open) => open.reachable && !open.decided,
                };
                let chosen = reaches
                    && (name == ".else" || self.test(".if", text, operands, at) == Some(true));
                if let Some(open) = self.conditions.last_mut() {
                    open.closed = name == ".else";
                    open.chosen = chosen;
                    open.decided |= chosen;
                }
                Some(Flow::Next)
            }
            ".endif" | ".endc" => {
                if self.conditions.pop().is_none() {
                    self.lose(problem(0, name.len(), "this `.endif` has no `.if`"), at, 0);
                }
                Some(Flow::Next)
            }
            // For built-in text alone: GNU as has no such question.
            ".ifknown" if !self.frames.is_builtin(at.frame) => None,
            _ if IFS.contains(&name) => {
                let reachable = self.conditions.last().is_none_or(Condition::active);
                // A condition that cannot be decided takes neither branch: one error is enough.
                let result = if reachable {
                    self.test(name, text, operands, at)
                } else {
                    None
                };
                self.conditions.push(Condition {
                    reachable,
                    chosen: result == Some(true),
                    decided: result != Some(false),
                    closed: false,
                    start: at.start,
                    line_begin: at.line_begin,
                    frame: at.frame,
                    line: at.line,
                });
                Some(Flow::Next)
            }
            _ => None,
        }
    }

    /// What a condition is; `None` if it is wrong, which is reported here.
    fn test(&mut self, name: &str, text: &str, operands: usize, at: &At<'_>) -> Option<bool> {
        match self.decide(name, text, operands) {
            Ok(result) => Some(result),
            Err(problem) => {
                self.lose(problem, at, 0);
                None
            }
        }
    }

    fn decide(&mut self, name: &str, text: &str, operands: usize) -> Result<bool, Problem> {
        let rest = text[operands..].trim();
        match name {
            ".ifb" => return Ok(rest.is_empty()),
            ".ifnb" => return Ok(!rest.is_empty()),
            ".ifc" | ".ifnc" => {
                let scrubbed = scrub(text);
                let both = scrubbed.get(operands..).unwrap_or("").trim();
                // Quotes hide no comma from GNU as.
                let Some((left, right)) = both.split_once(',') else {
                    return Err(problem(
                        operands,
                        rest.len(),
                        "expected two texts and a `,` between",
                    )
                    .with_help("`.ifc TEXT,TEXT`"));
                };
                return Ok((left.trim() == right.trim()) == (name == ".ifc"));
            }
            ".ifeqs" | ".ifnes" => {
                let mut scanner = Scanner::new(text, operands);
                let (mut left, mut right) = (Vec::new(), Vec::new());
                crate::strings::string(&mut scanner, &mut left)?;
                if !scanner.eat(b',') {
                    return Err(scanner.expected(scanner.at, "`,`"));
                }
                crate::strings::string(&mut scanner, &mut right)?;
                scanner.finish()?;
                return Ok((left == right) == (name == ".ifeqs"));
            }
            _ => {}
        }
        let mut scanner = Scanner::new(text, operands);
        scanner.is_data = self.syntax == Syntax::Intel;
        scanner.intel = scanner.is_data;
        if matches!(name, ".ifdef" | ".ifndef" | ".ifnotdef") {
            let symbol = scanner.symbol()?;
            scanner.finish()?;
            let defined = self.is_feature(symbol) || self.sink.is_defined(symbol);
            return Ok(defined == (name == ".ifdef"));
        }
        if name == ".ifknown" {
            let expr = expression(&mut scanner)?;
            scanner.finish()?;
            return Ok(matches!(self.evaluate(&expr), Value::Absolute(_)));
        }
        let value = self.number(&mut scanner, "a condition")?;
        scanner.finish()?;
        Ok(match name {
            ".ifeq" => value == 0,
            ".ifge" => value >= 0,
            ".ifgt" => value > 0,
            ".ifle" => value <= 0,
            ".iflt" => value < 0,
            _ => value != 0,
        })
    }

    /// Reads an expression that must be known now.
    pub(super) fn number(&mut self, scanner: &mut Scanner<'_>, what: &str) -> Result<i64, Problem> {
        scanner.skip_space();
        let start = scanner.at;
        let expr = expression(scanner)?;
        let width = scanner.text[start..scanner.at].trim_end().len();
        match self.evaluate(&expr) {
            Value::Absolute(value) => Ok(value),
            Value::Address => Err(problem(
                start,
                width,
                format!("{what} must be a number that is known here, and this is an address"),
            )
            .with_help(
                "the difference of two labels is known only if nothing between them may grow",
            )),
            Value::Undefined => Err(problem(
                start,
                width,
                format!("{what} must be a number that is known here"),
            )
            .with_help("a symbol in it is not defined so far; set it above this line")),
        }
    }

    /// What an expression is worth; words for CPU features are 1 where in force and 0 where not.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Value {
        if let Expr::Number(value) = expr {
            return Value::Absolute(*value);
        }
        if !self.plain && names_feature(expr) {
            let mut replaced = expr.clone();
            self.replace_features(&mut replaced);
            return match replaced {
                Expr::Number(value) => Value::Absolute(value),
                replaced => self.sink.evaluate(&replaced),
            };
        }
        self.sink.evaluate(expr)
    }

    fn is_feature(&self, symbol: &str) -> bool {
        !self.plain && is_feature_word(symbol) && self.features.contains(symbol)
    }

    fn replace_features(&self, expr: &mut Expr) {
        match expr {
            Expr::Symbol(name, _) if is_feature_word(name) => {
                *expr = Expr::Number(i64::from(self.features.contains(name.as_str())));
            }
            Expr::Unary(op, operand) => {
                self.replace_features(operand);
                if let (UnaryOp::LogicalNot, Expr::Number(value)) = (*op, &**operand) {
                    *expr = Expr::Number(i64::from(*value == 0));
                }
            }
            Expr::Binary(_, left, right) => {
                self.replace_features(left);
                self.replace_features(right);
            }
            Expr::Number(_) | Expr::Symbol(..) | Expr::Local(..) | Expr::Here => {}
        }
    }

    /// Reports an `.if` that its text does not close; those that it has opened are gone then.
    pub(super) fn close_conditions(&mut self, base: usize, text: &str) {
        if self.conditions.len() <= base {
            return;
        }
        let open = self.conditions.pop();
        self.conditions.truncate(base);
        let Some(open) = open else { return };
        let at = At {
            text,
            start: open.start,
            frame: open.frame,
            line: open.line,
            line_begin: open.line_begin,
        };
        let error = problem(0, 3, "this conditional is not closed")
            .with_help("`.endif` must come in the same macro, file or part of the sequence file");
        self.lose(error, &at, 0);
    }
}

fn is_feature_word(name: &str) -> bool {
    name.starts_with("X86_FEATURE_") || name.starts_with("X86_BUG_")
}

fn names_feature(expr: &Expr) -> bool {
    match expr {
        Expr::Symbol(name, _) => is_feature_word(name),
        Expr::Unary(_, operand) => names_feature(operand),
        Expr::Binary(_, left, right) => names_feature(left) || names_feature(right),
        Expr::Number(_) | Expr::Local(..) | Expr::Here => false,
    }
}
