//! What a run costs: wall time, the share of it in which samples are taken, memory, and how all of
//! it grows with the number of variants.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use record::Record;

struct Cost {
    seconds: f64,
    /// Peak of the program's own process and of its largest worker, MiB.
    memory: f64,
    rounds: f64,
}

/// Runs the binary, and `time` (GNU's) round it for the memory.
fn run(binary: &str, arguments: &[&str]) -> anyhow::Result<Cost> {
    let start = Instant::now();
    let output = Command::new("time")
        .args(["-f", "%M", binary, "run"])
        .args(arguments)
        .args(["--format", "json", "-q"])
        .output()
        .context("GNU time")?;
    let seconds = start.elapsed().as_secs_f64();
    let told = String::from_utf8_lossy(&output.stderr);
    let kilobytes: f64 = told.lines().last().unwrap_or_default().parse()?;
    Ok(Cost {
        seconds,
        memory: kilobytes / 1024.0,
        rounds: f64::from(Record::from_slice(&output.stdout)?.plan.rounds),
    })
}

/// The share of a run's wall time in which its workers ran user code: rounds, batches of the history
/// probe, and the few milliseconds of their start.
fn measuring(binary: &str) -> anyhow::Result<f64> {
    let start = Instant::now();
    let mut child = Command::new(binary)
        .args(["run", "clear_bhb_loop", "--format", "json", "-q"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut json = Vec::new();
    let mut out = child.stdout.take().context("it was asked for")?;
    out.read_to_end(&mut json)?;
    // The kernel keeps the times of a process that ended until somebody waits for it.
    let path = format!("/proc/{}/stat", child.id());
    let times = loop {
        let stat = std::fs::read_to_string(&path)?;
        let behind_name = stat.rsplit(") ").next().unwrap_or_default().to_owned();
        if behind_name.starts_with('Z') {
            break behind_name;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let seconds = start.elapsed().as_secs_f64();
    anyhow::ensure!(child.wait()?.success(), "the run failed");
    // User time of the children that it waited for, in hundredths of a second (proc_pid_stat(5)).
    let hundredths = times.split_ascii_whitespace().nth(13);
    let hundredths: f64 = hundredths.context("no times")?.parse()?;
    Ok(hundredths / 100.0 / seconds)
}

fn median(mut of: impl FnMut() -> anyhow::Result<Cost>) -> anyhow::Result<Cost> {
    let all: Vec<Cost> = (0..10).map(|_| of()).collect::<Result<_, _>>()?;
    let middle = |value: fn(&Cost) -> f64| {
        let values: Vec<f64> = all.iter().map(value).collect();
        stats::median(&values).unwrap_or(f64::NAN)
    };
    Ok(Cost {
        seconds: middle(|cost| cost.seconds),
        memory: middle(|cost| cost.memory),
        rounds: middle(|cost| cost.rounds),
    })
}

/// Prints all of it.
pub(crate) fn cost(binary: &str) -> anyhow::Result<()> {
    let of = |time: &str| median(|| run(binary, &["clear_bhb_loop", "--time", time]));
    let (short, usual, long) = (of("0.4s")?, of("0.8s")?, of("1.6s")?);
    // What a round takes is what twice the time has more of them.
    let round = 1.2 / (long.rounds - short.rounds);
    println!("| | wanted | found |\n| --- | --- | --- |");
    println!(
        "| clear_bhb_loop, start to table | below 1.2 s | {:.2} s |",
        usual.seconds
    );
    println!(
        "| rounds in that time, at what a round takes at the margin |  | {:.0} % |",
        100.0 * usual.rounds * round / usual.seconds
    );
    let shares: Vec<f64> = (0..10)
        .map(|_| measuring(binary))
        .collect::<Result<_, _>>()?;
    println!(
        "| rounds and history probe: the workers' user time | at least 80 % | {:.0} % |",
        100.0 * stats::median(&shares).unwrap_or(f64::NAN)
    );
    println!(
        "| the rounds in --time, at the margin | | {:.0} % |",
        100.0 * usual.rounds * round / 0.8
    );
    println!("| memory | below 64 MB | {:.0} MB |", usual.memory);
    let file = std::env::temp_dir().join("many.S");
    let path = file.to_string_lossy();
    for variants in [250, 500, 1000] {
        let mut text = String::from("#: title Many\n#: between chained isolated history\n");
        for index in 0..variants {
            writeln!(
                text,
                "#: variant v{index}\n\timul\t%rax, %rax\n\tadd\t${index}, %rax\n\tret"
            )?;
        }
        std::fs::write(&file, text)?;
        let cost = run(binary, &[&path, "--time", "4s"])?;
        println!(
            "| {variants} variants, --time 4s | linear | {:.1} s, {:.0} MB, {} rounds |",
            cost.seconds, cost.memory, cost.rounds
        );
    }
    Ok(())
}
