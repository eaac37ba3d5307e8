//! Ticks to cycles.
//!
//! Everything that shows cycles of single samples (a run's estimates, a comparison, a plot) gets
//! them here, so that all of them agree.

use std::collections::HashMap;

use crate::machine::Ruler;
use crate::measure::Samples;

/// Neighbours on either side that a sample's ruler is smoothed over.
const REACH: usize = 4;

/// Relative distance up to which a ruler's difference from its neighbours is taken for the
/// clock's reading error. A ruler of 600 links is some 2,000 ticks, read to a few.
const READING_ERROR: f64 = 0.01;

impl Samples {
    /// The most samples that a record keeps of one measure.
    pub const MOST: usize = 500;

    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ticks.is_empty()
    }

    /// Number of samples that were kept, before they were thinned.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.thinned_from.unwrap_or(self.len() as u64)
    }

    /// Whether the empty body is taken off.
    #[must_use]
    pub fn subtracts_empty(&self) -> bool {
        self.empty_ticks.iter().any(|&ticks| ticks != 0.0)
    }

    /// TSC ticks to a core cycle, for every sample.
    ///
    /// A sample's own ruler is noisy by its reading error, so the median over its neighbours in
    /// the same worker stands in for it. Where the two differ by more than that error, the clock
    /// of the core has changed, and the sample's own ruler is the one that knows.
    ///
    /// A ruler of no links or no ticks gives values that are not finite, which `stats` refuses.
    #[must_use]
    pub fn ticks_per_cycle(&self, ruler: &Ruler) -> Vec<f64> {
        let cycles = f64::from(ruler.links) * ruler.cycles_per_link;
        let mut of_worker: HashMap<u32, Vec<usize>> = HashMap::new();
        for index in 0..self.ruler_ticks.len() {
            let worker = self.workers.get(index).copied().unwrap_or(0);
            of_worker.entry(worker).or_default().push(index);
        }
        let mut ticks = vec![f64::NAN; self.ruler_ticks.len()];
        for indices in of_worker.values() {
            // The neighbours in order of size; one comes and one goes from sample to sample.
            let mut window = Window::default();
            for &index in indices.iter().take(REACH) {
                window.insert(self.ruler_ticks[index]);
            }
            for (at, &index) in indices.iter().enumerate() {
                if let Some(&next) = indices.get(at + REACH) {
                    window.insert(self.ruler_ticks[next]);
                }
                if let Some(last) = at.checked_sub(REACH + 1) {
                    window.remove(self.ruler_ticks[indices[last]]);
                }
                let own = f64::from(self.ruler_ticks[index]);
                let smooth = window.median();
                ticks[index] = if (own - smooth).abs() <= READING_ERROR * smooth {
                    smooth
                } else {
                    own
                };
            }
        }
        ticks.into_iter().map(|ticks| ticks / cycles).collect()
    }

    /// Core cycles of one run, for every sample, the empty body taken off where it is to be.
    #[must_use]
    pub fn cycles(&self, ruler: &Ruler) -> Vec<f64> {
        self.net_ticks()
            .zip(self.ticks_per_cycle(ruler))
            .map(|(ticks, per_cycle)| ticks / per_cycle)
            .collect()
    }

    /// Core cycles of one run that were taken off for the empty body, for every sample: the other
    /// term of the subtraction. Empty where nothing is taken off.
    #[must_use]
    pub fn empty_cycles(&self, ruler: &Ruler) -> Vec<f64> {
        let runs = f64::from(self.runs);
        self.empty_ticks
            .iter()
            .zip(self.ticks_per_cycle(ruler))
            .map(|(ticks, per_cycle)| ticks / runs / per_cycle)
            .collect()
    }

    /// Nanoseconds of one run, for every sample, the empty body taken off where it is to be.
    #[must_use]
    pub fn nanoseconds(&self, tsc_hz: f64) -> Vec<f64> {
        self.net_ticks().map(|ticks| ticks / tsc_hz * 1e9).collect()
    }

    /// Ticks of one run: two lengths, differenced, less the empty body's.
    fn net_ticks(&self) -> impl Iterator<Item = f64> {
        let runs = f64::from(self.runs);
        self.long_ticks
            .iter()
            .zip(&self.ticks)
            .enumerate()
            .map(move |(index, (&long, &short))| {
                let empty = self.empty_ticks.get(index).copied().unwrap_or(0.0);
                (f64::from(long) - f64::from(short) - empty) / runs
            })
    }

    /// The first pair of arrays whose lengths differ, in words.
    pub(crate) fn uneven(&self) -> Option<String> {
        let ticks = self.ticks.len();
        let lengths = [
            ("long_ticks", self.long_ticks.len()),
            ("ruler_ticks", self.ruler_ticks.len()),
            ("rounds", self.rounds.len()),
            ("workers", self.workers.len()),
            ("offsets", self.offsets.len()),
            ("sentinels", self.sentinels.len()),
            ("empty_ticks", self.empty_ticks.len()),
        ];
        lengths
            .into_iter()
            .find(|&(name, length)| length != ticks && !(name == "empty_ticks" && length == 0))
            .map(|(name, length)| format!("{ticks} ticks but {length} {name}"))
    }
}

/// A few numbers in order of size.
#[derive(Default)]
struct Window(Vec<u32>);

