//! Reads expressions with GNU as's own precedences, which are not C's.

use crate::scanner::{Helped, MAX_DEPTH, Scanner, is_name, problem};
use crate::{BinaryOp, Direction, Expr, Modifier, Problem, UnaryOp};

/// Binary operators with their length and rank; a higher rank binds closer. GNU as gives the
/// bitwise operators a higher rank than `+`, and shifts the rank of `*`.
pub(crate) fn operator(scanner: &Scanner<'_>) -> Option<(BinaryOp, usize, u8)> {
    let next = scanner.byte(scanner.at + 1);
    if scanner.is_operand && next == b'=' && matches!(scanner.peek(), b'=' | b'!' | b'<' | b'>') {
        return None;
    }
    Some(match (scanner.peek(), next) {
        (b'*', _) => (BinaryOp::Multiply, 1, 7),
        (b'/', _) => (BinaryOp::Divide, 1, 7),
        (b'%', _) if names_register(scanner) => return None,
        (b'%', _) => (BinaryOp::Remainder, 1, 7),
        (b'<', b'<') => (BinaryOp::ShiftLeft, 2, 7),
        (b'>', b'>') => (BinaryOp::ShiftRight, 2, 7),
        (b'|', b'|') => (BinaryOp::LogicalOr, 2, 2),
        (b'|', _) => (BinaryOp::Or, 1, 6),
        (b'&', b'&') => (BinaryOp::LogicalAnd, 2, 3),
        (b'&', _) => (BinaryOp::And, 1, 6),
        (b'^', _) => (BinaryOp::Xor, 1, 6),
        (b'!', b'=') | (b'<', b'>') => (BinaryOp::NotEqual, 2, 4),
        (b'!', _) => (BinaryOp::OrNot, 1, 6),
        (b'+', _) => (BinaryOp::Add, 1, 5),
        (b'-', _) => (BinaryOp::Subtract, 1, 5),
        (b'=', b'=') => (BinaryOp::Equal, 2, 4),
        (b'<', b'=') => (BinaryOp::LessOrEqual, 2, 4),
        (b'>', b'=') => (BinaryOp::GreaterOrEqual, 2, 4),
        (b'<', _) => (BinaryOp::Less, 1, 4),
        (b'>', _) => (BinaryOp::Greater, 1, 4),
        _ => return scanner.intel.then(|| intel_operator(scanner)).flatten(),
    })
}

/// Whether the `%` at the scanner starts a register's name: a comma is missing before it.
fn names_register(scanner: &Scanner<'_>) -> bool {
    let rest = &scanner.rest()[1..];
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    !scanner.intel && crate::registers::lookup(&rest[..length]).is_some()
}

/// Operators that are words in Intel syntax.
fn intel_operator(scanner: &Scanner<'_>) -> Option<(BinaryOp, usize, u8)> {
    let length = scanner
        .rest()
        .bytes()
        .take_while(|&byte| is_name(byte))
        .count();
    let word = scanner.rest()[..length].to_ascii_lowercase();
    let (op, rank) = match word.as_str() {
        "shl" => (BinaryOp::ShiftLeft, 7),
        "shr" => (BinaryOp::ShiftRight, 7),
        "mod" => (BinaryOp::Remainder, 7),
        "and" => (BinaryOp::And, 6),
        "or" => (BinaryOp::Or, 6),
        "xor" => (BinaryOp::Xor, 6),
        "eq" => (BinaryOp::Equal, 4),
        "ne" => (BinaryOp::NotEqual, 4),
        "lt" => (BinaryOp::Less, 4),
        "le" => (BinaryOp::LessOrEqual, 4),
        "gt" => (BinaryOp::Greater, 4),
        "ge" => (BinaryOp::GreaterOrEqual, 4),
        _ => return None,
    };
    Some((op, length, rank))
}

/// Reads one expression; stops at the first character that cannot continue it.
///
/// # Errors
/// If none stands there.
pub(crate) fn expression(scanner: &mut Scanner<'_>) -> Result<Expr, Problem> {
    binary(scanner, 0)
}

