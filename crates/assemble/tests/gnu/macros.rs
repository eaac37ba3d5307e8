//! Programs of macros, conditionals and repeats: the same bytes of .text from both, or refused by both.

use object::{Object as _, ObjectSection as _};

use crate::reference::{ours, theirs};

/// The bytes of .text by each side.
fn both(text: &str) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let code = ours(text).ok();
    let mine = code.map(|code| {
        let text = code.section(".text");
        text.map(|(_, section)| section.bytes.clone())
            .unwrap_or_default()
    });
    let object = theirs(text).ok();
    let theirs = object.map(|object| {
        let file = object::File::parse(&*object).expect("ELF");
        let section = file.section_by_name(".text").expect("there is always one");
        section.data().expect("its bytes").to_vec()
    });
    (mine, theirs)
}

/// Programs that `###` lines part.
fn check(programs: &str, least: usize) {
    let mut taken = 0;
    for text in programs.split("###\n").filter(|text| !text.is_empty()) {
        let (ours, theirs) = both(text);
        taken += usize::from(theirs.is_some());
        let shown = |bytes: &Option<Vec<u8>>| match bytes {
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None => "refused".to_owned(),
        };
        assert_eq!(
            ours,
            theirs,
            "here {}, GNU as {}:\n{text}",
            shown(&ours),
            shown(&theirs)
        );
    }
    assert!(taken >= least, "only {taken} were taken");
}

#[test]
fn written_by_hand() {
    check(include_str!("../lines/macros.txt"), 9);
}

#[test]
fn made_at_random() {
    check(include_str!("../lines/random_macros.txt"), 100);
}
