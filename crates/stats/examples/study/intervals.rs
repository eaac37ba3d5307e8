//! Ways to an interval of a ratio (or of one series, where the other is all ones).

use crate::worlds::{Random, Round};
use rand::RngExt;
use statrs::distribution::{ContinuousCDF, StudentsT};

pub(crate) type Of = fn(&[f64]) -> f64;

/// The rounds of each worker, cut into blocks.
pub(crate) fn blocks(run: &[Round], most: usize) -> Vec<Vec<&[Round]>> {
    run.chunk_by(|a, b| a.worker == b.worker)
        .map(|worker| worker.chunks(worker.len().div_ceil(most).max(1)).collect())
        .collect()
}

/// How the two series are brought together.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Pairing {
    /// The ratio of the two locations, each of all its samples.
    All,
    /// The same, only of rounds that have both.
    Both,
    /// The location of the rounds' ratios.
    Ratios,
    /// The location of the first series alone.
    First,
}

pub(crate) fn location<'a>(
    rounds: impl Iterator<Item = &'a Round>,
    of: Of,
    pairing: Pairing,
) -> Option<f64> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for round in rounds {
        match (pairing, round.values) {
            (Pairing::Ratios, [Some(x), Some(y)]) => a.push(x / y),
            (Pairing::Both, [Some(x), Some(y)]) => {
                a.push(x);
                b.push(y);
            }
            (Pairing::All, [x, y]) => {
                a.extend(x);
                b.extend(y);
            }
            (Pairing::First, [Some(x), _]) => a.push(x),
            _ => {}
        }
    }
    let sorted = |mut values: Vec<f64>| {
        values.sort_unstable_by(f64::total_cmp);
        (!values.is_empty()).then(|| of(&values))
    };
    match pairing {
        Pairing::All | Pairing::Both => Some(sorted(a)? / sorted(b)?),
        Pairing::Ratios | Pairing::First => sorted(a),
    }
}

pub(crate) fn student(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom)
        .unwrap()
        .inverse_cdf(0.975)
}

/// Workers, then blocks: the plain percentiles, and the same widened as Student's would be.
pub(crate) fn bootstrap(
    run: &[Round],
    of: Of,
    pairing: Pairing,
    draws: usize,
    widen: bool,
    random: &mut Random,
) -> Option<[f64; 3]> {
    let middle = location(run.iter(), of, pairing)?;
    let workers = blocks(run, 12);
    let mut values: Vec<f64> = (0..draws)
        .filter_map(|_| {
            let mut picked: Vec<&[Round]> = Vec::new();
            for _ in 0..workers.len() {
                let worker = &workers[random.random_range(0..workers.len())];
                for _ in 0..worker.len() {
                    picked.push(worker[random.random_range(0..worker.len())]);
                }
            }
            location(picked.into_iter().flatten(), of, pairing)
        })
        .collect();
    values.sort_unstable_by(f64::total_cmp);
    let n = workers.len() as f64;
    let scale = if widen && n > 1.0 {
        student(n - 1.0) / 1.96 * (n / (n - 1.0)).sqrt()
    } else {
        1.0
    };
    let at = |q: f64| middle + scale * (values[(q * (values.len() - 1) as f64) as usize] - middle);
    Some([middle, at(0.025).min(middle), at(0.975).max(middle)])
}

/// Variance components of a location (by the influence of leaving out a block or a worker), and
/// Student's quantile for the freedom that they leave.
pub(crate) fn components(run: &[Round], of: Of, pairing: Pairing, kind: Kind) -> Option<[f64; 3]> {
    let middle = location(run.iter(), of, pairing)?;
    let workers = blocks(run, 12);
    let flat: Vec<(usize, &[Round])> = workers
        .iter()
        .enumerate()
        .flat_map(|(i, blocks)| blocks.iter().map(move |block| (i, *block)))
        .collect();
    let total = flat.len() as f64;
    // How far each block pulls the location from what the others say.
    let mut pulls = vec![Vec::new(); workers.len()];
    for (i, (worker, _)) in flat.iter().enumerate() {
        let others = flat
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, b)| b.1);
        let without = location(others, of, pairing)?;
        pulls[*worker].push((middle - without) * (total - 1.0) / total);
    }
    let w = workers.len() as f64;
    let between = w / (w - 1.0)
        * pulls
            .iter()
            .map(|p| p.iter().sum::<f64>().powi(2))
            .sum::<f64>();
    let within: f64 = pulls
        .iter()
        .map(|p| {
            let k = p.len() as f64;
            let mean = p.iter().sum::<f64>() / k;
            k / (k - 1.0) * p.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
        })
        .sum();
    let freedom = [w - 1.0, total - w];
    let half = match kind {
        Kind::Workers => student(freedom[0]) * between.sqrt(),
        Kind::Both => {
            let sum = between + within;
            let left = sum.powi(2) / (between.powi(2) / freedom[0] + within.powi(2) / freedom[1]);
            student(left.max(1.0)) * sum.sqrt()
        }
    };
    if half.is_nan() {
        return None;
    }
    Some([middle, middle - half, middle + half])
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Student's interval of the workers alone.
    Workers,
    /// Workers and, once more, blocks: what the two-stage bootstrap adds up.
    Both,
}
