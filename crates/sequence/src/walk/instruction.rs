//! Instructions: prefixes, mnemonic, operands.

use std::sync::Arc;

use super::{At, Walker, WithHelp, lower};
use crate::scanner::{Scanner, problem, starts_name};
use crate::{Instruction, Prefix, Problem, PseudoPrefix, StatementKind, Syntax};

impl Walker<'_> {
    /// Takes one instruction. `offset` is where `text` starts in the raw statement.
    pub(super) fn instruction(&mut self, text: &str, at: &At<'_>, offset: usize) {
        if self.syntax == Syntax::Att
            && !self.bare
            && self.sink.instruction_text(text, at.origin(offset))
        {
            return;
        }
        let mut scanner = Scanner::new(text, 0);
        scanner.is_operand = true;
        if !self.equates.is_empty() {
            scanner.equates = Some(Arc::clone(&self.equates));
        }
        scanner.bare = self.bare;
        let mut prefixes = Vec::new();
        let mut pseudo = Vec::new();
        let word = match head(&mut scanner, &mut prefixes, &mut pseudo) {
            Ok(word) => word,
            Err(problem) => {
                self.report(problem, at, offset);
                return;
            }
        };
        keep_last(&mut pseudo);
        let mut mnemonic = lower(word);
        if mnemonic.contains('-') {
            mnemonic = mnemonic.replace('-', "").into();
        }
        let mut operands = std::mem::take(&mut self.operands);
        let result = match self.syntax {
            Syntax::Att => crate::att::operands(&mut scanner, self.sink, &mut operands),
            Syntax::Intel => crate::intel::operands(
                &mut scanner,
                &mnemonic,
                self.marked,
                self.sink,
                &mut operands,
            ),
        };
        if let Err(problem) = result {
            operands.clear();
            self.operands = operands;
            self.report(problem, at, offset);
            return;
        }
        let instruction = Instruction {
            syntax: self.syntax,
            prefixes,
            pseudo,
            mnemonic: &mnemonic,
            operands,
        };
        self.emit(StatementKind::Instruction(instruction), text, at, offset);
    }
}

