//! Operands as written, brought to the types that forms are matched by.

use std::collections::HashMap;

use sequence::{
    Broadcast, Expr, Instruction, Mask, Memory, Modifier, OperandKind, Problem, Register,
    RegisterClass, Rounding, SizeHint, Syntax,
};

use crate::expr::{ExprError, Folded, Folder};
use crate::forms::types::*;
use crate::intel;
use crate::layout::problem;
use crate::names::NAMES;
use crate::select::register_width;
use crate::symbols::SymbolTable;

/// Memory, with its expression folded.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) segment: Option<u8>,
    pub(crate) base: Option<Register>,
    pub(crate) index: Option<Register>,
    /// log2
    pub(crate) scale: u8,
    pub(crate) displacement: Folded,
    pub(crate) modifier: Option<Modifier>,
    pub(crate) broadcast: Option<Broadcast>,
    /// Size that Intel syntax states, in bytes.
    pub(crate) size: Option<u16>,
    pub(crate) is_far: bool,
}

/// What an operand is.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Register(Register),
    Memory(Address),
    Immediate(Folded, Option<Modifier>),
}

/// One operand.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) value: Value,
    /// Types it can be; immediates only roughly, see [`immediate_types`].
    pub(crate) types: u64,
    pub(crate) mask: Option<Mask>,
    pub(crate) at: (u32, u32),
}

/// The operands of one instruction, sources first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operands {
    pub(crate) list: Vec<Written>,
    pub(crate) rounding: Option<PlacedRounding>,
    /// Names of instructions that there are not, with what may have been meant.
    pub(crate) unknown: HashMap<Box<str>, String>,
}

/// `{rn-sae}` and where it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedRounding {
    pub(crate) mode: Rounding,
    /// Operands before it.
    pub(crate) before: usize,
    /// Written behind an operand, without a comma.
    pub(crate) attached: bool,
}

/// Types of a register.
fn register_types(register: Register) -> u64 {
    let number = register.number;
    let first = |types: u64, fixed: u64| if number == 0 { types | fixed } else { types };
    let whichever = match number {
        1 => ANY_C,
        2 => ANY_D,
        3 => ANY_B,
        _ => 0,
    };
    match register.class {
        RegisterClass::Gpr8 => match number {
            0 => R8 | AL,
            1 => R8 | CL | ANY_C,
            3 => R8 | ANY_B,
            _ => R8,
        },
        RegisterClass::Gpr8High => R8_HIGH,
        RegisterClass::Gpr16 => match number {
            0 => R16 | AX,
            2 => R16 | DX | ANY_D,
            _ => R16 | whichever,
        },
        RegisterClass::Gpr32 => first(R32 | whichever, EAX),
        RegisterClass::Gpr64 => first(R64 | whichever, RAX),
        RegisterClass::Segment => SEGMENT | ES << number,
        RegisterClass::Control => CONTROL,
        RegisterClass::Debug => DEBUG,
        RegisterClass::Test => TEST,
        RegisterClass::St => first(ST, ST0),
        RegisterClass::Mm => MM,
        RegisterClass::Xmm if number >= 16 => XMM_UPPER,
        RegisterClass::Xmm => first(XMM, XMM0),
        RegisterClass::Ymm if number >= 16 => YMM_UPPER,
        RegisterClass::Ymm => YMM,
        RegisterClass::Zmm => ZMM,
        RegisterClass::Tmm => TMM,
        RegisterClass::Mask => MASK,
        RegisterClass::Bnd => BND,
        RegisterClass::Rip | RegisterClass::Eip | RegisterClass::Riz | RegisterClass::Eiz => NEVER,
    }
}

/// Types of an immediate whose operation has `width` bytes (0: not known).
pub(crate) fn immediate_types(value: &Folded, width: u8) -> u64 {
    let Folded::Number(value) = *value else {
        // What is not known yet takes the widest field there is, never a sign-extended byte.
        return IMM8 | IMM16 | IMM32 | IMM32S | IMM64;
    };
    let value = settle(value, width);
    let mut types = IMM64 | cut(width);
    if value == 1 {
        types |= ONE;
    }
    if (0..16).contains(&value) {
        types |= IMM4;
    }
    if i8::try_from(value).is_ok() {
        types |= IMM8S;
    }
    if (-128..256).contains(&value) {
        types |= IMM8;
    }
    if (-0x8000..0x1_0000).contains(&value) {
        types |= IMM16;
    }
    if i32::try_from(value).is_ok() {
        types |= IMM32S | IMM32;
    }
    if u32::try_from(value).is_ok() {
        types |= IMM32;
    }
    types
}

