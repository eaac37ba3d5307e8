//! Do verdicts of single layouts hold?

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::Context as _;
use record::{Context, Record, Verdict};

use crate::campaign::PLANTED;

/// Runs of the file, and layouts and time of each.
const RUNS: usize = 20;
const SWEEP: [&str; 4] = ["--layouts", "8", "--time", "2s"];

/// Runs the planted file at eight offsets of a line, and prints how often each variant differs from
/// the baseline at one of them.
pub(crate) fn layouts(binary: &str) -> anyhow::Result<()> {
    let file = std::env::temp_dir().join("planted.S");
    std::fs::write(&file, PLANTED)?;
    // Of each variant in each context: faster, equal, slower.
    let mut told: BTreeMap<(String, Context), [usize; 3]> = BTreeMap::new();
    for _ in 0..RUNS {
        let output = Command::new(binary)
            .arg("run")
            .arg(&file)
            .args(SWEEP)
            .args(["--format", "json"])
            .output()
            .with_context(|| binary.to_owned())?;
        let record = Record::from_slice(&output.stdout)?;
        for variant in &record.variants {
            for (context, measure) in &variant.measures {
                for vs in measure.layouts.iter().flat_map(|at| &at.vs_baseline) {
                    let counts = told.entry((variant.name.clone(), *context)).or_default();
                    counts[match vs.verdict {
                        Verdict::Faster => 0,
                        Verdict::NoDifference => 1,
                        Verdict::Slower => 2,
                    }] += 1;
                }
            }
        }
    }
    println!("| variant | context | verdicts at one layout: faster | = | slower |");
    println!("| --- | --- | --- | --- | --- |");
    for ((variant, context), [faster, equal, slower]) in told {
        println!("| {variant} | {context} | {faster} | {equal} | {slower} |");
    }
    Ok(())
}
