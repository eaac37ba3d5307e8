//! Tests of the stepper on a child of their own: a page of hand-made code in a forked process.

#![expect(unsafe_code, reason = "maps code, forks, and calls into it")]

use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use super::count::{LastInside, Limits, Worker, count_all, last_inside};
use crate::api::{Counts, Reason, Span};
use crate::worker::CountTarget;

/// Room for one case: its harness, and behind it the body.
const ROOM: usize = 0x400;
/// Where the body begins in it.
const BODY: usize = 0x100;
/// Cases in the code mapping; a page of data follows it.
const CASES: usize = 16;

/// The harness: saves what a function must keep, marks the start, calls the body, restores, returns.
const SAVE: &[u8] = &[0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57];
const RESTORE: &[u8] = &[
    0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3,
];

/// A forked process that runs one of some bodies whenever it is told to.
struct Child {
    pid: Pid,
    commands: io::PipeWriter,
    code: u64,
}

impl Child {
    fn fork(bodies: &[Vec<u8>]) -> Result<Self, Reason> {
        assert!(bodies.len() <= CASES);
        let mut text = vec![0xcc; CASES * ROOM];
        for (case, body) in bodies.iter().enumerate() {
            let (start, body_start) = (case * ROOM, case * ROOM + BODY);
            let mut harness = SAVE.to_vec();
            harness.push(0xcc);
            harness.push(0xe8);
            let distance = BODY - (harness.len() + 4);
            harness.extend_from_slice(&u32::try_from(distance).expect("small").to_le_bytes());
            harness.extend_from_slice(RESTORE);
            text[start..start + harness.len()].copy_from_slice(&harness);
            text[body_start..body_start + body.len()].copy_from_slice(body);
        }
        let (read_end, write_end) = io::pipe().expect("a pipe");
        // SAFETY: a new private mapping, which hits no other memory.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                text.len() + 4096,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(memory, libc::MAP_FAILED);
        // SAFETY: the mapping is as large as the text and one page; nothing else refers to it, and
        // it is made executable only after the copy.
        let protected = unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), memory.cast(), text.len());
            libc::mprotect(memory, text.len(), libc::PROT_READ | libc::PROT_EXEC)
        };
        assert_eq!(protected, 0);
        // SAFETY: the child of a process with threads may only make calls that are safe in a signal
        // handler: it makes `read` and `_exit`, and runs the bodies, which make system calls only.
        let pid = unsafe { libc::fork() };
        assert!(pid >= 0, "{}", io::Error::last_os_error());
        if pid == 0 {
            serve(&read_end, memory as usize);
        }
        // SAFETY: the child has its own copy; nothing in this process refers to the mapping.
        unsafe { libc::munmap(memory, text.len() + 4096) };
        Ok(Self {
            pid: Pid::from_raw(pid),
            commands: write_end,
            code: memory as u64,
        })
    }
}

/// Runs the bodies it is told to run. Only in the child, and never returns.
fn serve(commands: &io::PipeReader, code: usize) -> ! {
    loop {
        let mut case = 0u8;
        // SAFETY: one byte is read into one byte; `_exit` ends the process without Rust's exit code.
        unsafe {
            if libc::read(commands.as_raw_fd(), (&raw mut case).cast(), 1) != 1 {
                libc::_exit(0);
            }
        }
        // SAFETY: the parent put a function there that keeps the calling convention.
        unsafe {
            let harness: extern "C" fn() = std::mem::transmute(code + usize::from(case) * ROOM);
            harness();
        }
    }
}

impl Worker for Child {
    fn pid(&self) -> u32 {
        self.pid.as_raw().unsigned_abs()
    }

    fn target(&self, case: usize) -> CountTarget {
        let base = self.code + (case * ROOM) as u64;
        let marker = base + SAVE.len() as u64;
        CountTarget {
            marker,
            before: marker + 1,
            enter: marker + 1,
            start: base + BODY as u64,
            end: marker + 6,
            stop: marker + 6,
        }
    }

    fn draws_data(&self, _case: usize) -> bool {
        false
    }

    fn start(&mut self, case: usize) -> io::Result<()> {
        self.commands
            .write_all(&[u8::try_from(case).expect("small")])
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = kill(self.pid, Signal::SIGKILL);
        let _ = waitpid(self.pid, None);
    }
}

/// Counts these bodies with a flag that nobody sets; `None` where ptrace is not permitted, which
/// must then be what it says.
fn count(bodies: &[Vec<u8>], limits: Limits) -> Option<Vec<Result<Counts, Reason>>> {
    count_until(bodies, limits, &AtomicBool::new(false))
}

