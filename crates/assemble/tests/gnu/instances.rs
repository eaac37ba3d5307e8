//! Instances of every form in iced-x86's tables, as bytes: what a listing has to spell.

use iced_x86::{
    Code as Form, Encoder, EncodingKind, Instruction, OpCodeInfo, OpCodeOperandKind as Kind,
    OpKind, Register, RoundingControl,
};

/// One instruction: its form, and bytes that decode to it.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) form: Form,
    pub(crate) bytes: Vec<u8>,
}

/// Which operands an instance has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Registers 1 and up.
    Registers,
    /// The same, from 9 on, and the smallest immediates.
    High,
    /// Registers beside `(base)`.
    Base,
    /// Registers beside `disp8(base,index,4)`.
    Small,
    /// Registers beside `disp32(base,index,8)` with high registers.
    Large,
    /// Registers beside `disp32(%rip)`.
    Rip,
    /// Registers beside an absolute address.
    Absolute,
    /// Registers beside `(base32)`.
    Narrow,
    /// A mask, zeros for what it leaves out.
    Zeroing,
    /// A mask that merges, in memory or not.
    Merging,
    /// One element of memory for all.
    Broadcast,
    /// Rounding, or no exceptions.
    Rounding,
}

const SHAPES: [Shape; 12] = [
    Shape::Registers,
    Shape::High,
    Shape::Base,
    Shape::Small,
    Shape::Large,
    Shape::Rip,
    Shape::Absolute,
    Shape::Narrow,
    Shape::Zeroing,
    Shape::Merging,
    Shape::Broadcast,
    Shape::Rounding,
];

impl Shape {
    fn has_memory(self) -> bool {
        !matches!(
            self,
            Self::Registers | Self::High | Self::Zeroing | Self::Rounding
        )
    }

    fn is_high(self) -> bool {
        matches!(self, Self::High | Self::Large)
    }
}

/// Every form of 64-bit code that has a name, branches among them.
pub(crate) fn forms() -> impl Iterator<Item = Form> {
    Form::values().filter(|form| {
        let info = form.op_code();
        info.is_instruction() && info.mode64()
    })
}

/// The instances of all forms: those of one form in a row.
pub(crate) fn instances() -> Vec<Instance> {
    let mut all = Vec::new();
    for form in forms() {
        for shape in SHAPES {
            if let Some(bytes) = encoded(form, shape) {
                let instance = Instance { form, bytes };
                let known = all.iter().rev().take(SHAPES.len());
                if !known
                    .clone()
                    .any(|known: &Instance| known.bytes == instance.bytes)
                {
                    all.push(instance);
                }
            }
        }
    }
    all
}

/// The bytes of a form in one shape; `None` where it has no such shape.
fn encoded(form: Form, shape: Shape) -> Option<Vec<u8>> {
    let info = form.op_code();
    let mut instruction = Instruction::default();
    instruction.set_code(form);
    let mut memory = false;
    let mut immediates = 0;
    for (operand, &kind) in (0..).zip(info.op_kinds()) {
        let place = (operand, shape);
        memory |= operand_of(&mut instruction, info, kind, place, &mut immediates)?;
    }
    if shape.has_memory() && !memory {
        return None;
    }
    match shape {
        Shape::High if info.op_count() == 0 => return None,
        Shape::Zeroing if !info.can_use_zeroing_masking() => return None,
        Shape::Merging | Shape::Zeroing if !info.can_use_op_mask_register() => return None,
        Shape::Broadcast if !info.can_broadcast() => return None,
        Shape::Broadcast => instruction.set_is_broadcast(true),
        Shape::Rounding => {
            if info.can_use_rounding_control() {
                instruction.set_rounding_control(RoundingControl::RoundDown);
            } else if !info.can_suppress_all_exceptions() {
                return None;
            }
            instruction.set_suppress_all_exceptions(true);
        }
        _ => {}
    }
    if matches!(shape, Shape::Zeroing | Shape::Merging) || info.require_op_mask_register() {
        instruction.set_op_mask(Register::K3);
        instruction.set_zeroing_masking(shape == Shape::Zeroing);
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&instruction, 0).ok()?;
    let bytes = encoder.take_buffer();
    Some(bytes)
}

