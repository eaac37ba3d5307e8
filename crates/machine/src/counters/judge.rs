//! From readings to values per run, or to the reason why there is none.
//!
//! A counter lies easily: it was multiplexed, a hypervisor emulates it and always says zero, it
//! counts something else than it says. Whatever can be checked is checked, and a value that fails
//! is an error in the record, never a number.

use super::event::{Event, Kind};
use super::group::Reading;
use crate::api::{CounterValue, Span};

/// What was counted in the two passes of one sample, each a difference of two readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Runs by which the passes differ.
    pub(crate) runs: u32,
    /// Counted in the short pass.
    pub(crate) short: Reading,
    /// Counted in the long pass.
    pub(crate) long: Reading,
}

/// What is known of a run without counters: of the body, of the blocks round it, and of the
/// harness, which counters see too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    /// Instructions that are executed at least.
    pub(crate) instructions: u64,
    /// Instructions that are executed at most; `None` where the harness's own are not known.
    pub(crate) most_instructions: Option<u64>,
    /// Taken branches, the harness's left out.
    pub(crate) taken_branches: Span,
}

/// Share by which counted and exact numbers may differ: interrupts add a little to each pass.
const TOLERANCE: f64 = 0.02;

/// Most instructions and branches that a core retires in a cycle, with room to spare: none is known
/// to retire more than twelve.
const WIDEST: f64 = 16.0;

/// Values per run of each counter, in the order of `events`: the median over the batches and the
/// interval that holds it with 95 %.
pub(crate) fn judge(
    events: &[Event],
    batches: &[Batch],
    expected: Option<&Expected>,
) -> Vec<(String, CounterValue)> {
    let values: Vec<Result<Summary, String>> = events
        .iter()
        .enumerate()
        .map(|(index, event)| summary(event, index, batches))
        .collect();
    let median = |kind: Kind| {
        let index = events.iter().position(|event| event.kind == kind)?;
        Some(values[index].as_ref().ok()?.median)
    };
    let others = Others {
        cycles: median(Kind::Cycles),
        branches: median(Kind::Branches),
    };
    events
        .iter()
        .zip(&values)
        .map(|(event, value)| {
            let value =
                value.as_ref().map_err(Clone::clone).and_then(|summary| {
                    match disagreement(event, summary, expected, others) {
                        Some(error) => Err(error),
                        None => Ok(*summary),
                    }
                });
            let value = match value {
                Ok(summary) => CounterValue::PerRun {
                    per_run: summary.median,
                    low: summary.low,
                    high: summary.high,
                },
                Err(error) => CounterValue::Error(error),
            };
            (event.name.clone(), value)
        })
        .collect()
}

/// What other counters say.
#[derive(Clone, Copy, Debug)]
struct Others {
    cycles: Option<f64>,
    branches: Option<f64>,
}

/// Median and interval of one counter, events per run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Summary {
    median: f64,
    low: f64,
    high: f64,
}

/// Events that no code can do without: zero is the sign of a counter that does not count.
fn never_zero(kind: Kind) -> bool {
    matches!(kind, Kind::Cycles | Kind::Instructions | Kind::Branches)
}

fn summary(event: &Event, index: usize, batches: &[Batch]) -> Result<Summary, String> {
    let name = &event.name;
    if batches.is_empty() {
        return Err("nothing was counted".to_owned());
    }
    let passes = || batches.iter().flat_map(|batch| [&batch.short, &batch.long]);
    let enabled: u64 = passes().map(|pass| pass.enabled_ns).sum();
    let running: u64 = passes().map(|pass| pass.running_ns).sum();
    if running == 0 {
        return Err("the counter never got a place in the PMU: ask for fewer events".to_owned());
    }
    if running < enabled {
        return Err(format!(
            "multiplexed: counted in {}% of the time only; ask for fewer events, or free a counter \
             (as root: sysctl kernel.nmi_watchdog=0)",
            // Rounded down, so that 99.9 does not read as all of the time.
            u128::from(running) * 100 / u128::from(enabled)
        ));
    }
    if never_zero(event.kind) && passes().any(|pass| pass.values[index] == 0) {
        return Err(format!(
            "reads zero, which no code can do in {name}: the PMU, or a hypervisor's imitation of \
             it, does not count"
        ));
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "events of a pass are far below 2^53"
    )]
    let mut per_run: Vec<f64> = batches
        .iter()
        .filter(|batch| batch.runs != 0)
        .map(|batch| {
            (batch.long.values[index] as f64 - batch.short.values[index] as f64)
                / f64::from(batch.runs)
        })
        .collect();
    if per_run.is_empty() {
        return Err("no pass had a run in it".to_owned());
    }
    per_run.sort_by(f64::total_cmp);
    let (low, high) = median_ranks(per_run.len());
    let middle = per_run.len() / 2;
    let median = if per_run.len() % 2 == 1 {
        per_run[middle]
    } else {
        f64::midpoint(per_run[middle - 1], per_run[middle])
    };
    Ok(Summary {
        median,
        low: per_run[low],
        high: per_run[high],
    })
}

