//! What a table says where a number is worth little: too small, too few samples, nothing to compare
//! with.

use crate::program::{fake, thunklab};

#[track_caller]
fn table(machine: &str, more: &[&str], status: i32) -> String {
    let machine = fake(machine);
    let fixed = ["run", "--fake", &machine, "--seed", "7"];
    let arguments: Vec<&str> = fixed.iter().chain(more).copied().collect();
    thunklab(&arguments).ends_with(status).stdout
}

/// The cells of a variant's row.
#[track_caller]
fn row<'a>(table: &'a str, name: &str) -> Vec<&'a str> {
    let row = table
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name));
    row.unwrap_or_else(|| panic!("{name} in\n{table}"))
        .split_whitespace()
        .skip(1)
        .collect()
}

#[test]
fn what_cannot_be_told_from_nothing_is_a_bound() {
    let table = table("small", &["--only", "a[lh]-a[lh]"], 0);
    let cells = row(&table, "al-ah");
    assert!(cells[2].starts_with('<'), "{table}");
    assert!(cells[3].starts_with("<-"), "{table}");
    assert!(table.contains("<: below resolution"), "{table}");
    let finding = table.trim_end().rsplit("\n\n").next().unwrap_or_default();
    assert!(!finding.contains("al-ah is"), "{table}");
}

#[test]
fn against_a_cycle_or_two_the_difference_is_in_cycles() {
    let table = table("small", &["--only", "a[lh]-a[lh]"], 0);
    let cells = row(&table, "al-ah");
    assert!(
        cells[1].starts_with("+1") && cells[1].ends_with('c'),
        "{table}"
    );
    assert_eq!(row(&table, "ah-al")[1], "=", "{table}");
    // The baseline is nothing at all there.
    assert!(row(&table, "ah-al")[5].ends_with('c'), "{table}");
    assert!(table.contains("c: cycles more or less"), "{table}");
}

#[test]
fn a_baseline_that_failed_is_told_with_what_to_do() {
    let table = table("failing-baseline", &["--only", "al-ah"], 1).replace("\n  ", " ");
    assert!(table.contains("name another with"), "{table}");
    assert!(table.contains("--baseline"), "{table}");
}

#[test]
fn too_few_rounds_ask_for_time_and_do_not_blame_the_core() {
    let table = table("long", &["--only", "al-ah"], 0);
    let first = table.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("FEW-ROUNDS: only 1 round fitted"),
        "{table}"
    );
    assert!(table.contains("raise --time to "), "{table}");
    assert!(!table.contains("CONTENDED"), "{table}");
}

/// Six rounds of which a third is contended are too few, and not the fault of the core.
#[test]
fn few_rounds_for_another_reason_ask_for_time_too() {
    for (only, status, says) in [
        ("al-ah", 0, "beside the starting of workers: too few"),
        ("a*", 1, "ah-al held them up until it was stopped"),
    ] {
        let table = table("few", &["--only", only], status).replace("\n  ", " ");
        assert!(
            table.starts_with("FEW-ROUNDS: only 6 rounds fitted"),
            "{table}"
        );
        assert!(table.contains(says), "{table}");
        assert!(table.contains("raise --time to 5s"), "{table}");
        assert!(!table.contains("CONTENDED"), "{table}");
    }
}

#[test]
fn a_core_that_was_seldom_ours_is_told_first_and_its_samples_are_left_out() {
    let table = table("seldom-ours", &[], 0);
    assert!(
        table.starts_with("SELDOM-OURS: the core was seldom ours: 9"),
        "{table}"
    );
    assert!(table.contains("% contended dropped"), "{table}");
}

#[test]
fn a_core_that_was_never_ours_is_the_first_line() {
    let table = table("never-ours", &[], 0);
    assert!(table.starts_with("CONTENDED: "), "{table}");
}

#[test]
fn samples_left_out_are_told_from_a_tenth_on() {
    let many = table("interrupted", &[], 0).replace('\n', " ");
    assert!(many.contains("left out: interrupted up to "), "{many}");
    let few = table("zen5", &[], 0);
    assert!(!few.contains("interrupted up to"), "{few}");
}

#[test]
fn quiet_leaves_warnings_out_of_the_table() {
    let all = table("golden-cove", &[], 0);
    let quiet = table("golden-cove", &["-q"], 0);
    assert!(all.contains("warning: "), "{all}");
    assert!(!quiet.contains("warning: "), "{quiet}");
}
