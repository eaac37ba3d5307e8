//! A traced process: its stops, registers, memory and code.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

use iced_x86::Instruction;
use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use super::flow;
use crate::api::Reason;

/// A process that this thread traces. It dies with the thread.
#[derive(Debug)]
pub(super) struct Tracee {
    pid: Pid,
    /// `/proc/PID/mem`
    memory: File,
    /// Decoded once: pages with code are never written to.
    code: HashMap<u64, Option<Instruction>>,
    /// A signal that came in between and concerns nobody here; delivered when the process goes on.
    held: Option<Signal>,
}

/// Why a process stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// SIGTRAP: a step is done, or a breakpoint was hit.
    Trap,
    /// A signal that the code itself raised.
    Fault(Signal),
    /// It exited or was killed.
    Gone,
}

/// Longest instruction, bytes.
const LONGEST: usize = 15;

impl Tracee {
    /// Attaches to a running process.
    ///
    /// # Errors
    /// Where that is not permitted.
    pub(super) fn attach(pid: u32) -> Result<Self, Reason> {
        let pid = Pid::from_raw(
            i32::try_from(pid).map_err(|_| Reason(format!("{pid} is no process number")))?,
        );
        ptrace::seize(pid, ptrace::Options::PTRACE_O_EXITKILL).map_err(refused)?;
        let path = format!("/proc/{pid}/mem");
        let memory = File::options()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| Reason(format!("cannot open {path}: {error}")))?;
        Ok(Self {
            pid,
            memory,
            code: HashMap::new(),
            held: None,
        })
    }

    /// Lets the stopped process run, and delivers what was held back.
    pub(super) fn go_on(&mut self) -> Result<(), Reason> {
        let signal = self.held.take();
        ptrace::cont(self.pid, signal).map_err(|errno| failed("continue", errno))
    }

    /// Executes one instruction (or one iteration of a repeated one) of the stopped process.
    pub(super) fn step(&mut self) -> Result<Stop, Reason> {
        self.resume_step()?;
        self.wait(Self::resume_step)
    }

    fn resume_step(&mut self) -> Result<(), Reason> {
        match ptrace::step(self.pid, None) {
            // Killed meanwhile: the wait says so.
            Ok(()) | Err(Errno::ESRCH) => Ok(()),
            Err(errno) => Err(failed("step", errno)),
        }
    }

    /// Waits for a running process to stop by a trap or a fault.
    pub(super) fn wait_running(&mut self) -> Result<Stop, Reason> {
        self.wait(|tracee| match ptrace::cont(tracee.pid, None) {
            Ok(()) | Err(Errno::ESRCH) => Ok(()),
            Err(errno) => Err(failed("continue", errno)),
        })
    }

    /// Waits for the next stop. What is neither trap nor fault is held back or ignored, and the
    /// process resumed in the same way.
    fn wait(&mut self, resume: impl Fn(&mut Self) -> Result<(), Reason>) -> Result<Stop, Reason> {
        loop {
            // An exit is only looked at: collecting it is left to whoever started the process.
            let look = WaitPidFlag::WEXITED
                | WaitPidFlag::WSTOPPED
                | WaitPidFlag::__WALL
                | WaitPidFlag::WNOWAIT;
            let status = match waitid(Id::Pid(self.pid), look) {
                Err(Errno::EINTR) => continue,
                Err(Errno::ECHILD) => return Ok(Stop::Gone),
                status => status.map_err(|errno| failed("wait for", errno))?,
            };
            match status {
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => return Ok(Stop::Gone),
                _ => self.collect_stop()?,
            }
            // By `waitid`, a stop of a traced process is an event; number 0 is a signal on its way.
            match status {
                WaitStatus::PtraceEvent(_, Signal::SIGTRAP, 0) => return Ok(Stop::Trap),
                WaitStatus::PtraceEvent(_, signal, 0) if is_fault(signal) => {
                    return Ok(Stop::Fault(signal));
                }
                WaitStatus::PtraceEvent(_, signal, 0) => self.held = Some(signal),
                _ => {}
            }
            resume(self)?;
        }
    }

    /// Takes the stop that was looked at off the queue.
    fn collect_stop(&self) -> Result<(), Reason> {
        let flags = WaitPidFlag::WSTOPPED | WaitPidFlag::__WALL | WaitPidFlag::WNOHANG;
        match waitid(Id::Pid(self.pid), flags) {
            // Killed in between: the next wait sees that.
            Ok(_) | Err(Errno::ECHILD) => Ok(()),
            Err(errno) => Err(failed("wait for", errno)),
        }
    }

    /// Registers of the stopped process.
    pub(super) fn registers(&self) -> Result<libc::user_regs_struct, Reason> {
        ptrace::getregs(self.pid).map_err(|errno| failed("read the registers of", errno))
    }

    /// Sets the registers of the stopped process.
    pub(super) fn set_registers(&self, registers: libc::user_regs_struct) -> Result<(), Reason> {
        ptrace::setregs(self.pid, registers).map_err(|errno| failed("set the registers of", errno))
    }

    /// The instruction at this address; `None` where there is none or nothing is mapped.
    pub(super) fn instruction(&mut self, ip: u64) -> Option<Instruction> {
        let memory = &self.memory;
        *self.code.entry(ip).or_insert_with(|| {
            let mut bytes = [0u8; LONGEST];
            // Fewer bytes come back where the page behind is not mapped.
            let length = memory.read_at(&mut bytes, ip).unwrap_or(0);
            flow::decode(&bytes[..length], ip)
        })
    }

    /// Clears the trap flag in the RFLAGS that were just pushed at this address.
    pub(super) fn clear_pushed_trap_flag(&self, stack_pointer: u64) -> Result<(), Reason> {
        let (byte_at, bit) = (stack_pointer + 1, (flow::TF >> 8) as u8);
        let mut byte = [0u8];
        self.memory
            .read_exact_at(&mut byte, byte_at)
            .and_then(|()| self.memory.write_all_at(&[byte[0] & !bit], byte_at))
            .map_err(|error| Reason(format!("cannot correct pushed flags: {error}")))
    }
}

