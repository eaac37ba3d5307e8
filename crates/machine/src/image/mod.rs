//! Cases and their harnesses, linked for fixed addresses below 2 GiB.
//!
//! An [`Image`] cannot exist unless each instruction's linked bytes decode back to what was
//! assembled, and no region of it can be writable and executable. Its contents are in a sealed
//! file in memory that the worker maps; the parent never maps them.

mod bodies;
mod file;
pub(crate) mod layout;
mod link;
pub(crate) mod placement;
mod probe;
mod sections;
mod verify;

pub(crate) use bodies::Lines;
pub use placement::distinct_layouts;
pub(crate) use probe::{PlacedProbe, Probes, Probing};
pub(crate) use sections::has_own_empty;

use std::ops::Range;
use std::os::fd::OwnedFd;

use assemble::{Code, SectionId};

use crate::api::{Case, Context, Entry, Error, Ruler};
use crate::harness::control::{CONTROL_BYTES, Control, HISTORY_ENTRIES, STATE_BYTES, STATE_XSAVE};
use crate::harness::features::Features;
use crate::harness::instruments::{self, Instruments};
use crate::harness::{Body, Copy, Counting, Emitter, Passes, Run, Shared, Sites};
use crate::random::Stream;
use layout::{LIMIT, Layout, Mapping, PAGE, Protection};
use link::Places;
use sections::{Blocks, SHF_EXECINSTR, SPACE};

/// Bytes of the stack above %rsp as a sequence finds it.
const ABOVE_STACK: u64 = 64;
/// Bases are drawn from this range, at pages.
const BASES: Range<u64> = 0x1000_0000..0x4000_0000;

/// Whose measure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    /// The body of the case at this index of the request.
    Body(usize),
    /// This case's blocks round an empty body.
    OwnEmpty(usize),
    /// A function that returns at once.
    EmptyCall,
    /// Nothing at all.
    EmptyInline,
}

/// Something to be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Whose.
    pub(crate) subject: Subject,
    /// In which context.
    pub(crate) context: Context,
}

/// A case in an image.
#[derive(Debug)]
pub(crate) struct PlacedCase {
    /// Everything of its code that can run, in the order in which addresses are looked up.
    pub(crate) copies: Vec<Copy>,
    /// Its harness.
    pub(crate) harness: Range<u64>,
    /// The function that runs its setup.
    pub(crate) setup: Option<u64>,
    /// The counting harness.
    pub(crate) counting: Counting,
    /// Addresses of its random tables.
    pub(crate) randoms: Vec<u64>,
}

/// An image: what the worker maps and where things are in it.
#[derive(Debug)]
pub(crate) struct Image {
    /// First address of the reservation.
    pub(crate) base: u64,
    /// Its bytes.
    pub(crate) length: u64,
    /// Regions.
    pub(crate) mappings: Vec<Mapping>,
    /// Contents, sealed.
    pub(crate) file: OwnedFd,
    /// The harness's data.
    pub(crate) control: Control,
    /// Table of random bits for the history context.
    pub(crate) history_table: u64,
    /// Shared code.
    pub(crate) instruments: Instruments,
    /// %rsp behind a loop: of calls, of inline code.
    pub(crate) stack_top: u64,
    /// The requested cases.
    pub(crate) cases: Vec<PlacedCase>,
    /// Passes of the requested measures.
    pub(crate) passes: Vec<Passes>,
    /// What the history probe needs, where it was asked for.
    pub(crate) probes: Option<Probes>,
}

/// What makes one image differ from the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    /// What the CPU has.
    pub(crate) features: Features,
    /// The ruler.
    pub(crate) ruler: &'a Ruler,
    /// The second ruler.
    pub(crate) second_ruler: Option<&'a Ruler>,
    /// Draws the base.
    pub(crate) seed: u64,
    /// Whether there are functions of the history probe, and how.
    pub(crate) probing: Option<Probing>,
}

