//! An operand's text as a tree. Registers, brackets and words such as `offset` may stand anywhere in
//! an expression, as GNU as has it; what that means is settled afterwards.

use crate::expr_parse::{fold, intel_not, modifier, operator, primary};
use crate::registers::lookup;
use crate::scanner::{MAX_DEPTH, Scanner, is_name, problem};
use crate::{BinaryOp, Expr, Problem, Register, RegisterClass, SizeHint, UnaryOp};

/// Rank of brackets behind something: below all operators.
const INDEX: u8 = 1;
/// Rank that words bind with: only a segment's colon binds closer.
const WORD: u8 = 9;
/// Rank of a segment's colon.
const COLON: u8 = 10;

/// One operand, or a part of it.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    /// What has none of the others in it.
    Expr(Expr),
    Register(Register),
    /// The segment that covers everything.
    Flat,
    Unary(UnaryOp, Box<Part>),
    Binary(BinaryOp, Box<Part>, Box<Part>),
    /// `a[b]`, or `[b]` alone.
    Index(Option<Box<Part>>, Box<Part>),
    /// `offset a`
    Offset(Box<Part>),
    /// `dword ptr a`; whether it is `dword bcst a`, one element for all.
    Sized(SizeHint, bool, Box<Part>),
    /// `short a`
    Short(Box<Part>),
    /// `fs:a`
    Segment(Box<Part>, Box<Part>),
}

/// A tree and where its text is.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) tree: Tree,
    pub(super) at: usize,
    pub(super) width: usize,
}

/// The size that a word stands for.
fn size_word(word: &str) -> Option<SizeHint> {
    Some(match word.to_ascii_lowercase().as_str() {
        "byte" => SizeHint::Byte,
        "word" => SizeHint::Word,
        "dword" => SizeHint::Dword,
        "fword" => SizeHint::Fword,
        "qword" | "mmword" => SizeHint::Qword,
        "tbyte" => SizeHint::Tbyte,
        "oword" | "xmmword" => SizeHint::Xmmword,
        "ymmword" => SizeHint::Ymmword,
        "zmmword" => SizeHint::Zmmword,
        "near" => SizeHint::Near,
        "far" => SizeHint::Far,
        _ => return None,
    })
}

/// The number that a size is where neither `ptr` nor `bcst` follows: `dword` alone is 4, and `near`
/// and `far` are MASM's numbers for them.
fn number_of(size: SizeHint) -> i64 {
    match size {
        SizeHint::Near => 0xff08,
        SizeHint::Far => 0xff06,
        other => other.bytes().map_or(0, i64::from),
    }
}

/// Reads an operand up to the first character that cannot continue it.
///
/// # Errors
/// If none stands there.
pub(super) fn operand(scanner: &mut Scanner<'_>) -> Result<Part, Problem> {
    binary(scanner, 0)
}

fn binary(scanner: &mut Scanner<'_>, least: u8) -> Result<Part, Problem> {
    scanner.enter()?;
    let mut left = unary(scanner)?;
    let mut chain = 0;
    loop {
        scanner.skip_space();
        let at = left.at;
        let tree = match scanner.peek() {
            b'[' if INDEX > least => {
                let inner = bracketed(scanner)?;
                Tree::Index(Some(Box::new(left)), Box::new(inner))
            }
            b':' if COLON > least => {
                scanner.at += 1;
                let right = binary(scanner, COLON)?;
                Tree::Segment(Box::new(left), Box::new(right))
            }
            _ => {
                let Some((op, length, rank)) = operator(scanner).filter(|found| found.2 > least)
                else {
                    break;
                };
                scanner.at += length;
                let right = binary(scanner, rank)?;
                match (left.tree, right.tree) {
                    (Tree::Expr(left), Tree::Expr(right)) => Tree::Expr(fold(op, left, right)),
                    (tree, other) => Tree::Binary(
                        op,
                        Box::new(Part { tree, ..left }),
                        Box::new(Part {
                            tree: other,
                            ..right
                        }),
                    ),
                }
            }
        };
        chain += u32::from(!matches!(tree, Tree::Expr(Expr::Number(_))));
        left = Part {
            tree,
            at,
            width: scanner.at - at,
        };
        if chain > MAX_DEPTH {
            return Err(problem(at, 1, "this operand has too many terms"));
        }
    }
    scanner.depth -= 1;
    Ok(left)
}

/// Reads `[a]`.
fn bracketed(scanner: &mut Scanner<'_>) -> Result<Part, Problem> {
    scanner.at += 1;
    let inner = binary(scanner, INDEX)?;
    if !scanner.eat(b']') {
        return Err(scanner.expected(scanner.at, "`]`"));
    }
    Ok(inner)
}

