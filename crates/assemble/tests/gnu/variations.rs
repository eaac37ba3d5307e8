//! The sample's lines with other registers and numbers: what one line has taught must hold for all
//! that are taken for its like, and for none that is not.

use crate::lines::check_lines;

/// How many lines are made.
const LINES: usize = 20_000;

/// Registers of one size, to be exchanged for each other.
const SETS: [[&str; 16]; 4] = [
    [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15",
    ],
    [
        "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
        "r12d", "r13d", "r14d", "r15d",
    ],
    [
        "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w",
        "r13w", "r14w", "r15w",
    ],
    [
        "al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b",
        "r13b", "r14b", "r15b",
    ],
];

/// Numbers at the borders of what fields hold.
const BORDERS: [i64; 24] = [
    0,
    1,
    2,
    3,
    4,
    15,
    16,
    127,
    128,
    255,
    256,
    0x7fff,
    0x8000,
    0xff7f,
    0xff80,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ff80,
    0xffff_ffff,
    -1,
    -128,
    -129,
];

/// A sequence that is the same in every run: a failure names its line, and comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % count
    }

    fn register(&mut self, name: &str) -> String {
        if let Some(set) = SETS.iter().find(|set| set.contains(&name)) {
            return set[self.below(16)].to_string();
        }
        match name.split_at_checked(3) {
            Some((kind @ ("xmm" | "ymm" | "zmm"), _)) => format!("{kind}{}", self.below(16)),
            _ => name.to_string(),
        }
    }

    fn number(&mut self) -> String {
        let value = match self.below(4) {
            0 => i64::try_from(self.below(600)).expect("small") - 300,
            _ => BORDERS[self.below(BORDERS.len())],
        };
        match self.below(2) {
            0 => value.to_string(),
            _ if value < 0 => format!("-{:#x}", -value),
            _ => format!("{value:#x}"),
        }
    }
}

/// The line with other registers, and other numbers where `$0x` or `0x` starts an operand.
fn vary(line: &str, random: &mut Random) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let word = |text: &str| {
            text.find(|letter: char| !letter.is_ascii_alphanumeric())
                .unwrap_or(text.len())
        };
        let starts_operand = matches!(out.chars().last(), Some(' ' | ',' | '$' | ':'));
        let digits = rest.trim_start_matches('-');
        let length = if first == '%' {
            let length = 1 + word(&rest[1..]);
            out.push('%');
            out.push_str(&random.register(&rest[1..length]));
            length
        } else if starts_operand && digits.starts_with("0x") {
            out.push_str(&random.number());
            rest.len() - digits.len() + word(digits)
        } else {
            out.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

#[test]
fn registers_and_numbers_exchanged() {
    let lines: Vec<&str> = include_str!("../lines/sample.s").lines().collect();
    let mut random = Random(1);
    let mut text = String::new();
    for _ in 0..LINES {
        let line = lines[random.below(lines.len())];
        // String instructions with other registers: `lib.rs` says what differs.
        if line.contains("%es:") || line.starts_with("xlat") || line.starts_with("rep") {
            continue;
        }
        text.push_str(&vary(line, &mut random));
        text.push('\n');
    }
    check_lines(&text);
}
