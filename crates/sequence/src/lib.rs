//! Sequence files: text in, statements out.
//!
//! A [`Sequence`] is one file, read once: its structured comments and, for each variant, the
//! preprocessed text of that variant's translation unit. A [`Program`] is one variant at one set
//! of params and features. [`Program::walk`] expands macros and conditionals and hands over one
//! [`Statement`] after another to a [`Sink`], so that a file of millions of lines is never held
//! as a tree. The sink is the assembler: it alone knows what a label is worth, so it answers the
//! questions that `.if`, `.rept` and `.ifdef` ask.
//!
//! ```
//! use sequence::{
//!     Expr, MemoryReader, Options, Problem, Sequence, Sink, Statement, Value,
//! };
//!
//! /// Keeps the text of each statement, and knows no symbols.
//! struct Texts(Vec<String>);
//!
//! impl Sink for Texts {
//!     fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Problem> {
//!         self.0.push(statement.text.to_owned());
//!         Ok(())
//!     }
//!     fn evaluate(&mut self, expr: &Expr) -> Value {
//!         match expr {
//!             Expr::Number(value) => Value::Absolute(*value),
//!             _ => Value::Undefined,
//!         }
//!     }
//!     fn is_defined(&mut self, _name: &str) -> bool {
//!         false
//!     }
//! }
//!
//! let text = "\
//! #: param   COUNT 5 12
//! #: variant sub   the usual decrement
//!     sub $1, %eax; RET
//! #: variant dec   the shorter one
//!     .rept 2
//!     dec %eax
//!     .endr
//! ";
//! let mut reader = MemoryReader::default();
//! let sequence = Sequence::read("loop.S", text, &mut reader, &Options::default()).unwrap();
//! assert_eq!(sequence.variants[1].text, "the shorter one");
//!
//! let mut texts = Texts(Vec::new());
//! let mut program = sequence.program(1, &sequence.default_params());
//! program.walk(&mut reader, &mut texts).unwrap();
//! assert_eq!(texts.0, [".set COUNT, 5", ".set SEED, 0", ".text", "dec %eax", "dec %eax"]);
//! ```

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
mod leb128;
mod lines;
#[cfg(test)]
mod mutated;
mod nearest;
mod operand;
mod patch;
mod prelude;
mod program;
mod read;
mod registers;
mod scanner;
mod source;
mod statement;
mod strings;
mod walk;

pub use diagnostic::{Diagnostic, MISSING_LABEL, Note, Problem, Severity};
pub use expr::{BinaryOp, Direction, Expr, Modifier, UnaryOp};
pub use header::{
    Configs, Context, Entry, Filter, Need, Options, Param, ParamKind, Params, Random, Sequence,
    Variant, Width,
};
pub use leb128::leb128_of_bits;
pub use operand::{
    Broadcast, Mask, Memory, Operand, OperandKind, Register, RegisterClass, Rounding, SizeHint,
};
pub use prelude::prelude;
pub use program::{Origin, Part, Program, Sink, Value};
pub use source::{Include, MemoryReader, Reader};
pub use statement::{
    Align, DataWidth, Instruction, Prefix, PseudoPrefix, SectionFlags, SectionRef, Statement,
    StatementKind, Syntax,
};
