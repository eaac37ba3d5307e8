//! Texts made to take all time and memory there is: an error with its place, in 400 MB of address
//! space, most of which is this debug build's.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{root, thunklab};

/// How this command of `thunklab` (`$0`) ends with a text in a file of this name (`$1`, in the folder
/// `$2`), and all that it says.
#[track_caller]
fn ends(command: &str, name: &str, text: &str) -> (std::process::ExitStatus, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("written");
    let started = Instant::now();
    let output = Command::new("sh")
        .args(["-c", command])
        .arg(env!("CARGO_BIN_EXE_thunklab"))
        .arg(&file)
        .arg(folder.path())
        .current_dir(root())
        .output()
        .expect("sh runs");
    // A second where nothing else runs and the build is optimised.
    let took = started.elapsed();
    assert!(took < Duration::from_secs(120), "{name}: {took:?}");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status, said.into_owned())
}

/// What `check` says of a text in a file of this name.
#[track_caller]
fn check(name: &str, text: &str) -> String {
    let (status, said) = ends("ulimit -v 400000; exec \"$0\" check \"$1\"", name, text);
    assert_eq!(status.code(), Some(2), "{name}: {said}");
    assert!(said.len() < 2000, "{name}: {} bytes of errors", said.len());
    said
}

#[track_caller]
fn refused(name: &str, text: &str, message: &str) {
    let said = check(name, text);
    assert!(said.contains(message), "{name}: {said}");
}

#[test]
fn lines_without_end() {
    let line = "a line of more than 4 MiB";
    refused("one.s", &"a".repeat(100_000_000), line);
    refused("many.s", &"nop;".repeat(25_000_000), line);
    refused("many.S", &"nop;".repeat(25_000_000), line);
    refused(
        "comment.s",
        &format!("nop\n# {}\n", "x".repeat(100_000_000)),
        line,
    );
}

#[test]
fn depth_without_end() {
    let deep = "(".repeat(1_000_000);
    let nested = "nested more than 200 levels deep";
    refused("parentheses.s", &format!(".byte {deep}1\n"), nested);
    refused("parentheses.S", &format!("#if {deep}1\n#endif\n"), nested);
    refused(
        "recursion.s",
        ".macro m\nm\n.endm\nm\n",
        "nested more than 100 deep",
    );
    refused(
        "cycle.s",
        ".include \"cycle.s\"\n",
        "nested more than 100 deep",
    );
    refused(
        "cycle.S",
        "#include \"cycle.S\"\n",
        "included more than 100 deep",
    );
    let doubled = ".macro m a:vararg\n.irp x, \\a\nm \\a, \\a\n.endr\n.endm\nm 1, 2\n";
    refused("doubled.s", doubled, "a line of more than 4 MiB");
}

#[test]
fn sizes_without_end() {
    let large = "come to more than 64 MiB";
    refused("skip.s", ".skip 0x40000000\n", "more than");
    refused("skips.s", &".skip 60000000\n.data\n".repeat(5), large);
    refused("fill.s", ".fill 0x10000000, 8, 1\n", "more than");
    refused("align.s", "nop\n.balign 0x8000000\nnop\n", large);
    let later = ".data\n.skip b - a\n.bss\na: .skip 100000000\nb:\n";
    refused("later.s", later, large);
    refused("nops.s", ".nops 0x5000000\n", large);
    let restless = "a: .skip -((b - a) == 0)\nb: ret\n";
    refused("restless.s", restless, "never come to rest");
}

/// A listing looks each label up once: by the square of them, this takes minutes.
#[test]
fn a_listing_of_many_labels() {
    let labels: String = (0..100_000).map(|i| format!("a{i}:\n")).collect();
    let listing = "exec \"$0\" listing \"$1\" | tail -n 2";
    let (status, said) = ends(listing, "labels.s", &format!("{labels}\tret\n"));
    assert!(
        status.success() && said.contains("a99999:\n") && said.contains("ret"),
        "{said}"
    );
}

#[test]
fn variants_that_are_too_much_together() {
    let many: String = (0..20)
        .map(|i| format!("#: variant v{i}\n\tret\n\t.skip 10000000\n"))
        .collect();
    let said = check("many.S", &many);
    assert!(
        said.contains("up to `v13`, the variants come to more than 128 MiB together"),
        "{said}"
    );
}

#[test]
fn files_elsewhere_and_devices() {
    let elsewhere = "of its own folder and of those under -I; if that is meant, give -I /";
    for name in [
        "/dev/zero",
        "/etc/passwd",
        "../../../../../../../../etc/passwd",
    ] {
        refused(
            "a.S",
            &format!("#: variant a\n#include <{name}>\n\tret\n"),
            elsewhere,
        );
        refused(
            "a.S",
            &format!("#: variant a\n\t.include \"{name}\"\n\tret\n"),
            elsewhere,
        );
        refused(
            "a.S",
            &format!("#: variant a\n\t.incbin \"{name}\"\n\tret\n"),
            elsewhere,
        );
    }
}

