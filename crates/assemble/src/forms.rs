//! Instruction forms: iced-x86's op-code tables, brought into a shape that matches fast.
//!
//! Each operand slot of a form is a set of operand types as bits, and so is each operand as
//! written: an operand fits where the two sets meet.

use std::sync::LazyLock;

use iced_x86::{Code, EncodingKind, MandatoryPrefix, OpCodeInfo, OpCodeOperandKind as Kind};
use iced_x86::{OpCodeTableKind, TupleType};

/// Operand types, one bit each.
pub(crate) mod types {
    pub(crate) const R8: u64 = 1;
    pub(crate) const R8_HIGH: u64 = 1 << 1;
    pub(crate) const R16: u64 = 1 << 2;
    pub(crate) const R32: u64 = 1 << 3;
    pub(crate) const R64: u64 = 1 << 4;
    pub(crate) const SEGMENT: u64 = 1 << 5;
    pub(crate) const CONTROL: u64 = 1 << 6;
    pub(crate) const DEBUG: u64 = 1 << 7;
    pub(crate) const TEST: u64 = 1 << 8;
    pub(crate) const ST: u64 = 1 << 9;
    pub(crate) const MM: u64 = 1 << 10;
    /// Registers 0 to 15; those above fit only EVEX.
    pub(crate) const XMM: u64 = 1 << 11;
    pub(crate) const YMM: u64 = 1 << 12;
    pub(crate) const ZMM: u64 = 1 << 13;
    pub(crate) const XMM_UPPER: u64 = 1 << 14;
    pub(crate) const YMM_UPPER: u64 = 1 << 15;
    pub(crate) const TMM: u64 = 1 << 16;
    pub(crate) const MASK: u64 = 1 << 17;
    pub(crate) const BND: u64 = 1 << 18;
    pub(crate) const AL: u64 = 1 << 19;
    pub(crate) const CL: u64 = 1 << 20;
    pub(crate) const AX: u64 = 1 << 21;
    pub(crate) const DX: u64 = 1 << 22;
    pub(crate) const EAX: u64 = 1 << 23;
    pub(crate) const RAX: u64 = 1 << 24;
    pub(crate) const ST0: u64 = 1 << 25;
    pub(crate) const ES: u64 = 1 << 26;
    pub(crate) const FS: u64 = 1 << 30;
    pub(crate) const GS: u64 = 1 << 31;
    pub(crate) const MEMORY: u64 = 1 << 32;
    /// Memory that is only a displacement.
    pub(crate) const BARE: u64 = 1 << 33;
    pub(crate) const VSIB_X: u64 = 1 << 34;
    pub(crate) const VSIB_Y: u64 = 1 << 35;
    pub(crate) const VSIB_Z: u64 = 1 << 36;
    pub(crate) const STRING_SI: u64 = 1 << 37;
    pub(crate) const STRING_DI: u64 = 1 << 38;
    pub(crate) const XLAT: u64 = 1 << 39;
    /// A bare expression without `*`: where a jump goes.
    pub(crate) const TARGET: u64 = 1 << 40;
    pub(crate) const ONE: u64 = 1 << 41;
    pub(crate) const IMM4: u64 = 1 << 42;
    pub(crate) const IMM8: u64 = 1 << 43;
    pub(crate) const IMM8S: u64 = 1 << 44;
    pub(crate) const IMM16: u64 = 1 << 45;
    pub(crate) const IMM32: u64 = 1 << 46;
    pub(crate) const IMM32S: u64 = 1 << 47;
    pub(crate) const IMM64: u64 = 1 << 48;
    pub(crate) const XMM0: u64 = 1 << 49;
    /// `rcx` or a part of it, where the opcode fixes that.
    pub(crate) const ANY_C: u64 = 1 << 50;
    /// `rdx` or a part of it of two bytes or more.
    pub(crate) const ANY_D: u64 = 1 << 51;
    /// `rbx` or a part of it.
    pub(crate) const ANY_B: u64 = 1 << 52;
    /// Far pointers of two immediates do not exist in 64-bit code.
    pub(crate) const NEVER: u64 = 0;

