//! The code that enters a body, repeats it and times it.
//!
//! A pass is a function without arguments: it saves the worker's callee-saved registers, loads the
//! state that `setup` left, reads the TSC, runs the loop, reads the TSC again and leaves through
//! [`Instruments::leave`]. Nothing is reserved: the loop's counter is in memory, and the worker's
//! stack pointer too. Each measure is timed at two lengths, so that the harness's own cost is taken
//! off: a body that takes long enough to hide the loop's counter by T and 2T turns of a loop of one
//! copy, a shorter one by T turns of N and of 2N copies.
//!
//! One copy is better where it can be had. Each copy is a place of its own to the branch
//! predictors, and a branchy body that is called from 24 places has to be learnt 24 times.

pub(crate) mod control;
pub(crate) mod features;
pub(crate) mod instruments;
mod nops;
pub(crate) mod probe;

use assemble::SectionId;
use dynasmrt::x64::X64Relocation;
use dynasmrt::{DynasmApi, DynasmLabelApi, VecAssembler, dynasm};

use crate::api::Context;
use control::Control;
use features::Features;
use instruments::{Instruments, emit_end, emit_start};

/// Copies of a body in the short pass, unless the case asks for another number: enough to hide the
/// loop's counter (a store-forward chain of 5 to 7 cycles) behind bodies of a cycle.
const COPIES: u32 = 8;
/// The long pass stays within this many bytes, so that it runs from the first-level caches.
const LOOP_BYTES: u64 = 16 * 1024;

/// What is run between two contexts' marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// A call of this address.
    Call(u64),
    /// A call of the address in the control page.
    CallNamed,
    /// A copy of this section.
    Inline(SectionId),
    /// Nothing: the empty body of `inline` sequences.
    Nothing,
}

/// One run: what every turn of the loop repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// What stands between two runs.
    pub(crate) context: Context,
    /// Block in front of each body.
    pub(crate) before: Option<SectionId>,
    /// The body.
    pub(crate) body: Body,
    /// Block behind each body.
    pub(crate) after: Option<SectionId>,
    /// The body's first byte is at this offset from a multiple of `align`.
    pub(crate) offset: u64,
    /// See `offset`; at least 64, so that all copies lie alike in their lines.
    pub(crate) align: u64,
    /// Most copies, where the case says so.
    pub(crate) unroll: Option<u32>,
    /// Address of the state to load.
    pub(crate) state: u64,
}

/// Gives the bytes of a block at an address. The third argument lists all blocks of the run.
pub(crate) type Blocks<'a> =
    dyn FnMut(SectionId, u64, &[(SectionId, u64)]) -> Result<Vec<u8>, Vec<String>> + 'a;

/// A copy of a section in harness code, for finding where a fault was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// Which section.
    pub(crate) section: SectionId,
    /// Where it is.
    pub(crate) address: u64,
    /// Its bytes.
    pub(crate) length: u64,
}

/// The passes of one measure, in two pairs. The first pair is one loop of one copy, which is given
/// twice the turns for the long pass; the second has loops of N and of 2N copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passes {
    /// Copies in the short pass.
    pub(crate) copies: [u32; 2],
    /// Address of the short pass.
    pub(crate) short: [u64; 2],
    /// Address of the long pass.
    pub(crate) long: [u64; 2],
}

/// Addresses of the counting harness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counting {
    /// The function that the worker calls.
    pub(crate) function: u64,
    /// Its `int3`.
    pub(crate) marker: u64,
    /// First instruction of the block in front of the body; as `enter` where there is none.
    pub(crate) before: u64,
    /// The harness's `call` of the body; as `start` where the body is not called.
    pub(crate) enter: u64,
    /// First instruction of the body.
    pub(crate) start: u64,
    /// Instruction behind the body.
    pub(crate) end: u64,
    /// Instruction behind the block behind the body; as `end` where there is none.
    pub(crate) stop: u64,
}

/// Writes harness code from one address upward.
pub(crate) struct Emitter<'a> {
    ops: VecAssembler<X64Relocation>,
    base: u64,
    control: Control,
    features: Features,
    instruments: Instruments,
    stack_top: u64,
    zero_state: u64,
    sites: Sites,
    blocks: &'a mut Blocks<'a>,
    section_sizes: &'a [u64],
    copies: Vec<Copy>,
    errors: Vec<String>,
}

/// What all harnesses of an image share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared {
    /// The control page.
    pub(crate) control: Control,
    /// What the CPU has.
    pub(crate) features: Features,
    /// The shared code.
    pub(crate) instruments: Instruments,
    /// First address above the sequences' stack, a multiple of 16.
    pub(crate) stack_top: u64,
    /// The state that `setup` finds.
    pub(crate) zero_state: u64,
    /// Where bodies are called from.
    pub(crate) sites: Sites,
}