/// Types that GNU as lets any value have: it cuts off what the operation's width does not hold, and
/// warns.
fn cut(width: u8) -> u64 {
    match width {
        1 => IMM8 | IMM8S | IMM16 | IMM32 | IMM32S,
        2 => IMM16 | IMM32 | IMM32S,
        4 => IMM32,
        _ => 0,
    }
}

/// Whether a value does not fit into a field of these types.
pub(crate) fn is_cut(value: &Folded, width: u8, accepts: u64) -> bool {
    matches!(value, Folded::Number(number)
        if immediate_types(&Folded::Number(settle(*number, width)), 0) & accepts == 0)
}

/// Reads an unsigned value of the operation's width as signed: 0xffff is -1 for a 16-bit operation.
fn settle(value: i64, width: u8) -> i64 {
    match width {
        2 if u16::try_from(value).is_ok() => i64::from((value as u16).cast_signed()),
        // What fits 32 bits is a 32-bit value first, also for a 16-bit operation.
        2 | 4 => u32::try_from(value).map_or(value, |value| i64::from(value.cast_signed())),
        _ => value,
    }
}

/// Brings sizes that are stated for numbers together with those of the other operands: `dword ptr 4`
/// is a number of four bytes.
fn stated_sizes(instruction: &Instruction<'_>, operands: &mut Operands) -> Result<(), Problem> {
    for operand in &instruction.operands {
        let (OperandKind::Immediate(number), Some(stated)) = (&operand.kind, operand.size.bytes())
        else {
            continue;
        };
        let is_number = matches!(number, Expr::Number(_));
        let mut width = u16::from(register_width(operands));
        if width == 0
            && let Some(address) =
                operands
                    .list
                    .iter_mut()
                    .find_map(|other| match &mut other.value {
                        Value::Memory(address) => Some(address),
                        _ => None,
                    })
        {
            width = *address.size.get_or_insert(stated);
        }
        let others = operands.list.len() > 1;
        let name = instruction.mnemonic;
        let is_count = ["sh", "sa", "ro", "rc"]
            .iter()
            .any(|start| name.starts_with(start));
        let fits = match width {
            0 => {
                others
                    || (name == "push" && (stated != 4 || is_number))
                    || (name == "pushw" && stated == 2)
                    || (name == "int" && stated == 1)
            }
            width => stated == width || is_count,
        };
        if !fits {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    "the size that is stated for this number is not that of the operation",
                    "leave the size out: numbers need none",
                )
            });
        }
    }
    Ok(())
}

fn is_branch(mnemonic: &str) -> bool {
    mnemonic.starts_with('j') || takes_star(mnemonic)
}

/// Whether a `*` can stand before the operand.
fn takes_star(mnemonic: &str) -> bool {
    let plain = mnemonic.strip_prefix('l').unwrap_or(mnemonic);
    let rest = plain
        .strip_prefix("jmp")
        .or_else(|| plain.strip_prefix("call"));
    rest.is_some_and(|rest| rest.len() <= 1 || rest.starts_with('.'))
        // Their own error says what is wrong.
        || !NAMES.contains_key(mnemonic)
}

/// The error of `@` behind a number.
pub(crate) fn without_symbol() -> Problem {
    problem(
        "a relocation with `@` of a number",
        "use it with a symbol that is an address, or leave it out",
    )
}

fn is_expr(error: ExprError, at: (u32, u32)) -> Problem {
    Problem {
        at: Some(at),
        ..problem(error.0, error.1)
    }
}

