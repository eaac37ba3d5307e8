//! Errors: all of a file's at once, with their places and what would be right.

use assemble::assemble;
use sequence::{MemoryReader, Program, Severity};

/// Line, message and remedy of each error.
fn errors(text: &str) -> Vec<(u32, String, String)> {
    let mut program = Program::plain("input.s", text);
    match assemble(&mut program, &mut MemoryReader::default()) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics
            .into_iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|diagnostic| (diagnostic.line, diagnostic.message, diagnostic.help))
            .collect(),
    }
}

/// The one error of a text has these words in its message and remedy.
fn check(text: &str, message: &str, help: &str) {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    assert!(
        errors[0].1.contains(message) && errors[0].2.contains(help),
        "{text}: {errors:?}"
    );
}

#[test]
fn what_each_error_says() {
    check("mov %ah, %r8b\n", "REX prefix", "use only %eax to %edi");
    check("movzbq %ah, %rcx\n", "REX prefix", "%spl");
    check(
        "mvo %eax, %ecx\n",
        "no such instruction: `mvo`",
        "did you mean `mov`?",
    );
    check("mov %eax, %cl\n", "does not take these operands", "MOV");
    check(
        "movb %eax, %ecx\n",
        "with the size of its suffix (1 bytes)",
        "MOV",
    );
    check("add %eax\n", "does not take 1 operands", "it takes 2");
    check(
        "mov (%rax,%rsp), %ecx\n",
        "`%rsp` cannot be an index",
        "base",
    );
    check("mov (%rax,%ecx), %ecx\n", "differ in width", "64-bit");
    check("mov (%rip,%rcx), %ecx\n", "`%rip` takes no index", "lea");
    check("lock add %eax, %ecx\n", "cannot be locked", "memory");
    check("rep add %eax, %ecx\n", "cannot be repeated", "string");
    check("a:\n nop\na:\n", "`a` is already defined", "another name");
    check(
        ".equiv a, 1\n.set a, 2\n",
        "`a` is already defined",
        "`.set`",
    );
    check(
        ".intel_syntax noprefix\na: loopz dword ptr a\n",
        "a label without a size",
        "",
    );
    check(" jmp 1f\n", "there is no label `1:` after this", "1b");
    check(" jmp 1b\n", "there is no label `1:` before this", "1f");
    check(
        "1: loop 2f\n.skip 200\n2:\n",
        "too far for this jump",
        "-128 to 127",
    );
    check(".skip u\n", "`u` is not defined", "define it");
    check(".org 10\n nop\n.org 5\n", "cannot go back", "further on");
    check(".balign 3\n", "3", "powers of two");
    check(".bss\n nop\n", "no bytes", ".text");
    check(".bss\n.long 1\n", "no bytes", ".data");
    check("mov $1 / 0, %eax\n", "division by zero", "");
    check(
        ".long a + b\na:\nb:\n",
        "neither a number nor an address",
        "difference",
    );
    check(
        ".long u - v\n",
        "known neither here nor to a linker",
        "this section",
    );
    check(
        "mov 0x123456789(%rax), %ecx\n",
        "does not take these operands",
        "MOV",
    );
    check(".skip 1 << 40\n", "256 MiB", "smaller");
    check(".nops 5, 20\n", "20 bytes is not possible", "0 to 11");
}

#[test]
fn all_errors_of_a_file_at_once() {
    let text = "mvo %eax, %ecx\n nop\n mov %eax, %cl\na:\n nop\na:\n lock nop\n";
    let lines: Vec<u32> = errors(text).iter().map(|error| error.0).collect();
    assert_eq!(lines, [1, 3, 6, 7]);
    // Those that only layout can find come all at once too.
    let text = " jmp 1f\n loop a\n.skip 300\na: ret\n.long u - v\n";
    let lines: Vec<u32> = errors(text).iter().map(|error| error.0).collect();
    assert_eq!(lines, [1, 2, 5]);
}

#[test]
fn warnings_where_gnu_as_warns() {
    let text = "add $1, (%rax)\n add $300, %al\n.byte 300\n.popsection\n.previous\n";
    let mut program = Program::plain("input.s", text);
    let assembled = assemble(&mut program, &mut MemoryReader::default()).expect("only warnings");
    let lines: Vec<u32> = assembled
        .warnings
        .iter()
        .map(|warning| warning.line)
        .collect();
    assert_eq!(lines, [1, 2, 3, 4, 5]);
    let text = assembled.code.section(".text").expect(".text").1;
    assert_eq!(text.bytes, [0x83, 0x00, 0x01, 0x04, 0x2c, 0x2c]);
}

#[test]
fn errors_stand_at_the_operand() {
    let mut program = Program::plain("input.s", "\tmov %r8b, %ah\n");
    let diagnostics =
        assemble(&mut program, &mut MemoryReader::default()).expect_err("%ah with REX");
    assert_eq!((diagnostics[0].line, diagnostics[0].column), (1, 12));
    assert_eq!(diagnostics[0].width, 3);
}
