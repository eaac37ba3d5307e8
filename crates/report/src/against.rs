//! What can be said of a measure beside its baseline, and in which unit.
//!
//! Two things are no percentage. What is left of a body when the empty one is taken off may be
//! nothing, or less than nothing where the body hides behind the harness: then only a bound can be
//! given. A fence waits for the call and the return as well as for the body, and these take place at
//! one time: a chain of 10 cycles read 1 beside an empty function of 24, one of 30 read 18. And a share of one or two cycles says more about the baseline than about the variant:
//! there the difference itself is shown, in cycles.

use std::collections::HashMap;

use record::{Context, Measure, Record, Variant, Verdict};

use crate::number::{cycles, interval, percent, share, signed_percent};
use crate::text::params_text;
use crate::unit::Unit;

/// A baseline below this many cycles (or nanoseconds) is too small to be divided by.
const SMALL: f64 = 10.0;
/// Cycles that an empty function hides at most, whatever a record claims of it.
const MOST_HIDDEN: f64 = 100.0;

/// The baselines of a record, each by its params.
pub(crate) struct Baselines<'a> {
    record: &'a Record,
    unit: Unit,
    /// How much of a body the empty function may hide where a fence separates the runs.
    hidden: f64,
    by_params: HashMap<String, &'a Variant>,
}

/// How a measure stands to its baseline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Against {
    /// It is the baseline.
    Itself,
    /// One of the two has no number, or none that can be told from nothing.
    Unknown,
    /// No difference was seen; the ratio and its interval, where there is one.
    Alike(Option<[f64; 3]>),
    /// The ratio and its interval.
    Ratio([f64; 3]),
    /// More or less than the baseline by this much, with its interval: cycles or nanoseconds.
    Difference([f64; 3]),
    /// So little that it cannot be told from nothing: at most this ratio.
    AtMost(f64),
}

impl<'a> Baselines<'a> {
    pub(crate) fn of(record: &'a Record) -> Self {
        let baseline = record.baseline();
        let by_params = record
            .variants
            .iter()
            .filter(|variant| Some(variant.name.as_str()) == baseline)
            .map(|variant| (params_text(&variant.params), variant))
            .collect();
        let unit = Unit::of(record);
        let empty = record.empty.get(&Context::Isolated);
        let empty = empty.and_then(|empty| empty.cycles.as_ref());
        let hidden = match (unit, empty) {
            (Unit::Cycles, Some(cycles)) => (cycles.estimate / 2.0).clamp(0.0, MOST_HIDDEN),
            _ => 0.0,
        };
        Self {
            record,
            unit,
            hidden,
            by_params,
        }
    }

    /// Below which number nothing can be told in a context.
    fn resolution(&self, context: Context) -> f64 {
        match context {
            Context::Chained | Context::Overlap => 0.0,
            Context::Isolated | Context::History => self.hidden,
        }
    }

    /// A measure's number: `85.4`, `<12` where it cannot be told from nothing, `?` where there is
    /// none.
    pub(crate) fn number(&self, measure: &Measure, context: Context) -> String {
        match self.unit.interval(measure) {
            None => "?".to_owned(),
            Some(found) => match bound(found, self.resolution(context)) {
                Some(bound) if bound < 99_999.5 => format!("<{bound:.0}"),
                Some(_) => "?".to_owned(),
                None => cycles(found[0]),
            },
        }
    }

    /// How `variant` stands to its baseline in `context`.
    pub(crate) fn against(&self, variant: &Variant, context: Context) -> Against {
        if self.record.baseline() == Some(&variant.name) {
            return Against::Itself;
        }
        let measure_of = |variant: &'a Variant| variant.measures.get(&context);
        let baseline = self.by_params.get(&params_text(&variant.params));
        let baseline = baseline.copied().and_then(measure_of);
        let Some(measure) = variant.measures.get(&context) else {
            return Against::Unknown;
        };
        let theirs = baseline.and_then(|baseline| self.unit.interval(baseline));
        let ours = self.unit.interval(measure);
        let verdict = measure.vs_baseline.as_ref().map(|vs| vs.verdict);
        let resolution = self.resolution(context);
        let hides = |found| bound(found, resolution).is_some();
        match (ours, theirs) {
            (Some(ours), Some(theirs)) if hides(ours) && hides(theirs) => Against::Alike(None),
            (Some(ours), Some(theirs)) if theirs[0] < SMALL.max(resolution) => {
                difference(ours, theirs, verdict)
            }
            (Some(ours), Some(theirs)) if verdict == Some(Verdict::Faster) => {
                match bound(ours, resolution).filter(|bound| *bound < theirs[1]) {
                    Some(bound) => Against::AtMost(bound / theirs[0]),
                    None => ratio(measure),
                }
            }
            _ => ratio(measure),
        }
    }

