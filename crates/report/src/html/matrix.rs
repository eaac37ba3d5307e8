//! The matrix: variants by machines in one context.

use record::{Context, Status, Variant, Verdict, VsBaseline, printable};

use super::cell::{self, Cell};
use super::number::percent;
use super::sequence::{Column, Row, Sequence};
use super::words::context_meaning;

/// The most records between which the ratios of ratios have columns.
const MOST_COMPARED: usize = 4;

/// A matrix as its template takes it.
pub(super) struct Matrix {
    pub(super) context: Context,
    /// What it is, in words.
    pub(super) meaning: &'static str,
    /// Columns of the upper header row: a label and how many columns below it.
    pub(super) groups: Vec<(String, usize)>,
    /// Columns of the lower header row.
    pub(super) heads: Vec<Head>,
    pub(super) rows: Vec<MatrixRow>,
}

/// A column's heading.
pub(super) struct Head {
    pub(super) label: String,
    /// What it is a column of, for readers who do not see the row above.
    pub(super) of: String,
}

/// A row of the matrix.
pub(super) struct MatrixRow {
    /// Index of the sequence's row.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) text: String,
    /// Words that the filter goes by: `slower`, `faster`, `same`, `baseline`, `missing`.
    pub(super) words: String,
    pub(super) cells: Vec<Cell>,
}