fn count_until(
    bodies: &[Vec<u8>],
    limits: Limits,
    cancel: &AtomicBool,
) -> Option<Vec<Result<Counts, Reason>>> {
    let cases: Vec<usize> = (0..bodies.len()).collect();
    let mut found = Vec::new();
    count_all(
        &cases,
        limits,
        || Child::fork(bodies),
        cancel,
        |case, counts| {
            assert_eq!(case, found.len(), "told in order");
            found.push(counts);
        },
    );
    assert_eq!(found.len(), bodies.len(), "told for every case");
    let refused = |result: &Result<Counts, Reason>| matches!(result, Err(reason) if reason.0.contains("ptrace is not permitted"));
    (!found.iter().all(refused)).then_some(found)
}

/// Instructions and taken branches of counts that are the same in every run.
#[track_caller]
fn always(found: &Result<Counts, Reason>) -> (u64, u64) {
    let body = found.as_ref().expect("it is counted").body;
    for span in [
        body.instructions,
        body.taken_branches,
        body.not_taken_branches,
        body.calls,
        body.returns,
    ] {
        assert_eq!(span.least, span.most, "{body:?}");
    }
    (body.instructions.least, body.taken_branches.least)
}

/// The counts of one body.
#[track_caller]
fn check(body: &[u8], instructions: u64, taken_branches: u64) {
    if let Some(found) = count(&[body.to_vec()], Limits::default()) {
        let expected = (instructions, taken_branches);
        assert_eq!(always(&found[0]), expected, "{body:x?}");
    }
}

/// The BHB-clearing loop of the kernel's shape, five calls of five jumps, and a final return.
const BHB_LOOP: &[u8] = &[
    0xb9, 0x05, 0x00, 0x00, 0x00, // mov $5,%ecx
    0xe8, 0x02, 0x00, 0x00, 0x00, // call 1f
    0xeb, 0x19, // jmp 5f
    0xe8, 0x01, 0x00, 0x00, 0x00, // 1: call 2f
    0xc3, // ret
    0xb8, 0x05, 0x00, 0x00, 0x00, // 2: mov $5,%eax
    0xeb, 0x01, // 3: jmp 4f
    0x90, // nop
    0x83, 0xe8, 0x01, // 4: sub $1,%eax
    0x75, 0xf8, // jnz 3b
    0x83, 0xe9, 0x01, // sub $1,%ecx
    0x75, 0xe8, // jnz 1b
    0xc3, // ret
    0xc3, // 5: ret
];

#[test]
fn the_loop_has_its_published_counts() {
    // 103 and 62 in the skeleton; the load of the outer counter and the final return are more.
    check(BHB_LOOP, 103 + 2, 62 + 1);
    // Six calls, one of them the loop's own, and a return for each and for the function. Of 25 turns
    // of the inner loop five end without a jump, and of five turns of the outer one.
    if let Some(found) = count(&[BHB_LOOP.to_vec()], Limits::default()) {
        let body = found[0].as_ref().expect("it is counted").body;
        let rest = (body.not_taken_branches, body.calls, body.returns);
        assert_eq!(rest, (Span::always(6), Span::always(6), Span::always(7)));
    }
}

/// Counts some runs of one body with the blocks round it at these offsets from its first byte.
struct WithBlocks(Child, [u64; 4]);

impl Worker for WithBlocks {
    fn pid(&self) -> u32 {
        self.0.pid()
    }

    fn target(&self, case: usize) -> CountTarget {
        let target = self.0.target(case);
        let [before, enter, end, stop] = self.1.map(|offset| target.start + offset);
        CountTarget {
            before,
            enter,
            start: enter,
            end,
            stop,
            ..target
        }
    }

    fn start(&mut self, case: usize) -> io::Result<()> {
        self.0.start(case)
    }

    fn draws_data(&self, case: usize) -> bool {
        self.0.draws_data(case)
    }
}

