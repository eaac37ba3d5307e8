//! Exact counts in words: what a run executes, as the single-stepper saw it.

use record::{Around, Code, Record, Status, Variant};

use crate::run_table::points;
use crate::text::full_name;

/// Variants that are named before the others are only counted.
const NAMED: usize = 3;

/// Points of a grid whose counts are told apart.
const POINTS: usize = 3;

/// Least and most of something; `None` where it was not counted.
type Span = Option<(u64, u64)>;

/// Everything that is counted of some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spans {
    instructions: Span,
    taken: Span,
    not_taken: Span,
    calls: Span,
    returns: Span,
}

impl From<&Code> for Spans {
    fn from(code: &Code) -> Self {
        let span = |least: Option<u64>, most: Option<u64>| Some((least?, most.or(least)?));
        Self {
            instructions: span(code.instructions, code.instructions_max),
            taken: span(code.taken_branches, code.taken_branches_max),
            not_taken: span(code.not_taken_branches, code.not_taken_branches_max),
            calls: span(code.calls, code.calls_max),
            returns: span(code.returns, code.returns_max),
        }
    }
}

impl From<&Around> for Spans {
    fn from(around: &Around) -> Self {
        Self {
            instructions: Some((around.instructions, around.instructions_max)),
            taken: Some((around.taken_branches, around.taken_branches_max)),
            not_taken: Some((around.not_taken_branches, around.not_taken_branches_max)),
            calls: Some((around.calls, around.calls_max)),
            returns: Some((around.returns, around.returns_max)),
        }
    }
}

impl Spans {
    fn all(self) -> [Span; 5] {
        [
            self.instructions,
            self.taken,
            self.not_taken,
            self.calls,
            self.returns,
        ]
    }

    /// The spans that hold both; what one of them lacks is that of the other.
    fn with(self, other: Self) -> Self {
        let union = |a: Span, b: Span| match (a, b) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        Self {
            instructions: union(self.instructions, other.instructions),
            taken: union(self.taken, other.taken),
            not_taken: union(self.not_taken, other.not_taken),
            calls: union(self.calls, other.calls),
            returns: union(self.returns, other.returns),
        }
    }

    /// Whether the counted runs differed.
    fn varies(self) -> bool {
        self.all()
            .into_iter()
            .flatten()
            .any(|(least, most)| least != most)
    }

    /// `105 instructions, 63 taken branches (6 calls, 7 returns), 6 not taken`; `None` where
    /// nothing was counted.
    fn words(self) -> Option<String> {
        let mut words = amount(self.instructions?, "instruction", "instructions");
        let none = Some((0, 0));
        if self.taken == none && self.not_taken == none {
            words.push_str(", no branches");
            return Some(words);
        }
        if let Some(taken) = self.taken {
            let taken = amount(taken, "taken branch", "taken branches");
            words.push_str(&format!(", {taken}"));
            let among: Vec<String> = [
                (self.calls, "call", "calls"),
                (self.returns, "return", "returns"),
            ]
            .into_iter()
            .filter_map(|(span, one, many)| {
                let span = span.filter(|(_, most)| *most > 0)?;
                Some(amount(span, one, many))
            })
            .collect();
            if !among.is_empty() {
                words.push_str(&format!(" ({})", among.join(", ")));
            }
        }
        if let Some(not_taken) = self.not_taken.filter(|(_, most)| *most > 0) {
            words.push_str(&format!(", {} not taken", numbers(not_taken)));
        }
        Some(words)
    }
}

/// `1 word`, `2 words`, `1 to 2 words`.
fn amount(span: (u64, u64), word: &str, words: &str) -> String {
    let word = if span == (1, 1) { word } else { words };
    format!("{} {word}", numbers(span))
}

/// `103`, or `101 to 106`.
fn numbers((least, most): (u64, u64)) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// What one variant executes in a run, its blocks apart; `None` where it was not counted.
pub(crate) fn of_code(code: &Code) -> Option<String> {
    let spans = Spans::from(code);
    let mut words = spans.words()?;
    if let Some(around) = code.around.as_ref().and_then(|it| Spans::from(it).words()) {
        words.push_str(&format!("; before and after it {around}"));
    }
    if let Some(runs) = code.counted_runs.filter(|_| spans.varies()) {
        words.push_str(&format!("; over {runs} runs, for its path depends on data"));
    }
    Some(words)
}

