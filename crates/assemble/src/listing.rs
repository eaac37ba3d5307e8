//! Listings: offsets, bytes and text of everything that would run.

mod respell;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use iced_x86::{
    ConstantOffsets, Formatter, GasFormatter, Instruction, IntelFormatter, MasmFormatter,
    NasmFormatter, OpKind, SymbolResolver, SymbolResult,
};

use crate::boundary::{Boundary, boundary};
use crate::code::{Code, Item, ItemKind, Section, SectionId, SymbolPlace};
use crate::verify::decode;

/// How instructions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ListingSyntax {
    /// GNU as, AT&T.
    #[default]
    Att,
    /// Intel's, as XED and GNU as with `.intel_syntax` have it.
    Intel,
    /// NASM.
    Nasm,
    /// MASM.
    Masm,
}

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The section.
    pub section: SectionId,
    /// Offset in it, bytes.
    pub offset: u64,
    /// Bytes; none for a label. Fields that the linker fills in are zero.
    pub bytes: Vec<u8>,
    /// The instruction, `.byte ...`, or `name:`.
    pub text: String,
    /// Index into [`Code::files`].
    pub file: u32,
    /// Line in that file, from 1; 0 for built-in text.
    pub line: u32,
    /// Where a branch lies, if it is at a 32-byte boundary. The section is taken to start at one, or
    /// where [`Code::listing_at`] was told that `.text` is.
    pub boundary: Option<Boundary>,
}

/// Most bytes of data on one line.
const DATA_WIDTH: usize = 8;

/// Finds names for the numbers in one instruction.
struct Names<'a> {
    code: &'a Code,
    section: SectionId,
    labels: &'a HashMap<(SectionId, u64), Labels<'a>>,
    /// Fields of the instruction that is being written, and where it starts.
    fields: ConstantOffsets,
    start: u64,
}

/// The labels of one place, in the symbols' order.
#[derive(Default)]
struct Labels<'a> {
    names: Vec<&'a str>,
    /// How many of them have been written.
    written: usize,
}

/// Names for the numbers of the instruction that is about to be written.
#[derive(Default)]
struct Resolved {
    displacement: Option<String>,
    immediate: Option<String>,
    target: Option<String>,
}

/// The same, where the formatter, which owns its resolver, can see them too.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Resolved>>);

impl Names<'_> {
    fn relocation(&self, section: &Section, at: usize, size: usize, end: u64) -> Option<String> {
        if size == 0 {
            return None;
        }
        let offset = self.start + at as u64;
        let index = section
            .relocations
            .binary_search_by_key(&offset, |relocation| relocation.offset)
            .ok()?;
        let relocation = &section.relocations[index];
        let symbol = self.code.symbols.get(relocation.symbol as usize)?;
        // A distance counts from the instruction's end, which is not what its text says.
        let relative = matches!(
            relocation.kind,
            crate::RelocationKind::Pc8
                | crate::RelocationKind::Pc16
                | crate::RelocationKind::Pc32
                | crate::RelocationKind::Plt32
        );
        let addend = if relative {
            relocation.addend + (end - offset).cast_signed()
        } else {
            relocation.addend
        };
        // A relocation to a section means a label in it, if there is one at that place.
        if let (3, SymbolPlace::In(place, _)) = (symbol.kind, symbol.place)
            && let Some(labels) = self.labels.get(&(place, addend.cast_unsigned()))
        {
            return labels.names.first().map(|name| (*name).to_owned());
        }
        let name = &symbol.name;
        Some(match addend {
            0 => name.to_string(),
            1.. => format!("{name}+{addend:#x}"),
            _ => format!("{name}-{:#x}", addend.unsigned_abs()),
        })
    }

    fn label(&self, address: u64, from: u64) -> Option<String> {
        let name = self.labels.get(&(self.section, address))?.names.first()?;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            let direction = if address > from { 'f' } else { 'b' };
            return Some(format!("{name}{direction}"));
        }
        Some((*name).to_owned())
    }

    fn resolver(&self, instruction: &Instruction, section: &Section) -> Resolved {
        let end = instruction.next_ip();
        let fields = &self.fields;
        let displacement = self
            .relocation(
                section,
                fields.displacement_offset(),
                fields.displacement_size(),
                end,
            )
            .or_else(|| {
                if instruction.is_ip_rel_memory_operand() {
                    self.label(instruction.ip_rel_memory_address(), instruction.ip())
                } else {
                    None
                }
            });
        let immediate = self.relocation(
            section,
            fields.immediate_offset(),
            fields.immediate_size(),
            end,
        );
        let is_near = (0..instruction.op_count()).any(|operand| {
            matches!(
                instruction.op_kind(operand),
                OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64
            )
        });
        let target = if is_near {
            immediate
                .clone()
                .or_else(|| self.label(instruction.near_branch_target(), instruction.ip()))
        } else {
            None
        };
        Resolved {
            displacement,
            immediate,
            target,
        }
    }
}

