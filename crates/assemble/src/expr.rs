//! Expressions with their symbols looked up, and what they are worth before and after layout.

use sequence::{BinaryOp, Direction, Expr, MISSING_LABEL, Modifier, UnaryOp};

use crate::symbols::{Definition, Place, SymbolId, SymbolTable};

/// An expression that keeps the symbols it named, for values that only layout decides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A number.
    Number(i64),
    /// A symbol.
    Symbol(SymbolId),
    /// Prefix operator.
    Unary(UnaryOp, Box<Self>),
    /// Infix operator.
    Binary(BinaryOp, Box<Self>, Box<Self>),
}

/// What an expression comes to when it is read: in most cases a number, or a symbol and a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Folded {
    /// A number, the same whatever the layout.
    Number(i64),
    /// `plus - minus + addend`
    Sum {
        /// Added.
        plus: SymbolId,
        /// Subtracted.
        minus: Option<SymbolId>,
        /// Number.
        addend: i64,
    },
    /// Anything else.
    Tree(Box<Node>),
}

/// `STT_TLS`
pub(crate) const THREAD_LOCAL: u8 = 6;

/// What may be wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExprError(pub(crate) String, pub(crate) String);

/// Works out a prefix operator.
pub(crate) fn unary(op: UnaryOp, value: i64) -> i64 {
    match op {
        UnaryOp::Negate => value.wrapping_neg(),
        UnaryOp::Not => !value,
        UnaryOp::LogicalNot => i64::from(value == 0),
    }
}

/// Works out an infix operator on numbers; `None` for a division by zero.
pub(crate) fn binary(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    let truth = |condition: bool| if condition { -1 } else { 0 };
    // GNU as shifts by what the host's instruction would, but a count beyond the width gives zero.
    let shift = |right: i64| u32::try_from(right).ok().filter(|&count| count < 64);
    Some(match op {
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide if right == 0 => return None,
        BinaryOp::Divide => left.wrapping_div(right),
        BinaryOp::Remainder if right == 0 => return None,
        BinaryOp::Remainder => left.wrapping_rem(right),
        BinaryOp::ShiftLeft => shift(right).map_or(0, |count| left << count),
        // The value is unsigned to GNU as, whose numbers are of type valueT here.
        BinaryOp::ShiftRight => {
            shift(right).map_or(0, |count| (left.cast_unsigned() >> count).cast_signed())
        }
        BinaryOp::Or => left | right,
        BinaryOp::And => left & right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::OrNot => left | !right,
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterOrEqual => truth(left >= right),
        BinaryOp::LessOrEqual => truth(left <= right),
        BinaryOp::LogicalAnd => i64::from(left != 0 && right != 0),
        BinaryOp::LogicalOr => i64::from(left != 0 || right != 0),
    })
}

