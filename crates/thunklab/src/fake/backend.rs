//! The scripted backend.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use machine::{
    Backend, Case, Context, CounterRequest, CounterValue, Counts, Error, Event, Executed, Failure,
    FailureKind, Machine, Measure, MeasureId, Plan, ProbeEvent, ProbeNext, ProbePlan, Reason, Span,
};

use super::probe;
use super::samples::Source;
use super::script::{Behaviour, Counted, Counter, Fault, FaultKind, Script};

/// A machine made of a script.
#[derive(Clone, Debug)]
pub(crate) struct Fake {
    script: Script,
}

impl Fake {
    /// Reads a script.
    ///
    /// # Errors
    /// Where it cannot be read or is none.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text =
            fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        Self::of(&text).map_err(|error| format!("{shown} is no script: {error}"))
    }

    /// The machine of a script's text.
    ///
    /// # Errors
    /// Where it is none.
    pub(crate) fn of(script: &str) -> Result<Self, serde_json::Error> {
        let script = serde_json::from_str(script)?;
        Ok(Self { script })
    }

    fn behaviour(&self, case: &Case) -> &Behaviour {
        let name = case.name.split(' ').next().unwrap_or_default();
        self.script
            .variants
            .get(&case.name)
            .or_else(|| self.script.variants.get(name))
            .unwrap_or(&self.script.others)
    }

    /// Why a case does not run here.
    fn refusal(&self, case: &Case) -> Option<String> {
        if let Some(reason) = &self.behaviour(case).not_run {
            return Some(reason.clone());
        }
        if case.ring0 {
            return Some(String::from("it needs ring 0"));
        }
        let features = &self.script.machine.features;
        let lacks = case.needs.iter().find(|need| !features.contains(need))?;
        Some(format!("this CPU lacks {lacks}"))
    }

    /// What is timed, and the cycles of each.
    fn plan(&self, cases: &[Case], live: &[bool]) -> Vec<Timed> {
        let mut timed = Vec::new();
        let mut empties: Vec<(Context, MeasureId)> = Vec::new();
        for (index, case) in cases.iter().enumerate().filter(|&(index, _)| live[index]) {
            for &context in &case.contexts {
                let empty = match empties.iter().find(|(of, _)| *of == context) {
                    Some(&(_, id)) => id,
                    None => {
                        let id = MeasureId(timed.len() as u32);
                        empties.push((context, id));
                        timed.push(self.empty(context));
                        id
                    }
                };
                timed.push(self.body(index, case, context, empty));
            }
        }
        timed
    }

    fn empty(&self, context: Context) -> Timed {
        Timed {
            measure: Measure {
                case: None,
                context,
                empty: None,
                is_empty: true,
            },
            cycles: self.empty_cycles(context),
        }
    }

    fn body(&self, index: usize, case: &Case, context: Context, empty: MeasureId) -> Timed {
        let own = self.behaviour(case).cycles.get(word(context));
        let own = own.or_else(|| self.script.others.cycles.get(word(context)));
        let own = own.copied().unwrap_or(50.0);
        // Only where a fence separates the runs is the empty body additive.
        let fenced = matches!(context, Context::Isolated | Context::History);
        Timed {
            measure: Measure {
                case: Some(index),
                context,
                empty: fenced.then_some(empty),
                is_empty: false,
            },
            cycles: own
                + if fenced {
                    self.empty_cycles(context)
                } else {
                    0.0
                },
        }
    }

    fn empty_cycles(&self, context: Context) -> f64 {
        let empty = &self.script.measuring.empty;
        empty.get(word(context)).copied().unwrap_or(5.0)
    }

    /// What is told before the first round and after the last; `false` where the sink has enough.
    fn tell_counts(&self, cases: &[Case], live: &[bool], sink: &mut Sink<'_>) -> ControlFlow<()> {
        for (case, _) in cases.iter().enumerate().filter(|&(index, _)| live[index]) {
            let counts = counts(&self.behaviour(&cases[case]).counts);
            sink(Event::Counted { case, counts })?;
        }
        ControlFlow::Continue(())
    }

    fn tell_counters(
        &self,
        cases: &[Case],
        timed: &[Timed],
        live: &[bool],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        for (id, timed) in timed.iter().enumerate() {
            let Some(case) = timed.measure.case.filter(|&case| live[case]) else {
                continue;
            };
            for (name, counter) in &self.behaviour(&cases[case]).counters {
                sink(Event::Counter {
                    measure: MeasureId(id as u32),
                    name: name.clone(),
                    value: counter_value(counter),
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn rounds(
        &self,
        cases: &[Case],
        timed: &[Timed],
        live: &mut [bool],
        plan: &Plan,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let measuring = &self.script.measuring;
        let facts = &self.script.machine;
        let ruler_cycles = facts.ruler_cycles(plan.cpu.unwrap_or(facts.cpu));
        let mut source = Source::new(measuring, facts.tsc_hz, ruler_cycles, plan.seed);
        let workers = plan.workers.max(1);
        let mut offset = 0;
        let per_worker = measuring.rounds.div_ceil(workers).max(1);
        for round in 0..measuring.rounds {
            if round % per_worker == 0 {
                let worker = round / per_worker;
                offset = worker % plan.layouts.max(1) * 64 / plan.layouts.max(1);
                source.worker(worker, offset);
                sink(Event::Worker {
                    worker,
                    of: workers,
                })?;
            }
            for (id, Timed { measure, cycles }) in timed.iter().enumerate() {
                let Some(case) = measure.case else {
                    sink(Event::Sample(source.sample(
                        MeasureId(id as u32),
                        round,
                        *cycles,
                        0.0,
                        &[],
                    )))?;
                    continue;
                };
                if !live[case] {
                    continue;
                }
                let behaviour = self.behaviour(&cases[case]);
                if let Some(fault) = behaviour
                    .fails
                    .as_ref()
                    .filter(|fault| fault.round <= round)
                {
                    live[case] = false;
                    let failure = failure(fault, &cases[case]);
                    sink(Event::Failed { case, failure })?;
                    continue;
                }
                let id = MeasureId(id as u32);
                let more = behaviour.at_offset.get(&offset).copied().unwrap_or(0.0);
                sink(Event::Sample(source.sample(
                    id,
                    round,
                    *cycles,
                    more,
                    &behaviour.modes,
                )))?;
            }
            thread::sleep(Duration::from_millis(measuring.round_ms));
            sink(Event::Round(round))?;
        }
        ControlFlow::Continue(())
    }
}

/// One measure and its cycles.
struct Timed {
    measure: Measure,
    cycles: f64,
}

type Sink<'a> = dyn FnMut(Event) -> ControlFlow<()> + 'a;

impl Backend for Fake {
    fn machine(&mut self, cpu: Option<u32>) -> Result<Machine, Error> {
        let cores = self.script.machine.cores;
        match cpu {
            Some(cpu) if cpu >= cores => Err(Error {
                message: format!("there is no CPU {cpu}"),
                advice: format!("the script's CPUs are 0 to {}", cores.saturating_sub(1)),
            }),
            cpu => Ok(self.script.machine.machine(cpu)),
        }
    }

    fn each_kind(&mut self) -> Result<Vec<u32>, Error> {
        Ok(self.script.machine.each_kind())
    }

    fn measure(
        &mut self,
        cases: &[Case],
        plan: &Plan,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if let Some(message) = &self.script.measuring.broken {
            return Err(Error {
                message: message.clone(),
                advice: String::new(),
            });
        }
        let refusals: Vec<Option<String>> = cases.iter().map(|case| self.refusal(case)).collect();
        let mut live: Vec<bool> = refusals.iter().map(Option::is_none).collect();
        let timed = self.plan(cases, &live);
        let told = || {
            sink(Event::Planned(
                timed.iter().map(|timed| timed.measure.clone()).collect(),
            ))?;
            for (case, reason) in refusals.into_iter().enumerate() {
                if let Some(reason) = reason.map(Reason) {
                    sink(Event::NotRun { case, reason })?;
                }
            }
            self.tell_counts(cases, &live, sink)?;
            self.rounds(cases, &timed, &mut live, plan, sink)?;
            if plan.counters == CounterRequest::None {
                return ControlFlow::Continue(());
            }
            self.tell_counters(cases, &timed, &live, sink)
        };
        // A sink that has enough is no error.
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) = told();
        Ok(())
    }

    fn probe(
        &mut self,
        cases: &[Case],
        plan: &ProbePlan,
        sink: &mut dyn FnMut(ProbeEvent) -> ProbeNext,
    ) -> Result<(), Error> {
        if let Some(message) = &self.script.measuring.broken {
            return Err(Error {
                message: message.clone(),
                advice: String::new(),
            });
        }
        let mut effects = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            if let Some(reason) = self.refusal(case).map(Reason) {
                sink(ProbeEvent::NotRun {
                    case: index,
                    reason,
                });
                continue;
            }
            let behaviour = self.behaviour(case);
            if let Some(fault) = &behaviour.fails {
                let failure = failure(fault, case);
                sink(ProbeEvent::Failed {
                    case: index,
                    failure,
                });
                continue;
            }
            let counted = counts(&behaviour.counts);
            let branches = counted.as_ref();
            let branches = branches.map_or(0, |counts| counts.body.taken_branches.least);
            let branches = probe::filler(case).unwrap_or(branches);
            let random = behaviour.random_history;
            let effect = self.script.branches.effect(case, branches, random);
            effects.push((index, effect));
            if plan.counts {
                sink(ProbeEvent::Counted {
                    case: index,
                    counts: counted,
                });
            }
        }
        self.script.branches.tell(&effects, plan, sink);
        Ok(())
    }
}

/// The word that scripts and records have for a context.
fn word(context: Context) -> &'static str {
    match context {
        Context::Chained => "chained",
        Context::Overlap => "overlap",
        Context::Isolated => "isolated",
        Context::History => "history",
    }
}

fn counts(counted: &Counted) -> Result<Counts, Reason> {
    match counted {
        Counted::Reason { reason } => Err(Reason(reason.clone())),
        &Counted::Counts {
            instructions,
            taken_branches,
            instructions_max,
            taken_branches_max,
            not_taken_branches,
            calls,
            returns,
        } => Ok(Counts {
            body: Executed {
                instructions: Span {
                    least: instructions,
                    most: instructions_max.unwrap_or(instructions),
                },
                taken_branches: Span {
                    least: taken_branches,
                    most: taken_branches_max.unwrap_or(taken_branches),
                },
                not_taken_branches: Span::always(not_taken_branches.unwrap_or(6)),
                calls: Span::always(calls.unwrap_or(6)),
                returns: Span::always(returns.unwrap_or(6)),
            },
            around: None,
            runs: if instructions_max.is_some() { 16 } else { 2 },
        }),
    }
}

fn counter_value(counter: &Counter) -> CounterValue {
    match counter {
        &Counter::PerRun { per_run, low, high } => CounterValue::PerRun { per_run, low, high },
        Counter::Error { error } => CounterValue::Error(error.clone()),
    }
}

fn failure(fault: &Fault, case: &Case) -> Failure {
    Failure {
        kind: match fault.kind {
            FaultKind::Signal => FailureKind::Signal,
            FaultKind::Timeout => FailureKind::Timeout,
            FaultKind::Exit => FailureKind::Exit,
            FaultKind::Syscall => FailureKind::Syscall,
            FaultKind::Stack => FailureKind::Stack,
            FaultKind::State => FailureKind::State,
            FaultKind::Tampered => FailureKind::Tampered,
        },
        signal: fault.signal.clone(),
        address: fault.address,
        ip: fault.ip,
        instruction: fault.instruction.clone(),
        file: fault.line.and_then(|_| case.code.files.first().cloned()),
        line: fault.line,
        message: fault.message.clone(),
    }
}

#[cfg(test)]
mod tests {

    use assemble::Code;
    use machine::Entry;

    use super::*;

    fn fake(script: &str) -> Fake {
        Fake {
            script: serde_json::from_str(script).expect("a script"),
        }
    }

    fn case(name: &str) -> Case {
        Case {
            contexts: vec![Context::Chained, Context::Isolated],
            ..Case::plain(name.to_owned(), Code::default(), Entry::Call(None))
        }
    }

    /// All events of two cases, as text.
    fn events(script: &str, seed: u64) -> Vec<String> {
        let plan = Plan {
            seed,
            time: Duration::from_secs(1),
            workers: 2,
            layouts: 1,
            cpu: None,
            counters: CounterRequest::Auto,
            allow_syscalls: false,
            require_sandbox: false,
            apart: false,
        };
        let mut events = Vec::new();
        fake(script)
            .measure(&[case("a N=1"), case("b N=1")], &plan, &mut |event| {
                events.push(format!("{event:?}"));
                ControlFlow::Continue(())
            })
            .expect("it measures");
        events
    }

    #[test]
    fn a_seed_gives_the_same_events_and_another_one_others() {
        let script = r#"{"measuring": {"rounds": 10}}"#;
        assert_eq!(events(script, 1), events(script, 1));
        assert_ne!(events(script, 1), events(script, 2));
    }

    #[test]
    fn empties_are_shared_and_taken_off_only_behind_a_fence() {
        let all = events(r#"{"measuring": {"rounds": 1}}"#, 1);
        assert_eq!(all[0].matches("is_empty: true").count(), 2, "{}", all[0]);
        assert_eq!(all[0].matches("is_empty: false").count(), 4, "{}", all[0]);
        assert_eq!(all[0].matches("empty: Some").count(), 2, "{}", all[0]);
    }

    #[test]
    fn a_failed_case_gives_no_more_samples() {
        let script = r#"{
            "measuring": {"rounds": 10},
            "variants": {"b": {"fails": {"round": 4, "kind": "exit", "message": "gone"}}}
        }"#;
        let all = events(script, 1);
        let failed = all.iter().position(|event| event.starts_with("Failed"));
        let failed = failed.expect("it fails");
        let of_b = |event: &&String| event.contains("MeasureId(4)");
        assert_eq!(
            all.iter()
                .filter(|e| e.starts_with("Sample"))
                .filter(of_b)
                .count(),
            4
        );
        assert!(!all[failed..].iter().any(|event| of_b(&event)));
    }

    #[test]
    fn params_choose_an_entry_before_the_name_alone_does() {
        let script = r#"{
            "measuring": {"rounds": 1},
            "variants": {"a": {}, "a N=1": {"not_run": "at this N"}}
        }"#;
        let all = events(script, 1);
        assert!(all.iter().any(|event| event.contains("at this N")));
    }

    #[test]
    fn a_key_that_is_none_is_an_error() {
        assert!(serde_json::from_str::<Script>(r#"{"varaints": {}}"#).is_err());
    }
}
