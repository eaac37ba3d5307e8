//! Operands in Intel syntax. A register may have its `%`, and must after `.intel_syntax prefix`.

mod settle;
mod tree;

use crate::att::{decoration, rounding};
use crate::scanner::{Helped, Scanner, problem, saturate};
use crate::{Broadcast, Expr, Memory, Operand, OperandKind, Problem, Sink, SizeHint};
use settle::Settled;

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
        let mut operand = if scanner.peek() == b'{' {
            Operand {
                kind: rounding(scanner)?,
                indirect: false,
                mask: None,
                at: (0, 0),
                size: SizeHint::None,
            }
        } else {
            operand(scanner, branch, sink)?
        };
        if mnemonic.starts_with("loop") && operand.size != SizeHint::None {
            return Err(scanner.expected(
                start,
                "a label without a size, which GNU as would take for that of the counter (`addr32 \
                 loop` counts in %ecx)",
            ));
        }
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
                size: SizeHint::None,
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

/// Whether a bare expression is where to go. Loops and `jrcxz` are not among them to GNU as: a symbol
/// is memory there anyway, and a number no target.
fn is_branch(mnemonic: &str) -> bool {
    (mnemonic.starts_with('j') && !mnemonic.ends_with("cxz"))
        || mnemonic.starts_with("call")
        || mnemonic.starts_with("lcall")
        || mnemonic.starts_with("ljmp")
        || mnemonic == "xbegin"
}

/// Reads one operand. Decorations behind it are not looked at.
fn operand(
    scanner: &mut Scanner<'_>,
    branch: bool,
    sink: &mut dyn Sink,
) -> Result<Operand, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    if scanner.at_end() || scanner.peek() == b',' {
        return Err(scanner.expected(start, "an operand"));
    }
    let tree = tree::operand(scanner)?;
    let mut found = Settled::new(sink);
    let value = found.take(&tree)?;
    let is_bracketed = !found.has_offset
        && scanner.peek() != b'{'
        && scanner.text[start..scanner.at].trim_end().ends_with(']');
    if is_bracketed {
        found.memory |= 1;
    }
    let size = found.size.map_or(SizeHint::None, |size| size.0);
    let mut indirect = false;
    if branch {
        let is_address = found.base.is_some() || found.index.is_some() || found.memory > 1;
        indirect = found.register.is_some()
            || is_address
            || match size {
                SizeHint::Near => found.has_segment(),
                SizeHint::Far if !found.has_segment() => {
                    return Err(problem(
                        start,
                        scanner.at - start,
                        "a far jump to a place without its segment",
                    )
                    .help("64-bit code has far jumps through memory alone: `far ptr [rax]`"));
                }
                SizeHint::None => is_bracketed || found.has_segment(),
                _ => true,
            };
        found.memory |= 1;
    } else if found.has_segment() {
        found.memory |= 1;
    }
    let segment = found.segment()?;
    let kind = if let Some(register) = found.register {
        if found.base.is_some() || found.index.is_some() || found.has_segment() {
            return Err(problem(
                start,
                scanner.at - start,
                "a register beside an address",
            ));
        }
        OperandKind::Register(register)
    } else if found.base.is_some() || found.index.is_some() || found.memory != 0 {
        let is_plain = value == Expr::Number(0) && (found.base.is_some() || found.index.is_some());
        OperandKind::Memory(Memory {
            segment,
            base: found.base,
            index: found.index,
            scale: found.scale,
            displacement: (!is_plain).then_some(value),
            size,
            broadcast: found
                .size
                .is_some_and(|size| size.1)
                .then_some(Broadcast(0)),
        })
    } else {
        OperandKind::Immediate(value)
    };
    Ok(Operand {
        kind,
        indirect,
        mask: None,
        at: (0, 0),
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Register, Statement, Value};

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
        check("mov eax, [(rax+8)]", "Gpr320 , None 8 (Gpr640,,0)");
        check("mov eax, [(rax+4)*2]", "Gpr320 , None 8 (,Gpr640,2)");
        check("mov eax, [2*rax*2]", "Gpr320 , None (,Gpr640,4)");
        check("mov eax, dword [rax]", "Gpr320 , None 4 (Gpr640,,0)");
        check(
            "mov eax, fs:gs:[rax]",
            "Gpr320 , None Segment4: (Gpr640,,0)",
        );
        check("mov eax, [rax*1]", "Gpr320 , None (,Gpr640,1)");
    }

    #[test]
    fn others() {
        check("mov eax, 5", "Gpr320 , $5");
        check("mov eax, N", "Gpr320 , $Symbol(\"N\", None)");
        check("mov eax, offset foo", "Gpr320 , $Symbol(\"foo\", None)");
        check("mov eax, dword ptr 4", "Gpr320 , $4");
        check("mov eax, dword", "Gpr320 , $4");
        check("mov eax, $5", "Gpr320 , None $5 (,,0)");
        check("mov eax, offset foo[rax]", "Gpr320 , None foo (Gpr640,,0)");
        check("mov eax, flat:foo", "Gpr320 , None foo (,,0)");
        check("mov eax, ([4])", "Gpr320 , $4");
        check("jmp offset foo", "None foo (,,0)");
        check("jmp near ptr [foo]", "Near foo (,,0)");
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
        check("mov eax, [rax-rbx]", "a register cannot stand here");
        check(
            "mov eax, [rax+rbx+rcx]",
            "an address has one base and one index",
        );
        check("mov eax, [rax*3]", "the scale is not 1, 2, 4 or 8");
        check("mov eax, [rax", "expected `]` here");
        check("mov eax, [al]", "this register cannot stand in an address");
        check("mov eax, %ebx", "Gpr320 , Gpr323");
        check("mov eax, ebx+1", "a register cannot stand here");
        check("mov eax, dword ptr rbx", "a register cannot stand here");
        check("mov eax, offset [rax]", "a register cannot stand here");
        check(
            "mov eax, foo:[rax]",
            "expected a segment register before `:`",
        );
        check("mov eax,", "expected an operand here");
        // GNU as has no suffix for it.
        check("mov al, 0ffh", "`0ffh` is not a number");
    }
}
