//! The page's first plot: every variant against the baseline, on every machine.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{FAINT, GRID, INK, PlotError, Svg, ZERO, draw, label, series};

const WIDTH: u32 = 440;
/// Height of a variant's name and of a machine's lane below it.
const NAME: u32 = 20;
const LANE: u32 = 15;
/// Room above and below for the axis' labels.
const AXIS: u32 = 20;
/// The axis goes at least this far to either side: it must not blow up mere noise.
const QUIET: f64 = 0.01;
/// The axis' ends at most, whatever a record holds: nothing takes less than no time, and a variant
/// ten thousand times as slow needs no plot.
const LEAST: f64 = -1.0;
const MOST: f64 = 1e4;
/// Room at either side for the values beside the marks.
const ROOM: f64 = 0.16;
/// Width of a value's characters at most, on average over a word.
const CHARACTER: i32 = 7;

/// A variant: its name and a lane for each machine.
pub(in crate::html) struct LaneGroup {
    pub(in crate::html) name: String,
    pub(in crate::html) lanes: Vec<Lane>,
}

/// A variant on one machine, or on the machines of one kind.
pub(in crate::html) struct Lane {
    /// The machine's colour and shape.
    pub(in crate::html) series: usize,
    /// `None` where there is no number.
    pub(in crate::html) mark: Option<Mark>,
    /// What stands beside the mark.
    pub(in crate::html) text: String,
}

/// Relative differences: 0.371 is 37.1 %.
#[derive(Clone, Copy)]
pub(in crate::html) struct Mark {
    pub(in crate::html) low: f64,
    pub(in crate::html) middle: f64,
    pub(in crate::html) high: f64,
}

/// Intervals and marks on one axis of percent against the baseline.
pub(in crate::html) fn overview(groups: &[LaneGroup]) -> Result<Svg, PlotError> {
    let marks = || {
        groups
            .iter()
            .flat_map(|group| &group.lanes)
            .filter_map(|lane| lane.mark)
    };
    let low = marks()
        .map(|mark| mark.low)
        .fold(-QUIET, f64::min)
        .max(LEAST);
    let high = marks()
        .map(|mark| mark.high)
        .fold(QUIET, f64::max)
        .min(MOST);
    let (from, to) = (8, WIDTH as i32 - 8);
    let axis = |room: f64| {
        let span = high - low;
        let (left, right) = (low - span * ROOM, high + span * room);
        let x = move |value: f64| {
            let value = value.clamp(left, right);
            from + ((value - left) / (right - left) * f64::from(to - from)) as i32
        };
        (left, right, x)
    };
    // An interval may leave no room for its value on either side: then there is more behind it.
    let holds = |room: f64| {
        let (_, _, x) = axis(room);
        let lanes = groups.iter().flat_map(|group| &group.lanes);
        lanes
            .filter_map(|lane| Some((lane, lane.mark?)))
            .all(|(lane, mark)| {
                let [before, behind] = sides(mark, &x);
                before.max(WIDTH as i32 - behind) >= width(lane)
            })
    };
    let rooms = [ROOM, 0.3, 0.6, 1.0, 1.6, 2.5];
    let room = rooms.into_iter().find(|&room| holds(room));
    let (left, right, x) = axis(room.unwrap_or(rooms[5]));
    let lanes: u32 = groups.iter().map(|group| group.lanes.len() as u32).sum();
    let height = 2 * AXIS + NAME * groups.len() as u32 + LANE * lanes + 4;
    let bottom = (height - AXIS) as i32;
    draw((WIDTH, height), |area| {
        for tick in ticks(left, right) {
            let colour = if tick == 0.0 { ZERO } else { GRID };
            // Only along the lanes: a long name would run over it.
            let mut y = AXIS;
            for group in groups {
                let lanes = (y + NAME) as i32;
                y += NAME + LANE * group.lanes.len() as u32;
                area.draw(&PathElement::new(
                    vec![(x(tick), lanes), (x(tick), y as i32)],
                    colour.stroke_width(if tick == 0.0 { 2 } else { 1 }),
                ))?;
            }
            let text = if tick == 0.0 {
                "baseline".to_owned()
            } else {
                format!("{:+}%", (tick * 1e4).round() / 100.0)
            };
            for (y, anchor) in [(AXIS as i32 - 4, VPos::Bottom), (bottom + 4, VPos::Top)] {
                let style = label(14, &FAINT).pos(Pos::new(HPos::Center, anchor));
                area.draw_text(&text, &style, (x(tick).clamp(from + 26, to - 26), y))?;
            }
        }
        let mut y = AXIS as i32;
        for group in groups {
            let style = label(15, &INK).pos(Pos::new(HPos::Left, VPos::Bottom));
            area.draw_text(&group.name, &style, (from, y + NAME as i32 - 3))?;
            y += NAME as i32;
            for lane in &group.lanes {
                let middle = y + LANE as i32 / 2;
                paint(area, lane, &x, middle)?;
                y += LANE as i32;
            }
        }
        Ok(())
    })
}

