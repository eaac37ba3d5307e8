//! Records on disk.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::layout::{Escaped, Layout};
use crate::printable::printable;
use crate::record::{Record, SCHEMA};
use crate::replace::{Place, replace_file};

/// The largest file that is read, bytes. A record of 48 variants in four contexts with all their
/// samples is about 5 MB.
pub const MOST_BYTES: u64 = 256 << 20;

/// Longest excerpt of a parser's message, characters. It may quote the file.
const MOST_QUOTED: usize = 200;

/// Why a record could not be read or written. Displayed as one line.
#[derive(Debug)]
pub struct Error {
    /// The file, where there is one.
    pub path: Option<PathBuf>,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// What is wrong with a record.
#[derive(Debug)]
pub enum ErrorKind {
    /// The file could not be read.
    Read(io::Error),
    /// The file could not be written.
    Write(io::Error),
    /// It is larger than [`MOST_BYTES`].
    TooLarge,
    /// There is nothing in it.
    Empty,
    /// It ends in the middle.
    CutShort,
    /// It is not JSON, or no longer.
    Corrupt(String),
    /// It is JSON of another kind.
    NotARecord(String),
    /// It is a record of this later schema.
    Newer(u64),
    /// It is a record whose parts contradict each other.
    Inconsistent(String),
    /// There are so many records in it where one was expected.
    Several(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", printable(&path.to_string_lossy()))?;
        }
        match &self.kind {
            ErrorKind::Read(error) => write!(f, "cannot be read: {error}"),
            ErrorKind::Write(error) => write!(f, "cannot be written: {error}"),
            ErrorKind::TooLarge => write!(
                f,
                "larger than {} MiB, which no record is",
                MOST_BYTES >> 20
            ),
            ErrorKind::Empty => write!(f, "empty, not a record"),
            ErrorKind::CutShort => write!(
                f,
                "cut short: the file ends in the middle of a record; copy it again"
            ),
            ErrorKind::Corrupt(what) => write!(f, "not a record, or corrupt: {what}"),
            ErrorKind::NotARecord(what) => write!(f, "not a thunklab record: {what}"),
            ErrorKind::Newer(schema) => write!(
                f,
                "written by a newer thunklab, schema {schema}; this one reads {SCHEMA}"
            ),
            ErrorKind::Inconsistent(what) => write!(f, "a damaged record: {what}"),
            ErrorKind::Several(count) => {
                write!(f, "{count} records where one was expected")
            }
        }
    }
}

// What the system said stands in the line already: it is no source, which would be printed again.
impl std::error::Error for Error {}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self { path: None, kind }
    }
}

impl Error {
    fn at(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }
}

