//! The layout of a table in a terminal or a mail.
//!
//! Laid out here, and not by comfy-table, for three things that it does not have: a heading over
//! several columns, lines across the table (a heading for each group of rows, a long name on a
//! line of its own), and colour without asking the environment (it goes through crossterm, which
//! reads `NO_COLOR` itself).

use unicode_width::UnicodeWidthStr;

use crate::style::{Style, Tone};

/// Between columns of one heading.
const NARROW: usize = 1;
/// Between columns of different headings.
const WIDE: usize = 2;
/// Before what stands on its own line, and the numbers below it.
const INDENT: usize = 2;

/// Text on the left, one line each, beside columns of numbers on the right.
#[derive(Default)]
pub(crate) struct Columns {
    /// Heading of the left column.
    pub(crate) left: String,
    /// The columns, in groups that share a heading.
    pub(crate) groups: Vec<Group>,
    /// The lines below the headings.
    pub(crate) lines: Vec<Line>,
}

/// Columns that share a heading.
pub(crate) struct Group {
    /// Over all of them.
    pub(crate) title: String,
    /// One below it for each column.
    pub(crate) heads: Vec<&'static str>,
}

/// One line.
pub(crate) enum Line {
    /// Across the whole table.
    Across(String),
    /// A row: its name, and as many cells as there are columns.
    Row(String, Vec<Cell>),
}

/// One number.
#[derive(Clone, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone,
        }
    }

    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Tone::Plain)
    }
}

impl Columns {
    /// The table, with the last line's end, no wider than the style's columns as long as the cells
    /// leave room for that. No line ends in white space.
    pub(crate) fn render(&self, style: &Style) -> String {
        let widths = self.widths();
        let numbers: usize = widths
            .iter()
            .flatten()
            .map(|&(gap, width)| gap + width)
            .sum();
        let room = style.columns().saturating_sub(numbers);
        let names = self.lines.iter().filter_map(|line| match line {
            Line::Row(name, _) => Some(name.width()),
            Line::Across(_) => None,
        });
        let left = names
            .chain([self.left.width()])
            .filter(|&width| width <= room)
            .max()
            .unwrap_or(0)
            .max(INDENT.min(room));
        let mut text = String::new();
        self.heads(&widths, left, style, &mut text);
        for line in &self.lines {
            match line {
                Line::Across(heading) => {
                    push_line(&mut text, &Tone::Head.paint(heading, style));
                }
                Line::Row(name, cells) => {
                    let mut row = padded(name, left);
                    if name.width() > left {
                        for part in broken(name, style.columns()) {
                            push_line(&mut text, &part);
                        }
                        row = " ".repeat(left);
                    }
                    for (&(gap, width), cell) in widths.iter().flatten().zip(cells) {
                        let space = gap + width.saturating_sub(cell.text.width());
                        row.push_str(&" ".repeat(space));
                        row.push_str(&cell.tone.paint(&cell.text, style));
                    }
                    push_line(&mut text, &row);
                }
            }
        }
        text
    }

    /// For each group, the gap before each of its columns and the column's width.
    fn widths(&self) -> Vec<Vec<(usize, usize)>> {
        let mut column = 0;
        self.groups
            .iter()
            .map(|group| {
                let mut widths: Vec<(usize, usize)> = group
                    .heads
                    .iter()
                    .enumerate()
                    .map(|(index, head)| {
                        let cells = self.lines.iter().filter_map(|line| match line {
                            Line::Row(_, cells) => cells.get(column + index),
                            Line::Across(_) => None,
                        });
                        let width = cells
                            .map(|cell| cell.text.width())
                            .chain([head.width()])
                            .max()
                            .unwrap_or(0);
                        (if index == 0 { WIDE } else { NARROW }, width)
                    })
                    .collect();
                column += group.heads.len();
                let inside: usize = widths.iter().map(|(gap, width)| gap + width).sum();
                let missing = (group.title.width() + WIDE).saturating_sub(inside);
                if let Some(first) = widths.first_mut() {
                    first.1 += missing;
                }
                widths
            })
            .collect()
    }

