//! The same records as Markdown.

use record::Context;
use report::{MarkdownReport, PageError, PageOptions};

use crate::synthetic::{SLOW_AH, record, two};

fn markdown(records: Vec<(String, record::Record)>) -> String {
    let mut report = MarkdownReport::new(PageOptions::default(), false);
    for (file, record) in records {
        report.add(&file, record);
    }
    let mut bytes = Vec::new();
    report.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn no_record_is_an_error() {
    let report = MarkdownReport::new(PageOptions::default(), false);
    let error = report.write(&mut Vec::new()).unwrap_err();
    assert!(matches!(error, PageError::NoRecords), "{error}");
}

#[test]
fn two_are_compared_and_shown() {
    let text = markdown(two());
    let finding = text.find("ah-al and ah-al-zeroed regress on Emerald Rapids only: +37.2%");
    let shown = text.find("Read from");
    assert!(finding.is_some() && finding < shown, "{text}");
    assert_eq!(text.matches("\nRead from ").count(), 2, "{text}");
}

#[test]
fn one_is_shown_alone() {
    let text = markdown(vec![("a.json".into(), record(&SLOW_AH, 30, 1, 1))]);
    assert_eq!(text.matches("### ").count(), 1, "{text}");
    assert!(text.ends_with("\nRead from a.json.\n"), "{text}");
}

#[test]
fn more_than_a_table_holds_are_shown_and_told_how_to_compare() {
    let many = |count: u64| {
        (0..count)
            .map(|index| (format!("{index}.json"), record(&SLOW_AH, 30, 1, index)))
            .collect()
    };
    let text = markdown(many(8));
    assert!(text.contains("| H cyc |"), "{text}");
    let text = markdown(many(9));
    assert!(
        text.contains("9 records, more than one table holds"),
        "{text}"
    );
    assert!(text.contains("thunklab report -o FILE.html"), "{text}");
    assert_eq!(text.matches("\nRead from ").count(), 9);
}

#[test]
fn what_cannot_be_compared_says_why_and_is_shown() {
    let mut records = two();
    for variant in &mut records[1].1.variants {
        variant.measures.remove(&Context::Isolated);
    }
    let text = markdown(records);
    assert!(
        text.contains("could not be compared with each other:\n\n- "),
        "{text}"
    );
    assert_eq!(text.matches("\nRead from ").count(), 2);
}

#[test]
fn names_are_no_markup() {
    let text = markdown(vec![("<b>*x*|`y".into(), record(&SLOW_AH, 30, 1, 1))]);
    assert!(
        text.contains("Read from &lt;b&gt;\\*x\\*\\|\\`y."),
        "{text}"
    );
}
