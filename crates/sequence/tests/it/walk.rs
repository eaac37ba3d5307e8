//! Statements of small texts.

use sequence::{
    Expr, Instruction, MemoryReader, Operand, OperandKind, Prefix, Problem, Program, PseudoPrefix,
    Sink, Statement, StatementKind, Value,
};

use crate::recorder::{statements, walked};

fn check(text: &str, expected: &[&str]) {
    assert_eq!(statements(text, 0), expected, "{text}");
}

#[test]
fn kernel_words() {
    check("RET", &["ret", "int3"]);
    check(
        "#: feature X86_FEATURE_RETHUNK\nRET",
        &["jmp __x86_return_thunk"],
    );
    check("ENDBR\n", &[]);
    check("#: config CONFIG_X86_KERNEL_IBT\nENDBR\n", &["endbr64"]);
    check(
        "ANNOTATE_RETPOLINE_SAFE; UNWIND_HINT_FUNC foo=1\n\tnop\n",
        &["nop"],
    );
    check(
        "SYM_FUNC_START(f)\nnop\nSYM_FUNC_END(f)",
        &[
            ".globl f",
            ".balign 16, 0x90",
            "f:",
            "nop",
            ".type f, @function",
            ".size f, .-f",
        ],
    );
    check(
        "mov PER_CPU_VAR(x), %_ASM_AX; pushq $__USER_DS; mov RIP(%rsp), %rax",
        &[
            "mov %gs:x(%rip), %rax",
            "pushq $0x2b",
            "mov 128(%rsp), %rax",
        ],
    );
    check(
        ".if X86_FEATURE_A\nnop\n.else\nret\n.endif\n.ifdef X86_FEATURE_A\nnop\n.endif",
        &["ret"],
    );
    check(
        "#: feature X86_FEATURE_A\n.if X86_FEATURE_A\nnop\n.endif\n.ifdef X86_FEATURE_A\nnop\n.endif",
        &["nop", "nop"],
    );
    check("CALL_NOSPEC rax", &["call *%rax", ".nops 3,8"]);
    check(
        "#: feature X86_FEATURE_RETPOLINE\nCALL_NOSPEC r8",
        &[".byte 0x2e", "call __x86_indirect_thunk_r8"],
    );
}

#[test]
fn alternatives() {
    let chosen = |text: &str| {
        let mut depth = 0;
        let mut found = Vec::new();
        for line in statements(text, 0) {
            match line.as_str() {
                line if line.starts_with(".pushsection") => depth += 1,
                ".popsection" => depth -= 1,
                line if depth == 0 && !line.starts_with('.') => found.push(line.to_owned()),
                _ => {}
            }
        }
        found.join("; ")
    };
    let one = "ALTERNATIVE \"call a\", \"nop; lfence\", X86_FEATURE_A\n";
    assert_eq!(chosen(one), "call a");
    assert_eq!(
        chosen(&format!("#: feature X86_FEATURE_A\n{one}")),
        "nop; lfence"
    );
    let not = "ALTERNATIVE \"call a\", __stringify(nop; lfence), ALT_NOT(X86_FEATURE_A)\n";
    assert_eq!(chosen(not), "nop; lfence");
    assert_eq!(
        chosen(&format!("#: feature X86_FEATURE_A\n{not}")),
        "call a"
    );
    // The last one in force is what stands there after patching.
    let two = "ALTERNATIVE_2 \"a\", \"b\", X86_FEATURE_A, \"c\", X86_FEATURE_B\n";
    assert_eq!(chosen(two), "a");
    assert_eq!(chosen(&format!("#: feature X86_FEATURE_A\n{two}")), "b");
    assert_eq!(
        chosen(&format!("#: feature X86_FEATURE_A X86_FEATURE_B\n{two}")),
        "c"
    );
    let three =
        "ALTERNATIVE_3 \"a\", \"b\", X86_FEATURE_A, \"c\", X86_FEATURE_B, \"d\", X86_FEATURE_C\n";
    assert_eq!(chosen(&format!("#: feature X86_FEATURE_C\n{three}")), "d");
}

