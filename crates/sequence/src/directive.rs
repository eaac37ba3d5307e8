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
    ".extern",
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
    ".dc.x",
    ".eqv",
    ".gnu_attribute",
    ".hfloat",
    ".inst",
    ".insn",
    ".irep",
    ".largecomm",
    ".ldouble",
    ".linkonce",
    ".lto_set_symtab_attr",
    ".mri",
    ".offset",
    ".popsect",
    ".reloc",
    ".secrel32",
    ".stabs",
    ".struct",
    ".symver",
    ".tfloat",
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
        ".float" | ".single" | ".dc.s" => {
            floats(scanner, |value: f32| value.to_le_bytes().to_vec())?
        }
        ".double" | ".dc.d" => floats(scanner, |value: f64| value.to_le_bytes().to_vec())?,
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
        ".globl" | ".global" | ".xdef" => StatementKind::Global(scanner.symbol()?),
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
        ".file" if is_named_file(scanner) => {
            let mut name = Vec::new();
            string(scanner, &mut name)?;
            StatementKind::SourceFile(String::from_utf8_lossy(&name).into_owned())
        }
        // Listings are another thing here, and symbols need no announcement.
        ".title" | ".sbttl" | ".list" | ".nolist" | ".eject" | ".func" | ".endfunc" | ".extern"
        | ".xref" | ".name" | ".format" | ".noformat" | ".lflags" => ignored(scanner),
        ".file" | ".ident" | ".line" | ".ln" | ".loc_mark_labels" | ".code64" | ".addrsig"
        | ".addrsig_sym" | ".att_mnemonic" => ignored(scanner),
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
        ".globl"
            | ".global"
            | ".xdef"
            | ".local"
            | ".weak"
            | ".hidden"
            | ".protected"
            | ".internal"
    )
}

/// Whether GNU as has a directive of this name, which no macro hides.
pub(crate) fn is_directive(name: &str) -> bool {
    name.starts_with('.')
        && (KNOWN.contains(&name) || UNSUPPORTED.contains(&name) || name.starts_with(".cfi_"))
}

/// The error of a directive that is not there.
pub(crate) fn unknown(name: &str, at: usize) -> Problem {
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

/// The warning that GNU as gives for a value that is not there.
fn missing(scanner: &mut Scanner<'_>) -> Expr {
    let mut warning = problem(scanner.at, 1, "a value is missing here: 0 is taken");
    warning.severity = Severity::Warning;
    scanner.warnings.push(warning);
    Expr::Number(0)
}

/// Each byte of a string in `width` bytes.
fn widened(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut wide = vec![0; bytes.len() * width];
    for (index, byte) in bytes.iter().enumerate() {
        wide[index * width] = *byte;
    }
    wide
}

/// `.dcb.w COUNT, VALUE`, and `.ds.w`, which is another name for it.
fn repeated<'t>(scanner: &mut Scanner<'_>, width: i64) -> Result<StatementKind<'t>, Problem> {
    let count = expression(scanner)?;
    let value = after_comma(scanner)?.unwrap_or(Expr::Number(0));
    Ok(StatementKind::Fill(count, Expr::Number(width), value))
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
        values.push(if scanner.peek() == b',' || scanner.at_end() {
            missing(scanner)
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
        if scanner.peek() == b',' || scanner.at_end() {
            let value = missing(scanner);
            values.push(value);
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
