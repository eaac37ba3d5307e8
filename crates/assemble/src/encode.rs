//! A form and its operands to bytes, in the order and with the widths that GNU as uses.

use iced_x86::{Code, Mnemonic};
use sequence::{
    Instruction, Modifier, Origin, Prefix, Problem, PseudoPrefix, Register, RegisterClass, Rounding,
};

use crate::expr::Folded;
use crate::forms::{Form, Slot, Space, types};
use crate::layout::problem;
use crate::names::{Candidate, To};
use crate::operand::{Address, Operands, Value};
use crate::stream::{Field, Fixup, PieceKind, Reach, Stream};

/// Prefixes in the order in which GNU as writes them.
#[derive(Clone, Copy, Debug, Default)]
struct Prefixes {
    wait: bool,
    segment: u8,
    address: bool,
    data: bool,
    repeat: u8,
    lock: bool,
    rex: u8,
}

/// What goes into ModRM.rm.
#[derive(Clone, Copy)]
enum Rm<'a> {
    None,
    Register(u8),
    Memory(&'a Address),
}

/// An immediate: its width in bytes, whether the CPU extends its sign, and what it is.
type Immediate<'a> = (u8, bool, &'a Folded, Option<Modifier>);

/// Operands by their place in the encoding.
struct Fields<'a> {
    reg: u8,
    rm: Rm<'a>,
    vvvv: u8,
    opcode: u8,
    is4: Option<u8>,
    /// The byte that `is4` shares.
    m2z: u8,
    immediates: [Option<Immediate<'a>>; 2],
    filled: Option<u8>,
    offset: Option<&'a Address>,
    target: Option<(u8, &'a Address)>,
    /// Memory that the opcode fixes, for its segment and address size.
    implied: Option<&'a Address>,
    /// A byte register that exists only with REX, and one that does not exist with it.
    needs_rex: bool,
    high_byte: Option<(u32, u32)>,
}

/// Opcode of a segment override.
const SEGMENTS: [u8; 6] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];

fn place<'a>(candidate: &Candidate, operands: &'a Operands) -> Fields<'a> {
    let form = candidate.form();
    let mut fields = Fields {
        reg: 0,
        rm: Rm::None,
        vvvv: 0,
        opcode: 0,
        is4: None,
        m2z: 0,
        immediates: [None; 2],
        filled: None,
        offset: None,
        target: None,
        implied: None,
        needs_rex: false,
        high_byte: None,
    };
    // From the last operand as written to the first: Intel's order, that of immediates.
    for index in (0..operands.list.len()).rev() {
        let operand = &operands.list[index];
        if let Value::Register(register) = operand.value {
            match register.class {
                RegisterClass::Gpr8 if register.number >= 4 => fields.needs_rex = true,
                RegisterClass::Gpr8High => fields.high_byte = Some(operand.at),
                _ => {}
            }
        }
        match candidate.to[index] {
            To::Nowhere => {}
            To::Slot(slot) => fields.put(form.slots[usize::from(slot)], &operand.value),
            To::FirstTwo => {
                fields.put(form.slots[0], &operand.value);
                fields.put(form.slots[1], &operand.value);
            }
        }
    }
    if fields.immediates[1].is_some() && crate::aliases::keeps_order(form.code) {
        fields.immediates.swap(0, 1);
    }
    if let Some((slot, value)) = candidate.filled {
        match form.slots[usize::from(slot)] {
            Slot::Opcode => fields.opcode = value,
            _ => fields.filled = Some(value),
        }
    }
    fields
}

/// Number of a register in the encoding: `ah` to `bh` are 4 to 7.
fn number(register: Register) -> u8 {
    match register.class {
        RegisterClass::Gpr8High => register.number + 4,
        _ => register.number,
    }
}

