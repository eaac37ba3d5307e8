//! Assembled code: sections, relocations, symbols, and where each byte came from.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use sequence::Diagnostic;

/// Index of a section in [`Code::sections`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SectionId(pub u32);

/// What the bytes of an [`Item`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// One instruction: its bytes decode back to what was asked for.
    Instruction,
    /// A data directive.
    Data,
    /// Padding by an alignment or `.nops` directive in code: NOPs.
    Padding,
    /// A label: no bytes.
    Label,
}

/// One statement's bytes. Items of a section are in order of offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where the bytes are.
    pub section: SectionId,
    /// Offset in the section, bytes.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
    /// What the bytes are.
    pub kind: ItemKind,
    /// Line in the sequence file that a reader would look at, from 1; 0 for built-in text.
    pub line: u32,
    /// Index into [`Code::files`].
    pub file: u32,
}

/// How a field is computed from a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "named as the x86-64 ABI names them, without R_X86_64_"
)]
pub enum RelocationKind {
    Abs64,
    Pc32,
    Plt32,
    Abs32,
    Abs32S,
    Abs16,
    Pc16,
    Abs8,
    Pc8,
    Pc64,
    /// Any other ELF number: kept for objects, refused by the linker of images.
    Other(u32),
}

/// One relocation, as in an ELF RELA section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Offset of the field in its section, bytes.
    pub offset: u64,
    /// How it is computed.
    pub kind: RelocationKind,
    /// Index into [`Code::symbols`]: as GNU as would write it, a section symbol for local symbols.
    pub symbol: u32,
    /// The addend.
    pub addend: i64,
}

/// One section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// `.text`
    pub name: String,
    /// ELF `sh_flags`.
    pub flags: u64,
    /// ELF `sh_type`.
    pub kind: u32,
    /// Alignment, a power of two.
    pub align: u64,
    /// Contents; empty for `nobits`.
    pub bytes: Vec<u8>,
    /// Size in bytes (`bytes.len()`, but for `nobits`).
    pub size: u64,
    /// ELF `sh_entsize`.
    pub entry_size: u64,
    /// Relocations in order of offset.
    pub relocations: Vec<Relocation>,
    /// Indices of the relocations in the order in which GNU as writes them: jumps come last.
    pub relocation_order: Vec<u32>,
    /// The section that its flag `o` names.
    pub link: Option<SectionId>,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPlace {
    /// Not here: the image must provide it (`scratch`, `entry_stack`, ...).
    Undefined,
    /// A number.
    Absolute(i64),
    /// An offset in a section.
    In(SectionId, u64),
    /// `.comm`: size and alignment.
    Common(u64, u64),
    /// `.largecomm`: the same for what may be far away.
    LargeCommon(u64, u64),
}

/// A name: a part of one text that holds many, for a million labels may have names.
#[derive(Clone)]
pub struct Name {
    text: Arc<String>,
    start: u32,
    length: u32,
}

impl Name {
    /// The name in a part of a text; an empty one where there is no such part.
    pub(crate) fn part(text: &Arc<String>, start: u32, length: u32) -> Self {
        Self {
            text: Arc::clone(text),
            start,
            length,
        }
    }

    /// The name itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let start = self.start as usize;
        let part = start..start + self.length as usize;
        self.text.get(part).unwrap_or("")
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self {
            text: Arc::new(name.to_owned()),
            start: 0,
            length: u32::try_from(name.len()).unwrap_or(u32::MAX),
        }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// One symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; a section's name for section symbols.
    pub name: Name,
    /// Where it is.
    pub place: SymbolPlace,
    /// ELF binding: 0 local, 1 global, 2 weak, 10 GNU's unique.
    pub binding: u8,
    /// ELF type: 0 none, 1 object, 2 function, 3 section, 4 file.
    pub kind: u8,
    /// ELF size.
    pub size: u64,
    /// ELF visibility.
    pub visibility: u8,
}

/// Sections that a linker keeps or drops together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the symbol that tells groups apart.
    pub signature: String,
    /// Whether it keeps one copy, whatever the number of objects that have one.
    pub comdat: bool,
    /// Its sections, in order of appearance.
    pub sections: Vec<SectionId>,
}

/// One assembled translation unit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Code {
    /// `.text`, `.data`, `.bss` first, as GNU as has them, then others in order of appearance.
    pub sections: Vec<Section>,
    /// All symbols: section symbols, local and `.L` ones included.
    pub symbols: Vec<Symbol>,
    /// Indices of the symbols in the order in which GNU as writes them. Symbols that are added later come
    /// behind them.
    pub symbol_order: Vec<u32>,
    /// Every statement that has bytes, and labels.
    pub items: Vec<Item>,
    /// Names of files that [`Item::file`] refers to.
    pub files: Vec<String>,
    /// Groups, in order of appearance.
    pub groups: Vec<Group>,
}

/// Code and the warnings that came with it.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The code.
    pub code: Code,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

impl Code {
    /// The section of this name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<(SectionId, &Section)> {
        let index = self
            .sections
            .iter()
            .position(|section| section.name == name)?;
        Some((SectionId(u32::try_from(index).ok()?), &self.sections[index]))
    }

    /// The symbol of this name, section symbols excluded.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols
            .iter()
            .find(|symbol| symbol.kind != 3 && symbol.name == name)
    }

    /// The item whose bytes hold `offset` of `section`.
    #[must_use]
    pub fn item_at(&self, section: SectionId, offset: u32) -> Option<&Item> {
        self.items.iter().find(|item| {
            item.section == section && item.offset <= offset && offset - item.offset < item.length
        })
    }
}
