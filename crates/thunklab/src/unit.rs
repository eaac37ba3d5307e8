//! From a sequence's name to assembled code: the part that every command on sequences shares.

use std::collections::BTreeSet;
use std::sync::Arc;

use assemble::{Code, Item, ItemKind, SectionId, SymbolPlace};
use sequence::{Configs, Diagnostic, Entry, Options, Program, Sequence, Severity};

use crate::args::typed::{Assembly, Common};
use crate::args::{Point, Sweep};
use crate::input::{self, Includes, Input};
use crate::outcome::Refusal;

/// Symbols that the image defines for every sequence.
const PROVIDED: [&str; 3] = ["scratch", "entry_stack", "entry_stack_top"];

/// Most that all variants of a command may come to together, bytes: each alone is held below 64 MiB by
/// the assembler, and a file can have a hundred thousand of them.
const MOST_TOGETHER: u64 = 128 << 20;
/// What a section is counted for besides its contents, bytes.
const SECTION: u64 = 256;

/// A sequence file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// What it says.
    pub(crate) sequence: Sequence,
    /// Where its includes come from.
    includes: Includes,
}

/// One variant at one set of params, assembled.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Which.
    pub(crate) point: Point,
    /// Its code.
    pub(crate) code: Arc<Code>,
    /// What the assembler had to say.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Memory that a unit takes, roughly.
fn held_by(unit: &Unit) -> u64 {
    let sections = unit.code.sections.iter();
    sections.map(|section| section.size + SECTION).sum()
}

impl Source {
    /// Reads what `argument` names.
    ///
    /// # Errors
    /// All errors of the file, or that there is none.
    pub(crate) fn read(
        argument: &str,
        assembly: &Assembly,
        common: &Common,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let input = input::read(argument).map_err(Refusal::because)?;
        let mut includes = Includes::new(common.include.clone());
        let options = Options {
            configs: configs(assembly),
            plain: input.is_plain(),
            seed,
        };
        match Sequence::read(&input.file, &input.text, &mut includes, &options) {
            Ok(sequence) => Ok(Self { sequence, includes }),
            Err(mut found) => {
                found.extend(errors_further_in(&input, &mut includes, &options));
                Err(found.into())
            }
        }
    }

    /// The points of `--set` and `--grid`.
    ///
    /// # Errors
    /// Every setting that does not fit the file.
    pub(crate) fn sweep(&self, assembly: &Assembly, grid: bool) -> Result<Sweep, Refusal> {
        Sweep::new(&self.sequence, &assembly.set, grid).map_err(|messages| Refusal {
            diagnostics: Vec::new(),
            messages,
        })
    }

    /// The translation unit of one point.
    pub(crate) fn program(&self, point: &Point) -> Program {
        self.sequence.program(point.variant, &point.params)
    }

