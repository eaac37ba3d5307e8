//! `compare`, `ratio_of_ratios`, `noise_floor`.

use crate::made::{Dice, Made};
use stats::{Comparison, Series, Verdict, compare, noise_floor, ratio_of_ratios};

fn noisy(seed: u64, middle: f64) -> Made {
    let mut dice = Dice::new(seed);
    Made::new(4, 60, |_, _| middle + 0.5 * dice.noise())
}

#[test]
fn nothing_to_compare() {
    let some = noisy(1, 90.0);
    for empty in [Made::plain(&[]), Made::plain(&[90.0])] {
        assert_eq!(compare(&some.series(), &empty.series(), 0.01, 1), None);
        assert_eq!(compare(&empty.series(), &some.series(), 0.01, 1), None);
    }
}

#[test]
fn what_is_not_a_number_is_refused_on_either_side() {
    let some = noisy(1, 90.0);
    for bad in [f64::NAN, f64::INFINITY] {
        let mut broken = some.clone();
        broken.values[17] = bad;
        assert_eq!(compare(&some.series(), &broken.series(), 0.01, 1), None);
        assert_eq!(compare(&broken.series(), &some.series(), 0.01, 1), None);
    }
}

#[test]
fn equal_samples_show_no_difference() {
    let equal = Made::new(4, 60, |_, _| 90.0);
    let comparison = compare(&equal.series(), &equal.series(), 0.01, 1).unwrap();
    assert_eq!(
        (comparison.ratio, comparison.low, comparison.high),
        (1.0, 1.0, 1.0)
    );
    assert_eq!(comparison.verdict, Verdict::NoDifference);
    assert_eq!(comparison.smallest_seen, 0.01);
}

#[test]
fn two_rounds_compare_with_a_wide_interval() {
    let (a, b) = (Made::plain(&[90.0, 91.0]), Made::plain(&[89.0, 92.0]));
    let comparison = compare(&a.series(), &b.series(), 0.0, 1).unwrap();
    assert_eq!(comparison.verdict, Verdict::NoDifference);
    assert!(comparison.high - comparison.low > 0.05, "{comparison:?}");
}

#[test]
fn a_baseline_that_may_be_zero_has_no_ratio() {
    let mut dice = Dice::new(6);
    let nothing = Made::new(4, 60, |_, _| dice.noise());
    let some = noisy(1, 5.0);
    assert_eq!(compare(&some.series(), &nothing.series(), 0.01, 1), None);
    let zero = Made::new(4, 60, |_, _| 0.0);
    assert_eq!(compare(&some.series(), &zero.series(), 0.01, 1), None);
    // The other way round there is one, and it may be zero or negative.
    let comparison = compare(&nothing.series(), &some.series(), 0.01, 1).unwrap();
    assert!(
        comparison.low < 0.0 && 0.0 < comparison.high,
        "{comparison:?}"
    );
    assert_eq!(comparison.verdict, Verdict::Faster);
}

#[test]
fn negative_net_values_compare() {
    let comparison = compare(
        &noisy(1, -60.0).series(),
        &noisy(2, -50.0).series(),
        0.01,
        1,
    )
    .unwrap();
    assert!((comparison.ratio - 1.2).abs() < 0.01, "{comparison:?}");
    assert!(comparison.low <= comparison.ratio && comparison.ratio <= comparison.high);
}

#[test]
fn one_worker_is_enough_for_a_comparison() {
    let mut dice = Dice::new(7);
    let slow = Made::new(1, 240, |_, _| 99.0 + 0.5 * dice.noise());
    let fast = Made::new(1, 240, |_, _| 90.0 + 0.5 * dice.noise());
    let comparison = compare(&slow.series(), &fast.series(), 0.01, 1).unwrap();
    assert_eq!(comparison.verdict, Verdict::Slower);
}

#[test]
fn workers_without_a_round_in_common() {
    let here = noisy(1, 90.0);
    let elsewhere = Made {
        rounds: here.rounds.iter().map(|round| round + 1000).collect(),
        workers: here.workers.iter().map(|worker| worker + 10).collect(),
        ..here.clone()
    };
    assert_eq!(compare(&here.series(), &elsewhere.series(), 0.01, 1), None);
    // The same rounds in workers of their own are side by side all the same.
    let beside = Made {
        rounds: here.rounds.clone(),
        ..elsewhere
    };
    let comparison = compare(&here.series(), &beside.series(), 0.01, 1).unwrap();
    assert_eq!(comparison.ratio, 1.0);
}

