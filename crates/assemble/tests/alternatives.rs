//! The kernel's ALTERNATIVE: where the new code stands, all that follows is where it is beside the old code.

use assemble::{Code, assemble};
use sequence::{MemoryReader, Options, Sequence};

fn code(text: &str) -> Code {
    let read = Sequence::read(
        "a.S",
        text,
        &mut MemoryReader::default(),
        &Options::default(),
    );
    let sequence = read.unwrap_or_else(|errors| panic!("{text}: {errors:#?}"));
    let mut program = sequence.program(0, &sequence.default_params());
    let assembled = assemble(&mut program, &mut MemoryReader::default());
    assembled
        .unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
        .code
}

/// Bytes of `.text` with and without the features that a text names.
fn both(text: &str) -> [Vec<u8>; 2] {
    let on = format!("#: feature X86_FEATURE_A X86_FEATURE_B\n{text}");
    [text, &on].map(|text| {
        let code = code(text);
        code.section(".text").expect(".text").1.bytes.clone()
    })
}

/// Old code that jumps, with what it jumps over, and how long it is in its place.
const JUMPS: [(&str, &str, usize); 7] = [
    ("jmp 1f", "mov %eax, %ebx", 2),
    ("jne 1f", "mov %eax, %ebx", 2),
    ("jmp 1f", ".skip 200", 5),
    ("jne 1f", ".skip 200", 6),
    ("jmp elsewhere", "nop", 5),
    (
        "jmp .Lthere",
        "nop; .section .text.cold; .Lthere:; .text",
        5,
    ),
    ("nop; jmp 1f; nop", "mov %eax, %ebx", 4),
];

#[test]
fn the_place_is_as_long_as_the_old_code_is_there() {
    for (old, over, length) in JUMPS {
        for word in [
            format!("ALTERNATIVE \"{old}\", \"\", X86_FEATURE_A"),
            format!("ALTERNATIVE_2 \"{old}\", \"\", X86_FEATURE_C, \"\", X86_FEATURE_B"),
            format!(
                "ALTERNATIVE_3 \"{old}\", \"\", X86_FEATURE_C, \"\", X86_FEATURE_B, \"\", X86_FEATURE_D"
            ),
        ] {
            let text = format!("\tnop\n\t{word}\n\t{over}\n1:\tret\n");
            let [off, on] = both(&text);
            assert_eq!(off.len(), on.len(), "{text}{off:02x?}\n{on:02x?}");
            let rest = 1 + length;
            assert_eq!(off[rest..], on[rest..], "{text}{off:02x?}\n{on:02x?}");
        }
    }
}

/// What jumps out of the new code is as long as among the replacements, where nothing is near; the kernel writes
/// `jmp` shorter where it reaches, and fills the rest. What stays within is short.
#[test]
fn new_code_is_as_long_as_among_the_replacements() {
    for (new, expected) in [
        ("jmp 1b", &[0xeb, 0xfe, 0xcc, 0xcc, 0xcc][..]),
        ("jne 1b", &[0x0f, 0x85, 0xfa, 0xff, 0xff, 0xff]),
        ("jmp 2f; 2: nop", &[0xeb, 0x00, 0x90]),
        ("nop; jmp elsewhere", &[0x90, 0xe9, 0, 0, 0, 0]),
        ("jmp 3f", &[0xeb, 0x04, 0xcc, 0xcc, 0xcc]),
        ("jmp 4f", &[0xe9, 0xc9, 0, 0, 0]),
    ] {
        for word in [
            format!("ALTERNATIVE \"nop\", \"{new}\", X86_FEATURE_A"),
            format!("ALTERNATIVE_2 \"nop\", \"\", X86_FEATURE_A, \"{new}\", X86_FEATURE_B"),
        ] {
            let text = format!("1:\t{word}\n\tret\n3:\t.skip 200\n4:\n");
            let [off, on] = both(&text);
            assert_eq!(off.len(), on.len(), "{text}{off:02x?}\n{on:02x?}");
            assert_eq!(on[..expected.len()], *expected, "{text}");
            assert_eq!(on[expected.len()], 0xc3, "{text}{on:02x?}");
        }
    }
}
