//! What the records come to, in sentences for a reader who has not seen the tool before.

use record::{Context, Cycles, Measure, Verdict, VsBaseline, printable};

use super::matrix::Group;
use super::number::{amount, count, list, list_first, percent, percent_range};
use super::sequence::{Column, Row, Sequence};

/// Variants and machines that a sentence names.
const NAMED: usize = 4;

/// Variants whose other contexts are told below the finding; of the first, every machine's numbers.
const TOLD: usize = 2;

/// The finding and what supports it.
pub(super) struct Words {
    /// One sentence.
    pub(super) finding: String,
    /// The variants that it is about and the baseline, as the sequence file describes them.
    pub(super) who: Vec<(String, String)>,
    /// The same with the numbers it rests on, one machine a sentence.
    pub(super) evidence: Vec<String>,
    /// Why records could not be compared; empty where they could.
    pub(super) refusals: Vec<String>,
}

impl Sequence {
    /// States the finding.
    pub(super) fn finding(&self) -> Words {
        let Some(context) = self.context else {
            return Words {
                finding: "Nothing was measured.".to_owned(),
                who: Vec::new(),
                evidence: Vec::new(),
                refusals: Vec::new(),
            };
        };
        let mut refusals = Vec::new();
        let finding = match &self.diff {
            Some(Ok(diff)) => printable(&diff.finding),
            Some(Err(reasons)) => {
                refusals = reasons.iter().map(ToString::to_string).collect();
                self.column_sentences(context).join(" ")
            }
            None if self.is_large() => self.shared_finding(context),
            None => self.column_sentences(context).join(" "),
        };
        let headlines = self.headlines(context);
        let mut evidence = Vec::new();
        if !self.is_large() {
            let first = headlines.first();
            evidence.extend(
                first
                    .into_iter()
                    .flat_map(|row| self.evidence(row, context)),
            );
            let told = headlines.iter().take(TOLD);
            evidence.extend(told.filter_map(|row| self.elsewhere(row, context)));
            evidence.extend(self.less());
        }
        Words {
            finding,
            who: self.who(&headlines),
            evidence,
            refusals,
        }
    }

    /// The rows that the finding is about, as the sequence file describes them, and the baseline.
    fn who(&self, headlines: &[&Row]) -> Vec<(String, String)> {
        let baseline = self.rows.iter().find(|row| row.is_baseline);
        let mut who: Vec<(String, String)> = Vec::new();
        let rows = headlines.iter().take(NAMED).copied();
        for row in rows.chain(baseline) {
            let mut text = self.text(row);
            if row.is_baseline {
                text.push_str(if text.is_empty() {
                    "the baseline"
                } else {
                    " (the baseline)"
                });
            }
            let known = who.iter().any(|(name, _)| *name == row.variant);
            if !known && !text.is_empty() {
                who.push((row.variant.clone(), text));
            }
        }
        who
    }

    /// What is cheaper because it does less.
    fn less(&self) -> Vec<String> {
        if let Some(diff) = self.compared() {
            return diff
                .less
                .iter()
                .map(|sentence| printable(sentence))
                .collect();
        }
        let baseline = self.baseline_name();
        let rows = self.rows.iter().flat_map(|row| {
            let records = self.digests.iter().enumerate();
            records.filter_map(move |(index, digest)| {
                let variant = self.variant(row, index)?;
                digest.record.does_less(variant).then_some((row, index))
            })
        });
        rows.map(|(row, record)| {
            format!(
                "{} on {}: cheaper because it does less: it keeps the branch history, which \
                 {baseline} displaces.",
                row.name, self.labels[record]
            )
        })
        .collect()
    }

    /// The rows that the finding is about, the first of them first.
    fn headlines(&self, context: Context) -> Vec<&Row> {
        match self.compared() {
            Some(diff) if !diff.leads.is_empty() => diff
                .leads
                .iter()
                .filter_map(|&lead| self.rows.get(lead))
                .collect(),
            _ => match self.headline(context) {
                Some(row) if self.is_large() => self
                    .alike(row, context)
                    .into_iter()
                    .map(|(row, _)| row)
                    .collect(),
                other => other.into_iter().collect(),
            },
        }
    }

