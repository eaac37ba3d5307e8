//! How a run's result is printed.

use std::io;

use record::Record;

use crate::args::typed::TableFormat;
use crate::terminal::Terminal;

use super::noise::Noise;
use super::order::{Order, Output};

/// Prints a record as it was asked for, after `before` others.
pub(crate) fn record(
    record: &Record,
    noise: &Noise,
    order: &Order,
    before: usize,
    terminal: &Terminal,
) -> io::Result<()> {
    if order.output == Output::Stdout {
        return terminal.stream(|out| record.write_text(out));
    }
    let mut text = match order.format {
        TableFormat::Table => report::run_table(record, &terminal.style),
        TableFormat::Markdown => report::run_markdown(record, terminal.style.verbose),
        TableFormat::Csv => {
            let csv = report::run_csv(&[record]);
            match csv.split_once('\n') {
                // One head for all.
                Some((_, rows)) if before > 0 => rows.to_owned(),
                _ => csv,
            }
        }
        TableFormat::Json => {
            return terminal.stream(|out| {
                record.write_line(out)?;
                out.write_all(b"\n")
            });
        }
    };
    if order.noise && order.format == TableFormat::Table {
        text.push_str(&floor(noise));
    }
    if before > 0 && matches!(order.format, TableFormat::Table | TableFormat::Markdown) {
        text.insert(0, '\n');
    }
    terminal.data(text.as_bytes())
}

/// What `--noise` was asked for: how far apart the baseline and its own copies were.
fn floor(noise: &Noise) -> String {
    let mut text =
        String::from("\nNoise floor of this run, the baseline against two copies of itself:\n");
    for (context, seen) in noise.seen() {
        text.push_str(&format!("  {context:<9} {:.2} %\n", seen * 100.0));
    }
    text.push_str(&format!(
        "Verdicts go by these, and by {:.1} % where they are less.\n",
        noise.least() * 100.0
    ));
    text
}
