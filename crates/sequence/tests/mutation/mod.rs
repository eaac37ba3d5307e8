//! Damage to texts, the same for the same seed: cut, doubled, exchanged, and with what readers look
//! for put in at random.

/// A sequence that is the same in every run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % count as u64).unwrap_or(0)
    }
}

/// What readers look for.
const WORDS: [&str; 76] = [
    "\n",
    "\n\n",
    ";",
    "\"",
    "'",
    "\\",
    "\\\n",
    "/*",
    "*/",
    "//",
    "#",
    "##",
    "#:",
    "\n#: ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{%k1}",
    "{z}",
    "{1to8}",
    "{rn-sae}",
    ",",
    ":",
    "=",
    "==",
    "$",
    "%",
    "*",
    "@",
    "<",
    ">",
    "!",
    "&",
    "\\@",
    "\\()",
    "\\a",
    "1:",
    "1b",
    "1f",
    ".",
    ".-.",
    "%rax",
    "(%rax,%rbx,8)",
    "%ah",
    "%r8b",
    "lock ",
    "rep ",
    "data16 ",
    "{disp32} ",
    "{evex} ",
    "\n.macro m a b:vararg\n",
    "\n.endm\n",
    "\n.rept 3\n",
    "\n.irp x,1,2\n",
    "\n.endr\n",
    "\n.if 1\n",
    "\n.else\n",
    "\n.endif\n",
    "\n.section .a,\"ax\"\n",
    "\n.popsection\n",
    "\n.org 8\n",
    "\n.balign 16\n",
    "\n.set x, .\n",
    "\n.altmacro\n",
    "\n.intel_syntax noprefix\n",
    "\n#define F(x,y...) #x y##1\n",
    "\n#if 1\n",
    "\n#endif\n",
    "\u{e9}",
    "\u{1f980}",
    "\r",
    "\t",
    "\u{7f}",
];

/// Numbers at borders.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "3",
    "127",
    "128",
    "255",
    "256",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0x7fffffffffffffff",
    "0xffffffffffffffff",
    "0x10000000000000000",
    "1000000000",
    "077",
];

fn boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A stretch of a text, mostly a short one.
fn stretch(text: &str, random: &mut Random) -> std::ops::Range<usize> {
    let from = boundary(text, random.below(text.len() + 1));
    let longest = if random.below(4) == 0 { 200 } else { 12 };
    from..boundary(text, from + random.below(longest)).max(from)
}

/// Damages `text` in one to six places; `others` is what stretches are borrowed from.
pub(crate) fn mutate(text: &mut String, others: &[&str], random: &mut Random) {
    for _ in 0..=random.below(6) {
        let range = stretch(text, random);
        match random.below(8) {
            0 => text.replace_range(range, ""),
            1 => {
                let doubled = text[range.clone()].repeat(1 + random.below(3));
                text.insert_str(range.end, &doubled);
            }
            2 => {
                let other = others[random.below(others.len())];
                let borrowed = &other[stretch(other, random)];
                text.replace_range(range, borrowed);
            }
            3 => {
                // The number that comes next.
                let digits = text[range.start..].find(|c: char| c.is_ascii_digit());
                if let Some(begin) = digits.map(|digits| range.start + digits) {
                    let length = text[begin..]
                        .find(|c: char| !c.is_ascii_alphanumeric())
                        .unwrap_or(text.len() - begin);
                    let number = NUMBERS[random.below(NUMBERS.len())];
                    text.replace_range(begin..begin + length, number);
                }
            }
            4 if random.below(8) == 0 => text.truncate(range.start),
            _ => text.insert_str(range.start, WORDS[random.below(WORDS.len())]),
        }
        if text.is_empty() {
            text.push('a');
        }
    }
}
