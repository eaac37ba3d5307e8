//! Which instruction left a state that it had to restore.
//!
//! The harness sees what is wrong only behind a run. The instructions that can do it are few, so
//! that the text itself tells: where there is one of them, it was that one.

use assemble::{Code, Item, ItemKind};
use iced_x86::{
    Code as Encoding, Decoder, DecoderOptions, Formatter, GasFormatter, Instruction, Mnemonic,
};

use crate::api::{Case, Entry, Failure};
use crate::shared::{Displaced, STAGE_SETUP};

/// Adds the instruction that changed a state to its failure, where there is one.
pub(super) fn add(case: &Case, what: Displaced, failure: &mut Failure) {
    add_where(case, failure, &|instruction| changes(instruction, what));
}

/// Adds the system call that ended the worker to a failure, where there is one.
pub(super) fn add_system_call(case: &Case, failure: &mut Failure) {
    add_where(case, failure, &|instruction| {
        instruction.mnemonic() == Mnemonic::Syscall
    });
}

/// Adds the `sysenter` to a failure, where there is one: the kernel forgets where it stood.
pub(super) fn add_sysenter(case: &Case, failure: &mut Failure) {
    add_where(case, failure, &|instruction| {
        instruction.mnemonic() == Mnemonic::Sysenter
    });
}

/// Adds the return of straight-line code to a failure: of the setup, if that ran, else of the blocks
/// round the body and of a body that is not called.
pub(super) fn add_return(case: &Case, stage: u32, failure: &mut Failure) {
    let inline = case.entry == Entry::Inline;
    let straight = |section: &str| match section {
        ".text.setup" => stage == STAGE_SETUP,
        ".text.before" | ".text.after" => stage != STAGE_SETUP,
        ".text" => stage != STAGE_SETUP && inline,
        _ => false,
    };
    add_among(case, failure, &straight, &|instruction| {
        instruction.mnemonic() == Mnemonic::Ret
    });
}

fn add_where(case: &Case, failure: &mut Failure, which: &dyn Fn(&Instruction) -> bool) {
    add_among(case, failure, &|_| true, which);
}

/// As [`add_where`], of these sections.
fn add_among(
    case: &Case,
    failure: &mut Failure,
    sections: &dyn Fn(&str) -> bool,
    which: &dyn Fn(&Instruction) -> bool,
) {
    let code = &*case.code;
    let mut found = code
        .items
        .iter()
        .filter(|item| item.kind == ItemKind::Instruction)
        .filter(|item| sections(&code.sections[item.section.0 as usize].name))
        .filter_map(|item| Some((item, instruction(code, item)?)))
        .filter(|(_, instruction)| which(instruction));
    let Some(first) = found.next() else {
        return;
    };
    let (perhaps, (item, instruction)) = match found.last() {
        // It is the last that counts, unless a branch passes it over.
        Some(last) => ("perhaps ", last),
        None => ("", first),
    };
    let mut text = String::new();
    GasFormatter::new().format(&instruction, &mut text);
    let line = (item.line > 0).then_some(item.line);
    let place = line
        .map(|line| format!(" at line {line}"))
        .unwrap_or_default();
    failure
        .message
        .push_str(&format!(", {perhaps}by `{text}`{place}"));
    if code.sections[item.section.0 as usize].name == ".text" {
        failure.ip = Some(u64::from(item.offset));
    }
    failure.line = line;
    failure.file = code.files.get(item.file as usize).cloned();
    failure.instruction = Some(text);
}

fn instruction(code: &Code, item: &Item) -> Option<Instruction> {
    let section = code.sections.get(item.section.0 as usize)?;
    let start = item.offset as usize;
    let bytes = section
        .bytes
        .get(start..start.checked_add(item.length as usize)?)?;
    let decoded = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
    (!decoded.is_invalid()).then_some(decoded)
}

/// Whether an instruction can leave this otherwise than it was.
fn changes(instruction: &Instruction, what: Displaced) -> bool {
    use Mnemonic as M;
    let mnemonic = instruction.mnemonic();
    let restores_all = matches!(
        mnemonic,
        M::Fxrstor | M::Fxrstor64 | M::Xrstor | M::Xrstor64
    );
    match what {
        Displaced::Flags => matches!(
            mnemonic,
            M::Std | M::Stac | M::Popf | M::Popfd | M::Popfq | M::Iret | M::Iretd | M::Iretq
        ),
        Displaced::Mxcsr => restores_all || matches!(mnemonic, M::Ldmxcsr | M::Vldmxcsr),
        Displaced::X87 => {
            restores_all
                || matches!(
                    mnemonic,
                    M::Fldcw | M::Fldenv | M::Frstor | M::Fninit | M::Finit
                )
        }
        Displaced::X87Status => {
            restores_all || instruction.fpu_stack_increment_info().increment() < 0
        }
        Displaced::Fs => mnemonic == M::Wrfsbase || instruction.code() == Encoding::Mov_Sreg_rm16,
        Displaced::Gs => mnemonic == M::Wrgsbase || instruction.code() == Encoding::Mov_Sreg_rm16,
        Displaced::Rsp | Displaced::Guard | Displaced::Results => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Instruction {
        Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode()
    }

    #[test]
    fn each_state_has_its_instructions() {
        let std = decode(&[0xfd]);
        let popf = decode(&[0x9d]);
        let fld1 = decode(&[0xd9, 0xe8]);
        let wrfsbase = decode(&[0xf3, 0x48, 0x0f, 0xae, 0xd0]);
        let nop = decode(&[0x90]);
        for (instruction, what) in [
            (&std, Displaced::Flags),
            (&popf, Displaced::Flags),
            (&fld1, Displaced::X87Status),
            (&wrfsbase, Displaced::Fs),
        ] {
            assert!(changes(instruction, what), "{instruction} {what:?}");
            assert!(!changes(&nop, what), "{what:?}");
            assert!(!changes(instruction, Displaced::Guard), "{instruction}");
        }
        assert!(!changes(&wrfsbase, Displaced::Gs));
    }
}
