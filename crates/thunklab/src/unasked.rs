//! `--feature` and `--config` words that no line goes by. They change nothing, and are most likely
//! misspelt: whoever typed one shall not believe that it was in force.

use std::collections::BTreeSet;

use crate::args::typed::Assembly;
use crate::unit::Source;

/// Words that a message lists.
const LISTED: usize = 8;
/// How alike words are that might have been meant.
const ALIKE: f64 = 0.9;
/// How words begin that a line can go by.
const STEMS: [&str; 3] = ["X86_FEATURE_", "X86_BUG_", "CONFIG_"];

/// What is to be said of the words typed for these files, a warning each. The files have to be
/// assembled before: only then all of their includes are known.
pub(crate) fn unasked(sources: &[&Source], assembly: &Assembly) -> Vec<String> {
    let features = assembly.features.iter().map(|word| ("--feature", &**word));
    let configs = assembly.configs.iter().map(|word| {
        let name = word.split_once('=').map_or(&**word, |(name, _)| name);
        ("--config", name)
    });
    let typed: Vec<(&str, &str)> = features.chain(configs).collect();
    if typed.is_empty() {
        return Vec::new();
    }
    let mut own = BTreeSet::new();
    for source in sources {
        for text in source.texts() {
            own.extend(words(&text).map(str::to_owned));
        }
    }
    let built_in: BTreeSet<&str> = sequence::prelude().into_iter().flat_map(words).collect();
    typed
        .into_iter()
        .filter(|(_, word)| !own.contains(*word) && !built_in.contains(word))
        .map(|(option, word)| {
            let known = own
                .iter()
                .map(String::as_str)
                .chain(built_in.iter().copied());
            let files: Vec<&str> = sources
                .iter()
                .map(|source| &*source.sequence.file)
                .collect();
            format!(
                "warning: {option} {word}: no line of {} goes by it{}",
                files.join(", "),
                meant(word, known.collect(), &own)
            )
        })
        .collect()
}

/// `; did you mean X86_FEATURE_RETPOLINE?`, else what there is in the files.
fn meant(word: &str, known: Vec<&str>, own: &BTreeSet<String>) -> String {
    let nearest = known
        .into_iter()
        .map(|other| (strsim::jaro_winkler(rest(word), rest(other)), other))
        .filter(|(alike, other)| *alike >= ALIKE && stem(other) == stem(word))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, other)) = nearest {
        return format!("; did you mean {other}?");
    }
    let of_kind = own.iter().filter(|other| stem(other) == stem(word));
    let mut listed: Vec<&str> = of_kind.map(String::as_str).collect();
    match listed.len() {
        0 => String::new(),
        all => {
            listed.truncate(LISTED);
            let more = if all > LISTED { ", ..." } else { "" };
            format!("; there is {}{more}", listed.join(", "))
        }
    }
}

fn stem(word: &str) -> Option<&'static str> {
    STEMS.into_iter().find(|stem| word.starts_with(stem))
}

/// Behind the stem: what all words share says nothing.
fn rest(word: &str) -> &str {
    stem(word).map_or(word, |stem| &word[stem.len()..])
}

/// The words of a text that begin like one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| stem(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_names_do() {
        let text = "ALTERNATIVE \"\", \"lfence\", X86_FEATURE_A|X86_BUG_B\n#ifdef CONFIG_C\n";
        let found: Vec<&str> = words(text).collect();
        assert_eq!(found, ["X86_FEATURE_A", "X86_BUG_B", "CONFIG_C"]);
    }

    #[test]
    fn near_words_are_of_the_same_kind() {
        let own = BTreeSet::from(["X86_FEATURE_IBT".to_owned(), "CONFIG_IBT".to_owned()]);
        let known = || own.iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(
            meant("X86_FEATURE_IBTT", known(), &own),
            "; did you mean X86_FEATURE_IBT?"
        );
        assert_eq!(meant("CONFIG_SMP", known(), &own), "; there is CONFIG_IBT");
        assert_eq!(meant("X86_BUG_IBT", known(), &own), "");
    }
}
