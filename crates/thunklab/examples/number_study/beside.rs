//! Other programs beside this one, in one go: a system call, and a difference of 2 %.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use record::{Context, Record, Verdict};

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

/// Prints both comparisons. `hyperfine`, `perf` and `cargo` must be there; what is not is said.
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
    let folder = criterion_project()?;
    for time in ["0.5", "5"] {
        tell(&format!("criterion, {time} s each"), || {
            criterion(&folder, time)
        });
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
    let mut x = black_box(3_u64);
    for _ in 0..TURNS {
        for _ in 0..links {
            x = black_box_register(x.wrapping_mul(x));
        }
    }
    black_box(x);
}

/// Keeps the compiler from knowing a value without a store and a load.
#[inline(always)]
fn black_box_register(x: u64) -> u64 {
    x | 1
}

const BENCHMARK: &str = r#"
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
fn chain(links: u32) -> u64 {
    let mut x = black_box(3_u64);
    for _ in 0..links { x = x.wrapping_mul(x) | 1; }
    x
}
fn both(c: &mut Criterion) {
    for links in [500_u32, 510] {
        c.bench_function(&links.to_string(), |b| b.iter(|| chain(black_box(links))));
    }
}
criterion_group!(benches, both);
criterion_main!(benches);
"#;

/// A project of its own, so that nothing here depends on criterion; built once.
fn criterion_project() -> anyhow::Result<std::path::PathBuf> {
    let folder = std::env::temp_dir().join("thunklab-criterion");
    std::fs::create_dir_all(folder.join("benches"))?;
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("src/lib.rs"), "")?;
    std::fs::write(folder.join("benches/chain.rs"), BENCHMARK)?;
    let manifest = "[package]\nname = \"chain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                    [dev-dependencies]\ncriterion = { version = \"0.8\", default-features = false }\n\
                    [[bench]]\nname = \"chain\"\nharness = false\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    let built = Command::new("cargo")
        .args(["bench", "--no-run", "--quiet"])
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(&folder)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("criterion could not be built");
    }
    Ok(folder)
}

fn criterion(folder: &Path, time: &str) -> anyhow::Result<Found> {
    let start = Instant::now();
    let output = Command::new("cargo")
        .args([
            "bench",
            "--quiet",
            "--",
            "--noplot",
            "--warm-up-time",
            "0.5",
        ])
        .args(["--measurement-time", time])
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(folder)
        .output()
        .context("cargo")?;
    anyhow::ensure!(output.status.success(), "criterion failed");
    let seconds = start.elapsed().as_secs_f64();
    let read = |name: &str| -> anyhow::Result<[f64; 3]> {
        let path = folder
            .join("target/criterion")
            .join(name)
            .join("new/estimates.json");
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
    let (a, b) = (read("500")?, read("510")?);
    Ok(Found {
        ratio: b[0] / a[0],
        apart: b[1] > a[2],
        seconds,
    })
}