impl<'a> Fields<'a> {
    fn put(&mut self, slot: Slot, value: &'a Value) {
        match (slot, value) {
            (Slot::Reg, Value::Register(register)) => self.reg = number(*register),
            (Slot::Rm, Value::Register(register)) => self.rm = Rm::Register(number(*register)),
            (Slot::Rm, Value::Memory(address)) => self.rm = Rm::Memory(address),
            (Slot::Opcode, Value::Register(register)) => self.opcode = number(*register),
            (Slot::Vvvv, Value::Register(register)) => self.vvvv = number(*register),
            (Slot::Is4, Value::Register(register)) => self.is4 = Some(number(*register)),
            (Slot::M2z, Value::Immediate(Folded::Number(value), _)) => {
                self.m2z = (value & 15) as u8;
            }
            (Slot::Immediate(width), Value::Immediate(value, modifier)) => {
                self.immediate(width, false, value, *modifier);
            }
            (Slot::Immediate32S, Value::Immediate(value, modifier)) => {
                self.immediate(4, true, value, *modifier);
            }
            (Slot::Offset, Value::Memory(address)) => self.offset = Some(address),
            (Slot::Relative(width), Value::Memory(address)) => self.target = Some((width, address)),
            (Slot::ImpliedMemory, Value::Memory(address)) => {
                // Of two, the source's segment may be changed.
                let source = address.base.is_some_and(|base| base.number != 7);
                if source || self.implied.is_none() {
                    self.implied = Some(address);
                }
            }
            _ => {}
        }
    }

    fn immediate(
        &mut self,
        width: u8,
        signed: bool,
        value: &'a Folded,
        modifier: Option<Modifier>,
    ) {
        let free = usize::from(self.immediates[0].is_some());
        self.immediates[free] = Some((width, signed, value, modifier));
    }
}

fn is_narrow(address: &Address) -> bool {
    [address.base, address.index]
        .into_iter()
        .flatten()
        .any(|register| {
            matches!(
                register.class,
                RegisterClass::Gpr32 | RegisterClass::Eip | RegisterClass::Eiz
            )
        })
}

/// The segment that an address uses without an override.
fn default_segment(address: &Address) -> u8 {
    let stack = address.base.is_some_and(|base| {
        matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Gpr64)
            && (base.number == 4 || base.number == 5)
    });
    if stack { 2 } else { 3 }
}

fn conflict(word: &str) -> Problem {
    problem(
        format!("two prefixes of the same kind, the second is `{word}`"),
        "write one of them",
    )
}

impl Prefixes {
    /// Takes the prefixes as written.
    fn written(&mut self, instruction: &Instruction<'_>) -> Result<(), Problem> {
        for prefix in &instruction.prefixes {
            match prefix {
                Prefix::Lock => self.lock = true,
                Prefix::Rep | Prefix::Xrelease => self.repeat(0xf3)?,
                Prefix::Repne | Prefix::Xacquire | Prefix::Bnd => self.repeat(0xf2)?,
                Prefix::Notrack => self.override_segment(3)?,
                Prefix::Data16 => self.size()?,
                Prefix::Addr32 => {
                    if self.address {
                        return Err(conflict("addr32"));
                    }
                    self.address = true;
                }
                Prefix::Data32 | Prefix::Addr16 => {
                    return Err(problem(
                        "`data32` and `addr16` do not exist in 64-bit code",
                        "leave the prefix out",
                    ));
                }
                Prefix::Segment(0 | 2) => {
                    return Err(problem(
                        "`es` and `ss` are no prefixes in 64-bit code",
                        "leave it out; `cs`, `ds`, `fs` and `gs` are",
                    ));
                }
                Prefix::Segment(segment) => self.override_segment(*segment)?,
                Prefix::Rex(bits) => {
                    if self.rex != 0 {
                        return Err(conflict("rex"));
                    }
                    self.rex |= 0x40 | bits;
                }
                Prefix::Fwait => self.wait = true,
            }
        }
        Ok(())
    }

    fn size(&mut self) -> Result<(), Problem> {
        if self.data {
            return Err(conflict("data16"));
        }
        self.data = true;
        Ok(())
    }

    fn repeat(&mut self, byte: u8) -> Result<(), Problem> {
        if self.repeat != 0 {
            return Err(conflict(if byte == 0xf3 { "rep" } else { "repne" }));
        }
        self.repeat = byte;
        Ok(())
    }

    fn override_segment(&mut self, segment: u8) -> Result<(), Problem> {
        if self.segment != 0 {
            return Err(problem("two segment overrides", "write one of them"));
        }
        self.segment = SEGMENTS.get(usize::from(segment)).copied().unwrap_or(0);
        Ok(())
    }

