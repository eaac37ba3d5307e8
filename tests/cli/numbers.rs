//! What stands beside the times: exact counts, placements, steady states, counters, kinds of cores.

use std::fs;

use record::{Context, Counter, Holds, Record, Verdict};

use crate::program::{fake, thunklab, thunklab_reads, variant};

/// A record of `sequence` on a scripted machine.
#[track_caller]
fn scripted(machine: &str, sequence: &str, more: &[&str]) -> Record {
    let machine = fake(machine);
    let mut arguments = vec![
        "run", sequence, "--fake", &machine, "--seed", "7", "--format",
    ];
    arguments.push("json");
    arguments.extend(more);
    thunklab(arguments).ends_with(0).record()
}

/// The table of the same.
#[track_caller]
fn table(machine: &str, sequence: &str, more: &[&str]) -> String {
    let machine = fake(machine);
    let mut arguments = vec!["run", sequence, "--fake", &machine, "--seed", "7"];
    arguments.extend(more);
    let text = thunklab(arguments).ends_with(0).stdout;
    assert!(
        text.lines().all(|line| line.chars().count() <= 75),
        "{text}"
    );
    text
}

/// Text without its line breaks.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A pair of the same bytes, and one that is slower wherever it lies.
const THREE: &str = "#: baseline inside\n#: between isolated\n\
                     #: variant inside\n\tnop\n\tret\n\
                     #: variant across\n\tnop\n\tret\n\
                     #: variant slow\n\tnop\n\tret\n";

