//! The kernel's words that are macros of the assembler.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::arguments::Reading;
use super::macros::{Formal, Macro, heading};
use super::scrub::scrub;
use crate::lines::{BUILTIN, Cursor, Mark};
use crate::prelude::MACROS as TEXT;

/// Read once a process, and only where a file has a word that might be one.
static MACROS: LazyLock<HashMap<String, Arc<Macro>>> = LazyLock::new(read);

/// Words for objtool, which have no bytes.
static NOTHING: LazyLock<Arc<Macro>> = LazyLock::new(|| {
    Arc::new(Macro {
        name: "ANNOTATE".to_owned(),
        formals: vec![Formal {
            name: "operands".to_owned(),
            default: String::new(),
            required: false,
            vararg: true,
        }],
        body: Arc::from(""),
        marks: Arc::from([]),
    })
});

/// The built-in macro of this name, which is in lower case.
pub(super) fn find(name: &str) -> Option<Arc<Macro>> {
    // The words are long or hold a `_`, and no instruction does: most lines stop here.
    if !name.contains('_') && !name.starts_with("alternative") {
        return None;
    }
    if name.starts_with("annotate_") || name.starts_with("unwind_hint_") {
        return Some(Arc::clone(&NOTHING));
    }
    MACROS.get(name).cloned()
}

/// Whether a macro is one of the words for objtool, whose operands mean nothing here.
pub(super) fn is_nothing(found: &Arc<Macro>) -> bool {
    found.body.is_empty() && Arc::ptr_eq(found, &NOTHING)
}

fn read() -> HashMap<String, Arc<Macro>> {
    let mut macros = HashMap::new();
    let mut cursor = Cursor::new(TEXT);
    let mut open: Option<(usize, String, Vec<Formal>)> = None;
    while let Ok(Some(raw)) = cursor.next() {
        if let Some(head) = raw.text.strip_prefix(".macro ") {
            let mut evaluate = |_: &str| Ok((0, 0));
            let mut reading = Reading {
                alternate: false,
                evaluate: &mut evaluate,
            };
            open = heading(&scrub(head), &mut reading)
                .ok()
                .map(|(name, formals)| (cursor.at, name, formals));
        } else if raw.text == ".endm"
            && let Some((begin, name, formals)) = open.take()
        {
            let defined = Macro {
                body: Arc::from(scrub(&TEXT[begin..raw.start])),
                formals,
                marks: Arc::from([Mark {
                    index: 0,
                    file: BUILTIN,
                    line: 0,
                }]),
                name,
            };
            macros.insert(defined.name.to_ascii_lowercase(), Arc::new(defined));
        }
    }
    macros
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each `.macro` of the text must be read, with its arguments.
    #[test]
    fn all_are_read() {
        assert_eq!(MACROS.len(), TEXT.matches("\n.macro ").count());
        for name in MACROS.keys() {
            assert!(find(name).is_some(), "{name}");
        }
        assert_eq!(
            find("push_and_clear_regs").map(|found| found.formals.len()),
            Some(6)
        );
        assert!(find("annotate_noendbr").is_some());
        assert!(find("push_regz").is_none());
    }
}
