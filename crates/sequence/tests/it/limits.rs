//! Texts that would never end, nest too deep or are no text: an error, and soon.

use crate::recorder::walked;

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
    let message = "macros and repeats expand to more than 4000000 statements or 256 MiB";
    check(".rept 0x7fffffffffffffff\n.endr\n", message);
    check(".rept 100000\n.rept 100000\nnop\n.endr\n.endr\n", message);
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
