//! Whether a comparison survives moving the code within its line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measure::{Cycles, Measure, Samples, VsBaseline};
use crate::word::Verdict;

/// A measure at one of the offsets that were swept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Layout {
    /// Bytes into the line by which everything was moved.
    pub offset: u32,
    /// Core cycles a run there; `null` for fewer samples than an interval needs.
    pub cycles: Option<Cycles>,
    /// Against the baseline at the same offset.
    pub vs_baseline: Option<VsBaseline>,
}

/// At how many of the layouts a comparison holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survival {
    /// The verdict over all layouts together.
    pub verdict: Verdict,
    /// Layouts whose own verdict is the same.
    pub holds: usize,
    /// Layouts that contradict it.
    pub fails: usize,
    /// Layouts at which a difference of this size would not have been seen.
    pub untold: usize,
}

/// [`Survival`] in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// At all layouts that tell.
    All,
    /// At more than half.
    Most,
    /// At fewer.
    Some,
}

impl Survival {
    /// How many layouts were swept.
    #[must_use]
    pub fn of(&self) -> usize {
        self.holds + self.fails + self.untold
    }

    /// In one word; `None` where no layout tells.
    #[must_use]
    pub fn word(&self) -> Option<Holds> {
        match self {
            Self {
                holds: 0, fails: 0, ..
            } => None,
            Self { fails: 0, .. } => Some(Holds::All),
            _ if 2 * self.holds > self.of() => Some(Holds::Most),
            _ => Some(Holds::Some),
        }
    }
}

impl Measure {
    /// At how many layouts the comparison with the baseline holds; `None` where layouts were not
    /// swept, or nothing was compared.
    #[must_use]
    pub fn survival(&self) -> Option<Survival> {
        let all = self.vs_baseline.as_ref()?;
        if self.layouts.len() < 2 {
            return None;
        }
        let mut survival = Survival {
            verdict: all.verdict,
            holds: 0,
            fails: 0,
            untold: 0,
        };
        for layout in &self.layouts {
            match &layout.vs_baseline {
                Some(here) if here.verdict == all.verdict => survival.holds += 1,
                Some(here) if tells(here, all) => survival.fails += 1,
                _ => survival.untold += 1,
            }
        }
        Some(survival)
    }

    /// The offset with a verdict of its own that differs most from the one of all offsets together,
    /// and its ratio.
    #[must_use]
    pub fn odd_placement(&self) -> Option<(u32, f64)> {
        let all = self.vs_baseline.as_ref()?;
        let distance = |ratio: f64| (ratio / all.ratio).ln().abs();
        self.layouts
            .iter()
            .filter_map(|layout| Some((layout.offset, layout.vs_baseline.as_ref()?)))
            .filter(|(_, vs)| vs.verdict != all.verdict && vs.ratio.is_finite() && vs.ratio > 0.0)
            .map(|(offset, vs)| (offset, vs.ratio))
            .max_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)))
    }

    /// Where no difference was seen over all placements together: the one at which it is largest,
    /// and its ratio. A difference that placements hide is no absence of one.
    #[must_use]
    pub fn hidden_placement(&self) -> Option<(u32, f64)> {
        let all = self.vs_baseline.as_ref()?;
        let swept = self.layouts.len() > 1 && all.verdict == Verdict::NoDifference;
        self.odd_placement().filter(|_| swept)
    }
}

impl Samples {
    /// Those that were taken at one offset.
    #[must_use]
    pub fn at_offset(&self, offset: u32) -> Self {
        fn pick<T: Copy>(values: &[T], indices: &[usize]) -> Vec<T> {
            let picked = indices.iter().filter_map(|&index| values.get(index));
            picked.copied().collect()
        }
        let found = self.offsets.iter().enumerate();
        let indices: Vec<usize> = found
            .filter(|(_, found)| **found == offset)
            .map(|(index, _)| index)
            .collect();
        Self {
            runs: self.runs,
            ticks: pick(&self.ticks, &indices),
            long_ticks: pick(&self.long_ticks, &indices),
            empty_ticks: pick(&self.empty_ticks, &indices),
            ruler_ticks: pick(&self.ruler_ticks, &indices),
            rounds: pick(&self.rounds, &indices),
            workers: pick(&self.workers, &indices),
            offsets: pick(&self.offsets, &indices),
            sentinels: pick(&self.sentinels, &indices),
            ..Self::default()
        }
    }
}

