//! Listings, boundaries, features, expanded text, and that wrong bytes are found.

use assemble::{Boundary, Code, ItemKind, ListingSyntax, assemble, render};
use sequence::{MemoryReader, Program};

fn code(text: &str) -> Code {
    let mut program = Program::plain("input.s", text);
    assemble(&mut program, &mut MemoryReader::default())
        .expect("it assembles")
        .code
}

fn texts(text: &str, syntax: ListingSyntax) -> Vec<String> {
    code(text)
        .listing(syntax)
        .into_iter()
        .map(|line| line.text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn labels_and_symbols_have_names() {
    let text = "f: mov table(,%rax,8), %rcx\n lea near+4(%rip), %rdx\n call other\n jne 1f\n1: jmp 1b\n\
                near: ret\n.data\ntable: .quad f\n.byte 1, 2\n.skip 20, 7\n";
    assert_eq!(
        texts(text, ListingSyntax::Att),
        [
            "f:",
            "mov table(,%rax,8), %rcx",
            "lea 0xd(%rip), %rdx",
            "call other",
            "jne 1f",
            "1:",
            "jmp 1b",
            "near:",
            "ret",
            "table:",
            ".byte 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00",
            ".byte 0x01, 0x02",
            ".skip 20, 0x07",
        ]
    );
}

#[test]
fn the_four_syntaxes() {
    let text = "mov $5, %ecx\n mov 8(%rax,%rbx,4), %rdx\n";
    let first = |syntax| texts(text, syntax);
    assert_eq!(
        first(ListingSyntax::Att),
        ["mov $0x5, %ecx", "mov 0x8(%rax,%rbx,4), %rdx"]
    );
    assert_eq!(
        first(ListingSyntax::Intel),
        ["mov ecx, 0x5", "mov rdx, [rax+rbx*4+0x8]"]
    );
    assert_eq!(
        first(ListingSyntax::Nasm),
        ["mov ecx, 0x5", "mov rdx, [rax+rbx*4+0x8]"]
    );
    assert_eq!(
        texts(".skip 20, 0xcc\n.byte 1, 2\n", ListingSyntax::Nasm),
        ["times 20 db 0xcc", "db 0x01, 0x02"]
    );
    assert_eq!(
        texts(".skip 20, 0xcc\n.byte 1, 2\n", ListingSyntax::Masm),
        ["db 20 dup (0cch)", "db 001h, 002h"]
    );
    assert_eq!(
        first(ListingSyntax::Masm),
        ["mov ecx, 5h", "mov rdx, [rax+rbx*4+8h]"]
    );
}

/// Boundaries of the branches of `text`, after `before` bytes.
fn boundaries(before: usize, text: &str) -> Vec<Option<Boundary>> {
    code(&format!(".skip {before}, 0xcc\n{text}"))
        .listing(ListingSyntax::Att)
        .into_iter()
        .filter(|line| line.text.starts_with('j') || line.text.starts_with("call"))
        .map(|line| line.boundary)
        .collect()
}

#[test]
fn branches_at_32_byte_boundaries() {
    let alone = "nop\n1: jne 1b\n";
    assert_eq!(boundaries(28, alone), [None]);
    assert_eq!(
        boundaries(29, alone),
        [Some(Boundary::EndsAt { fused: false })]
    );
    assert_eq!(
        boundaries(30, alone),
        [Some(Boundary::Crosses { fused: false })]
    );
    assert_eq!(boundaries(31, alone), [None]);
    let fused = "1: cmp $1, %eax\n jne 1b\n";
    assert_eq!(
        boundaries(27, fused),
        [Some(Boundary::EndsAt { fused: true })]
    );
    assert_eq!(
        boundaries(30, fused),
        [Some(Boundary::Crosses { fused: true })]
    );
    assert_eq!(boundaries(32, fused), [None]);
    // `dec` leaves the carry alone, so it does not fuse with a jump that reads it.
    assert_eq!(boundaries(30, "1: dec %eax\n jc 1b\n"), [None]);
    assert_eq!(
        boundaries(31, "1: dec %eax\n jne 1b\n"),
        [Some(Boundary::Crosses { fused: true })]
    );
    assert_eq!(
        boundaries(27, "call 1f\n1: ret\n"),
        [Some(Boundary::EndsAt { fused: false })]
    );
}

#[test]
fn text_is_plain_and_lined_up() {
    let code = code("f: jmp 1f\n.skip 16, 0xcc\n1: ret\n.data\n.byte 1\n");
    let text = render(&code, &code.listing(ListingSyntax::Att));
    assert_eq!(
        text,
        "section .text\n\
         f:\n     0:  eb 10                      jmp     1f                           # 1\n     \
         2:  cc cc cc cc cc cc cc cc .. .skip   16, 0xcc                     # 2\n\
         1:\n    12:  c3                         ret                                  # 3\n\n\
         section .data\n     0:  01                         .byte   0x01                         # 5\n"
    );
}

#[test]
fn features_are_named_once_with_their_first_instruction() {
    let code = code(
        "nop\n vaddps %ymm0,%ymm1,%ymm2\n vpaddd %ymm0,%ymm1,%ymm2\n popcnt %eax,%ecx\n\
                     vaddps %ymm3,%ymm1,%ymm2\n serialize\n addps %xmm0,%xmm1\n lfence\n",
    );
    assert_eq!(
        code.required_features(),
        [("avx", 1), ("avx2", 2), ("popcnt", 3), ("serialize", 5)]
    );
    assert_eq!(code.privileged(), []);
    let code = self::code("nop\n wrmsr\n iretq\n mov %rax, %cr3\n");
    assert_eq!(code.privileged(), [1, 3]);
}

#[test]
fn a_changed_byte_is_found() {
    let mut code = code("mov $5, %ecx\n ret\n.byte 0x0f, 0x0b, 0xff\n.balign 8\n nop\n");
    assert_eq!(code.verify(), Ok(()));
    let items = code.items.clone();
    assert_eq!(items[2].kind, ItemKind::Data);
    // A longer instruction than the item.
    code.sections[0].bytes[5] = 0xe8;
    let wrong = code.verify().expect_err("a call of five bytes");
    assert_eq!(wrong.len(), 1);
    assert_eq!(wrong[0].item, items[1]);
    // Data may be anything.
    code.sections[0].bytes[5] = 0xc3;
    code.sections[0].bytes[7] = 0x06;
    assert_eq!(code.verify(), Ok(()));
}

#[test]
fn prefixes_that_change_the_instruction_are_found() {
    // GNU as writes this as asked: a prefix that turns the four-byte immediate into one of two.
    let code = code("data16 movl $1, (%rax)\n");
    let wrong = code.verify().expect_err("two bytes are left over");
    assert_eq!(wrong[0].decoded, 5);
    assert_eq!(wrong[0].bytes.len(), 7);
}

#[test]
fn items_know_their_lines() {
    let code = code("nop\n.balign 4\n\nf:\n add $1, %eax\n.data\n.byte 1\n.text\n jmp f\n");
    let rows: Vec<_> = code
        .items
        .iter()
        .map(|item| {
            (
                item.section.0,
                item.offset,
                item.length,
                item.kind,
                item.line,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            (0, 0, 1, ItemKind::Instruction, 1),
            (0, 1, 3, ItemKind::Padding, 2),
            (0, 4, 0, ItemKind::Label, 4),
            (0, 4, 3, ItemKind::Instruction, 5),
            (0, 7, 2, ItemKind::Instruction, 9),
            (1, 0, 1, ItemKind::Data, 7),
        ]
    );
    assert_eq!(code.files, ["input.s"]);
}
