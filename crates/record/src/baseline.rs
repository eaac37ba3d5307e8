//! The baseline of a record, and its variants against any baseline.

use stats::{Series, compare};

use crate::measure::{Cycles, Measure, Nanoseconds, VsBaseline};
use crate::record::Record;
use crate::variant::Variant;
use crate::word::{Context, Verdict};

/// The noise floor of a record that says nothing of one: 1 %.
const CAUTIOUS_FLOOR: f64 = 0.01;

impl Record {
    /// Name of the baseline: as planned, else the first measured variant that nothing was compared
    /// with.
    #[must_use]
    pub fn baseline(&self) -> Option<&str> {
        self.plan.baseline.as_deref().or_else(|| {
            let uncompared = |variant: &&Variant| {
                !variant.measures.is_empty()
                    && variant
                        .measures
                        .values()
                        .all(|measure| measure.vs_baseline.is_none())
            };
            self.variants
                .iter()
                .find(uncompared)
                .map(|variant| variant.name.as_str())
        })
    }

    /// The context whose ratios give the verdicts: as planned, else isolated where it was measured,
    /// else the first that was.
    #[must_use]
    pub fn verdict_context(&self) -> Option<Context> {
        let measured = self.contexts();
        self.plan.verdict.or_else(|| {
            measured
                .iter()
                .copied()
                .find(|&context| context == Context::Isolated)
                .or(measured.first().copied())
        })
    }

    /// The contexts in which anything was measured, in the order in which they are shown.
    #[must_use]
    pub fn contexts(&self) -> Vec<Context> {
        Context::ALL
            .into_iter()
            .filter(|context| {
                self.empty.contains_key(context)
                    || self
                        .variants
                        .iter()
                        .any(|variant| variant.measures.contains_key(context))
            })
            .collect()
    }

    /// Relative difference below which nothing is called a difference: as planned, else the least
    /// difference that any comparison could have seen, which is never below the floor.
    #[must_use]
    pub fn noise_floor(&self) -> f64 {
        let seen = || {
            self.variants
                .iter()
                .flat_map(|variant| variant.measures.values())
                .filter_map(|measure| measure.vs_baseline.as_ref()?.smallest_seen)
                .filter(|seen| seen.is_finite() && *seen >= 0.0)
                .min_by(f64::total_cmp)
        };
        self.plan
            .noise_floor
            .or_else(seen)
            .unwrap_or(CAUTIOUS_FLOOR)
    }

    /// One variant's cycles against another's, within the rounds that both have samples of.
    ///
    /// `None` without a ruler or without common rounds.
    #[must_use]
    pub fn compare(&self, variant: &Measure, baseline: &Measure) -> Option<VsBaseline> {
        let ruler = self.rulers.imul.as_ref()?;
        let (ours, theirs) = (
            variant.samples.cycles(ruler),
            baseline.samples.cycles(ruler),
        );
        let comparison = compare(
            &series(&ours, variant),
            &series(&theirs, baseline),
            self.noise_floor(),
            self.plan.seed,
        )?;
        VsBaseline::new(&comparison)
    }

    /// The record with another baseline: every measure stands against `baseline` at the same
    /// params, from the samples. Where no variant is called that, the record stays as it is.
    #[must_use]
    pub fn against(self, baseline: &str) -> Self {
        if self.baseline() == Some(baseline)
            || !self.variants.iter().any(|variant| variant.name == baseline)
        {
            return self;
        }
        let mut ratios = Vec::new();
        for variant in &self.variants {
            let reference = self
                .variants
                .iter()
                .find(|other| other.name == baseline && other.params == variant.params)
                .filter(|_| variant.name != baseline);
            for (context, measure) in &variant.measures {
                let reference = reference.and_then(|reference| reference.measures.get(context));
                let layouts: Vec<Option<VsBaseline>> = measure
                    .layouts
                    .iter()
                    .map(|layout| {
                        let at = |measure: &Measure| Measure {
                            samples: measure.samples.at_offset(layout.offset),
                            ..Measure::default()
                        };
                        self.compare(&at(measure), &at(reference?))
                    })
                    .collect();
                let ratio = reference.and_then(|reference| self.compare(measure, reference));
                ratios.push((ratio, layouts));
            }
        }
        // The floor may be known from the old ratios alone; it belongs to the machine and stays.
        let noise_floor = Some(self.noise_floor());
        let mut record = self;
        record.plan.baseline = Some(baseline.to_owned());
        record.plan.noise_floor = noise_floor;
        let measures = record
            .variants
            .iter_mut()
            .flat_map(|variant| variant.measures.values_mut());
        for (measure, (ratio, layouts)) in measures.zip(ratios) {
            measure.vs_baseline = ratio;
            for (layout, ratio) in measure.layouts.iter_mut().zip(layouts) {
                layout.vs_baseline = ratio;
            }
        }
        record
    }
}

fn series<'a>(values: &'a [f64], measure: &'a Measure) -> Series<'a> {
    Series {
        values,
        rounds: &measure.samples.rounds,
        workers: &measure.samples.workers,
    }
}

impl From<stats::Verdict> for Verdict {
    fn from(verdict: stats::Verdict) -> Self {
        match verdict {
            stats::Verdict::Slower => Self::Slower,
            stats::Verdict::Faster => Self::Faster,
            stats::Verdict::NoDifference => Self::NoDifference,
        }
    }
}

impl From<Verdict> for stats::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Slower => Self::Slower,
            Verdict::Faster => Self::Faster,
            Verdict::NoDifference => Self::NoDifference,
        }
    }
}

impl VsBaseline {
    /// A comparison as a record holds it. `None` where a number is not finite: JSON has no word for
    /// that.
    #[must_use]
    pub fn new(comparison: &stats::Comparison) -> Option<Self> {
        let &stats::Comparison {
            ratio,
            low,
            high,
            verdict,
            smallest_seen,
        } = comparison;
        finite(&[ratio, low, high]).then(|| Self {
            ratio,
            low,
            high,
            verdict: verdict.into(),
            smallest_seen: smallest_seen.is_finite().then_some(smallest_seen),
        })
    }

    /// The comparison that it came from.
    #[must_use]
    pub fn comparison(&self) -> stats::Comparison {
        stats::Comparison {
            ratio: self.ratio,
            low: self.low,
            high: self.high,
            verdict: self.verdict.into(),
            smallest_seen: self.smallest_seen.unwrap_or(0.0),
        }
    }
}

impl Cycles {
    /// An estimate of cycles as a record holds it; `None` where a number is not finite.
    #[must_use]
    pub fn new(estimate: &stats::Estimate, minus_empty: Option<f64>) -> Option<Self> {
        let sound = finite(&[estimate.value, estimate.low, estimate.high])
            && minus_empty.is_none_or(f64::is_finite);
        sound.then(|| Self {
            estimate: estimate.value,
            low: estimate.low,
            high: estimate.high,
            method: estimate.method.to_string(),
            n: estimate.n as u64,
            minus_empty,
        })
    }
}

impl Nanoseconds {
    /// An estimate of nanoseconds as a record holds it; `None` where a number is not finite.
    #[must_use]
    pub fn new(estimate: &stats::Estimate) -> Option<Self> {
        finite(&[estimate.value, estimate.low, estimate.high]).then_some(Self {
            estimate: estimate.value,
            low: estimate.low,
            high: estimate.high,
        })
    }
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}
