//! How one measure's samples are distributed.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{FAINT, INK, PlotError, Svg, draw, label, series};
use crate::html::histogram::{BINS, Histogram};
use crate::html::number::amount;

const SIZE: (u32, u32) = (340, 128);
/// Where the bars stand, leaving room for the estimate above and the axis below.
const LEFT: i32 = 8;
const RIGHT: i32 = 332;
const TOP: i32 = 24;
const BASE: i32 = 98;

/// Bars of the samples, ticks below at the modes, and above them the estimate with its interval.
pub(in crate::html) fn distribution(
    histogram: &Histogram,
    estimate: Option<[f64; 3]>,
    modes: &[f64],
    colour: usize,
    unit: &str,
) -> Result<Svg, PlotError> {
    let colour = series(colour);
    let x = |value: f64| -> i32 {
        let at = (value - histogram.low) / (histogram.high - histogram.low);
        LEFT + (at.clamp(0.0, 1.0) * f64::from(RIGHT - LEFT)).round() as i32
    };
    let inside = |value: f64| (histogram.low..=histogram.high).contains(&value);
    draw(SIZE, |area| {
        let edge = |bin: usize| LEFT + (bin as i32 * (RIGHT - LEFT)) / BINS as i32;
        let tallest = f64::from(histogram.tallest());
        for (bin, &count) in histogram.bins.iter().enumerate() {
            if count > 0 {
                // A single sample must still be seen.
                let height = (f64::from(count) / tallest * f64::from(BASE - TOP)).max(1.5);
                area.draw(&Rectangle::new(
                    [
                        (edge(bin), BASE - height.round() as i32),
                        (edge(bin + 1), BASE),
                    ],
                    colour.filled(),
                ))?;
            }
        }
        area.draw(&PathElement::new(
            vec![(LEFT, BASE), (RIGHT, BASE)],
            FAINT.stroke_width(1),
        ))?;
        for &mode in modes.iter().filter(|&&mode| inside(mode)) {
            area.draw(&TriangleMarker::new((x(mode), BASE + 6), 4, INK.filled()))?;
        }
        if let Some([low, middle, high]) = estimate
            && inside(middle)
        {
            let y = TOP - 12;
            area.draw(&PathElement::new(
                vec![(x(low), y), (x(high), y)],
                INK.stroke_width(2),
            ))?;
            area.draw(&Circle::new((x(middle), y), 4, INK.filled()))?;
        }
        let step = (histogram.high - histogram.low) / 3.0;
        for (at, anchor) in [
            (0, HPos::Left),
            (1, HPos::Center),
            (2, HPos::Center),
            (3, HPos::Right),
        ] {
            let value = histogram.low + step * f64::from(at);
            let text = if at == 3 {
                format!("{} {unit}", amount(value))
            } else {
                amount(value)
            };
            let style = label(14, &FAINT).pos(Pos::new(anchor, VPos::Top));
            area.draw_text(&text, &style, (x(value), BASE + 13))?;
        }
        Ok(())
    })
}
