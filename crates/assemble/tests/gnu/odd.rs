//! Small programs of what is seldom seen: both make the same object of each, or both refuse it.

use crate::elf::difference;
use crate::reference::{ours, theirs};

#[test]
fn programs() {
    let mut wrong = Vec::new();
    for text in include_str!("../lines/odd_programs.txt").split("\n----\n") {
        let text = format!("{}\n", text.trim_end());
        let found = match (ours(&text), theirs(&text)) {
            (Ok(code), Ok(theirs)) => difference(&code.object("/").expect("an object"), &theirs),
            (Err(_), Err(_)) => None,
            (Ok(_), Err(messages)) => Some(format!("refused by GNU as alone: {messages}")),
            (Err(errors), Ok(_)) => Some(format!("refused here alone: {errors:?}")),
        };
        if let Some(found) = found {
            wrong.push(format!("{text}{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
