//! Operands in AT&T syntax.

use crate::expr_parse::expression;
use crate::scanner::{Helped, Scanner, problem, saturate};
use crate::{
    Broadcast, Expr, Mask, Memory, Operand, OperandKind, Problem, Register, RegisterClass,
    Rounding, Sink, SizeHint, Value,
};

/// Reads the operands up to the end of the statement into `operands`.
///
/// # Errors
/// What is wrong with the first bad one.
pub(crate) fn operands(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    operands: &mut Vec<Operand>,
) -> Result<(), Problem> {
    if scanner.at_end() {
        return Ok(());
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        let (kind, indirect) = operand(scanner, sink)?;
        let mut operand = Operand {
            kind,
            indirect,
            mask: None,
            at: (0, 0),
            size: SizeHint::None,
        };
        while scanner.eat(b'{') {
            decoration(scanner, &mut operand)?;
        }
        let width = scanner.text[start..scanner.at].trim_end().len();
        operand.at = (saturate(start), saturate(width));
        operands.push(operand);
        if scanner.at_end() {
            return Ok(());
        }
        if !scanner.eat(b',') {
            return Err(scanner.expected(scanner.at, "`,` or the end of the statement"));
        }
    }
}

fn operand(scanner: &mut Scanner<'_>, sink: &mut dyn Sink) -> Result<(OperandKind, bool), Problem> {
    let indirect = scanner.eat(b'*');
    scanner.skip_space();
    let kind = match scanner.peek() {
        b'$' => {
            scanner.at += 1;
            OperandKind::Immediate(expression(scanner)?)
        }
        b'%' => {
            let found = register(scanner)?;
            if found.class == RegisterClass::Segment && scanner.eat(b':') {
                memory(scanner, sink, Some(found))?
            } else {
                OperandKind::Register(found)
            }
        }
        b'{' => rounding(scanner)?,
        _ => match scanner.equated() {
            Some((length, found)) => {
                scanner.at += length;
                let found = stack_register(found, scanner)?;
                if found.class == RegisterClass::Segment && scanner.eat(b':') {
                    memory(scanner, sink, Some(found))?
                } else {
                    OperandKind::Register(found)
                }
            }
            None => memory(scanner, sink, None)?,
        },
    };
    Ok((kind, indirect))
}

/// Reads `%name`, `%st(3)` included, or another name of a register.
pub(crate) fn register(scanner: &mut Scanner<'_>) -> Result<Register, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    if scanner.peek() != b'%' {
        if let Some((length, found)) = scanner.equated() {
            scanner.at += length;
            return Ok(found);
        }
        return Err(scanner.expected(start, "a register"));
    }
    scanner.at += 1;
    scanner.skip_space();
    let name_at = scanner.at;
    while scanner.peek().is_ascii_alphanumeric() || scanner.peek() == b'_' {
        scanner.at += 1;
    }
    let name = &scanner.text[name_at..scanner.at];
    let Some(found) = crate::registers::lookup(name) else {
        let next = scanner.peek();
        let error = problem(
            start,
            scanner.at - start,
            if name.is_empty() {
                format!(
                    "expected a register's name after `%`, found `{}`",
                    scanner.shown()
                )
            } else {
                format!("there is no register `%{name}`")
            },
        );
        return Err(if next == b'%' || next == b'[' {
            error.help("this looks like text from a C string: paste the .S, or objdump's output")
        } else {
            error
        });
    };
    stack_register(found, scanner)
}

/// Reads the number of an x87 register behind its name, where there is one: `st` alone is the top.
pub(crate) fn stack_register(
    found: Register,
    scanner: &mut Scanner<'_>,
) -> Result<Register, Problem> {
    if found.class != RegisterClass::St || !scanner.eat(b'(') {
        return Ok(found);
    }
    scanner.skip_space();
    let digit = scanner.peek();
    if !(b'0'..=b'7').contains(&digit) {
        return Err(scanner.expected(scanner.at, "a number from 0 to 7"));
    }
    scanner.at += 1;
    if !scanner.eat(b')') {
        return Err(scanner.expected(scanner.at, "`)`"));
    }
    Ok(Register {
        class: RegisterClass::St,
        number: digit - b'0',
    })
}

/// Whether the `(` at the scanner opens a base and index, and not an expression.
fn opens_base(scanner: &Scanner<'_>) -> bool {
    let mut inside = scanner.clone();
    inside.at += 1;
    inside.skip_space();
    matches!(inside.peek(), b'%' | b',') || inside.equated().is_some()
}

fn memory(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    segment: Option<Register>,
) -> Result<OperandKind, Problem> {
    scanner.skip_space();
    let mut memory = Memory {
        segment,
        base: None,
        index: None,
        scale: 0,
        displacement: None,
        size: SizeHint::None,
        broadcast: None,
    };
    if scanner.peek() == 0 || scanner.peek() == b',' {
        return Err(scanner.expected(scanner.at, "an operand"));
    }
    if scanner.peek() != b'(' || !opens_base(scanner) {
        memory.displacement = Some(expression(scanner).map_err(|error| c_string(scanner, error))?);
        scanner.skip_space();
        if scanner.peek() != b'(' {
            return Ok(OperandKind::Memory(memory));
        }
    }
    scanner.at += 1;
    scanner.skip_space();
    if scanner.peek() != b',' {
        memory.base = Some(register(scanner)?);
        scanner.skip_space();
    }
    if scanner.eat(b',') {
        scanner.skip_space();
        // GNU as takes `(,2)` and `(%rax,2)` too, where only a scale is given.
        if scanner.peek() == b'%' || scanner.equated().is_some() {
            memory.index = Some(register(scanner)?);
            if scanner.eat(b',') {
                memory.scale = scale(scanner, sink)?;
            }
        } else if scanner.peek() != b')' {
            memory.scale = scale(scanner, sink)?;
        } else {
            return Err(scanner.expected(scanner.at, "an index register or a scale"));
        }
    }
    if !scanner.eat(b')') {
        return Err(scanner.expected(scanner.at, "`)`"));
    }
    Ok(OperandKind::Memory(memory))
}

