//! Bytes of sections: those of known place with the pieces between them.

use crate::assembler::Assembler;
use crate::expr::{Folded, Worth, node_worth};
use sequence::leb128_of_bits;

use crate::layout::{Layout, Placed, problem};
use crate::padding;
use crate::stream::{Field, Fixup, Piece, PieceKind, Reach};

/// All bytes of a section.
pub(super) fn bytes_of(
    assembler: &Assembler,
    layout: &Layout,
    section: usize,
    problems: &mut Vec<Placed>,
) -> Vec<u8> {
    let capacity = usize::try_from(layout.sizes[section]).unwrap_or(0);
    let mut bytes = Vec::with_capacity(capacity);
    for &index in &layout.order[section] {
        let stream = &assembler.streams[index as usize];
        let mut before = 0;
        for piece in &stream.pieces {
            let at = piece.at as usize;
            bytes.extend(&stream.bytes[before..at]);
            before = at;
            write_piece(&mut bytes, piece, assembler, layout, problems);
        }
        bytes.extend(&stream.bytes[before..]);
    }
    bytes
}

pub(super) fn write_piece(
    bytes: &mut Vec<u8>,
    piece: &Piece,
    assembler: &Assembler,
    layout: &Layout,
    problems: &mut Vec<Placed>,
) {
    let size = piece.size as usize;
    match &piece.kind {
        PieceKind::Branch {
            condition, reach, ..
        } => {
            let end = bytes.len() + size;
            match (reach, condition) {
                (Reach::Short, None) => bytes.push(0xeb),
                (Reach::Short, Some(condition)) => bytes.push(0x70 | condition),
                (_, None) => bytes.push(0xe9),
                (_, Some(condition)) => bytes.extend([0x0f, 0x80 | condition]),
            }
            bytes.resize(end, 0);
        }
        PieceKind::Align(align) => match align.fill {
            Some((_, width)) if !size.is_multiple_of(usize::from(width.max(1))) => {
                problems.push((
                    piece.origin,
                    problem(
                        format!("the padding of {size} bytes is no multiple of {width}"),
                        "align to the pattern's width before, or use `.balign`",
                    ),
                ));
            }
            None => padding::append(bytes, size, padding::LONGEST),
            Some((value, width)) => {
                let width = usize::from(width.max(1));
                let pattern = value.to_le_bytes();
                for _ in 0..size / width {
                    bytes.extend(&pattern[..width]);
                }
            }
        },
        PieceKind::Space(space) => {
            let pattern = space.value.to_le_bytes();
            let pattern = &pattern[..usize::from(space.width)];
            bytes.extend(pattern.iter().cycle().take(size).copied());
        }
        PieceKind::Org(org) => {
            let to = node_worth(&assembler.symbols, layout, &org.0, 0);
            let wanted = match to {
                Ok(Worth::Absolute(value)) => value,
                Ok(Worth::Address { offset, .. }) => offset,
                _ => -1,
            };
            bytes.extend(std::iter::repeat_n(org.1, size));
            if wanted != i64::try_from(bytes.len()).unwrap_or(-1) {
                problems.push((
                    piece.origin,
                    problem(
                        format!("`.org` cannot go back, from {} to {wanted}", bytes.len()),
                        "name a place further on",
                    ),
                ));
            }
        }
        PieceKind::Nops(nops) => padding::append(bytes, size, usize::from(nops.1)),
        PieceKind::Leb128(leb) => {
            let value = match node_worth(&assembler.symbols, layout, &leb.0, 0) {
                Ok(Worth::Absolute(value) | Worth::Address { offset: value, .. }) => value,
                _ => 0,
            };
            bytes.extend(leb128_of_bits(value, leb.1));
        }
    }
}

/// Makes two bytes of a long `jmp` that ends at `end`, if they reach, and INT3s of the rest, as the kernel does
/// with code that it brings from elsewhere. Whether it has done so.
pub(super) fn shorten_brought(piece: &Piece, target: i64, end: u64, bytes: &mut [u8]) -> bool {
    let PieceKind::Branch {
        condition: None,
        reach: Reach::Long,
        ..
    } = piece.kind
    else {
        return false;
    };
    let Some(start) = usize::try_from(end).ok().and_then(|end| end.checked_sub(5)) else {
        return false;
    };
    let distance = target - (start as u64 + 2).cast_signed();
    match (i8::try_from(distance), bytes.get_mut(start..start + 5)) {
        (Ok(distance), Some(field)) if piece.size == 5 => {
            field.copy_from_slice(&[0xeb, distance.cast_unsigned(), 0xcc, 0xcc, 0xcc]);
            true
        }
        _ => false,
    }
}

/// Whether it is a jump of two bytes.
pub(super) fn is_short(piece: &Piece) -> bool {
    matches!(
        piece.kind,
        PieceKind::Branch {
            reach: Reach::Short,
            ..
        }
    )
}

/// The field of a jump whose length layout decided.
pub(super) fn branch_fixup(piece: &Piece) -> Option<Fixup> {
    let PieceKind::Branch {
        reach,
        target,
        addend,
        modifier,
        is_narrow,
        ..
    } = &piece.kind
    else {
        return None;
    };
    Some(Fixup {
        at: 0,
        frag: 0,
        width: match (reach, is_narrow) {
            (Reach::Short, _) => 1,
            (_, true) => 2,
            (_, false) => 4,
        },
        field: Field::Branch(0),
        modifier: *modifier,
        relaxes: None,
        into: 0,
        is_call: false,
        is_immediate: false,
        is_jump: false,
        value: Folded::Sum {
            plus: *target,
            minus: None,
            addend: *addend,
        },
        origin: piece.origin,
    })
}
