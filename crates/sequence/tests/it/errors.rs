//! One error a text, as a user would see it.

use sequence::{Diagnostic, MemoryReader, Options, Sequence};

use crate::recorder::{Recorder, walked};

/// As `file:line:column: message`, the line, a caret, help and notes.
fn shown(found: &Diagnostic) -> String {
    let mut text = format!(
        "{}:{}:{}: {}\n{}\n{}{}",
        found.file,
        found.line,
        found.column,
        found.message,
        found.text.replace('\t', " "),
        " ".repeat(found.column as usize - 1),
        "^".repeat(found.width as usize),
    );
    if !found.help.is_empty() {
        text.push_str(&format!("\n= {}", found.help));
    }
    for note in &found.notes {
        text.push_str(&format!("\n{}:{}: {}", note.file, note.line, note.message));
    }
    text
}

fn check(text: &str, expected: &str) {
    let errors = walked(text, 0).err().expect("an error");
    let found: Vec<_> = errors.iter().map(shown).collect();
    assert_eq!(
        found.join("\n---\n"),
        expected.trim_start_matches('\n'),
        "{text}"
    );
}

#[test]
fn from_the_sink() {
    check(
        "\tnop; bad # x\n",
        "
t.S:1:7: there is no instruction `bad`
 nop; bad # x
      ^^^
= take a good one",
    );
}

#[test]
fn in_macros_and_includes() {
    check(
        ".macro inner\n\tbad\n.endm\n.macro outer\n inner\n.endm\n\n\touter\n",
        "
t.S:2:2: there is no instruction `bad`
 bad
 ^^^
= take a good one
t.S:5: in the expansion of macro `inner`
t.S:8: in the expansion of macro `outer`",
    );
    check(
        "nop\n.include \"inner.s\"\n",
        "
inner.s:2:2: there is no instruction `bad`
 bad
 ^^^
= take a good one
t.S:2: included from here",
    );
    check(
        " .rept 3\n bad\n .endr\n",
        "
t.S:2:2: there is no instruction `bad`
 bad
 ^^^
= take a good one
t.S:1: in this repeat",
    );
    check(
        "\tALTERNATIVE \"bad\", \"\", X86_FEATURE_A\n",
        "
t.S:1:2: there is no instruction `bad`
 ALTERNATIVE \"bad\", \"\", X86_FEATURE_A
 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
= take a good one
t.S:1: in the expansion of macro `ALTERNATIVE`",
    );
}

#[test]
fn directives() {
    check(
        "\t.algin 4\n",
        "
t.S:1:2: there is no directive `.algin`
 .algin 4
 ^^^^^^
= did you mean `.align`?",
    );
    check(
        ".incbin \"x\"\n",
        "
t.S:1:9: cannot include the bytes of `x`: there is no file `x` here
.incbin \"x\"
        ^^^",
    );
    check(
        ".align 3\n",
        "
t.S:1:8: an alignment of 3 is impossible
.align 3
       ^
= alignments are powers of two below 4 GiB",
    );
    check(
        ".byte 1, , 2 3\n",
        "
t.S:1:14: `3` does not belong here
.byte 1, , 2 3
             ^",
    );
    check(
        ".ascii \"abc\n",
        "
t.S:1:8: this string has no end
.ascii \"abc
       ^^^^
= close it with `\"`",
    );
    check(
        "x = %eaz\n",
        "
t.S:1:5: there is no register `%eaz`
x = %eaz
    ^^^^",
    );
    check(
        "x = %eax\n.equiv x, %ebx\n",
        "
t.S:2:1: `x` is already defined
.equiv x, %ebx
^",
    );
    check(
        "mov %rax, 8(%rbx,)\n",
        "
t.S:1:18: expected an index register or a scale, found `)`
mov %rax, 8(%rbx,)
                 ^",
    );
}

/// What a reader of the message would not find by looking at the line.
#[test]
fn structured_comments_that_say_nothing() {
    check(
        "nop\n\t#: needs avx2\n",
        "
t.S:2:2: a structured comment that does not start its line
 #: needs avx2
 ^^^^^^^^^^^^^
= take the blanks before it away; a plain comment starts with `#` and a blank",
    );
    check(
        "#: baseline old\n#: variant a\nnop\n#: variant a\nnop\n",
        "
t.S:4:12: a second variant `a`
#: variant a
           ^
= line 2 has the first
---
t.S:1:13: there is no variant `old`
#: baseline old
            ^^^
= the only variant is a",
    );
    check(
        "\u{feff}nop\n",
        "
t.S:1:1: the file starts with a byte order mark

^
= save it as UTF-8 without one: GNU as refuses it too",
    );
    check(
        "ü\u{301} %ü\n",
        "
t.S:1:4: expected a register's name after `%`, found `ü`
ü\u{301} %ü
   ^",
    );
}