#[test]
fn blocks_round_a_body_are_counted_apart() {
    // nop; cmp %al,%al; jne +0 | nop; nop | jmp +0; nop; call +1; nop; ret || ret
    let code = [
        &[0x90, 0x38, 0xc0, 0x75, 0x00][..],
        &[0x90, 0x90],
        &[0xeb, 0x00, 0x90, 0xe8, 0x01, 0x00, 0x00, 0x00, 0x90, 0x58],
        &[0xc3],
    ]
    .concat();
    let bodies = [code];
    let mut found = Vec::new();
    count_all(
        &[0],
        Limits::default(),
        || Ok(WithBlocks(Child::fork(&bodies)?, [0, 5, 7, 17])),
        &AtomicBool::new(false),
        |_, counts| found.push(counts),
    );
    let counts = match &found[0] {
        Ok(counts) => counts,
        Err(reason) => {
            assert!(reason.0.contains("ptrace is not permitted"), "{}", reason.0);
            return;
        }
    };
    assert_eq!(counts.body.instructions, Span::always(2));
    assert_eq!(counts.body.taken_branches, Span::always(0));
    let around = counts.around.expect("there are blocks");
    // Three in front; the jump, the nop, the call and the pop behind.
    assert_eq!(around.instructions, Span::always(7));
    assert_eq!(around.taken_branches, Span::always(2));
    assert_eq!(around.not_taken_branches, Span::always(1));
    assert_eq!(
        (around.calls, around.returns),
        (Span::always(1), Span::always(0))
    );
    assert_eq!(counts.runs, 2);
}

#[test]
fn branches_count_where_they_are_taken() {
    // xor %eax,%eax; jz +0; jnz +0; jnz +1; nop; ret
    check(
        &[0x31, 0xc0, 0x74, 0x00, 0x75, 0x00, 0x75, 0x01, 0x90, 0xc3],
        6,
        2,
    );
    // The same jump over the nop.
    check(&[0x31, 0xc0, 0x74, 0x01, 0x90, 0xc3], 3, 2);
}

#[test]
fn a_repeated_instruction_retires_once() {
    let copy = [
        0xb9, 0x64, 0x00, 0x00, 0x00, // mov $100,%ecx
        0x48, 0x8d, 0xb4, 0x24, 0x00, 0xfe, 0xff, 0xff, // lea -0x200(%rsp),%rsi
        0x48, 0x8d, 0xbc, 0x24, 0x00, 0xff, 0xff, 0xff, // lea -0x100(%rsp),%rdi
        0xf3, 0xa4, // rep movsb
        0xc3,
    ];
    check(&copy, 5, 1);
    let mut none = copy;
    none[1] = 0;
    check(&none, 5, 1);
}

#[test]
fn the_step_that_a_load_of_ss_hides_is_counted() {
    // mov %ss,%eax; mov %eax,%ss; nop; nop; ret
    check(&[0x8c, 0xd0, 0x8e, 0xd0, 0x90, 0x90, 0xc3], 5, 1);
    // mov %ss,%eax; mov %eax,%ss; jmp +1; nop; ret
    check(&[0x8c, 0xd0, 0x8e, 0xd0, 0xeb, 0x01, 0x90, 0xc3], 4, 2);
}

#[test]
fn code_does_not_see_that_it_is_stepped() {
    // pushf; pop %rax; and $0x100,%eax; jnz +1; nop; ret
    let pushed = [
        0x9c, 0x58, 0x25, 0x00, 0x01, 0x00, 0x00, 0x75, 0x01, 0x90, 0xc3,
    ];
    check(&pushed, 6, 1);
    // mov $110,%eax; syscall (getppid); test $0x100,%r11; jnz +1; nop; ret
    let system_call = [
        0xb8, 0x6e, 0x00, 0x00, 0x00, 0x0f, 0x05, 0x49, 0xf7, 0xc3, 0x00, 0x01, 0x00, 0x00, 0x75,
        0x01, 0x90, 0xc3,
    ];
    check(&system_call, 6, 1);
    // pushf; popf; nop; ret: the second run would trap by itself if the first one's flag stayed.
    check(&[0x9c, 0x9d, 0x90, 0xc3], 4, 1);
}

#[test]
fn a_signal_in_between_changes_no_count() {
    let wakes_itself = [
        0xb8, 0x27, 0x00, 0x00, 0x00, 0x0f, 0x05, // mov $39,%eax; syscall (getpid)
        0x89, 0xc7, // mov %eax,%edi
        0xbe, 0x1c, 0x00, 0x00, 0x00, // mov $28,%esi (SIGWINCH)
        0xb8, 0x3e, 0x00, 0x00, 0x00, 0x0f, 0x05, // mov $62,%eax; syscall (kill)
        0x90, 0xc3, // nop; ret
    ];
    check(&wakes_itself, 8, 1);
}

#[test]
fn an_interrupt_return_is_a_branch() {
    let iret = [
        0x48, 0x89, 0xe0, // mov %rsp,%rax
        0x8c, 0xd2, 0x52, // mov %ss,%edx; push %rdx
        0x50, 0x9c, // push %rax; pushf
        0x8c, 0xca, 0x52, // mov %cs,%edx; push %rdx
        0x48, 0x8d, 0x05, 0x03, 0x00, 0x00, 0x00, // lea 1f(%rip),%rax
        0x50, // push %rax
        0x48, 0xcf, // iretq
        0xc3, // 1: ret
    ];
    check(&iret, 11, 2);
}

