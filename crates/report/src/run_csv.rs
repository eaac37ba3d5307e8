//! Records as CSV.

use record::{Context, Measure, Params, Record, Variant, printable};

use crate::heading;

/// The columns, in order.
const HEAD: [&str; 16] = [
    "machine",
    "sequence",
    "variant",
    "params",
    "between",
    "cycles",
    "low",
    "high",
    "ratio",
    "ratio_low",
    "ratio_high",
    "verdict",
    "instructions",
    "taken_branches",
    "bytes",
    "history",
];

/// Records as CSV: a head, then one row per record, variant, params and context. Numbers are not
/// rounded; what is not there is empty. A variant without any measure has one row for each planned
/// context, with its status in the place of the verdict.
#[must_use]
pub fn run_csv(records: &[&Record]) -> String {
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    for record in records {
        for variant in &record.variants {
            let contexts: Vec<Context> = if variant.measures.is_empty() {
                record.plan.between.clone()
            } else {
                variant.measures.keys().copied().collect()
            };
            if contexts.is_empty() {
                rows.push(row(record, variant, None));
            }
            for context in contexts {
                rows.push(row(record, variant, Some(context)));
            }
        }
    }
    written(&rows)
}

fn row(record: &Record, variant: &Variant, context: Option<Context>) -> Vec<String> {
    let measure = context.and_then(|context| variant.measures.get(&context));
    let cycles = measure.and_then(|measure| measure.cycles.as_ref());
    let vs = measure.and_then(|measure| measure.vs_baseline.as_ref());
    let code = variant.code.as_ref();
    vec![
        heading::machine(&record.machine),
        record.sequence.name.clone(),
        variant.name.clone(),
        params(&variant.params),
        context.map_or(String::new(), |context| context.word().to_owned()),
        number(cycles.map(|cycles| cycles.estimate)),
        number(cycles.map(|cycles| cycles.low)),
        number(cycles.map(|cycles| cycles.high)),
        number(vs.map(|vs| vs.ratio)),
        number(vs.map(|vs| vs.low)),
        number(vs.map(|vs| vs.high)),
        verdict(variant, measure),
        number(code.and_then(|code| code.instructions)),
        number(code.and_then(|code| code.taken_branches)),
        number(code.map(|code| code.size)),
        variant
            .history
            .as_ref()
            .map_or(String::new(), |history| history.word.word().to_owned()),
    ]
}

fn verdict(variant: &Variant, measure: Option<&Measure>) -> String {
    match measure {
        None => variant.status.word().to_owned(),
        Some(measure) => measure
            .vs_baseline
            .as_ref()
            .map_or(String::new(), |vs| vs.verdict.word().to_owned()),
    }
}

/// `OUTER=5 INNER=5`
pub(crate) fn params(params: &Params) -> String {
    params
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A number as it is; nothing where there is none.
pub(crate) fn number<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Rows as RFC 4180 has them, but for its line ends. CSV goes to terminals too, so cells hold
/// nothing that one would act on.
///
/// # Panics
/// Never: memory takes every byte, and all rows are of one length.
pub(crate) fn written(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(row.iter().map(|cell| inert(printable(cell))))
            .expect("memory takes every byte");
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("made of strings")
}

/// A cell that no spreadsheet takes for a formula: a name may come from anyone. Numbers stay as they are.
fn inert(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err() {
        format!("'{cell}")
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn names_are_no_formulas_and_numbers_stay() {
        for formula in ["=1+1", "+a", "-cmd", "@sum"] {
            assert_eq!(inert(formula.to_owned()), format!("'{formula}"));
        }
        for plain in ["-1.5", "-1e-3", "al-ah", ""] {
            assert_eq!(inert(plain.to_owned()), plain);
        }
    }
}
