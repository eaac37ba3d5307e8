//! Takes statements one after another and keeps what layout needs of each.

mod adjust;
mod data;
mod definitions;
mod doubts;
mod views;

use std::collections::HashMap;

use sequence::{
    BinaryOp, DataWidth, Expr, Instruction, Origin, Prefix, Problem, SectionFlags, SectionRef,
    Severity, Sink, Statement, StatementKind, Value as Known,
};

use crate::code::{Item, ItemKind, SectionId};
use crate::encode::{Encoded, encode, encode_prefixes};
use crate::expr::{Folded, Folder};
use crate::forms::Slot;
use crate::layout::{Placed, problem};
use crate::operand::{Operands, gather};
use crate::recall::Recall;
use crate::restrict;
use crate::section::{SectionState, describe};
use crate::select::select;
use crate::stream::{Field, PieceKind, Stream};
use crate::strings;
use crate::symbols::{Definition, Kinds, NameMap, Place, SymbolId, SymbolTable};
use crate::verify::is_form;

/// Set in [`Item::length`] while the statement's last part is a piece.
pub(crate) const PIECE: u32 = 1 << 31;

/// Warnings of one unit that are kept; the rest is counted.
const MOST_WARNINGS: usize = 1000;

/// Everything that statements have left behind so far.
pub(crate) struct Assembler {
    pub(crate) symbols: SymbolTable,
    pub(crate) sections: Vec<SectionState>,
    section_names: NameMap<Box<str>, u32>,
    pub(crate) streams: Vec<Stream>,
    /// Index of the stream of each section and subsection.
    stream_numbers: HashMap<(u32, i64), u32>,
    /// Items in order of statements. Until layout is done, `section` is the stream's index,
    /// `offset` counts bytes of known place, `file` is the frame of the origin.
    pub(crate) items: Vec<Item>,
    pub(crate) problems: Vec<Placed>,
    /// What `.file` named.
    pub(crate) file_names: Vec<String>,
    /// Whether part of the text came from a patch.
    pub(crate) has_patches: bool,
    current: u32,
    previous: Option<u32>,
    stack: Vec<(u32, Option<u32>)>,
    /// Warnings beyond those that are kept.
    pub(crate) unsaid: usize,
    /// Bytes of fills so far.
    pub(crate) filled: u64,
    operands: Operands,
    recall: Recall,
    /// The last `.loc` of each stream.
    lines: HashMap<u32, views::Line>,
}

impl Default for Assembler {
    fn default() -> Self {
        let mut assembler = Self {
            symbols: SymbolTable::default(),
            sections: Vec::new(),
            section_names: NameMap::default(),
            streams: Vec::new(),
            stream_numbers: HashMap::new(),
            items: Vec::new(),
            problems: Vec::new(),
            file_names: Vec::new(),
            has_patches: false,
            current: 0,
            previous: None,
            stack: Vec::new(),
            unsaid: 0,
            filled: 0,
            operands: Operands::default(),
            recall: Recall::default(),
            lines: HashMap::new(),
        };
        for name in [".text", ".data", ".bss"] {
            let reference = SectionRef {
                name: name.into(),
                flags: SectionFlags::default(),
                subsection: None,
            };
            let state = describe(&reference, &mut Vec::new());
            let added = state.and_then(|state| assembler.add_section(state));
            debug_assert!(added.is_ok(), "{name} is the first of its name");
        }
        assembler
    }
}

impl Assembler {
    fn add_section(&mut self, state: SectionState) -> Result<u32, Problem> {
        let index = u32::try_from(self.sections.len()).unwrap_or(u32::MAX);
        self.section_names.insert(state.key().into(), index);
        let name = state.name.clone();
        self.sections.push(state);
        let start = Place {
            stream: self.stream_of(index, 0),
            frag: 0,
            fixed: 0,
        };
        self.symbols.section(&name, start).map_err(|()| {
            problem(
                format!("the section's name `{name}` is another symbol's already"),
                "give one of the two another name",
            )
        })?;
        Ok(index)
    }

    fn stream_of(&mut self, section: u32, number: i64) -> u32 {
        let streams = &mut self.streams;
        *self
            .stream_numbers
            .entry((section, number))
            .or_insert_with(|| {
                streams.push(Stream::new(section, number));
                u32::try_from(streams.len() - 1).unwrap_or(u32::MAX)
            })
    }

