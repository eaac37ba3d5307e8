//! The commands other than `run`, and which of them was asked for.

mod assemble;
mod check;
mod diff;
mod list;
mod listing;
mod machine;
mod manual;
mod probe;
mod report;

use ::machine::{Backend, Real};
use anyhow::Result;
use clap::Parser as _;

use crate::args::typed::{Command, Common, Typed};
use crate::fake::Fake;
use crate::outcome::{Refusal, Status};
use crate::run;
use crate::terminal::Terminal;

/// Does what was typed.
pub(crate) fn dispatch(typed: Typed, terminal: &Terminal) -> Result<Status> {
    let common = &typed.common;
    match typed.command.unwrap_or_else(default) {
        Command::Run(run) => run::run(&run, common, terminal, backend(common)?.as_mut()),
        Command::Diff(diff) => diff::diff(&diff, terminal),
        Command::Report(report) => report::report(&report, terminal),
        Command::Listing(listing) => listing::listing(&listing, common, terminal),
        Command::Assemble(assemble) => assemble::assemble(&assemble, common, terminal),
        Command::Check(check) => check::check(&check, common, terminal),
        Command::List(list) => list::list(&list, common, terminal),
        Command::Probe(probe) => probe::probe(&probe, common, terminal, backend(common)?.as_mut()),
        Command::Machine(facts) => machine::machine(&facts, terminal, backend(common)?.as_mut()),
        Command::Schema => {
            let schema = serde_json::to_string_pretty(&record::schema())?;
            terminal.data(format!("{schema}\n").as_bytes())?;
            Ok(Status::Done)
        }
        Command::Completions(completions) => manual::completions(&completions, terminal),
        Command::Man(manual) => manual::manual(&manual, terminal),
    }
}

/// What `thunklab` alone means: `run` with nothing typed after it.
fn default() -> Command {
    match Typed::parse_from(["thunklab", "run"]).command {
        Some(command) => command,
        None => unreachable!("`run` is a command"),
    }
}

/// This machine, or the scripted one.
fn backend(common: &Common) -> Result<Box<dyn Backend>, Refusal> {
    match &common.fake {
        Some(path) => Ok(Box::new(Fake::load(path).map_err(Refusal::because)?)),
        None => Ok(Box::new(Real::new())),
    }
}
