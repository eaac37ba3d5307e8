//! Load, save, folders.

use std::fs;

use record::{ErrorKind, Record, find, load_all};

use crate::made;

#[test]
fn what_was_saved_is_what_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden-cove/clear_bhb_loop.json");
    let record = made::record("Golden Cove", &[("eax-ecx", 63.8), ("ah-al", 88.7)]);
    record.save(&path).unwrap();
    assert_eq!(Record::load(&path).unwrap(), record);
}

#[test]
fn saving_again_replaces_the_file_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let mut record = made::record("A", &[("x", 10.0), ("y", 11.0)]);
    record.complete = false;
    record.save(&path).unwrap();
    record.complete = true;
    record.variants.pop();
    record.save(&path).unwrap();
    assert_eq!(Record::load(&path).unwrap(), record);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A reader that loads all the time, while a record is rewritten, never sees part of one.
#[test]
fn a_reader_never_sees_part_of_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let record = made::record("A", &[("x", 10.0), ("y", 11.0)]);
    record.save(&path).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..50 {
                record.save(&path).unwrap();
            }
        });
        while !writer.is_finished() {
            assert_eq!(Record::load(&path).unwrap(), record);
        }
    });
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("a.json"), folder.path().join("b.json"));
    fs::write(&target, "old").unwrap();
    symlink(&target, &link).unwrap();
    let record = made::record("A", &[("x", 10.0)]);
    record.save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Record::load(&target).unwrap(), record);
    // Readable by whom the umask lets, like any file that a program writes.
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode(),
        fs::metadata(&plain).unwrap().permissions().mode()
    );
    let null = std::path::Path::new("/dev/null");
    record.save(null).unwrap();
    assert!(fs::metadata(null).unwrap().file_type().is_char_device());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let record = made::record("A", &[("x", 10.0)]);
    let error = record.save(&file.join("below.json")).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Write(_)), "{error}");
    assert!(
        error
            .to_string()
            .contains("below.json: cannot be written: ")
    );
    let error = record.save(folder.path()).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Write(_)), "{error}");
}

#[test]
fn one_record_a_line_is_read_as_several() {
    let (a, b) = (
        made::record("A", &[("x", 10.0)]),
        made::record("B", &[("x", 10.0)]),
    );
    let lines = format!("{}\n{}\n", a.to_line(), b.to_line());
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(Record::stream_from_slice(lines.as_bytes()).unwrap(), [a, b]);
    let error = Record::from_slice(lines.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "2 records where one was expected");
}

#[test]
fn folders_are_read_whole_in_order_and_past_bad_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["zen-5/b.json", "zen-5/a.json", "golden-cove/a.json"] {
        made::record(name, &[("x", 10.0)]).save(&at(name)).unwrap();
    }
    fs::write(at("zen-5/c.json"), "{").unwrap();
    fs::write(at("zen-5/README.md"), "not a record").unwrap();
    fs::create_dir(at("none")).unwrap();
    let (records, problems) = load_all(&[at("."), at("none"), at("absent.json")]);
    let names: Vec<_> = records
        .iter()
        .map(|(_, record)| record.machine.microarchitecture.as_str())
        .collect();
    assert_eq!(
        names,
        ["golden-cove/a.json", "zen-5/a.json", "zen-5/b.json"]
    );
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems[0].contains("none: no record (*.json) in this folder"));
    assert!(problems[1].contains("c.json: cut short"), "{problems:?}");
    assert!(problems[2].contains("absent.json: cannot be read"));
}

#[test]
fn finding_does_not_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), "{").unwrap();
    let (files, problems) = find(&[folder.path()]);
    assert_eq!(files, [folder.path().join("a.json")]);
    assert!(problems.is_empty());
}