    pub(crate) const ANY_GPR: u64 = R8 | R8_HIGH | R16 | R32 | R64;
    pub(crate) const ANY_VECTOR: u64 = XMM | YMM | ZMM | XMM_UPPER | YMM_UPPER;
    pub(crate) const ANY_IMMEDIATE: u64 =
        ONE | IMM4 | IMM8 | IMM8S | IMM16 | IMM32 | IMM32S | IMM64;
}

use types::*;

/// Which field of the encoding an operand goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// ModRM.reg
    Reg,
    /// ModRM.rm, register or memory.
    Rm,
    /// Low three bits of the opcode.
    Opcode,
    /// vvvv
    Vvvv,
    /// High four bits of the last immediate.
    Is4,
    /// Low four bits of the same byte.
    M2z,
    /// An immediate of this many bytes.
    Immediate(u8),
    /// An immediate of four bytes that the CPU extends to eight.
    Immediate32S,
    /// A distance of this many bytes.
    Relative(u8),
    /// An address of eight (or four) bytes.
    Offset,
    /// Fixed by the opcode: nothing to encode.
    Implied,
    /// Memory that the opcode fixes: only its segment and address size are encoded.
    ImpliedMemory,
}

/// Encoding space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Space {
    /// Legacy prefixes and maps.
    Legacy,
    /// VEX
    Vex,
    /// EVEX
    Evex,
    /// XOP
    Xop,
    /// 3DNow!: the opcode is a last byte.
    D3Now,
}

/// Most operands of a form.
pub(crate) const MOST_OPERANDS: usize = 5;

/// One form of one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// iced-x86's name of it.
    pub(crate) code: Code,
    /// Encoding space.
    pub(crate) space: Space,
    /// Map: 0 to 3 legacy, 1 to 6 VEX and EVEX, 8 to 10 XOP.
    pub(crate) map: u8,
    /// Mandatory prefix: 0, 0x66, 0xf3, 0xf2.
    pub(crate) prefix: u8,
    /// Opcode; the low byte comes last.
    pub(crate) opcode: u16,
    /// 1 or 2 bytes.
    pub(crate) opcode_length: u8,
    /// ModRM.reg where it belongs to the opcode, else -1.
    pub(crate) group: i8,
    /// ModRM.rm where it belongs to the opcode, else -1.
    pub(crate) rm_group: i8,
    /// 16, 32, 64, or 0 where the operand size has no part in it.
    pub(crate) operand_size: u8,
    /// 16, 32, 64, or 0.
    pub(crate) address_size: u8,
    /// Whether 64 bits need no REX.W.
    pub(crate) default64: bool,
    /// `9b` first.
    pub(crate) fwait: bool,
    /// W of VEX, EVEX, XOP.
    pub(crate) w: u8,
    /// Whether W has no part in it.
    pub(crate) wig: bool,
    /// L: 0, 1, 2 for 128, 256, 512.
    pub(crate) l: u8,
    /// Whether L has no part in it.
    pub(crate) lig: bool,
    /// Bytes that an EVEX displacement counts in, without and with broadcast.
    pub(crate) disp8: [u8; 2],
    /// Memory size in bytes, 0 where there is none or it is not fixed.
    pub(crate) memory: u16,
    /// Elements of a broadcast, 0 where there is none.
    pub(crate) broadcast: u8,
    /// `{k1}`
    pub(crate) masking: bool,
    /// `{k1}` is needed.
    pub(crate) mask_required: bool,
    /// `{z}`
    pub(crate) zeroing: bool,
    /// `{rn-sae}`
    pub(crate) rounding: bool,
    /// `{sae}`
    pub(crate) sae: bool,
    /// Number of operands.
    pub(crate) count: u8,
    /// Types that each operand may have, in Intel's order.
    pub(crate) accepts: [u64; MOST_OPERANDS],
    /// Where each goes.
    pub(crate) slots: [Slot; MOST_OPERANDS],
}

