//! Records made up after the published findings: `clear_bhb_loop` with its counters in several
//! registers, on a machine where the choice matters and on one where it does not.

use record::{
    Code, Context, Cycles, Empty, History, HistoryWord, Machine, Measure, Mode, Nanoseconds,
    ParamValue, Plan, Record, Ruler, Rulers, SCHEMA, Samples, Sentinel, SequenceFile, Status, Tool,
    Variant, Verdict, VsBaseline, Warning,
};

/// TSC ticks to a core cycle of the made-up machines.
const TICKS_PER_CYCLE: f64 = 0.75;
const RUNS: u32 = 60;
const LINKS: u32 = 600;
const BASELINE: &str = "eax-ecx";
const FLOOR: f64 = 0.003;

/// A made-up machine, and what a run of each variant takes there in each context.
pub(crate) struct Made {
    pub(crate) microarchitecture: &'static str,
    pub(crate) brand: &'static str,
    pub(crate) vendor: &'static str,
    pub(crate) family_model_stepping: [u32; 3],
    pub(crate) hypervisor: Option<&'static str>,
    pub(crate) history_length: Option<u32>,
    /// Name, text, cycles chained, isolated, history, and bytes.
    pub(crate) variants: &'static [(&'static str, &'static str, [f64; 3], u64)],
}

/// As on a server part whose high byte registers are slow.
pub(crate) const SLOW_AH: Made = Made {
    microarchitecture: "Emerald Rapids",
    brand: "INTEL(R) XEON(R) PLATINUM 8581C",
    vendor: "GenuineIntel",
    family_model_stepping: [6, 0xcf, 2],
    hypervisor: Some("KVM"),
    history_length: Some(194),
    variants: &[
        (
            "eax-ecx",
            "32-bit counters, immediate counts",
            [90.4, 64.6, 96.7],
            163,
        ),
        (
            "al-ah",
            "byte counters, immediate counts",
            [90.4, 64.6, 96.9],
            161,
        ),
        (
            "ah-al",
            "byte counters swapped, immediate counts",
            [98.5, 88.6, 126.6],
            161,
        ),
        (
            "ah-al-zeroed",
            "the same, %eax zeroed at entry",
            [90.3, 88.6, 126.1],
            163,
        ),
        (
            "al-ax100",
            "outer counter in %ah, by sub $0x100,%ax",
            [90.5, 64.7, 97.2],
            162,
        ),
        (
            "al-cl",
            "byte counters in two registers",
            [90.4, 64.6, 96.8],
            161,
        ),
    ],
};

/// As on a part where all registers are alike.
pub(crate) const ALIKE: Made = Made {
    microarchitecture: "Zen 5",
    brand: "AMD EPYC 9655 96-Core Processor",
    vendor: "AuthenticAMD",
    family_model_stepping: [0x1a, 0x02, 1],
    hypervisor: None,
    history_length: None,
    variants: &[
        (
            "eax-ecx",
            "32-bit counters, immediate counts",
            [71.2, 58.3, 80.2],
            163,
        ),
        (
            "al-ah",
            "byte counters, immediate counts",
            [71.2, 58.3, 80.3],
            161,
        ),
        (
            "ah-al",
            "byte counters swapped, immediate counts",
            [71.3, 58.3, 80.2],
            161,
        ),
        (
            "ah-al-zeroed",
            "the same, %eax zeroed at entry",
            [71.2, 58.4, 80.1],
            163,
        ),
        (
            "al-ax100",
            "outer counter in %ah, by sub $0x100,%ax",
            [71.2, 58.3, 80.3],
            162,
        ),
        (
            "al-cl",
            "byte counters in two registers",
            [71.3, 58.3, 80.2],
            161,
        ),
    ],
};

const CONTEXTS: [Context; 3] = [Context::Chained, Context::Isolated, Context::History];
/// Cycles of the empty call where it is taken off.
const EMPTY: f64 = 27.2;

/// Uniform numbers below 1, the same for every run of the tests.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

/// A record of the made-up machine with `n` samples a measure, at `layouts` offsets.
pub(crate) fn record(made: &Made, n: u32, layouts: u32, seed: u64) -> Record {
    let mut random = Random(seed.wrapping_mul(977) + 5);
    let variants = made
        .variants
        .iter()
        .map(|&(name, text, cycles, size)| Variant {
            name: name.into(),
            text: text.into(),
            params: [("OUTER", 5), ("INNER", 5)]
                .into_iter()
                .map(|(name, value)| (name.into(), ParamValue::Integer(value)))
                .collect(),
            status: Status::Measured,
            reason: None,
            failure: None,
            code: Some(Code {
                bytes: "b905000000e816000000eb66cccc".repeat(size as usize / 14),
                size,
                instructions: Some(105),
                instructions_max: Some(105),
                taken_branches: Some(64),
                taken_branches_max: Some(64),
                ..Code::default()
            }),
            history: made.history_length.map(|_| History {
                score: Some(0.04),
                low: Some(0.02),
                high: Some(0.07),
                word: HistoryWord::Kept,
                reason: None,
                taken_branches: Some(64),
            }),
            measures: CONTEXTS
                .into_iter()
                .zip(cycles)
                .zip(made.variants[0].2)
                .map(|((context, cycles), baseline)| {
                    let mut measure = measure(context, cycles, n, layouts, &mut random);
                    measure.vs_baseline = (name != BASELINE).then(|| against(cycles / baseline));
                    (context, measure)
                })
                .collect(),
        })
        .collect();
    Record {
        schema: SCHEMA,
        complete: true,
        tool: Tool {
            name: "thunklab".into(),
            version: "0.1.0".into(),
        },
        time: "2026-10-04T09:12:33Z".into(),
        warnings: made
            .hypervisor
            .iter()
            .map(|_| Warning {
                kind: "guest".into(),
                message: "a virtual machine: its model and microcode may be invented".into(),
                advice: "say so where the numbers are shown".into(),
            })
            .collect(),
        machine: machine(made),
        plan: Plan {
            seed: 1,
            rounds: 512,
            workers: 4,
            between: CONTEXTS.to_vec(),
            verdict: Some(Context::Isolated),
            baseline: Some(BASELINE.into()),
            noise_floor: Some(FLOOR),
            layouts,
            time_s: 0.8,
            ..Plan::default()
        },
        sequence: SequenceFile {
            name: "clear_bhb_loop".into(),
            title: "clear_bhb_loop(): which registers count the two loops".into(),
            sources: vec!["20260328100837.7e6dc7fe@pumpkin".into()],
            text: include_str!("../../../../sequences/clear_bhb_loop.S").into(),
            sha256: "5b0c".repeat(16),
        },
        rulers: Rulers {
            imul: Some(Ruler {
                instruction: "imul %rax,%rax".into(),
                links: LINKS,
                cycles_per_link: 3.0,
                ticks_per_cycle: TICKS_PER_CYCLE,
            }),
            second: None,
        },
        sentinel: Sentinel {
            instructions: 1_200,
            floor_cycles: Some(349.0),
            contended_share: Some(0.11),
        },
        variants,
        empty: CONTEXTS
            .into_iter()
            .map(|context| {
                (
                    context,
                    Empty {
                        cycles: Some(estimate(EMPTY, 480)),
                    },
                )
            })
            .collect(),
    }
}

