//! The history probe's controls and its two ends, with wide margins. A CPU on which nothing can be
//! told apart is accepted, and said.

use std::time::Duration;

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use machine::{
    Backend, Case, Failure, FailureKind, Mode, ProbeEvent, ProbeNext, ProbePlan, ProbeSubject,
    Reading, Real, Reason, Setting,
};

use crate::sequence::{Ops, called, inline};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("probe::controls_and_both_ends", ends),
    ("probe::batches_come_as_often_as_asked", batches),
    (
        "probe::what_fails_or_takes_long_is_told_and_the_rest_goes_on",
        trouble,
    ),
    ("probe::registers_pass_from_run_to_run", registers),
];

/// What was told.
#[derive(Debug, Default)]
struct Told {
    /// Each batch of each subject.
    read: Vec<(ProbeSubject, Vec<Reading>)>,
    failed: Vec<(usize, Failure)>,
    not_run: Vec<(usize, Reason)>,
    counted: Vec<(usize, u64)>,
}

fn probe(cases: &[Case], plan: &ProbePlan) -> Told {
    let mut told = Told::default();
    let mut sink = |event| {
        match event {
            ProbeEvent::Waiting => {}
            ProbeEvent::Read { subject, readings } => {
                told.read.push((subject, readings));
            }
            ProbeEvent::Failed { case, failure } => told.failed.push((case, failure)),
            ProbeEvent::NotRun { case, reason } => told.not_run.push((case, reason)),
            ProbeEvent::Counted { case, counts } => {
                told.counted
                    .extend(counts.map(|counts| (case, counts.body.taken_branches.least)));
            }
        }
        ProbeNext::On
    };
    let mut real = Real::new();
    real.probe(cases, plan, &mut sink)
        .expect("the backend works");
    told
}

impl Told {
    /// The least and the greatest score over the settings that can be told apart.
    fn scores(&self, subject: ProbeSubject) -> Option<(f64, f64)> {
        let (_, readings) = self.read.iter().find(|(of, _)| *of == subject)?;
        let scores: Vec<f64> = (0..Setting::ALL.len())
            .filter_map(|setting| score(readings, setting))
            .collect();
        let least = scores.iter().copied().reduce(f64::min)?;
        Some((least, scores.into_iter().fold(least, f64::max)))
    }
}

fn score(readings: &[Reading], setting: usize) -> Option<f64> {
    let sorted = Mode::ALL.map(|mode| {
        let mut all: Vec<u32> = readings
            .iter()
            .filter(|one| (one.setting, one.mode) == (setting, mode))
            .flat_map(|one| one.ticks.clone())
            .collect();
        all.sort_unstable();
        all
    });
    let low = sorted[0][sorted[0].len() / 2];
    let high = sorted[2][sorted[2].len() * 85 / 100];
    let share = |ticks: &[u32]| {
        let slow = ticks.iter().filter(|ticks| 2 * **ticks > low + high);
        slow.count() as f64 / ticks.len() as f64
    };
    let [constant, dependent, independent] = sorted.each_ref().map(|ticks| share(ticks));
    let valid = high >= low + 12 && constant < 0.1 && (0.4..0.6).contains(&independent);
    valid.then(|| (dependent - constant) / (independent - constant))
}

/// So many taken branches, a few bytes apart.
fn jumps(count: u32) -> impl FnOnce(&mut Ops) {
    move |ops| {
        for _ in 0..count {
            dynasm!(ops ; .arch x64 ; jmp BYTE >next ; nop ; nop ; nop ; next:);
        }
    }
}

/// A branch on one bit of the clock, so on nothing that anybody could know.
fn random_history(ops: &mut Ops) {
    dynasm!(ops ; .arch x64
        ; rdtsc
        ; mov ecx, 0x9e3779b1u32 as i32
        ; imul eax, ecx
        ; test eax, 0x400_0000
        ; jz >over
        ; nop
        ; over:
        ; test eax, 0x1000_0000
        ; jz >over
        ; nop
        ; over:
    );
}

