//! `run` when something goes wrong: one variant's trouble is that variant's, and nothing that was
//! measured is lost.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use record::{Context, FailureKind, Record, Status, Warning};

use crate::program::{Done, command, fake, root, thunklab, variant};

fn troubles() -> Record {
    let machine = fake("troubles");
    let fixed = ["run", "--fake", &machine, "--seed", "7", "--format", "json"];
    thunklab(fixed).ends_with(1).record()
}

#[test]
fn a_crash_keeps_what_went_before_and_the_other_variants() {
    let record = troubles();
    assert!(record.complete);
    let crashed = variant(&record, "al-ah");
    assert_eq!(crashed.status, Status::Failed);
    let failure = crashed.failure.clone().expect("it says how");
    assert_eq!(failure.kind, FailureKind::Signal);
    assert_eq!(failure.signal.as_deref(), Some("SIGSEGV"));
    assert_eq!(failure.line, Some(12));
    let rounds = &crashed.measures[&Context::Chained].samples.rounds;
    assert!(rounds.len() > 20, "rounds before the crash are kept");
    assert!(rounds.iter().all(|&round| round < 57));
    let other = variant(&record, "al-cl");
    assert_eq!(other.status, Status::Measured);
    assert!(
        other.measures[&Context::Chained]
            .samples
            .rounds
            .iter()
            .any(|&round| round > 60)
    );
}

#[test]
fn what_is_not_run_says_why_and_is_no_failure() {
    let record = troubles();
    let not_run = variant(&record, "ah-al");
    assert_eq!(not_run.status, Status::NotRun);
    assert!(
        not_run
            .reason
            .as_deref()
            .is_some_and(|reason| reason.contains("scripted"))
    );
    assert!(not_run.measures.is_empty());
    let machine = fake("golden-cove");
    let record = thunklab(["run", "iret_paths", "--fake", &machine, "--format", "json"]);
    let record = record.ends_with(0).record();
    assert!(
        record
            .variants
            .iter()
            .any(|variant| variant.status == Status::NotRun)
    );
}

#[test]
fn counts_are_a_range_or_a_reason() {
    let record = troubles();
    let code = |name| variant(&record, name).code.clone().expect("assembled");
    assert_eq!(code("al-cl").instructions, None);
    assert!(code("al-cl").counts_reason.is_some());
    let ranged = code("eax-ecx-aligned");
    assert_eq!(
        (ranged.instructions, ranged.instructions_max),
        (Some(100), Some(140))
    );
}

#[test]
fn the_table_names_the_failure() {
    let machine = fake("troubles");
    let table = thunklab(["run", "--fake", &machine]).ends_with(1).stdout;
    assert!(table.contains("SIGSEGV"), "{table}");
    assert!(table.contains("lacks the feature scripted"), "{table}");
}

#[test]
fn a_core_that_was_never_ours_is_told_before_the_figures() {
    let machine = fake("never-ours");
    let fixed = ["run", "--fake", &machine, "--seed", "7", "--format", "json"];
    let record = thunklab(fixed).ends_with(0).record();
    let warned = record
        .warnings
        .iter()
        .any(|warning| warning.kind == Warning::CONTENDED);
    assert!(warned, "{:?}", record.warnings);
    let measure = &variant(&record, "eax-ecx").measures[&Context::Chained];
    assert!(
        measure.cycles.is_some(),
        "contended figures are given as such"
    );
    assert_eq!(measure.samples.discarded_by.contended, 0);
    assert!(record.sentinel.contended_share.expect("a share") > 0.9);
}

/// A run that lasts for a minute, with its record. A shell that started these tests in the background
/// has SIGINT ignored in all its children, and nohup(1) SIGHUP; env(1) puts that right.
fn start(output: &str) -> Child {
    start_with("--default-signal=INT,TERM,HUP", output)
}

