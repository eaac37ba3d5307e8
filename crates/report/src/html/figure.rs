//! A variant's plots with their words: distributions and layout sweeps.

use record::{Context, Verdict};

use super::cell::{self, Cell};
use super::number::{amount, percent, range};
use super::plot::{self, PlotError, Svg};
use super::sequence::{Row, Sequence};
use super::sweep::Placed;
use super::variant::modes;

/// Figures of one context.
pub(super) struct FigureGroup {
    pub(super) context: Context,
    pub(super) is_verdict: bool,
    pub(super) figures: Vec<Figure>,
}

/// A plot with its words.
pub(super) struct Figure {
    pub(super) title: String,
    pub(super) alternative: String,
    pub(super) caption: String,
    pub(super) svg: Svg,
}

/// The layout sweep on a machine.
pub(super) struct Sweep {
    pub(super) machine: String,
    pub(super) context: Context,
    pub(super) conclusion: String,
    /// `None` where the page has no room for figures.
    pub(super) figure: Option<Figure>,
    pub(super) rows: Vec<SweepRow>,
}

/// An offset.
pub(super) struct SweepRow {
    pub(super) offset: u32,
    pub(super) n: usize,
    pub(super) median: String,
    pub(super) quartiles: String,
    pub(super) against: Cell,
}

impl Sequence {
    /// The distributions of a variant, by context, the verdict's first.
    pub(super) fn figures(&self, row: &Row) -> Result<Vec<FigureGroup>, PlotError> {
        let mut groups = Vec::new();
        if self.is_large() {
            return Ok(groups);
        }
        let mut contexts = self.contexts.clone();
        contexts.sort_by_key(|&context| Some(context) != self.context);
        for context in contexts {
            let mut figures = Vec::new();
            for record in 0..self.digests.len() {
                figures.extend(self.figure(row, record, context)?);
            }
            if !figures.is_empty() {
                groups.push(FigureGroup {
                    context,
                    is_verdict: Some(context) == self.context,
                    figures,
                });
            }
        }
        Ok(groups)
    }

    fn figure(
        &self,
        row: &Row,
        record: usize,
        context: Context,
    ) -> Result<Option<Figure>, PlotError> {
        let measure = self
            .variant(row, record)
            .and_then(|variant| variant.measures.get(&context));
        let (Some(measure), Some(shape)) = (measure, self.shape(row, record, context)) else {
            return Ok(None);
        };
        let Some(histogram) = &shape.histogram else {
            return Ok(None);
        };
        let unit = if shape.in_cycles { "cycles" } else { "ns" };
        let estimate = if shape.in_cycles {
            measure
                .cycles
                .as_ref()
                .map(|cycles| [cycles.low, cycles.estimate, cycles.high])
        } else {
            measure.ns.as_ref().map(|ns| [ns.low, ns.estimate, ns.high])
        };
        // Modes are in cycles, whatever the plot is in.
        let marks: Vec<f64> = measure
            .modes
            .iter()
            .filter(|_| shape.in_cycles)
            .map(|mode| mode.cycles)
            .collect();
        let label = &self.labels[record];
        let mut caption = Vec::new();
        if let Some([low, middle, high]) = estimate {
            caption.push(format!(
                "{} {unit} a run, 95% interval {}",
                amount(middle),
                range(low, high)
            ));
        }
        let kept = measure.samples.kept();
        let thinned = if kept > shape.held as u64 {
            format!(" of the {kept} kept,")
        } else {
            String::new()
        };
        caption.push(format!(
            "{} samples{thinned} from {} to {} {unit}",
            histogram.total(),
            amount(histogram.least),
            amount(histogram.greatest)
        ));
        match (histogram.below, histogram.above) {
            (0, 0) => {}
            (below, above) => caption.push(format!("{} beyond the plot's ends", below + above)),
        }
        if !measure.modes.is_empty() {
            caption.push(format!("modes: {}", modes(measure)));
        }
        let caption = caption.join("; ");
        Ok(Some(Figure {
            title: label.clone(),
            alternative: format!(
                "Distribution of the samples of {} on {label}, {context}: {caption}.",
                row.name
            ),
            caption,
            svg: plot::distribution(histogram, estimate, &marks, self.series[record], unit)?,
        }))
    }

