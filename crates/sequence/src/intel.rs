//! Operands in Intel syntax. A register may have its `%`, and must after `.intel_syntax prefix`.

use crate::att::{decoration, rounding};
use crate::expr_parse::{expression, factor, term};
use crate::registers::lookup;
use crate::scanner::{Helped, Scanner, is_name, problem, saturate};
use crate::{
    BinaryOp, Broadcast, Expr, Memory, Operand, OperandKind, Problem, Register, RegisterClass,
    Sink, SizeHint, UnaryOp, Value,
};

/// Reads the operands up to the end of the statement into `operands`. The mnemonic decides whether
/// a bare expression is a branch's target.
///
/// # Errors
/// What is wrong with the first bad one.
pub(crate) fn operands(
    scanner: &mut Scanner<'_>,
    mnemonic: &str,
    marked: bool,
    sink: &mut dyn Sink,
    operands: &mut Vec<Operand>,
) -> Result<(), Problem> {
    scanner.intel = true;
    scanner.marked = marked;
    let branch = is_branch(mnemonic);
    if scanner.at_end() {
        return Ok(());
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        let (kind, bracketed) = operand(scanner, branch, sink)?;
        let indirect = branch
            && match &kind {
                OperandKind::Register(_) => true,
                OperandKind::Memory(memory) => {
                    bracketed || !matches!(memory.size, SizeHint::None | SizeHint::Near)
                }
                OperandKind::Immediate(_) | OperandKind::Rounding(_) => false,
            };
        let mut operand = Operand {
            kind,
            indirect,
            mask: None,
            at: (0, 0),
        };
        let mut rounds = None;
        while scanner.eat(b'{') {
            // `zmm3{rn-sae}` says what `zmm3, {rn-sae}` says.
            if scanner.rest().find('}').is_some_and(|end| {
                let word = &scanner.rest().as_bytes()[..end];
                word.len() >= 3 && word[word.len() - 3..].eq_ignore_ascii_case(b"sae")
            }) {
                scanner.at -= 1;
                rounds = Some(rounding(scanner)?);
                continue;
            }
            decoration(scanner, &mut operand)?;
        }
        let width = scanner.text[start..scanner.at].trim_end().len();
        operand.at = (saturate(start), saturate(width));
        let at = operand.at;
        operands.push(operand);
        if let Some(kind) = rounds {
            operands.push(Operand {
                kind,
                indirect: false,
                mask: None,
                at,
            });
        }
        if scanner.at_end() {
            return Ok(());
        }
        if !scanner.eat(b',') {
            return Err(scanner.expected(scanner.at, "`,` or the end of the statement"));
        }
    }
}

fn is_branch(mnemonic: &str) -> bool {
    mnemonic.starts_with('j')
        || mnemonic.starts_with("call")
        || mnemonic.starts_with("loop")
        || mnemonic == "xbegin"
}

/// The name at the scanner, without taking it.
fn next_name<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    scanner.skip_space();
    let rest = scanner.rest();
    let length = rest.bytes().take_while(|&byte| is_name(byte)).count();
    &rest[..length]
}

/// The register at the scanner and the length of its name, without taking it.
fn next_register(scanner: &mut Scanner<'_>) -> Option<(usize, Register)> {
    scanner.skip_space();
    let mark = usize::from(scanner.peek() == b'%');
    if mark == 0
        && let Some(found) = scanner.equated()
    {
        return Some(found);
    }
    if mark == 0 && scanner.marked {
        return None;
    }
    let rest = &scanner.rest()[mark..];
    let length = rest.bytes().take_while(|&byte| is_name(byte)).count();
    lookup(&rest[..length]).map(|found| (mark + length, found))
}

/// Whether `[` and a size come next.
fn is_wrapped(scanner: &Scanner<'_>) -> bool {
    let mut ahead = scanner.clone();
    if !ahead.eat(b'[') {
        return false;
    }
    let word = next_name(&mut ahead);
    ahead.at += word.len();
    size_word(word).is_some() && eat_word(&mut ahead, "ptr")
}

/// Takes `word` if it comes next, in any case.
fn eat_word(scanner: &mut Scanner<'_>, word: &str) -> bool {
    let found = next_name(scanner).eq_ignore_ascii_case(word);
    if found {
        scanner.at += word.len();
    }
    found
}

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

