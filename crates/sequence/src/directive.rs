//! Directives that become statements. Those that steer the reading itself (macros, conditionals,
//! repeats) are the walk's.

use crate::expr_parse::{expression, integer};
use crate::nearest::nearest;
use crate::scanner::{Helped, Scanner, is_name, problem};
use crate::strings::string;
use crate::{
    Align, DataWidth, Expr, Problem, SectionFlags, SectionRef, Severity, Sink, StatementKind, Value,
};

/// Every directive that is understood here or by the walk, for suggestions.
const KNOWN: &[&str] = &[
    ".align",
    ".altmacro",
    ".ascii",
    ".asciz",
    ".att_syntax",
    ".balign",
    ".balignl",
    ".balignw",
    ".bss",
    ".byte",
    ".cfi_endproc",
    ".cfi_startproc",
    ".comm",
    ".data",
    ".double",
    ".else",
    ".elseif",
    ".end",
    ".endif",
    ".endm",
    ".endr",
    ".equ",
    ".equiv",
    ".error",
    ".exitm",
    ".file",
    ".fill",
    ".float",
    ".global",
    ".globl",
    ".hidden",
    ".hword",
    ".ident",
    ".if",
    ".ifb",
    ".ifc",
    ".ifdef",
    ".ifeq",
    ".ifge",
    ".ifgt",
    ".ifle",
    ".iflt",
    ".ifnb",
    ".ifnc",
    ".ifndef",
    ".ifne",
    ".incbin",
    ".include",
    ".int",
    ".intel_syntax",
    ".irp",
    ".irpc",
    ".lcomm",
    ".loc",
    ".local",
    ".long",
    ".macro",
    ".noaltmacro",
    ".nops",
    ".octa",
    ".org",
    ".p2align",
    ".p2alignl",
    ".p2alignw",
    ".popsection",
    ".previous",
    ".print",
    ".protected",
    ".purgem",
    ".pushsection",
    ".quad",
    ".rept",
    ".section",
    ".set",
    ".short",
    ".single",
    ".size",
    ".skip",
    ".sleb128",
    ".space",
    ".string",
    ".subsection",
    ".text",
    ".type",
    ".uleb128",
    ".value",
    ".warning",
    ".weak",
    ".word",
    ".zero",
    ".2byte",
    ".4byte",
    ".8byte",
];