fn ends() {
    let cases = [
        inline("few", jumps(16)),
        inline("many", jumps(600)),
        called("called", jumps(600)),
        inline("random", random_history),
    ];
    let plan = ProbePlan {
        erased: 1023,
        counts: true,
        ..ProbePlan::default()
    };
    let told = probe(&cases, &plan);
    assert_eq!((&told.failed, &told.not_run), (&Vec::new(), &Vec::new()));
    assert_eq!(told.read.len(), 1 + 2 * cases.len());
    assert_eq!(told.read[0].0, ProbeSubject::Nothing);
    for (_, readings) in &told.read {
        assert_eq!(readings.len(), 3 * 3 * Setting::ALL.len());
        assert!(readings.iter().all(|one| one.ticks.len() == 300));
    }
    for (case, branches) in [(0, 16), (1, 600), (2, 601)] {
        assert!(
            told.counted.contains(&(case, branches)),
            "{:?}",
            told.counted
        );
    }
    let Some((_, nothing)) = told.scores(ProbeSubject::Nothing) else {
        println!("slow and fast jumps cannot be told apart here: nothing to see");
        return;
    };
    if nothing > 0.5 {
        println!("no marker can be seen here, without any sequence: {nothing:.2}");
        return;
    }
    for (case, named) in cases.iter().enumerate().take(3) {
        if let Some((_, most)) = told.scores(ProbeSubject::Before(case)) {
            assert!(
                most < 0.5,
                "{} in front of the marker: {most:.2}",
                named.name
            );
        }
    }
    let between = |case| told.scores(ProbeSubject::Between(case));
    if let Some((least, _)) = between(0) {
        assert!(least < 0.5, "16 branches displaced the history: {least:.2}");
    }
    for case in [1, 2] {
        if let Some((least, _)) = between(case) {
            assert!(least > 0.5, "600 branches kept the history: {least:.2}");
        }
    }
}

fn batches() {
    let cases = [inline("few", jumps(16)), inline("as few", jumps(16))];
    let mut subjects = Vec::new();
    let plan = ProbePlan {
        rounds: 1,
        ..ProbePlan::default()
    };
    let mut answers = [
        ProbeNext::On,
        ProbeNext::Again,
        ProbeNext::Done,
        ProbeNext::On,
    ]
    .into_iter();
    let mut real = Real::new();
    real.probe(&cases, &plan, &mut |event| {
        let ProbeEvent::Read { subject, .. } = event else {
            return ProbeNext::On;
        };
        subjects.push(subject);
        answers.next().unwrap_or(ProbeNext::Stop)
    })
    .expect("the backend works");
    assert_eq!(
        subjects,
        [
            ProbeSubject::Nothing,
            ProbeSubject::Between(0),
            ProbeSubject::Between(0),
            ProbeSubject::Between(1),
            ProbeSubject::Before(1),
        ]
    );
}

fn trouble() {
    let cases = [
        inline("fault", |ops| dynasm!(ops ; .arch x64 ; mov rax, [0x10])),
        inline("good", jumps(2)),
        inline("displaced", |ops| dynasm!(ops ; .arch x64 ; push rax)),
        inline("slow", |ops| {
            dynasm!(ops ; .arch x64 ; mov ecx, 100_000 ; again: ; dec ecx ; jnz <again);
        }),
        inline("last", jumps(3)),
    ];
    let plan = ProbePlan {
        rounds: 1,
        longest: Duration::from_millis(2),
        ..ProbePlan::default()
    };
    let told = probe(&cases, &plan);
    let failed: Vec<(usize, FailureKind)> = told
        .failed
        .iter()
        .map(|(case, failure)| (*case, failure.kind))
        .collect();
    assert_eq!(failed, [(0, FailureKind::Signal), (2, FailureKind::Stack)]);
    assert_eq!(told.failed[0].1.line, Some(1), "{:?}", told.failed[0]);
    let not_run: Vec<usize> = told.not_run.iter().map(|(case, _)| *case).collect();
    assert_eq!(not_run, [3]);
    for case in [1, 4] {
        let read = |subject| told.read.iter().any(|(of, _)| *of == subject);
        assert!(read(ProbeSubject::Before(case)) && read(ProbeSubject::Between(case)));
    }
}

/// A sequence that counts its runs in a register gets to 300 within a pass of 400 trials: the harness
/// gives it back the register that it left.
fn registers() {
    let walk = inline("walk", |ops| {
        dynasm!(ops ; .arch x64 ; add rbx, 1 ; cmp rbx, 300 ; jb >fine ; ud2 ; fine:);
    });
    let told = probe(&[walk], &ProbePlan::default());
    assert_eq!(told.failed.len(), 1);
    assert_eq!(told.failed[0].1.signal.as_deref(), Some("SIGILL"));
}
