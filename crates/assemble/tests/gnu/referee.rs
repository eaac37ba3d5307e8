//! The comparison itself: it must fail on a single changed byte, or all of these tests say nothing.

use std::collections::BTreeSet;

use crate::reference::{
    bytes_by_line, compare, our_bytes_by_line, ours, sections_of_object, theirs,
};

/// Instructions, data, padding, fields for the linker.
const TEXT: &str = "f: mov $5, %ecx\n1: vaddps (%rax){1to8}, %ymm1, %ymm2\n jne 1b\n call g\n\
    .p2align 5\n lea d(%rip), %rax\n ret\n.data\nd: .quad f, 7\n.asciz \"text\"\n.bss\n.skip 9\n";

#[test]
fn one_changed_byte_is_seen_wherever_it_is() {
    let code = ours(TEXT).expect("it assembles");
    let object = theirs(TEXT).expect("GNU as takes it");
    let sections = sections_of_object(&object);
    assert_eq!(compare(&code, &sections), Ok(()));
    let mut changed = 0;
    for (name, contents) in &sections {
        for at in 0..contents.bytes.len() {
            for bit in [0, 7] {
                let mut other = sections.clone();
                other.get_mut(name).expect("the same sections").bytes[at] ^= 1 << bit;
                let said = compare(&code, &other).expect_err("a changed bit");
                assert!(
                    said.starts_with(&format!("{name} differs at {at:#x}")),
                    "{said}"
                );
                changed += 1;
            }
        }
    }
    assert!(changed > 120, "only {changed} bits were tried");
}

#[test]
fn what_is_no_byte_is_seen_too() {
    let code = ours(TEXT).expect("it assembles");
    let sections = sections_of_object(&theirs(TEXT).expect("GNU as takes it"));
    let names: Vec<String> = sections.keys().cloned().collect();
    assert_eq!(names, [".bss", ".data", ".text"]);
    for name in names {
        let mut fewer = sections.clone();
        let removed = fewer.remove(&name).expect("it is there");
        assert!(compare(&code, &fewer).is_err(), "{name} taken away");
        let mut longer = fewer.clone();
        let mut contents = removed.clone();
        contents.size += 1;
        longer.insert(name.clone(), contents);
        assert!(compare(&code, &longer).is_err(), "{name} longer");
        for index in 0..removed.relocations.len() {
            for change in 0..4 {
                let mut contents = removed.clone();
                let relocation = &mut contents.relocations[index];
                match change {
                    0 => relocation.0 += 1,
                    1 => relocation.1 += 1,
                    2 => relocation.2.push('x'),
                    _ => relocation.3 += 1,
                }
                let mut other = fewer.clone();
                other.insert(name.clone(), contents);
                assert!(compare(&code, &other).is_err(), "{name} {index} {change}");
            }
        }
    }
}

/// The comparison by lines: bytes of one line never count for the next, and a line that one side
/// refuses is no bytes rather than none.
#[test]
fn lines_are_told_apart() {
    let lines = [
        "mov $5, %ecx",
        "mov %ah, %r8b",
        "nop",
        ".skip 0",
        "xchg %rax, %rax",
    ];
    let lines = lines.map(str::to_owned);
    let theirs = bytes_by_line(&lines, "");
    let expected = [
        Some(vec![0xb9, 5, 0, 0, 0]),
        None,
        Some(vec![0x90]),
        Some(vec![]),
        Some(vec![0x90]),
    ];
    assert_eq!(theirs, expected);
    assert_eq!(our_bytes_by_line(&lines, ""), expected);
    let distinct: BTreeSet<_> = theirs.iter().collect();
    assert_eq!(distinct.len(), 4);
}