#[test]
fn what_is_no_text() {
    refused("nul.s", "nop\n\0\n", "the file holds a NUL byte");
    refused("mark.s", "\u{feff}nop\n", "a byte order mark");
}

/// Assembles a text that must be taken into a file of this name.
#[track_caller]
fn taken(name: &str, text: &str, output: &str) {
    let command = format!("ulimit -v 900000; exec \"$0\" assemble -q -o \"$2/{output}\" \"$1\"");
    let (status, said) = ends(&command, name, text);
    assert!(status.success(), "{name}: {said}");
}

#[test]
fn calls_and_conditionals_of_the_preprocessor() {
    let head = "#define F(x) x\n#: variant a\n";
    let calls = format!("{head}{}1{}\n", "F(".repeat(300_000), ")".repeat(300_000));
    let deep = "more than 200 deep in each other's arguments";
    let held = "come to more than 1000000 tokens";
    let said = check("calls.S", &calls);
    assert!(said.contains(deep) || said.contains(held), "{said}");
    refused(
        "open.S",
        &format!("{head}{}", "#if 1\n".repeat(500_000)),
        "499990 more `#if`s behind this are not closed",
    );
    let closed = format!(
        "{head}{}\tret\n{}",
        "#if 1\n".repeat(500_000),
        "#endif\n".repeat(500_000)
    );
    taken("closed.S", &closed, "x.bin");
    let doubled = |step: &dyn Fn(u32) -> String, end: &str| -> String {
        let steps: String = (1..60).map(step).collect();
        format!("#define A0 x\n{steps}#: variant a\n\t{end}\n")
    };
    let grown = "macros expand to more than 8000000 tokens";
    let plain = |step: u32| format!("#define A{step} A{0} A{0}\n", step - 1);
    refused("doubled.S", &doubled(&plain, "A59"), grown);
    let pasted = |step: u32| format!("#define A{step} P(A{0}, A{0})\n", step - 1);
    let paste = "#define P_(a, b) a##b\n#define P(a, b) P_(a, b)\n";
    refused(
        "pasted.S",
        &format!("{paste}{}", doubled(&pasted, "A59")),
        grown,
    );
    let quoted = |step: u32| format!("#define A{step} S(A{0})\n", step - 1);
    let quote = "#define S_(a) #a\n#define S(a) S_(a)\n";
    refused(
        "quoted.S",
        &format!("{quote}{}", doubled(&quoted, "A59")),
        grown,
    );
    // Each file twice in the one before: the hundredth is too deep, and is the end.
    refused(
        "twice.S",
        "#include \"twice.S\"\n#include \"twice.S\"\n",
        "included more than 100 deep",
    );
}

#[test]
fn symbols_of_symbols() {
    let later: String = (0..60)
        .map(|step| format!(".set a{step}, a{0}+a{0}\n", step + 1))
        .collect();
    taken(
        "sums.s",
        &format!("ret\n{later}.set a60, 1\n.data\n.quad a0\n"),
        "x.o",
    );
    // Of a distance that layout decides, they are worked out again and again.
    let moving = format!("x: jmp y\n{later}.set a60, y-x\n.skip 200\ny: ret\n.data\n.quad a0\n");
    taken("moving.s", &moving, "x.o");
    let circle = format!("ret\n{later}.set a60, a0+1\n.data\n.quad a0\n");
    refused("circle.s", &circle, "depends on itself");
    let chain = |backward: bool| -> String {
        let mut lines: Vec<String> = (0..100_000)
            .map(|step| format!(".set s{step}, s{}\n", step + 1))
            .collect();
        if backward {
            lines.reverse();
        }
        lines.concat()
    };
    let end = ".set s100000, x\n";
    let use_ = ".data\n.quad s0\n";
    taken(
        "forward.s",
        &format!("x: ret\n{}{end}{use_}", chain(false)),
        "x.o",
    );
    taken(
        "backward.s",
        &format!("x: ret\n{end}{}{use_}", chain(true)),
        "x.o",
    );
    let sums: String = (0..100_000)
        .map(|step| format!(".set s{step}, -s{}\n", step + 1))
        .collect();
    refused(
        "sums.s",
        &format!("x: ret\n{sums}.set s100000, x\n{use_}"),
        "through more than 1000 expressions",
    );
}

