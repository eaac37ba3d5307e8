//! Whether bytes decode back to the instructions that they are said to be.

use iced_x86::{Code as Op, Decoder, DecoderOptions, Instruction};

use crate::code::{Code, Item, ItemKind};
use crate::forms::Form;

/// Decodings that are off by default because the opcodes mean something else on old CPUs.
const OPTIONS: u32 = DecoderOptions::MPX
    | DecoderOptions::MOV_TR
    | DecoderOptions::PCOMMIT
    | DecoderOptions::CL1INVMB;

/// The first instruction of some bytes at an address.
pub(crate) fn decode(bytes: &[u8], address: u64) -> (Instruction, Decoder<'_>) {
    let mut decoder = Decoder::with_ip(64, bytes, address, OPTIONS);
    let mut instruction = decoder.decode();
    if instruction.is_invalid() {
        // 0f 1a and 0f 1b are NOPs where MPX's rules on addresses do not hold.
        decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
        instruction = decoder.decode();
    }
    (instruction, decoder)
}

/// Whether `bytes` are one instruction of this form, its prefixes included. Several forms of one mnemonic may share an
/// encoding (`sldt %eax` and `sldt %ax` with a prefix), so that the mnemonic is what counts.
pub(crate) fn is_form(bytes: &[u8], form: &Form) -> bool {
    let (mut instruction, _) = decode(bytes, 0);
    if instruction.is_invalid() {
        // `mov %eax,%cs` and the like: GNU as writes them, and the CPU refuses them.
        instruction =
            Decoder::with_ip(64, bytes, 0, DecoderOptions::NO_INVALID_CHECK | OPTIONS).decode();
    }
    if form.operand_size == 16 && instruction.code() != form.code {
        // `callw` has two bytes of distance on AMD's CPUs alone.
        instruction = Decoder::with_ip(64, bytes, 0, DecoderOptions::AMD | OPTIONS).decode();
    }
    let length = instruction.len();
    let same = instruction.code() == form.code
        || instruction.mnemonic() == form.code.mnemonic()
        // 90 is a NOP and `xchg %eax,%eax` both, and with f3 it is `pause`.
        || matches!(instruction.code(), Op::Nopw | Op::Nopd | Op::Nopq | Op::Pause)
        // `9b` before an x87 instruction makes another one of it, and is one by itself.
        || instruction.code() == Op::Wait;
    same && (length == bytes.len() || instruction.code() == Op::Wait || form.fwait)
}

/// An item whose bytes are not one instruction of its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// The item.
    pub item: Item,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Bytes that the decoder took, 0 where they are no instruction at all.
    pub decoded: usize,
}

impl Code {
    /// Checks that each [`ItemKind::Instruction`] decodes, at its own offset, to one instruction of
    /// exactly its length, and each [`ItemKind::Padding`] to NOPs.
    ///
    /// # Errors
    /// The items that do not. Data statements are exempt: real thunks overlap instructions.
    pub fn verify(&self) -> Result<(), Vec<Undecodable>> {
        let mut wrong = Vec::new();
        for item in &self.items {
            if !matches!(item.kind, ItemKind::Instruction | ItemKind::Padding) {
                continue;
            }
            let bytes = self.bytes_of(item);
            let mut rest = bytes;
            let mut offset = u64::from(item.offset);
            while !rest.is_empty() {
                let (instruction, _) = decode(rest, offset);
                let length = instruction.len();
                let one = item.kind == ItemKind::Padding
                    || length == rest.len()
                    // `9b d9 3e` is one line, `fstcw (%rsi)`, and two instructions.
                    || (instruction.code() == Op::Wait && rest.len() == bytes.len());
                if instruction.is_invalid() || length == 0 || length > rest.len() || !one {
                    wrong.push(Undecodable {
                        item: *item,
                        bytes: bytes.to_vec(),
                        decoded: if instruction.is_invalid() { 0 } else { length },
                    });
                    break;
                }
                rest = &rest[length..];
                offset += length as u64;
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// The bytes of an item; empty in a section without bytes.
    #[must_use]
    pub fn bytes_of(&self, item: &Item) -> &[u8] {
        let start = item.offset as usize;
        self.sections
            .get(item.section.0 as usize)
            .and_then(|section| section.bytes.get(start..start + item.length as usize))
            .unwrap_or_default()
    }
}