impl Image {
    /// Links the cases and writes a harness for each measure. `lines` are those of the same cases'
    /// earlier images.
    ///
    /// # Errors
    /// All references that cannot be resolved, all instructions that do not decode back; or the
    /// image is too large.
    pub(crate) fn new(
        cases: &[&Case],
        wanted: &[Wanted],
        settings: &Settings<'_>,
        lines: &mut Lines,
    ) -> Result<Self, Error> {
        let pages = u32::try_from((BASES.end - BASES.start) / PAGE).unwrap_or(u32::MAX);
        let mut place = Stream::new(settings.seed, 0xba5e);
        let base = BASES.start + u64::from(place.below(pages)) * PAGE;
        let mut layout = Layout::new(base);

        let control = Control {
            page: layout.region(CONTROL_BYTES, Protection::ReadWrite),
        };
        let zero_state = new_state(&mut layout);
        let history_table = layout.zeroes(4 * u64::from(HISTORY_ENTRIES));
        let stack_top = layout.zeroes(SPACE) + SPACE - ABOVE_STACK;
        let start = layout.next();
        let (code, instruments) = instruments::emit(
            start,
            control,
            settings.features,
            (&settings.ruler.instruction, settings.ruler.links),
            settings
                .second_ruler
                .map(|ruler| (ruler.instruction.as_str(), ruler.links)),
            history_table,
        )
        .map_err(|message| Error {
            message: format!("the rulers cannot be built: {message}"),
            advice: String::new(),
        })?;
        place_code(&mut layout, &code);

        let mut shared = Shared {
            control,
            features: settings.features,
            instruments,
            stack_top,
            zero_state,
            sites: Sites::default(),
        };
        shared.sites = place_sites(&mut layout, shared)?;
        let starts = bodies::place(cases, &mut layout, &mut place, lines);
        let mut passes = vec![Passes::default(); wanted.len()];
        let mut probes = settings
            .probing
            .map(|probing| Probes::new(probing, cases.len(), &mut layout));
        // Sorted out once: a look through all measures for each case would be the square of them.
        let mut own: Vec<Vec<(usize, bool, Context)>> = vec![Vec::new(); cases.len()];
        for (id, wanted) in wanted.iter().enumerate() {
            match wanted.subject {
                Subject::Body(of) => own[of].push((id, true, wanted.context)),
                Subject::OwnEmpty(of) => own[of].push((id, false, wanted.context)),
                Subject::EmptyCall | Subject::EmptyInline => {}
            }
        }
        let mut errors: Vec<String> = Vec::new();
        let mut placed = Vec::with_capacity(cases.len());
        for (index, case) in cases.iter().enumerate() {
            let mut probes = probes.as_mut().map(|probes| (index, probes));
            let start = starts[index];
            match place_case(
                case,
                start,
                &own[index],
                &mut layout,
                shared,
                &mut passes,
                &mut probes,
            ) {
                Ok(case) => placed.push(case),
                Err(messages) => {
                    for message in messages {
                        let message = format!("{}: {message}", case.name);
                        // A baseline and its copies have one name.
                        if !errors.contains(&message) {
                            errors.push(message);
                        }
                    }
                }
            }
            if layout.base() + layout.length() > LIMIT {
                return Err(Error {
                    message: format!(
                        "the image does not fit below 2 GiB: {} MiB for {} of {} cases",
                        layout.length() >> 20,
                        index + 1,
                        cases.len()
                    ),
                    advice: "run fewer variants at a time, or make .bss smaller".to_owned(),
                });
            }
        }
        if !errors.is_empty() {
            return Err(Error {
                message: errors.join("\n"),
                advice: String::new(),
            });
        }
        place_empties(wanted, &mut layout, shared, &mut passes)?;
        if let Some(probes) = &mut probes {
            probes.place_nothing(&mut layout, shared)?;
            probes.write_targets(&mut layout);
        }

        let base = layout.base();
        let length = layout.length();
        let (mappings, pieces) = layout.finish();
        let file = file::sealed(&pieces).map_err(|error| Error {
            message: format!("no memory for the image: {error}"),
            advice:
                "look at what limits memory and the size of files here: ulimit -v, ulimit -f, a \
                     cgroup"
                    .to_owned(),
        })?;
        Ok(Self {
            base,
            length,
            mappings,
            file,
            control,
            history_table,
            instruments,
            stack_top,
            cases: placed,
            passes,
            probes,
        })
    }