/// Whether a layout without the verdict of all would have shown it: it shows another difference, or
/// none although one of that size would have been seen.
fn tells(here: &VsBaseline, all: &VsBaseline) -> bool {
    here.verdict != Verdict::NoDifference
        || here
            .smallest_seen
            .is_some_and(|seen| seen < (all.ratio - 1.0).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vs(ratio: f64, verdict: Verdict, smallest_seen: f64) -> VsBaseline {
        VsBaseline {
            ratio,
            low: ratio - 0.01,
            high: ratio + 0.01,
            verdict,
            smallest_seen: Some(smallest_seen),
        }
    }

    fn survival(all: VsBaseline, layouts: Vec<VsBaseline>) -> Survival {
        let layouts = layouts.into_iter().zip((0..).step_by(8));
        let measure = Measure {
            vs_baseline: Some(all),
            layouts: layouts
                .map(|(vs, offset)| Layout {
                    offset,
                    cycles: None,
                    vs_baseline: Some(vs),
                })
                .collect(),
            ..Measure::default()
        };
        measure.survival().expect("layouts were swept")
    }

    #[test]
    fn a_difference_holds_where_its_verdict_does() {
        let slower = |ratio| vs(ratio, Verdict::Slower, 0.01);
        let same = |seen| vs(1.0, Verdict::NoDifference, seen);
        let all = survival(slower(1.1), vec![slower(1.1), slower(1.2), same(0.3)]);
        assert_eq!((all.holds, all.fails, all.untold), (2, 0, 1));
        assert_eq!(all.word(), Some(Holds::All));
        let most = survival(slower(1.1), vec![slower(1.1), slower(1.2), same(0.05)]);
        assert_eq!((most.holds, most.fails, most.untold), (2, 1, 0));
        assert_eq!(most.word(), Some(Holds::Most));
        let faster = vs(0.9, Verdict::Faster, 0.01);
        let some = survival(slower(1.1), vec![slower(1.1), faster]);
        assert_eq!(some.word(), Some(Holds::Some));
        let untold = survival(slower(1.1), vec![same(0.3), same(0.2)]);
        assert_eq!(untold.word(), None);
    }

    #[test]
    fn no_difference_fails_where_one_is_seen() {
        let same = vs(1.0, Verdict::NoDifference, 0.01);
        let slower = vs(1.3, Verdict::Slower, 0.01);
        let found = survival(same.clone(), vec![same.clone(), same.clone(), same, slower]);
        assert_eq!((found.holds, found.fails), (3, 1));
        assert_eq!(found.word(), Some(Holds::Most));
    }

    #[test]
    fn what_placements_hide_is_found() {
        let layout = |offset, ratio, verdict| Layout {
            offset,
            cycles: None,
            vs_baseline: Some(vs(ratio, verdict, 0.01)),
        };
        let mut measure = Measure {
            vs_baseline: Some(vs(1.0, Verdict::NoDifference, 0.01)),
            layouts: vec![
                layout(0, 1.386, Verdict::Slower),
                layout(16, 1.0, Verdict::NoDifference),
                layout(32, 0.9, Verdict::Faster),
            ],
            ..Measure::default()
        };
        assert_eq!(measure.hidden_placement(), Some((0, 1.386)));
        measure.layouts.truncate(1);
        assert_eq!(measure.hidden_placement(), None);
    }

    #[test]
    fn one_layout_is_no_sweep() {
        assert_eq!(Measure::default().survival(), None);
    }
}