    fn stream(&mut self) -> &mut Stream {
        &mut self.streams[self.current as usize]
    }

    fn here(&self) -> Place {
        self.streams[self.current as usize].here(self.current)
    }

    fn section(&self) -> &SectionState {
        &self.sections[self.streams[self.current as usize].section as usize]
    }

    fn section_mut(&mut self) -> &mut SectionState {
        let section = self.streams[self.current as usize].section as usize;
        &mut self.sections[section]
    }

    /// An expression, its symbols looked up.
    fn fold(&mut self, expr: &Expr) -> Result<Folded, Problem> {
        let here = self.here();
        let mut folder = Folder {
            symbols: &mut self.symbols,
            here,
            modifier: None,
            is_intel: false,
        };
        folder.fold(expr).map_err(|error| problem(error.0, error.1))
    }

    /// An expression that must be a number now.
    fn number(&mut self, expr: &Expr, what: &str) -> Result<i64, Problem> {
        match self.fold(expr)? {
            Folded::Number(value) => Ok(value),
            _ => Err(problem(
                format!("{what} must be a number that is known here"),
                "GNU as reads this in one pass: define the symbols before this line",
            )),
        }
    }

    fn item(&mut self, kind: ItemKind, start: Place, piece: bool, origin: Origin) {
        let length = self.stream().length - start.fixed;
        if length == 0 && !piece && kind != ItemKind::Label {
            return;
        }
        self.items.push(Item {
            section: SectionId(start.stream),
            offset: start.fixed,
            length: length | if piece { PIECE } else { 0 },
            kind,
            line: origin.line,
            file: origin.frame,
        });
    }

    fn warn(&mut self, origin: Origin, message: impl Into<String>, help: impl Into<String>) {
        if self.problems.len() >= MOST_WARNINGS {
            self.unsaid += 1;
            return;
        }
        self.problems.push((
            origin,
            Problem {
                severity: Severity::Warning,
                ..problem(message, help)
            },
        ));
    }

    fn label(&mut self, name: &str, origin: Origin) -> Result<(), Problem> {
        let place = self.here();
        let id = self.symbols.named(name);
        let entry = self.symbols.get_mut(id);
        // GNU as lets a label stand twice at one place.
        if entry.definition == Definition::Label(place) && !entry.is_section {
            return Ok(());
        }
        // What `.set` has given a value may have another; uses of an address still want the first.
        let (is_variable, is_number) = (
            entry.variable,
            matches!(entry.definition, Definition::Absolute(_)) && !entry.used_before,
        );
        if entry.definition != Definition::Undefined && !is_variable {
            return Err(problem(
                format!("`{name}` is already defined"),
                "give one of the two another name, or use a numeric label (`1:`, `1f`, `1b`)",
            ));
        }
        let id = if is_variable && !is_number {
            self.symbols.replace(id)
        } else {
            id
        };
        let entry = self.symbols.get_mut(id);
        entry.definition = Definition::Label(place);
        entry.variable = false;
        entry.is_forward = false;
        self.item(ItemKind::Label, place, false, origin);
        Ok(())
    }

    fn instruction(
        &mut self,
        instruction: &Instruction<'_>,
        origin: Origin,
    ) -> Result<(), Problem> {
        if self.section().is_empty_in_file() {
            return Err(problem(
                "an instruction in a section that has no bytes",
                "write `.text` before it",
            ));
        }
        let here = self.here();
        let mut operands = std::mem::take(&mut self.operands);
        let result = self.encode(instruction, &mut operands, here, origin);
        self.operands = operands;
        let piece = match result {
            Ok(piece) => piece,
            Err(problem) => {
                let stream = self.stream();
                stream.bytes.truncate(here.fixed as usize);
                stream.length = here.fixed;
                while stream
                    .fixups
                    .last()
                    .is_some_and(|fixup| fixup.frag == here.frag && fixup.at >= here.fixed)
                {
                    stream.fixups.pop();
                }
                return Err(problem);
            }
        };
        if !piece {
            let stream = self.stream();
            stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
        }
        // Prefixes alone are no instruction: what follows completes them.
        let kind = if instruction.mnemonic.is_empty() {
            ItemKind::Data
        } else {
            ItemKind::Instruction
        };
        self.item(kind, here, piece, origin);
        Ok(())
    }

