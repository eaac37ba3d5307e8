//! What became of a worker's sandbox, in words.

use crate::api::{Error, Event};
use crate::facts;
use crate::shared::Layer;

/// What a worker found when it entered its sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Layers that cannot be had, with the kernel's error numbers.
    pub(super) missing: Vec<(Layer, i32)>,
    /// How its speculation controls differ from the parent's.
    pub(super) unlike_parent: Option<String>,
}

impl Found {
    /// What the user is to know of it.
    pub(super) fn warnings(&self) -> Vec<Event> {
        let missing = self.missing.iter().map(|&(layer, errno)| Event::Warning {
            kind: "sandbox".to_owned(),
            message: format!(
                "the code ran without a part of its sandbox: {}",
                words(layer, errno)
            ),
            advice: match layer {
                Layer::Landlock | Layer::AllOfLandlock => {
                    "nothing, if the filter of system calls is there: it forbids the same; or a \
                     newer kernel, with landlock in its list of security modules"
                }
                _ => {
                    "run only code that you trust here, or in a virtual machine; --require-sandbox \
                     refuses to run without it"
                }
            }
            .to_owned(),
        });
        let unlike = self.unlike_parent.iter().map(|how| Event::Warning {
            kind: "speculation".to_owned(),
            message: format!(
                "the sandbox changed the worker's speculation controls, which may change times: \
                 {how}"
            ),
            advice: "compare with --allow-syscalls, if you trust the code, or on a newer kernel"
                .to_owned(),
        });
        missing.chain(unlike).collect()
    }
}

/// The refusal of `--require-sandbox`.
pub(super) fn refused(missing: &[(Layer, i32)]) -> Error {
    let missing: Vec<String> = missing
        .iter()
        .map(|&(layer, errno)| words(layer, errno))
        .collect();
    Error {
        message: format!(
            "--require-sandbox: no whole sandbox can be had here: {}",
            missing.join("; ")
        ),
        advice: "run it in a virtual machine, or without the option for code that you trust"
            .to_owned(),
    }
}

fn words(layer: Layer, errno: i32) -> String {
    let what = match layer {
        Layer::Seccomp => {
            "no filter of its system calls (seccomp; a container may forbid it, or the kernel lacks \
             CONFIG_SECCOMP_FILTER)"
        }
        Layer::NoNewPrivileges => "it may gain privileges (no_new_privs)",
        Layer::Capabilities => "it keeps the privileges of this process (capset)",
        Layer::Landlock => "no Landlock (since Linux 5.13, CONFIG_SECURITY_LANDLOCK)",
        Layer::AllOfLandlock => {
            "Landlock forbids files but not signals and sockets (that needs Linux 6.12)"
        }
        Layer::Limits => "not all limits on memory, files and processes",
        Layer::Undumpable => "other processes of yours may trace it (PR_SET_DUMPABLE)",
    };
    if errno == 0 {
        what.to_owned()
    } else {
        format!("{what}: {}", std::io::Error::from_raw_os_error(errno))
    }
}

/// How a process's speculation controls differ from this one's.
pub(super) fn speculation_differs(process: u32) -> Option<String> {
    let (own, other) = (facts::speculation(None), facts::speculation(Some(process)));
    let pairs = [
        ("store bypass", own.store_bypass, other.store_bypass),
        (
            "indirect branches",
            own.indirect_branch,
            other.indirect_branch,
        ),
    ];
    let differing: Vec<String> = pairs
        .into_iter()
        .filter_map(|(name, own, other)| {
            let (own, other) = (own?, other?);
            (own != other).then(|| format!("{name}: {other}, outside {own}"))
        })
        .collect();
    (!differing.is_empty()).then(|| differing.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_with_the_kernels_reason() {
        let found = Found {
            missing: vec![(Layer::Seccomp, libc::EPERM), (Layer::Landlock, 0)],
            unlike_parent: None,
        };
        let told: Vec<String> = found
            .warnings()
            .into_iter()
            .map(|event| match event {
                Event::Warning { kind, message, .. } => format!("{kind}: {message}"),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told.len(), 2);
        assert!(told[0].contains("not permitted"), "{told:?}");
        assert!(told[1].ends_with("LANDLOCK)"), "{told:?}");
        let refused = refused(&found.missing).to_string();
        assert!(refused.starts_with("--require-sandbox"), "{refused}");
    }

    #[test]
    fn a_process_does_not_differ_from_itself() {
        assert_eq!(speculation_differs(std::process::id()), None);
    }
}