fn start_with(signals: &str, output: &str) -> Child {
    let machine = fake("slow");
    Command::new("env")
        .current_dir(root())
        .args([signals, env!("CARGO_BIN_EXE_thunklab")])
        .args(["run", "--fake", &machine, "--only", "al-ah", "-o", output])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

fn wait_for(path: &std::path::Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "no record appeared"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a signal by kill(1), which every Linux has.
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn an_interrupt_keeps_the_record_and_prints_the_table() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        let child = start(&path.to_string_lossy());
        wait_for(&path);
        signal(&child, name);
        let done = Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
        assert!(done.stdout.contains("al-ah"), "{done:#?}");
        let record = Record::load(&path).expect("it is whole");
        assert!(!record.complete);
        assert_eq!(variant(&record, "al-ah").status, Status::Measured);
    }
}

/// As under nohup(1), or in the background of a shell: what was ignored stays so.
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    let child = start_with("--ignore-signal=HUP", &path.to_string_lossy());
    wait_for(&path);
    signal(&child, "HUP");
    std::thread::sleep(Duration::from_millis(300));
    let written = || std::fs::metadata(&path).and_then(|found| found.modified());
    let before = written().expect("it is there");
    let start = Instant::now();
    while written().expect("it is there") == before {
        let waited = start.elapsed();
        assert!(waited < Duration::from_secs(30), "it goes on and writes");
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(&child, "TERM");
    Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
}

/// A pipe that nobody reads is refused before anything runs; one with a reader gets the record.
#[test]
fn a_pipe_needs_a_reader() {
    let machine = fake("golden-cove");
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo(1) runs").success());
    let output = pipe.to_string_lossy();
    let run = ["run", "fences", "--fake", &machine, "-o", &output];
    let done = thunklab(run).ends_with(2);
    assert_eq!(done.stdout, "", "{done:#?}");
    done.complains_of(&[&output, "nobody reads this pipe"]);
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .spawn()
        .expect("cat(1) runs");
    // The reader may not have opened it yet.
    let start = Instant::now();
    while thunklab(run).status == Some(2) {
        assert!(start.elapsed() < Duration::from_secs(30), "no reader");
        std::thread::sleep(Duration::from_millis(20));
    }
    let read = reader.wait_with_output().expect("it ends").stdout;
    let record = Record::from_slice(&read).expect("the record alone");
    assert_eq!(record.sequence.name, "fences");
}

#[test]
fn a_stdin_that_is_closed_is_told() {
    let closed = Command::new("sh")
        .args([
            "-c",
            "exec \"$0\" run - <&-",
            env!("CARGO_BIN_EXE_thunklab"),
        ])
        .output();
    Done::new(closed.expect("sh runs"))
        .ends_with(2)
        .complains_of(&["cannot read stdin: it is closed"]);
}

#[test]
fn a_kill_keeps_the_record_of_the_second_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    let mut child = start(&path.to_string_lossy());
    wait_for(&path);
    signal(&child, "KILL");
    child.wait().expect("it ends");
    let record = Record::load(&path).expect("it is whole");
    assert!(!record.complete);
    assert!(record.plan.rounds > 0);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for arguments in [
        ["schema"].as_slice(),
        &["list"],
        &["listing", "clear_bhb_loop"],
    ] {
        let mut child = command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let mut complaint = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut complaint).expect("text");
        assert_eq!(complaint, "", "{arguments:?}");
        assert_eq!(
            child.wait().expect("it ends").code(),
            Some(0),
            "{arguments:?}"
        );
    }
}

