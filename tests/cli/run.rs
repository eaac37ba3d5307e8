//! `run` on scripted machines: what comes out is what the script put in.

use std::collections::BTreeSet;

use record::{Context, Counter, ParamValue, Record, Status, Verdict};

use crate::program::{fake, run_fake, thunklab, thunklab_reads, variant};

/// The ratio to the baseline of one variant in one context.
#[track_caller]
fn ratio(record: &Record, name: &str, context: Context) -> record::VsBaseline {
    let measure = &variant(record, name).measures[&context];
    measure.vs_baseline.clone().expect("it was compared")
}

#[test]
fn the_scripts_cycles_come_back_with_intervals_around_them() {
    let record = run_fake("golden-cove", &[]);
    assert!(record.complete);
    let expected = [
        ("eax-ecx", Context::Isolated, 63.8),
        ("ah-al", Context::Chained, 98.5),
        ("ah-al", Context::Isolated, 88.7),
        ("ah-al", Context::History, 126.6),
    ];
    for (name, context, cycles) in expected {
        let found = variant(&record, name).measures[&context].cycles.clone();
        let found = found.expect("it has cycles");
        assert!(
            (found.estimate / cycles - 1.0).abs() < 0.01,
            "{name} {found:?}"
        );
        assert!(found.low <= found.estimate && found.estimate <= found.high);
        assert!(found.n > 100, "{found:?}");
        assert_eq!(found.minus_empty.is_some(), context != Context::Chained);
    }
    let empty = record.empty[&Context::Isolated]
        .cycles
        .clone()
        .expect("measured");
    assert!((empty.estimate - 27.2).abs() < 0.3, "{empty:?}");
}

#[test]
fn verdicts_go_by_the_interval_and_the_floor() {
    let record = run_fake("golden-cove", &[]);
    assert_eq!(record.plan.verdict, Some(Context::Isolated));
    assert_eq!(record.plan.baseline.as_deref(), Some("eax-ecx"));
    let slower = ratio(&record, "ah-al", Context::Isolated);
    assert_eq!(slower.verdict, Verdict::Slower);
    assert!(slower.low < 1.39 && 1.39 < slower.high + 0.01, "{slower:?}");
    let same = ratio(&record, "al-ah", Context::Isolated);
    assert_eq!(same.verdict, Verdict::NoDifference);
    assert!(same.smallest_seen.expect("it says so") >= 0.003);
    let baseline = &variant(&record, "eax-ecx").measures[&Context::Isolated];
    assert!(baseline.vs_baseline.is_none());
}

#[test]
fn the_same_seed_gives_the_same_record() {
    let strip = |mut record: Record| {
        record.time.clear();
        record
    };
    let first = strip(run_fake("golden-cove", &[]));
    assert_eq!(first, strip(run_fake("golden-cove", &[])));
    assert_eq!(first.plan.seed, 7);
}

#[test]
fn seeds_are_fresh_where_none_is_given() {
    let machine = fake("golden-cove");
    let seed = || {
        let done = thunklab(["run", "fences", "--fake", &machine, "--format", "json"]);
        done.ends_with(0).record().plan.seed
    };
    assert_ne!(seed(), seed());
}

#[test]
fn a_record_holds_what_is_needed_to_do_it_again() {
    let record = run_fake("golden-cove", &[]);
    let text = std::fs::read_to_string(crate::program::root().join("sequences/clear_bhb_loop.S"));
    assert_eq!(record.sequence.text, text.expect("it is shipped"));
    assert_eq!(record.sequence.sha256.len(), 64);
    assert_eq!(record.tool.version, env!("CARGO_PKG_VERSION"));
    let code = variant(&record, "ah-al").code.clone().expect("assembled");
    assert_eq!(code.bytes.len() as u64, 2 * code.size);
    assert_eq!(code.instructions, Some(104));
    assert!(
        code.bytes.contains("80ec01")
            || code.bytes.contains("80e801")
            || code.bytes.contains("2c01")
    );
    let measure = &variant(&record, "ah-al").measures[&Context::Isolated];
    assert!(!measure.samples.is_empty());
    assert_eq!(
        measure.samples.empty_ticks.len(),
        measure.samples.ticks.len()
    );
    assert!(measure.samples.discarded_by.contended > 0);
    assert!(measure.samples.discarded_by.tick > 0);
    let rate = record.rulers.imul.expect("a ruler").ticks_per_cycle;
    assert!((rate - 2.3 / 3.1).abs() < 0.01, "{rate}");
}

