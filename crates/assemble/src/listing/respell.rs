//! Where iced-x86's formatters write what the assembler of that syntax does not read.

use iced_x86::{Code, Instruction, Mnemonic, OpKind};

use super::ListingSyntax;

/// Puts the assembler's own spelling in the place of the formatter's.
pub(super) fn respell(text: &mut String, instruction: &Instruction, syntax: ListingSyntax) {
    match syntax {
        ListingSyntax::Att => att(text, instruction),
        ListingSyntax::Intel => intel(text, instruction),
        ListingSyntax::Nasm => nasm(text, instruction),
        ListingSyntax::Masm => {}
    }
}

/// Puts `new` in the place of the mnemonic, whose operands stay in their column.
fn rename(text: &mut String, old: &str, new: &str) {
    let Some(at) = text.find(old) else {
        return;
    };
    let end = at + old.len();
    let blanks = text[end..].len() - text[end..].trim_start_matches(' ').len();
    let left = (old.len() + blanks).saturating_sub(new.len());
    let blanks_now = if text.len() == end { 0 } else { left.max(1) };
    text.replace_range(
        at..end + blanks,
        &format!("{new}{}", " ".repeat(blanks_now)),
    );
}

fn att(text: &mut String, instruction: &Instruction) {
    match instruction.code() {
        Code::Retfd | Code::Retfd_imm16 => far_return(text, "lret"),
        Code::Retfq | Code::Retfq_imm16 => far_return(text, "lretq"),
        Code::Retfw | Code::Retfw_imm16 => far_return(text, "lretw"),
        Code::Getsecq => rename(text, "getsecq", "rex.w getsec"),
        _ => {}
    }
    // A base in a SIB byte without an index.
    if text.contains(",)") {
        *text = text.replace(",)", ")");
    }
}

/// `ret far`, as the formatter has it, is a return with the symbol `far` to GNU as.
fn far_return(text: &mut String, name: &str) {
    let operand = text.find("far").map(|at| text[at + 3..].trim().to_owned());
    let operand = operand.filter(|operand| !operand.is_empty());
    *text = match operand {
        Some(operand) => format!("{name:<7} {operand}"),
        None => name.to_owned(),
    };
}

fn intel(text: &mut String, instruction: &Instruction) {
    match instruction.code() {
        Code::Retfd | Code::Retfd_imm16 => far_return(text, "retf"),
        Code::Retfq | Code::Retfq_imm16 => far_return(text, "retfq"),
        Code::Retfw | Code::Retfw_imm16 => far_return(text, "retfw"),
        Code::Push_imm16 | Code::Pushw_imm8 => rename(text, "data16 push", "pushw"),
        Code::Sysretd => rename(text, "sysret", "sysretd"),
        Code::Sysexitd => rename(text, "sysexit", "sysexitd"),
        Code::Getsecq => rename(text, "getsecq", "rex.w getsec"),
        Code::Prefetch_m8 => rename(text, "prefetch_exclusive", "prefetch"),
        Code::Invlpgbd => *text = "invlpgb eax, ecx, edx".to_owned(),
        Code::Invlpgbq => *text = "invlpgb".to_owned(),
        Code::Fldenv_m14byte | Code::Fnstenv_m14byte => narrow_environment(text, "fpuenv14 ptr "),
        Code::Frstor_m94byte | Code::Fnsave_m94byte => narrow_environment(text, "fpustate94 ptr "),
        Code::Nop_rm32 if has_memory(instruction) => size_memory(text, "dword"),
        Code::Nop_rm64 if has_memory(instruction) => size_memory(text, "qword"),
        Code::Call_m1616 | Code::Jmp_m1616 | Code::Call_m1632 | Code::Jmp_m1632 => {
            *text = text.replacen("far ", "", 1);
        }
        Code::Call_m1664 | Code::Jmp_m1664 => {
            *text = format!("rex.w {}", text.replacen("far tbyte", "fword", 1));
        }
        _ => {}
    }
    match instruction.mnemonic() {
        Mnemonic::Pcmpestri64 => rename(text, "pcmpestri64", "rex.w pcmpestri"),
        Mnemonic::Pcmpestrm64 => rename(text, "pcmpestrm64", "rex.w pcmpestrm"),
        _ => {}
    }
    if leaves_out_top(instruction) {
        if let Some(at) = text.find(" st, ") {
            text.replace_range(at + 1..at + 5, "");
        } else if text.ends_with(", st") {
            text.truncate(text.len() - 4);
        }
    }
    if instruction.has_op_mask()
        && let Some(at) = text.find(", k")
    {
        // A mask that is needed is an operand to the formatter.
        let mask = text[at + 2..at + 4].to_owned();
        text.replace_range(at..at + 4, &format!("{{{mask}}}"));
    }
    move_rounding(text);
}

fn nasm(text: &mut String, instruction: &Instruction) {
    match instruction.code() {
        Code::Push_imm16 | Code::Pushw_imm8 => *text = text.replacen("o16 push ", "push word ", 1),
        _ => {}
    }
    // A number is an address to NASM; what is meant is an offset in the section.
    *text = text.replacen("[rel 0x", "[rel $$+0x", 1);
}

fn has_memory(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|operand| instruction.op_kind(operand) == OpKind::Memory)
}

/// States the size of memory that nothing else does.
fn size_memory(text: &mut String, size: &str) {
    if let Some(at) = text.find('[')
        && !text.contains(" ptr ")
    {
        text.insert_str(at, &format!("{size} ptr "));
    }
}

/// The environment of 16-bit code has no name of its own in Intel syntax.
fn narrow_environment(text: &mut String, size: &str) {
    *text = format!("data16 {}", text.replacen(size, "", 1));
}

/// Whether the formatter names st(0) where the assembler takes it for granted.
fn leaves_out_top(instruction: &Instruction) -> bool {
    let is_x87 = format!("{:?}", instruction.mnemonic()).starts_with('F');
    is_x87 && has_memory(instruction)
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Fcom
                | Mnemonic::Fcomp
                | Mnemonic::Fucom
                | Mnemonic::Fucomp
                | Mnemonic::Fxch
                | Mnemonic::Fld
                | Mnemonic::Fst
                | Mnemonic::Fstp
        )
}

/// Moves `{sae}` and the like from behind the first operand to behind the last register, before
/// an immediate, where GNU as looks for it.
fn move_rounding(text: &mut String) {
    let Some(end) = text.find("sae}").map(|at| at + 4) else {
        return;
    };
    let Some(begin) = text[..end].rfind('{') else {
        return;
    };
    let rounding = text[begin..end].to_owned();
    text.replace_range(begin..end, "");
    let last = text.rfind(',').map_or(0, |at| at + 1);
    let is_immediate = text[last..]
        .trim_start()
        .starts_with(|first: char| first.is_ascii_digit());
    let place = if is_immediate { last - 1 } else { text.len() };
    text.insert_str(place, &rounding);
}
