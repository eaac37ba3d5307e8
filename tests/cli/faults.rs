//! The fault matrix: every sequence of `tests/faults` on this machine's own CPU.
//!
//! Each file says what is expected, in a comment: the kind of failure, its signal where there is one,
//! and words of its message in quotes. `/* here */` stands behind the instruction that has to be
//! named. Where CPUs differ, a line `# or:` has what else may be. The good variant beside the bad one must be measured, the exit status is 1, and nothing is
//! left behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use record::{Record, Status};

use crate::program::{Done, command, root, thunklab, variant, workers_of};

/// What a file expects.
#[derive(Debug)]
struct Expected {
    kind: String,
    signal: Option<String>,
    says: String,
    line: Option<u32>,
}

impl Expected {
    /// What a file expects, and what it takes as well.
    fn all(text: &str) -> Vec<Self> {
        let lines = text.lines().filter_map(|line| {
            line.strip_prefix("# expected: ")
                .or_else(|| line.strip_prefix("# or: "))
        });
        lines.map(|line| Self::of(line, text)).collect()
    }

    fn of(line: &str, text: &str) -> Self {
        let (words, quoted) = line.split_once('"').expect("words of the message");
        let mut words = words.split_whitespace().map(str::to_owned);
        let here = text.lines().position(|line| line.contains("/* here */"));
        Self {
            kind: words.next().expect("a kind"),
            signal: words.next(),
            says: quoted.trim_end_matches('"').to_owned(),
            line: here.map(|index| index as u32 + 1),
        }
    }
}

fn folder() -> PathBuf {
    root().join("tests/faults")
}

/// All files, in order.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() > 50, "{}", files.len());
    files
}

