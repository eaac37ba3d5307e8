//! `thunklab probe`, as typed.

use clap::{Args, ValueEnum};

use super::typed::Assembly;
use super::word;

const EXAMPLES: &str = "\
Examples:
  thunklab probe clear_bhb_loop               every variant, at the first counts
  thunklab probe --length                     how much history this CPU holds
  thunklab probe clear_bhb_loop --set OUTER=5,12 --set INNER=5,7 --only 'al-*'
  thunklab probe clear_bhb_loop --set OUTER=1..16 --set INNER=1..9
                                              a map of counts, of the baseline
                                              unless --only names others

Each variant runs between a marker (a branch on a random bit) and one indirect
jump. Displaced: the jump can no longer be predicted by the marker. Kept: it can.
That holds for user mode, this process, this CPU, now; it is no vendor's criterion.";

/// `thunklab probe`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Probe {
    /// A path, `-` for stdin, or the name of a shipped sequence.
    #[arg(value_name = "SEQUENCE")]
    pub(crate) sequence: Option<String>,
    /// Sweep filler branches for this CPU's history length, and show the sweep.
    #[arg(long)]
    pub(crate) length: bool,
    #[command(flatten)]
    pub(crate) assembly: Assembly,
    /// Only variants whose name matches.
    #[arg(long, value_name = "GLOB", help_heading = "What is assembled")]
    pub(crate) only: Option<String>,
    /// CPU to run on.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = word::cpu)]
    pub(crate) cpu: Option<u32>,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = ProbeFormat::Table)]
    pub(crate) format: ProbeFormat,
}

/// Formats of `probe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProbeFormat {
    /// For a terminal or a mail.
    Table,
    /// One object.
    Json,
}
