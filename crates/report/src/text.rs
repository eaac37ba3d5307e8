//! Text from a record on its way to a terminal, and paragraphs.

use record::{Params, Variant, printable};
use textwrap::{Options, WordSplitter};

use crate::style::{Style, Tone};

/// Longest piece of foreign text that is shown, characters. A record may hold any length.
const MOST_SHOWN: usize = 300;

/// Foreign text without anything that a terminal acts on, of bounded length, in ASCII where so
/// wanted.
pub(crate) fn clean(text: &str, style: &Style) -> String {
    let text = printable(text);
    let mut shown = String::with_capacity(text.len());
    for (count, c) in text.chars().enumerate() {
        if count == MOST_SHOWN {
            shown.push_str("...");
            break;
        }
        if style.ascii && c == '\u{fffd}' {
            // What it stands for is not known.
            shown.push('?');
        } else if style.ascii && !c.is_ascii() {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// One paragraph, wrapped; lines after the first are indented. With the last line's end.
pub(crate) fn paragraph(text: &str, indent: &str, tone: Tone, style: &Style) -> String {
    let options = Options::new(style.columns())
        .subsequent_indent(indent)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(true);
    let mut wrapped = String::new();
    for line in textwrap::wrap(text, options) {
        wrapped.push_str(&tone.paint(line.trim_end(), style));
        wrapped.push('\n');
    }
    wrapped
}

/// ` OUTER=12 INNER=7` for these params of a variant.
pub(crate) fn with_params(variant: &Variant, params: &[&str]) -> String {
    let mut text = String::new();
    for name in params {
        if let Some(value) = variant.params.get(*name) {
            text.push_str(&format!(" {name}={value}"));
        }
    }
    text
}

/// ` OUTER=12 INNER=7` for all params.
pub(crate) fn params_text(params: &Params) -> String {
    params
        .iter()
        .map(|(name, value)| format!(" {name}={value}"))
        .collect()
}

/// A variant's name with the params that tell it apart from others of the record.
/// `varying` is what [`record::Record::common_params`] says of the record: asked once, not for
/// every variant, since it looks at all of them.
pub(crate) fn full_name(variant: &Variant, varying: &[&str]) -> String {
    format!("{}{}", variant.name, with_params(variant, varying))
}

/// `1 word` or `2 words`.
pub(crate) fn count(number: u64, word: &str, words: &str) -> String {
    if number == 1 {
        format!("1 {word}")
    } else {
        format!("{number} {words}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ascii_stays_told_apart() {
        assert_eq!(clean("größe\x1b[1m", &Style::MAIL), "gr\\u{f6}\\u{df}e[1m");
        let style = Style {
            ascii: false,
            ..Style::MAIL
        };
        assert_eq!(clean("größe", &style), "größe");
    }

    #[test]
    fn length_is_bounded() {
        assert_eq!(
            clean(&"x".repeat(10_000), &Style::MAIL).len(),
            MOST_SHOWN + 3
        );
    }

    #[test]
    fn paragraphs_stay_within_their_columns_whatever_the_words() {
        let text = format!("warning: {} and more", "x".repeat(200));
        let wrapped = paragraph(&text, "  ", Tone::Plain, &Style::MAIL);
        assert!(wrapped.lines().all(|line| line.len() <= 75), "{wrapped}");
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("  ")));
    }
}
