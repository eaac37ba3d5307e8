//! Steady states of a measure: named with their shares, and drawn in one line.

use record::{Context, Measure, Mode, Record, Variant};

use crate::number::{cycles, share};
use crate::style::{Style, Tone};
use crate::text::{clean, full_name};

/// A second state counts with this share of the samples,
const LEAST_SHARE: f64 = 0.1;
/// and this far from the first, as a share of it.
const LEAST_DISTANCE: f64 = 0.01;
/// Measures that are named and drawn before the others are only counted.
const NAMED: usize = 3;
/// Widest drawing, cells.
const CELLS: usize = 32;
/// Widest name beside it.
const NAME: usize = 26;
/// Samples beyond these shares from either end are not drawn: one outlier would squeeze the rest.
const ENDS: f64 = 0.01;

/// Levels of a cell, from nothing up.
const BLOCKS: [char; 9] = [
    ' ', '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}',
    '\u{2588}',
];
const SIGNS: [char; 9] = [' ', '.', ':', '-', '=', '+', '*', '#', '@'];

/// A measure with more than one state.
struct Found<'a> {
    variant: &'a Variant,
    context: Context,
    measure: &'a Measure,
    /// How much of the cost they are about: share of the second state times its distance.
    weight: f64,
}

/// Measures with more than one state that matters, the most weighty first.
fn found(record: &Record) -> Vec<Found<'_>> {
    if record.rulers.imul.is_none() {
        // States are in cycles, and here nothing is.
        return Vec::new();
    }
    let mut found: Vec<Found<'_>> = record
        .variants
        .iter()
        .flat_map(|variant| {
            variant
                .measures
                .iter()
                .filter_map(move |(&context, measure)| {
                    Some(Found {
                        variant,
                        context,
                        measure,
                        weight: weight(measure)?,
                    })
                })
        })
        .collect();
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found
}

/// States, the most frequent first.
fn by_share(measure: &Measure) -> Vec<&Mode> {
    let mut modes: Vec<&Mode> = measure.modes.iter().collect();
    modes.sort_by(|a, b| b.share.total_cmp(&a.share));
    modes
}

/// `None` where there is one state, or the others are rare or near.
fn weight(measure: &Measure) -> Option<f64> {
    let modes = by_share(measure);
    let first = modes.first()?;
    modes
        .iter()
        .skip(1)
        .map(|mode| {
            (
                mode.share,
                ((mode.cycles - first.cycles) / first.cycles).abs(),
            )
        })
        .filter(|(share, distance)| *share >= LEAST_SHARE && *distance >= LEAST_DISTANCE)
        .map(|(share, distance)| share * distance)
        .filter(|weight| weight.is_finite())
        .max_by(f64::total_cmp)
}

/// The note below a table.
pub(crate) fn note(record: &Record) -> Option<String> {
    let (_, varying) = record.common_params();
    let found = found(record);
    if found.is_empty() {
        return None;
    }
    let mut parts: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|found| {
            format!(
                "{} {} {}",
                full_name(found.variant, &varying),
                found.context,
                states(found.measure)
            )
        })
        .collect();
    if found.len() > NAMED {
        parts.push(format!("{} more, see -v", found.len() - NAMED));
    }
    Some(format!("Several steady states: {}.", parts.join("; ")))
}

/// `90.4 (62%), 91.4 (30%)`, rare ones left out.
fn states(measure: &Measure) -> String {
    let states: Vec<String> = by_share(measure)
        .into_iter()
        .filter(|mode| mode.share >= LEAST_SHARE)
        .map(|mode| format!("{} ({})", cycles(mode.cycles), share(mode.share)))
        .collect();
    states.join(", ")
}

/// The measures of the note, each drawn in a line of its own.
pub(crate) fn drawn(record: &Record, style: &Style) -> String {
    let (_, varying) = record.common_params();
    let lines: Vec<(String, String)> = found(record)
        .iter()
        .take(NAMED)
        .filter_map(|found| {
            let name = full_name(found.variant, &varying);
            let name = clean(&format!("{name} {}", found.context), style);
            let name: String = name.chars().take(NAME).collect();
            Some((name, line(record, found.measure, style)?))
        })
        .collect();
    let widest = lines.iter().map(|(name, _)| name.chars().count()).max();
    let widest = widest.unwrap_or(0);
    lines
        .iter()
        .map(|(name, line)| {
            let line = format!("{name:<widest$} {line}");
            format!("{}\n", Tone::Plain.paint(&line, style))
        })
        .collect()
}

