//! `thunklab assemble`: a work-alike of GNU as, for the bytes of .text or an ELF object.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use ::assemble::Code;
use anyhow::{Context as _, Result};

use crate::args::Selection;
use crate::args::typed::{Assemble, Common};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;
use crate::unasked::unasked;
use crate::unit::Source;

/// Assembles the file and writes what was asked for.
pub(crate) fn assemble(typed: &Assemble, common: &Common, terminal: &Terminal) -> Result<Status> {
    if is_same_file(Path::new(&typed.file), &typed.output) {
        return Err(Refusal::because(format!(
            "the output {} is the source itself, which would be lost; name another file with -o",
            typed.output.display()
        ))
        .into());
    }
    let seed = typed.assembly.seed.unwrap_or_default();
    let source = Source::read(&typed.file, &typed.assembly, common, seed)?;
    let sweep = source.sweep(&typed.assembly, false)?;
    let points = Selection::plain(&source.sequence, &sweep, None).map_err(Refusal::because)?;
    let [point] = points.as_slice() else {
        return Err(Refusal::because(format!(
            "{} holds {} variants, each a translation unit of its own; \
             `thunklab listing --variant NAME --format raw` writes one",
            source.sequence.file,
            points.len()
        ))
        .into());
    };
    let is_object = typed.output.extension().is_some_and(|end| end == "o");
    let unit = if is_object {
        source.assemble_object(point)
    } else {
        source.assemble_one(point)
    };
    let unit = unit.map_err(Refusal::from)?;
    terminal.diagnose(source.sequence.warnings.clone());
    terminal.diagnose(unit.warnings.clone());
    terminal.warn(unasked(&[&source], &typed.assembly));
    if is_object {
        write(&typed.output, &object(&unit.code)?, terminal)?;
        return Ok(Status::Done);
    }
    let relocations = unit
        .code
        .section(".text")
        .map_or(0, |(_, text)| text.relocations.len());
    if relocations > 0 {
        terminal.note(&format!(
            "{relocations} fields of .text need a linker and hold what GNU as leaves in them"
        ));
    }
    write(&typed.output, unit.text(), terminal)?;
    Ok(Status::Done)
}

/// Whether two names, by links or not, lead to one regular file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) else {
        return false;
    };
    one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// An ELF relocatable with the source's lines, whose names start from the current folder.
pub(crate) fn object(code: &Code) -> Result<Vec<u8>, Refusal> {
    let folder = std::env::current_dir().unwrap_or_default();
    code.object(&folder.to_string_lossy())
        .map_err(|error| Refusal::because(format!("no object can be made of this: {error}")))
}

/// Writes bytes to a file, or to stdout for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], terminal: &Terminal) -> Result<()> {
    if path.as_os_str() == "-" {
        terminal.data(bytes)?;
        return Ok(());
    }
    // Whole or not at all, whatever becomes of the disk.
    let written = record::replace_file(path, |out| out.write_all(bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}
