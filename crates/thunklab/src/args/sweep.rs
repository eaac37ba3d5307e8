//! `--set NAME=V[,V...]`: from text to the product of all values.

use std::str::FromStr;

use sequence::{Param, ParamKind, Params, Sequence};

/// More points than this in one file are a mistake in a range rather than a plan.
const MOST_POINTS: usize = 10_000;

/// One `--set`, as typed: nothing is known of the sequence yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    name: String,
    values: Vec<Values>,
}

/// One item of the comma-separated list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    Word(String),
    Range(i64, i64),
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let right = "as in `OUTER=5`, `OUTER=5,12`, `INNER=1..9` or `MIX=random`";
        let (name, list) = text.split_once('=').ok_or_else(|| right.to_owned())?;
        if name.is_empty() {
            return Err(right.to_owned());
        }
        let values = list
            .split(',')
            .map(Values::from_str)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            name: name.to_owned(),
            values,
        })
    }
}

impl FromStr for Values {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Err(String::from("a value is missing"));
        }
        let Some((first, last)) = text.split_once("..") else {
            return Ok(Self::Word(text.to_owned()));
        };
        match (integer(first), integer(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self::Range(first, last)),
            (Some(first), Some(last)) => Err(format!(
                "`{text}` is empty; ranges go upward and hold both ends: `{last}..{first}`"
            )),
            _ => Err(format!(
                "`{text}` is no range of integers, such as `1..9` (both ends included)"
            )),
        }
    }
}

/// Decimal or `0x` hexadecimal.
fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

/// All values that a sequence's params take in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sweep {
    /// Each point's params, every param of the file named. Never empty.
    pub(crate) points: Vec<Params>,
}

impl Sweep {
    /// The product of the settings over `sequence`'s params; params that are not set take their
    /// default, or with `grid` every listed value.
    ///
    /// # Errors
    /// Every setting that the file has no param or no word for.
    pub(crate) fn new(
        sequence: &Sequence,
        settings: &[Setting],
        grid: bool,
    ) -> Result<Self, Vec<String>> {
        let mut wrong = unknown_names(sequence, settings);
        let mut points = vec![Params::new()];
        for param in &sequence.params {
            let values = match values_of(param, settings) {
                Err(errors) => {
                    wrong.extend(errors);
                    continue;
                }
                Ok(values) if !values.is_empty() => values,
                Ok(_) if grid => listed(param),
                Ok(_) => listed(param).into_iter().take(1).collect(),
            };
            if points.len().saturating_mul(values.len()) > MOST_POINTS {
                wrong.push(format!(
                    "more than {MOST_POINTS} combinations of params; take smaller ranges"
                ));
                break;
            }
            points = points
                .iter()
                .flat_map(|point| {
                    values.iter().map(|value| {
                        let mut point = point.clone();
                        point.insert(param.name.clone(), value.clone());
                        point
                    })
                })
                .collect();
        }
        if wrong.is_empty() {
            Ok(Self { points })
        } else {
            Err(wrong)
        }
    }
}

impl Sweep {
    /// Every listed value of every param once, the others at their defaults.
    pub(crate) fn one_at_a_time(sequence: &Sequence) -> Self {
        let defaults = sequence.default_params();
        let mut points = vec![defaults.clone()];
        for param in &sequence.params {
            for value in listed(param).into_iter().skip(1) {
                let mut point = defaults.clone();
                point.insert(param.name.clone(), value);
                points.push(point);
            }
        }
        Self { points }
    }
}

fn unknown_names(sequence: &Sequence, settings: &[Setting]) -> Vec<String> {
    let known = |name: &str| sequence.params.iter().any(|param| param.name == name);
    let names: Vec<&str> = sequence.params.iter().map(|p| p.name.as_str()).collect();
    settings
        .iter()
        .filter(|setting| !known(&setting.name))
        .map(|setting| {
            let has = match names.as_slice() {
                [] => String::from("no params"),
                names => format!("the params {}", names.join(", ")),
            };
            format!(
                "{} has no param `{}`; it has {has}",
                sequence.name, setting.name
            )
        })
        .collect()
}

