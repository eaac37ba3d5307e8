//! The code of the history probe: one function for each case, place and setting.
//!
//! The three modes differ in data alone: the same instructions at the same addresses are run with
//! other bits in the two tables. As in the timing harness nothing is reserved for the harness while
//! the sequence runs; its registers are kept in memory between trials.

use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use super::instruments::{emit_end, emit_start};
use super::{Emitter, Run, nops};
use crate::probe::{Marker, Setting};

/// Most trials of a pass, warm-up included.
pub(crate) const MOST_TRIALS: u32 = 1024;
/// Links of the chain behind the jump: it overlaps the delay only if the jump was predicted.
const WORK: u32 = 30;

/// Addresses of the probe's tables, all of them below 2 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// One byte a trial, 0 or 1: the path that the marker takes.
    pub(crate) markers: u64,
    /// One byte a trial, 0 or 1: where the jump goes.
    pub(crate) jumps: u64,
    /// One u32 a trial: ticks of the jump.
    pub(crate) ticks: u64,
    /// 15 general registers: the sequence's between two trials.
    pub(crate) registers: u64,
}

/// Bytes of all the tables.
pub(crate) const TABLES_BYTES: u64 = REGISTERS_AT + 15 * 8;
const JUMPS_AT: u64 = MOST_TRIALS as u64;
const TICKS_AT: u64 = 2 * MOST_TRIALS as u64;
const REGISTERS_AT: u64 = 6 * MOST_TRIALS as u64;

impl Tables {
    /// Tables in a region of [`TABLES_BYTES`] bytes.
    pub(crate) fn at(region: u64) -> Self {
        Self {
            markers: region,
            jumps: region + JUMPS_AT,
            ticks: region + TICKS_AT,
            registers: region + REGISTERS_AT,
        }
    }
}

/// Bytes of the targets of one function: two of the jump, two of the indirect marker.
pub(crate) const TARGETS_BYTES: u64 = 32;

/// What is wanted of one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// How it looks.
    pub(crate) setting: Setting,
    /// Whether the sequence stands in front of the marker.
    pub(crate) before: bool,
    /// Taken branches of the loop that erases older history.
    pub(crate) erased: u32,
    /// The tables.
    pub(crate) tables: Tables,
    /// Where its targets will be.
    pub(crate) targets: u64,
}

/// A function and what has to be written to its targets' address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// Its address. It takes the number of trials from the control page.
    pub(crate) function: u64,
    /// Targets of the jump and of the marker.
    pub(crate) targets: [u64; 4],
}

type Ops = VecAssembler<X64Relocation>;

