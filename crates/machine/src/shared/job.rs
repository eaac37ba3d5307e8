//! What the worker is told: the job at its start, and commands.

use std::io::{self, Read, Write};

use crate::api::{Context, Filter, Width};
use crate::counters::{Attributes, Event, Kind};
use crate::harness::Passes;
use crate::harness::instruments::Instruments;
use crate::harness::probe::Tables;
use crate::image::layout::{Mapping, Protection};
use crate::probe::Setting;

use super::record::Layer;

/// All contexts, in the order in which their numbers are told.
pub(crate) const CONTEXTS: [Context; 4] = [
    Context::Chained,
    Context::Overlap,
    Context::Isolated,
    Context::History,
];

/// A table of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobRandom {
    /// Where it is.
    pub(crate) address: u64,
    /// Elements.
    pub(crate) count: u32,
    /// Each is below this.
    pub(crate) below: u32,
    /// Their width.
    pub(crate) width: Width,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobCase {
    /// The function that runs its setup.
    pub(crate) setup: Option<u64>,
    /// The function that runs one body behind an `int3`.
    pub(crate) counting: u64,
    /// Its tables.
    pub(crate) randoms: Vec<JobRandom>,
}

/// A measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobMeasure {
    /// Its case, by place in the job; `None` for shared empty bodies.
    pub(crate) case: Option<u32>,
    /// The context.
    pub(crate) context: Context,
    /// Its code.
    pub(crate) passes: Passes,
    /// %rsp behind a pass.
    pub(crate) rsp: u64,
    /// The pair of passes and the turns of their loops; `None`: find out.
    pub(crate) calibrated: Option<(u32, u32)>,
}

/// One subject of the history probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobProbe {
    /// Its case, by place in the job; `None`: the control without a sequence.
    pub(crate) case: Option<u32>,
    /// %rsp behind a pass.
    pub(crate) rsp: u64,
    /// Its code in each setting.
    pub(crate) functions: [u64; Setting::ALL.len()],
}

/// What the subjects of the history probe share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobProbing {
    /// Where the bits and the ticks are.
    pub(crate) tables: Tables,
    /// Trials that are told of.
    pub(crate) trials: u32,
    /// Trials before them.
    pub(crate) warm_up: u32,
    /// Longest that all of them may take together, microseconds.
    pub(crate) longest_us: u32,
}

/// What a worker gives up before it runs anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobSandbox {
    /// Whether its system calls are filtered; if not, the user vouches for the code.
    pub(crate) filtered: bool,
    /// Whether the parent traces it, which it must be able to do.
    pub(crate) traced: bool,
    /// Whether it leaves rather than run without a layer that it [`needs`](Self::needs).
    pub(crate) required: bool,
    /// Numbers of the system calls that the sequences may make.
    pub(crate) calls: Vec<u32>,
    /// CPU time that it may use.
    pub(crate) cpu_seconds: u32,
}

impl JobSandbox {
    /// Whether `--require-sandbox` asks for a layer. Landlock forbids what is reached by system
    /// calls that the filter forbids already: it counts where sequences make some of their own.
    pub(crate) fn needs(&self, layer: Layer) -> bool {
        match layer {
            Layer::Landlock | Layer::AllOfLandlock => !self.calls.is_empty(),
            Layer::Seccomp
            | Layer::NoNewPrivileges
            | Layer::Capabilities
            | Layer::Limits
            | Layer::Undumpable => true,
        }
    }
}

