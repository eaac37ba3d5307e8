//! What gcc writes: the same sections and relocations as GNU as makes of it.

use std::process::Command;

use crate::reference::{ours, sections_of_code, sections_of_object, theirs};

/// gcc's output for a file of `tests/c`.
pub(crate) fn compiled(name: &str, options: &[&str]) -> String {
    let output = Command::new("gcc")
        .args(options)
        .args(["-w", "-S", "-o", "-"])
        .arg(format!("{}/tests/c/{name}", env!("CARGO_MANIFEST_DIR")))
        .output()
        .unwrap_or_else(|error| panic!("these tests need gcc: {error}"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "gcc {options:?}: {messages}");
    String::from_utf8(output.stdout).expect("assembler text")
}

fn check(name: &str, options: &[&str]) {
    let text = compiled(name, options);
    let code = ours(&text).unwrap_or_else(|errors| panic!("{options:?}: {errors:#?}"));
    let ours = sections_of_code(&code);
    let mut theirs = sections_of_object(&theirs(&text).expect("GNU as takes gcc's output"));
    // Unwinding and line tables, names of files among them, come from `.cfi_*`, `.loc` and `.ident`,
    // which leave nothing here.
    theirs.retain(|name, _| {
        name != ".eh_frame"
            && name != ".comment"
            && name != ".debug_line"
            && name != ".debug_line_str"
    });
    assert!(theirs.contains_key(".text"));
    for (name, contents) in &theirs {
        let mine = ours
            .get(name)
            .unwrap_or_else(|| panic!("{options:?}: no {name}"));
        assert_eq!(mine, contents, "{name} with {options:?}");
    }
}

#[test]
fn without_optimisation() {
    check("dialect.c", &["-O0"]);
}

#[test]
fn optimised() {
    check("dialect.c", &["-O2"]);
    check("dialect.c", &["-O2", "-fPIC", "-fcf-protection=full"]);
    check("dialect.c", &["-Os", "-mcmodel=large", "-fno-pic"]);
}

/// Debuggers' sections, in which views count the lines of one place.
#[test]
fn for_debuggers() {
    check("dialect.c", &["-O0", "-g"]);
    check("dialect.c", &["-O2", "-g3"]);
    check(
        "dialect.c",
        &[
            "-O2",
            "-g",
            "-fdebug-types-section",
            "-fPIC",
            "-mtls-dialect=gnu2",
        ],
    );
}

#[test]
fn for_this_cpu_and_for_avx_512() {
    check("dialect.c", &["-O3", "-march=native"]);
    let wide = ["-O3", "-march=sapphirerapids", "-mprefer-vector-width=512"];
    check("dialect.c", &wide);
}

#[test]
fn in_intel_syntax() {
    check("dialect.c", &["-O2", "-masm=intel"]);
    check(
        "dialect.c",
        &["-O3", "-march=sapphirerapids", "-masm=intel"],
    );
}

#[test]
fn with_thunks_for_indirect_branches() {
    let thunks = [
        "-O2",
        "-mindirect-branch=thunk",
        "-mfunction-return=thunk",
        "-fcf-protection=none",
    ];
    check("dialect.c", &thunks);
}