    fn heads(&self, widths: &[Vec<(usize, usize)>], left: usize, style: &Style, text: &mut String) {
        let name = if self.left.width() <= left {
            self.left.as_str()
        } else {
            ""
        };
        let (mut titles, mut heads) = (" ".repeat(left), padded(name, left));
        for (group, widths) in self.groups.iter().zip(widths) {
            let inside: usize = widths.iter().map(|(gap, width)| gap + width).sum();
            let free = inside.saturating_sub(WIDE + group.title.width());
            // In the middle over several columns, at the right edge over one, as its numbers are.
            let after = if widths.len() > 1 { free / 2 } else { 0 };
            titles.push_str(&" ".repeat(WIDE + free - after));
            titles.push_str(&group.title);
            titles.push_str(&" ".repeat(after));
            for (head, &(gap, width)) in group.heads.iter().zip(widths) {
                heads.push_str(&" ".repeat(gap + width.saturating_sub(head.width())));
                heads.push_str(head);
            }
        }
        for line in [titles, heads] {
            if !line.trim().is_empty() {
                push_line(text, &Tone::Head.paint(line.trim_end(), style));
            }
        }
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// A long name in lines: at spaces where it has any, else where a line is full.
fn broken(name: &str, columns: usize) -> Vec<String> {
    let options = textwrap::Options::new(columns)
        .subsequent_indent("    ")
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(name, options)
        .into_iter()
        .map(|line| line.into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str]) -> Columns {
        Columns {
            left: "variant".into(),
            groups: vec![
                Group {
                    title: "isolated".into(),
                    heads: vec!["cyc", "+%"],
                },
                Group {
                    title: String::new(),
                    heads: vec!["byte"],
                },
            ],
            lines: names
                .iter()
                .map(|name| {
                    Line::Row(
                        (*name).to_owned(),
                        ["64.7", "=", "163"].map(Cell::plain).to_vec(),
                    )
                })
                .collect(),
        }
    }

    #[test]
    fn numbers_stand_below_their_heads() {
        let expected = "         isolated\n\
                        variant    cyc +%  byte\n\
                        al-ah     64.7  =   163\n";
        assert_eq!(table(&["al-ah"]).render(&Style::MAIL), expected);
    }

    #[test]
    fn a_name_too_long_for_its_column_has_a_line_of_its_own() {
        let long = "x".repeat(70);
        let text = table(&["al-ah", &long]).render(&Style::MAIL);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[3], long);
        assert_eq!(lines[4], "          64.7  =   163");
    }

    #[test]
    fn a_name_longer_than_a_line_is_broken() {
        let text = table(&[&"x".repeat(200)]).render(&Style::MAIL);
        assert!(text.lines().all(|line| line.len() <= 75), "{text}");
        assert_eq!(text.matches('x').count(), 200);
    }

    #[test]
    fn wide_characters_count_as_two() {
        let text = table(&["速い", "ab"]).render(&Style::MAIL);
        let rows: Vec<_> = text.lines().skip(2).map(UnicodeWidthStr::width).collect();
        assert_eq!(rows[0], rows[1]);
    }

    #[test]
    fn colour_does_not_move_columns() {
        let mut coloured = table(&["al-ah"]);
        if let Line::Row(_, cells) = &mut coloured.lines[0] {
            cells[1].tone = Tone::Slower;
        }
        let style = Style {
            colour: true,
            ..Style::MAIL
        };
        let text = coloured.render(&style);
        assert!(text.contains("\x1b[31m=\x1b[0m"), "{text:?}");
        let plain = text
            .replace("\x1b[31m", "")
            .replace("\x1b[1m", "")
            .replace("\x1b[0m", "");
        assert_eq!(plain, table(&["al-ah"]).render(&Style::MAIL));
    }

    #[test]
    fn no_rows_are_heads_alone() {
        assert_eq!(table(&[]).render(&Style::MAIL).lines().count(), 2);
    }
}
