//! Which estimator, and which interval: a study on made-up machines.
//!
//! `cargo run --release -p stats --example study` prints the tables of `docs/estimator.md`;
//! with a file of measured samples after `--`, the tables of those (see `measured.rs`).

#![expect(clippy::print_stdout, reason = "a study prints its tables")]

mod candidates;
mod intervals;
mod measured;
mod worlds;

use candidates::{CANDIDATES, trimmed};
use intervals::{Kind, Of, Pairing, bootstrap, components, location};
use stats::{Comparison, Estimate, Series, compare, estimate};
use worlds::{Round, WORLDS, World, random};

/// Rounds of one run, over all workers.
const ROUNDS: u32 = 240;
/// Made-up runs per figure.
const RUNS: u64 = 400;

fn runs(world: &World, workers: u32) -> Vec<Vec<Round>> {
    (0..RUNS)
        .map(|i| world.run(workers, ROUNDS / workers, &mut random(1000 + i)))
        .collect()
}

/// What an estimator would say with workers and rounds without end.
fn truth(world: &World, of: Of) -> f64 {
    let run = world.run(2000, 40, &mut random(7));
    location(run.iter(), of, Pairing::First).expect("most samples are kept")
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

fn header(title: &str) {
    println!("\n{title}\n");
    print!("| |");
    WORLDS.iter().for_each(|world| print!(" {} |", world.name));
    print!("\n| --- |");
    WORLDS.iter().for_each(|_| print!(" --- |"));
    println!();
}

/// The spread of estimates from run to run, relative to their mean.
fn spread() {
    header("Spread of the estimate from run to run (standard deviation, %), 4 workers");
    for candidate in CANDIDATES {
        print!("| {} |", candidate.name);
        for world in WORLDS {
            let runs = runs(world, 4);
            let values: Vec<f64> = runs
                .iter()
                .filter_map(|run| location(run.iter(), candidate.of, Pairing::First))
                .collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            print!(" {:.2} |", 100.0 * deviation(&values) / mean);
        }
        println!();
    }
}

/// The spread of the ratio of a thing to itself.
fn pairing() {
    header(
        "Spread of an A/A ratio from run to run (standard deviation, %), trimmed mean, 4 workers",
    );
    let ways = [
        ("ratio of locations, all samples", Pairing::All),
        ("ratio of locations, rounds with both", Pairing::Both),
        ("location of the rounds' ratios", Pairing::Ratios),
    ];
    for (name, pairing) in ways {
        print!("| {name} |");
        for world in WORLDS {
            let ratios: Vec<f64> = runs(world, 4)
                .iter()
                .filter_map(|run| location(run.iter(), |x| trimmed(x, 0.1), pairing))
                .collect();
            print!(" {:.2} |", 100.0 * deviation(&ratios));
        }
        println!();
    }
}

/// Value, lower and upper end.
type Interval = Option<[f64; 3]>;

/// One way to an interval: of the first series alone, or of the ratio of the two.
type Way<'a> = &'a dyn Fn(&[Round], Pairing, u64) -> Interval;

/// The library's own answers, the first series taken times `effect`.
fn library(run: &[Round], effect: f64) -> (Option<Estimate>, Option<Comparison>) {
    let part = |which: usize, effect: f64| {
        let (mut values, mut rounds, mut workers) = (Vec::new(), Vec::new(), Vec::new());
        for round in run {
            if let Some(value) = round.values[which] {
                values.push(value * effect);
                rounds.push(round.round);
                workers.push(round.worker);
            }
        }
        (values, rounds, workers)
    };
    let (a, b) = (part(0, effect), part(1, 1.0));
    let variant = Series {
        values: &a.0,
        rounds: &a.1,
        workers: &a.2,
    };
    let baseline = Series {
        values: &b.0,
        rounds: &b.1,
        workers: &b.2,
    };
    (estimate(&variant, 1), compare(&variant, &baseline, 0.01, 1))
}

fn ours(run: &[Round], pairing: Pairing) -> Interval {
    let (estimate, comparison) = library(run, 1.0);
    if pairing == Pairing::First {
        return estimate.map(|e| [e.value, e.low, e.high]);
    }
    comparison.map(|c| [c.ratio, c.low, c.high])
}

fn intervals() {
    let of: Of = |x| trimmed(x, 0.1);
    let ways: [(&str, Way<'_>); 5] = [
        ("bootstrap", &|r, p, s| {
            bootstrap(r, of, p, 200, false, &mut random(s))
        }),
        ("bootstrap, widened", &|r, p, s| {
            bootstrap(r, of, p, 200, true, &mut random(s))
        }),
        ("workers, Student", &|r, p, _| {
            components(r, of, p, Kind::Workers)
        }),
        ("workers and blocks, Student", &|r, p, _| {
            components(r, of, p, Kind::Both)
        }),
        ("**as in the library**", &|r, p, _| ours(r, p)),
    ];
    let mut tables: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for workers in [4, 8] {
        let titles = [
            "coverage, %",
            "A/A verdicts at a floor of 1 % (of 0), %",
            "a 2 % (8 %) difference seen, %",
        ];
        let first = tables.len();
        tables.extend(titles.map(|title| {
            (
                format!("{title}; {workers} workers"),
                vec![vec![]; ways.len()],
            )
        }));
        for world in WORLDS {
            let truth = truth(world, of);
            let runs = runs(world, workers);
            for (w, (_, way)) in ways.iter().enumerate() {
                let cells = judge(*way, &runs, truth);
                for (i, cell) in cells.into_iter().enumerate() {
                    tables[first + i].1[w].push(cell);
                }
            }
        }
    }
    for (title, rows) in tables {
        header(&title);
        for ((name, _), row) in ways.iter().zip(rows) {
            println!("| {name} | {} |", row.join(" | "));
        }
    }
}

/// Coverage, false verdicts, and differences seen.
fn judge(way: Way<'_>, runs: &[Vec<Round>], truth: f64) -> [String; 3] {
    let percent = |hits: usize, of: usize| 100.0 * hits as f64 / of.max(1) as f64;
    let seeds = runs.iter().zip(0..);
    let singles: Vec<[f64; 3]> = seeds
        .clone()
        .filter_map(|(run, seed)| way(run, Pairing::First, seed))
        .collect();
    let ratios: Vec<[f64; 3]> = seeds
        .filter_map(|(run, seed)| way(run, Pairing::All, seed))
        .collect();
    let covered = singles
        .iter()
        .filter(|[_, low, high]| (*low..=*high).contains(&truth))
        .count();
    let width = singles
        .iter()
        .map(|[v, low, high]| (high - low) / 2.0 / v)
        .sum::<f64>();
    let wrong = |floor: f64| {
        let wrong =
            |[v, low, high]: &&[f64; 3]| (*low > 1.0 || *high < 1.0) && (v - 1.0).abs() > floor;
        percent(ratios.iter().filter(wrong).count(), ratios.len())
    };
    let seen = |effect: f64| {
        let seen = |[v, low, _]: &&[f64; 3]| low * effect > 1.0 && v * effect - 1.0 > 0.01;
        percent(ratios.iter().filter(seen).count(), ratios.len())
    };
    [
        format!(
            "{:.0} (±{:.2})",
            percent(covered, singles.len()),
            100.0 * width / singles.len().max(1) as f64
        ),
        format!("{:.1} ({:.1})", wrong(0.01), wrong(0.0)),
        format!("{:.0} ({:.0})", seen(1.02), seen(1.08)),
    ]
}

/// How long the estimates and comparisons of a whole table take.
fn speed() {
    let runs: Vec<Vec<Round>> = (0..50)
        .map(|i| WORLDS[1].run(4, 750, &mut random(i)))
        .collect();
    let start = std::time::Instant::now();
    let found = runs
        .iter()
        .map(|run| library(run, 1.0))
        .filter(|l| l.1.is_some())
        .count();
    println!(
        "Series of 3000 rounds, {found} estimates and as many comparisons: {:.0} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
}

fn main() -> Result<(), String> {
    if let Some(path) = std::env::args().nth(1) {
        return measured::study(&path);
    }
    speed();
    spread();
    pairing();
    intervals();
    Ok(())
}
