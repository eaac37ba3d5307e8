//! Branches that cross or end at a 32-byte boundary.
//!
//! On Skylake and its relatives, microcode for the JCC erratum (SKX102) keeps such branches out
//! of the decoded µop cache. A compare and the jump that it fuses with count as one.

use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, OpKind};

/// Where a branch lies with respect to a 32-byte boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// It has bytes on both sides.
    Crosses {
        /// Whether it starts with the compare before it, which it fuses with.
        fused: bool,
    },
    /// Its last byte is the last one before the boundary.
    EndsAt {
        /// Whether it starts with the compare before it, which it fuses with.
        fused: bool,
    },
}

impl std::fmt::Display for Boundary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (verb, fused) = match self {
            Self::Crosses { fused } => ("crosses", fused),
            Self::EndsAt { fused } => ("ends at", fused),
        };
        let what = if *fused { "fused branch" } else { "branch" };
        write!(f, "{what} {verb} a 32-byte boundary")
    }
}

/// Bytes between boundaries.
const LINE: u64 = 32;

/// Whether the erratum concerns an instruction: all branches but far ones and interrupts.
fn is_branch(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch
            | FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Call
            | FlowControl::IndirectCall
            | FlowControl::Return
    ) && !instruction.is_call_far()
        && !instruction.is_call_far_indirect()
        && !instruction.is_jmp_far()
        && !instruction.is_jmp_far_indirect()
        && !matches!(
            instruction.mnemonic(),
            Mnemonic::Syscall
                | Mnemonic::Sysenter
                | Mnemonic::Sysret
                | Mnemonic::Sysexit
                | Mnemonic::Sysretq
                | Mnemonic::Sysexitq
                | Mnemonic::Iret
                | Mnemonic::Iretd
                | Mnemonic::Iretq
                | Mnemonic::Retf
        )
}

/// Whether `first` and the conditional jump after it become one µop (Sandy Bridge and later).
fn fuses(first: &Instruction, jump: &Instruction) -> bool {
    if !jump.is_jcc_short_or_near() {
        return false;
    }
    let immediate = (0..first.op_count())
        .any(|operand| !matches!(first.op_kind(operand), OpKind::Register | OpKind::Memory));
    if immediate && first.is_ip_rel_memory_operand() {
        return false;
    }
    let writes_memory = first.op_count() > 0 && first.op0_kind() == OpKind::Memory;
    let condition = jump.condition_code();
    let of_carry = matches!(
        condition,
        ConditionCode::b | ConditionCode::ae | ConditionCode::be | ConditionCode::a
    );
    let of_sign = matches!(
        condition,
        ConditionCode::s
            | ConditionCode::ns
            | ConditionCode::o
            | ConditionCode::no
            | ConditionCode::p
            | ConditionCode::np
    );
    match first.mnemonic() {
        Mnemonic::Test => !(immediate && writes_memory && first.is_ip_rel_memory_operand()),
        Mnemonic::And => !writes_memory,
        Mnemonic::Cmp => !(of_sign || immediate && writes_memory),
        Mnemonic::Add | Mnemonic::Sub => !of_sign && !writes_memory,
        Mnemonic::Inc | Mnemonic::Dec => !of_sign && !of_carry && !writes_memory,
        _ => false,
    }
}

/// Where an instruction lies, `before` being the one right before it, in code that is placed so many
/// bytes behind a boundary.
pub(crate) fn boundary(
    before: Option<&Instruction>,
    instruction: &Instruction,
    placed: u64,
) -> Option<Boundary> {
    if !is_branch(instruction) {
        return None;
    }
    let first =
        before.filter(|before| before.next_ip() == instruction.ip() && fuses(before, instruction));
    let start = placed + first.map_or(instruction.ip(), Instruction::ip);
    let end = placed + instruction.next_ip();
    let fused = first.is_some();
    if start / LINE != (end - 1) / LINE {
        Some(Boundary::Crosses { fused })
    } else if end.is_multiple_of(LINE) {
        Some(Boundary::EndsAt { fused })
    } else {
        None
    }
}
