//! Operands and registers, the same for both syntaxes.

use crate::Expr;

/// Which file a register belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "named as the SDM names them")]
pub enum RegisterClass {
    /// al cl dl bl spl bpl sil dil r8b..r15b
    Gpr8,
    /// ah ch dh bh, numbered 0 to 3
    Gpr8High,
    Gpr16,
    Gpr32,
    Gpr64,
    /// es cs ss ds fs gs, in the SDM's numbering
    Segment,
    Control,
    Debug,
    Test,
    /// st(0)..st(7); `%st` is 0
    St,
    Mm,
    Xmm,
    Ymm,
    Zmm,
    Tmm,
    /// k0..k7
    Mask,
    Bnd,
    Rip,
    Eip,
    /// riz: no index, but a SIB byte
    Riz,
    Eiz,
}

/// A register: its file and its number in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register {
    /// The file.
    pub class: RegisterClass,
    /// The number within the file.
    pub number: u8,
}

/// Size words of Intel syntax (`dword ptr`), in bytes; `Far` stands apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the word it stands for")]
pub enum SizeHint {
    Byte,
    Word,
    Dword,
    Fword,
    Qword,
    Tbyte,
    Xmmword,
    Ymmword,
    Zmmword,
    Near,
    Far,
    /// No memory size stated (AT&T text never has one).
    None,
}

impl SizeHint {
    /// Bytes of memory; `None` where the word states no size of memory.
    #[must_use]
    pub const fn bytes(self) -> Option<u16> {
        Some(match self {
            Self::Byte => 1,
            Self::Word => 2,
            Self::Dword => 4,
            Self::Fword => 6,
            Self::Qword => 8,
            Self::Tbyte => 10,
            Self::Xmmword => 16,
            Self::Ymmword => 32,
            Self::Zmmword => 64,
            Self::Near | Self::Far | Self::None => return None,
        })
    }
}

/// `{1to8}` and the like, by the count; 0 for Intel's `bcst`, which leaves it to the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Broadcast(pub u8);

/// `{%k1}{z}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask {
    /// 0..7; 0 where only `{z}` was written.
    pub register: u8,
    /// `{z}`
    pub zeroing: bool,
}

/// `{rn-sae}` and the like, an operand of its own in AT&T text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the word it stands for")]
pub enum Rounding {
    RnSae,
    RdSae,
    RuSae,
    RzSae,
    Sae,
}

/// `segment:disp(base,index,scale)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Segment override as written.
    pub segment: Option<Register>,
    /// Base, `%rip` and `%eip` included.
    pub base: Option<Register>,
    /// Index, `%riz` included.
    pub index: Option<Register>,
    /// 1, 2, 4 or 8; 0 where none was written.
    pub scale: u8,
    /// Displacement; `None` where none was written (`0(%rax)` and `(%rax)` encode alike in GNU as).
    pub displacement: Option<Expr>,
    /// Intel syntax's size word.
    pub size: SizeHint,
    /// Memory broadcast.
    pub broadcast: Option<Broadcast>,
}

/// What an operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `%rax`
    Register(Register),
    /// `$5`, or a bare expression in Intel syntax where it is not memory.
    Immediate(Expr),
    /// Memory; in AT&T text also the bare expression of `jmp foo` (no base, index or segment): the
    /// mnemonic decides whether that is a branch target.
    Memory(Memory),
    /// `{rn-sae}`
    Rounding(Rounding),
}

/// One operand, in the order it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// `*` of an indirect jump or call.
    pub indirect: bool,
    /// Masking decoration.
    pub mask: Option<Mask>,
    /// Byte offset and length in [`crate::Statement::text`].
    pub at: (u32, u32),
    /// The size that Intel syntax states, of a number too.
    pub size: SizeHint,
}
