//! What an instruction does to the flow of control, and to single-stepping itself.

use iced_x86::{
    Code, ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind,
    Register,
};

/// RFLAGS bits that conditions read.
const CF: u64 = 1 << 0;
const PF: u64 = 1 << 2;
const ZF: u64 = 1 << 6;
const SF: u64 = 1 << 7;
const OF: u64 = 1 << 11;

/// The trap flag, by which the kernel steps.
pub(super) const TF: u64 = 1 << 8;

/// Registers that a branch may depend on, as they are before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Before {
    pub(super) flags: u64,
    pub(super) rcx: u64,
}

/// Decodes the instruction at this address; `None` if the bytes are none.
pub(super) fn decode(bytes: &[u8], ip: u64) -> Option<Instruction> {
    let instruction = Decoder::with_ip(64, bytes, ip, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// What a branch did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// It jumped.
    Jump,
    /// It called.
    Call,
    /// It returned.
    Return,
    /// Its condition did not hold.
    NotTaken,
}

/// How the instruction branched; `None` if it is no branch. Calls, returns and unconditional jumps
/// are taken wherever they go; system calls and interrupts are no branches.
pub(super) fn branch(instruction: &Instruction, before: Before, next_ip: u64) -> Option<Branch> {
    match instruction.flow_control() {
        FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => Some(Branch::Jump),
        FlowControl::IndirectCall => Some(Branch::Call),
        FlowControl::Return => Some(Branch::Return),
        FlowControl::Call => (!is_system_call(instruction)).then_some(Branch::Call),
        FlowControl::ConditionalBranch => {
            // A branch to the instruction behind it is taken or not all the same: only the
            // condition tells.
            let taken = if instruction.near_branch_target() == instruction.next_ip() {
                condition(instruction, before)
            } else {
                next_ip != instruction.next_ip()
            };
            Some(if taken {
                Branch::Jump
            } else {
                Branch::NotTaken
            })
        }
        FlowControl::Next
        | FlowControl::Interrupt
        | FlowControl::XbeginXabortXend
        | FlowControl::Exception => None,
    }
}

/// Whether it enters the kernel by a system call, which returns to the next instruction.
pub(super) fn is_system_call(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Syscall | Mnemonic::Sysenter
    )
}

/// Whether it stops once per iteration although it retires once.
pub(super) fn repeats(instruction: &Instruction) -> bool {
    instruction.is_string_instruction()
        && (instruction.has_rep_prefix() || instruction.has_repne_prefix())
}

/// Whether the CPU holds the trap back until after the next instruction: it does behind a load of
/// SS, so that a stack pointer can be loaded next to it.
pub(super) fn hides_next_step(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Mov | Mnemonic::Pop)
        && instruction.op_count() > 0
        && instruction.op0_kind() == OpKind::Register
        && instruction.op0_register() == Register::SS
}

/// Whether it pushes RFLAGS, and with them the trap flag that stepping set.
pub(super) fn pushes_flags(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Pushf | Mnemonic::Pushfq)
}

/// Whether it raises SIGTRAP by itself.
pub(super) fn traps(instruction: &Instruction) -> bool {
    matches!(instruction.code(), Code::Int3 | Code::Int1)
        || (instruction.code() == Code::Int_imm8 && instruction.immediate8() == 3)
}