/// Runs every fourth file from this one on, one process for all of them.
fn check(first: usize) {
    let files: Vec<PathBuf> = files().into_iter().skip(first).step_by(4).collect();
    let ran = command()
        .args([
            "run",
            "--time",
            "150ms",
            "--format",
            "json",
            "--counters",
            "none",
        ])
        .args(&files)
        .stdin(Stdio::null())
        .output();
    let done = Done::new(ran.expect("the binary runs")).ends_with(1);
    let records = done.records();
    assert_eq!(records.len(), files.len(), "{}", done.stderr);
    let wrong: Vec<String> = files
        .iter()
        .zip(&records)
        .filter_map(|(file, record)| {
            Some(format!("{}: {}", file.display(), problem(file, record)?))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not as the file says.
fn problem(file: &Path, record: &Record) -> Option<String> {
    let text = std::fs::read_to_string(file).expect("it can be read");
    let expected = Expected::all(&text);
    assert!(!expected.is_empty(), "it says what is expected");
    if !record.complete {
        return Some("the record is not complete".to_owned());
    }
    let good = variant(record, "good");
    // On a busy machine they may be too few for a number.
    let measured = good.measures.values().all(|measure| {
        let left_out = measure.samples.discarded_by;
        let discarded = left_out.tick + left_out.migration + left_out.switch + left_out.ruler;
        measure.samples.rounds.len() as u64 + discarded > 0
    });
    if good.status != Status::Measured || good.measures.is_empty() || !measured {
        return Some(format!(
            "the good variant was not measured: {:?}",
            good.reason
        ));
    }
    let bad = variant(record, "bad");
    let Some(failure) = bad
        .failure
        .as_ref()
        .filter(|_| bad.status == Status::Failed)
    else {
        return Some(format!("it did not fail: {:?}", bad.reason));
    };
    let kind = serde_json::to_value(failure.kind).expect("a word");
    let same = expected.iter().any(|expected| {
        kind == expected.kind.as_str()
            && failure.signal == expected.signal
            && failure.message.contains(&expected.says)
            && expected.line.is_none_or(|line| failure.line == Some(line))
    });
    let one_line = !failure.message.contains('\n');
    (!same || !one_line).then(|| format!("{failure:?}, expected {expected:?}"))
}

#[test]
fn a_quarter_of_the_matrix() {
    check(0);
}

#[test]
fn another_quarter() {
    check(1);
}

#[test]
fn a_third_quarter() {
    check(2);
}

#[test]
fn the_last_quarter() {
    check(3);
}

/// docs/faults.md has a row for each file.
#[test]
fn the_documentation_has_them_all() {
    let text = std::fs::read_to_string(root().join("docs/faults.md")).expect("it is there");
    for file in files() {
        let name = file.file_name().expect("a name").to_string_lossy();
        assert!(text.contains(&format!("| {name} |")), "{name} has no row");
    }
}

/// The table names each failure with its line, and ends with status 1.
#[test]
fn the_table_says_what_and_where() {
    let file = folder().join("undeclared.S");
    let file = file.to_string_lossy();
    let done = thunklab(["run", &file, "--time", "100ms"]).ends_with(1);
    let text = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("failed: bad: SIGSYS: system call getppid (110) is not declared"),
        "{text}"
    );
    assert!(text.contains("undeclared.S:11"), "{text}");
}

/// Code that the user vouches for may switch the clock off under the harness: that is its failure.
#[test]
fn a_clock_that_was_switched_off_is_told() {
    let text = std::fs::read_to_string(folder().join("tsc_off.S")).expect("it is there");
    let declared = text.replace(
        "#: variant    bad\n",
        "#: variant    bad\n#: syscalls   prctl\n",
    );
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("tsc_off.S");
    std::fs::write(&file, declared).expect("it is written");
    let file = file.to_string_lossy();
    let record = |arguments: &[&str], status| {
        let fixed = ["run", &file, "--time", "100ms", "--format", "json"];
        thunklab(fixed.iter().chain(arguments))
            .ends_with(status)
            .record()
    };
    let refused = record(&[], 0);
    let bad = variant(&refused, "bad");
    assert_eq!(bad.status, Status::NotRun);
    assert!(
        bad.reason
            .as_deref()
            .is_some_and(|reason| reason.contains("--allow-syscalls")),
        "{bad:?}"
    );
    let allowed = record(&["--allow-syscalls"], 1);
    assert_eq!(variant(&allowed, "good").status, Status::Measured);
    let failure = variant(&allowed, "bad").failure.clone().expect("it failed");
    assert_eq!(failure.signal.as_deref(), Some("SIGSEGV"), "{failure:?}");
}

/// Workers whose parent is gone.
fn orphans() -> Vec<u32> {
    let binary = std::fs::canonicalize(env!("CARGO_BIN_EXE_thunklab")).expect("it is there");
    let is_ours = |process: u32| {
        std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|exe| exe == binary)
    };
    let parent = |process: u32| -> Option<u32> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        line.trim().parse().ok()
    };
    std::fs::read_dir("/proc")
        .expect("it is there")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&process| {
            let worker = std::fs::read(format!("/proc/{process}/cmdline"))
                .is_ok_and(|line| line.ends_with(b"__worker\0"));
            worker && is_ours(process) && parent(process).is_some_and(|parent| !is_ours(parent))
        })
        .collect()
}

/// Neither a process nor a file is left, however the bad variant ends; also when the program itself
/// is killed.
#[test]
fn nothing_is_left_behind() {
    let scratch = tempfile::tempdir().expect("a folder");
    let record = scratch.path().join("x.json");
    let names = [
        "endless_loop.S",
        "signal_to_the_group.S",
        "closes_its_pipe.S",
    ];
    for name in names {
        let ran = command()
            .args(["run", "--time", "100ms", "-o"])
            .arg(&record)
            .arg(folder().join(name))
            .env("TMPDIR", scratch.path())
            .current_dir(scratch.path())
            .output();
        Done::new(ran.expect("it runs")).ends_with(1);
        let left: Vec<_> = std::fs::read_dir(scratch.path())
            .expect("it is there")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        assert_eq!(left, ["x.json"], "{name}");
    }
    let mut killed = command()
        .args(["run", "--time", "20s"])
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(300));
    killed.kill().expect("it runs");
    killed.wait().expect("it ended");
    // A process that was killed takes a moment to go where the CPUs are busy.
    let start = Instant::now();
    while !orphans().is_empty() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(orphans().is_empty(), "workers without a parent");
}

/// The terminal is as it was: looked at with stty(1) on a terminal that script(1) makes.
#[test]
fn the_terminal_stays_as_it_was() {
    let binary = env!("CARGO_BIN_EXE_thunklab");
    let bad = folder().join("signal_to_the_group.S");
    let line = format!(
        "stty -g; {binary} run -q --time 100ms {} >/dev/null; stty -g",
        bad.display()
    );
    let ran = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("script(1) of util-linux runs");
    let text = String::from_utf8_lossy(&ran.stdout);
    let settings: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.split(':').count() > 10)
        .collect();
    assert_eq!(settings.len(), 2, "{text}");
    assert_eq!(settings[0], settings[1]);
}

