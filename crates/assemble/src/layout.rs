//! Sizes of jumps, paddings and the like: each section is relaxed until nothing grows.
//!
//! The order of events is GNU as's (`relax_segment`), for a jump at the edge of its reach may
//! end up short or long by that order alone.

use std::cell::RefCell;
use std::collections::HashMap;

use sequence::{Origin, Problem, Severity, leb128_of_bits};

use crate::expr::{Node, Places, Worth, node_worth, symbol_worth};
use crate::stream::{PieceKind, Reach, Stream};
use crate::symbols::{Definition, Place, SymbolId, SymbolTable};

/// The most bytes a section may have: far beyond what can be timed, and no danger to memory.
pub(crate) const MOST_BYTES: u64 = 1 << 28;

/// The most bytes that all sections with bytes may have: they are in memory twice for a while.
pub(crate) const MOST_FILLED: u64 = 1 << 26;

/// The error of more bytes than that.
pub(crate) fn too_many_bytes() -> Problem {
    let message = format!(
        "fills, paddings and the like come to more than {} MiB",
        MOST_FILLED >> 20
    );
    problem(
        message,
        "use a smaller count, or `.bss`, which takes no bytes",
    )
}

/// Pieces that are looked at before sizes count as never coming to rest. Each pass looks at all,
/// and a few dozen passes settle the jumps of the largest files.
const MOST_VISITS: u64 = 100_000_000;

/// Streams of each section in order of subsection, and where each run of known bytes starts.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// For each stream, the offset in its section of the bytes before its first piece, between
    /// pieces, and after the last.
    pub(crate) starts: Vec<Vec<u64>>,
    /// For each stream, its section.
    sections: Vec<u32>,
    /// For each stream, the `at` of its pieces.
    cuts: Vec<Vec<u32>>,
    /// For each section, its streams in order.
    pub(crate) order: Vec<Vec<u32>>,
    /// For each section, its size.
    pub(crate) sizes: Vec<u64>,
    /// For each stream, which of its section's it is.
    positions: Vec<u32>,
    /// For each stream, how many alignments and `.org`s there are before each piece, and in all: they may
    /// take up what moves before them.
    slack: Vec<Vec<u32>>,
    /// How often anything has moved.
    moves: u64,
    /// What symbols were worth after how many moves: expressions of expressions would be worked out again
    /// and again without it.
    worths: RefCell<HashMap<SymbolId, (u64, Worth)>>,
}

impl Places for Layout {
    fn recall(&self, id: SymbolId) -> Option<Worth> {
        let worths = self.worths.borrow();
        let (moves, worth) = worths.get(&id)?;
        (*moves == self.moves).then_some(*worth)
    }

    fn remember(&self, id: SymbolId, worth: Worth) {
        self.worths.borrow_mut().insert(id, (self.moves, worth));
    }

    fn locate(&self, place: Place) -> (u32, i64) {
        let stream = place.stream as usize;
        let frag = place.frag as usize;
        let cut = if frag == 0 {
            0
        } else {
            self.cuts[stream][frag - 1]
        };
        let offset = self.starts[stream][frag] + u64::from(place.fixed - cut);
        (self.sections[stream], offset.cast_signed())
    }
}

/// An error of layout and where it belongs.
pub(crate) type Placed = (Origin, Problem);

pub(crate) fn problem(message: impl Into<String>, help: impl Into<String>) -> Problem {
    Problem {
        severity: Severity::Error,
        message: message.into(),
        help: help.into(),
        at: None,
    }
}

/// Where a jump goes, as seen while sizes still change.
#[derive(Clone, Copy)]
struct Target {
    stream: u32,
    frag: u32,
    offset: i64,
}