fn condition(instruction: &Instruction, before: Before) -> bool {
    let flag = |bit: u64| before.flags & bit != 0;
    let holds = match instruction.condition_code() {
        ConditionCode::None => true,
        ConditionCode::o => flag(OF),
        ConditionCode::no => !flag(OF),
        ConditionCode::b => flag(CF),
        ConditionCode::ae => !flag(CF),
        ConditionCode::e => flag(ZF),
        ConditionCode::ne => !flag(ZF),
        ConditionCode::be => flag(CF) || flag(ZF),
        ConditionCode::a => !flag(CF) && !flag(ZF),
        ConditionCode::s => flag(SF),
        ConditionCode::ns => !flag(SF),
        ConditionCode::p => flag(PF),
        ConditionCode::np => !flag(PF),
        ConditionCode::l => flag(SF) != flag(OF),
        ConditionCode::ge => flag(SF) == flag(OF),
        ConditionCode::le => flag(ZF) || flag(SF) != flag(OF),
        ConditionCode::g => !flag(ZF) && flag(SF) == flag(OF),
    };
    // With a 67 prefix the counter is ECX.
    let counter = match instruction.code() {
        Code::Jecxz_rel8_64
        | Code::Loop_rel8_64_ECX
        | Code::Loope_rel8_64_ECX
        | Code::Loopne_rel8_64_ECX => before.rcx & 0xffff_ffff,
        _ => before.rcx,
    };
    match instruction.mnemonic() {
        Mnemonic::Jrcxz | Mnemonic::Jecxz | Mnemonic::Jcxz => counter == 0,
        // The counter is decremented first; the loop goes on unless it is then zero.
        Mnemonic::Loop | Mnemonic::Loope | Mnemonic::Loopne => counter != 1 && holds,
        _ => holds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IP: u64 = 0x1000;

    fn instruction(bytes: &[u8]) -> Instruction {
        decode(bytes, IP).expect("an instruction")
    }

    /// Whether it branched, coming from these flags and this counter, if the next instruction
    /// executed lies this far from its own start.
    fn check(bytes: &[u8], flags: u64, rcx: u64, distance: u64, expected: bool) {
        let found = branch(&instruction(bytes), Before { flags, rcx }, IP + distance);
        let taken = found.is_some_and(|branch| branch != Branch::NotTaken);
        assert_eq!(taken, expected, "{bytes:x?} flags {flags:x} rcx {rcx}");
    }

    #[test]
    fn branches_are_told_apart() {
        let kind = |bytes: &[u8], distance: u64| {
            let before = Before { flags: 0, rcx: 0 };
            branch(&instruction(bytes), before, IP + distance)
        };
        assert_eq!(kind(&[0xe8, 0, 0, 0, 0], 5), Some(Branch::Call));
        assert_eq!(kind(&[0xff, 0xd0], 0x80), Some(Branch::Call));
        assert_eq!(kind(&[0xc3], 0x80), Some(Branch::Return));
        assert_eq!(kind(&[0x48, 0xcf], 0x80), Some(Branch::Return));
        assert_eq!(kind(&[0x48, 0xcb], 0x80), Some(Branch::Return));
        assert_eq!(kind(&[0xeb, 0x10], 0x12), Some(Branch::Jump));
        assert_eq!(kind(&[0x75, 0x10], 0x12), Some(Branch::Jump));
        assert_eq!(kind(&[0x74, 0x10], 2), Some(Branch::NotTaken));
        assert_eq!(kind(&[0x90], 1), None);
        assert_eq!(kind(&[0x0f, 0x05], 2), None);
    }

    #[test]
    fn calls_jumps_and_returns_are_taken_wherever_they_go() {
        check(&[0xe8, 0, 0, 0, 0], 0, 0, 5, true);
        check(&[0xeb, 0], 0, 0, 2, true);
        check(&[0xff, 0xe0], 0, 0, 0x100, true);
        check(&[0xff, 0xd0], 0, 0, 2, true);
        check(&[0xc3], 0, 0, 1, true);
        check(&[0x48, 0xcf], 0, 0, 2, true);
    }

    #[test]
    fn entering_the_kernel_is_no_branch() {
        check(&[0x0f, 0x05], 0, 0, 2, false);
        check(&[0xcd, 0x80], 0, 0, 2, false);
    }

    #[test]
    fn a_conditional_branch_is_taken_if_it_left_the_path() {
        check(&[0x75, 0x10], 0, 0, 0x12, true);
        check(&[0x75, 0x10], ZF, 0, 2, false);
    }

    #[test]
    fn a_branch_to_the_next_instruction_is_told_by_its_condition() {
        check(&[0x75, 0], 0, 0, 2, true);
        check(&[0x75, 0], ZF, 0, 2, false);
        check(&[0x72, 0], CF, 0, 2, true);
        check(&[0x76, 0], ZF, 0, 2, true);
        check(&[0x77, 0], 0, 0, 2, true);
        check(&[0x77, 0], CF, 0, 2, false);
        check(&[0x7c, 0], SF, 0, 2, true);
        check(&[0x7c, 0], SF | OF, 0, 2, false);
        check(&[0x7f, 0], SF | OF, 0, 2, true);
        check(&[0x7f, 0], SF | OF | ZF, 0, 2, false);
        check(&[0x7a, 0], PF, 0, 2, true);
        check(&[0x70, 0], OF, 0, 2, true);
        check(&[0x78, 0], SF, 0, 2, true);
        // jrcxz, loop, loopne, and loop on ECX.
        check(&[0xe3, 0], 0, 0, 2, true);
        check(&[0xe3, 0], 0, 1, 2, false);
        check(&[0xe2, 0], 0, 2, 2, true);
        check(&[0xe2, 0], 0, 1, 2, false);
        check(&[0xe0, 0], ZF, 2, 2, false);
        check(&[0x67, 0xe2, 0], 0, 0x1_0000_0001, 3, false);
    }

    #[test]
    fn oddities_of_stepping_are_recognized() {
        assert!(repeats(&instruction(&[0xf3, 0xa4])));
        assert!(repeats(&instruction(&[0xf2, 0xae])));
        assert!(!repeats(&instruction(&[0xa4])));
        // `repz ret` and `pause` carry the same prefix.
        assert!(!repeats(&instruction(&[0xf3, 0xc3])));
        assert!(!repeats(&instruction(&[0xf3, 0x90])));
        assert!(hides_next_step(&instruction(&[0x8e, 0xd0])));
        assert!(!hides_next_step(&instruction(&[0x8e, 0xd8])));
        assert!(!hides_next_step(&instruction(&[0x8c, 0xd0])));
        assert!(pushes_flags(&instruction(&[0x9c])));
        assert!(traps(&instruction(&[0xcc])));
        assert!(traps(&instruction(&[0xcd, 0x03])));
        assert!(!traps(&instruction(&[0xcd, 0x80])));
        assert!(decode(&[0x06], IP).is_none());
        assert!(decode(&[], IP).is_none());
    }
}