fn general(class: Register, index: u32, shape: Shape) -> Register {
    // Not the accumulator, which has forms of its own, and not what REX makes another of.
    let number = if shape.is_high() {
        9 + index
    } else {
        1 + index
    };
    class + number
}

/// Sets one operand; whether it is memory. `None` if the form cannot have this shape.
fn operand_of(
    instruction: &mut Instruction,
    info: &OpCodeInfo,
    kind: Kind,
    (operand, shape): (u32, Shape),
    immediates: &mut u32,
) -> Option<bool> {
    let evex = info.encoding() == EncodingKind::EVEX;
    let vector = |class: Register| {
        let high = if evex { 17 } else { 9 };
        class
            + if shape.is_high() {
                high + operand
            } else {
                1 + operand
            }
    };
    let mut register = |register: Register| {
        instruction.set_op_kind(operand, OpKind::Register);
        instruction.set_op_register(operand, register);
        Some(false)
    };
    match kind {
        Kind::r8_or_mem | Kind::r8_reg | Kind::r8_opcode
            if !(shape.has_memory() && kind == Kind::r8_or_mem) =>
        {
            // AL to R15L; the four high bytes stand between.
            let number = if shape.is_high() { 13 } else { 1 } + operand;
            register(Register::AL + number)
        }
        Kind::r16_or_mem if !shape.has_memory() => register(general(Register::AX, operand, shape)),
        Kind::r16_reg | Kind::r16_rm | Kind::r16_opcode => {
            register(general(Register::AX, operand, shape))
        }
        Kind::r32_or_mem | Kind::r32_or_mem_mpx if !shape.has_memory() => {
            register(general(Register::EAX, operand, shape))
        }
        Kind::r32_reg | Kind::r32_rm | Kind::r32_opcode | Kind::r32_vvvv => {
            register(general(Register::EAX, operand, shape))
        }
        Kind::r64_or_mem | Kind::r64_or_mem_mpx if !shape.has_memory() => {
            register(general(Register::RAX, operand, shape))
        }
        Kind::r64_reg | Kind::r64_rm | Kind::r64_opcode | Kind::r64_vvvv => {
            register(general(Register::RAX, operand, shape))
        }
        Kind::r16_reg_mem => register(general(Register::AX, operand, shape)),
        Kind::r32_reg_mem => register(general(Register::EAX, operand, shape)),
        Kind::r64_reg_mem => register(general(Register::RAX, operand, shape)),
        Kind::mm_or_mem if !shape.has_memory() => register(Register::MM1 + operand),
        Kind::mm_reg | Kind::mm_rm => register(Register::MM1 + operand),
        Kind::xmm_or_mem if !shape.has_memory() => register(vector(Register::XMM0)),
        Kind::xmm_reg | Kind::xmm_rm | Kind::xmm_vvvv | Kind::xmm_is4 | Kind::xmm_is5 => {
            register(vector(Register::XMM0))
        }
        // The first of a row of four registers.
        Kind::xmmp3_vvvv => register(Register::XMM4),
        Kind::zmmp3_vvvv => register(Register::ZMM4),
        Kind::ymm_or_mem if !shape.has_memory() => register(vector(Register::YMM0)),
        Kind::ymm_reg | Kind::ymm_rm | Kind::ymm_vvvv | Kind::ymm_is4 | Kind::ymm_is5 => {
            register(vector(Register::YMM0))
        }
        Kind::zmm_or_mem if !shape.has_memory() => register(vector(Register::ZMM0)),
        Kind::zmm_reg | Kind::zmm_rm | Kind::zmm_vvvv => register(vector(Register::ZMM0)),
        Kind::bnd_or_mem_mpx if !shape.has_memory() => register(Register::BND1 + operand),
        Kind::bnd_reg => register(Register::BND1 + operand),
        Kind::k_or_mem if !shape.has_memory() => register(Register::K1 + operand),
        Kind::k_reg | Kind::k_rm | Kind::k_vvvv => register(Register::K1 + operand),
        // The first of two.
        Kind::kp1_reg => register(Register::K2),
        Kind::tmm_reg | Kind::tmm_rm | Kind::tmm_vvvv => register(Register::TMM1 + operand),
        Kind::seg_reg => register(if shape.is_high() {
            Register::GS
        } else {
            Register::DS
        }),
        Kind::cr_reg => register(if shape.is_high() {
            Register::CR8
        } else {
            Register::CR3
        }),
        Kind::dr_reg => register(Register::DR7),
        Kind::es => register(Register::ES),
        Kind::cs => register(Register::CS),
        Kind::ss => register(Register::SS),
        Kind::ds => register(Register::DS),
        Kind::fs => register(Register::FS),
        Kind::gs => register(Register::GS),
        Kind::al => register(Register::AL),
        Kind::cl => register(Register::CL),
        Kind::ax => register(Register::AX),
        Kind::dx => register(Register::DX),
        Kind::eax => register(Register::EAX),
        Kind::rax => register(Register::RAX),
        Kind::st0 => register(Register::ST0),
        Kind::sti_opcode => register(Register::ST3),
        Kind::mem_vsib32x | Kind::mem_vsib64x => {
            sparse(instruction, operand, vector(Register::XMM0) + 3, shape)
        }
        Kind::mem_vsib32y | Kind::mem_vsib64y => {
            sparse(instruction, operand, vector(Register::YMM0) + 3, shape)
        }
        Kind::mem_vsib32z | Kind::mem_vsib64z => {
            sparse(instruction, operand, vector(Register::ZMM0) + 3, shape)
        }
        Kind::mem
        | Kind::mem_mpx
        | Kind::mem_mib
        | Kind::sibmem
        | Kind::r8_or_mem
        | Kind::r16_or_mem
        | Kind::r32_or_mem
        | Kind::r32_or_mem_mpx
        | Kind::r64_or_mem
        | Kind::r64_or_mem_mpx
        | Kind::mm_or_mem
        | Kind::xmm_or_mem
        | Kind::ymm_or_mem
        | Kind::zmm_or_mem
        | Kind::bnd_or_mem_mpx
        | Kind::k_or_mem => memory(instruction, operand, shape),
        Kind::mem_offs => {
            instruction.set_op_kind(operand, OpKind::Memory);
            instruction.set_memory_displ_size(8);
            instruction.set_memory_displacement64(0x0123_4567_89ab_cdef);
            Some(true)
        }
        Kind::seg_rSI => implied(instruction, operand, OpKind::MemorySegRSI),
        Kind::es_rDI => implied(instruction, operand, OpKind::MemoryESRDI),
        Kind::seg_rDI => implied(instruction, operand, OpKind::MemorySegRDI),
        Kind::seg_rBX_al => {
            instruction.set_op_kind(operand, OpKind::Memory);
            instruction.set_memory_base(Register::RBX);
            instruction.set_memory_index(Register::AL);
            Some(true)
        }
        Kind::br16_1 | Kind::br64_1 | Kind::br64_4 | Kind::xbegin_4 => {
            instruction.set_op_kind(operand, OpKind::NearBranch64);
            instruction.set_near_branch64(0);
            Some(false)
        }
        kind => {
            *immediates += 1;
            immediate(instruction, kind, (operand, shape), *immediates)
        }
    }
}

