//! Why records cannot be compared.

use std::fmt;

use crate::printable::printable;
use crate::word::Context;

/// One reason why records cannot be compared. Displayed as one line with what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There are not two.
    TooFew(usize),
    /// They are of different sequences.
    OtherSequence {
        /// The file.
        file: String,
        /// Its sequence.
        sequence: String,
        /// The first record's sequence.
        first: String,
    },
    /// Nothing was measured in the context.
    NoContext {
        /// The file.
        file: String,
        /// The context.
        between: Context,
        /// What was measured instead.
        measured: Vec<Context>,
    },
    /// The baseline is not among the measured variants.
    NoBaseline {
        /// The file.
        file: String,
        /// The baseline; `None` where no record says which it is.
        baseline: Option<String>,
        /// The measured variants.
        measured: Vec<String>,
    },
    /// No variant has a number on two of them.
    NothingInCommon,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew(count) => write!(
                f,
                "{count} record{} given; a comparison needs two or more of the same sequence",
                if *count == 1 { "" } else { "s" }
            ),
            Self::OtherSequence {
                file,
                sequence,
                first,
            } => write!(
                f,
                "{}: a record of {}, and the first is one of {}; compare records of one sequence",
                printable(file),
                printable(sequence),
                printable(first)
            ),
            Self::NoContext {
                file,
                between,
                measured,
            } => {
                write!(f, "{}: nothing was measured {between}", printable(file))?;
                if measured.is_empty() {
                    write!(f, ", nor in any other context")
                } else {
                    write!(f, "; --between can be {}", words(measured, " or "))
                }
            }
            Self::NoBaseline {
                file,
                baseline,
                measured,
            } => {
                match baseline {
                    Some(name) => write!(
                        f,
                        "{}: the baseline {} has no number here",
                        printable(file),
                        printable(name)
                    )?,
                    None => write!(
                        f,
                        "{}: does not say which variant is the baseline",
                        printable(file)
                    )?,
                }
                if measured.is_empty() {
                    write!(f, ", nor has any other variant")
                } else {
                    let names: Vec<String> = measured.iter().map(|name| printable(name)).collect();
                    write!(f, "; --baseline can be {}", names.join(", "))
                }
            }
            Self::NothingInCommon => write!(
                f,
                "no variant has a number at the same params on two of the records; \
                 run them with the same --set and --only"
            ),
        }
    }
}

fn words(contexts: &[Context], between: &str) -> String {
    contexts
        .iter()
        .map(|context| context.word())
        .collect::<Vec<_>>()
        .join(between)
}
