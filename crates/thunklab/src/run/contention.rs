//! Was the core ours? What the sentinels beside all samples of a run say together.

use std::collections::HashMap;

use machine::Machine;
use stats::Core;

use super::gathered::{Gathered, Kept, Raw};

/// Sentinels within this share of the floor vouch for the sample between them.
const TOLERANCE: f64 = 0.02;

/// Clean samples that a measure needs, on average, for a figure of its own: below that, the figures
/// are those of a contended core, and are given as such.
const ENOUGH: usize = 10;

/// Share of contended samples below which more rounds would have given enough clean ones.
const MOSTLY: f64 = 0.5;

/// Instructions of the sentinel that depend on one another: it works on four registers in turn, and
/// no core does a chain of these in fewer cycles than it has links.
const CHAINS: f64 = 4.0;

/// A floor that is further above the sentinel's chains, with what timing takes, was learnt beside a
/// neighbour: on Golden Cove it is 8 % above, beside a busy sibling 20 % and more.
const HONEST: f64 = 1.15;

/// Whose the core was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contention {
    /// Cycles of the sentinel on a core that is ours, as learnt in this run.
    pub(crate) floor_cycles: Option<f64>,
    /// Share of all samples that were contended.
    pub(crate) share: Option<f64>,
    /// Whether too few samples were clean, so that none is left out.
    pub(crate) never_ours: bool,
    /// Whether there are too few samples to tell whose the core was; none is left out then, and it
    /// is not the core's fault.
    pub(crate) too_few: bool,
    /// Cycles of the ruler.
    ruler_cycles: f64,
    /// By how much the sentinel was slowed in the middle, where the core was never ours: figures
    /// may be off by as much. 0 where it was.
    pub(crate) slowed: f64,
    /// For each case, where none may believe what another's workers tell.
    by_case: HashMap<usize, Self>,
}

impl Contention {
    /// Learns the floor from all samples of the run: one core, one floor. Where the cases are
    /// `apart`, each is judged by its own sentinels, and the run by the middle of their floors: else
    /// one that forged its sentinels would have all others' samples thrown away.
    pub(crate) fn new(machine: &Machine, gathered: &Gathered, apart: bool) -> Self {
        let ruler_cycles = f64::from(machine.ruler.links) * machine.ruler.cycles_per_link;
        let links = f64::from(machine.sentinel.instructions) / CHAINS;
        Self::of(gathered, ruler_cycles, links, apart)
    }

    /// The same by the cycles of the ruler, and the links of each of the sentinel's chains.
    fn of(gathered: &Gathered, ruler_cycles: f64, links: f64, apart: bool) -> Self {
        let pairs = |of: &dyn Fn(&Raw) -> bool| -> Vec<[f64; 2]> {
            let measures = gathered.measures.iter().filter(|raw| of(raw));
            measures
                .flat_map(|raw| &raw.samples)
                .map(|sample| sentinel_cycles(sample, ruler_cycles))
                .collect()
        };
        let own = gathered.overhead_cycles.map(|overhead| links + overhead);
        let all = pairs(&|_| true);
        let enough = ENOUGH * gathered.measures.len();
        if !apart {
            let floor = stats::floor(all.as_flattened(), None);
            return Self::judged(&all, floor, own, enough, ruler_cycles);
        }
        let mut by_case = HashMap::new();
        let mut floors = Vec::new();
        for case in 0..gathered.cases.len() {
            let of = |raw: &&Raw| raw.measure.case == Some(case);
            let measures = gathered.measures.iter().filter(of).count();
            let pairs = pairs(&|raw| of(&raw));
            let floor = stats::floor(pairs.as_flattened(), None);
            // No core takes less.
            floors.extend(floor.filter(|floor| *floor >= links));
            let judged = Self::judged(&pairs, floor, own, ENOUGH * measures, ruler_cycles);
            by_case.insert(case, judged);
        }
        floors.sort_by(f64::total_cmp);
        let floor = floors.get(floors.len().saturating_sub(1) / 2).copied();
        Self {
            by_case,
            ..Self::judged(&all, floor, own, enough, ruler_cycles)
        }
    }

    /// By the sentinels before and after each sample, and their floor. `own`: what the sentinel takes at least, cycles,
    /// with what timing it takes; `enough`: samples that are needed.
    fn judged(
        pairs: &[[f64; 2]],
        floor_cycles: Option<f64>,
        own: Option<f64>,
        enough: usize,
        ruler_cycles: f64,
    ) -> Self {
        let Some(floor) = floor_cycles else {
            return Self {
                floor_cycles,
                share: None,
                never_ours: false,
                too_few: pairs.len() < enough,
                ruler_cycles,
                slowed: 0.0,
                by_case: HashMap::new(),
            };
        };
        let clean = stats::clean(pairs, floor, TOLERANCE);
        let too_high = own.is_some_and(|own| floor > HONEST * own);
        let is_never = matches!(stats::core(&clean, enough), Core::NeverOurs { .. });
        // Where most samples are clean, and still not enough of them, it is not the core's fault.
        let mostly_ours = !too_high && stats::contended_share(&clean) < MOSTLY;
        let too_few = pairs.len() < enough || is_never && mostly_ours;
        let never_ours = !too_few && (too_high || is_never);
        let share = if too_high {
            1.0
        } else {
            stats::contended_share(&clean)
        };
        let share = (!too_few).then_some(share);
        let quiet = own.map_or(floor, |own| floor.min(own));
        let middle = stats::median(pairs.as_flattened()).unwrap_or(quiet);
        Self {
            floor_cycles,
            share,
            never_ours,
            too_few,
            ruler_cycles,
            slowed: if never_ours {
                (middle / quiet - 1.0).max(0.0)
            } else {
                0.0
            },
            by_case: HashMap::new(),
        }
    }