    /// Whether anything is shown as a difference, and not as a share.
    pub(crate) fn shows_differences(&self) -> bool {
        self.any(|against| matches!(against, Against::Difference(_)))
    }

    /// Whether the number of anything is only a bound.
    pub(crate) fn shows_bounds(&self) -> bool {
        let mut measures = self.record.variants.iter().flat_map(|v| &v.measures);
        measures.any(|(&context, measure)| {
            let found = self.unit.interval(measure);
            found.is_some_and(|found| bound(found, self.resolution(context)).is_some())
        })
    }

    fn any(&self, is: impl Fn(&Against) -> bool) -> bool {
        self.record.variants.iter().any(|variant| {
            let contexts = variant.measures.keys();
            contexts
                .copied()
                .any(|context| is(&self.against(variant, context)))
        })
    }
}

fn ratio(measure: &Measure) -> Against {
    match &measure.vs_baseline {
        None => Against::Unknown,
        Some(vs) => {
            let found = [vs.ratio, vs.low, vs.high];
            match vs.verdict {
                Verdict::NoDifference => Against::Alike(Some(found)),
                Verdict::Slower | Verdict::Faster => Against::Ratio(found),
            }
        }
    }
}

/// The difference of two numbers that are nearly nothing. What a ratio would have been called stands
/// where there is one.
fn difference(ours: [f64; 3], theirs: [f64; 3], verdict: Option<Verdict>) -> Against {
    let middle = ours[0] - theirs[0];
    let below = (ours[0] - ours[1]).hypot(theirs[2] - theirs[0]);
    let above = (ours[2] - ours[0]).hypot(theirs[0] - theirs[1]);
    let apart = [middle, middle - below, middle + above];
    if !apart.iter().all(|value| value.is_finite()) {
        return Against::Unknown;
    }
    let holds_nothing = apart[1] <= 0.0 && apart[2] >= 0.0;
    match verdict {
        Some(Verdict::NoDifference) => Against::Alike(None),
        _ if holds_nothing => Against::Alike(None),
        _ => Against::Difference(apart),
    }
}

/// How much a number may be at most that cannot be told from nothing: its interval reaches down to
/// nothing, or it lies below what the harness hides. One that lies below nothing altogether tells how
/// far off the harness is, whatever the samples agree on.
fn bound([_, low, high]: [f64; 3], resolution: f64) -> Option<f64> {
    (low <= 0.0 || high < resolution).then(|| high.max(-low).max(resolution).max(1.0).ceil())
}

impl Against {
    /// As a table's cell: `+37.1`, `x12.3`, `+3.2c`, `<-95.4`, `=`, `---`, `?`.
    pub(crate) fn cell(&self) -> String {
        match self {
            Self::Itself => "---".to_owned(),
            Self::Unknown => "?".to_owned(),
            Self::Alike(_) => "=".to_owned(),
            Self::Ratio([ratio, ..]) => percent(*ratio),
            Self::Difference([middle, ..]) => format!("{}c", signed(*middle)),
            Self::AtMost(ratio) => format!("<{}", percent(*ratio)),
        }
    }

    /// With its interval, for lists: `+37.1% [36.8, 37.4]`.
    pub(crate) fn in_full(&self) -> String {
        match self {
            Self::Ratio([ratio, low, high]) | Self::Alike(Some([ratio, low, high])) => {
                format!("{} {}", signed_percent(*ratio), interval(*low, *high))
            }
            Self::Difference(_) => format!("{}{}", self.brief(), self.ends()),
            _ => self.cell(),
        }
    }

