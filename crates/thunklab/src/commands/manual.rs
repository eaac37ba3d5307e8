//! `thunklab completions` and `thunklab man`: what packagers install beside the binary, made from
//! the same description of the command line that reads it.

use std::path::Path;

use anyhow::Result;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::typed::{Completions, Manual, Typed};
use crate::outcome::{Refusal, Status};
use crate::terminal::Terminal;

/// Prints the completions of one shell.
pub(crate) fn completions(typed: &Completions, terminal: &Terminal) -> Result<Status> {
    let mut bytes = Vec::new();
    clap_complete::generate(typed.shell, &mut Typed::command(), "thunklab", &mut bytes);
    terminal.data(&bytes)?;
    Ok(Status::Done)
}

/// Prints one manual page, or writes all of them to a folder.
pub(crate) fn manual(typed: &Manual, terminal: &Terminal) -> Result<Status> {
    let mut program = Typed::command();
    // Names the commands' pages as they are typed, `thunklab run`, and gives them the options that
    // hold everywhere.
    program.build();
    if let Some(folder) = &typed.output {
        write_all(&program, folder)?;
        return Ok(Status::Done);
    }
    let command = match &typed.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            Refusal::because(format!(
                "there is no command `{}`; there are {}",
                record::printable(name),
                names.join(", ")
            ))
        })?,
    };
    let mut bytes = Vec::new();
    page(command).render(&mut bytes)?;
    terminal.data(&bytes)?;
    Ok(Status::Done)
}

fn write_all(program: &Command, folder: &Path) -> Result<()> {
    let commands = program
        .get_subcommands()
        .filter(|command| command.get_name() != "help");
    for command in std::iter::once(program).chain(commands) {
        let page = page(command);
        let path = folder.join(page.get_filename());
        record::replace_file(&path, |out| page.render(out)).map_err(|error| {
            anyhow::Error::from(error).context(format!("cannot write {}", path.display()))
        })?;
    }
    Ok(())
}

/// `thunklab-run(1)` for `run`, `thunklab(1)` for the program itself.
fn page(command: &Command) -> Man {
    Man::new(command.clone())
}
