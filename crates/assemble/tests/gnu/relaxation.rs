//! Jumps at the edge of their reach, in all the company that may push them over it.

use std::fmt::Write;

use crate::reference::check;

#[test]
fn forward_and_backward_at_the_edge() {
    for jump in ["jmp", "jne"] {
        for distance in 120..136 {
            check(&format!("{jump} 1f\n.skip {distance}\n1: ret\n"));
            check(&format!("1: ret\n.skip {distance}\n{jump} 1b\n"));
        }
    }
}

#[test]
fn jumps_that_push_each_other() {
    for distance in 110..132 {
        check(&format!(
            "jmp a\n jne b\n.skip {distance}\na: jmp c\nb: jne a\n.skip {distance}\nc: jmp b\n ret\n"
        ));
    }
}

#[test]
fn alignments_between() {
    for distance in 90..132 {
        check(&format!(
            "a: jmp c\n jne b\n.skip {distance}\n.balign 16\nb: jne a\n jmp c\n.skip 100\n.balign 32\n\
             c: jmp a\n"
        ));
        check(&format!(
            "a: jmp c\n.balign 32,,7\n jne b\n.skip {distance}\n.p2align 4,,10\nb: jne a\n\
             .skip 100\nc: jmp b\n"
        ));
    }
}

/// A linear congruential generator: the same programs on every run.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn random_programs() {
    let mut state = 1;
    for _ in 0..60 {
        let mut text = String::new();
        for label in 0..60 {
            let _ = writeln!(text, "l{label}:");
            match next(&mut state) % 6 {
                0 => {
                    let _ = writeln!(text, ".balign {}", 1 << (next(&mut state) % 7));
                }
                1 => {
                    let _ = writeln!(text, ".skip {}", next(&mut state) % 100);
                }
                2 => {
                    let _ = writeln!(text, ".p2align 4,,{}", next(&mut state) % 16);
                }
                _ => {
                    let _ = writeln!(text, "add $1, %eax\n.skip {}, 0x90", next(&mut state) % 40);
                }
            }
            let jump = ["jmp", "jne", "jb", "call"][(next(&mut state) % 4) as usize];
            let near = (label + next(&mut state) % 16).saturating_sub(8).min(59);
            let _ = writeln!(text, "{jump} l{near}");
        }
        check(&text);
    }
}

#[test]
fn skips_that_depend_on_labels() {
    check(
        ".balign 64\n.skip 32 - (.Lret1 - 1f), 0xcc\n1: call 2f\n jmp 1b\n.Lret1: ret\n.balign 64\n\
         .skip 32 - 18, 0xcc\n2: mov $5, %eax\n3: jmp 4f\n nop\n4: sub $1, %eax\n jnz 3b\n\
         sub $1, %ecx\n jnz 1b\n.Lret2: ret\n5:\n",
    );
    check("a: jmp b\n.skip 7\nb: ret\n.skip (b - a) * 2, 0xcc\n.org a + 100\n jmp a\n");
    check(".skip 2f - 1f\n1: jmp 3f\n.skip 100\n2:\n.skip 30\n3: ret\n");
    check("1: jmp 2f\n.org 1b + 64, 0x90\n2: ret\n.org 200\n");
}

#[test]
fn jumps_that_the_linker_decides() {
    check(
        ".globl g\n.weak w\n jmp g\n jmp w\n jmp u\n jne l\n call g\n call l\n call u\ng: ret\nw: ret\n\
         l: ret\n.section .text.other,\"ax\"\n jmp g\n jmp l\n call l\n call g\n jne w\n",
    );
    check(
        "jmp 0x1234\n call 0x1234\n jne 5\n jmp a+3\na: nop\n nop\n nop\n nop\n call a+2\n jmp b-1\n",
    );
}
