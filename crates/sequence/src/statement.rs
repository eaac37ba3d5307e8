//! Statements: what a line is once macros and conditionals are gone.

use crate::{Expr, Operand, Origin, Part};

/// AT&T or Intel operand order and names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// AT&T with `%` prefixes, the default.
    Att,
    /// `.intel_syntax noprefix`
    Intel,
}

/// Prefixes that are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the word it stands for")]
pub enum Prefix {
    Lock,
    Rep,
    Repne,
    Notrack,
    Bnd,
    Xacquire,
    Xrelease,
    Data16,
    Data32,
    Addr16,
    Addr32,
    /// `es cs ss ds fs gs` alone before the mnemonic, by number.
    Segment(u8),
    /// `rex`, `rex.w`, `rex64` ... by the low four bits; 0x10 is added where there is a dot in it.
    Rex(u8),
    Fwait,
}

/// `{disp8}` and the like: choices of the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the word it stands for")]
pub enum PseudoPrefix {
    Disp8,
    Disp16,
    Disp32,
    Load,
    Store,
    Vex,
    Vex2,
    Vex3,
    Evex,
    Rex,
    Rex2,
    Nooptimize,
    /// `.s` behind the name: the other of two directions.
    Swap,
}

/// One instruction as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// How operands are ordered and named.
    pub syntax: Syntax,
    /// Byte prefixes, in order.
    pub prefixes: Vec<Prefix>,
    /// Encoding choices.
    pub pseudo: Vec<PseudoPrefix>,
    /// Lower case, with any suffix as written (`addq`, `jne,pt` is `jne` and a prefix). Empty where
    /// the statement is prefixes alone.
    pub mnemonic: &'a str,
    /// Operands in written order (AT&T: sources first).
    pub operands: Vec<Operand>,
}

/// Width of a data directive's elements, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataWidth(pub u8);

/// A section's flags and type as written in `.section`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SectionFlags {
    /// `"ax"`; `None` where not given.
    pub flags: Option<String>,
    /// `progbits`, `nobits`, `note` ...
    pub kind: Option<String>,
    /// What follows: entry size, group.
    pub rest: Vec<String>,
}

/// Which section to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionRef {
    /// `.text`
    pub name: String,
    /// Flags where given.
    pub flags: SectionFlags,
    /// Subsection number where given.
    pub subsection: Option<Expr>,
}

/// An alignment request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Align {
    /// Boundary in bytes, a power of two (0 and 1: none).
    pub boundary: u64,
    /// Fill value; `None`: NOPs in code, zeros elsewhere.
    pub fill: Option<Expr>,
    /// Width of the fill pattern: 1, 2 (`.balignw`) or 4 (`.balignl`).
    pub fill_width: u8,
    /// At most this many bytes, else nothing.
    pub max_skip: Option<u64>,
}

/// What a statement is. Conditionals, macros, repeats and `.include` never arrive here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind<'a> {
    /// `foo:`
    Label(&'a str),
    /// `1:`
    LocalLabel(u32),
    /// An instruction.
    Instruction(Instruction<'a>),
    /// `.byte` to `.quad`.
    Data(DataWidth, Vec<Expr>),
    /// `.octa`: each value's sixteen bytes.
    Octa(Vec<[u8; 16]>),
    /// `.ascii`, `.asciz`, `.string`: the bytes, terminators included.
    Bytes(Vec<u8>),
    /// `.float`, `.double` and the like, already encoded.
    Float(Vec<u8>),
    /// `.uleb128`, `.sleb128`
    Leb128 {
        /// `.sleb128`
        signed: bool,
        /// The values.
        values: Vec<Expr>,
    },
    /// `.balign`, `.p2align`, `.align`
    Align(Align),
    /// `.skip N, FILL`, `.space`, `.zero`
    Skip(Expr, Option<Expr>),
    /// `.fill REPEAT, SIZE, VALUE`
    Fill(Expr, Expr, Expr),
    /// `.org TO, FILL`
    Org(Expr, Option<Expr>),
    /// `.nops SIZE, MAX`
    Nops(Expr, Option<Expr>),
    /// `.set`, `.equ`, `=`; `.equiv` is `redefine: false`.
    Set {
        /// The symbol.
        name: &'a str,
        /// Its value.
        value: Expr,
        /// Whether it may already have one.
        redefine: bool,
    },
    /// `.section`, `.text N`, `.data N`, `.bss`
    Section(SectionRef),
    /// `.pushsection`
    PushSection(SectionRef),
    /// `.popsection`
    PopSection,
    /// `.previous`
    Previous,
    /// `.subsection N`
    Subsection(Expr),
    /// `.attach_to_group NAME`
    AttachToGroup(&'a str),
    /// `.globl`
    Global(&'a str),
    /// `.local`
    Local(&'a str),
    /// `.weak`
    Weak(&'a str),
    /// `.hidden`, `.protected`, `.internal` by ELF's number.
    Visibility(&'a str, u8),
    /// `.type foo, @function`; the word without its mark.
    Type(&'a str, String),
    /// `.size foo, EXPR`
    Size(&'a str, Expr),
    /// `.comm`/`.lcomm` name, size, alignment
    Common {
        /// The symbol.
        name: &'a str,
        /// Bytes.
        size: Expr,
        /// Alignment where given.
        align: Option<Expr>,
        /// `.lcomm`
        local: bool,
    },
    /// `.largecomm` name, size, alignment
    LargeCommon {
        /// The symbol.
        name: &'a str,
        /// Bytes.
        size: Expr,
        /// Alignment where given.
        align: Option<Expr>,
    },
    /// `.weakref ALIAS, TARGET`
    WeakRef {
        /// The name that is written.
        alias: &'a str,
        /// The symbol that it stands for.
        target: &'a str,
    },
    /// `.loc ... view .LVU1`: the label counts the lines that one place has.
    Location {
        /// The label, if one was written.
        view: Option<&'a str>,
        /// `view -0`: the count starts again.
        restarts: bool,
    },
    /// `.cfi_personality`, `.cfi_lsda`: an expression whose symbols the object has.
    Mention(Expr),
    /// Jumps from here on have the lengths that they would have at the first label, if the second were there:
    /// code that another one replaces is as long as it was in its place. `None`: no longer.
    PlacedAs(Option<(&'a str, &'a str)>),
    /// Jumps from here on have the lengths that they would have if what stands between the labels were a section
    /// of its own: it was assembled elsewhere and brought here. `None`: no longer.
    BroughtFrom(Option<(&'a str, &'a str)>),
    /// `.file "NAME"`: what the text was made of.
    SourceFile(String),
    /// Accepted and without effect on bytes: `.cfi_*`, `.file NUMBER`, `.ident`.
    Ignored,
}

/// One statement with its text after expansion and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// What it is.
    pub kind: StatementKind<'a>,
    /// The text after macro expansion: GNU as accepts it unchanged. Empty where it has no word for it.
    pub text: &'a str,
    /// Where it was written and expanded.
    pub origin: Origin,
    /// Which block of the sequence file it stands in.
    pub part: Part,
}
