//! Layout sweeps in words: at how many placements a difference holds.

use record::{Context, Holds, Measure, Record, Survival, Variant, Verdict};

use crate::number::{cycles, signed_percent, verdict};
use crate::text::full_name;

/// Comparisons that are named before the others are only counted.
const NAMED: usize = 4;

/// What a table's cell shows behind a comparison that does not hold at all placements.
pub(crate) fn mark(measure: &Measure) -> &'static str {
    match measure.survival().and_then(|survival| survival.word()) {
        Some(Holds::Most) => "~",
        Some(Holds::Some) => "!",
        Some(Holds::All) | None => "",
    }
}

/// The note below a table; `None` where layouts were not swept.
pub(crate) fn note(record: &Record) -> Option<String> {
    let (_, varying) = record.common_params();
    let found: Vec<(&Variant, Context, &Measure, Survival)> = record
        .variants
        .iter()
        .flat_map(|variant| {
            variant
                .measures
                .iter()
                .filter_map(move |(&context, measure)| {
                    Some((variant, context, measure, measure.survival()?))
                })
        })
        .collect();
    let offsets: Vec<u32> = record
        .variants
        .iter()
        .flat_map(|variant| variant.measures.values())
        .map(|measure| &measure.layouts)
        .find(|layouts| layouts.len() > 1)?
        .iter()
        .map(|layout| layout.offset)
        .collect();
    let mut text = format!(
        "Everything was placed at {} offsets in a line, {} to {}",
        offsets.len(),
        offsets.first()?,
        offsets.last()?
    );
    let mut fragile: Vec<String> = found
        .iter()
        .filter(|(.., survival)| survival.fails > 0)
        .map(|(variant, context, measure, survival)| {
            format!(
                "{} {context} {}",
                full_name(variant, &varying),
                fragility(measure, survival)
            )
        })
        .collect();
    let untold = found
        .iter()
        .filter(|(.., survival)| survival.word().is_none())
        .count();
    let rest = fragile.len().saturating_sub(NAMED);
    let robust = found.len() - fragile.len() - untold;
    fragile.truncate(NAMED);
    if fragile.is_empty() {
        text.push_str(match robust {
            0 => "",
            1 => "; the comparison holds at all of them",
            _ => "; all comparisons hold at all of them",
        });
    } else {
        text.push_str(&format!(
            "; \"~\" holds at most of them, \"!\" at some only: {}",
            fragile.join("; ")
        ));
        if rest > 0 {
            text.push_str(&format!("; {rest} more"));
        }
        if robust > 0 {
            text.push_str(&format!("; {robust} hold at all"));
        }
    }
    if untold > 0 {
        text.push_str(&format!(
            "; {untold} are too noisy to tell: give it more --time"
        ));
    }
    text.push('.');
    Some(text)
}

/// `+9.1% at 6 of 8, 1 untold`, or `= at 6 of 8, +12.0% at 16, +30.1% at 48`.
fn fragility(measure: &Measure, survival: &Survival) -> String {
    let Some(all) = &measure.vs_baseline else {
        return String::new();
    };
    let word = if all.verdict == Verdict::NoDifference {
        "\"=\"".to_owned()
    } else {
        signed_percent(all.ratio)
    };
    let mut text = format!("{word} at {} of {}", survival.holds, survival.of());
    if survival.untold > 0 {
        text.push_str(&format!(" ({} too noisy to tell)", survival.untold));
    }
    if let Some((offset, ratio)) = measure.odd_placement() {
        text.push_str(&format!(", {} at {offset}", signed_percent(ratio)));
    }
    text
}

/// What the finding adds for a variant that differs nowhere but at some placements:
/// `across differs at some placements: +38.7% at offset 0`.
pub(crate) fn hidden(name: &str, measure: Option<&Measure>) -> Option<String> {
    let measure = measure?;
    let survival = measure.survival()?;
    if survival.holds == survival.of() {
        return None;
    }
    let (offset, ratio) = measure.odd_placement()?;
    Some(format!(
        "{name} differs at some placements: {} at offset {offset}",
        signed_percent(ratio)
    ))
}

/// Where the finding's difference holds: `, at all 8 placements`.
pub(crate) fn of_finding(measure: Option<&Measure>) -> String {
    match measure.and_then(Measure::survival) {
        Some(survival) if survival.word().is_some() => {
            let (holds, of) = (survival.holds, survival.of());
            if holds == of {
                format!(", at all {of} placements")
            } else {
                format!(", at {holds} of {of} placements")
            }
        }
        _ => String::new(),
    }
}

/// Offsets on one line of `-v`.
const OFFSETS_A_LINE: usize = 16;

/// Every offset of one measure, for `-v`.
pub(crate) fn details(measure: &Measure) -> Vec<String> {
    if measure.layouts.len() < 2 {
        return Vec::new();
    }
    let parts: Vec<String> = measure
        .layouts
        .iter()
        .map(|layout| {
            let value = layout
                .cycles
                .as_ref()
                .map_or("?".to_owned(), |found| cycles(found.estimate));
            match &layout.vs_baseline {
                Some(vs) => format!("{} {value} ({})", layout.offset, verdict(vs)),
                None => format!("{} {value}", layout.offset),
            }
        })
        .collect();
    parts
        .chunks(OFFSETS_A_LINE)
        .map(|chunk| format!("by offset: {}", chunk.join(", ")))
        .collect()
}
