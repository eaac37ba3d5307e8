//! How a command ends: exit statuses, and why nothing was run.

use std::fmt;
use std::process::ExitCode;

use sequence::Diagnostic;

use crate::diagnostics;
use crate::terminal::Terminal;

/// A command that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All of it.
    Done,
    /// All of it, but a variant failed or `--fail-on` found what it looks for.
    Failed,
    /// Ctrl-C, SIGTERM or SIGHUP.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Done => Self::SUCCESS,
            Status::Failed => Self::from(1),
            Status::Interrupted => Self::from(130),
        }
    }
}

/// The input or the call was wrong: everything that is, not only the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What is wrong with files, with its places.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is wrong beyond that, a sentence each.
    pub(crate) messages: Vec<String>,
}

impl Refusal {
    /// A refusal for one reason.
    pub(crate) fn because(message: impl Into<String>) -> Self {
        Self {
            diagnostics: Vec::new(),
            messages: vec![message.into()],
        }
    }

    /// Takes over what `other` found.
    pub(crate) fn extend(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
        self.messages.extend(other.messages);
    }

    /// `Ok` if there is nothing to refuse.
    pub(crate) fn check(self) -> Result<(), Self> {
        if self.diagnostics.is_empty() && self.messages.is_empty() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// All of it on stderr.
    pub(crate) fn tell(&self, terminal: &Terminal) {
        for diagnostic in diagnostics::distinct(self.diagnostics.clone()) {
            terminal.tell(&diagnostics::render(&diagnostic, terminal.err_colour));
        }
        for message in &self.messages {
            terminal.tell(&record::harmless(&format!("thunklab: {message}\n")));
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.diagnostics {
            f.write_str(&diagnostics::render(diagnostic, false))?;
        }
        f.write_str(&self.messages.join("\n"))
    }
}

impl std::error::Error for Refusal {}

impl From<Vec<Diagnostic>> for Refusal {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            diagnostics,
            messages: Vec::new(),
        }
    }
}

impl From<machine::Error> for Refusal {
    fn from(error: machine::Error) -> Self {
        Self::because(error.to_string())
    }
}