/// A word that no CPU has is told, for otherwise its variant would only ever be left out.
#[test]
fn misspelt_features_are_warned_of() {
    let warnings = |text: &str| -> Vec<String> {
        let read = Sequence::read(
            "t.S",
            text,
            &mut MemoryReader::default(),
            &Options::default(),
        );
        let found = read.expect("warnings only").warnings;
        found
            .iter()
            .map(|found| format!("{} {} | {}", found.column, found.message, found.help))
            .collect()
    };
    assert_eq!(
        warnings("#: needs avx512wb ring0 avx2\n#: variant a\nnop\n"),
        [
            "10 `avx512wb` is no CPU feature that /proc/cpuinfo is known to show | did you mean `avx512bw`?"
        ]
    );
    assert!(warnings("#: needs fsgsbase user_shstk\n#: variant a\nnop\n").is_empty());
}

/// What is wrong with the structured comments does not hide what is wrong behind them.
#[test]
fn errors_further_in_can_be_had_too() {
    let despite = |text: &str| {
        let (mut reader, options) = (MemoryReader::default(), Options::default());
        Sequence::read_despite_errors("t.S", text, &mut reader, &options)
    };
    let sequence = despite("#: unroll 0\n#: variant a\nbad\n").expect("its text can be read");
    let mut program = sequence.program(0, &sequence.default_params());
    let mut recorder = Recorder::default();
    let errors = program.walk(&mut MemoryReader::default(), &mut recorder);
    assert_eq!(errors.expect_err("one").len(), 1);
    // Where symbols are missing for it, what else is missing would be no error.
    assert!(despite("#: param N\n#: variant a\n.rept N\n.endr\n").is_none());
    assert!(despite("#: variant a\n#if\n#endif\n").is_none());
}

#[test]
fn conditionals() {
    check(
        ".if foo\n.endif\n",
        "
t.S:1:5: a condition must be a number that is known here
.if foo
    ^^^
= a symbol in it is not defined so far; set it above this line",
    );
    check(
        "nop\n .if 1\n",
        "
t.S:2:2: this conditional is not closed
 .if 1
 ^^^
= `.endif` must come in the same macro, file or part of the sequence file",
    );
    check(
        ".endif\n",
        "
t.S:1:1: this `.endif` has no `.if`
.endif
^^^^^^",
    );
    check(
        ".error \"not here\"\n",
        "
t.S:1:1: not here
.error \"not here\"
^^^^^^^^^^^^^^^^^",
    );
}

#[test]
fn macros() {
    check(
        ".macro m a b:req\n.endm\n m 1\n",
        "
t.S:3:2: the macro `m` needs a value for `b`
 m 1
 ^^^
= it is defined as `m a, b:req`",
    );
    check(
        ".macro m\nnop\n",
        "
t.S:1:1: this `.macro` is not closed
.macro m
^^^^^^^^
= write `.endm` behind its last line",
    );
    check(
        // GNU as only warns of the first two.
        ".endm\n.endr\n bad\n",
        "
t.S:1:1: this `.endm` has no `.macro`
.endm
^^^^^
---
t.S:2:1: this `.endr` has no `.rept`
.endr
^^^^^
---
t.S:3:2: there is no instruction `bad`
 bad
 ^^^
= take a good one",
    );
}

#[test]
fn operands() {
    check(
        "\tmov %eaz, %ebx\n",
        "
t.S:1:6: there is no register `%eaz`
 mov %eaz, %ebx
     ^^^^",
    );
    check(
        "mov 8(%rax,%rbx,3), %ecx\n",
        "
t.S:1:17: the scale is 3
mov 8(%rax,%rbx,3), %ecx
                ^
= a scale is 1, 2, 4 or 8",
    );
    check(
        "mov (%rax, %ebx\n",
        "
t.S:1:16: expected `)` here
mov (%rax, %ebx
               ^",
    );
    check(
        "add $, %eax\n",
        "
t.S:1:6: expected a number, a symbol or `(`, found `,`
add $, %eax
     ^",
    );
    check(
        "add $1 %eax\n",
        "
t.S:1:8: expected `,` or the end of the statement, found `%`
add $1 %eax
       ^",
    );
    check(
        "mov$1, %eax\n",
        "
t.S:1:1: `mov$1` is followed by `,`
mov$1, %eax
^^^^^
= a blank separates an instruction from its operands",
    );
}

/// Text from a C string gets one error, however many of its lines are wrong.
#[test]
fn c_strings() {
    check(
        "nop\n\"mov %%rsp, %%rbp\\n\\t\"\n\"add %[x], %%eax\\n\"\n",
        "
t.S:2:1: this is text from a C string
\"mov %%rsp, %%rbp\\n\\t\"
^^^^^^^^^^^^^^^^^^^^^^
= paste the .S, or objdump's output",
    );
}

/// All errors of a file come at once.
#[test]
fn all_at_once() {
    let errors = walked("bad\nnop\n.algin\nbad\n", 0).err().expect("errors");
    let lines: Vec<_> = errors.iter().map(|found| found.line).collect();
    assert_eq!(lines, [1, 3, 4]);
}