fn binary(scanner: &mut Scanner<'_>, least: u8) -> Result<Expr, Problem> {
    scanner.enter()?;
    let mut left = unary(scanner)?;
    let mut chain = 0;
    loop {
        scanner.skip_space();
        let at = scanner.at;
        // `foo+4@GOT` and `foo @GOT`: GNU as finds the word wherever it stands.
        if scanner.peek() == b'@' && least == 0 {
            let found = modifier(scanner)?;
            if !modify(&mut left, found) {
                return Err(problem(
                    at,
                    scanner.at - at,
                    "a relocation without a symbol",
                ));
            }
            continue;
        }
        let Some((op, length, rank)) = operator(scanner).filter(|found| found.2 > least) else {
            break;
        };
        scanner.at += length;
        let right = binary(scanner, rank)?;
        left = fold(op, left, right);
        // A chain grows a tree as deep as it is long; numbers fold and do not count.
        chain += u32::from(matches!(left, Expr::Binary(..)));
        if chain > MAX_DEPTH {
            return Err(problem(at, length, "this expression has too many terms")
                .help("split it with `.set`"));
        }
    }
    scanner.depth -= 1;
    Ok(left)
}

/// Gives the one symbol of an expression its relocation. Whether there is one that has none yet.
fn modify(expr: &mut Expr, modifier: Option<Modifier>) -> bool {
    match expr {
        Expr::Symbol(_, own @ None) | Expr::Local(_, _, own @ None) => {
            *own = modifier;
            true
        }
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
            modify(left, modifier) || modify(right, modifier)
        }
        _ => false,
    }
}

