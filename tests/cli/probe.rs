//! `thunklab probe`, and `run` of files that ask for it: on scripted machines, and on this one.

use record::{Diff, HistoryWord, Probe, Record};

use crate::program::{Done, fake, thunklab, thunklab_reads};

const TEXT: &str = "\
#: title     five variants
#: probe     history
#: baseline  full
#: param     N 1 2
#: variant   full
\tret
#: variant   short
\tret
#: variant   random
\tret
#: variant   wrong
\tret
#: variant   other
\tret
";

/// Runs it on a scripted machine, with `text` on stdin.
fn scripted(script: &str, text: &str, arguments: &[&str]) -> Done {
    let machine = fake(script);
    let fixed = ["--fake", &machine];
    thunklab_reads(text, arguments.iter().chain(&fixed))
}

#[track_caller]
fn json(out: &Done) -> Probe {
    serde_json::from_str(&out.stdout).unwrap_or_else(|error| panic!("{error}: {out:?}"))
}

fn words(probe: &Probe) -> Vec<(&str, HistoryWord)> {
    let variants = probe.variants.iter();
    variants
        .map(|one| (one.name.as_str(), one.history.word))
        .collect()
}

#[test]
fn every_variant_gets_a_word_and_a_reason() {
    let out = scripted("probe", TEXT, &["probe", "-", "--format", "json"]);
    assert_eq!(out.status, Some(1), "{out:?}");
    let probe = json(&out);
    assert_eq!(probe.length, Some(194));
    assert_eq!(probe.machine.history_length, Some(194));
    assert_eq!(
        words(&probe),
        [
            ("full", HistoryWord::Displaced),
            ("short", HistoryWord::Kept),
            ("random", HistoryWord::NotMeasurable),
            ("wrong", HistoryWord::NotMeasurable),
            ("other", HistoryWord::NotMeasurable),
        ]
    );
    let reason = |index: usize| probe.variants[index].history.reason.clone().unwrap();
    assert!(reason(0).contains("196 taken branches with its call, 2 to spare"));
    assert!(reason(1).contains("130 short of 194"));
    assert!(reason(2).contains("history of its own"));
    assert!(reason(3).contains("SIGSEGV"));
    assert!(reason(4).contains("this CPU lacks it"));
    for one in &probe.variants[..2] {
        let history = &one.history;
        assert!(history.low < history.score && history.score < history.high);
    }
}

#[test]
fn the_table_says_what_the_words_mean() {
    let out = scripted("probe", TEXT, &["probe", "-", "--only", "full"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    for said in [
        "displaced",
        "no vendor's",
        "BHI_DIS_S",
        "holds 194 taken branches",
    ] {
        assert!(out.stdout.contains(said), "{said}: {}", out.stdout);
    }
    let widest = out.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(75), "{}", out.stdout);
}

#[test]
fn the_length_is_the_step_of_the_sweep() {
    let out = scripted("probe", "", &["probe", "--length"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    assert!(out.stdout.contains("   194  "), "{}", out.stdout);
    assert!(out.stdout.contains("<- length"));
    let out = scripted("probe", "", &["probe", "--length", "--format", "json"]);
    let probe = json(&out);
    assert_eq!(probe.length, Some(194));
    let fillers: std::collections::BTreeSet<_> = probe
        .steps
        .iter()
        .filter_map(|step| step.filler.as_deref())
        .collect();
    assert!(fillers.len() >= 3);
    for step in &probe.steps {
        let displaced = step.taken_branches >= 194;
        assert_eq!(step.score.expect("a score") > 0.5, displaced, "{step:?}");
    }
}

#[test]
fn without_a_step_there_is_no_verdict() {
    for (script, why) in [("no-step", "no clean step"), ("blind", "ticks apart")] {
        let out = scripted(
            script,
            TEXT,
            &["probe", "-", "--format", "json", "--length"],
        );
        assert_eq!(out.status, Some(0), "{out:?}");
        let probe = json(&out);
        assert_eq!(probe.length, None);
        let reason = probe.length_reason.as_deref().unwrap();
        assert!(reason.contains(why), "{script}: {reason}");
        for (name, word) in words(&probe) {
            assert_eq!(word, HistoryWord::NotMeasurable, "{script}: {name}");
        }
    }
}

#[test]
fn a_run_records_it_and_marks_what_does_less() {
    let out = scripted("probe", TEXT, &["run", "-", "-o", "-"]);
    let record = Record::from_slice(out.stdout.as_bytes()).expect("a record");
    assert_eq!(record.machine.history_length, Some(194));
    let of = |name: &str| record.variants.iter().find(|one| one.name == name).unwrap();
    let word = |name: &str| of(name).history.as_ref().map(|history| history.word);
    assert_eq!(word("full"), Some(HistoryWord::Displaced));
    assert_eq!(word("short"), Some(HistoryWord::Kept));
    assert_eq!(word("wrong"), None);
    assert!(record.does_less(of("short")));
    assert!(!record.does_less(of("full")) && !record.does_less(of("random")));

    let out = scripted("probe", TEXT, &["run", "-"]);
    assert!(
        out.stdout.contains("cheaper because it does less"),
        "{}",
        out.stdout
    );
    assert!(out.stdout.contains("BHB"));
}

#[test]
fn a_comparison_marks_what_does_less() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a", "b"].map(|name| {
        let path = folder.path().join(name).with_extension("json");
        path.to_string_lossy().into_owned()
    });
    for path in &paths {
        scripted("probe", TEXT, &["run", "-", "-o", path]).ends_with(1);
    }
    let compare = |format: &str| {
        let done = thunklab(["diff", &paths[0], &paths[1], "--format", format]);
        done.ends_with(0).stdout
    };
    let diff: Diff = serde_json::from_str(&compare("json")).expect("a comparison");
    assert_eq!(diff.less.len(), 2, "{:?}", diff.less);
    assert!(
        diff.finding
            .ends_with("Cheaper because it does less: short.")
    );
    let table = compare("table");
    let row = |name: &str| table.lines().find(|line| line.starts_with(name));
    assert_eq!(
        row("short").map(|row| row.matches("less!").count()),
        Some(2)
    );
    assert_eq!(row("full").map(|row| row.matches("gone").count()), Some(2));
    let csv = compare("csv");
    let (mut head, mut short) = (Vec::new(), Vec::new());
    for line in csv.lines() {
        let cells: Vec<&str> = line.rsplit(',').take(2).collect();
        match line {
            _ if head.is_empty() => head = cells,
            _ if line.contains(",short,") => short.push(cells),
            _ => {}
        }
    }
    assert_eq!(head, ["does_less", "history"]);
    assert_eq!(short, [["true", "kept"], ["true", "kept"]]);
    assert!(compare("markdown").contains("| less! |"));
}

