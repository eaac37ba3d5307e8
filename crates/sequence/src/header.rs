//! The structured comments: what a sequence file says of itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::frames::{Frames, SourceFile};
use crate::program::Piece;
use crate::{Diagnostic, Program, Reader, Severity};

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
    pub text: Arc<str>,
    /// Warnings found while reading.
    pub warnings: Vec<Diagnostic>,
    /// The preprocessed text of each variant, index for index.
    pub(crate) units: Vec<Unit>,
    pub(crate) seed: u64,
    pub(crate) plain: bool,
}

/// The text of one variant's translation unit.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Common pieces, then its own.
    pub(crate) pieces: Vec<Piece>,
    /// The file and what it includes.
    pub(crate) files: Arc<[SourceFile]>,
    /// X86_FEATURE_ words in force.
    pub(crate) features: Arc<BTreeSet<String>>,
    /// Lines of the file that are patches, first and last.
    pub(crate) patches: Arc<[(u32, u32)]>,
}

impl Sequence {
    /// Reads a file's text: structured comments, preprocessor, the split into variants. A file
    /// without `#: variant` has one variant that is named after the file.
    ///
    /// # Errors
    /// All errors of the structured comments and the preprocessor at once.
    pub fn read(
        file: &str,
        text: &str,
        reader: &mut dyn Reader,
        options: &Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        match crate::read::read(file, text, reader, options) {
            (Some(mut sequence), found) if !is_wrong(&found) => {
                sequence.warnings = found;
                Ok(sequence)
            }
            (_, found) => Err(found),
        }
    }

    /// What can be read of a file that [`Sequence::read`] refuses, to look for errors further in,
    /// so that all are told at the same time. `None` where that would only lead to errors which are
    /// none. It is not to be run.
    #[must_use]
    pub fn read_despite_errors(
        file: &str,
        text: &str,
        reader: &mut dyn Reader,
        options: &Options,
    ) -> Option<Self> {
        crate::read::read(file, text, reader, options).0
    }

    /// Default values of all params.
    #[must_use]
    pub fn default_params(&self) -> Params {
        self.params
            .iter()
            .map(|param| (param.name.clone(), param.default()))
            .collect()
    }

    /// The param of this name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The index of the variant of this name.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<usize> {
        self.variants
            .iter()
            .position(|variant| variant.name == name)
    }

    /// All params' values where some are chosen: the others take their defaults. Integers are
    /// written in decimal.
    ///
    /// # Errors
    /// A sentence for each name that is no param and each value that a param cannot take.
    pub fn resolve_params(&self, chosen: &Params) -> Result<Params, Vec<String>> {
        let mut params = self.default_params();
        let mut errors = Vec::new();
        for (name, value) in chosen {
            let Some(param) = self.param(name) else {
                let names: Vec<&str> = self
                    .params
                    .iter()
                    .map(|param| param.name.as_str())
                    .collect();
                errors.push(
                    match (crate::nearest::nearest(name, &names), names.is_empty()) {
                        (Some(found), _) => {
                            format!("there is no param `{name}`; did you mean `{found}`?")
                        }
                        (None, true) => {
                            format!("there is no param `{name}`: this sequence has none")
                        }
                        (None, false) => {
                            format!("there is no param `{name}`: there are {}", names.join(", "))
                        }
                    },
                );
                continue;
            };
            match param.check(value) {
                Ok(value) => {
                    params.insert(name.clone(), value);
                }
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(params)
        } else {
            Err(errors)
        }
    }

    /// The translation unit of variant `index` at `params`. Names that are absent and values that
    /// [`Sequence::resolve_params`] refuses take their defaults.
    ///
    /// # Panics
    /// If there is no such variant.
    #[must_use]
    pub fn program(&self, index: usize, params: &Params) -> Program {
        let unit = &self.units[index];
        let mut symbols = Vec::new();
        for param in &self.params {
            let value = params
                .get(&param.name)
                .and_then(|value| param.check(value).ok())
                .unwrap_or_else(|| param.default());
            match &param.kind {
                ParamKind::Integers(_) => {
                    symbols.push((param.name.clone(), value.parse().unwrap_or_default()));
                }
                ParamKind::Words(words) => {
                    let mut chosen = 0;
                    for (number, word) in (0_i64..).zip(words) {
                        symbols.push((format!("{}_{word}", param.name), number));
                        if *word == value {
                            chosen = number;
                        }
                    }
                    symbols.push((param.name.clone(), chosen));
                }
            }
        }
        Program {
            frames: Frames::new(unit.files.to_vec()).with_patches(Arc::clone(&unit.patches)),
            pieces: unit.pieces.clone(),
            symbols,
            seed: self.seed,
            randoms: self.randoms.clone(),
            features: Arc::clone(&unit.features),
            plain: self.plain,
            lost: false,
        }
    }
}

fn is_wrong(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

impl Param {
    /// The first listed value, as text.
    #[must_use]
    pub fn default(&self) -> String {
        match &self.kind {
            ParamKind::Integers(values) => values.first().copied().unwrap_or_default().to_string(),
            ParamKind::Words(words) => words.first().cloned().unwrap_or_default(),
        }
    }

    /// A value in its canonical text: an integer in decimal (which need not be listed), or a
    /// listed word.
    ///
    /// # Errors
    /// A sentence that says what would be a value.
    pub fn check(&self, value: &str) -> Result<String, String> {
        match &self.kind {
            ParamKind::Integers(_) => match integer(value) {
                Some(value) => Ok(value.to_string()),
                None => Err(format!(
                    "`{value}` is no value of the param {}: it takes integers of 64 bits",
                    self.name
                )),
            },
            ParamKind::Words(words) if words.iter().any(|word| word == value) => {
                Ok(value.to_owned())
            }
            ParamKind::Words(words) => Err(format!(
                "`{value}` is no value of the param {}: it takes {}",
                self.name,
                words.join(", ")
            )),
        }
    }
}

/// A signed integer of at most 64 bits, decimal or hexadecimal.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if !digits.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    let magnitude = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse().ok()?,
    };
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}
