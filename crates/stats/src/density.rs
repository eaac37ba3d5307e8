//! A smoothed histogram, and the peaks of it that are not chance.

/// Where samples pile up, all in the samples' own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    pub(crate) at: f64,
    /// The peak's samples lie from here,
    pub(crate) from: f64,
    /// to here; what is outside of every peak's range lies in no man's land.
    pub(crate) to: f64,
}

/// Most cells of the histogram; a range wider than this many cells gets wider cells.
const CELLS: f64 = 16_384.0;
/// Cells in one bandwidth.
const FINENESS: f64 = 4.0;
/// Integral of the squared Gaussian kernel: the variance of a density's estimate.
const ROUGHNESS: f64 = 0.282_095;
/// A peak ends where the density has fallen to this part of its height.
const FOOT: f64 = 0.02;

/// The density of `values` within `low..=high`, smoothed with a Gaussian of the given bandwidth
/// (positive), and its peaks in ascending order. Two peaks are told apart if the valley between
/// them is at most 85 % of the lower one and deeper than three standard deviations.
pub(crate) fn peaks(values: &[f64], low: f64, high: f64, bandwidth: f64) -> Vec<Peak> {
    // Room for the kernel at either end.
    let start = low - 4.0 * bandwidth;
    let width = high + 4.0 * bandwidth - start;
    let step = (bandwidth / FINENESS).max(width / CELLS);
    let cells = (width / step).ceil() as usize + 1;
    let mut counts = vec![0.0; cells];
    let mut n = 0.0;
    for &value in values.iter().filter(|value| (low..=high).contains(*value)) {
        // Shared out between the two nearest cells, so that cells add no graininess of their own.
        let at = (value - start) / step;
        let cell = (at as usize).min(cells - 2);
        let part = (at - cell as f64).clamp(0.0, 1.0);
        counts[cell] += 1.0 - part;
        counts[cell + 1] += part;
        n += 1.0;
    }
    let density = smooth(&counts, step / bandwidth);
    // In counts per cell; one sample spreads over 1/0.28 bandwidths.
    let noise = |height: f64| (height * ROUGHNESS * step / bandwidth).sqrt();
    let tops = tops(&density, n, noise);
    let place = |cell: usize| start + cell as f64 * step;
    tops.iter()
        .map(|top| {
            let foot = FOOT * density[top.at];
            let from = (top.from..top.at)
                .rev()
                .find(|i| density[*i] < foot)
                .unwrap_or(top.from);
            let to = (top.at..=top.to)
                .find(|i| density[*i] < foot)
                .unwrap_or(top.to);
            Peak {
                at: place(top.at),
                from: place(from),
                to: place(to),
            }
        })
        .collect()
}

fn smooth(counts: &[f64], step: f64) -> Vec<f64> {
    let reach = (4.0 / step).ceil() as usize;
    let kernel: Vec<f64> = (0..=reach)
        .map(|i| (-0.5 * (i as f64 * step).powi(2)).exp())
        .collect();
    let total = 2.0 * kernel.iter().sum::<f64>() - kernel[0];
    let mut density = vec![0.0; counts.len()];
    for (i, count) in counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count != 0.0)
    {
        let first = i.saturating_sub(reach);
        let last = (i + reach).min(counts.len() - 1);
        for (j, cell) in density[first..=last].iter_mut().enumerate() {
            *cell += count * kernel[(first + j).abs_diff(i)] / total;
        }
    }
    density
}

/// Cells of one peak, from the valley below to the valley above.
struct Top {
    at: usize,
    from: usize,
    to: usize,
}

fn tops(density: &[f64], n: f64, noise: impl Fn(f64) -> f64) -> Vec<Top> {
    let mut tops: Vec<Top> = Vec::new();
    if n == 0.0 {
        return tops;
    }
    // Every rise and fall is a peak at first.
    let mut from = 0;
    let mut at = 0;
    let mut falling = false;
    for i in 1..density.len() {
        if density[i] < density[i - 1] {
            if !falling {
                at = i - 1;
            }
            falling = true;
        } else if density[i] > density[i - 1] && falling {
            tops.push(Top {
                at,
                from,
                to: i - 1,
            });
            from = i - 1;
            falling = false;
        }
    }
    if falling {
        tops.push(Top {
            at,
            from,
            to: density.len() - 1,
        });
    }
    // Then the shallowest valley is filled in, until every valley left is real.
    loop {
        let shallowest = tops
            .windows(2)
            .enumerate()
            .map(|(i, pair)| {
                let lower = density[pair[0].at].min(density[pair[1].at]);
                let valley = density[pair[0].to];
                let depth = (lower - valley) / noise(lower).max(f64::MIN_POSITIVE);
                (i, depth, valley / lower)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        // The valley with least significance goes first; a shallow one goes even if significant.
        let fill = match shallowest {
            Some((i, depth, _)) if depth < 3.0 => Some(i),
            _ => tops.windows(2).position(|pair| {
                density[pair[0].to] > 0.85 * density[pair[0].at].min(density[pair[1].at])
            }),
        };
        let Some(i) = fill else { return tops };
        let upper = tops.remove(i + 1);
        if density[upper.at] > density[tops[i].at] {
            tops[i].at = upper.at;
        }
        tops[i].to = upper.to;
    }
}
