//! What the worker tells, one record at a time.

use crate::api::Discard;
use crate::probe::Mode;

/// Words of a record.
pub(super) const WORDS: usize = 16;

/// Ticks of a history probe's trials that one record holds.
pub(crate) const PROBED_TICKS: usize = WORDS - 4;

/// What a sequence did not leave as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Displaced {
    /// The stack pointer.
    Rsp,
    /// One of DF, AC, TF, NT.
    Flags,
    /// The control bits of MXCSR.
    Mxcsr,
    /// The x87 control word.
    X87,
    /// The base of fs.
    Fs,
    /// The base of gs.
    Gs,
    /// The x87 status: a pending exception, or registers left on its stack.
    X87Status,
    /// The harness's own data.
    Guard,
    /// What the worker tells.
    Results,
}

const DISPLACED: [Displaced; 9] = [
    Displaced::Rsp,
    Displaced::Flags,
    Displaced::Mxcsr,
    Displaced::X87,
    Displaced::Fs,
    Displaced::Gs,
    Displaced::X87Status,
    Displaced::Guard,
    Displaced::Results,
];

/// A layer of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// The filter of system calls.
    Seccomp,
    /// That no privilege can be gained.
    NoNewPrivileges,
    /// That there is none of root's.
    Capabilities,
    /// Landlock, any of it.
    Landlock,
    /// Landlock as far as this program knows it.
    AllOfLandlock,
    /// Limits on memory, files, processes, CPU time.
    Limits,
    /// That other processes may not trace it.
    Undumpable,
}

const LAYERS: [Layer; 7] = [
    Layer::Seccomp,
    Layer::NoNewPrivileges,
    Layer::Capabilities,
    Layer::Landlock,
    Layer::AllOfLandlock,
    Layer::Limits,
    Layer::Undumpable,
];

const DISCARDS: [Discard; 4] = [
    Discard::Tick,
    Discard::Migration,
    Discard::Switch,
    Discard::Ruler,
];

/// One record. Measures and cases are numbered as in the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// A sample.
    Sample {
        /// Of what.
        measure: u32,
        /// In which round.
        round: u32,
        /// Runs by which the lengths differ.
        runs: u32,
        /// Ticks of the short pass.
        ticks: u32,
        /// Ticks of the long pass.
        long_ticks: u32,
        /// Long ruler less short ruler.
        ruler_ticks: u32,
        /// Before and after.
        sentinels: [u32; 2],
        /// Why it does not count.
        discard: Option<Discard>,
    },
    /// A layer of the sandbox cannot be had here.
    Missing {
        /// Which.
        layer: Layer,
        /// The kernel's error number; 0 where there is none.
        errno: i32,
    },
    /// The sandbox is entered.
    Confined,
    /// A round is complete.
    Round(u32),
    /// A case's setup and its first runs went well.
    Tried(u32),
    /// How a measure is to be timed.
    Calibrated {
        /// Which.
        measure: u32,
        /// Pair of passes.
        level: u32,
        /// Turns of their loops.
        turns: u32,
    },
    /// All cases are tried and all measures calibrated; commands are read from now on.
    Ready,
    /// Something was not left as it was; the worker is leaving.
    Displaced {
        /// What.
        what: Displaced,
        /// As it was.
        expected: u64,
        /// As it is.
        found: u64,
    },
    /// The first ruler and, where there is one, the second beside it.
    Rulers {
        /// Ticks of the first, long less short.
        first: u32,
        /// Ticks of the first's short one, with all that timing it takes.
        short: u32,
        /// Ticks of the second, long less short; 0 where there is none.
        second: u32,
    },
    /// A counting run is over.
    Counted(u32),
    /// All batches of performance counters are read.
    CountersRead,
    /// Ticks of some trials of a history probe, in order.
    Trials {
        /// Of which probe of the job.
        probe: u32,
        /// In which setting.
        setting: u32,
        /// In which mode.
        mode: Mode,
        /// Whether these are the first of a pass.
        starts: bool,
        /// How many there are.
        count: u32,
        /// The ticks; zero behind `count`.
        ticks: [u32; PROBED_TICKS],
    },
    /// A probe was not run: its trials take this many ticks each.
    Slow {
        /// Which probe of the job.
        probe: u32,
        /// Ticks of a trial.
        ticks: u32,
    },
    /// All rounds of a command for this probe are over.
    Probed(u32),
    /// Differences of one counter over passes of one measure: long passes less short ones.
    Counter {
        /// Which measure.
        measure: u32,
        /// Which counter, in the group's order.
        counter: u32,
        /// Runs by which the passes differ in all.
        runs: u32,
        /// Events in the short passes.
        short: u64,
        /// Events in the long passes.
        long: u64,
        /// Nanoseconds of both for which the counters were wanted.
        enabled_ns: u64,
        /// Nanoseconds of both for which they counted.
        running_ns: u64,
    },
}

