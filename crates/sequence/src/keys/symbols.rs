//! Keys that define symbols: params and random tables.

use super::{Comment, Keys, usage};
use crate::header::integer;
use crate::{Param, ParamKind, Random, Width};

impl Keys {
    /// Notes a symbol that the file's head defines.
    fn symbol(&mut self, comment: &Comment<'_>, index: usize) -> Option<String> {
        let word = comment.words[index].1;
        let valid = crate::scanner::starts_name(word.as_bytes()[0])
            && word.bytes().all(crate::scanner::is_name)
            && word != ".";
        if !valid {
            let message = format!("`{word}` cannot be a symbol");
            let help = "a symbol is letters, digits and `_`, and starts with no digit".to_owned();
            self.error(&comment.word(index), message, help);
            return None;
        }
        if matches!(word, "SEED" | "scratch" | "entry_stack" | "entry_stack_top") {
            let message = format!("`{word}` is defined for every sequence");
            self.error(
                &comment.word(index),
                message,
                "choose another name".to_owned(),
            );
            return None;
        }
        if let Some((_, line)) = self.symbols.iter().find(|(known, _)| known == word) {
            let help = format!("line {line} has the first");
            self.error(&comment.word(index), format!("a second `{word}`"), help);
            return None;
        }
        self.symbols.push((word.to_owned(), comment.line));
        Some(word.to_owned())
    }

    fn file_only(&mut self, comment: &Comment<'_>) {
        if !self.variants.is_empty() {
            let message = format!("`{}` stands in a variant", comment.key);
            let help = "it is for the whole file: put it before the first `#: variant`".to_owned();
            self.error(&comment.whole(), message, help);
        }
    }

    pub(super) fn param(&mut self, comment: &Comment<'_>) {
        self.file_only(comment);
        if comment.words.len() < 2 {
            let message = if comment.words.is_empty() {
                "`param` has no name".to_owned()
            } else {
                "`param` has no value".to_owned()
            };
            self.error(&comment.whole(), message, usage("param", "NAME VALUE..."));
            return;
        }
        let Some(name) = self.symbol(comment, 0) else {
            return;
        };
        let values = &comment.words[1..];
        let numeric = |word: &str| {
            word.strip_prefix('-')
                .unwrap_or(word)
                .as_bytes()
                .first()
                .is_some_and(u8::is_ascii_digit)
        };
        let mut seen = std::collections::HashSet::new();
        for (index, (_, word)) in values.iter().enumerate() {
            if !seen.insert(word) {
                let message = format!("the value `{word}` is listed twice");
                self.error(&comment.word(index + 1), message, String::new());
                return;
            }
        }
        let numbers = numeric(values[0].1);
        let mut kind = if numbers {
            ParamKind::Integers(Vec::new())
        } else {
            ParamKind::Words(Vec::new())
        };
        for (index, &(_, word)) in values.iter().enumerate() {
            match &mut kind {
                ParamKind::Integers(list) => match integer(word) {
                    Some(value) => list.push(value),
                    None => {
                        let message = format!("`{word}` is not an integer of 64 bits");
                        let help = "a param lists either integers or words".to_owned();
                        self.error(&comment.word(index + 1), message, help);
                        return;
                    }
                },
                ParamKind::Words(list) => {
                    if numeric(word) || !word.bytes().all(crate::scanner::is_name) {
                        let message = format!("`{word}` cannot be a word of a param");
                        let help = "a param lists either integers or words of letters, digits \
                                    and `_`"
                            .to_owned();
                        self.error(&comment.word(index + 1), message, help);
                        return;
                    }
                    list.push(word.to_owned());
                }
            }
        }
        self.params.push(Param { name, kind });
    }

    pub(super) fn random(&mut self, comment: &Comment<'_>, width: Width) {
        self.file_only(comment);
        if !self.count(comment, 3, "SYMBOL COUNT BELOW") {
            return;
        }
        let most = match width {
            Width::Byte => 1 << 8,
            Width::Word => 1 << 16,
            Width::Long => u32::MAX,
        };
        let symbol = self.symbol(comment, 0);
        let count = self.integer_word(comment, 1, 1, 1 << 28);
        let below = self.integer_word(comment, 2, 1, most);
        if let (Some(symbol), Some(count), Some(below)) = (symbol, count, below) {
            self.randoms.push(Random {
                symbol,
                count,
                below,
                width,
            });
        }
    }
}
