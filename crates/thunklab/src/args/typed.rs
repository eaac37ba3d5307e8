//! What was typed: options as clap reads them, without looking at any file.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use record::Context;

use super::probe::Probe;
use super::{Setting, Share, Span, examples, word};

const EXAMPLES: &str = "\
Examples:
  thunklab                                    time clear_bhb_loop on this CPU
  thunklab run ./mine.S --only 'al-*'         time your own variants
  thunklab run clear_bhb_loop --set OUTER=5,12 --set INNER=5..7 -o results
  thunklab diff results/zen5/x.json results/icelake/x.json
  thunklab listing clear_bhb_loop --variant ah-al
  thunklab report results -o report.html      one page of all records
  thunklab list                               what is shipped

Exit status: 0 done; 1 a variant failed, or --fail-on found what it looks for;
2 the input or the call was wrong, nothing was run; 130 interrupted.";

const RUN_EXAMPLES: &str = "\
Examples:
  thunklab run                                clear_bhb_loop, its table in about a second
  thunklab run retpoline fences               two shipped sequences, one after the other
  thunklab run mine.S --baseline old          what every variant is compared with
  thunklab run clear_bhb_loop --set OUTER=1..16 --set INNER=5,7
  thunklab run retpoline --grid --time 5s     every listed value of every param
  git show HEAD:sequences/fences.S | thunklab run -
  thunklab run clear_bhb_loop -o results      results/<microarchitecture>/clear_bhb_loop.json";

/// Assembles CPU-vulnerability mitigation sequences at run time and times them on this CPU.
///
/// Without a command: `thunklab run clear_bhb_loop`.
#[derive(Debug, Parser)]
#[command(name = "thunklab", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Typed {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// No progress, no warnings.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Every interval, mode and discard, not only the bounds.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// A folder in which `#include` and `.include` look too.
    #[arg(short = 'I', value_name = "DIR", global = true)]
    pub(crate) include: Vec<PathBuf>,
    /// A scripted machine in place of this one, for tests of the program itself.
    #[arg(long, value_name = "FILE", global = true, hide = true)]
    pub(crate) fake: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Assemble, run, time and compare the variants of sequences.
    Run(Run),
    /// Compare records: variants on several machines, or before and after.
    Diff(Diff),
    /// One self-contained page of any number of records: variants by machines, with plots.
    Report(Report),
    /// Export what would run: offsets, bytes, instructions, source lines.
    Listing(Listing),
    /// Assemble a file as GNU as would.
    Assemble(Assemble),
    /// Everything but running: all errors and warnings of sequences, with their places.
    Check(Check),
    /// The shipped sequences, their variants and params.
    List(List),
    /// Does each variant displace the branch history on this CPU; how long is that history.
    Probe(Probe),
    /// This machine: what it is, what can and cannot be measured on it, and why.
    Machine(MachineFacts),
    /// The JSON Schema of a record.
    Schema,
    /// Completions of the command line for a shell.
    Completions(Completions),
    /// Manual pages, for `man`.
    Man(Manual),
}

/// Which params of a sequence, shared by the commands that take a sequence.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What is assembled")]
pub(crate) struct Assembly {
    /// Values of a param: integers, `A..B` (both ends included) or listed words. Several give the
    /// product.
    #[arg(long = "set", value_name = "NAME=V[,V...]", allow_hyphen_values = true)]
    pub(crate) set: Vec<Setting>,
    /// An X86_FEATURE_ word in force for ALTERNATIVE.
    #[arg(long = "feature", value_name = "X86_FEATURE_...", value_parser = word::feature)]
    pub(crate) features: Vec<String>,
    /// A CONFIG_ word in force for #ifdef and IS_ENABLED.
    #[arg(long = "config", value_name = "CONFIG_...[=V]", value_parser = word::config)]
    pub(crate) configs: Vec<String>,
    /// Seed of every random choice; the symbol SEED. Chosen anew and recorded if absent.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = word::seed)]
    pub(crate) seed: Option<u64>,
}

