//! What holds of every output of every record.

use std::path::Path;

use record::{Diff, DiffOptions, Record};
use report::{Style, diff_csv, diff_markdown, diff_table, run_csv, run_markdown, run_table};

use crate::{folder, made};

/// Every record of the folder, and some more that are made from them.
fn all() -> Vec<(String, Record)> {
    let (records, problems) = record::load_all(&[folder("records")]);
    assert!(problems.is_empty(), "{problems:?}");
    assert!(records.len() >= 10);
    let mut all: Vec<(String, Record)> = records
        .into_iter()
        .map(|(path, record)| {
            (
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                record,
            )
        })
        .collect();
    let mut many = made("emerald-rapids");
    let copies: Vec<_> = (0..40)
        .map(|index| {
            let mut variant = many.variants[1 + index % 3].clone();
            variant.name = format!("{}-{index}", "name".repeat(index));
            variant
        })
        .collect();
    many.variants.extend(copies);
    all.push(("many".into(), many));
    all
}

/// Nothing that a terminal acts on, and (where so asked for) 75 columns of ASCII.
fn check_text(name: &str, text: &str, mail: bool) {
    for line in text.split('\n') {
        assert!(!line.chars().any(char::is_control), "{name}: {line:?}");
        assert!(!line.contains('\u{202e}'), "{name}: {line:?}");
        if mail {
            assert!(line.len() <= 75, "{name}: {} columns: {line}", line.len());
            assert!(line.is_ascii(), "{name}: {line}");
            assert_eq!(line, line.trim_end(), "{name}: white space at the end");
        }
    }
    assert!(
        text.ends_with('\n') && !text.ends_with("\n\n"),
        "{name}: {text:?}"
    );
}

#[test]
fn every_run() {
    for (name, record) in all() {
        for verbose in [false, true] {
            let mut style = Style {
                verbose,
                ..Style::MAIL
            };
            check_text(&name, &run_table(&record, &style), true);
            style.ascii = false;
            style.width = 200;
            check_text(&name, &run_table(&record, &style), false);
            check_text(&name, &run_markdown(&record, verbose), false);
        }
        check_text(&name, &run_csv(&[&record]), false);
    }
}

/// A narrower terminal than a table needs gets the table that it needs.
#[test]
fn width_never_breaks_a_table() {
    let style = Style {
        width: 10,
        ..Style::MAIL
    };
    let record = made("emerald-rapids");
    assert_eq!(run_table(&record, &style), run_table(&record, &Style::MAIL));
}

#[test]
fn every_variant_of_every_run_is_named() {
    for (name, record) in all().iter().filter(|(name, _)| name != "hostile") {
        let text = run_table(record, &Style::MAIL).replace("\n    ", "");
        for variant in &record.variants {
            assert!(
                text.contains(&variant.name),
                "{name}: {} in\n{text}",
                variant.name
            );
        }
    }
}

#[test]
fn every_pair_that_can_be_compared() {
    let all = all();
    let mut compared = 0;
    for (a, first) in &all {
        for (b, second) in &all {
            let pair = [(Path::new(a), first), (Path::new(b), second)];
            let Ok(diff) = Diff::new(&pair, &DiffOptions::default()) else {
                continue;
            };
            compared += 1;
            let name = format!("{a} and {b}");
            for verbose in [false, true] {
                let style = Style {
                    verbose,
                    ..Style::MAIL
                };
                check_text(&name, &diff_table(&diff, &style), true);
                check_text(&name, &diff_markdown(&diff, verbose), false);
            }
            check_text(&name, &diff_csv(&diff), false);
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn csv_has_the_columns_of_the_contract_in_every_row() {
    let head = "machine,sequence,variant,params,between,cycles,low,high,ratio,ratio_low,ratio_high,\
                verdict,instructions,taken_branches,bytes,history";
    let (a, b) = (made("hostile"), made("zen-5"));
    let text = run_csv(&[&a, &b]);
    assert_eq!(text.lines().next().unwrap(), head);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    // Four variants in three contexts and two that were not measured, then four in three.
    assert_eq!(rows.len(), 3 * 6 + 3 * 4);
    assert_eq!(&rows[18][4], "chained");
    assert_eq!(&rows[18][5], "90");
    assert_eq!(&rows[18][3], "OUTER=5 INNER=5");
}

#[test]
fn markdown_rows_have_as_many_cells_as_their_head() {
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    for (name, record) in all() {
        let text = run_markdown(&record, true);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        for row in &rows {
            assert_eq!(cells(row), cells(rows[0]), "{name}: {row}");
        }
        assert!(!text.contains("<script"), "{name}");
    }
}