    fn encode(
        &mut self,
        instruction: &Instruction<'_>,
        operands: &mut Operands,
        here: Place,
        origin: Origin,
    ) -> Result<bool, Problem> {
        let stream = &mut self.streams[self.current as usize];
        if instruction.mnemonic.is_empty() {
            return encode_prefixes(stream, instruction).map(|()| false);
        }
        let plain = adjust::without_ending(instruction);
        let instruction = plain.as_ref().unwrap_or(instruction);
        let narrow = adjust::narrow(instruction);
        let instruction = narrow.as_ref().unwrap_or(instruction);
        let mut folder = Folder {
            symbols: &mut self.symbols,
            here,
            modifier: None,
            is_intel: instruction.syntax == sequence::Syntax::Intel,
        };
        gather(instruction, &mut folder, operands)?;
        let mut selected = select(instruction, operands)?;
        // A size prefix says the size that nothing else says.
        let mut sized = None;
        if selected.guessed
            && let Some(position) = instruction
                .prefixes
                .iter()
                .position(|prefix| *prefix == Prefix::Data16)
        {
            let name = format!("{}w", instruction.mnemonic);
            let mut narrow = Instruction {
                mnemonic: &name,
                ..instruction.clone()
            };
            narrow.prefixes.remove(position);
            if let Ok(found) = select(&narrow, operands) {
                selected = found;
                let mut prefixes = instruction.clone();
                prefixes.prefixes.remove(position);
                sized = Some(prefixes);
            }
        }
        let instruction = sized.as_ref().unwrap_or(instruction);
        let direct = matches!(selected.candidate.form().slots(), [Slot::Relative(_)]);
        let is_segment = |prefix: &&Prefix| matches!(prefix, Prefix::Segment(_));
        if direct && instruction.prefixes.iter().filter(is_segment).count() > 1 {
            return Err(problem("two segment overrides", "write one of them"));
        }
        if direct
            && instruction
                .prefixes
                .iter()
                .any(|prefix| matches!(prefix, Prefix::Segment(0 | 2)))
        {
            return Err(problem(
                "`es` and `ss` are no prefixes in 64-bit code",
                "leave it out; `cs`, `ds`, `fs` and `gs` are",
            ));
        }
        restrict::check(selected.candidate, operands, &instruction.pseudo)?;
        let mnemonic = instruction.mnemonic;
        let warned = self.problems.len() + self.unsaid;
        let fixups = stream.fixups.len();
        let mut warn = |message: String, help: &str| {
            if self.problems.len() >= MOST_WARNINGS {
                self.unsaid += 1;
                return;
            }
            let warning = Problem {
                severity: Severity::Warning,
                ..problem(message, help)
            };
            self.problems.push((origin, warning));
        };
        if selected.guessed {
            warn(
                format!(
                    "`{mnemonic}` has no size suffix, and no register says the size: 4 bytes are taken"
                ),
                "write the suffix",
            );
        }
        if selected.widest {
            warn(
                format!(
                    "no operand of `{mnemonic}` says how many elements there are: the most are taken"
                ),
                "write the broadcast as `{1to4}` and the like",
            );
        }
        if selected.cut {
            warn(
                format!("a number of `{mnemonic}` does not fit: its upper bits are cut off"),
                "use a value of the operation's width",
            );
        }
        if let Some(register) = strings::settle(selected.candidate, operands)? {
            warn(
                format!("`{mnemonic}` always has `(%{register})` where another address is written"),
                "write that, or leave the operands out",
            );
        }
        if !selected.guessed {
            for (message, help) in doubts::doubts(instruction, selected.candidate.form(), operands)
            {
                warn(message, help);
            }
        }
        let shorter = adjust::without_skipped(instruction, selected.candidate.form());
        if shorter.is_some() {
            warn(
                format!(
                    "a prefix before `{mnemonic}` that a direct branch does not take is left out"
                ),
                "leave it out",
            );
        }
        let instruction = shorter.as_ref().unwrap_or(instruction);
        let encoded = encode(stream, instruction, selected.candidate, operands, origin)?;
        // A call is marked as one to the linker by what is known of its target now.
        for fixup in stream.fixups.iter_mut().skip(fixups) {
            if let (Field::Branch(_), Folded::Sum { plus, .. }) = (fixup.field, &fixup.value) {
                fixup.is_call = self.symbols.may_be_replaced(*plus);
            }
        }
        let piece = matches!(encoded, Encoded::Piece);
        // A prefix that the user wrote may make another instruction of it, as asked.
        debug_assert!(
            piece
                || !instruction.prefixes.is_empty()
                || is_form(
                    &stream.bytes[here.fixed as usize..],
                    selected.candidate.form()
                ),
            "{instruction:?} became {:02x?}, which is not {:?}",
            &stream.bytes[here.fixed as usize..],
            selected.candidate.form().code
        );
        if let Encoded::Bytes(spots) = encoded
            && warned == self.problems.len() + self.unsaid
            && fixups == stream.fixups.len()
        {
            let bytes = &stream.bytes[here.fixed as usize..];
            self.recall
                .learn(selected.candidate, operands, bytes, spots);
        }
        Ok(piece)
    }

