//! Symbols that are set: before layout, each is brought to the label, the number or the undefined symbol
//! that it stands for, however many others lie between.

use sequence::Origin;

use crate::expr::{DEEPEST, ExprError, Folded, Node, binary, divided_by_zero, too_deep, unary};
use crate::layout::{Placed, problem};
use crate::symbols::{Definition, SymbolId, SymbolTable};

/// How far a symbol has been looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    /// Its value is being worked out, so that whoever asks for it asks in a circle.
    Open,
    Done,
}

struct Settler<'a> {
    symbols: &'a mut SymbolTable,
    states: Vec<State>,
    problems: &'a mut Vec<Placed>,
}

/// Settles all symbols.
///
/// # Errors
/// Circles, divisions by zero, and expressions of expressions without end.
pub(crate) fn settle(symbols: &mut SymbolTable, problems: &mut Vec<Placed>) {
    let set: Vec<SymbolId> = symbols
        .iter()
        .filter(|(_, entry)| matches!(entry.definition, Definition::Expression(_)))
        .map(|(id, _)| id)
        .collect();
    if set.is_empty() {
        return;
    }
    let states = vec![State::New; symbols.len()];
    let mut settler = Settler {
        symbols,
        states,
        problems,
    };
    for id in set {
        settler.settle(id, 0);
    }
}

impl Settler<'_> {
    fn state(&mut self, id: SymbolId) -> &mut State {
        &mut self.states[id.0 as usize]
    }

    fn fail(&mut self, at: Origin, ExprError(message, help): ExprError) {
        self.problems.push((at, problem(message, help)));
    }

    /// Follows aliases to what they stand for, then gives it to all of them.
    fn settle(&mut self, id: SymbolId, depth: u32) {
        let mut path: Vec<(SymbolId, i64)> = Vec::new();
        let mut base = id;
        loop {
            match *self.state(base) {
                State::Done => break,
                State::Open => {
                    let entry = self.symbols.get(base);
                    let message = format!(
                        "the value of `{}` depends on itself",
                        self.symbols.name(base)
                    );
                    let at = entry.set_at();
                    self.fail(at, ExprError(message, String::new()));
                    break;
                }
                State::New => {}
            }
            let Definition::Expression(node) = &self.symbols.get(base).definition else {
                break;
            };
            let Some((next, addend)) = node.alias() else {
                self.expression(base, depth);
                break;
            };
            *self.state(base) = State::Open;
            path.push((base, addend));
            base = next;
        }
        let mut total = 0_i64;
        let mut from = base;
        // What the base itself was brought to, if it is an alias that was settled before.
        if let Definition::Expression(node) = &self.symbols.get(base).definition
            && let Some((further, more)) = node.alias()
        {
            base = further;
            total = more;
        }
        for (id, addend) in path.into_iter().rev() {
            total = total.wrapping_add(addend);
            if self.symbols.get(id).is_forward && addend == 0 {
                self.symbols.copy_attributes(id, from);
            }
            let definition = match self.symbols.get(base).definition {
                Definition::Absolute(value) => Definition::Absolute(value.wrapping_add(total)),
                _ => {
                    let sum = Folded::Sum {
                        plus: base,
                        minus: None,
                        addend: total,
                    };
                    Definition::Expression(Box::new(sum.into_node()))
                }
            };
            self.symbols.get_mut(id).definition = definition;
            *self.state(id) = State::Done;
            from = id;
        }
    }

    /// Settles what an expression names, and the expression if that makes a number of it.
    fn expression(&mut self, id: SymbolId, depth: u32) {
        *self.state(id) = State::Open;
        let at = self.symbols.get(id).set_at();
        if depth >= DEEPEST {
            let error = too_deep(self.symbols.name(id));
            self.fail(at, error);
        } else if let Definition::Expression(node) = self.symbols.get(id).definition.clone() {
            let mut names = Vec::new();
            symbols_of(&node, &mut names);
            for name in names {
                // One error is enough where thousands of symbols hang on each other.
                if self.problems.is_empty() {
                    self.settle(name, depth + 1);
                }
            }
            match value(self.symbols, &node) {
                Ok(Some(value)) => {
                    self.symbols.get_mut(id).definition = Definition::Absolute(value);
                }
                Ok(None) => {}
                Err(error) => self.fail(at, error),
            }
        }
        *self.state(id) = State::Done;
    }
}

fn symbols_of(node: &Node, names: &mut Vec<SymbolId>) {
    match node {
        Node::Number(_) => {}
        Node::Symbol(id) => names.push(*id),
        Node::Unary(_, inner) => symbols_of(inner, names),
        Node::Binary(_, left, right) => {
            symbols_of(left, names);
            symbols_of(right, names);
        }
    }
}

/// What a tree is worth if all of its symbols are numbers.
fn value(symbols: &SymbolTable, node: &Node) -> Result<Option<i64>, ExprError> {
    Ok(match node {
        Node::Number(value) => Some(*value),
        Node::Symbol(id) => match symbols.get(*id).definition {
            Definition::Absolute(value) => Some(value),
            _ => None,
        },
        Node::Unary(op, inner) => value(symbols, inner)?.map(|value| unary(*op, value)),
        Node::Binary(op, left, right) => match (value(symbols, left)?, value(symbols, right)?) {
            (Some(left), Some(right)) => {
                Some(binary(*op, left, right).ok_or_else(divided_by_zero)?)
            }
            _ => None,
        },
    })
}