/// What GNU as has and this assembler has not.
const UNSUPPORTED: &[&str] = &[
    ".abort",
    ".arch",
    ".bfloat16",
    ".bundle_align_mode",
    ".bundle_lock",
    ".bundle_unlock",
    ".code16",
    ".code16gcc",
    ".code32",
    ".dc",
    ".dc.a",
    ".dc.b",
    ".dc.d",
    ".dc.l",
    ".dc.s",
    ".dc.w",
    ".dc.x",
    ".dcb",
    ".dcb.b",
    ".dcb.w",
    ".dcb.l",
    ".ds",
    ".ds.b",
    ".eqv",
    ".fail",
    ".func",
    ".endfunc",
    ".gnu_attribute",
    ".hfloat",
    ".inst",
    ".insn",
    ".irep",
    ".largecomm",
    ".ldouble",
    ".linkonce",
    ".list",
    ".lto_set_symtab_attr",
    ".mri",
    ".nolist",
    ".nop",
    ".offset",
    ".popsect",
    ".reloc",
    ".sbttl",
    ".secrel32",
    ".slong",
    ".stabs",
    ".string16",
    ".string32",
    ".string64",
    ".struct",
    ".symver",
    ".tfloat",
    ".title",
    ".tls_common",
    ".vtable_entry",
    ".vtable_inherit",
    ".warn",
    ".weakref",
    ".version",
    ".base64",
];

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
        ".byte" => data(1, scanner)?,
        ".word" | ".short" | ".value" | ".hword" | ".2byte" => data(2, scanner)?,
        ".long" | ".int" | ".4byte" => data(4, scanner)?,
        ".quad" | ".8byte" => data(8, scanner)?,
        ".octa" => octa(scanner, sink)?,
        ".ascii" => StatementKind::Bytes(strings(scanner, false)?),
        ".asciz" | ".string" | ".string8" => StatementKind::Bytes(strings(scanner, true)?),
        ".float" | ".single" => floats(scanner, |value: f32| value.to_le_bytes().to_vec())?,
        ".double" => floats(scanner, |value: f64| value.to_le_bytes().to_vec())?,
        ".uleb128" | ".sleb128" => StatementKind::Leb128 {
            signed: name == ".sleb128",
            values: expressions(scanner)?,
        },
        ".align" | ".balign" => align(scanner, sink, 1, false)?,
        ".balignw" => align(scanner, sink, 2, false)?,
        ".balignl" => align(scanner, sink, 4, false)?,
        ".p2align" => align(scanner, sink, 1, true)?,
        ".p2alignw" => align(scanner, sink, 2, true)?,
        ".p2alignl" => align(scanner, sink, 4, true)?,
        ".skip" | ".space" | ".zero" => {
            let size = expression(scanner)?;
            StatementKind::Skip(size, after_comma(scanner)?)
        }
        ".org" => {
            let to = expression(scanner)?;
            StatementKind::Org(to, after_comma(scanner)?)
        }
        ".nops" => {
            let size = expression(scanner)?;
            StatementKind::Nops(size, after_comma(scanner)?)
        }
        ".fill" => {
            let repeat = expression(scanner)?;
            let size = after_comma(scanner)?.unwrap_or(Expr::Number(1));
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
        ".subsection" => StatementKind::Subsection(expression(scanner)?),
        ".globl" | ".global" => StatementKind::Global(scanner.symbol()?),
        ".local" => StatementKind::Local(scanner.symbol()?),
        ".weak" => StatementKind::Weak(scanner.symbol()?),
        ".internal" => StatementKind::Visibility(scanner.symbol()?, 1),
        ".hidden" => StatementKind::Visibility(scanner.symbol()?, 2),
        ".protected" => StatementKind::Visibility(scanner.symbol()?, 3),
        ".type" => kind_of_symbol(scanner)?,
        ".size" => {
            let symbol = scanner.symbol()?;
            scanner.eat(b',');
            StatementKind::Size(symbol, expression(scanner)?)
        }
        ".comm" | ".lcomm" => {
            let symbol = scanner.symbol()?;
            comma(scanner)?;
            StatementKind::Common {
                name: symbol,
                size: expression(scanner)?,
                align: after_comma(scanner)?,
                local: name == ".lcomm",
            }
        }
        ".loc" | ".file" | ".ident" | ".line" | ".ln" | ".loc_mark_labels" | ".code64"
        | ".addrsig" | ".addrsig_sym" | ".att_mnemonic" => ignored(scanner),
        _ if name.starts_with(".cfi_") => ignored(scanner),
        _ => return Err(unknown(name, at)),
    };
    scanner.finish()?;
    Ok(kind)
}

/// Whether a directive takes several symbols, one statement each.
pub(crate) fn takes_symbols(name: &str) -> bool {
    matches!(
        name,
        ".globl" | ".global" | ".local" | ".weak" | ".hidden" | ".protected" | ".internal"
    )
}

fn unknown(name: &str, at: usize) -> Problem {
    if UNSUPPORTED.contains(&name) {
        return problem(at, name.len(), format!("`{name}` is not supported yet"));
    }
    let error = problem(at, name.len(), format!("there is no directive `{name}`"));
    match nearest(name, KNOWN) {
        Some(found) => error.help(format!("did you mean `{found}`?")),
        None => error,
    }
}

fn ignored<'t>(scanner: &mut Scanner<'_>) -> StatementKind<'t> {
    scanner.at = scanner.text.len();
    StatementKind::Ignored
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

/// A number of more than 64 bits that stands alone, cut to its lower 128 bits.
fn wide(scanner: &mut Scanner<'_>) -> Option<u128> {
    let mut ahead = scanner.clone();
    ahead.skip_space();
    let negative = ahead.eat(b'-');
    ahead.skip_space();
    let word = ahead.word();
    if !word.as_bytes().first()?.is_ascii_digit() || !matches!(integer(word)?, (_, true)) {
        return None;
    }
    ahead.skip_space();
    if ahead.peek() != b',' && !ahead.at_end() {
        return None;
    }
    let (digits, radix) = match word.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&word[2..], 16),
        [b'0', b'b' | b'B', ..] => (&word[2..], 2),
        [b'0', ..] => (&word[1..], 8),
        _ => (word, 10),
    };
    let value = digits.chars().fold(0_u128, |value, digit| {
        value
            .wrapping_mul(u128::from(radix))
            .wrapping_add(u128::from(digit.to_digit(radix).unwrap_or(0)))
    });
    scanner.at = ahead.at;
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