/// Lays all sections out.
///
/// # Errors
/// Sizes that have no value, sections that grow beyond [`MOST_BYTES`], `.org` backwards.
pub(crate) fn lay_out(
    streams: &mut [Stream],
    symbols: &SymbolTable,
    sections: usize,
    problems: &mut Vec<Placed>,
) -> Layout {
    let mut layout = Layout {
        starts: streams
            .iter()
            .map(|stream| vec![0; stream.pieces.len() + 1])
            .collect(),
        sections: streams.iter().map(|stream| stream.section).collect(),
        cuts: streams
            .iter()
            .map(|stream| stream.pieces.iter().map(|piece| piece.at).collect())
            .collect(),
        order: vec![Vec::new(); sections],
        sizes: vec![0; sections],
        positions: vec![0; streams.len()],
        slack: streams.iter().map(slack).collect(),
        moves: 0,
        worths: RefCell::default(),
    };
    for (index, stream) in streams.iter().enumerate() {
        layout.order[stream.section as usize].push(u32::try_from(index).unwrap_or(u32::MAX));
    }
    for order in &mut layout.order {
        order.sort_by_key(|&index| streams[index as usize].number);
        for (position, &index) in (0..).zip(&*order) {
            layout.positions[index as usize] = position;
        }
    }
    // Which jumps the linker decides is known by now, for all bindings are.
    for stream in streams.iter_mut() {
        let section = stream.section;
        for (frag, piece) in stream.pieces.iter_mut().enumerate() {
            let section = match stream.elsewhere.get(&frag) {
                Some(&(place, _)) => section_of(symbols, &layout, place).unwrap_or(section),
                None => section,
            };
            if let PieceKind::Branch {
                target,
                reach,
                modifier,
                ..
            } = &mut piece.kind
                && (is_linked(symbols, &layout, *target, section)
                    // `@PLT` of what another object may replace is for the linker, however near that is.
                    || (modifier.is_some()
                        && symbols.get(*target).binding != 0
                        && symbols.get(*target).visibility == 0))
            {
                *reach = Reach::Linked;
            }
            if let PieceKind::Branch { target, reach, .. } = &mut piece.kind
                && *reach == Reach::Short
                && let Some(&labels) = stream.brought.get(&frag)
                && !is_between(symbols, *target, labels)
            {
                *reach = Reach::Long;
            }
        }
    }
    for section in 0..sections {
        start(streams, &mut layout, section);
    }
    // Sizes in one section may hang on distances in another.
    let mut visits = MOST_VISITS;
    loop {
        let mut changed = false;
        for section in 0..sections {
            changed |= relax(
                streams,
                symbols,
                &mut layout,
                section,
                &mut visits,
                problems,
            );
            if !problems.is_empty() {
                return layout;
            }
        }
        if !changed {
            return layout;
        }
    }
}

/// See [`Layout::slack`].
fn slack(stream: &Stream) -> Vec<u32> {
    let mut count = 0;
    let mut counts = vec![0];
    for piece in &stream.pieces {
        count += u32::from(matches!(
            piece.kind,
            PieceKind::Align(_) | PieceKind::Org(_)
        ));
        counts.push(count);
    }
    counts
}

/// Whether a label stands between two others.
fn is_between(symbols: &SymbolTable, label: SymbolId, (first, last): (SymbolId, SymbolId)) -> bool {
    let place =
        |id| label_of(symbols, id, 0).map(|place: Place| (place.stream, place.frag, place.fixed));
    match (place(first), place(label), place(last)) {
        (Some(start), Some(at), Some(end)) => {
            // What was there before the first one stands before it.
            let is_behind = start < at || (start == at && first < label);
            start.0 == at.0 && at.0 == end.0 && is_behind && at <= end
        }
        _ => false,
    }
}

/// The section that a label is in.
fn section_of(symbols: &SymbolTable, layout: &Layout, label: SymbolId) -> Option<u32> {
    match symbol_worth(symbols, layout, label, 0) {
        Ok(Worth::Address { section, .. }) => Some(section),
        _ => None,
    }
}

/// An address as far behind the first label as it is behind the second.
fn moved(
    symbols: &SymbolTable,
    layout: &Layout,
    (place, start): (SymbolId, SymbolId),
    address: u64,
) -> u64 {
    let offset = |label| match symbol_worth(symbols, layout, label, 0) {
        Ok(Worth::Address { offset, .. }) => offset.cast_unsigned(),
        _ => 0,
    };
    address
        .wrapping_add(offset(place))
        .wrapping_sub(offset(start))
}

/// Whether a jump to `target` from `section` is left to the linker.
fn is_linked(symbols: &SymbolTable, layout: &Layout, target: SymbolId, section: u32) -> bool {
    // A jump to a global symbol of its own section stays in it; a weak one may be replaced, and
    // an indirect function (10) is found only at run time.
    let is_replaced = |id| symbols.get(id).binding == 2 || symbols.get(id).kinds.is_indirect();
    match symbol_worth(symbols, layout, target, 0) {
        Ok(Worth::Address {
            section: there,
            symbol,
            ..
        }) => there != section || is_replaced(target) || is_replaced(symbol),
        _ => true,
    }
}

fn branch_size(condition: Option<u8>, reach: Reach, is_narrow: bool) -> u32 {
    let distance = if is_narrow { 2 } else { 4 };
    match (reach, condition) {
        (Reach::Short, _) => 2,
        (_, None) => 1 + distance,
        (_, Some(_)) => 2 + distance,
    }
}

