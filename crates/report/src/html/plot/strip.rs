//! A distribution in a table's cell: one shape, no text.

use plotters::prelude::*;

use super::{PlotError, Svg, draw, series};
use crate::html::histogram::{BINS, Histogram};

const SIZE: (u32, u32) = (120, 22);
/// Bins that share a step, for the strip is narrow.
const TOGETHER: usize = 2;

/// The outline of the samples' distribution.
pub(in crate::html) fn strip(histogram: &Histogram, colour: usize) -> Result<Svg, PlotError> {
    let base = SIZE.1 as i32;
    let steps: Vec<u32> = histogram
        .bins
        .chunks(TOGETHER)
        .map(|bins| bins.iter().sum())
        .collect();
    let tallest = steps.iter().copied().max().unwrap_or(0).max(1);
    let edge = |step: usize| (step * TOGETHER * SIZE.0 as usize / BINS) as i32;
    let mut points = vec![(0, base)];
    for (step, &count) in steps.iter().enumerate() {
        let mut height = (f64::from(count) / f64::from(tallest) * f64::from(SIZE.1)).round() as i32;
        if count > 0 {
            height = height.max(1);
        }
        // Corners only: a run of equal steps is one line.
        let y = base - height;
        if points.last().is_some_and(|last| last.1 != y) {
            points.push((edge(step), points[points.len() - 1].1));
            points.push((edge(step), y));
        }
    }
    points.push((SIZE.0 as i32, points[points.len() - 1].1));
    points.push((SIZE.0 as i32, base));
    draw(SIZE, |area| {
        area.draw(&Polygon::new(points, series(colour).filled()))?;
        Ok(())
    })
}
