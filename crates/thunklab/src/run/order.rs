//! What the options of `run` mean, apart from any sequence.

use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use machine::{Backend, CounterRequest, Machine, Plan};

use crate::args::typed::{Cpu, Run, TableFormat};
use crate::catalogue;
use crate::outcome::Refusal;

use super::job::Job;

/// Fresh worker processes that the rounds of a run are spread over, at least.
const WORKERS: u32 = 12;
/// And at most, where time allows.
const MOST_WORKERS: u32 = 100;
/// Time for which another worker is worth its start. What differs from one mapping to the next does
/// not go away with more rounds in the same one: twice the workers in the same time agree as well
/// from run to run as twice the time.
const WORKER_TIME: Duration = Duration::from_millis(20);
/// Time that a measure takes in a round, roughly, and rounds that a worker should have.
const MEASURE_TIME: Duration = Duration::from_micros(10);
const WORKER_ROUNDS: u32 = 20;
/// Workers for each layout at least: what changes from one mapping to the next must not pass for
/// what an offset does.
const WORKERS_A_LAYOUT: u32 = 3;
/// Bytes of a line: there are no more offsets in it.
const MOST_LAYOUTS: u32 = 64;
/// Time that each worker of a layout sweep gets at least.
const LEAST_WORKER_TIME: Duration = Duration::from_millis(20);

/// The options' meaning.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Seed of every random choice.
    pub(crate) seed: u64,
    /// Wall time for a sequence.
    pub(crate) time: Duration,
    /// Relative half width of intervals at which to stop.
    pub(crate) precision: Option<f64>,
    /// The baseline against its own copies, and nothing else.
    pub(crate) noise: bool,
    /// How the result is printed.
    pub(crate) format: TableFormat,
    /// Where the record goes.
    pub(crate) output: Output,
    /// Offsets within a line at which everything is placed in turn.
    pub(crate) layouts: u32,
    counters: CounterRequest,
    allow_syscalls: bool,
    /// Whether nothing may run outside a sandbox.
    pub(crate) require_sandbox: bool,
    /// Whether each variant has workers of its own.
    pub(crate) apart: bool,
    cpu: Option<Cpu>,
}

/// Where a record goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Nowhere.
    None,
    /// To stdout, in place of the table.
    Stdout,
    /// Into this file.
    File(PathBuf),
    /// To `<microarchitecture>/<sequence>.json` in this folder.
    Folder(PathBuf),
}

impl Order {
    /// # Errors
    /// Everything that was asked for and cannot be had, or makes no sense together.
    pub(crate) fn new(typed: &Run) -> Result<Self, Refusal> {
        let mut refusal = Refusal::default();
        refusal.messages.extend(unlike_layouts(typed));
        if typed.precision.is_some_and(|share| share.0 <= 0.0) {
            refusal.messages.push(String::from(
                "--precision 0%: no interval is that narrow; leave the option away for the full \
                 --time",
            ));
        }
        if typed.require_sandbox && typed.allow_syscalls {
            refusal.messages.push(String::from(
                "--require-sandbox and --allow-syscalls exclude each other: the second runs code \
                 without the sandbox's filter",
            ));
        }
        let output = output(typed.output.as_deref());
        if matches!(output, Output::File(_)) && typed.sequences.len() > 1 {
            refusal.messages.push(String::from(
                "-o FILE holds the record of one sequence; name a folder for several",
            ));
        }
        let counters = counters(&typed.counters).unwrap_or_else(|wrong| {
            refusal.messages.extend(wrong);
            CounterRequest::None
        });
        refusal.check()?;
        Ok(Self {
            seed: typed.assembly.seed.unwrap_or_else(fresh_seed),
            time: typed.time.0,
            precision: typed.precision.map(|share| share.0),
            noise: typed.noise,
            format: typed.format,
            output,
            layouts: typed.layouts,
            counters,
            allow_syscalls: typed.allow_syscalls,
            require_sandbox: typed.require_sandbox,
            apart: typed.apart,
            cpu: typed.cpu,
        })
    }