fn unary(scanner: &mut Scanner<'_>) -> Result<Part, Problem> {
    scanner.skip_space();
    let at = scanner.at;
    let (op, length) = match scanner.peek() {
        b'-' => (Some(UnaryOp::Negate), 1),
        b'~' => (Some(UnaryOp::Not), 1),
        b'!' => (Some(UnaryOp::LogicalNot), 1),
        b'+' => (None, 1),
        _ if intel_not(scanner) => (Some(UnaryOp::Not), 3),
        _ => return simple(scanner),
    };
    scanner.at += length;
    scanner.enter()?;
    let inner = unary(scanner)?;
    scanner.depth -= 1;
    let tree = match (op, inner.tree) {
        (None, tree) => tree,
        (Some(op), Tree::Expr(expr)) => Tree::Expr(match (op, expr) {
            (UnaryOp::Negate, Expr::Number(value)) => Expr::Number(value.wrapping_neg()),
            (UnaryOp::Not, Expr::Number(value)) => Expr::Number(!value),
            (UnaryOp::LogicalNot, Expr::Number(value)) => Expr::Number(i64::from(value == 0)),
            (op, expr) => Expr::Unary(op, Box::new(expr)),
        }),
        (Some(op), tree) => Tree::Unary(op, Box::new(Part { tree, ..inner })),
    };
    Ok(Part {
        tree,
        at,
        width: scanner.at - at,
    })
}

fn simple(scanner: &mut Scanner<'_>) -> Result<Part, Problem> {
    let at = scanner.at;
    let tree = match scanner.peek() {
        b'[' => {
            let inner = bracketed_alone(scanner)?;
            Tree::Index(None, Box::new(inner))
        }
        b'(' => {
            scanner.at += 1;
            let inner = binary(scanner, 0)?;
            if !scanner.eat(b')') {
                return Err(scanner.expected(scanner.at, "`)`"));
            }
            inner.tree
        }
        b'%' => register(scanner, 1)?,
        byte if is_name(byte) && !byte.is_ascii_digit() => word(scanner)?,
        _ => Tree::Expr(primary(scanner)?),
    };
    Ok(Part {
        tree,
        at,
        width: scanner.at - at,
    })
}

/// Reads `[a]` where nothing stands before it: all of an expression may be in it.
fn bracketed_alone(scanner: &mut Scanner<'_>) -> Result<Part, Problem> {
    scanner.at += 1;
    let inner = binary(scanner, 0)?;
    if !scanner.eat(b']') {
        return Err(scanner.expected(scanner.at, "`]`"));
    }
    Ok(inner)
}

/// Reads a register's name behind `mark` bytes, `st(3)` included.
fn register(scanner: &mut Scanner<'_>, mark: usize) -> Result<Tree, Problem> {
    let start = scanner.at;
    scanner.at += mark;
    scanner.skip_space();
    let name = scanner.word();
    let Some(found) = lookup(name) else {
        return Err(problem(
            start,
            scanner.at - start,
            format!("there is no register `%{name}`"),
        ));
    };
    Ok(Tree::Register(crate::att::stack_register(found, scanner)?))
}

/// Reads a name: a register, a word of the syntax, a symbol.
fn word(scanner: &mut Scanner<'_>) -> Result<Tree, Problem> {
    if let Some((length, found)) = scanner.equated() {
        scanner.at += length;
        return Ok(Tree::Register(found));
    }
    let start = scanner.at;
    let name = scanner.word();
    if name == "." || name == "$" {
        return Ok(Tree::Expr(Expr::Here));
    }
    // `%riz` is a register of objdump's alone.
    let is_register = !scanner.marked
        && lookup(name)
            .is_some_and(|found| !matches!(found.class, RegisterClass::Riz | RegisterClass::Eiz));
    if is_register {
        scanner.at = start;
        return register(scanner, 0);
    }
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "flat" if !scanner.marked => return Ok(Tree::Flat),
        "offset" => return Ok(Tree::Offset(Box::new(binary(scanner, WORD)?))),
        "short" => return Ok(Tree::Short(Box::new(binary(scanner, WORD)?))),
        _ => {}
    }
    if let Some(size) = size_word(name) {
        let mut ahead = scanner.clone();
        ahead.skip_space();
        let next = ahead.word();
        let repeated = next.eq_ignore_ascii_case("bcst");
        if !repeated && !next.eq_ignore_ascii_case("ptr") {
            return Ok(Tree::Expr(Expr::Number(number_of(size))));
        }
        scanner.at = ahead.at;
        let inner = binary(scanner, WORD)?;
        return Ok(Tree::Sized(size, repeated, Box::new(inner)));
    }
    Ok(Tree::Expr(Expr::Symbol(
        name.to_owned(),
        modifier(scanner)?,
    )))
}