/// One measure's samples in a line: ` 88.1 |.:#@=.  .:.| 118.9`, in cycles.
pub(crate) fn line(record: &Record, measure: &Measure, style: &Style) -> Option<String> {
    let ruler = record.rulers.imul.as_ref()?;
    let (low, high, bars) = bars(&measure.samples.cycles(ruler), style.ascii)?;
    let (low, high) = (cycles(low), cycles(high));
    Some(format!("{low:>6} |{bars}| {high}"))
}

/// The ends of what is drawn, and the drawing; `None` for too few samples, or where all are alike.
fn bars(values: &[f64], ascii: bool) -> Option<(f64, f64, String)> {
    let mut values: Vec<f64> = values
        .iter()
        .copied()
        .filter(|value| value.is_finite())
        .collect();
    values.sort_unstable_by(f64::total_cmp);
    if values.len() < CELLS / 2 {
        return None;
    }
    let cut = (values.len() as f64 * ENDS) as usize;
    let shown = &values[cut..values.len() - cut];
    let (low, high) = (*shown.first()?, *shown.last()?);
    let width = (high - low) / CELLS as f64;
    if width.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) || !width.is_finite() {
        return None;
    }
    let mut counts = [0_usize; CELLS];
    for value in shown {
        let cell = (((value - low) / width) as usize).min(CELLS - 1);
        counts[cell] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let levels = if ascii { SIGNS } else { BLOCKS };
    let top = levels.len() - 1;
    // A cell with anything in it is not empty.
    let level = |count: usize| (count * top).div_ceil(most);
    let bars = counts.iter().map(|&count| levels[level(count)]).collect();
    Some((low, high, bars))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(modes: &[(f64, f64)]) -> Measure {
        Measure {
            modes: modes
                .iter()
                .map(|&(cycles, share)| Mode { cycles, share })
                .collect(),
            ..Measure::default()
        }
    }

    #[test]
    fn only_states_that_matter_are_several() {
        assert!(weight(&measure(&[(90.0, 1.0)])).is_none());
        assert!(weight(&measure(&[(90.0, 0.95), (118.0, 0.05)])).is_none());
        assert!(weight(&measure(&[(90.0, 0.6), (90.4, 0.4)])).is_none());
        let both = measure(&[(90.0, 0.7), (118.0, 0.25), (300.0, 0.05)]);
        assert!(weight(&both).is_some());
        assert_eq!(states(&both), "90.0 (70%), 118.0 (25%)");
        assert!(weight(&measure(&[])).is_none());
    }

    #[test]
    fn two_heaps_are_drawn_as_two() {
        let mut values = vec![90.0; 300];
        values.extend(vec![118.0; 100]);
        values.push(1e6);
        let (low, high, drawing) = bars(&values, true).expect("enough");
        assert_eq!((low, high), (90.0, 118.0));
        assert_eq!(drawing.chars().count(), CELLS);
        assert!(
            drawing.starts_with('@') && drawing.ends_with('-'),
            "{drawing}"
        );
        assert_eq!(drawing.trim_matches(['@', '-']).trim(), "");
        let (.., blocks) = bars(&values, false).expect("enough");
        assert!(blocks.starts_with('\u{2588}'), "{blocks}");
    }

    #[test]
    fn a_rare_value_leaves_a_trace() {
        let mut values: Vec<f64> = (0..1000).map(|i| 90.0 + f64::from(i % 10) * 0.01).collect();
        values.extend([100.0; 15]);
        let (.., drawing) = bars(&values, true).expect("enough");
        assert!(drawing.ends_with('.'), "{drawing}");
    }

    #[test]
    fn too_little_and_too_much_alike_is_not_drawn() {
        assert!(bars(&[1.0, 2.0], true).is_none());
        assert!(bars(&[1.0; 100], true).is_none());
        assert!(bars(&[f64::NAN; 100], true).is_none());
    }
}