    /// Which of a measure's samples count.
    pub(crate) fn counts(&self, raw: &Raw) -> Vec<bool> {
        let case = raw.measure.case;
        let judged = case.and_then(|case| self.by_case.get(&case));
        let judged = judged.unwrap_or(self);
        match judged.floor_cycles {
            Some(floor) if !judged.never_ours && !judged.too_few => {
                let pairs: Vec<[f64; 2]> = raw
                    .samples
                    .iter()
                    .map(|sample| sentinel_cycles(sample, judged.ruler_cycles))
                    .collect();
                stats::clean(&pairs, floor, TOLERANCE)
            }
            _ => vec![true; raw.samples.len()],
        }
    }
}

/// The sentinels in core cycles by the sample's own ruler, which a busy sibling does not slow.
fn sentinel_cycles(sample: &Kept, ruler_cycles: f64) -> [f64; 2] {
    let ticks_per_cycle = f64::from(sample.ruler_ticks) / ruler_cycles;
    sample
        .sentinels
        .map(|ticks| f64::from(ticks) / ticks_per_cycle)
}

#[cfg(test)]
impl Contention {
    /// A core that nobody else uses.
    pub(crate) fn ours() -> Self {
        Self {
            floor_cycles: None,
            share: None,
            never_ours: false,
            too_few: false,
            ruler_cycles: 1800.0,
            slowed: 0.0,
            by_case: HashMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indexmap::IndexMap;
    use machine::{Context, Measure};
    use record::DiscardedBy;

    /// A thousand samples whose sentinels take so many cycles, give or take two.
    fn judged(cycles: f64, own: Option<f64>) -> Contention {
        let pairs: Vec<[f64; 2]> = (0..1000)
            .map(|index| [cycles + f64::from(index % 5) - 2.0; 2])
            .collect();
        judged_by(&pairs, own)
    }

    fn judged_by(pairs: &[[f64; 2]], own: Option<f64>) -> Contention {
        let floor = stats::floor(pairs.as_flattened(), None);
        Contention::judged(pairs, floor, own, 100, 1800.0)
    }

    #[test]
    fn a_floor_near_what_the_sentinel_takes_is_an_honest_one() {
        let found = judged(386.0, Some(359.0));
        assert!(!found.never_ours);
        assert_eq!((found.share, found.slowed), (Some(0.0), 0.0));
    }

    #[test]
    fn a_neighbour_that_never_rests_is_found_out() {
        let found = judged(436.0, Some(359.0));
        assert!(found.never_ours);
        assert_eq!(found.share, Some(1.0));
        assert!((0.2..0.23).contains(&found.slowed), "{found:?}");
        // Without knowing what timing takes, nothing tells.
        assert!(!judged(436.0, None).never_ours);
    }

    /// Three cases, whose sentinels take so many cycles; a cycle is a tick.
    fn three(cycles: [u32; 3]) -> Gathered {
        let raw = |case: usize| Raw {
            measure: Measure {
                case: Some(case),
                context: Context::Chained,
                empty: None,
                is_empty: false,
            },
            runs: 10,
            samples: (0..200)
                .map(|round| Kept {
                    round,
                    worker: 0,
                    offset: 0,
                    ticks: 1000,
                    long_ticks: 2000,
                    ruler_ticks: 1800,
                    sentinels: [cycles[case] + round % 3; 2],
                })
                .collect(),
            discarded: DiscardedBy::default(),
            misfits: 0,
            counters: IndexMap::default(),
        };
        Gathered {
            measures: (0..3).map(raw).collect(),
            overhead_cycles: Some(59.0),
            ..Gathered::new(3)
        }
    }

    #[test]
    fn a_case_that_forges_its_sentinels_spoils_no_others_where_they_are_apart() {
        for forged in [1, 193, 100_000] {
            let gathered = three([386, 386, forged]);
            let kept = |apart: bool| -> Vec<usize> {
                let judged = Contention::of(&gathered, 1800.0, 300.0, apart);
                let count = |raw| judged.counts(raw).iter().filter(|counts| **counts).count();
                gathered.measures.iter().map(count).collect()
            };
            assert_eq!(kept(true)[..2], [200, 200], "{forged}");
            let judged = Contention::of(&gathered, 1800.0, 300.0, true);
            assert!((385.0..390.0).contains(&judged.floor_cycles.unwrap()));
            // One core has one floor, and the lowest that many samples agree on is it.
            assert_eq!(
                kept(false)[0],
                if forged < 386 { 0 } else { 200 },
                "{forged}"
            );
        }
    }

    #[test]
    fn too_few_samples_blame_nobody() {
        let found = judged_by(&[[500.0, 500.0]; 20], Some(359.0));
        assert!(found.too_few && !found.never_ours);
        assert_eq!(found.share, None);
        // A third of 120 is contended: 80 are not enough, and the core was ours for most of them.
        let pairs: Vec<[f64; 2]> = (0..120)
            .map(|index| [if index % 3 == 0 { 600.0 } else { 386.0 }; 2])
            .collect();
        let found = judged_by(&pairs, Some(359.0));
        assert!(found.too_few && !found.never_ours, "{found:?}");
    }
}