fn against(ratio: f64) -> VsBaseline {
    let (low, high) = (ratio - 0.003, ratio + 0.002);
    VsBaseline {
        ratio,
        low,
        high,
        verdict: if low > 1.0 && ratio > 1.0 + FLOOR {
            Verdict::Slower
        } else {
            Verdict::NoDifference
        },
        smallest_seen: Some(FLOOR),
    }
}

fn estimate(cycles: f64, n: u64) -> Cycles {
    Cycles {
        estimate: cycles,
        low: cycles - 0.12,
        high: cycles + 0.15,
        method: "interquartile mean, bootstrap over workers and blocks of rounds".into(),
        n,
        minus_empty: None,
    }
}

/// Samples in three steady states half a cycle from each other.
fn measure(context: Context, cycles: f64, n: u32, layouts: u32, random: &mut Random) -> Measure {
    let net = context != Context::Chained;
    let empty = if net { EMPTY } else { 0.0 };
    let ticks = |cycles: f64| (cycles * f64::from(RUNS) * TICKS_PER_CYCLE).round() as u32;
    let modes = [(cycles - 0.5, 0.3), (cycles, 0.5), (cycles + 0.8, 0.2)];
    let mut samples = Samples {
        runs: RUNS,
        thinned_from: Some(u64::from(n) + 112),
        ..Samples::default()
    };
    samples.discarded_by.tick = 12;
    samples.discarded_by.contended = 58;
    for round in 0..n {
        let state = match random.next() {
            at if at < modes[0].1 => modes[0].0,
            at if at < modes[0].1 + modes[1].1 => modes[1].0,
            _ => modes[2].0,
        };
        let sample = state + 0.15 * (random.next() - 0.5);
        let short = ticks(sample + empty);
        samples.ticks.push(short);
        samples.long_ticks.push(short + ticks(sample + empty));
        if net {
            samples
                .empty_ticks
                .push(EMPTY * f64::from(RUNS) * TICKS_PER_CYCLE);
        }
        samples
            .ruler_ticks
            .push((f64::from(LINKS) * 3.0 * TICKS_PER_CYCLE) as u32);
        samples.rounds.push(round);
        samples.workers.push(round * 4 / n.max(1));
        samples.offsets.push(round % layouts * 4);
        samples.sentinels.push([262, 262]);
    }
    Measure {
        cycles: Some(Cycles {
            minus_empty: net.then_some(EMPTY),
            ..estimate(cycles, u64::from(n))
        }),
        ns: Some(Nanoseconds {
            estimate: cycles / 3.0,
            low: cycles / 3.0 - 0.05,
            high: cycles / 3.0 + 0.05,
        }),
        modes: modes
            .into_iter()
            .map(|(cycles, share)| Mode { cycles, share })
            .collect(),
        vs_baseline: None,
        layouts: Vec::new(),
        counters: Default::default(),
        samples,
    }
}

fn machine(made: &Made) -> Machine {
    let [family, model, stepping] = made.family_model_stepping;
    Machine {
        vendor: made.vendor.into(),
        brand: made.brand.into(),
        family,
        model,
        stepping,
        microarchitecture: made.microarchitecture.into(),
        microcode: Some("0x210002d3".into()),
        cores: 2,
        smt: Some(true),
        hypervisor: made.hypervisor.map(Into::into),
        kernel: "6.12.0".into(),
        mitigations: [(
            "spectre_v2".into(),
            "Mitigation: Enhanced IBRS; BHI: BHI_DIS_S".into(),
        )]
        .into(),
        features: ["fpu", "vme", "sse2", "avx512f"].map(Into::into).to_vec(),
        tsc_hz: 2.1e9,
        cpu: 1,
        lfence_serialises: Some(true),
        history_length: made.history_length,
        ..Machine::default()
    }
}

/// The two records of the finding.
pub(crate) fn two() -> Vec<(String, Record)> {
    vec![
        (
            "emerald-rapids/clear_bhb_loop.json".into(),
            record(&SLOW_AH, 480, 1, 1),
        ),
        (
            "zen-5/clear_bhb_loop.json".into(),
            record(&ALIKE, 480, 1, 2),
        ),
    ]
}
