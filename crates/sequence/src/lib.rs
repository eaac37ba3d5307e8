//! Sequence files: text in, statements out.
//!
//! A [`Sequence`] is one file, read once: its structured comments and, for each variant, the
//! preprocessed text of that variant's translation unit. A [`Program`] is one variant at one set
//! of params and features. [`Program::walk`] expands macros and conditionals and hands over one
//! [`Statement`] after another to a [`Sink`], so that a file of millions of lines is never held
//! as a tree. The sink is the assembler: it alone knows what a label is worth, so it answers the
//! questions that `.if`, `.rept` and `.ifdef` ask.

mod att;
mod cpp;
mod diagnostic;
mod directive;
mod expr;
mod expr_parse;
mod frames;
mod header;
mod intel;
mod keys;
mod lines;
mod nearest;
mod operand;
mod program;
mod read;
mod registers;
mod scanner;
mod source;
mod statement;
mod strings;
mod walk;

pub use diagnostic::{Diagnostic, Note, Problem, Severity};
pub use expr::{BinaryOp, Direction, Expr, Modifier, UnaryOp};
pub use header::{
    Configs, Context, Entry, Filter, Need, Options, Param, ParamKind, Params, Random, Sequence,
    Variant, Width,
};
pub use operand::{
    Broadcast, Mask, Memory, Operand, OperandKind, Register, RegisterClass, Rounding, SizeHint,
};
pub use program::{Origin, Part, Program, Sink, Value};
pub use source::{Include, MemoryReader, Reader};
pub use statement::{
    Align, DataWidth, Instruction, Prefix, PseudoPrefix, SectionFlags, SectionRef, Statement,
    StatementKind, Syntax,
};
