//! The same questions, asked of real samples: runs are put together from many processes' samples.
//!
//! The file has one kept sample a line: process, measure, round, value, divided by blanks; the
//! processes count from 0, the rounds from 0 in each process.

use std::collections::BTreeMap;

use rand::RngExt;
use stats::Verdict;

use crate::candidates::{CANDIDATES, Candidate};
use crate::intervals::{Pairing, location};
use crate::worlds::{Random, Round, random};
use crate::{ROUNDS, deviation, library};

/// Round and value of each sample, by process.
type Measure = BTreeMap<u32, Vec<(u32, f64)>>;

fn read(path: &str) -> Result<BTreeMap<String, Measure>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let mut measures: BTreeMap<String, Measure> = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let parsed = match fields[..] {
            [process, measure, round, value] => process
                .parse()
                .ok()
                .zip(round.parse().ok())
                .zip(value.parse().ok())
                .map(|((process, round), value): ((u32, u32), f64)| {
                    let samples = measures.entry(measure.to_string()).or_default();
                    samples.entry(process).or_default().push((round, value));
                }),
            _ => None,
        };
        parsed.ok_or_else(|| format!("{path}:{number}: not `process measure round value`"))?;
    }
    Ok(measures)
}

/// A run whose two series come from processes of their own, so that nothing but the machine's
/// ways tells them apart.
fn run(measure: &Measure, workers: usize, random: &mut Random) -> Vec<Round> {
    let mut processes: Vec<&Vec<(u32, f64)>> = measure.values().collect();
    for i in (1..processes.len()).rev() {
        processes.swap(i, random.random_range(0..=i));
    }
    let rounds = ROUNDS / workers as u32;
    let mut run = Vec::new();
    for worker in 0..workers {
        let mut part = |process: &[(u32, f64)]| {
            let last = process.iter().map(|sample| sample.0).max().unwrap_or(0);
            let start = random.random_range(0..=last.saturating_sub(rounds));
            let mut values = vec![None; rounds as usize];
            for (round, value) in process {
                if let Some(i) = round.checked_sub(start).filter(|i| *i < rounds) {
                    values[i as usize] = Some(*value);
                }
            }
            values
        };
        let (a, b) = (part(processes[2 * worker]), part(processes[2 * worker + 1]));
        run.extend(a.iter().zip(b).zip(0..).map(|((a, b), round)| Round {
            worker: worker as u32,
            round: worker as u32 * rounds + round,
            values: [*a, b],
        }));
    }
    run
}

/// Prints, for each measure, the spread of some estimators and how the library's intervals fare.
pub(crate) fn study(path: &str) -> Result<(), String> {
    let measures = read(path)?;
    for workers in [4, 8] {
        let chosen: Vec<&Candidate> = CANDIDATES.iter().filter(|c| c.measured).collect();
        print!("\n{workers} workers\n\n| |");
        chosen
            .iter()
            .for_each(|candidate| print!(" {} |", candidate.name));
        println!(" coverage, % | A/A verdicts, % | 2 % seen, % | 8 % seen, % |");
        println!("| --- |{}", " --- |".repeat(chosen.len() + 4));
        let mut sums = vec![0.0; chosen.len() + 4];
        let enough = measures
            .iter()
            .filter(|(_, measure)| measure.len() >= 2 * workers);
        let mut rows = 0.0;
        for (name, measure) in enough {
            let pool: Vec<f64> = measure.values().flatten().map(|sample| sample.1).collect();
            let truth = stats::location(&pool).ok_or(format!("{name}: a value is not finite"))?;
            let runs: Vec<Vec<Round>> = (0..200)
                .map(|seed| run(measure, workers, &mut random(seed)))
                .collect();
            let mut row: Vec<f64> = chosen
                .iter()
                .map(|candidate| {
                    let values: Vec<f64> = runs
                        .iter()
                        .filter_map(|run| location(run.iter(), candidate.of, Pairing::First))
                        .collect();
                    100.0 * deviation(&values) / truth
                })
                .collect();
            let singles: Vec<_> = runs.iter().filter_map(|run| library(run, 1.0).0).collect();
            let covered = singles
                .iter()
                .filter(|e| e.low <= truth && truth <= e.high)
                .count();
            row.push(100.0 * covered as f64 / singles.len().max(1) as f64);
            for effect in [1.0, 1.02, 1.08] {
                let seen = runs
                    .iter()
                    .filter_map(|run| library(run, effect).1)
                    .filter(|c| match c.verdict {
                        Verdict::Slower => true,
                        Verdict::Faster => effect == 1.0,
                        Verdict::NoDifference => false,
                    })
                    .count();
                row.push(100.0 * seen as f64 / runs.len() as f64);
            }
            print!("| {name} |");
            row.iter().for_each(|value| print!(" {value:.2} |"));
            println!();
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, value)| *sum += value);
            rows += 1.0;
        }
        print!("| mean of {rows} |");
        sums.iter().for_each(|sum| print!(" {:.2} |", sum / rows));
        println!();
    }
    Ok(())
}