    /// The layout sweeps of a variant.
    pub(super) fn sweeps(&self, row: &Row) -> Result<Vec<Sweep>, PlotError> {
        let mut sweeps = Vec::new();
        let Some(context) = self.context else {
            return Ok(sweeps);
        };
        for (record, label) in self.labels.iter().enumerate() {
            let Some(shape) = self.shape(row, record, context) else {
                continue;
            };
            if shape.sweep.is_empty() {
                continue;
            }
            let conclusion = conclusion(&shape.sweep, row.is_baseline);
            let figure = if self.is_large() {
                None
            } else {
                let baseline = self.baseline_sweep(row, record, context);
                Some(Figure {
                    title: label.clone(),
                    alternative: format!(
                        "Cycles of {} on {label} by the code's offset within a line, {context}. \
                         {conclusion}",
                        row.name
                    ),
                    caption: conclusion.clone(),
                    svg: plot::layout(&shape.sweep, baseline, self.series[record])?,
                })
            };
            sweeps.push(Sweep {
                machine: label.clone(),
                context,
                conclusion,
                figure,
                rows: if self.is_large() {
                    Vec::new()
                } else {
                    shape.sweep.iter().map(sweep_row).collect()
                },
            });
        }
        Ok(sweeps)
    }

    /// The baseline's sweep at a row's params, unless the row is the baseline.
    fn baseline_sweep(&self, row: &Row, record: usize, context: Context) -> &[Placed] {
        let digest = &self.digests[record];
        let place = self.variant(row, record).and_then(|variant| {
            digest.record.variants.iter().position(|other| {
                !row.is_baseline
                    && Some(&other.name) == self.baseline.as_ref()
                    && other.params == variant.params
            })
        });
        place
            .and_then(|place| digest.shapes[place].get(&context))
            .map_or(&[], |shape| &shape.sweep)
    }
}

fn sweep_row(placed: &Placed) -> SweepRow {
    let [low, median, high] = placed.quartiles;
    SweepRow {
        offset: placed.offset,
        n: placed.n,
        median: amount(median),
        quartiles: range(low, high),
        against: placed
            .vs_baseline
            .as_ref()
            .map_or_else(cell::nothing, cell::vs_cell),
    }
}

/// Whether the difference survives.
fn conclusion(sweep: &[Placed], is_baseline: bool) -> String {
    let medians = || sweep.iter().map(|placed| placed.quartiles[1]);
    let least = medians().fold(f64::INFINITY, f64::min);
    let most = medians().fold(f64::NEG_INFINITY, f64::max);
    let spread = format!(
        "from {} to {} cycles over {} offsets",
        amount(least),
        amount(most),
        sweep.len()
    );
    let ratios: Vec<_> = sweep
        .iter()
        .filter_map(|placed| placed.vs_baseline.as_ref())
        .collect();
    if is_baseline || ratios.is_empty() {
        return format!("Medians {spread}.");
    }
    let differ = ratios
        .iter()
        .filter(|vs| vs.verdict == ratios[0].verdict)
        .count();
    let low = ratios
        .iter()
        .map(|vs| vs.ratio)
        .fold(f64::INFINITY, f64::min);
    let high = ratios
        .iter()
        .map(|vs| vs.ratio)
        .fold(f64::NEG_INFINITY, f64::max);
    let word = if differ == ratios.len() {
        format!(
            "{} at every offset that could be compared ({})",
            match ratios[0].verdict {
                Verdict::Slower => "Slower than the baseline",
                Verdict::Faster => "Faster than the baseline",
                Verdict::NoDifference => "No difference from the baseline seen",
            },
            ratios.len()
        )
    } else {
        "Not the same verdict at every offset".to_owned()
    };
    format!(
        "{word}: {} to {} against the baseline at the same offset; medians {spread}.",
        percent(low),
        percent(high)
    )
}