/// Of two choices of one kind the last counts.
fn keep_last(pseudo: &mut Vec<PseudoPrefix>) {
    let kind = |pseudo: &PseudoPrefix| match pseudo {
        PseudoPrefix::Disp8 | PseudoPrefix::Disp16 | PseudoPrefix::Disp32 => 0,
        PseudoPrefix::Load | PseudoPrefix::Store => 1,
        PseudoPrefix::Vex | PseudoPrefix::Vex2 | PseudoPrefix::Vex3 | PseudoPrefix::Evex => 2,
        PseudoPrefix::Rex | PseudoPrefix::Rex2 => 3,
        PseudoPrefix::Nooptimize | PseudoPrefix::Swap => 4,
    };
    let mut at = 0;
    while at < pseudo.len() {
        if pseudo[at + 1..]
            .iter()
            .any(|later| kind(later) == kind(&pseudo[at]))
        {
            pseudo.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Reads prefixes up to the mnemonic, which is empty where prefixes stand alone.
fn head<'t>(
    scanner: &mut Scanner<'t>,
    prefixes: &mut Vec<Prefix>,
    pseudo: &mut Vec<PseudoPrefix>,
) -> Result<&'t str, Problem> {
    loop {
        scanner.skip_space();
        let start = scanner.at;
        if scanner.peek() == b'{' {
            scanner.at += 1;
            let (word, at) = crate::att::braced(scanner)?;
            let has_blanks = word.len() + 2 != scanner.at - start;
            if has_blanks || !matches!(scanner.peek(), 0 | b' ' | b'\t') {
                return Err(problem(
                    start,
                    scanner.at - start,
                    "a choice of encoding has no blanks inside and one behind it",
                )
                .with_help("write `{disp32} jmp foo`"));
            }
            pseudo.push(pseudo_prefix(word).ok_or_else(|| {
                problem(at, word.len(), format!("there is no prefix `{{{word}}}`")).with_help(
                    "{disp8} {disp32} {load} {store} {vex} {vex2} {vex3} {evex} {rex} {rex2} \
                     {nooptimize} are",
                )
            })?);
            continue;
        }
        if scanner.at_end() {
            if prefixes.is_empty() {
                return Err(scanner.expected(start, "an instruction"));
            }
            return Ok("");
        }
        if !starts_name(scanner.peek()) {
            return Err(scanner.expected(start, "an instruction, a directive or a label"));
        }
        scanner.word();
        // PadLock's instructions have a hyphen in their names.
        let is_padlock = matches!(
            &*lower(&scanner.text[start..scanner.at]),
            "xcrypt" | "xstore"
        );
        if is_padlock && scanner.peek() == b'-' {
            scanner.at += 1;
            scanner.word();
        }
        let word = &scanner.text[start..scanner.at];
        let may_be_prefix =
            scanner.at_end() || starts_name(scanner.peek()) || scanner.peek() == b'{';
        scanner.at = start + word.len();
        // An instruction, a brace or nothing follows a prefix; most words have operands instead.
        if may_be_prefix && let Some(found) = prefix(&lower(word)) {
            // `wait` before nothing is an instruction of its own.
            let alone = scanner.at_end();
            if found != Prefix::Fwait || !alone {
                prefixes.push(found);
                continue;
            }
            return Ok(word);
        }
        if scanner.peek() == b',' {
            let rest = scanner.rest().as_bytes();
            let hint = rest.get(1..3).map(<[u8]>::to_ascii_lowercase);
            // A hint of the branch predictor is a segment prefix: ds for taken, cs for not.
            let segment = match hint.as_deref() {
                Some(b"pt") => Some(3),
                Some(b"pn") => Some(1),
                _ => None,
            };
            if let Some(segment) = segment {
                prefixes.push(Prefix::Segment(segment));
                scanner.at += 3;
            }
        }
        let next = scanner.peek();
        if !matches!(next, 0 | b' ' | b'\t' | b'{' | b'*' | b'$' | b'(' | b'[') {
            return Err(problem(
                start,
                word.len(),
                format!("`{word}` is followed by `{}`", scanner.shown()),
            )
            .with_help("a blank separates an instruction from its operands"));
        }
        return Ok(word);
    }
}

fn prefix(word: &str) -> Option<Prefix> {
    Some(match word {
        "lock" => Prefix::Lock,
        "rep" | "repe" | "repz" => Prefix::Rep,
        "repne" | "repnz" => Prefix::Repne,
        "notrack" => Prefix::Notrack,
        "bnd" => Prefix::Bnd,
        "xacquire" => Prefix::Xacquire,
        "xrelease" => Prefix::Xrelease,
        "data16" => Prefix::Data16,
        "data32" => Prefix::Data32,
        "addr16" => Prefix::Addr16,
        "addr32" => Prefix::Addr32,
        // GNU as's further names; a hint of the branch predictor is a segment prefix.
        "word" => Prefix::Data16,
        "adword" => Prefix::Addr32,
        "ht" => Prefix::Segment(3),
        "hnt" => Prefix::Segment(1),
        "es" => Prefix::Segment(0),
        "cs" => Prefix::Segment(1),
        "ss" => Prefix::Segment(2),
        "ds" => Prefix::Segment(3),
        "fs" => Prefix::Segment(4),
        "gs" => Prefix::Segment(5),
        "fwait" | "wait" => Prefix::Fwait,
        _ => return word.strip_prefix("rex").and_then(rex).map(Prefix::Rex),
    })
}

/// The four bits of `rex` from what follows that word: `.wrxb` letters in order, or GNU as's older
/// names, in which x, y and z stand for R, X and B.
fn rex(rest: &str) -> Option<u8> {
    let (mut left, letters): (&str, &[(char, u8)]) = match rest.strip_prefix('.') {
        Some(left) if !left.is_empty() => (left, &[('w', 8), ('r', 4), ('x', 2), ('b', 1)]),
        Some(_) => return None,
        None => (rest, &[('x', 4), ('y', 2), ('z', 1)]),
    };
    let mut bits = if rest.starts_with('.') { 0x10 } else { 0 };
    if let Some(wide) = left.strip_prefix("64") {
        bits = 8;
        left = wide;
    }
    for &(letter, bit) in letters {
        if let Some(next) = left.strip_prefix(letter) {
            bits |= bit;
            left = next;
        }
    }
    left.is_empty().then_some(bits)
}

fn pseudo_prefix(word: &str) -> Option<PseudoPrefix> {
    Some(match word.to_ascii_lowercase().as_str() {
        "disp8" => PseudoPrefix::Disp8,
        "disp16" => PseudoPrefix::Disp16,
        "disp32" => PseudoPrefix::Disp32,
        "load" => PseudoPrefix::Load,
        "store" => PseudoPrefix::Store,
        "vex" => PseudoPrefix::Vex,
        "vex2" => PseudoPrefix::Vex2,
        "vex3" => PseudoPrefix::Vex3,
        "evex" => PseudoPrefix::Evex,
        "rex" => PseudoPrefix::Rex,
        "rex2" => PseudoPrefix::Rex2,
        "nooptimize" => PseudoPrefix::Nooptimize,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        assert_eq!(prefix("rex.wb"), Some(Prefix::Rex(0x19)));
        assert_eq!(prefix("rex64"), Some(Prefix::Rex(8)));
        assert_eq!(prefix("rex64xyz"), Some(Prefix::Rex(15)));
        assert_eq!(prefix("rexz"), Some(Prefix::Rex(1)));
        assert_eq!(prefix("rex"), Some(Prefix::Rex(0)));
        assert_eq!(prefix("rex.bw"), None);
        assert_eq!(prefix("rexfoo"), None);
        assert_eq!(prefix("gs"), Some(Prefix::Segment(5)));
    }
}
