//! The seccomp filter that a sequence asks for, so that the cost of filters can be measured.
//!
//! These are no sandbox (that is `worker::sandbox`): every filter that a sequence can ask for allows
//! everything, and only takes its time. Written by hand because seccompiler makes programs that
//! decide by rules, and has no way to say how many instructions a program has.

#![expect(unsafe_code, reason = "the seccomp system call takes a raw program")]

use crate::api::Filter;

/// The kernel's bound on a program, `BPF_MAXINSNS`.
const MOST_INSTRUCTIONS: u32 = 4096;

/// Offset of `args[0]` in `struct seccomp_data`.
const FIRST_ARGUMENT: u32 = 16;

/// Classic BPF: load a 32-bit word at a fixed offset, and return a constant.
const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Installs the filter that a sequence asks for, for the calling thread and for good.
///
/// # Errors
/// Where the program is too long, or the kernel refuses it.
pub(crate) fn install(filter: Filter) -> Result<(), String> {
    match program(filter)? {
        Some(program) => install_program(program),
        None => Ok(()),
    }
}

/// Installs a program for the calling thread, for good. The speculation controls stay as they are
/// (SPEC_ALLOW): before 5.16 a filter switched them on by default, which would be in every number.
/// That flag is why the system call is made here and not by seccompiler, which has no way to set it.
///
/// # Errors
/// Where the kernel refuses it.
pub(crate) fn install_program(mut program: Vec<libc::sock_filter>) -> Result<(), String> {
    // Without privileges this is the condition for installing a filter.
    rustix::thread::set_no_new_privs(true).map_err(|error| {
        format!("cannot set no_new_privs, which a seccomp filter needs: {error}")
    })?;
    let handed = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| too_long(MOST_INSTRUCTIONS))?,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: the pointer is to a program of `len` instructions, which lives until the call is
    // over; the kernel copies and checks it. What it refuses from now on ends the worker with a
    // report, which is its purpose.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::c_ulong::from(libc::SECCOMP_SET_MODE_FILTER),
            libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
            &raw const handed,
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(format!(
            "cannot install a seccomp filter: {}",
            std::io::Error::last_os_error()
        ))
    }
}

/// The program; `None` for no filter.
fn program(filter: Filter) -> Result<Option<Vec<libc::sock_filter>>, String> {
    let loads = match filter {
        Filter::None => return Ok(None),
        // It looks at nothing, so that the kernel knows its answer without running it.
        Filter::Cached => 0,
        // What looks at an argument must run for every call.
        Filter::Accept(loads) => loads,
    };
    if loads >= MOST_INSTRUCTIONS {
        return Err(too_long(loads));
    }
    let statement = |code, k| libc::sock_filter {
        code,
        jt: 0,
        jf: 0,
        k,
    };
    let mut program = vec![statement(LOAD, FIRST_ARGUMENT); loads as usize];
    program.push(statement(RETURN, libc::SECCOMP_RET_ALLOW));
    Ok(Some(program))
}

fn too_long(loads: u32) -> String {
    format!(
        "a filter of {loads} instructions is too long: the kernel takes {MOST_INSTRUCTIONS} with the \
         final one, so at most {}",
        MOST_INSTRUCTIONS - 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(filter: Filter, expected: Option<&[(u16, u32)]>) {
        let program = program(filter).expect("short enough");
        let pairs: Option<Vec<(u16, u32)>> =
            program.map(|program| program.iter().map(|insn| (insn.code, insn.k)).collect());
        assert_eq!(pairs.as_deref(), expected, "{filter:?}");
    }

    #[test]
    fn programs_are_as_long_as_asked_for() {
        let (load, allow) = ((0x20, 16), (0x06, 0x7fff_0000));
        check(Filter::None, None);
        check(Filter::Cached, Some(&[allow]));
        check(Filter::Accept(2), Some(&[load, load, allow]));
        let longest = program(Filter::Accept(4095)).expect("just short enough");
        assert_eq!(longest.map(|program| program.len()), Some(4096));
        let error = program(Filter::Accept(4096)).expect_err("one too many");
        assert!(error.contains("at most 4095"), "{error}");
    }

    /// Lines of this thread's status, before and after installing in a thread that then ends.
    fn installed(filter: Filter) -> (Result<(), String>, [String; 2], [Option<String>; 4]) {
        let line = |name: &str| {
            let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
            status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map_or_else(String::new, |value| value.trim().to_owned())
        };
        std::thread::spawn(move || {
            let before = crate::facts::speculation(None);
            let mode = line("Seccomp:");
            let result = install(filter);
            let after = crate::facts::speculation(None);
            (
                result,
                [mode, line("Seccomp:")],
                [
                    before.store_bypass,
                    after.store_bypass,
                    before.indirect_branch,
                    after.indirect_branch,
                ],
            )
        })
        .join()
        .expect("allowed everything")
    }

    #[test]
    fn a_filter_stays_and_changes_no_speculation() {
        for filter in [Filter::Cached, Filter::Accept(50), Filter::Accept(4095)] {
            let (result, [_, mode], [store_before, store, branch_before, branch]) =
                installed(filter);
            match result {
                Ok(()) => {
                    assert_eq!(mode, "2", "{filter:?}");
                    assert_eq!((store_before, branch_before), (store, branch), "{filter:?}");
                }
                Err(error) => assert!(error.contains("seccomp"), "{error}"),
            }
        }
    }

    #[test]
    fn no_filter_changes_nothing() {
        let (result, [before, after], _) = installed(Filter::None);
        assert_eq!(result, Ok(()));
        assert_eq!(before, after);
    }
}