    /// Its text, and those of the includes that were read so far.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts = self.includes.texts();
        texts.push(self.sequence.text.to_string());
        texts
    }

    /// Where its includes are found.
    pub(crate) fn includes(&self) -> Includes {
        self.includes.clone()
    }

    /// Assembles every point.
    ///
    /// # Errors
    /// All errors of all points; those of the common lines once for each point.
    pub(crate) fn assemble(&self, points: &[Point]) -> Result<Vec<Unit>, Refusal> {
        let mut units = Vec::with_capacity(points.len());
        let mut wrong = Vec::new();
        let mut bytes = 0;
        for point in points {
            match self.assemble_one(point) {
                Ok(unit) => {
                    bytes += held_by(&unit);
                    if bytes > MOST_TOGETHER {
                        return Err(Refusal::because(format!(
                            "{}: up to `{}`, the variants come to more than {} MiB together; choose \
                             some of them with --only, or make them smaller",
                            self.sequence.name,
                            point.label(&self.sequence),
                            MOST_TOGETHER >> 20
                        )));
                    }
                    units.push(unit);
                }
                Err(diagnostics) => wrong.extend(diagnostics),
            }
        }
        if wrong.is_empty() {
            Ok(units)
        } else {
            Err(wrong.into())
        }
    }

    /// Assembles one point.
    ///
    /// # Errors
    /// All of its errors.
    pub(crate) fn assemble_one(&self, point: &Point) -> Result<Unit, Vec<Diagnostic>> {
        let unit = self.assemble_object(point)?;
        match self.problem(&unit) {
            Some(problem) => Err(vec![problem]),
            None => Ok(unit),
        }
    }

    /// Assembles one point that need not be possible to run: it may be data alone.
    ///
    /// # Errors
    /// All of its errors.
    pub(crate) fn assemble_object(&self, point: &Point) -> Result<Unit, Vec<Diagnostic>> {
        let mut program = self.program(point);
        let assembled = assemble::assemble(&mut program, &mut self.includes())?;
        Ok(Unit {
            point: point.clone(),
            code: Arc::new(assembled.code),
            warnings: assembled.warnings,
        })
    }

    /// What makes code that assembles impossible to run.
    fn problem(&self, unit: &Unit) -> Option<Diagnostic> {
        let variant = &self.sequence.variants[unit.point.variant];
        let text = unit.code.section(".text");
        if text.is_none_or(|(_, text)| text.size == 0) {
            return Some(self.error_at(
                variant.line,
                format!("variant `{}` has no code in .text", variant.name),
                String::from("instructions after a `.data` need a `.text` before them"),
            ));
        }
        match &variant.entry {
            Entry::Call(Some(symbol)) if unit.code.symbol(symbol).is_none() => Some(self.error_at(
                variant.line,
                format!("the entry `{symbol}` is not defined in `{}`", variant.name),
                format!("write `{symbol}:` before the function's first instruction"),
            )),
            Entry::Inline => {
                let (id, text) = text?;
                // Copies of an inline body stand at the same address modulo 64, so an alignment
                // inside would move what follows from copy to copy.
                (text.align > 1).then(|| {
                    let is_padding =
                        |item: &&Item| item.section == id && item.kind == ItemKind::Padding;
                    let padding = unit.code.items.iter().find(is_padding);
                    self.error_at(
                        padding.map_or(variant.line, |item| item.line),
                        format!("`{}` aligns something inside an inline body", variant.name),
                        String::from("use `#: entry call`, or `#: align` for the first byte"),
                    )
                })
            }
            Entry::Call(_) => None,
        }
    }

    /// Symbols that are loaded with the code and that neither the unit nor the image defines, each
    /// where it is first used. A linker might know them; a run does not.
    pub(crate) fn undefined_symbols(&self, unit: &Unit) -> Vec<Diagnostic> {
        const ALLOCATED: u64 = 2;
        let code = &unit.code;
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (id, section) in (0..).map(SectionId).zip(&code.sections) {
            if section.flags & ALLOCATED == 0 {
                continue;
            }
            for relocation in &section.relocations {
                let symbol = &code.symbols[relocation.symbol as usize];
                if symbol.place != SymbolPlace::Undefined
                    || PROVIDED.contains(&symbol.name.as_str())
                    || !seen.insert(symbol.name.as_str())
                {
                    continue;
                }
                let item = u32::try_from(relocation.offset)
                    .ok()
                    .and_then(|offset| code.item_at(id, offset));
                found.push(self.undefined(code, item, &symbol.name));
            }
        }
        found
    }

    /// The error of a symbol that is not defined, at the item that uses it.
    fn undefined(&self, code: &Code, item: Option<&Item>, name: &str) -> Diagnostic {
        let line = item.map_or(0, |item| item.line);
        let mut error = self.error_at(
            line,
            format!("the symbol `{name}` is not defined"),
            format!(
                "define it in this variant or in the common lines; the image provides {}",
                PROVIDED.join(", ")
            ),
        );
        let file = item.and_then(|item| code.files.get(item.file as usize));
        if let Some(file) = file.filter(|file| **file != self.sequence.file) {
            error.file.clone_from(file);
            error.text = String::new();
            error.column = 1;
            error.width = 1;
        } else if let Some(at) = find_word(&error.text, name) {
            let column = error.text[..at].chars().count() + 1;
            error.column = u32::try_from(column).unwrap_or(1);
            error.width = u32::try_from(name.chars().count()).unwrap_or(1);
        }
        error
    }

    /// An error of a whole line.
    fn error_at(&self, line: u32, message: String, help: String) -> Diagnostic {
        let text = self
            .sequence
            .text
            .lines()
            .nth(line.saturating_sub(1) as usize);
        let text = text.unwrap_or_default();
        let indent = text.chars().take_while(|c| c.is_whitespace()).count();
        let width = text.chars().count() - indent;
        Diagnostic {
            file: self.sequence.file.clone(),
            line,
            column: u32::try_from(indent + 1).unwrap_or(1),
            width: u32::try_from(width).unwrap_or(1).max(1),
            severity: Severity::Error,
            message,
            help,
            text: text.to_owned(),
            notes: Vec::new(),
        }
    }
}

/// Where `word` stands in a line as a name by itself.
fn find_word(line: &str, word: &str) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    line.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !line[..at].ends_with(is_name) && !line[at + word.len()..].starts_with(is_name))
}

/// Errors of the assembler text of a file whose structured comments have errors already, so that
/// nobody has to mend those first to see them.
fn errors_further_in(input: &Input, includes: &mut Includes, options: &Options) -> Vec<Diagnostic> {
    let sequence = Sequence::read_despite_errors(&input.file, &input.text, includes, options);
    let Some(sequence) = sequence else {
        return Vec::new();
    };
    let params = sequence.default_params();
    let units = (0..sequence.variants.len()).map(|index| sequence.program(index, &params));
    let results = units.map(|mut program| assemble::assemble(&mut program, includes));
    results.filter_map(Result::err).flatten().collect()
}

impl Unit {
    /// The bytes of .text, before relocation.
    pub(crate) fn text(&self) -> &[u8] {
        self.code
            .section(".text")
            .map_or(&[], |(_, text)| &text.bytes)
    }
}

/// `--config` and `--feature` as the preprocessor goes by them.
fn configs(assembly: &Assembly) -> Configs {
    let configs = assembly.configs.iter().map(|config| {
        let (name, value) = config.split_once('=').unwrap_or((config, "y"));
        (name.to_owned(), value.to_owned())
    });
    Configs {
        configs: configs.collect(),
        features: assembly.features.clone(),
    }
}