    /// Segment and address size of an operand in memory.
    fn memory(&mut self, address: &Address, form: &Form) -> Result<(), Problem> {
        if is_narrow(address) {
            self.address = true;
        }
        if let Some(segment) = address.segment {
            let byte = SEGMENTS.get(usize::from(segment)).copied().unwrap_or(0);
            // The destination of a string instruction is in ES, and nothing changes that.
            let destination = form.slots().contains(&Slot::ImpliedMemory)
                && !matches!(
                    form.code.mnemonic(),
                    Mnemonic::Maskmovq | Mnemonic::Maskmovdqu | Mnemonic::Vmaskmovdqu
                )
                && address.base.is_some_and(|base| base.number == 7);
            if destination {
                if segment != 0 {
                    return Err(problem(
                        "the destination of a string instruction is always in `%es`",
                        "leave the segment out",
                    ));
                }
                return Ok(());
            }
            if segment != default_segment(address) && self.segment != byte {
                self.override_segment(segment)?;
            }
        }
        Ok(())
    }

    fn write(&self, bytes: &mut Vec<u8>, with_rex: bool) {
        if self.wait {
            bytes.push(0x9b);
        }
        if self.segment != 0 {
            bytes.push(self.segment);
        }
        if self.address {
            bytes.push(0x67);
        }
        if self.data {
            bytes.push(0x66);
        }
        if self.repeat != 0 {
            bytes.push(self.repeat);
        }
        if self.lock {
            bytes.push(0xf0);
        }
        if with_rex && self.rex != 0 {
            bytes.push(self.rex);
        }
    }
}

/// Bits above the low three of registers and addresses: R, X, B, and EVEX's R', X, V'.
#[derive(Clone, Copy, Default)]
struct Extension {
    r: u8,
    x: u8,
    b: u8,
    index_high: u8,
}

fn extension(fields: &Fields<'_>) -> Extension {
    let mut extension = Extension {
        r: fields.reg >> 3,
        b: fields.opcode >> 3 & 1,
        ..Extension::default()
    };
    match fields.rm {
        Rm::None => {}
        Rm::Register(rm) => {
            extension.b |= rm >> 3 & 1;
            extension.x = rm >> 4 & 1;
        }
        Rm::Memory(address) => {
            if let Some(base) = address.base
                && matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Gpr64)
            {
                extension.b |= base.number >> 3 & 1;
            }
            if let Some(index) = address.index
                && !matches!(index.class, RegisterClass::Riz | RegisterClass::Eiz)
            {
                extension.x = index.number >> 3 & 1;
                extension.index_high = index.number >> 4 & 1;
            }
        }
    }
    extension
}

/// A statement that is only prefixes.
///
/// # Errors
/// Two prefixes of one kind.
pub(crate) fn encode_prefixes(
    stream: &mut Stream,
    instruction: &Instruction<'_>,
) -> Result<(), Problem> {
    let mut prefixes = Prefixes::default();
    prefixes.written(instruction)?;
    prefixes.write(&mut stream.bytes, true);
    Ok(())
}

/// Appends one instruction to a stream. Whether it ended in a piece whose size layout decides.
///
/// # Errors
/// `%ah` with REX, prefixes that do not go together.
pub(crate) fn encode(
    stream: &mut Stream,
    instruction: &Instruction<'_>,
    candidate: &Candidate,
    operands: &Operands,
    origin: Origin,
) -> Result<bool, Problem> {
    let form = candidate.form();
    let fields = place(candidate, operands);
    let mut prefixes = Prefixes::default();
    prefixes.written(instruction)?;
    check_prefixes(instruction, form, &fields)?;
    if form.fwait {
        prefixes.wait = true;
    }
    for address in [
        match fields.rm {
            Rm::Memory(address) => Some(address),
            _ => None,
        },
        fields.offset,
        fields.implied,
    ]
    .into_iter()
    .flatten()
    {
        prefixes.memory(address, form)?;
    }
    if form.address_size == 32 {
        prefixes.address = true;
    }
    if let Some(condition) = candidate.branch {
        return branch(stream, condition, &prefixes, &fields, instruction, origin);
    }
    let extension = extension(&fields);
    let mut rex = false;
    match form.space {
        Space::Legacy | Space::D3Now => {
            rex = legacy(stream, form, &fields, prefixes, extension, instruction)?;
        }
        Space::Vex | Space::Xop => {
            prefixes.write(&mut stream.bytes, false);
            vex(&mut stream.bytes, form, &fields, extension, instruction);
        }
        Space::Evex => {
            prefixes.write(&mut stream.bytes, false);
            evex(&mut stream.bytes, form, &fields, extension, operands);
        }
    }
    let mut tail = Tail {
        stream,
        origin,
        rex,
    };
    tail.finish(form, &fields, &prefixes, instruction);
    Ok(false)
}

