//! The report page: one file that needs nothing else.
//!
//! [`Page`] takes records one by one and keeps of each what the page shows: a folder of a thousand
//! records does not fit into memory with all its samples. [`Page::write`] then writes the page in
//! pieces, so that it need not fit either.
//!
//! Every text from a record is escaped by the template engine or, inside plots, by the plotting
//! library; nothing of a record goes into a script or a style sheet. Should that ever fail, the
//! page's own policy lets no script run but the one that it came with, by its hash.

mod cell;
mod code;
mod digest;
mod figure;
mod histogram;
mod machine;
mod matrix;
mod number;
mod plot;
mod policy;
mod sequence;
mod source;
mod sweep;
mod template;
mod variant;
mod warning;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::io;

use record::{Context, Record};

use digest::Digest;
use sequence::{MOST_SINGLE, Sequence};

/// How to make the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageOptions {
    /// The context whose ratios give the finding; the first record's verdict context where none is
    /// given.
    pub between: Option<Context>,
    /// The baseline; the first record's own where none is given.
    pub baseline: Option<String>,
}

/// Why there is no page.
#[derive(Debug)]
pub enum PageError {
    /// There is no record to show.
    NoRecords,
    /// Writing failed.
    Write(io::Error),
    /// A plot could not be drawn, in words.
    Plot(String),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecords => {
                f.write_str("there is no record to report; `thunklab run -o DIR` writes them")
            }
            Self::Write(error) => write!(f, "the page could not be written: {error}"),
            Self::Plot(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::NoRecords | Self::Plot(_) => None,
        }
    }
}

impl From<plot::PlotError> for PageError {
    fn from(error: plot::PlotError) -> Self {
        Self::Plot(error.to_string())
    }
}

impl From<io::Error> for PageError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// A page to which records are added.
#[derive(Default)]
pub struct Page {
    options: PageOptions,
    /// The records of each sequence, in order of first appearance.
    sequences: Vec<Vec<Digest>>,
    /// Where each sequence, by name, stands among them.
    places: HashMap<String, usize>,
}

impl Page {
    /// A page without records.
    #[must_use]
    pub fn new(options: PageOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Adds a record. `file` is what it was read from, or another word for it: it is shown, and
    /// tells records of machines of one kind apart.
    ///
    /// Of the record's samples only their distribution is kept.
    pub fn add(&mut self, file: impl Into<String>, record: &Record) {
        let name = &record.sequence.name;
        let place = match self.places.get(name) {
            Some(&place) => place,
            None => {
                self.sequences.push(Vec::new());
                self.places.insert(name.clone(), self.sequences.len() - 1);
                self.sequences.len() - 1
            }
        };
        let digests = &mut self.sequences[place];
        // All records stand against one baseline: the one asked for, else the first record's.
        let baseline = self
            .options
            .baseline
            .as_deref()
            .or_else(|| digests.iter().find_map(|digest| digest.record.baseline()));
        let context = self
            .options
            .between
            .or_else(|| record.verdict_context())
            .filter(|_| digests.len() < MOST_SINGLE);
        let digest = Digest::of(file.into(), record, baseline, context);
        digests.push(digest);
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sequences.iter().map(Vec::len).sum()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    /// Writes the page, UTF-8, in pieces. The same records in the same order give the same bytes.
    ///
    /// # Errors
    /// [`PageError::NoRecords`] where none was added, else what went wrong with the output.
    pub fn write(self, out: &mut dyn io::Write) -> Result<(), PageError> {
        if self.is_empty() {
            return Err(PageError::NoRecords);
        }
        let records = self.len();
        let sequences: Vec<Sequence> = self
            .sequences
            .into_iter()
            .map(|digests| Sequence::new(digests, &self.options))
            .collect();
        template::write(&sequences, records, out)
    }
}

/// The page of some records, each with the file that it was read from.
///
/// [`Page`] does the same without holding all of them.
///
/// # Errors
/// As [`Page::write`].
pub fn page(records: &[(String, Record)], options: &PageOptions) -> Result<String, PageError> {
    let mut page = Page::new(options.clone());
    for (file, record) in records {
        page.add(file, record);
    }
    let mut bytes = Vec::new();
    page.write(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| PageError::Write(io::Error::other(error)))
}