    /// The row that the finding is about: where the machines differ most, else where any differs
    /// most from the baseline.
    pub(super) fn headline(&self, context: Context) -> Option<&Row> {
        let spread = |row: &Row| -> f64 {
            let ratios = || {
                self.columns
                    .iter()
                    .flat_map(|column| self.comparisons(row, column, context))
                    .filter(|(_, vs)| vs.ratio > 0.0 && vs.ratio.is_finite())
            };
            if !ratios().any(|(_, vs)| vs.verdict != Verdict::NoDifference) {
                return 0.0;
            }
            let logs = || ratios().map(|(_, vs)| vs.ratio.ln());
            let high = logs().fold(f64::NEG_INFINITY, f64::max);
            let low = logs().fold(f64::INFINITY, f64::min);
            // A difference between machines outweighs one that all of them share.
            1e3 * (high - low) + high.abs().max(low.abs())
        };
        // The comparison has a row for each (name, params) in order of first appearance, as here.
        let led = self.compared().and_then(|diff| diff.leads.first());
        if let Some(row) = led.and_then(|&lead| self.rows.get(lead)) {
            return Some(row);
        }
        // The first of those that differ alike, as in the sentences.
        let mut most: (Option<&Row>, f64) = (None, 0.0);
        for row in &self.rows {
            let spread = spread(row);
            if spread > most.1 {
                most = (Some(row), spread);
            }
        }
        most.0
    }

    /// One sentence a machine: what a run of the variant takes there against the baseline.
    fn evidence(&self, row: &Row, context: Context) -> Vec<String> {
        let mut sentences = Vec::new();
        for (record, label) in self.labels.iter().enumerate() {
            let Some(measure) = self
                .variant(row, record)
                .and_then(|variant| variant.measures.get(&context))
            else {
                sentences.push(format!("On {label}, {} was not measured.", row.name));
                continue;
            };
            let (Some(vs), Some(cycles)) = (&measure.vs_baseline, &measure.cycles) else {
                continue;
            };
            let reference = self
                .reference(row, record, context)
                .and_then(|measure| measure.cycles.as_ref())
                .map_or_else(String::new, |cycles| {
                    format!(
                        ", and one of {} {}",
                        self.baseline_name(),
                        with_interval(cycles)
                    )
                });
            sentences.push(format!(
                "On {label}, one run of {} takes {}{reference}: {}.",
                row.name,
                with_interval(cycles),
                outcome(vs)
            ));
        }
        sentences
    }

    /// One sentence on the contexts that do not give the verdicts.
    fn elsewhere(&self, row: &Row, context: Context) -> Option<String> {
        let elsewhere: Vec<String> = self
            .contexts
            .iter()
            .filter(|&&other| other != context)
            .filter_map(|&other| {
                let figures: Vec<String> = self
                    .columns
                    .iter()
                    .filter_map(|column| {
                        let (_, vs) = self.comparisons(row, column, other).next()?;
                        let figure = match vs.verdict {
                            Verdict::NoDifference => "no difference seen".to_owned(),
                            _ => cost(vs),
                        };
                        Some(format!("{figure} on {}", column.label))
                    })
                    .collect();
                (!figures.is_empty()).then(|| format!("{other}: {}", list(&figures)))
            })
            .collect();
        (!elsewhere.is_empty()).then(|| {
            format!(
                "{} in the other contexts \u{2013} {}.",
                row.name,
                elsewhere.join("; ")
            )
        })
    }

    /// The baseline's measure at a row's params.
    fn reference(&self, row: &Row, record: usize, context: Context) -> Option<&Measure> {
        let params = &self.variant(row, record)?.params;
        let baseline = self.baseline.as_deref()?;
        self.digests[record]
            .record
            .variants
            .iter()
            .find(|variant| variant.name == baseline && variant.params == *params)?
            .measures
            .get(&context)
    }

    /// One sentence a machine: which of its variants differ from the baseline.
    fn column_sentences(&self, context: Context) -> Vec<String> {
        self.columns
            .iter()
            .filter(|column| column.single().is_some())
            .map(|column| self.column_sentence(column, context))
            .collect()
    }

