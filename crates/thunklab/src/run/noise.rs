//! This run's noise floor, from the baseline measured against itself.

use std::collections::BTreeMap;

use record::Context;
use stats::Comparison;

/// Differences below this are no difference, however narrow the interval: the class of machine that
/// this was studied on shows A/A pairs up to 0.1 % apart at the default time, and a mapping or an
/// address can be worth more than a sample's noise.
pub(crate) const LEAST_FLOOR: f64 = 0.003;

/// The floor of each context: the greatest distance from 1 that the baseline showed against its own
/// copies there, and never less than [`LEAST_FLOOR`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Noise {
    seen: BTreeMap<Context, f64>,
}

impl Noise {
    /// Of comparisons of the baseline with its copies, with their contexts.
    pub(crate) fn new(alike: &[(Context, Comparison)]) -> Self {
        let mut by_context: BTreeMap<Context, Vec<Comparison>> = BTreeMap::new();
        for (context, comparison) in alike {
            by_context.entry(*context).or_default().push(*comparison);
        }
        let seen = by_context
            .into_iter()
            .filter_map(|(context, alike)| Some((context, stats::noise_floor(&alike)?)));
        Self {
            seen: seen.collect(),
        }
    }

    /// What verdicts in `context` go by.
    pub(crate) fn floor(&self, context: Context) -> f64 {
        self.seen
            .get(&context)
            .map_or(LEAST_FLOOR, |seen| seen.max(LEAST_FLOOR))
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
        let noise = Noise::new(&[(Context::Chained, apart(1.0005))]);
        assert_eq!(noise.floor(Context::Chained), LEAST_FLOOR);
        assert_eq!(noise.floor(Context::Isolated), LEAST_FLOOR);
    }

    #[test]
    fn a_copy_that_differs_raises_the_floor_of_its_context_alone() {
        let noise = Noise::new(&[
            (Context::Chained, apart(0.98)),
            (Context::Chained, apart(1.01)),
        ]);
        assert!((noise.floor(Context::Chained) - 0.02).abs() < 1e-12);
        assert_eq!(noise.floor(Context::Isolated), LEAST_FLOOR);
    }
}
