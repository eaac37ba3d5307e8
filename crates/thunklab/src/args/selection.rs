//! What `--set`, `--grid`, `--only` and `--baseline` mean for one sequence.

use globset::GlobBuilder;
use sequence::{Params, Sequence};

use super::Sweep;

/// One variant at one set of params.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// Index into the sequence's variants.
    pub(crate) variant: usize,
    /// Every param of the file and its value.
    pub(crate) params: Params,
}

impl Point {
    /// The variant's name and params, as messages have it: `al-ah INNER=5 OUTER=5`.
    pub(crate) fn label(&self, sequence: &Sequence) -> String {
        let mut label = sequence.variants[self.variant].name.clone();
        for (name, value) in &self.params {
            label.push_str(&format!(" {name}={value}"));
        }
        label
    }
}

/// The points that were asked for, all variants of one set of params together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Never empty.
    pub(crate) points: Vec<Point>,
    /// Index of the baseline's variant; it stands among the points at each set of params.
    pub(crate) baseline: usize,
}

impl Selection {
    /// The variants that match `only` and the baseline (`baseline`, else the file's), at each point
    /// of the sweep.
    ///
    /// # Errors
    /// A glob that is none or matches nothing, a baseline that does not exist.
    pub(crate) fn new(
        sequence: &Sequence,
        sweep: &Sweep,
        only: Option<&str>,
        baseline: Option<&str>,
    ) -> Result<Self, String> {
        let baseline = baseline_of(sequence, baseline)?;
        let mut chosen = matching(sequence, only)?;
        if !chosen.contains(&baseline) {
            chosen.push(baseline);
            chosen.sort_unstable();
        }
        Ok(Self {
            points: product(sweep, &chosen),
            baseline,
        })
    }

    /// The baseline alone, at each point of the sweep.
    ///
    /// # Errors
    /// A baseline that does not exist.
    pub(crate) fn baseline(
        sequence: &Sequence,
        sweep: &Sweep,
        baseline: Option<&str>,
    ) -> Result<Self, String> {
        let baseline = baseline_of(sequence, baseline)?;
        Ok(Self {
            points: product(sweep, &[baseline]),
            baseline,
        })
    }

    /// The variants that match `only`, without regard to a baseline: for listings.
    ///
    /// # Errors
    /// A glob that is none or matches nothing.
    pub(crate) fn plain(
        sequence: &Sequence,
        sweep: &Sweep,
        only: Option<&str>,
    ) -> Result<Vec<Point>, String> {
        Ok(product(sweep, &matching(sequence, only)?))
    }
}

fn baseline_of(sequence: &Sequence, name: Option<&str>) -> Result<usize, String> {
    let name = name.unwrap_or(&sequence.baseline);
    sequence
        .variants
        .iter()
        .position(|variant| variant.name == name)
        .ok_or_else(|| no_variant(sequence, name))
}

fn product(sweep: &Sweep, variants: &[usize]) -> Vec<Point> {
    sweep
        .points
        .iter()
        .flat_map(|params| {
            variants.iter().map(|&variant| Point {
                variant,
                params: params.clone(),
            })
        })
        .collect()
}

fn matching(sequence: &Sequence, only: Option<&str>) -> Result<Vec<usize>, String> {
    let Some(pattern) = only else {
        return Ok((0..sequence.variants.len()).collect());
    };
    // Names may hold a slash (`al/ah`), which `*` shall match like any other character.
    let glob = GlobBuilder::new(pattern)
        .literal_separator(false)
        .build()
        .map_err(|error| format!("`{pattern}` is no glob: {}", error.kind()))?
        .compile_matcher();
    let found: Vec<usize> = (0..sequence.variants.len())
        .filter(|&index| glob.is_match(&sequence.variants[index].name))
        .collect();
    if found.is_empty() {
        let none = no_variant(sequence, pattern);
        let is_list = pattern.contains(',') && !pattern.contains('{');
        Err(if is_list {
            format!("{none}; for several of them: --only '{{{pattern}}}'")
        } else {
            none
        })
    } else {
        Ok(found)
    }
}

fn no_variant(sequence: &Sequence, name: &str) -> String {
    let names: Vec<&str> = sequence.variants.iter().map(|v| v.name.as_str()).collect();
    format!(
        "{} has no variant `{name}`; it has {}",
        sequence.name,
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use sequence::{MemoryReader, Options};

    use super::*;

    fn sequence() -> Sequence {
        let text = "#: param N 1 2\n#: baseline b\n#: variant a/x\n\tret\n#: variant b\n\tret\n\
                    #: variant a/y\n\tret\n";
        let read = Sequence::read(
            "x.S",
            text,
            &mut MemoryReader::default(),
            &Options::default(),
        );
        read.expect("it is right")
    }

    fn labels(
        only: Option<&str>,
        baseline: Option<&str>,
        grid: bool,
    ) -> Result<Vec<String>, String> {
        let sequence = sequence();
        let sweep = Sweep::new(&sequence, &[], grid).expect("right");
        let selection = Selection::new(&sequence, &sweep, only, baseline)?;
        let points = selection.points.iter();
        Ok(points.map(|point| point.label(&sequence)).collect())
    }

    #[test]
    fn the_baseline_stays_at_every_set_of_params() {
        let labels = labels(Some("a/y"), None, true).expect("right");
        assert_eq!(labels, ["b N=1", "a/y N=1", "b N=2", "a/y N=2"]);
    }

    #[test]
    fn globs_reach_over_slashes() {
        let labels = labels(Some("a*"), Some("a/x"), false).expect("right");
        assert_eq!(labels, ["a/x N=1", "a/y N=1"]);
    }

    #[test]
    fn what_does_not_exist_is_told_beside_what_does() {
        for wrong in [
            labels(Some("z*"), None, false),
            labels(None, Some("z"), false),
        ] {
            assert!(wrong.expect_err("wrong").contains("a/x, b, a/y"));
        }
        assert!(labels(Some("a[/"), None, false).is_err());
        let list = labels(Some("a/x,a/y"), None, false).expect_err("no such name");
        assert!(list.ends_with("--only '{a/x,a/y}'"), "{list}");
        assert!(labels(Some("{a/x,a/y}"), None, false).is_ok());
    }
}
