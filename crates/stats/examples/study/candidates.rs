//! Estimators that might have been taken.

pub(crate) struct Candidate {
    pub(crate) name: &'static str,
    /// Of sorted values, at least one.
    pub(crate) of: fn(&[f64]) -> f64,
    /// Whether it is worth a column in the study of measured samples.
    pub(crate) measured: bool,
}

pub(crate) const CANDIDATES: &[Candidate] = &[
    Candidate {
        name: "minimum",
        of: |x| x[0],
        measured: false,
    },
    Candidate {
        name: "mean",
        of: |x| trimmed(x, 0.0),
        measured: true,
    },
    Candidate {
        name: "trimmed mean 5 %",
        of: |x| trimmed(x, 0.05),
        measured: false,
    },
    Candidate {
        name: "trimmed mean 10 %",
        of: |x| trimmed(x, 0.1),
        measured: true,
    },
    Candidate {
        name: "trimmed mean 15 %",
        of: |x| trimmed(x, 0.15),
        measured: false,
    },
    Candidate {
        name: "interquartile mean",
        of: |x| trimmed(x, 0.25),
        measured: true,
    },
    Candidate {
        name: "median",
        of: |x| trimmed(x, 0.499_999),
        measured: true,
    },
    Candidate {
        name: "lower quarter's mean",
        of: lower_quarter,
        measured: false,
    },
    Candidate {
        name: "half-sample mode",
        of: half_sample_mode,
        measured: false,
    },
    Candidate {
        name: "shorth",
        of: shorth,
        measured: true,
    },
    Candidate {
        name: "Hodges-Lehmann",
        of: hodges_lehmann,
        measured: true,
    },
];

pub(crate) fn trimmed(sorted: &[f64], trim: f64) -> f64 {
    let cut = trim * sorted.len() as f64;
    let (mut sum, mut weight) = (0.0, 0.0);
    for (i, value) in sorted.iter().enumerate() {
        let below = (i as f64 + 1.0 - cut).clamp(0.0, 1.0);
        let above = (sorted.len() as f64 - i as f64 - cut).clamp(0.0, 1.0);
        let share = below.min(above);
        sum += share * value;
        weight += share;
    }
    sum / weight
}

/// Without the lowest 2 %, which broken rulers own.
fn lower_quarter(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    trimmed(&sorted[n / 50..(n / 4).max(n / 50 + 1)], 0.0)
}

fn shortest_half(sorted: &[f64]) -> &[f64] {
    let half = sorted.len().div_ceil(2);
    sorted
        .windows(half)
        .min_by(|a, b| (a[half - 1] - a[0]).total_cmp(&(b[half - 1] - b[0])))
        .unwrap_or(sorted)
}

fn half_sample_mode(sorted: &[f64]) -> f64 {
    let mut rest = sorted;
    while rest.len() > 3 {
        rest = shortest_half(rest);
    }
    trimmed(rest, 0.0)
}

fn shorth(sorted: &[f64]) -> f64 {
    trimmed(shortest_half(sorted), 0.0)
}

/// Median of the means of all pairs, of an even selection where there are very many.
fn hodges_lehmann(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let step = (n / 150).max(1);
    let mut means = Vec::with_capacity(n * n / (2 * step * step) + n);
    for i in (0..n).step_by(step) {
        for j in (i..n).step_by(step) {
            means.push(f64::midpoint(sorted[i], sorted[j]));
        }
    }
    let middle = means.len() / 2;
    *means.select_nth_unstable_by(middle, f64::total_cmp).1
}
