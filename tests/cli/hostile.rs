//! Texts made to take all time and memory there is: an error with its place, in 400 MB of address
//! space, most of which is this debug build's.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::root;

/// What `check` says of a text in a file of this name.
fn check(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("written");
    let started = Instant::now();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 400000; exec \"$0\" check \"$1\""])
        .arg(env!("CARGO_BIN_EXE_thunklab"))
        .arg(&file)
        .current_dir(root())
        .output()
        .expect("sh runs");
    // A second where nothing else runs and the build is optimised.
    let took = started.elapsed();
    assert!(took < Duration::from_secs(120), "{name}: {took:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{name}: {said}{errors}");
    let said = said + &errors;
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