#[test]
fn a_worker_that_only_one_side_has_is_left_out() {
    let mut both = noisy(1, 90.0);
    let baseline = noisy(2, 90.0);
    let known = compare(&both.series(), &baseline.series(), 0.01, 1).unwrap();
    for round in 500..560 {
        both.values.push(400.0);
        both.rounds.push(round);
        both.workers.push(9);
    }
    assert_eq!(
        compare(&both.series(), &baseline.series(), 0.01, 1).unwrap(),
        known
    );
}

#[test]
fn a_difference_needs_both_the_interval_and_the_floor() {
    let (slow, fast) = (noisy(1, 91.8), noisy(2, 90.0));
    let verdict =
        |a: &Made, b: &Made, floor| compare(&a.series(), &b.series(), floor, 1).unwrap().verdict;
    assert_eq!(verdict(&slow, &fast, 0.01), Verdict::Slower);
    assert_eq!(verdict(&fast, &slow, 0.01), Verdict::Faster);
    assert_eq!(verdict(&slow, &fast, 0.03), Verdict::NoDifference);
    let mut dice = Dice::new(8);
    let wild = Made::new(4, 20, |_, _| 91.8 + 20.0 * dice.noise());
    assert_eq!(verdict(&wild, &fast, 0.0), Verdict::NoDifference);
}

#[test]
fn the_smallest_difference_is_seen_most_of_the_time() {
    let (mut seen, mut tiny) = (0, 0);
    for seed in 0..100 {
        let baseline = noisy(2 * seed, 90.0);
        let alike = noisy(2 * seed + 1, 90.0);
        let least = compare(&alike.series(), &baseline.series(), 0.0, 1)
            .unwrap()
            .smallest_seen;
        let scaled = |effect: f64| Made {
            values: alike
                .values
                .iter()
                .map(|value| value * (1.0 + effect))
                .collect(),
            ..alike.clone()
        };
        let verdict = |effect| {
            compare(&scaled(effect).series(), &baseline.series(), 0.0, 1)
                .unwrap()
                .verdict
        };
        seen += u32::from(verdict(least) == Verdict::Slower);
        tiny += u32::from(verdict(least / 10.0) == Verdict::Slower);
    }
    assert!(seen >= 70 && tiny <= 20, "{seen} and {tiny} of 100");
}

#[test]
fn what_both_share_cancels() {
    // The whole machine gets slower by a third in the course of the run.
    let mut dice = Dice::new(9);
    let drift = |round: u32| 1.0 + f64::from(round) / 720.0;
    let baseline = Made::new(4, 60, |_, round| 90.0 * drift(round) + 0.3 * dice.noise());
    let variant = Made::new(4, 60, |_, round| 91.8 * drift(round) + 0.3 * dice.noise());
    let comparison = compare(&variant.series(), &baseline.series(), 0.01, 1).unwrap();
    assert_eq!(comparison.verdict, Verdict::Slower);
    assert!((comparison.ratio - 1.02).abs() < 0.003, "{comparison:?}");
    assert!(comparison.high - comparison.low < 0.01, "{comparison:?}");
}

#[test]
fn a_thing_is_seldom_found_different_from_itself() {
    let states = [88.4, 89.5, 90.4, 91.4];
    let mut wrong = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut made = || {
            // Each mapping has shares of its own.
            let shares: Vec<f64> = (0..4).map(|_| dice.unit()).collect();
            Made::new(4, 60, |worker, _| {
                let high = dice.unit() < shares[worker as usize];
                let state = 2 * usize::from(high) + usize::from(dice.unit() < 0.5);
                states[state] + 0.2 * dice.noise()
            })
        };
        let (a, b) = (made(), made());
        // Without a floor, so that the interval alone must hold.
        let comparison = compare(&a.series(), &b.series(), 0.0, seed).unwrap();
        wrong += u32::from(comparison.verdict != Verdict::NoDifference);
    }
    // It is a 95 % interval: 10 are expected. Unwidened for the number of workers it is 30.
    assert!(wrong <= 18, "{wrong} of 200");
}

