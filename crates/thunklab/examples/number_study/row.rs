//! One number of one run, as it stands in the study's data.

use std::path::Path;
use std::str::FromStr as _;

use anyhow::Context as _;
use record::{Context, Record, Variant, Verdict, Warning};

/// One variant in one context of one run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Which of the campaign's files: see `campaign.rs`.
    pub(crate) kind: String,
    /// Which run, from 1.
    pub(crate) run: u32,
    pub(crate) variant: String,
    pub(crate) context: Context,
    /// Samples that were kept, and the share of all that was contended.
    pub(crate) n: u64,
    pub(crate) contended: f64,
    /// Estimate and interval, cycles.
    pub(crate) cycles: [f64; 3],
    /// Against the baseline; `None` for the baseline.
    pub(crate) versus: Option<Versus>,
    /// The run's noise floor.
    pub(crate) floor: f64,
    /// Whether the run says of itself, before its numbers, that they are not to be relied on.
    pub(crate) flagged: bool,
    /// What was published for this CPU, cycles.
    pub(crate) published: Option<f64>,
}

/// A comparison with the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Versus {
    /// Ratio and interval.
    pub(crate) ratio: [f64; 3],
    pub(crate) verdict: Verdict,
    pub(crate) smallest_seen: f64,
}

impl Row {
    /// Every number of a record.
    pub(crate) fn of(record: &Record, kind: &str, run: u32) -> Vec<Self> {
        let row = |variant: &Variant| -> Vec<Self> {
            let rows = variant.measures.iter().filter_map(|(&context, measure)| {
                let cycles = measure.cycles.as_ref()?;
                Some(Self {
                    kind: kind.to_owned(),
                    run,
                    variant: variant.name.clone(),
                    context,
                    n: cycles.n,
                    contended: record.sentinel.contended_share.unwrap_or(0.0),
                    cycles: [cycles.estimate, cycles.low, cycles.high],
                    versus: measure.vs_baseline.as_ref().map(|vs| Versus {
                        ratio: [vs.ratio, vs.low, vs.high],
                        verdict: vs.verdict,
                        smallest_seen: vs.smallest_seen.unwrap_or(f64::INFINITY),
                    }),
                    floor: record.noise_floor(),
                    flagged: record.warnings.iter().any(Warning::degrades),
                    published: published(record, kind, &variant.name),
                })
            });
            rows.collect()
        };
        record.variants.iter().flat_map(row).collect()
    }

    fn line(&self) -> String {
        let [estimate, low, high] = self.cycles;
        let versus = self.versus.map_or_else(
            || ",,,,".to_owned(),
            |versus| {
                let [ratio, low, high] = versus.ratio;
                format!(
                    "{ratio:.5},{low:.5},{high:.5},{},{:.5}",
                    versus.verdict.word(),
                    versus.smallest_seen
                )
            },
        );
        format!(
            "{},{},{},{},{},{:.4},{estimate:.3},{low:.3},{high:.3},{versus},{:.5},{},{}",
            self.kind,
            self.run,
            self.variant,
            self.context,
            self.n,
            self.contended,
            self.floor,
            u8::from(self.flagged),
            self.published
                .map(|cycles| cycles.to_string())
                .unwrap_or_default()
        )
    }

    fn parse(line: &str) -> anyhow::Result<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |index: usize| -> anyhow::Result<f64> {
            let field = fields.get(index).copied().unwrap_or_default();
            field
                .parse()
                .with_context(|| format!("no number: {field:?}"))
        };
        let word = |index: usize| fields.get(index).copied().unwrap_or_default().to_owned();
        let versus = if word(9).is_empty() {
            None
        } else {
            Some(Versus {
                ratio: [number(9)?, number(10)?, number(11)?],
                verdict: match word(12).as_str() {
                    "slower" => Verdict::Slower,
                    "faster" => Verdict::Faster,
                    _ => Verdict::NoDifference,
                },
                smallest_seen: number(13)?,
            })
        };
        Ok(Self {
            kind: word(0),
            run: word(1).parse()?,
            variant: word(2),
            context: Context::from_str(&word(3)).map_err(|error| anyhow::anyhow!("{error}"))?,
            n: word(4).parse()?,
            contended: number(5)?,
            cycles: [number(6)?, number(7)?, number(8)?],
            versus,
            floor: number(14)?,
            flagged: word(15) == "1",
            published: number(16).ok(),
        })
    }
}

const HEAD: &str = "kind,run,variant,context,n,contended,cycles,low,high,ratio,ratio_low,\
                    ratio_high,verdict,smallest_seen,floor,flagged,published";

/// Links of each chain of known_latencies.
const LINKS: f64 = 24.0;

/// What the file itself cites for its chains, on this CPU; only what all sources agree on.
fn published(record: &Record, kind: &str, variant: &str) -> Option<f64> {
    let ruler = record.rulers.imul.as_ref()?.cycles_per_link;
    let is_amd = record.machine.vendor == "AuthenticAMD";
    let link = match variant {
        "imul" => ruler,
        "popcnt" if is_amd => 1.0,
        // An imul of three cycles tells the cores for which the others are published alike.
        "popcnt" | "crc32" if ruler == 3.0 => 3.0,
        "adc" if ruler == 3.0 => 1.0,
        _ => return None,
    };
    (kind == "lat").then_some(LINKS * link)
}

/// Writes them, a line each.
pub(crate) fn save(rows: &[Row], path: &Path) -> anyhow::Result<()> {
    let lines = rows.iter().map(|row| row.line() + "\n");
    let text = format!("{HEAD}\n{}", lines.collect::<String>());
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Reads what [`save`] wrote.
pub(crate) fn load(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().zip(1..).skip(1);
    lines
        .map(|(line, number)| {
            Row::parse(line).with_context(|| format!("{}:{number}", path.display()))
        })
        .collect()
}
