//! Instructions, one a line: the same bytes from both, or refused by both.

use crate::reference::{check, our_errors, their_errors, without};

pub(crate) fn check_lines(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let theirs = their_errors(text);
    let ours = our_errors(&lines);
    let differ: Vec<String> = ours
        .symmetric_difference(&theirs)
        .map(|&line| {
            let who = if ours.contains(&line) {
                "here"
            } else {
                "by GNU as"
            };
            format!("refused only {who}: {}", lines[line - 1])
        })
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    check(&without(&lines, &theirs));
}

#[test]
fn forms_by_hand() {
    check_lines(include_str!("../lines/general.s"));
    check_lines(include_str!("../lines/vector.s"));
}

/// What the chapters of GNU as's manual on x86 are about, and what compilers and kernels write.
#[test]
fn odd_forms() {
    check_lines(include_str!("../lines/manual.s"));
    check_lines(include_str!("../lines/manual_intel.s"));
    check_lines(include_str!("../lines/odd.s"));
    check_lines(include_str!("../lines/odd_intel.s"));
}

#[test]
fn lines_of_this_systems_binaries() {
    check_lines(include_str!("../lines/sample.s"));
}

#[test]
fn intel_syntax() {
    check_lines(include_str!("../lines/intel.s"));
}

#[test]
fn prefixes_that_do_not_fit_are_refused_by_both() {
    check_lines(include_str!("../lines/prefixes.s"));
}

#[test]
fn prefixes_of_direct_branches() {
    check_lines(include_str!("../lines/branches.s"));
}

#[test]
fn suffixes_too_many_or_too_few() {
    check_lines(include_str!("../lines/suffixes.s"));
}