/// Where a record cannot go, nothing is run; and what the system says is said once.
#[test]
fn a_place_that_takes_no_record_is_refused_before_anything_runs() {
    let machine = fake("golden-cove");
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("mine.S");
    std::fs::write(&source, "\tret\n").expect("it is written");
    let source = source.to_string_lossy();
    for (output, says) in [
        ("/proc/no-such-folder/x.json", "cannot be written there"),
        (&source, "no thunklab record"),
    ] {
        let done = thunklab(["run", "fences", "--fake", &machine, "-o", output]).ends_with(2);
        assert_eq!(done.stdout, "", "{done:#?}");
        let done = done.complains_of(&[output, says]);
        assert!(done.stderr.matches("os error").count() <= 1, "{done:#?}");
    }
    assert_eq!(std::fs::read(&*source).expect("it is there"), b"\tret\n");
    let twin = folder.path().join("fences.S");
    std::fs::copy(root().join("sequences/fences.S"), &twin).expect("copied");
    let (twin, records) = (twin.to_string_lossy(), folder.path().join("records/"));
    let twins = [
        "run",
        "fences",
        &twin,
        "--fake",
        &machine,
        "-o",
        &records.to_string_lossy(),
    ];
    thunklab(twins)
        .ends_with(2)
        .complains_of(&["fences.json", "two records"]);
}

/// A disk that is full at the end fails the run, but the table is shown.
#[test]
fn a_record_that_cannot_be_written_fails_the_run_but_shows_the_table() {
    let machine = fake("golden-cove");
    let output = "/dev/full";
    let done = thunklab(["run", "fences", "--fake", &machine, "-o", output]).ends_with(1);
    assert!(done.stdout.contains("fences"), "{done:#?}");
    let done = done.complains_of(&[output, "No space left"]);
    assert_eq!(done.stderr.matches("os error").count(), 1, "{done:#?}");
}

#[test]
fn devices_and_stdout_by_its_name_take_a_record() {
    let machine = fake("golden-cove");
    let done = thunklab(["run", "fences", "--fake", &machine, "-o", "/dev/null"]).ends_with(0);
    assert!(done.stdout.contains("fences"), "{done:#?}");
    let done = thunklab(["run", "fences", "--fake", &machine, "-o", "/dev/stdout"]).ends_with(0);
    assert_eq!(done.record().sequence.name, "fences");
}

/// A stdout that is closed, full, or whose reader went away.
#[test]
fn what_cannot_be_printed_is_told() {
    let closed = Command::new("sh")
        .args(["-c", "exec \"$0\" list >&-", env!("CARGO_BIN_EXE_thunklab")])
        .output();
    Done::new(closed.expect("sh runs"))
        .ends_with(1)
        .complains_of(&["stdout is closed"]);
    let full = std::fs::File::options().write(true).open("/dev/full");
    let full = command()
        .arg("list")
        .stdout(full.expect("it is there"))
        .output();
    let full = Done::new(full.expect("it runs")).ends_with(1);
    let full = full.complains_of(&["stdout cannot be written", "No space left"]);
    assert_eq!(full.stderr.matches("os error").count(), 1, "{full:#?}");
}

/// A limit on the size of files ends a write, and not the program.
#[test]
fn a_limit_on_files_is_told() {
    let machine = fake("golden-cove");
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("x.json");
    let limited = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 8; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_thunklab"),
        ])
        .args([
            "run",
            "fences",
            "--fake",
            &machine,
            "-o",
            &record.to_string_lossy(),
        ])
        .output();
    let done = Done::new(limited.expect("sh runs")).ends_with(1);
    assert!(done.stdout.contains("fences"), "{done:#?}");
    done.complains_of(&["x.json", "File too large"]);
    let left = std::fs::read_dir(folder.path())
        .expect("it is there")
        .count();
    assert_eq!(left, 0, "neither a record nor a part of one");
}

/// Rust aborts where an allocation fails, so too little memory is refused before.
#[test]
fn a_limit_on_memory_is_told() {
    for (limit, remedy) in [
        ("-v 200000", "ulimit -v 262144"),
        ("-d 20000", "ulimit -d 131072"),
    ] {
        let limited = Command::new("sh")
            .args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")])
            .args([env!("CARGO_BIN_EXE_thunklab"), "list"])
            .output();
        let done = Done::new(limited.expect("sh runs")).ends_with(2);
        done.complains_of(&["00 KiB", remedy]);
    }
}

