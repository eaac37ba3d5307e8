//! What stands below a record's table: what the signs mean, counts, what is not in the table and
//! why, warnings, and the finding in words. One string is one paragraph.

use record::{Code, Context, HistoryWord, Record, Status, Variant, Verdict, VsBaseline};

use crate::heading::advised;
use crate::number::{cycles, interval, share, signed_percent};
use crate::text::full_name;

/// Rows that the finding names.
const NAMED: usize = 3;

/// Every comparison of a record with its variant and context.
fn comparisons(record: &Record) -> impl Iterator<Item = (&Variant, Context, &VsBaseline)> {
    record.variants.iter().flat_map(|variant| {
        variant
            .measures
            .iter()
            .filter_map(move |(&context, measure)| {
                Some((variant, context, measure.vs_baseline.as_ref()?))
            })
    })
}

/// What `+%` and `=` mean here, with the bound of all intervals.
pub(crate) fn signs(record: &Record) -> Option<String> {
    let (_, varying) = record.common_params();
    let half = |vs: &VsBaseline| (vs.high - vs.low) / 2.0 * 100.0;
    let mut halves: Vec<(f64, &Variant, Context)> = comparisons(record)
        .map(|(variant, context, vs)| (half(vs), variant, context))
        .filter(|(half, ..)| half.is_finite())
        .collect();
    halves.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(most, variant, context) = halves.last()?;
    let middle = halves[halves.len() / 2].0;
    // The bound of nearly all says more than that of one wide interval, which is then named.
    let second = halves.iter().rev().nth(1).map_or(most, |half| half.0);
    let bound = if most > 4.0 * middle.max(0.05) && second < most {
        format!(
            "95% intervals within +-{}, but for {} {context} +-{}",
            bound(second),
            full_name(variant, &varying),
            bound(most)
        )
    } else {
        format!("95% intervals within +-{}", bound(most))
    };
    let mut text = format!(
        "+%: against {}, {bound}",
        record.baseline().unwrap_or("the baseline")
    );
    let unseen = comparisons(record)
        .filter(|(_, _, vs)| vs.verdict == Verdict::NoDifference)
        .filter_map(|(_, _, vs)| vs.smallest_seen)
        .filter(|seen| seen.is_finite())
        .max_by(f64::total_cmp);
    if let Some(unseen) = unseen {
        text.push_str(&format!(
            "; \"=\": no difference seen, {} would have been",
            share(unseen)
        ));
    }
    text.push('.');
    Some(text)
}

/// Rounded up, so that the bound holds.
fn bound(half: f64) -> String {
    if half < 1e4 {
        format!("{:.1}", (half * 10.0).ceil() / 10.0)
    } else {
        format!("{half:.0e}")
    }
}

/// What was taken off for the empty body, context by context.
pub(crate) fn taken_off(record: &Record) -> Option<String> {
    let parts: Vec<String> = Context::ALL
        .into_iter()
        .filter_map(|context| {
            let mut minus = record
                .variants
                .iter()
                .filter_map(|variant| variant.measures.get(&context)?.cycles.as_ref()?.minus_empty)
                .filter(|minus| minus.is_finite());
            let first = minus.next()?;
            let (low, high) = minus.fold((first, first), |(low, high), minus| {
                (low.min(minus), high.max(minus))
            });
            let (low, high) = (cycles(low), cycles(high));
            Some(if low == high {
                format!("{context} {low}")
            } else {
                format!("{context} {low} to {high}")
            })
        })
        .collect();
    (!parts.is_empty()).then(|| {
        format!(
            "Taken off for the empty body, in cycles: {}.",
            parts.join(", ")
        )
    })
}

