//! The structured comments: each `#:` line to what it says.

mod flags;
mod scoped;
mod symbols;

use std::collections::{HashMap, HashSet};

use crate::cpp::Switch;
use crate::header::integer;
use crate::nearest::nearest;
use crate::scanner::saturate;
use crate::{
    Configs, Context, Diagnostic, Entry, Filter, Need, Param, Part, Random, Severity, Width,
};

/// Every key, for suggestions.
const KEYS: [&str; 27] = [
    "about", "after", "align", "baseline", "before", "between", "body", "config", "diff", "entry",
    "feature", "filter", "needs", "offset", "param", "probe", "random", "random.b", "random.l",
    "random.w", "setup", "source", "syscalls", "title", "unroll", "variant", "verdict",
];

/// Longest alignment and offset of a first byte: a page.
const MAX_PLACEMENT: u32 = 4096;

/// Keys that stand in the common part as defaults and in a variant over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) entry: Option<Entry>,
    pub(crate) between: Option<Vec<Context>>,
    pub(crate) unroll: Option<u32>,
    pub(crate) align: Option<u32>,
    pub(crate) offset: Option<u32>,
    pub(crate) needs: Option<Vec<Need>>,
    pub(crate) configs: Configs,
    pub(crate) syscalls: Option<Vec<String>>,
    pub(crate) filter: Option<Filter>,
    pub(crate) probe: bool,
    /// Keys given so far and their lines, to refuse a second one.
    given: Vec<(&'static str, u32)>,
}

/// Most variants of one file.
const MOST_VARIANTS: usize = 1000;

/// A variant as declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) scope: Scope,
}

/// What a `#:` line changes in the text behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Variant,
    Part(Part),
}

/// All that the structured comments of a file say.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pub(crate) title: String,
    pub(crate) about: Vec<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) params: Vec<Param>,
    pub(crate) randoms: Vec<Random>,
    pub(crate) baseline: Option<(String, Place)>,
    pub(crate) verdict: Option<Context>,
    pub(crate) common: Scope,
    pub(crate) variants: Vec<Declared>,
    /// The line that has the first variant of each name.
    named: HashMap<String, u32>,
    /// Lines that change variant or part, in order.
    pub(crate) changes: Vec<(u32, Change)>,
    pub(crate) errors: Vec<Diagnostic>,
    /// A comment that would have defined symbols, or said which text is whose, is wrong: what the
    /// assembler text lacks may be that.
    pub(crate) lacks_symbols: bool,
    /// Symbols that params and tables define.
    symbols: Vec<(String, u32)>,
    /// Keys that stand once in a file.
    given: Vec<(&'static str, u32)>,
    /// The error of too many variants was given.
    has_too_many: bool,
    file: String,
}

/// Part of a `#:` line.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    line: u32,
    start: usize,
    width: usize,
    text: String,
}

/// A `#:` line with its words.
struct Comment<'t> {
    line: u32,
    text: &'t str,
    /// Words behind the key with their byte offsets.
    words: Vec<(usize, &'t str)>,
    key: &'t str,
    key_at: usize,
}

impl Comment<'_> {
    fn place(&self, start: usize, width: usize) -> Place {
        Place {
            line: self.line,
            start,
            width,
            text: self.text.to_owned(),
        }
    }

    fn whole(&self) -> Place {
        self.place(self.key_at, self.text.trim_end().len() - self.key_at)
    }

    fn word(&self, index: usize) -> Place {
        let (at, word) = self.words[index];
        self.place(at, word.len())
    }

    /// All text behind the key.
    fn rest(&self) -> &str {
        self.text[self.key_at + self.key.len()..].trim()
    }
}

impl Keys {
    /// Reads all `#:` lines of a file, outside of comments.
    pub(crate) fn read(file: &str, text: &str) -> Self {
        let mut keys = Self {
            file: file.to_owned(),
            ..Self::default()
        };
        // Most large files have neither comments of this kind nor C's, and two searches show it.
        if text.contains("#:") {
            let c_comments = text.contains("/*");
            let mut comment = false;
            for (line, text) in (1..).zip(text.lines()) {
                if !comment && let Some(rest) = text.strip_prefix("#:") {
                    keys.line(line, text, rest);
                    continue;
                }
                if !comment && text.trim_start().starts_with("#:") {
                    keys.indented(line, text);
                }
                if c_comments {
                    comment = ends_in_comment(text, comment);
                }
            }
        }
        keys.finish();
        keys
    }

