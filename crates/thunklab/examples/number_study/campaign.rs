//! Many runs of the real binary.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use record::{Measure, Record, VsBaseline};
use stats::Series;

use crate::neighbours::Neighbour;
use crate::row::{self, Row};

/// What is run, by a short name: the planted differences for a second and for a fifth of one, and
/// two shipped files as they are run by default.
pub(crate) const KINDS: [&str; 4] = ["p1", "p02", "bhb", "lat"];

/// A loop, its copy, and two that take 2 % and 8 % more.
pub(crate) const PLANTED: &str = include_str!("planted.S");

fn arguments(kind: &str, planted: &str) -> Vec<String> {
    let words: &[&str] = match kind {
        "p1" => &[planted, "--time", "1s"],
        "p02" => &[planted, "--time", "0.2s"],
        "bhb" => &["clear_bhb_loop"],
        _ => &["known_latencies"],
    };
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Runs everything `runs` times, in turns.
pub(crate) fn run(
    binary: &str,
    folder: &Path,
    runs: u32,
    neighbour: Option<&str>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    let planted = std::env::temp_dir().join("planted.S");
    std::fs::write(&planted, PLANTED)?;
    let planted = planted.to_string_lossy();
    let keep = std::env::var_os("KEEP").is_some();
    let _neighbour = neighbour.map(Neighbour::start).transpose()?;
    let mut rows = Vec::new();
    for run in 1..=runs {
        for kind in KINDS {
            let output = Command::new(binary)
                .arg("run")
                .args(arguments(kind, &planted))
                .args(["--format", "json", "--quiet"])
                .output()
                .with_context(|| binary.to_owned())?;
            let record = Record::from_slice(&output.stdout)
                .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
            if keep {
                let folder = folder.join(kind);
                std::fs::create_dir_all(&folder)?;
                std::fs::write(folder.join(format!("{run}.json")), &output.stdout)?;
            }
            rows.extend(Row::of(&record, kind, run));
        }
        if run % 10 == 0 {
            eprintln!("{run} of {runs}");
            row::save(&rows, &folder.join("numbers.csv"))?;
        }
    }
    row::save(&rows, &folder.join("numbers.csv"))
}

/// The rows of all records of a folder, each record as `read` has it.
pub(crate) fn collect(folder: &Path, read: fn(Record) -> Record) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for kind in KINDS {
        for run in 1.. {
            let path = folder.join(kind).join(format!("{run}.json"));
            if !path.is_file() {
                break;
            }
            match Record::load(&path) {
                Ok(record) => rows.extend(Row::of(&read(record), kind, run)),
                // The last one of a campaign that goes on.
                Err(error) => eprintln!("left out: {error}"),
            }
        }
    }
    Ok(rows)
}

/// A record as it is.
pub(crate) fn as_recorded(record: Record) -> Record {
    record
}

/// A record with every estimate and comparison made anew from the samples that it holds (at most
/// 500 of a measure), with the noise floor as recorded.
pub(crate) fn anew(record: Record) -> Record {
    let mut record = record;
    let Some(ruler) = record.rulers.imul.clone() else {
        return record;
    };
    let (seed, floor) = (record.plan.seed, record.noise_floor());
    let values = |measure: &Measure| measure.samples.cycles(&ruler);
    let baselines = record.variants.clone();
    let baseline = record.baseline().map(str::to_owned);
    for variant in &mut record.variants {
        let against = baselines
            .iter()
            .find(|other| Some(&other.name) == baseline.as_ref() && other.params == variant.params);
        let against = against.filter(|other| other.name != variant.name);
        for (context, measure) in &mut variant.measures {
            let cycles = values(measure);
            let estimate = stats::estimate(&series(&cycles, measure), seed);
            if let (Some(new), Some(old)) = (estimate, measure.cycles.as_mut()) {
                (old.estimate, old.low, old.high) = (new.value, new.low, new.high);
            }
            let other = against.and_then(|other| other.measures.get(context));
            measure.vs_baseline = other.and_then(|other| {
                let theirs = values(other);
                let found = stats::compare(
                    &series(&cycles, measure),
                    &series(&theirs, other),
                    floor,
                    seed,
                )?;
                Some(VsBaseline {
                    ratio: found.ratio,
                    low: found.low,
                    high: found.high,
                    verdict: found.verdict.into(),
                    smallest_seen: Some(found.smallest_seen),
                })
            });
        }
    }
    record
}

fn series<'a>(values: &'a [f64], measure: &'a Measure) -> Series<'a> {
    Series {
        values,
        rounds: &measure.samples.rounds,
        workers: &measure.samples.workers,
    }
}
