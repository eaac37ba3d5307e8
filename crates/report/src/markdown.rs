//! Markdown as GitHub renders it: what all tables share.

use record::printable;

/// Foreign text that stands in Markdown as it is: nothing in it is markup, a cell's end, a tag, an
/// entity or the name of someone to be told.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '@' => safe.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '!' | '|' | '~'
            | '$' => {
                safe.push('\\');
                safe.push(c);
            }
            _ => safe.push(c),
        }
    }
    // A name that GitHub would make a link of by itself.
    safe.replace("://", ":&#47;&#47;")
        .replace("www.", "www&#46;")
}

/// A list of foreign sentences.
pub(crate) fn list(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("- {}\n", escaped(line)))
        .collect()
}

/// A table of escaped cells; the first column stands on the left, the others on the right.
pub(crate) fn table(heads: &[String], rows: &[Vec<String>]) -> String {
    let mut text = line(heads);
    let rules: Vec<String> = (0..heads.len())
        .map(|column| if column == 0 { "---" } else { "---:" }.to_owned())
        .collect();
    text.push_str(&line(&rules));
    for row in rows {
        text.push_str(&line(row));
    }
    text
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_name_is_markup() {
        assert_eq!(
            escaped("a|b`c`<img src=x>\n@x **y** [z](http://w) \x1b[1m"),
            "a\\|b\\`c\\`&lt;img src=x&gt; &#64;x \\*\\*y\\*\\* \\[z\\]\\(http:&#47;&#47;w\\) \\[1m"
        );
        assert_eq!(escaped("al-ah, eax=0"), "al-ah, eax=0");
    }

    #[test]
    fn tables_have_as_many_rules_as_heads() {
        let text = table(&["a".into(), "b".into()], &[vec!["1".into(), "2".into()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| 1 | 2 |\n");
    }
}
