//! One sequence, read, selected and assembled: everything that is known before it runs.

use record::Context;
use sequence::{Params, Sequence, Variant};

use crate::args::Selection;
use crate::args::typed::{Common, Run};
use crate::outcome::Refusal;
use crate::terminal::Terminal;
use crate::unit::{Source, Unit};
use crate::words;

use super::order::Order;

/// Points that one run can hold: each has its own data, stacks and guards, and all images lie below
/// 2 GiB.
const MOST_POINTS: usize = 4000;

/// One sequence to be measured.
#[derive(Debug)]
pub(crate) struct Job {
    source: Source,
    /// Every point, assembled.
    pub(crate) units: Vec<Unit>,
    /// What is measured: units, and some of them twice. Cases are in this order.
    pub(crate) entries: Vec<Entry>,
    /// Index of the baseline's variant.
    baseline: usize,
    /// `--between`; empty: each variant's own.
    between: Vec<Context>,
    /// `--feature` as typed.
    pub(crate) features: Vec<String>,
    /// `--config` as typed.
    pub(crate) configs: Vec<String>,
}

/// One case of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Index into the units.
    pub(crate) unit: usize,
    /// 0, or which copy of the baseline this is.
    pub(crate) copy: u32,
    /// Whether it stands in the record. A copy that is not shown only tells the noise floor.
    pub(crate) shown: bool,
}

impl Job {
    /// Reads and assembles all that was named.
    ///
    /// # Errors
    /// Every error of every sequence: nothing runs unless all are right.
    pub(crate) fn all(typed: &Run, common: &Common, order: &Order) -> Result<Vec<Self>, Refusal> {
        let mut jobs = Vec::new();
        let mut refusal = Refusal::default();
        for argument in &typed.sequences {
            match Self::new(argument, typed, common, order) {
                Ok(job) => jobs.push(job),
                Err(wrong) => refusal.extend(wrong),
            }
        }
        refusal.check()?;
        Ok(jobs)
    }

    fn new(argument: &str, typed: &Run, common: &Common, order: &Order) -> Result<Self, Refusal> {
        let source = Source::read(argument, &typed.assembly, common, order.seed)?;
        let sweep = source.sweep(&typed.assembly, typed.grid)?;
        let (only, baseline) = (typed.only.as_deref(), typed.baseline.as_deref());
        let selection = if order.noise {
            Selection::baseline(&source.sequence, &sweep, baseline)
        } else {
            Selection::new(&source.sequence, &sweep, only, baseline)
        }
        .map_err(Refusal::because)?;
        Self::of(source, &selection, typed, order)
    }

    /// The job of these points of a sequence that was read.
    ///
    /// # Errors
    /// All errors of the points.
    pub(crate) fn of(
        source: Source,
        selection: &Selection,
        typed: &Run,
        order: &Order,
    ) -> Result<Self, Refusal> {
        let points = selection.points.len();
        if points > MOST_POINTS {
            return Err(Refusal::because(format!(
                "{}: {points} variants at their values are more than one run can hold, which is \
                 {MOST_POINTS}: choose some by --only or --set",
                source.sequence.name
            )));
        }
        let units = source.assemble(&selection.points)?;
        let mut between = typed.between.clone();
        between.sort_unstable();
        between.dedup();
        Ok(Self {
            entries: entries(&units, selection.baseline, order.noise),
            units,
            baseline: selection.baseline,
            between,
            features: typed.assembly.features.clone(),
            configs: typed.assembly.configs.clone(),
            source,
        })
    }

    /// The file.
    pub(crate) fn sequence(&self) -> &Sequence {
        &self.source.sequence
    }

    /// What the file was read from.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The unit of an entry.
    pub(crate) fn unit(&self, entry: Entry) -> &Unit {
        &self.units[entry.unit]
    }

    /// The declaration of an entry's variant.
    pub(crate) fn variant(&self, entry: Entry) -> &Variant {
        &self.source.sequence.variants[self.unit(entry).point.variant]
    }

    /// The name under which an entry stands in the record: copies of the baseline are numbered.
    pub(crate) fn name(&self, entry: Entry) -> String {
        let name = &self.variant(entry).name;
        match entry.copy {
            0 => name.clone(),
            copy => format!("{name}~{}", copy + 1),
        }
    }

    /// The contexts that an entry is timed in.
    pub(crate) fn contexts(&self, entry: Entry) -> Vec<Context> {
        if self.between.is_empty() {
            let between = &self.variant(entry).between;
            between.iter().copied().map(words::context).collect()
        } else {
            self.between.clone()
        }
    }

    /// All contexts that something is timed in.
    pub(crate) fn all_contexts(&self) -> Vec<Context> {
        let mut all: Vec<Context> = self
            .entries
            .iter()
            .flat_map(|&entry| self.contexts(entry))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The context that gives the verdicts: the file's, or the first one if `--between` leaves that
    /// out.
    pub(crate) fn verdict(&self) -> Context {
        let verdict = words::context(self.source.sequence.verdict);
        let all = self.all_contexts();
        if all.contains(&verdict) {
            verdict
        } else {
            all.first().copied().unwrap_or(verdict)
        }
    }

    /// The baseline's name.
    pub(crate) fn baseline(&self) -> &str {
        &self.source.sequence.variants[self.baseline].name
    }

    /// The entry that is the baseline of `params`.
    pub(crate) fn baseline_of(&self, params: &Params) -> Option<usize> {
        self.entries.iter().position(|&entry| {
            let point = &self.unit(entry).point;
            entry.copy == 0 && point.variant == self.baseline && point.params == *params
        })
    }

    /// The file's warnings, on stderr.
    pub(crate) fn tell_warnings(&self, terminal: &Terminal) {
        let mut warnings = self.source.sequence.warnings.clone();
        warnings.extend(self.units.iter().flat_map(|unit| unit.warnings.clone()));
        terminal.diagnose(warnings);
    }
}

/// Every unit once; and the baseline again, hidden once, or shown twice where the noise is what was
/// asked for.
fn entries(units: &[Unit], baseline: usize, noise: bool) -> Vec<Entry> {
    let mut entries: Vec<Entry> = (0..units.len())
        .map(|unit| Entry {
            unit,
            copy: 0,
            shown: true,
        })
        .collect();
    let mut copies = units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.point.variant == baseline);
    if noise {
        for (unit, _) in copies {
            entries.extend([1, 2].map(|copy| Entry {
                unit,
                copy,
                shown: true,
            }));
        }
    } else if let Some((unit, _)) = copies.next() {
        // One is enough: the floor is the machine's, not a param's.
        entries.push(Entry {
            unit,
            copy: 1,
            shown: false,
        });
    }
    entries
}