/// Reads one operand; tells whether it had brackets.
fn operand(
    scanner: &mut Scanner<'_>,
    branch: bool,
    sink: &mut dyn Sink,
) -> Result<(OperandKind, bool), Problem> {
    scanner.skip_space();
    match scanner.peek() {
        b'{' => return Ok((rounding(scanner)?, false)),
        b'$' => {
            return Err(problem(scanner.at, 1, "`$` in Intel syntax")
                .help("`.intel_syntax noprefix` has registers and numbers without marks"));
        }
        _ => {}
    }
    if eat_word(scanner, "offset") {
        if eat_word(scanner, "flat") && !scanner.eat(b':') {
            return Err(scanner.expected(scanner.at, "`:`"));
        }
        return Ok((OperandKind::Immediate(expression(scanner)?), false));
    }
    let mut memory = Memory {
        segment: None,
        base: None,
        index: None,
        scale: 0,
        displacement: None,
        size: SizeHint::None,
        broadcast: None,
    };
    // `[QWORD PTR [rax]]`, as gcc writes some jumps.
    let wrapped = is_wrapped(scanner);
    scanner.at += usize::from(wrapped);
    if let Some((size, repeated)) = sized(scanner) {
        memory.size = size;
        memory.broadcast = repeated.then_some(Broadcast(0));
    } else if branch {
        // `short` asks for what is chosen anyway where it reaches.
        eat_word(scanner, "short");
    }
    if let Some((length, found)) = next_register(scanner) {
        scanner.at += length;
        let found = stack_register(scanner, found)?;
        if found.class == RegisterClass::Segment && scanner.eat(b':') {
            memory.segment = Some(found);
        } else {
            return Ok((OperandKind::Register(found), false));
        }
    }
    let start = scanner.at;
    let mut bracketed = address(scanner, sink, &mut memory)?;
    if wrapped {
        if !scanner.eat(b']') {
            return Err(scanner.expected(scanner.at, "`]`"));
        }
        bracketed = true;
    }
    let plain = !bracketed && memory.segment.is_none() && memory.size == SizeHint::None;
    if plain
        && !branch
        && let Some(expr) = memory.displacement.take_if(|expr| {
            matches!(expr, Expr::Number(_)) || matches!(sink.evaluate(expr), Value::Absolute(_))
        })
    {
        return Ok((OperandKind::Immediate(expr), false));
    }
    if memory.displacement.is_none() && memory.base.is_none() && memory.index.is_none() {
        return Err(scanner.expected(start, "an operand"));
    }
    Ok((OperandKind::Memory(memory), bracketed))
}

/// Takes `dword ptr` and its like; tells whether it is `dword bcst`, one element for all.
fn sized(scanner: &mut Scanner<'_>) -> Option<(SizeHint, bool)> {
    let word = next_name(scanner);
    let size = size_word(word)?;
    let mut ahead = scanner.clone();
    ahead.at += word.len();
    let repeated = eat_word(&mut ahead, "bcst");
    let pointed = repeated || eat_word(&mut ahead, "ptr");
    ahead.skip_space();
    // A symbol may have such a name; then nothing that an operand starts with follows.
    if pointed || ahead.peek() == b'[' || is_name(ahead.peek()) {
        scanner.at = ahead.at;
        return Some((size, repeated));
    }
    None
}

/// `st(3)` from its `st`.
fn stack_register(scanner: &mut Scanner<'_>, found: Register) -> Result<Register, Problem> {
    if found.class != RegisterClass::St || scanner.peek() != b'(' {
        return Ok(found);
    }
    let start = scanner.at;
    let number = factor(scanner)?;
    match number {
        Expr::Number(number @ 0..=7) => Ok(Register {
            class: RegisterClass::St,
            number: number.to_le_bytes()[0],
        }),
        _ => Err(problem(
            start,
            scanner.at - start,
            "expected a number from 0 to 7",
        )),
    }
}

/// Reads `foo[rax+4*rbx-8]` in all its orders; tells whether there were brackets.
fn address(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    memory: &mut Memory,
) -> Result<bool, Problem> {
    let mut bracketed = false;
    loop {
        scanner.skip_space();
        match scanner.peek() {
            b'[' => {
                bracketed = true;
                scanner.at += 1;
                terms(scanner, sink, memory)?;
                if !scanner.eat(b']') {
                    return Err(scanner.expected(scanner.at, "`]`"));
                }
            }
            0 | b',' | b'{' | b']' => return Ok(bracketed),
            // `[rax]+8` and `[rax]-8`: the sign is the expression's.
            _ if bracketed && !matches!(scanner.peek(), b'+' | b'-') => {
                return Err(scanner.expected(scanner.at, "`,` or the end of the statement"));
            }
            _ => {
                let expr = expression(scanner)?;
                displace(memory, expr, false);
            }
        }
    }
}

fn displace(memory: &mut Memory, expr: Expr, minus: bool) {
    memory.displacement = Some(match (memory.displacement.take(), expr) {
        (None, Expr::Number(value)) if minus => Expr::Number(value.wrapping_neg()),
        (None, expr) if minus => Expr::Unary(UnaryOp::Negate, Box::new(expr)),
        (None, expr) => expr,
        (Some(Expr::Number(left)), Expr::Number(right)) => Expr::Number(if minus {
            left.wrapping_sub(right)
        } else {
            left.wrapping_add(right)
        }),
        (Some(left), right) => {
            let op = if minus {
                BinaryOp::Subtract
            } else {
                BinaryOp::Add
            };
            Expr::Binary(op, Box::new(left), Box::new(right))
        }
    });
}

