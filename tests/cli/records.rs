//! Every record that was ever committed still loads.

use std::collections::BTreeMap;

use record::Record;

use crate::program::root;

#[test]
fn records_of_tests_load() {
    let (files, problems) = record::find(&[root().join("tests/records")]);
    assert!(files.len() >= 2 && problems.is_empty(), "{problems:?}");
    for file in files {
        Record::load(&file).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn committed_records_load_and_each_machine_has_all_sequences() {
    let results = root().join("results");
    assert!(results.is_dir(), "there is no results/");
    // A folder without records is a problem to `find`; here it is a clone before its first record.
    let (files, _) = record::find(&[results]);
    let mut machines: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        let record = Record::load(file).unwrap_or_else(|error| panic!("{error}"));
        assert!(record.complete, "{} was cut short", file.display());
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        assert_eq!(stem, Some(record.sequence.name.as_str()));
        let folder = file.parent().expect("a folder").display().to_string();
        *machines.entry(folder).or_default() += 1;
    }
    let sequences = std::fs::read_dir(root().join("sequences")).expect("a folder");
    let shipped = sequences
        .filter(|entry| {
            let path = entry.as_ref().expect("an entry").path();
            path.extension().is_some_and(|extension| extension == "S")
        })
        .count();
    for (folder, records) in machines {
        assert_eq!(
            records, shipped,
            "{folder}: one record of each shipped sequence"
        );
    }
}
