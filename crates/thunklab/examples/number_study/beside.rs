//! Other programs beside this one, in one go: a system call, and a difference of 2 %.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use record::{Context, Record, Verdict};

use crate::chain;

/// Repetitions of everything.
const TIMES: usize = 10;
/// Links of the loop's body, and one more: 2 %.
const LINKS: [u32; 2] = [50, 51];
/// Turns of the loop in a process for hyperfine: about a tenth of a second.
const TURNS: u64 = 2_000_000;

/// What one repetition found: the ratio of the longer body to the shorter, and whether the two were
/// told apart, by the program's own intervals.
struct Found {
    ratio: f64,
    apart: bool,
    seconds: f64,
}

/// Prints both comparisons. `hyperfine` and `perf` must be there, and the example
/// `criterion_loops` built; what is not is said.
pub(crate) fn beside(binary: &str) -> anyhow::Result<()> {
    system_call(binary)?;
    println!("\n| 2 % between two loops, by | seconds | ratio, mean | spread | told apart |");
    println!("| --- | --- | --- | --- | --- |");
    for time in ["0.2s", "1s"] {
        tell(&format!("thunklab --time {time}"), || ours(binary, time));
    }
    for runs in [10, 50] {
        tell(&format!("hyperfine --runs {runs}"), || hyperfine(runs));
    }
    for time in ["0.5", "5"] {
        tell(&format!("criterion, {time} s each"), || criterion(time));
    }
    Ok(())
}

fn tell(name: &str, once: impl Fn() -> anyhow::Result<Found>) {
    let mut all = Vec::new();
    for _ in 0..TIMES {
        match once() {
            Ok(found) => all.push(found),
            Err(error) => {
                println!("| {name} | not measured: {error} | | | |");
                return;
            }
        }
    }
    let mean = |of: fn(&Found) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    let ratio = mean(|found| found.ratio);
    let spread = all
        .iter()
        .map(|found| (found.ratio - ratio).powi(2))
        .sum::<f64>();
    println!(
        "| {name} | {:.1} | {:+.2} % | {:.2} % | {} of {TIMES} |",
        mean(|found| found.seconds),
        100.0 * (ratio - 1.0),
        100.0 * (spread / (all.len() - 1) as f64).sqrt(),
        all.iter().filter(|found| found.apart).count()
    );
}

/// `perf bench syscall basic` and `null_syscall`, in turns: nanoseconds a call.
fn system_call(binary: &str) -> anyhow::Result<()> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let output = Command::new(binary)
            .args([
                "run",
                "null_syscall",
                "--only",
                "none",
                "--format",
                "json",
                "-q",
            ])
            .output()?;
        let record = Record::from_slice(&output.stdout)?;
        let measure = record
            .variants
            .iter()
            .find(|variant| variant.name == "none")
            .and_then(|variant| variant.measures.get(&Context::Chained));
        ours.extend(measure.and_then(|measure| Some(measure.ns.as_ref()?.estimate)));
        let output = Command::new("perf")
            .args(["bench", "-f", "simple", "syscall", "basic"])
            .output()?;
        // Seconds for ten million calls.
        let seconds = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse::<f64>();
        theirs.extend(seconds.map(|seconds| 100.0 * seconds));
    }
    println!("| a system call, {TIMES} runs in turns | ns, median | least | most |");
    println!("| --- | --- | --- | --- |");
    for (name, values) in [
        ("thunklab, null_syscall", ours),
        ("perf bench syscall basic", theirs),
    ] {
        let at = |q| stats::quantile(&values, q).unwrap_or(f64::NAN);
        println!(
            "| {name} | {:.1} | {:.1} | {:.1} |",
            at(0.5),
            at(0.0),
            at(1.0)
        );
    }
    Ok(())
}

fn ours(binary: &str, time: &str) -> anyhow::Result<Found> {
    let file = std::env::temp_dir().join("loops.S");
    let mut text = String::from("#: title Two loops\n#: between chained\n#: verdict chained\n");
    for links in LINKS {
        let chain = "\timul\t%rax, %rax\n".repeat(links as usize);
        write!(
            text,
            "#: variant links{links}\n\tmov\t$10, %ecx\n1:\n{chain}\tsub\t$1, %ecx\n\tjnz\t1b\n\tret\n"
        )?;
    }
    std::fs::write(&file, text)?;
    let start = Instant::now();
    let output = Command::new(binary)
        .arg("run")
        .arg(&file)
        .args(["--time", time, "--format", "json", "-q"])
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let record = Record::from_slice(&output.stdout)?;
    let measure = record
        .variants
        .get(1)
        .and_then(|variant| variant.measures.get(&Context::Chained));
    let versus = measure.and_then(|measure| measure.vs_baseline.clone());
    let versus = versus.context("nothing was compared")?;
    Ok(Found {
        ratio: versus.ratio,
        apart: versus.verdict == Verdict::Slower,
        seconds,
    })
}

/// Means and standard deviations of hyperfine, and Welch's interval from them.
fn hyperfine(runs: u32) -> anyhow::Result<Found> {
    let file = std::env::temp_dir().join("hyperfine.json");
    let program = std::env::current_exe()?;
    let commands = LINKS.map(|links| format!("{} loop {links}", program.display()));
    let start = Instant::now();
    let status = Command::new("hyperfine")
        .args([
            "-N",
            "--warmup",
            "1",
            "--style",
            "none",
            "--runs",
            &runs.to_string(),
        ])
        .arg("--export-json")
        .arg(&file)
        .args(&commands)
        .output()
        .context("hyperfine")?;
    anyhow::ensure!(status.status.success(), "hyperfine failed");
    let seconds = start.elapsed().as_secs_f64();
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file)?)?;
    let number =
        |index: usize, key: &str| json["results"][index][key].as_f64().context("no number");
    let (a, b) = (number(0, "mean")?, number(1, "mean")?);
    let error = (number(0, "stddev")?.hypot(number(1, "stddev")?)) / f64::from(runs).sqrt();
    Ok(Found {
        ratio: b / a,
        apart: b - a > 1.96 * error,
        seconds,
    })
}

/// The loop that hyperfine starts.
pub(crate) fn run_loop(links: u32) {
    black_box(chain::turns(links, TURNS));
}

/// The example beside this one, whose estimates criterion leaves in files.
fn criterion(time: &str) -> anyhow::Result<Found> {
    let program = std::env::current_exe()?.with_file_name("criterion_loops");
    let folder = std::env::temp_dir().join("thunklab-criterion");
    let start = Instant::now();
    let output = Command::new(&program)
        .args(["--bench", "--noplot", "--warm-up-time", "0.5"])
        .args(["--measurement-time", time])
        .env("CRITERION_HOME", &folder)
        .output()
        .context("build it first: cargo build --release --example criterion_loops")?;
    anyhow::ensure!(output.status.success(), "criterion failed");
    let seconds = start.elapsed().as_secs_f64();
    let read = |links: u32| -> anyhow::Result<[f64; 3]> {
        let path = folder.join(links.to_string()).join("new/estimates.json");
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(path)?)?;
        let slope = if json["slope"].is_null() {
            &json["mean"]
        } else {
            &json["slope"]
        };
        let interval = &slope["confidence_interval"];
        let number = |value: &serde_json::Value| value.as_f64().context("no number");
        Ok([
            number(&slope["point_estimate"])?,
            number(&interval["lower_bound"])?,
            number(&interval["upper_bound"])?,
        ])
    };
    let (a, b) = (read(LINKS[0])?, read(LINKS[1])?);
    Ok(Found {
        ratio: b[0] / a[0],
        apart: b[1] > a[2],
        seconds,
    })
}
