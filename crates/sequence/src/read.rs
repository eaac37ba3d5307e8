//! Reads a sequence file: its head, the preprocessor, the split into variants.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::cpp::{Preprocessed, Switch, looks_like_directive, preprocess};
use crate::frames::SourceFile;
use crate::header::Unit;
use crate::keys::{Change, Declared, Keys, Scope};
use crate::lines::{Cursor, Mark, place, too_long, too_long_message};
use crate::patch::{Unfolded, unfold};
use crate::program::Piece;
use crate::scanner::saturate;
use crate::{
    Configs, Context, Diagnostic, Entry, Options, Part, Reader, Sequence, Severity, Variant,
};

/// Bytes that a file may have.
const MAX_BYTES: usize = 256 << 20;

/// Reads a file; the second part is what is wrong with it. With errors there may be a sequence all
/// the same, whose assembler text can be looked at for more of them.
pub(crate) fn read(
    file: &str,
    text: &str,
    reader: &mut dyn Reader,
    options: &Options,
) -> (Option<Sequence>, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    check_bytes(file, text, &mut errors);
    if !errors.is_empty() {
        return (None, errors);
    }
    let whole: Arc<str> = Arc::from(text);
    let mut unfolded = unfold(file, text);
    let text = match &unfolded {
        Some(unfolded) => Arc::from(unfolded.text.as_str()),
        None => Arc::clone(&whole),
    };
    let (sequence, mut found) =
        read_unfolded(file, &text, reader, options, &whole, unfolded.as_ref());
    if let Some(unfolded) = &mut unfolded {
        unfolded.place(file, &mut found);
        found.append(&mut unfolded.errors);
        found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        // What is wrong with a line of both sides is wrong in both variants.
        found.dedup();
    }
    (sequence, found)
}

/// Reads a text without patches. `whole` is the file as it is.
fn read_unfolded(
    file: &str,
    text: &Arc<str>,
    reader: &mut dyn Reader,
    options: &Options,
    whole: &Arc<str>,
    unfolded: Option<&Unfolded>,
) -> (Option<Sequence>, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let name = stem(file).to_owned();
    let mut keys = Keys::read(file, text);
    if keys.variants.is_empty() {
        keys.lone_baseline(&name);
        keys.variants.push(Declared {
            name: name.clone(),
            text: String::new(),
            line: 1,
            scope: Scope::default(),
        });
    }
    errors.append(&mut keys.errors);
    let before = errors.len();
    if options.plain {
        find_directives(file, text, &mut errors);
    }
    // Both branches of what would be an `#if` are in the text then.
    let has_directives = errors.len() > before;
    let mut warnings = Vec::new();
    let variants: Vec<Variant> = keys
        .variants
        .iter()
        .map(|declared| variant(declared, &keys.common, options))
        .collect();
    let symbols: Vec<&str> = keys
        .params
        .iter()
        .map(|param| param.name.as_str())
        .chain(keys.randoms.iter().map(|random| random.symbol.as_str()))
        .collect();
    let mut known: Vec<(Configs, Arc<Layout>)> = Vec::new();
    let mut layouts = Vec::new();
    for variant in &variants {
        if let Some((_, layout)) = known
            .iter()
            .find(|(configs, _)| *configs == variant.configs)
        {
            layouts.push(Arc::clone(layout));
            continue;
        }
        let result = if options.plain {
            Ok((unprocessed(file, text, &keys), Vec::new()))
        } else {
            let lines: Vec<u32> = keys
                .changes
                .iter()
                .filter(|(_, change)| *change == Change::Variant)
                .map(|(line, _)| *line)
                .collect();
            preprocess(file, text, &lines, &symbols, &variant.configs, reader)
        };
        match result {
            Ok((mut preprocessed, found)) => {
                add_new(&mut warnings, found);
                let swallowed = keys.unreached(text, &preprocessed.switches);
                if !swallowed.is_empty() {
                    add_new(&mut errors, swallowed);
                    continue;
                }
                if let Some(unfolded) = &unfolded {
                    let count = saturate(preprocessed.text.lines().count());
                    preprocessed.marks = unfolded.marks(&preprocessed.marks, count);
                    if let Some(first) = preprocessed.files.first_mut() {
                        first.text = Arc::clone(whole);
                    }
                }
                let layout = Arc::new(Layout::new(&preprocessed, &keys));
                known.push((variant.configs.clone(), Arc::clone(&layout)));
                layouts.push(layout);
            }
            Err(found) => add_new(&mut errors, found),
        }
    }
    add_new(&mut errors, warnings);
    let is_whole = layouts.len() == variants.len()
        && !keys.lacks_symbols
        && !has_directives
        && unfolded.is_none_or(|unfolded| unfolded.errors.is_empty());
    if !is_whole {
        return (None, errors);
    }
    let (mut units, mut variants) = finish(variants, &layouts);
    if let Some(unfolded) = unfolded {
        for variant in &mut variants {
            variant.line = unfolded.line(variant.line);
        }
        let patches: Arc<[(u32, u32)]> = Arc::from(unfolded.patches.as_slice());
        for unit in &mut units {
            unit.patches = Arc::clone(&patches);
            for piece in &mut unit.pieces {
                piece.switch = piece.switch.map(|line| unfolded.line(line));
            }
        }
    }
    let baseline = keys
        .baseline
        .as_ref()
        .map_or_else(|| variants[0].name.clone(), |(name, _)| name.clone());
    let entry = variants
        .iter()
        .find(|variant| variant.name == baseline)
        .map(|variant| &variant.entry);
    let verdict = keys.verdict.unwrap_or(match entry {
        Some(Entry::Inline) => Context::Chained,
        _ => Context::Isolated,
    });
    let sequence = Sequence {
        file: file.to_owned(),
        name,
        title: keys.title,
        about: keys.about,
        sources: keys.sources,
        params: keys.params,
        randoms: keys.randoms,
        baseline,
        verdict,
        variants,
        text: Arc::clone(whole),
        warnings: Vec::new(),
        units,
        seed: options.seed,
        plain: options.plain,
    };
    (Some(sequence), errors)
}

