//! Expanded text must mean to GNU as what the original means.

use std::fs;
use std::path::Path;
use std::process::Command;

use sequence::Program;

use crate::recorder::{Recorder, reader};

/// The bytes GNU as makes of a text's `.text`.
fn assembled(folder: &Path, name: &str, text: &str) -> Option<Result<Vec<u8>, String>> {
    let source = folder.join(format!("{name}.s"));
    let object = folder.join(format!("{name}.o"));
    let binary = folder.join(format!("{name}.bin"));
    fs::write(&source, text).expect("a temporary file");
    let output = Command::new("as")
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .output()
        .ok()?;
    if !output.status.success() {
        return Some(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let copied = Command::new("objcopy")
        .args(["-O", "binary", "-j", ".text"])
        .arg(&object)
        .arg(&binary)
        .status()
        .ok()?;
    assert!(copied.success(), "objcopy failed");
    Some(Ok(fs::read(&binary).expect("objcopy's output")))
}

#[expect(
    clippy::print_stderr,
    reason = "a test that compares with nothing must say so"
)]
fn skipped() {
    eprintln!("binutils are not installed: nothing to compare with");
}

fn check(name: &str, text: &str) {
    let mut recorder = Recorder::default();
    Program::plain("t.s", text)
        .walk(&mut reader(), &mut recorder)
        .expect("no errors");
    let expanded: String = recorder
        .lines
        .iter()
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    let folder = std::env::temp_dir().join(format!("sequence-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let original = assembled(&folder, "original", text);
    let ours = assembled(&folder, "expanded", &expanded);
    fs::remove_dir_all(&folder).expect("the temporary folder");
    let (Some(original), Some(ours)) = (original, ours) else {
        skipped();
        return;
    };
    let original = original.expect("GNU as takes the original");
    assert_eq!(ours.as_ref(), Ok(&original), "{name}:\n{expanded}");
    assert!(!original.is_empty(), "{name} gives no bytes");
}

#[test]
fn macros() {
    check(
        "loop",
        ".macro loop n\n.if \\n\n.byte \\n, \\@\nloop \"(\\n-1)\"\n.endif\n.endm\nloop 3\n",
    );
    check(
        "defaults",
        ".macro r x=5 y:req z=(7), w\n.ascii \"<\\x \\y \\z \\w>\\()e \\@\"\n.endm\nr y=1\nr 1,2\nr 1 2 3 w=4\n",
    );
    check(
        "vararg",
        ".macro q a x:vararg\n.ascii \"{\\a|\\x}\"\n.endm\nq a, b ,c  d\nq 1\nq 8(%rax), %rbx\n",
    );
    check(
        "quoted",
        ".macro q a b\n\\a\n\\b\n.endm\nq \"nop; nop\", \"mov $1, %eax\"\nq nop \"mov 8(%rax,%rbx,4), %ecx\"\n",
    );
    check(
        "nested",
        ".macro a x\n.macro b y\n.ascii \"\\x-\\y\\()z\"\n.endm\n.endm\na 1\nb 2\n",
    );
    check(
        "exit",
        ".macro c x=1\n.if \\x\n.exitm\n.endif\n.byte 9\n.endm\nc\nc 0\nc 1\n",
    );
    check(
        "case",
        ".macro Foo\n.byte 1\n.endm\nfoo\nFOO\n.purgem foo\n.macro foo\n.byte 2\n.endm\nFoo\n",
    );
    check(
        "macro-labels",
        ".macro w\n1: jmp 1b\n.Lx\\@: jmp .Lx\\@\n.endm\nw\nfoo: w\nw; w\n",
    );
    check("chars", ".macro m a\n.byte \\a\n.endm\nm 'a\nm '#\n");
    check(
        "tree",
        ".macro tree lo hi\n.if \\hi - \\lo == 1\n.L\\@: .byte \\lo\n.else\n.set mid\\@, (\\lo + \\hi) / 2\ncmpl $(\\lo + \\hi) / 2, %eax\ntree \\lo, \"(\\lo + \\hi) / 2\"\ntree \"(\\lo + \\hi) / 2\", \\hi\n.endif\n.endm\ntree 0, 9\n",
    );
}

#[test]
fn alternate_macros() {
    check(
        "local",
        ".altmacro\n.macro d v\nLOCAL l, m\nl: .byte v, \\v, l-.\nm: .byte m-l\n.endm\nd %(1+2)\nd 4\n.noaltmacro\n.byte 1\n",
    );
}

#[test]
fn repeats() {
    check(
        "rept",
        ".set n, 2\n.rept n*2\n.byte n\n.set n, n+1\n.endr\n.rept 0\n.error \"no\"\n.endr\n",
    );
    check(
        "irp",
        ".irp i, 1 , 2 3, \"4\"\n.byte \\i\n.endr\n.irp r,%eax,%ebx\nmov \\r, \\r\n.endr\n",
    );
    check(
        "irpc",
        ".irpc c, ab c\n.ascii \"_\\c\"\n.endr\n.irpc c, \"12\"\n.byte \\c\n.endr\n",
    );
    check(
        "mixed",
        ".rept 2\n.irp i,1,2\n.rept \\i\n.byte \\i\n.endr\n.endr\n.endr\n",
    );
}

#[test]
fn conditionals() {
    check(
        "compare",
        ".if 1 == 1 + 0\n.byte 1\n.endif\n.if 3|4+1 == 8\n.byte 2\n.endif\n.ifeq 1-1\n.byte 3\n.else\n.byte 4\n.endif\n.ifgt -1\n.byte 5\n.elseif 2 > 1\n.byte 6\n.else\n.byte 7\n.endif\n",
    );
    check(
        "text",
        ".ifc a b , a b\n.byte 1\n.endif\n.ifc \"a b\",'a b'\n.byte 2\n.else\n.byte 3\n.endif\n.ifnc a,b\n.byte 4\n.endif\n.ifb\n.byte 5\n.endif\n.ifnb x\n.byte 6\n.endif\n.ifeqs \"a\",\"a\"\n.byte 7\n.endif\n",
    );
    check(
        "defined",
        "foo:\n.ifdef foo\n.byte 1\n.endif\n.ifndef bar\n.byte 2\n.ifdef bar\n.byte 3\n.else\n.byte 4\n.endif\n.endif\n.set bar, 1\n.ifndef bar\n.if garbage (\n.endif\n.byte 5\n.endif\n",
    );
}

#[test]
fn statements() {
    check(
        "separators",
        "nop; ret # x; nop\n/* c */ nop /* d\n e */ ; nop\n/ line\n// line\n.ascii \";#\\\"/*\" ; .byte ';,'#\n",
    );
    check(
        "assignments",
        "x = 5\ny == 6\n.set z, x + y\n.equ w, z*2\n.equiv v, w\n.byte x, y, z, w, v\n",
    );
    check(
        "labels",
        "a: b: 1: .Lc$d: nop; \"e f\": jmp \"e f\"\njmp a\njmp 1b\n",
    );
    check(
        "symbols",
        ".globl a, b\n.type a, @function\na: nop\n.size a, .-a\nb:\nnop\n.weak c,d\n",
    );
    check(
        "prefixes",
        "lock incl (%rax)\nrep; nop\nrep movsb\nlock\nincl (%rax)\njne,pt 1f\n1: cs nop\ndata16 nop\n{disp8} mov (%rax), %eax\nrex.w nop\nnotrack jmp *%rax\n",
    );
    check(
        "data",
        ".byte 1, -1, 'a, 0x10, 010, 0b11\n.word 1\n.long 1,2\n.quad -1\n.octa 0x123456789abcdef0123456789abcdef0\n.ascii \"a\\n\\x41\\101\\w\" \"b\"\n.asciz \"x\",\"y\"\n.fill 3, 2, 7\n.skip 5, 1\n.balign 16, 0xcc\n.p2align 5,,10\n.double 1.5\n.float -2.25\n.uleb128 300\n.sleb128 -300\n",
    );
    check(
        "intel",
        ".intel_syntax noprefix\nmov eax, dword ptr [rbx+rcx*4-8]\nlea rax, [rip+foo]\nfoo: jmp foo\ncall qword ptr [rax]\nmov eax, offset 5\n.att_syntax\nmov %eax, %ebx\n",
    );
}
