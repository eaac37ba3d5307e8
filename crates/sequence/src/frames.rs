//! Files, and the expansions that statements come from.

use std::sync::{Arc, OnceLock};

use crate::lines::BUILTIN;
use crate::scanner::saturate;
use crate::{Diagnostic, Note, Origin, Problem};

/// A file's name and text as read.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
}

/// What led to an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Via {
    /// The frame it was asked for in.
    pub(crate) frame: u32,
    /// The line it was asked for on.
    pub(crate) line: u32,
    /// Index into [`Frames::names`]: what a note calls it.
    pub(crate) name: u32,
}

/// A file's lines, or lines of a file in one expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    file: u32,
    via: Option<Via>,
}

/// Lines between two that are noted.
const STRIDE: usize = 128;

/// Where each [`STRIDE`]th line of a text starts.
fn starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    starts.extend(ends.skip(STRIDE - 1).step_by(STRIDE).map(saturate));
    starts
}

/// Table of frames that [`Origin::frame`] refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    files: Vec<SourceFile>,
    /// How many files there were before the walk.
    fixed: usize,
    frames: Vec<Frame>,
    names: Vec<String>,
    /// Lines of the first file that are patches, first and last.
    patches: Arc<[(u32, u32)]>,
    /// For each file, where its lines start: made when the first is asked for.
    starts: Vec<OnceLock<Vec<u32>>>,
}

impl Frames {
    pub(crate) fn new(files: Vec<SourceFile>) -> Self {
        Self {
            fixed: files.len(),
            starts: vec![OnceLock::new(); files.len()],
            files,
            frames: Vec::new(),
            names: Vec::new(),
            patches: Arc::default(),
        }
    }

    pub(crate) fn with_patches(mut self, patches: Arc<[(u32, u32)]>) -> Self {
        self.patches = patches;
        self
    }

    /// Whether any text is a patch's.
    pub(crate) fn has_patches(&self) -> bool {
        !self.patches.is_empty()
    }

    /// What would be right: where a hunk lacks a label, it is the hunk that is too short.
    pub(crate) fn help(&self, file: u32, line: u32, problem: &Problem) -> String {
        let inside = self
            .patches
            .iter()
            .any(|&(first, last)| (first..=last).contains(&line));
        if file == 0 && inside && problem.message.starts_with(crate::MISSING_LABEL) {
            return "the hunk does not hold the whole function: make the patch with `git diff -W`, or \
                    write what is missing under `#: variant`"
                .to_owned();
        }
        problem.help.clone()
    }

    /// Forgets what a walk added.
    pub(crate) fn restart(&mut self) {
        self.files.truncate(self.fixed);
        self.starts.truncate(self.fixed);
        self.frames.clear();
        self.names.clear();
    }

    pub(crate) fn add_file(&mut self, name: &str, text: Arc<str>) -> u32 {
        self.files.push(SourceFile {
            name: name.into(),
            text,
        });
        self.starts.push(OnceLock::new());
        saturate(self.files.len() - 1)
    }

    pub(crate) fn file_name(&self, file: u32) -> &str {
        self.files
            .get(file as usize)
            .map_or("<built in>", |file| &file.name)
    }

    /// The frame of `file` in the expansion `via`.
    pub(crate) fn frame(&mut self, file: u32, via: Option<Via>) -> u32 {
        self.frames.push(Frame { file, via });
        saturate(self.frames.len() - 1)
    }

    /// The number of a note's text.
    pub(crate) fn name(&mut self, name: &str) -> u32 {
        // Few macros have names, and the newest is asked for most.
        let known = self.names.iter().rposition(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        saturate(index)
    }

    fn get(&self, frame: u32) -> Frame {
        self.frames.get(frame as usize).copied().unwrap_or(Frame {
            file: BUILTIN,
            via: None,
        })
    }

    /// File and line of the outermost expansion.
    pub(crate) fn outermost(&self, frame: u32, line: u32) -> (u32, u32) {
        let (mut current, mut line) = (self.get(frame), line);
        while let Some(via) = current.via {
            line = via.line;
            current = self.get(via.frame);
        }
        (current.file, line)
    }

    /// File and line of the innermost place that is not built in, and the notes on how it was
    /// reached, innermost first. Built-in text has no line to show, so its users' is shown.
    pub(crate) fn locate(&self, frame: u32, line: u32) -> Option<(u32, u32, Vec<Note>)> {
        let mut notes = Vec::new();
        let mut found = None;
        let (mut current, mut line) = (self.get(frame), line);
        loop {
            if current.file != BUILTIN {
                found.get_or_insert((current.file, line));
            }
            let Some(via) = current.via else { break };
            let outer = self.get(via.frame);
            if outer.file != BUILTIN {
                notes.push(Note {
                    file: self.file_name(outer.file).to_owned(),
                    line: via.line,
                    message: self
                        .names
                        .get(via.name as usize)
                        .cloned()
                        .unwrap_or_default(),
                });
            }
            line = via.line;
            current = outer;
        }
        found.map(|(file, line)| (file, line, notes))
    }

    /// The text of a line as read.
    pub(crate) fn line_text(&self, file: u32, line: u32) -> &str {
        let Some(found) = self.files.get(file as usize) else {
            return "";
        };
        let Some(index) = (line as usize).checked_sub(1) else {
            return "";
        };
        // A file of a million lines may have ten thousand warnings: each is looked for from near by.
        let starts = self.starts[file as usize].get_or_init(|| starts(&found.text));
        let Some(&start) = starts.get(index / STRIDE) else {
            return "";
        };
        let rest = found.text.get(start as usize..).unwrap_or("");
        rest.lines().nth(index % STRIDE).unwrap_or("")
    }

    pub(crate) fn is_builtin(&self, frame: u32) -> bool {
        self.get(frame).file == BUILTIN
    }

    pub(crate) fn is_expansion(&self, frame: u32) -> bool {
        self.get(frame).via.is_some()
    }

    /// A diagnostic with the line's text as read.
    pub(crate) fn diagnose(&self, origin: Origin, problem: Problem) -> Option<Diagnostic> {
        let (file, line, mut notes) = self.locate(origin.frame, origin.line)?;
        crate::diagnostic::shorten(&mut notes);
        let text = crate::walk::clipped(self.line_text(file, line));
        let indent = text.len() - text.trim_start().len();
        let (start, width) = if self.is_expansion(origin.frame) {
            // Columns count in expanded text, which is not what is shown.
            (indent, text.trim().chars().count())
        } else {
            let column = (origin.column as usize).saturating_sub(1);
            let statement = text.chars().skip(column).collect::<String>();
            let whole = statement.split([';', '#']).next().unwrap_or("").trim_end();
            match problem.at {
                Some((at, width)) => (column + at as usize, width as usize),
                None => (column, whole.chars().count()),
            }
        };
        Some(Diagnostic {
            file: self.file_name(file).to_owned(),
            line,
            column: saturate(start + 1),
            width: saturate(width.max(1)),
            severity: problem.severity,
            help: self.help(file, line, &problem),
            message: problem.message,
            text: text.to_owned(),
            notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_wherever_they_are() {
        let text: String = (1..1000).map(|line| format!("line {line}\n")).collect();
        let frames = Frames::new(vec![SourceFile {
            name: "a".into(),
            text: text.into(),
        }]);
        for line in [1, 2, 127, 128, 129, 130, 256, 257, 999] {
            assert_eq!(frames.line_text(0, line), format!("line {line}"));
        }
        for line in [0, 1000, 5000] {
            assert_eq!(frames.line_text(0, line), "");
        }
        assert_eq!(frames.line_text(1, 1), "");
    }
}
