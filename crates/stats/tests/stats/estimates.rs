//! `estimate`.

use crate::made::{Dice, Made};
use stats::{Series, estimate};

#[test]
fn too_little_for_an_interval() {
    assert_eq!(estimate(&Made::plain(&[]).series(), 1), None);
    assert_eq!(estimate(&Made::plain(&[90.0]).series(), 1), None);
    // Two samples, but of one round: nothing to resample.
    let series = Series {
        values: &[90.0, 91.0],
        rounds: &[3, 3],
        workers: &[0, 0],
    };
    assert_eq!(estimate(&series, 1), None);
}

#[test]
fn two_samples_give_a_very_wide_interval() {
    let estimate = estimate(&Made::plain(&[90.0, 91.0]).series(), 1).unwrap();
    assert!((estimate.value - 90.5).abs() < 1e-9);
    assert_eq!(estimate.n, 2);
    // Student's interval of two samples is 6.35 times their distance to either side.
    assert!(estimate.low < 88.0 && estimate.high > 93.0, "{estimate:?}");
    assert!(estimate.low > 80.0 && estimate.high < 101.0, "{estimate:?}");
}

#[test]
fn what_is_not_a_number_is_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            estimate(&Made::plain(&[90.0, bad, 91.0, 92.0]).series(), 1),
            None
        );
    }
}

#[test]
fn unequal_lengths_are_refused() {
    let series = Series {
        values: &[1.0, 2.0, 3.0],
        rounds: &[0, 1],
        workers: &[0, 0, 0],
    };
    assert!(!series.is_sound());
    assert_eq!(estimate(&series, 1), None);
}

#[test]
fn overflow_is_none_and_not_infinite() {
    let huge = [f64::MAX, -f64::MAX, f64::MAX, -f64::MAX];
    assert_eq!(estimate(&Made::plain(&huge).series(), 1), None);
}

#[test]
fn equal_samples_give_exactly_their_value() {
    for value in [0.1, 90.3, 0.0, -7.7] {
        let estimate = estimate(&Made::new(4, 25, |_, _| value).series(), 1).unwrap();
        assert_eq!(
            (estimate.value, estimate.low, estimate.high),
            (value, value, value)
        );
        let widened = estimate.at_least(0.05);
        assert_eq!((widened.low, widened.high), (value - 0.05, value + 0.05));
    }
}

#[test]
fn an_interval_is_no_narrower_than_the_clocks_step() {
    // Nine in ten read 90, one in ten 92: the noise is too small to average the steps out.
    let made = Made::new(4, 60, |_, round| if round % 10 == 0 { 92.0 } else { 90.0 });
    let estimate = estimate(&made.series(), 1).unwrap();
    assert!(estimate.low <= estimate.value - 1.0 && estimate.high >= estimate.value + 1.0);
}

#[test]
fn negative_and_zero_samples_are_samples() {
    let mut dice = Dice::new(1);
    let made = Made::new(4, 60, |_, _| -0.5 + dice.noise());
    let estimate = estimate(&made.series(), 1).unwrap();
    assert!(estimate.low < -0.5 && -0.5 < estimate.high, "{estimate:?}");
    assert!(estimate.low < estimate.value && estimate.value < estimate.high);
}

#[test]
fn one_worker_is_named_in_the_method() {
    let mut dice = Dice::new(2);
    let several = estimate(&Made::new(4, 60, |_, _| dice.noise()).series(), 1).unwrap();
    let one = estimate(&Made::new(1, 240, |_, _| dice.noise()).series(), 1).unwrap();
    assert!(
        several.method.contains("over workers"),
        "{}",
        several.method
    );
    assert!(one.method.contains("one worker"), "{}", one.method);
    // Three samples of a second worker do not make two.
    let mut made = Made::new(1, 240, |_, _| dice.noise());
    made.workers[237..].fill(1);
    assert!(
        estimate(&made.series(), 1)
            .unwrap()
            .method
            .contains("one worker")
    );
}

#[test]
fn same_input_and_seed_give_the_same_bits_in_any_order() {
    let mut dice = Dice::new(3);
    let made = Made::new(4, 60, |_, _| 90.0 + dice.noise());
    let reversed = Made {
        values: made.values.iter().rev().copied().collect(),
        rounds: made.rounds.iter().rev().copied().collect(),
        workers: made.workers.iter().rev().copied().collect(),
    };
    let first = estimate(&made.series(), 7).unwrap();
    assert_eq!(first, estimate(&reversed.series(), 7).unwrap());
    assert_ne!(first, estimate(&made.series(), 8).unwrap());
}

#[test]
fn outliers_and_broken_rulers_do_not_move_it() {
    let mut dice = Dice::new(4);
    let made = Made::new(4, 250, |_, _| {
        let fate = dice.unit();
        let value = 90.0 + 0.5 * dice.noise();
        if fate < 0.04 {
            value + 28.0
        } else if fate < 0.06 {
            value * dice.unit()
        } else if fate < 0.065 {
            20_000.0
        } else {
            value
        }
    });
    let estimate = estimate(&made.series(), 1).unwrap();
    assert!((estimate.value - 90.0).abs() < 0.2, "{estimate:?}");
    assert!(estimate.high - estimate.low < 1.0, "{estimate:?}");
}

#[test]
fn what_changes_between_workers_is_in_the_interval() {
    let states = [88.4, 89.5, 90.4, 91.4];
    let mut dice = Dice::new(5);
    let made = Made::new(4, 60, |worker, _| {
        states[worker as usize] + 0.1 * dice.noise()
    });
    let apart = estimate(&made.series(), 1).unwrap();
    // Student's interval of four workers a cycle apart is 2 to either side.
    assert!(apart.low < 88.9 && apart.high > 90.9, "{apart:?}");
    let made = Made::new(4, 60, |_, round| {
        states[round as usize % 4] + 0.1 * dice.noise()
    });
    let mixed = estimate(&made.series(), 1).unwrap();
    assert!(
        mixed.high - mixed.low < 0.4 * (apart.high - apart.low),
        "{mixed:?}"
    );
}

#[test]
fn intervals_cover_the_truth_about_as_often_as_they_say() {
    let mut covered = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        // Each worker lies somewhere of its own round 90, the samples round that.
        let places: Vec<f64> = (0..4).map(|_| 90.0 + dice.noise()).collect();
        let made = Made::new(4, 60, |worker, _| places[worker as usize] + dice.noise());
        let estimate = estimate(&made.series(), seed).unwrap();
        covered += u32::from(estimate.low <= 90.0 && 90.0 <= estimate.high);
    }
    assert!((180..=200).contains(&covered), "{covered} of 200");
}