impl SymbolResolver for Shared {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let resolved = self.0.borrow();
        let name = match instruction.op_kind(instruction_operand?) {
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => &resolved.target,
            OpKind::Memory => &resolved.displacement,
            _ => &resolved.immediate,
        };
        Some(SymbolResult::with_string(address, name.clone()?))
    }
}

fn formatter(syntax: ListingSyntax, shared: &Shared) -> Box<dyn Formatter> {
    let resolver: Option<Box<dyn SymbolResolver>> = Some(Box::new(shared.clone()));
    let mut formatter: Box<dyn Formatter> = match syntax {
        ListingSyntax::Att => Box::new(GasFormatter::with_options(resolver, None)),
        ListingSyntax::Intel => Box::new(IntelFormatter::with_options(resolver, None)),
        ListingSyntax::Nasm => Box::new(NasmFormatter::with_options(resolver, None)),
        ListingSyntax::Masm => Box::new(MasmFormatter::with_options(resolver, None)),
    };
    let options = formatter.options_mut();
    options.set_uppercase_hex(false);
    // NASM has no other way to say it than by the address itself.
    options.set_rip_relative_addresses(syntax != ListingSyntax::Nasm);
    options.set_show_branch_size(false);
    options.set_space_after_operand_separator(true);
    options.set_first_operand_char_index(8);
    options.set_small_hex_numbers_in_decimal(false);
    if !matches!(syntax, ListingSyntax::Masm) {
        options.set_hex_prefix("0x");
        options.set_hex_suffix("");
    }
    formatter
}

impl Code {
    /// All items of all sections that have any, as lines in order of section and offset.
    #[must_use]
    pub fn listing(&self, syntax: ListingSyntax) -> Vec<Line> {
        self.listing_at(syntax, 0)
    }

    /// The same for code whose `.text` is placed so many bytes behind a 64-byte boundary.
    #[must_use]
    pub fn listing_at(&self, syntax: ListingSyntax, text_offset: u64) -> Vec<Line> {
        let mut labels: HashMap<_, Labels<'_>> = HashMap::new();
        for symbol in &self.symbols {
            if let SymbolPlace::In(section, offset) = symbol.place
                && symbol.kind != 3
            {
                let labels = labels.entry((section, offset)).or_default();
                labels.names.push(&symbol.name);
            }
        }
        let shared = Shared::default();
        let mut writer = Writer {
            code: self,
            syntax,
            formatter: formatter(syntax, &shared),
            shared,
            labels,
            lines: Vec::new(),
            before: None,
            text: self.section(".text").map(|(id, _)| id),
            text_offset,
        };
        for item in &self.items {
            writer.item(item);
        }
        writer.lines
    }
}

struct Writer<'a> {
    code: &'a Code,
    syntax: ListingSyntax,
    formatter: Box<dyn Formatter>,
    shared: Shared,
    labels: HashMap<(SectionId, u64), Labels<'a>>,
    lines: Vec<Line>,
    /// The instruction before, for fusion.
    before: Option<(SectionId, Instruction)>,
    text: Option<SectionId>,
    text_offset: u64,
}

