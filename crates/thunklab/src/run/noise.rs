//! This run's noise floor, from the baseline measured against itself.

use std::collections::BTreeMap;

use record::Context;
use stats::Comparison;

/// Differences below this are no difference, however narrow the interval: the class of machine that
/// this was studied on shows A/A pairs up to 0.1 % apart at the default time, and a mapping or an
/// address can be worth more than a sample's noise.
pub(crate) const LEAST_FLOOR: f64 = 0.003;

/// The floor of each context: the greatest distance from 1 that the baseline showed against its own
/// copies there, and never less than [`LEAST_FLOOR`] or than a neighbour is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Noise {
    seen: BTreeMap<Context, f64>,
    least: f64,
}

impl Noise {
    /// Of comparisons of the baseline with its copies, with their contexts, on a core that a neighbour
    /// slowed by this share.
    pub(crate) fn new(alike: &[(Context, Comparison)], slowed: f64) -> Self {
        let mut by_context: BTreeMap<Context, Vec<Comparison>> = BTreeMap::new();
        for (context, comparison) in alike {
            by_context.entry(*context).or_default().push(*comparison);
        }
        let seen = by_context
            .into_iter()
            .filter_map(|(context, alike)| Some((context, stats::noise_floor(&alike)?)));
        Self {
            seen: seen.collect(),
            least: LEAST_FLOOR.max(slowed),
        }
    }

    /// What verdicts in `context` go by.
    pub(crate) fn floor(&self, context: Context) -> f64 {
        self.seen
            .get(&context)
            .map_or(self.least, |seen| seen.max(self.least))
    }

    /// What no difference may be below in any context.
    pub(crate) fn least(&self) -> f64 {
        self.least
    }

    /// What was seen, by context, for the user who asked for it.
    pub(crate) fn seen(&self) -> &BTreeMap<Context, f64> {
        &self.seen
    }
}

#[cfg(test)]
mod tests {
    use stats::Verdict;

    use super::*;

    fn apart(ratio: f64) -> Comparison {
        Comparison {
            ratio,
            low: ratio - 0.001,
            high: ratio + 0.001,
            verdict: Verdict::NoDifference,
            smallest_seen: 0.003,
        }
    }

    #[test]
    fn the_floor_is_never_below_the_least() {
        let noise = Noise::new(&[(Context::Chained, apart(1.0005))], 0.0);
        assert_eq!(noise.floor(Context::Chained), LEAST_FLOOR);
        assert_eq!(noise.floor(Context::Isolated), LEAST_FLOOR);
    }

    #[test]
    fn a_copy_that_differs_raises_the_floor_of_its_context_alone() {
        let alike = [
            (Context::Chained, apart(0.98)),
            (Context::Chained, apart(1.01)),
        ];
        let noise = Noise::new(&alike, 0.0);
        assert!((noise.floor(Context::Chained) - 0.02).abs() < 1e-12);
        assert_eq!(noise.floor(Context::Isolated), LEAST_FLOOR);
    }

    #[test]
    fn beside_a_neighbour_no_less_than_it_slows_is_a_difference() {
        let noise = Noise::new(&[(Context::Chained, apart(1.01))], 0.3);
        assert!((noise.floor(Context::Chained) - 0.3).abs() < 1e-12);
        assert!((noise.floor(Context::Isolated) - 0.3).abs() < 1e-12);
    }
}
