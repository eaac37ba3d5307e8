//! One run, instruction by instruction.

use iced_x86::Instruction;
use nix::sys::signal::Signal;

use super::flow::{self, Before, Branch};
use super::tracee::{Stop, Tracee};
use crate::api::Reason;
use crate::worker::CountTarget;

/// What some code executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Work {
    pub(super) instructions: u64,
    pub(super) taken_branches: u64,
    pub(super) not_taken_branches: u64,
    pub(super) calls: u64,
    pub(super) returns: u64,
}

/// What one run executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) body: Work,
    /// The blocks in front of and behind the body.
    pub(super) around: Work,
    /// Steps it took, those of the harness included.
    pub(super) steps: u64,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// In the harness, in front of everything.
    Lead,
    /// In the block in front of the body.
    Before,
    /// In the harness's call of the body.
    Enter,
    Body,
    /// In the block behind the body.
    After,
}

impl Phase {
    /// The phase of the instruction at `ip`, this being that of the one executed last. A block that
    /// is not there is passed over at once.
    fn at(mut self, ip: u64, target: &CountTarget) -> Self {
        if self == Self::Lead && ip == target.before {
            self = Self::Before;
        }
        if self == Self::Before && ip == target.enter {
            self = Self::Enter;
        }
        // A body whose first instruction is the block's own may be entered by any way.
        if matches!(self, Self::Lead | Self::Before | Self::Enter) && ip == target.start {
            self = Self::Body;
        }
        // The end is an instruction of the harness: who gets there has left the body, even with a
        // displaced stack pointer, which is for the harness to find.
        if self == Self::Body && ip == target.end {
            self = Self::After;
        }
        self
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Behind its last instruction.
    AtEnd(Tally),
    /// By a signal that the instruction at `ip` raised (or fetching one there).
    Fault { signal: Signal, ip: u64 },
    /// By the bound on steps.
    TooLong { steps: u64, ip: u64 },
    /// The process is gone.
    Gone,
}

/// Waits until the worker, which runs, stops at the marker of its counting harness, and walks from
/// there through the blocks and the body. `executes` is told the address of each instruction of the body before
/// it is executed.
///
/// After [`Ended::AtEnd`] the worker stands behind all of it; after any other end it is of no more
/// use.
pub(super) fn walk(
    tracee: &mut Tracee,
    target: &CountTarget,
    most_steps: u64,
    mut executes: impl FnMut(u64),
) -> Result<Ended, Reason> {
    match tracee.wait_running()? {
        Stop::Trap => {}
        Stop::Fault(signal) => return fault(tracee, signal),
        Stop::Gone => return Ok(Ended::Gone),
    }
    let mut registers = tracee.registers()?;
    if registers.rip != target.marker.wrapping_add(1) {
        return fault(tracee, Signal::SIGTRAP);
    }
    let mut tally = Tally::default();
    let mut phase = Phase::Lead;
    loop {
        let ip = registers.rip;
        phase = phase.at(ip, target);
        if phase == Phase::After && ip == target.stop {
            if registers.eflags & flow::TF != 0 {
                // The body restored flags that were pushed while it was stepped. Left set, the
                // worker would trap on its own.
                registers.eflags &= !flow::TF;
                tracee.set_registers(registers)?;
            }
            return Ok(Ended::AtEnd(tally));
        }
        if tally.steps == most_steps {
            return Ok(Ended::TooLong {
                steps: most_steps,
                ip,
            });
        }
        let instruction = tracee.instruction(ip);
        let inside = phase == Phase::Body;
        if inside {
            executes(ip);
        }
        let before = Before {
            flags: registers.eflags,
            rcx: registers.rcx,
        };
        tally.steps += 1;
        match tracee.step()? {
            Stop::Trap => {}
            Stop::Fault(signal) => return Ok(Ended::Fault { signal, ip }),
            Stop::Gone => return Ok(Ended::Gone),
        }
        registers = tracee.registers()?;
        let Some(instruction) = instruction else {
            return Err(Reason(format!(
                "cannot read the instruction at {ip:#x} that the code executed"
            )));
        };
        if flow::traps(&instruction) {
            return Ok(Ended::Fault {
                signal: Signal::SIGTRAP,
                ip,
            });
        }
        let mut executed = vec![instruction];
        if flow::hides_next_step(&instruction) && registers.rip != instruction.next_ip() {
            // One step, two instructions.
            let hidden_ip = instruction.next_ip();
            if inside {
                executes(hidden_ip);
            }
            executed.push(
                tracee.instruction(hidden_ip).ok_or_else(|| {
                    Reason(format!("cannot read the instruction at {hidden_ip:#x}"))
                })?,
            );
        }
        for instruction in &executed {
            let work = match phase {
                Phase::Body => &mut tally.body,
                Phase::Before | Phase::After => &mut tally.around,
                Phase::Lead | Phase::Enter => {
                    undo_trap_flag(tracee, instruction, &mut registers)?;
                    continue;
                }
            };
            work.account(instruction, before, registers.rip);
            undo_trap_flag(tracee, instruction, &mut registers)?;
        }
    }
}

impl Work {
    /// Adds an executed instruction.
    fn account(&mut self, instruction: &Instruction, before: Before, next_ip: u64) {
        if flow::repeats(instruction) && next_ip == instruction.ip() {
            // An iteration; the instruction retires with its last one.
            return;
        }
        self.instructions += 1;
        match flow::branch(instruction, before, next_ip) {
            None => return,
            Some(Branch::NotTaken) => {
                self.not_taken_branches += 1;
                return;
            }
            Some(Branch::Jump) => {}
            Some(Branch::Call) => self.calls += 1,
            Some(Branch::Return) => self.returns += 1,
        }
        self.taken_branches += 1;
    }
}

/// Code that saves its flags must not see that it is stepped: else it would restore the trap flag
/// later, and take a trap when nobody steps it any more.
fn undo_trap_flag(
    tracee: &Tracee,
    instruction: &Instruction,
    registers: &mut libc::user_regs_struct,
) -> Result<(), Reason> {
    if flow::pushes_flags(instruction) {
        tracee.clear_pushed_trap_flag(registers.rsp)?;
    } else if flow::is_system_call(instruction) && registers.r11 & flow::TF != 0 {
        // `syscall` saves the flags in R11.
        registers.r11 &= !flow::TF;
        tracee.set_registers(*registers)?;
    }
    Ok(())
}

fn fault(tracee: &Tracee, signal: Signal) -> Result<Ended, Reason> {
    Ok(Ended::Fault {
        signal,
        ip: tracee.registers()?.rip,
    })
}