#[test]
fn a_path_that_depends_on_data_has_a_range() {
    // xor $1, data(%rip); jz +2; nop; nop; ret
    let distance = u32::try_from(CASES * ROOM - BODY - 7)
        .expect("small")
        .to_le_bytes();
    let mut body = vec![0x83, 0x35];
    body.extend_from_slice(&distance);
    body.extend_from_slice(&[0x01, 0x74, 0x02, 0x90, 0x90, 0xc3]);
    if let Some(found) = count(&[body], Limits::default()) {
        let counts = found[0].as_ref().expect("it is counted");
        assert_eq!(counts.body.instructions, Span { least: 3, most: 5 });
        assert_eq!(counts.body.taken_branches, Span { least: 1, most: 2 });
        assert_eq!(counts.body.not_taken_branches, Span { least: 0, most: 1 });
        assert_eq!(counts.runs, 16);
    }
}

#[test]
fn a_case_that_fails_does_not_harm_the_next() {
    let bodies: Vec<Vec<u8>> = [
        &[0x48, 0x89, 0x04, 0x25, 0, 0, 0, 0, 0xc3][..], // mov %rax,0
        &[0x90, 0xeb, 0xfe],                             // nop; jmp .
        &[0xcc, 0xc3],                                   // int3
        &[0x0f, 0x0b],                                   // ud2
        &[0xb8, 0xe7, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05],  // exit_group(0)
        BHB_LOOP,
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    let limits = Limits {
        steps: 2000,
        ..Limits::default()
    };
    let Some(found) = count(&bodies, limits) else {
        return;
    };
    let says = |case: usize, part: &str| match &found[case] {
        Err(reason) => assert!(reason.0.contains(part), "{}", reason.0),
        Ok(counts) => panic!("case {case} counts {counts:?}"),
    };
    says(0, "SIGSEGV at offset 0x0");
    says(1, "more than 2000 steps (it was at offset 0x1)");
    says(2, "SIGTRAP at offset 0x0");
    says(3, "SIGILL at offset 0x0");
    says(4, "ended");
    assert_eq!(always(&found[5]), (105, 63));
}

/// mov $34,%eax; syscall (pause); ret
const PAUSE: &[u8] = &[0xb8, 0x22, 0, 0, 0, 0x0f, 0x05, 0xc3];

#[test]
fn a_run_that_sleeps_is_ended() {
    let limits = Limits {
        time: Duration::from_millis(100),
        ..Limits::default()
    };
    let bodies = [PAUSE.to_vec(), vec![0xc3]];
    if let Some(found) = count(&bodies, limits) {
        let reason = found[0].as_ref().expect_err("it sleeps for ever");
        assert!(reason.0.contains("longer than 0.1 s"), "{}", reason.0);
        assert_eq!(always(&found[1]), (1, 1));
    }
}

#[test]
fn counting_ends_when_it_is_told_to() {
    let cancel = AtomicBool::new(false);
    let bodies = [vec![0xc3], PAUSE.to_vec(), vec![0xc3]];
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            cancel.store(true, Ordering::Relaxed);
        });
        count_until(&bodies, Limits::default(), &cancel)
    });
    if let Some(found) = found {
        for result in &found[1..] {
            let reason = result.as_ref().expect_err("cancelled");
            assert!(reason.0.contains("before its turn"), "{}", reason.0);
        }
    }
}

#[test]
fn the_instruction_that_left_the_code_is_found() {
    // nop; xor %eax,%eax; jmp *%rax
    let mut child = Child::fork(&[vec![0x90, 0x31, 0xc0, 0xff, 0xe0]]).expect("forked");
    let start = child.target(0).start;
    match last_inside(&mut child, 0, start..start + 5, Limits::default()) {
        Ok(found) => assert_eq!(
            found,
            LastInside {
                ip: start + 3,
                signal: Signal::SIGSEGV,
                fault_ip: 0
            }
        ),
        Err(reason) => assert!(reason.0.contains("ptrace is not permitted"), "{}", reason.0),
    }
}

#[test]
fn code_that_does_not_fault_has_no_last_instruction() {
    let mut child = Child::fork(&[vec![0x90, 0xc3]]).expect("forked");
    let start = child.target(0).start;
    let reason =
        last_inside(&mut child, 0, start..start + 2, Limits::default()).expect_err("no fault");
    assert!(
        reason.0.contains("did not fault") || reason.0.contains("ptrace is not permitted"),
        "{}",
        reason.0
    );
}
