//! The layout sweep: cycles by the code's offset within a line.

use plotters::prelude::*;

use super::{FAINT, GRID, INK, PlotError, Svg, draw, label, series};
use crate::html::number::amount;
use crate::html::sweep::Placed;

const SIZE: (u32, u32) = (420, 190);

/// Medians with quartiles at each offset; the baseline's beside them in the text's colour.
pub(in crate::html) fn layout(
    ours: &[Placed],
    baseline: &[Placed],
    colour: usize,
) -> Result<Svg, PlotError> {
    let all = || ours.iter().chain(baseline);
    let low = all().map(|p| p.quartiles[0]).fold(f64::INFINITY, f64::min);
    let high = all()
        .map(|p| p.quartiles[2])
        .fold(f64::NEG_INFINITY, f64::max);
    let most = all().map(|p| p.offset).max().unwrap_or(0);
    let room = ((high - low) * 0.08).max(high.abs() * 0.002).max(1e-6);
    draw(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .set_label_area_size(LabelAreaPosition::Bottom, 34)
            .set_label_area_size(LabelAreaPosition::Left, 46)
            .build_cartesian_2d(-1.0..f64::from(most) + 1.0, low - room..high + room)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(FAINT)
            .label_style(label(13, &FAINT))
            .axis_desc_style(label(13, &FAINT))
            .x_desc("offset within the line, bytes")
            .x_labels(9)
            .y_labels(5)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| amount(*y))
            .draw()?;
        for (placed, colour, shift) in [(baseline, INK, 0.35), (ours, series(colour), -0.35)] {
            for at in placed {
                let x = f64::from(at.offset) + shift;
                chart.plotting_area().draw(&PathElement::new(
                    vec![(x, at.quartiles[0]), (x, at.quartiles[2])],
                    colour.stroke_width(1),
                ))?;
                chart.plotting_area().draw(&Circle::new(
                    (x, at.quartiles[1]),
                    3,
                    colour.filled(),
                ))?;
            }
        }
        Ok(())
    })
}