fn implied(instruction: &mut Instruction, operand: u32, kind: OpKind) -> Option<bool> {
    instruction.set_op_kind(operand, kind);
    Some(true)
}

fn memory(instruction: &mut Instruction, operand: u32, shape: Shape) -> Option<bool> {
    let (base, index, scale, width, displacement) = match shape {
        Shape::Small | Shape::Merging => (Register::RSP, Register::RCX, 4, 1, 0x40),
        Shape::Large => (Register::R13, Register::R12, 8, 8, 0x1234_5678),
        Shape::Rip => (Register::RIP, Register::None, 1, 8, 0x1234),
        Shape::Absolute => (Register::None, Register::None, 1, 8, 0x1234_5678),
        Shape::Narrow => (Register::EDX, Register::None, 1, 0, 0),
        _ => (Register::RDX, Register::None, 1, 0, 0),
    };
    instruction.set_op_kind(operand, OpKind::Memory);
    instruction.set_memory_base(base);
    instruction.set_memory_index(index);
    instruction.set_memory_index_scale(scale);
    instruction.set_memory_displ_size(width);
    instruction.set_memory_displacement64(displacement);
    Some(true)
}

fn sparse(
    instruction: &mut Instruction,
    operand: u32,
    index: Register,
    shape: Shape,
) -> Option<bool> {
    if !shape.has_memory() || matches!(shape, Shape::Rip | Shape::Absolute) {
        return None;
    }
    memory(instruction, operand, shape)?;
    instruction.set_memory_index(index);
    if shape == Shape::Narrow {
        instruction.set_memory_base(Register::RDX);
    }
    Some(true)
}

