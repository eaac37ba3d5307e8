//! Where in its line code is placed, when layouts are swept.
//!
//! Moving code by a byte can be worth more than what is compared: a branch gets to the end of a
//! fetch block, a loop into one line more. A sweep places everything in turn at offsets that are
//! spread over a line, the same one for all cases of a worker, so that variants are compared at
//! equal offsets. Each worker's first line in its page is drawn anew in any case.

use crate::api::Case;

/// Bytes of a cache line.
pub(crate) const LINE: u32 = 64;

/// The offset of one of so many layouts, which are spread evenly over a line.
pub(crate) fn offset(turn: u32, layouts: u32) -> u32 {
    let layouts = layouts.clamp(1, LINE);
    (turn % layouts) * LINE / layouts
}

/// The case, placed this many bytes further into its line; code that aligns parts of itself by no
/// more than whole alignments, since the assembler would have padded it for these too.
pub(crate) fn moved(case: &Case, by: u32) -> Case {
    Case {
        offset: case.offset + by / step(case) * step(case),
        ..case.clone()
    }
}

/// How many of so many layouts differ for a case: fewer than all where its code aligns itself, one
/// where it aligns itself to a line.
#[must_use]
pub fn distinct_layouts(case: &Case, layouts: u32) -> u32 {
    let mut offsets: Vec<u32> = (0..layouts.clamp(1, LINE))
        .map(|turn| moved(case, offset(turn, layouts)).offset)
        .collect();
    offsets.sort_unstable();
    offsets.dedup();
    u32::try_from(offsets.len()).unwrap_or(u32::MAX)
}

/// The alignment that a case's own code asks for.
fn step(case: &Case) -> u32 {
    let text = case.code.section(".text");
    let align = text.map_or(1, |(_, section)| section.align);
    u32::try_from(align).unwrap_or(LINE).clamp(1, LINE)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assemble::{Code, Section};

    use super::*;
    use crate::api::{Context, Entry};

    fn case(offset: u32, align: u64) -> Case {
        Case {
            name: "a".to_owned(),
            code: Arc::new(Code {
                sections: vec![Section {
                    name: ".text".to_owned(),
                    flags: 6,
                    kind: 1,
                    align,
                    bytes: vec![0xc3],
                    size: 1,
                    entry_size: 0,
                    relocation_order: Vec::new(),
                    link: None,
                    relocations: Vec::new(),
                }],
                ..Code::default()
            }),
            entry: Entry::Call(None),
            contexts: vec![Context::Chained],
            unroll: None,
            align: 64,
            offset,
            needs: Vec::new(),
            ring0: false,
            randoms: Vec::new(),
            syscalls: Vec::new(),
            filter: None,
        }
    }

    #[test]
    fn layouts_are_spread_over_a_line() {
        let offsets =
            |layouts| -> Vec<u32> { (0..layouts).map(|turn| offset(turn, layouts)).collect() };
        assert_eq!(offsets(1), [0]);
        assert_eq!(offsets(4), [0, 16, 32, 48]);
        assert_eq!(offsets(3), [0, 21, 42]);
        assert_eq!(offset(5, 4), 16, "the turns come round");
        assert_eq!(offsets(64).last(), Some(&63));
    }

    #[test]
    fn code_that_aligns_itself_is_moved_by_whole_alignments() {
        assert_eq!(moved(&case(5, 1), 24).offset, 29);
        assert_eq!(moved(&case(0, 16), 24).offset, 16);
        assert_eq!(moved(&case(5, 64), 48).offset, 5);
        assert_eq!(distinct_layouts(&case(0, 1), 8), 8);
        assert_eq!(distinct_layouts(&case(0, 32), 8), 2);
        assert_eq!(distinct_layouts(&case(0, 128), 8), 1);
    }
}
