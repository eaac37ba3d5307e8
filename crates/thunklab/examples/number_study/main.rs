//! The study of docs/numbers.md: do the numbers hold, over many runs of the real binary?
//!
//! - `number_study run BINARY FOLDER RUNS [NEIGHBOUR]` runs four files RUNS times each, one after
//!   the other, and keeps a line for each number in `FOLDER/numbers.csv`, and the records themselves
//!   in `FOLDER/KIND/N.json` where the environment has `KEEP=1`. NEIGHBOUR is `other-cpu`,
//!   `same-cpu`, `memory` or `branches`: what runs beside it (see `neighbours.rs`).
//! - `number_study collect FOLDER` makes `FOLDER/numbers.csv` of records that are there.
//! - `number_study judge FILE.csv...` prints every figure, each beside what is wanted of it.
//! - `number_study plot FILE.csv FILE.svg` draws how each number of clear_bhb_loop varies.
//! - `number_study rejudge FOLDER` estimates anew, from the records' samples, by the library as it
//!   is now, and judges that.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose output is its purpose"
)]

mod campaign;
mod contradictions;
mod figures;
mod neighbours;
mod plot;
mod row;

use std::path::Path;

const USAGE: &str = "number_study run BINARY FOLDER RUNS [other-cpu|same-cpu|memory|branches] | \
                     collect FOLDER | judge FILE.csv... | plot FILE.csv FILE.svg | rejudge FOLDER";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run", binary, folder, runs, neighbour @ ..] => {
            let neighbour = neighbour.first().copied();
            campaign::run(binary, Path::new(folder), runs.parse()?, neighbour)
        }
        ["collect", folder] => {
            let folder = Path::new(folder);
            let rows = campaign::collect(folder, campaign::as_recorded)?;
            row::save(&rows, &folder.join("numbers.csv"))
        }
        ["judge", files @ ..] if !files.is_empty() => {
            for file in files {
                println!("{file}\n");
                figures::judge(&row::load(Path::new(file))?);
            }
            Ok(())
        }
        ["plot", file, svg] => plot::draw(&row::load(Path::new(file))?, Path::new(svg)),
        ["rejudge", folder] => {
            figures::judge(&campaign::collect(Path::new(folder), campaign::anew)?);
            Ok(())
        }
        ["be", neighbour, cpu] => neighbours::be(neighbour, cpu),
        _ => anyhow::bail!(USAGE),
    }
}
