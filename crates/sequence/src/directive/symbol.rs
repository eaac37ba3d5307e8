//! What symbols are.

use crate::scanner::{Helped, Scanner};
use crate::{Problem, StatementKind};

/// `.type foo, @function`, in any of the four ways GNU as takes it.
pub(super) fn kind_of_symbol<'t>(scanner: &mut Scanner<'t>) -> Result<StatementKind<'t>, Problem> {
    let symbol = scanner.symbol()?;
    scanner.eat(b',');
    scanner.skip_space();
    if matches!(scanner.peek(), b'@' | b'%' | b'#') {
        scanner.at += 1;
        scanner.skip_space();
    }
    let start = scanner.at;
    let word = if scanner.peek() == b'"' {
        scanner.symbol()?
    } else {
        scanner.word()
    };
    let kind = match word {
        "function" | "STT_FUNC" | "2" => "function",
        "object" | "STT_OBJECT" | "1" => "object",
        "notype" | "STT_NOTYPE" | "0" => "notype",
        "tls_object" | "STT_TLS" | "6" => "tls_object",
        "common" | "STT_COMMON" => "common",
        "gnu_indirect_function" | "STT_GNU_IFUNC" | "10" => "gnu_indirect_function",
        "gnu_unique_object" => "gnu_unique_object",
        _ => {
            return Err(scanner
                .expected(start, "a symbol's type")
                .help("`@function`, `@object`, `@notype` and `@tls_object` are types"));
        }
    };
    Ok(StatementKind::Type(symbol, kind.to_owned()))
}
