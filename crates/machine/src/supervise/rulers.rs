//! Whether two rulers of different kinds tell the same cycles, and what timing itself takes.

use std::collections::BTreeMap;

use crate::api::{Event, Machine, Ruler};
use crate::harness::instruments::SHORT_LINKS;

/// By how much they may differ.
const AGREE: f64 = 0.01;

/// Ticks of both rulers, timed side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The process that told it.
    pub(super) worker: u32,
    /// The first, long less short.
    pub(super) first: u32,
    /// The first's short one, with all that timing it takes.
    pub(super) short: u32,
    /// The second, long less short; 0 where there is none.
    pub(super) second: u32,
}

/// Each worker's middle reading, by this. A worker that tells of many, or of false ones, has no more
/// of a say than the others.
fn of_workers(readings: &[Reading], share: usize, of: fn(&Reading) -> u32) -> Vec<f64> {
    let mut workers: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for reading in readings.iter().filter(|reading| reading.first > 0) {
        let ratio = f64::from(of(reading)) / f64::from(reading.first);
        workers.entry(reading.worker).or_default().push(ratio);
    }
    let mut middles: Vec<f64> = workers
        .into_values()
        .map(|mut ratios| {
            ratios.sort_by(f64::total_cmp);
            ratios[ratios.len() / share]
        })
        .collect();
    middles.sort_by(f64::total_cmp);
    middles
}

/// What timing anything takes, what the second ruler read, and a warning if the two differ.
pub(super) fn compare(machine: &Machine, readings: &[Reading]) -> Vec<Event> {
    // Nothing makes it shorter, so a low quarter of the readings is an undisturbed one.
    let short = of_workers(readings, 4, |reading| reading.short);
    let overhead = short.get(short.len() / 4).map(|ratio| Event::Overhead {
        cycles: overhead(&machine.ruler, *ratio),
    });
    let second = of_workers(readings, 2, |reading| reading.second);
    let found = second.get(second.len() / 2);
    let (Some(second), Some(found)) = (&machine.second_ruler, found) else {
        return overhead.into_iter().collect();
    };
    let off = disagreement(&machine.ruler, second, *found);
    let warning = (off.abs() > AGREE).then(|| Event::Warning {
        kind: "rulers-disagree".to_owned(),
        message: format!(
            "the second ruler ({}) reads {:+.1} % beside the first ({})",
            second.instruction,
            100.0 * off,
            machine.ruler.instruction
        ),
        advice: "cycles may be wrong by as much on this CPU: compare ratios only".to_owned(),
    });
    let told = Event::SecondRuler { ratio: 1.0 + off };
    [overhead, Some(told), warning]
        .into_iter()
        .flatten()
        .collect()
}

/// Cycles that a timed region takes beside what is timed, from the short ruler's ticks over the
/// ticks by which the long one is longer.
fn overhead(ruler: &Ruler, ratio: f64) -> f64 {
    (ratio * f64::from(ruler.links) - f64::from(SHORT_LINKS)) * ruler.cycles_per_link
}

/// Share by which the second reads more than it should, from the ratio of their ticks.
fn disagreement(first: &Ruler, second: &Ruler, ratio: f64) -> f64 {
    let cycles = |ruler: &Ruler| f64::from(ruler.links) * ruler.cycles_per_link;
    ratio * cycles(first) / cycles(second) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts;

    /// What is told where the second ruler takes this many times as long as the first.
    fn told(ratio: f64) -> (f64, Option<String>) {
        let cpu = facts::choose_cpu(None).expect("some CPU is allowed");
        let mut machine = facts::machine(cpu).expect("an allowed CPU");
        let ruler = |instruction: &str, links| Ruler {
            instruction: instruction.to_owned(),
            links,
            cycles_per_link: 3.0,
            known_model: true,
        };
        machine.ruler = ruler("imul", 600);
        machine.second_ruler = Some(ruler("crc32", 600));
        let second = (1300.0 * ratio) as u32;
        let mut found = (0.0, None);
        let reading = |(worker, second)| Reading {
            worker,
            first: 1300,
            short: 450,
            second,
        };
        // The third worker's are all false, and more than the others'.
        let readings = [(0, second), (1, second), (2, 9000), (2, 9000), (2, 9000)];
        for event in compare(&machine, &readings.map(reading)) {
            match event {
                Event::SecondRuler { ratio } => found.0 = ratio,
                Event::Warning { kind, message, .. } => {
                    found.1 = Some(format!("{kind}: {message}"))
                }
                Event::Overhead { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        found
    }

    #[test]
    fn rulers_that_disagree_are_warned_of() {
        let (ratio, warning) = told(1.0);
        assert!(
            (ratio - 1.0).abs() < 1e-9 && warning.is_none(),
            "{warning:?}"
        );
        // One link of the second is four cycles where three were expected.
        let (ratio, warning) = told(4.0 / 3.0);
        assert!((ratio - 4.0 / 3.0).abs() < 0.01, "{ratio}");
        let warning = warning.expect("a third is more than a hundredth");
        assert!(
            warning.starts_with("rulers-disagree: the second ruler (crc32) reads +33."),
            "{warning}"
        );
    }

    #[test]
    fn what_timing_takes_is_what_the_short_ruler_reads_too_long() {
        let imul = Ruler {
            instruction: "imul".to_owned(),
            links: 600,
            cycles_per_link: 3.0,
            known_model: true,
        };
        // 200 links of 3 cycles and 60 more, beside 600 links, at 0.7 ticks a cycle.
        let ratio = (0.7 * 660.0) / (0.7 * 1800.0);
        assert!((overhead(&imul, ratio) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn lengths_and_latencies_are_allowed_for() {
        let ruler = |instruction: &str, links, cycles_per_link| Ruler {
            instruction: instruction.to_owned(),
            links,
            cycles_per_link,
            known_model: true,
        };
        let imul = ruler("imul", 600, 3.0);
        let adc = ruler("adc", 900, 1.0);
        assert!(disagreement(&imul, &adc, 0.5).abs() < 1e-9);
        // An `adc` of two cycles where one was expected.
        assert!((disagreement(&imul, &adc, 1.0) - 1.0).abs() < 1e-9);
    }
}
