//! Directives that become statements. Those that steer the reading itself (macros, conditionals,
//! repeats) are the walk's.

mod data;
mod floats;
mod names;
mod section;
mod space;
mod symbol;

use crate::expr_parse::expression;
use crate::scanner::{Helped, Scanner, problem};
use crate::strings::string;
use crate::{Expr, Problem, SectionFlags, SectionRef, Severity, Sink, StatementKind, Value};
use data::{data, leb128, octa, strings, widened};
use floats::{BRAIN, DOUBLE, EXTENDED, HALF, SINGLE, floats, repeated_float, repeated_ten};
pub(crate) use names::{is_directive, takes_symbols, unknown};
use section::section;
use space::{align, repeated};
use symbol::kind_of_symbol;

/// Reads a directive's operands. `name` is in lower case and starts with a dot; `at` is where it
/// stands. The scanner stands behind it.
///
/// # Errors
/// If there is no such directive or its operands are wrong.
pub(crate) fn directive<'t>(
    name: &str,
    at: usize,
    scanner: &mut Scanner<'t>,
    sink: &mut dyn Sink,
) -> Result<StatementKind<'t>, Problem> {
    let kind = match name {
        ".byte" | ".dc.b" => data(1, scanner)?,
        ".dc" | ".dc.w" | ".word" | ".short" | ".value" | ".hword" | ".2byte" => data(2, scanner)?,
        ".long" | ".int" | ".4byte" | ".slong" | ".dc.l" => data(4, scanner)?,
        ".quad" | ".8byte" | ".dc.a" => data(8, scanner)?,
        ".octa" => octa(scanner, sink)?,
        ".ascii" => StatementKind::Bytes(strings(scanner, false)?),
        ".asciz" | ".string" | ".string8" => StatementKind::Bytes(strings(scanner, true)?),
        ".string16" => StatementKind::Bytes(widened(&strings(scanner, true)?, 2)),
        ".string32" => StatementKind::Bytes(widened(&strings(scanner, true)?, 4)),
        ".string64" => StatementKind::Bytes(widened(&strings(scanner, true)?, 8)),
        ".dcb" | ".dcb.w" => repeated(scanner, 2)?,
        ".dcb.b" | ".ds.b" => repeated(scanner, 1)?,
        ".dcb.l" | ".ds.l" | ".ds.s" => repeated(scanner, 4)?,
        ".ds" | ".ds.w" => repeated(scanner, 2)?,
        ".ds.d" => repeated(scanner, 8)?,
        ".nop" => {
            let count = optional(scanner)?.unwrap_or(Expr::Number(1));
            StatementKind::Nops(count, Some(Expr::Number(1)))
        }
        ".fail" => fail(at, scanner, sink)?,
        ".loc" => location(scanner)?,
        ".float" | ".single" | ".dc.s" => floats(scanner, SINGLE)?,
        ".double" | ".dc.d" => floats(scanner, DOUBLE)?,
        ".dc.x" | ".tfloat" => floats(scanner, EXTENDED)?,
        ".hfloat" => floats(scanner, HALF)?,
        ".bfloat16" => floats(scanner, BRAIN)?,
        ".dcb.s" => repeated_float(scanner, sink, SINGLE)?,
        ".dcb.d" => repeated_float(scanner, sink, DOUBLE)?,
        ".dcb.x" => repeated_float(scanner, sink, EXTENDED)?,
        ".ds.p" | ".ds.x" => repeated_ten(scanner, sink)?,
        ".uleb128" | ".sleb128" => leb128(scanner, name == ".sleb128")?,
        ".align" | ".balign" => align(scanner, sink, 1, false)?,
        ".balignw" => align(scanner, sink, 2, false)?,
        ".balignl" => align(scanner, sink, 4, false)?,
        ".p2align" => align(scanner, sink, 1, true)?,
        ".p2alignw" => align(scanner, sink, 2, true)?,
        ".p2alignl" => align(scanner, sink, 4, true)?,
        ".skip" | ".space" | ".zero" => {
            let size = optional(scanner)?.unwrap_or(Expr::Number(0));
            StatementKind::Skip(size, after_comma(scanner)?)
        }
        ".org" => {
            let to = expression(scanner)?;
            StatementKind::Org(to, after_comma(scanner)?)
        }
        ".nops" => {
            let size = optional(scanner)?.unwrap_or(Expr::Number(0));
            StatementKind::Nops(size, after_comma(scanner)?)
        }
        ".fill" => {
            let repeat = expression(scanner)?;
            // A size that is left out behind its comma is 0.
            let left_out = Expr::Number(i64::from(!scanner.eat_ahead(b',')));
            let size = after_comma(scanner)?.unwrap_or(left_out);
            let value = after_comma(scanner)?.unwrap_or(Expr::Number(0));
            StatementKind::Fill(repeat, size, value)
        }
        ".set" | ".equ" | ".equiv" => {
            let symbol = scanner.symbol()?;
            comma(scanner)?;
            StatementKind::Set {
                name: symbol,
                value: expression(scanner)?,
                redefine: name != ".equiv",
            }
        }
        ".text" | ".data" | ".bss" => StatementKind::Section(SectionRef {
            name: name.to_owned(),
            flags: SectionFlags::default(),
            subsection: optional(scanner)?,
        }),
        ".section" => StatementKind::Section(section(scanner, false)?),
        ".pushsection" => StatementKind::PushSection(section(scanner, true)?),
        ".popsection" => StatementKind::PopSection,
        ".previous" => StatementKind::Previous,
        ".subsection" => StatementKind::Subsection(optional(scanner)?.unwrap_or(Expr::Number(0))),
        ".attach_to_group" => StatementKind::AttachToGroup(scanner.symbol()?),
        ".globl" | ".global" | ".xdef" => StatementKind::Global(scanner.symbol()?),
        ".local" => StatementKind::Local(scanner.symbol()?),
        ".weak" => StatementKind::Weak(scanner.symbol()?),
        ".internal" => StatementKind::Visibility(scanner.symbol()?, 1),
        ".hidden" => StatementKind::Visibility(scanner.symbol()?, 2),
        ".protected" => StatementKind::Visibility(scanner.symbol()?, 3),
        ".type" => kind_of_symbol(scanner)?,
        ".size" => {
            let symbol = scanner.symbol()?;
            comma(scanner)?;
            StatementKind::Size(symbol, expression(scanner)?)
        }
        ".comm" | ".common" | ".lcomm" => {
            let symbol = scanner.symbol()?;
            // GNU as does without this comma.
            scanner.eat(b',');
            StatementKind::Common {
                name: symbol,
                size: expression(scanner)?,
                align: after_comma(scanner)?,
                local: name == ".lcomm",
            }
        }
        ".largecomm" => {
            let symbol = scanner.symbol()?;
            scanner.eat(b',');
            StatementKind::LargeCommon {
                name: symbol,
                size: expression(scanner)?,
                align: after_comma(scanner)?,
            }
        }
        ".weakref" => {
            let alias = scanner.symbol()?;
            comma(scanner)?;
            StatementKind::WeakRef {
                alias,
                target: scanner.symbol()?,
            }
        }
        ".arch" => architecture(scanner)?,
        ".linkonce" => {
            let warning = problem(at, name.len(), "`.linkonce` means nothing in ELF objects");
            scanner.warnings.push(Problem {
                severity: Severity::Warning,
                ..warning
            });
            ignored(scanner)
        }
        ".file" if is_named_file(scanner) => {
            let mut name = Vec::new();
            string(scanner, &mut name)?;
            StatementKind::SourceFile(String::from_utf8_lossy(&name).into_owned())
        }
        // Without a number it needs a name.
        ".file" if scanner.at_end() => return Err(scanner.expected(scanner.at, "a file's name")),
        // Listings are another thing here, symbols need no announcement, and of debug information none is
        // made.
        ".title"
        | ".sbttl"
        | ".list"
        | ".nolist"
        | ".eject"
        | ".func"
        | ".endfunc"
        | ".extern"
        | ".xref"
        | ".name"
        | ".format"
        | ".noformat"
        | ".lflags"
        | ".psize"
        | ".page"
        | ".nopage"
        | ".plen"
        | ".ttl"
        | ".spc"
        | ".linefile"
        | ".noopt"
        | ".optim"
        | ".allow_index_reg"
        | ".disallow_index_reg"
        | ".stabs"
        | ".stabn"
        | ".stabd" => ignored(scanner),
        ".file" | ".ident" | ".line" | ".loc_mark_labels" | ".code64" | ".addrsig"
        | ".addrsig_sym" | ".att_mnemonic" => ignored(scanner),
        ".cfi_personality" | ".cfi_lsda" => mentioned(scanner)?,
        _ if name.starts_with(".cfi_") => ignored(scanner),
        _ => return Err(unknown(name, at)),
    };
    scanner.finish()?;
    Ok(kind)
}