    /// The CPUs to run on, one after the other; `None` is the backend's choice.
    ///
    /// # Errors
    /// Where the machine cannot be looked at.
    pub(crate) fn cpus(&self, backend: &mut dyn Backend) -> Result<Vec<Option<u32>>, Refusal> {
        match self.cpu {
            None => Ok(vec![None]),
            Some(Cpu::Number(cpu)) => Ok(vec![Some(cpu)]),
            Some(Cpu::EachKind) => {
                let cpus = backend.each_kind()?;
                if cpus.len() > 1 && matches!(self.output, Output::File(_)) {
                    return Err(Refusal::because(format!(
                        "-o FILE holds one record, and there are {} kinds of cores; name a folder",
                        cpus.len()
                    )));
                }
                Ok(cpus.into_iter().map(Some).collect())
            }
        }
    }

    /// How a job is measured.
    pub(crate) fn plan(&self, job: &Job, cpu: u32) -> Plan {
        let measures = job.entries.iter().map(|&entry| job.contexts(entry).len());
        Plan {
            seed: self.seed,
            time: self.time,
            workers: match self.layouts {
                1 => workers_in(self.time, measures.sum()),
                layouts => workers(layouts),
            },
            layouts: self.layouts,
            cpu: Some(cpu),
            counters: self.counters.clone(),
            allow_syscalls: self.trusts(job),
            require_sandbox: self.require_sandbox,
            apart: self.apart,
        }
    }

    /// Whether code that makes system calls may make them without the sandbox's filter: the user
    /// vouches for it, or it was shipped with this program.
    pub(crate) fn trusts(&self, job: &Job) -> bool {
        let vouched = self.allow_syscalls || catalogue::is_shipped(&job.sequence().text);
        vouched && !self.require_sandbox
    }

    /// Whether counters are wanted where there are any.
    pub(crate) fn wants_counters(&self) -> bool {
        self.counters != CounterRequest::None
    }

    /// The file that a job's record goes to.
    pub(crate) fn path(&self, job: &Job, machine: &Machine) -> Option<PathBuf> {
        match &self.output {
            Output::None | Output::Stdout => None,
            Output::File(path) => Some(path.clone()),
            Output::Folder(folder) => {
                let name = match job.sequence().name.as_str() {
                    "-" => "stdin",
                    name => name,
                };
                let kind = folder_name(&machine.microarchitecture);
                Some(folder.join(kind).join(format!("{name}.json")))
            }
        }
    }
}

/// Fresh workers for so many layouts, as many for each.
fn workers(layouts: u32) -> u32 {
    WORKERS.div_ceil(layouts).max(WORKERS_A_LAYOUT) * layouts
}

/// Fresh workers for this time and so many measures, where code lies as written.
fn workers_in(time: Duration, measures: usize) -> u32 {
    let rounds = MEASURE_TIME * WORKER_ROUNDS * u32::try_from(measures).unwrap_or(u32::MAX);
    let workers = time.as_nanos() / rounds.max(WORKER_TIME).as_nanos();
    (workers.min(MOST_WORKERS.into()) as u32).max(WORKERS)
}

/// What is wrong with `--layouts`.
fn unlike_layouts(typed: &Run) -> Option<String> {
    let layouts = typed.layouts;
    if !(1..=MOST_LAYOUTS).contains(&layouts) {
        return Some(format!(
            "--layouts {layouts}: a line has 64 bytes; 1 places code as written, up to 64 sweep the \
             offsets in a line"
        ));
    }
    let least = LEAST_WORKER_TIME * workers(layouts);
    (layouts > 1 && typed.time.0 < least).then(|| {
        format!(
            "--layouts {layouts}: {} s for all of them is too short; give it --time {:.1}s or more, \
             or fewer layouts",
            typed.time.0.as_secs_f64(),
            // Rounded up, so that this much is enough.
            (least.as_secs_f64() * 10.0).ceil() / 10.0
        )
    })
}

/// `golden-cove` for `Golden Cove`.
fn folder_name(microarchitecture: &str) -> String {
    let words = microarchitecture
        .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '.' | '_'))
        .filter(|word| !word.is_empty() && !word.starts_with('.'))
        .map(str::to_lowercase);
    let name = words.collect::<Vec<_>>().join("-");
    if name.is_empty() {
        String::from("unknown")
    } else {
        name
    }
}