/// `thunklab run`
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    /// Paths, `-` for stdin, or names of shipped sequences.
    #[arg(value_name = "SEQUENCE", default_value = "clear_bhb_loop")]
    pub(crate) sequences: Vec<String>,
    #[command(flatten)]
    pub(crate) assembly: Assembly,
    /// Every listed value of every param that is not --set.
    #[arg(long, help_heading = "What is assembled")]
    pub(crate) grid: bool,
    /// Only variants whose name matches; the baseline always stays.
    #[arg(long, value_name = "GLOB", help_heading = "What is assembled")]
    pub(crate) only: Option<String>,
    /// The variant that the others are compared with.
    #[arg(long, value_name = "VARIANT", help_heading = "What is assembled")]
    pub(crate) baseline: Option<String>,
    /// Contexts: chained, overlap, isolated, history.
    #[arg(
        long,
        value_name = "WORD[,WORD...]",
        value_delimiter = ',',
        help_heading = "How it is timed"
    )]
    pub(crate) between: Vec<Context>,
    /// CPU to run on, or one of each core type.
    #[arg(
        long,
        value_name = "N|each-kind",
        allow_hyphen_values = true,
        help_heading = "How it is timed"
    )]
    pub(crate) cpu: Option<Cpu>,
    /// Wall time for each sequence.
    #[arg(
        long,
        value_name = "T",
        default_value = "0.8s",
        allow_hyphen_values = true,
        help_heading = "How it is timed"
    )]
    pub(crate) time: Span,
    /// Stop earlier, when every interval is within plus or minus this.
    #[arg(
        long,
        value_name = "PERCENT",
        allow_hyphen_values = true,
        help_heading = "How it is timed"
    )]
    pub(crate) precision: Option<Share>,
    /// Time the baseline against its own copies, and print this machine's noise floor.
    #[arg(long, help_heading = "How it is timed")]
    pub(crate) noise: bool,
    /// Repeat at N offsets in a cache line, and say which differences survive; shares --time.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        help_heading = "How it is timed"
    )]
    pub(crate) layouts: u32,
    /// Performance counters: events by name, raw code (r1a8) or PMU (cpu/event=0xa8,umask=0x1/).
    #[arg(
        long,
        value_name = "auto|none|EVENT,...",
        default_value = "auto",
        help_heading = "How it is timed"
    )]
    pub(crate) counters: String,
    /// Let the code make any system call, without the sandbox's filter in its time: for code you
    /// trust.
    #[arg(long, help_heading = "How it is timed")]
    pub(crate) allow_syscalls: bool,
    /// Run nothing where a part of the sandbox cannot be had; shipped code is filtered too.
    #[arg(long, help_heading = "How it is timed")]
    pub(crate) require_sandbox: bool,
    /// Give each variant worker processes of its own, which take turns: for files of variants that
    /// may spoil one another on purpose. Fewer rounds in the same time.
    #[arg(long, help_heading = "How it is timed")]
    pub(crate) apart: bool,
    /// Write the record: a file, a folder (`DIR/<microarchitecture>/<sequence>.json`), or `-`.
    #[arg(short, value_name = "FILE|DIR", help_heading = "What comes out")]
    pub(crate) output: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = TableFormat::Table, help_heading = "What comes out")]
    pub(crate) format: TableFormat,
}

/// `thunklab diff`
#[derive(Debug, Args)]
#[command(after_help = examples::DIFF)]
pub(crate) struct Diff {
    /// Records, or folders of records; two or more records in all.
    #[arg(value_name = "RESULT", required = true, num_args = 1..)]
    pub(crate) results: Vec<PathBuf>,
    /// The variant that the others are compared with on each machine.
    #[arg(long, value_name = "VARIANT", help_heading = "What is compared")]
    pub(crate) baseline: Option<String>,
    /// The context to compare in (the records' own if absent).
    #[arg(long, value_name = "WORD", help_heading = "What is compared")]
    pub(crate) between: Option<Context>,
    /// Smaller changes are no change.
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "2%",
        allow_hyphen_values = true,
        help_heading = "What comes out"
    )]
    pub(crate) threshold: Share,
    /// Exit with status 1 if there is one beyond the threshold.
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "What comes out")]
    pub(crate) fail_on: Option<FailOn>,
    /// How the comparison is printed.
    #[arg(long, value_enum, default_value_t = TableFormat::Table, help_heading = "What comes out")]
    pub(crate) format: TableFormat,
}

/// `thunklab report`
#[derive(Debug, Args)]
#[command(after_help = examples::REPORT)]
pub(crate) struct Report {
    /// Records, folders of records, or `-` for records on stdin.
    #[arg(value_name = "RESULT", required = true, num_args = 1..)]
    pub(crate) results: Vec<PathBuf>,
    /// The variant that the others are compared with on each machine.
    #[arg(long, value_name = "VARIANT", help_heading = "What is compared")]
    pub(crate) baseline: Option<String>,
    /// The context to compare in (the records' own if absent).
    #[arg(long, value_name = "WORD", help_heading = "What is compared")]
    pub(crate) between: Option<Context>,
    /// Where to write it; `-` is stdout.
    #[arg(short, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) output: Option<PathBuf>,
    /// A page for a browser, or text for a mail or a ticket.
    #[arg(long, value_enum, default_value_t = ReportFormat::Html, help_heading = "What comes out")]
    pub(crate) format: ReportFormat,
}