impl Node {
    /// The symbol and the number that are all of it.
    pub(crate) fn alias(&self) -> Option<(SymbolId, i64)> {
        match self {
            Self::Symbol(id) => Some((*id, 0)),
            Self::Binary(BinaryOp::Add, left, right) => match (&**left, &**right) {
                (Self::Symbol(id), Self::Number(addend)) => Some((*id, *addend)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Folded {
    /// As a tree.
    pub(crate) fn into_node(self) -> Node {
        match self {
            Self::Number(value) => Node::Number(value),
            Self::Tree(node) => *node,
            Self::Sum {
                plus,
                minus,
                addend,
            } => {
                let mut node = Node::Symbol(plus);
                if let Some(minus) = minus {
                    node = Node::Binary(
                        BinaryOp::Subtract,
                        Box::new(node),
                        Box::new(Node::Symbol(minus)),
                    );
                }
                if addend != 0 {
                    node = Node::Binary(
                        BinaryOp::Add,
                        Box::new(node),
                        Box::new(Node::Number(addend)),
                    );
                }
                node
            }
        }
    }
}

/// Reads expressions at one place of the text.
pub(crate) struct Folder<'a> {
    /// The symbols.
    pub(crate) symbols: &'a mut SymbolTable,
    /// Where `.` is.
    pub(crate) here: Place,
    /// The modifier that was met (`@PLT`), which the caller handles or refuses.
    pub(crate) modifier: Option<Modifier>,
    /// Whether it is an operand of Intel syntax.
    pub(crate) is_intel: bool,
}

impl Folder<'_> {
    /// Looks symbols up and folds what is known.
    ///
    /// # Errors
    /// A division by zero, a numeric label that was never defined.
    pub(crate) fn fold(&mut self, expr: &Expr) -> Result<Folded, ExprError> {
        Ok(match expr {
            Expr::Number(value) => Folded::Number(*value),
            Expr::Symbol(name, modifier) => {
                if modifier.is_some() {
                    self.modifier = *modifier;
                }
                // In Intel syntax GNU as meets the name first.
                if self.is_intel {
                    self.symbols.named(name);
                }
                if let Some(modifier) = modifier {
                    self.mark_table(*modifier);
                }
                let id = self.symbols.named(name);
                if modifier.is_some_and(Modifier::is_thread_local) {
                    self.symbols.get_mut(id).kinds.mark_thread_local();
                }
                self.symbol(id)
            }
            Expr::Local(number, direction, modifier) => {
                if let Some(modifier) = modifier {
                    self.modifier = Some(*modifier);
                    self.mark_table(*modifier);
                }
                let id = match direction {
                    Direction::Backward => self.symbols.backward(*number).ok_or_else(|| {
                        ExprError(
                            format!("{MISSING_LABEL} `{number}:` before this"),
                            format!("write `{number}f` for the next one, or define it"),
                        )
                    })?,
                    Direction::Forward => self.symbols.forward(*number),
                };
                self.symbol(id)
            }
            Expr::Here => {
                let plus = self.symbols.anonymous(self.here);
                Folded::Sum {
                    plus,
                    minus: None,
                    addend: 0,
                }
            }
            Expr::Unary(op, inner) => match self.fold(inner)? {
                Folded::Number(value) => Folded::Number(unary(*op, value)),
                Folded::Sum {
                    plus,
                    minus: Some(minus),
                    addend,
                } if *op == UnaryOp::Negate => Folded::Sum {
                    plus: minus,
                    minus: Some(plus),
                    addend: addend.wrapping_neg(),
                },
                sum @ Folded::Sum { minus: None, .. } if *op == UnaryOp::Negate => {
                    self.combine(BinaryOp::Subtract, Folded::Number(0), sum)?
                }
                other => Folded::Tree(Box::new(Node::Unary(*op, Box::new(other.into_node())))),
            },
            Expr::Binary(op, left, right) => {
                let left = self.fold(left)?;
                let right = self.fold(right)?;
                self.combine(*op, left, right)?
            }
        })
    }

    /// Most modifiers say that there is a global offset table, which GNU as has before the symbol.
    fn mark_table(&mut self, modifier: Modifier) {
        if !matches!(modifier, Modifier::Plt | Modifier::Size) {
            let table = self.symbols.named("_GLOBAL_OFFSET_TABLE_");
            self.symbols.get_mut(table).used = true;
        }
    }

    fn symbol(&mut self, id: SymbolId) -> Folded {
        let id = self.symbols.get(id).weakref().unwrap_or(id);
        let entry = self.symbols.get_mut(id);
        entry.used = true;
        match entry.definition {
            Definition::Absolute(value) => Folded::Number(value),
            _ => Folded::Sum {
                plus: id,
                minus: None,
                addend: 0,
            },
        }
    }

    fn combine(&mut self, op: BinaryOp, left: Folded, right: Folded) -> Result<Folded, ExprError> {
        if let (&Folded::Number(left), &Folded::Number(right)) = (&left, &right) {
            return binary(op, left, right)
                .map(Folded::Number)
                .ok_or_else(divided_by_zero);
        }
        match (op, &left, &right) {
            (
                BinaryOp::Add,
                &Folded::Sum {
                    plus,
                    minus,
                    addend,
                },
                &Folded::Number(number),
            )
            | (
                BinaryOp::Add,
                &Folded::Number(number),
                &Folded::Sum {
                    plus,
                    minus,
                    addend,
                },
            ) => {
                return Ok(Folded::Sum {
                    plus,
                    minus,
                    addend: addend.wrapping_add(number),
                });
            }
            (
                BinaryOp::Subtract,
                &Folded::Sum {
                    plus,
                    minus,
                    addend,
                },
                &Folded::Number(number),
            ) => {
                return Ok(Folded::Sum {
                    plus,
                    minus,
                    addend: addend.wrapping_sub(number),
                });
            }
            // A linker may know how far away a number is.
            (
                BinaryOp::Subtract,
                &Folded::Number(number),
                &Folded::Sum {
                    plus,
                    minus: None,
                    addend,
                },
            ) => {
                return Ok(Folded::Sum {
                    plus: self.symbols.constant(0),
                    minus: Some(plus),
                    addend: number.wrapping_sub(addend),
                });
            }
            (
                BinaryOp::Subtract,
                &Folded::Sum {
                    plus,
                    minus: None,
                    addend,
                },
                &Folded::Sum {
                    plus: other,
                    minus: None,
                    addend: less,
                },
            ) => {
                let addend = addend.wrapping_sub(less);
                return Ok(match self.distance(plus, other) {
                    Some(distance) => Folded::Number(distance.wrapping_add(addend)),
                    None => Folded::Sum {
                        plus,
                        minus: Some(other),
                        addend,
                    },
                });
            }
            _ => {}
        }
        Ok(Folded::Tree(Box::new(Node::Binary(
            op,
            Box::new(left.into_node()),
            Box::new(right.into_node()),
        ))))
    }

    /// How far apart two labels are where no piece of unknown size lies between them.
    fn distance(&self, plus: SymbolId, minus: SymbolId) -> Option<i64> {
        if plus == minus {
            return Some(0);
        }
        let (plus, more) = self.label(plus)?;
        let (minus, less) = self.label(minus)?;
        let distance = i64::from(plus.fixed) - i64::from(minus.fixed);
        (plus.stream == minus.stream && plus.frag == minus.frag)
            .then(|| distance.wrapping_add(more).wrapping_sub(less))
    }

    /// The label that a symbol is, or was set to, a number added or not.
    fn label(&self, id: SymbolId) -> Option<(Place, i64)> {
        match &self.symbols.get(id).definition {
            Definition::Label(place) => Some((*place, 0)),
            Definition::Expression(node) => {
                let (base, addend) = node.alias()?;
                match self.symbols.get(base).definition {
                    Definition::Label(place) => Some((place, addend)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The error of a division by zero.
pub(crate) fn divided_by_zero() -> ExprError {
    ExprError("division by zero".into(), String::new())
}

/// What an expression is worth once places are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// A number.
    Absolute(i64),
    /// An offset in a section, reached by way of this symbol.
    Address {
        /// Index of the section.
        section: u32,
        /// Offset in it.
        offset: i64,
        /// The symbol it is relative to.
        symbol: SymbolId,
        /// Offset less the symbol's own.
        addend: i64,
    },
    /// Relative to a symbol that is not here, or common.
    External(SymbolId, i64),
}

/// Knows where labels are.
pub(crate) trait Places {
    /// Section and offset of a place.
    fn locate(&self, place: Place) -> (u32, i64);

    /// What a symbol that was set to an expression is worth, if that is known since the last move.
    fn recall(&self, id: SymbolId) -> Option<Worth>;

    /// Keeps that.
    fn remember(&self, id: SymbolId, worth: Worth);
}

/// How deep symbols may be set to expressions of symbols that are set; an alias of an alias does not count.
pub(crate) const DEEPEST: u32 = 1000;

/// How deep the trees of all of them may be together.
const MOST_NODES: u32 = 3000;

/// The error of more than that.
pub(crate) fn too_deep(name: &str) -> ExprError {
    ExprError(
        format!("`{name}` is set through more than {DEEPEST} expressions of other symbols"),
        "set some of them to numbers".into(),
    )
}

/// What a symbol is worth.
///
/// # Errors
/// A circle of `.set`s, or an expression that has no value.
pub(crate) fn symbol_worth(
    symbols: &SymbolTable,
    places: &dyn Places,
    id: SymbolId,
    depth: u32,
) -> Result<Worth, ExprError> {
    let entry = symbols.get(id);
    match &entry.definition {
        Definition::Undefined | Definition::Common(..) => Ok(Worth::External(id, 0)),
        Definition::Absolute(value) => Ok(Worth::Absolute(*value)),
        Definition::Label(place) => {
            let (section, offset) = places.locate(*place);
            Ok(Worth::Address {
                section,
                offset,
                symbol: id,
                addend: 0,
            })
        }
        Definition::Expression(node) => {
            if let Some(worth) = places.recall(id) {
                return Ok(worth);
            }
            if depth > MOST_NODES {
                return Err(too_deep(symbols.name(id)));
            }
            let worth = node_worth(symbols, places, node, depth + 1)?;
            if node.alias().is_none() {
                places.remember(id, worth);
            }
            // An alias is a symbol of its own; other expressions are what they come to.
            Ok(match worth {
                Worth::Address {
                    section, offset, ..
                } if node.alias().is_some() => Worth::Address {
                    section,
                    offset,
                    symbol: id,
                    addend: 0,
                },
                other => other,
            })
        }
    }
}

/// What a tree is worth.
///
/// # Errors
/// A division by zero; sums of addresses that are no address.
pub(crate) fn node_worth(
    symbols: &SymbolTable,
    places: &dyn Places,
    node: &Node,
    depth: u32,
) -> Result<Worth, ExprError> {
    match node {
        Node::Number(value) => Ok(Worth::Absolute(*value)),
        Node::Symbol(id) => symbol_worth(symbols, places, *id, depth),
        Node::Unary(op, inner) => match node_worth(symbols, places, inner, depth + 1)? {
            Worth::Absolute(value) => Ok(Worth::Absolute(unary(*op, value))),
            other => Err(no_value(symbols, other)),
        },
        Node::Binary(op, left, right) => {
            let left = node_worth(symbols, places, left, depth + 1)?;
            let right = node_worth(symbols, places, right, depth + 1)?;
            combine_worths(symbols, *op, left, right)
        }
    }
}

fn combine_worths(
    symbols: &SymbolTable,
    op: BinaryOp,
    left: Worth,
    right: Worth,
) -> Result<Worth, ExprError> {
    match (op, left, right) {
        (_, Worth::Absolute(left), Worth::Absolute(right)) => binary(op, left, right)
            .map(Worth::Absolute)
            .ok_or_else(divided_by_zero),
        (BinaryOp::Add, Worth::Absolute(number), address)
        | (BinaryOp::Add, address, Worth::Absolute(number)) => Ok(address.plus(number)),
        (BinaryOp::Subtract, address, Worth::Absolute(number)) => {
            Ok(address.plus(number.wrapping_neg()))
        }
        (BinaryOp::Subtract, Worth::External(a, left), Worth::External(b, right)) if a == b => {
            Ok(Worth::Absolute(left.wrapping_sub(right)))
        }
        (
            op,
            Worth::Address {
                section: a,
                offset: left,
                ..
            },
            Worth::Address {
                section: b,
                offset: right,
                ..
            },
        ) if a == b
            && matches!(
                op,
                BinaryOp::Subtract
                    | BinaryOp::Equal
                    | BinaryOp::NotEqual
                    | BinaryOp::Less
                    | BinaryOp::Greater
                    | BinaryOp::GreaterOrEqual
                    | BinaryOp::LessOrEqual
            ) =>
        {
            binary(op, left, right)
                .map(Worth::Absolute)
                .ok_or_else(divided_by_zero)
        }
        (_, Worth::External(..), _) => Err(no_value(symbols, left)),
        (_, _, Worth::External(..)) => Err(no_value(symbols, right)),
        _ => Err(ExprError(
            "this expression is neither a number nor an address and a number".into(),
            "only the difference of two labels of one section is a number".into(),
        )),
    }
}

/// The error of an expression that needs a symbol's value.
pub(crate) fn undefined(symbols: &SymbolTable, id: SymbolId) -> ExprError {
    let entry = symbols.get(id);
    let name = entry
        .numeric()
        .map_or_else(|| symbols.name(id).to_string(), |number| number.to_string());
    ExprError(
        format!("`{name}` is not defined, so this expression has no value"),
        "define it, or use it only with a number added".into(),
    )
}

fn no_value(symbols: &SymbolTable, worth: Worth) -> ExprError {
    match worth {
        Worth::External(id, _) => undefined(symbols, id),
        _ => ExprError(
            "an address cannot be used in this operation".into(),
            "only the difference of two labels of one section is a number".into(),
        ),
    }
}

impl Worth {
    /// This and a number.
    pub(crate) fn plus(self, number: i64) -> Self {
        match self {
            Self::Absolute(value) => Self::Absolute(value.wrapping_add(number)),
            Self::External(id, addend) => Self::External(id, addend.wrapping_add(number)),
            Self::Address {
                section,
                offset,
                symbol,
                addend,
            } => Self::Address {
                section,
                offset: offset.wrapping_add(number),
                symbol,
                addend: addend.wrapping_add(number),
            },
        }
    }
}