    /// First address of the sequences' stack.
    pub(crate) fn stack_bottom(&self) -> u64 {
        self.stack_end() - SPACE
    }

    /// First address above it.
    pub(crate) fn stack_end(&self) -> u64 {
        self.stack_top + ABOVE_STACK
    }

    /// Whether an address lies in a region (and not in a guard or outside).
    pub(crate) fn protects(&self, address: u64) -> bool {
        self.mapping(address).is_some()
    }

    /// Where the contents of an address are in the image's file.
    pub(crate) fn file_offset(&self, address: u64) -> Option<u64> {
        let mapping = self.mapping(address)?;
        Some(mapping.file_offset? + (address - mapping.address))
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        self.mappings
            .iter()
            .find(|mapping| (mapping.address..mapping.address + mapping.length).contains(&address))
    }
}

/// A processor state as `setup` finds it: all zero, but for the control words.
fn new_state(layout: &mut Layout) -> u64 {
    let state = layout.region(STATE_BYTES, Protection::ReadWrite);
    // The legacy region of an XSAVE or FXSAVE area: FCW at 0, MXCSR at 24.
    layout.write(state + STATE_XSAVE, &0x037f_u16.to_le_bytes());
    layout.write(state + STATE_XSAVE + 24, &0x1f80_u32.to_le_bytes());
    state
}

/// Harnesses of the empty bodies that cases share.
fn place_empties(
    wanted: &[Wanted],
    layout: &mut Layout,
    shared: Shared,
    passes: &mut [Passes],
) -> Result<(), Error> {
    let mut no_blocks = |_: SectionId, _: u64, _: &[(SectionId, u64)]| Ok(Vec::new());
    let mut emitter = Emitter::new(layout.next(), shared, &[], &mut no_blocks);
    for (wanted, passes) in wanted.iter().zip(passes) {
        let body = match wanted.subject {
            Subject::EmptyCall => Body::Call(shared.instruments.empty),
            Subject::EmptyInline => Body::Nothing,
            Subject::Body(_) | Subject::OwnEmpty(_) => continue,
        };
        *passes = emitter.measure(&Run {
            context: wanted.context,
            before: None,
            body,
            after: None,
            offset: 0,
            align: 64,
            unroll: None,
            state: shared.zero_state,
        });
    }
    let (code, _) = emitter.finish().map_err(|errors| Error {
        message: errors.join("\n"),
        advice: String::new(),
    })?;
    place_code(layout, &code);
    Ok(())
}

/// The places that bodies are called from.
fn place_sites(layout: &mut Layout, shared: Shared) -> Result<Sites, Error> {
    let mut no_blocks = |_: SectionId, _: u64, _: &[(SectionId, u64)]| Ok(Vec::new());
    let mut emitter = Emitter::new(layout.next(), shared, &[], &mut no_blocks);
    let sites = emitter.sites();
    let (code, _) = emitter.finish().map_err(|errors| Error {
        message: errors.join("\n"),
        advice: String::new(),
    })?;
    place_code(layout, &code);
    Ok(sites)
}

/// Writes code into the next region.
fn place_code(layout: &mut Layout, code: &[u8]) {
    let start = layout.region(code.len() as u64, Protection::ReadExecute);
    layout.write(start, code);
}

