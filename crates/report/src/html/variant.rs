//! One variant on every machine: its numbers, distributions, layout sweep, counts and listing.

use record::{Context, Counter, Failure, Measure, Params, printable};

use super::cell::{self, Cell};
use super::code::CodeView;
use super::figure::{FigureGroup, Sweep};
use super::number::{amount, list, range, share};
use super::plot::{self, PlotError, Svg};
use super::sequence::{Row, Sequence};
use super::source::{Line, Source};

/// What a variant's section shows.
pub(super) struct VariantView {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) params: String,
    pub(super) is_headline: bool,
    /// What the closed section says of each machine.
    pub(super) brief: Vec<(String, Cell)>,
    /// Machines that it was not measured on, and why.
    pub(super) troubles: Vec<(String, String)>,
    pub(super) numbers: Vec<Number>,
    pub(super) methods: Vec<String>,
    pub(super) figures: Vec<FigureGroup>,
    pub(super) counters: Vec<CounterRow>,
    pub(super) sweeps: Vec<Sweep>,
    pub(super) counts: Vec<String>,
    pub(super) history: Vec<String>,
    pub(super) code: Vec<CodeView>,
    /// `None` where the text does not name the variant.
    pub(super) source: Option<Vec<Line>>,
}

/// A row of the numbers: a machine in a context.
pub(super) struct Number {
    pub(super) machine: String,
    pub(super) context: Context,
    pub(super) cycles: Cell,
    pub(super) ns: String,
    pub(super) against: Cell,
    pub(super) empty: String,
    pub(super) samples: String,
    pub(super) modes: String,
    /// The distribution, where the page has no room for figures.
    pub(super) strip: Option<Svg>,
}

/// A hardware counter of a machine in a context.
pub(super) struct CounterRow {
    pub(super) machine: String,
    pub(super) context: Context,
    pub(super) name: String,
    pub(super) value: String,
}

impl Sequence {
    /// A variant's section.
    pub(super) fn view(
        &self,
        row: &Row,
        source: &Source,
        is_headline: bool,
    ) -> Result<VariantView, PlotError> {
        let name = self.variants(row).next().map(|variant| &variant.name);
        let mut methods: Vec<String> = Vec::new();
        let mut numbers = Vec::new();
        let mut counters = Vec::new();
        for record in 0..self.digests.len() {
            let Some(variant) = self.variant(row, record) else {
                continue;
            };
            for (&context, measure) in &variant.measures {
                if let Some(cycles) = &measure.cycles {
                    let method = printable(&cycles.method);
                    if !methods.contains(&method) {
                        methods.push(method);
                    }
                }
                counters.extend(measure.counters.iter().map(|(name, counter)| CounterRow {
                    machine: self.labels[record].clone(),
                    context,
                    name: printable(name),
                    value: counter_text(counter),
                }));
                if !self.is_large() || Some(context) == self.context {
                    numbers.push(self.number(row, record, context, measure)?);
                }
            }
        }
        Ok(VariantView {
            name: row.name.clone(),
            text: self.text(row),
            params: self
                .variants(row)
                .next()
                .map(|variant| params(&variant.params))
                .unwrap_or_default(),
            is_headline,
            brief: self.brief(row),
            troubles: self.troubles(row),
            numbers,
            methods,
            figures: self.figures(row)?,
            counters,
            sweeps: self.sweeps(row)?,
            counts: self.counts(row),
            history: self.history(row),
            code: self.code(row),
            source: name.and_then(|name| source.variant(name)),
        })
    }

    fn brief(&self, row: &Row) -> Vec<(String, Cell)> {
        let Some(context) = self.context.filter(|_| !self.is_large()) else {
            return Vec::new();
        };
        self.columns
            .iter()
            .filter_map(|column| {
                let (_, vs) = self.comparisons(row, column, context).next()?;
                Some((column.label.clone(), cell::vs_cell(vs)))
            })
            .collect()
    }

