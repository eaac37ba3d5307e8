//! `thunklab report`: one page, or one Markdown text, of any number of records.

use std::collections::BTreeSet;
use std::io::{self, Read as _, Write};
use std::path::Path;

use ::machine::Held;
use anyhow::{Context as _, Result};
use record::{Context, MOST_BYTES, Record, printable};
use report::{MarkdownReport, Page, PageError, PageOptions};

use crate::args::typed::{Report, ReportFormat};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;

/// Reads the records one at a time, so that any number of them can be reported, and writes what
/// was asked for.
pub(crate) fn report(typed: &Report, terminal: &Terminal) -> Result<Status> {
    let target = target(typed)?;
    let (files, problems) = record::find(&typed.results);
    let mut status = Status::Done;
    for problem in &problems {
        terminal.tell(&format!("thunklab: {problem}\n"));
        status = Status::Failed;
    }
    let options = PageOptions {
        between: typed.between,
        baseline: typed.baseline.clone(),
    };
    let mut output = match typed.format {
        ReportFormat::Html => Output::Html(Page::new(options)),
        ReportFormat::Markdown => {
            Output::Markdown(MarkdownReport::new(options, terminal.style.verbose))
        }
    };
    let mut seen = Seen::default();
    let bar = terminal.bar("records {bar:30} {pos} of {len}, {eta} left", files.len());
    for file in &files {
        let name = file.to_string_lossy();
        match read(file) {
            Ok(records) => {
                for record in records {
                    seen.see(&record);
                    output.add(&name, record);
                }
            }
            // The others are worth reporting without it, but never without a word.
            Err(error) => {
                bar.suspend(|| terminal.tell(&format!("thunklab: {error}\n")));
                status = Status::Failed;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    seen.check(typed)?;
    // What is half written to a file shall not stay beside it; a pipe may never be read.
    let is_file = target.is_some_and(|path| path.is_file() || !path.exists());
    let held = is_file.then(Held::new);
    write(output, target, terminal)?;
    if held.is_some_and(|held| held.interrupted()) {
        return Ok(Status::Interrupted);
    }
    Ok(status)
}

/// Where it goes: `None` is stdout.
fn target(typed: &Report) -> Result<Option<&Path>, Refusal> {
    match typed.output.as_deref() {
        None if typed.format == ReportFormat::Html => Err(Refusal::because(
            "a page has to be written to a file: add `-o report.html`, or `-o -` for stdout, or \
             ask for `--format markdown`",
        )),
        Some(path) if path.is_dir() => Err(Refusal::because(format!(
            "-o {0}: this is a folder; name a file, such as {0}/report.html",
            printable(path.to_string_lossy().trim_end_matches('/'))
        ))),
        Some(path) if path.as_os_str() != "-" => Ok(Some(path)),
        _ => Ok(None),
    }
}

/// All records of a file, or of stdin for `-`.
fn read(file: &Path) -> Result<Vec<Record>, record::Error> {
    if file.as_os_str() != "-" {
        return Record::load_stream(file);
    }
    let of_stdin = |error: record::Error| record::Error {
        path: Some("stdin".into()),
        ..error
    };
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| of_stdin(record::ErrorKind::Read(error).into()))?;
    Record::stream_from_slice(&bytes).map_err(of_stdin)
}

enum Output {
    Html(Page),
    Markdown(MarkdownReport),
}

impl Output {
    fn add(&mut self, file: &str, record: Record) {
        match self {
            Self::Html(page) => page.add(file, &record),
            Self::Markdown(report) => report.add(file, record),
        }
    }

    fn write(self, out: &mut dyn Write) -> Result<(), PageError> {
        match self {
            Self::Html(page) => page.write(out),
            Self::Markdown(report) => report.write(out),
        }
    }
}

/// What the records hold of what can be asked for.
#[derive(Default)]
struct Seen {
    records: usize,
    variants: BTreeSet<String>,
    contexts: BTreeSet<Context>,
}

impl Seen {
    fn see(&mut self, record: &Record) {
        self.records += 1;
        for variant in &record.variants {
            if !self.variants.contains(&variant.name) {
                self.variants.insert(variant.name.clone());
            }
        }
        self.contexts.extend(record.contexts());
    }

    /// Refuses where there is nothing to report, or what was asked for is in no record at all.
    /// Records that lack it beside others that have it are named in the report itself.
    fn check(&self, typed: &Report) -> Result<(), Refusal> {
        let mut refusal = Refusal::default();
        if self.records == 0 {
            refusal.messages.push(PageError::NoRecords.to_string());
            return Err(refusal);
        }
        if let Some(baseline) = &typed.baseline
            && !self.variants.contains(baseline)
        {
            let names: Vec<String> = self.variants.iter().map(|name| printable(name)).collect();
            refusal.messages.push(format!(
                "--baseline {}: no record has this variant; there are {}",
                printable(baseline),
                names.join(", ")
            ));
        }
        if let Some(between) = typed.between
            && !self.contexts.contains(&between)
        {
            let words: Vec<&str> = self.contexts.iter().map(|context| context.word()).collect();
            refusal.messages.push(format!(
                "--between {between}: nothing was measured in this context; there is {}",
                words.join(", ")
            ));
        }
        refusal.check()
    }
}

fn write(output: Output, target: Option<&Path>, terminal: &Terminal) -> Result<()> {
    // The kind of the stream's own error decides how the program ends, so it is not wrapped.
    let unwrapped = |error| match error {
        PageError::Write(error) => anyhow::Error::from(error),
        other => anyhow::Error::from(other),
    };
    match target {
        Some(path) => record::replace_file(path, |out| output.write(out))
            .map_err(unwrapped)
            .with_context(|| format!("cannot write {}", path.display())),
        None => {
            let mut bytes = Vec::new();
            output.write(&mut bytes).map_err(unwrapped)?;
            terminal.data(&bytes)?;
            Ok(())
        }
    }
}
