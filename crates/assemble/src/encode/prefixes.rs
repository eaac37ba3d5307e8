//! Prefixes: which are written, which an instruction takes, and in what order they stand.

use iced_x86::{Code, Mnemonic};
use sequence::{Instruction, Prefix, Problem, RegisterClass};

use super::fields::{Fields, Rm};
use crate::forms::{Form, Slot, Space, types};
use crate::intel::is_far;
use crate::layout::problem;
use crate::operand::Address;

/// Prefixes in the order in which GNU as writes them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prefixes {
    pub(super) wait: bool,
    pub(super) segment: u8,
    pub(super) address: bool,
    pub(super) data: bool,
    pub(super) repeat: u8,
    pub(super) lock: bool,
    pub(super) rex: u8,
}

/// Opcode of a segment override.
pub(super) const SEGMENTS: [u8; 6] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];

pub(super) fn is_narrow(address: &Address) -> bool {
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
pub(super) fn default_segment(address: &Address) -> u8 {
    let stack = address.base.is_some_and(|base| {
        matches!(base.class, RegisterClass::Gpr32 | RegisterClass::Gpr64)
            && (base.number == 4 || base.number == 5)
    });
    if stack { 2 } else { 3 }
}

pub(super) fn conflict(word: &str) -> Problem {
    problem(
        format!("two prefixes of the same kind, the second is `{word}`"),
        "write one of them",
    )
}

impl Prefixes {
    /// Takes the prefixes as written.
    pub(super) fn written(&mut self, prefixes: &[Prefix]) -> Result<(), Problem> {
        for prefix in prefixes {
            match prefix {
                Prefix::Lock => {
                    if self.lock {
                        return Err(conflict("lock"));
                    }
                    self.lock = true;
                }
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
                    self.rex |= 0x40 | (bits & 15);
                }
                Prefix::Fwait => {
                    if self.wait {
                        return Err(conflict("wait"));
                    }
                    self.wait = true;
                }
            }
        }
        Ok(())
    }

    pub(super) fn size(&mut self) -> Result<(), Problem> {
        if self.data {
            return Err(conflict("data16"));
        }
        self.data = true;
        Ok(())
    }

    pub(super) fn repeat(&mut self, byte: u8) -> Result<(), Problem> {
        if self.repeat != 0 {
            return Err(conflict(if byte == 0xf3 { "rep" } else { "repne" }));
        }
        self.repeat = byte;
        Ok(())
    }

    pub(super) fn override_segment(&mut self, segment: u8) -> Result<(), Problem> {
        if self.segment != 0 {
            return Err(problem("two segment overrides", "write one of them"));
        }
        self.segment = SEGMENTS.get(usize::from(segment)).copied().unwrap_or(0);
        Ok(())
    }

    /// The prefixes of a loop or `jecxz`, whose address size GNU as writes first.
    pub(super) fn write_counting(mut self, bytes: &mut Vec<u8>) {
        if std::mem::take(&mut self.address) {
            bytes.push(0x67);
        }
        self.write(bytes, true);
    }

    /// Segment and address size of an operand in memory.
    pub(super) fn memory(&mut self, address: &Address, form: &Form) -> Result<(), Problem> {
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

    pub(super) fn write(&self, bytes: &mut Vec<u8>, with_rex: bool) {
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

/// Prefixes that an instruction does not take.
pub(super) fn check_prefixes(
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
            Prefix::Rex(bits) if bits & 0x10 != 0 && loses_suffix(instruction.mnemonic) => {
                return Err(problem(
                    format!("a prefix with a dot before `{}`", instruction.mnemonic),
                    "GNU as loses the suffix then, and makes `fsts` of `fstps`: leave the prefix out, or \
                     write `rex` or `rex64`",
                ));
            }
            Prefix::Xacquire | Prefix::Xrelease => {
                check_elision(instruction, *prefix, form, fields)?
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
            Prefix::Bnd
                if !info.can_use_bnd_prefix()
                    && (form.code.mnemonic() != Mnemonic::Jmp
                        || form.memory != 0 && is_far(form)) =>
            {
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
                    Prefix::Rep | Prefix::Repne | Prefix::Data16 | Prefix::Rex(_) | Prefix::Fwait
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

/// Refuses `xacquire` and `xrelease` where they mean something else: they elide locks, which all
/// read-modify-write instructions but `xchg` take with `lock`, and `mov` releases.
fn check_elision(
    instruction: &Instruction<'_>,
    prefix: Prefix,
    form: &Form,
    fields: &Fields<'_>,
) -> Result<(), Problem> {
    let info = form.code.op_code();
    let name = instruction.mnemonic;
    let takes = match prefix {
        Prefix::Xacquire => info.can_use_xacquire_prefix(),
        _ => info.can_use_xrelease_prefix(),
    };
    let stores = matches!(fields.rm, Rm::Memory(_)) || fields.offset.is_some();
    if !takes || !stores {
        return Err(problem(
            format!("`{name}` elides no lock"),
            "only read-modify-write instructions with a destination in memory do, and `xrelease mov`",
        ));
    }
    let plain = matches!(form.code.mnemonic(), Mnemonic::Xchg | Mnemonic::Mov);
    if !plain && !instruction.prefixes.contains(&Prefix::Lock) {
        return Err(problem(
            format!("`{name}` elides no lock without `lock`"),
            "write `lock` behind the prefix",
        ));
    }
    Ok(())
}

/// Names whose `s` GNU as loses where a prefix with a dot stands before them.
fn loses_suffix(mnemonic: &str) -> bool {
    matches!(
        mnemonic,
        "fadds" | "fmuls" | "fcoms" | "fsubs" | "fdivs" | "fstps" | "filds" | "fists"
    )
}

pub(super) fn is_simd(form: &Form) -> bool {
    form.accepts()
        .iter()
        .any(|&accepts| accepts & (types::ANY_VECTOR | types::MM | types::BND) != 0)
}

/// Whether the address has 64-bit registers.
pub(super) fn is_wide(fields: &Fields<'_>) -> bool {
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
pub(super) fn takes_repeat(form: &Form) -> bool {
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