/// `.arch NAME`: what it would switch off is not looked into, and its name is only held against those that
/// there are.
fn architecture<'t>(scanner: &mut Scanner<'t>) -> Result<StatementKind<'t>, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    let rest = scanner.rest();
    let length = rest.find([',', ' ', '\t']).unwrap_or(rest.len());
    let word = &rest[..length];
    if !names::is_architecture(word) {
        return Err(
            problem(start, length, format!("there is no architecture `{word}`"))
                .help("leave the line out: every instruction of GNU as 2.40 is there"),
        );
    }
    scanner.at += length;
    if scanner.eat(b',') {
        scanner.skip_space();
        let at = scanner.at;
        if !matches!(scanner.word(), "jumps" | "nojumps") {
            return Err(scanner.expected(at, "`jumps` or `nojumps`"));
        }
    }
    Ok(StatementKind::Ignored)
}

/// `.cfi_personality ENCODING, SYMBOL`: nothing is made of it, but the symbol is one of the object's.
fn mentioned<'t>(scanner: &mut Scanner<'_>) -> Result<StatementKind<'t>, Problem> {
    expression(scanner)?;
    Ok(match after_comma(scanner)? {
        Some(symbol) => StatementKind::Mention(symbol),
        None => StatementKind::Ignored,
    })
}

