//! Sections and their flags.

use crate::expr_parse::expression;
use crate::scanner::{Helped, Scanner, problem};
use crate::{Problem, SectionFlags, SectionRef};

pub(super) fn section(scanner: &mut Scanner<'_>, pushed: bool) -> Result<SectionRef, Problem> {
    scanner.skip_space();
    let name = if scanner.peek() == b'"' {
        scanner.symbol()?
    } else {
        let start = scanner.at;
        while !matches!(scanner.peek(), 0 | b',' | b';' | b' ' | b'\t' | b'\r') {
            scanner.at += 1;
        }
        if scanner.at == start {
            return Err(scanner.expected(start, "a section's name"));
        }
        let name = &scanner.text[start..scanner.at];
        // GNU as reads the number of a character there.
        if name.contains('\'') {
            return Err(problem(start, name.len(), "a `'` in a section's name")
                .help("write the name in double quotes, or without any"));
        }
        name
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
        scanner.skip_space();
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
