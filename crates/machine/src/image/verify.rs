//! Each instruction's linked bytes are decoded again before an image may exist.

use assemble::{Code, ItemKind, SectionId};
use iced_x86::{Decoder, DecoderOptions, Instruction};

/// Decodes every instruction of a linked section at its own offset, and compares it with what was
/// assembled there: same opcode and length, so that no relocation has changed an instruction.
/// Data statements are exempt, since real thunks overlap instructions.
///
/// # Errors
/// A sentence for each instruction that does not come back.
pub(crate) fn verify(
    code: &Code,
    section: SectionId,
    linked: &[u8],
    address: u64,
) -> Result<(), Vec<String>> {
    let assembled = &code.sections[section.0 as usize].bytes;
    let items = code
        .items
        .iter()
        .filter(|item| item.section == section && item.kind == ItemKind::Instruction);
    let mut errors = Vec::new();
    for item in items {
        let range = item.offset as usize..(item.offset + item.length) as usize;
        let (Some(before), Some(after)) = (assembled.get(range.clone()), linked.get(range)) else {
            errors.push(format!(
                "an instruction at {:#x} lies outside its section",
                item.offset
            ));
            continue;
        };
        // A prefix alone on its line belongs to the statement behind it.
        if before.iter().all(|byte| is_prefix(*byte)) {
            continue;
        }
        let at = address + u64::from(item.offset);
        let (asked, found) = (decode(before, at), decode(after, at));
        let same = !found.is_invalid()
            && found.len() == after.len()
            && asked.len() == before.len()
            && asked.code() == found.code();
        if !same {
            errors.push(format!(
                "line {}: the linked bytes {after:02x?} do not decode back to the instruction \
                 assembled as {before:02x?}",
                item.line
            ));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

fn decode(bytes: &[u8], address: u64) -> Instruction {
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
}

/// Legacy and REX prefixes.
fn is_prefix(byte: u8) -> bool {
    matches!(
        byte,
        0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use assemble::{Item, Section};

    fn code(bytes: &[u8], items: &[(u32, u32, ItemKind)]) -> Code {
        Code {
            sections: vec![Section {
                name: ".text".to_owned(),
                flags: 6,
                kind: 1,
                align: 1,
                bytes: bytes.to_vec(),
                size: bytes.len() as u64,
                entry_size: 0,
                relocation_order: Vec::new(),
                link: None,
                relocations: Vec::new(),
            }],
            items: items
                .iter()
                .map(|&(offset, length, kind)| Item {
                    section: SectionId(0),
                    offset,
                    length,
                    kind,
                    line: 1,
                    file: 0,
                })
                .collect(),
            ..Code::default()
        }
    }

    #[test]
    fn good_bytes_pass_and_data_is_exempt() {
        // call +0; ret; and a lone 0xff as data.
        let bytes = [0xe8, 0, 0, 0, 0, 0xc3, 0xff];
        let code = code(
            &bytes,
            &[
                (0, 5, ItemKind::Instruction),
                (5, 1, ItemKind::Instruction),
                (6, 1, ItemKind::Data),
            ],
        );
        assert_eq!(verify(&code, SectionId(0), &bytes, 0x1000), Ok(()));
    }

    #[test]
    fn a_changed_opcode_a_wrong_length_and_an_invalid_byte_are_found() {
        let instruction = |length| [(0, length, ItemKind::Instruction)];
        let changed = code(&[0xc3], &instruction(1));
        assert!(verify(&changed, SectionId(0), &[0xcc], 0).is_err());
        let long = code(&[0xc3, 0x90], &instruction(2));
        assert!(verify(&long, SectionId(0), &[0xc3, 0x90], 0).is_err());
        let invalid = code(&[0x06], &instruction(1));
        assert!(verify(&invalid, SectionId(0), &[0x06], 0).is_err());
    }

    #[test]
    fn a_prefix_on_its_own_line_is_no_error() {
        let bytes = [0x2e, 0xc3];
        let code = code(
            &bytes,
            &[(0, 1, ItemKind::Instruction), (1, 1, ItemKind::Instruction)],
        );
        assert_eq!(verify(&code, SectionId(0), &bytes, 0), Ok(()));
    }
}