/// Reads what stands in brackets.
fn terms(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    memory: &mut Memory,
) -> Result<(), Problem> {
    let mut count = 0;
    loop {
        let minus = scanner.eat(b'-');
        if !minus && count > 0 && !scanner.eat(b'+') {
            return Ok(());
        }
        count += 1;
        if count > crate::scanner::MAX_DEPTH {
            return Err(problem(scanner.at, 1, "this address has too many terms"));
        }
        scanner.skip_space();
        let start = scanner.at;
        let found = register_term(scanner, sink)?;
        if let Some((register, scale)) = found {
            let width = scanner.at - start;
            if minus {
                return Err(problem(start, width, "a register cannot be subtracted"));
            }
            add_register(memory, register, scale)
                .map_err(|message| problem(start, width, message))?;
        } else {
            let expr = term(scanner)?;
            displace(memory, expr, minus);
        }
    }
}

/// Reads `rax`, `rax*4` or `4*rax`, if one of them comes next.
fn register_term(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
) -> Result<Option<(Register, u8)>, Problem> {
    if let Some((length, register)) = next_register(scanner) {
        scanner.at += length;
        if !scanner.eat(b'*') {
            return Ok(Some((register, 0)));
        }
        scanner.skip_space();
        let start = scanner.at;
        let value = factor(scanner)?;
        let scale = scale(&value, start, scanner.at - start, sink)?;
        return Ok(Some((register, scale)));
    }
    let mut ahead = scanner.clone();
    let start = ahead.at;
    let Ok(value) = factor(&mut ahead) else {
        return Ok(None);
    };
    let width = ahead.at - start;
    if !ahead.eat(b'*') {
        return Ok(None);
    }
    let Some((length, register)) = next_register(&mut ahead) else {
        return Ok(None);
    };
    scanner.at = ahead.at + length;
    let scale = scale(&value, start, width, sink)?;
    Ok(Some((register, scale)))
}

fn scale(expr: &Expr, at: usize, width: usize, sink: &mut dyn Sink) -> Result<u8, Problem> {
    let value = match expr {
        Expr::Number(value) => Value::Absolute(*value),
        expr => sink.evaluate(expr),
    };
    match value {
        Value::Absolute(1) => Ok(1),
        Value::Absolute(2) => Ok(2),
        Value::Absolute(4) => Ok(4),
        Value::Absolute(8) => Ok(8),
        _ => Err(problem(at, width, "the scale is not 1, 2, 4 or 8")),
    }
}