#[test]
fn a_run_probes_only_where_the_file_asks() {
    let text = TEXT.replace("#: probe     history\n", "");
    let out = scripted("probe", &text, &["run", "-", "-o", "-"]);
    let record = Record::from_slice(out.stdout.as_bytes()).expect("a record");
    assert_eq!(record.machine.history_length, None);
    assert!(
        record
            .variants
            .iter()
            .all(|variant| variant.history.is_none())
    );
}

#[test]
fn a_map_names_the_cheapest_sufficient_pair() {
    let text =
        "#: param A 1 2\n#: param B 1 2 3\n#: variant full\n\tret\n#: variant short\n\tret\n";
    let out = scripted(
        "probe",
        text,
        &["probe", "-", "--set", "A=1..2", "--set", "B=1..3"],
    );
    assert_eq!(out.status, Some(0), "{out:?}");
    let squares = out
        .stdout
        .lines()
        .filter(|line| line.ends_with(" # # #"))
        .count();
    assert_eq!(squares, 2, "{}", out.stdout);
    assert!(
        out.stdout
            .contains("The cheapest of 6 sufficient pairs is A="),
        "{}",
        out.stdout
    );
    assert!(
        !out.stdout.contains("short"),
        "only the baseline is mapped: {}",
        out.stdout
    );
}

#[test]
fn the_machine_tells_its_history_length() {
    let out = scripted("probe", "", &["machine"]);
    assert!(out.stdout.contains("194 taken branches"), "{}", out.stdout);
    let out = scripted("blind", "", &["machine"]);
    assert!(
        out.stdout.contains("unknown: no clean step"),
        "{}",
        out.stdout
    );
}

/// On this machine: the two ends. Where the CPU gives no verdict, it has to say why.
#[test]
fn this_machine_keeps_after_few_and_loses_after_many() {
    let text = "#: variant few\n\tmov $4, %ecx\n1:\tdec %ecx\n\tjnz 1b\n\tret\n\
                #: variant many\n\tmov $2000, %ecx\n1:\tdec %ecx\n\tjnz 1b\n\tret\n";
    let out = thunklab_reads(text, ["probe", "-", "--format", "json"]);
    assert_eq!(out.status, Some(0), "{out:?}");
    let probe = json(&out);
    for (one, right) in probe
        .variants
        .iter()
        .zip([HistoryWord::Kept, HistoryWord::Displaced])
    {
        let history = &one.history;
        if history.word != right {
            let told = history.word == HistoryWord::NotMeasurable && history.reason.is_some();
            assert!(told, "{}: {history:?}", one.name);
        }
    }
}

/// A body of a tenth of a second makes progress; it only takes too long.
#[test]
fn a_slow_body_is_not_probed_and_is_no_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slow.S");
    let text = "#: variant v\n\tmov $100000000, %ecx\n1:\tdec %ecx\n\tjnz 1b\n\tret\n";
    std::fs::write(&path, text).expect("it is written");
    let done = thunklab(["probe".as_ref(), path.as_os_str()]).ends_with(0);
    let words = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("takes too long to probe"), "{done:#?}");
}
