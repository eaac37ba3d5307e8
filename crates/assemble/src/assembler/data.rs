//! Data, padding and space.

use sequence::{Expr, Origin, Problem};

use super::Assembler;
use crate::code::ItemKind;
use crate::expr::{Folded, Folder};
use crate::layout::{MOST_BYTES, MOST_FILLED, problem, too_many_bytes};
use crate::padding;
use crate::stream::{AlignPiece, Field, Fixup, PieceKind, SpacePiece};

impl Assembler {
    pub(super) fn bytes(
        &mut self,
        bytes: &[u8],
        kind: ItemKind,
        origin: Origin,
    ) -> Result<(), Problem> {
        let here = self.here();
        if self.section().is_empty_in_file() {
            if bytes.iter().any(|&byte| byte != 0) {
                return Err(no_bits());
            }
            let more = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            let stream = self.stream();
            stream.length = stream.length.saturating_add(more);
        } else {
            let stream = self.stream();
            stream.bytes.extend(bytes);
            stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
        }
        self.item(kind, here, false, origin);
        Ok(())
    }

    pub(super) fn data(
        &mut self,
        width: u8,
        values: &[Expr],
        origin: Origin,
    ) -> Result<(), Problem> {
        let start = self.here();
        let nobits = self.section().is_empty_in_file();
        for value in values {
            let here = self.here();
            let mut folder = Folder {
                symbols: &mut self.symbols,
                here,
                modifier: None,
                is_intel: false,
            };
            let folded = folder
                .fold(value)
                .map_err(|error| problem(error.0, error.1))?;
            let modifier = folder.modifier;
            if nobits {
                if folded != Folded::Number(0) {
                    return Err(no_bits());
                }
                self.stream().length += u32::from(width);
                continue;
            }
            match (folded, modifier) {
                (Folded::Number(number), None) => {
                    if !fits(number, width) {
                        self.warn(
                            origin,
                            format!("{number:#x} does not fit in {width} bytes: it is cut off"),
                            "use a wider directive",
                        );
                    }
                    let bytes = number.to_le_bytes();
                    let stream = self.stream();
                    stream.bytes.extend(&bytes[..usize::from(width)]);
                }
                (Folded::Number(_), Some(_)) => return Err(crate::operand::without_symbol()),
                (_, Some(_)) if width < 4 => {
                    return Err(problem(
                        format!("a field of {width} bytes has no relocation with `@`"),
                        "use `.long` or `.quad`",
                    ));
                }
                (folded, modifier) => {
                    let stream = self.stream();
                    stream.fixups.push(Fixup {
                        at: stream.length,
                        frag: stream.frag(),
                        width,
                        field: Field::Absolute,
                        modifier,
                        relaxes: None,
                        into: 0,
                        is_call: false,
                        is_immediate: false,
                        is_jump: false,
                        value: folded,
                        origin,
                    });
                    stream
                        .bytes
                        .extend(std::iter::repeat_n(0, usize::from(width)));
                }
            }
            let stream = self.stream();
            stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
        }
        self.item(ItemKind::Data, start, false, origin);
        Ok(())
    }

    /// A pattern, repeated.
    pub(super) fn space(
        &mut self,
        count: &Expr,
        width: u8,
        value: u64,
        origin: Origin,
    ) -> Result<(), Problem> {
        let here = self.here();
        match self.fold(count)? {
            Folded::Number(count) => {
                if count < 0 {
                    self.warn(
                        origin,
                        "the count is negative: nothing is inserted",
                        "use a positive count",
                    );
                    return Ok(());
                }
                let total = count.cast_unsigned().saturating_mul(u64::from(width));
                let stream = &self.streams[self.current as usize];
                if total > MOST_BYTES || u64::from(stream.length) + total > MOST_BYTES {
                    return Err(problem(
                        format!("{total} bytes are more than a section may have (256 MiB)"),
                        "use a smaller count",
                    ));
                }
                if !self.section().is_empty_in_file() {
                    self.fill(total)?;
                }
                let total = usize::try_from(total).unwrap_or(0);
                if self.section().is_empty_in_file() {
                    // GNU as refuses `.fill` of a value, and makes nothing of `.skip`'s.
                    if value != 0 && width > 1 {
                        return Err(no_bits());
                    }
                    if value != 0 {
                        self.warn(
                            origin,
                            "a fill value in a section that has no bytes is left out",
                            "use `.data`",
                        );
                    }
                    self.stream().length += u32::try_from(total).unwrap_or(0);
                    self.item(ItemKind::Data, here, false, origin);
                    return Ok(());
                }
                let pattern = value.to_le_bytes();
                let pattern = &pattern[..usize::from(width)];
                let stream = self.stream();
                stream
                    .bytes
                    .extend(pattern.iter().cycle().take(total).copied());
                stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
                self.item(ItemKind::Data, here, false, origin);
            }
            folded => {
                let count = folded.into_node();
                self.stream().piece(
                    PieceKind::Space(Box::new(SpacePiece {
                        count,
                        value,
                        width,
                    })),
                    origin,
                );
                self.item(ItemKind::Data, here, true, origin);
            }
        }
        Ok(())
    }