impl Sequence {
    /// The matrix of a context.
    pub(super) fn matrix(&self, context: Context) -> Matrix {
        let with_history: Vec<bool> = self
            .columns
            .iter()
            .map(|column| self.has_history(column))
            .collect();
        let mut groups = Vec::new();
        let mut heads = Vec::new();
        let mut head = |label: &str, of: &str| {
            heads.push(Head {
                label: label.to_owned(),
                of: of.to_owned(),
            });
        };
        for (column, &with_history) in self.columns.iter().zip(&with_history) {
            groups.push((column.label.clone(), 2 + usize::from(with_history)));
            head(
                if column.single().is_some() {
                    "cycles"
                } else {
                    "machines"
                },
                &column.label,
            );
            head("against baseline", &column.label);
            if with_history {
                head("branch history (BHB)", &column.label);
            }
        }
        let compared = self.ratios(context);
        if let Some(labels) = &compared {
            let what = if self.compared().is_some_and(|diff| diff.same_machine) {
                "Ratio of cycles"
            } else {
                "Ratio of these ratios"
            };
            groups.push((what.to_owned(), labels.len()));
            for label in labels {
                head(label, "ratio");
            }
        }
        groups.push(("The code".to_owned(), 2));
        head("instructions executed", "a run, exact");
        head("bytes of code", "as assembled");
        let rows = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let mut cells = Vec::with_capacity(heads.len());
                for (column, &with_history) in self.columns.iter().zip(&with_history) {
                    self.column_cells(row, column, context, with_history, &mut cells);
                }
                if compared.is_some() {
                    self.ratio_cells(index, &mut cells);
                }
                self.code_cells(row, &mut cells);
                MatrixRow {
                    index,
                    name: row.name.clone(),
                    text: self.text(row),
                    words: self.words(row),
                    cells,
                }
            })
            .collect();
        Matrix {
            context,
            meaning: context_meaning(context),
            groups,
            heads,
            rows,
        }
    }

    /// What the sequence file says of a variant.
    pub(super) fn text(&self, row: &Row) -> String {
        self.variants(row)
            .map(|variant| printable(&variant.text))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    }

    /// A row's variant in every record that has it.
    pub(super) fn variants<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = &'a Variant> {
        (0..self.digests.len()).filter_map(|record| self.variant(row, record))
    }

    /// A row against the baseline, in every record of a column.
    pub(super) fn comparisons<'a>(
        &'a self,
        row: &'a Row,
        column: &'a Column,
        context: Context,
    ) -> impl Iterator<Item = (usize, &'a VsBaseline)> {
        column.members.iter().filter_map(move |&record| {
            let measure = self.variant(row, record)?.measures.get(&context)?;
            Some((record, measure.vs_baseline.as_ref()?))
        })
    }

    /// Whether any variant of a column was probed.
    pub(super) fn has_history(&self, column: &Column) -> bool {
        column
            .members
            .iter()
            .flat_map(|&record| &self.digests[record].record.variants)
            .any(|variant| variant.history.is_some())
    }

    fn column_cells(
        &self,
        row: &Row,
        column: &Column,
        context: Context,
        with_history: bool,
        cells: &mut Vec<Cell>,
    ) {
        match column.single() {
            Some(record) => {
                let variant = self.variant(row, record);
                let measure = variant.and_then(|variant| variant.measures.get(&context));
                let cycles = measure.and_then(|measure| measure.cycles.as_ref());
                let vs = measure.and_then(|measure| measure.vs_baseline.as_ref());
                cells.push(match cycles {
                    Some(cycles) => cell::cycles_cell(cycles),
                    None => cell::no_cycles(variant),
                });
                cells.push(match vs {
                    Some(vs) => cell::vs_cell(vs),
                    None if row.is_baseline && cycles.is_some() => cell::baseline(),
                    None => cell::nothing(),
                });
            }
            None => self.shared_cells(row, column, context, cells),
        }
        if with_history {
            cells.push(self.history_cell(row, column));
        }
    }

    /// Several machines of a kind: how many have a number, and the range of their percentages.
    fn shared_cells(&self, row: &Row, column: &Column, context: Context, cells: &mut Vec<Cell>) {
        let measured = column
            .members
            .iter()
            .filter(|&&record| {
                self.variant(row, record)
                    .and_then(|variant| variant.measures.get(&context))
                    .is_some_and(|measure| measure.cycles.is_some())
            })
            .count();
        let mut number = Cell {
            main: measured.to_string(),
            sort: measured.to_string(),
            ..Cell::default()
        };
        if measured < column.members.len() {
            number.note = format!("of {}", column.members.len());
        }
        cells.push(number);
        let group = Group::of(self.comparisons(row, column, context).map(|(_, vs)| vs));
        cells.push(match group {
            Some(group) => group.cell(),
            None if row.is_baseline && measured > 0 => cell::baseline(),
            None => cell::nothing(),
        });
    }

    fn history_cell(&self, row: &Row, column: &Column) -> Cell {
        let mut words: Vec<(&str, usize)> = Vec::new();
        for &record in &column.members {
            let Some(history) = self
                .variant(row, record)
                .and_then(|variant| variant.history.as_ref())
            else {
                continue;
            };
            let word = history.word.word();
            match words.iter_mut().find(|(other, _)| *other == word) {
                Some((_, times)) => *times += 1,
                None => words.push((word, 1)),
            }
        }
        let main = match words[..] {
            [] => return cell::nothing(),
            [(word, _)] => word.to_owned(),
            _ => words
                .iter()
                .map(|(word, times)| format!("{times} {word}"))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let less = column.members.iter().any(|&record| {
            let variant = self.variant(row, record);
            variant.is_some_and(|variant| self.digests[record].record.does_less(variant))
        });
        Cell {
            sort: main.clone(),
            main,
            note: if less {
                "cheaper because it does less".to_owned()
            } else {
                String::new()
            },
            class: if less { "differs" } else { "" },
            ..Cell::default()
        }
    }

    /// Headings of the ratios of ratios, where the comparison has them in this context.
    fn ratios(&self, context: Context) -> Option<Vec<String>> {
        let diff = self.compared()?;
        (diff.between == context && self.labels.len() <= MOST_COMPARED).then(|| {
            self.labels[1..]
                .iter()
                .map(|label| format!("{label} over {}", self.labels[0]))
                .collect()
        })
    }

    fn ratio_cells(&self, index: usize, cells: &mut Vec<Cell>) {
        let Some(diff) = self.compared() else {
            return;
        };
        // The comparison has a row for each (name, params) in order of first appearance, as here.
        let Some(row) = diff.rows.get(index) else {
            return;
        };
        let ratios = if diff.same_machine {
            &row.direct
        } else {
            &row.ratio_of_ratios
        };
        cells.extend(ratios.iter().map(|ratio| match ratio {
            None => cell::nothing(),
            Some(ratio) => Cell {
                main: format!("{:.3}", ratio.ratio),
                note: format!(
                    "[{:.3}, {:.3}] {}",
                    ratio.low,
                    ratio.high,
                    match (ratio.verdict, diff.same_machine) {
                        (Verdict::NoDifference, _) => "alike",
                        (Verdict::Slower, false) => "costs more there",
                        (Verdict::Faster, false) => "costs less there",
                        (verdict, true) => verdict.word(),
                    }
                ),
                class: match ratio.verdict {
                    Verdict::NoDifference => "same",
                    _ => "differs",
                },
                sort: ratio.ratio.to_string(),
                ..Cell::default()
            },
        }));
    }

    fn code_cells(&self, row: &Row, cells: &mut Vec<Cell>) {
        let codes = || {
            self.variants(row)
                .filter_map(|variant| variant.code.as_ref())
        };
        let instructions = codes().flat_map(|code| {
            [code.instructions, code.instructions_max]
                .into_iter()
                .flatten()
        });
        cells.push(cell::exact(instructions));
        cells.push(cell::exact(codes().map(|code| code.size)));
    }

    /// What the filter goes by, in any of the contexts.
    fn words(&self, row: &Row) -> String {
        let mut words = Vec::new();
        let mut add = |word| {
            if !words.contains(&word) {
                words.push(word);
            }
        };
        if row.is_baseline {
            add("baseline");
        }
        for column in &self.columns {
            let contexts = self.contexts.iter();
            for (_, vs) in contexts.flat_map(|&context| self.comparisons(row, column, context)) {
                add(match vs.verdict {
                    Verdict::Slower => "slower",
                    Verdict::Faster => "faster",
                    Verdict::NoDifference => "same",
                });
            }
        }
        for (record, _) in self.digests.iter().enumerate() {
            match self.variant(row, record) {
                Some(variant) if variant.status == Status::Measured => {}
                _ => add("missing"),
            }
        }
        words.join(" ")
    }
}

