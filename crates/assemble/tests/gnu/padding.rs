//! NOPs: every padding of 1 to 200 bytes, and what changes them.

use std::fmt::Write;

use crate::reference::check;

#[test]
fn every_padding() {
    let mut text = String::new();
    for padding in 1..=200 {
        let _ = writeln!(
            text,
            ".balign 256\n.skip {}, 0xcc\n.balign 256",
            256 - padding
        );
    }
    check(&text);
}

#[test]
fn fill_values_and_most_bytes() {
    for directive in [
        ".balign 64, 0x90",
        ".balign 64, 0xcc",
        ".balign 64,, 40",
        ".balign 64, 0xcc, 63",
        ".p2align 4,, 10",
        ".p2align 4,, 14",
        ".p2align 5",
        ".align 32",
        ".balignw 8, 0x1234",
        ".balignl 16, 0x12345678",
        ".balign 1",
        ".balign 32,, 0",
    ] {
        for before in [1, 2, 4, 17, 33, 63, 64] {
            let start = if directive.contains("gnw") || directive.contains("gnl") {
                before & !3
            } else {
                before
            };
            check(&format!(".skip {start}, 0xcc\n{directive}\nret\n"));
            check(&format!(
                ".data\n.skip {}, 0xcc\n{directive}\n.byte 1\n",
                before & !3
            ));
        }
    }
}

#[test]
fn nops_directive() {
    let mut text = String::new();
    for longest in 0..=11 {
        for size in [0, 1, 5, 11, 12, 30, 87, 88, 100, 129, 130, 131, 200, 300] {
            let _ = writeln!(text, ".nops {size}, {longest}");
        }
    }
    check(&text);
}