impl Record {
    /// Reads the one record of a file.
    ///
    /// # Errors
    /// Where the file cannot be read or does not hold one sound record of a known schema.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let bytes = read(path)?;
        Self::from_slice(&bytes).map_err(|error| error.at(path))
    }

    /// Reads all records of a file: `run --format json` prints one a line.
    ///
    /// # Errors
    /// As [`Record::load`]; the first record that is not sound ends it.
    pub fn load_stream(path: &Path) -> Result<Vec<Self>, Error> {
        let bytes = read(path)?;
        Self::stream_from_slice(&bytes).map_err(|error| error.at(path))
    }

    /// Reads the one record in `bytes`.
    ///
    /// # Errors
    /// Where there is not exactly one sound record of a known schema.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        let mut records = Self::stream_from_slice(bytes)?;
        match (records.pop(), records.len()) {
            (Some(record), 0) => Ok(record),
            (_, more) => Err(ErrorKind::Several(more + 1).into()),
        }
    }

    /// Reads all records in `bytes`, which follow each other with or without white space; at least
    /// one.
    ///
    /// # Errors
    /// As [`Record::from_slice`]; the first record that is not sound ends it.
    pub fn stream_from_slice(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ErrorKind::TooLarge.into());
        }
        let mut records = Vec::new();
        let mut stream = serde_json::Deserializer::from_slice(bytes).into_iter::<Self>();
        loop {
            let start = stream.byte_offset();
            match stream.next() {
                None if records.is_empty() => return Err(ErrorKind::Empty.into()),
                None => return Ok(records),
                Some(Ok(record)) => {
                    record.check()?;
                    records.push(record);
                }
                Some(Err(error)) => return Err(explain(&bytes[start..], &error).into()),
            }
        }
    }

    /// The record on one line, without the line's end.
    ///
    /// # Panics
    /// Never: every key is a string, and writing to memory does not fail.
    #[must_use]
    pub fn to_line(&self) -> String {
        to_json_line(self)
    }

    /// The record as it stands in a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_json_text(self)
    }

    /// Writes [`Record::to_line`] without holding it: it may have some ten megabytes.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        write(self, Escaped, out)
    }

    /// Writes [`Record::to_text`] without holding it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write(self, Layout::default(), out)?;
        out.write_all(b"\n")
    }

    /// Writes the record to a file, creating the folders it stands in. The file is replaced whole:
    /// a reader, or whoever comes after a crash, finds the old record or the new one. What is no
    /// regular file (`/dev/null`, a pipe) is written to as it is.
    ///
    /// # Errors
    /// Where the folder or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        replace_file(path, |mut file| self.write_text(&mut file))
            .map_err(|error: io::Error| Error::from(ErrorKind::Write(error)).at(path))
    }

    /// Writes the record to a place that is held.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save_at(&self, place: &Place) -> io::Result<()> {
        place.replace(|mut file| self.write_text(&mut file))
    }

    /// Refuses what the types cannot: the schema's number, arrays that ought to be parallel,
    /// variants that stand there twice.
    fn check(&self) -> Result<(), Error> {
        if self.schema > SCHEMA {
            return Err(ErrorKind::Newer(u64::from(self.schema)).into());
        }
        if self.schema == 0 {
            return Err(ErrorKind::NotARecord("there is no schema 0".to_owned()).into());
        }
        let mut seen = std::collections::HashSet::new();
        for variant in &self.variants {
            let mut params: Vec<_> = variant.params.iter().collect();
            params.sort();
            if !seen.insert((&variant.name, params)) {
                let what = format!("variant {} is there twice", quoted(&variant.name));
                return Err(ErrorKind::Inconsistent(what).into());
            }
            for (context, measure) in &variant.measures {
                if let Some(uneven) = measure.samples.uneven() {
                    let what = format!("{} {context}: {uneven}", quoted(&variant.name));
                    return Err(ErrorKind::Inconsistent(what).into());
                }
            }
        }
        Ok(())
    }
}

/// Any of the outputs on one line, without the line's end.
///
/// # Panics
/// Where a type of the caller's refuses to be serialised; those of this crate never do.
#[must_use]
pub fn to_json_line<T: Serialize + ?Sized>(value: &T) -> String {
    written(value, Escaped)
}

/// Any of the outputs laid out for reading, with the last line's end.
///
/// # Panics
/// As [`to_json_line`].
#[must_use]
pub fn to_json_text<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = written(value, Layout::default());
    text.push('\n');
    text
}

fn written<T: Serialize + ?Sized>(value: &T, layout: impl serde_json::ser::Formatter) -> String {
    let mut bytes = Vec::new();
    write(value, layout, &mut bytes).expect("maps have string keys and memory takes every byte");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn write<T: Serialize + ?Sized>(
    value: &T,
    layout: impl serde_json::ser::Formatter,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, layout);
    Ok(value.serialize(&mut serializer)?)
}

/// What a parser's error means to the user. Only now, on the way out, is the schema's number
/// looked for in what may have another shape altogether.
fn explain(bytes: &[u8], error: &serde_json::Error) -> ErrorKind {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<u64>,
    }

    let head = serde_json::Deserializer::from_slice(bytes)
        .into_iter::<Head>()
        .next();
    if let Some(Ok(Head {
        schema: Some(schema),
    })) = head
        && schema > u64::from(SCHEMA)
    {
        return ErrorKind::Newer(schema);
    }
    // What a parser makes of a list or a word is no help: a list passes for the fields in order.
    let what = match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(first) if *first != b'{' => {
            let first = printable(&char::from(*first).to_string());
            format!("it begins with `{first}`, and a record is one JSON object")
        }
        _ => quoted(&error.to_string()),
    };
    match error.classify() {
        Category::Eof => ErrorKind::CutShort,
        Category::Data => ErrorKind::NotARecord(what),
        Category::Syntax | Category::Io => ErrorKind::Corrupt(what),
    }
}

/// Part of a foreign text that is safe and short enough for a message.
fn quoted(text: &str) -> String {
    let clean = printable(text);
    match clean.char_indices().nth(MOST_QUOTED) {
        Some((at, _)) => format!("{}...", &clean[..at]),
        None => clean,
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::from(ErrorKind::Read(error)).at(path))?;
    Ok(bytes)
}