#[test]
fn a_sweep_of_layouts_tells_at_how_many_placements_a_difference_holds() {
    let machine = fake("placement");
    let arguments = [
        "run",
        "-",
        "--fake",
        &machine,
        "--seed",
        "7",
        "--layouts",
        "8",
    ];
    let done = thunklab_reads(THREE, arguments.into_iter().chain(["--format", "json"]));
    let record = done.ends_with(0).record();
    assert_eq!((record.plan.layouts, record.plan.workers), (8, 24));
    let measure = |name: &str| variant(&record, name).measures[&Context::Isolated].clone();
    let slow = measure("slow");
    let offsets: Vec<u32> = slow.layouts.iter().map(|layout| layout.offset).collect();
    assert_eq!(offsets, [0, 8, 16, 24, 32, 40, 48, 56]);
    for layout in &slow.layouts {
        let ratio = layout.vs_baseline.as_ref().expect("compared").ratio;
        let expected = if layout.offset == 56 {
            130.0 / 150.0
        } else {
            1.3
        };
        assert!((ratio - expected).abs() < 0.02, "{layout:?}");
    }
    let survival = slow.survival().expect("swept");
    assert_eq!((survival.holds, survival.fails), (7, 1));
    assert_eq!(survival.word(), Some(Holds::Most));
    // The pair differs at one offset each, in opposite ways.
    let across = measure("across");
    let all = across.vs_baseline.clone().expect("compared");
    assert_eq!(all.verdict, Verdict::NoDifference, "{all:?}");
    assert_eq!(across.survival().expect("swept").fails, 2);
    let distinct = |samples: &record::Samples| {
        let mut offsets = samples.offsets.clone();
        offsets.sort_unstable();
        offsets.dedup();
        offsets.len()
    };
    assert_eq!(distinct(&slow.samples), 8);

    let text = thunklab_reads(THREE, arguments).ends_with(0).stdout;
    let text = flowing(&text);
    for part in [
        "8 layouts",
        "Everything was placed at 8 offsets in a line, 0 to 56",
        "slow isolated +",
        "at 7 of 8, -13.",
        "at 56",
        "across isolated \"=\" at 6 of 8",
        ", at 7 of 8 placements",
        "but across differs at some placements: ",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
}

#[test]
fn without_a_sweep_nothing_is_said_of_placements() {
    let record = scripted("placement", "placement", &[]);
    let across = &variant(&record, "across").measures[&Context::Isolated];
    assert!(across.layouts.is_empty() && across.survival().is_none());
    assert!(!table("placement", "placement", &[]).contains("offsets in a line"));
}

#[test]
fn layouts_are_refused_where_they_make_no_sense() {
    let refused = |arguments: &[&str], words: &[&str]| {
        let all = [&["run"], arguments].concat();
        thunklab(all).ends_with(2).complains_of(words);
    };
    refused(&["--layouts", "0"], &["--layouts 0", "64 bytes"]);
    refused(&["--layouts", "65"], &["--layouts 65", "64 bytes"]);
    refused(
        &["--layouts", "64"],
        &["--layouts 64", "0.8 s", "--time 3.9s"],
    );
}

#[test]
fn code_that_aligns_itself_is_told_to_lie_at_fewer_offsets() {
    let text = "#: variant a\n\tnop\n\tret\n#: variant b\n\tnop\n\t.balign 32\n\tret\n";
    let machine = fake("golden-cove");
    let arguments = [
        "run",
        "-",
        "--fake",
        &machine,
        "--layouts",
        "8",
        "--format",
        "json",
    ];
    let record = thunklab_reads(text, arguments).ends_with(0).record();
    let warning = record
        .warnings
        .iter()
        .find(|warning| warning.kind == "fixed-placement");
    let message = &warning.expect("it is told").message;
    assert!(message.ends_with(": b 2"), "{message}");
}

#[test]
fn the_shipped_pair_is_the_same_bytes_in_two_places() {
    let listing = |name: &str, format: &str| {
        thunklab([
            "listing",
            "placement",
            "--variant",
            name,
            "--format",
            format,
        ])
        .ends_with(0)
    };
    let bytes = |name: &str| {
        let record = scripted("placement", "placement", &[]);
        variant(&record, name)
            .code
            .clone()
            .expect("assembled")
            .bytes
    };
    assert_eq!(bytes("inside"), bytes("across"));
    let inside = listing("inside", "text").stdout;
    let across = listing("across", "text").stdout;
    assert!(!inside.contains("boundary"), "{inside}");
    assert!(
        across.contains("branch crosses a 32-byte boundary"),
        "{across}"
    );
    assert!(across.contains("58 behind a multiple of 64"), "{across}");
}

#[test]
fn a_model_with_the_jump_erratum_is_told_which_branches_it_concerns() {
    let of = |machine: &str| {
        let record = scripted(machine, "placement", &[]);
        let mut warnings = record.warnings.into_iter();
        warnings.find(|warning| warning.kind == "jcc-erratum")
    };
    let warning = of("placement").expect("Skylake has it");
    assert!(warning.message.contains("SKX102"), "{}", warning.message);
    assert!(
        warning.message.ends_with(": across 1"),
        "{}",
        warning.message
    );
    assert!(of("golden-cove").is_none());
}

#[test]
fn counts_that_depend_on_data_are_a_range_of_several_runs() {
    let record = scripted("counters", "clear_bhb_loop", &[]);
    let code = variant(&record, "eax-ecx").code.clone().expect("assembled");
    assert_eq!(
        (code.instructions, code.instructions_max),
        (Some(82), Some(86))
    );
    assert_eq!(code.counted_runs, Some(16));
    assert_eq!((code.calls, code.returns), (Some(6), Some(6)));
    let text = flowing(&table("counters", "clear_bhb_loop", &[]));
    for part in [
        "Exact counts of a run: 82 to 104 instructions, 20 to 63 taken branches (6 calls, 6 returns), 6 not taken.",
        "The path of eax-ecx depends on data over 16 counted runs: 82 to 86 instructions, 20 to 22 taken branches",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
}

#[test]
fn variants_without_counts_are_named_with_the_reason() {
    let machine = fake("troubles");
    let text = flowing(&thunklab(["run", "--fake", &machine]).ends_with(1).stdout);
    assert!(text.contains("No exact counts of al-cl:"), "{text}");
}

#[test]
fn steady_states_are_named_with_their_shares_and_drawn_where_details_are() {
    let text = table("counters", "clear_bhb_loop", &[]);
    assert!(
        flowing(&text).contains("Several steady states: eax-ecx"),
        "{text}"
    );
    assert!(!text.contains("|@"), "a mail has no drawing: {text}");
    let text = table("counters", "clear_bhb_loop", &["-v", "--only", "eax-ecx"]);
    let drawn: Vec<&str> = text
        .lines()
        .filter(|line| line.ends_with(|c: char| c.is_ascii_digit()) && line.contains('|'))
        .collect();
    assert_eq!(drawn.len(), 3, "one for each context: {text}");
    assert!(drawn.iter().all(|line| line.contains('@')), "{drawn:?}");
}

#[test]
fn counted_events_stand_beside_the_cycles_of_the_ruler() {
    let text = table("counters", "clear_bhb_loop", &[]);
    for part in [
        "Counted a run, isolated",
        "by ruler",
        "branch-misses",
        "? branch-misses: multiplexed",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let none = table("counters", "clear_bhb_loop", &["--counters", "none"]);
    assert!(!none.contains("by ruler"), "{none}");
}

#[test]
fn an_unknown_event_is_refused_with_what_there_is() {
    let refused = |events: &str, words: &[&str]| {
        thunklab(["run", "--counters", events])
            .ends_with(2)
            .complains_of(words);
    };
    refused(
        "foo",
        &[
            "--counters: no such event: `foo`",
            "cycles, instructions",
            "r1a8",
        ],
    );
    refused("cycles,rxyz", &["`rxyz`"]);
    refused("nosuchpmu/event=1/", &["there is no PMU `nosuchpmu` here"]);
    refused("cpu/event=1", &["PMU/TERM=VALUE"]);
    refused("", &["names of events with commas"]);
}

/// Without a PMU there is a reason; with one, or for the kernel's own events, a number.
#[test]
fn events_are_counted_on_this_machine_or_there_is_a_reason() {
    let arguments = [
        "run",
        "known_latencies",
        "--only",
        "imul",
        "--time",
        "300ms",
        "--format",
    ];
    let arguments =
        arguments
            .into_iter()
            .chain(["json", "--counters", "task-clock,cpu/event=0x3c/"]);
    let record = thunklab(arguments).ends_with(0).record();
    let counters = &variant(&record, "imul").measures[&Context::Chained].counters;
    assert!(counters.contains_key("task-clock"), "{counters:?}");
    for (name, counter) in counters {
        match counter {
            Counter::Value { per_run, .. } => assert!(per_run.is_finite(), "{name} {per_run}"),
            Counter::Error { error } => assert!(error.len() > 20, "{name} {error}"),
        }
    }
}

#[test]
fn each_kind_of_core_is_measured_with_its_own_ruler() {
    let folder = std::env::temp_dir().join(format!("thunklab-kinds-{}", std::process::id()));
    let machine = fake("hybrid");
    let path = folder.to_string_lossy().into_owned();
    thunklab([
        "run",
        "fences",
        "--fake",
        &machine,
        "--cpu",
        "each-kind",
        "-o",
        &path,
    ])
    .ends_with(0);
    let load = |kind: &str| {
        let text = fs::read(folder.join(kind).join("fences.json")).expect("a record of each kind");
        Record::from_slice(&text).expect("it loads")
    };
    let (big, small) = (load("alder-lake"), load("gracemont"));
    fs::remove_dir_all(&folder).expect("removed");
    let of = |record: &Record| {
        let ruler = record.rulers.imul.clone().expect("a ruler");
        (
            record.machine.cpu,
            record.machine.core_type.clone(),
            ruler.cycles_per_link,
        )
    };
    assert_eq!(of(&big), (7, Some("P".to_owned()), 3.0));
    assert_eq!(of(&small), (8, Some("E".to_owned()), 5.0));
    let refused = [
        "run",
        "fences",
        "--fake",
        &machine,
        "--cpu",
        "each-kind",
        "-o",
        "x.json",
    ];
    thunklab(refused)
        .ends_with(2)
        .complains_of(&["2 kinds of cores", "folder"]);
}

/// Reasons for which a sound machine may have no counts: stepping is not permitted, or the machine is
/// so busy that the times were taken first.
fn is_no_fault_of_ours(reason: &str) -> bool {
    ["ptrace", "turn to be stepped", "before it was stepped"]
        .iter()
        .any(|part| reason.contains(part))
}

/// The published skeleton of the loop, and the load and the return that a record has more.
#[test]
fn the_loops_counts_are_exact_on_this_machine() {
    let arguments = [
        "run",
        "clear_bhb_loop",
        "--only",
        "eax-ecx",
        "--between",
        "chained",
        "--time",
        "300ms",
        "--format",
        "json",
        "--set",
        "OUTER=5,12",
        "--set",
        "INNER=5,7",
    ];
    let record = thunklab(arguments).ends_with(0).record();
    for found in &record.variants {
        let param = |name: &str| match found.params[name] {
            record::ParamValue::Integer(value) => value.unsigned_abs(),
            record::ParamValue::Word(_) => panic!("{name} is an integer"),
        };
        let (outer, inner) = (param("OUTER"), param("INNER"));
        let code = found.code.as_ref().expect("assembled");
        let Some(instructions) = code.instructions else {
            // Where stepping is not permitted, that is what it says.
            assert!(
                code.counts_reason
                    .as_ref()
                    .is_some_and(|reason| is_no_fault_of_ours(reason))
            );
            continue;
        };
        let skeleton = 3 * outer * inner + 5 * outer + 3;
        assert_eq!(instructions, skeleton + 2, "{outer}x{inner}");
        let taken = 2 * outer * (inner + 1) + 2;
        assert_eq!(code.taken_branches, Some(taken + 1), "{outer}x{inner}");
        // Each inner loop ends once, and so does the outer one.
        assert_eq!(code.not_taken_branches, Some(outer + 1));
        assert_eq!(
            (code.calls, code.returns),
            (Some(outer + 1), Some(outer + 2))
        );
    }
    assert_eq!(record.variants.len(), 4);
}

/// Blocks round a body are counted apart from it, over runs with data of their own.
#[test]
fn blocks_before_and_after_are_counted_on_this_machine() {
    let arguments = [
        "run",
        "after_clear",
        "--only",
        "clear-same",
        "--between",
        "chained",
        "--time",
        "1s",
        "--format",
        "json",
    ];
    let record = thunklab(arguments).ends_with(0).record();
    let code = variant(&record, "clear-same")
        .code
        .clone()
        .expect("assembled");
    if code.instructions.is_none() {
        assert!(
            code.counts_reason
                .is_some_and(|reason| is_no_fault_of_ours(&reason))
        );
        return;
    }
    let around = code.around.expect("it has blocks");
    // Of four coins before and the same four after, each is one taken branch either way; a coin
    // that is 0 has its `jc` not taken beside it.
    // Forty jumps before them are always the same.
    let taken = (around.taken_branches, around.taken_branches_max);
    assert_eq!(taken, (40 + 8, 40 + 8));
    assert!(around.not_taken_branches <= around.not_taken_branches_max);
    assert!(around.not_taken_branches_max <= 8);
    // As many as 4,000 steps make, of 16.
    assert!(
        code.counted_runs
            .is_some_and(|runs| (4..16).contains(&runs))
    );
    assert_eq!(code.instructions, code.instructions_max);
}