impl Writer<'_> {
    fn line(&mut self, item: &Item, offset: u64, bytes: &[u8], text: String) -> &mut Line {
        let index = self.lines.len();
        self.lines.push(Line {
            section: item.section,
            offset,
            bytes: bytes.to_vec(),
            text,
            file: item.file,
            line: item.line,
            boundary: None,
        });
        &mut self.lines[index]
    }

    fn item(&mut self, item: &Item) {
        let offset = u64::from(item.offset);
        let bytes = self.code.bytes_of(item);
        match item.kind {
            ItemKind::Label => self.label(item),
            ItemKind::Data => {
                self.before = None;
                if bytes.is_empty() && item.length > 0 {
                    let text = self.syntax.repeated(item.length as usize, 0);
                    self.line(item, offset, &[], text);
                }
                if bytes.len() > DATA_WIDTH && bytes.iter().all(|byte| *byte == bytes[0]) {
                    let text = self.syntax.repeated(bytes.len(), bytes[0]);
                    self.line(item, offset, bytes, text);
                    return;
                }
                for (index, chunk) in bytes.chunks(DATA_WIDTH).enumerate() {
                    let at = offset + (index * DATA_WIDTH) as u64;
                    let text = self.syntax.data(chunk);
                    self.line(item, at, chunk, text);
                }
            }
            ItemKind::Instruction | ItemKind::Padding => {
                let mut rest = bytes;
                let mut at = offset;
                while !rest.is_empty() {
                    let length = self.instruction(item, at, rest);
                    rest = &rest[length..];
                    at += length as u64;
                }
            }
        }
    }

    /// Labels at one place have an item each, which do not say whose they are: one after the other.
    fn label(&mut self, item: &Item) {
        let offset = u64::from(item.offset);
        let Some(labels) = self.labels.get_mut(&(item.section, offset)) else {
            return;
        };
        let name = labels.names.get(labels.written);
        labels.written += 1;
        if let Some(name) = name {
            let text = format!("{name}:");
            self.line(item, offset, &[], text);
        }
    }

    /// Writes the first instruction of some bytes, and gives its length.
    fn instruction(&mut self, item: &Item, offset: u64, bytes: &[u8]) -> usize {
        let (instruction, decoder) = decode(bytes, offset);
        if instruction.is_invalid() || instruction.len() > bytes.len() {
            self.before = None;
            let text = self.syntax.data(bytes);
            self.line(item, offset, bytes, text);
            return bytes.len();
        }
        let length = instruction.len();
        let section = &self.code.sections[item.section.0 as usize];
        let names = Names {
            code: self.code,
            section: item.section,
            labels: &self.labels,
            fields: decoder.get_constant_offsets(&instruction),
            start: offset,
        };
        *self.shared.0.borrow_mut() = names.resolver(&instruction, section);
        let mut text = String::new();
        self.formatter.format(&instruction, &mut text);
        respell::respell(&mut text, &instruction, self.syntax);
        let before = self
            .before
            .filter(|before| before.0 == item.section)
            .map(|before| before.1);
        let placed = if Some(item.section) == self.text {
            self.text_offset
        } else {
            0
        };
        let at_boundary = boundary(before.as_ref(), &instruction, placed);
        self.before = Some((item.section, instruction));
        self.line(item, offset, &bytes[..length], text).boundary = at_boundary;
        length
    }
}

impl ListingSyntax {
    /// A byte as this syntax writes it.
    fn byte(self, byte: u8) -> String {
        match self {
            // A number must not start with a letter.
            Self::Masm => format!("0{byte:02x}h"),
            _ => format!("{byte:#04x}"),
        }
    }

    /// A directive that gives these bytes.
    fn data(self, bytes: &[u8]) -> String {
        let directive = match self {
            Self::Att | Self::Intel => ".byte",
            Self::Nasm | Self::Masm => "db",
        };
        let bytes: Vec<String> = bytes.iter().map(|&byte| self.byte(byte)).collect();
        format!("{directive:<7} {}", bytes.join(", "))
    }

    /// A directive that gives one byte over and over.
    fn repeated(self, count: usize, byte: u8) -> String {
        let byte = self.byte(byte);
        match self {
            Self::Att | Self::Intel => format!(".skip   {count}, {byte}"),
            Self::Nasm => format!("times   {count} db {byte}"),
            Self::Masm => format!("db      {count} dup ({byte})"),
        }
    }
}

/// No instruction is longer.
const MOST_INSTRUCTION_BYTES: usize = 15;

/// Bytes that a line of text has room for.
const BYTES_A_LINE: usize = 8;

/// Lines as text in objdump's columns: offset, bytes, instruction, and behind it the source line and
/// what is to be said of the branch.
#[must_use]
pub fn render(code: &Code, lines: &[Line]) -> String {
    let mut out = String::new();
    let mut section = None;
    for line in lines {
        if section != Some(line.section) {
            if section.is_some() {
                out.push('\n');
            }
            section = Some(line.section);
            let name = code
                .sections
                .get(line.section.0 as usize)
                .map_or("", |section| section.name.as_str());
            let _ = writeln!(out, "section {name}");
        }
        if line.bytes.is_empty() && line.text.ends_with(':') {
            let _ = writeln!(out, "{}", line.text);
            continue;
        }
        let mut chunks = line.bytes.chunks(BYTES_A_LINE);
        let mut first = hex(chunks.next().unwrap_or_default());
        if line.bytes.len() > MOST_INSTRUCTION_BYTES {
            // Only one byte over and over makes a line as long as this: a row says it all.
            first.push_str(" ..");
            chunks = [].chunks(BYTES_A_LINE);
        }
        let mut place = String::new();
        if line.line > 0 {
            let _ = write!(place, "# {}", line.line);
        }
        if let Some(boundary) = line.boundary {
            let _ = write!(
                place,
                "{}{boundary}",
                if place.is_empty() { "# " } else { ", " }
            );
        }
        let row = format!("{:6x}:  {first:<26} {:<36} {place}", line.offset, line.text);
        let _ = writeln!(out, "{}", row.trim_end());
        let mut offset = line.offset;
        for chunk in chunks {
            offset += BYTES_A_LINE as u64;
            let _ = writeln!(out, "{offset:6x}:  {}", hex(chunk));
        }
    }
    out
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let _ = write!(text, "{}{byte:02x}", if index > 0 { " " } else { "" });
    }
    text
}
