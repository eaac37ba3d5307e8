//! Does every link of a chain cost the same?

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::Context as _;
use record::{Context, ParamValue, Record};

const CHAIN: &str = include_str!("chain.S");

/// Runs chains of 1 to 200 dependent multiplications in a called function, and prints how far each is
/// from so many cycles a link and one constant.
pub(crate) fn sweep(binary: &str) -> anyhow::Result<()> {
    let file = std::env::temp_dir().join("chain.S");
    std::fs::write(&file, CHAIN)?;
    let output = Command::new(binary)
        .arg("run")
        .arg(&file)
        .args(["--set", "LINKS=1..200", "--time", "20s", "--format", "json"])
        .output()
        .with_context(|| binary.to_owned())?;
    let record = Record::from_slice(&output.stdout)?;
    let link = record
        .rulers
        .imul
        .as_ref()
        .context("no ruler")?
        .cycles_per_link;
    let mut contexts: BTreeMap<Context, Vec<(f64, f64)>> = BTreeMap::new();
    for variant in &record.variants {
        let Some(ParamValue::Integer(links)) = variant.params.get("LINKS") else {
            continue;
        };
        for (context, measure) in &variant.measures {
            if let Some(cycles) = &measure.cycles {
                let point = (*links as f64, cycles.estimate);
                contexts.entry(*context).or_default().push(point);
            }
        }
    }
    println!("| context | constant | within 1 % | furthest | slope of 11 links and more |");
    println!("| --- | --- | --- | --- | --- |");
    for (context, points) in contexts {
        let off =
            |(links, cycles): &(f64, f64), constant: f64| cycles / (link * links + constant) - 1.0;
        // The constant that most of them agree on.
        let within = |constant: f64| {
            let near = |point: &&(f64, f64)| off(point, constant).abs() <= 0.01;
            points.iter().filter(near).count()
        };
        let constant = points
            .iter()
            .map(|(links, cycles)| cycles - link * links)
            .max_by_key(|&constant| within(constant))
            .unwrap_or(0.0);
        let off = |point: &(f64, f64)| off(point, constant);
        let within = points
            .iter()
            .filter(|point| off(point).abs() <= 0.01)
            .count();
        let furthest = points
            .iter()
            .max_by(|a, b| off(a).abs().total_cmp(&off(b).abs()))
            .map(|point| format!("{:+.1} % at {} links", 100.0 * off(point), point.0));
        println!(
            "| {context} | {constant:.2} | {within} of {} | {} | {:.3} |",
            points.len(),
            furthest.unwrap_or_default(),
            slope(&points)
        );
        for point in points.iter().filter(|point| off(point).abs() > 0.01) {
            println!(
                "  {} links: {:.2} cycles ({:+.1} %)",
                point.0,
                point.1,
                100.0 * off(point)
            );
        }
    }
    Ok(())
}

/// By least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let points: Vec<&(f64, f64)> = points.iter().filter(|(links, _)| *links > 10.0).collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(|point| of(point)).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    let below: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    above / below
}