impl Form {
    /// The operands' types, in Intel's order.
    pub(crate) fn accepts(&self) -> &[u64] {
        &self.accepts[..usize::from(self.count)]
    }

    /// The operands' fields, in Intel's order.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots[..usize::from(self.count)]
    }

    /// Whether operand `index` can be memory.
    pub(crate) fn takes_memory(&self) -> bool {
        self.accepts()
            .iter()
            .any(|accepts| accepts & (MEMORY | VSIB_X | VSIB_Y | VSIB_Z) != 0)
    }
}

fn slot(kind: Kind, evex: bool) -> (u64, Slot) {
    let xmm = XMM | if evex { XMM_UPPER } else { 0 };
    let ymm = YMM | if evex { YMM_UPPER } else { 0 };
    match kind {
        Kind::farbr2_2 | Kind::farbr4_2 => (NEVER, Slot::Implied),
        Kind::mem_offs => (BARE, Slot::Offset),
        Kind::mem | Kind::mem_mpx | Kind::mem_mib | Kind::sibmem => (MEMORY, Slot::Rm),
        Kind::mem_vsib32x | Kind::mem_vsib64x => (VSIB_X, Slot::Rm),
        Kind::mem_vsib32y | Kind::mem_vsib64y => (VSIB_Y, Slot::Rm),
        Kind::mem_vsib32z | Kind::mem_vsib64z => (VSIB_Z, Slot::Rm),
        Kind::r8_or_mem => (R8 | R8_HIGH | MEMORY, Slot::Rm),
        Kind::r16_or_mem => (R16 | MEMORY, Slot::Rm),
        Kind::r32_or_mem | Kind::r32_or_mem_mpx => (R32 | MEMORY, Slot::Rm),
        Kind::r64_or_mem | Kind::r64_or_mem_mpx => (R64 | MEMORY, Slot::Rm),
        Kind::mm_or_mem => (MM | MEMORY, Slot::Rm),
        Kind::xmm_or_mem => (xmm | MEMORY, Slot::Rm),
        Kind::ymm_or_mem => (ymm | MEMORY, Slot::Rm),
        Kind::zmm_or_mem => (ZMM | MEMORY, Slot::Rm),
        Kind::bnd_or_mem_mpx => (BND | MEMORY, Slot::Rm),
        Kind::k_or_mem => (MASK | MEMORY, Slot::Rm),
        Kind::r8_reg => (R8 | R8_HIGH, Slot::Reg),
        Kind::r8_opcode => (R8 | R8_HIGH, Slot::Opcode),
        Kind::r16_reg | Kind::r16_reg_mem => (R16, Slot::Reg),
        Kind::r16_rm => (R16, Slot::Rm),
        Kind::r16_opcode => (R16, Slot::Opcode),
        Kind::r32_reg | Kind::r32_reg_mem => (R32, Slot::Reg),
        Kind::r32_rm => (R32, Slot::Rm),
        Kind::r32_opcode => (R32, Slot::Opcode),
        Kind::r32_vvvv => (R32, Slot::Vvvv),
        Kind::r64_reg | Kind::r64_reg_mem => (R64, Slot::Reg),
        Kind::r64_rm => (R64, Slot::Rm),
        Kind::r64_opcode => (R64, Slot::Opcode),
        Kind::r64_vvvv => (R64, Slot::Vvvv),
        Kind::seg_reg => (SEGMENT, Slot::Reg),
        Kind::k_reg | Kind::kp1_reg => (MASK, Slot::Reg),
        Kind::k_rm => (MASK, Slot::Rm),
        Kind::k_vvvv => (MASK, Slot::Vvvv),
        Kind::mm_reg => (MM, Slot::Reg),
        Kind::mm_rm => (MM, Slot::Rm),
        Kind::xmm_reg => (xmm, Slot::Reg),
        Kind::xmm_rm => (xmm, Slot::Rm),
        Kind::xmm_vvvv | Kind::xmmp3_vvvv => (xmm, Slot::Vvvv),
        Kind::xmm_is4 | Kind::xmm_is5 => (xmm, Slot::Is4),
        Kind::ymm_reg => (ymm, Slot::Reg),
        Kind::ymm_rm => (ymm, Slot::Rm),
        Kind::ymm_vvvv => (ymm, Slot::Vvvv),
        Kind::ymm_is4 | Kind::ymm_is5 => (ymm, Slot::Is4),
        Kind::zmm_reg => (ZMM, Slot::Reg),
        Kind::zmm_rm => (ZMM, Slot::Rm),
        Kind::zmm_vvvv | Kind::zmmp3_vvvv => (ZMM, Slot::Vvvv),
        Kind::cr_reg => (CONTROL, Slot::Reg),
        Kind::dr_reg => (DEBUG, Slot::Reg),
        Kind::tr_reg => (TEST, Slot::Reg),
        Kind::bnd_reg => (BND, Slot::Reg),
        Kind::es | Kind::cs | Kind::ss | Kind::ds => (NEVER, Slot::Implied),
        Kind::fs => (FS, Slot::Implied),
        Kind::gs => (GS, Slot::Implied),
        Kind::al => (AL, Slot::Implied),
        Kind::cl => (CL, Slot::Implied),
        Kind::ax => (AX, Slot::Implied),
        Kind::dx => (DX, Slot::Implied),
        Kind::eax => (EAX, Slot::Implied),
        Kind::rax => (RAX, Slot::Implied),
        Kind::st0 => (ST0, Slot::Implied),
        Kind::sti_opcode => (ST, Slot::Opcode),
        Kind::imm4_m2z => (IMM4, Slot::M2z),
        Kind::imm8 => (IMM8, Slot::Immediate(1)),
        Kind::imm8_const_1 => (ONE, Slot::Implied),
        Kind::imm8sex16 | Kind::imm8sex32 | Kind::imm8sex64 => (IMM8S, Slot::Immediate(1)),
        Kind::imm16 => (IMM16, Slot::Immediate(2)),
        Kind::imm32 => (IMM32, Slot::Immediate(4)),
        Kind::imm32sex64 => (IMM32S, Slot::Immediate32S),
        Kind::imm64 => (IMM64, Slot::Immediate(8)),
        Kind::seg_rSI => (STRING_SI, Slot::ImpliedMemory),
        Kind::es_rDI | Kind::seg_rDI => (STRING_DI, Slot::ImpliedMemory),
        Kind::seg_rBX_al => (XLAT, Slot::ImpliedMemory),
        Kind::br16_1 | Kind::br32_1 | Kind::br64_1 => (TARGET, Slot::Relative(1)),
        Kind::br16_2 | Kind::xbegin_2 | Kind::brdisp_2 => (TARGET, Slot::Relative(2)),
        Kind::br32_4 | Kind::br64_4 | Kind::xbegin_4 | Kind::brdisp_4 => {
            (TARGET, Slot::Relative(4))
        }
        Kind::tmm_reg => (TMM, Slot::Reg),
        Kind::tmm_rm => (TMM, Slot::Rm),
        Kind::tmm_vvvv => (TMM, Slot::Vvvv),
        _ => (NEVER, Slot::Implied),
    }
}

