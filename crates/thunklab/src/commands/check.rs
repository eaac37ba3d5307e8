//! `thunklab check`: everything but running.

use anyhow::Result;
use record::Finding;
use sequence::{Diagnostic, Severity};

use crate::args::typed::{Check, Common, TextFormat};
use crate::args::{Point, Selection, Sweep};
use crate::diagnostics;
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;
use crate::unasked::unasked;
use crate::unit::Source;

/// Points up to which every combination of listed values is assembled; beyond that, each value is
/// once, with the other params at their defaults.
const MOST_POINTS: usize = 2_000;
/// Values of all params together that are assembled one at a time where the grid has more points.
const MOST_VALUES: usize = 10_000;

/// What was found in all files.
#[derive(Default)]
struct Findings {
    diagnostics: Vec<Diagnostic>,
    messages: Vec<String>,
    /// One line for each file that is right.
    right: Vec<String>,
    /// Those files.
    sources: Vec<Source>,
}

/// Checks what was named, and says what is wrong with it.
pub(crate) fn check(typed: &Check, common: &Common, terminal: &Terminal) -> Result<Status> {
    let mut findings = Findings::default();
    for argument in &typed.sequences {
        findings.check(argument, typed, common);
    }
    let sources: Vec<&Source> = findings.sources.iter().collect();
    terminal.warn(unasked(&sources, &typed.assembly));
    let Findings {
        diagnostics,
        messages,
        right,
        sources: _,
    } = findings;
    let diagnostics = diagnostics::distinct(diagnostics);
    let wrong = diagnostics::has_errors(&diagnostics) || !messages.is_empty();
    match typed.format {
        TextFormat::Text => {
            let mut text = String::new();
            for diagnostic in &diagnostics {
                text.push_str(&diagnostics::render(diagnostic, terminal.out_colour));
            }
            if !terminal.quiet {
                right.iter().for_each(|line| text.push_str(line));
            }
            terminal.data(text.as_bytes())?;
        }
        TextFormat::Json => {
            let findings: Vec<Finding> = diagnostics.iter().map(finding).collect();
            terminal.data(format!("{}\n", record::to_json_line(&findings)).as_bytes())?;
        }
    }
    if wrong {
        // The diagnostics are data here and were printed; what is left goes to stderr.
        return Err(Refusal {
            diagnostics: Vec::new(),
            messages,
        }
        .into());
    }
    Ok(Status::Done)
}

impl Findings {
    fn check(&mut self, argument: &str, typed: &Check, common: &Common) {
        match self.assemble_all(argument, typed, common) {
            Ok(line) => self.right.push(line),
            Err(refusal) => {
                self.diagnostics.extend(refusal.diagnostics);
                self.messages.extend(refusal.messages);
            }
        }
    }

    fn assemble_all(
        &mut self,
        argument: &str,
        typed: &Check,
        common: &Common,
    ) -> Result<String, Refusal> {
        let seed = typed.assembly.seed.unwrap_or_default();
        let source = Source::read(argument, &typed.assembly, common, seed)?;
        self.diagnostics.extend(source.sequence.warnings.clone());
        let units = source.assemble(&points(&source, typed)?)?;
        let mut undefined = Vec::new();
        for unit in &units {
            self.diagnostics.extend(unit.warnings.clone());
            undefined.extend(source.undefined_symbols(unit));
        }
        if !undefined.is_empty() {
            return Err(undefined.into());
        }
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let line = format!(
            "{}: {}, assembled at {}\n",
            source.sequence.file,
            count(source.sequence.variants.len(), "variant"),
            count(units.len(), "point"),
        );
        self.sources.push(source);
        Ok(line)
    }
}

fn points(source: &Source, typed: &Check) -> Result<Vec<Point>, Refusal> {
    let every =
        |sweep: &Sweep| Selection::plain(&source.sequence, sweep, None).map_err(Refusal::because);
    if !typed.assembly.set.is_empty() {
        return every(&source.sweep(&typed.assembly, false)?);
    }
    if let Ok(grid) = source.sweep(&typed.assembly, true) {
        let points = every(&grid)?;
        if points.len() <= MOST_POINTS {
            return Ok(points);
        }
    }
    let one_at_a_time = Sweep::one_at_a_time(&source.sequence);
    let values = one_at_a_time.points.len();
    if values > MOST_VALUES {
        return Err(Refusal::because(format!(
            "{}: {values} values of its params are more than are assembled, which is {MOST_VALUES}: \
             choose some by --set",
            source.sequence.file
        )));
    }
    every(&one_at_a_time)
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    Finding {
        file: diagnostic.file.clone(),
        line: diagnostic.line,
        column: diagnostic.column,
        severity: match diagnostic.severity {
            Severity::Warning => record::Severity::Warning,
            Severity::Error => record::Severity::Error,
        },
        message: diagnostic.message.clone(),
        help: Some(diagnostic.help.clone()).filter(|help| !help.is_empty()),
    }
}