#[test]
fn places() {
    let text = "\n  nop; ret\n#define M lfence\n\tM\n.macro two\n\tpause\n\tnop\n.endm\n\ttwo\n";
    let recorder = walked(text, 0).expect("no errors");
    let found: Vec<_> = recorder
        .lines
        .iter()
        .zip(&recorder.places)
        .map(|((_, line), place)| (line.as_str(), *place))
        .skip(1)
        .collect();
    assert_eq!(
        found,
        [
            ("nop", (2, 3)),
            ("ret", (2, 8)),
            ("lfence", (4, 2)),
            ("pause", (6, 2)),
            ("nop", (7, 2)),
        ]
    );
}

/// Keeps the last instruction's prefixes, mnemonic and operands, and what a place is shown as.
#[derive(Default)]
struct Last {
    prefixes: Vec<Prefix>,
    pseudo: Vec<PseudoPrefix>,
    mnemonic: String,
    operands: Vec<Operand>,
    origin: sequence::Origin,
}

impl Sink for Last {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        if let StatementKind::Instruction(Instruction {
            prefixes,
            pseudo,
            mnemonic,
            operands,
            ..
        }) = &statement.kind
        {
            self.prefixes.clone_from(prefixes);
            self.pseudo.clone_from(pseudo);
            (*mnemonic).clone_into(&mut self.mnemonic);
            self.operands.clone_from(operands);
            self.origin = statement.origin;
        }
        Ok(())
    }

    fn evaluate(&mut self, _expr: &Expr) -> Value {
        Value::Undefined
    }

    fn is_defined(&mut self, _name: &str) -> bool {
        false
    }
}

fn last(text: &str) -> (Last, Program) {
    let mut program = Program::plain("t.s", text);
    let mut last = Last::default();
    program
        .walk(&mut MemoryReader::default(), &mut last)
        .expect("no errors");
    (last, program)
}

#[test]
fn instructions() {
    let (found, _) = last("LOCK; Lock REP {disp32} {load} Addq,pt $1, %rAX");
    assert_eq!(
        found.prefixes,
        [Prefix::Lock, Prefix::Rep, Prefix::Segment(3)]
    );
    assert_eq!(found.pseudo, [PseudoPrefix::Disp32, PseudoPrefix::Load]);
    assert_eq!(found.mnemonic, "addq");
    assert_eq!(found.operands.len(), 2);
    assert_eq!(found.operands[1].at, (37, 4));
    let (found, _) = last("rep");
    assert_eq!(
        (found.prefixes.as_slice(), found.mnemonic.as_str()),
        ([Prefix::Rep].as_slice(), "")
    );
    let (found, _) = last("fwait");
    assert_eq!(
        (found.prefixes.as_slice(), found.mnemonic.as_str()),
        ([].as_slice(), "fwait")
    );
}

#[test]
fn memory_operands() {
    let (found, _) = last("mov %fs:foo+8(%rax,%riz,2), %ymm3{%k2}{z}");
    let OperandKind::Memory(memory) = &found.operands[0].kind else {
        panic!("no memory: {:?}", found.operands);
    };
    assert_eq!(memory.segment.map(|segment| segment.number), Some(4));
    assert_eq!(memory.scale, 2);
    assert!(memory.displacement.is_some() && memory.base.is_some() && memory.index.is_some());
    assert_eq!(
        found.operands[1]
            .mask
            .map(|mask| (mask.register, mask.zeroing)),
        Some((2, true))
    );
    let (found, _) = last("call *(%rax)");
    assert!(found.operands[0].indirect);
    let (found, _) = last("mov (foo+1)(%rip), %eax");
    assert!(
        matches!(&found.operands[0].kind, OperandKind::Memory(memory) if memory.base.is_some())
    );
    let (found, _) = last("vaddps 4(%rax){1to16}, %zmm1, %zmm2");
    assert!(matches!(&found.operands[0].kind,
        OperandKind::Memory(memory) if memory.broadcast.is_some_and(|broadcast| broadcast.0 == 16)));
}

/// A place of an instruction in a macro leads a reader to the line that used it.
#[test]
fn places_after_the_walk() {
    let (found, program) = last(".macro m\n\tjmp far\n.endm\n\n\tm\n");
    assert_eq!(program.place(found.origin), ("t.s", 5));
    let problem = Problem {
        severity: sequence::Severity::Error,
        message: "out of range".to_owned(),
        help: String::new(),
        at: None,
    };
    let diagnostic = program.diagnose(found.origin, problem).expect("a place");
    assert_eq!(
        (diagnostic.line, diagnostic.text.as_str()),
        (2, "\tjmp far")
    );
    assert_eq!(diagnostic.notes[0].line, 5);
}