#[test]
fn expansions_without_end() {
    let long = format!(".macro m a\n.ascii \"{}\"\n.endm\n", "\\a".repeat(2000));
    let argument = "x".repeat(1 << 20);
    refused(
        "argument.s",
        &format!("{long} m {argument}\n"),
        "expands to more than 16 MiB",
    );
    let used = format!(
        ".macro m a\n.ascii \"\\a\"\n.endm\n{}",
        format!(" m {argument}\n").repeat(80)
    );
    refused("used.s", &used, "or 64 MiB");
    let bomb = ".altmacro\n.macro m a\n m <a!<!>a>\n m <a,a>\n.endm\n m <xxxxxxxx>\n";
    let said = check("altmacro.s", bomb);
    assert!(said.contains("a line of more than 4 MiB"), "{said}");
    let nested = ".rept 1000\n.rept 1000\n.rept 1000\n nop\n.endr\n.endr\n.endr\n";
    refused("nested.s", nested, "more than 4000000 statements");
    refused(
        "wide.s",
        &format!(".irpc c,{}\n nop\n.endr\n", "x".repeat(4_100_000)),
        "more than 4000000 statements",
    );
    let names: Vec<String> = (0..200_000).map(|index| format!("a{index}")).collect();
    let formals = format!(
        ".macro m {}\n\\a1 \\a199999\n.endm\n m nop\n",
        names.join(",")
    );
    taken("formals.s", &formals, "x.o");
}

/// Work of which nothing is left: what takes time counts, and not only what becomes statements.
#[test]
fn work_without_end() {
    let grows = format!(".macro m a\n{}\n.endm\n", "\\a".repeat(1_000_000));
    refused(
        "again.s",
        &format!("{grows}.rept 1000000\n m xxxxxxxxxxxxxxxxxx\n.endr\n"),
        "expands to more than 16 MiB",
    );
    let comment = "x".repeat(1 << 20);
    refused(
        "comments.s",
        &format!(".rept 3000000\n# {comment}\n.endr\n"),
        "or 64 MiB",
    );
    let names: Vec<String> = (0..100_000).map(|index| format!("a{index}")).collect();
    let head = format!(".macro m {}\n.endm\n", names.join(","));
    refused(
        "values.s",
        &format!("{head}{}", " m 1\n".repeat(500_000)),
        "or 64 MiB",
    );
    let keywords = "a99999=1,".repeat(300_000);
    taken("keywords.s", &format!("{head} m {keywords}\n ret\n"), "x.o");
    let locals: String = (0..300_000).map(|index| format!("l{index},")).collect();
    taken(
        "local.s",
        &format!(".altmacro\n.macro m\n LOCAL {locals}\n ret\n.endm\n m\n"),
        "x.o",
    );
    let linked: String = (0..50_000)
        .map(|index| format!(".section .s{index},\"ao\",@progbits,.text\n"))
        .collect();
    taken("linked.s", &format!("{linked}.text\n ret\n"), "x.o");
}

#[test]
fn numbers_without_end() {
    refused("fill.s", ".fill 1<<40\n", "more than");
    refused("org.s", ".org 1<<40\n", "more than");
    refused("skip.s", ".skip 1<<40\n", "more than");
    refused("align.s", "nop\n.balign 1<<31\nnop\n", "too large");
    refused(
        "digits.s",
        &format!(" mov ${}, %rax\n", "9".repeat(1_000_000)),
        "64 bits",
    );
    refused(
        "label.s",
        &format!(" jmp {}f\n", "9".repeat(1_000_000)),
        "is not a number",
    );
}

#[test]
fn many_of_everything() {
    let labels: String = (0..1_000_000).map(|index| format!("l{index}:\n")).collect();
    taken("labels.s", &format!("{labels} ret\n"), "x.bin");
    taken("locals.s", &"1: jmp 1b\n".repeat(300_000), "x.bin");
    let sections: String = (0..100_000)
        .map(|index| format!(".section .text.s{index},\"ax\"\n ret\n"))
        .collect();
    taken("sections.s", &sections, "x.o");
    let groups: String = (0..30_000)
        .map(|index| format!(".section .text.s{index},\"axG\",@progbits,g{index},comdat\n ret\n"))
        .collect();
    taken("groups.s", &groups, "x.o");
}

#[test]
fn more_values_than_are_checked_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("values.S");
    let values: Vec<String> = (0..20_000).map(|value| value.to_string()).collect();
    let text = format!("#: param A {}\n#: variant a\n\tret\n", values.join(" "));
    std::fs::write(&path, text).expect("it is written");
    thunklab(["check", &path.to_string_lossy()])
        .ends_with(2)
        .complains_of(&["20000 values", "--set"]);
}