fn needs_wide(form: &Form) -> bool {
    form.operand_size == 64 && !form.default64
}

/// Prefixes that an instruction does not take.
fn check_prefixes(
    instruction: &Instruction<'_>,
    form: &Form,
    fields: &Fields<'_>,
) -> Result<(), Problem> {
    for prefix in &instruction.prefixes {
        let info = form.code.op_code();
        match prefix {
            Prefix::Rep | Prefix::Repne if !takes_repeat(form) => {
                return Err(problem(
                    format!("`{}` cannot be repeated", instruction.mnemonic),
                    "string instructions can; leave the prefix out",
                ));
            }
            Prefix::Lock
                if (!info.can_use_lock_prefix() || !matches!(fields.rm, Rm::Memory(_))) =>
            {
                return Err(problem(
                    format!(
                        "`lock` before `{}`, which cannot be locked",
                        instruction.mnemonic
                    ),
                    "only read-modify-write instructions with a destination in memory can",
                ));
            }
            Prefix::Bnd if !info.can_use_bnd_prefix() && fields.target.is_none() => {
                return Err(problem(
                    format!(
                        "`bnd` before `{}`, which is no branch",
                        instruction.mnemonic
                    ),
                    "leave the prefix out",
                ));
            }
            Prefix::Notrack if !info.can_use_notrack_prefix() => {
                return Err(problem(
                    format!("`notrack` before `{}`", instruction.mnemonic),
                    "only indirect jumps and calls take it",
                ));
            }
            Prefix::Data16 if form.space == Space::Legacy && is_simd(form) => {
                return Err(problem(
                    format!("`data16` changes what `{}` is", instruction.mnemonic),
                    "leave the prefix out",
                ));
            }
            Prefix::Addr32 if is_wide(fields) => {
                return Err(problem(
                    "`addr32` with 64-bit registers in the address",
                    "write the 32-bit registers, which bring the prefix by themselves",
                ));
            }
            _ if form.space != Space::Legacy => {
                if matches!(
                    prefix,
                    Prefix::Rep | Prefix::Repne | Prefix::Data16 | Prefix::Rex(_)
                ) {
                    return Err(problem(
                        format!("this prefix cannot stand before `{}`", instruction.mnemonic),
                        "VEX and EVEX instructions have it in their own prefix",
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_simd(form: &Form) -> bool {
    form.accepts()
        .iter()
        .any(|&accepts| accepts & (types::ANY_VECTOR | types::MM | types::BND) != 0)
}

/// Whether the address has 64-bit registers.
fn is_wide(fields: &Fields<'_>) -> bool {
    let address = match (fields.rm, fields.implied) {
        (Rm::Memory(address), _) | (_, Some(address)) => address,
        _ => return false,
    };
    [address.base, address.index]
        .into_iter()
        .flatten()
        .any(|register| matches!(register.class, RegisterClass::Gpr64 | RegisterClass::Rip))
}

/// Instructions that GNU as takes `rep` and `repne` before.
fn takes_repeat(form: &Form) -> bool {
    form.slots().contains(&Slot::ImpliedMemory) && form.code.mnemonic() != Mnemonic::Xlatb
        || form.code == Code::Nopd
        || matches!(
            form.code.mnemonic(),
            Mnemonic::Ret
                | Mnemonic::Bsf
                | Mnemonic::Bsr
                | Mnemonic::Insb
                | Mnemonic::Xstore
                | Mnemonic::Xcryptecb
                | Mnemonic::Xcryptcbc
                | Mnemonic::Xcryptctr
                | Mnemonic::Xcryptcfb
                | Mnemonic::Xcryptofb
                | Mnemonic::Montmul
                | Mnemonic::Xsha1
                | Mnemonic::Xsha256
        )
}

fn branch(
    stream: &mut Stream,
    condition: Option<u8>,
    prefixes: &Prefixes,
    fields: &Fields<'_>,
    instruction: &Instruction<'_>,
    origin: Origin,
) -> Result<bool, Problem> {
    if prefixes.data {
        return Err(problem(
            "`data16` before a jump is not supported",
            "leave the prefix out: a 16-bit target does not exist in 64-bit code",
        ));
    }
    prefixes.write(&mut stream.bytes, true);
    let Some((_, address)) = fields.target else {
        return Err(problem("a jump needs a target", ""));
    };
    if let Folded::Sum {
        plus,
        minus: None,
        addend,
    } = address.displacement
    {
        stream.length = u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX);
        let reach = if instruction.pseudo.contains(&PseudoPrefix::Disp32) {
            Reach::Long
        } else {
            Reach::Short
        };
        stream.piece(
            PieceKind::Branch {
                condition,
                reach,
                target: plus,
                addend,
                modifier: address.modifier,
            },
            origin,
        );
        return Ok(true);
    }
    // A number or something else that layout does not move: the long form, for the linker.
    match condition {
        None => stream.bytes.push(0xe9),
        Some(condition) => stream.bytes.extend([0x0f, 0x80 | condition]),
    }
    push_fixup(
        stream,
        4,
        Field::Branch(0),
        &address.displacement,
        address.modifier,
        false,
        origin,
    );
    Ok(false)
}

fn push_fixup(
    stream: &mut Stream,
    width: u8,
    field: Field,
    value: &Folded,
    modifier: Option<Modifier>,
    rex: bool,
    origin: Origin,
) {
    stream.fixups.push(Fixup {
        at: u32::try_from(stream.bytes.len()).unwrap_or(u32::MAX),
        frag: stream.frag(),
        width,
        field,
        modifier,
        rex,
        value: value.clone(),
        origin,
    });
    stream
        .bytes
        .extend(std::iter::repeat_n(0, usize::from(width)));
}

/// Whether there is a REX prefix.
fn legacy(
    stream: &mut Stream,
    form: &Form,
    fields: &Fields<'_>,
    mut prefixes: Prefixes,
    extension: Extension,
    instruction: &Instruction<'_>,
) -> Result<bool, Problem> {
    match form.prefix {
        0x66 => prefixes.size()?,
        0 => {}
        byte => {
            if prefixes.repeat != byte {
                prefixes.repeat(byte)?;
            }
        }
    }
    if form.operand_size == 16 {
        prefixes.size()?;
    }
    let mut rex = 0;
    // `xchg %rax,%rax` is a plain NOP to GNU as.
    if needs_wide(form) && !(form.code == Code::Xchg_r64_RAX && fields.opcode == 0) {
        rex |= 0x48;
    }
    let bits = (extension.r & 1) << 2 | extension.x << 1 | extension.b;
    if bits != 0 || fields.needs_rex || instruction.pseudo.contains(&PseudoPrefix::Rex) {
        rex |= 0x40 | bits;
    }
    if prefixes.rex & rex & 15 != 0 {
        return Err(problem(
            "the REX prefix sets a bit that the instruction sets by itself",
            "leave the `rex` prefix out, or that bit of it",
        ));
    }
    rex |= prefixes.rex;
    if let (true, Some(at)) = (rex != 0, fields.high_byte) {
        return Err(Problem {
            at: Some(at),
            ..problem(
                "`%ah`, `%ch`, `%dh` and `%bh` cannot be used with a REX prefix",
                "use only %eax to %edi and their parts beside it, without a 64-bit size: REX turns \
                 these four into %spl, %bpl, %sil and %dil",
            )
        });
    }
    prefixes.rex = rex;
    prefixes.write(&mut stream.bytes, true);
    let bytes = &mut stream.bytes;
    match form.map {
        1 => bytes.push(0x0f),
        2 => bytes.extend([0x0f, 0x38]),
        3 => bytes.extend([0x0f, 0x3a]),
        _ => {}
    }
    if form.space == Space::D3Now {
        bytes.push(0x0f);
        return Ok(false);
    }
    if form.opcode_length == 2 {
        bytes.push((form.opcode >> 8) as u8);
    }
    bytes.push((form.opcode & 0xff) as u8 | fields.opcode & 7);
    Ok(rex != 0)
}

fn pp(prefix: u8) -> u8 {
    match prefix {
        0x66 => 1,
        0xf3 => 2,
        0xf2 => 3,
        _ => 0,
    }
}

fn vex(
    bytes: &mut Vec<u8>,
    form: &Form,
    fields: &Fields<'_>,
    extension: Extension,
    instruction: &Instruction<'_>,
) {
    let w = if form.wig { 0 } else { form.w };
    let l = if form.lig { 0 } else { form.l };
    let last = w << 7 | (!fields.vvvv & 15) << 3 | l << 2 | pp(form.prefix);
    let three = instruction.pseudo.contains(&PseudoPrefix::Vex3);
    if form.space == Space::Vex
        && !three
        && form.map == 1
        && w == 0
        && extension.x == 0
        && extension.b == 0
    {
        bytes.push(0xc5);
        bytes.push((!extension.r & 1) << 7 | last);
    } else {
        bytes.push(if form.space == Space::Vex { 0xc4 } else { 0x8f });
        bytes.push(
            (!extension.r & 1) << 7 | (!extension.x & 1) << 6 | (!extension.b & 1) << 5 | form.map,
        );
        bytes.push(last);
    }
    if form.opcode_length == 2 {
        bytes.push((form.opcode >> 8) as u8);
    }
    bytes.push((form.opcode & 0xff) as u8);
}

fn evex(
    bytes: &mut Vec<u8>,
    form: &Form,
    fields: &Fields<'_>,
    extension: Extension,
    operands: &Operands,
) {
    let inverted = |bit: u8| !bit & 1;
    let high_r = extension.r >> 1;
    let high_v = match fields.rm {
        Rm::Memory(_) => extension.index_high | fields.vvvv >> 4,
        _ => fields.vvvv >> 4,
    };
    bytes.push(0x62);
    bytes.push(
        inverted(extension.r) << 7
            | inverted(extension.x) << 6
            | inverted(extension.b) << 5
            | inverted(high_r) << 4
            | form.map,
    );
    let w = if form.wig { 0 } else { form.w };
    bytes.push(w << 7 | (!fields.vvvv & 15) << 3 | 4 | pp(form.prefix));
    let mut l = if form.lig { 0 } else { form.l };
    let mut b = 0;
    match operands.rounding {
        None => {}
        Some(rounding) => {
            b = 1;
            l = match rounding {
                Rounding::RnSae | Rounding::Sae => 0,
                Rounding::RdSae => 1,
                Rounding::RuSae => 2,
                Rounding::RzSae => 3,
            };
        }
    }
    if is_broadcast(fields) {
        b = 1;
    }
    let mask = operands.list.iter().filter_map(|operand| operand.mask);
    let (mut aaa, mut z) = (0, 0);
    for mask in mask {
        aaa |= mask.register;
        z |= u8::from(mask.zeroing);
    }
    bytes.push(z << 7 | l << 5 | b << 4 | inverted(high_v) << 3 | aaa);
    bytes.push((form.opcode & 0xff) as u8);
}

fn is_broadcast(fields: &Fields<'_>) -> bool {
    matches!(fields.rm, Rm::Memory(address) if address.broadcast.is_some())
}

/// What follows the opcode.
struct Tail<'a> {
    stream: &'a mut Stream,
    origin: Origin,
    rex: bool,
}

impl Tail<'_> {
    fn finish(
        &mut self,
        form: &Form,
        fields: &Fields<'_>,
        prefixes: &Prefixes,
        instruction: &Instruction<'_>,
    ) {
        // Bytes after the displacement, which a `%rip`-relative one counts from.
        let mut after: u8 = 0;
        for immediate in fields.immediates.iter().flatten() {
            after += immediate.0;
        }
        let has_last_byte =
            fields.is4.is_some() || fields.filled.is_some() || form.space == Space::D3Now;
        after += u8::from(has_last_byte);
        let reg = if form.group >= 0 {
            form.group.cast_unsigned()
        } else {
            fields.reg & 7
        };
        match fields.rm {
            Rm::Register(rm) => self.stream.bytes.push(0xc0 | reg << 3 | rm & 7),
            Rm::Memory(address) => {
                let scale = if form.space == Space::Evex {
                    form.disp8[usize::from(address.broadcast.is_some())]
                } else {
                    1
                };
                self.memory(form, address, reg, scale, after, prefixes, instruction);
            }
            Rm::None => {
                if form.rm_group >= 0 {
                    self.stream
                        .bytes
                        .push(0xc0 | reg << 3 | form.rm_group.cast_unsigned());
                } else if form.group >= 0 || form.slots().contains(&Slot::Reg) {
                    self.stream.bytes.push(0xc0 | reg << 3);
                }
            }
        }
        if let Some(address) = fields.offset {
            let width = if prefixes.address { 4 } else { 8 };
            self.field(
                width,
                Field::Absolute,
                &address.displacement,
                address.modifier,
            );
        }
        for &(width, signed, value, modifier) in fields.immediates.iter().flatten() {
            let field = if signed {
                Field::Signed
            } else {
                Field::Absolute
            };
            self.field(width, field, value, modifier);
        }
        if let Some(register) = fields.is4 {
            self.stream.bytes.push(register << 4 | fields.m2z);
        }
        if let Some(value) = fields.filled {
            self.stream.bytes.push(value);
        }
        if form.space == Space::D3Now {
            self.stream.bytes.push((form.opcode & 0xff) as u8);
        }
        if let Some((width, address)) = fields.target {
            self.target(width, address);
        }
    }

    /// A number, or zeros and a fixup.
    fn field(&mut self, width: u8, field: Field, value: &Folded, modifier: Option<Modifier>) {
        if let (&Folded::Number(value), None) = (value, modifier) {
            self.stream
                .bytes
                .extend(&value.to_le_bytes()[..usize::from(width)]);
        } else {
            push_fixup(
                self.stream,
                width,
                field,
                value,
                modifier,
                self.rex,
                self.origin,
            );
        }
    }

    fn target(&mut self, width: u8, address: &Address) {
        push_fixup(
            self.stream,
            width,
            Field::Branch(0),
            &address.displacement,
            address.modifier,
            false,
            self.origin,
        );
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what decides an address's bytes comes from all sides"
    )]
    fn memory(
        &mut self,
        form: &Form,
        address: &Address,
        reg: u8,
        scale: u8,
        after: u8,
        prefixes: &Prefixes,
        instruction: &Instruction<'_>,
    ) {
        let modrm = |mode: u8, rm: u8| mode << 6 | reg << 3 | rm;
        let wide = if prefixes.address {
            Field::Absolute
        } else {
            Field::Signed
        };
        let index = address.index.map(|index| match index.class {
            RegisterClass::Riz | RegisterClass::Eiz => 4,
            _ => index.number & 7,
        });
        let Some(base) = address.base else {
            let sib = address.scale << 6 | index.unwrap_or(4) << 3 | 5;
            self.stream.bytes.extend([modrm(0, 4), sib]);
            self.field(4, wide, &address.displacement, address.modifier);
            return;
        };
        if matches!(base.class, RegisterClass::Rip | RegisterClass::Eip) {
            self.stream.bytes.push(modrm(0, 5));
            self.field(
                4,
                Field::Relative(after),
                &address.displacement,
                address.modifier,
            );
            return;
        }
        let base = base.number & 7;
        let must_have_sib = form
            .code
            .op_code()
            .op_kinds()
            .contains(&iced_x86::OpCodeOperandKind::sibmem);
        let sib = if index.is_some() || base == 4 || must_have_sib {
            Some(address.scale << 6 | index.unwrap_or(4) << 3 | base)
        } else {
            None
        };
        let rm = if sib.is_some() { 4 } else { base };
        let forced8 = instruction.pseudo.contains(&PseudoPrefix::Disp8);
        let forced32 = instruction.pseudo.contains(&PseudoPrefix::Disp32);
        let number = match (&address.displacement, address.modifier) {
            (Folded::Number(number), None) => Some(*number),
            _ => None,
        };
        // 32-bit addresses wrap round, so that 0xffffffff is -1.
        let number = number.map(|number| match u32::try_from(number) {
            Ok(narrow) if prefixes.address => i64::from(narrow.cast_signed()),
            _ => number,
        });
        let short = number.and_then(|number| {
            let scaled = if number % i64::from(scale) == 0 {
                i8::try_from(number / i64::from(scale)).ok()
            } else {
                None
            };
            scaled.filter(|_| !forced32)
        });
        let bytes = &mut self.stream.bytes;
        match (number, short) {
            (Some(0), _) if base != 5 && !forced8 && !forced32 => {
                bytes.push(modrm(0, rm));
                bytes.extend(sib);
            }
            (_, Some(short)) => {
                bytes.push(modrm(1, rm));
                bytes.extend(sib);
                bytes.push(short.cast_unsigned());
            }
            (None, _) if forced8 => {
                bytes.push(modrm(1, rm));
                bytes.extend(sib);
                self.field(1, wide, &address.displacement, address.modifier);
            }
            _ => {
                bytes.push(modrm(2, rm));
                bytes.extend(sib);
                self.field(4, wide, &address.displacement, address.modifier);
            }
        }
    }
}