/// What several machines say of one variant.
pub(super) struct Group {
    pub(super) slower: usize,
    pub(super) faster: usize,
    pub(super) same: usize,
    /// Least, median and greatest ratio.
    pub(super) ratios: [f64; 3],
}

impl Group {
    /// `None` for no comparisons.
    pub(super) fn of<'a>(comparisons: impl Iterator<Item = &'a VsBaseline>) -> Option<Self> {
        let mut ratios = Vec::new();
        let (mut slower, mut faster, mut same) = (0, 0, 0);
        for vs in comparisons {
            ratios.push(vs.ratio);
            match vs.verdict {
                Verdict::Slower => slower += 1,
                Verdict::Faster => faster += 1,
                Verdict::NoDifference => same += 1,
            }
        }
        ratios.sort_unstable_by(f64::total_cmp);
        let ratios = [*ratios.first()?, ratios[ratios.len() / 2], *ratios.last()?];
        Some(Self {
            slower,
            faster,
            same,
            ratios,
        })
    }

    /// `slower on 12, = on 3`
    pub(super) fn counts(&self) -> String {
        let counts = [
            (self.slower, "slower"),
            (self.same, "no difference"),
            (self.faster, "faster"),
        ];
        let words: Vec<String> = counts
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| format!("{n} {word}"))
            .collect();
        words.join(", ")
    }

    /// `+36.1% to +37.9%`, or `=` where no difference was seen on any.
    pub(super) fn outcome(&self) -> String {
        if self.slower == 0 && self.faster == 0 {
            "=".to_owned()
        } else {
            self.span()
        }
    }

    /// `+36.1% to +37.9%`
    pub(super) fn span(&self) -> String {
        Self::span_of([self].into_iter())
    }

    /// From the least ratio of several groups to the greatest.
    pub(super) fn span_of<'a>(groups: impl Iterator<Item = &'a Self> + Clone) -> String {
        let low = groups.clone().map(|group| group.ratios[0]);
        let high = groups.map(|group| group.ratios[2]);
        let low = percent(low.fold(f64::INFINITY, f64::min));
        let high = percent(high.fold(f64::NEG_INFINITY, f64::max));
        if low == high {
            low
        } else {
            format!("{low} to {high}")
        }
    }

    /// Whether another variant has the same verdicts here, on some machine at least.
    pub(super) fn does_as(&self, other: &Self) -> bool {
        let verdicts = |of: &Self| [of.slower > 0, of.same > 0, of.faster > 0];
        verdicts(self) == verdicts(other)
    }

    fn cell(&self) -> Cell {
        let (main, class) = if self.slower == 0 && self.faster == 0 {
            ("=".to_owned(), "same")
        } else if self.faster == 0 {
            (self.span(), cell::heat(self.ratios[1], Verdict::Slower))
        } else if self.slower == 0 {
            (self.span(), cell::heat(self.ratios[1], Verdict::Faster))
        } else {
            (self.span(), "differs")
        };
        Cell {
            spoken: if main == "=" {
                "no difference seen"
            } else {
                ""
            },
            main,
            note: self.counts(),
            class,
            sort: self.ratios[1].to_string(),
        }
    }
}
