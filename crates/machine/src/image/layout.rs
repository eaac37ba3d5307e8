//! Where things lie: one reservation below 2 GiB, regions in it with guards between.

/// Bytes of a page.
pub(crate) const PAGE: u64 = 0x1000;
/// Bytes of a cache line.
const LINE: u64 = 64;
/// Harness code has its branches in this part of a page.
const HARNESS_BYTES: u64 = 0x400;
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

/// Two kinds of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What is measured.
    Body,
    /// What calls it.
    Harness,
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
    body_end: u64,
    mappings: Vec<Mapping>,
    file: Vec<u8>,
}

impl Layout {
    /// Nothing placed yet. `base` is at a page; the first body goes to this line of its page, or to
    /// the first one behind the harness's.
    pub(crate) fn new(base: u64, line: u32) -> Self {
        Self {
            base,
            next: base + GUARD,
            body_end: u64::from(line) * LINE,
            mappings: Vec::new(),
            file: Vec::new(),
        }
    }

    /// Where the next region will begin.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Where the next code should begin: harness code at a page, a body in the next region's page
    /// behind where the last body ended in its own.
    ///
    /// Branch predictors look at little more than the offset in a page. Variants are alike, and
    /// timed in turns: at equal offsets each would unlearn what the last one had taught (with
    /// 14 variants of one loop, two in five samples had a misprediction more per run). So bodies
    /// lie alike in their lines of 64 bytes, but side by side in the page, and behind the first
    /// lines, which harnesses use.
    pub(crate) fn next_code(&mut self, kind: Kind, align: u64) -> u64 {
        let align = align.max(LINE);
        if kind == Kind::Harness || align >= PAGE {
            self.align(align);
            return self.next;
        }
        let mut offset = self.body_end.next_multiple_of(align) % PAGE;
        if offset < HARNESS_BYTES {
            offset = HARNESS_BYTES.next_multiple_of(align) % PAGE;
        }
        self.next + offset
    }

    fn align(&mut self, align: u64) {
        self.next = self.next.next_multiple_of(align.max(PAGE));
    }

    /// A region of code from [`Layout::next_code`], `int3` until written.
    pub(crate) fn code(&mut self, kind: Kind, start: u64, length: u64) {
        if length > 0 {
            if kind == Kind::Body {
                self.body_end = start + length;
            }
            let front = start - self.next;
            self.region(front + length, Protection::ReadExecute);
        }
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
        let mut layout = Layout::new(0x1000_0000, 20);
        let code = layout.next_code(Kind::Body, 1);
        layout.code(Kind::Body, code, 5000);
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
        let front = 20 * 64;
        assert_eq!(file[front - 1..=front], [0xcc, 0x90]);
        assert_eq!(file[front + 4999..=front + 5000], [0x90, 0xcc]);
    }

    #[test]
    fn code_lies_side_by_side_in_its_pages() {
        let mut layout = Layout::new(0x1000_0000, 62);
        let mut lines = Vec::new();
        for _ in 0..6 {
            let start = layout.next_code(Kind::Body, 64);
            layout.code(Kind::Body, start, 65);
            assert_eq!(start % 64, 0);
            lines.push(start % PAGE / 64);
        }
        // The first 16 lines are the harness's.
        assert_eq!(lines, [62, 16, 18, 20, 22, 24]);
        let start = layout.next_code(Kind::Body, 0x4000);
        assert_eq!(start % 0x4000, 0);
        assert_eq!(layout.next_code(Kind::Harness, 64) % PAGE, 0);
    }
}