    fn take(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        let origin = statement.origin;
        match &statement.kind {
            StatementKind::Label(name) => self.label(name, origin)?,
            StatementKind::LocalLabel(number) => {
                let place = self.here();
                self.symbols.define_numeric(*number, place);
                self.item(ItemKind::Label, place, false, origin);
            }
            StatementKind::Instruction(instruction) => self.instruction(instruction, origin)?,
            StatementKind::Data(DataWidth(width), values) => self.data(*width, values, origin)?,
            StatementKind::Octa(values) => {
                self.bytes(values.as_flattened(), ItemKind::Data, origin)?;
            }
            StatementKind::Bytes(bytes) | StatementKind::Float(bytes) => {
                self.bytes(bytes, ItemKind::Data, origin)?;
            }
            StatementKind::Leb128 { signed, values } => {
                for value in values {
                    let here = self.here();
                    match self.fold(value)? {
                        Folded::Number(value) => {
                            self.bytes(
                                &sequence::leb128_of_bits(value, *signed),
                                ItemKind::Data,
                                origin,
                            )?;
                        }
                        folded => {
                            let node = folded.into_node();
                            self.stream()
                                .piece(PieceKind::Leb128(Box::new((node, *signed))), origin);
                            self.item(ItemKind::Data, here, true, origin);
                        }
                    }
                }
            }
            StatementKind::Align(align) => self.align(align, origin)?,
            StatementKind::Skip(count, fill) => {
                let fill = match fill {
                    Some(expr) => self.number(expr, "the fill value")?,
                    None => 0,
                };
                if !(-0xff..=0xff).contains(&fill) {
                    let message = format!("the fill value {fill:#x} is cut off to a byte");
                    self.warn(origin, message, "write a value of 0 to 0xff");
                }
                self.space(count, 1, (fill & 0xff).cast_unsigned(), origin)?;
            }
            StatementKind::Fill(count, size, value) => {
                let size = self.number(size, "the size")?;
                let value = self.number(value, "the value")?;
                if !(0..=8).contains(&size) {
                    let message = match size {
                        ..0 => "the size is negative: nothing is inserted",
                        _ => "the size is more than 8: 8 is taken",
                    };
                    self.warn(origin, message, "use a size of 0 to 8");
                }
                let width = u8::try_from(size.clamp(0, 8)).unwrap_or(0);
                if width > 0 {
                    // GNU as writes four bytes of the value at most, then zeros.
                    let value = (value & 0xffff_ffff).cast_unsigned();
                    self.space(count, width, value, origin)?;
                }
            }
            StatementKind::Org(to, fill) => {
                let fill = match fill {
                    Some(expr) => self.number(expr, "the fill value")?,
                    None => 0,
                };
                let node = self.fold(to)?.into_node();
                let here = self.here();
                let fill = (fill & 0xff) as u8;
                self.stream()
                    .piece(PieceKind::Org(Box::new((node, fill))), origin);
                self.item(ItemKind::Data, here, true, origin);
            }
            StatementKind::Nops(size, longest) => self.nops(size, longest.as_ref(), origin)?,
            StatementKind::Set {
                name,
                value,
                redefine,
            } => self.set(name, value, *redefine, origin)?,
            StatementKind::Section(reference) => {
                let stream = self.find(reference, origin)?;
                self.go_to(stream);
            }
            StatementKind::PushSection(reference) => {
                let stream = self.find(reference, origin)?;
                self.stack.push((self.current, self.previous));
                self.go_to(stream);
            }
            StatementKind::PopSection => {
                let Some((current, previous)) = self.stack.pop() else {
                    self.warn(
                        origin,
                        "`.popsection` without `.pushsection` changes nothing",
                        "write `.pushsection` first",
                    );
                    return Ok(());
                };
                self.current = current;
                self.previous = previous;
            }
            StatementKind::Previous => {
                let Some(previous) = self.previous else {
                    self.warn(
                        origin,
                        "`.previous` without a section before this one changes nothing",
                        "name the section",
                    );
                    return Ok(());
                };
                self.go_to(previous);
            }
            StatementKind::Subsection(number) => {
                let number = self.number(number, "the subsection")?;
                let section = self.streams[self.current as usize].section;
                let stream = self.stream_of(section, number);
                self.go_to(stream);
            }
            StatementKind::AttachToGroup(name) => self.attach(name, origin),
            StatementKind::Global(name) => {
                let id = self.symbols.declared(name);
                let entry = self.symbols.get_mut(id);
                if entry.binding == 0 && !entry.is_section {
                    entry.binding = 1;
                }
            }
            StatementKind::Local(name) => {
                let id = self.symbols.declared(name);
                let entry = self.symbols.get_mut(id);
                entry.is_local = true;
                if entry.binding == 1 {
                    entry.binding = 0;
                }
            }
            StatementKind::Location { view, restarts } => self.location(*view, *restarts)?,
            StatementKind::Mention(expr) => {
                self.fold(expr)?;
            }
            StatementKind::BroughtFrom(labels) => {
                let labels =
                    labels.map(|(start, end)| (self.symbols.named(start), self.symbols.named(end)));
                self.stream().brought_from = labels;
            }
            StatementKind::PlacedAs(labels) => {
                let labels = labels
                    .map(|(place, start)| (self.symbols.named(place), self.symbols.named(start)));
                self.stream().placed_as = labels;
            }
            StatementKind::SourceFile(name) => self.file_names.push(name.clone()),
            StatementKind::Ignored => {}
            StatementKind::Weak(name) => {
                let id = self.symbols.declared(name);
                let entry = self.symbols.get_mut(id);
                if matches!(entry.definition, Definition::Common(..)) {
                    return Err(weak_common(name));
                }
                entry.binding = 2;
            }
            StatementKind::Visibility(name, visibility) => {
                let id = self.symbols.declared(name);
                self.symbols.get_mut(id).visibility = *visibility;
            }
            StatementKind::Type(name, word) => {
                let kinds = match word.as_str() {
                    "function" | "STT_FUNC" => Kinds::FUNCTION,
                    "object" | "STT_OBJECT" => Kinds::OBJECT,
                    "notype" | "STT_NOTYPE" => Kinds::NONE,
                    "tls_object" | "STT_TLS" => Kinds::THREAD_LOCAL,
                    // Common symbols are objects, whatever they are called.
                    "common" | "STT_COMMON" => Kinds::OBJECT,
                    "gnu_indirect_function" | "STT_GNU_IFUNC" => Kinds::INDIRECT,
                    "gnu_unique_object" => Kinds::UNIQUE,
                    other => {
                        return Err(problem(
                            format!("unknown symbol type `{other}`"),
                            "the types are function, object, notype, tls_object and common",
                        ));
                    }
                };
                let id = self.symbols.declared(name);
                let entry = self.symbols.get_mut(id);
                let is_common = matches!(entry.definition, Definition::Common(..));
                if is_common && kinds != Kinds::OBJECT {
                    return Err(problem(
                        format!("`{name}` is common, and an object"),
                        "define it in another section for another type",
                    ));
                }
                entry.kinds.say(kinds);
                if matches!(word.as_str(), "common" | "STT_COMMON") {
                    entry.binding = entry.binding.max(1);
                }
            }
            StatementKind::Size(name, size) => {
                let node = self.fold(size)?.into_node();
                let id = self.symbols.declared(name);
                self.symbols.get_mut(id).set_size(node, origin);
            }
            StatementKind::Common {
                name,
                size,
                align,
                local,
            } => self.common(name, size, align.as_ref(), *local, origin)?,
            StatementKind::LargeCommon { name, size, align } => {
                let id = self.symbols.named(name);
                self.symbols.get_mut(id).is_large = true;
                self.large_bss(origin)?;
                self.common(name, size, align.as_ref(), false, origin)?;
            }
            StatementKind::WeakRef { alias, target } => self.weakref(alias, target)?,
        }
        Ok(())
    }
}

