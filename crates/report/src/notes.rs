//! What stands below a record's table: what the signs mean, counts, what is not in the table and
//! why, warnings, and the finding in words. One string is one paragraph.

use record::{
    Context, DiscardedBy, HistoryWord, Measure, Record, Status, Variant, Verdict, VsBaseline,
};

use crate::against::{Against, Baselines};
use crate::heading::advised;
use crate::number::{cycles, share};
use crate::placements;
use crate::text::full_name;

/// Rows that the finding names.
const NAMED: usize = 3;
/// Share of a variant's samples from which on it is told that they were left out.
const MANY_DROPPED: f64 = 0.1;

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

/// What `+%` and `=` mean here: for each context the bound of its intervals, and what would have
/// been seen where nothing was.
pub(crate) fn signs(record: &Record) -> Option<String> {
    let contexts: Vec<Context> = Context::ALL
        .into_iter()
        .filter(|context| comparisons(record).any(|(_, found, _)| found == *context))
        .collect();
    let bounds = by_context(&contexts, |context| bounds(record, context));
    if bounds.is_empty() {
        return None;
    }
    let mut text = format!(
        "+%: against {}; 95% intervals within {bounds}",
        record.baseline().unwrap_or("the baseline"),
    );
    let unseen = by_context(&contexts, |context| {
        would_have_seen(record, context).map(share)
    });
    if !unseen.is_empty() {
        text.push_str(&format!(
            "; \"=\": no difference seen, {unseen} would have been"
        ));
    }
    text.push('.');
    Some(text)
}

/// `0.4% chained, 1.2% isolated`, or `0.4%` where all contexts say the same.
fn by_context(contexts: &[Context], of: impl Fn(Context) -> Option<String>) -> String {
    let said: Vec<(Context, String)> = contexts
        .iter()
        .filter_map(|&context| Some((context, of(context)?)))
        .collect();
    let same = said.windows(2).all(|pair| pair[0].1 == pair[1].1);
    match said.as_slice() {
        [] => String::new(),
        [(_, only), ..] if same => only.clone(),
        _ => {
            let words = said
                .iter()
                .map(|(context, text)| format!("{text} {context}"));
            words.collect::<Vec<_>>().join(", ")
        }
    }
}

/// `+-0.4`, or `+-0.4 (al-ax100 +-5.3)` where one interval is far wider than the others: the bound of
/// nearly all says more than that of one.
fn bounds(record: &Record, context: Context) -> Option<String> {
    let (_, varying) = record.common_params();
    // Of what is many times as much, an interval is told beside its ratio.
    let half = |vs: &VsBaseline| (vs.high - vs.low) / 2.0 / vs.ratio.max(1.0) * 100.0;
    let mut halves: Vec<(f64, &Variant)> = comparisons(record)
        .filter(|(_, found, _)| *found == context)
        .map(|(variant, _, vs)| (half(vs), variant))
        .filter(|(half, _)| half.is_finite())
        .collect();
    halves.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(most, variant) = halves.last()?;
    let middle = halves[halves.len() / 2].0;
    let second = halves.iter().rev().nth(1).map_or(most, |half| half.0);
    Some(if most > 4.0 * middle.max(0.05) && second < most {
        format!(
            "+-{} ({} +-{})",
            bound(second),
            full_name(variant, &varying),
            bound(most)
        )
    } else {
        format!("+-{}", bound(most))
    })
}

/// The least that would have been seen of every comparison of a context that saw no difference.
fn would_have_seen(record: &Record, context: Context) -> Option<f64> {
    comparisons(record)
        .filter(|(_, found, vs)| *found == context && vs.verdict == Verdict::NoDifference)
        .filter_map(|(_, _, vs)| vs.smallest_seen)
        .filter(|seen| seen.is_finite())
        .max_by(f64::total_cmp)
}

/// What numbers other than cycles and percentages mean, where there are any.
pub(crate) fn units(record: &Record) -> Vec<String> {
    let baselines = Baselines::of(record);
    let mut notes = Vec::new();
    if baselines.shows_differences() {
        notes.push(
            "c: cycles more or less than a baseline that takes too few to be a measure.".to_owned(),
        );
    }
    if baselines.shows_bounds() {
        notes.push(
            "<: below resolution: what is left without the empty body, which hides some cycles of \
             others, cannot be told from nothing."
                .to_owned(),
        );
    }
    notes
}