/// `thunklab completions`
#[derive(Debug, Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct Completions {
    /// Whose completions.
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `thunklab man`
#[derive(Debug, Args)]
#[command(after_help = examples::MANUAL)]
pub(crate) struct Manual {
    /// The command whose page is printed; the program's own if absent.
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub(crate) command: Option<String>,
    /// Write every page to this folder.
    #[arg(short, value_name = "DIR", help_heading = "What comes out")]
    pub(crate) output: Option<PathBuf>,
}

/// `thunklab listing`
#[derive(Debug, Args)]
#[command(after_help = examples::LISTING)]
pub(crate) struct Listing {
    /// A path, `-` for stdin, or the name of a shipped sequence.
    #[arg(value_name = "SEQUENCE")]
    pub(crate) sequence: String,
    #[command(flatten)]
    pub(crate) assembly: Assembly,
    /// Only this variant; a glob, too.
    #[arg(long, value_name = "NAME", help_heading = "What is assembled")]
    pub(crate) variant: Option<String>,
    /// Whose spelling of instructions.
    #[arg(long, value_enum, default_value_t = SyntaxWord::Att, help_heading = "What comes out")]
    pub(crate) syntax: SyntaxWord,
    /// text: for reading; source: fully expanded, for GNU as; object: ELF; raw: the bytes of .text.
    #[arg(long, value_enum, default_value_t = ListingFormat::Text, help_heading = "What comes out")]
    pub(crate) format: ListingFormat,
    /// Where to write it; `-` is stdout.
    #[arg(short, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) output: Option<PathBuf>,
}

/// `thunklab assemble`
#[derive(Debug, Args)]
#[command(after_help = examples::ASSEMBLE)]
pub(crate) struct Assemble {
    /// A .s file, a .S file (preprocessed first), or `-`.
    #[arg(value_name = "FILE.s")]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) assembly: Assembly,
    /// `x.bin` gets the bytes of .text; `-` is stdout.
    #[arg(short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// `thunklab check`
#[derive(Debug, Args)]
#[command(after_help = examples::CHECK)]
pub(crate) struct Check {
    /// Paths, `-` for stdin, or names of shipped sequences.
    #[arg(value_name = "SEQUENCE", required = true)]
    pub(crate) sequences: Vec<String>,
    #[command(flatten)]
    pub(crate) assembly: Assembly,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// `thunklab list`
#[derive(Debug, Args)]
pub(crate) struct List {
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// `thunklab machine`
#[derive(Debug, Args)]
#[command(after_help = examples::MACHINE)]
pub(crate) struct MachineFacts {
    /// The CPU to look at.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = word::cpu)]
    pub(crate) cpu: Option<u32>,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
}

/// Which CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cpu {
    /// This one.
    Number(u32),
    /// One of each core type.
    EachKind,
}

impl std::str::FromStr for Cpu {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "each-kind" {
            return Ok(Self::EachKind);
        }
        word::cpu(text)
            .map(Self::Number)
            .map_err(|wrong| format!("{wrong}; or `each-kind`"))
    }
}

/// What `diff --fail-on` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A variant that became slower.
    Regression,
}

/// Formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For a terminal or a mail.
    Table,
    /// A Markdown table.
    Markdown,
    /// One row per variant and context.
    Csv,
    /// One object per line.
    Json,
}

/// Formats of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One self-contained page.
    Html,
    /// Tables.
    Markdown,
}

/// Formats of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormat {
    /// For reading.
    Text,
    /// For scripts.
    Json,
}

/// Formats of listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListingFormat {
    /// For reading.
    Text,
    /// Fully expanded text that GNU as assembles to the same bytes.
    Source,
    /// An ELF relocatable.
    Object,
    /// The bytes of .text.
    Raw,
    /// For scripts.
    Json,
}

/// Spellings of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SyntaxWord {
    /// AT&T, as the kernel has it.
    Att,
    /// GNU's Intel syntax.
    Intel,
    /// NASM.
    Nasm,
    /// MASM.
    Masm,
}
