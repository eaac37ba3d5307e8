//! `quantile`, `median`, `location`, `thin`.

use stats::{location, median, quantile, thin};

#[test]
fn degenerate_input() {
    assert_eq!(median(&[]), None);
    assert_eq!(median(&[1.0, f64::NAN]), None);
    assert_eq!(location(&[]), None);
    assert_eq!(location(&[1.0, f64::INFINITY]), None);
    assert_eq!(quantile(&[1.0, 2.0], 1.1), None);
    assert_eq!(quantile(&[1.0, 2.0], -0.1), None);
    assert_eq!(quantile(&[1.0, 2.0], f64::NAN), None);
    assert_eq!(quantile(&[7.0], 0.3), Some(7.0));
    assert_eq!(median(&[f64::MAX, -f64::MAX]), Some(0.0));
}

#[test]
fn quantiles_lie_between_their_neighbours() {
    let values = [4.0, 1.0, 3.0, 2.0, 5.0];
    let at = |q| quantile(&values, q).unwrap();
    assert_eq!((at(0.0), at(0.25), at(0.5), at(1.0)), (1.0, 2.0, 3.0, 5.0));
    assert!((at(0.1) - 1.4).abs() < 1e-12);
    assert_eq!(median(&[1.0, 2.0, 10.0, 20.0]), Some(6.0));
}

#[test]
fn the_location_leaves_out_a_tenth_at_either_end() {
    let mut values: Vec<f64> = (100..120).map(|i| f64::from(i) / 10.0).collect();
    // The highest two count for a little less, as they lie far above the lowest three tenths.
    let even = location(&values).unwrap();
    assert!((even - 10.95).abs() < 0.02, "{even}");
    values[0] = -1e9;
    values[1] = -1e9;
    values[18] = 13.0;
    values[19] = 13.0;
    assert!((location(&values).unwrap() - 10.95).abs() < 1e-6);
    // Of five, the outer two count by half.
    let expected = 1000.0 + (0.5 * 0.0 + 1.0 + 2.0 + 3.0 + 0.5 * 5.0) / 4.0;
    assert!((location(&[1003.0, 1005.0, 1000.0, 1001.0, 1002.0]).unwrap() - expected).abs() < 1e-9);
    assert_eq!(location(&[5.0]), Some(5.0));
    assert!((location(&[1005.0, 1006.0]).unwrap() - 1005.5).abs() < 1e-9);
}

#[test]
fn values_that_are_nearly_equal_have_a_location() {
    let value = 501.565_594_643_026;
    for n in 1..40 {
        for step in 0..4 {
            let values: Vec<f64> = (0..n)
                .map(|i| value + f64::from(i % 2 * step) * f64::EPSILON * 256.0)
                .collect();
            assert!((location(&values).unwrap() - value).abs() < 1e-9);
        }
    }
}

#[test]
fn the_location_is_the_usual_state_s() {
    let state = |at: f64, n: u32| (0..n).map(move |i| at + 0.1 * f64::from(i % 5));
    let mixed = |low, high| -> Vec<f64> { state(90.0, low).chain(state(118.0, high)).collect() };
    let usual = location(&mixed(100, 0)).unwrap();
    assert!((usual - 90.2).abs() < 0.01);
    for (low, high) in [(96, 4), (86, 14), (76, 24), (60, 40), (51, 49)] {
        assert!((location(&mixed(low, high)).unwrap() - usual).abs() < 0.05);
    }
    // From seven tenths on neither is left out, but for a tenth at either end, and from one to the
    // other there is no jump.
    let most = (0.2 * 90.2 + 0.6 * 118.2) / 0.8;
    assert!((location(&mixed(30, 70)).unwrap() - most).abs() < 0.1);
    let steps: Vec<f64> = (0..=100)
        .map(|high| location(&mixed(100 - high, high)).unwrap())
        .collect();
    assert!(
        steps
            .windows(2)
            .all(|pair| (-0.01..4.0).contains(&(pair[1] - pair[0])))
    );
    // A state that wanders across the edge is left out by and by, not at once.
    let steps: Vec<f64> = (0..=100)
        .map(|step| {
            let high = state(90.0 + 0.1 * f64::from(step), 30);
            location(&state(90.0, 70).chain(high).collect::<Vec<_>>()).unwrap()
        })
        .collect();
    assert!(
        steps
            .windows(2)
            .all(|pair| (pair[1] - pair[0]).abs() < 0.15)
    );
    assert!(
        steps[25] > usual + 0.1 && steps[100] < usual + 0.05,
        "{steps:?}"
    );
}

#[test]
fn thinning_is_even_and_keeps_the_ends() {
    assert_eq!(thin(0, 5), [0usize; 0]);
    assert_eq!(thin(5, 0), [0usize; 0]);
    assert_eq!(thin(3, 5), [0, 1, 2]);
    assert_eq!(thin(5, 5), [0, 1, 2, 3, 4]);
    assert_eq!(thin(5, 1), [2]);
    assert_eq!(thin(9, 3), [0, 4, 8]);
    for n in [501, 999, 1000, 3000, usize::MAX] {
        let kept = thin(n, 500);
        assert_eq!((kept.len(), kept[0], kept[499]), (500, 0, n - 1));
        let gaps: Vec<usize> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
        assert!(*least >= 1 && most - least <= 1, "{n}: {least} to {most}");
    }
}
