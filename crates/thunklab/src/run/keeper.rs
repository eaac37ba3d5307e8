//! Writes the record: about once a second while the run goes on, and at its end.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use record::{ErrorKind, MOST_BYTES, Place, Record};

use crate::outcome::Refusal;

/// Keeps a record on disk, or nowhere.
pub(crate) struct Keeper {
    path: PathBuf,
    goes: Goes,
}

/// Where a record goes.
enum Goes {
    Nowhere,
    /// Into a file.
    File(Place),
    /// Into a pipe or a device, which gets the last record only. It is open from the beginning, so that
    /// a pipe's reader does not take it for ended.
    Special(File),
}

impl Keeper {
    /// Keeps it at `path`, or nowhere. Nothing is written yet, but whether it can be is found out
    /// now: a measurement that cannot be kept is not begun.
    ///
    /// # Errors
    /// Where the path cannot be written to, or holds something that is no record: what somebody else
    /// wrote is not replaced.
    pub(crate) fn new(path: Option<PathBuf>) -> Result<Self, Refusal> {
        let goes = path.as_deref().map_or(Ok(Goes::Nowhere), check)?;
        Ok(Self {
            path: path.unwrap_or_default(),
            goes,
        })
    }

    /// Whether there is anything to write while the run goes on.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self.goes, Goes::File(_))
    }

    /// Writes the record so far. A disk that is full now may not be at the end, so a failure does
    /// not end the measurement: [`Keeper::save`] will tell of it.
    pub(crate) fn save_meanwhile(&self, record: &Record) {
        if let Goes::File(place) = &self.goes {
            let _ = record.save_at(place);
        }
    }

    /// Writes the record at the end, where it goes to a file.
    ///
    /// # Errors
    /// Why it could not be written.
    pub(crate) fn save(&self, record: &Record) -> Result<()> {
        match &self.goes {
            Goes::Nowhere | Goes::Special(_) => Ok(()),
            Goes::File(place) => record.save_at(place).map_err(|error| self.refused(&error)),
        }
    }

    /// Gives the record to a pipe or a device, for as long as `goes_on`: behind the table, for a
    /// pipe's reader may be one that never reads.
    ///
    /// # Errors
    /// Why it could not be written.
    pub(crate) fn give(&self, record: &Record, goes_on: &mut dyn FnMut() -> bool) -> Result<()> {
        match &self.goes {
            Goes::Nowhere | Goes::File(_) => Ok(()),
            Goes::Special(file) => {
                let text = record.to_text();
                record::write_special(file, text.as_bytes(), goes_on)
                    .map_err(|error| self.refused(&error))
            }
        }
    }

    fn refused(&self, error: &io::Error) -> anyhow::Error {
        let path = self.path.display();
        anyhow!("{path}: the record cannot be written there: {error}")
    }
}

/// Refuses a path that another record of the same run goes to.
///
/// # Errors
/// Which path that is.
pub(crate) fn check_distinct<'a>(
    path: &Option<PathBuf>,
    mut others: impl Iterator<Item = &'a Option<PathBuf>>,
) -> Result<(), Refusal> {
    match path {
        Some(path) if others.any(|other| other.as_ref() == Some(path)) => {
            Err(Refusal::because(format!(
                "{}: two records of this run would go there, and the second would replace the \
                 first; run them one at a time, or rename a sequence",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}

/// Where a path leads, if it takes a record.
fn check(path: &Path) -> Result<Goes, Refusal> {
    let refused = |error: io::Error| {
        Refusal::because(format!(
            "{}: the record cannot be written there: {error}; nothing was run",
            path.display()
        ))
    };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            return Err(Refusal::because(format!(
                "{}: a folder stands where the record should go",
                path.display()
            )));
        }
        Ok(found) if !found.is_file() => {
            if let Some(special) = record::open_special(path).map_err(refused)? {
                return Ok(Goes::Special(special));
            }
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refused(error)),
    }
    let place = Place::new(path).map_err(refused)?;
    // Not by its name again, which may lead elsewhere by now.
    if let Some(file) = place.read().map_err(refused)?
        && !is_record(file).map_err(refused)?
    {
        return Err(Refusal::because(format!(
            "{}: the file is there and is no thunklab record, so it is not replaced; name another \
             file, or remove it first",
            path.display()
        )));
    }
    Ok(Goes::File(place))
}

/// Whether a file holds records, even of a later schema, or the beginning of one, or nothing.
fn is_record(file: File) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    let holds = match Record::stream_from_slice(&bytes) {
        Ok(_) => true,
        Err(error) => matches!(error.kind, ErrorKind::Newer(_) | ErrorKind::Inconsistent(_)),
    };
    Ok(bytes.is_empty() || holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        match Keeper::new(Some(path.to_owned())) {
            Ok(_) => panic!("{} is taken", path.display()),
            Err(refusal) => refusal.to_string(),
        }
    }

    #[test]
    fn what_is_no_record_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("mine.S");
        fs::write(&source, "\tret\n").expect("written");
        assert!(refusal(&source).contains("no thunklab record"));
        assert_eq!(fs::read(&source).expect("still there"), b"\tret\n");
        let folder_path = folder.path().join("folder.json");
        fs::create_dir(&folder_path).expect("made");
        assert!(refusal(&folder_path).contains("folder"));
        assert!(refusal(&source.join("x.json")).contains("nothing was run"));
    }

    #[test]
    fn empty_files_devices_and_new_folders_are_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = folder.path().join("empty.json");
        fs::write(&empty, "").expect("written");
        for path in [empty, folder.path().join("new/x.json")] {
            let keeper = Keeper::new(Some(path.clone())).unwrap_or_else(|error| panic!("{error}"));
            assert!(keeper.keeps(), "{}", path.display());
        }
        let keeper =
            Keeper::new(Some("/dev/null".into())).unwrap_or_else(|error| panic!("{error}"));
        assert!(!keeper.keeps(), "a device gets the last record only");
        let left: Vec<_> = fs::read_dir(folder.path().join("new"))
            .expect("made")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
