//! From a sequence's name to assembled code: the part that every command on sequences shares.

use std::sync::Arc;

use assemble::Code;
use sequence::{Configs, Diagnostic, Options, Problem, Program, Sequence, Severity};

use crate::args::typed::{Assembly, Common};
use crate::args::{Point, Sweep};
use crate::input::{self, Includes};
use crate::outcome::Refusal;

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
        let mut includes = Includes {
            folders: common.include.clone(),
        };
        let options = Options {
            configs: configs(assembly),
            plain: input.is_plain(),
            seed,
        };
        let sequence = Sequence::read(&input.file, &input.text, &mut includes, &options)?;
        Ok(Self { sequence, includes })
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
        for point in points {
            match self.assemble_one(point) {
                Ok(unit) => units.push(unit),
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
        let mut program = self.program(point);
        let assembled = assemble::assemble(&mut program, &mut self.includes())?;
        let unit = Unit {
            point: point.clone(),
            code: Arc::new(assembled.code),
            warnings: assembled.warnings,
        };
        match self.problem(&unit) {
            Some(problem) => Err(vec![self.at_variant(point, problem)]),
            None => Ok(unit),
        }
    }

    /// What makes code that assembles impossible to run.
    fn problem(&self, unit: &Unit) -> Option<Problem> {
        let variant = &self.sequence.variants[unit.point.variant];
        let text = unit.code.section(".text").map_or(0, |(_, text)| text.size);
        let (message, help) = if text == 0 {
            (
                format!("variant `{}` has no code in .text", variant.name),
                String::from("instructions after a `.data` need a `.text` before them"),
            )
        } else if let sequence::Entry::Call(Some(symbol)) = &variant.entry
            && unit.code.symbol(symbol).is_none()
        {
            (
                format!("the entry `{symbol}` is not defined in `{}`", variant.name),
                format!("write `{symbol}:` before the function's first instruction"),
            )
        } else {
            return None;
        };
        Some(Problem {
            severity: Severity::Error,
            message,
            help,
            at: None,
        })
    }

    /// A problem of a whole variant, shown at the line that declares it.
    fn at_variant(&self, point: &Point, problem: Problem) -> Diagnostic {
        let line = self.sequence.variants[point.variant].line;
        let text = self
            .sequence
            .text
            .lines()
            .nth(line.saturating_sub(1) as usize);
        let text = text.unwrap_or_default().to_owned();
        Diagnostic {
            file: self.sequence.file.clone(),
            line,
            column: 1,
            width: u32::try_from(text.chars().count()).unwrap_or(1).max(1),
            severity: problem.severity,
            message: problem.message,
            help: problem.help,
            text,
            notes: Vec::new(),
        }
    }
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
