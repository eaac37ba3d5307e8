//! What is refused before anything runs: status 2, a place or a remedy, nothing on stdout.

use crate::program::{Done, fake, thunklab, thunklab_reads};

#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) -> Done {
    let machine = fake("golden-cove");
    let fixed = ["--fake", machine.as_str()];
    let done = thunklab(fixed.iter().chain(arguments))
        .ends_with(2)
        .complains_of(words);
    assert_eq!(done.stdout, "", "nothing was run");
    done
}

#[test]
fn options_that_make_no_sense_are_refused_with_what_would() {
    refused(&["run", "--time", "5"], &["--time", "`0.2s`"]);
    refused(&["run", "--precision", "1"], &["--precision", "`0.5%`"]);
    refused(&["run", "--cpu", "first"], &["--cpu", "each-kind"]);
    refused(
        &["run", "--between", "sideways"],
        &["--between", "sideways"],
    );
    refused(&["run", "--set", "OUTER"], &["--set", "OUTER=5"]);
    refused(&["run", "--set", "OUTER=9..1"], &["1..9"]);
    refused(&["run", "--format", "xml"], &["markdown"]);
    refused(
        &["run", "--require-sandbox", "--allow-syscalls"],
        &["--require-sandbox", "exclude"],
    );
    refused(&["probe"], &["SEQUENCE", "--length"]);
}

#[test]
fn params_and_variants_that_do_not_exist_are_told_beside_those_that_do() {
    refused(&["run", "--set", "OUTWARD=5"], &["OUTWARD", "OUTER, INNER"]);
    refused(
        &["run", "--set", "OUTER=many"],
        &["OUTER takes integers", "many"],
    );
    refused(
        &["run", "retpoline", "--set", "ORDER=5"],
        &["ORDER is one of"],
    );
    refused(&["run", "--only", "nothing*"], &["nothing*", "eax-ecx"]);
    refused(&["run", "--baseline", "ah_al"], &["ah_al", "ah-al"]);
    refused(
        &["run", "--set", "OUTER=1..999999999999"],
        &["999999999999 values"],
    );
    refused(
        &["run", "--set", "OUTER=1..999", "--set", "INNER=1..999"],
        &["combinations"],
    );
}

#[test]
fn an_unknown_sequence_comes_with_the_nearest_name() {
    refused(
        &["run", "clear_bbh_loop"],
        &["did you mean `clear_bhb_loop`"],
    );
    refused(&["run", "quite else"], &["thunklab list"]);
    refused(&["run", "./no-such.S"], &["./no-such.S"]);
}

#[test]
fn one_file_cannot_hold_two_records() {
    refused(
        &["run", "fences", "retpoline", "-o", "x.json"],
        &["-o FILE", "folder"],
    );
}

#[test]
fn nothing_runs_unless_all_sequences_are_right() {
    let text = "#: variant a\n\tmovv %eax, %ecx\n\tret\n";
    let machine = fake("golden-cove");
    let done = thunklab_reads(text, ["run", "fences", "-", "--fake", &machine]);
    let done = done.ends_with(2).complains_of(&["-:2:", "movv"]);
    assert_eq!(done.stdout, "");
}

#[test]
fn all_errors_of_all_sequences_come_at_once_and_once_each() {
    let text = "\tnonsense1\n#: variant a\n\tret\n#: variant b\n\tnonsense2\n\tret\n";
    let done = thunklab_reads(text, ["check", "-"]).ends_with(2);
    for word in ["nonsense1", "nonsense2"] {
        let times = done.stdout.matches(&format!("`{word}`")).count();
        assert_eq!(times, 1, "{word} in {done:#?}");
    }
}

#[test]
fn a_machine_that_cannot_measure_is_a_refusal() {
    let machine = fake("broken");
    thunklab(["run", "--fake", &machine])
        .ends_with(2)
        .complains_of(&["no worker could be started"]);
    let machine = fake("golden-cove");
    thunklab(["run", "--cpu", "99", "--fake", &machine])
        .ends_with(2)
        .complains_of(&["no CPU 99"]);
}

#[test]
fn help_shows_examples_and_exit_statuses() {
    let help = thunklab(["--help"]).ends_with(0).stdout;
    for word in ["Examples:", "Exit status", "listing", "probe", "schema"] {
        assert!(help.contains(word), "{word}");
    }
    assert!(
        !help.contains("--fake"),
        "the scripted machine is for tests"
    );
    let help = thunklab(["run", "--help"]).ends_with(0).stdout;
    for word in ["--set", "--grid", "--only", "--noise", "git show"] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn words_that_no_line_goes_by_are_told() {
    let machine = fake("golden-cove");
    let run = |more: &[&str]| {
        let fixed = ["run", "retpoline", "--fake", &machine, "--format", "csv"];
        thunklab(fixed.iter().chain(more)).ends_with(0)
    };
    run(&["--feature", "X86_FEATURE_RETPOLIN"]).complains_of(&[
        "warning: --feature X86_FEATURE_RETPOLIN: no line of sequences/retpoline.S goes by it",
        "did you mean X86_FEATURE_RETPOLINE?",
    ]);
    assert_eq!(run(&["--feature", "X86_FEATURE_RETPOLINE"]).stderr, "");
    assert_eq!(run(&["--feature", "X86_FEATURE_RETPOLIN", "-q"]).stderr, "");
    let text = "#ifdef CONFIG_FAST\n\tnop\n#endif\n\tret\n";
    for (command, rest) in [("listing", ""), ("check", "")] {
        let arguments = [command, "-", "--config", "CONFIG_FASTT", rest];
        let arguments = arguments.iter().filter(|word| !word.is_empty());
        thunklab_reads(text, arguments)
            .ends_with(0)
            .complains_of(&["--config CONFIG_FASTT", "did you mean CONFIG_FAST?"]);
    }
    thunklab(["run", "--feature", "retpoline"])
        .ends_with(2)
        .complains_of(&["X86_FEATURE_... or X86_BUG_...", "X86_FEATURE_RETPOLINE"]);
    thunklab(["check", "fences", "--config", "FAST=1"])
        .ends_with(2)
        .complains_of(&["such as CONFIG_FAST"]);
}

#[test]
fn numbers_below_zero_are_called_what_they_are() {
    for (option, value, said) in [
        ("--cpu", "-1", "a CPU's number, from 0"),
        ("--seed", "-1", "a whole number from 0"),
        ("--time", "-1s", "a time is longer than nothing"),
        ("--time", "0", "a number and its unit"),
        ("--precision", "-1%", "a percentage is not below zero"),
        ("--precision", "0%", "no interval is that narrow"),
        ("--set", "-1", "as in `OUTER=5`"),
        ("--counters", "cycles,,", "auto, none, or names of events"),
    ] {
        let done = thunklab(["run", option, value])
            .ends_with(2)
            .complains_of(&[said]);
        assert!(!done.stderr.contains("tip:"), "{done:?}");
    }
}