fn address_types(address: &Address, indirect: bool) -> u64 {
    let mut types = match address.index.map(|index| index.class) {
        Some(RegisterClass::Xmm) => return VSIB_X,
        Some(RegisterClass::Ymm) => return VSIB_Y,
        Some(RegisterClass::Zmm) => return VSIB_Z,
        // String instructions have fixed registers, and are told so when others are written.
        _ => MEMORY | STRING_SI | STRING_DI | XLAT,
    };
    let plain = address.index.is_none() && address.displacement == Folded::Number(0);
    match address.base {
        None if address.index.is_none() => {
            types |= BARE;
            if !indirect && address.segment.is_none() {
                types |= TARGET;
            }
        }
        Some(Register {
            class: RegisterClass::Gpr16,
            number: 2,
        }) if plain => return DX,
        _ => {}
    }
    types
}

fn is_pseudo_index(address: &Address) -> bool {
    address
        .index
        .is_some_and(|index| matches!(index.class, RegisterClass::Riz | RegisterClass::Eiz))
}

fn check_address(address: &Address) -> Result<(), (String, String)> {
    let is = |register: Option<Register>, classes: &[RegisterClass]| {
        register.is_none_or(|register| classes.contains(&register.class))
    };
    use RegisterClass::{Eip, Eiz, Gpr16, Gpr32, Gpr64, Rip, Riz, Xmm, Ymm, Zmm};
    let text = "is not a valid base/index expression";
    if address.base.is_some_and(|base| base.class == Gpr16)
        && !(address.index.is_none() && address.base.is_some_and(|base| base.number == 2))
    {
        return Err((
            "16-bit addressing does not exist in 64-bit code".into(),
            "use 64-bit or 32-bit registers".into(),
        ));
    }
    if !is(address.base, &[Gpr16, Gpr32, Gpr64, Rip, Eip])
        || !is(address.index, &[Gpr32, Gpr64, Riz, Eiz, Xmm, Ymm, Zmm])
    {
        return Err((
            format!("this {text}"),
            "base and index are 64-bit registers, or both 32-bit".into(),
        ));
    }
    if is_pseudo_index(address) {
        return Err((
            "`%riz` and `%eiz` are not supported".into(),
            "GNU as takes them only with -mindex-reg; leave the index out".into(),
        ));
    }
    if let (Some(base), Some(index)) = (address.base, address.index) {
        let narrow = matches!(index.class, Gpr32 | Eiz);
        let wide = matches!(index.class, Gpr64 | Riz);
        if (base.class == Gpr64 && narrow) || (base.class == Gpr32 && wide) {
            return Err((
                "base and index differ in width".into(),
                "use two 64-bit registers, or two 32-bit ones".into(),
            ));
        }
        if matches!(base.class, Rip | Eip) {
            return Err((
                "`%rip` takes no index".into(),
                "load the address with `lea` first".into(),
            ));
        }
    }
    if address
        .index
        .is_some_and(|index| matches!(index.class, Gpr32 | Gpr64) && index.number == 4)
    {
        return Err((
            "`%rsp` cannot be an index".into(),
            "use it as the base, or another register".into(),
        ));
    }
    Ok(())
}

/// Lists the symbol that an operand of AT&T syntax begins with, if it was mentioned before: GNU as finds it
/// where it asks whether the name is a register's.
fn list_first(memory: &Memory, symbols: &mut SymbolTable) {
    let mut first = memory.displacement.as_ref();
    while let Some(Expr::Binary(_, left, _)) = first {
        first = Some(left);
    }
    if memory.segment.is_none()
        && let Some(Expr::Symbol(name, _)) = first
        && let Some(id) = symbols.find(name)
    {
        symbols.list(id);
    }
}

/// Lists all symbols of an operand of Intel syntax.
fn list_all(expr: &Expr, symbols: &mut SymbolTable) {
    match expr {
        Expr::Symbol(name, _) => {
            if let Some(id) = symbols.find(name) {
                symbols.list(id);
            }
        }
        Expr::Unary(_, inner) => list_all(inner, symbols),
        Expr::Binary(_, left, right) => {
            list_all(left, symbols);
            list_all(right, symbols);
        }
        Expr::Number(_) | Expr::Local(..) | Expr::Here => {}
    }
}

