//! `diff` between scripted machines.

use std::path::PathBuf;

use record::{Diff, Verdict};
use tempfile::TempDir;

use crate::program::{fake, thunklab};

/// Records of clear_bhb_loop on these scripted machines, in a folder of their own.
fn records(machines: &[&str]) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<PathBuf> = machines
        .iter()
        .enumerate()
        .map(|(index, machine)| {
            let path = folder.path().join(format!("{index}-{machine}.json"));
            let seed = (index + 1).to_string();
            let output = path.to_string_lossy().into_owned();
            let machine = fake(machine);
            thunklab(["run", "--fake", &machine, "--seed", &seed, "-o", &output]).ends_with(0);
            path
        })
        .collect();
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    (folder, paths.collect())
}

fn compare(paths: &[String], more: &[&str]) -> crate::program::Done {
    let arguments = ["diff"].into_iter().chain(paths.iter().map(String::as_str));
    thunklab(arguments.chain(more.iter().copied()))
}

fn parse(line: &str) -> Diff {
    serde_json::from_str(line).expect("it is a comparison")
}

#[test]
fn a_register_that_is_dear_on_one_machine_alone_is_found() {
    let (_folder, paths) = records(&["zen5", "golden-cove"]);
    let done = compare(&paths, &["--format", "json"]).ends_with(0);
    let diff = parse(&done.stdout);
    assert!(!diff.same_machine);
    let ratio = |name: &str| {
        let row = diff
            .rows
            .iter()
            .find(|row| row.variant == name)
            .expect("a row");
        row.ratio_of_ratios[0].clone()
    };
    let dear = ratio("ah-al").expect("compared");
    assert_eq!(dear.verdict, Verdict::Slower);
    assert!((dear.ratio - 88.7 / 63.8).abs() < 0.02, "{dear:?}");
    assert_eq!(
        ratio("al-ah").expect("compared").verdict,
        Verdict::NoDifference
    );
    assert_eq!(
        ratio("eax-ecx"),
        None,
        "the baseline is what the others are held against"
    );
    assert!(!diff.finding.is_empty());
}

#[test]
fn fail_on_regression_sets_the_status() {
    let (_folder, paths) = records(&["zen5", "golden-cove"]);
    compare(&paths, &["--fail-on", "regression"]).ends_with(1);
    compare(&paths, &["--fail-on", "regression", "--threshold", "60%"]).ends_with(0);
    let back: Vec<String> = paths.iter().rev().cloned().collect();
    // Machines have no order.
    compare(&back, &["--fail-on", "regression"]).ends_with(1);
    let done = compare(&back, &["--fail-on", "regression", "--threshold", "60%"]).ends_with(0);
    assert!(!done.stdout.contains("regress"), "{}", done.stdout);
    assert!(done.stdout.contains("60%"), "{}", done.stdout);
}

#[test]
fn two_runs_of_one_machine_do_not_differ() {
    let (_folder, paths) = records(&["golden-cove", "golden-cove"]);
    let diff = parse(&compare(&paths, &["--format", "json"]).ends_with(0).stdout);
    assert!(diff.same_machine);
    for row in &diff.rows {
        for ratio in row.direct.iter().flatten() {
            assert_eq!(
                ratio.verdict,
                Verdict::NoDifference,
                "{} {ratio:?}",
                row.variant
            );
        }
    }
    compare(&paths, &["--fail-on", "regression"]).ends_with(0);
}

#[test]
fn the_table_pastes_into_a_mail() {
    let (_folder, paths) = records(&["zen5", "golden-cove"]);
    let table = compare(&paths, &[]).ends_with(0).stdout;
    assert!(table.contains("ah-al"), "{table}");
    for line in table.lines() {
        assert!(line.chars().count() <= 75 && line.is_ascii(), "{line}");
    }
    let csv = compare(&paths, &["--format", "csv"]).ends_with(0).stdout;
    assert!(csv.lines().count() > 10, "{csv}");
    let markdown = compare(&paths, &["--format", "markdown"])
        .ends_with(0)
        .stdout;
    assert!(
        markdown
            .lines()
            .any(|line| line.starts_with('|') && line.contains("ah-al"))
    );
}

#[test]
fn folders_stand_for_their_records() {
    let (folder, _) = records(&["zen5", "golden-cove"]);
    let folder = folder.path().to_string_lossy().into_owned();
    let done = compare(&[folder], &["--format", "json"]).ends_with(0);
    assert_eq!(parse(&done.stdout).records.len(), 2);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (folder, paths) = records(&["zen5"]);
    compare(&paths, &[]).ends_with(2).complains_of(&["two"]);
    compare(&[String::from("no-such.json")], &[])
        .ends_with(2)
        .complains_of(&["no-such.json"]);
    let torn = folder.path().join("torn.json");
    std::fs::write(&torn, "{\"schema\": 1, ").expect("written");
    let both = [paths[0].clone(), torn.to_string_lossy().into_owned()];
    compare(&both, &[])
        .ends_with(2)
        .complains_of(&["torn.json"]);
}
