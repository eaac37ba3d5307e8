//! What goes into a measurement and what comes out of it: the contract between the real backend,
//! the scripted one and the command line.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use assemble::Code;

use crate::probe::{ProbeEvent, ProbeNext, ProbePlan};

/// What stands between two runs, see measurement in ARCHITECTURE.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Context {
    /// Nothing.
    Chained,
    /// The 15 general registers zeroed.
    Overlap,
    /// One `lfence`.
    Isolated,
    /// 24 branches on fresh random bits, then the run, then `lfence`.
    History,
}

/// How a case is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Called at this symbol, or at the first byte of `.text`.
    Call(Option<String>),
    /// Straight-line code: all of `.text`.
    Inline,
}

/// The seccomp filter a case's system calls run under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Filter {
    /// None.
    None,
    /// A lone ALLOW.
    Cached,
    /// This many instructions that load `args[0]`.
    Accept(u32),
}

/// Element width of a random table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its width's name")]
pub enum Width {
    Byte,
    Word,
    Long,
}

/// A table that is filled anew for every round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    /// Its symbol.
    pub symbol: String,
    /// Number of elements.
    pub count: u32,
    /// Each value is below this.
    pub below: u32,
    /// Width of an element.
    pub width: Width,
}

/// One variant at one set of params, assembled.
#[derive(Clone, Debug)]
pub struct Case {
    /// For messages: the variant's name and params.
    pub name: String,
    /// Its code. Sections `.text.setup`, `.text.before`, `.text.after` hold those blocks.
    pub code: Arc<Code>,
    /// How it is entered.
    pub entry: Entry,
    /// Contexts it is timed in.
    pub contexts: Vec<Context>,
    /// Most copies in the timed loop, where stated.
    pub unroll: Option<u32>,
    /// Alignment of the first byte.
    pub align: u32,
    /// Bytes inserted before it.
    pub offset: u32,
    /// Features in /proc/cpuinfo's spelling that it declares to need.
    pub needs: Vec<String>,
    /// Whether it needs ring 0.
    pub ring0: bool,
    /// Random tables.
    pub randoms: Vec<Random>,
    /// System calls it may make, by name.
    pub syscalls: Vec<String>,
    /// Filter they run under.
    pub filter: Option<Filter>,
}

impl Case {
    /// Code with nothing asked of it beyond how it is entered: at a line's start, in no context, with
    /// no needs, tables or system calls.
    #[must_use]
    pub fn plain(name: String, code: Code, entry: Entry) -> Self {
        Self {
            name,
            code: Arc::new(code),
            entry,
            contexts: Vec::new(),
            unroll: None,
            align: 64,
            offset: 0,
            needs: Vec::new(),
            ring0: false,
            randoms: Vec::new(),
            syscalls: Vec::new(),
            filter: None,
        }
    }
}

/// Which counters to read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum CounterRequest {
    /// Cycles, instructions, branches, branch misses where there are any.
    #[default]
    Auto,
    /// None.
    None,
    /// These.
    Events(Vec<String>),
}

/// How to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of every random choice.
    pub seed: u64,
    /// Wall time for all rounds of all cases, worker starts included.
    pub time: Duration,
    /// Fresh worker processes that the rounds are spread over.
    pub workers: u32,
    /// Offsets within a line at which everything is placed, worker by worker in turn: 1 to 64, 1 for
    /// code as it is written.
    pub layouts: u32,
    /// CPU to run on; the backend's choice if `None`.
    pub cpu: Option<u32>,
    /// Counters.
    pub counters: CounterRequest,
    /// `--allow-syscalls`, or the text is a shipped one's: code that makes system calls runs without
    /// a filter of them, and may declare any.
    pub allow_syscalls: bool,
    /// `--require-sandbox`: nothing runs where a part of the sandbox cannot be had.
    pub require_sandbox: bool,
    /// `--apart`: each case has workers of its own, which take turns.
    pub apart: bool,
}

/// Something that cannot be had here, with the reason in words for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(pub String);

/// Index into the list of [`Event::Planned`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeasureId(pub u32);