/// Everything a worker needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// First address of the reservation.
    pub(crate) base: u64,
    /// Its bytes.
    pub(crate) length: u64,
    /// Address of the control page.
    pub(crate) control: u64,
    /// Address of the table of random bits.
    pub(crate) history_table: u64,
    /// %rsp as straight-line code finds and has to leave it.
    pub(crate) straight_rsp: u64,
    /// Shared code.
    pub(crate) instruments: Instruments,
    /// Links by which the rulers' lengths differ.
    pub(crate) ruler_links: u32,
    /// TSC ticks in a microsecond, roughly.
    pub(crate) ticks_per_us: u32,
    /// Whether fs and gs bases are seen and restored.
    pub(crate) fsgsbase: bool,
    /// CPU to run on; anywhere if `None`.
    pub(crate) cpu: Option<u32>,
    /// Seed of tables, orders and random bits.
    pub(crate) seed: u64,
    /// Filter to install before anything runs.
    pub(crate) filter: Option<Filter>,
    /// The sandbox.
    pub(crate) sandbox: JobSandbox,
    /// A number that nobody else knows: of the worker's own exit, and in what it tells.
    pub(crate) key: u64,
    /// Performance counters to open, by name.
    pub(crate) counters: Vec<Event>,
    /// Whether it only counts or probes: nothing is tried or calibrated.
    pub(crate) counting: bool,
    /// The history probe; all zero where there are no probes.
    pub(crate) probing: JobProbing,
    /// Regions.
    pub(crate) mappings: Vec<Mapping>,
    /// Cases.
    pub(crate) cases: Vec<JobCase>,
    /// Measures.
    pub(crate) measures: Vec<JobMeasure>,
    /// Subjects of the history probe.
    pub(crate) probes: Vec<JobProbe>,
}

/// What a worker is told after its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The parent has seen the sandbox closed: code of a sequence may run from here on.
    Begin,
    /// Run these rounds.
    Rounds {
        /// First.
        first: u32,
        /// Behind the last.
        end: u32,
    },
    /// Run each measure this often with performance counters read round it.
    Counters {
        /// How often.
        batches: u32,
    },
    /// Run one body of a case for the single-stepper.
    Count {
        /// Which.
        case: u32,
    },
    /// Run so many rounds of one subject of the history probe.
    Probe {
        /// Which.
        probe: u32,
        /// How many.
        rounds: u32,
    },
}

impl Command {
    /// Bytes of a command.
    pub(crate) const BYTES: usize = 12;

    /// Sends it.
    ///
    /// # Errors
    /// If the worker is gone.
    pub(crate) fn send(self, to: &mut impl Write) -> io::Result<()> {
        let words = match self {
            Self::Begin => [5, 0, 0],
            Self::Rounds { first, end } => [1, first, end],
            Self::Count { case } => [2, case, 0],
            Self::Counters { batches } => [3, batches, 0],
            Self::Probe { probe, rounds } => [4, probe, rounds],
        };
        let mut bytes = [0; Self::BYTES];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&u32::to_le_bytes(word));
        }
        to.write_all(&bytes)?;
        to.flush()
    }

    /// From bytes; `None` if they are no command.
    pub(crate) fn decode(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        match word(0) {
            1 => Some(Self::Rounds {
                first: word(4),
                end: word(8),
            }),
            2 => Some(Self::Count { case: word(4) }),
            3 => Some(Self::Counters { batches: word(4) }),
            4 => Some(Self::Probe {
                probe: word(4),
                rounds: word(8),
            }),
            5 => Some(Self::Begin),
            _ => None,
        }
    }
}

impl Job {
    /// Sends it: its length in words, then the words.
    ///
    /// # Errors
    /// If the worker is gone.
    pub(crate) fn send(&self, to: &mut impl Write) -> io::Result<()> {
        let words = self.encode();
        let mut bytes = Vec::with_capacity(8 * words.len() + 8);
        bytes.extend_from_slice(&(words.len() as u64).to_le_bytes());
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        to.write_all(&bytes)?;
        to.flush()
    }