/// Until it catches SIGINT: before that it has not come to `main`.
fn wait_until_caught(child: &Child) {
    let status = format!("/proc/{}/status", child.id());
    let catches = || {
        let status = std::fs::read_to_string(&status).expect("it runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16);
        mask.expect("in hexadecimal") >> 1 & 1 == 1
    };
    while !catches() {
        std::thread::yield_now();
    }
}

/// Starts a command in which signals are not ignored, whatever the tests were started by.
fn start_command(arguments: &[&str]) -> Child {
    Command::new("env")
        .current_dir(root())
        .args(["--default-signal=INT,TERM,HUP"])
        .arg(env!("CARGO_BIN_EXE_thunklab"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// As soon as there is a program, a signal ends it with a word and the status for it, whatever it
/// does; here each waits for its stdin, or is about to measure.
#[test]
fn the_first_moments_are_caught_too() {
    let commands: [&[&str]; 4] = [
        &["run", "-"],
        &["check", "-"],
        &["listing", "-"],
        &["report", "-", "-o", "-"],
    ];
    for arguments in commands {
        for name in ["INT", "TERM", "HUP"] {
            let mut child = start_command(arguments);
            // It shall wait for more.
            let stdin = child.stdin.take();
            wait_until_caught(&child);
            signal(&child, name);
            let done = Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
            assert_eq!(
                done.stderr, "thunklab: interrupted\n",
                "{arguments:?} {name}"
            );
            assert_eq!(done.stdout, "", "{arguments:?} {name}");
            drop(stdin);
        }
    }
}

/// Signals at random moments end every command: in order with what was found so far, or at once with
/// a word.
#[test]
fn every_command_can_be_interrupted_at_any_moment() {
    const CLEAR: &str = "results/emerald-rapids/clear_bhb_loop.json";
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let page = page.to_string_lossy();
    let commands: [&[&str]; 5] = [
        &["probe", "clear_bhb_loop"],
        &["probe", "--length"],
        &["machine"],
        &["diff", CLEAR, CLEAR],
        &["report", "results", "-o", &page],
    ];
    for arguments in commands {
        for name in ["INT", "TERM", "HUP", "INT"] {
            let mut child = start_command(arguments);
            wait_until_caught(&child);
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let random = now.expect("after 1970").subsec_micros() % 1_000;
            std::thread::sleep(Duration::from_micros(u64::from(random) * 300));
            // It may have come to its end.
            let ended = child.try_wait().expect("it can be asked").is_some();
            if !ended {
                signal(&child, name);
            }
            let start = Instant::now();
            let done = Done::new(child.wait_with_output().expect("it ends"));
            let waited = start.elapsed();
            assert!(
                waited < Duration::from_secs(20),
                "{arguments:?}: {waited:?}"
            );
            let interrupted = done.status == Some(130);
            let told = done.stderr.is_empty() || done.stderr.ends_with("thunklab: interrupted\n");
            assert!(
                interrupted || done.status == Some(0),
                "{arguments:?}: {done:#?}"
            );
            assert!(
                told && !done.stderr.contains("panic"),
                "{arguments:?}: {done:#?}"
            );
            let something = !done.stdout.is_empty() || !done.stderr.is_empty();
            assert!(
                something || page_is_whole(&page),
                "{arguments:?}: {done:#?}"
            );
        }
    }
    let left = std::fs::read_dir(folder.path()).expect("it is there");
    let left: Vec<_> = left
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name != "page.html")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

fn page_is_whole(page: &str) -> bool {
    std::fs::read_to_string(page).is_ok_and(|page| page.trim_end().ends_with("</html>"))
}

/// A reader that opened the pipe and never reads does not keep the table, and Ctrl-C ends the wait.
#[test]
fn a_reader_that_never_reads_keeps_no_table() {
    let machine = fake("golden-cove");
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo(1) runs").success());
    // Opened for both, which does not wait.
    let both = std::fs::File::options().read(true).write(true).open(&pipe);
    let output = pipe.to_string_lossy();
    let mut child = start_command(&["run", "--fake", &machine, "-o", &output]);
    let mut table = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("eax-ecx") {
        assert!(table.read_line(&mut line).expect("text") > 0, "{line}");
    }
    // The table is there; now it waits.
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().expect("it can be asked").is_none());
    signal(&child, "INT");
    let done = Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
    done.complains_of(&[&output, "its reader did not take"]);
    drop(both);
}

/// Whatever somebody puts where the record goes, while the run goes on, is not written through.
#[test]
fn a_link_that_is_put_in_the_way_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "mine").expect("written");
    let child = start(&path.to_string_lossy());
    wait_for(&path);
    for _ in 0..40 {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&precious, &link).expect("made");
        std::fs::rename(&link, &path).expect("renamed");
        std::thread::sleep(Duration::from_millis(60));
    }
    signal(&child, "INT");
    Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
    assert_eq!(std::fs::read(&precious).expect("it is there"), b"mine");
    assert!(!path.is_symlink());
    Record::load(&path).expect("it is whole");
}