fn expressions(scanner: &mut Scanner<'_>) -> Result<Vec<Expr>, Problem> {
    let mut values = Vec::new();
    if scanner.at_end() {
        return Ok(values);
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        // GNU as takes a missing value for zero.
        values.push(if scanner.peek() == b',' {
            Expr::Number(0)
        } else {
            expression(scanner)?
        });
        if !scanner.eat(b',') {
            return Ok(values);
        }
    }
}

fn data<'t>(width: u8, scanner: &mut Scanner<'_>) -> Result<StatementKind<'t>, Problem> {
    let mut values = Vec::new();
    if scanner.at_end() {
        return Ok(StatementKind::Data(DataWidth(width), values));
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        // GNU as takes a missing value for zero.
        if scanner.peek() == b',' {
            values.push(Expr::Number(0));
        } else if let Some(value) = wide(scanner) {
            let message = format!("a number of more than 64 bits is cut off to {width} bytes");
            let mut warning = problem(start, scanner.at - start, message);
            warning.severity = Severity::Warning;
            scanner
                .warnings
                .push(warning.help("`.octa` takes 128 bits"));
            let bits = 8 * u32::from(width.min(8));
            let kept = (value as u64) << (64 - bits) >> (64 - bits);
            values.push(Expr::Number(kept.cast_signed()));
        } else {
            values.push(expression(scanner)?);
        }
        if !scanner.eat(b',') {
            return Ok(StatementKind::Data(DataWidth(width), values));
        }
    }
}

fn octa<'t>(scanner: &mut Scanner<'_>, sink: &mut dyn Sink) -> Result<StatementKind<'t>, Problem> {
    let mut values = Vec::new();
    if scanner.at_end() {
        return Ok(StatementKind::Octa(values));
    }
    loop {
        scanner.depth = 0;
        scanner.skip_space();
        let start = scanner.at;
        let value = if scanner.peek() == b',' || scanner.at_end() {
            0
        } else if let Some(value) = wide(scanner) {
            value.cast_signed()
        } else {
            let expr = expression(scanner)?;
            let width = scanner.at - start;
            let number = known(&expr, start, width, sink, "a value of `.octa`")?;
            // A number that fits 64 bits only without a sign has none.
            match scanner.text[start..].trim_start().as_bytes().first() {
                Some(b'0'..=b'9') if matches!(expr, Expr::Number(_)) => {
                    i128::from(number.cast_unsigned())
                }
                _ => i128::from(number),
            }
        };
        values.push(value.to_le_bytes());
        if !scanner.eat(b',') {
            return Ok(StatementKind::Octa(values));
        }
    }
}

fn strings(scanner: &mut Scanner<'_>, terminated: bool) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    if scanner.at_end() {
        return Ok(bytes);
    }
    loop {
        string(scanner, &mut bytes)?;
        // `.ascii "a" "b"` is one string in GNU as, terminated once.
        scanner.skip_space();
        if scanner.peek() == b'"' {
            continue;
        }
        if terminated {
            bytes.push(0);
        }
        if !scanner.eat(b',') {
            return Ok(bytes);
        }
    }
}

fn floats<'t, F: std::str::FromStr>(
    scanner: &mut Scanner<'_>,
    encode: impl Fn(F) -> Vec<u8>,
) -> Result<StatementKind<'t>, Problem> {
    let mut bytes = Vec::new();
    loop {
        scanner.skip_space();
        let start = scanner.at;
        while is_name(scanner.peek()) || matches!(scanner.peek(), b'+' | b'-') {
            scanner.at += 1;
        }
        let word = &scanner.text[start..scanner.at];
        // GNU as takes `0f1.5` and `0d1.5` for 1.5.
        let digits = match word.as_bytes() {
            [b'0', b'f' | b'd' | b'e' | b'r' | b's' | b'F' | b'D', ..] => &word[2..],
            _ => word,
        };
        let Ok(value) = digits.parse() else {
            return Err(scanner.expected(start, "a floating-point number"));
        };
        bytes.extend(encode(value));
        if !scanner.eat(b',') {
            return Ok(StatementKind::Float(bytes));
        }
    }
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

