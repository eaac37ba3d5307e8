//! How the rounds of a run are spread over worker processes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use record::Context;

use crate::program::{command, thunklab_reads, workers_of};

/// What it takes to start a process and to enter a sandbox is not the measurement's time where there
/// is another CPU for it: then there are two workers, one of which measures.
#[test]
fn the_next_worker_is_started_while_one_measures() {
    let mut run = command()
        .args(["run", "known_latencies", "--only", "imul", "--time", "3s"])
        .args(["--counters", "none", "--between", "chained"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // In the first second a body is counted and tried beside the first worker.
    std::thread::sleep(Duration::from_secs(1));
    let start = Instant::now();
    let mut most = 0;
    let mut seen = BTreeSet::new();
    while start.elapsed() < Duration::from_secs(1) {
        let workers = workers_of(run.id());
        most = most.max(workers.len());
        seen.extend(workers);
        std::thread::sleep(Duration::from_micros(500));
    }
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    assert!(seen.len() > 2, "{seen:?}");
    let cpus = std::thread::available_parallelism()
        .expect("it is known")
        .get();
    assert_eq!(most, if cpus > 1 { 2 } else { 1 }, "{seen:?}");
}

/// How often a sample runs its body is part of what is measured, so what costs the same is run as
/// often: by powers of two, which a busy core does not move.
#[test]
fn what_costs_the_same_is_run_as_often() {
    let mut text = String::new();
    for copy in 0..6 {
        let _ = writeln!(
            text,
            "#: variant copy{copy}\n\t.rept 40\n\timul %rax, %rax\n\t.endr\n\tret"
        );
    }
    let record = thunklab_reads(&text, ["run", "-", "--time", "400ms", "--format", "json"])
        .ends_with(0)
        .record();
    for context in [Context::Chained, Context::Isolated] {
        let runs: BTreeSet<u32> = record
            .variants
            .iter()
            .filter_map(|variant| variant.measures.get(&context))
            .map(|measure| measure.samples.runs)
            .collect();
        assert_eq!(runs.len(), 1, "{context:?}: {runs:?}");
        assert!(
            runs.iter().all(|runs| runs.is_power_of_two()),
            "{context:?}: {runs:?}"
        );
    }
}
