//! Times and percentages as they are typed.

use std::str::FromStr;
use std::time::Duration;

/// A span of time: `0.2s`, `200ms`, `2m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let right = || String::from("a time is a number and its unit, such as `0.2s` or `200ms`");
        let unit = text
            .find(|c: char| c.is_ascii_alphabetic())
            .ok_or_else(right)?;
        let (number, unit) = text.split_at(unit);
        let seconds_per_unit = match unit {
            "us" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(right()),
        };
        let seconds = number.parse::<f64>().map_err(|_| right())? * seconds_per_unit;
        match Duration::try_from_secs_f64(seconds) {
            Ok(span) if !span.is_zero() => Ok(Self(span)),
            _ => Err(String::from("a time is longer than nothing")),
        }
    }
}

/// A share of one, typed as a percentage: `0.5%` is 0.005.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share(pub(crate) f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let percent = text
            .strip_suffix('%')
            .and_then(|number| number.parse::<f64>().ok())
            .ok_or_else(|| String::from("a percentage is a number and its mark, such as `0.5%`"))?;
        if percent.is_finite() && percent >= 0.0 {
            Ok(Self(percent / 100.0))
        } else {
            Err(String::from("a percentage is not below zero"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_need_a_unit_and_something_to_measure() {
        let millis = |text: &str| text.parse::<Span>().map(|span| span.0.as_millis());
        assert_eq!(millis("0.2s"), Ok(200));
        assert_eq!(millis("200ms"), Ok(200));
        assert_eq!(millis("2m"), Ok(120_000));
        for wrong in ["", "5", "s", "0s", "-1s", "1e400s", "nans", "1 fortnight"] {
            assert!(millis(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_percentages() {
        assert_eq!("0.5%".parse(), Ok(Share(0.005)));
        assert_eq!("2%".parse(), Ok(Share(0.02)));
        for wrong in ["2", "%", "-1%", "inf%", "NaN%"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