fn align<'t>(
    scanner: &mut Scanner<'_>,
    sink: &mut dyn Sink,
    fill_width: u8,
    power: bool,
) -> Result<StatementKind<'t>, Problem> {
    scanner.skip_space();
    let start = scanner.at;
    let expr = if scanner.at_end() {
        Expr::Number(0)
    } else {
        expression(scanner)?
    };
    let width = scanner.at - start;
    let value = known(&expr, start, width, sink, "an alignment")?;
    let boundary = if power {
        u32::try_from(value)
            .ok()
            .filter(|&exponent| exponent < 32)
            .map(|exponent| 1_u64 << exponent)
    } else {
        u64::try_from(value)
            .ok()
            .filter(|&bytes| bytes == 0 || (bytes.is_power_of_two() && bytes < 1 << 32))
    };
    let Some(boundary) = boundary else {
        return Err(problem(
            start,
            width,
            format!("an alignment of {value} is impossible"),
        )
        .help(if power {
            "`.p2align` takes the exponent of a power of two, 0 to 31"
        } else {
            "alignments are powers of two below 4 GiB"
        }));
    };
    let fill = after_comma(scanner)?;
    scanner.skip_space();
    let start = scanner.at + 1;
    let max_skip =
        match after_comma(scanner)? {
            None => None,
            Some(expr) => {
                let width = scanner.at.saturating_sub(start);
                let value = known(&expr, start, width, sink, "the most bytes to skip")?;
                Some(u64::try_from(value).map_err(|_| {
                    problem(start, width, "the most bytes to skip cannot be negative")
                })?)
            }
        };
    Ok(StatementKind::Align(Align {
        boundary,
        fill,
        fill_width,
        max_skip,
    }))
}

fn section(scanner: &mut Scanner<'_>, pushed: bool) -> Result<SectionRef, Problem> {
    scanner.skip_space();
    let name = if scanner.peek() == b'"' {
        scanner.symbol()?
    } else {
        let start = scanner.at;
        while is_name(scanner.peek()) || matches!(scanner.peek(), b'-' | b'+' | b':' | b'@') {
            scanner.at += 1;
        }
        if scanner.at == start {
            return Err(scanner.expected(start, "a section's name"));
        }
        &scanner.text[start..scanner.at]
    };
    let mut reference = SectionRef {
        name: name.to_owned(),
        flags: SectionFlags::default(),
        subsection: None,
    };
    if !scanner.eat(b',') {
        return Ok(reference);
    }
    scanner.skip_space();
    if pushed && scanner.peek() != b'"' {
        reference.subsection = Some(expression(scanner)?);
        if !scanner.eat(b',') {
            return Ok(reference);
        }
        scanner.skip_space();
    }
    if scanner.peek() != b'"' {
        return Err(scanner.expected(scanner.at, "the section's flags in double quotes"));
    }
    let start = scanner.at;
    let Some(length) = scanner.text[start + 1..].find('"') else {
        return Err(problem(start, 1, "this string has no end"));
    };
    reference.flags.flags = Some(scanner.text[start + 1..=start + length].to_owned());
    scanner.at = start + length + 2;
    if !scanner.eat(b',') {
        return Ok(reference);
    }
    scanner.skip_space();
    if matches!(scanner.peek(), b'@' | b'%') {
        scanner.at += 1;
        reference.flags.kind = Some(scanner.word().to_owned());
    } else if scanner.peek() == b'"' {
        reference.flags.kind = Some(scanner.symbol()?.to_owned());
    } else {
        return Err(scanner.expected(scanner.at, "the section's type, `@progbits` or `@nobits`"));
    }
    if scanner.eat(b',') {
        let rest = scanner.rest();
        reference.flags.rest = rest.split(',').map(|part| part.trim().to_owned()).collect();
        scanner.at = scanner.text.len();
    }
    Ok(reference)
}

/// `.type foo, @function`, in any of the four ways GNU as takes it.
fn kind_of_symbol<'t>(scanner: &mut Scanner<'t>) -> Result<StatementKind<'t>, Problem> {
    let symbol = scanner.symbol()?;
    scanner.eat(b',');
    scanner.skip_space();
    if matches!(scanner.peek(), b'@' | b'%' | b'#') {
        scanner.at += 1;
    }
    let start = scanner.at;
    let word = if scanner.peek() == b'"' {
        scanner.symbol()?
    } else {
        scanner.word()
    };
    let kind = match word {
        "function" | "STT_FUNC" => "function",
        "object" | "STT_OBJECT" => "object",
        "notype" | "STT_NOTYPE" => "notype",
        "tls_object" | "STT_TLS" => "tls_object",
        "common" | "STT_COMMON" => "common",
        "gnu_indirect_function" | "STT_GNU_IFUNC" => "gnu_indirect_function",
        "gnu_unique_object" => "gnu_unique_object",
        _ => {
            return Err(scanner
                .expected(start, "a symbol's type")
                .help("`@function`, `@object`, `@notype` and `@tls_object` are types"));
        }
    };
    Ok(StatementKind::Type(symbol, kind.to_owned()))
}