fn ignored<'t>(scanner: &mut Scanner<'_>) -> StatementKind<'t> {
    scanner.at = scanner.text.len();
    StatementKind::Ignored
}

/// The warning that GNU as gives for a value that is not there.
fn missing(scanner: &mut Scanner<'_>) -> Expr {
    let mut warning = problem(scanner.at, 1, "a value is missing here: 0 is taken");
    warning.severity = Severity::Warning;
    scanner.warnings.push(warning);
    Expr::Number(0)
}

/// `.fail N`: an error below 500, a warning from there on.
fn fail<'t>(
    at: usize,
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
) -> Result<StatementKind<'t>, Problem> {
    let expr = expression(scanner)?;
    let number = known(&expr, at, scanner.at, sink, "the number of `.fail`")?;
    let mut said = problem(at, scanner.at - at, format!("`.fail {number}` is reached"));
    if number < 500 {
        return Err(said);
    }
    said.severity = Severity::Warning;
    scanner.warnings.push(said);
    Ok(StatementKind::Ignored)
}

/// `.loc FILE LINE COLUMN ... view .LVU1`, of which only the view's label has a use here: it counts
/// the lines of one place.
fn location<'t>(scanner: &mut Scanner<'t>) -> Result<StatementKind<'t>, Problem> {
    let words: Vec<&'t str> = scanner.rest().split_whitespace().collect();
    scanner.at = scanner.text.len();
    let view = words
        .iter()
        .position(|&word| word == "view")
        .and_then(|position| words.get(position + 1).copied());
    let is_number = |word: &&str| word.trim_start_matches('-').parse::<u32>().is_ok();
    Ok(StatementKind::Location {
        view: view.filter(|word| !is_number(word)),
        restarts: view == Some("-0"),
    })
}

/// Whether a `.file` has a name and no number, as compilers write it first.
fn is_named_file(scanner: &mut Scanner<'_>) -> bool {
    scanner.skip_space();
    scanner.peek() == b'"'
}

fn comma(scanner: &mut Scanner<'_>) -> Result<(), Problem> {
    if scanner.eat(b',') {
        Ok(())
    } else {
        Err(scanner.expected(scanner.at, "`,`"))
    }
}

/// The expression behind a comma, where there is one; `a,,b` leaves one out.
fn after_comma(scanner: &mut Scanner<'_>) -> Result<Option<Expr>, Problem> {
    if !scanner.eat(b',') {
        return Ok(None);
    }
    scanner.skip_space();
    if scanner.peek() == b',' || scanner.at_end() {
        return Ok(None);
    }
    expression(scanner).map(Some)
}

fn optional(scanner: &mut Scanner<'_>) -> Result<Option<Expr>, Problem> {
    if scanner.at_end() {
        return Ok(None);
    }
    expression(scanner).map(Some)
}

/// The value of an expression that must be known at once.
fn known(
    expr: &Expr,
    at: usize,
    width: usize,
    sink: &mut dyn Sink,
    what: &str,
) -> Result<i64, Problem> {
    let value = match expr {
        Expr::Number(value) => Value::Absolute(*value),
        expr => sink.evaluate(expr),
    };
    match value {
        Value::Absolute(value) => Ok(value),
        Value::Address | Value::Undefined => Err(problem(
            at,
            width,
            format!("{what} must be a number that is known here"),
        )),
    }
}
