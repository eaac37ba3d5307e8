//! Where the bodies that are called lie: side by side in one region.
//!
//! Branch predictors hash addresses, and variants are alike and timed in turns. With a page or more
//! between them, wherever they lay in it, the variants of a `clear_bhb_loop` unlearnt each other: a
//! tenth to nine tenths of a variant's samples had one more misprediction a run, another share in
//! every process. Side by side, and called from one place ([`crate::harness::Sites`]), it is two to
//! five in a hundred. The order is another in every image, so that no variant has the same
//! neighbours twice.
//!
//! Which line of its page a body begins in decides more than half of what is left between two
//! workers (see `docs/estimator.md`). Left to chance, some lines come three times and others never,
//! and another run meets others; so each image puts its bodies into lines in which they have been
//! the least ([`Lines`]).

use assemble::{Code, ItemKind, SectionId};
use iced_x86::{Decoder, DecoderOptions, FlowControl};

use crate::api::{Case, Entry};
use crate::random::Stream;

use super::layout::{Layout, PAGE, Protection};
use super::sections::{Blocks, code_sections};

/// Bytes of a cache line.
const LINE: u64 = 64;
/// Lines of a page.
const LINES: usize = (PAGE / LINE) as usize;
/// Orders that are looked at for each image.
const TRIES: u32 = 8;
/// Cases that are looked at for the next place in an order. A bound, so that a thousand cases take
/// no longer than a thousand times one; and of so many there is always one that fits well.
const CANDIDATES: usize = 16;

/// In which lines of a page the bodies of one set of cases have begun, over all its images.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    /// For each case and line: how often, weighted, the case has lain in the line or near it.
    visits: Vec<[u32; LINES]>,
}

impl Lines {
    /// What it costs to put a case there.
    fn cost(&self, case: usize, line: usize) -> u32 {
        self.visits.get(case).map_or(0, |visits| visits[line])
    }

    /// Counts the case there. The lines on either side count for less: what one line does, the next
    /// often does too.
    fn visit(&mut self, case: usize, line: usize) {
        if self.visits.len() <= case {
            self.visits.resize(case + 1, [0; LINES]);
        }
        let visits = &mut self.visits[case];
        visits[line] += 4;
        for near in [line + 1, line + LINES - 1] {
            visits[near % LINES] += 2;
        }
        for near in [line + 2, line + LINES - 2] {
            visits[near % LINES] += 1;
        }
    }
}

/// An order of bodies: the starts from the first page on, the end, and the cost of all lines.
struct Order {
    starts: Vec<Option<u64>>,
    end: u64,
    cost: u64,
}

/// The start of each case's code; `None` for those whose code is copied into their harness.
pub(crate) fn place(
    cases: &[&Case],
    layout: &mut Layout,
    random: &mut Stream,
    lines: &mut Lines,
) -> Vec<Option<u64>> {
    let extents: Vec<(usize, u64, u64)> = cases
        .iter()
        .enumerate()
        .filter_map(|(index, case)| extent(case).map(|(align, bytes)| (index, align, bytes)))
        .collect();
    let widest = extents
        .iter()
        .fold(PAGE, |widest, (_, align, _)| widest.max(*align));
    let base = layout.next_aligned(widest);
    let Some(order) = (0..TRIES)
        .map(|_| order(cases.len(), &extents, random, lines))
        .min_by_key(|order| order.cost)
    else {
        return Vec::new();
    };
    if !extents.is_empty() {
        layout.region(order.end, Protection::ReadExecute);
    }
    for (case, start) in order.starts.iter().enumerate() {
        if let Some(start) = start {
            lines.visit(case, line_of(*start));
        }
    }
    order
        .starts
        .into_iter()
        .map(|start| start.map(|start| base + start))
        .collect()
}

/// From a random line on, the case that has been least in the next free one, and so on.
fn order(cases: usize, extents: &[(usize, u64, u64)], random: &mut Stream, lines: &Lines) -> Order {
    let mut left: Vec<&(usize, u64, u64)> = extents.iter().collect();
    random.shuffle(&mut left);
    let mut order = Order {
        starts: vec![None; cases],
        end: u64::from(random.below(LINES as u32)) * LINE,
        cost: 0,
    };
    loop {
        let next = left
            .iter()
            .take(CANDIDATES)
            .map(|(case, align, _)| {
                let start = order.end.next_multiple_of(*align);
                lines.cost(*case, line_of(start))
            })
            .enumerate()
            .min_by_key(|(_, cost)| *cost);
        let Some((next, cost)) = next else {
            return order;
        };
        let (case, align, bytes) = *left.swap_remove(next);
        let start = order.end.next_multiple_of(align);
        order.starts[case] = Some(start);
        order.end = start.saturating_add(bytes);
        order.cost += u64::from(cost);
    }
}

