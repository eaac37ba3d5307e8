//! How the numbers of clear_bhb_loop vary from run to run, drawn.

use std::path::Path;

use plotters::prelude::*;
use record::Context;

use crate::row::Row;

const SIZE: (u32, u32) = (900, 640);

/// One point a run for each variant and context: its estimate against the median of all runs; and
/// behind them a bar, the median half width of their intervals.
pub(crate) fn draw(rows: &[Row], path: &Path) -> anyhow::Result<()> {
    let places = crate::figures::places(rows);
    let shown: Vec<_> = places
        .iter()
        .filter(|((kind, ..), _)| *kind == "bhb")
        .map(|((_, variant, context), rows)| (*variant, *context, rows))
        .collect();
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 210)
        .set_label_area_size(LabelAreaPosition::Bottom, 40)
        .build_cartesian_2d(-4.0..4.0_f64, 0.0..shown.len() as f64)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_desc("estimate of a run against the median of all runs, %; bar: half an interval")
        .draw()?;
    for (index, (variant, context, rows)) in shown.iter().enumerate() {
        let y = (shown.len() - 1 - index) as f64 + 0.5;
        let cycles: Vec<f64> = rows.iter().map(|row| row.cycles[0]).collect();
        let middle = stats::median(&cycles).unwrap_or(f64::NAN);
        let percent = |value: f64| (100.0 * (value / middle - 1.0)).clamp(-4.0, 4.0);
        let halves: Vec<f64> = rows
            .iter()
            .map(|row| (row.cycles[2] - row.cycles[1]) / 2.0)
            .collect();
        let half = percent(middle + stats::median(&halves).unwrap_or(0.0));
        let colour = match context {
            Context::Chained => &BLUE,
            Context::Isolated => &RED,
            _ => &BLACK,
        };
        chart.draw_series([Rectangle::new(
            [(-half, y - 0.4), (half, y + 0.4)],
            RGBColor(225, 225, 225).filled(),
        )])?;
        chart.draw_series(
            cycles
                .iter()
                .map(|&value| Circle::new((percent(value), y), 1, colour.mix(0.4).filled())),
        )?;
        let name = format!("{variant} {context} {middle:.1}");
        let row = (SIZE.1 - 50) as f64 / shown.len() as f64;
        area.draw_text(
            &name,
            &("sans-serif", 12).into_text_style(&area),
            (10, 10 + (row * index as f64) as i32),
        )?;
    }
    area.present()?;
    Ok(())
}