/// Ranks (from 0) between which the median lies with 95 %, by the normal approximation of the
/// binomial; all of few values.
fn median_ranks(count: usize) -> (usize, usize) {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of batches, and a number from 0 to it"
    )]
    let low = {
        let n = count as f64;
        (n / 2.0 - 0.98 * n.sqrt()).floor().max(0.0) as usize
    };
    (low, count - 1 - low)
}

/// What contradicts the value: exact counts, another counter, or sense.
fn disagreement(
    event: &Event,
    summary: &Summary,
    expected: Option<&Expected>,
    others: Others,
) -> Option<String> {
    let (median, name) = (summary.median, &event.name);
    if never_zero(event.kind) && median <= 0.0 {
        return Some(format!(
            "counts {median:.1} a run: the longer pass has no more {name} than the shorter one"
        ));
    }
    // Rare events may be fewer in the longer pass by chance, but not by one in each run.
    if median < -1.0 {
        return Some(format!(
            "counts {median:.1} a run: no number of events is negative"
        ));
    }
    if matches!(event.kind, Kind::Instructions | Kind::Branches)
        && let Some(cycles) = others.cycles
        && median > WIDEST * cycles.max(1.0)
    {
        return Some(format!(
            "counts {median:.1} {name} in {cycles:.1} cycles, more than any core retires"
        ));
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "instructions of one run are far below 2^53"
    )]
    match (event.kind, expected) {
        (Kind::Instructions, Some(expected)) => {
            let least = expected.instructions as f64;
            let most = expected.most_instructions.map(|most| most as f64);
            let slack = |count: f64| (count * TOLERANCE).max(0.5);
            let too_many = most.is_some_and(|most| median > most + slack(most));
            if median < least - slack(least) || too_many {
                let range = match most {
                    None => format!("at least {least}"),
                    Some(most) if least.total_cmp(&most).is_eq() => format!("{least}"),
                    Some(most) => format!("{least} to {most}"),
                };
                return Some(format!(
                    "counts {median:.1} instructions a run, but single-stepping counted {range}"
                ));
            }
        }
        (Kind::Branches, Some(expected)) => {
            let taken = expected.taken_branches.least as f64;
            if median < taken - (taken * TOLERANCE).max(0.5) {
                return Some(format!(
                    "counts {median:.1} branches a run, but {taken} are taken in each"
                ));
            }
        }
        (Kind::BranchMisses, _) => {
            if let Some(branches) = others.branches
                && median > branches * (1.0 + TOLERANCE) + 0.5
            {
                return Some(format!(
                    "counts {median:.1} mispredictions in {branches:.1} branches"
                ));
            }
        }
        _ => {}
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::event::Attributes;
    use super::*;

    const NAMES: [&str; 4] = ["cycles", "instructions", "branches", "branch-misses"];

    /// A pass that had the PMU all the time.
    fn pass(values: [u64; 4]) -> Reading {
        Reading {
            values: values.to_vec(),
            enabled_ns: 1000,
            running_ns: 1000,
        }
    }

    /// Ten runs of 103 instructions each, called, in 90 cycles each; the short pass is one turn.
    fn good() -> Batch {
        Batch {
            runs: 10,
            short: pass([1000, 1100, 660, 3]),
            long: pass([1900, 2140, 1280, 3]),
        }
    }

    /// 103 instructions and the harness's call.
    fn expected() -> Expected {
        Expected {
            instructions: 104,
            most_instructions: Some(104),
            taken_branches: Span::always(62),
        }
    }

    fn events() -> Vec<Event> {
        let event = |name: &str| Event {
            name: name.to_owned(),
            kind: Kind::of(name),
            attributes: Attributes::default(),
        };
        NAMES.map(event).to_vec()
    }

    fn value(batches: &[Batch], name: &str) -> CounterValue {
        judge(&events(), batches, Some(&expected()))
            .into_iter()
            .find(|(found, _)| found == name)
            .expect("a known name")
            .1
    }

    fn refused(batches: &[Batch], name: &str, part: &str) {
        match value(batches, name) {
            CounterValue::Error(error) => assert!(error.contains(part), "{error}"),
            value @ CounterValue::PerRun { .. } => panic!("{name} is believed: {value:?}"),
        }
    }

    #[test]
    fn believable_counters_give_values_per_run() {
        let exactly = |per_run: f64| CounterValue::PerRun {
            per_run,
            low: per_run,
            high: per_run,
        };
        let batches = vec![good(); 5];
        assert_eq!(value(&batches, "cycles"), exactly(90.0));
        assert_eq!(value(&batches, "instructions"), exactly(104.0));
        assert_eq!(value(&batches, "branches"), exactly(62.0));
        // No misprediction at all is fine.
        assert_eq!(value(&batches, "branch-misses"), exactly(0.0));
    }

    #[test]
    fn the_interval_holds_the_median_of_scattered_batches() {
        let batches: Vec<Batch> = (0..101)
            .map(|extra| {
                let mut batch = good();
                batch.long.values[0] += extra;
                batch
            })
            .collect();
        let CounterValue::PerRun { per_run, low, high } = value(&batches, "cycles") else {
            panic!("believable");
        };
        assert!((per_run - 95.0).abs() < 1e-9, "{per_run}");
        assert!(low < per_run && per_run < high, "{low} {per_run} {high}");
        assert!(90.0 < low && high < 100.0, "{low} {high}");
    }

    #[test]
    fn a_multiplexed_counter_is_refused() {
        let mut batch = good();
        batch.long.running_ns = 990;
        refused(
            &[good(), batch.clone()],
            "cycles",
            "counted in 99% of the time",
        );
        refused(&[good(), batch], "branch-misses", "multiplexed");
        let mut never = good();
        (never.short.running_ns, never.long.running_ns) = (0, 0);
        refused(&[never], "cycles", "never got a place");
    }

    #[test]
    fn zero_is_refused_where_it_cannot_be() {
        for (index, name) in NAMES.iter().enumerate().take(3) {
            let mut batch = good();
            batch.short.values[index] = 0;
            batch.long.values[index] = 0;
            refused(&[batch], name, "reads zero");
        }
    }

    #[test]
    fn a_counter_that_stands_still_is_refused() {
        let mut batch = good();
        batch.long.values[0] = batch.short.values[0];
        refused(&[batch], "cycles", "no more cycles");
    }

    #[test]
    fn instructions_must_agree_with_the_exact_count() {
        let mut batch = good();
        batch.long.values[1] = 1100 + 2 * 1040;
        refused(&[batch], "instructions", "single-stepping counted 104");
        // The harness's own instruction is within the tolerance of a long run, not of this one.
        let mut fewer = good();
        fewer.long.values[1] = 1100 + 1000;
        refused(&[fewer], "instructions", "counts 100.0 instructions");
    }

    #[test]
    fn without_an_upper_bound_more_instructions_are_believed() {
        let open = Expected {
            most_instructions: None,
            ..expected()
        };
        let count = |instructions: u64| {
            let mut batch = good();
            batch.long.values[1] = 1100 + 10 * instructions;
            judge(&events(), &[batch], Some(&open))[1].1.clone()
        };
        assert!(matches!(count(112), CounterValue::PerRun { .. }));
        assert!(matches!(count(90), CounterValue::Error(_)));
    }

    #[test]
    fn what_no_core_can_do_is_refused() {
        let mut batch = good();
        // 104 instructions a run in half a cycle each would be believed by their number alone.
        batch.long.values[0] = batch.short.values[0] + 50;
        refused(&[batch], "instructions", "more than any core retires");
        let mut batch = good();
        batch.short.values[3] = 5000;
        refused(&[batch], "branch-misses", "no number of events is negative");
    }

    #[test]
    fn branches_and_misses_must_be_possible() {
        let mut batch = good();
        batch.long.values[2] = 660 + 500;
        refused(&[batch], "branches", "62 are taken");
        let mut batch = good();
        batch.long.values[3] = 3 + 1000;
        refused(&[batch], "branch-misses", "mispredictions");
    }

    #[test]
    fn nothing_counted_is_no_number() {
        refused(&[], "cycles", "nothing");
        let mut batch = good();
        batch.runs = 0;
        refused(&[batch], "branch-misses", "no pass");
    }

    #[test]
    fn ranks_stay_inside() {
        assert_eq!(median_ranks(1), (0, 0));
        assert_eq!(median_ranks(5), (0, 4));
        assert_eq!(median_ranks(100), (40, 59));
    }
}
