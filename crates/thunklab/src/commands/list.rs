//! `thunklab list`: the shipped sequences.

use std::fmt::Write as _;

use anyhow::Result;
use record::{Listed, ParamValue};
use sequence::{Params, Sequence};

use crate::args::listed;
use crate::args::typed::{Assembly, Common, List, TextFormat};
use crate::catalogue;
use crate::outcome::Status;
use crate::terminal::Terminal;
use crate::unit::Source;

/// Columns that a line of names may fill: it shall paste into a mail.
const WIDTH: usize = 75;

/// Prints them.
pub(crate) fn list(typed: &List, common: &Common, terminal: &Terminal) -> Result<Status> {
    let mut sequences = Vec::new();
    for shipped in catalogue::all() {
        sequences.push(Source::read(shipped.name, &Assembly::default(), common, 0)?.sequence);
    }
    let text = match typed.format {
        TextFormat::Text => sequences.iter().map(text).collect::<Vec<_>>().join("\n"),
        TextFormat::Json => {
            let all: Vec<Listed> = sequences.iter().map(entry).collect();
            format!("{}\n", record::to_json_line(&all))
        }
    };
    terminal.data(text.as_bytes())?;
    Ok(Status::Done)
}

/// Title, params with their defaults first, names of variants.
fn text(sequence: &Sequence) -> String {
    let mut out = format!("{}\n", sequence.name);
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  {}", sequence.title);
    let defaults: Params = sequence.default_params();
    for param in &sequence.params {
        let values = listed(param).join(" ");
        let default = defaults.get(&param.name).map_or("", String::as_str);
        let _ = writeln!(out, "  --set {}={default}   of {values}", param.name);
    }
    let mut line = String::from("  variants:");
    for variant in &sequence.variants {
        if line.len() + 1 + variant.name.len() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = String::from("   ");
        }
        let _ = write!(line, " {}", variant.name);
        if variant.name == sequence.baseline {
            line.push('*');
        }
    }
    let _ = writeln!(out, "{line}");
    out
}

fn entry(sequence: &Sequence) -> Listed {
    let values = |param| {
        let values = listed(param);
        values
            .iter()
            .map(|value| ParamValue::from(value.as_str()))
            .collect()
    };
    Listed {
        name: sequence.name.clone(),
        title: sequence.title.clone(),
        params: sequence
            .params
            .iter()
            .map(|param| (param.name.clone(), values(param)))
            .collect(),
        variants: sequence.variants.iter().map(|v| v.name.clone()).collect(),
    }
}
