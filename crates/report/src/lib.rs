//! Records as text: tables for terminals and mails, Markdown, CSV.
//!
//! Pure: what is shown comes from the [`record::Record`] (or the [`record::Diff`]) and the
//! [`Style`] alone. A record may come from a stranger, so nothing of it reaches the output with
//! anything that a terminal, a Markdown renderer or a table would act on.

mod against;
mod columns;
mod counted;
mod counts;
mod diff_table;
mod diff_text;
mod heading;
mod html;
mod markdown;
mod modes;
mod notes;
mod number;
mod placements;
mod report_markdown;
mod run_csv;
mod run_detail;
mod run_markdown;
mod run_table;
mod style;
mod text;
mod unit;

pub use diff_table::diff_table;
pub use diff_text::{diff_csv, diff_markdown};
pub use html::{Page, PageError, PageOptions, page};
pub use report_markdown::MarkdownReport;
pub use run_csv::run_csv;
pub use run_markdown::run_markdown;
pub use run_table::run_table;
pub use style::Style;
