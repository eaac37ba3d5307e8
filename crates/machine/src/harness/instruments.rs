//! The code that is timed beside every sample: rulers and the contention sentinel, and the code
//! that all harnesses share.

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use super::control::{Control, HISTORY_ENTRIES};
use super::features::Features;
use super::nops;

/// Links of the short ruler.
pub(crate) const SHORT_LINKS: u32 = 200;
/// Links in one turn of a ruler's loop: long enough that its counter never shows.
const LINKS_PER_TURN: u32 = 20;
/// Turns of the sentinel's loop, of [`SENTINEL_GROUPS`] groups of four instructions each.
const SENTINEL_TURNS: i32 = 10;
const SENTINEL_GROUPS: u32 = 30;
/// Conditional branches of the history context before each run.
const HISTORY_BRANCHES: u32 = 24;

/// Addresses of the shared code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Instruments {
    /// A function that returns at once: the empty body of `call` sequences.
    pub(crate) empty: u64,
    /// The branches of the history context.
    pub(crate) history: u64,
    /// The end of every pass: saves what the sequence left and restores what the worker needs.
    pub(crate) leave: u64,
    /// Saves the worker's own state; run once, before any pass.
    pub(crate) enter: u64,
    /// The ruler, short and long.
    pub(crate) ruler: [u64; 2],
    /// The second ruler, short and long; zero if there is none.
    pub(crate) second_ruler: [u64; 2],
    /// The sentinel.
    pub(crate) sentinel: u64,
}

/// Writes the shared code for `base`. `links` are those by which the two lengths of each ruler
/// differ.
///
/// # Errors
/// If dynasmrt cannot encode a jump, or a ruler's instruction is not known here.
pub(crate) fn emit(
    base: u64,
    control: Control,
    features: Features,
    ruler: (&str, u32),
    second: Option<(&str, u32)>,
    history_table: u64,
) -> Result<(Vec<u8>, Instruments), String> {
    let mut ops = VecAssembler::new(base as usize);
    let mut at = Instruments::default();
    let here = |ops: &VecAssembler<X64Relocation>| base + ops.offset().0 as u64;

    at.empty = here(&ops);
    dynasm!(ops ; .arch x64 ; ret);

    nops::align(&mut ops, 64);
    at.enter = here(&ops);
    emit_enter(&mut ops, control, features);

    nops::align(&mut ops, 64);
    at.leave = here(&ops);
    emit_leave(&mut ops, control, features);

    nops::align(&mut ops, 64);
    at.history = here(&ops);
    emit_history(&mut ops, control, history_table);

    nops::align(&mut ops, 64);
    at.sentinel = here(&ops);
    let sentinel = |ops: &mut _| emit_sentinel(ops);
    emit_timed(&mut ops, control, features, &sentinel);

    for (place, chain) in [(&mut at.ruler, Some(ruler)), (&mut at.second_ruler, second)] {
        let Some((instruction, links)) = chain else {
            continue;
        };
        let link = link(instruction)?;
        for (place, links) in place.iter_mut().zip([SHORT_LINKS, SHORT_LINKS + links]) {
            nops::align(&mut ops, 64);
            *place = here(&ops);
            emit_timed(&mut ops, control, features, &|ops| {
                emit_chain(ops, link, links)
            });
        }
    }

    let bytes = ops.finalize().map_err(|error| error.to_string())?;
    Ok((bytes, at))
}

type Ops = VecAssembler<X64Relocation>;

/// Remembers the worker's fs and gs bases and its vector and x87 state.
fn emit_enter(ops: &mut Ops, control: Control, features: Features) {
    if features.fsgsbase {
        dynasm!(ops ; .arch x64
            ; rdfsbase rax ; mov [control.clean_fs()], rax
            ; rdgsbase rax ; mov [control.clean_gs()], rax
        );
    }
    match features.xsave {
        Some(mask) => dynasm!(ops ; .arch x64
            ; mov eax, mask.cast_signed() ; xor edx, edx ; xsave64 [control.clean_state()]
        ),
        None => dynasm!(ops ; .arch x64 ; fxsave64 [control.clean_state()]),
    }
    dynasm!(ops ; .arch x64 ; ret);
}

/// Takes the worker's stack back first; then records what has to be as it was, and only then makes
/// it so. No instruction before the last but one depends on anything that a sequence may have left.
fn emit_leave(ops: &mut Ops, control: Control, features: Features) {
    dynasm!(ops ; .arch x64
        ; mov [control.rsp()], rsp
        ; mov rsp, [control.saved_rsp()]
        ; pushfq
        ; pop rax
        ; mov [control.flags()], rax
        // Clears DF, AC, TF and NT.
        ; push DWORD 0x202
        ; popfq
        ; stmxcsr [control.mxcsr()]
        ; fnstcw [control.x87()]
        ; fnstsw [control.x87_status()]
    );
    if features.fsgsbase {
        dynasm!(ops ; .arch x64
            ; rdfsbase rax ; mov [control.fs()], rax
            ; rdgsbase rax ; mov [control.gs()], rax
            ; mov rax, [control.clean_fs()] ; wrfsbase rax
            ; mov rax, [control.clean_gs()] ; wrgsbase rax
        );
    }
    match features.xsave {
        Some(mask) => dynasm!(ops ; .arch x64
            ; mov eax, mask.cast_signed() ; xor edx, edx ; xrstor64 [control.clean_state()]
        ),
        None => dynasm!(ops ; .arch x64 ; fxrstor64 [control.clean_state()]),
    }
    dynasm!(ops ; .arch x64
        ; pop r15 ; pop r14 ; pop r13 ; pop r12 ; pop rbp ; pop rbx
        ; ret
    );
}

