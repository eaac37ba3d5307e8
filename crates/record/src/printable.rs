//! Text from a record, made safe to print.

/// Whether a character could do more than stand in its place: control characters (a terminal's
/// escapes among them), line and paragraph separators, and the marks that reorder text or vanish
/// in it, with which one name can be made to look like another.
#[must_use]
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
                | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f
        )
}

/// `text` on one line and without anything that a terminal would act on: white space of any kind
/// becomes one space, other control and formatting characters are dropped.
///
/// A record may come from anyone; whatever of it reaches a terminal goes through here.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{2028}' | '\u{2029}'
        ) {
            clean.push(' ');
        } else if !is_harmful(c) {
            clean.push(c);
        }
    }
    clean
}

/// `text` with its lines and tabs, in which everything else that a terminal would act on is shown as
/// U+FFFD: for text of several lines that quotes what may come from anyone.
#[must_use]
pub fn harmless(text: &str) -> String {
    let shown = |c| match c {
        '\n' | '\t' => c,
        c if is_harmful(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::{harmless, printable};

    #[test]
    fn lines_stay_and_escapes_are_shown() {
        assert_eq!(
            harmless("a\n\tb\x1b[2J\u{9b}\u{202e}\r"),
            "a\n\tb\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn escapes_lose_their_introducer() {
        assert_eq!(printable("a\x1b[31mb\u{9b}1mc\x07\x7f"), "a[31mb1mc");
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(printable("a\r\nb\tc\u{2028}d"), "a  b c d");
    }

    #[test]
    fn marks_that_reorder_or_vanish_are_dropped() {
        assert_eq!(printable("al\u{202e}ha\u{200b}\u{2066}"), "alha");
    }

    #[test]
    fn other_scripts_stay() {
        assert_eq!(printable("größe 速い"), "größe 速い");
    }
}