fn comparison(ratio: f64, low: f64, high: f64) -> Comparison {
    Comparison {
        ratio,
        low,
        high,
        verdict: Verdict::NoDifference,
        smallest_seen: 0.01,
    }
}

#[test]
fn ratios_of_ratios_refuse_what_has_no_logarithm() {
    let sound = comparison(1.1, 1.05, 1.15);
    for bad in [
        comparison(1.0, 0.0, 1.1),
        comparison(1.0, -0.1, 1.1),
        comparison(0.0, 0.0, 0.0),
        comparison(f64::NAN, 1.0, 1.0),
        comparison(1.0, 0.9, f64::INFINITY),
        comparison(1.2, 0.9, 1.1),
    ] {
        assert_eq!(ratio_of_ratios(&bad, &sound, 0.01), None, "{bad:?}");
        assert_eq!(ratio_of_ratios(&sound, &bad, 0.01), None, "{bad:?}");
    }
}

#[test]
fn errors_of_two_ratios_add_up_as_squares() {
    let step: f64 = 1.03;
    let one = comparison(1.2, 1.2 / step, 1.2 * step);
    let found = ratio_of_ratios(&one, &comparison(1.0, 1.0 / step, step), 0.01).unwrap();
    let expected = step.powf(2.0_f64.sqrt());
    assert!((found.ratio - 1.2).abs() < 1e-12);
    assert!((found.high / found.ratio - expected).abs() < 1e-12);
    assert!((found.ratio / found.low - expected).abs() < 1e-12);
    assert_eq!(found.verdict, Verdict::Slower);
    let back = ratio_of_ratios(&comparison(1.0, 1.0 / step, step), &one, 0.01).unwrap();
    assert_eq!(back.verdict, Verdict::Faster);
    // No width at all, and no difference: equal points.
    let point = comparison(1.3, 1.3, 1.3);
    let same = ratio_of_ratios(&point, &point, 0.0).unwrap();
    assert_eq!((same.ratio, same.low, same.high), (1.0, 1.0, 1.0));
    assert_eq!(same.verdict, Verdict::NoDifference);
}

#[test]
fn two_runs_differ_from_further_apart_than_two_variants() {
    let point = comparison(1.0, 1.0, 1.0);
    let verdict = |halves: f64| {
        let ratio = 1.0 + 0.02 * halves;
        let other = comparison(ratio, ratio - 0.02, ratio + 0.02);
        ratio_of_ratios(&other, &point, 0.003).unwrap().verdict
    };
    assert_eq!(
        (verdict(1.7), verdict(2.0)),
        (Verdict::NoDifference, Verdict::Slower)
    );
}

#[test]
fn a_lopsided_interval_stays_lopsided() {
    let point = comparison(1.0, 1.0, 1.0);
    let found = ratio_of_ratios(&comparison(1.0, 1.0, 1.5), &point, 0.0).unwrap();
    assert_eq!((found.low, found.high), (1.0, 1.5));
    // As a divisor it reaches down instead.
    let found = ratio_of_ratios(&point, &comparison(1.0, 1.0, 1.5), 0.0).unwrap();
    assert!((found.low - 1.0 / 1.5).abs() < 1e-12 && found.high == 1.0);
}

#[test]
fn the_noise_floor_is_the_furthest_from_one() {
    assert_eq!(noise_floor(&[]), None);
    let alike = [comparison(1.002, 1.0, 1.01), comparison(0.992, 0.99, 1.0)];
    assert!((noise_floor(&alike).unwrap() - 0.008).abs() < 1e-12);
    // One that is near 1 by luck.
    let lucky = [comparison(1.001, 0.96, 1.03)];
    assert!((noise_floor(&lucky).unwrap() - 0.02).abs() < 1e-12);
}

#[test]
fn unequal_lengths_are_refused() {
    let some = noisy(1, 90.0);
    let short = Series {
        values: &some.values[1..],
        ..some.series()
    };
    assert_eq!(compare(&short, &some.series(), 0.01, 1), None);
}