/// Adds the hint for text from a C string where that is what it looks like.
fn c_string(scanner: &Scanner<'_>, error: Problem) -> Problem {
    if scanner.text.contains("%[") || scanner.text.contains("%%") {
        error.help("this looks like text from a C string: paste the .S, or objdump's output")
    } else {
        error
    }
}

fn scale(scanner: &mut Scanner<'_>, sink: &mut dyn Sink) -> Result<u8, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    if scanner.peek() == b')' {
        return Ok(0);
    }
    let expr = expression(scanner)?;
    let width = scanner.at - start;
    let value = match expr {
        Expr::Number(value) => Value::Absolute(value),
        expr => sink.evaluate(&expr),
    };
    match value {
        Value::Absolute(1) => Ok(1),
        Value::Absolute(2) => Ok(2),
        Value::Absolute(4) => Ok(4),
        Value::Absolute(8) => Ok(8),
        Value::Absolute(other) => {
            Err(problem(start, width, format!("the scale is {other}"))
                .help("a scale is 1, 2, 4 or 8"))
        }
        Value::Address | Value::Undefined => {
            Err(
                problem(start, width, "the scale is not a number known here")
                    .help("a scale is 1, 2, 4 or 8"),
            )
        }
    }
}

/// The text up to `}` behind an opened brace, and where it starts.
pub(crate) fn braced<'t>(scanner: &mut Scanner<'t>) -> Result<(&'t str, usize), Problem> {
    let start = scanner.at;
    match scanner.rest().find('}') {
        Some(length) => {
            scanner.at = start + length + 1;
            let word = &scanner.text[start..start + length];
            if word.trim() != word {
                return Err(problem(start, length, "a blank beside a brace")
                    .help("GNU as wants none: `{%k1}`, `{z}`, `{1to8}`, `{rn-sae}`"));
            }
            Ok((word, start))
        }
        None => Err(problem(start - 1, 1, "this `{` is not closed")),
    }
}

/// Takes `%k1}`, `z}` or `1to8}` behind its `{`.
pub(crate) fn decoration(scanner: &mut Scanner<'_>, operand: &mut Operand) -> Result<(), Problem> {
    let (word, at) = braced(scanner)?;
    let bare = word.strip_prefix('%').unwrap_or(word);
    if let Some(found) = crate::registers::lookup(bare.trim())
        && found.class == RegisterClass::Mask
    {
        if bare.len() == word.len() && !scanner.intel && !scanner.bare {
            return Err(problem(at, word.len(), "a mask register without `%`")
                .help(format!("write `{{%{word}}}`")));
        }
        let mask = operand.mask.get_or_insert(Mask {
            register: 0,
            zeroing: false,
        });
        if mask.register != 0 {
            return Err(problem(at, word.len(), "this operand has a mask already"));
        }
        mask.register = found.number;
        return Ok(());
    }
    if word == "z" {
        let mask = operand.mask.get_or_insert(Mask {
            register: 0,
            zeroing: false,
        });
        if std::mem::replace(&mut mask.zeroing, true) {
            return Err(problem(at, word.len(), "this operand has `{z}` already"));
        }
        return Ok(());
    }
    if let Some(count) = word.strip_prefix("1to")
        && let Ok(count @ (2 | 4 | 8 | 16 | 32)) = count.parse()
    {
        if let OperandKind::Memory(memory) = &mut operand.kind {
            memory.broadcast = Some(Broadcast(count));
            return Ok(());
        }
        return Err(problem(at, word.len(), "only memory can be broadcast"));
    }
    Err(problem(
        at,
        word.len(),
        format!("`{{{word}}}` cannot decorate an operand"),
    )
    .help("a mask `{%k1}`, `{z}` or a broadcast `{1to8}` can"))
}

/// Reads `{rn-sae}` and its like.
pub(crate) fn rounding(scanner: &mut Scanner<'_>) -> Result<OperandKind, Problem> {
    scanner.at += 1;
    let (word, at) = braced(scanner)?;
    let rounding = match word {
        "rn-sae" => Rounding::RnSae,
        "rd-sae" => Rounding::RdSae,
        "ru-sae" => Rounding::RuSae,
        "rz-sae" => Rounding::RzSae,
        "sae" => Rounding::Sae,
        _ => {
            return Err(
                problem(at, word.len(), format!("`{{{word}}}` is no rounding mode"))
                    .help("rn-sae, rd-sae, ru-sae, rz-sae and sae are"),
            );
        }
    };
    Ok(OperandKind::Rounding(rounding))
}
