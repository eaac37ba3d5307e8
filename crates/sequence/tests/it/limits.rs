//! Texts that would never end, nest too deep or are no text: an error, and soon.

use sequence::{Include, MemoryReader, Options, Sequence};

use crate::recorder::{Recorder, walked};

fn check(text: &str, expected: &str) {
    let errors = walked(text, 0).err().expect("an error");
    let messages: Vec<_> = errors.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, [expected]);
}

#[test]
fn recursion() {
    check(
        ".macro m\nm\n.endm\nm\n",
        "macros or files are nested more than 100 deep",
    );
    check(
        ".macro a\nb\n.endm\n.macro b\na\na\n.endm\na\n",
        "macros or files are nested more than 100 deep",
    );
}

#[test]
fn repetition() {
    check(".rept -1\n.endr\n", "a repeat of -1 times is impossible");
}

#[test]
fn depth() {
    check(
        &format!(".byte {}1\n", "(".repeat(100_000)),
        "this expression is nested more than 200 levels deep",
    );
    check(
        &format!(".byte {}1\n", "-".repeat(100_000)),
        "this expression is nested more than 200 levels deep",
    );
    check(
        &format!(".byte {}1\n", "a+".repeat(100_000)),
        "this expression has too many terms",
    );
    // Numbers fold, so that their chains have no depth.
    assert!(walked(&format!(".byte {}1\n", "1+".repeat(100_000)), 0).is_ok());
}

#[test]
fn bytes() {
    check("nop\n\0\n", "the file holds a NUL byte");
    assert!(walked(&format!("nop # {}\n", "é".repeat(1_000_000)), 0).is_ok());
    assert!(walked(&format!(".byte 1{}\n", ", 1".repeat(100_000)), 0).is_ok());
    assert!(walked("\r\nnop\r\n\tret\r\n", 0).is_ok());
    assert!(walked("", 0).is_ok());
}

/// A comment that swallows a variant is named where it happens.
#[test]
fn swallowed_variants() {
    check(
        "#define F(x) x\nF(1\n#: variant a\nnop\n",
        "the arguments of the macro `F` are not closed by `)`",
    );
    // A backslash never joins a structured comment to the line before.
    assert!(walked("nop \\\n#: variant a\nret\n", 0).is_ok());
}

/// Calls in arguments of calls: as deep as anybody writes, and no deeper.
#[test]
fn nested_calls() {
    let text = |depth: usize| {
        format!(
            "#define F(x) x\n.byte {}1{}\n",
            "F(".repeat(depth),
            ")".repeat(depth)
        )
    };
    assert!(walked(&text(50), 0).is_ok());
    check(
        &text(500),
        "macros are nested more than 200 deep in each other's arguments",
    );
    check(
        &text(20_000),
        "the arguments of macros in macros come to more than 1000000 tokens",
    );
}

/// Lines that nobody could read, in the file, in what it includes and in what macros make.
#[test]
fn long_lines() {
    let long = |unit: &str| format!("nop\n{}\n", unit.repeat((5 << 20) / unit.len()));
    let started = std::time::Instant::now();
    for unit in ["nop;", ".byte 1;", "1:", "a", "\"", "/*"] {
        let errors = walked(&long(unit), 0).err().expect("an error");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, "a line of more than 4 MiB");
        assert_eq!((errors[0].line, errors[0].text.len()), (2, 0));
    }
    for line in ["#include \"long\"\n", ".include \"long\"\n"] {
        let mut reader = MemoryReader {
            files: vec![Include {
                name: "long".to_owned(),
                text: long("nop;"),
            }],
        };
        let read = Sequence::read("t.S", line, &mut reader, &Options::default());
        let errors = read.and_then(|sequence| {
            let mut program = sequence.program(0, &sequence.default_params());
            program.walk(&mut reader, &mut Recorder::default())
        });
        let message = &errors.expect_err("an error")[0].message;
        assert!(message.contains("a line of more than 4 MiB"), "{message}");
    }
    // Six texts of 5 MB: a machine that is busy takes less than a hundredth of this.
    assert!(started.elapsed() < std::time::Duration::from_secs(60));
}

/// A macro that calls itself with its arguments doubled, which repeats double again.
#[test]
fn doubled_arguments() {
    let started = std::time::Instant::now();
    for text in [
        ".macro m a:vararg\n.irp x, \\a\nm \\a, \\a\n.endr\n.endm\nm 1, 2\n",
        ".macro m a:vararg\nm \\a, \\a\nm \\a, \\a\n.endm\nm 1, 2\n",
        ".macro m a:vararg\n.irp x, \\a, \\a\nm \\a\n.endr\n.endm\nm 1, 2\n",
        ".altmacro\n.macro m a:vararg\n.irp x, a\nm a, a\n.endr\n.endm\nm 1, 2\n",
        ".macro m a:vararg\n.irpc x, \\a\nm \\a\\a\n.endr\n.endm\nm 12\n",
    ] {
        let errors = walked(text, 0).err().expect("an error");
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert!(errors[0].notes.len() <= 6, "{:?}", errors[0].notes);
    }
    // Well below a second each where nothing else runs.
    assert!(started.elapsed() < std::time::Duration::from_secs(100));
}

/// A file that includes itself is told once, with the ends of the row.
#[test]
fn include_cycles() {
    for (line, message) in [
        (
            "#include \"self\"\n",
            "files are included more than 100 deep",
        ),
        (
            ".include \"self\"\n",
            "macros or files are nested more than 100 deep",
        ),
    ] {
        let mut reader = MemoryReader {
            files: vec![Include {
                name: "self".to_owned(),
                text: line.to_owned(),
            }],
        };
        let read = Sequence::read("t.S", line, &mut reader, &Options::default());
        let result = read.and_then(|sequence| {
            let mut program = sequence.program(0, &sequence.default_params());
            program.walk(&mut reader, &mut Recorder::default())
        });
        let errors = result.expect_err("an error");
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, message);
        assert_eq!(errors[0].notes.len(), 6);
        assert!(errors[0].notes[2].message.contains("times more from here"));
    }
}

/// Texts with random damage give statements or errors, and never a panic.
#[test]
fn damaged_texts() {
    let whole = "#: param N 1 2\n#define F(x, y...) #x y ## 1\n#if N\n\tmov %fs:8(%rax,%rbx,4), %é\n\
                 #endif\n#: variant a\n.macro m a:req b=\"x\" c:vararg\n.if \\a\n\\b \\c\\@\n.endif\n\
                 .endm\nm 1, \"nop; nop\", F(a, b)\n#: setup\n.irp i, 1, 'é, <2>\n.ascii \"\\i\\n\"\n.endr\n\
                 .intel_syntax noprefix\nmov eax, dword ptr [rbx+4*rcx-8]\n1: /* c */ jmp 1b // é\n";
    let marks = [
        "é", "\\", "'", "\"", "/*", "*/", "#", "#:", "\n", "(", ")", "{", "[", "%", ",", ";",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("a small number")
    };
    let mut good = 0;
    for _ in 0..600 {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..=random(4) {
            let at = random(text.len());
            if random(2) == 0 {
                text.remove(at);
            } else {
                text.splice(at..at, marks[random(marks.len())].chars());
            }
        }
        let text: String = text.into_iter().collect();
        good += usize::from(walked(&text, 0).is_ok());
    }
    // The undamaged text has an error of its own, which some damage takes away.
    assert!(good < 600);
}