/// A word for a reason, and how many samples it left out.
type Dropped = (&'static str, fn(&DiscardedBy) -> u64);

/// Samples that were left out, by reason, where a tenth and more of a variant's were.
pub(crate) fn dropped(record: &Record) -> Vec<String> {
    let reasons: [Dropped; 5] = [
        ("interrupted", |by| by.tick),
        ("migrated", |by| by.migration),
        ("switched out", |by| by.switch),
        ("ruler hit", |by| by.ruler),
        ("contended", |by| by.contended),
    ];
    let (_, varying) = record.common_params();
    let parts: Vec<String> = reasons
        .iter()
        .filter_map(|(word, of)| {
            let mut shares: Vec<(f64, &Variant, Context)> = record
                .variants
                .iter()
                .flat_map(|variant| {
                    let of_measure = |(&context, measure): (&Context, &Measure)| {
                        let share = dropped_share(measure, of)?;
                        (share > MANY_DROPPED).then_some((share, variant, context))
                    };
                    variant
                        .measures
                        .iter()
                        .filter_map(of_measure)
                        .collect::<Vec<_>>()
                })
                .collect();
            shares.sort_by(|a, b| b.0.total_cmp(&a.0));
            let &(most, variant, context) = shares.first()?;
            Some(format!(
                "{word} up to {} ({} {context}{})",
                share(most),
                full_name(variant, &varying),
                match shares.len() {
                    1 => String::new(),
                    many => format!(" and {} more", many - 1),
                }
            ))
        })
        .collect();
    if parts.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "More than 10% of samples left out: {}.",
        parts.join("; ")
    )]
}

/// The share of a measure's samples that was left out for one reason.
fn dropped_share(measure: &Measure, of: &fn(&DiscardedBy) -> u64) -> Option<f64> {
    let by = &measure.samples.discarded_by;
    let dropped = by.tick + by.migration + by.switch + by.ruler + by.contended;
    let all = dropped + measure.samples.kept();
    (all > 0).then(|| of(by) as f64 / all as f64)
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
        "BHB (branch history buffer): whether one chosen marker is still visible to one indirect jump behind the \
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

/// Why there is nothing to compare with, and what to do about it.
pub(crate) fn no_baseline(record: &Record) -> Option<String> {
    let baseline = record.baseline()?;
    let mut others = false;
    let mut all_out = true;
    for variant in &record.variants {
        let is_measured = variant.status == Status::Measured;
        if variant.name == baseline {
            all_out &= !is_measured;
        } else {
            others |= is_measured;
        }
    }
    (all_out && others).then(|| {
        format!(
            "Nothing is compared, for the baseline {baseline} has no numbers: name another with \
             --baseline."
        )
    })
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
    let baselines = Baselines::of(record);
    let all: Vec<(&Variant, Against)> = record
        .variants
        .iter()
        .map(|variant| (variant, baselines.against(variant, context)))
        .filter(|(_, against)| against.claim().is_some() || matches!(against, Against::Alike(_)))
        .collect();
    if all.is_empty() {
        return None;
    }
    let mut different: Vec<(&Variant, &Against)> = all
        .iter()
        .filter(|(_, against)| !matches!(against, Against::Alike(_)))
        .map(|(variant, against)| (*variant, against))
        .collect();
    different.sort_by(|a, b| b.1.size().total_cmp(&a.1.size()));
    let alike = all.len() - different.len();
    // A difference that placements hide is no absence of one.
    let hidden: String = all
        .iter()
        .filter(|(_, against)| matches!(against, Against::Alike(_)))
        .filter_map(|(variant, _)| {
            let name = full_name(variant, &varying);
            placements::hidden(&name, variant.measures.get(&context))
        })
        .map(|text| format!("; but {text}"))
        .collect();
    let Some(((variant, against), rest)) = different.split_first() else {
        let what = match all.as_slice() {
            [(only, _)] => full_name(only, &varying),
            _ => format!("any of the {} others", all.len()),
        };
        let mut text = format!("No difference seen between {baseline} and {what} {when}");
        text.push_str(&hidden);
        text.push('.');
        return Some(text);
    };
    let mut text = format!(
        "{} is {} {baseline} {when}{}{}",
        full_name(variant, &varying),
        against.claim().unwrap_or_default(),
        against.ends(),
        placements::of_finding(variant.measures.get(&context))
    );
    for (variant, against) in rest.iter().take(NAMED) {
        text.push_str(&format!(
            "; {} {}",
            full_name(variant, &varying),
            against.brief()
        ));
    }
    if rest.len() > NAMED {
        text.push_str(&format!("; {} more differ", rest.len() - NAMED));
    }
    if alike > 0 {
        text.push_str(&format!("; no difference seen in {alike}"));
    }
    text.push_str(&hidden);
    text.push('.');
    Some(text)
}
