//! The functions of the history probe in an image.

use super::Error;
use super::layout::{Layout, Protection};
use crate::api::Context;
use crate::harness::probe::{Probe, TABLES_BYTES, TARGETS_BYTES, Tables, Wanted};
use crate::harness::{Body, Emitter, Run, Shared};
use crate::probe::Setting;

/// How the functions are to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probing {
    /// Whether each case has functions in which it stands in front of the marker, too.
    pub(crate) before: bool,
    /// Taken branches of the loop that erases older history.
    pub(crate) erased: u32,
}

/// One subject's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacedProbe {
    /// The case, by its place in the image; `None`: no sequence.
    pub(crate) case: Option<usize>,
    /// Whether it stands in front of the marker.
    pub(crate) before: bool,
    /// One for each of [`Setting::ALL`].
    pub(crate) functions: [u64; Setting::ALL.len()],
}

/// All functions and the tables that they share.
#[derive(Debug)]
pub(crate) struct Probes {
    /// The tables.
    pub(crate) tables: Tables,
    /// The functions.
    pub(crate) placed: Vec<PlacedProbe>,
    probing: Probing,
    next_targets: u64,
    targets: Vec<(u64, [u64; 4])>,
}

impl Probes {
    /// Makes room for the tables and for the targets of so many cases.
    pub(super) fn new(probing: Probing, cases: usize, layout: &mut Layout) -> Self {
        let subjects = 1 + cases * if probing.before { 2 } else { 1 };
        let targets = (subjects * Setting::ALL.len()) as u64 * TARGETS_BYTES;
        Self {
            tables: Tables::at(layout.region(TABLES_BYTES, Protection::ReadWrite)),
            next_targets: layout.region(targets, Protection::Read),
            placed: Vec::with_capacity(subjects),
            probing,
            targets: Vec::new(),
        }
    }

    /// The functions of one case.
    pub(super) fn add(&mut self, emitter: &mut Emitter<'_>, case: usize, run: &Run) {
        self.emit(emitter, Some(case), false, run);
        if self.probing.before {
            self.emit(emitter, Some(case), true, run);
        }
    }

    fn emit(&mut self, emitter: &mut Emitter<'_>, case: Option<usize>, before: bool, run: &Run) {
        let functions = Setting::ALL.map(|setting| {
            let wanted = Wanted {
                setting,
                before,
                erased: self.probing.erased,
                tables: self.tables,
                targets: self.next_targets,
            };
            self.next_targets += TARGETS_BYTES;
            let Probe { function, targets } = emitter.probe(run, &wanted);
            self.targets.push((wanted.targets, targets));
            function
        });
        self.placed.push(PlacedProbe {
            case,
            before,
            functions,
        });
    }

    /// The functions of the control without a sequence.
    pub(super) fn place_nothing(
        &mut self,
        layout: &mut Layout,
        shared: Shared,
    ) -> Result<(), Error> {
        let mut no_blocks =
            |_: assemble::SectionId, _: u64, _: &[(assemble::SectionId, u64)]| Ok(Vec::new());
        let mut emitter = Emitter::new(layout.next(), shared, &[], &mut no_blocks);
        let run = Run {
            context: Context::Chained,
            before: None,
            body: Body::Nothing,
            after: None,
            offset: 0,
            align: 64,
            unroll: None,
            state: shared.zero_state,
        };
        self.emit(&mut emitter, None, false, &run);
        let (code, _) = emitter.finish().map_err(|errors| Error {
            message: errors.join("\n"),
            advice: String::new(),
        })?;
        super::place_code(layout, &code);
        Ok(())
    }

    /// Writes where the jumps go.
    pub(super) fn write_targets(&self, layout: &mut Layout) {
        for (address, targets) in &self.targets {
            let bytes: Vec<u8> = targets.iter().flat_map(|to| to.to_le_bytes()).collect();
            layout.write(*address, &bytes);
        }
    }
}