/// The file's name without folders and extension.
fn stem(file: &str) -> &str {
    let base = file.rsplit('/').next().unwrap_or(file);
    match base.rfind('.') {
        Some(dot) if dot > 0 => &base[..dot],
        _ => base,
    }
}

fn add_new(known: &mut Vec<Diagnostic>, found: Vec<Diagnostic>) {
    for diagnostic in found {
        if !known.contains(&diagnostic) {
            known.push(diagnostic);
        }
    }
}

/// Refuses what no assembler text holds.
fn check_bytes(file: &str, text: &str, errors: &mut Vec<Diagnostic>) {
    let mut error = |line: u32, column: usize, message: String, help: &str| {
        errors.push(Diagnostic {
            file: file.to_owned(),
            line,
            column: saturate(column),
            width: 1,
            severity: Severity::Error,
            message,
            help: help.to_owned(),
            text: String::new(),
            notes: Vec::new(),
        });
    };
    let plain = "a sequence file is plain text";
    if text.len() > MAX_BYTES {
        let message = format!("the file has more than {} MiB", MAX_BYTES >> 20);
        error(1, 1, message, plain);
    } else if text.starts_with('\u{feff}') {
        let help = "save it as UTF-8 without one: GNU as refuses it too";
        error(
            1,
            1,
            "the file starts with a byte order mark".to_owned(),
            help,
        );
    } else if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() + 1;
        let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
        let message = "the file holds a NUL byte".to_owned();
        error(saturate(line), column, message, plain);
    } else if let Some(index) = too_long(text) {
        let (message, help) = too_long_message();
        error(index + 1, 1, message, help);
    }
}

/// Refuses lines of a `.s` file that a preprocessor would have taken for its own.
fn find_directives(file: &str, text: &str, errors: &mut Vec<Diagnostic>) {
    if !text.contains('#') {
        return;
    }
    let mut comment = false;
    for (line, text) in (1..).zip(text.lines()) {
        let inside = comment;
        comment = crate::keys::ends_in_comment(text, comment);
        if inside || text.starts_with("#:") {
            continue;
        }
        if let Some(name) = looks_like_directive(text) {
            let indent = text.len() - text.trim_start().len();
            errors.push(Diagnostic {
                file: file.to_owned(),
                line,
                column: saturate(indent + 1),
                width: saturate(text.trim().chars().count()),
                severity: Severity::Error,
                message: format!("`#{name}` in a .s file, for which no preprocessor runs"),
                help: "name the file .S, or remove the line: GNU as takes it for a comment and \
                       assembles what all branches hold"
                    .to_owned(),
                text: text.to_owned(),
                notes: Vec::new(),
            });
        }
    }
}

/// A variant with everything in force for it.
fn variant(declared: &Declared, common: &Scope, options: &Options) -> Variant {
    let own = &declared.scope;
    let entry = own
        .entry
        .clone()
        .or_else(|| common.entry.clone())
        .unwrap_or(Entry::Call(None));
    let between = own
        .between
        .clone()
        .or_else(|| common.between.clone())
        .unwrap_or_else(|| match entry {
            Entry::Call(_) => vec![Context::Chained, Context::Isolated, Context::History],
            Entry::Inline => vec![Context::Chained],
        });
    let mut configs = common.configs.clone();
    configs.configs.extend(own.configs.configs.clone());
    configs
        .features
        .extend(own.configs.features.iter().cloned());
    configs.configs.extend(options.configs.configs.clone());
    configs
        .features
        .extend(options.configs.features.iter().cloned());
    configs.features.sort_unstable();
    configs.features.dedup();
    Variant {
        name: declared.name.clone(),
        text: declared.text.clone(),
        line: declared.line,
        entry,
        between,
        unroll: own.unroll.or(common.unroll),
        align: own.align.or(common.align).unwrap_or(64),
        offset: own.offset.or(common.offset).unwrap_or(0),
        needs: own
            .needs
            .clone()
            .or_else(|| common.needs.clone())
            .unwrap_or_default(),
        configs,
        syscalls: own
            .syscalls
            .clone()
            .or_else(|| common.syscalls.clone())
            .unwrap_or_default(),
        filter: own.filter.or(common.filter),
        probe_history: own.probe || common.probe,
        has_setup: false,
        has_before: false,
        has_after: false,
    }
}