impl Record {
    /// As words.
    pub(super) fn encode(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let mut put = |values: &[u32]| words[..values.len()].copy_from_slice(values);
        let low = |value: u64| value as u32;
        let high = |value: u64| (value >> 32) as u32;
        match *self {
            Self::Sample {
                measure,
                round,
                runs,
                ticks,
                long_ticks,
                ruler_ticks,
                sentinels: [before, after],
                discard,
            } => {
                let discard = DISCARDS
                    .iter()
                    .position(|known| Some(*known) == discard)
                    .map_or(0, |index| index as u32 + 1);
                put(&[
                    1,
                    measure,
                    round,
                    runs,
                    ticks,
                    long_ticks,
                    ruler_ticks,
                    before,
                    after,
                    discard,
                ]);
            }
            Self::Round(round) => put(&[2, round]),
            Self::Tried(case) => put(&[3, case]),
            Self::Calibrated {
                measure,
                level,
                turns,
            } => put(&[4, measure, level, turns]),
            Self::Ready => put(&[5]),
            Self::Displaced {
                what,
                expected,
                found,
            } => {
                let what = DISPLACED
                    .iter()
                    .position(|known| *known == what)
                    .map_or(0, |index| index as u32);
                put(&[
                    6,
                    what,
                    low(expected),
                    high(expected),
                    low(found),
                    high(found),
                ]);
            }
            Self::Rulers {
                first,
                short,
                second,
            } => put(&[7, first, short, second]),
            Self::Counted(case) => put(&[8, case]),
            Self::CountersRead => put(&[10]),
            Self::Trials {
                probe,
                setting,
                mode,
                starts,
                count,
                ticks,
            } => {
                let mode = Mode::ALL.iter().position(|known| *known == mode);
                let packed =
                    setting << 16 | u32::from(starts) << 8 | mode.map_or(0, |index| index as u32);
                put(&[11, probe, packed, count]);
                words[4..].copy_from_slice(&ticks);
            }
            Self::Slow { probe, ticks } => put(&[12, probe, ticks]),
            Self::Probed(probe) => put(&[13, probe]),
            Self::Missing { layer, errno } => {
                let layer = LAYERS.iter().position(|known| *known == layer);
                put(&[
                    14,
                    layer.map_or(0, |index| index as u32),
                    errno.cast_unsigned(),
                ]);
            }
            Self::Confined => put(&[15]),
            Self::Counter {
                measure,
                counter,
                runs,
                short,
                long,
                enabled_ns,
                running_ns,
            } => put(&[
                9,
                measure,
                counter,
                runs,
                low(short),
                high(short),
                low(long),
                high(long),
                low(enabled_ns),
                high(enabled_ns),
                low(running_ns),
                high(running_ns),
            ]),
        }
        words
    }

