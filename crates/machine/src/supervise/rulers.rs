//! Whether two rulers of different kinds tell the same cycles.

use crate::api::{Event, Machine, Ruler};

/// By how much they may differ.
const AGREE: f64 = 0.01;

/// What the second read, and a warning if they differ. `pairs` are ticks of the first and of the
/// second, timed side by side.
pub(super) fn compare(machine: &Machine, pairs: &[(u32, u32)]) -> Vec<Event> {
    let Some(second) = &machine.second_ruler else {
        return Vec::new();
    };
    let mut ratios: Vec<f64> = pairs
        .iter()
        .filter(|(first, _)| *first > 0)
        .map(|(first, second)| f64::from(*second) / f64::from(*first))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let Some(found) = ratios.get(ratios.len() / 2) else {
        return Vec::new();
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
    [Some(told), warning].into_iter().flatten().collect()
}

/// Share by which the second reads more than it should, from the ratio of their ticks.
fn disagreement(first: &Ruler, second: &Ruler, ratio: f64) -> f64 {
    let cycles = |ruler: &Ruler| f64::from(ruler.links) * ruler.cycles_per_link;
    ratio * cycles(first) / cycles(second) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
