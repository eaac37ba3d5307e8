//! Padding and room.

use super::{after_comma, known};
use crate::expr_parse::expression;
use crate::scanner::{Helped, Scanner, problem};
use crate::{Align, Expr, Problem, Sink, StatementKind};

/// `.dcb.w COUNT, VALUE`, and `.ds.w`, which is another name for it.
pub(super) fn repeated<'t>(
    scanner: &mut Scanner<'_>,
    width: i64,
) -> Result<StatementKind<'t>, Problem> {
    let count = expression(scanner)?;
    let value = after_comma(scanner)?.unwrap_or(Expr::Number(0));
    Ok(StatementKind::Fill(count, Expr::Number(width), value))
}

pub(super) fn align<'t>(
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
    // `.align 4,` fills with 0, and `.align 4,,2` does not.
    let has_comma = scanner.eat_ahead(b',');
    let fill = after_comma(scanner)?;
    scanner.skip_space();
    let fill = match fill {
        None if has_comma && scanner.at_end() => Some(Expr::Number(0)),
        fill => fill,
    };
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