fn immediate(
    instruction: &mut Instruction,
    kind: Kind,
    (operand, shape): (u32, Shape),
    count: u32,
) -> Option<bool> {
    let high = shape.is_high();
    match kind {
        Kind::imm8 | Kind::imm4_m2z if count > 1 => {
            instruction.set_op_kind(operand, OpKind::Immediate8_2nd);
            instruction.set_immediate8_2nd(3);
        }
        Kind::imm8 => {
            instruction.set_op_kind(operand, OpKind::Immediate8);
            instruction.set_immediate8(if high { 0xf1 } else { 0x15 });
        }
        Kind::imm4_m2z => {
            instruction.set_op_kind(operand, OpKind::Immediate8);
            instruction.set_immediate8(2);
        }
        Kind::imm8_const_1 => {
            instruction.set_op_kind(operand, OpKind::Immediate8);
            instruction.set_immediate8(1);
        }
        Kind::imm8sex16 => {
            instruction.set_op_kind(operand, OpKind::Immediate8to16);
            instruction.set_immediate8to16(if high { -3 } else { 0x15 });
        }
        Kind::imm8sex32 => {
            instruction.set_op_kind(operand, OpKind::Immediate8to32);
            instruction.set_immediate8to32(if high { -3 } else { 0x15 });
        }
        Kind::imm8sex64 => {
            instruction.set_op_kind(operand, OpKind::Immediate8to64);
            instruction.set_immediate8to64(if high { -3 } else { 0x15 });
        }
        Kind::imm16 => {
            instruction.set_op_kind(operand, OpKind::Immediate16);
            instruction.set_immediate16(if high { 0xfedc } else { 0x1234 });
        }
        Kind::imm32 => {
            instruction.set_op_kind(operand, OpKind::Immediate32);
            instruction.set_immediate32(if high { 0xfedc_ba98 } else { 0x1234_5678 });
        }
        Kind::imm32sex64 => {
            instruction.set_op_kind(operand, OpKind::Immediate32to64);
            instruction.set_immediate32to64(if high { -0x1234_5678 } else { 0x1234_5678 });
        }
        Kind::imm64 => {
            instruction.set_op_kind(operand, OpKind::Immediate64);
            instruction.set_immediate64(0x1234_5678_9abc_def0);
        }
        _ => return None,
    }
    Some(false)
}
