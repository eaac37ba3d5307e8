//! The state of the speculation controls that a process can have for itself.
//!
//! The kernel prints them in `/proc/PID/status` in the words of its own `prctl(2)` documentation.
//! Reading that file needs no unsafe code, and unlike `prctl` it works for another process too: a
//! seccomp filter may switch SSBD or STIBP on for a worker, which must be seen from outside.

/// Words for both controls; `None` where the kernel does not tell.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Speculation {
    /// `vulnerable`, `thread vulnerable`, `thread mitigated`, `globally mitigated`, ...
    pub(crate) store_bypass: Option<String>,
    /// `always enabled`, `conditional enabled`, `always disabled`, ...
    pub(crate) indirect_branch: Option<String>,
}

/// The controls of this process (`None`) or of another one.
pub(crate) fn speculation(process: Option<u32>) -> Speculation {
    let path = process.map_or_else(
        || "/proc/thread-self/status".to_owned(),
        |process| format!("/proc/{process}/status"),
    );
    parse(&std::fs::read_to_string(path).unwrap_or_default())
}

fn parse(status: &str) -> Speculation {
    let field = |name: &str| {
        status.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key == name).then(|| value.trim().to_owned())
        })
    };
    Speculation {
        store_bypass: field("Speculation_Store_Bypass"),
        indirect_branch: field("SpeculationIndirectBranch"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_found() {
        let status = "Name:\tx\nSeccomp_filters:\t0\nSpeculation_Store_Bypass:\tthread vulnerable\n\
                      SpeculationIndirectBranch:\talways enabled\nCpus_allowed:\t3\n";
        assert_eq!(
            parse(status),
            Speculation {
                store_bypass: Some("thread vulnerable".to_owned()),
                indirect_branch: Some("always enabled".to_owned()),
            }
        );
    }

    #[test]
    fn old_kernels_say_nothing() {
        assert_eq!(parse("Name:\tx\n"), Speculation::default());
    }
}