/// Signals at random moments: the record on disk is whole, or there is none yet.
fn signals_at_random_moments(moments: usize) {
    let mut whole = 0;
    for moment in 0..moments {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        let mut child = start(&path.to_string_lossy());
        if moment % 2 == 0 {
            wait_for(&path);
        }
        // Drawn anew each time: the clock is random enough.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let random = now.expect("after 1970").subsec_micros() % 1_900;
        std::thread::sleep(Duration::from_millis(u64::from(random)));
        let name = ["INT", "TERM", "KILL", "HUP"][moment % 4];
        signal(&child, name);
        child.wait().expect("it ends");
        if path.exists() {
            let record = Record::load(&path).expect("it is whole");
            assert!(!record.complete, "{name}");
            assert_eq!(variant(&record, "al-ah").status, Status::Measured, "{name}");
            whole += 1;
        }
        for entry in std::fs::read_dir(folder.path()).expect("it is there") {
            let file = entry.expect("an entry").file_name();
            let file = file.to_string_lossy();
            // Whoever is killed while writing cannot tidy up.
            let part = file.starts_with(".thunklab-") && name == "KILL";
            assert!(file == "x.json" || part, "{file} after {name}");
        }
    }
    assert!(whole >= moments / 2, "{whole} records of {moments}");
}

#[test]
fn a_signal_at_any_moment_leaves_a_whole_record() {
    signals_at_random_moments(8);
}

#[test]
#[ignore = "it takes four minutes"]
fn a_signal_at_any_of_a_hundred_moments_leaves_a_whole_record() {
    signals_at_random_moments(100);
}

#[test]
fn progress_is_for_terminals() {
    let machine = fake("golden-cove");
    let done = thunklab(["run", "fences", "--fake", &machine]).ends_with(0);
    assert_eq!(done.stderr, "", "stderr is no terminal here");
    // A first line on stdout must not wait for the end of a program that reads it line by line.
    let lines = BufReader::new(done.stdout.as_bytes()).lines().count();
    assert!(lines > 5);
}

/// While slow bodies are tried and calibrated nothing is told for seconds; Ctrl-C ends that too.
#[test]
fn an_interrupt_ends_a_run_of_slow_bodies_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slow.S");
    let variants: String = (0..40)
        .map(|index| {
            format!("#: variant v{index}\n\tmov $200000000, %ecx\n1:\tdec %ecx\n\tjnz 1b\n\tret\n")
        })
        .collect();
    std::fs::write(&path, variants).expect("it is written");
    let child = Command::new("env")
        .args([
            "--default-signal=INT",
            env!("CARGO_BIN_EXE_thunklab"),
            "run",
        ])
        .arg(&path)
        .args(["--time", "1s"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_until_caught(&child);
    std::thread::sleep(Duration::from_secs(1));
    let start = Instant::now();
    signal(&child, "INT");
    Done::new(child.wait_with_output().expect("it ends")).ends_with(130);
    // Trying all of them takes more than a minute.
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}
