//! What an operand's tree means: which registers are base and index, what its number is, whether it is
//! memory at all. The rules are those by which GNU as walks its own expressions.

use super::tree::{Part, Tree};
use crate::expr_parse::fold;
use crate::scanner::problem;
use crate::{BinaryOp, Expr, Problem, Register, RegisterClass, Sink, SizeHint, Value};

/// What has been found on the way through a tree.
pub(super) struct Settled<'s> {
    sink: &'s mut dyn Sink,
    pub(super) register: Option<Register>,
    pub(super) base: Option<Register>,
    pub(super) index: Option<Register>,
    /// 1, 2, 4 or 8; 0 where none was written.
    pub(super) scale: u8,
    segment: Option<Part>,
    /// The first size, and whether it is one of an element for all.
    pub(super) size: Option<(SizeHint, bool)>,
    pub(super) has_offset: bool,
    /// Bits: a symbol outside of brackets (1), one in them (2).
    pub(super) memory: u8,
    in_bracket: u32,
    in_offset: u32,
    in_scale: u32,
    factor: i64,
}

impl<'s> Settled<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            register: None,
            base: None,
            index: None,
            scale: 0,
            segment: None,
            size: None,
            has_offset: false,
            memory: 0,
            in_bracket: 0,
            in_offset: 0,
            in_scale: 0,
            factor: 1,
        }
    }

    /// Whether there is a segment, be it one that needs no prefix.
    pub(super) const fn has_segment(&self) -> bool {
        self.segment.is_some()
    }

    /// The segment's register, `None` for one that needs no prefix.
    ///
    /// # Errors
    /// If what stands before the colon is none.
    pub(super) fn segment(&self) -> Result<Option<Register>, Problem> {
        let Some(mut part) = self.segment.as_ref() else {
            return Ok(None);
        };
        // Of two, the first counts.
        while let Tree::Segment(first, second) = &part.tree {
            if !matches!(second.tree, Tree::Register(_)) {
                break;
            }
            part = first;
        }
        match part.tree {
            Tree::Register(found) if found.class == RegisterClass::Segment => Ok(Some(found)),
            Tree::Flat => Ok(None),
            _ => Err(problem(
                part.at,
                part.width,
                "expected a segment register before `:`",
            )),
        }
    }

    /// Whether an expression is a number now.
    pub(super) fn is_number(&mut self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Number(value) => Some(*value),
            expr => match self.sink.evaluate(expr) {
                Value::Absolute(value) => Some(value),
                Value::Address | Value::Undefined => None,
            },
        }
    }

    /// Whether an expression is a symbol that is no number, or that and a number.
    fn is_address(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Symbol(..) | Expr::Local(..) | Expr::Here => self.is_number(expr).is_none(),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                (self.is_number(right).is_some() && self.is_address(left))
                    || (*op == BinaryOp::Add
                        && self.is_number(left).is_some()
                        && self.is_address(right))
            }
            _ => false,
        }
    }

    fn see(&mut self, expr: &Expr) {
        if self.in_offset == 0 && self.is_address(expr) {
            self.memory |= if self.in_bracket > 0 { 2 } else { 1 };
        }
    }

    /// Refuses registers where they were found since `before`.
    fn check(
        &self,
        part: &Part,
        register: Option<Register>,
        base: Option<Register>,
        index: Option<Register>,
    ) -> Result<(), Problem> {
        if (register, base, index) == (self.register, self.base, self.index) {
            return Ok(());
        }
        Err(invalid(part))
    }

    /// The value of a tree, registers taken out of it.
    ///
    /// # Errors
    /// A register where none can stand, two bases, a scale that there is not.
    pub(super) fn take(&mut self, part: &Part) -> Result<Expr, Problem> {
        let (register, base, index) = (self.register, self.base, self.index);
        match &part.tree {
            Tree::Expr(expr) => {
                self.see(expr);
                Ok(expr.clone())
            }
            Tree::Register(found) => {
                self.place(*found, part)?;
                Ok(Expr::Number(0))
            }
            Tree::Flat => Err(invalid(part)),
            Tree::Index(left, inner) => {
                let before = match left {
                    Some(left) => {
                        let value = self.take_inner(left)?;
                        self.check(part, register, self.base, self.index)?;
                        Some(value)
                    }
                    None => None,
                };
                let bracket = u32::from(self.in_offset == 0);
                self.in_bracket += bracket;
                let value = self.take_inner(inner);
                self.in_bracket -= bracket;
                let value = value?;
                Ok(match before {
                    Some(before) => join(BinaryOp::Add, before, value),
                    None => {
                        self.see_alone(inner);
                        value
                    }
                })
            }
            Tree::Offset(inner) => {
                self.has_offset = true;
                self.in_offset += 1;
                let value = self.take_inner(inner);
                self.in_offset -= 1;
                self.check(part, register, base, index)?;
                value
            }
            Tree::Sized(size, repeated, inner) => {
                self.size.get_or_insert((*size, *repeated));
                self.take_named(inner)
            }
            Tree::Short(inner) => self.take_named(inner),
            Tree::Segment(first, second) => {
                if matches!(second.tree, Tree::Register(_)) {
                    return Err(invalid(second));
                }
                let value = self.take_inner(second)?;
                self.check(part, register, self.base, self.index)?;
                if self.in_offset == 0 {
                    self.segment = Some(match self.segment.take() {
                        None => (**first).clone(),
                        Some(before) => Part {
                            tree: Tree::Segment(first.clone(), Box::new(before)),
                            ..**first
                        },
                    });
                }
                self.see_alone(second);
                Ok(value)
            }
            Tree::Binary(BinaryOp::Multiply, left, right) if self.in_bracket > 0 => {
                self.multiply(part, left, right)
            }
            Tree::Binary(op, left, right) => {
                let value = self.take_inner(left)?;
                let sums = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
                let (base, index) = if sums {
                    (self.base, self.index)
                } else {
                    (base, index)
                };
                self.check(left, register, base, index)?;
                let other = self.take_inner(right)?;
                let (base, index) = if *op == BinaryOp::Add {
                    (self.base, self.index)
                } else {
                    (base, index)
                };
                self.check(right, register, base, index)?;
                Ok(join(*op, value, other))
            }
            Tree::Unary(op, inner) => {
                let value = self.take_inner(inner)?;
                self.check(inner, register, base, index)?;
                Ok(Expr::Unary(*op, Box::new(value)))
            }
        }
    }

    /// The same of a part of a tree, in which a symbol alone does not make memory.
    fn take_inner(&mut self, part: &Part) -> Result<Expr, Problem> {
        match &part.tree {
            Tree::Expr(expr @ (Expr::Symbol(..) | Expr::Local(..) | Expr::Here)) => {
                Ok(expr.clone())
            }
            _ => self.take(part),
        }
    }

    /// Sees a symbol that is all that a word or brackets stand around.
    fn see_alone(&mut self, part: &Part) {
        if let Tree::Expr(expr @ (Expr::Symbol(..) | Expr::Local(..) | Expr::Here)) = &part.tree {
            self.see(expr);
        }
    }

    /// The same of what a word stands before.
    fn take_named(&mut self, inner: &Part) -> Result<Expr, Problem> {
        if matches!(inner.tree, Tree::Register(_)) {
            return Err(invalid(inner));
        }
        let value = self.take_inner(inner)?;
        self.see_alone(inner);
        Ok(value)
    }

    fn multiply(&mut self, part: &Part, left: &Part, right: &Part) -> Result<Expr, Problem> {
        let had_index = self.index.is_some();
        if self.in_scale == 0 {
            self.factor = 1;
        }
        self.in_scale += 1;
        let value = self.take_inner(left)?;
        let mut is_scaled = !had_index && self.index.is_some();
        let by_right = is_scaled;
        let other = self.take_inner(right)?;
        is_scaled |= !had_index && self.index.is_some();
        if is_scaled {
            let scale = if by_right { &other } else { &value };
            let scale = self.is_number(scale).unwrap_or(0);
            self.factor = self.factor.wrapping_mul(scale);
        }
        self.in_scale -= 1;
        if self.in_scale == 0 && is_scaled {
            self.scale = match self.factor {
                1 => 1,
                2 => 2,
                4 => 4,
                8 => 8,
                _ => {
                    return Err(problem(
                        part.at,
                        part.width,
                        "the scale is not 1, 2, 4 or 8",
                    ));
                }
            };
        }
        Ok(join(BinaryOp::Multiply, value, other))
    }

    /// Finds a place for one more register.
    fn place(&mut self, register: Register, part: &Part) -> Result<(), Problem> {
        use RegisterClass as Class;
        if self.in_offset > 0 {
            return Err(invalid(part));
        }
        if self.in_bracket == 0 {
            if self.register.replace(register).is_some() {
                return Err(invalid(part));
            }
            return Ok(());
        }
        let is_vector = matches!(register.class, Class::Xmm | Class::Ymm | Class::Zmm);
        let usable = is_vector
            || matches!(
                register.class,
                Class::Gpr16 | Class::Gpr32 | Class::Gpr64 | Class::Rip | Class::Eip
            );
        if !usable {
            return Err(problem(
                part.at,
                part.width,
                "this register cannot stand in an address",
            ));
        }
        if is_vector && self.index.is_none() {
            self.index = Some(register);
        } else if self.base.is_none() && self.in_scale == 0 {
            self.base = Some(register);
        } else if self.index.is_none() {
            // The stack pointer is no index: without a scale the two change places.
            let stack =
                matches!(register.class, Class::Gpr32 | Class::Gpr64) && register.number == 4;
            if stack && self.in_scale == 0 {
                self.index = self.base.replace(register);
            } else {
                self.index = Some(register);
            }
        } else {
            return Err(problem(
                part.at,
                part.width,
                "an address has one base and one index",
            ));
        }
        Ok(())
    }
}

fn invalid(part: &Part) -> Problem {
    problem(part.at, part.width, "a register cannot stand here")
}

/// Joins two values, of which registers have left zeros.
fn join(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    match (op, left, right) {
        (BinaryOp::Add, Expr::Number(0), right) => right,
        (BinaryOp::Add | BinaryOp::Subtract, left, Expr::Number(0)) => left,
        (op, left, right) => fold(op, left, right),
    }
}