/// Where a value may end before its mark, and where it may begin behind it.
fn sides(mark: Mark, x: &dyn Fn(f64) -> i32) -> [i32; 2] {
    let middle = x(mark.middle);
    [x(mark.low).min(middle) - 9, x(mark.high).max(middle) + 9]
}

/// What a lane's value takes at most.
fn width(lane: &Lane) -> i32 {
    lane.text.chars().count() as i32 * CHARACTER
}

/// One lane: the interval, the machine's mark, and the value on the side that has room.
fn paint(
    area: &super::Area<'_>,
    lane: &Lane,
    x: &dyn Fn(f64) -> i32,
    y: i32,
) -> Result<(), PlotError> {
    let colour = series(lane.series);
    let (edge, side) = match lane.mark {
        Some(mark) => {
            area.draw(&PathElement::new(
                vec![(x(mark.low), y), (x(mark.high), y)],
                colour.stroke_width(3),
            ))?;
            let at = (x(mark.middle), y);
            match lane.series % 4 {
                0 => area.draw(&Circle::new(at, 5, colour.filled()))?,
                1 => area.draw(&Rectangle::new(
                    [(at.0 - 4, y - 4), (at.0 + 4, y + 4)],
                    colour.filled(),
                ))?,
                2 => area.draw(&TriangleMarker::new(at, 6, colour.filled()))?,
                _ => area.draw(&Polygon::new(
                    vec![(at.0 - 6, y), (at.0, y - 6), (at.0 + 6, y), (at.0, y + 6)],
                    colour.filled(),
                ))?,
            }
            let [before, behind] = sides(mark, x);
            let room = WIDTH as i32 - behind;
            let needed = width(lane);
            if room >= needed || room >= before {
                (behind, HPos::Left)
            } else {
                (before, HPos::Right)
            }
        }
        None => (x(0.0) + 9, HPos::Left),
    };
    let style = label(13, &FAINT).pos(Pos::new(side, VPos::Center));
    area.draw_text(&lane.text, &style, (edge, y))?;
    Ok(())
}

/// Round values, zero among them, some four of them in the range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|times| times * power)
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|at| at as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(marks: &[Option<Mark>]) -> Vec<LaneGroup> {
        vec![LaneGroup {
            name: "<a>".into(),
            lanes: marks
                .iter()
                .enumerate()
                .map(|(series, &mark)| Lane {
                    series,
                    mark,
                    text: "t".into(),
                })
                .collect(),
        }]
    }

    #[test]
    fn a_plot_of_nothing_is_a_plot() {
        assert!(overview(&[]).unwrap().to_string().contains("baseline"));
        let none = overview(&groups(&[None])).unwrap().to_string();
        assert!(none.contains("&lt;a&gt;"), "{none}");
    }

    #[test]
    fn values_of_any_size_are_drawn() {
        for (low, high) in [(0.0, 0.0), (-0.9, 40.0), (f64::NAN, 1.0), (-1e300, 1e300)] {
            let mark = Mark {
                low,
                middle: 0.0,
                high,
            };
            overview(&groups(&[Some(mark)])).unwrap();
        }
    }

    #[test]
    fn a_value_stands_on_the_side_that_holds_it() {
        let at = |middle: f64| Mark {
            low: middle - 0.01,
            middle,
            high: middle + 0.01,
        };
        let mut made = groups(&[Some(at(0.0)), Some(at(0.334)), Some(at(0.378))]);
        for lane in &mut made[0].lanes {
            lane.text = "Emerald Rapids +33.4%".into();
        }
        let svg = overview(&made).unwrap().to_string();
        let values: Vec<&str> = svg
            .split("<text ")
            .filter(|text| text.contains("Emerald"))
            .collect();
        let to_the_left = |text: &&str| text.contains("text-anchor=\"end\"");
        let sides: Vec<bool> = values.iter().map(to_the_left).collect();
        assert_eq!(sides, [false, true, true], "{svg}");
    }

    #[test]
    fn a_value_beside_a_wide_interval_is_not_cut() {
        let mark = Mark {
            low: -0.111,
            middle: 0.001,
            high: 0.115,
        };
        let mut made = groups(&[Some(mark)]);
        made[0].lanes[0].text = "Emerald Rapids (made by hand) =".into();
        let svg = overview(&made).unwrap().to_string();
        let text = svg.split("<text ").find(|text| text.contains("Emerald"));
        let text = text.expect("the value");
        let begins = text.split("x=\"").nth(1).and_then(|x| x.split('"').next());
        let begins: i32 = begins.and_then(|x| x.parse().ok()).expect("a number");
        assert!(!text.contains("text-anchor=\"end\""), "{text}");
        assert!(begins + width(&made[0].lanes[0]) <= WIDTH as i32, "{text}");
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(-0.06, 0.43), [0.0, 0.2, 0.4]);
        assert_eq!(ticks(-0.0032, 0.0232), [0.0, 0.01, 0.02]);
    }
}
