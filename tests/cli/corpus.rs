//! `check` over sequences that are right and sequences that are wrong. What it says stands beside
//! each in `NAME.expected`; `BLESS=1` writes it anew.

use std::path::PathBuf;

use crate::program::{root, thunklab};

/// The sequences of one folder, in order.
fn sequences(folder: &str) -> Vec<PathBuf> {
    let folder = root().join("tests/corpus").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "S" || e == "s"))
        .collect();
    files.sort();
    files
}

#[track_caller]
fn check(folder: &str, status: i32, least: usize) {
    let mut wrong = Vec::new();
    let files = sequences(folder);
    assert!(
        files.len() >= least,
        "only {} files in {folder}",
        files.len()
    );
    for path in files {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let shown = format!("tests/corpus/{folder}/{name}");
        let done = thunklab(["check", &shown]);
        let said = format!("{}{}", done.stdout, done.stderr);
        let expected = PathBuf::from(format!("{}.expected", path.display()));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &said).expect("written");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if done.status != Some(status) {
            wrong.push(format!("{shown}: status {:?}\n{said}", done.status));
        } else if said != wanted {
            wrong.push(format!("{shown}: says\n{said}\nbut expected is\n{wanted}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n(BLESS=1 rewrites what is expected)",
        wrong.join("\n")
    );
}

#[test]
fn what_is_right_is_taken() {
    check("ok", 0, 6);
}

#[test]
fn what_is_wrong_is_shown_with_place_and_remedy() {
    check("err", 2, 10);
}