#[test]
fn set_gives_the_product_and_grid_every_listed_value() {
    let points = |arguments: &[&str]| -> BTreeSet<(i64, i64)> {
        let record = run_fake("golden-cove", arguments);
        let of = |variant: &record::Variant, name: &str| match variant.params[name] {
            ParamValue::Integer(value) => value,
            ParamValue::Word(_) => panic!("{name} is an integer"),
        };
        let points = record
            .variants
            .iter()
            .map(|v| (of(v, "OUTER"), of(v, "INNER")));
        points.collect()
    };
    assert_eq!(points(&[]), [(5, 5)].into());
    let swept = points(&[
        "--only",
        "al-ah",
        "--set",
        "OUTER=5,12",
        "--set",
        "INNER=1..3",
    ]);
    assert_eq!(
        swept,
        [(5, 1), (5, 2), (5, 3), (12, 1), (12, 2), (12, 3)].into()
    );
    let grid = points(&["--only", "al-ah", "--grid"]);
    assert_eq!(grid, [(5, 5), (5, 7), (12, 5), (12, 7)].into());
    let mixed = points(&["--only", "al-ah", "--grid", "--set", "INNER=0x9"]);
    assert_eq!(mixed, [(5, 9), (12, 9)].into());
}

#[test]
fn comparisons_are_made_at_the_same_params() {
    let record = run_fake("golden-cove", &["--only", "ah-al", "--set", "OUTER=5,12"]);
    assert_eq!(record.variants.len(), 4, "two variants at two points");
    for variant in &record.variants {
        let compared = variant.measures[&Context::Isolated].vs_baseline.is_some();
        assert_eq!(compared, variant.name == "ah-al");
    }
}

#[test]
fn only_keeps_the_baseline_and_baseline_chooses_it() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let record = run_fake("golden-cove", arguments);
        record.variants.iter().map(|v| v.name.clone()).collect()
    };
    assert_eq!(names(&["--only", "ah-al"]), ["eax-ecx", "ah-al"]);
    let record = run_fake("golden-cove", &["--only", "eax-ecx", "--baseline", "ah-al"]);
    let faster = ratio(&record, "eax-ecx", Context::Isolated);
    assert_eq!(faster.verdict, Verdict::Faster);
    assert_eq!(record.plan.baseline.as_deref(), Some("ah-al"));
}

#[test]
fn between_chooses_the_contexts() {
    let record = run_fake(
        "golden-cove",
        &["--between", "overlap,chained", "--only", "ah-al"],
    );
    assert_eq!(record.plan.between, [Context::Chained, Context::Overlap]);
    for variant in &record.variants {
        let contexts: Vec<Context> = variant.measures.keys().copied().collect();
        assert_eq!(contexts, [Context::Chained, Context::Overlap]);
    }
}

#[test]
fn counters_are_numbers_or_reasons() {
    let cycles = |machine: &str, arguments: &[&str]| {
        let record = run_fake(machine, arguments);
        let measure = &variant(&record, "eax-ecx").measures[&Context::Chained];
        measure.counters.clone()
    };
    let counted = cycles("zen5", &[]);
    assert!(matches!(counted["cycles"], Counter::Value { per_run, .. } if per_run == 81.2));
    assert!(
        matches!(&counted["branch-misses"], Counter::Error { error } if error.contains("multi"))
    );
    let missing = cycles("golden-cove", &[]);
    assert!(matches!(&missing["cycles"], Counter::Error { error } if error.contains("hypervisor")));
    assert!(cycles("golden-cove", &["--counters", "none"]).is_empty());
    let machine = fake("golden-cove");
    let table = thunklab(["run", "--fake", &machine]).ends_with(0).stdout;
    assert!(table.contains("no PMU"), "{table}");
}

#[test]
fn noise_measures_the_baseline_against_its_copies() {
    let record = run_fake("golden-cove", &["--noise"]);
    let names: Vec<&str> = record.variants.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["eax-ecx", "eax-ecx~2", "eax-ecx~3"]);
    for name in &names[1..] {
        for measure in variant(&record, name).measures.values() {
            let against = measure.vs_baseline.clone().expect("compared");
            assert_eq!(against.verdict, Verdict::NoDifference, "{against:?}");
        }
    }
    let machine = fake("golden-cove");
    let table = thunklab(["run", "--noise", "--fake", &machine])
        .ends_with(0)
        .stdout;
    assert!(table.contains("oise floor"), "{table}");
}

#[test]
fn precision_ends_a_run_early() {
    let machine = fake("slow");
    let done = thunklab([
        "run",
        "--fake",
        &machine,
        "--precision",
        "30%",
        "--only",
        "al-ah",
        "--format",
        "json",
    ]);
    let record = done.ends_with(0).record();
    assert!(record.complete, "it ended as it was meant to");
    assert!(record.plan.rounds < 2000, "{}", record.plan.rounds);
    assert_eq!(record.plan.precision, Some(0.3));
}

