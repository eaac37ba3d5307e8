//! `modes`.

use crate::made::Dice;
use stats::modes;

#[test]
fn rounding_alone_makes_no_modes() {
    // Quantiles between equal or nearly equal values are apart by their last digits, and a histogram
    // of these may have no width.
    let mut dice = Dice::new(5);
    for n in 2..200 {
        let value = 1e6 * dice.unit();
        for step in [value, value.next_up()] {
            let mut values = vec![value; n];
            values.extend(vec![step; n / 2]);
            assert_eq!(modes(&values).len(), 1, "{n} of {value}");
        }
    }
}

#[test]
fn degenerate_input() {
    assert!(modes(&[]).is_empty());
    assert!(modes(&[90.0, f64::NAN]).is_empty());
    assert!(modes(&[f64::INFINITY]).is_empty());
    for values in [vec![90.0], vec![90.0; 50], vec![-3.0; 2]] {
        let found = modes(&values);
        assert_eq!(
            (found.len(), found[0].value, found[0].share),
            (1, values[0], 1.0)
        );
    }
    let found = modes(&[90.0, 91.0]);
    assert!(!found.is_empty() && found.iter().map(|mode| mode.share).sum::<f64>() <= 1.0);
    // The greatest floats overflow, and are no reason to panic.
    assert_eq!(modes(&[f64::MAX, -f64::MAX, f64::MAX, -f64::MAX]).len(), 1);
}

fn mixture(seed: u64, n: usize, states: &[(f64, f64)], noise: f64) -> Vec<f64> {
    let mut dice = Dice::new(seed);
    (0..n)
        .map(|_| {
            let mut at = dice.unit();
            let state = states.iter().find(|state| {
                at -= state.1;
                at < 0.0
            });
            state.unwrap_or(&states[0]).0 + noise * dice.noise()
        })
        .collect()
}

#[test]
fn states_a_cycle_apart_are_told_apart() {
    let states = [(88.4, 0.4), (89.5, 0.3), (90.4, 0.2), (91.4, 0.1)];
    for seed in 0..10 {
        let found = modes(&mixture(seed, 2000, &states, 0.15));
        assert_eq!(found.len(), 4, "{found:?}");
        for (mode, state) in found.iter().zip(states) {
            assert!((mode.value - state.0).abs() < 0.1, "{found:?}");
            assert!((mode.share - state.1).abs() < 0.06, "{found:?}");
        }
    }
}

#[test]
fn one_state_is_one_mode() {
    for (seed, n) in (0..40).zip([30, 100, 500, 3000].into_iter().cycle()) {
        let found = modes(&mixture(seed, n, &[(90.0, 1.0)], 0.5));
        assert_eq!(found.len(), 1, "{n}: {found:?}");
        assert!(found[0].share > 0.9, "{found:?}");
    }
}

#[test]
fn what_one_in_twenty_has_is_a_mode_and_less_is_not() {
    let found = modes(&mixture(1, 2000, &[(90.0, 0.88), (118.0, 0.12)], 0.3));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[1].value - 118.0).abs() < 0.1 && (found[1].share - 0.12).abs() < 0.03);
    let found = modes(&mixture(1, 2000, &[(90.0, 0.97), (118.0, 0.03)], 0.3));
    assert_eq!(found.len(), 1, "{found:?}");
    // The rare ones are nobody's.
    assert!(found[0].share < 0.985, "{found:?}");
}

#[test]
fn steps_of_a_coarse_clock_are_no_modes() {
    let fine = mixture(2, 2000, &[(90.0, 1.0)], 1.0);
    let coarse: Vec<f64> = fine
        .iter()
        .map(|value| (value * 2.0).round() / 2.0)
        .collect();
    assert_eq!(modes(&coarse).len(), 1, "{:?}", modes(&coarse));
}

#[test]
fn wild_outliers_do_not_blur_the_modes() {
    let mut values = mixture(3, 2000, &[(234.0, 0.5), (260.0, 0.5)], 3.0);
    values.extend([12_980.3, -5406.6, 6112.8, 0.2, 1.1, 7207.8]);
    let found = modes(&values);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[0].value - 234.0).abs() < 1.0 && (found[1].value - 260.0).abs() < 1.0);
}
