//! `thunklab listing`: what would run.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use ::assemble::{Code, Line, ListingSyntax, SectionId};
use anyhow::Result;
use record::{Listing as Listed, ListingLine, harmless};

use crate::args::typed::{Common, Listing, ListingFormat, SyntaxWord};
use crate::args::{Point, Selection};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;
use crate::unasked::unasked;
use crate::unit::{Source, Unit};
use crate::words;

use super::assemble::{object, write};

/// Writes what was asked for of the variants that were named.
pub(crate) fn listing(typed: &Listing, common: &Common, terminal: &Terminal) -> Result<Status> {
    let seed = typed.assembly.seed.unwrap_or_default();
    let source = Source::read(&typed.sequence, &typed.assembly, common, seed)?;
    let sweep = source.sweep(&typed.assembly, false)?;
    let points = Selection::plain(&source.sequence, &sweep, typed.variant.as_deref());
    let points = points.map_err(Refusal::because)?;
    terminal.diagnose(source.sequence.warnings.clone());
    let bytes = match typed.format {
        // For eyes, and names and labels may come from anyone.
        ListingFormat::Text => {
            harmless(&text(&source, &points, typed.syntax, terminal)?).into_bytes()
        }
        ListingFormat::Json => json(&source, &points, typed.syntax)?.into_bytes(),
        ListingFormat::Source => {
            if typed.syntax != SyntaxWord::Att {
                // The text is the file's own, which may be in Intel syntax, but is not rewritten.
                return Err(Refusal::because(
                    "--format source is the file's own text, expanded, in the syntax it was written \
                     in; --syntax rewrites instructions for --format text and json only",
                )
                .into());
            }
            let point = only(&source, &points)?;
            let mut program = source.program(point);
            let text = ::assemble::expand(&mut program, &mut source.includes());
            let text = text.map_err(Refusal::from)?;
            // An assembler wants the bytes as they are, a terminal must not obey them.
            if typed.output.is_none() && io::stdout().is_terminal() {
                harmless(&text).into_bytes()
            } else {
                text.into_bytes()
            }
        }
        ListingFormat::Raw | ListingFormat::Object => {
            let point = only(&source, &points)?;
            let unit = source.assemble_one(point).map_err(Refusal::from)?;
            if typed.format == ListingFormat::Object {
                object(&unit.code)?
            } else {
                unit.text().to_vec()
            }
        }
    };
    terminal.warn(unasked(&[&source], &typed.assembly));
    write(
        typed.output.as_deref().unwrap_or(Path::new("-")),
        &bytes,
        terminal,
    )?;
    Ok(Status::Done)
}

/// The one point, where a format holds one translation unit.
fn only<'a>(source: &Source, points: &'a [Point]) -> Result<&'a Point, Refusal> {
    if let [point] = points {
        return Ok(point);
    }
    let labels: Vec<String> = points
        .iter()
        .map(|point| point.label(&source.sequence))
        .collect();
    Err(Refusal::because(format!(
        "this format holds one variant at one set of params; choose one of {} by --variant and --set: {}",
        labels.len(),
        labels.join(", ")
    )))
}

/// For reading: each variant under its name.
fn text(
    source: &Source,
    points: &[Point],
    syntax: SyntaxWord,
    terminal: &Terminal,
) -> Result<String, Refusal> {
    let mut out = String::new();
    for unit in source.assemble(points)? {
        terminal.diagnose(unit.warnings.clone());
        if !out.is_empty() {
            out.push('\n');
        }
        let variant = &source.sequence.variants[unit.point.variant];
        let heading = format!("{}  {}", unit.point.label(&source.sequence), variant.text);
        out.push_str(&format!("# {}\n", heading.trim_end()));
        if variant.offset > 0 {
            let (offset, align) = (variant.offset, variant.align);
            out.push_str(&format!(
                "# its first byte is {offset} behind a multiple of {align}\n"
            ));
        }
        let lines = unit
            .code
            .listing_at(spelling(syntax), u64::from(variant.offset));
        out.push_str(&::assemble::render(&unit.code, &lines));
    }
    Ok(out)
}

fn json(source: &Source, points: &[Point], syntax: SyntaxWord) -> Result<String, Refusal> {
    let units = source.assemble(points)?;
    let listings: Vec<Listed> = units
        .iter()
        .map(|unit| listed(source, unit, syntax))
        .collect();
    Ok(format!("{}\n", record::to_json_line(&listings)))
}

fn listed(source: &Source, unit: &Unit, syntax: SyntaxWord) -> Listed {
    let variant = &source.sequence.variants[unit.point.variant];
    let lines = unit
        .code
        .listing_at(spelling(syntax), u64::from(variant.offset));
    Listed {
        variant: variant.name.clone(),
        params: words::params(&source.sequence, &unit.point.params),
        lines: lines
            .iter()
            .map(|line| listed_line(&unit.code, line))
            .collect(),
    }
}

fn listed_line(code: &Code, line: &Line) -> ListingLine {
    let written = line.line > 0;
    ListingLine {
        offset: line.offset,
        bytes: words::hex(&line.bytes),
        text: line.text.clone(),
        file: code
            .files
            .get(line.file as usize)
            .filter(|_| written)
            .cloned(),
        line: written.then_some(line.line),
        section: section(code, line.section),
        notes: line.boundary.iter().map(ToString::to_string).collect(),
    }
}

fn section(code: &Code, id: SectionId) -> String {
    let section = code.sections.get(id.0 as usize);
    section.map_or_else(String::new, |section| section.name.clone())
}

fn spelling(syntax: SyntaxWord) -> ListingSyntax {
    match syntax {
        SyntaxWord::Att => ListingSyntax::Att,
        SyntaxWord::Intel => ListingSyntax::Intel,
        SyntaxWord::Nasm => ListingSyntax::Nasm,
        SyntaxWord::Masm => ListingSyntax::Masm,
    }
}
