//! Expressions as GNU as has them.

/// An expression over numbers, symbols and the place it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number; wider ones than 64 bits exist only in `.octa` and are handled there.
    Number(i64),
    /// A named symbol, with its `@PLT`-like modifier.
    Symbol(String, Option<Modifier>),
    /// `1b` or `1f`, with its modifier.
    Local(u32, Direction, Option<Modifier>),
    /// `.`
    Here,
    /// `-x`, `~x`, `!x`, `+x`
    Unary(UnaryOp, Box<Expr>),
    /// `x + y` and the like, grouped by GNU as's own precedences.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Where a numeric label is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `b`: the last one so far.
    Backward,
    /// `f`: the next one.
    Forward,
}

/// `@` suffixes that choose the relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the ABI names them")]
pub enum Modifier {
    Plt,
    Pltoff,
    Got,
    Gotplt,
    Gotpcrel,
    Gotoff,
    Gottpoff,
    Tpoff,
    Dtpoff,
    Tlsgd,
    Tlsld,
    Tlsdesc,
    Tlscall,
    Size,
}

impl Modifier {
    /// Whether it is for symbols of which each thread has one.
    #[must_use]
    pub fn is_thread_local(self) -> bool {
        matches!(
            self,
            Self::Gottpoff
                | Self::Tpoff
                | Self::Dtpoff
                | Self::Tlsgd
                | Self::Tlsld
                | Self::Tlsdesc
                | Self::Tlscall
        )
    }
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    Not,
    /// `!`: 1 for zero, 0 otherwise.
    LogicalNot,
}

/// Infix operators. Comparisons give -1 or 0, as in GNU as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is its operator's name")]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Or,
    And,
    Xor,
    /// `!` between operands: or-not.
    OrNot,
    Add,
    Subtract,
    Equal,
    NotEqual,
    Less,
    Greater,
    GreaterOrEqual,
    LessOrEqual,
    LogicalAnd,
    LogicalOr,
}