/// The listed values in their written form.
pub(crate) fn listed(param: &Param) -> Vec<String> {
    match &param.kind {
        ParamKind::Integers(values) => values.iter().map(i64::to_string).collect(),
        ParamKind::Words(words) => words.clone(),
    }
}

/// What the settings give to `param`, in order and without repeats; empty if they do not name it.
fn values_of(param: &Param, settings: &[Setting]) -> Result<Vec<String>, Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    let given = settings
        .iter()
        .filter(|setting| setting.name == param.name)
        .flat_map(|setting| &setting.values);
    for value in given {
        match expand(param, value) {
            Ok(expanded) => {
                for value in expanded {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() {
        Ok(values)
    } else {
        Err(wrong)
    }
}

fn expand(param: &Param, value: &Values) -> Result<Vec<String>, String> {
    match (&param.kind, value) {
        (ParamKind::Integers(_), Values::Word(text)) => match integer(text) {
            Some(number) => Ok(vec![number.to_string()]),
            None => Err(format!(
                "{} takes integers, and `{text}` is none",
                param.name
            )),
        },
        (ParamKind::Integers(_), &Values::Range(first, last)) => {
            let length = last.abs_diff(first).saturating_add(1);
            if usize::try_from(length).is_ok_and(|length| length <= MOST_POINTS) {
                Ok((first..=last).map(|number| number.to_string()).collect())
            } else {
                Err(format!(
                    "{}={first}..{last} is {length} values; {MOST_POINTS} are the most",
                    param.name
                ))
            }
        }
        (ParamKind::Words(words), Values::Word(text)) if words.contains(text) => {
            Ok(vec![text.clone()])
        }
        (ParamKind::Words(words), value) => {
            let text = match value {
                Values::Word(text) => text.clone(),
                Values::Range(first, last) => format!("{first}..{last}"),
            };
            Err(format!(
                "{} is one of {}, not `{text}`",
                param.name,
                words.join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use sequence::{MemoryReader, Options};

    use super::*;

    fn sequence() -> Sequence {
        let text = "#: param N 5 12\n#: param MIX one random\n#: variant a\n\tret\n";
        let read = Sequence::read(
            "x.S",
            text,
            &mut MemoryReader::default(),
            &Options::default(),
        );
        read.expect("it is right")
    }

    /// `N/MIX` of each point, or what is wrong.
    fn points(settings: &[&str], grid: bool) -> Result<Vec<String>, Vec<String>> {
        let settings: Result<Vec<Setting>, String> =
            settings.iter().map(|text| text.parse()).collect();
        let settings = settings.map_err(|wrong| vec![wrong])?;
        let sweep = Sweep::new(&sequence(), &settings, grid)?;
        let shown = sweep
            .points
            .iter()
            .map(|p| format!("{}/{}", p["N"], p["MIX"]));
        Ok(shown.collect())
    }

    #[test]
    fn what_is_not_set_takes_its_default_or_the_grid() {
        assert_eq!(points(&[], false), Ok(vec!["5/one".into()]));
        let grid = points(&[], true).expect("right");
        assert_eq!(grid, ["5/one", "5/random", "12/one", "12/random"]);
        let half = points(&["N=7"], true).expect("right");
        assert_eq!(half, ["7/one", "7/random"]);
    }

    #[test]
    fn ranges_hold_both_ends_and_repeats_count_once() {
        let range = points(&["N=1..3,2,0x3"], false).expect("right");
        assert_eq!(range, ["1/one", "2/one", "3/one"]);
        let twice = points(&["N=-1..0", "N=5"], false).expect("right");
        assert_eq!(twice, ["-1/one", "0/one", "5/one"]);
    }

    #[test]
    fn all_that_is_wrong_is_told() {
        let wrong = points(&["N=many", "MIX=two", "OTHER=1"], false).expect_err("wrong");
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(points(&["N=3..1"], false).is_err());
        assert!(points(&["N="], false).is_err());
        assert!(points(&["=1"], false).is_err());
        assert!(points(&["N=1..99999999"], false).is_err());
        assert!(points(&["N=-9223372036854775808..9223372036854775807"], false).is_err());
    }

    #[test]
    fn one_at_a_time_holds_every_value_once() {
        let sweep = Sweep::one_at_a_time(&sequence());
        assert_eq!(sweep.points.len(), 3);
    }
}