/// What an EVEX displacement of one byte counts in, without and with broadcast.
fn tuple(tuple: TupleType) -> [u8; 2] {
    match tuple {
        TupleType::N2 => [2, 2],
        TupleType::N4 => [4, 4],
        TupleType::N8 => [8, 8],
        TupleType::N16 => [16, 16],
        TupleType::N32 => [32, 32],
        TupleType::N64 => [64, 64],
        TupleType::N8b4 => [8, 4],
        TupleType::N16b4 => [16, 4],
        TupleType::N32b4 => [32, 4],
        TupleType::N64b4 => [64, 4],
        TupleType::N16b8 => [16, 8],
        TupleType::N32b8 => [32, 8],
        TupleType::N64b8 => [64, 8],
        TupleType::N4b2 => [4, 2],
        TupleType::N8b2 => [8, 2],
        TupleType::N16b2 => [16, 2],
        TupleType::N32b2 => [32, 2],
        TupleType::N64b2 => [64, 2],
        _ => [1, 1],
    }
}

fn form(code: Code, info: &OpCodeInfo) -> Option<Form> {
    // Decoders take it on request only: CPUs of today read a ModRM byte behind it.
    if code == Code::Ud0 {
        return None;
    }
    let space = match info.encoding() {
        EncodingKind::Legacy => Space::Legacy,
        EncodingKind::VEX => Space::Vex,
        EncodingKind::EVEX => Space::Evex,
        EncodingKind::XOP => Space::Xop,
        EncodingKind::D3NOW => Space::D3Now,
        _ => return None,
    };
    let map = match info.table() {
        OpCodeTableKind::Normal => 0,
        OpCodeTableKind::T0F => 1,
        OpCodeTableKind::T0F38 => 2,
        OpCodeTableKind::T0F3A => 3,
        OpCodeTableKind::MAP5 => 5,
        OpCodeTableKind::MAP6 => 6,
        OpCodeTableKind::MAP8 => 8,
        OpCodeTableKind::MAP9 => 9,
        OpCodeTableKind::MAP10 => 10,
        _ => return None,
    };
    let prefix = match info.mandatory_prefix() {
        MandatoryPrefix::None | MandatoryPrefix::PNP => 0,
        MandatoryPrefix::P66 => 0x66,
        MandatoryPrefix::PF3 => 0xf3,
        MandatoryPrefix::PF2 => 0xf2,
    };
    let small = |value: u32| u8::try_from(value).unwrap_or(0);
    let mut accepts = [NEVER; MOST_OPERANDS];
    let mut slots = [Slot::Implied; MOST_OPERANDS];
    for (index, &kind) in info.op_kinds().iter().enumerate() {
        (accepts[index], slots[index]) = slot(kind, space == Space::Evex);
        // The immediate of a 64-bit operation is one that could be extended, though it is not.
        if space == Space::Xop && info.w() == 1 && slots[index] == Slot::Immediate(4) {
            accepts[index] = IMM32S;
        }
    }
    let broadcast = if info.can_broadcast() {
        info.memory_size().size() / info.broadcast_memory_size().size().max(1)
    } else {
        0
    };
    Some(Form {
        code,
        space,
        map,
        prefix,
        opcode: u16::try_from(info.op_code()).ok()?,
        opcode_length: small(info.op_code_len()),
        group: i8::try_from(info.group_index()).unwrap_or(-1),
        rm_group: i8::try_from(info.rm_group_index()).unwrap_or(-1),
        operand_size: small(info.operand_size()),
        address_size: small(info.address_size()),
        default64: info.default_op_size64() || info.force_op_size64(),
        fwait: info.fwait(),
        w: small(info.w()),
        wig: info.is_wig(),
        l: small(info.l()),
        lig: info.is_lig(),
        disp8: tuple(info.tuple_type()),
        memory: u16::try_from(info.memory_size().size()).unwrap_or(0),
        broadcast: u8::try_from(broadcast).unwrap_or(0),
        masking: info.can_use_op_mask_register(),
        mask_required: info.require_op_mask_register(),
        zeroing: info.can_use_zeroing_masking(),
        rounding: info.can_use_rounding_control(),
        sae: info.can_suppress_all_exceptions(),
        count: small(info.op_count()),
        accepts,
        slots,
    })
}

/// All forms of 64-bit code, in iced-x86's order.
pub(crate) static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    Code::values()
        .filter_map(|code| {
            let info = code.op_code();
            if info.is_instruction() && info.mode64() {
                form(code, info)
            } else {
                None
            }
        })
        .collect()
});
