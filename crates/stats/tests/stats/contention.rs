//! `floor`, `clean`, `contended_share`, `core`.

use crate::made::Dice;
use stats::{Core, clean, contended_share, core, floor};

#[test]
fn no_floor_without_readings() {
    assert_eq!(floor(&[], None), None);
    assert_eq!(floor(&[349.0; 3], None), None);
    assert_eq!(floor(&[f64::NAN, f64::INFINITY, 0.0, -3.0], None), None);
    assert_eq!(floor(&[], Some(349.0)), Some(349.0));
    assert_eq!(floor(&[], Some(f64::NAN)), None);
}

#[test]
fn as_few_readings_as_make_a_floor_may_be_far_apart() {
    for n in 8..20_u32 {
        let readings: Vec<f64> = (0..n).map(|i| 349.0 * f64::from(1 + i)).collect();
        let found = floor(&readings, None);
        assert!(found.is_none_or(|found| found >= 340.0), "{found:?}");
    }
}

#[test]
fn equal_readings_are_the_floor() {
    let floor = floor(&[349.0; 100], None).unwrap();
    assert!((floor / 349.0 - 1.0).abs() < 0.001, "{floor}");
}

/// Readings of a core that is ours for a share of the time, with some disturbed rulers.
fn readings(ours: f64, scatter: f64, n: usize) -> Vec<f64> {
    let mut dice = Dice::new(11);
    (0..n)
        .map(|_| {
            let fate = dice.unit();
            if fate < 0.02 {
                349.0 * dice.unit()
            } else if dice.unit() < ours {
                349.0 * (1.0 + scatter * dice.noise())
            } else {
                // What a busy sibling does varies from sample to sample.
                349.0 * (1.2 + 0.5 * dice.unit())
            }
        })
        .collect()
}

#[test]
fn the_floor_is_where_the_undisturbed_readings_are() {
    for ours in [1.0, 0.9, 0.5, 0.1, 0.05] {
        for scatter in [0.001, 0.005, 0.01] {
            let floor = floor(&readings(ours, scatter, 10_000), None).unwrap();
            assert!(
                (floor / 349.0 - 1.0).abs() < 0.012,
                "{floor} at {ours} and {scatter}"
            );
        }
    }
}

#[test]
fn most_undisturbed_samples_are_kept_even_where_readings_scatter() {
    let readings = readings(1.0, 0.01, 10_000);
    let floor = floor(&readings, None).unwrap();
    let pairs: Vec<[f64; 2]> = readings
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    let contended = contended_share(&clean(&pairs, floor, 0.02));
    assert!(contended < 0.3, "{contended}");
}

#[test]
fn a_floor_known_from_elsewhere_counts_only_if_lower() {
    let contended = readings(0.0, 0.01, 10_000);
    assert!(floor(&contended, None).unwrap() > 400.0);
    assert_eq!(floor(&contended, Some(349.0)), Some(349.0));
    let ours = readings(1.0, 0.001, 10_000);
    assert!(floor(&ours, Some(420.0)).unwrap() < 352.0);
}

#[test]
fn both_sentinels_must_be_near_the_floor_from_above_and_below() {
    let pairs = [
        [349.0, 349.0],
        [355.0, 343.0],
        [349.0, 357.0],
        [420.0, 349.0],
        [349.0, 30.0],
        [f64::NAN, 349.0],
        [349.0, f64::INFINITY],
    ];
    let kept = clean(&pairs, 349.0, 0.02);
    assert_eq!(kept, [true, true, false, false, false, false, false]);
    assert!((contended_share(&kept) - 5.0 / 7.0).abs() < 1e-12);
    assert_eq!(clean(&[], 349.0, 0.02), [false; 0]);
    assert_eq!(contended_share(&[]), 0.0);
}

#[test]
fn whose_the_core_was() {
    let mut kept = vec![true; 98];
    kept.extend([false; 2]);
    assert_eq!(core(&kept, 50), Core::Ours);
    kept.extend([false; 100]);
    assert_eq!(core(&kept, 50), Core::Shared { contended: 0.51 });
    assert_eq!(
        core(&kept, 99),
        Core::NeverOurs {
            kept: 98,
            contended: 0.51
        }
    );
    assert_eq!(
        core(&[], 1),
        Core::NeverOurs {
            kept: 0,
            contended: 0.0
        }
    );
}
