//! How a record's JSON is laid out in a file.

use std::io;

use serde_json::ser::{CompactFormatter, Formatter};

/// Objects indented, one key a line; lists of numbers and words on one line. A record is mostly
/// arrays of samples: one number a line would make it unreadable, one line in all would make every
/// change to it a change of the whole.
#[derive(Default)]
pub(crate) struct Layout {
    /// For every open container: whether it is an array, and whether anything in it stands on a
    /// line of its own.
    open: Vec<Container>,
    compact: CompactFormatter,
}

struct Container {
    is_array: bool,
    on_lines: bool,
}

fn new_line<W: ?Sized + io::Write>(writer: &mut W, depth: usize) -> io::Result<()> {
    writer.write_all(b"\n")?;
    for _ in 0..depth {
        writer.write_all(b"  ")?;
    }
    Ok(())
}

impl Layout {
    fn depth(&self) -> usize {
        self.open.len()
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open.push(Container {
            is_array: true,
            on_lines: false,
        });
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.open.pop().is_some_and(|array| array.on_lines) {
            new_line(writer, self.depth())?;
        }
        writer.write_all(b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b",")
        }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let depth = self.depth();
        if let Some(array) = self.open.last_mut().filter(|outer| outer.is_array) {
            array.on_lines = true;
            new_line(writer, depth)?;
        }
        self.open.push(Container {
            is_array: false,
            on_lines: false,
        });
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.open.pop().is_some_and(|object| object.on_lines) {
            new_line(writer, self.depth())?;
        }
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if let Some(object) = self.open.last_mut() {
            object.on_lines = true;
        }
        if !first {
            writer.write_all(b",")?;
        }
        new_line(writer, self.depth())
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        Escaped.write_string_fragment(writer, fragment)
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        self.compact.write_f64(writer, value)
    }
}

/// All on one line. Like [`Layout`], it escapes DEL and the C1 control characters, which JSON
/// allows as they are but a terminal acts on.
pub(crate) struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c: char| matches!(c, '\u{7f}'..='\u{9f}')) {
            let (before, from) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut chars = from.chars();
            if let Some(c) = chars.next() {
                write!(writer, "\\u{:04x}", u32::from(c))?;
            }
            rest = chars.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Serializer, Value, json};

    use super::*;

    fn laid_out(value: &Value) -> String {
        let mut text = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(
                &mut text,
                Layout::default(),
            ))
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_share_a_line_and_objects_do_not() {
        let value = json!({"a": [1, 2, [3, 4]], "b": [{"c": null}, {}], "d": {}, "e": []});
        let expected = "{\n  \"a\": [1,2,[3,4]],\n  \"b\": [\n    {\n      \"c\": null\n    },\n    \
                        {}\n  ],\n  \"d\": {},\n  \"e\": []\n}";
        assert_eq!(laid_out(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
    }

    #[test]
    fn what_a_terminal_would_act_on_is_escaped() {
        let value = json!("a\u{9b}31m\u{7f}\x1b\"é");
        assert_eq!(laid_out(&value), "\"a\\u009b31m\\u007f\\u001b\\\"é\"");
        assert_eq!(
            serde_json::from_str::<Value>(&laid_out(&value)).unwrap(),
            value
        );
    }
}
