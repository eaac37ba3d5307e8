//! Where the bodies that are called lie: side by side in one region.
//!
//! Branch predictors hash addresses, and variants are alike and timed in turns. With a page or more
//! between them, wherever they lay in it, the variants of a `clear_bhb_loop` unlearnt each other: a
//! tenth to nine tenths of a variant's samples had one more misprediction a run, another share in
//! every process. Side by side, and called from one place ([`crate::harness::Sites`]), it is two to
//! five in a hundred. The order is another in every image, so that no variant has the same
//! neighbours twice.

use assemble::{Code, ItemKind, SectionId};
use iced_x86::{Decoder, DecoderOptions, FlowControl};

use crate::api::{Case, Entry};
use crate::random::Stream;

use super::layout::{Layout, PAGE, Protection};
use super::sections::{Blocks, code_sections};

/// Bytes of a cache line.
const LINE: u64 = 64;

/// The start of each case's code; `None` for those whose code is copied into their harness.
pub(crate) fn place(cases: &[&Case], layout: &mut Layout, random: &mut Stream) -> Vec<Option<u64>> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    random.shuffle(&mut order);
    let mut starts = vec![None; cases.len()];
    // The first line is another in every image too.
    let mut offset = u64::from(random.below((PAGE / LINE) as u32)) * LINE;
    let mut widest = PAGE;
    for index in order {
        if let Some((align, bytes)) = extent(cases[index]) {
            widest = widest.max(align);
            offset = offset.next_multiple_of(align);
            starts[index] = Some(offset);
            offset = offset.saturating_add(bytes);
        }
    }
    let base = layout.next_aligned(widest);
    if starts.iter().any(Option::is_some) {
        layout.region(offset, Protection::ReadExecute);
    }
    starts
        .into_iter()
        .map(|start| start.map(|start| base + start))
        .collect()
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