fn align_size(address: u64, boundary: u64, max_skip: u64) -> u32 {
    let size = address.next_multiple_of(boundary.max(1)) - address;
    if size > max_skip {
        0
    } else {
        u32::try_from(size).unwrap_or(u32::MAX)
    }
}

/// First addresses: jumps short, paddings as they come, other sizes zero.
fn start(streams: &mut [Stream], layout: &mut Layout, section: usize) {
    let mut address = 0;
    for &index in &layout.order[section] {
        let stream = &mut streams[index as usize];
        let starts = &mut layout.starts[index as usize];
        starts[0] = address;
        let mut before = 0;
        for (frag, piece) in stream.pieces.iter_mut().enumerate() {
            address += u64::from(piece.at - before);
            before = piece.at;
            piece.size = match &piece.kind {
                PieceKind::Branch {
                    condition,
                    reach,
                    is_narrow,
                    ..
                } => branch_size(*condition, *reach, *is_narrow),
                PieceKind::Align(align) => align_size(address, align.boundary, align.max_skip),
                PieceKind::Leb128(_) => 1,
                PieceKind::Space(_) | PieceKind::Org(_) | PieceKind::Nops(_) => 0,
            };
            address += u64::from(piece.size);
            starts[frag + 1] = address;
        }
        address += u64::from(stream.length - before);
    }
    layout.moves += 1;
    layout.sizes[section] = address;
}

/// Runs passes over one section until nothing grows. Whether anything changed.
fn relax(
    streams: &mut [Stream],
    symbols: &SymbolTable,
    layout: &mut Layout,
    section: usize,
    visits: &mut u64,
    problems: &mut Vec<Placed>,
) -> bool {
    let mut changed = false;
    let order = layout.order[section].clone();
    let pieces = order
        .iter()
        .map(|&index| streams[index as usize].pieces.len() as u64);
    // A pass has work beside the pieces.
    let pass = pieces.sum::<u64>() + 50;
    loop {
        let mut unsettled = None;
        let mut stretch: i64 = 0;
        let mut stretched = false;
        let mut address = 0_u64;
        for &index in &order {
            layout.starts[index as usize][0] = address;
            layout.moves += 1;
            let mut before = 0;
            for frag in 0..streams[index as usize].pieces.len() {
                let piece = &streams[index as usize].pieces[frag];
                address += u64::from(piece.at - before);
                before = piece.at;
                let (old, origin) = (piece.size, piece.origin);
                let size = match &piece.kind {
                    PieceKind::Branch {
                        condition,
                        reach: Reach::Short,
                        target,
                        addend,
                        is_narrow,
                        ..
                    } => {
                        let is_narrow = *is_narrow;
                        let elsewhere = streams[index as usize].elsewhere.get(&frag).copied();
                        let (from, moved) = match elsewhere {
                            Some(labels) => (moved(symbols, layout, labels, address), 0),
                            None => (address, stretch),
                        };
                        let long =
                            find_target(symbols, layout, *target, *addend).is_none_or(|target| {
                                !reaches(layout, target, index, frag, from, moved)
                            });
                        let condition = *condition;
                        if long {
                            if let PieceKind::Branch { reach, .. } =
                                &mut streams[index as usize].pieces[frag].kind
                            {
                                // Where it is in truth, the linker has to find its target.
                                *reach = match elsewhere {
                                    Some(_) => Reach::Linked,
                                    None => Reach::Long,
                                };
                            }
                            branch_size(condition, Reach::Long, is_narrow)
                        } else {
                            old
                        }
                    }
                    PieceKind::Branch { .. } => old,
                    PieceKind::Align(align) => align_size(address, align.boundary, align.max_skip),
                    PieceKind::Space(_)
                    | PieceKind::Org(_)
                    | PieceKind::Nops(_)
                    | PieceKind::Leb128(_) => {
                        match sized(piece, symbols, layout, section, address) {
                            Ok(size) => size,
                            Err(problem) => {
                                problems.push((piece.origin, problem));
                                old
                            }
                        }
                    }
                };
                if size != old {
                    stretched = true;
                    unsettled = Some(origin);
                    stretch += i64::from(size) - i64::from(old);
                    streams[index as usize].pieces[frag].size = size;
                }
                address += u64::from(size);
                layout.starts[index as usize][frag + 1] = address;
                layout.moves += 1;
            }
            address += u64::from(streams[index as usize].length - before);
        }
        layout.sizes[section] = address;
        if address > MOST_BYTES {
            if let Some(piece) = order
                .iter()
                .flat_map(|&index| &streams[index as usize].pieces)
                .max_by_key(|piece| piece.size)
            {
                problems.push((
                    piece.origin,
                    problem("the section grows beyond 256 MiB", "use a smaller count"),
                ));
            }
            return changed;
        }
        if !stretched || !problems.is_empty() {
            return changed;
        }
        changed = true;
        *visits = visits.saturating_sub(pass);
        if let (0, Some(origin)) = (*visits, unsettled) {
            let message = "sizes that depend on each other never come to rest";
            problems.push((origin, problem(message, "make one of them a number")));
            return changed;
        }
    }
}