    /// Counts bytes that are more than the text that asks for them.
    fn fill(&mut self, count: u64) -> Result<(), Problem> {
        self.filled = self.filled.saturating_add(count);
        if self.filled > MOST_FILLED {
            self.filled -= count;
            return Err(too_many_bytes());
        }
        Ok(())
    }

    pub(super) fn align(&mut self, align: &sequence::Align, origin: Origin) -> Result<(), Problem> {
        if align.boundary <= 1 {
            return Ok(());
        }
        if !align.boundary.is_power_of_two() {
            return Err(problem(
                format!("the alignment {} is not a power of two", align.boundary),
                "use 2, 4, 8, 16 ...",
            ));
        }
        if align.boundary > MOST_BYTES {
            return Err(problem("the alignment is too large", "use at most 256 MiB"));
        }
        let fill = match &align.fill {
            Some(expr) => Some(self.number(expr, "the fill value")?),
            None => None,
        };
        if self.section().is_empty_in_file() && fill.is_some_and(|fill| fill != 0) {
            self.warn(
                origin,
                "a fill value in a section that has no bytes is left out",
                "use `.data`",
            );
        }
        let code = self.section().is_code();
        let nops = code && (fill.is_none() || (fill == Some(0x90) && align.fill_width == 1));
        let here = self.here();
        let section = self.section_mut();
        section.align = section.align.max(align.boundary);
        let max_skip = match align.max_skip {
            None | Some(0) => u64::MAX,
            Some(max) => max,
        };
        let fill = if nops {
            None
        } else {
            let value = fill.unwrap_or(0).cast_unsigned();
            Some(((value & 0xffff_ffff) as u32, align.fill_width))
        };
        self.stream().piece(
            PieceKind::Align(Box::new(AlignPiece {
                boundary: align.boundary,
                fill,
                max_skip,
            })),
            origin,
        );
        let kind = if nops {
            ItemKind::Padding
        } else {
            ItemKind::Data
        };
        self.item(kind, here, true, origin);
        Ok(())
    }

    pub(super) fn nops(
        &mut self,
        size: &Expr,
        longest: Option<&Expr>,
        origin: Origin,
    ) -> Result<(), Problem> {
        let longest = match longest {
            Some(expr) => self.number(expr, "the longest NOP")?,
            None => 0,
        };
        let longest = match usize::try_from(longest) {
            Ok(0) => padding::LONGEST,
            Ok(longest) if longest <= padding::LONGEST => longest,
            _ => {
                return Err(problem(
                    format!("a NOP of {longest} bytes is not possible here"),
                    format!("use 0 to {}", padding::LONGEST),
                ));
            }
        };
        let here = self.here();
        match self.fold(size)? {
            Folded::Number(size @ 0..) if self.section().is_empty_in_file() => {
                let size = usize::try_from(size)
                    .ok()
                    .filter(|&size| size as u64 <= MOST_BYTES)
                    .ok_or_else(|| {
                        problem(
                            format!("{size} bytes of NOPs are not possible"),
                            "use 0 to 256 MiB",
                        )
                    })?;
                // GNU as leaves room for them, and writes none.
                let length = u64::from(self.stream().length) + size as u64;
                if length > MOST_BYTES {
                    return Err(problem(
                        format!("{size} bytes are more than a section may have (256 MiB)"),
                        "use a smaller count",
                    ));
                }
                self.stream().length += u32::try_from(size).unwrap_or(0);
                self.item(ItemKind::Padding, here, false, origin);
            }
            Folded::Number(..0) => {
                self.warn(
                    origin,
                    "the count is negative: nothing is inserted",
                    "use a positive count",
                );
            }
            // How many there are is known here, and GNU as looks at it at the end all the same.
            folded => {
                let longest = u8::try_from(longest).unwrap_or(0);
                self.stream().piece(
                    PieceKind::Nops(Box::new((folded.into_node(), longest))),
                    origin,
                );
                self.item(ItemKind::Padding, here, true, origin);
            }
        }
        Ok(())
    }
}

fn no_bits() -> Problem {
    problem(
        "a value in a section that has no bytes",
        "only zeros can stand here: use `.data`",
    )
}

fn fits(value: i64, width: u8) -> bool {
    if width >= 8 {
        return true;
    }
    // GNU as is content if the value or its negative fits.
    let end = 1_i64 << (u32::from(width) * 8);
    (1 - end..end).contains(&value)
}
