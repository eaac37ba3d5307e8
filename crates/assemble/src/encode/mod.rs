//! A form and its operands to bytes, in the order and with the widths that GNU as uses.

mod fields;
mod prefixes;
mod tail;
mod vector;

use iced_x86::Code;
use sequence::{Instruction, Modifier, Origin, Prefix, Problem, PseudoPrefix};

use crate::expr::Folded;
use crate::forms::{Form, Slot, Space};
use crate::layout::problem;
use crate::names::Candidate;
use crate::operand::Operands;
use crate::recall::Spots;
use crate::stream::{Field, PieceKind, Reach, Stream};
use fields::{Extension, Fields, Rm, extension, place};
use prefixes::{Prefixes, check_prefixes, conflict};
use tail::{Tail, push_fixup};
use vector::{evex, vex};

/// A statement that is only prefixes.
///
/// # Errors
/// Two prefixes of one kind.
pub(crate) fn encode_prefixes(
    stream: &mut Stream,
    instruction: &Instruction<'_>,
) -> Result<(), Problem> {
    let Some((last, before)) = instruction.prefixes.split_last() else {
        return Ok(());
    };
    if instruction.pseudo.iter().any(|pseudo| {
        !matches!(
            pseudo,
            PseudoPrefix::Disp8 | PseudoPrefix::Disp32 | PseudoPrefix::Load | PseudoPrefix::Store
        )
    }) {
        return Err(problem(
            "a choice of encoding before prefixes alone",
            "leave the braces out",
        ));
    }
    let asks = |prefix: &&Prefix| {
        matches!(
            prefix,
            Prefix::Lock
                | Prefix::Rep
                | Prefix::Repne
                | Prefix::Bnd
                | Prefix::Notrack
                | Prefix::Xacquire
                | Prefix::Xrelease
                | Prefix::Fwait
        )
    };
    if before.iter().any(|prefix| asks(&prefix)) {
        return Err(problem(
            "a prefix before one that is not its instruction",
            "write the instruction on the same line",
        ));
    }
    // The last is the instruction to GNU as, so that it may be one of those before it again.
    for part in [before, std::slice::from_ref(last)] {
        let mut prefixes = Prefixes::default();
        prefixes.written(part)?;
        prefixes.write(&mut stream.bytes, true);
    }
    Ok(())
}

/// What became of an instruction.
pub(crate) enum Encoded {
    /// It ended in a piece whose size layout decides.
    Piece,
    /// All its bytes are there, numbers in these fields.
    Bytes(Spots),
}

/// Appends one instruction to a stream.
///
/// # Errors
/// `%ah` with REX, prefixes that do not go together.
pub(crate) fn encode(
    stream: &mut Stream,
    instruction: &Instruction<'_>,
    candidate: &Candidate,
    operands: &Operands,
    origin: Origin,
) -> Result<Encoded, Problem> {
    let start = stream.bytes.len();
    let form = candidate.form();
    let fields = place(candidate, operands);
    let mut prefixes = Prefixes::default();
    prefixes.written(&instruction.prefixes)?;
    check_prefixes(instruction, form, &fields)?;
    if form.fwait {
        if prefixes.wait {
            return Err(conflict("wait"));
        }
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
        if prefixes.address && form.slots() == [Slot::Relative(1)] {
            return Err(conflict("addr32"));
        }
        prefixes.address = true;
    }
    if form.slots() == [Slot::Relative(4)] && prefixes.data && prefixes.rex & 8 == 0 {
        return Err(problem(
            "`data16` before `xbegin` is not supported",
            "leave the prefix out: a 16-bit target does not exist in 64-bit code",
        ));
    }
    if let Some(condition) = candidate.branch {
        if instruction.pseudo.contains(&PseudoPrefix::Rex) {
            prefixes.rex |= 0x40;
        }
        return branch(stream, condition, &prefixes, &fields, instruction, origin);
    }
    if let Rm::Memory(address) = fields.rm
        && address.modifier == Some(Modifier::Tlscall)
    {
        // A mark for the linker on the whole instruction, which has no displacement.
        push_fixup(
            stream,
            0,
            Field::Absolute,
            &address.displacement,
            address.modifier,
            None,
            origin,
        );
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
        relaxes: is_relaxable(form, &prefixes).then_some(rex),
        start,
        spots: Spots::default(),
    };
    tail.finish(form, &fields, &prefixes, instruction);
    Ok(Encoded::Bytes(tail.spots))
}

/// Whether a linker knows how to do without the global offset table in this instruction: `call` and
/// `jmp` through it, `mov` from it, `test` with it, arithmetic with it, without a size prefix.
fn is_relaxable(form: &Form, prefixes: &Prefixes) -> bool {
    let opcode = form.opcode & 0xff;
    form.space == Space::Legacy
        && form.map == 0
        && form.operand_size != 16
        && !prefixes.data
        && match form.count {
            1 => opcode == 0xff && matches!(form.group, 2 | 4),
            2 => matches!(opcode, 0x8b | 0x85) || opcode & !0x38 == 0x03,
            _ => false,
        }
}

fn needs_wide(form: &Form) -> bool {
    form.operand_size == 64 && !form.default64
}

fn branch(
    stream: &mut Stream,
    condition: Option<u8>,
    prefixes: &Prefixes,
    fields: &Fields<'_>,
    instruction: &Instruction<'_>,
    origin: Origin,
) -> Result<Encoded, Problem> {
    prefixes.write(&mut stream.bytes, true);
    let Some((_, address)) = fields.target else {
        return Err(problem("a jump needs a target", ""));
    };
    // REX.W wins over `data16`.
    let is_narrow = prefixes.data && prefixes.rex & 8 == 0;
    if address.modifier == Some(Modifier::Gotpcrel) {
        return Err(problem(
            "a jump into the global offset table itself",
            "write `jmp *foo@GOTPCREL(%rip)`, which goes where the table says",
        ));
    }
    if is_narrow && address.modifier.is_some() {
        return Err(problem(
            "a relocation of four bytes for a jump that `data16` leaves two",
            "leave the prefix out",
        ));
    }
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
                is_narrow,
            },
            origin,
        );
        return Ok(Encoded::Piece);
    }
    // A number or something else that layout does not move: the long form, for the linker.
    match condition {
        None => stream.bytes.push(0xe9),
        Some(condition) => stream.bytes.extend([0x0f, 0x80 | condition]),
    }
    push_fixup(
        stream,
        if is_narrow { 2 } else { 4 },
        Field::Branch(0),
        &address.displacement,
        address.modifier,
        None,
        origin,
    );
    if let Some(fixup) = stream.fixups.last_mut() {
        fixup.is_jump = true;
    }
    Ok(Encoded::Bytes(Spots::default()))
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
    let own = rex;
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
    if form.slots() == [Slot::Relative(1)] {
        prefixes.write_counting(&mut stream.bytes);
    } else {
        prefixes.write(&mut stream.bytes, true);
    }
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
    Ok(own != 0)
}
