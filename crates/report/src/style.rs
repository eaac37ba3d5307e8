//! How text is to look.

/// How text is to look. The caller knows the terminal; this crate does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns that may be used. Tables need 75 and are never wider than that or `width`.
    pub width: usize,
    /// Whether to colour with ANSI escapes.
    pub colour: bool,
    /// Whether to show every interval, mode and discard.
    pub verbose: bool,
    /// Whether to leave out warnings that do not concern every number.
    pub quiet: bool,
    /// Whether to write ASCII only: other characters of names become `\u{...}`.
    pub ascii: bool,
    /// Whether to draw the samples of what has several steady states, a line each.
    pub drawings: bool,
}

impl Style {
    /// What pastes into a mail: plain ASCII in 75 columns.
    pub const MAIL: Self = Self {
        width: 75,
        colour: false,
        verbose: false,
        quiet: false,
        ascii: true,
        drawings: false,
    };

    /// The columns that are used.
    pub(crate) fn columns(&self) -> usize {
        self.width.max(Self::MAIL.width)
    }
}

/// What a piece of text says, for its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    /// Titles and heads of tables.
    Head,
    /// Costs more.
    Slower,
    /// Costs less.
    Faster,
    /// Beside the point.
    Faint,
    /// The reader must know.
    Alarm,
}

impl Tone {
    pub(crate) fn paint(self, text: &str, style: &Style) -> String {
        let code = match self {
            Self::Plain => "",
            Self::Head => "1",
            Self::Slower => "31",
            Self::Faster => "32",
            Self::Faint => "2",
            Self::Alarm => "33",
        };
        if !style.colour || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