/// The line of its page.
fn line_of(start: u64) -> usize {
    (start % PAGE / LINE) as usize
}

/// The alignment of a case's first byte, and room for all its code from there on.
fn extent(case: &Case) -> Option<(u64, u64)> {
    // A case without a body is refused where it is placed.
    let blocks = Blocks::of(case).ok()?;
    let sections = &case.code.sections;
    let ids = code_sections(case, &blocks);
    let last = *ids.last()?;
    let mut ids = ids.into_iter();
    let (align, first) = if case.entry == Entry::Inline {
        (LINE, 0)
    } else {
        let text = &sections[ids.next()?.0 as usize];
        (text.align, u64::from(case.offset) + text.size)
    };
    let others = ids.map(|id| {
        let section = &sections[id.0 as usize];
        section.size.saturating_add(section.align)
    });
    // Code that goes on at its end shall meet a breakpoint there, and not a neighbour's body.
    let behind = u64::from(goes_on(&case.code, last));
    let bytes = others
        .fold(first, u64::saturating_add)
        .saturating_add(behind);
    (bytes > 0).then(|| (align.max(u64::from(case.align)).max(LINE), bytes))
}

/// Whether what runs to the end of a section goes on behind it.
fn goes_on(code: &Code, section: SectionId) -> bool {
    let items = code.items.iter().filter(|item| item.section == section);
    let Some(last) = items.max_by_key(|item| item.offset + item.length) else {
        return true;
    };
    let start = last.offset as usize;
    let bytes = &code.sections[section.0 as usize].bytes;
    let Some(bytes) = bytes.get(start..start + last.length as usize) else {
        return true;
    };
    let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
    let leaves = matches!(
        instruction.flow_control(),
        FlowControl::Return | FlowControl::UnconditionalBranch | FlowControl::IndirectBranch
    );
    last.kind != ItemKind::Instruction || !leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of three lines each, as those of `clear_bhb_loop` are.
    fn extents(cases: usize) -> Vec<(usize, u64, u64)> {
        (0..cases).map(|case| (case, LINE, 3 * LINE - 20)).collect()
    }

    /// In how many lines the case that has been in the fewest has been, after so many images.
    fn fewest(cases: usize, images: u32) -> usize {
        let mut random = Stream::new(5, 5);
        let mut lines = Lines::default();
        let mut seen = vec![[false; LINES]; cases];
        for _ in 0..images {
            let order = (0..TRIES)
                .map(|_| order(cases, &extents(cases), &mut random, &lines))
                .min_by_key(|order| order.cost)
                .expect("there are tries");
            for (case, start) in order.starts.iter().enumerate() {
                let line = line_of(start.expect("each has a place"));
                lines.visit(case, line);
                seen[case][line] = true;
            }
        }
        seen.iter()
            .map(|seen| seen.iter().filter(|seen| **seen).count())
            .min()
            .expect("there are cases")
    }

    #[test]
    fn every_case_sees_most_lines() {
        // By chance a case would see 30 of 64 lines in 40 images, and the least lucky of 15 some 25.
        for cases in [1, 2, 4, 15, 40] {
            let seen = fewest(cases, 40);
            assert!(seen >= 34, "{seen} of {cases} cases");
        }
    }

    #[test]
    fn bodies_do_not_overlap() {
        let mut random = Stream::new(1, 1);
        let order = order(9, &extents(9), &mut random, &Lines::default());
        let mut starts: Vec<u64> = order.starts.into_iter().flatten().collect();
        starts.sort_unstable();
        assert_eq!(starts.len(), 9);
        assert!(
            starts
                .windows(2)
                .all(|pair| pair[1] - pair[0] >= 3 * LINE - 20)
        );
        assert!(order.end >= starts[8] + 3 * LINE - 20);
    }
}