#[test]
fn records_go_where_they_are_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_string_lossy().into_owned();
    let machine = fake("zen5");
    let run =
        |output: &str| thunklab(["run", "fences", "--fake", &machine, "-o", output]).ends_with(0);
    run(&path);
    let record = Record::load(&folder.path().join("zen-5/fences.json")).expect("it loads");
    assert!(record.complete);
    let file = format!("{path}/mine.json");
    let done = run(&file);
    assert!(
        !done.stdout.is_empty(),
        "the table is printed beside the record"
    );
    Record::load(file.as_ref()).expect("it loads");
    assert_eq!(run("-").record().machine.microarchitecture, "Zen 5");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .collect();
    assert_eq!(left.len(), 2, "no temporary file is left: {left:?}");
}

#[test]
fn several_sequences_give_a_record_each_in_order() {
    let machine = fake("golden-cove");
    let done = thunklab([
        "run",
        "fences",
        "known_latencies",
        "--fake",
        &machine,
        "--format",
        "json",
    ]);
    let names: Vec<String> = done
        .ends_with(0)
        .records()
        .into_iter()
        .map(|record| record.sequence.name)
        .collect();
    assert_eq!(names, ["fences", "known_latencies"]);
}

#[test]
fn every_shipped_sequence_runs_or_says_why_not() {
    for entry in std::fs::read_dir(crate::program::root().join("sequences")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "S") {
            continue;
        }
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let record = run_fake("golden-cove", &[&name]);
        for variant in &record.variants {
            let stated = variant.status == Status::NotRun && variant.reason.is_some();
            assert!(
                variant.status == Status::Measured || stated,
                "{name} {}: {:?}",
                variant.name,
                variant.status
            );
        }
    }
}

#[test]
fn a_pasted_sequence_runs_from_stdin() {
    let text = "\
#: baseline old
#: variant old  the code as it is
\tmov $1, %eax
\tret
#: variant new
\txor %eax, %eax
\tinc %eax
\tret
";
    let machine = fake("golden-cove");
    let done = thunklab_reads(text, ["run", "-", "--fake", &machine, "--format", "json"]);
    let record = done.ends_with(0).record();
    assert_eq!(record.sequence.name, "-");
    assert_eq!(variant(&record, "old").text, "the code as it is");
    let bytes = |name| {
        variant(&record, name)
            .code
            .clone()
            .expect("assembled")
            .bytes
    };
    assert_eq!(bytes("old"), "b801000000c3");
    assert_eq!(bytes("new"), "31c0ffc0c3");
}

#[test]
fn the_table_pastes_into_a_mail() {
    let machine = fake("golden-cove");
    let table = thunklab(["--fake", &machine]).ends_with(0).stdout;
    assert!(table.contains("clear_bhb_loop"), "{table}");
    assert!(table.contains("ah-al"), "{table}");
    for line in table.lines() {
        assert!(line.chars().count() <= 75, "too wide: {line}");
        assert!(line.is_ascii(), "not ASCII: {line}");
    }
}

#[test]
fn colour_is_for_terminals_and_whoever_insists() {
    let machine = fake("golden-cove");
    let coloured = |variable: Option<(&str, &str)>| {
        let mut command = crate::program::command();
        command.args(["run", "--fake", &machine]);
        command.envs(variable);
        let output = command.output().expect("it runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(None));
    assert!(coloured(Some(("CLICOLOR_FORCE", "1"))));
}

#[test]
fn markdown_and_csv_hold_a_row_for_each_variant() {
    let machine = fake("golden-cove");
    let shown = |format: &str| {
        let done = thunklab([
            "run", "--fake", &machine, "--only", "ah-al", "--format", format,
        ]);
        done.ends_with(0).stdout
    };
    let csv = shown("csv");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some(
            "machine,sequence,variant,params,between,cycles,low,high,ratio,ratio_low,ratio_high,\
             verdict,instructions,taken_branches,bytes,history"
        )
    );
    assert_eq!(lines.filter(|line| line.contains("ah-al")).count(), 3);
    let markdown = shown("markdown");
    assert!(
        markdown
            .lines()
            .any(|line| line.starts_with('|') && line.contains("ah-al"))
    );
}

#[test]
fn there_is_no_ratio_to_a_baseline_that_costs_nothing() {
    let record = run_fake("free", &["--only", "al-ah"]);
    let measure = |context| variant(&record, "al-ah").measures[&context].clone();
    assert!(measure(Context::Isolated).cycles.is_some());
    assert_eq!(measure(Context::Isolated).vs_baseline, None);
    assert!(measure(Context::Chained).vs_baseline.is_some());
}
