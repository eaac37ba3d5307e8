//! Folders of records.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::printable::printable;
use crate::record::Record;

/// The files that `paths` mean: files as they are, and every `*.json` below folders, sorted by
/// path within each. Links to folders are not followed. Files are listed and not read, so that
/// records can be held one at a time however many there are.
///
/// Beside them, a line for each path that gives none.
#[must_use]
pub fn find<P: AsRef<Path>>(paths: &[P]) -> (Vec<PathBuf>, Vec<String>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if !path.is_dir() {
            files.push(path.to_owned());
            continue;
        }
        let before = files.len() + problems.len();
        for entry in WalkDir::new(path)
            .follow_root_links(true)
            .sort_by_file_name()
        {
            match entry {
                // A link that leads nowhere is told when it is read, and not passed over.
                Ok(entry)
                    if is_json(entry.path())
                        && (entry.path().is_file()
                            || entry.path_is_symlink() && !entry.path().is_dir()) =>
                {
                    files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => problems.push(printable(&error.to_string())),
            }
        }
        if files.len() + problems.len() == before {
            problems.push(format!(
                "{}: no record (*.json) in this folder",
                printable(&path.to_string_lossy())
            ));
        }
    }
    (files, problems)
}

/// Reads every record that `paths` (files, or folders and all below them) hold. Files that are not
/// sound records are told in one line each; the others are read all the same. For more records
/// than memory holds, use [`find`] and read one at a time.
#[must_use]
pub fn load_all<P: AsRef<Path>>(paths: &[P]) -> (Vec<(PathBuf, Record)>, Vec<String>) {
    let (files, mut problems) = find(paths);
    let mut records = Vec::new();
    for file in files {
        match Record::load_stream(&file) {
            Ok(found) => records.extend(found.into_iter().map(|record| (file.clone(), record))),
            Err(error) => problems.push(error.to_string()),
        }
    }
    (records, problems)
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}
