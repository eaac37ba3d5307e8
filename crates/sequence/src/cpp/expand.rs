//! Macro expansion as GCC's preprocessor does it: a macro is busy while tokens of its expansion are
//! left, and a name met while its macro is busy is never expanded again.

use std::rc::Rc;

use super::Preprocessor;
use super::lex::{Kind, Token, single};
use super::macros::{Builtin, Definition, Piece};

/// Macros in arguments of macros in arguments; real text stays below ten.
const MAX_NESTING: usize = 200;
/// Tokens that the macros of one file may give in all.
const MAX_TOKENS: u64 = if cfg!(test) { 200_000 } else { 8_000_000 };
/// Tokens that arguments may have which are being read: calls in calls are read again at each level.
const MOST_HELD: usize = 1_000_000;
/// Bytes of text that count as one token more.
const BYTES_PER_TOKEN: usize = 16;

/// Tokens to be read before anything else, and the macro they expand.
pub(super) struct Context {
    tokens: Vec<Token>,
    at: usize,
    definition: Option<Rc<Definition>>,
}

/// Arguments as written.
struct Arguments {
    given: Vec<Vec<Token>>,
    /// The variadic one was left out, which is not the same as left empty.
    rest_missing: bool,
}

impl Preprocessor<'_> {
    /// Expands all of `tokens`. In a text line, a call may go on over the next lines.
    pub(super) fn expand(&mut self, tokens: Vec<Token>, more_lines: bool) -> Vec<Token> {
        let base = self.contexts.len();
        if base > MAX_NESTING {
            self.stop(format!(
                "macros are nested more than {MAX_NESTING} deep in each other's arguments"
            ));
            return Vec::new();
        }
        self.contexts.push(Context {
            tokens,
            at: 0,
            definition: None,
        });
        let mut out = Vec::new();
        while let Some(mut token) = self.next_token(base, more_lines, &mut false) {
            if self.stopped {
                break;
            }
            if token.kind == Kind::Name
                && !token.painted
                && let Some(definition) = self.lookup(&token.text)
            {
                if definition.busy.get() {
                    token.painted = true;
                } else if self.enter(&token, &definition, base, more_lines) {
                    continue;
                }
            }
            out.push(token);
        }
        self.contexts.truncate(base);
        out
    }

    /// The next token above context `base`; contexts that are used up go, and their macros may be
    /// expanded again.
    fn next_token(&mut self, base: usize, more_lines: bool, paren: &mut bool) -> Option<Token> {
        let mut edge = false;
        loop {
            let top = self.contexts.len();
            if top <= base {
                return None;
            }
            let context = &mut self.contexts[top - 1];
            if let Some(token) = context.tokens.get(context.at) {
                if *paren && !token.is("(") {
                    return None;
                }
                context.at += 1;
                let mut token = token.clone();
                token.edge |= edge;
                return Some(token);
            }
            edge = true;
            if top == base + 1 {
                if !(more_lines && base == 0) {
                    return None;
                }
                let line = if *paren {
                    self.next_line_if_paren()
                } else {
                    None
                };
                match line {
                    Some(tokens) => self.refill(tokens),
                    None => return None,
                }
                continue;
            }
            if let Some(definition) = context.definition.take() {
                definition.busy.set(false);
            }
            self.contexts.pop();
        }
    }

    /// Puts the tokens of the next line in the bottom context; a line's end is a blank there.
    fn refill(&mut self, mut tokens: Vec<Token>) {
        if let Some(first) = tokens.first_mut() {
            first.space = true;
        }
        self.contexts[0].tokens = tokens;
        self.contexts[0].at = 0;
    }

    /// Starts the expansion of a name; false if it is no call after all.
    fn enter(
        &mut self,
        name: &Token,
        definition: &Rc<Definition>,
        base: usize,
        more_lines: bool,
    ) -> bool {
        let arguments = if definition.parameters.is_some() {
            let mut paren = true;
            if self.next_token(base, more_lines, &mut paren).is_none() {
                return false;
            }
            match self.arguments(name, definition, base, more_lines) {
                Some(arguments) => arguments,
                // The error has been given; nothing stands for the call.
                None => return true,
            }
        } else {
            Arguments {
                given: Vec::new(),
                rest_missing: false,
            }
        };
        let mut tokens = match definition.builtin {
            Some(builtin) => self.builtin(builtin, &arguments),
            None => self.replace(definition, &arguments),
        };
        let held: usize = arguments.given.iter().map(Vec::len).sum();
        self.held -= held.min(self.held);
        // Tokens that are pasted or quoted again and again grow, too.
        let bytes: usize = tokens.iter().map(|token| token.text.len()).sum();
        self.expanded += (tokens.len() + bytes / BYTES_PER_TOKEN) as u64 + 1;
        if self.expanded > MAX_TOKENS {
            self.stop(format!("macros expand to more than {MAX_TOKENS} tokens"));
            return true;
        }
        if let Some(first) = tokens.first_mut() {
            first.space = name.space;
            first.edge = true;
        }
        definition.busy.set(true);
        self.contexts.push(Context {
            tokens,
            at: 0,
            definition: Some(Rc::clone(definition)),
        });
        true
    }

    /// Gives one error for what grows without end, and expands nothing more.
    fn stop(&mut self, message: String) {
        if self.expanded < u64::MAX / 2 {
            self.line_error(message);
        }
        self.expanded = u64::MAX / 2;
        self.stopped = true;
    }

    /// Reads arguments behind the `(` of a call.
    fn arguments(
        &mut self,
        name: &Token,
        definition: &Definition,
        base: usize,
        more_lines: bool,
    ) -> Option<Arguments> {
        let parameters = definition.parameters.as_ref()?;
        let count = parameters.names.len();
        let mut given = vec![Vec::new()];
        let mut depth = 0_u32;
        loop {
            let Some(token) = self.next_token(base, more_lines, &mut false) else {
                if more_lines
                    && base == 0
                    && let Some(tokens) = self.next_line()
                {
                    self.refill(tokens);
                    continue;
                }
                self.line_error(format!(
                    "the arguments of the macro `{}` are not closed by `)`",
                    name.text
                ));
                return None;
            };
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            } else if token.is(",") && depth == 0 && !(parameters.variadic && given.len() >= count)
            {
                given.push(Vec::new());
                continue;
            }
            if let Some(last) = given.last_mut() {
                last.push(token);
            }
            self.held += 1;
            if self.held > MOST_HELD {
                self.stop(format!(
                    "the arguments of macros in macros come to more than {MOST_HELD} tokens"
                ));
                return None;
            }
        }
        let empty = given.len() == 1 && given[0].is_empty();
        if count == 0 && empty {
            given.clear();
        }
        let mut rest_missing = parameters.variadic && count == 1 && empty;
        if parameters.variadic && given.len() + 1 == count {
            given.push(Vec::new());
            rest_missing = true;
        }
        if given.len() != count {
            self.line_error(format!(
                "the macro `{}` takes {count} arguments and is given {}",
                name.text,
                given.len()
            ));
            return None;
        }
        Some(Arguments {
            given,
            rest_missing,
        })
    }

    /// The body with arguments in place and `##` done.
    fn replace(&mut self, definition: &Definition, arguments: &Arguments) -> Vec<Token> {
        let pieces = match definition.pieces() {
            Ok(pieces) => pieces,
            Err(message) => {
                self.line_error(message.clone());
                return Vec::new();
            }
        };
        let variadic = definition
            .parameters
            .as_ref()
            .filter(|parameters| parameters.variadic)
            .map(|parameters| parameters.names.len() - 1);
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.given.len()];
        let mut out: Vec<Token> = Vec::new();
        let mut paste = false;
        for (position, piece) in pieces.iter().enumerate() {
            let pasted_after = matches!(pieces.get(position + 1), Some(Piece::Paste));
            match piece {
                Piece::Paste => {
                    paste = true;
                    continue;
                }
                Piece::Token(token) => append(&mut out, vec![token.clone()], paste),
                Piece::Argument {
                    index,
                    space,
                    string: true,
                } => {
                    let token = Token {
                        kind: Kind::Quoted,
                        text: stringify(&arguments.given[*index]),
                        space: *space,
                        painted: false,
                        edge: true,
                    };
                    append(&mut out, vec![token], paste);
                }
                Piece::Argument { index, space, .. } => {
                    let after_comma = paste
                        && variadic == Some(*index)
                        && out.last().is_some_and(|last| last.is(","));
                    if after_comma {
                        // GNU's `, ## args`: the comma goes where no argument was given.
                        if arguments.rest_missing {
                            out.pop();
                        } else {
                            out.extend(placed(&arguments.given[*index], *space));
                        }
                    } else if paste || pasted_after {
                        let mut raw = placed(&arguments.given[*index], *space);
                        if raw.is_empty() {
                            raw.push(nothing(*space));
                        }
                        append(&mut out, raw, paste);
                    } else {
                        let tokens = match &expanded[*index] {
                            Some(tokens) => tokens,
                            None => {
                                let tokens = self.expand(arguments.given[*index].clone(), false);
                                expanded[*index].insert(tokens)
                            }
                        };
                        let mut tokens = placed(tokens, *space);
                        if tokens.is_empty() {
                            // What stands on its sides came from different places.
                            tokens.push(nothing(*space));
                        }
                        out.extend(tokens);
                    }
                }
            }
            paste = false;
        }
        tidy(out)
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &Arguments) -> Vec<Token> {
        let word = arguments
            .given
            .first()
            .and_then(|tokens| tokens.first())
            .map_or("", |token| &token.text);
        let (kind, text) = match builtin {
            Builtin::Line => (Kind::Number, self.current.line.to_string()),
            Builtin::File => (Kind::Quoted, format!("\"{}\"", self.file_name())),
            Builtin::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            Builtin::Enabled => (Kind::Number, self.enabled(word, true, true)),
            Builtin::BuiltIn => (Kind::Number, self.enabled(word, true, false)),
            Builtin::Module => (Kind::Number, self.enabled(word, false, true)),
            Builtin::HasFeature => {
                let has = self.configs.features.iter().any(|feature| feature == word);
                (Kind::Number, i32::from(has).to_string())
            }
        };
        vec![Token {
            kind,
            text: text.into(),
            space: false,
            painted: true,
            edge: true,
        }]
    }

    /// `1` if the option is defined as 1, itself or with `_MODULE`.
    fn enabled(&self, word: &str, built_in: bool, module: bool) -> String {
        let is_one = |name: &str| {
            self.lookup(name)
                .is_some_and(|found| found.parameters.is_none() && found.text == "1")
        };
        let on = (built_in && is_one(word)) || (module && is_one(&format!("{word}_MODULE")));
        i32::from(on).to_string()
    }
}

