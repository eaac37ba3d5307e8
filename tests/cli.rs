//! The whole program from outside: the real binary, its arguments, streams and exit status.
//!
//! | module | what it looks at |
//! | --- | --- |
//! | [`program`] | how the binary is run here |
//! | [`architecture`] | the edges between the seven crates |
//! | [`call`] | what is refused before anything runs, and how |
//! | [`run`] | `run` on scripted machines: figures, verdicts, selection, formats |
//! | [`trouble`] | `run` when variants fail, the core is contended, the user interrupts, the disk is odd |
//! | [`faults`] | the fault matrix: every sequence of `faults/` ends alone, explained, with nothing left behind |
//! | [`workers`] | how the rounds of a run are spread over processes, and turns over variants |
//! | [`worth`] | `run` where a number is worth little: small bodies, few rounds, no baseline |
//! | [`diff`] | `diff` between scripted machines |
//! | [`report`] | `report`: pages and Markdown of any number of records |
//! | [`finding`] | what the project is about, from the records in `records/`: diff, Markdown, page |
//! | [`manual`] | `--help`, `completions`, `man` |
//! | [`numbers`] | what stands beside the times: exact counts, layouts, steady states, counters, kinds of cores |
//! | [`facts`] | `machine`, `list`, `schema` |
//! | [`listing`] | `listing` and `assemble`, against GNU as for every shipped sequence |
//! | [`hostile`] | texts made to take all time and memory there is |
//! | [`corpus`] | `check` over `corpus/ok` and `corpus/err`, against what is written beside each file |
//! | [`probe`] | the history probe: words, reasons, the sweep, the map; on scripted machines and this one |
//! | [`records`] | every committed record still loads |
//! | [`real`] | this machine's own CPU: shapes with wide margins, and sequences that crash |

#[path = "cli/architecture.rs"]
mod architecture;
#[path = "cli/call.rs"]
mod call;
#[path = "cli/corpus.rs"]
mod corpus;
#[path = "cli/diff.rs"]
mod diff;
#[path = "cli/facts.rs"]
mod facts;
#[path = "cli/faults.rs"]
mod faults;
#[path = "cli/finding.rs"]
mod finding;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/listing.rs"]
mod listing;
#[path = "cli/manual.rs"]
mod manual;
#[path = "cli/numbers.rs"]
mod numbers;
#[path = "cli/probe.rs"]
mod probe;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/real.rs"]
mod real;
#[path = "cli/records.rs"]
mod records;
#[path = "cli/report.rs"]
mod report;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/trouble.rs"]
mod trouble;
#[path = "cli/workers.rs"]
mod workers;
#[path = "cli/worth.rs"]
mod worth;