/// Finds a place for one more register of an address.
fn add_register(memory: &mut Memory, register: Register, scale: u8) -> Result<(), &'static str> {
    use RegisterClass as Class;
    let vector = matches!(register.class, Class::Xmm | Class::Ymm | Class::Zmm);
    let usable = vector
        || matches!(
            register.class,
            Class::Gpr16
                | Class::Gpr32
                | Class::Gpr64
                | Class::Rip
                | Class::Eip
                | Class::Riz
                | Class::Eiz
        );
    if !usable {
        return Err("this register cannot stand in an address");
    }
    let only_index = vector || matches!(register.class, Class::Riz | Class::Eiz);
    if scale == 0 && !only_index && memory.base.is_none() {
        memory.base = Some(register);
        return Ok(());
    }
    if memory.index.is_some() {
        return Err("an address has one base and one index");
    }
    // The stack pointer is no index: without a scale the two change places.
    let stack = matches!(register.class, Class::Gpr32 | Class::Gpr64) && register.number == 4;
    if stack && scale == 0 {
        memory.index = memory.base.replace(register);
    } else {
        memory.index = Some(register);
        memory.scale = scale;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statement;

    /// Knows N = 3, and nothing else.
    struct One;

    impl Sink for One {
        fn statement(&mut self, _statement: &Statement<'_>) -> Result<(), Problem> {
            Ok(())
        }

        fn evaluate(&mut self, expr: &Expr) -> Value {
            match expr {
                Expr::Number(value) => Value::Absolute(*value),
                Expr::Symbol(name, None) if name == "N" => Value::Absolute(3),
                _ => Value::Undefined,
            }
        }

        fn is_defined(&mut self, name: &str) -> bool {
            name == "N"
        }
    }

    fn check(text: &str, expected: &str) {
        let mut scanner = Scanner::new(text, 0);
        let mnemonic = scanner.word();
        let mut found = Vec::new();
        let shown = match operands(&mut scanner, mnemonic, false, &mut One, &mut found) {
            Ok(()) => found.iter().map(show).collect::<Vec<_>>().join(" , "),
            Err(problem) => problem.message,
        };
        assert_eq!(shown, expected, "{text}");
    }

    fn show(operand: &Operand) -> String {
        let star = if operand.indirect { "*" } else { "" };
        let name = |register: &Register| format!("{:?}{}", register.class, register.number);
        match &operand.kind {
            OperandKind::Register(register) => format!("{star}{}", name(register)),
            OperandKind::Immediate(Expr::Number(value)) => format!("${value}"),
            OperandKind::Immediate(expr) => format!("${expr:?}"),
            OperandKind::Rounding(rounding) => format!("{rounding:?}"),
            OperandKind::Memory(memory) => {
                let mut text = format!("{star}{:?}", memory.size);
                if let Some(segment) = &memory.segment {
                    text.push_str(&format!(" {}:", name(segment)));
                }
                match &memory.displacement {
                    Some(Expr::Number(value)) => text.push_str(&format!(" {value}")),
                    Some(Expr::Symbol(symbol, _)) => text.push_str(&format!(" {symbol}")),
                    Some(expr) => text.push_str(&format!(" {expr:?}")),
                    None => {}
                }
                text.push_str(&format!(
                    " ({},{},{})",
                    memory.base.as_ref().map(name).unwrap_or_default(),
                    memory.index.as_ref().map(name).unwrap_or_default(),
                    memory.scale
                ));
                text
            }
        }
    }

    #[test]
    fn addresses() {
        check("mov eax, [rbx]", "Gpr320 , None (Gpr643,,0)");
        check(
            "mov eax, dword ptr [rbx+rcx*4-8]",
            "Gpr320 , Dword -8 (Gpr643,Gpr641,4)",
        );
        check(
            "mov eax, [4*rcx+8+rbx+8]",
            "Gpr320 , None 16 (Gpr643,Gpr641,4)",
        );
        check("mov rax, fs:[0x28]", "Gpr640 , None Segment4: 40 (,,0)");
        check(
            "mov rax, QWORD PTR gs:foo",
            "Gpr640 , Qword Segment5: foo (,,0)",
        );
        check("lea rax, foo[rip]", "Gpr640 , None foo (Rip0,,0)");
        check("lea rax, [rip+foo]", "Gpr640 , None foo (Rip0,,0)");
        check(
            "mov eax, 8[rax][rbx*2]",
            "Gpr320 , None 8 (Gpr640,Gpr643,2)",
        );
        check("mov eax, [rax+rsp]", "Gpr320 , None (Gpr644,Gpr640,0)");
        check("mov eax, [rax]-8", "Gpr320 , None -8 (Gpr640,,0)");
        check("mov eax, foo", "Gpr320 , None foo (,,0)");
        check("mov eax, [rax*1]", "Gpr320 , None (,Gpr640,1)");
    }

    #[test]
    fn others() {
        check("mov eax, 5", "Gpr320 , $5");
        check("mov eax, N", "Gpr320 , $Symbol(\"N\", None)");
        check("mov eax, offset foo", "Gpr320 , $Symbol(\"foo\", None)");
        check("mov al, 0xff", "Gpr80 , $255");
        check("jmp foo", "None foo (,,0)");
        check("jmp short foo", "None foo (,,0)");
        check("jmp rax", "*Gpr640");
        check("call qword ptr [rax+8]", "*Qword 8 (Gpr640,,0)");
        check("call qword ptr foo", "*Qword foo (,,0)");
        check("fadd st, st(3)", "St0 , St3");
        check(
            "vaddps zmm1{k1}{z}, zmm2, zmm3, {rn-sae}",
            "Zmm1 , Zmm2 , Zmm3 , RnSae",
        );
        check("mov eax, 1 shl 4", "Gpr320 , $16");
        check(
            "vaddps zmm1, zmm2, dword bcst [rax]",
            "Zmm1 , Zmm2 , Dword (Gpr640,,0)",
        );
    }

    #[test]
    fn wrong() {
        check("mov eax, [rax-rbx]", "a register cannot be subtracted");
        check(
            "mov eax, [rax+rbx+rcx]",
            "an address has one base and one index",
        );
        check("mov eax, [rax*3]", "the scale is not 1, 2, 4 or 8");
        check("mov eax, [rax", "expected `]` here");
        check("mov eax, [al]", "this register cannot stand in an address");
        check(
            "mov eax, [(rax+8)]",
            "the register `rax` cannot stand in an expression",
        );
        check("mov eax, %ebx", "Gpr320 , Gpr323");
        check("mov eax, $5", "`$` in Intel syntax");
        check("mov eax,", "expected an operand here");
        // GNU as has no suffix for it.
        check("mov al, 0ffh", "`0ffh` is not a number");
    }
}