/// Branches on bits that were never seen before. Changes no register, and memory only on the
/// harness's own lines; flags do not flow between runs.
fn emit_history(ops: &mut Ops, control: Control, table: u64) {
    let last = table as i32 + 4 * (HISTORY_ENTRIES as i32 - 1);
    dynasm!(ops ; .arch x64
        ; mov [control.history_register()], rax
        ; mov eax, [control.history_cursor()]
        ; add DWORD [control.history_cursor()], 4
        ; cmp eax, last
        ; jb BYTE >within
        ; mov DWORD [control.history_cursor()], table as i32
        ; within:
        ; mov eax, [rax]
    );
    for _ in 0..HISTORY_BRANCHES {
        dynasm!(ops ; .arch x64
            ; shr eax, 1
            ; jc BYTE >skip
            ; nop
            ; skip:
        );
    }
    dynasm!(ops ; .arch x64 ; mov rax, [control.history_register()] ; ret);
}

/// A function that times `body` as a pass is timed. `body` may use the caller-saved registers.
fn emit_timed(ops: &mut Ops, control: Control, features: Features, body: &dyn Fn(&mut Ops)) {
    emit_start(ops, control);
    body(ops);
    emit_end(ops, control, features);
    dynasm!(ops ; .arch x64 ; ret);
}

/// The start of a timed region: everything before it has ended, and nothing of it has begun.
pub(super) fn emit_start(ops: &mut Ops, control: Control) {
    dynasm!(ops ; .arch x64
        ; lfence
        ; rdtsc
        ; lfence
        ; mov [control.start()], eax
        ; mov [control.start() + 4], edx
    );
}

/// The end of a timed region: `rdtscp` waits for all of it, the `lfence` keeps what follows out.
pub(super) fn emit_end(ops: &mut Ops, control: Control, features: Features) {
    if features.rdtscp {
        dynasm!(ops ; .arch x64 ; rdtscp ; lfence);
    } else {
        dynasm!(ops ; .arch x64 ; lfence ; rdtsc ; lfence ; xor ecx, ecx);
    }
    dynasm!(ops ; .arch x64
        ; mov [control.end()], eax
        ; mov [control.end() + 4], edx
        ; mov [control.aux()], ecx
    );
}

/// Independent work on four registers: bound by width, so a busy sibling thread shows.
fn emit_sentinel(ops: &mut Ops) {
    dynasm!(ops ; .arch x64 ; mov ecx, SENTINEL_TURNS);
    nops::align(ops, 64);
    let turn = ops.new_dynamic_label();
    dynasm!(ops ; .arch x64 ; =>turn);
    for _ in 0..SENTINEL_GROUPS {
        dynasm!(ops ; .arch x64
            ; add r8d, 1
            ; xor r9d, 1
            ; lea r10, [r10 + 1]
            ; xor r11d, 1
        );
    }
    dynasm!(ops ; .arch x64 ; dec ecx ; jnz =>turn);
}

type Link = fn(&mut Ops);

/// One link of a ruler's chain.
fn link(instruction: &str) -> Result<Link, String> {
    match instruction {
        "imul" => Ok(|ops| dynasm!(ops ; .arch x64 ; imul rax, rax)),
        "crc32" => Ok(|ops| dynasm!(ops ; .arch x64 ; crc32 rax, rax)),
        "popcnt" => Ok(|ops| dynasm!(ops ; .arch x64 ; popcnt rax, rax)),
        "adc" => Ok(|ops| dynasm!(ops ; .arch x64 ; adc rax, rdx)),
        other => Err(format!("no ruler is made of `{other}`")),
    }
}

/// A chain of `links` links, in turns that are long beside their counter.
fn emit_chain(ops: &mut Ops, link: Link, links: u32) {
    let turns = links / LINKS_PER_TURN;
    if turns > 0 {
        dynasm!(ops ; .arch x64 ; mov ecx, turns.cast_signed());
        nops::align(ops, 64);
        let turn = ops.new_dynamic_label();
        dynasm!(ops ; .arch x64 ; =>turn);
        for _ in 0..LINKS_PER_TURN {
            link(ops);
        }
        dynasm!(ops ; .arch x64 ; dec ecx ; jnz =>turn);
    }
    for _ in 0..links % LINKS_PER_TURN {
        link(ops);
    }
}
