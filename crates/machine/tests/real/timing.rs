//! Known shapes. Margins are wide: the machine may be busy, and its neighbours are not ours.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use machine::{Case, Context, CounterValue, Span};

use crate::outcome::{measure, measure_as, plan};
use crate::sequence::{Ops, called, case, code, function, inline, section};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("timing::a_chain_takes_its_latency", chains),
    ("timing::contexts_cost_what_they_should", contexts),
    ("timing::counters_are_read_or_refused", counters),
    ("timing::slow_bodies_run_at_least_once", slow),
];

fn imuls(count: u32) -> impl FnOnce(&mut Ops) {
    move |ops| {
        for _ in 0..count {
            dynasm!(ops ; .arch x64 ; imul rax, rax);
        }
    }
}

#[track_caller]
fn near(what: &str, found: f64, expected: f64, share: f64) {
    assert!(
        (found - expected).abs() <= share * expected,
        "{what}: {found:.2} cycles, expected {expected:.2}"
    );
}

fn chains() {
    let cases = [inline("inline", imuls(100)), called("called", imuls(30))];
    let outcome = measure(&cases, 1500);
    assert_eq!(outcome.failures, []);
    near(
        "100 links inline",
        outcome.body(0, Context::Chained),
        300.0,
        0.35,
    );
    near(
        "30 links called",
        outcome.body(1, Context::Chained),
        90.0,
        0.35,
    );
    if let Some(ratio) = outcome.second_ruler {
        near("ticks to a cycle by the second ruler", ratio, 1.0, 0.5);
    }
    assert!(outcome.rounds > 0, "{} rounds", outcome.rounds);
    assert!(outcome.workers >= 1);
    for (case, instructions, branches) in [(0, 100, 0), (1, 31, 1)] {
        let counts = outcome.counts(case).expect("counted");
        assert_eq!(
            (counts.body.instructions, counts.body.taken_branches),
            (Span::always(instructions), Span::always(branches))
        );
    }
}

/// 30 dependent imuls under every context, once passing their register on and once not.
fn contexts() {
    let all = [
        Context::Chained,
        Context::Overlap,
        Context::Isolated,
        Context::History,
    ];
    let of = |name: &str, write: &dyn Fn(&mut Ops)| -> Case {
        let bytes = function(|ops| write(ops));
        let code = code(vec![section(".text", 6, &bytes)]);
        case(name, code, machine::Entry::Call(None), &all)
    };
    let cases = [of("chain", &|ops| imuls(30)(ops))];
    let outcome = measure(&cases, 1500);
    assert_eq!(outcome.failures, []);
    let [chained, overlap, isolated, history] = all.map(|context| outcome.body(0, context));
    let empty = |context| outcome.cycles(None, context, true);
    near("chained", chained, 90.0, 0.35);
    // Zeroed registers let runs overlap; fences keep them apart.
    assert!(
        overlap < 0.8 * chained,
        "overlap {overlap}, chained {chained}"
    );
    assert!(isolated > chained, "isolated {isolated}, chained {chained}");
    assert!(empty(Context::Isolated) > empty(Context::Chained));
    // 24 random branches mispredict about 12 times.
    assert!(
        history > isolated + 60.0,
        "history {history}, isolated {isolated}"
    );
    assert!(empty(Context::History) > empty(Context::Isolated) + 60.0);
}

fn slow() {
    // Some hundred thousand cycles: longer than any sample should be.
    let cases = [called("slow", |ops| {
        dynasm!(ops ; .arch x64 ; mov ecx, 50_000 ; again: ; dec ecx ; jnz <again);
    })];
    let outcome = measure(&cases, 300);
    assert_eq!(outcome.failures, []);
    let samples = outcome.samples_of(0, Context::Chained);
    assert!(!samples.is_empty());
    assert!(samples.iter().all(|sample| sample.runs == 1));
}

/// Software events are to be had everywhere; an unknown event is refused for each measure.
fn counters() {
    let cases = [called("chain", imuls(30))];
    let with = |name: &str| {
        let mut plan = plan(300);
        plan.counters = machine::CounterRequest::Events(vec![name.to_owned()]);
        measure_as(&cases, &plan)
    };
    let outcome = with("page-faults");
    assert!(outcome.rounds > 0);
    assert_eq!(outcome.counters.len(), outcome.measures.len());
    for (_, name, value) in &outcome.counters {
        assert_eq!(name, "page-faults");
        assert!(
            matches!(value, CounterValue::PerRun { per_run, .. } if *per_run < 0.1)
                || matches!(value, CounterValue::Error(_)),
            "{value:?}"
        );
    }
    let outcome = with("no-such-event");
    assert!(outcome.rounds > 0);
    assert_eq!(outcome.counters.len(), outcome.measures.len());
    for (_, _, value) in &outcome.counters {
        assert!(matches!(value, CounterValue::Error(reason) if reason.contains("no-such-event")));
    }
}