/// The loops that call bodies: for each context, of one copy of the call, of [`COPIES`] and of twice
/// as many. All variants are called from the same places, through a pointer, so that the history of
/// branches with which they are entered is the same, and learnt once and not by each of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sites {
    loops: [[u64; 3]; 4],
}

impl Sites {
    /// The loop of this many calls, if there is one.
    fn of(&self, context: Context, copies: u32) -> Option<u64> {
        let length = SITE_COPIES.iter().position(|site| *site == copies)?;
        Some(self.loops[context as usize][length]).filter(|address| *address != 0)
    }
}

/// Copies of the call in the shared loops.
const SITE_COPIES: [u32; 3] = [1, COPIES, 2 * COPIES];

impl<'a> Emitter<'a> {
    /// `base` is at a line. `section_sizes` are those of the case's sections.
    pub(crate) fn new(
        base: u64,
        shared: Shared,
        section_sizes: &'a [u64],
        blocks: &'a mut Blocks<'a>,
    ) -> Self {
        Self {
            ops: VecAssembler::new(base as usize),
            base,
            control: shared.control,
            features: shared.features,
            instruments: shared.instruments,
            stack_top: shared.stack_top,
            zero_state: shared.zero_state,
            sites: shared.sites,
            blocks,
            section_sizes,
            copies: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The code and the copies of blocks in it.
    ///
    /// # Errors
    /// All references of blocks that could not be resolved.
    pub(crate) fn finish(self) -> Result<(Vec<u8>, Vec<Copy>), Vec<String>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let bytes = self
            .ops
            .finalize()
            .map_err(|error| vec![error.to_string()])?;
        Ok((bytes, self.copies))
    }

    fn here(&self) -> u64 {
        self.base + self.ops.offset().0 as u64
    }

    fn size(&self, section: Option<SectionId>) -> u64 {
        section.map_or(0, |section| self.section_sizes[section.0 as usize])
    }

    /// The passes of one measure.
    pub(crate) fn measure(&mut self, run: &Run) -> Passes {
        let single = self.pass(run, 1);
        let copies = self.default_copies(run);
        let (short, long) = if copies == 1 {
            (single, single)
        } else {
            (self.pass(run, copies), self.pass(run, 2 * copies))
        };
        Passes {
            copies: [1, copies],
            short: [single, short],
            long: [single, long],
        }
    }

    /// Copies in the short pass: what the case allows, lowered for long code.
    fn default_copies(&self, run: &Run) -> u32 {
        let body = match run.body {
            Body::Inline(section) => self.size(Some(section)).next_multiple_of(run.align),
            Body::Call(_) => 5,
            Body::CallNamed => 7,
            Body::Nothing => 0,
        };
        let context = match run.context {
            Context::Chained => 0,
            Context::Overlap => 38,
            Context::Isolated => 3,
            Context::History => 8,
        };
        let bytes = body + context + self.size(run.before) + self.size(run.after);
        let fit = LOOP_BYTES / (2 * bytes.max(1));
        let wanted = u64::from(run.unroll.unwrap_or(COPIES));
        u32::try_from(wanted.min(fit).max(1)).unwrap_or(1)
    }

    fn pass(&mut self, run: &Run, copies: u32) -> u64 {
        nops::align(&mut self.ops, 64);
        let entry = self.here();
        self.prologue(run.state, run.body);
        let control = self.control;
        dynasm!(self.ops ; .arch x64
            ; mov eax, [control.turns()]
            ; mov [control.counter()], eax
        );
        let site = match run {
            Run {
                body: Body::Call(target),
                before: None,
                after: None,
                ..
            } => {
                let site = self.sites.of(run.context, copies);
                site.map(|site| (site, *target as i32))
            }
            _ => None,
        };
        if let Some((_, target)) = site {
            dynasm!(self.ops ; .arch x64 ; mov QWORD [control.body()], target);
        }
        emit_start(&mut self.ops, control);
        self.load_registers(run.state);
        if let Some((site, _)) = site {
            dynasm!(self.ops ; .arch x64 ; jmp extern site as usize);
        } else {
            self.turns(run, copies);
        }
        entry
    }

    /// The loops that all variants are called from.
    pub(crate) fn sites(&mut self) -> Sites {
        let mut sites = Sites::default();
        for context in [
            Context::Chained,
            Context::Overlap,
            Context::Isolated,
            Context::History,
        ] {
            for (length, copies) in SITE_COPIES.into_iter().enumerate() {
                nops::align(&mut self.ops, 64);
                sites.loops[context as usize][length] = self.here();
                let run = Run {
                    context,
                    before: None,
                    body: Body::CallNamed,
                    after: None,
                    offset: 0,
                    align: 64,
                    unroll: None,
                    state: self.zero_state,
                };
                self.turns(&run, copies);
            }
        }
        sites
    }

    /// The loop, and the end of the timed region.
    fn turns(&mut self, run: &Run, copies: u32) {
        let control = self.control;
        nops::align(&mut self.ops, 64);
        // Bytes in front of the first body stay outside the loop, those between bodies inside.
        self.pad_to_body(run);
        let turn = self.ops.new_dynamic_label();
        dynasm!(self.ops ; .arch x64 ; =>turn);
        for copy in 0..copies {
            if copy > 0 {
                self.pad_to_body(run);
            }
            self.run(run);
        }
        // The last body is followed by as many bytes as each of the others.
        self.pad_to_body(run);
        dynasm!(self.ops ; .arch x64
            ; sub DWORD [control.counter()], 1
            ; jnz =>turn
        );
        emit_end(&mut self.ops, control, self.features);
        self.leave();
    }

    /// From the worker's state to the sequence's stack and vector registers.
    fn prologue(&mut self, state: u64, body: Body) {
        let control = self.control;
        let vectors = (state + control::STATE_XSAVE) as i32;
        dynasm!(self.ops ; .arch x64
            ; push rbx ; push rbp ; push r12 ; push r13 ; push r14 ; push r15
            ; mov [control.saved_rsp()], rsp
        );
        match self.features.xsave {
            Some(mask) => dynasm!(self.ops ; .arch x64
                ; mov eax, mask.cast_signed() ; xor edx, edx ; xrstor64 [vectors]
            ),
            None => dynasm!(self.ops ; .arch x64 ; fxrstor64 [vectors]),
        }
        dynasm!(self.ops ; .arch x64 ; mov rsp, DWORD self.stack_pointer(body) as i32);
    }

    /// %rsp at the start of every run.
    fn stack_pointer(&self, body: Body) -> u64 {
        match body {
            // Inline code finds the stack as after a call; a call makes it so.
            Body::Inline(_) | Body::Nothing => self.stack_top - 8,
            Body::Call(_) | Body::CallNamed => self.stack_top,
        }
    }

    fn load_registers(&mut self, state: u64) {
        let at = |index: i32| state as i32 + 8 * index;
        dynasm!(self.ops ; .arch x64
            ; mov rax, [at(0)] ; mov rcx, [at(1)] ; mov rdx, [at(2)] ; mov rbx, [at(3)]
            ; mov rbp, [at(4)] ; mov rsi, [at(5)] ; mov rdi, [at(6)] ; mov r8, [at(7)]
            ; mov r9, [at(8)] ; mov r10, [at(9)] ; mov r11, [at(10)] ; mov r12, [at(11)]
            ; mov r13, [at(12)] ; mov r14, [at(13)] ; mov r15, [at(14)]
        );
    }

    fn leave(&mut self) {
        let leave = self.instruments.leave as usize;
        dynasm!(self.ops ; .arch x64 ; jmp extern leave);
    }

    /// Pads so that the next run's body has its place in a line. Called bodies have their own.
    fn pad_to_body(&mut self, run: &Run) {
        if let Body::Inline(_) = run.body {
            let front = context_bytes_before(run.context) + self.size(run.before);
            let body = self.here() + front;
            let behind = body.wrapping_sub(run.offset) % run.align;
            if behind > 0 {
                nops::pad(&mut self.ops, (run.align - behind) as usize);
            }
        }
    }

    /// One run with what its context puts round it. Gives the first byte of the body and the byte
    /// behind it.
    fn run(&mut self, run: &Run) -> (u64, u64) {
        match run.context {
            Context::Chained | Context::Isolated => {}
            Context::Overlap => dynasm!(self.ops ; .arch x64
                ; xor eax, eax ; xor ecx, ecx ; xor edx, edx ; xor ebx, ebx ; xor ebp, ebp
                ; xor esi, esi ; xor edi, edi ; xor r8d, r8d ; xor r9d, r9d ; xor r10d, r10d
                ; xor r11d, r11d ; xor r12d, r12d ; xor r13d, r13d ; xor r14d, r14d
                ; xor r15d, r15d
            ),
            Context::History => {
                let history = self.instruments.history as usize;
                dynasm!(self.ops ; .arch x64 ; call extern history);
            }
        }
        let bounds = self.blocks(run);
        match run.context {
            Context::Chained | Context::Overlap => {}
            Context::Isolated | Context::History => dynasm!(self.ops ; .arch x64 ; lfence),
        }
        bounds
    }

    /// `before`, the body, `after`.
    fn blocks(&mut self, run: &Run) -> (u64, u64) {
        let body_size = match run.body {
            Body::Call(_) => 5,
            Body::CallNamed => 7,
            Body::Inline(section) => self.size(Some(section)),
            Body::Nothing => 0,
        };
        let before = self.here();
        let start = before + self.size(run.before);
        let end = start + body_size;
        let mut all = Vec::with_capacity(3);
        all.extend(run.before.map(|section| (section, before)));
        if let Body::Inline(section) = run.body {
            all.push((section, start));
        }
        all.extend(run.after.map(|section| (section, end)));
        if let Some(section) = run.before {
            self.block(section, &all);
        }
        match run.body {
            Body::Call(target) => {
                dynasm!(self.ops ; .arch x64 ; call extern target as usize);
            }
            Body::CallNamed => {
                let body = self.control.body();
                dynasm!(self.ops ; .arch x64 ; call QWORD [body]);
            }
            Body::Inline(section) => self.block(section, &all),
            Body::Nothing => {}
        }
        if let Some(section) = run.after {
            self.block(section, &all);
        }
        (start, end)
    }

    /// A copy of one block.
    fn block(&mut self, section: SectionId, all: &[(SectionId, u64)]) {
        let address = self.here();
        let length = self.size(Some(section));
        match (self.blocks)(section, address, all) {
            Ok(bytes) => {
                debug_assert_eq!(bytes.len() as u64, length);
                self.ops.extend(&bytes);
                self.copies.push(Copy {
                    section,
                    address,
                    length,
                });
            }
            Err(errors) => {
                // Every copy has the same errors.
                for error in errors {
                    if !self.errors.contains(&error) {
                        self.errors.push(error);
                    }
                }
                nops::pad(&mut self.ops, length as usize);
            }
        }
    }

    /// A function that runs `setup` from zeroed registers and saves what it leaves to `state`.
    pub(crate) fn setup(&mut self, setup: SectionId, state: u64) -> u64 {
        let zero = self.zero_state;
        nops::align(&mut self.ops, 64);
        let entry = self.here();
        self.prologue(zero, Body::Nothing);
        self.load_registers(zero);
        let address = self.here();
        self.block(setup, &[(setup, address)]);
        let at = |index: i32| state as i32 + 8 * index;
        dynasm!(self.ops ; .arch x64
            ; mov [at(0)], rax ; mov [at(1)], rcx ; mov [at(2)], rdx ; mov [at(3)], rbx
            ; mov [at(4)], rbp ; mov [at(5)], rsi ; mov [at(6)], rdi ; mov [at(7)], r8
            ; mov [at(8)], r9 ; mov [at(9)], r10 ; mov [at(10)], r11 ; mov [at(11)], r12
            ; mov [at(12)], r13 ; mov [at(13)], r14 ; mov [at(14)], r15
        );
        let vectors = (state + control::STATE_XSAVE) as i32;
        match self.features.xsave {
            Some(mask) => dynasm!(self.ops ; .arch x64
                ; mov eax, mask.cast_signed() ; xor edx, edx ; xsave64 [vectors]
            ),
            None => dynasm!(self.ops ; .arch x64 ; fxsave64 [vectors]),
        }
        self.leave();
        entry
    }

    /// A function that runs the body once behind an `int3`, for the single-stepper.
    pub(crate) fn counting(&mut self, run: &Run) -> Counting {
        nops::align(&mut self.ops, 64);
        let function = self.here();
        self.prologue(run.state, run.body);
        self.load_registers(run.state);
        let marker = self.here();
        dynasm!(self.ops ; .arch x64 ; int3);
        self.pad_to_body(run);
        let (start, end) = self.run(&Run {
            context: Context::Chained,
            ..*run
        });
        // Something to stand on behind the body even where nothing follows it.
        dynasm!(self.ops ; .arch x64 ; nop);
        self.leave();
        Counting {
            function,
            marker,
            before: start - self.size(run.before),
            enter: start,
            stop: end + self.size(run.after),
            start: match run.body {
                Body::Call(target) => target,
                Body::CallNamed | Body::Inline(_) | Body::Nothing => start,
            },
            end,
        }
    }
}

/// Bytes that a context puts in front of a run.
fn context_bytes_before(context: Context) -> u64 {
    match context {
        Context::Chained | Context::Isolated => 0,
        // 7 of two bytes, 8 of three.
        Context::Overlap => 38,
        Context::History => 5,
    }
}