/// Exact counts: one sentence where all variants have the same, else their range.
pub(crate) fn counts(record: &Record) -> Vec<String> {
    let codes: Vec<&Code> = record
        .variants
        .iter()
        .filter(|variant| variant.status != Status::NotRun)
        .filter_map(|variant| variant.code.as_ref())
        .collect();
    let instructions = range(
        codes
            .iter()
            .map(|code| (code.instructions, code.instructions_max)),
    );
    let branches = range(
        codes
            .iter()
            .map(|code| (code.taken_branches, code.taken_branches_max)),
    );
    let mut notes = Vec::new();
    if let (Some(instructions), Some(branches)) = (instructions, branches) {
        notes.push(format!(
            "{instructions} instructions, {branches} taken branches a run."
        ));
    }
    let mut reasons: Vec<&str> = Vec::new();
    for reason in codes
        .iter()
        .filter_map(|code| code.counts_reason.as_deref())
    {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if !reasons.is_empty() {
        notes.push(format!("No exact counts for some: {}.", reasons.join("; ")));
    }
    notes
}

/// `103`, or `101 to 106` where they differ.
fn range(counts: impl Iterator<Item = (Option<u64>, Option<u64>)>) -> Option<String> {
    let (mut low, mut high) = (u64::MAX, 0);
    for (least, most) in counts {
        let Some(least) = least else { continue };
        low = low.min(least);
        high = high.max(most.unwrap_or(least));
    }
    match low.cmp(&high) {
        std::cmp::Ordering::Greater => None,
        std::cmp::Ordering::Equal => Some(low.to_string()),
        std::cmp::Ordering::Less => Some(format!("{low} to {high}")),
    }
}

/// What the history column says and does not say, and this CPU's history length.
pub(crate) fn probe(record: &Record) -> Vec<String> {
    let probed = record
        .variants
        .iter()
        .any(|variant| variant.history.is_some());
    if !probed {
        return Vec::new();
    }
    let length = record.machine.history_length.map_or_else(
        || "This CPU's history length is unknown".to_owned(),
        |length| format!("This CPU's history holds {length} taken branches"),
    );
    let mut notes = vec![
        "BHB: whether one chosen marker is still visible to one indirect jump behind the \
             sequence (kept) or not (gone): in user mode, in this process, on this CPU, now."
            .to_owned(),
        format!(
            "{length}. BHB is no vendor's criterion, and says nothing of BHI_DIS_S, other \
             privilege levels or other predictors."
        ),
    ];
    notes.extend(least_margin(record));
    notes
}

/// How many branches the shortest of the sequences that displace the history has to spare.
fn least_margin(record: &Record) -> Option<String> {
    let (_, varying) = record.common_params();
    let shortest = record
        .variants
        .iter()
        .filter_map(|variant| {
            let history = variant.history.as_ref()?;
            let displaced = history.word == HistoryWord::Displaced;
            displaced.then_some((history.taken_branches?, history.reason.as_ref()?, variant))
        })
        .min_by_key(|(branches, ..)| *branches);
    shortest.map(|(_, reason, variant)| {
        format!(
            "The shortest that is gone: {}: {reason}.",
            full_name(variant, &varying)
        )
    })
}

/// Variants that are cheaper than the baseline because they do less.
pub(crate) fn does_less(record: &Record) -> Vec<String> {
    let (_, varying) = record.common_params();
    record
        .variants
        .iter()
        .filter(|variant| record.does_less(variant))
        .map(|variant| {
            format!(
                "{}: cheaper because it does less: it keeps the branch history, which {} displaces.",
                full_name(variant, &varying),
                record.baseline().unwrap_or("the baseline")
            )
        })
        .collect()
}

/// Variants that were not run or failed, each with its reason.
pub(crate) fn left_out(record: &Record) -> Vec<String> {
    let (_, varying) = record.common_params();
    record
        .variants
        .iter()
        .filter_map(|variant| {
            let what = match variant.status {
                Status::Measured => return None,
                Status::NotRun => "not run",
                Status::Failed => "failed",
            };
            Some(format!(
                "{what}: {}: {}",
                full_name(variant, &varying),
                reason(variant)
            ))
        })
        .collect()
}

/// Why a variant has no number, or not all: `SIGSEGV: read at 0x10; mov (%rdi),%eax (x.S:17)`.
pub(crate) fn reason(variant: &Variant) -> String {
    let Some(failure) = &variant.failure else {
        return variant
            .reason
            .clone()
            .unwrap_or_else(|| "no reason is recorded".to_owned());
    };
    let mut parts = Vec::new();
    let message = if failure.message.is_empty() {
        variant.reason.clone().unwrap_or_default()
    } else {
        failure.message.clone()
    };
    match &failure.signal {
        Some(signal) if !message.contains(signal.as_str()) => {
            parts.push(
                format!("{signal}: {message}")
                    .trim_end_matches(": ")
                    .to_owned(),
            );
        }
        _ => parts.push(message),
    }
    // A message that already says it is not followed by the same again.
    let said = parts.concat();
    if let Some(instruction) = &failure.instruction
        && !said.contains(instruction.as_str())
    {
        parts.push(format!("at \"{instruction}\""));
    }
    if let Some(ip) = failure.ip
        && !said.contains(&format!("+{ip:#x}"))
    {
        parts.push(format!("offset +{ip:#x}"));
    }
    if let (Some(file), Some(line)) = (&failure.file, failure.line) {
        let place = format!("{file}:{line}");
        if !said.contains(&place) {
            parts.push(format!("({place})"));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Warnings that do not concern every number.
pub(crate) fn warnings(record: &Record) -> Vec<String> {
    record
        .warnings
        .iter()
        .filter(|warning| !warning.degrades())
        .map(|warning| format!("warning: {}.", advised(warning).trim_end_matches('.')))
        .collect()
}

/// The finding in words, by the context that gives the verdicts.
pub(crate) fn finding(record: &Record) -> Option<String> {
    let (_, varying) = record.common_params();
    let context = record.verdict_context()?;
    let baseline = record.baseline()?;
    let when = match context {
        Context::Chained => "when chained",
        Context::Overlap => "when overlapping",
        Context::Isolated => "when isolated",
        Context::History => "behind foreign branch history",
    };
    let all: Vec<(&Variant, &VsBaseline)> = comparisons(record)
        .filter(|(_, found, vs)| *found == context && vs.ratio.is_finite() && vs.ratio > 0.0)
        .map(|(variant, _, vs)| (variant, vs))
        .collect();
    if all.is_empty() {
        return None;
    }
    let mut different: Vec<(&Variant, &VsBaseline)> = all
        .iter()
        .copied()
        .filter(|(_, vs)| vs.verdict != Verdict::NoDifference)
        .collect();
    different.sort_by(|a, b| b.1.ratio.ln().abs().total_cmp(&a.1.ratio.ln().abs()));
    let alike = all.len() - different.len();
    let Some(((variant, vs), rest)) = different.split_first() else {
        let what = match all.as_slice() {
            [(only, _)] => full_name(only, &varying),
            _ => format!("any of the {} others", all.len()),
        };
        return Some(format!(
            "No difference seen between {baseline} and {what} {when}."
        ));
    };
    let mut text = format!(
        "{} is {} than {baseline} {when} {}",
        full_name(variant, &varying),
        amount(vs),
        interval(vs.low, vs.high)
    );
    for (variant, vs) in rest.iter().take(NAMED) {
        text.push_str(&format!(
            "; {} {}",
            full_name(variant, &varying),
            signed_percent(vs.ratio)
        ));
    }
    if rest.len() > NAMED {
        text.push_str(&format!("; {} more differ", rest.len() - NAMED));
    }
    if alike > 0 {
        text.push_str(&format!("; no difference seen in {alike}"));
    }
    text.push('.');
    Some(text)
}

/// `37% slower`, `12.3 times as slow`.
fn amount(vs: &VsBaseline) -> String {
    let size = (vs.ratio - 1.0).abs();
    match vs.verdict {
        _ if vs.ratio >= 10.0 => format!("{:.0} times slower", vs.ratio.min(1e9)),
        Verdict::Faster => format!("{} faster", share(size)),
        _ => format!("{} slower", share(size)),
    }
}