/// A signal that another process sends to a worker ends that worker, and no variant is to blame.
#[test]
fn a_signal_from_elsewhere_is_nobodys_fault() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("x.json");
    let mut run = command()
        .args(["run", "known_latencies", "--only", "imul", "--time", "2s"])
        .args(["--counters", "none", "-o"])
        .arg(&path)
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    // What it measured is on disk from the first second on: then a worker is at work.
    let start = Instant::now();
    while !path.exists() && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    for worker in workers_of(run.id()) {
        // It may have ended in this moment, as workers do.
        let _ = Command::new("kill").arg(worker.to_string()).status();
    }
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    let record = Record::load(&path).expect("it is whole");
    assert!(record.complete);
    assert_eq!(variant(&record, "imul").status, Status::Measured);
}

/// A file that cannot be measured is told, and the others are measured and recorded.
#[test]
fn a_file_that_cannot_be_measured_ends_no_other() {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        std::fs::write(&path, text).expect("it is written");
        path.to_string_lossy().into_owned()
    };
    // That a symbol is nowhere is seen when all is linked.
    let first = file("first.S", "#: variant a\n\tcall nowhere_one\n\tret\n");
    let good = file("good.S", "#: variant a\n\tret\n");
    let last = file("last.S", "#: variant a\n\tcall nowhere_two\n\tret\n");
    let records = scratch.path().join("records");
    let folder = records.to_string_lossy();
    for files in [
        vec![&first, &good],
        vec![&first, &good, &last],
        vec![&good, &last],
    ] {
        let fixed = ["run", "--time", "50ms", "--counters", "none", "-o", &folder];
        let files = files.into_iter().map(String::as_str);
        let both = files.clone().count() == 3;
        let wrong = files.clone().any(|file| file == first);
        let done = thunklab(fixed.into_iter().chain(files.clone())).ends_with(2);
        let begins = done.stdout.starts_with('\n');
        assert!(!begins && done.stdout.contains("good\n"), "{done:#?}");
        let says = |word: &str| done.stderr.matches(word).count();
        assert_eq!(says("nowhere_one"), usize::from(wrong), "{done:#?}");
        assert_eq!(
            says("nowhere_two"),
            usize::from(both || !wrong),
            "{done:#?}"
        );
        let machines = std::fs::read_dir(&records).expect("there is a record");
        let machine = machines
            .last()
            .expect("a machine")
            .expect("an entry")
            .path();
        let record = Record::load(&machine.join("good.json")).expect("it is whole");
        assert!(record.complete);
        let fixed = ["run", "--time", "20ms", "--format", "csv"];
        let csv = thunklab(fixed.into_iter().chain(files)).ends_with(2).stdout;
        assert!(
            csv.starts_with("machine,sequence,"),
            "the head comes first: {csv}"
        );
        std::fs::remove_dir_all(&records).expect("removed");
    }
}

/// The middle of a variant's cycles as measured, even if it failed later.
fn chained(record: &Record, name: &str) -> f64 {
    let measure = &variant(record, name).measures[&record::Context::Chained];
    measure.cycles.as_ref().expect("it was measured").estimate
}

/// A variant that looks for its neighbours' samples can forge them where they share a worker, and
/// cannot with `--apart`.
#[test]
fn variants_that_live_apart_forge_no_neighbour() {
    let file = root().join("tests/apart/forges.S");
    let file = file.to_string_lossy();
    let run = |more: &[&str], time: &str| {
        let fixed = [
            "run",
            &file,
            "--time",
            time,
            "--counters",
            "none",
            "--format",
            "json",
        ];
        let ran = command().args(fixed).args(more).output();
        Done::new(ran.expect("the binary runs")).record()
    };
    let together = run(&[], "300ms");
    assert!(!together.plan.apart);
    let bad = variant(&together, "bad");
    let forged = chained(&together, "good") / chained(&together, "good2");
    // It may have met the parent where it took what was being forged.
    let found_out = bad.status == Status::Failed;
    assert!(
        forged > 2.0 || found_out,
        "{forged}: it can no more; try harder"
    );
    let apart = run(&["--apart"], "600ms");
    assert!(apart.plan.apart);
    let ratio = chained(&apart, "good") / chained(&apart, "good2");
    assert!((0.6..1.6).contains(&ratio), "{ratio}");
    for name in ["good", "good2"] {
        assert_eq!(variant(&apart, name).status, Status::Measured);
    }
}