fn nothing(space: bool) -> Token {
    Token {
        kind: Kind::Nothing,
        text: Rc::from(""),
        space,
        painted: false,
        edge: true,
    }
}

/// Tokens as an argument's, with the blank that stands before the parameter.
fn placed(tokens: &[Token], space: bool) -> Vec<Token> {
    let mut tokens = tokens.to_vec();
    if let Some(first) = tokens.first_mut() {
        first.space = space;
        first.edge = true;
    }
    tokens
}

/// Adds tokens; the first is joined to the last one before where `##` stands between.
fn append(out: &mut Vec<Token>, tokens: Vec<Token>, paste: bool) {
    let mut tokens = tokens.into_iter();
    if paste
        && let Some(left) = out.pop()
        && let Some(right) = tokens.next()
    {
        let text = format!("{}{}", left.text, right.text);
        if left.kind == Kind::Nothing && right.kind == Kind::Nothing {
            out.push(left);
        } else if let Some(kind) = single(&text) {
            out.push(Token {
                kind,
                text: text.into(),
                space: left.space,
                painted: false,
                edge: left.edge,
            });
        } else {
            // Assembler text may paste what is no token of C, such as `.L` and a name.
            out.push(left);
            out.push(Token {
                edge: false,
                ..right
            });
        }
    }
    out.extend(tokens);
}

/// Drops empty tokens; what stood on their sides is not to be joined.
fn tidy(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut space, mut edge) = (false, false);
    for mut token in tokens {
        if token.kind == Kind::Nothing {
            space |= token.space;
            edge = true;
            continue;
        }
        token.space |= std::mem::take(&mut space);
        token.edge |= std::mem::take(&mut edge);
        out.push(token);
    }
    out
}

/// `#argument`
fn stringify(tokens: &[Token]) -> Rc<str> {
    let mut out = String::from("\"");
    for (index, token) in tokens.iter().enumerate() {
        if token.space && index > 0 {
            out.push(' ');
        }
        if token.kind == Kind::Quoted {
            for char in token.text.chars() {
                if matches!(char, '"' | '\\') {
                    out.push('\\');
                }
                out.push(char);
            }
        } else {
            out.push_str(&token.text);
        }
    }
    out.push('"');
    out.into()
}