/// A `.s` file, which is its own output.
fn unprocessed(file: &str, text: &Arc<str>, keys: &Keys) -> Preprocessed {
    let mut switches = Vec::new();
    let mut changes = keys.changes.iter().map(|(line, _)| *line).peekable();
    let mut offset = 0;
    for (index, line) in (0_u32..).zip(text.split_inclusive('\n')) {
        if changes.peek().is_none() {
            break;
        }
        if changes.next_if_eq(&(index + 1)).is_some() {
            switches.push(Switch {
                line: index + 1,
                offset,
                index,
            });
        }
        offset += line.len();
    }
    Preprocessed {
        text: Arc::clone(text),
        marks: vec![Mark {
            index: 0,
            file: 0,
            line: 1,
        }],
        switches,
        files: vec![SourceFile {
            name: file.into(),
            text: Arc::clone(text),
        }],
    }
}

/// A preprocessed file, cut where variants and parts change.
struct Layout {
    common: Vec<Piece>,
    variants: Vec<Vec<Piece>>,
    files: Arc<[SourceFile]>,
}

impl Layout {
    fn new(preprocessed: &Preprocessed, keys: &Keys) -> Self {
        let mut layout = Self {
            common: Vec::new(),
            variants: Vec::new(),
            files: preprocessed.files.clone().into(),
        };
        let mut begin = (0, 0);
        let mut part = Part::Common;
        let mut switch = false;
        let mut comment = 0;
        let mut reached = HashMap::new();
        for found in &preprocessed.switches {
            reached.entry(found.line).or_insert(found);
        }
        for (line, change) in &keys.changes {
            let Some(&found) = reached.get(line) else {
                // An error has been given for a comment that the preprocessor did not reach.
                continue;
            };
            layout.add(
                preprocessed,
                begin,
                (found.offset, found.index),
                part,
                switch,
                comment,
            );
            begin = (found.offset, found.index);
            switch = true;
            comment = *line;
            part = match change {
                Change::Variant => {
                    layout.variants.push(Vec::new());
                    Part::Body
                }
                Change::Part(part) => *part,
            };
        }
        let end = (preprocessed.text.len(), u32::MAX);
        layout.add(preprocessed, begin, end, part, switch, comment);
        if layout.variants.is_empty() {
            layout.variants.push(Vec::new());
        }
        layout
    }

    fn add(
        &mut self,
        preprocessed: &Preprocessed,
        begin: (usize, u32),
        end: (usize, u32),
        part: Part,
        switch: bool,
        comment: u32,
    ) {
        let (file, line) = place(&preprocessed.marks, begin.1);
        let mut marks = vec![Mark {
            index: 0,
            file,
            line,
        }];
        marks.extend(
            preprocessed
                .marks
                .iter()
                .filter(|mark| mark.index > begin.1 && mark.index < end.1)
                .map(|mark| Mark {
                    index: mark.index - begin.1,
                    ..*mark
                }),
        );
        let piece = Piece {
            text: Arc::clone(&preprocessed.text),
            range: begin.0..end.0,
            marks: marks.into(),
            part,
            switch: switch.then_some(comment),
        };
        match self.variants.last_mut() {
            Some(variant) => variant.push(piece),
            None => self.common.push(piece),
        }
    }
}

/// Units of the variants, and what their text adds to them.
fn finish(variants: Vec<Variant>, layouts: &[Arc<Layout>]) -> (Vec<Unit>, Vec<Variant>) {
    variants
        .into_iter()
        .zip(layouts)
        .enumerate()
        .map(|(index, (mut variant, layout))| {
            let mut pieces = layout.common.clone();
            pieces.extend(layout.variants[index].iter().cloned());
            for piece in &pieces {
                let has = match piece.part {
                    Part::Common | Part::Body => continue,
                    Part::Setup => &mut variant.has_setup,
                    Part::Before => &mut variant.has_before,
                    Part::After => &mut variant.has_after,
                };
                *has |= !matches!(Cursor::new(piece.text()).next(), Ok(None));
            }
            let unit = Unit {
                pieces,
                files: Arc::clone(&layout.files),
                patches: Arc::default(),
                features: Arc::new(
                    variant
                        .configs
                        .features
                        .iter()
                        .cloned()
                        .collect::<BTreeSet<_>>(),
                ),
            };
            (unit, variant)
        })
        .unzip()
}
