//! The study of docs/numbers.md: do the numbers hold, over many runs of the real binary?
//!
//! - `number_study everything BINARY FOLDER RUNS` does all of the following and writes a file of each
//!   into FOLDER; on a quiet machine, 200 runs take 20 minutes.
//! - `number_study run BINARY FOLDER RUNS [NEIGHBOUR]` runs four files RUNS times each, one after
//!   the other, and keeps a line for each number in `FOLDER/numbers.csv`, and the records themselves
//!   in `FOLDER/KIND/N.json` where the environment has `KEEP=1`. NEIGHBOUR is `other-cpu`,
//!   `same-cpu`, `memory` or `branches`: what runs beside it (see `neighbours.rs`).
//! - `number_study collect FOLDER` makes `FOLDER/numbers.csv` of records that are there.
//! - `number_study judge FILE.csv...` prints every figure, each beside what is wanted of it.
//! - `number_study plot FILE.csv FILE.svg` draws how each number of clear_bhb_loop varies.
//! - `number_study sweep BINARY` runs chains of 1 to 200 dependent multiplications in a called function.
//! - `number_study layouts BINARY` counts the verdicts of single layouts of the planted file.
//! - `number_study beside BINARY` runs other programs in turns with this one.
//! - `number_study cost BINARY` prints wall time, memory, and how both grow.
//! - `number_study rejudge FOLDER` estimates anew, from the records' samples, by the library as it
//!   is now, and judges that.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose output is its purpose"
)]

mod beside;
mod campaign;
mod chain;
mod contradictions;
mod cost;
mod figures;
mod layouts;
mod neighbours;
mod plot;
mod row;
mod sweep;

use std::path::Path;
use std::process::{Command, Stdio};

const USAGE: &str = "number_study everything BINARY FOLDER RUNS | \
                     run BINARY FOLDER RUNS [other-cpu|same-cpu|memory|branches] | \
                     collect FOLDER | judge FILE.csv... | plot FILE.csv FILE.svg | sweep BINARY | layouts BINARY | beside BINARY | cost BINARY | \
                     rejudge FOLDER";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", binary, folder, runs, neighbour @ ..] => {
            let neighbour = neighbour.first().copied();
            campaign::run(binary, Path::new(folder), runs.parse()?, neighbour)
        }
        ["everything", binary, folder, runs] => everything(binary, folder, runs),
        ["collect", folder] => {
            let folder = Path::new(folder);
            let rows = campaign::collect(folder, campaign::as_recorded)?;
            row::save(&rows, &folder.join("numbers.csv"))
        }
        ["judge", files @ ..] if !files.is_empty() => {
            for file in files {
                figures::judge(&row::load(Path::new(file))?);
            }
            Ok(())
        }
        ["plot", file, svg] => plot::draw(&row::load(Path::new(file))?, Path::new(svg)),
        ["rejudge", folder] => {
            figures::judge(&campaign::collect(Path::new(folder), campaign::anew)?);
            Ok(())
        }
        ["sweep", binary] => sweep::sweep(binary),
        ["layouts", binary] => layouts::layouts(binary),
        ["beside", binary] => beside::beside(binary),
        ["cost", binary] => cost::cost(binary),
        ["loop", links] => {
            beside::run_loop(links.parse()?);
            Ok(())
        }
        ["be", neighbour, cpu] => neighbours::be(neighbour, cpu),
        _ => anyhow::bail!(USAGE),
    }
}

/// Each part as a process of its own, its output in a file.
fn everything(binary: &str, folder: &str, runs: &str) -> anyhow::Result<()> {
    let numbers = format!("{folder}/numbers.csv");
    let plot = format!("{folder}/numbers.svg");
    let parts: [(&str, &[&str]); 7] = [
        ("", &["run", binary, folder, runs]),
        ("figures.md", &["judge", &numbers]),
        ("", &["plot", &numbers, &plot]),
        ("sweep.md", &["sweep", binary]),
        ("layouts.md", &["layouts", binary]),
        ("cost.md", &["cost", binary]),
        ("beside.md", &["beside", binary]),
    ];
    for (file, words) in parts {
        eprintln!("{}", words.join(" "));
        let output = Command::new(std::env::current_exe()?)
            .args(words)
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            eprintln!("{} failed", words[0]);
        }
        if !file.is_empty() {
            std::fs::write(Path::new(folder).join(file), output.stdout)?;
        }
    }
    Ok(())
}