/// Names of stdout. Opened by them, a file that a shell directs it to would be replaced under it.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// A folder is one that exists, or a name without an extension that does not.
fn output(path: Option<&Path>) -> Output {
    match path {
        None => Output::None,
        Some(path) if STDOUT.iter().any(|name| path.as_os_str() == *name) => Output::Stdout,
        Some(path) => {
            let text = path.as_os_str().to_string_lossy();
            let bare = path.extension().is_none() && !path.exists();
            if path.is_dir() || text.ends_with('/') || bare {
                Output::Folder(path.to_path_buf())
            } else {
                Output::File(path.to_path_buf())
            }
        }
    }
}

/// What `--counters` asks for.
///
/// # Errors
/// Every name that is none.
fn counters(word: &str) -> Result<CounterRequest, Vec<String>> {
    match word {
        "auto" => Ok(CounterRequest::Auto),
        "none" => Ok(CounterRequest::None),
        events => {
            let names = event_names(events);
            if names.iter().any(|event| event.trim().is_empty()) {
                return Err(vec![format!(
                    "--counters {events:?}: auto, none, or names of events with commas between them"
                )]);
            }
            let told = |message| format!("--counters: {message}");
            machine::check_events(&names)
                .map_err(|wrong| wrong.into_iter().map(told).collect::<Vec<_>>())?;
            Ok(CounterRequest::Events(names))
        }
    }
}

/// Names between commas, but for those between slashes: `cycles,cpu/event=0xa8,umask=0x1/`.
fn event_names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut in_pmu = false;
    for c in text.chars() {
        in_pmu ^= c == '/';
        match names.last_mut() {
            Some(name) if c != ',' || in_pmu => name.push(c),
            _ => names.push(String::new()),
        }
    }
    names
}

/// A seed that nobody chose: two runs shall not share an order that happens to favour a variant.
/// Below 2^53, so that every JSON reader keeps it.
pub(crate) fn fresh_seed() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_from_files_by_their_name() {
        let of = |text: &str| output(Some(Path::new(text)));
        assert_eq!(of("-"), Output::Stdout);
        assert_eq!(of("/dev/stdout"), Output::Stdout);
        assert_eq!(of("/dev/null"), Output::File("/dev/null".into()));
        assert_eq!(of("no-such/x.json"), Output::File("no-such/x.json".into()));
        assert_eq!(of("no-such"), Output::Folder("no-such".into()));
        assert_eq!(of("no.such/"), Output::Folder("no.such/".into()));
        assert_eq!(output(None), Output::None);
    }

    #[test]
    fn commas_between_slashes_divide_no_names() {
        let names = event_names("cycles,cpu/event=0xa8,umask=0x1/,r1a8");
        assert_eq!(names, ["cycles", "cpu/event=0xa8,umask=0x1/", "r1a8"]);
        assert_eq!(event_names("msr/tsc/"), ["msr/tsc/"]);
        assert_eq!(event_names(""), [""]);
    }

    #[test]
    fn layouts_share_workers_out_evenly() {
        assert_eq!(workers(1), 12);
        assert_eq!(workers(8), 24);
        assert_eq!(workers(5), 15);
        assert_eq!(workers(64), 192);
    }

    #[test]
    fn more_time_has_more_workers_and_more_variants_have_not() {
        let of = |seconds, measures| workers_in(Duration::from_secs_f64(seconds), measures);
        assert_eq!(of(0.2, 42), 12);
        assert_eq!(of(0.8, 42), 40);
        assert_eq!(of(60.0, 42), 100);
        assert_eq!(of(4.0, 3000), 12);
        assert_eq!(of(12.0, 3000), 20);
        assert_eq!(of(f64::from(u32::MAX), 1), 100);
    }

    #[test]
    fn microarchitectures_make_folder_names() {
        assert_eq!(folder_name("Golden Cove"), "golden-cove");
        assert_eq!(folder_name("Zen 4 (Genoa)"), "zen-4-genoa");
        assert_eq!(folder_name("../../etc"), "etc");
        assert_eq!(folder_name(""), "unknown");
    }
}
