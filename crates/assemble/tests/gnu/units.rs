//! Whole files.

use crate::reference::check;

#[test]
fn data_and_relocations() {
    check(include_str!("../units/data.s"));
}

#[test]
fn sections_and_subsections() {
    check(include_str!("../units/sections.s"));
}

#[test]
fn symbols_set_and_set_again() {
    check(include_str!("../units/set.s"));
}

#[test]
fn what_is_read_in_one_pass() {
    check(include_str!("../units/single_pass.s"));
}

#[test]
fn intel_syntax_with_and_without_marks() {
    check(include_str!("../units/intel.s"));
}

#[test]
fn dialect() {
    check(include_str!("../units/dialect.s"));
}
