//! How a run's result is printed.

use std::io;

use record::Record;

use crate::args::typed::{Common, TableFormat};
use crate::terminal::Terminal;

use super::order::{Order, Output};

/// Prints a record as it was asked for.
pub(crate) fn record(
    record: &Record,
    order: &Order,
    _common: &Common,
    terminal: &Terminal,
) -> io::Result<()> {
    if order.output == Output::Stdout {
        return terminal.data(record.to_text().as_bytes());
    }
    let text = match order.format {
        TableFormat::Json => format!("{}\n", record.to_line()),
        _ => String::new(),
    };
    terminal.data(text.as_bytes())
}