/// Label and addend of a jump's target, `.set`s followed.
fn find_target(
    symbols: &SymbolTable,
    layout: &Layout,
    target: SymbolId,
    addend: i64,
) -> Option<Target> {
    let Ok(Worth::Address { offset, .. }) = symbol_worth(symbols, layout, target, 0) else {
        return None;
    };
    let place = label_of(symbols, target, 0)?;
    Some(Target {
        stream: place.stream,
        frag: place.frag,
        offset: offset.wrapping_add(addend),
    })
}

/// The label that a symbol is, or was set to, a number added or not.
fn label_of(symbols: &SymbolTable, id: SymbolId, depth: u32) -> Option<Place> {
    match &symbols.get(id).definition {
        Definition::Label(place) => Some(*place),
        Definition::Expression(node) if depth < 200 => {
            let mut node = &**node;
            while let Node::Binary(_, left, _) = node {
                node = left;
            }
            match node {
                Node::Symbol(id) => label_of(symbols, *id, depth + 1),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a short jump at `address` reaches its target, by GNU as's guess for a target that this
/// pass has not come to: it moves as far as everything so far has moved, unless an alignment or
/// `.org` in between may take that up.
fn reaches(
    layout: &Layout,
    target: Target,
    index: u32,
    frag: usize,
    address: u64,
    stretch: i64,
) -> bool {
    let mut offset = target.offset;
    let here = (layout.positions[index as usize], frag);
    let there = (
        layout.positions[target.stream as usize],
        target.frag as usize,
    );
    if stretch != 0 && there > here {
        let slack = &layout.slack[index as usize];
        let between_is_rigid = target.stream == index && slack[frag] == slack[there.1];
        if stretch < 0 || between_is_rigid {
            offset += stretch;
        } else if offset < address.cast_signed() {
            return true;
        }
    }
    let distance = offset - (address.cast_signed() + 2);
    (-128..=127).contains(&distance)
}

/// Size of a piece that an expression decides.
fn sized(
    piece: &crate::stream::Piece,
    symbols: &SymbolTable,
    layout: &Layout,
    section: usize,
    address: u64,
) -> Result<u32, Problem> {
    let worth =
        |node| node_worth(symbols, layout, node, 0).map_err(|error| problem(error.0, error.1));
    let number = |node| match worth(node)? {
        Worth::Absolute(value) => Ok(value),
        Worth::External(id, _) => {
            let error = crate::expr::undefined(symbols, id);
            Err(problem(error.0, error.1))
        }
        _ => Err(problem(
            "the size must be a number or a difference of labels",
            "subtract a label of the same section",
        )),
    };
    let count = match &piece.kind {
        PieceKind::Space(space) => number(&space.count)?
            .max(0)
            .saturating_mul(i64::from(space.width)),
        PieceKind::Nops(nops) => number(&nops.0)?.max(0),
        PieceKind::Org(org) => {
            let to = match worth(&org.0)? {
                Worth::Absolute(value) => value,
                Worth::Address {
                    section: there,
                    offset,
                    ..
                } if there as usize == section => offset,
                _ => {
                    return Err(problem(
                        "`.org` must name a place in its own section",
                        "use a number or a label of this section",
                    ));
                }
            };
            to - address.cast_signed()
        }
        PieceKind::Leb128(leb) => {
            // An address is its offset in its section to GNU as.
            let value = match worth(&leb.0)? {
                Worth::Absolute(value) | Worth::Address { offset: value, .. } => value,
                Worth::External(id, _) => {
                    let error = crate::expr::undefined(symbols, id);
                    return Err(problem(error.0, error.1));
                }
            };
            i64::try_from(leb128_of_bits(value, leb.1).len()).unwrap_or(0)
        }
        PieceKind::Branch { .. } | PieceKind::Align(_) => i64::from(piece.size),
    };
    if count < 0 {
        // A label ahead may still move; the final check is made when bytes are written.
        return Ok(0);
    }
    if count.cast_unsigned() > MOST_BYTES {
        return Err(problem(
            format!("{count} bytes are more than a section may have (256 MiB)"),
            "use a smaller count",
        ));
    }
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}
