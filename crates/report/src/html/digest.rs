//! A record without its samples.
//!
//! A thousand records with all their samples are some two gigabytes; a page needs of a measure's
//! samples only how they are distributed. So each record is digested as it is added.

use std::collections::BTreeMap;

use record::{Context, Measure, Record, Samples, Variant};

use super::histogram::Histogram;
use super::sweep::{Placed, sweep};

/// What is left of one record.
pub(super) struct Digest {
    /// The file that it was read from, or another word for it.
    pub(super) file: String,
    /// The record; its measures have no samples, and stand against the page's baseline.
    pub(super) record: Record,
    /// For each of its variants, in their order: what its samples were.
    pub(super) shapes: Vec<BTreeMap<Context, Shape>>,
}

/// How the samples of one measure were distributed.
pub(super) struct Shape {
    /// In cycles, or in nanoseconds where the record has no ruler. `None` without samples.
    pub(super) histogram: Option<Histogram>,
    /// Whether that is in cycles.
    pub(super) in_cycles: bool,
    /// Samples that the record holds.
    pub(super) held: usize,
    /// The layout sweep; empty where there is none.
    pub(super) sweep: Vec<Placed>,
}

impl Digest {
    /// Digests a record. `baseline` is the page's, where that may be another than the record's;
    /// a layout sweep is held against it in the context `compare_sweep`, which takes a while.
    pub(super) fn of(
        file: String,
        record: &Record,
        baseline: Option<&str>,
        compare_sweep: Option<Context>,
    ) -> Self {
        let own = record.baseline();
        let baseline = baseline.or(own);
        let mut shapes = Vec::with_capacity(record.variants.len());
        let mut variants = Vec::with_capacity(record.variants.len());
        for variant in &record.variants {
            let reference = baseline
                .filter(|&baseline| baseline != variant.name)
                .and_then(|baseline| find(record, baseline, variant));
            let mut of_variant = BTreeMap::new();
            let mut measures = BTreeMap::new();
            for (&context, measure) in &variant.measures {
                let reference = reference.and_then(|variant| variant.measures.get(&context));
                let in_sweep = reference.filter(|_| compare_sweep == Some(context));
                of_variant.insert(context, shape(record, measure, in_sweep));
                let mut slim = without_samples(measure);
                if baseline != own {
                    // What is recorded of the placements stands against the other one.
                    for layout in &mut slim.layouts {
                        layout.vs_baseline = None;
                    }
                    slim.vs_baseline =
                        reference.and_then(|reference| record.compare(measure, reference));
                }
                measures.insert(context, slim);
            }
            shapes.push(of_variant);
            variants.push(Variant {
                name: variant.name.clone(),
                text: variant.text.clone(),
                params: variant.params.clone(),
                status: variant.status,
                reason: variant.reason.clone(),
                failure: variant.failure.clone(),
                code: variant.code.clone(),
                history: variant.history.clone(),
                measures,
            });
        }
        let mut plan = record.plan.clone();
        plan.baseline = baseline.map(str::to_owned);
        // The floor may rest on samples' comparisons, which are made over where the baseline is
        // another one; it belongs to the machine and stays.
        plan.noise_floor = Some(record.noise_floor());
        Self {
            file,
            record: Record {
                schema: record.schema,
                complete: record.complete,
                tool: record.tool.clone(),
                time: record.time.clone(),
                warnings: record.warnings.clone(),
                machine: record.machine.clone(),
                plan,
                sequence: record.sequence.clone(),
                rulers: record.rulers.clone(),
                sentinel: record.sentinel.clone(),
                variants,
                empty: record.empty.clone(),
            },
            shapes,
        }
    }
}

/// The baseline at a variant's params.
fn find<'a>(record: &'a Record, baseline: &str, variant: &Variant) -> Option<&'a Variant> {
    record
        .variants
        .iter()
        .find(|other| other.name == baseline && other.params == variant.params)
}

fn shape(record: &Record, measure: &Measure, baseline: Option<&Measure>) -> Shape {
    let values = match &record.rulers.imul {
        Some(ruler) => measure.samples.cycles(ruler),
        None => measure.samples.nanoseconds(record.machine.tsc_hz),
    };
    Shape {
        histogram: Histogram::of(&values),
        in_cycles: record.rulers.imul.is_some(),
        held: measure.samples.len(),
        sweep: sweep(record, measure, baseline),
    }
}

fn without_samples(measure: &Measure) -> Measure {
    Measure {
        cycles: measure.cycles.clone(),
        ns: measure.ns.clone(),
        modes: measure.modes.clone(),
        vs_baseline: measure.vs_baseline.clone(),
        layouts: measure.layouts.clone(),
        counters: measure.counters.clone(),
        samples: Samples {
            runs: measure.samples.runs,
            discarded_by: measure.samples.discarded_by,
            thinned_from: Some(measure.samples.kept()),
            ..Samples::default()
        },
    }
}
