//! Keys that a variant may override, as far as their values have a form of their own.

use super::{Comment, Keys, usage};
use crate::{Context, Entry, Filter};

impl Keys {
    pub(super) fn entry(&mut self, comment: &Comment<'_>) {
        if !self.once_in_scope(comment, "entry") {
            return;
        }
        let words: Vec<&str> = comment.words.iter().map(|&(_, word)| word).collect();
        let entry = match words.as_slice() {
            ["inline"] => Entry::Inline,
            ["call"] => Entry::Call(None),
            ["call", symbol] => Entry::Call(Some((*symbol).to_owned())),
            [] | ["call" | "inline", ..] => {
                let help = usage("entry", "call [SYMBOL]` or `#: entry inline");
                self.error(&comment.whole(), "`entry` is malformed".to_owned(), help);
                return;
            }
            [other, ..] => {
                let message = format!("there is no entry `{other}`");
                let help = "`call`, `call SYMBOL` and `inline` are entries".to_owned();
                self.error(&comment.word(0), message, help);
                return;
            }
        };
        self.scope().entry = Some(entry);
    }

    pub(super) fn context(&mut self, comment: &Comment<'_>, index: usize) -> Option<Context> {
        let word = comment.words[index].1;
        let context = match word {
            "chained" => Context::Chained,
            "overlap" => Context::Overlap,
            "isolated" => Context::Isolated,
            "history" => Context::History,
            _ => {
                let message = format!("there is no context `{word}`");
                let help = "chained, overlap, isolated and history are contexts".to_owned();
                self.error(&comment.word(index), message, help);
                return None;
            }
        };
        Some(context)
    }

    pub(super) fn between(&mut self, comment: &Comment<'_>) {
        if !self.once_in_scope(comment, "between") || !self.some(comment, "CONTEXT...") {
            return;
        }
        let mut contexts = Vec::new();
        for index in 0..comment.words.len() {
            if let Some(context) = self.context(comment, index) {
                if contexts.contains(&context) {
                    let message = format!("`{}` is listed twice", comment.words[index].1);
                    self.error(&comment.word(index), message, String::new());
                }
                contexts.push(context);
            }
        }
        contexts.sort_unstable();
        contexts.dedup();
        self.scope().between = Some(contexts);
    }

    pub(super) fn config(&mut self, comment: &Comment<'_>) {
        if !self.some(comment, "CONFIG_NAME[=VALUE]") {
            return;
        }
        for index in 0..comment.words.len() {
            let word = comment.words[index].1;
            match config_word(word) {
                Ok((name, value)) => {
                    let configs = &mut self.scope().configs.configs;
                    configs.insert(name, value);
                }
                Err(help) => {
                    let message = format!("`{word}` is not a config");
                    self.error(&comment.word(index), message, help);
                }
            }
        }
    }

    pub(super) fn feature(&mut self, comment: &Comment<'_>) {
        if !self.some(comment, "X86_FEATURE_NAME") {
            return;
        }
        for index in 0..comment.words.len() {
            let word = comment.words[index].1;
            if is_feature(word) {
                self.scope().configs.features.push(word.to_owned());
            } else {
                let message = format!("`{word}` is not a feature");
                let help = "features are X86_FEATURE_... or X86_BUG_...".to_owned();
                self.error(&comment.word(index), message, help);
            }
        }
    }

    pub(super) fn filter(&mut self, comment: &Comment<'_>) {
        if !self.once_in_scope(comment, "filter") {
            return;
        }
        let words: Vec<&str> = comment.words.iter().map(|&(_, word)| word).collect();
        let filter = match words.as_slice() {
            ["none"] => Filter::None,
            ["cached"] => Filter::Cached,
            // 4096 instructions is the kernel's own limit, and the last one must be the ALLOW.
            ["accept", _] => match self.integer_word(comment, 1, 1, 4094) {
                Some(count) => Filter::Accept(count),
                None => return,
            },
            _ => {
                let help = "`none`, `cached` and `accept N` are filters".to_owned();
                self.error(&comment.whole(), "`filter` is malformed".to_owned(), help);
                return;
            }
        };
        self.scope().filter = Some(filter);
    }
}

/// `CONFIG_X` or `CONFIG_X=V`.
///
/// # Errors
/// What would be one.
pub(crate) fn config_word(word: &str) -> Result<(String, String), String> {
    let (name, value) = word.split_once('=').unwrap_or((word, "y"));
    let valid = name.starts_with("CONFIG_") && name.bytes().all(crate::scanner::is_name);
    if !valid || value.is_empty() {
        return Err("configs are CONFIG_NAME, CONFIG_NAME=y, =m, =n or =VALUE".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn is_feature(word: &str) -> bool {
    ["X86_FEATURE_", "X86_BUG_"]
        .iter()
        .any(|stem| word.strip_prefix(stem).is_some_and(|rest| !rest.is_empty()))
        && word.bytes().all(crate::scanner::is_name)
}
