//! `thunklab machine`: what this machine is, and what can be measured on it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ::machine::{Backend, Machine, TscSource};
use anyhow::Result;
use record::{Capability, MachineOutput, printable};

use crate::args::typed::{MachineFacts, TextFormat};
use crate::outcome::{Refusal, Status};
use crate::probe::{self, Length};
use crate::run::recording;
use crate::terminal::Terminal;

/// Columns that a line may fill: it shall paste into a mail.
const WIDTH: usize = 75;

/// Prints the facts.
pub(crate) fn machine(
    typed: &MachineFacts,
    terminal: &Terminal,
    backend: &mut dyn Backend,
) -> Result<Status> {
    let machine = backend.machine(typed.cpu).map_err(Refusal::from)?;
    // The facts are worth telling where nothing can be run, too.
    let length = probe::quick(backend, machine.cpu, 0).unwrap_or_else(|refusal| Length {
        length: Err(refusal.to_string()),
        steps: Vec::new(),
    });
    let mut capabilities = machine.capabilities.clone();
    capabilities.insert(
        String::from("history_probe"),
        length.length.as_ref().err().cloned().map(::machine::Reason),
    );
    let text = match typed.format {
        TextFormat::Text => text(&machine, &capabilities, &length),
        TextFormat::Json => {
            let output = MachineOutput {
                machine: record::Machine {
                    history_length: length.length.ok(),
                    ..recording::machine(&machine)
                },
                capabilities: capabilities
                    .iter()
                    .map(|(name, reason)| (name.clone(), capability(reason.as_ref())))
                    .collect(),
            };
            format!("{}\n", record::to_json_line(&output))
        }
    };
    terminal.data(text.as_bytes())?;
    Ok(Status::Done)
}

fn capability(reason: Option<&::machine::Reason>) -> Capability {
    match reason {
        None => Capability::Yes(true),
        Some(reason) => Capability::No {
            reason: reason.0.clone(),
        },
    }
}

/// For reading: a fact a line.
fn text(
    machine: &Machine,
    capabilities: &BTreeMap<String, Option<::machine::Reason>>,
    length: &Length,
) -> String {
    let mut out = String::new();
    let mut fact = |name: &str, value: String| {
        row(&mut out, "", name, 16, &value);
    };
    let unknown = || String::from("unknown");
    let microarchitecture = match machine.microarchitecture.as_str() {
        "" => "unknown model",
        name => name,
    };
    fact("cpu", format!("{} ({microarchitecture})", machine.brand));
    fact(
        "model",
        format!(
            "{} {:02x}-{:02x}-{:02x}, microcode {}",
            machine.vendor,
            machine.family,
            machine.model,
            machine.stepping,
            machine.microcode.as_deref().unwrap_or("unknown"),
        ),
    );
    let hypervisor = machine.hypervisor.as_deref();
    fact(
        "hypervisor",
        hypervisor.map_or_else(
            || String::from("none"),
            |name| format!("{name} (model, features and microcode are what it says they are)"),
        ),
    );
    fact("kernel", machine.kernel.clone());
    let smt = match machine.smt {
        Some(true) => "sibling threads on line",
        Some(false) => "no sibling threads",
        None => "sibling threads unknown",
    };
    fact(
        "cores",
        format!("{}, {smt}; measured on cpu {}", machine.cores, machine.cpu),
    );
    if let Some(kind) = &machine.core_type {
        fact("core type", kind.clone());
    }
    let source = match machine.clock.source {
        TscSource::Cpuid => "by CPUID",
        TscSource::Kernel => "by the kernel",
        TscSource::Calibrated => "timed against the system's clock",
    };
    let rate = machine.clock.tsc_hz / 1e9;
    fact("clock", format!("TSC at {rate:.3} GHz, {source}"));
    fact("ruler", ruler(Some(&machine.ruler)));
    fact("second ruler", ruler(machine.second_ruler.as_ref()));
    fact("governor", machine.governor.clone().unwrap_or_else(unknown));
    let lfence = match machine.lfence_serialises {
        Some(true) => "serialises",
        Some(false) => "does not serialise: contexts with lfence mean little here",
        None => "unknown",
    };
    fact("lfence", String::from(lfence));
    let state = |state: &Option<String>| state.clone().unwrap_or_else(unknown);
    fact("store bypass", state(&machine.store_bypass));
    fact("indirect branch", state(&machine.indirect_branch));
    let history = match &length.length {
        Ok(length) => format!("{length} taken branches, probed just now"),
        Err(reason) => format!("unknown: {reason}"),
    };
    fact("branch history", history);
    section(&mut out, "Mitigations", machine.mitigations.iter());
    let capabilities: Vec<(String, String)> = capabilities
        .iter()
        .map(|(name, reason)| {
            let reason = reason.as_ref().map(|reason| format!("no: {}", reason.0));
            (name.clone(), reason.unwrap_or_else(|| String::from("yes")))
        })
        .collect();
    section(
        &mut out,
        "What can be measured",
        capabilities.iter().map(|(name, word)| (name, word)),
    );
    for (_, message, advice) in &machine.warnings {
        out.push('\n');
        row(&mut out, "", "warning:", 8, &format!("{message}; {advice}"));
    }
    out
}

/// A name in a column of `column` characters, and a value that goes on below itself.
fn row(out: &mut String, indent: &str, name: &str, column: usize, value: &str) {
    let mut line = format!("{indent}{name:<column$}");
    let margin = line.chars().count();
    let mut used = margin;
    for word in printable(value).split_whitespace() {
        let width = word.chars().count();
        if used > margin && used + 1 + width > WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = " ".repeat(margin);
            used = margin;
        }
        line.push(' ');
        line.push_str(word);
        used += 1 + width;
    }
    out.push_str(&line);
    out.push('\n');
}

fn section<'a>(
    out: &mut String,
    title: &str,
    rows: impl Iterator<Item = (&'a String, &'a String)>,
) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = write!(out, "\n{title}\n");
    for (name, value) in rows {
        row(out, "  ", name, 26, value);
    }
}

fn ruler(ruler: Option<&::machine::Ruler>) -> String {
    match ruler {
        None => String::from("none"),
        Some(ruler) => format!(
            "{}, {} cycles a link{}",
            ruler.instruction,
            ruler.cycles_per_link,
            if ruler.known_model {
                ""
            } else {
                " (assumed: the model is not in the table)"
            }
        ),
    }
}