    fn column_sentence(&self, column: &Column, context: Context) -> String {
        let mut compared: Vec<(&Row, &VsBaseline)> = self
            .rows
            .iter()
            .filter_map(|row| {
                let (_, vs) = self.comparisons(row, column, context).next()?;
                Some((row, vs))
            })
            .collect();
        let (label, baseline) = (&column.label, self.baseline_name());
        if compared.is_empty() {
            return format!("On {label}, nothing stands against {baseline} ({context}).");
        }
        compared.sort_by(|a, b| b.1.ratio.total_cmp(&a.1.ratio));
        let of = |wanted: Verdict| {
            together(&compared, wanted, |row, ratios| match ratios {
                [only] => format!("{} {}", row, cost(only)),
                _ => format!("{} {}", row, costs(ratios)),
            })
        };
        let mut parts = Vec::new();
        for (verdict, word) in [(Verdict::Slower, "slower"), (Verdict::Faster, "faster")] {
            let mut names = of(verdict);
            if verdict == Verdict::Faster {
                names.reverse();
            }
            if !names.is_empty() {
                parts.push(format!(
                    "{word} than {baseline}: {}",
                    list_first(&names, NAMED)
                ));
            }
        }
        let same = together(&compared, Verdict::NoDifference, |row, _| row.to_owned());
        if parts.is_empty() {
            let least = compared
                .iter()
                .filter_map(|(_, vs)| vs.smallest_seen)
                .fold(0.0, f64::max);
            return format!(
                "On {label}, no variant was seen to differ from {baseline} ({context}); a \
                 difference of {:.1}% would have been{}.",
                least * 100.0,
                self.hidden(column, context)
            );
        }
        if !same.is_empty() {
            parts.push(format!("no difference seen: {}", list_first(&same, NAMED)));
        }
        format!(
            "On {label} ({context}), {}{}.",
            parts.join("; "),
            self.hidden(column, context)
        )
    }

    /// Variants that differ nowhere but at some placements: `; but across differs at some
    /// placements: +38.7% at offset 0`.
    fn hidden(&self, column: &Column, context: Context) -> String {
        let rows = self.rows.iter().flat_map(|row| {
            column.members.iter().filter_map(move |&record| {
                let measure = self.variant(row, record)?.measures.get(&context)?;
                let (offset, ratio) = measure.hidden_placement()?;
                Some(format!(
                    "{} differs at some placements: {} at offset {offset}",
                    row.name,
                    percent(ratio)
                ))
            })
        });
        let rows: Vec<String> = rows.collect();
        if rows.is_empty() {
            String::new()
        } else {
            format!("; but {}", list_first(&rows, NAMED))
        }
    }

    /// Many machines: the row that differs most, by kind of machine.
    fn shared_finding(&self, context: Context) -> String {
        let baseline = self.baseline_name();
        let machines = count(self.digests.len(), "record");
        let Some(row) = self.headline(context) else {
            return format!(
                "No variant was seen to differ from {baseline} in any of {machines} \
                 ({context}){}.",
                self.columns
                    .iter()
                    .map(|column| self.hidden(column, context))
                    .find(|hidden| !hidden.is_empty())
                    .unwrap_or_default()
            );
        };
        let alike = self.alike(row, context);
        let mut sides: [Vec<String>; 3] = Default::default();
        for (index, column) in self.columns.iter().enumerate() {
            let Some(group) = Group::of(self.comparisons(row, column, context).map(|(_, vs)| vs))
            else {
                continue;
            };
            let total = group.slower + group.faster + group.same;
            for (side, n, span) in [
                (0, group.slower, true),
                (1, group.same, false),
                (2, group.faster, true),
            ] {
                if n == 0 {
                    continue;
                }
                let mut words = if n == total {
                    format!("{} ({n}", column.label)
                } else {
                    format!("{} ({n} of {total}", column.label)
                };
                if span && n == total {
                    let groups = alike.iter().filter_map(|(_, of)| of[index].as_ref());
                    words.push_str(&format!(", {}", Group::span_of(groups)));
                }
                words.push(')');
                sides[side].push(words);
            }
        }
        let mut parts = Vec::new();
        let (slower, faster) = match alike.len() {
            1 => ("is slower than", "is faster than"),
            _ => ("are slower than", "are faster than"),
        };
        for (side, how) in [(0, slower), (2, faster), (1, "no different from")] {
            if !sides[side].is_empty() {
                parts.push(format!(
                    "{how} {baseline} on {}",
                    list_first(&sides[side], 2 * NAMED)
                ));
            }
        }
        let names: Vec<String> = alike.iter().map(|(row, _)| row.name.clone()).collect();
        format!(
            "{} {} ({context}).",
            list_first(&names, NAMED),
            parts.join("; ")
        )
    }

