//! Writes the record: about once a second while the run goes on, and at its end.

use std::path::PathBuf;

use anyhow::Result;
use record::Record;

/// Keeps a record on disk, or nowhere.
pub(crate) struct Keeper {
    path: Option<PathBuf>,
}

impl Keeper {
    /// Keeps it at `path`, or nowhere.
    pub(crate) fn new(path: Option<PathBuf>) -> Self {
        Self { path }
    }

    /// Whether there is anything to write.
    pub(crate) fn keeps(&self) -> bool {
        self.path.is_some()
    }

    /// Writes the record so far. A disk that is full now may not be at the end, so a failure does
    /// not end the measurement: [`Keeper::save`] will tell of it.
    pub(crate) fn save_meanwhile(&mut self, record: &Record) {
        if let Some(path) = &self.path {
            let _ = record.save(path);
        }
    }

    /// Writes the record at the end.
    ///
    /// # Errors
    /// Why it could not be written.
    pub(crate) fn save(&mut self, record: &Record) -> Result<()> {
        if let Some(path) = &self.path {
            record.save(path)?;
        }
        Ok(())
    }
}