    /// `+37.1%`, `+3.2 cycles`.
    pub(crate) fn brief(&self) -> String {
        match self {
            Self::Ratio([ratio, ..]) => signed_percent(*ratio),
            Self::Difference([middle, ..]) => format!("{} cycles", signed(*middle)),
            _ => self.cell(),
        }
    }

    /// `37% slower than`, `3.2 cycles slower than`; `None` where no difference is claimed, or none of
    /// a known size.
    pub(crate) fn claim(&self) -> Option<String> {
        match self {
            Self::Ratio([ratio, ..]) if !ratio.is_finite() || *ratio <= 0.0 => None,
            Self::Ratio([ratio, ..]) if *ratio >= 10.0 => {
                Some(format!("{:.0} times slower than", ratio.min(1e9)))
            }
            Self::Ratio([ratio, ..]) => {
                let word = if *ratio < 1.0 { "faster" } else { "slower" };
                Some(format!("{} {word} than", share((ratio - 1.0).abs())))
            }
            Self::Difference([middle, ..]) => {
                let word = if *middle < 0.0 { "faster" } else { "slower" };
                Some(format!("{} cycles {word} than", cycles(middle.abs())))
            }
            _ => None,
        }
    }

    /// ` [36.8, 37.4]`, or nothing.
    pub(crate) fn ends(&self) -> String {
        match self {
            Self::Ratio([_, low, high]) => format!(" {}", interval(*low, *high)),
            Self::Difference([_, low, high]) => format!(" [{}, {}]", cycles(*low), cycles(*high)),
            _ => String::new(),
        }
    }

    /// How much is claimed, for putting the largest first.
    pub(crate) fn size(&self) -> f64 {
        match self {
            Self::Ratio([ratio, ..]) => ratio.ln().abs(),
            Self::Difference([middle, ..]) => middle.abs(),
            _ => 0.0,
        }
    }

    /// Whether it costs more ([`Verdict::Slower`]), less, or neither is said.
    pub(crate) fn verdict(&self) -> Verdict {
        let more = match self {
            Self::Ratio([ratio, ..]) => ratio - 1.0,
            Self::Difference([middle, ..]) => *middle,
            Self::AtMost(_) => -1.0,
            Self::Itself | Self::Unknown | Self::Alike(_) => 0.0,
        };
        if more > 0.0 {
            Verdict::Slower
        } else if more < 0.0 {
            Verdict::Faster
        } else {
            Verdict::NoDifference
        }
    }
}

/// `+3.2`
fn signed(value: f64) -> String {
    let text = cycles(value);
    if value > 0.0 {
        format!("+{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_may_be_nothing_has_a_bound_alone() {
        assert_eq!(bound([3.0, 2.0, 4.0], 0.0), None);
        assert_eq!(bound([3.0, 2.0, 4.0], 12.0), Some(12.0));
        assert_eq!(bound([0.5, -0.3, 1.2], 0.0), Some(2.0));
        // Five cycles less than nothing: the harness is off by as much.
        assert_eq!(bound([-5.0, -5.4, -4.6], 0.0), Some(6.0));
        assert_eq!(bound([0.0, 0.0, 0.0], 0.0), Some(1.0));
    }

    #[test]
    fn small_baselines_give_differences() {
        let found = difference(
            [161.0, 160.0, 162.0],
            [1.0, 0.9, 1.1],
            Some(Verdict::Slower),
        );
        assert_eq!(found.cell(), "+160.0c");
        assert_eq!(found.claim().as_deref(), Some("160.0 cycles slower than"));
        let alike = difference([1.1, 0.9, 1.3], [1.0, 0.9, 1.1], None);
        assert_eq!(alike, Against::Alike(None));
        let less = difference([1.0, 0.9, 1.1], [6.0, 5.9, 6.1], Some(Verdict::Faster));
        assert_eq!(less.cell(), "-5.0c");
        assert_eq!(less.verdict(), Verdict::Faster);
    }

    #[test]
    fn at_most_is_never_less_than_nothing() {
        assert_eq!(Against::AtMost(3.0 / 64.0).cell(), "<-95.3");
        assert_eq!(Against::AtMost(0.0).cell(), "<-100.0");
        assert_eq!(Against::AtMost(0.05).claim(), None);
    }
}