    /// The rows that do as this one does on the machines of every kind, and at least half as much;
    /// each with what they say, column by column.
    fn alike(&self, row: &Row, context: Context) -> Vec<(&Row, Vec<Option<Group>>)> {
        let groups = |row: &Row| -> Vec<Option<Group>> {
            let columns = self.columns.iter();
            columns
                .map(|column| Group::of(self.comparisons(row, column, context).map(|(_, vs)| vs)))
                .collect()
        };
        let own = groups(row);
        let rows = self.rows.iter().map(|other| (other, groups(other)));
        rows.filter(|(other, theirs)| {
            let mut pairs = own.iter().zip(theirs);
            std::ptr::eq(*other, row)
                || 2.0 * extent(theirs) >= extent(&own)
                    && pairs.all(|(one, other)| match (one, other) {
                        (Some(one), Some(other)) => one.does_as(other),
                        (None, None) => true,
                        _ => false,
                    })
        })
        .collect()
    }
}

/// How far the medians of these are from the baseline at most.
fn extent(groups: &[Option<Group>]) -> f64 {
    let medians = groups.iter().flatten().map(|group| group.ratios[1]);
    medians
        .map(|ratio| ratio.ln().abs())
        .filter(|extent| extent.is_finite())
        .fold(0.0, f64::max)
}

/// Who reads this needs to know what the words mean.
pub(super) fn context_meaning(context: Context) -> &'static str {
    match context {
        Context::Chained => {
            "runs follow each other with nothing between them, and registers flow from one into \
             the next: the throughput of a tight loop"
        }
        Context::Overlap => {
            "the general registers are zeroed before each run, so that runs may overlap but do \
             not wait for each other's registers"
        }
        Context::Isolated => {
            "one lfence after each run, so that each starts when the one before is done: what a \
             run adds to an empty call followed by lfence. About a dozen cycles of a called body \
             hide behind the call itself, so that a plain chain reads lower than chained by that \
             much"
        }
        Context::History => {
            "24 branches on fresh random bits before each run and an lfence after it: what an \
             entry to the kernel finds, with the predictors holding somebody else's history"
        }
    }
}

/// Says something of each variant with a verdict; of all its params at once where they agree.
fn together(
    compared: &[(&Row, &VsBaseline)],
    wanted: Verdict,
    say: impl Fn(&str, &[&VsBaseline]) -> String,
) -> Vec<String> {
    let mut said: Vec<&str> = Vec::new();
    let mut words = Vec::new();
    for (row, vs) in compared.iter().filter(|(_, vs)| vs.verdict == wanted) {
        let alike = || {
            compared
                .iter()
                .filter(|(other, _)| other.variant == row.variant)
        };
        let settings = alike().count();
        if settings == 1 || !alike().all(|(_, vs)| vs.verdict == wanted) {
            words.push(say(&row.name, &[vs]));
        } else if !said.contains(&row.variant.as_str()) {
            said.push(&row.variant);
            let all: Vec<&VsBaseline> = alike().map(|(_, vs)| *vs).collect();
            words.push(say(
                &format!("{} at all {settings} settings", row.variant),
                &all,
            ));
        }
    }
    words
}

/// `+30.0% to +31.2% [29.7, 31.5]`, the interval from the lowest end to the highest.
fn costs(all: &[&VsBaseline]) -> String {
    let least =
        |of: fn(&VsBaseline) -> f64| all.iter().map(|vs| of(vs)).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&VsBaseline) -> f64| {
        all.iter()
            .map(|vs| of(vs))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let (low, high) = (percent(least(|vs| vs.ratio)), percent(most(|vs| vs.ratio)));
    let span = if low == high {
        low
    } else {
        format!("{low} to {high}")
    };
    let range = percent_range(least(|vs| vs.low), most(|vs| vs.high));
    format!("{span} {range}")
}

fn outcome(vs: &VsBaseline) -> String {
    match vs.verdict {
        Verdict::Slower => format!(
            "{} more [{:.1}, {:.1}]",
            much(vs),
            less(vs.low),
            less(vs.high)
        ),
        Verdict::Faster => format!(
            "{} less [{:.1}, {:.1}]",
            much(vs),
            -less(vs.high),
            -less(vs.low)
        ),
        Verdict::NoDifference => {
            let seen = vs.smallest_seen.map_or_else(String::new, |seen| {
                format!("; one of {:.1}% would have been", seen * 100.0)
            });
            format!("no difference seen ({}{seen})", cost(vs))
        }
    }
}

fn much(vs: &VsBaseline) -> String {
    format!("{:.1}%", less(vs.ratio).abs())
}

fn less(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

fn cost(vs: &VsBaseline) -> String {
    format!("{} {}", percent(vs.ratio), percent_range(vs.low, vs.high))
}

fn with_interval(cycles: &Cycles) -> String {
    format!(
        "{} cycles [{}, {}]",
        amount(cycles.estimate),
        amount(cycles.low),
        amount(cycles.high)
    )
}