/// Signals that an instruction raises.
fn is_fault(signal: Signal) -> bool {
    matches!(
        signal,
        Signal::SIGSEGV
            | Signal::SIGBUS
            | Signal::SIGILL
            | Signal::SIGFPE
            | Signal::SIGSYS
            | Signal::SIGABRT
    )
}

fn failed(what: &str, errno: Errno) -> Reason {
    Reason(format!(
        "single-stepping failed: cannot {what} the worker: {}",
        errno.desc()
    ))
}

/// Why a process may not be traced, with what to do.
fn refused(errno: Errno) -> Reason {
    Reason(match errno {
        Errno::EPERM | Errno::EACCES | Errno::ENOSYS => {
            "ptrace is not permitted here, and exact counts need it: see kernel.yama.ptrace_scope \
             (at most 1 for users), or start the container with --cap-add=SYS_PTRACE"
                .to_owned()
        }
        Errno::ESRCH => "the worker ended before it could be traced".to_owned(),
        other => format!("cannot trace the worker: {}", other.desc()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_in_words() {
        assert!(refused(Errno::EPERM).0.contains("ptrace_scope"));
        assert!(refused(Errno::ESRCH).0.contains("ended"));
    }

    #[test]
    fn only_the_codes_own_signals_are_faults() {
        assert!(is_fault(Signal::SIGSEGV));
        assert!(is_fault(Signal::SIGSYS));
        assert!(!is_fault(Signal::SIGWINCH));
        assert!(!is_fault(Signal::SIGALRM));
    }

    #[test]
    fn a_process_that_is_not_there_is_not_traced() {
        assert!(Tracee::attach(u32::MAX).is_err());
        // Above the highest process number that Linux gives out.
        assert!(
            Tracee::attach(1 << 23)
                .expect_err("nobody")
                .0
                .contains("ended")
        );
    }
}