    fn troubles(&self, row: &Row) -> Vec<(String, String)> {
        (0..self.digests.len())
            .filter_map(|record| {
                let variant = self.variant(row, record)?;
                let mut words = Vec::new();
                if let Some(failure) = &variant.failure {
                    words.push(failure_text(failure));
                }
                words.extend(variant.reason.as_deref().map(printable));
                (!words.is_empty()).then(|| {
                    (
                        self.labels[record].clone(),
                        format!("{}: {}", variant.status.word(), words.join("; ")),
                    )
                })
            })
            .collect()
    }

    fn number(
        &self,
        row: &Row,
        record: usize,
        context: Context,
        measure: &Measure,
    ) -> Result<Number, PlotError> {
        let shape = self.shape(row, record, context);
        let strip = match shape.and_then(|shape| shape.histogram.as_ref()) {
            Some(histogram) if self.is_large() => {
                Some(plot::strip(histogram, self.series[record])?)
            }
            _ => None,
        };
        Ok(Number {
            machine: self.labels[record].clone(),
            context,
            cycles: measure
                .cycles
                .as_ref()
                .map_or_else(cell::nothing, cell::cycles_cell),
            ns: measure.ns.as_ref().map_or_else(
                || "\u{2013}".to_owned(),
                |ns| format!("{} {}", amount(ns.estimate), range(ns.low, ns.high)),
            ),
            against: match &measure.vs_baseline {
                Some(vs) => cell::vs_cell(vs),
                None if row.is_baseline => cell::baseline(),
                None => cell::nothing(),
            },
            empty: measure
                .cycles
                .as_ref()
                .and_then(|cycles| cycles.minus_empty)
                .map_or_else(|| "no".to_owned(), amount),
            samples: if self.is_large() {
                samples_in_short(measure)
            } else {
                samples(measure)
            },
            modes: modes(measure),
            strip,
        })
    }
}

fn params(params: &Params) -> String {
    params
        .iter()
        .map(|(name, value)| format!("{}={}", printable(name), printable(&value.to_string())))
        .collect::<Vec<_>>()
        .join(" ")
}

pub(super) fn modes(measure: &Measure) -> String {
    let modes: Vec<String> = measure
        .modes
        .iter()
        .map(|mode| format!("{} ({})", amount(mode.cycles), share(mode.share)))
        .collect();
    if modes.is_empty() {
        "\u{2013}".to_owned()
    } else {
        modes.join(", ")
    }
}

/// How many samples were kept, and why the others were not.
fn samples(measure: &Measure) -> String {
    let by = &measure.samples.discarded_by;
    let reasons: Vec<String> = [
        (by.tick, "interrupted"),
        (by.migration, "on another CPU"),
        (by.switch, "across a context switch"),
        (by.ruler, "with a ruler hit"),
        (by.contended, "on a contended core"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, why)| format!("{n} {why}"))
    .collect();
    let kept = format!("{} kept", measure.samples.kept());
    if reasons.is_empty() {
        kept
    } else {
        format!("{kept}; left out: {}", list(&reasons))
    }
}

fn samples_in_short(measure: &Measure) -> String {
    let by = &measure.samples.discarded_by;
    let left_out = [by.tick, by.migration, by.switch, by.ruler, by.contended]
        .into_iter()
        .fold(0, u64::saturating_add);
    format!("{} kept, {left_out} left out", measure.samples.kept())
}

fn counter_text(counter: &Counter) -> String {
    match counter {
        Counter::Value { per_run, low, high } => {
            format!("{} {} a run", amount(*per_run), range(*low, *high))
        }
        Counter::Error { error } => format!("no number: {}", printable(error)),
    }
}

fn failure_text(failure: &Failure) -> String {
    let mut words = vec![printable(&failure.message)];
    if let Some(signal) = &failure.signal {
        words.push(printable(signal));
    }
    if let Some(address) = failure.address {
        words.push(format!("address {address}"));
    }
    if let Some(instruction) = &failure.instruction {
        words.push(format!("at {}", printable(instruction)));
    }
    if let Some(ip) = failure.ip {
        words.push(format!("offset {ip:#x}"));
    }
    if let Some(file) = &failure.file {
        let line = failure
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        words.push(format!("{}{line}", printable(file)));
    }
    words.retain(|word| !word.is_empty());
    words.join(", ")
}
