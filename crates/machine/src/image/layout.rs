//! Where things lie: one reservation below 2 GiB, regions in it with guards between.

/// Bytes of a page.
pub(crate) const PAGE: u64 = 0x1000;
/// Bytes that stay unmapped before, between and behind regions.
pub(crate) const GUARD: u64 = 0x4000;
/// Everything lies below this, so that 32-bit absolute addresses reach it.
pub(crate) const LIMIT: u64 = 0x8000_0000;

/// What may be done with a region. There is no way to say writable and executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    /// Constants.
    Read,
    /// Data.
    ReadWrite,
    /// Code.
    ReadExecute,
}

/// One region as the worker maps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// First byte, at a page.
    pub(crate) address: u64,
    /// Bytes, whole pages.
    pub(crate) length: u64,
    /// What may be done with it.
    pub(crate) protection: Protection,
    /// Where its contents begin in the image's file; zeroes if `None`.
    pub(crate) file_offset: Option<u64>,
}

/// Hands out regions from a base upward and keeps their contents.
#[derive(Debug)]
pub(crate) struct Layout {
    base: u64,
    next: u64,
    mappings: Vec<Mapping>,
    contents: Contents,
}

/// What will stand in the image's file, in pieces: as one vector, an image of some megabytes would
/// be moved again and again while it grows, and take twice its size for that.
#[derive(Debug, Default)]
struct Contents {
    /// Where each begins in the file, and what it is.
    pieces: Vec<(u64, Vec<u8>)>,
}

/// Bytes of a piece, or of a region that is larger.
const PIECE: usize = 64 << 10;

impl Contents {
    /// Adds so many bytes and says where they begin.
    fn add(&mut self, length: usize, fill: u8) -> u64 {
        let room = |(_, piece): &&mut (u64, Vec<u8>)| piece.capacity() - piece.len() >= length;
        if let Some((start, piece)) = self.pieces.last_mut().filter(room) {
            let offset = *start + piece.len() as u64;
            piece.resize(piece.len() + length, fill);
            return offset;
        }
        let last = self.pieces.last();
        let offset = last.map_or(0, |(start, piece)| start + piece.len() as u64);
        let mut piece = Vec::with_capacity(length.max(PIECE));
        piece.resize(length, fill);
        self.pieces.push((offset, piece));
        offset
    }

    /// Bytes that were added together.
    fn at(&mut self, offset: u64, length: usize) -> Option<&mut [u8]> {
        let behind = self.pieces.partition_point(|(start, _)| *start <= offset);
        let (start, piece) = self.pieces.get_mut(behind.checked_sub(1)?)?;
        let first = (offset - *start) as usize;
        piece.get_mut(first..first + length)
    }
}

impl Layout {
    /// Nothing placed yet. `base` is at a page.
    pub(crate) fn new(base: u64) -> Self {
        Self {
            base,
            next: base + GUARD,
            mappings: Vec::new(),
            contents: Contents::default(),
        }
    }

    /// Where the next region will begin.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Where the next region will begin if it is to be aligned to more than a page.
    pub(crate) fn next_aligned(&mut self, align: u64) -> u64 {
        self.next = self.next.next_multiple_of(align.max(PAGE));
        self.next
    }

    /// A region of `length` bytes with contents: zeroes, or `int3` in code, until written.
    pub(crate) fn region(&mut self, length: u64, protection: Protection) -> u64 {
        let fill = if protection == Protection::ReadExecute {
            0xcc
        } else {
            0
        };
        let length = length.next_multiple_of(PAGE);
        let file_offset = self.contents.add(length as usize, fill);
        self.map(length, protection, Some(file_offset))
    }

    /// Writes into the contents of a region.
    ///
    /// # Panics
    /// If the bytes lie in no region with contents: a mistake in this crate.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let end = address + bytes.len() as u64;
        let offset = self.mappings.iter().rev().find_map(|mapping| {
            let inside = mapping.address <= address && end <= mapping.address + mapping.length;
            if inside {
                Some(mapping.file_offset? + (address - mapping.address))
            } else {
                None
            }
        });
        let place = offset.and_then(|offset| self.contents.at(offset, bytes.len()));
        place
            .expect("contents are written to a region that was placed")
            .copy_from_slice(bytes);
    }

    /// Places a region of zeroes.
    pub(crate) fn zeroes(&mut self, length: u64) -> u64 {
        self.map(length.next_multiple_of(PAGE), Protection::ReadWrite, None)
    }

    fn map(&mut self, length: u64, protection: Protection, file_offset: Option<u64>) -> u64 {
        let address = self.next;
        if length > 0 {
            self.mappings.push(Mapping {
                address,
                length,
                protection,
                file_offset,
            });
        }
        self.next = address + length + GUARD;
        address
    }

    /// First address of the reservation.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// Bytes of the reservation so far, guards included.
    pub(crate) fn length(&self) -> u64 {
        self.next - self.base
    }

    /// The regions and the file's contents, piece by piece.
    pub(crate) fn finish(self) -> (Vec<Mapping>, Vec<Vec<u8>>) {
        let pieces = self.contents.pieces.into_iter();
        (self.mappings, pieces.map(|(_, piece)| piece).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_stand_on_every_side() {
        let mut layout = Layout::new(0x1000_0000);
        let code = layout.region(5000, Protection::ReadExecute);
        layout.write(code, &[0x90; 5000]);
        layout.zeroes(1);
        let end = layout.base() + layout.length();
        let (mappings, file) = layout.finish();
        let mut free_from = 0x1000_0000;
        for mapping in &mappings {
            assert!(mapping.address >= free_from + GUARD);
            assert_eq!(mapping.address % PAGE, 0);
            assert_eq!(mapping.length % PAGE, 0);
            free_from = mapping.address + mapping.length;
        }
        assert!(end >= free_from + GUARD);
        let file = file.concat();
        assert_eq!(file.len() as u64, 2 * PAGE);
        assert_eq!(file[4999..=5000], [0x90, 0xcc]);
    }

    #[test]
    fn contents_are_where_their_regions_say_whatever_piece_they_are_in() {
        let mut layout = Layout::new(0x1000_0000);
        let regions: Vec<(u64, u64)> = [1, 20, 5, 16, 40, 1, 3]
            .map(|pages| {
                let length = pages * PAGE;
                (layout.region(length, Protection::ReadWrite), length)
            })
            .to_vec();
        for (number, (address, length)) in (1..).zip(&regions) {
            layout.write(*address, &[number]);
            layout.write(address + length - 1, &[number]);
        }
        let (mappings, pieces) = layout.finish();
        assert!(pieces.len() > 2);
        let file = pieces.concat();
        for (number, mapping) in (1..).zip(&mappings) {
            let first = mapping.file_offset.expect("contents") as usize;
            let last = first + mapping.length as usize - 1;
            assert_eq!((file[first], file[last]), (number, number));
        }
        let whole: u64 = regions.iter().map(|(_, length)| length).sum();
        assert_eq!(file.len() as u64, whole);
    }

    #[test]
    fn a_region_can_be_aligned_to_more_than_a_page() {
        let mut layout = Layout::new(0x1000_0000);
        let start = layout.next_aligned(0x10_0000);
        assert_eq!(start % 0x10_0000, 0);
        assert_eq!(layout.region(1, Protection::ReadExecute), start);
    }
}
