//! Plots, as SVG that stands in the page.
//!
//! The plotting library paints in fixed colours. The page has a light and a dark theme, so what it
//! is given are the names below, written as colours: the style sheet's rules for `[fill="#..."]`
//! and `[stroke="#..."]` put the theme's colours in their place.

mod distribution;
mod layout;
mod overview;
mod strip;

use std::fmt;

use askama::filters::HtmlSafe;
use plotters::coord::Shift;
use plotters::prelude::*;

pub(super) use distribution::distribution;
pub(super) use layout::layout;
pub(super) use overview::{Lane, LaneGroup, Mark, overview};
pub(super) use strip::strip;

/// Text and the axis.
pub(super) const INK: RGBColor = RGBColor(0, 0, 1);
/// Text of less weight.
pub(super) const FAINT: RGBColor = RGBColor(0, 0, 2);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(0, 0, 3);
/// The line that stands for the baseline.
pub(super) const ZERO: RGBColor = RGBColor(0, 0, 4);

/// Colours of series: the style sheet has as many.
pub(super) const SERIES: usize = 8;

/// The colour of a series.
pub(super) fn series(index: usize) -> RGBColor {
    RGBColor(0, 1, (index % SERIES) as u8)
}

/// An error of the plotting library.
#[derive(Debug)]
pub(super) struct PlotError(String);

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a plot could not be drawn: {}", self.0)
    }
}

impl std::error::Error for PlotError {}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A finished plot: the only text that reaches the page without being escaped by the template
/// engine. Whatever it holds of a record was escaped by the plotting library (text) or by the
/// template that its element's attributes come from.
#[derive(Clone, Default)]
pub(super) struct Svg {
    pub(super) width: u32,
    pub(super) height: u32,
    body: String,
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.body)
    }
}

impl HtmlSafe for Svg {}

/// Draws on an area of the given size, in units that are pixels where the page does not scale it.
fn draw(
    (width, height): (u32, u32),
    paint: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> Result<Svg, PlotError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        paint(&area)?;
        area.present()?;
    }
    // The page writes the outer element itself, for it carries the text alternative.
    let inner = text
        .split_once('>')
        .and_then(|(_, rest)| rest.trim_end().strip_suffix("</svg>"))
        .ok_or_else(|| PlotError("the SVG has no outer element".to_owned()))?;
    Ok(Svg {
        width,
        height,
        body: terse(inner.trim()),
    })
}

/// The same SVG without what says nothing: a page of a thousand records holds tens of thousands of
/// plots. Only whole attributes between elements' own quotes can match, since the plotting library
/// escapes quotes in text.
fn terse(svg: &str) -> String {
    svg.replace(" opacity=\"1\"", "")
        .replace(" stroke=\"none\"", "")
        .replace(" \"/>", "\"/>")
        .replace("/>\n", "/>")
        .replace(">\n", ">")
        .replace("\n</text>", "</text>")
}

/// Text at a point.
fn label(size: i32, colour: &'static RGBColor) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font()).color(colour)
}

#[cfg(test)]
mod tests {
    use plotters::style::text_anchor::{HPos, Pos, VPos};

    use super::*;

    #[test]
    fn text_is_text_and_escaped() {
        let svg = draw((100, 20), |area| {
            let style = label(12, &INK).pos(Pos::new(HPos::Left, VPos::Top));
            area.draw_text("<script>\"'&", &style, (3, 4))?;
            Ok(())
        })
        .unwrap()
        .to_string();
        assert!(svg.starts_with("<text "), "{svg}");
        assert!(
            svg.contains(">&lt;script&gt;&quot;&apos;&amp;</text>"),
            "{svg}"
        );
        assert!(svg.contains("fill=\"#000001\""), "{svg}");
    }
}