/// The error of a common symbol that is weak.
fn weak_common(name: &str) -> Problem {
    problem(
        format!("`{name}` cannot be both weak and common"),
        "define it in `.bss`",
    )
}

/// What all symbols of an expression are, before any of them is made.
fn known(symbols: &SymbolTable, expr: &Expr) -> Known {
    let merge = |a: Known, b: Known| match (a, b) {
        (Known::Undefined, _) | (_, Known::Undefined) => Known::Undefined,
        (Known::Address, _) | (_, Known::Address) => Known::Address,
        (a, _) => a,
    };
    let of = |id: Option<SymbolId>| match id.map(|id| &symbols.get(id).definition) {
        None | Some(Definition::Undefined | Definition::Common(..)) => Known::Undefined,
        Some(Definition::Absolute(value)) => Known::Absolute(*value),
        Some(Definition::Label(_) | Definition::Expression(_)) => Known::Address,
    };
    match expr {
        Expr::Number(value) => Known::Absolute(*value),
        Expr::Symbol(name, _) => of(symbols.find(name)),
        Expr::Local(number, sequence::Direction::Backward, _) => of(symbols.backward(*number)),
        Expr::Local(..) => Known::Undefined,
        Expr::Here => Known::Address,
        Expr::Unary(_, inner) => known(symbols, inner),
        Expr::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right)
        | Expr::Binary(_, left, right) => merge(known(symbols, left), known(symbols, right)),
    }
}

