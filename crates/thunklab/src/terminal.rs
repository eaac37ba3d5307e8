//! What is written where: data to stdout, progress and complaints to stderr.

use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::Style;
use sequence::Diagnostic;

use crate::diagnostics;

/// Bytes that are written to stdout at once.
const BUFFER: usize = 64 << 10;

/// How the two streams take what is written to them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    /// Whether stdout takes colour: a terminal without NO_COLOR, or CLICOLOR_FORCE.
    pub(crate) out_colour: bool,
    /// Whether stderr does.
    pub(crate) err_colour: bool,
    /// How tables look on stdout: by the terminal, or plain ASCII that pastes into a mail.
    pub(crate) style: Style,
    /// Whether progress can be shown: stderr is a terminal.
    pub(crate) progress: bool,
    /// `-q`
    pub(crate) quiet: bool,
}

impl Terminal {
    /// Looks at the streams and at the environment.
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let out_colour = console::colors_enabled();
        let style = if io::stdout().is_terminal() {
            // Some terminals do not know how wide they are.
            let columns = console::Term::stdout().size_checked();
            Style {
                width: columns.map_or(Style::MAIL.width, |(_, columns)| usize::from(columns)),
                ascii: !is_utf8(),
                drawings: true,
                ..Style::MAIL
            }
        } else {
            Style::MAIL
        };
        Self {
            out_colour,
            err_colour: console::colors_enabled_stderr(),
            style: Style {
                colour: out_colour,
                verbose,
                quiet,
                ..style
            },
            progress: io::stderr().is_terminal() && !quiet,
            quiet,
        }
    }

    /// Writes data to stdout.
    ///
    /// # Errors
    /// As the stream gives them; a reader that went away is told apart by [`is_closed`].
    pub(crate) fn data(&self, bytes: &[u8]) -> io::Result<()> {
        self.stream(|out| out.write_all(bytes))
    }

    /// Writes to stdout what need not be held in memory.
    ///
    /// # Errors
    /// As [`Terminal::data`].
    pub(crate) fn stream(
        &self,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if machine::stdout_was_closed() {
            return Err(io::Error::other(
                "stdout is closed: there is nowhere to print to",
            ));
        }
        let mut out = io::BufWriter::with_capacity(BUFFER, io::stdout().lock());
        write(&mut out).and_then(|()| out.flush()).map_err(|error| {
            if is_closed(&error) {
                error
            } else {
                io::Error::new(error.kind(), format!("stdout cannot be written: {error}"))
            }
        })
    }

    /// Tells the user something on stderr. A stderr that is closed loses it, for there is nowhere
    /// left to say so.
    pub(crate) fn tell(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// One line on stderr that begins with the program's name; none with `-q`.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.tell(&record::harmless(&format!("thunklab: {text}\n")));
        }
    }

    /// A bar over so many steps where stderr is a terminal; else one that nobody sees.
    pub(crate) fn bar(&self, template: &str, steps: usize) -> ProgressBar {
        let target = if self.progress {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(u64::try_from(steps).ok(), target);
        // A template that is wrong leaves the default one, which serves as well.
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }

    /// A line for each of these; none with `-q`.
    pub(crate) fn warn(&self, texts: Vec<String>) {
        for text in texts {
            self.note(&text);
        }
    }

    /// What a file's diagnostics have to say, each once; nothing with `-q`.
    pub(crate) fn diagnose(&self, warnings: Vec<Diagnostic>) {
        if self.quiet {
            return;
        }
        for warning in diagnostics::distinct(warnings) {
            self.tell(&diagnostics::render(&warning, self.err_colour));
        }
    }
}

/// Whether the locale's characters are UTF-8, by the variable that goes first.
fn is_utf8() -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .is_some_and(|value| {
            let value = value.to_string_lossy().to_ascii_lowercase();
            value.contains("utf-8") || value.contains("utf8")
        })
}

/// Whether the reader of our stdout went away (`thunklab list | head -1`), which is no failure.
pub(crate) fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