/// A variant that ends its worker as if nobody had is the one that fails, in a run and in a probe.
#[test]
fn an_end_that_nobody_explains_is_one_variants() {
    let file = root().join("tests/apart/ends_as_nobody.S");
    let file = file.to_string_lossy();
    let fixed = [
        "run",
        &file,
        "--time",
        "150ms",
        "--counters",
        "none",
        "--format",
        "json",
    ];
    for more in [&[][..], &["--apart"]] {
        let record = thunklab(fixed.iter().chain(more)).ends_with(1).record();
        assert_eq!(variant(&record, "bad").status, Status::Failed);
        for name in ["good", "good2"] {
            assert_eq!(variant(&record, name).status, Status::Measured, "{name}");
        }
    }
    let probed = thunklab(["probe", &file]).ends_with(1);
    assert!(probed.stdout.contains("bad: it failed: "), "{probed:#?}");
    let lines = probed.stdout.lines();
    let probed_ones = lines.filter(|line| line.starts_with("good") && line.contains('['));
    assert_eq!(probed_ones.count(), 2, "{probed:#?}");
}

/// Many that fail at once are tried a few at a time: each costs a small worker, and not one of all.
#[test]
fn many_that_crash_cost_no_worker_of_all_each() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("many.S");
    let mut text = String::from("#: between chained\n#: variant good\n\tret\n");
    for index in 0..80 {
        text.push_str(&format!("#: variant bad{index}\n\tud2\n\tret\n"));
    }
    std::fs::write(&path, text).expect("it is written");
    let path = path.to_string_lossy();
    let fixed = [
        "run",
        &path,
        "--time",
        "100ms",
        "--counters",
        "none",
        "--format",
        "json",
    ];
    let record = thunklab(fixed).ends_with(1).record();
    assert_eq!(variant(&record, "good").status, Status::Measured);
    let failed = |variant: &&record::Variant| variant.status == Status::Failed;
    assert_eq!(record.variants.iter().filter(failed).count(), 80);
    assert!(record.plan.workers < 40, "{}", record.plan.workers);
}

/// However little time there is, what a failure takes of it is not the others'.
#[test]
fn the_others_are_measured_in_no_time_too() {
    for name in ["ud2.S", "late_fault.S", "start_time.S", "closes_its_pipe.S"] {
        let file = folder().join(name);
        let file = file.to_string_lossy();
        let fixed = [
            "run",
            &file,
            "--time",
            "1ms",
            "--counters",
            "none",
            "--format",
            "json",
        ];
        let ran = command().args(fixed).output();
        let record = Done::new(ran.expect("the binary runs")).record();
        let good = variant(&record, "good");
        assert_eq!(good.status, Status::Measured, "{name}: {good:?}");
        assert!(record.plan.rounds > 0, "{name}");
    }
}

/// A worker that tells of more rounds than there was time for does not fill the parent's memory. How
/// fast it can be depends on the machine; it is ended where that is too fast.
#[test]
fn more_samples_than_there_was_time_for_are_not_believed() {
    let file = root().join("tests/apart/floods.S");
    let file = file.to_string_lossy();
    let fixed = [
        "run",
        &file,
        "--time",
        "2s",
        "--counters",
        "none",
        "--format",
        "json",
    ];
    let start = Instant::now();
    let ran = command().args(fixed).output();
    let took = start.elapsed().as_secs_f64();
    let record = Done::new(ran.expect("the binary runs")).record();
    let bad = variant(&record, "bad");
    let told = bad.measures[&record::Context::Chained].samples.rounds.len() as f64;
    // Two of three samples are of it or its copy.
    assert!(
        told < took / 3e-6 / 3.0 + 1000.0 * f64::from(record.plan.workers),
        "{told}"
    );
    // Or it found nothing, and ran out of the stack that it looked through.
    let tampered = |failure: &&record::Failure| failure.kind == record::FailureKind::Tampered;
    if let Some(failure) = bad.failure.as_ref().filter(tampered) {
        assert!(
            failure.message.contains("than there was time for"),
            "{failure:?}"
        );
    }
}
