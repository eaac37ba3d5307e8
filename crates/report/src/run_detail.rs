//! What `-v` adds: every interval, mode, discard, counter and count.

use record::{Code, Counter, Measure, Record, Variant, Verdict};

use crate::number::{cycles, interval, share, signed_percent};
use crate::style::{Style, Tone};
use crate::text::{clean, full_name, paragraph};
use crate::{counts, placements};

/// A paragraph for each variant that has measures or code.
pub(crate) fn details(record: &Record, style: &Style) -> String {
    let (_, varying) = record.common_params();
    let mut text = String::new();
    for variant in &record.variants {
        if variant.measures.is_empty() && variant.code.is_none() {
            continue;
        }
        text.push('\n');
        let name = clean(&full_name(variant, &varying), style);
        text.push_str(&paragraph(&name, "  ", Tone::Head, style));
        let drawn = |measure: &Measure| crate::modes::line(record, measure, style);
        for line in lines(variant, drawn) {
            let line = clean(&line, style);
            let wrapped = paragraph(&format!("  {line}"), "    ", Tone::Plain, style);
            text.push_str(&wrapped);
        }
    }
    text
}

/// The lines about one variant, with what `drawn` makes of each measure's samples.
pub(crate) fn lines(variant: &Variant, drawn: impl Fn(&Measure) -> Option<String>) -> Vec<String> {
    let mut lines = Vec::new();
    if !variant.text.is_empty() {
        lines.push(variant.text.clone());
    }
    for (context, measure) in &variant.measures {
        lines.push(format!("{context}: {}", numbers(measure)));
        lines.extend(
            [
                comparison(measure),
                modes(measure),
                drawn(measure),
                samples(measure),
                counters(measure),
            ]
            .into_iter()
            .flatten()
            .chain(placements::details(measure))
            .map(|line| format!("{context}: {line}")),
        );
    }
    lines.extend(variant.code.as_ref().map(code));
    if let Some(history) = &variant.history {
        let mut line = format!("history: {}", history.word.word());
        if let Some(score) = history.score {
            line.push_str(&format!(", score {score:.2}"));
        }
        if let (Some(low), Some(high)) = (history.low, history.high) {
            line.push_str(&format!(" [{low:.2}, {high:.2}]"));
        }
        if let Some(reason) = &history.reason {
            line.push_str(&format!(", {reason}"));
        }
        lines.push(line);
    }
    lines
}

fn numbers(measure: &Measure) -> String {
    let mut parts = Vec::new();
    if let Some(found) = &measure.cycles {
        let mut part = format!(
            "{} cycles [{}, {}], {} samples, {}",
            cycles(found.estimate),
            cycles(found.low),
            cycles(found.high),
            found.n,
            found.method
        );
        if let Some(minus) = found.minus_empty {
            part.push_str(&format!(", {} taken off for the empty body", cycles(minus)));
        }
        parts.push(part);
    } else {
        parts.push("no cycles".to_owned());
    }
    if let Some(ns) = &measure.ns {
        parts.push(format!(
            "{} ns [{}, {}]",
            cycles(ns.estimate),
            cycles(ns.low),
            cycles(ns.high)
        ));
    }
    parts.join("; ")
}

fn comparison(measure: &Measure) -> Option<String> {
    let vs = measure.vs_baseline.as_ref()?;
    let mut line = format!(
        "{} {}, {}",
        signed_percent(vs.ratio),
        interval(vs.low, vs.high),
        vs.verdict.word()
    );
    // What looks like a difference to who reads intervals.
    let excludes_none = vs.low > 1.0 || vs.high < 1.0;
    if excludes_none && vs.verdict == Verdict::NoDifference {
        line.push_str(" (a verdict needs 1.6 half intervals, and more than the noise floor)");
    }
    if let Some(seen) = vs.smallest_seen {
        line.push_str(&format!("; {} would have been seen", share(seen)));
    }
    Some(line)
}

fn modes(measure: &Measure) -> Option<String> {
    let modes: Vec<String> = measure
        .modes
        .iter()
        .map(|mode| format!("{} ({})", cycles(mode.cycles), share(mode.share)))
        .collect();
    (!modes.is_empty()).then(|| format!("modes {}", modes.join(", ")))
}

fn samples(measure: &Measure) -> Option<String> {
    let samples = &measure.samples;
    let dropped = &samples.discarded_by;
    let reasons = [
        (dropped.tick, "interrupted"),
        (dropped.migration, "migrated"),
        (dropped.switch, "switched out"),
        (dropped.ruler, "ruler hit"),
        (dropped.contended, "contended"),
    ];
    let dropped: Vec<String> = reasons
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if samples.is_empty() && dropped.is_empty() {
        return None;
    }
    let mut line = format!("{} samples of {} runs kept", samples.kept(), samples.runs);
    if samples.thinned_from.is_some() {
        line.push_str(&format!(", {} of them in the record", samples.len()));
    }
    if dropped.is_empty() {
        line.push_str("; none dropped");
    } else {
        line.push_str(&format!("; dropped: {}", dropped.join(", ")));
    }
    Some(line)
}

fn counters(measure: &Measure) -> Option<String> {
    let counters: Vec<String> = measure
        .counters
        .iter()
        .map(|(name, counter)| match counter {
            Counter::Value { per_run, low, high } => format!(
                "{name} {} [{}, {}]",
                cycles(*per_run),
                cycles(*low),
                cycles(*high)
            ),
            Counter::Error { error } => format!("{name}: {error}"),
        })
        .collect();
    (!counters.is_empty()).then(|| format!("counters {}", counters.join("; ")))
}

fn code(code: &Code) -> String {
    let mut line = format!("code: {} bytes", code.size);
    if let Some(words) = counts::of_code(code) {
        line.push_str(&format!(", {words}"));
    }
    if let Some(reason) = &code.counts_reason {
        line.push_str(&format!("; no exact counts: {reason}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use record::VsBaseline;

    use super::*;

    fn said(ratio: f64, half: f64, verdict: Verdict) -> String {
        let measure = Measure {
            vs_baseline: Some(VsBaseline {
                ratio,
                low: ratio - half,
                high: ratio + half,
                verdict,
                smallest_seen: Some(0.01),
            }),
            ..Measure::default()
        };
        comparison(&measure).expect("it was compared")
    }

    #[test]
    fn no_difference_beside_an_interval_without_0_is_explained() {
        let explained = "no-difference (a verdict needs 1.6 half intervals, and more than the \
                         noise floor); 1.0% would have been seen";
        assert_eq!(
            said(1.006, 0.004, Verdict::NoDifference),
            format!("+0.6% [0.2, 1.0], {explained}")
        );
        assert_eq!(
            said(0.994, 0.004, Verdict::NoDifference),
            format!("-0.6% [-1.0, -0.2], {explained}")
        );
        for (ratio, verdict) in [(1.003, Verdict::NoDifference), (1.05, Verdict::Slower)] {
            assert!(!said(ratio, 0.004, verdict).contains("needs"));
        }
    }
}