/// Joins two operands; numbers are folded where GNU as folds them to the same value whatever the
/// signedness.
pub(crate) fn fold(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    if let (Expr::Number(a), Expr::Number(b)) = (&left, &right) {
        let (a, b) = (*a, *b);
        let value = match op {
            BinaryOp::Add => Some(a.wrapping_add(b)),
            BinaryOp::Subtract => Some(a.wrapping_sub(b)),
            BinaryOp::Multiply => Some(a.wrapping_mul(b)),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::ShiftLeft if (0..64).contains(&b) => Some(a << b),
            // GNU as shifts right without the sign.
            BinaryOp::ShiftRight if (0..64).contains(&b) => {
                Some((a.cast_unsigned() >> b).cast_signed())
            }
            _ => None,
        };
        if let Some(value) = value {
            return Expr::Number(value);
        }
    }
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn unary(scanner: &mut Scanner<'_>) -> Result<Expr, Problem> {
    scanner.skip_space();
    let op = match scanner.peek() {
        b'-' => UnaryOp::Negate,
        b'~' => UnaryOp::Not,
        b'!' => UnaryOp::LogicalNot,
        b'+' => {
            scanner.at += 1;
            scanner.enter()?;
            let operand = unary(scanner)?;
            scanner.depth -= 1;
            return Ok(operand);
        }
        _ if scanner.intel && intel_not(scanner) => UnaryOp::Not,
        _ => return primary(scanner),
    };
    scanner.at += if scanner.peek().is_ascii_alphabetic() {
        3
    } else {
        1
    };
    scanner.enter()?;
    let operand = unary(scanner)?;
    scanner.depth -= 1;
    Ok(match (op, operand) {
        (UnaryOp::Negate, Expr::Number(value)) => Expr::Number(value.wrapping_neg()),
        (UnaryOp::Not, Expr::Number(value)) => Expr::Number(!value),
        (UnaryOp::LogicalNot, Expr::Number(value)) => Expr::Number(i64::from(value == 0)),
        (op, operand) => Expr::Unary(op, Box::new(operand)),
    })
}

pub(crate) fn intel_not(scanner: &Scanner<'_>) -> bool {
    let rest = scanner.rest().as_bytes();
    rest.len() > 3 && rest[..3].eq_ignore_ascii_case(b"not") && !is_name(rest[3])
}

pub(crate) fn primary(scanner: &mut Scanner<'_>) -> Result<Expr, Problem> {
    let start = scanner.at;
    match scanner.peek() {
        b'(' => {
            scanner.at += 1;
            scanner.enter()?;
            let inner = binary(scanner, 0)?;
            if !scanner.eat(b')') {
                return Err(scanner.expected(scanner.at, "`)`"));
            }
            scanner.depth -= 1;
            Ok(inner)
        }
        // In AT&T syntax these are parentheses.
        b'[' if !scanner.intel || scanner.is_data => {
            scanner.at += 1;
            scanner.enter()?;
            let inner = binary(scanner, 0)?;
            if !scanner.eat(b']') {
                return Err(scanner.expected(scanner.at, "`]`"));
            }
            scanner.depth -= 1;
            Ok(inner)
        }
        b'0'..=b'9' => number(scanner),
        b'\'' => character(scanner),
        b'"' => {
            let name = scanner.symbol()?;
            // GNU as takes it for the register all the same.
            if scanner.intel && !scanner.marked && crate::registers::lookup(name).is_some() {
                return Err(problem(
                    start,
                    name.len() + 2,
                    format!("the register `{name}` cannot stand in an expression"),
                )
                .help("quotes make no symbol of a register's name: use `.att_syntax` for it"));
            }
            Ok(Expr::Symbol(name.to_owned(), modifier(scanner)?))
        }
        byte if is_name(byte) => {
            // `offset foo` is `foo` among data.
            if scanner.is_data && takes_offset(scanner) {
                return unary(scanner);
            }
            // A `$` that starts a name is a symbol's in Intel syntax and nobody's in AT&T.
            let name = scanner.word();
            if name == "." || (name == "$" && scanner.intel) {
                return Ok(Expr::Here);
            }
            if scanner.intel && !scanner.marked && crate::registers::lookup(name).is_some() {
                return Err(problem(
                    start,
                    name.len(),
                    format!("the register `{name}` cannot stand in an expression"),
                ));
            }
            let symbol = Expr::Symbol(name.to_owned(), modifier(scanner)?);
            subscript(scanner, symbol)
        }
        b'%' => {
            scanner.at += 1;
            let word = scanner.word();
            Err(problem(
                start,
                word.len() + 1,
                format!("the register `%{word}` cannot stand in an expression"),
            ))
        }
        b'\\' => Err(problem(
            start,
            1 + scanner.text[start + 1..]
                .bytes()
                .take_while(|&byte| is_name(byte))
                .count(),
            "no argument of a macro is named so here",
        )
        .help("`\\name` works only inside `.macro`, `.irp` and `.irpc`")),
        _ => Err(scanner.expected(start, "a number, a symbol or `(`")),
    }
}

/// Skips `offset` and `offset flat:`, if a symbol follows.
fn takes_offset(scanner: &mut Scanner<'_>) -> bool {
    let start = scanner.at;
    let is_offset = scanner.word().eq_ignore_ascii_case("offset");
    scanner.skip_space();
    if !is_offset || !(is_name(scanner.peek()) || scanner.peek() == b'"') {
        scanner.at = start;
        return false;
    }
    let behind = scanner.at;
    let is_flat = scanner.word().eq_ignore_ascii_case("flat") && scanner.eat(b':');
    if !is_flat {
        scanner.at = behind;
    }
    true
}

/// `foo[4]` is `foo+4` among data in Intel syntax.
fn subscript(scanner: &mut Scanner<'_>, symbol: Expr) -> Result<Expr, Problem> {
    if !scanner.is_data || scanner.peek() != b'[' {
        return Ok(symbol);
    }
    scanner.at += 1;
    scanner.enter()?;
    let inner = binary(scanner, 0)?;
    if !scanner.eat(b']') {
        return Err(scanner.expected(scanner.at, "`]`"));
    }
    scanner.depth -= 1;
    Ok(fold(BinaryOp::Add, symbol, inner))
}

pub(crate) fn modifier(scanner: &mut Scanner<'_>) -> Result<Option<Modifier>, Problem> {
    if scanner.peek() != b'@' {
        return Ok(None);
    }
    let start = scanner.at;
    scanner.at += 1;
    scanner.skip_space();
    let word = scanner.word();
    Ok(Some(match word.to_ascii_lowercase().as_str() {
        "plt" => Modifier::Plt,
        "pltoff" => Modifier::Pltoff,
        "got" => Modifier::Got,
        "gotplt" => Modifier::Gotplt,
        "gotpcrel" => Modifier::Gotpcrel,
        "gotoff" => Modifier::Gotoff,
        "gottpoff" => Modifier::Gottpoff,
        "tpoff" => Modifier::Tpoff,
        "dtpoff" => Modifier::Dtpoff,
        "tlsgd" => Modifier::Tlsgd,
        "tlsld" => Modifier::Tlsld,
        "tlsdesc" => Modifier::Tlsdesc,
        "tlscall" => Modifier::Tlscall,
        "size" => Modifier::Size,
        _ => {
            return Err(problem(
                start,
                word.len() + 1,
                format!("`@{word}` is not a relocation that is supported"),
            )
            .help(
                "PLT, PLTOFF, GOT, GOTPLT, GOTPCREL, GOTOFF, GOTTPOFF, TPOFF, DTPOFF, TLSGD, TLSLD, TLSDESC, \
                 TLSCALL and SIZE are",
            ));
        }
    }))
}

fn number(scanner: &mut Scanner<'_>) -> Result<Expr, Problem> {
    let start = scanner.at;
    let bytes = scanner.text.as_bytes();
    let mut end = start;
    while bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        end += 1;
    }
    let word = &scanner.text[start..end];
    scanner.at = end;
    // GNU as takes C's suffixes of integers, and makes nothing of them.
    let plain = without_suffix(word);
    if let Some((value, overflow)) = integer(plain) {
        if overflow {
            return Err(problem(
                start,
                word.len(),
                "a number of more than 64 bits has no place here",
            )
            .help("only data directives take one, alone"));
        }
        return Ok(Expr::Number(value.cast_signed()));
    }
    let digits = &word[..word.len() - 1];
    let direction = match word.as_bytes()[word.len() - 1] {
        b'b' | b'B' => Direction::Backward,
        b'f' | b'F' => Direction::Forward,
        _ => return Err(malformed(start, word)),
    };
    match digits.parse() {
        Ok(label) if !digits.is_empty() => Ok(Expr::Local(label, direction, None)),
        _ => Err(malformed(start, word)),
    }
}

