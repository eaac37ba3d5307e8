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
    file: Vec<u8>,
}

impl Layout {
    /// Nothing placed yet. `base` is at a page.
    pub(crate) fn new(base: u64) -> Self {
        Self {
            base,
            next: base + GUARD,
            mappings: Vec::new(),
            file: Vec::new(),
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
        let file_offset = self.file.len() as u64;
        let fill = if protection == Protection::ReadExecute {
            0xcc
        } else {
            0
        };
        let length = length.next_multiple_of(PAGE);
        self.file.resize((file_offset + length) as usize, fill);
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
        let offset = offset.expect("contents are written to a region that was placed") as usize;
        self.file[offset..offset + bytes.len()].copy_from_slice(bytes);
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

    /// The regions and the file's contents.
    pub(crate) fn finish(self) -> (Vec<Mapping>, Vec<u8>) {
        (self.mappings, self.file)
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
        assert_eq!(file.len() as u64, 2 * PAGE);
        assert_eq!(file[4999..=5000], [0x90, 0xcc]);
    }

    #[test]
    fn a_region_can_be_aligned_to_more_than_a_page() {
        let mut layout = Layout::new(0x1000_0000);
        let start = layout.next_aligned(0x10_0000);
        assert_eq!(start % 0x10_0000, 0);
        assert_eq!(layout.region(1, Protection::ReadExecute), start);
    }
}
