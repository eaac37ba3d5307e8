//! Operands in Intel syntax.

use crate::scanner::{Scanner, problem};
use crate::{Operand, Problem, Sink};

pub(crate) fn operands(
    scanner: &mut Scanner<'_>,
    _sink: &mut dyn Sink,
    _operands: &mut Vec<Operand>,
) -> Result<(), Problem> {
    if scanner.at_end() {
        return Ok(());
    }
    Err(problem(
        scanner.at,
        scanner.rest().len(),
        "operands in Intel syntax are not supported yet",
    ))
}