/// A number's text without `U`, `L`, `UL`, `LL` and the like behind it, which a lone zero cannot have.
fn without_suffix(word: &str) -> &str {
    let stem = word.trim_end_matches(['l', 'L']);
    let stem = stem.strip_suffix(['u', 'U']).unwrap_or(stem);
    if stem == "0" || word.len() - stem.len() > 4 {
        return word;
    }
    stem
}

fn malformed(at: usize, word: &str) -> Problem {
    let shown = crate::walk::shortened(word);
    problem(at, word.len(), format!("`{shown}` is not a number")).help(
        "numbers are decimal, 0x hexadecimal, 0 octal or 0b binary; `1b` and `1f` are local labels",
    )
}

/// The value of a number's text, and whether it needs more than 64 bits. `None` if it is none.
pub(crate) fn integer(word: &str) -> Option<(u64, bool)> {
    let bytes = word.as_bytes();
    let (digits, radix) = match bytes {
        [b'0', b'x' | b'X', ..] => (&word[2..], 16),
        [b'0', b'b' | b'B', b'0' | b'1', ..] => (&word[2..], 2),
        [b'0', _, ..] => (&word[1..], 8),
        _ => (word, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_u64;
    let mut overflow = false;
    for digit in digits.bytes() {
        let digit = char::from(digit).to_digit(radix)?;
        let (shifted, over) = value.overflowing_mul(u64::from(radix));
        let (sum, carry) = shifted.overflowing_add(u64::from(digit));
        overflow |= over | carry;
        value = sum;
    }
    Some((value, overflow))
}

/// `'a`, `'a'`, `'\n`: GNU as needs no closing quote, and takes one.
fn character(scanner: &mut Scanner<'_>) -> Result<Expr, Problem> {
    let start = scanner.at;
    scanner.at += 1;
    let value = match scanner.peek() {
        0 => return Err(problem(start, 1, "expected a character after `'`")),
        b'\\' => {
            let (byte, length) = crate::strings::escape(&scanner.text.as_bytes()[scanner.at..])
                .map_err(|message| problem(scanner.at, 2, message))?;
            scanner.at += length;
            i64::from(byte)
        }
        byte if byte.is_ascii() => {
            scanner.at += 1;
            i64::from(byte)
        }
        _ => {
            return Err(problem(
                start,
                2,
                "a character constant is one ASCII character",
            ));
        }
    };
    if scanner.peek() == b'\'' {
        scanner.at += 1;
    }
    Ok(Expr::Number(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut scanner = Scanner::new(text, 0);
        let shown = match expression(&mut scanner).and_then(|expr| scanner.finish().map(|()| expr))
        {
            Ok(expr) => show(&expr),
            Err(problem) => problem.message,
        };
        assert_eq!(shown, expected, "{text}");
    }

    fn show(expr: &Expr) -> String {
        match expr {
            Expr::Number(value) => value.to_string(),
            Expr::Symbol(name, None) => name.clone(),
            Expr::Symbol(name, Some(modifier)) => format!("{name}@{modifier:?}"),
            Expr::Local(label, direction, _) => format!("{label}{direction:?}"),
            Expr::Here => ".".to_owned(),
            Expr::Unary(op, operand) => format!("({op:?} {})", show(operand)),
            Expr::Binary(op, left, right) => format!("({op:?} {} {})", show(left), show(right)),
        }
    }

    #[test]
    fn precedences_are_gnu_as_s() {
        check("a+b*c", "(Add a (Multiply b c))");
        check("a+b|c", "(Add a (Or b c))");
        check("a<<b+c", "(Add (ShiftLeft a b) c)");
        check("a==b+c", "(Equal a (Add b c))");
        check(
            "a==b&&c<d||e",
            "(LogicalOr (LogicalAnd (Equal a b) (Less c d)) e)",
        );
        check("a-b-c", "(Subtract (Subtract a b) c)");
        check("-a+b", "(Add (Negate a) b)");
        check("~(a<>b)", "(Not (NotEqual a b))");
        check("a!b", "(OrNot a b)");
    }

    #[test]
    fn numbers_and_labels() {
        check("0x10+010+0b11+9", "36");
        check("1b-0b", "(Subtract 1Backward 0Backward)");
        check("12f - .", "(Subtract 12Forward .)");
        check("'a+'\\n'", "107");
        check("-1 >> 60", "15");
        check("0xffffffffffffffff", "-1");
        check("1u+2UL+3ull+0x4l+0b1L", "11");
        check("5lu", "`5lu` is not a number");
        check("0u", "`0u` is not a number");
        check("5luu", "`5luu` is not a number");
        check("foo@GOTPCREL+4", "(Add foo@Gotpcrel 4)");
        check("\"a b\"+1", "(Add a b 1)");
    }

    #[test]
    fn errors_say_what_is_expected() {
        check("1+", "expected a number, a symbol or `(` here");
        check("(1", "expected `)` here");
        check("0x", "`0x` is not a number");
        check("08", "`08` is not a number");
        check("1 2", "`2` does not belong here");
        check(
            "%eax+1",
            "the register `%eax` cannot stand in an expression",
        );
        check("a@foo", "`@foo` is not a relocation that is supported");
        check(
            "0x10000000000000000",
            "a number of more than 64 bits has no place here",
        );
        let deep = format!("{}1{}", "(".repeat(1000), ")".repeat(1000));
        check(&deep, "this expression is nested more than 200 levels deep");
        check(
            &vec!["a"; 1000].join("+"),
            "this expression has too many terms",
        );
        check(
            &"-".repeat(1000),
            "this expression is nested more than 200 levels deep",
        );
    }
}