/// The notes below a table: what a run executes, whose path depends on data, and what was not
/// counted and why.
pub(crate) fn notes(record: &Record) -> Vec<String> {
    let (_, varying) = record.common_params();
    let codes: Vec<(&Variant, &Code)> = record
        .variants
        .iter()
        .filter(|variant| variant.status != Status::NotRun)
        .filter_map(|variant| Some((variant, variant.code.as_ref()?)))
        .collect();
    let mut notes = Vec::new();
    let union =
        |spans: &mut dyn Iterator<Item = Spans>| spans.fold(Spans::default(), Spans::with).words();
    let points = points(record, &varying);
    let of_point = |variants: &[&Variant]| {
        union(&mut codes.iter().filter_map(|(variant, code)| {
            let here = variants.iter().any(|here| std::ptr::eq(*here, *variant));
            here.then(|| Spans::from(*code))
        }))
    };
    // A grid has as many counts as points; of a few, each is told.
    let few = (2..=POINTS).contains(&points.len())
        && points.iter().any(|(_, variants)| variants.len() > 1);
    let bodies = if few {
        let parts: Vec<String> = points
            .iter()
            .filter_map(|(point, variants)| {
                Some(format!("at {}: {}", point.trim(), of_point(variants)?))
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    } else {
        union(&mut codes.iter().map(|(_, code)| Spans::from(*code)))
    };
    notes.extend(bodies.map(|words| format!("Exact counts of a run: {words}.")));
    let around = union(
        &mut codes
            .iter()
            .filter_map(|(_, code)| code.around.as_ref())
            .map(Spans::from),
    );
    notes.extend(around.map(|words| format!("Before and after it, not in these: {words}.")));

    let varied: Vec<&(&Variant, &Code)> = codes
        .iter()
        .filter(|(_, code)| Spans::from(*code).varies())
        .collect();
    for (variant, code) in varied.iter().take(NAMED) {
        let words = Spans::from(*code).words().unwrap_or_default();
        let runs = code
            .counted_runs
            .map_or_else(String::new, |runs| format!(" over {runs} counted runs"));
        notes.push(format!(
            "The path of {} depends on data{runs}: {words}.",
            full_name(variant, &varying)
        ));
    }
    if varied.len() > NAMED {
        notes.push(format!(
            "So do those of {} more; see -v.",
            varied.len() - NAMED
        ));
    }

    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (variant, code) in &codes {
        let Some(reason) = code.counts_reason.as_deref() else {
            continue;
        };
        let name = full_name(variant, &varying);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    for (reason, names) in reasons {
        let whose = if names.len() == codes.len() && names.len() > 1 {
            "of any variant".to_owned()
        } else {
            format!("of {}", listed(&names))
        };
        notes.push(format!("No exact counts {whose}: {reason}."));
    }
    notes
}

/// `a`, `a and b`, `a, b, c and 4 more`.
fn listed(names: &[String]) -> String {
    let shown = names.len().min(NAMED);
    let rest = names.len() - shown;
    match (&names[..shown], rest) {
        ([], _) => String::new(),
        ([one], _) => one.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, rest) => format!("{} and {rest} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(instructions: (u64, u64), taken: (u64, u64), others: [u64; 3]) -> Code {
        let [not_taken, calls, returns] = others.map(Some);
        Code {
            instructions: Some(instructions.0),
            instructions_max: Some(instructions.1),
            taken_branches: Some(taken.0),
            taken_branches_max: Some(taken.1),
            not_taken_branches: not_taken,
            not_taken_branches_max: not_taken,
            calls,
            calls_max: calls,
            returns,
            returns_max: returns,
            counted_runs: Some(3),
            ..Code::default()
        }
    }

    fn check(code: &Code, words: &str) {
        assert_eq!(of_code(code).as_deref(), Some(words));
    }

    #[test]
    fn one_of_a_thing_is_one_thing() {
        check(
            &code((1, 1), (1, 1), [0, 0, 1]),
            "1 instruction, 1 taken branch (1 return)",
        );
        check(
            &code((24, 24), (0, 0), [0, 0, 0]),
            "24 instructions, no branches",
        );
        check(
            &code((105, 105), (63, 63), [6, 6, 7]),
            "105 instructions, 63 taken branches (6 calls, 7 returns), 6 not taken",
        );
        check(
            &code((3, 3), (0, 0), [1, 0, 0]),
            "3 instructions, 0 taken branches, 1 not taken",
        );
    }

    #[test]
    fn a_path_that_depends_on_data_says_so() {
        let mut varied = code((82, 86), (20, 22), [1, 0, 1]);
        varied.counted_runs = Some(16);
        check(
            &varied,
            "82 to 86 instructions, 20 to 22 taken branches (1 return), 1 not taken; over 16 \
             runs, for its path depends on data",
        );
    }

    #[test]
    fn blocks_round_the_body_stand_apart() {
        let mut block = code((2, 2), (1, 1), [0, 0, 1]);
        block.around = Some(Around {
            instructions: 40,
            instructions_max: 40,
            taken_branches: 8,
            taken_branches_max: 12,
            not_taken_branches: 4,
            not_taken_branches_max: 8,
            ..Around::default()
        });
        check(
            &block,
            "2 instructions, 1 taken branch (1 return); before and after it 40 instructions, 8 to \
             12 taken branches, 4 to 8 not taken",
        );
    }

    #[test]
    fn older_records_lack_the_finer_counts() {
        let old = Code {
            instructions: Some(105),
            taken_branches: Some(63),
            ..Code::default()
        };
        check(&old, "105 instructions, 63 taken branches");
        assert_eq!(of_code(&Code::default()), None);
    }

    #[test]
    fn names_are_listed_up_to_a_few() {
        let names = |count: usize| -> Vec<String> {
            ["a", "b", "c", "d", "e"][..count]
                .iter()
                .map(|&name| name.to_owned())
                .collect()
        };
        assert_eq!(listed(&names(1)), "a");
        assert_eq!(listed(&names(3)), "a, b and c");
        assert_eq!(listed(&names(5)), "a, b, c and 2 more");
    }
}
