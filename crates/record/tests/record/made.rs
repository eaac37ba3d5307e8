//! Records made up for the tests: their samples give the cycles that are asked for.

use std::collections::BTreeMap;

use record::{
    Code, Context, Cycles, Machine, Measure, ParamValue, Params, Plan, Record, Ruler, Rulers,
    SCHEMA, Samples, SequenceFile, Status, Tool, Variant, VsBaseline, Warning,
};

pub(crate) fn params(values: &[(&str, i64)]) -> Params {
    values
        .iter()
        .map(|&(name, value)| (name.to_owned(), ParamValue::Integer(value)))
        .collect()
}

/// Forty samples that scatter by a twentieth of a percent round `cycles`.
fn samples(cycles: f64) -> Samples {
    let n = 40_u32;
    let long = |index: u32| {
        let scatter = 1.0 + 0.000_5 * (f64::from(index % 5) - 2.0) / 2.0;
        (cycles * scatter * 100.0).round() as u32 + 1_000
    };
    Samples {
        runs: 100,
        ticks: vec![1_000; n as usize],
        long_ticks: (0..n).map(long).collect(),
        ruler_ticks: vec![1_800; n as usize],
        rounds: (0..n).collect(),
        workers: (0..n).map(|index| index / 10).collect(),
        offsets: vec![0; n as usize],
        sentinels: vec![[349, 350]; n as usize],
        ..Samples::default()
    }
}

fn measure(cycles: f64) -> Measure {
    Measure {
        cycles: Some(Cycles {
            estimate: cycles,
            low: cycles * 0.999,
            high: cycles * 1.001,
            method: "made up".into(),
            n: 40,
            minus_empty: None,
        }),
        samples: samples(cycles),
        ..Measure::default()
    }
}

/// A record of variants with these cycles, all isolated; the first is the baseline.
pub(crate) fn record(microarchitecture: &str, variants: &[(&str, f64)]) -> Record {
    let mut made = Record {
        schema: SCHEMA,
        complete: true,
        tool: Tool {
            name: "thunklab".into(),
            version: "0.1.0".into(),
        },
        time: "2026-01-02T03:04:05Z".into(),
        warnings: vec![Warning {
            kind: "smt".into(),
            message: "the sibling thread is online".into(),
            advice: "nothing else should run there".into(),
        }],
        machine: Machine {
            vendor: "GenuineIntel".into(),
            brand: format!("{microarchitecture} CPU"),
            microarchitecture: microarchitecture.into(),
            tsc_hz: 2e9,
            ..Machine::default()
        },
        plan: Plan {
            seed: u64::MAX,
            rounds: 40,
            workers: 4,
            between: vec![Context::Isolated],
            verdict: Some(Context::Isolated),
            layouts: 1,
            time_s: 0.8,
            noise_floor: Some(0.003),
            ..Plan::default()
        },
        sequence: SequenceFile {
            name: "clear_bhb_loop".into(),
            text: "ret\n".into(),
            sha256: "00".into(),
            ..SequenceFile::default()
        },
        rulers: Rulers {
            imul: Some(Ruler {
                instruction: "imul".into(),
                links: 600,
                cycles_per_link: 3.0,
                ticks_per_cycle: 1.0,
            }),
            second: None,
        },
        sentinel: Default::default(),
        variants: variants
            .iter()
            .map(|&(name, cycles)| Variant {
                name: name.into(),
                text: String::new(),
                params: params(&[("OUTER", 5)]),
                status: Status::Measured,
                reason: None,
                failure: None,
                code: Some(Code {
                    bytes: "c3".into(),
                    size: 1,
                    ..Code::default()
                }),
                history: None,
                measures: BTreeMap::from([(Context::Isolated, measure(cycles))]),
            })
            .collect(),
        empty: BTreeMap::new(),
    };
    rebase(&mut made);
    made
}

/// Fills in every comparison with the first variant.
pub(crate) fn rebase(record: &mut Record) {
    let Some(first) = record.variants.first() else {
        return;
    };
    let baseline = first.measures[&Context::Isolated].clone();
    let compared: Vec<Option<VsBaseline>> = record
        .variants
        .iter()
        .map(|variant| record.compare(&variant.measures[&Context::Isolated], &baseline))
        .collect();
    for (variant, vs) in record.variants.iter_mut().zip(compared).skip(1) {
        variant
            .measures
            .get_mut(&Context::Isolated)
            .unwrap()
            .vs_baseline = vs;
    }
}
