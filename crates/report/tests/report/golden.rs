//! Whole outputs against files.

use std::path::Path;

use record::{Context, Diff, DiffOptions};
use report::{Style, diff_csv, diff_markdown, diff_table, run_csv, run_markdown, run_table};

use crate::{folder, made};

fn check(name: &str, output: &str) {
    let path = folder("golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, output).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(output, expected, "{name} is not as in tests/golden");
}

const VERBOSE: Style = Style {
    verbose: true,
    ..Style::MAIL
};

#[test]
fn a_run_as_it_pastes_into_a_mail() {
    check(
        "emerald-rapids.txt",
        &run_table(&made("emerald-rapids"), &Style::MAIL),
    );
}

#[test]
fn a_run_with_every_interval() {
    check(
        "emerald-rapids-verbose.txt",
        &run_table(&made("emerald-rapids"), &VERBOSE),
    );
}

#[test]
fn a_run_in_colour() {
    let style = Style {
        colour: true,
        ..Style::MAIL
    };
    check(
        "emerald-rapids-colour.txt",
        &run_table(&made("emerald-rapids"), &style),
    );
}

#[test]
fn a_run_as_markdown_and_csv() {
    let record = made("emerald-rapids");
    check("emerald-rapids.md", &run_markdown(&record, false));
    check("emerald-rapids-verbose.md", &run_markdown(&record, true));
    check("emerald-rapids.csv", &run_csv(&[&record]));
}

#[test]
fn several_points_are_grouped_and_one_variant_swept_is_not() {
    check("grid.txt", &run_table(&made("grid"), &Style::MAIL));
    check("sweep.txt", &run_table(&made("sweep"), &Style::MAIL));
}

#[test]
fn a_degraded_run_says_so_first() {
    check("degraded.txt", &run_table(&made("degraded"), &Style::MAIL));
    check("degraded.md", &run_markdown(&made("degraded"), false));
}

#[test]
fn four_contexts_with_long_names_and_large_numbers() {
    check("wide.txt", &run_table(&made("wide"), &Style::MAIL));
}

#[test]
fn little_or_nothing_to_show() {
    for name in ["nulls", "none", "one"] {
        check(
            &format!("{name}.txt"),
            &run_table(&made(name), &Style::MAIL),
        );
    }
}

#[test]
fn a_hostile_record() {
    check("hostile.txt", &run_table(&made("hostile"), &Style::MAIL));
    check("hostile.md", &run_markdown(&made("hostile"), false));
    check("hostile.csv", &run_csv(&[&made("hostile")]));
}

fn diff(names: &[&str], options: &DiffOptions) -> Diff {
    let records: Vec<_> = names.iter().map(|name| made(name)).collect();
    let named: Vec<_> = names.iter().map(Path::new).zip(&records).collect();
    Diff::new(&named, options).unwrap()
}

#[test]
fn two_machines() {
    let diff = diff(&["emerald-rapids", "zen-5"], &DiffOptions::default());
    check("diff-machines.txt", &diff_table(&diff, &Style::MAIL));
    check("diff-machines-verbose.txt", &diff_table(&diff, &VERBOSE));
    check("diff-machines.md", &diff_markdown(&diff, false));
    check("diff-machines.csv", &diff_csv(&diff));
}

#[test]
fn two_machines_in_another_context() {
    let options = DiffOptions {
        between: Some(Context::Chained),
        ..DiffOptions::default()
    };
    let diff = diff(&["emerald-rapids", "zen-5"], &options);
    check("diff-chained.txt", &diff_table(&diff, &Style::MAIL));
}

#[test]
fn before_and_after() {
    let diff = diff(
        &["emerald-rapids", "emerald-rapids-after"],
        &DiffOptions::default(),
    );
    check("diff-after.txt", &diff_table(&diff, &Style::MAIL));
}

#[test]
fn eight_records() {
    let names = ["emerald-rapids", "zen-5"].repeat(4);
    let diff = diff(&names, &DiffOptions::default());
    check("diff-eight.txt", &diff_table(&diff, &Style::MAIL));
}