    fn line(&mut self, line: u32, text: &str, rest: &str) {
        let mut words = rest
            .split([' ', '\t'])
            .filter(|word| !word.is_empty())
            // Offsets of parts of the same text.
            .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word));
        let Some((key_at, key)) = words.next() else {
            let place = Place {
                line,
                start: 0,
                width: 2,
                text: text.to_owned(),
            };
            let help = "a comment of the assembler starts with `#` and a blank".to_owned();
            self.error(
                &place,
                "this structured comment has no key".to_owned(),
                help,
            );
            return;
        };
        let comment = Comment {
            line,
            text,
            words: words.collect(),
            key,
            key_at,
        };
        self.comment(&comment);
    }

    /// The error of a `#:` behind blanks, which would be a comment of the assembler and say nothing.
    fn indented(&mut self, line: u32, text: &str) {
        self.lacks_symbols = true;
        let start = text.len() - text.trim_start().len();
        let place = Place {
            line,
            start,
            width: text.trim().len(),
            text: text.to_owned(),
        };
        let help = "take the blanks before it away; a plain comment starts with `#` and a blank";
        let message = "a structured comment that does not start its line".to_owned();
        self.error(&place, message, help.to_owned());
    }

    fn error(&mut self, place: &Place, message: String, help: String) {
        self.diagnose(Severity::Error, place, message, help);
    }

    fn diagnose(&mut self, severity: Severity, place: &Place, message: String, help: String) {
        let column = place.text[..place.start].chars().count() + 1;
        let end = (place.start + place.width).min(place.text.len());
        let width = place.text[place.start.min(end)..end].chars().count();
        self.errors.push(Diagnostic {
            file: self.file.clone(),
            line: place.line,
            column: saturate(column),
            width: saturate(width.max(1)),
            severity,
            message,
            help,
            text: place.text.clone(),
            notes: Vec::new(),
        });
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        match comment.key {
            "title" => {
                if self.once(comment, "title") && self.has_text(comment) {
                    comment.rest().clone_into(&mut self.title);
                }
            }
            "about" => {
                if self.has_text(comment) {
                    self.about.push(comment.rest().to_owned());
                }
            }
            "source" => {
                if self.has_text(comment) {
                    self.sources.push(comment.rest().to_owned());
                }
            }
            "param" | "random" | "random.b" | "random.w" | "random.l" => {
                let before = self.errors.len();
                match comment.key {
                    "param" => self.param(comment),
                    "random.w" => self.random(comment, Width::Word),
                    "random.l" => self.random(comment, Width::Long),
                    _ => self.random(comment, Width::Byte),
                }
                self.lacks_symbols |= self.errors.len() > before;
            }
            "baseline" => {
                if self.once(comment, "baseline") && self.count(comment, 1, "VARIANT") {
                    self.baseline = Some((comment.words[0].1.to_owned(), comment.word(0)));
                }
            }
            "verdict" => {
                if self.once(comment, "verdict") && self.count(comment, 1, "CONTEXT") {
                    self.verdict = self.context(comment, 0);
                }
            }
            "variant" => self.variant(comment),
            // With both names it has become two variants before keys are read.
            "diff" => {
                self.count(comment, 2, "OLD NEW");
            }
            "setup" => self.part(comment, Part::Setup),
            "before" => self.part(comment, Part::Before),
            "body" => self.part(comment, Part::Body),
            "after" => self.part(comment, Part::After),
            "entry" => self.entry(comment),
            "between" => self.between(comment),
            "unroll" => {
                if let Some(value) = self.number(comment, "unroll", "N", 1, 65_536) {
                    self.scope().unroll = Some(value);
                }
            }
            "align" => {
                if let Some(value) = self.number(comment, "align", "N", 1, MAX_PLACEMENT) {
                    if value.is_power_of_two() {
                        self.scope().align = Some(value);
                    } else {
                        let message = format!("an alignment of {value} is impossible");
                        let help = format!("alignments are powers of two up to {MAX_PLACEMENT}");
                        self.error(&comment.word(0), message, help);
                    }
                }
            }
            "offset" => {
                if let Some(value) = self.number(comment, "offset", "N", 0, MAX_PLACEMENT) {
                    self.scope().offset = Some(value);
                }
            }
            "needs" => {
                if self.some(comment, "FEATURE...") {
                    self.check_flags(comment);
                    let needs = comment.words.iter().map(|&(_, word)| match word {
                        "ring0" => Need::Ring0,
                        word => Need::Feature(word.to_owned()),
                    });
                    self.scope().needs.get_or_insert_default().extend(needs);
                }
            }
            "config" => self.config(comment),
            "feature" => self.feature(comment),
            "syscalls" => {
                if self.some(comment, "NAME...") {
                    let names = comment.words.iter().map(|&(_, word)| word.to_owned());
                    self.scope().syscalls.get_or_insert_default().extend(names);
                }
            }
            "filter" => self.filter(comment),
            "probe" => {
                if self.once_in_scope(comment, "probe") && self.count(comment, 1, "history") {
                    if comment.words[0].1 == "history" {
                        self.scope().probe = true;
                    } else {
                        let message = format!("there is no probe `{}`", comment.words[0].1);
                        self.error(&comment.word(0), message, "`history` is one".to_owned());
                    }
                }
            }
            key => {
                self.lacks_symbols = true;
                let help = nearest(key, &KEYS)
                    .map_or_else(String::new, |found| format!("did you mean `{found}`?"));
                let place = comment.place(comment.key_at, key.len());
                self.error(&place, format!("there is no key `{key}`"), help);
            }
        }
    }

    /// Warns of needs that no CPU could meet: what is misspelt would only ever be left out.
    fn check_flags(&mut self, comment: &Comment<'_>) {
        for (index, &(_, word)) in comment.words.iter().enumerate() {
            if word == "ring0" || flags::is_known(word) {
                continue;
            }
            let message = format!("`{word}` is no CPU feature that /proc/cpuinfo is known to show");
            let help = match flags::nearest(word) {
                Some(found) => format!("did you mean `{found}`?"),
                None => "where no CPU has the flag, the variant is not run anywhere".to_owned(),
            };
            self.diagnose(Severity::Warning, &comment.word(index), message, help);
        }
    }

    /// Where keys that stand both in the common part and in variants go.
    fn scope(&mut self) -> &mut Scope {
        match self.variants.last_mut() {
            Some(variant) => &mut variant.scope,
            None => &mut self.common,
        }
    }

    fn repeated(&mut self, comment: &Comment<'_>, before: u32) {
        self.error(
            &comment.whole(),
            format!("a second `{}`", comment.key),
            format!("line {before} has the first"),
        );
    }

    fn once(&mut self, comment: &Comment<'_>, key: &'static str) -> bool {
        if let Some(&(_, before)) = self.given.iter().find(|given| given.0 == key) {
            self.repeated(comment, before);
            return false;
        }
        self.given.push((key, comment.line));
        true
    }

    fn once_in_scope(&mut self, comment: &Comment<'_>, key: &'static str) -> bool {
        let given = self
            .scope()
            .given
            .iter()
            .find(|given| given.0 == key)
            .copied();
        if let Some((_, before)) = given {
            self.repeated(comment, before);
            return false;
        }
        self.scope().given.push((key, comment.line));
        true
    }

    fn has_text(&mut self, comment: &Comment<'_>) -> bool {
        self.some(comment, "TEXT")
    }

    fn some(&mut self, comment: &Comment<'_>, what: &str) -> bool {
        if comment.words.is_empty() {
            let message = format!("`{}` says nothing", comment.key);
            self.error(&comment.whole(), message, usage(comment.key, what));
        }
        !comment.words.is_empty()
    }

    fn count(&mut self, comment: &Comment<'_>, count: usize, what: &str) -> bool {
        if comment.words.len() < count {
            let message = format!("`{}` says too little", comment.key);
            self.error(&comment.whole(), message, usage(comment.key, what));
            return false;
        }
        if comment.words.len() > count {
            let message = format!("`{}` does not belong here", comment.words[count].1);
            self.error(&comment.word(count), message, usage(comment.key, what));
            return false;
        }
        true
    }

    fn number(
        &mut self,
        comment: &Comment<'_>,
        key: &'static str,
        what: &str,
        least: u32,
        most: u32,
    ) -> Option<u32> {
        if !self.once_in_scope(comment, key) || !self.count(comment, 1, what) {
            return None;
        }
        self.integer_word(comment, 0, least, most)
    }

    fn integer_word(
        &mut self,
        comment: &Comment<'_>,
        index: usize,
        least: u32,
        most: u32,
    ) -> Option<u32> {
        let word = comment.words[index].1;
        let value = integer(word)
            .and_then(|value| u32::try_from(value).ok())
            .filter(|value| (least..=most).contains(value));
        if value.is_none() {
            let message = format!("`{word}` is no number that `{}` can take", comment.key);
            let help = format!("it takes {least} to {most}");
            self.error(&comment.word(index), message, help);
        }
        value
    }

    fn variant(&mut self, comment: &Comment<'_>) {
        if self.variants.len() >= MOST_VARIANTS {
            // One error says it all.
            if !std::mem::replace(&mut self.has_too_many, true) {
                let message = format!("more than {MOST_VARIANTS} variants");
                let help = "write several files".to_owned();
                self.error(&comment.whole(), message, help);
            }
            return;
        }
        self.changes.push((comment.line, Change::Variant));
        let name = match comment.words.first() {
            Some(&(_, name)) => name.to_owned(),
            None => {
                let help = usage("variant", "NAME [TEXT]");
                self.error(&comment.whole(), "`variant` has no name".to_owned(), help);
                String::new()
            }
        };
        let before = self.named.get(&name).copied();
        if before.is_none() && !name.is_empty() {
            self.named.insert(name.clone(), comment.line);
        }
        if let Some(line) = before {
            let help = format!("line {line} has the first");
            self.error(&comment.word(0), format!("a second variant `{name}`"), help);
        }
        let text = match comment.words.get(1) {
            Some(&(at, _)) => comment.text[at..].trim_end().to_owned(),
            None => String::new(),
        };
        self.variants.push(Declared {
            name,
            text,
            line: comment.line,
            scope: Scope::default(),
        });
    }

    fn part(&mut self, comment: &Comment<'_>, part: Part) {
        self.count(comment, 0, "");
        self.changes.push((comment.line, Change::Part(part)));
    }

    fn finish(&mut self) {
        let Some((name, place)) = self.baseline.clone() else {
            return;
        };
        if self.variants.is_empty() || self.variants.iter().any(|known| known.name == name) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        for known in &self.variants {
            // One without a name, or with another's, has an error of its own.
            if !known.name.is_empty() && !names.contains(&known.name.as_str()) {
                names.push(&known.name);
            }
        }
        let help = match nearest(&name, &names) {
            Some(found) => format!("did you mean `{found}`?"),
            None if names.len() == 1 => format!("the only variant is {}", names[0]),
            None => format!("the variants are {}", names.join(", ")),
        };
        self.error(&place, format!("there is no variant `{name}`"), help);
    }

    /// Errors of the comments that change variant or part and that the preprocessor did not see as
    /// lines of their own: a C comment or a macro's arguments go on over them.
    pub(crate) fn unreached(&self, text: &str, switches: &[Switch]) -> Vec<Diagnostic> {
        let reached: HashSet<u32> = switches.iter().map(|found| found.line).collect();
        let missing = self
            .changes
            .iter()
            .filter(|(line, _)| !reached.contains(line));
        missing
            .map(|&(line, _)| Diagnostic {
                file: self.file.clone(),
                line,
                column: 1,
                width: 2,
                severity: Severity::Error,
                message: "the text before this structured comment goes on over it".to_owned(),
                help: "close the comment, string or parenthesis above".to_owned(),
                text: text.lines().nth(line as usize - 1).unwrap_or("").to_owned(),
                notes: Vec::new(),
            })
            .collect()
    }

    /// The error of a baseline that is not the lone variant's name.
    pub(crate) fn lone_baseline(&mut self, lone: &str) {
        if let Some((name, place)) = self.baseline.clone()
            && name != lone
        {
            let help = format!("the file declares no variants; its only one is `{lone}`");
            self.error(&place, format!("there is no variant `{name}`"), help);
        }
    }
}

fn usage(key: &str, what: &str) -> String {
    format!("write `#: {}`", format!("{key} {what}").trim_end())
}

/// Whether a C comment is open at the end of a line.
pub(crate) fn ends_in_comment(line: &str, open: bool) -> bool {
    if !open && !line.contains("/*") {
        return false;
    }
    let bytes = line.as_bytes();
    let mut comment = open;
    let mut at = 0;
    while at < bytes.len() {
        if comment {
            match line[at..].find("*/") {
                Some(length) => at += length + 2,
                None => return true,
            }
            comment = false;
        } else if bytes[at..].starts_with(b"/*") {
            comment = true;
            at += 2;
        } else if bytes[at..].starts_with(b"//") {
            return false;
        } else if matches!(bytes[at], b'"' | b'\'') {
            at = crate::cpp::quoted_end(bytes, at).unwrap_or(bytes.len());
        } else {
            at += 1;
        }
        // Quotes are ASCII, so a step behind one is a character's boundary; others step by bytes.
        while at < bytes.len() && !line.is_char_boundary(at) {
            at += 1;
        }
    }
    comment
}
