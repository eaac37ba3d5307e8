//! Numbers as the page writes them. Percentages read as in the terminal's tables and in a
//! comparison's finding, so that a reader can look for one and find the other.

/// Cycles or nanoseconds: small ones, such as a single instruction's latency, need the digits.
pub(super) fn amount(value: f64) -> String {
    match value.abs() {
        v if v < 10.0 => format!("{value:.2}"),
        v if v < 10_000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// `[88.5, 88.9]`
pub(super) fn range(low: f64, high: f64) -> String {
    format!("[{}, {}]", amount(low), amount(high))
}

/// A ratio as a relative difference: `+37.1%`.
pub(super) fn percent(ratio: f64) -> String {
    format!("{:+.1}%", unsigned_zero((ratio - 1.0) * 100.0))
}

/// The interval of a ratio as relative differences: `[36.8, 37.4]`.
pub(super) fn percent_range(low: f64, high: f64) -> String {
    format!(
        "[{:.1}, {:.1}]",
        unsigned_zero((low - 1.0) * 100.0),
        unsigned_zero((high - 1.0) * 100.0)
    )
}

/// A share, 0 to 1, as `62%`.
pub(super) fn share(share: f64) -> String {
    format!("{:.0}%", unsigned_zero(share * 100.0))
}

/// `1 record`, `2 records`.
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The first few of many, and how many more there are.
pub(super) fn list_first(words: &[String], most: usize) -> String {
    match words.len().checked_sub(most) {
        None | Some(0) => list(words),
        Some(more) => format!("{} and {more} more", words[..most].join(", ")),
    }
}

/// -0.04 would be written as -0.0.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_too_small_to_write_has_no_minus() {
        assert_eq!(percent(0.9996), "+0.0%");
        assert_eq!(percent(1.371), "+37.1%");
        assert_eq!(percent_range(0.9996, 1.004), "[0.0, 0.4]");
    }

    #[test]
    fn latencies_keep_their_digits() {
        assert_eq!(amount(1.004), "1.00");
        assert_eq!(amount(88.66), "88.7");
        assert_eq!(amount(-0.25), "-0.25");
        assert_eq!(amount(123_456.7), "123457");
    }

    #[test]
    fn lists_read_as_sentences() {
        let words = |n: usize| -> Vec<String> { (0..n).map(|i| i.to_string()).collect() };
        assert_eq!(list(&words(0)), "");
        assert_eq!(list(&words(1)), "0");
        assert_eq!(list(&words(3)), "0, 1 and 2");
        assert_eq!(list_first(&words(3), 3), "0, 1 and 2");
        assert_eq!(list_first(&words(5), 3), "0, 1, 2 and 2 more");
    }
}
