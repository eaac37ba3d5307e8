//! How the binary is run here.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use record::Record;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A scripted machine.
pub(crate) fn fake(name: &str) -> String {
    let path = root().join("tests/fake").join(format!("{name}.json"));
    path.to_string_lossy().into_owned()
}

/// The binary, in the repository's root and without the caller's wishes about colour.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_thunklab"));
    command.current_dir(root());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// What a finished program left behind.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    pub(crate) fn new(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }

    /// Fails unless the exit status is `status`.
    #[track_caller]
    pub(crate) fn ends_with(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// Fails unless stderr has each of `words`.
    #[track_caller]
    pub(crate) fn complains_of(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:#?}");
        }
        self
    }

    /// The records on stdout, one a line.
    pub(crate) fn records(&self) -> Vec<Record> {
        Record::stream_from_slice(self.stdout.as_bytes()).expect("stdout holds records")
    }

    /// The one record on stdout.
    #[track_caller]
    pub(crate) fn record(&self) -> Record {
        let mut records = self.records();
        assert_eq!(records.len(), 1);
        records.remove(0)
    }
}

/// Runs it to its end.
pub(crate) fn thunklab<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Done {
    let output = command().args(arguments).stdin(Stdio::null()).output();
    Done::new(output.expect("the binary runs"))
}

/// Runs it to its end with `text` on stdin.
pub(crate) fn thunklab_reads<S: AsRef<OsStr>>(
    text: &str,
    arguments: impl IntoIterator<Item = S>,
) -> Done {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A call that is refused ends before it reads.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    Done::new(child.wait_with_output().expect("it ends"))
}

/// `run` of one sequence on a scripted machine, as a record.
#[track_caller]
pub(crate) fn run_fake(machine: &str, arguments: &[&str]) -> Record {
    let machine = fake(machine);
    let fixed = ["run", "--fake", &machine, "--seed", "7", "--format", "json"];
    thunklab(fixed.iter().chain(arguments))
        .ends_with(0)
        .record()
}

/// The one variant of this name.
#[track_caller]
pub(crate) fn variant<'a>(record: &'a Record, name: &str) -> &'a record::Variant {
    let mut found = record
        .variants
        .iter()
        .filter(|variant| variant.name == name);
    let variant = found.next().unwrap_or_else(|| panic!("no variant {name}"));
    assert!(found.next().is_none(), "{name} twice");
    variant
}

/// The processes of a running `thunklab` that are its workers just now.
pub(crate) fn workers_of(run: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{run}/task")) else {
        return Vec::new();
    };
    let children = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let is_worker = |process: &u32| {
        std::fs::read(format!("/proc/{process}/cmdline"))
            .is_ok_and(|line| line.ends_with(b"__worker\0"))
    };
    children
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|number| number.parse().ok())
                .collect::<Vec<u32>>()
        })
        .filter(is_worker)
        .collect()
}