impl Emitter<'_> {
    /// A function that runs trials.
    pub(crate) fn probe(&mut self, run: &Run, wanted: &Wanted) -> Probe {
        let control = self.control;
        // All alike in their pages, as the passes of the timing harness are.
        nops::align(&mut self.ops, 0x1000);
        let function = self.here();
        self.prologue(run.state, run.body);
        self.load_registers(run.state);
        self.keep_registers(wanted.tables);
        dynasm!(self.ops ; .arch x64 ; mov DWORD [control.trial()], 0);
        emit_start(&mut self.ops, control);
        nops::align(&mut self.ops, 64);
        let trial = self.ops.new_dynamic_label();
        dynasm!(self.ops ; .arch x64
            ; =>trial
            ; mov ecx, wanted.erased.cast_signed() + 1
            ; erase:
            ; sub ecx, 1
            ; jnz <erase
        );
        if wanted.before {
            self.sequence(run, wanted.tables);
        }
        let marker = self.marker(wanted);
        if !wanted.before {
            self.sequence(run, wanted.tables);
        }
        let jump = self.jump(wanted);
        dynasm!(self.ops ; .arch x64
            ; mov [rbx * 4 + wanted.tables.ticks as i32], eax
            ; add ebx, 1
            ; mov [control.trial()], ebx
            ; cmp ebx, [control.trials()]
            ; jb =>trial
        );
        emit_end(&mut self.ops, control, self.features);
        self.leave();
        Probe {
            function,
            targets: [jump[0], jump[1], marker[0], marker[1]],
        }
    }

    /// One run of the sequence with the registers that its last run left.
    fn sequence(&mut self, run: &Run, tables: Tables) {
        self.load_registers(tables.registers);
        self.pad_to_body(run);
        self.blocks(run);
        self.keep_registers(tables);
    }

    fn keep_registers(&mut self, tables: Tables) {
        let at = |index: i32| tables.registers as i32 + 8 * index;
        dynasm!(self.ops ; .arch x64
            ; mov [at(0)], rax ; mov [at(1)], rcx ; mov [at(2)], rdx ; mov [at(3)], rbx
            ; mov [at(4)], rbp ; mov [at(5)], rsi ; mov [at(6)], rdi ; mov [at(7)], r8
            ; mov [at(8)], r9 ; mov [at(9)], r10 ; mov [at(10)], r11 ; mov [at(11)], r12
            ; mov [at(12)], r13 ; mov [at(13)], r14 ; mov [at(14)], r15
        );
    }

    /// Takes one of two paths by the trial's bit. Gives the addresses of the paths where they are
    /// jumped to by address.
    ///
    /// Which bits of an address go into the history is nobody's promise: the paths are 43, 37 and a
    /// few bytes off a multiple of 64 from each other, so that several bits differ, bit 4 among
    /// them.
    fn marker(&mut self, wanted: &Wanted) -> [u64; 2] {
        let control = self.control;
        let markers = wanted.tables.markers as i32;
        dynasm!(self.ops ; .arch x64
            ; mov ebx, [control.trial()]
            ; movzx r8d, BYTE [rbx + markers]
        );
        match wanted.setting.marker {
            Marker::Conditional => {
                dynasm!(self.ops ; .arch x64 ; test r8d, r8d ; jnz >other ; jmp >join);
                self.unreached(64, 43);
                dynasm!(self.ops ; .arch x64 ; other: ; nop ; jmp >join);
                self.unreached(64, 0);
                dynasm!(self.ops ; .arch x64 ; join:);
                [0; 2]
            }
            Marker::Indirect => {
                let targets = wanted.targets as i32 + 16;
                dynasm!(self.ops ; .arch x64 ; mov r9, [r8 * 8 + targets] ; jmp r9);
                self.unreached(64, 0);
                let one = self.here();
                dynasm!(self.ops ; .arch x64 ; jmp >join);
                self.unreached(64, 37);
                let other = self.here();
                dynasm!(self.ops ; .arch x64 ; jmp >join);
                self.unreached(64, 0);
                dynasm!(self.ops ; .arch x64 ; join:);
                [one, other]
            }
            Marker::TakenOrNot => {
                dynasm!(self.ops ; .arch x64
                    ; test r8d, r8d
                    ; jnz BYTE >over
                    ; nop DWORD [rax]
                    ; over:
                );
                [0; 2]
            }
        }
    }

    /// The only thing that is timed: leaves its ticks in %eax and the trial in %ebx.
    fn jump(&mut self, wanted: &Wanted) -> [u64; 2] {
        let control = self.control;
        let (jumps, targets) = (wanted.tables.jumps as i32, wanted.targets as i32);
        dynasm!(self.ops ; .arch x64
            ; mov ebx, [control.trial()]
            // The sequence has ended before the clock is read, and the delay begins behind it.
            ; lfence
            ; rdtsc
            ; mov r12d, eax
            ; lfence
            ; movzx r9d, BYTE [rbx + jumps]
        );
        for _ in 0..wanted.setting.delay {
            dynasm!(self.ops ; .arch x64 ; imul r9, r9, 1);
        }
        dynasm!(self.ops ; .arch x64 ; mov r9, [r9 * 8 + targets] ; jmp r9);
        self.unreached(64, 0);
        let one = self.here();
        dynasm!(self.ops ; .arch x64 ; jmp >join);
        self.unreached(64, 21);
        let other = self.here();
        dynasm!(self.ops ; .arch x64 ; jmp >join);
        self.unreached(64, 0);
        dynasm!(self.ops ; .arch x64 ; join: ; mov eax, 3);
        for _ in 0..WORK {
            dynasm!(self.ops ; .arch x64 ; imul eax, eax);
        }
        dynasm!(self.ops ; .arch x64 ; lfence ; rdtsc ; sub eax, r12d);
        [one, other]
    }

    /// Bytes that no path reaches, to a multiple of `align` and `more` beyond it.
    fn unreached(&mut self, align: u64, more: usize) {
        let here = self.here();
        let count = (here.next_multiple_of(align) - here) as usize + more;
        fill(&mut self.ops, count);
    }
}

fn fill(ops: &mut Ops, count: usize) {
    for _ in 0..count {
        ops.push(0xcc);
    }
}