impl Window {
    fn insert(&mut self, value: u32) {
        let place = self.0.partition_point(|&other| other < value);
        self.0.insert(place, value);
    }

    /// Takes away one number of this value, which is there.
    fn remove(&mut self, value: u32) {
        let place = self.0.partition_point(|&other| other < value);
        self.0.remove(place);
    }

    /// The median; NaN for no values.
    fn median(&self) -> f64 {
        let middle = self.0.len() / 2;
        match self.0.as_slice() {
            [] => f64::NAN,
            values if values.len() % 2 == 1 => f64::from(values[middle]),
            values => f64::midpoint(f64::from(values[middle - 1]), f64::from(values[middle])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruler() -> Ruler {
        Ruler {
            instruction: "imul".into(),
            links: 600,
            cycles_per_link: 3.0,
            ticks_per_cycle: 1.0,
        }
    }

    /// Samples of 10 runs of 90 ticks with the given ruler ticks, all of one worker.
    fn samples(ruler_ticks: &[u32]) -> Samples {
        let n = ruler_ticks.len();
        Samples {
            runs: 10,
            ticks: vec![1_000; n],
            long_ticks: vec![1_900; n],
            ruler_ticks: ruler_ticks.to_vec(),
            rounds: (0..n as u32).collect(),
            workers: vec![0; n],
            offsets: vec![0; n],
            sentinels: vec![[349, 349]; n],
            ..Samples::default()
        }
    }

    #[test]
    fn a_tick_is_a_cycle_where_the_ruler_says_so() {
        assert_eq!(samples(&[1_800]).cycles(&ruler()), [90.0]);
    }

    #[test]
    fn half_the_ticks_a_cycle_are_twice_the_cycles() {
        assert_eq!(samples(&[900, 900]).cycles(&ruler()), [180.0, 180.0]);
    }

    #[test]
    fn both_terms_of_a_subtraction_are_kept() {
        let mut with_empty = samples(&[1_800]);
        with_empty.empty_ticks = vec![272.0];
        assert_eq!(with_empty.cycles(&ruler()), [90.0 - 27.2]);
        assert_eq!(with_empty.empty_cycles(&ruler()), [27.2]);
        assert!(with_empty.subtracts_empty());
        assert!(!samples(&[1_800]).subtracts_empty());
    }

    #[test]
    fn a_reading_error_is_smoothed_away() {
        let cycles = samples(&[1_800, 1_800, 1_810, 1_800, 1_790]).cycles(&ruler());
        assert_eq!(cycles, [90.0; 5]);
    }

    #[test]
    fn a_changed_clock_is_followed() {
        let ticks = [[1_800; 10], [1_200; 10]].concat();
        let cycles = samples(&ticks).cycles(&ruler());
        assert_eq!(cycles[..10], [90.0; 10]);
        assert_eq!(cycles[10..], [135.0; 10]);
    }

    /// Against the median of each sample's neighbours, sorted anew.
    #[test]
    fn the_window_moves_with_the_samples() {
        for length in 0..30_usize {
            let ticks: Vec<u32> = (0..length)
                .map(|i| 1_800 + (i * i * 7 % 11) as u32)
                .collect();
            let found = samples(&ticks).ticks_per_cycle(&ruler());
            for (at, found) in found.iter().enumerate() {
                let mut near = ticks[at.saturating_sub(REACH)..length.min(at + REACH + 1)].to_vec();
                near.sort_unstable();
                let (low, high) = (near[(near.len() - 1) / 2], near[near.len() / 2]);
                let median = f64::midpoint(f64::from(low), f64::from(high));
                assert_eq!(*found, median / 1_800.0, "{at} of {length}");
            }
        }
    }

    #[test]
    fn workers_do_not_smooth_each_other() {
        let mut two = samples(&[1_800, 1_810, 1_800, 1_810]);
        two.workers = vec![0, 1, 0, 1];
        let per_cycle = two.ticks_per_cycle(&ruler());
        assert_eq!(per_cycle[0], 1.0);
        assert_eq!(per_cycle[1], 1_810.0 / 1_800.0);
    }

    #[test]
    fn nanoseconds_go_by_the_counter_alone() {
        assert_eq!(samples(&[900]).nanoseconds(2e9), [45.0]);
    }

    #[test]
    fn degenerate_samples_give_no_finite_number_and_no_panic() {
        assert!(Samples::default().cycles(&ruler()).is_empty());
        let mut none = samples(&[0]);
        assert!(!none.cycles(&ruler())[0].is_finite());
        none.runs = 0;
        assert!(!none.nanoseconds(2e9)[0].is_finite());
        let mut short = samples(&[1_800, 1_800]);
        short.workers.clear();
        assert_eq!(short.cycles(&ruler()).len(), 2);
    }

    #[test]
    fn a_long_pass_shorter_than_the_short_one_is_negative() {
        let mut odd = samples(&[1_800]);
        odd.long_ticks = vec![990];
        assert_eq!(odd.cycles(&ruler()), [-1.0]);
    }

    #[test]
    fn uneven_arrays_are_named() {
        let mut uneven = samples(&[1_800, 1_800]);
        assert_eq!(uneven.uneven(), None);
        uneven.rounds.pop();
        assert_eq!(uneven.uneven().as_deref(), Some("2 ticks but 1 rounds"));
    }
}
