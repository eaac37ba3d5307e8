//! The finding that the project is about, from the two records in `records/` (see the README
//! there): counting the inner loop in `%ah` costs more than a third on one machine and nothing on
//! the other. It has to show in a comparison, in Markdown and on the page.

use record::{Diff, Record, Verdict};

use crate::program::{Done, root, thunklab};

const RECORDS: [&str; 2] = [
    "tests/records/emerald-rapids/clear_bhb_loop.json",
    "tests/records/made-zen-5/clear_bhb_loop.json",
];

/// What all three have to say, first of all.
const FINDING: &str = "ah-al and ah-al-zeroed regress on Emerald Rapids only: +3";

fn on_both(command: &str, more: &[&str]) -> Done {
    thunklab([command].iter().chain(&RECORDS).chain(more))
}

#[test]
fn the_comparison_has_it() {
    let done = on_both("diff", &["--format", "json"]).ends_with(0);
    let diff: Diff = serde_json::from_str(&done.stdout).expect("a comparison");
    assert_eq!(diff.baseline, "eax-ecx");
    assert!(diff.finding.starts_with(FINDING), "{}", diff.finding);
    assert!(
        diff.finding.contains("no difference seen on Zen 5"),
        "{}",
        diff.finding
    );
    for row in &diff.rows {
        let slow = row.variant.starts_with("ah-al");
        let Some(ratio) = &row.ratio_of_ratios[0] else {
            assert_eq!(row.variant, "eax-ecx");
            continue;
        };
        // The second record against the first.
        assert_eq!(ratio.verdict == Verdict::Faster, slow, "{row:?}");
        let [here, there] = row.cells.as_slice() else {
            panic!("two records: {row:?}");
        };
        let percent = |cell: &record::Cell| {
            let vs = cell.vs_baseline.as_ref().expect("compared");
            (vs.ratio - 1.0) * 100.0
        };
        if slow {
            assert!((30.0..45.0).contains(&percent(here)), "{row:?}");
        } else {
            assert!(percent(here).abs() < 3.0, "{row:?}");
        }
        assert!(percent(there).abs() < 3.0, "{row:?}");
    }
    on_both("diff", &["--fail-on", "regression"]).ends_with(1);
    let back = ["diff", RECORDS[1], RECORDS[0], "--fail-on", "regression"];
    thunklab(back).ends_with(1);
}

#[test]
fn a_mail_and_markdown_have_it() {
    let mail = on_both("diff", &[]).ends_with(0).stdout;
    for line in mail.lines() {
        assert!(line.is_ascii() && line.len() <= 75, "{line}");
    }
    // Lines are wrapped where they may be.
    let words = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(FINDING), "{mail}");
    for done in [
        on_both("diff", &["--format", "markdown"]),
        on_both("report", &["--format", "markdown"]),
    ] {
        let text = done.ends_with(0).stdout;
        assert!(text.contains(FINDING), "{text}");
        let row = text
            .lines()
            .find(|line| line.starts_with("| ah-al |"))
            .unwrap_or_else(|| panic!("no row in {text}"));
        // Cycles and percent of the first, then of the second.
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert!(cells[3].starts_with("+3"), "{row}");
        assert_eq!(cells[5], "=", "{row}");
    }
}

#[test]
fn the_page_has_it() {
    let page = on_both("report", &["-o", "-"]).ends_with(0).stdout;
    let finding = page.find(FINDING).expect("the finding");
    let matrix = page.find("Variants by machines").expect("the matrix");
    assert!(finding < matrix, "the finding comes first");
    for word in [
        "On Emerald Rapids, one run of ah-al",
        "On Zen 5 (made by hand), one run of ah-al",
        "no difference seen",
        "MADE BY HAND",
    ] {
        assert!(page.contains(word), "no {word:?}");
    }
}

#[test]
fn the_second_record_says_that_it_is_made() {
    let made = Record::load(&root().join(RECORDS[1])).expect("it loads");
    assert!(made.machine.brand.contains("MADE BY HAND"));
    assert!(made.warnings.iter().any(|w| w.kind == "made-by-hand"));
}
