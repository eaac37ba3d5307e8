//! A map of two counts: which pairs suffice on this CPU, and which of those is the cheapest.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use record::{HistoryWord, ParamValue, Probed};

use super::show::{sign, wrapped};

/// Two swept params of one variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Map<'a> {
    /// Names of the params: down, across.
    params: [&'a str; 2],
    probed: Vec<&'a Probed>,
}

impl<'a> Map<'a> {
    /// The map of each variant, where exactly two params were swept over integers.
    pub(crate) fn all(probed: &'a [Probed]) -> Vec<Self> {
        let Some(first) = probed.first() else {
            return Vec::new();
        };
        let swept: Vec<&str> = first
            .params
            .iter()
            .filter(|(name, value)| {
                probed
                    .iter()
                    .any(|other| other.params.get(*name) != Some(value))
            })
            .map(|(name, _)| name.as_str())
            .collect();
        let [down, across] = swept[..] else {
            return Vec::new();
        };
        let mut names: Vec<&str> = Vec::new();
        for one in probed {
            if !names.contains(&one.name.as_str()) {
                names.push(&one.name);
            }
        }
        let maps = names.into_iter().map(|name| Self {
            params: [down, across],
            probed: probed.iter().filter(|one| one.name == name).collect(),
        });
        let is_a_map = |map: &Self| {
            let integers = |of: usize| map.values(of).len() > 1;
            integers(0) && integers(1)
        };
        maps.filter(is_a_map).collect()
    }

    fn values(&self, of: usize) -> BTreeSet<i64> {
        let values = self.probed.iter();
        values
            .filter_map(|one| integer(one, self.params[of]))
            .collect()
    }

    fn at(&self, down: i64, across: i64) -> Option<&Probed> {
        let found = self.probed.iter().find(|one| {
            integer(one, self.params[0]) == Some(down)
                && integer(one, self.params[1]) == Some(across)
        });
        found.copied()
    }

    /// The pair that displaces the history with the fewest cycles.
    pub(crate) fn cheapest(&self) -> Option<&Probed> {
        let cycles = |one: &Probed| one.cycles.as_ref().map(|cycles| cycles.estimate);
        let sufficient = self
            .probed
            .iter()
            .filter(|one| one.history.word == HistoryWord::Displaced && one.cycles.is_some());
        let cheapest = sufficient.min_by(|one, other| {
            let (one, other) = (cycles(one), cycles(other));
            one.unwrap_or(f64::MAX)
                .total_cmp(&other.unwrap_or(f64::MAX))
        });
        cheapest.copied()
    }

    /// The map in characters, and the cheapest pair in words.
    pub(crate) fn text(&self) -> String {
        let [down, across] = self.params;
        let columns = self.values(1);
        let width = columns
            .iter()
            .map(|value| value.to_string().len() + 1)
            .max()
            .unwrap_or(2);
        let margin = down.len().max(4);
        let name = self.probed.first().map_or("", |one| one.name.as_str());
        let mut out = format!("{name}: {down} down, {across} across\n{:margin$}", "");
        for value in &columns {
            let _ = write!(out, "{value:>width$}");
        }
        out.push('\n');
        for row in self.values(0) {
            let _ = write!(out, "{row:>margin$}");
            for &column in &columns {
                let found = self.at(row, column);
                let sign = found.map_or(' ', |one| sign(one.history.word));
                let _ = write!(out, "{sign:>width$}");
            }
            let trimmed = out.trim_end().len();
            out.truncate(trimmed);
            out.push('\n');
        }
        out.push_str("# displaced   . kept   ? unclear   - not measurable\n\n");
        wrapped(&mut out, &self.cheapest_words());
        out
    }

    fn cheapest_words(&self) -> String {
        let [down, across] = self.params;
        let pair = |one: &Probed| {
            let value = |name: &str| one.params.get(name).map(ToString::to_string);
            format!(
                "{down}={} {across}={}",
                value(down).unwrap_or_default(),
                value(across).unwrap_or_default()
            )
        };
        let sufficient = self
            .probed
            .iter()
            .filter(|one| one.history.word == HistoryWord::Displaced)
            .count();
        let Some((best, cycles)) = self
            .cheapest()
            .and_then(|best| Some((best, best.cycles.as_ref()?)))
        else {
            return match sufficient {
                0 => String::from("None of these pairs displaces the history here."),
                _ => {
                    format!(
                        "{sufficient} of these pairs displace the history; none has a number of cycles."
                    )
                }
            };
        };
        let alike: Vec<String> = self
            .probed
            .iter()
            .filter(|one| one.history.word == HistoryWord::Displaced && one.params != best.params)
            .filter(|one| {
                let other = one.cycles.as_ref();
                other.is_some_and(|other| other.low <= cycles.high)
            })
            .map(|one| pair(one))
            .collect();
        let mut text = format!(
            "The cheapest of {sufficient} sufficient pairs is {}: {:.1} cycles [{:.1}, {:.1}]",
            pair(best),
            cycles.estimate,
            cycles.low,
            cycles.high
        );
        if let Some(branches) = best.branches {
            let _ = write!(text, ", {branches} taken branches");
        }
        match alike.len() {
            0 => {}
            1..=3 => {
                let _ = write!(text, "; not told apart from it: {}", alike.join(", "));
            }
            more => {
                let _ = write!(
                    text,
                    "; not told apart from it: {} and {} more",
                    alike[..2].join(", "),
                    more - 2
                );
            }
        }
        text.push('.');
        text
    }
}

fn integer(one: &Probed, param: &str) -> Option<i64> {
    match one.params.get(param)? {
        ParamValue::Integer(value) => Some(*value),
        ParamValue::Word(_) => None,
    }
}
