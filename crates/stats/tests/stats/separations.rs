//! Scores of made-up times whose answer is known.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use stats::{Inseparable, Separation, Trial};

const GAP: f64 = 12.0;

/// Times of a mode: fast at 100, slow at 120, each with some noise; slow with this chance.
fn times(random: &mut Xoshiro256PlusPlus, slow: f64, apart: f64) -> Vec<f64> {
    (0..300)
        .map(|_| {
            let base = if random.random_bool(slow) {
                100.0 + apart
            } else {
                100.0
            };
            base + random.random_range(-3.0..3.0)
        })
        .collect()
}

fn rounds(seed: u64, count: usize, shares: [f64; 3], apart: f64) -> Vec<Trial> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count)
        .map(|_| Trial {
            constant: times(&mut random, shares[0], apart),
            dependent: times(&mut random, shares[1], apart),
            independent: times(&mut random, shares[2], apart),
        })
        .collect()
}

fn separation(trials: &[Trial]) -> Result<Separation, Inseparable> {
    let rounds: Vec<_> = trials.iter().map(|trial| trial.round(GAP)).collect();
    stats::separation(&rounds)
}

#[track_caller]
fn score(rounds: &[Trial]) -> Separation {
    separation(rounds).expect("it can be told apart")
}

#[test]
fn the_two_ends_and_the_middle() {
    for (dependent, expected) in [(0.01, 0.0), (0.5, 1.0), (0.255, 0.5)] {
        let got = score(&rounds(1, 9, [0.01, dependent, 0.5], 30.0));
        assert!((got.score - expected).abs() < 0.06, "{expected}: {got:?}");
        assert!(got.low < got.score && got.score < got.high);
        assert_eq!(got.rounds, 9);
    }
}

#[test]
fn the_interval_holds_the_truth_nineteen_times_in_twenty() {
    let inside = (0..400)
        .filter(|&seed| {
            let got = score(&rounds(seed, 6, [0.02, 0.26, 0.5], 30.0));
            got.low <= 0.5 && 0.5 <= got.high
        })
        .count();
    assert!((365..=398).contains(&inside), "{inside} of 400");
}

#[test]
fn each_gate_says_what_is_wrong() {
    let refused = |shares, apart| separation(&rounds(1, 3, shares, apart));
    assert!(
        matches!(refused([0.3, 0.3, 0.5], 30.0), Err(Inseparable::Constant(share)) if share > 0.2)
    );
    assert!(
        matches!(refused([0.01, 0.3, 0.8], 30.0), Err(Inseparable::Independent(share)) if share > 0.7)
    );
    assert!(matches!(refused([0.01, 0.3, 0.5], 6.0), Err(Inseparable::Gap(gap)) if gap < GAP));
    assert_eq!(separation(&[]), Err(Inseparable::Nothing));
    assert_eq!(separation(&[Trial::default()]), Err(Inseparable::Nothing));
}

#[test]
fn what_is_not_finite_is_refused_and_not_skipped() {
    let mut one = rounds(1, 1, [0.01, 0.01, 0.5], 30.0);
    one[0].dependent[7] = f64::NAN;
    assert!(separation(&one).is_err());
    let mut one = rounds(1, 1, [0.01, 0.01, 0.5], 30.0);
    one[0].constant[7] = f64::INFINITY;
    assert!(separation(&one).is_err());
}

/// A neighbour on the core makes some rounds useless; the clock changes between rounds.
#[test]
fn disturbed_rounds_and_another_clock_change_nothing() {
    let mut disturbed = rounds(1, 6, [0.01, 0.5, 0.5], 30.0);
    disturbed.extend(rounds(2, 3, [0.4, 0.4, 0.4], 30.0));
    for trial in &mut disturbed[..3] {
        for times in [
            &mut trial.constant,
            &mut trial.dependent,
            &mut trial.independent,
        ] {
            for time in times {
                *time *= 1.5;
            }
        }
    }
    let got = score(&disturbed);
    assert!((got.score - 1.0).abs() < 0.08, "{got:?}");
    assert_eq!(got.rounds, 6);
}

#[test]
fn few_sound_rounds_are_no_score() {
    let mut disturbed = rounds(1, 2, [0.01, 0.5, 0.5], 30.0);
    disturbed.extend(rounds(2, 7, [0.4, 0.4, 0.4], 30.0));
    assert!(matches!(
        separation(&disturbed),
        Err(Inseparable::Constant(_))
    ));
}

/// One interruption in three hundred times moves nothing.
#[test]
fn outliers_count_once() {
    let mut all = rounds(1, 3, [0.0, 0.0, 0.5], 30.0);
    for trial in &mut all {
        trial.dependent[100] = 1e6;
        trial.constant[100] = 1e6;
        trial.independent[100] = 1e6;
    }
    assert!(score(&all).score.abs() < 0.02);
}
