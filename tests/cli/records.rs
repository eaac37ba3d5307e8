//! Every record that was ever committed still loads.

use record::Record;

use crate::program::root;

#[test]
fn committed_records_load_and_are_complete() {
    let (files, problems) = record::find(&[root().join("results")]);
    for file in &files {
        let record = Record::load(file).unwrap_or_else(|error| panic!("{error}"));
        assert!(record.complete, "{} was cut short", file.display());
        assert_eq!(
            file.file_stem().and_then(|stem| stem.to_str()),
            Some(record.sequence.name.as_str())
        );
    }
    assert!(
        files.len() >= 11,
        "results/ holds a record of each shipped sequence: {problems:?}"
    );
}
