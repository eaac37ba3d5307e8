//! Macro definitions and their parsed bodies.

use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::lex::{Kind, Token, tokens};

/// A piece of a macro's body.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Token(Token),
    /// An argument, by index; as a string where `#` stands before it.
    Argument {
        index: usize,
        space: bool,
        string: bool,
    },
    /// `##`
    Paste,
}

/// Arguments of a function-like macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    pub(super) names: Vec<String>,
    /// The last takes the rest.
    pub(super) variadic: bool,
}

/// Macros whose value the preprocessor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    Counter,
    /// `IS_ENABLED(CONFIG_X)`: built in or a module.
    Enabled,
    /// `IS_BUILTIN(CONFIG_X)`, which `IS_REACHABLE` is too in text that is in no module.
    BuiltIn,
    /// `IS_MODULE(CONFIG_X)`
    Module,
    /// `__has_feature_word(X86_FEATURE_X)`: for the built-in text alone.
    HasFeature,
}

/// C's later word for text that stands only where there are variadic arguments.
const VA_OPT: &str = "__VA_OPT__";

/// What a name is defined as.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) parameters: Option<Parameters>,
    /// The text behind the name and parameters.
    pub(super) text: String,
    /// Parsed when first used, for most of the built-in ones never are.
    pub(super) pieces: OnceCell<Result<Vec<Piece>, String>>,
    /// It is being expanded.
    pub(super) busy: Cell<bool>,
    pub(super) builtin: Option<Builtin>,
    /// File and line of its definition.
    pub(super) place: (u32, u32),
}

impl Definition {
    pub(super) fn new(parameters: Option<Parameters>, text: String, place: (u32, u32)) -> Self {
        Self {
            parameters,
            text,
            pieces: OnceCell::new(),
            busy: Cell::new(false),
            builtin: None,
            place,
        }
    }

    pub(super) fn builtin(builtin: Builtin) -> Self {
        let takes = !matches!(builtin, Builtin::Line | Builtin::File | Builtin::Counter);
        Self {
            builtin: Some(builtin),
            ..Self::new(
                takes.then(|| Parameters {
                    names: vec!["option".to_owned()],
                    variadic: false,
                }),
                String::new(),
                (crate::lines::BUILTIN, 0),
            )
        }
    }

    /// The parsed body.
    pub(super) fn pieces(&self) -> &Result<Vec<Piece>, String> {
        self.pieces
            .get_or_init(|| parse(&self.text, self.parameters.as_ref()))
    }

    /// Whether two definitions may follow each other: C wants them alike but for blanks.
    pub(super) fn same(&self, other: &Self) -> bool {
        let words = |text: &str| {
            let mut found = Vec::new();
            tokens(text.trim(), &mut found);
            found
                .into_iter()
                .map(|token| (token.text, token.space))
                .collect::<Vec<(Rc<str>, bool)>>()
        };
        self.parameters == other.parameters
            && self.builtin == other.builtin
            && words(&self.text) == words(&other.text)
    }
}

fn parse(text: &str, parameters: Option<&Parameters>) -> Result<Vec<Piece>, String> {
    let mut found = Vec::new();
    tokens(text, &mut found);
    let mut pieces = Vec::with_capacity(found.len());
    let numbers: HashMap<&str, usize> = parameters
        .into_iter()
        .flat_map(|parameters| &parameters.names)
        .enumerate()
        .map(|(index, name)| (name.as_str(), index))
        .collect();
    let argument = |token: &Token| {
        (token.kind == Kind::Name)
            .then(|| numbers.get(&*token.text).copied())
            .flatten()
    };
    let mut index = 0;
    while let Some(token) = found.get(index) {
        index += 1;
        if &*token.text == VA_OPT
            && token.kind == Kind::Name
            && parameters.is_some_and(|parameters| parameters.variadic)
        {
            return Err(format!(
                "`{VA_OPT}` is not supported: write `, ## __VA_ARGS__` for a comma that goes with them"
            ));
        }
        if token.is("##") {
            pieces.push(Piece::Paste);
            continue;
        }
        if token.is("#")
            && let Some(number) = found.get(index).and_then(argument)
        {
            pieces.push(Piece::Argument {
                index: number,
                space: token.space,
                string: true,
            });
            index += 1;
            continue;
        }
        pieces.push(match argument(token) {
            Some(number) => Piece::Argument {
                index: number,
                space: token.space,
                string: false,
            },
            None => Piece::Token(token.clone()),
        });
    }
    if matches!(pieces.first(), Some(Piece::Paste)) || matches!(pieces.last(), Some(Piece::Paste)) {
        return Err("`##` cannot stand at either end of a macro".to_owned());
    }
    Ok(pieces)
}

/// Reads what follows `#define`: the name, parameters and body.
///
/// # Errors
/// A message and the byte offset it is about.
pub(super) fn define(text: &str, place: (u32, u32)) -> Result<(&str, Definition), (usize, String)> {
    let bytes = text.as_bytes();
    let start = text.len() - text.trim_start().len();
    if !bytes
        .get(start)
        .copied()
        .is_some_and(super::lex::starts_name)
    {
        return Err((start, "expected the name of the macro".to_owned()));
    }
    let end = super::lex::name_end(bytes, start);
    let name = &text[start..end];
    if matches!(name, "defined" | "__VA_ARGS__") {
        return Err((start, format!("`{name}` cannot be defined")));
    }
    if bytes.get(end) != Some(&b'(') {
        let body = text[end..].trim().to_owned();
        return Ok((name, Definition::new(None, body, place)));
    }
    let Some(length) = text[end..].find(')') else {
        return Err((
            end,
            "the macro's parameters are not closed by `)`".to_owned(),
        ));
    };
    let inside = &text[end + 1..end + length];
    let mut parameters = Parameters {
        names: Vec::new(),
        variadic: false,
    };
    let mut known = HashSet::new();
    let mut at = end + 1;
    for word in inside.split(',') {
        let word_at = at + (word.len() - word.trim_start().len());
        at += word.len() + 1;
        let word = word.trim();
        if parameters.variadic {
            return Err((word_at, "nothing can follow `...`".to_owned()));
        }
        let stem = if let Some(stem) = word.strip_suffix("...") {
            parameters.variadic = true;
            if stem.trim().is_empty() {
                "__VA_ARGS__"
            } else {
                stem.trim()
            }
        } else if word.is_empty() && inside.trim().is_empty() {
            break;
        } else {
            word
        };
        let is_name = stem
            .as_bytes()
            .first()
            .copied()
            .is_some_and(super::lex::starts_name)
            && super::lex::name_end(stem.as_bytes(), 0) == stem.len();
        if !is_name {
            return Err((word_at, format!("`{word}` is not a parameter's name")));
        }
        if !known.insert(stem) {
            return Err((word_at, format!("two parameters are named `{stem}`")));
        }
        parameters.names.push(stem.to_owned());
    }
    let body = text[end + length + 1..].trim().to_owned();
    Ok((name, Definition::new(Some(parameters), body, place)))
}
