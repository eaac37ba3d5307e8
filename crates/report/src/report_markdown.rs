//! Records of several machines as one Markdown text.

use std::io;
use std::path::{Path, PathBuf};

use record::{Diff, DiffOptions, Record};

use crate::diff_text::diff_markdown;
use crate::html::{PageError, PageOptions};
use crate::markdown::{escaped, list};
use crate::run_markdown::run_markdown;

/// Records that one table holds side by side. Beyond that it is wider than any page.
const MOST_COMPARED: usize = 8;

/// A Markdown text to which records are added: for each sequence, where there are several records
/// of it, their comparison, then each record by itself.
///
/// As [`Page`](crate::Page), but only for as many records as a reader of Markdown can take in:
/// more than eight of a sequence are not compared in one table.
pub struct MarkdownReport {
    options: PageOptions,
    verbose: bool,
    sequences: Vec<Sequence>,
}

struct Sequence {
    name: String,
    /// Each record as text.
    texts: Vec<String>,
    /// The records, to be compared; empty as soon as there are too many.
    records: Vec<(PathBuf, Record)>,
}

impl MarkdownReport {
    /// A report without records. With `verbose`, every comparison has its interval.
    #[must_use]
    pub fn new(options: PageOptions, verbose: bool) -> Self {
        Self {
            options,
            verbose,
            sequences: Vec::new(),
        }
    }

    /// Adds a record. `file` is what it was read from, or another word for it.
    pub fn add(&mut self, file: &str, record: Record) {
        let mut record = match &self.options.baseline {
            Some(baseline) => record.against(baseline),
            None => record,
        };
        if let Some(between) = self.options.between {
            record.plan.verdict = Some(between);
        }
        let text = format!(
            "{}\nRead from {}.\n",
            run_markdown(&record, self.verbose),
            escaped(file)
        );
        let name = &record.sequence.name;
        let place = match self.sequences.iter().position(|known| known.name == *name) {
            Some(place) => place,
            None => {
                self.sequences.push(Sequence {
                    name: name.clone(),
                    texts: Vec::new(),
                    records: Vec::new(),
                });
                self.sequences.len() - 1
            }
        };
        let sequence = &mut self.sequences[place];
        sequence.texts.push(text);
        if sequence.texts.len() <= MOST_COMPARED {
            sequence.records.push((PathBuf::from(file), record));
        } else {
            sequence.records = Vec::new();
        }
    }

    /// Writes the text, UTF-8.
    ///
    /// # Errors
    /// [`PageError::NoRecords`] where none was added, else what went wrong with the output.
    pub fn write(self, out: &mut dyn io::Write) -> Result<(), PageError> {
        if self.sequences.is_empty() {
            return Err(PageError::NoRecords);
        }
        let mut parts = Vec::new();
        for sequence in self.sequences {
            if sequence.texts.len() > 1 {
                parts.push(sequence.comparison(&self.options, self.verbose));
            }
            parts.extend(sequence.texts);
        }
        out.write_all(parts.join("\n").as_bytes())?;
        Ok(())
    }
}

impl Sequence {
    fn comparison(&self, options: &PageOptions, verbose: bool) -> String {
        if self.records.is_empty() {
            return format!(
                "### {}\n\n{} records, more than one table holds: `thunklab report -o FILE.html` \
                 compares them all, `thunklab diff` any few of them.\n",
                escaped(&self.name),
                self.texts.len()
            );
        }
        let records: Vec<(&Path, &Record)> = self
            .records
            .iter()
            .map(|(file, record)| (file.as_path(), record))
            .collect();
        let options = DiffOptions {
            between: options.between,
            baseline: options.baseline.clone(),
            ..DiffOptions::default()
        };
        match Diff::new(&records, &options) {
            Ok(diff) => diff_markdown(&diff, verbose),
            Err(refusals) => {
                let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
                format!(
                    "### {}\n\nThese records could not be compared with each other:\n\n{}",
                    escaped(&self.name),
                    list(&reasons)
                )
            }
        }
    }
}