/// Places and links one case and its harnesses, its code from `start` on. `own` lists its measures: their index, whether
/// it is the body (or the empty one), and the context.
fn place_case(
    case: &Case,
    start: Option<u64>,
    own: &[(usize, bool, Context)],
    layout: &mut Layout,
    shared: Shared,
    passes: &mut [Passes],
    probes: &mut Option<(usize, &mut Probes)>,
) -> Result<PlacedCase, Vec<String>> {
    let code = &*case.code;
    let inline = case.entry == Entry::Inline;
    let blocks = Blocks::of(case).map_err(|message| vec![message])?;
    let (places, randoms) = sections::place(case, &blocks, start, layout)?;

    let mut errors = Vec::new();
    let mut copies = Vec::new();
    for (index, address) in places.sections.iter().enumerate() {
        let Some(address) = *address else { continue };
        let section = SectionId(u32::try_from(index).unwrap_or(u32::MAX));
        match linked(code, section, address, &places, &[]) {
            Ok(bytes) => layout.write(address, &bytes),
            Err(messages) => errors.extend(messages),
        }
        if code.sections[index].flags & SHF_EXECINSTR != 0 {
            copies.push(Copy {
                section,
                address,
                length: code.sections[index].size,
            });
        }
    }

    let state = new_state(layout);
    let body = if inline {
        Body::Inline(blocks.text)
    } else {
        Body::Call(entry_address(case, &blocks, &places).map_err(|message| vec![message])?)
    };
    let sizes: Vec<u64> = code.sections.iter().map(|section| section.size).collect();
    let mut block = |section: SectionId, address: u64, all: &[(SectionId, u64)]| {
        linked(code, section, address, &places, all)
    };
    // A harness may hold copies of the body.
    let base = layout.next_aligned(u64::from(case.align));
    let mut emitter = Emitter::new(base, shared, &sizes, &mut block);
    let run = |context, body| Run {
        context,
        before: blocks.before,
        body,
        after: blocks.after,
        offset: u64::from(case.offset),
        align: u64::from(case.align).max(64),
        unroll: case.unroll,
        state,
    };
    let empty = if inline {
        Body::Nothing
    } else {
        Body::Call(shared.instruments.empty)
    };
    for &(id, is_body, context) in own {
        passes[id] = emitter.measure(&run(context, if is_body { body } else { empty }));
    }
    if let Some((index, probes)) = probes {
        probes.add(&mut emitter, *index, &run(Context::Chained, body));
    }
    let counting = emitter.counting(&run(Context::Chained, body));
    let setup = blocks.setup.map(|setup| emitter.setup(setup, state));
    let harness = match emitter.finish() {
        Ok((code, inline_copies)) => {
            place_code(layout, &code);
            copies.extend(inline_copies);
            base..base + code.len() as u64
        }
        Err(messages) => {
            errors.extend(messages);
            base..base
        }
    };
    if errors.is_empty() {
        Ok(PlacedCase {
            copies,
            harness,
            setup,
            counting,
            randoms,
        })
    } else {
        // A reference may be in several copies.
        errors.sort();
        errors.dedup();
        Err(errors)
    }
}

/// Links a section and proves that it still holds the instructions that were assembled.
fn linked(
    code: &Code,
    section: SectionId,
    address: u64,
    places: &Places,
    copies: &[(SectionId, u64)],
) -> Result<Vec<u8>, Vec<String>> {
    let bytes = link::link(code, section, address, places, copies)?;
    verify::verify(code, section, &bytes, address)?;
    Ok(bytes)
}

/// Where calls of a case go.
fn entry_address(case: &Case, blocks: &Blocks, places: &Places) -> Result<u64, String> {
    let code = &*case.code;
    let Entry::Call(Some(name)) = &case.entry else {
        return places.sections[blocks.text.0 as usize]
            .ok_or_else(|| "the section .text is not loaded".to_owned());
    };
    let index = code
        .symbols
        .iter()
        .position(|symbol| symbol.kind != 3 && symbol.name == name.as_str())
        .ok_or_else(|| format!("`#: entry call {name}`: there is no symbol `{name}`"))?;
    let address = link::symbol_value(code, u32::try_from(index).unwrap_or(u32::MAX), places, &[])?;
    let in_code = places
        .sections
        .iter()
        .zip(&code.sections)
        .any(|(start, section)| {
            start.is_some_and(|start| (start..start + section.size).contains(&address))
                && section.flags & SHF_EXECINSTR != 0
        });
    if in_code {
        Ok(address)
    } else {
        Err(format!(
            "`#: entry call {name}`: `{name}` is not in a section of code"
        ))
    }
}
#[cfg(test)]
mod tests;