    /// Waits for it.
    ///
    /// # Errors
    /// If what comes is no job.
    pub(crate) fn receive(from: &mut impl Read) -> io::Result<Self> {
        let mut length = [0; 8];
        from.read_exact(&mut length)?;
        let mut bytes = Vec::new();
        from.take(u64::from_le_bytes(length).saturating_mul(8))
            .read_to_end(&mut bytes)?;
        let words = bytes
            .chunks_exact(8)
            .map(|chunk| u64::from_le_bytes(std::array::from_fn(|index| chunk[index])));
        Self::decode(&mut words.into_iter()).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn encode(&self) -> Vec<u64> {
        let at = self.instruments;
        let mut words = vec![
            self.base,
            self.length,
            self.control,
            self.history_table,
            self.straight_rsp,
            at.empty,
            at.history,
            at.leave,
            at.enter,
            at.ruler[0],
            at.ruler[1],
            at.second_ruler[0],
            at.second_ruler[1],
            at.sentinel,
            u64::from(self.ruler_links),
            u64::from(self.ticks_per_us),
            u64::from(self.fsgsbase),
            self.cpu.map_or(u64::MAX, u64::from),
            self.seed,
            match self.filter {
                None => 0,
                Some(Filter::None) => 1,
                Some(Filter::Cached) => 2,
                Some(Filter::Accept(count)) => 3 + u64::from(count),
            },
            u64::from(self.counting),
            self.mappings.len() as u64,
            self.cases.len() as u64,
            self.measures.len() as u64,
            self.probes.len() as u64,
            self.probing.tables.markers,
            self.probing.tables.jumps,
            self.probing.tables.ticks,
            self.probing.tables.registers,
            u64::from(self.probing.trials),
            u64::from(self.probing.warm_up),
            u64::from(self.probing.longest_us),
            u64::from(self.sandbox.filtered),
            u64::from(self.sandbox.traced),
            u64::from(self.sandbox.required),
            u64::from(self.sandbox.cpu_seconds),
            self.key,
            self.sandbox.calls.len() as u64,
        ];
        words.extend(self.sandbox.calls.iter().copied().map(u64::from));
        for mapping in &self.mappings {
            let protection = match mapping.protection {
                Protection::Read => 0,
                Protection::ReadWrite => 1,
                Protection::ReadExecute => 2,
            };
            let offset = mapping.file_offset.unwrap_or(u64::MAX);
            words.extend([mapping.address, mapping.length, protection, offset]);
        }
        for case in &self.cases {
            let setup = case.setup.unwrap_or(0);
            words.extend([setup, case.counting, case.randoms.len() as u64]);
            for random in &case.randoms {
                let width = match random.width {
                    Width::Byte => 1,
                    Width::Word => 2,
                    Width::Long => 4,
                };
                let (count, below) = (u64::from(random.count), u64::from(random.below));
                words.extend([random.address, count, below, width]);
            }
        }
        words.push(self.counters.len() as u64);
        for event in &self.counters {
            let Attributes {
                kind,
                config,
                config1,
                config2,
            } = event.attributes;
            words.extend([u64::from(kind), config, config1, config2]);
            words.push(event.name.len() as u64);
            words.extend(event.name.bytes().map(u64::from));
        }
        for measure in &self.measures {
            let context = CONTEXTS.iter().position(|known| *known == measure.context);
            let passes = measure.passes;
            let (level, turns) = measure.calibrated.unwrap_or((0, 0));
            words.extend([
                measure.case.map_or(u64::MAX, u64::from),
                context.unwrap_or(0) as u64,
                u64::from(passes.copies[0]),
                u64::from(passes.copies[1]),
                passes.short[0],
                passes.short[1],
                passes.long[0],
                passes.long[1],
                measure.rsp,
                u64::from(level),
                u64::from(turns),
            ]);
        }
        for probe in &self.probes {
            words.extend([probe.case.map_or(u64::MAX, u64::from), probe.rsp]);
            words.extend(probe.functions);
        }
        words
    }

    fn decode(words: &mut dyn Iterator<Item = u64>) -> Option<Self> {
        let mut next = || words.next();
        let small = |word: u64| u32::try_from(word).ok();
        let base = next()?;
        let length = next()?;
        let control = next()?;
        let history_table = next()?;
        let straight_rsp = next()?;
        let instruments = Instruments {
            empty: next()?,
            history: next()?,
            leave: next()?,
            enter: next()?,
            ruler: [next()?, next()?],
            second_ruler: [next()?, next()?],
            sentinel: next()?,
        };
        let ruler_links = small(next()?)?;
        let ticks_per_us = small(next()?)?;
        let fsgsbase = next()? != 0;
        let cpu = small(next()?);
        let seed = next()?;
        let filter = match next()? {
            0 => None,
            1 => Some(Filter::None),
            2 => Some(Filter::Cached),
            more => Some(Filter::Accept(small(more - 3)?)),
        };
        let counting = next()? != 0;
        let (mappings, cases, measures, probes) = (next()?, next()?, next()?, next()?);
        let probing = JobProbing {
            tables: Tables {
                markers: next()?,
                jumps: next()?,
                ticks: next()?,
                registers: next()?,
            },
            trials: small(next()?)?,
            warm_up: small(next()?)?,
            longest_us: small(next()?)?,
        };
        let (filtered, traced, required) = (next()? != 0, next()? != 0, next()? != 0);
        let cpu_seconds = small(next()?)?;
        let (key, calls) = (next()?, next()?);
        let calls = (0..calls).map(|_| small(next()?)).collect::<Option<_>>()?;
        let sandbox = JobSandbox {
            filtered,
            traced,
            required,
            calls,
            cpu_seconds,
        };
        let mappings = (0..mappings)
            .map(|_| {
                Some(Mapping {
                    address: next()?,
                    length: next()?,
                    protection: match next()? {
                        0 => Protection::Read,
                        1 => Protection::ReadWrite,
                        2 => Protection::ReadExecute,
                        _ => return None,
                    },
                    file_offset: Some(next()?).filter(|offset| *offset != u64::MAX),
                })
            })
            .collect::<Option<_>>()?;
        let cases = (0..cases)
            .map(|_| {
                let setup = Some(next()?).filter(|address| *address != 0);
                let counting = next()?;
                let randoms = next()?;
                let randoms = (0..randoms)
                    .map(|_| {
                        Some(JobRandom {
                            address: next()?,
                            count: small(next()?)?,
                            below: small(next()?)?,
                            width: match next()? {
                                1 => Width::Byte,
                                2 => Width::Word,
                                4 => Width::Long,
                                _ => return None,
                            },
                        })
                    })
                    .collect::<Option<_>>()?;
                Some(JobCase {
                    setup,
                    counting,
                    randoms,
                })
            })
            .collect::<Option<_>>()?;
        let counters = next()?;
        let counters = (0..counters)
            .map(|_| {
                let attributes = Attributes {
                    kind: small(next()?)?,
                    config: next()?,
                    config1: next()?,
                    config2: next()?,
                };
                let length = next()?;
                let bytes: Option<Vec<u8>> =
                    (0..length).map(|_| u8::try_from(next()?).ok()).collect();
                // What an event counts is for the parent to know.
                Some(Event {
                    name: String::from_utf8(bytes?).ok()?,
                    kind: Kind::Other,
                    attributes,
                })
            })
            .collect::<Option<_>>()?;
        let measures = (0..measures)
            .map(|_| {
                Some(JobMeasure {
                    case: small(next()?),
                    context: *CONTEXTS.get(usize::try_from(next()?).ok()?)?,
                    passes: Passes {
                        copies: [small(next()?)?, small(next()?)?],
                        short: [next()?, next()?],
                        long: [next()?, next()?],
                    },
                    rsp: next()?,
                    calibrated: Some((small(next()?)?, small(next()?)?))
                        .filter(|(_, turns)| *turns != 0),
                })
            })
            .collect::<Option<_>>()?;
        let probes = (0..probes)
            .map(|_| {
                let (case, rsp) = (small(next()?), next()?);
                let mut functions = [0; Setting::ALL.len()];
                for function in &mut functions {
                    *function = next()?;
                }
                Some(JobProbe {
                    case,
                    rsp,
                    functions,
                })
            })
            .collect::<Option<_>>()?;
        Some(Self {
            base,
            length,
            control,
            history_table,
            straight_rsp,
            instruments,
            ruler_links,
            ticks_per_us,
            fsgsbase,
            cpu,
            seed,
            filter,
            sandbox,
            key,
            counters,
            counting,
            probing,
            mappings,
            cases,
            measures,
            probes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            base: 0x1000_0000,
            length: 0x10_0000,
            control: 0x1000_4000,
            history_table: 0x1001_0000,
            straight_rsp: 0x1002_fff8,
            instruments: Instruments {
                empty: 1,
                history: 2,
                leave: 3,
                enter: 4,
                ruler: [5, 6],
                second_ruler: [7, 8],
                sentinel: 9,
            },
            ruler_links: 600,
            ticks_per_us: 2000,
            fsgsbase: true,
            cpu: Some(0),
            seed: u64::MAX,
            filter: Some(Filter::Accept(50)),
            sandbox: JobSandbox {
                filtered: true,
                traced: false,
                required: true,
                calls: vec![39, 110],
                cpu_seconds: 60,
            },
            key: 0x1234_5678_9abc_def0,
            counters: vec![Event {
                name: "cpu/event=0xa8/".to_owned(),
                kind: Kind::Other,
                attributes: Attributes {
                    kind: 4,
                    config: 0xa8,
                    config1: u64::MAX,
                    config2: 2,
                },
            }],
            counting: false,
            probing: JobProbing {
                tables: Tables {
                    markers: 1,
                    jumps: 2,
                    ticks: 3,
                    registers: 4,
                },
                trials: 300,
                warm_up: 100,
                longest_us: 1000,
            },
            mappings: vec![Mapping {
                address: 0x1000_4000,
                length: 0x1000,
                protection: Protection::ReadExecute,
                file_offset: None,
            }],
            cases: vec![JobCase {
                setup: None,
                counting: 7,
                randoms: vec![JobRandom {
                    address: 0x1002_0000,
                    count: 16,
                    below: 4,
                    width: Width::Word,
                }],
            }],
            measures: vec![JobMeasure {
                case: None,
                context: Context::History,
                passes: Passes {
                    copies: [1, 8],
                    short: [1, 2],
                    long: [3, 4],
                },
                rsp: 0x1003_0000,
                calibrated: None,
            }],
            probes: vec![JobProbe {
                case: None,
                rsp: 0x1003_0000,
                functions: [1, 2, 3, 4, 5, 6],
            }],
        }
    }

    #[test]
    fn a_job_arrives() {
        let mut pipe = Vec::new();
        job().send(&mut pipe).unwrap();
        let commands = [
            Command::Begin,
            Command::Rounds { first: 0, end: 9 },
            Command::Count { case: 3 },
            Command::Counters { batches: 4 },
            Command::Probe {
                probe: 2,
                rounds: 3,
            },
        ];
        for command in commands {
            command.send(&mut pipe).unwrap();
        }
        let mut pipe = pipe.as_slice();
        assert_eq!(Job::receive(&mut pipe).unwrap(), job());
        for command in commands {
            let mut bytes = [0; Command::BYTES];
            pipe.read_exact(&mut bytes).unwrap();
            assert_eq!(Command::decode(&bytes), Some(command));
        }
        assert_eq!(pipe, []);
        assert_eq!(Command::decode(&[0; Command::BYTES]), None);
    }

    #[test]
    fn a_broken_job_is_refused() {
        let mut pipe = Vec::new();
        job().send(&mut pipe).unwrap();
        for length in (0..pipe.len()).step_by(8) {
            assert!(Job::receive(&mut &pipe[..length]).is_err(), "{length}");
        }
    }
}
