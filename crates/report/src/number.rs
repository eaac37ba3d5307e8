//! Numbers as tables show them: never wider than their column, whatever a record claims.

use record::{Verdict, VsBaseline};

/// Cycles or nanoseconds, at most six characters: `85.4`, `8540`, `8.5e6`.
pub(crate) fn cycles(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "?".to_owned()
    } else if size < 999.95 {
        format!("{:.1}", no_minus_zero(value, 0.05))
    } else if size < 99_999.5 {
        format!("{value:.0}")
    } else {
        format!("{value:.1e}")
    }
}

/// A ratio as the difference it makes, without a percent sign: `+37.1`, or `x12.3` for what is
/// many times as much. At most six characters.
pub(crate) fn percent(ratio: f64) -> String {
    let difference = (ratio - 1.0) * 100.0;
    if !ratio.is_finite() {
        "?".to_owned()
    } else if difference.abs() < 999.95 {
        format!("{:+.1}", no_minus_zero(difference, 0.05))
    } else if ratio.abs() < 99.95 {
        format!("x{ratio:.1}")
    } else if ratio.abs() < 9_999.5 {
        format!("x{ratio:.0}")
    } else {
        format!("x{ratio:.0e}")
    }
}

/// As [`percent`], with the sign where it is one: `+37.1%`, `x12.3`.
pub(crate) fn signed_percent(ratio: f64) -> String {
    let text = percent(ratio);
    if text.starts_with(['x', '?']) {
        text
    } else {
        text + "%"
    }
}

/// Ends of an interval of a ratio: `[36.8, 37.4]` per cent.
pub(crate) fn interval(low: f64, high: f64) -> String {
    let ends = [low, high].map(|end| percent(end).trim_start_matches('+').to_owned());
    format!("[{}, {}]", ends[0], ends[1])
}

/// A share from 0 to 1 in per cent: `0.3%`, `11%`.
pub(crate) fn share(share: f64) -> String {
    let value = share * 100.0;
    if !value.is_finite() {
        "?%".to_owned()
    } else if value.abs() < 9.95 {
        format!("{:.1}%", no_minus_zero(value, 0.05))
    } else if value.abs() < 1e6 {
        format!("{value:.0}%")
    } else {
        format!("{value:.0e}%")
    }
}

/// A comparison as a table shows it: `+37.1`, or `=` where no difference was seen.
pub(crate) fn verdict(vs: &VsBaseline) -> String {
    if vs.verdict == Verdict::NoDifference {
        "=".to_owned()
    } else {
        percent(vs.ratio)
    }
}

/// A small negative number would be shown as `-0.0`.
fn no_minus_zero(value: f64, least: f64) -> f64 {
    if value.abs() < least { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_numbers() {
        assert_eq!(cycles(85.44), "85.4");
        assert_eq!(cycles(-0.01), "0.0");
        assert_eq!(percent(1.371), "+37.1");
        assert_eq!(percent(0.999_999), "+0.0");
        assert_eq!(percent(12.34), "x12.3");
        assert_eq!(interval(1.368, 1.374), "[36.8, 37.4]");
        assert_eq!(interval(0.99, 1.0), "[-1.0, 0.0]");
        assert_eq!(share(0.003), "0.3%");
        assert_eq!(share(0.11), "11%");
    }

    #[test]
    fn no_number_is_wider_than_its_column() {
        let mut value = 1e-320;
        while value < 1e308 {
            for value in [value, -value] {
                assert!(cycles(value).len() <= 8, "{}", cycles(value));
                assert!(percent(value).len() <= 7, "{}", percent(value));
            }
            value *= 1.37;
        }
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!((cycles(odd).as_str(), percent(odd).as_str()), ("?", "?"));
            assert_eq!(share(odd), "?%");
        }
    }
}