/// Brings the operands of an instruction into AT&T's order with their types.
///
/// # Errors
/// What no instruction takes: impossible addresses, expressions without value.
pub(crate) fn gather(
    instruction: &Instruction<'_>,
    folder: &mut Folder<'_>,
    operands: &mut Operands,
) -> Result<(), Problem> {
    operands.list.clear();
    operands.rounding = None;
    for operand in &instruction.operands {
        if operand.indirect && !takes_star(instruction.mnemonic) {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    format!("an indirect operand of `{}`", instruction.mnemonic),
                    "only jumps and calls have one: leave the `*` out",
                )
            });
        }
        folder.modifier = None;
        let (value, types) = match &operand.kind {
            OperandKind::Rounding(rounding) => {
                if operands.rounding.is_some() {
                    return Err(Problem {
                        at: Some(operand.at),
                        ..problem("a second rounding", "write one of them")
                    });
                }
                let mut before = operands.list.iter();
                operands.rounding = Some(PlacedRounding {
                    mode: *rounding,
                    before: operands.list.len(),
                    attached: before.next_back().is_some_and(|last| last.at == operand.at),
                });
                continue;
            }
            OperandKind::Register(register) => {
                let types = register_types(*register);
                (Value::Register(*register), types)
            }
            OperandKind::Immediate(expr) => {
                let folded = folder
                    .fold(expr)
                    .map_err(|error| is_expr(error, operand.at))?;
                if instruction.syntax == Syntax::Intel {
                    list_all(expr, folder.symbols);
                }
                let modifier = folder.modifier;
                if modifier.is_some() && matches!(folded, Folded::Number(_)) {
                    return Err(Problem {
                        at: Some(operand.at),
                        ..without_symbol()
                    });
                }
                (Value::Immediate(folded, modifier), ANY_IMMEDIATE)
            }
            OperandKind::Memory(memory) => {
                if memory.size == SizeHint::Near && !is_branch(instruction.mnemonic) {
                    return Err(Problem {
                        at: Some(operand.at),
                        ..problem(
                            format!("`near` memory of `{}`", instruction.mnemonic),
                            "only jumps and calls go near or far",
                        )
                    });
                }
                if instruction.syntax == Syntax::Att {
                    list_first(memory, folder.symbols);
                }
                let displacement = match &memory.displacement {
                    Some(expr) => folder
                        .fold(expr)
                        .map_err(|error| is_expr(error, operand.at))?,
                    None => Folded::Number(0),
                };
                if let (Syntax::Intel, Some(expr)) = (instruction.syntax, &memory.displacement) {
                    list_all(expr, folder.symbols);
                }
                if folder.modifier.is_some() && matches!(displacement, Folded::Number(_)) {
                    return Err(Problem {
                        at: Some(operand.at),
                        ..without_symbol()
                    });
                }
                let address = Address {
                    segment: memory.segment.map(|segment| segment.number),
                    base: memory.base,
                    index: memory.index,
                    scale: match memory.scale {
                        2 => 1,
                        4 => 2,
                        8 => 3,
                        _ => 0,
                    },
                    displacement,
                    modifier: folder.modifier,
                    broadcast: memory.broadcast,
                    size: memory.size.bytes(),
                    is_far: memory.size == SizeHint::Far,
                };
                check_address(&address).map_err(|(message, help)| Problem {
                    at: Some(operand.at),
                    ..problem(message, help)
                })?;
                let types = address_types(&address, operand.indirect);
                (Value::Memory(address), types)
            }
        };
        if operand.mask.is_some_and(|mask| mask.register == 0) {
            return Err(Problem {
                at: Some(operand.at),
                ..problem(
                    "no mask that can be one: `%k0` stands for none, and `{z}` needs one",
                    "write `{%k1}` to `{%k7}`",
                )
            });
        }
        operands.list.push(Written {
            value,
            types,
            mask: operand.mask,
            at: operand.at,
        });
    }
    if instruction.syntax == Syntax::Intel {
        stated_sizes(instruction, operands)?;
    }
    if instruction.syntax == Syntax::Intel && !intel::keeps_order(instruction.mnemonic) {
        operands.list.reverse();
    }
    Ok(())
}