    /// From words; `None` if they are no record.
    pub(super) fn decode(words: [u32; WORDS]) -> Option<Self> {
        let wide = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        Some(match words[0] {
            1 => Self::Sample {
                measure: words[1],
                round: words[2],
                runs: words[3],
                ticks: words[4],
                long_ticks: words[5],
                ruler_ticks: words[6],
                sentinels: [words[7], words[8]],
                discard: match words[9] {
                    0 => None,
                    known => Some(*DISCARDS.get(known as usize - 1)?),
                },
            },
            2 => Self::Round(words[1]),
            3 => Self::Tried(words[1]),
            4 => Self::Calibrated {
                measure: words[1],
                level: words[2],
                turns: words[3],
            },
            5 => Self::Ready,
            6 => Self::Displaced {
                what: *DISPLACED.get(words[1] as usize)?,
                expected: wide(2),
                found: wide(4),
            },
            7 => Self::Rulers {
                first: words[1],
                short: words[2],
                second: words[3],
            },
            8 => Self::Counted(words[1]),
            10 => Self::CountersRead,
            11 => Self::Trials {
                probe: words[1],
                setting: words[2] >> 16,
                mode: *Mode::ALL.get((words[2] & 0xff) as usize)?,
                starts: words[2] >> 8 & 0xff != 0,
                count: Some(words[3]).filter(|count| *count as usize <= PROBED_TICKS)?,
                ticks: std::array::from_fn(|index| words[4 + index]),
            },
            12 => Self::Slow {
                probe: words[1],
                ticks: words[2],
            },
            13 => Self::Probed(words[1]),
            14 => Self::Missing {
                layer: *LAYERS.get(words[1] as usize)?,
                errno: words[2].cast_signed(),
            },
            15 => Self::Confined,
            9 => Self::Counter {
                measure: words[1],
                counter: words[2],
                runs: words[3],
                short: wide(4),
                long: wide(6),
                enabled_ns: wide(8),
                running_ns: wide(10),
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let records = [
            Record::Sample {
                measure: 1,
                round: 2,
                runs: 3,
                ticks: 4,
                long_ticks: 5,
                ruler_ticks: 6,
                sentinels: [7, 8],
                discard: Some(Discard::Switch),
            },
            Record::Missing {
                layer: Layer::Limits,
                errno: 1,
            },
            Record::Confined,
            Record::Round(9),
            Record::Tried(2),
            Record::Calibrated {
                measure: 1,
                level: 1,
                turns: 5,
            },
            Record::Ready,
            Record::Displaced {
                what: Displaced::Gs,
                expected: u64::MAX,
                found: 1 << 40,
            },
            Record::Rulers {
                first: 1,
                short: 2,
                second: 3,
            },
            Record::Counted(3),
            Record::CountersRead,
            Record::Trials {
                probe: 3,
                setting: 5,
                mode: Mode::Independent,
                starts: true,
                count: 2,
                ticks: std::array::from_fn(|index| 7 * index as u32),
            },
            Record::Slow {
                probe: 1,
                ticks: 9000,
            },
            Record::Probed(4),
            Record::Counter {
                measure: 1,
                counter: 2,
                runs: 3,
                short: 1 << 33,
                long: 1 << 34,
                enabled_ns: 1 << 35,
                running_ns: 1 << 36,
            },
        ];
        for record in records {
            assert_eq!(Record::decode(record.encode()), Some(record));
        }
    }

    #[test]
    fn nonsense_is_no_record() {
        assert_eq!(Record::decode([0; WORDS]), None);
        assert_eq!(Record::decode([u32::MAX; WORDS]), None);
        let mut sample = [0; WORDS];
        sample[0] = 1;
        sample[9] = 77;
        assert_eq!(Record::decode(sample), None);
        let mut trials = [0; WORDS];
        trials[0] = 11;
        trials[3] = PROBED_TICKS as u32 + 1;
        assert_eq!(Record::decode(trials), None);
        trials[2] = 3;
        trials[3] = 1;
        assert_eq!(Record::decode(trials), None);
    }
}
