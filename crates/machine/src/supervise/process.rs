//! A worker process as its parent sees it.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command as Process, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionread;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open,
    pidfd_send_signal, waitid,
};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::progress::{self, Progress, Stuck};
use crate::shared::{Command, Job, Memory, Record, Spoiled};
use crate::worker::WORKER_ARGUMENT;

/// How long it may take to answer the watchdog's signal, on a machine where others want the CPUs too.
const ANSWER: Duration = Duration::from_secs(2);

/// Bytes of commands that it may not have read yet: it may be about to begin.
const MOST_UNREAD: u64 = 4 * Command::BYTES as u64;

/// How a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// With this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "status {status}"),
            Self::Signal(number) => write!(f, "signal {number}"),
        }
    }
}

/// A running worker. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    commands: Option<ChildStdin>,
    pidfd: OwnedFd,
    /// What it tells.
    pub(super) memory: Memory,
    taken: u64,
    stopped: bool,
    /// Whether the watchdog stopped it.
    pub(super) timed_out: bool,
    progress: Progress,
}

impl Worker {
    /// Starts a worker and sends its job. Its descriptors 0, 1 and 2 are the commands, the shared
    /// memory and the image; it inherits nothing else, not even the environment.
    ///
    /// # Errors
    /// If it cannot be started, or ends before it has read the job.
    pub(super) fn start(executable: &Path, image: &OwnedFd, job: &Job) -> io::Result<Self> {
        let shared = Memory::create()?;
        let memory = Memory::map(&shared)?;
        memory.set_key(job.key);
        let mut child = Process::new(executable)
            .arg(WORKER_ARGUMENT)
            .env_clear()
            // Signals of the terminal are for the parent.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::from(shared))
            .stderr(Stdio::from(image.try_clone()?))
            .spawn()?;
        let opened = open(&mut child);
        let (commands, pidfd) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                kill(&mut child);
                return Err(error);
            }
        };
        let mut worker = Self {
            child,
            commands: Some(commands),
            pidfd,
            memory,
            taken: 0,
            stopped: false,
            timed_out: false,
            progress: Progress::new(0, Instant::now()),
        };
        if let Some(commands) = &mut worker.commands {
            job.send(commands)?;
        }
        Ok(worker)
    }

    /// Its process number.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Puts it on one CPU, where it stays: its sandbox lets it go nowhere.
    ///
    /// # Errors
    /// If it may not run there, or has ended.
    pub(super) fn pin(&self, cpu: u32) -> io::Result<()> {
        let mut only = CpuSet::new();
        only.set(cpu as usize);
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw);
        match sched_setaffinity(pid, &only) {
            // One that ended is dealt with where its end is seen.
            Err(rustix::io::Errno::SRCH) => Ok(()),
            other => Ok(other?),
        }
    }

    /// Sends a command.
    ///
    /// # Errors
    /// If it has ended; if it has not read several before, of [`io::ErrorKind::WouldBlock`]: a worker
    /// comes to nothing without reading, and one that pretends to shall not fill the pipe.
    pub(super) fn send(&mut self, command: Command) -> io::Result<()> {
        let beat = self.memory.header().beat.load(Ordering::Relaxed);
        self.progress = Progress::new(beat, Instant::now());
        let commands = self.commands.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        if ioctl_fionread(&*commands)? > MOST_UNREAD {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        command.send(commands)
    }

    /// The next record, if there is one.
    ///
    /// # Errors
    /// If the worker wrote over its results.
    pub(super) fn take(&mut self) -> Result<Option<Record>, Spoiled> {
        self.memory.take(&mut self.taken)
    }

    /// It told something that was expected. What is not must not keep it alive.
    pub(super) fn heard(&mut self) {
        self.progress.told();
    }

    /// How long it has made no progress.
    pub(super) fn waited(&self) -> Duration {
        self.progress.waited()
    }

    /// Tells it to stop after the sample at hand.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
        self.memory.header().stop.store(1, Ordering::Relaxed);
    }

    /// Whether somebody else told it to stop, which only the parent does.
    pub(super) fn was_stopped_by_itself(&self) -> bool {
        !self.stopped && self.memory.header().stop.load(Ordering::Relaxed) != 0
    }

    /// Whether the image is mapped.
    pub(super) fn has_mapped(&self) -> bool {
        self.memory.header().mapped.load(Ordering::Acquire) != 0
    }

    /// The case that runs, by place in the job, as far as the worker can be believed.
    pub(super) fn running(&self) -> Option<usize> {
        (self.memory.header().case.load(Ordering::Relaxed) as usize).checked_sub(1)
    }

    /// What runs of it.
    pub(super) fn stage(&self) -> u32 {
        self.memory.header().stage.load(Ordering::Relaxed)
    }

    /// Waits until the worker ends, at most this long.
    ///
    /// # Errors
    /// If the kernel cannot tell.
    pub(super) fn wait(&mut self, timeout: Duration) -> io::Result<Option<Ended>> {
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        let mut descriptors = [PollFd::new(&self.pidfd, PollFlags::IN)];
        match poll(&mut descriptors, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        kill_offspring(&self.child);
        Ok(self.child.try_wait()?.map(ended))
    }

    /// Whether the worker has made no progress for too long. Only asked while it has something to
    /// do: one that waits for a command makes none either.
    pub(super) fn is_stuck(&mut self) -> Option<Stuck> {
        let beat = self.memory.header().beat.load(Ordering::Relaxed);
        let pid = self.pid();
        self.progress
            .look(beat, Instant::now(), || progress::done(pid))
    }

    /// Ends a stuck worker: it is asked to report where it is, and killed if it does not.
    ///
    /// # Errors
    /// If the kernel cannot tell how it ended.
    pub(super) fn end_stuck(&mut self) -> io::Result<Ended> {
        self.timed_out = true;
        // It may have ended in this moment.
        let _ = pidfd_send_signal(&self.pidfd, Signal::ALARM);
        // One that has stopped itself answers when it goes on.
        let _ = pidfd_send_signal(&self.pidfd, Signal::CONT);
        if let Some(ended) = self.wait(ANSWER)? {
            return Ok(ended);
        }
        // By its number too: it may have left its process group.
        kill_offspring(&self.child);
        self.child.kill()?;
        Ok(ended(self.child.wait()?))
    }

    /// Closes the pipe, upon which a sound worker leaves; how it ended, or `None` if it did not.
    ///
    /// # Errors
    /// If the kernel cannot tell.
    pub(super) fn dismiss(&mut self, timeout: Duration) -> io::Result<Option<Ended>> {
        self.commands = None;
        self.wait(timeout)
    }

    /// How often it was switched out against its will, as far as /proc tells.
    pub(super) fn switches(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).ok()?;
        let line = status
            .lines()
            .find(|line| line.starts_with("nonvoluntary_ctxt_switches"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Ends it, whatever it does.
    pub(super) fn kill(&mut self) {
        kill(&mut self.child);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The pipe to a child, and a handle that tells when it ends.
fn open(child: &mut Child) -> io::Result<(ChildStdin, OwnedFd)> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let (Some(commands), Some(pid)) = (child.stdin.take(), pid) else {
        return Err(io::Error::other("the worker has no pipe or no number"));
    };
    Ok((commands, pidfd_open(pid, PidfdFlags::empty())?))
}

/// Ends and collects a child. It may have ended already; then there is nothing to kill.
fn kill(child: &mut Child) {
    kill_offspring(child);
    drop(child.kill());
    drop(child.wait());
}

/// Ends a worker that has not been collected, and all that its sequences have forked: a copy of a
/// worker would go on measuring for nobody. While the worker is not collected, nobody else can have
/// its number, and so nobody else's group is hit.
fn kill_offspring(child: &Child) {
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return;
    };
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if waitid(WaitId::Pid(pid), look).is_ok() {
        // It may be gone in this moment; then there is nothing to do.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Status(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker that reads nothing is not sent command after command: it would fill the pipe at last, and
    /// the parent would wait for it.
    #[test]
    fn what_was_not_read_is_not_added_to() {
        let deaf = Process::new("sleep")
            .arg("60")
            .stdin(Stdio::piped())
            .spawn();
        let mut child = deaf.expect("sleep(1) runs");
        let (commands, pidfd) = open(&mut child).expect("it has a pipe");
        let memory = Memory::map(Memory::create().expect("memory")).expect("it maps");
        let mut worker = Worker {
            child,
            commands: Some(commands),
            pidfd,
            memory,
            taken: 0,
            stopped: false,
            timed_out: false,
            progress: Progress::new(0, Instant::now()),
        };
        let refused = (0..100).find_map(|_| worker.send(Command::Begin).err());
        let refused = refused.expect("it has read nothing");
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
    }
}