/// One thing that is timed once a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The case; `None` for an empty body that several cases share.
    pub case: Option<usize>,
    /// The context.
    pub context: Context,
    /// For a body: the empty measure that is taken off (only where `lfence` separates the runs, and
    /// for cases with `before`/`after`, whose empty runs those blocks alone).
    pub empty: Option<MeasureId>,
    /// Whether this is an empty body.
    pub is_empty: bool,
}

/// Why a sample does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Discard {
    /// A timer tick or another interruption inside it.
    Tick,
    /// The CPU changed.
    Migration,
    /// A context switch.
    Switch,
    /// Its ruler was hit.
    Ruler,
}

/// One sample: two lengths of the body, the ruler and the sentinels beside it, all in TSC ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// What was timed.
    pub measure: MeasureId,
    /// Round it belongs to, counted over all workers.
    pub round: u32,
    /// Worker, from 0.
    pub worker: u32,
    /// Offset in a line at which this mapping placed the code (0 unless layouts are swept).
    pub offset: u32,
    /// Runs by which the two lengths differ.
    pub runs: u32,
    /// Ticks of the short pass.
    pub ticks: u32,
    /// Ticks of the long pass.
    pub long_ticks: u32,
    /// Ticks of the ruler's `links` links: long pass less short pass.
    pub ruler_ticks: u32,
    /// Sentinel before and after.
    pub sentinels: [u32; 2],
    /// Set where it was disturbed in a way the worker can tell.
    pub discard: Option<Discard>,
}

/// Least and most over the counted runs of a case: they differ where its path depends on data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its name")]
pub struct Span {
    pub least: u64,
    pub most: u64,
}

impl Span {
    /// A count that is the same in every run.
    #[must_use]
    pub fn always(count: u64) -> Self {
        Self {
            least: count,
            most: count,
        }
    }
}

/// What some code executed. Calls and returns are among the taken branches; system calls and
/// interrupts are no branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what it counts")]
pub struct Executed {
    pub instructions: Span,
    pub taken_branches: Span,
    pub not_taken_branches: Span,
    pub calls: Span,
    pub returns: Span,
}

/// Exact counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// From the first instruction of the body to its last, the final `ret` included for `call`.
    pub body: Executed,
    /// The blocks `before` and `after` of one run together; `None` where the case has neither.
    pub around: Option<Executed>,
    /// Runs that were counted, each with data of its own.
    pub runs: u32,
}

/// Kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "as record.md names them")]
pub enum FailureKind {
    Signal,
    Timeout,
    Exit,
    Syscall,
    Stack,
    State,
    Tampered,
}

/// Why a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// `SIGSEGV` and the like.
    pub signal: Option<String>,
    /// Address that was accessed.
    pub address: Option<u64>,
    /// Offset of the instruction from the case's first byte; `None` if outside.
    pub ip: Option<u64>,
    /// The instruction, as text in AT&T syntax.
    pub instruction: Option<String>,
    /// Source file of the instruction.
    pub file: Option<String>,
    /// Source line of the instruction.
    pub line: Option<u32>,
    /// One sentence for the user.
    pub message: String,
}

/// A counter's value for a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum CounterValue {
    /// Events per run: median and its interval.
    PerRun {
        /// Median.
        per_run: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Why there is none.
    Error(String),
}

/// What is told while a measurement goes on.
#[derive(Clone, Debug)]
pub enum Event {
    /// First: what will be timed; [`MeasureId`]s index this list. Cases that cannot run are not in it.
    Planned(Vec<Measure>),
    /// A worker started.
    Worker {
        /// From 0.
        worker: u32,
        /// Workers planned.
        of: u32,
    },
    /// A sample.
    Sample(Sample),
    /// A round is complete: every live measure has been timed once.
    Round(u32),
    /// Nothing has come: a chance to end what takes long.
    Waiting,
    /// A case will not run, for a stated reason. No failure.
    NotRun {
        /// The case.
        case: usize,
        /// Why.
        reason: Reason,
    },
    /// A case failed. What it gave so far stays.
    Failed {
        /// The case.
        case: usize,
        /// What happened.
        failure: Failure,
    },
    /// Exact counts of a case.
    Counted {
        /// The case.
        case: usize,
        /// Counts, or why there are none.
        counts: Result<Counts, Reason>,
    },
    /// Counter values of a measure.
    Counter {
        /// The measure.
        measure: MeasureId,
        /// Counter's name.
        name: String,
        /// Its value.
        value: CounterValue,
    },
    /// What a timed region takes beside what is timed.
    Overhead {
        /// Core cycles.
        cycles: f64,
    },
    /// What the second ruler read beside the first.
    SecondRuler {
        /// Ticks to a cycle by the second ruler over those by the first; 1 where both are right.
        ratio: f64,
    },
    /// Something the user should know.
    Warning {
        /// A short word for scripts, kebab-case.
        kind: String,
        /// What is so.
        message: String,
        /// What to do about it.
        advice: String,
    },
}