impl Assembler {
    /// What `==` and `!=` give where a side is a symbol that is not defined: it equals itself alone.
    fn compare_undefined(&mut self, expr: &Expr) -> Option<i64> {
        let Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) = expr else {
            return None;
        };
        let is_simple = |side: &Expr| match side {
            Expr::Symbol(_, None) => true,
            side => matches!(known(&self.symbols, side), Known::Absolute(_)),
        };
        let is_undefined = |side: &Expr| known(&self.symbols, side) == Known::Undefined;
        if !(is_simple(left) && is_simple(right) && (is_undefined(left) || is_undefined(right))) {
            return None;
        }
        for side in [left, right] {
            if let Expr::Symbol(name, None) = &**side {
                let id = self.symbols.named(name);
                self.symbols.get_mut(id).used = true;
            }
        }
        let truth = (left == right) == (*op == BinaryOp::Equal);
        Some(if truth { -1 } else { 0 })
    }
}

impl Sink for Assembler {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
        self.take(statement)
    }

    fn instruction_text(&mut self, text: &str, origin: Origin) -> bool {
        let start = self.here();
        let stream = &mut self.streams[self.current as usize];
        // Where the section has no bytes, the instruction is an error that others report.
        if self.sections[stream.section as usize].is_empty_in_file()
            || !self.recall.append(text, &mut stream.bytes)
        {
            return false;
        }
        stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
        self.item(ItemKind::Instruction, start, false, origin);
        true
    }

    fn known_lines(&mut self, text: &str, origin: Origin, most: u32) -> (usize, u32) {
        let stream = &mut self.streams[self.current as usize];
        if self.sections[stream.section as usize].is_empty_in_file() {
            return (0, 0);
        }
        let (mut at, mut lines) = (0, 0);
        while lines < most
            && let Some(next) = self
                .recall
                .append_line(text.as_bytes(), at, &mut stream.bytes)
        {
            let end = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
            self.items.push(Item {
                section: SectionId(self.current),
                offset: stream.length,
                length: end - stream.length,
                kind: ItemKind::Instruction,
                line: origin.line + lines,
                file: origin.frame,
            });
            stream.length = end;
            at = next;
            lines += 1;
        }
        (at, lines)
    }

    fn evaluate(&mut self, expr: &Expr) -> Known {
        // What a symbol is does not matter where it is taken away again.
        if let Expr::Binary(BinaryOp::Subtract, left, right) = expr
            && let Expr::Symbol(name, None) = &**left
            && left == right
        {
            let id = self.symbols.named(name);
            self.symbols.get_mut(id).used = true;
            return Known::Absolute(0);
        }
        if let Some(same) = self.compare_undefined(expr) {
            return Known::Absolute(same);
        }
        match known(&self.symbols, expr) {
            Known::Undefined => Known::Undefined,
            _ => match self.fold(expr) {
                Ok(Folded::Number(value)) => Known::Absolute(value),
                _ => Known::Address,
            },
        }
    }

    fn is_defined(&mut self, name: &str) -> bool {
        self.symbols
            .find(name)
            .is_some_and(|id| self.symbols.get(id).definition != Definition::Undefined)
    }
}
