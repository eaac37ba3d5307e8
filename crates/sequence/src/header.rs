//! The structured comments: what a sequence file says of itself.

use std::collections::BTreeMap;

use crate::{Diagnostic, Program, Reader};

/// Which contexts a sequence is timed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Context {
    /// Back to back.
    Chained,
    /// The 15 general registers zeroed before each run.
    Overlap,
    /// An `lfence` after each run.
    Isolated,
    /// Behind 24 random branches, then `lfence`.
    History,
}

/// How a variant is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Called at this symbol, or at its first byte in `.text`.
    Call(Option<String>),
    /// Straight-line code that falls through.
    Inline,
}

/// The seccomp filter that a variant's system calls run under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Filter {
    /// No filter.
    None,
    /// A lone ALLOW, which the kernel answers from its cache.
    Cached,
    /// This many instructions that load `args[0]`.
    Accept(u32),
}

/// What must be there for a variant to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// A CPU feature in /proc/cpuinfo's spelling.
    Feature(String),
    /// `ring0`
    Ring0,
}

/// A param's kind and listed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Integers: the symbol NAME.
    Integers(Vec<i64>),
    /// Words: symbols `NAME_WORD` = 0, 1, 2 ... and NAME = the chosen one.
    Words(Vec<String>),
}

/// `#: param NAME V...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The assembler symbol.
    pub name: String,
    /// Values as listed; the first is the default.
    pub kind: ParamKind,
}

/// Values chosen, by name: an integer's decimal text or a word.
pub type Params = BTreeMap<String, String>;

/// Element width of a random table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its width's name")]
pub enum Width {
    Byte,
    Word,
    Long,
}

/// `#: random SYMBOL COUNT BELOW`: a table that the machine fills anew for every round. The table
/// is defined in `.data` by [`Program::walk`] (zeros, aligned to 64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    /// The symbol that names its first byte.
    pub symbol: String,
    /// Number of elements.
    pub count: u32,
    /// Each value is below this.
    pub below: u32,
    /// Width of an element.
    pub width: Width,
}

/// CONFIG_ words and X86_FEATURE_ words in force, from the file and the command line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Configs {
    /// `CONFIG_X` and its value (`y` where none was given).
    pub configs: BTreeMap<String, String>,
    /// `X86_FEATURE_X`
    pub features: Vec<String>,
}

/// How a file is read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// `--config` and `--feature`, in force beside the file's own.
    pub configs: Configs,
    /// A `.s` file: no preprocessor, and a line that looks like its directive is an error.
    pub plain: bool,
    /// `--seed`, the symbol SEED.
    pub seed: u64,
}

/// One variant as declared, with everything in force for it: its own keys over the common ones
/// over the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name, unique in the file.
    pub name: String,
    /// The text after the name.
    pub text: String,
    /// Line of its `#: variant`, from 1; 1 for the nameless variant of a file that declares none.
    pub line: u32,
    /// How it is entered.
    pub entry: Entry,
    /// Contexts it is timed in, in canonical order.
    pub between: Vec<Context>,
    /// Most copies in the timed loop, where stated.
    pub unroll: Option<u32>,
    /// Alignment of the first byte (64 by default).
    pub align: u32,
    /// Bytes inserted before it.
    pub offset: u32,
    /// What must be there.
    pub needs: Vec<Need>,
    /// Configs and features in force, the caller's included.
    pub configs: Configs,
    /// System calls it may make, by name.
    pub syscalls: Vec<String>,
    /// Filter they run under.
    pub filter: Option<Filter>,
    /// `probe history`
    pub probe_history: bool,
    /// Whether it has text in each block.
    pub has_setup: bool,
    /// See `has_setup`.
    pub has_before: bool,
    /// See `has_setup`.
    pub has_after: bool,
}

/// One sequence file, read. See [`Sequence::read`].
#[derive(Clone, Debug)]
pub struct Sequence {
    /// File name as given by the caller.
    pub file: String,
    /// Name: the file's stem, `-` for stdin.
    pub name: String,
    /// `title`, empty if absent.
    pub title: String,
    /// `about` lines.
    pub about: Vec<String>,
    /// `source` lines.
    pub sources: Vec<String>,
    /// Params in order.
    pub params: Vec<Param>,
    /// Random tables.
    pub randoms: Vec<Random>,
    /// Name of the baseline variant (the first if the file names none).
    pub baseline: String,
    /// Context of the verdicts: as stated, else by the baseline's entry.
    pub verdict: Context,
    /// Variants in order; never empty.
    pub variants: Vec<Variant>,
    /// The file's text as read.
    pub text: String,
    /// Warnings found while reading.
    pub warnings: Vec<Diagnostic>,
    // The preprocessed text of each variant is added here by its implementation.
}

impl Sequence {
    /// Reads a file's text: structured comments, preprocessor, the split into variants. A file
    /// without `#: variant` has one variant that is named after the file.
    ///
    /// # Errors
    /// All errors of the structured comments and the preprocessor at once.
    pub fn read(
        _file: &str,
        _text: &str,
        _reader: &mut dyn Reader,
        _options: &Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        Err(Vec::new())
    }

    /// Default values of all params.
    #[must_use]
    pub fn default_params(&self) -> Params {
        Params::new()
    }

    /// The translation unit of variant `index` at `params` (absent names take their defaults).
    #[must_use]
    pub fn program(&self, _index: usize, _params: &Params) -> Program {
        Program {}
    }
}