/// The main or second ruler: a dependent chain of known latency.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruler {
    /// `imul`, `crc32`, ...
    pub instruction: String,
    /// Links by which its two lengths differ.
    pub links: u32,
    /// Cycles per link on this model.
    pub cycles_per_link: f64,
    /// Whether the model is in the table.
    pub known_model: bool,
}

/// The contention sentinel: width-bound code.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentinel {
    /// Instructions in it.
    pub instructions: u32,
    /// Least cycles that the model's width allows, where known.
    pub least_cycles: Option<f64>,
}

/// Where the TSC's rate is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "as record.md names them")]
pub enum TscSource {
    Cpuid,
    Kernel,
    Calibrated,
}

/// The time-stamp counter's rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Ticks a second.
    pub tsc_hz: f64,
    /// How it is known.
    pub source: TscSource,
}

/// What machine this is. Field names as in record.md.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "as record.md names them")]
pub struct Machine {
    pub vendor: String,
    pub brand: String,
    pub family: u32,
    pub model: u32,
    pub stepping: u32,
    pub microarchitecture: String,
    pub core_type: Option<String>,
    pub microcode: Option<String>,
    pub cores: u32,
    pub smt: Option<bool>,
    pub hypervisor: Option<String>,
    pub kernel: String,
    /// File name in /sys/devices/system/cpu/vulnerabilities and its text.
    pub mitigations: BTreeMap<String, String>,
    pub features: Vec<String>,
    pub clock: Clock,
    pub governor: Option<String>,
    pub cpu: u32,
    pub store_bypass: Option<String>,
    pub indirect_branch: Option<String>,
    pub lfence_serialises: Option<bool>,
    /// Whether branches at 32-byte boundaries are kept out of the decoded instructions' cache.
    pub jcc_erratum: bool,
    pub ruler: Ruler,
    pub second_ruler: Option<Ruler>,
    pub sentinel: Sentinel,
    /// What can and cannot be done here: a name and `None`, or the reason why not.
    pub capabilities: BTreeMap<String, Option<Reason>>,
    /// Settings that make numbers worse, each as kind, message, advice.
    pub warnings: Vec<(String, String, String)>,
}

/// The backend itself could not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What failed and why.
    pub message: String,
    /// What to do.
    pub advice: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        if !self.advice.is_empty() {
            write!(f, " ({})", self.advice)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Measures cases: this machine, or a script.
pub trait Backend {
    /// The facts of the machine, for this CPU (or the backend's choice).
    ///
    /// # Errors
    /// Where the CPU does not exist or may not be used.
    fn machine(&mut self, cpu: Option<u32>) -> Result<Machine, Error>;

    /// One CPU of each kind of core, the backend's own choice first: one where all cores are alike.
    ///
    /// # Errors
    /// Where no CPU may be used.
    fn each_kind(&mut self) -> Result<Vec<u32>, Error>;

    /// Measures all cases in interleaved rounds until the plan's time is up or `sink` breaks.
    /// Cases that cannot run and cases that fail are told as events; the rest goes on.
    ///
    /// # Errors
    /// Only where nothing can be measured at all.
    fn measure(
        &mut self,
        cases: &[Case],
        plan: &Plan,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), Error>;

    /// Probes whether cases displace the branch history: the control without a sequence first, then
    /// case by case its own control and itself, as often as `sink` asks. The control comes again
    /// before other cases if they do not fit one worker.
    ///
    /// # Errors
    /// Only where nothing can be probed at all.
    fn probe(
        &mut self,
        cases: &[Case],
        plan: &ProbePlan,
        sink: &mut dyn FnMut(ProbeEvent) -> ProbeNext,
    ) -> Result<(), Error>;
}
