//! diff.

use std::path::Path;

use record::{
    Context, Diff, DiffOptions, History, HistoryWord, Layout, Record, Refusal, Status, Verdict,
    by_sequence,
};

use crate::made::{self, params, record};

fn diff(records: &[&Record], options: &DiffOptions) -> Result<Diff, Vec<Refusal>> {
    const PATHS: [&str; 3] = ["first.json", "second.json", "third.json"];
    let named: Vec<_> = PATHS
        .iter()
        .map(Path::new)
        .zip(records.iter().copied())
        .collect();
    Diff::new(&named, options)
}

fn plain(records: &[&Record]) -> Diff {
    diff(records, &DiffOptions::default()).unwrap()
}

fn kinds(diff: &Diff) -> Vec<&str> {
    diff.warnings
        .iter()
        .map(|warning| warning.kind.as_str())
        .collect()
}

/// The finding that the project is about.
#[test]
fn a_regression_on_one_machine_only_is_said_so() {
    let a = record(
        "Golden Cove",
        &[("eax-ecx", 63.8), ("ah-al", 88.7), ("al-ah", 63.8)],
    );
    let b = record(
        "Zen 5",
        &[("eax-ecx", 70.0), ("ah-al", 70.0), ("al-ah", 70.0)],
    );
    let diff = plain(&[&a, &b]);
    assert!(!diff.same_machine);
    assert_eq!(
        diff.finding,
        "ah-al regresses on Golden Cove only: +39.0% [39.0, 39.0] against eax-ecx; no difference \
         seen on Zen 5 (isolated)."
    );
    assert_eq!(diff.leads, [1]);
    let ratio = diff.rows[1].ratio_of_ratios[0].as_ref().unwrap();
    assert_eq!(ratio.verdict, Verdict::Faster);
    assert!((ratio.ratio - 63.8 / 88.7).abs() < 1e-3, "{ratio:?}");
    assert!(ratio.low <= ratio.ratio && ratio.ratio <= ratio.high);
    assert_eq!(
        diff.rows[2].ratio_of_ratios[0].as_ref().unwrap().verdict,
        Verdict::NoDifference
    );
    assert!(
        diff.rows[0].ratio_of_ratios[0].is_none(),
        "the baseline has no ratio"
    );
    assert!(diff.rows.iter().all(|row| row.direct == [None]));
    assert!(diff.warnings.is_empty(), "{:?}", diff.warnings);
}

#[test]
fn machines_have_no_order_for_a_regression() {
    let good = record("Zen 5", &[("base", 70.0), ("x", 70.0)]);
    let bad = record("Golden Cove", &[("base", 60.0), ("x", 66.0)]);
    for (records, on) in [([&good, &bad], 1), ([&bad, &good], 0)] {
        let diff = plain(&records);
        let found = diff.regressions(0.02);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].variant.as_str(), found[0].record), ("x", on));
        assert!(diff.regressions(0.11).is_empty(), "10 % is not beyond 11 %");
    }
}

/// Two that stand alike to the first may still be apart from each other, and a gain is none.
#[test]
fn each_machine_stands_against_each() {
    let none = record("A", &[("base", 50.0), ("y", 50.0)]);
    let plus = record("B", &[("base", 60.0), ("y", 60.0), ("x", 66.0)]);
    let like = record("C", &[("base", 70.0), ("x", 70.0)]);
    let diff = plain(&[&none, &plus, &like]);
    assert!(
        diff.finding.starts_with("x regresses on B only"),
        "{}",
        diff.finding
    );
    let found = diff.regressions(0.02);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].record, 1);
    let gain = record("D", &[("base", 70.0), ("x", 50.0)]);
    assert!(plain(&[&gain, &like]).regressions(0.02).is_empty());
    assert!(plain(&[&like, &gain]).regressions(0.02).is_empty());
}

#[test]
fn a_difference_below_the_threshold_is_no_regression_in_words_either() {
    let at = |threshold: f64| DiffOptions {
        threshold,
        ..DiffOptions::default()
    };
    let good = record("Zen 5", &[("base", 70.0), ("x", 70.0), ("y", 70.0)]);
    let bad = record("Golden Cove", &[("base", 60.0), ("x", 66.0), ("y", 90.0)]);
    let said = |threshold| diff(&[&bad, &good], &at(threshold)).unwrap().finding;
    assert_eq!(
        said(0.3),
        "y regresses on Golden Cove only: +50.0% [50.0, 50.0] against base; no difference seen on \
         Zen 5 (isolated, threshold 30%). Not beyond the threshold of 30%: x."
    );
    assert_eq!(
        said(0.6),
        "No variant costs more on one of Golden Cove and Zen 5 than on another by more than the \
         threshold (isolated, threshold 60%). Not beyond the threshold of 60%: x and y."
    );
    let before = record("A", &[("base", 50.0), ("x", 50.0)]);
    let after = record("A", &[("base", 50.0), ("x", 55.0)]);
    let said = |threshold| diff(&[&before, &after], &at(threshold)).unwrap().finding;
    assert_eq!(
        said(0.3),
        "No variant's cycles differ between first and second by more than the threshold \
         (isolated, threshold 30%). Not beyond the threshold of 30%: x."
    );
    let said = said(0.02);
    assert!(
        said.starts_with("x regresses from first to second") && said.contains("threshold 2%"),
        "{said}"
    );
}

#[test]
fn three_machines_stand_against_the_first() {
    let a = record("A", &[("base", 50.0), ("x", 50.0)]);
    let b = record("B", &[("base", 60.0), ("x", 66.0)]);
    let c = record("C", &[("base", 70.0), ("x", 77.0)]);
    let diff = plain(&[&a, &b, &c]);
    assert_eq!(diff.rows[1].ratio_of_ratios.len(), 2);
    assert!(
        diff.finding
            .starts_with("x regresses on B and C only: +10.0% "),
        "{}",
        diff.finding
    );
}

#[test]
fn alike_everywhere_is_said_so() {
    let a = record("A", &[("base", 50.0), ("x", 55.0)]);
    let b = record("B", &[("base", 60.0), ("x", 66.0)]);
    assert_eq!(
        plain(&[&a, &b]).finding,
        "x differs from base alike on A and B: +10.0% [10.0, 10.0] and +10.0% [10.0, 10.0] \
         (isolated)."
    );
    let a = record("A", &[("base", 50.0), ("x", 50.0)]);
    let b = record("B", &[("base", 60.0), ("x", 60.0)]);
    assert_eq!(
        plain(&[&a, &b]).finding,
        "No variant differs from base on any of A and B (isolated)."
    );
}

#[test]
fn the_same_word_to_a_different_degree() {
    let a = record("A", &[("base", 50.0), ("x", 75.0)]);
    let b = record("B", &[("base", 60.0), ("x", 66.0)]);
    let finding = plain(&[&a, &b]).finding;
    assert!(
        finding.starts_with("x costs more on all, most on A: +50.0% "),
        "{finding}"
    );
    assert!(
        finding.ends_with("against base; +10.0% on B (isolated)."),
        "{finding}"
    );
}

/// What differs alike is one finding, whatever its order by size; what differs less is named too.
#[test]
fn rows_that_differ_alike_are_named_together() {
    let a = record(
        "Golden Cove",
        &[
            ("eax-ecx", 60.0),
            ("ah-al", 80.0),
            ("ah-al-zeroed", 83.0),
            ("al-ah", 60.0),
            ("al-cl", 63.0),
        ],
    );
    let b = record(
        "Zen 5",
        &[
            ("eax-ecx", 70.0),
            ("ah-al", 70.0),
            ("ah-al-zeroed", 70.0),
            ("al-ah", 70.0),
            ("al-cl", 70.0),
        ],
    );
    let diff = plain(&[&a, &b]);
    assert_eq!(diff.leads, [1, 2]);
    assert_eq!(
        diff.finding,
        "ah-al and ah-al-zeroed regress on Golden Cove only: +33.3% [33.3, 33.3] and +38.3% \
         [38.3, 38.3] against eax-ecx; no difference seen on Zen 5 (isolated). Differ too: al-cl."
    );
    // On two machines of three it is the range that is said.
    let c = record(
        "Rocket Lake",
        &[
            ("eax-ecx", 60.0),
            ("ah-al", 78.0),
            ("ah-al-zeroed", 78.0),
            ("al-ah", 60.0),
            ("al-cl", 60.0),
        ],
    );
    assert!(plain(&[&a, &b, &c]).finding.starts_with(
        "ah-al and ah-al-zeroed regress on Golden Cove and Rocket Lake only: +30.0% to +38.3% \
             against eax-ecx; no difference seen on Zen 5"
    ));
}

/// What is cheaper because it does less is said so, on one machine and between two.
#[test]
fn what_does_less_is_marked() {
    let probed = |record: &mut Record, words: [HistoryWord; 2]| {
        for (variant, word) in record.variants.iter_mut().zip(words) {
            variant.history = Some(History {
                score: None,
                low: None,
                high: None,
                word,
                reason: None,
                taken_branches: None,
            });
        }
    };
    let (gone, kept) = (HistoryWord::Displaced, HistoryWord::Kept);
    let mut a = record("A", &[("long", 200.0), ("short", 60.0)]);
    let mut b = record("B", &[("long", 180.0), ("short", 60.0)]);
    probed(&mut a, [gone, kept]);
    probed(&mut b, [gone, gone]);
    let diff = plain(&[&a, &b]);
    let less = |row: usize| {
        let cells = &diff.rows[row].cells;
        cells.iter().map(|cell| cell.does_less).collect::<Vec<_>>()
    };
    assert_eq!((less(0), less(1)), (vec![false, false], vec![true, false]));
    assert_eq!(
        diff.less,
        [
            "short on A: cheaper because it does less: it keeps the branch history, which long \
             displaces."
        ]
    );
    // A baseline that was made shorter has no baseline but itself.
    let mut after = record("A", &[("long", 100.0), ("short", 60.0)]);
    probed(&mut after, [kept, kept]);
    let diff = plain(&[&a, &after]);
    assert!(diff.same_machine && diff.rows[0].cells[1].does_less);
    let [baseline, other] = diff.less.as_slice() else {
        panic!("{:?}", diff.less);
    };
    assert!(
        baseline.starts_with("long on second: cheaper"),
        "{baseline}"
    );
    assert!(baseline.ends_with("which it displaces in first."));
    assert!(other.starts_with("short on first: cheaper"), "{other}");
}

#[test]
fn before_and_after_compares_cycles_and_names_changed_code() {
    let before = record("A", &[("base", 50.0), ("x", 50.0), ("y", 50.0)]);
    let mut after = record("A", &[("base", 50.0), ("x", 55.0), ("y", 50.0)]);
    after.sequence.text = "nop\nret\n".into();
    after.sequence.sha256 = "01".into();
    after.variants[1].code.as_mut().unwrap().bytes = "90c3".into();
    let diff = plain(&[&before, &after]);
    assert!(diff.same_machine);
    assert_eq!(
        diff.rows.iter().map(|row| row.changed).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(kinds(&diff), ["text-differs", "code-differs"]);
    assert!(
        diff.finding
            .starts_with("x regresses from first to second: +10.0% ["),
        "{}",
        diff.finding
    );
    assert_eq!(diff.regressions(0.02).len(), 1);
}

/// A baseline that became faster raises every ratio to it, and is no regression.
#[test]
fn a_faster_baseline_is_no_regression_of_the_others() {
    let before = record("A", &[("base", 50.0), ("x", 50.0)]);
    let mut after = record("A", &[("base", 40.0), ("x", 50.0)]);
    after.variants[0].code.as_mut().unwrap().bytes = "90".into();
    let diff = plain(&[&before, &after]);
    assert!(diff.regressions(0.02).is_empty());
    assert!(kinds(&diff).contains(&"baseline-changed"));
    assert!(
        diff.finding
            .starts_with("base improves from first to second: -20.0%")
    );
}

#[test]
fn another_baseline_is_compared_from_the_samples() {
    let a = record("A", &[("base", 50.0), ("x", 55.0)]);
    let b = record("B", &[("base", 60.0), ("x", 60.0)]);
    let options = DiffOptions {
        baseline: Some("x".into()),
        ..DiffOptions::default()
    };
    let diff = diff(&[&a, &b], &options).unwrap();
    let vs = diff.rows[0].cells[0].vs_baseline.as_ref().unwrap();
    assert!((vs.ratio - 50.0 / 55.0).abs() < 1e-3, "{vs:?}");
    assert_eq!(vs.verdict, Verdict::Faster);
    assert!(diff.rows[1].cells[0].vs_baseline.is_none());
}

#[test]
fn variants_match_by_name_and_params() {
    let mut a = record("A", &[("base", 50.0), ("x", 55.0), ("z", 55.0)]);
    let mut b = record("B", &[("base", 60.0), ("x", 66.0), ("y", 60.0)]);
    b.variants[1].params = params(&[("OUTER", 12)]);
    a.plan
        .params
        .insert("OUTER".into(), vec![5.to_string().as_str().into()]);
    b.plan.params.insert("OUTER".into(), vec!["12".into()]);
    a.variants[2].status = Status::NotRun;
    a.variants[2].reason = Some("needs ring 0".into());
    a.variants[2].measures.clear();
    let found = diff(&[&a, &b], &DiffOptions::default());
    assert_eq!(found.unwrap_err(), [Refusal::NothingInCommon]);
    b.variants[2].name = "x".into();
    let diff = plain(&[&a, &b]);
    let names: Vec<_> = diff.rows.iter().map(|row| diff.row_name(row)).collect();
    assert_eq!(
        names,
        ["base OUTER=5", "x OUTER=5", "z OUTER=5", "x OUTER=12"]
    );
    assert!(kinds(&diff).contains(&"plan-differs"));
    let plan = &diff.warnings[0].message;
    assert_eq!(plan, "params differ: A has OUTER=5, B has OUTER=12");
    assert_eq!(
        diff.rows[2].cells[0].reason.as_deref(),
        Some("needs ring 0")
    );
    assert_eq!(diff.rows[2].cells[1].status, None);
}

#[test]
fn every_difference_of_the_plans_is_named() {
    let a = record("A", &[("base", 50.0), ("x", 55.0)]);
    let mut b = record("B", &[("base", 60.0), ("x", 66.0)]);
    b.plan.between = vec![Context::Isolated, Context::Chained];
    b.plan.features = vec!["X86_FEATURE_RETHUNK".into()];
    b.plan.configs = vec!["CONFIG_X".into()];
    b.plan.layouts = 4;
    b.plan.verdict = Some(Context::Chained);
    b.plan.baseline = Some("x".into());
    b.complete = false;
    b.warnings[0].kind = "contended".into();
    let diff = plain(&[&a, &b]);
    let messages: Vec<_> = diff.warnings.iter().map(|w| w.message.as_str()).collect();
    let expected = [
        "B was cut short",
        "B: the sibling thread is online",
        "contexts differ: A has isolated, B has isolated chained",
        "features differ: A has none, B has X86_FEATURE_RETHUNK",
        "configs differ: A has none, B has CONFIG_X",
        "layouts differ: A has 1, B has 4",
        "verdicts go by another context: A by isolated, B by chained; isolated is compared",
        "baselines differ: A has base, B has x; base is used",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn all_refusals_come_at_once_with_what_to_do() {
    let a = record("A", &[("base", 50.0), ("x", 55.0)]);
    let mut b = record("B", &[("base", 60.0), ("x", 66.0)]);
    b.sequence.name = "retpoline".into();
    b.sequence.sha256 = "02".into();
    let options = DiffOptions {
        between: Some(Context::Chained),
        ..DiffOptions::default()
    };
    let lines: Vec<_> = diff(&[&a, &b], &options)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "second.json: a record of retpoline, and the first is one of clear_bhb_loop; compare \
             records of one sequence",
            "first.json: nothing was measured chained; --between can be isolated",
            "second.json: nothing was measured chained; --between can be isolated",
        ]
    );
    let options = DiffOptions {
        baseline: Some("z".into()),
        ..DiffOptions::default()
    };
    assert_eq!(
        diff(&[&a, &a], &options).unwrap_err()[0].to_string(),
        "first.json: the baseline z has no number here; --baseline can be base, x"
    );
    assert_eq!(
        diff(&[&a], &DiffOptions::default()).unwrap_err(),
        [Refusal::TooFew(1)]
    );
}

#[test]
fn records_without_any_variant_are_refused_and_do_not_panic() {
    let none = record("A", &[]);
    let lines = diff(&[&none, &none], &DiffOptions::default()).unwrap_err();
    assert_eq!(
        lines[0].to_string(),
        "first.json: nothing was measured isolated, nor in any other context"
    );
}

#[test]
fn records_group_by_sequence() {
    let a = record("A", &[]);
    let mut b = record("B", &[]);
    b.sequence.name = "retpoline".into();
    let path = Path::new("x");
    let groups = by_sequence(&[(path, &a), (path, &b), (path, &a)]);
    assert_eq!(
        groups,
        [
            ("clear_bhb_loop".to_owned(), vec![0, 2]),
            ("retpoline".to_owned(), vec![1])
        ]
    );
}

#[test]
fn the_finding_is_part_of_the_json() {
    let a = record("A", &[("base", 50.0), ("x", 55.0)]);
    let b = record("B", &[("base", 60.0), ("x", 60.0)]);
    let diff = plain(&[&a, &b]);
    let value = serde_json::to_value(&diff).unwrap();
    assert!(
        value["finding"]
            .as_str()
            .unwrap()
            .contains("x regresses on A only")
    );
    assert_eq!(
        value["rows"][1]["cells"][0]["vs_baseline"]["verdict"],
        "slower"
    );
    let back: Diff = serde_json::from_value(value).unwrap();
    assert_eq!(back, diff);
    made::rebase(&mut record("A", &[]));
}

#[test]
fn another_baseline_changes_what_layouts_are_held_against() {
    let mut record = record("Golden Cove", &[("eax-ecx", 60.0), ("ah-al", 90.0)]);
    for variant in &mut record.variants {
        for measure in variant.measures.values_mut() {
            let samples = &mut measure.samples;
            samples.offsets = (0..samples.ticks.len() as u32)
                .map(|index| index % 2 * 32)
                .collect();
            measure.layouts = [0, 32]
                .map(|offset| Layout {
                    offset,
                    ..Layout::default()
                })
                .into();
        }
    }
    let turned = record.against("ah-al");
    let of = |variant: usize| &turned.variants[variant].measures[&Context::Isolated].layouts;
    assert_eq!(of(0).len(), 2);
    for layout in of(0) {
        let vs = layout.vs_baseline.as_ref().expect("compared");
        assert!((vs.ratio - 60.0 / 90.0).abs() < 0.01, "{vs:?}");
        assert_eq!(vs.verdict, Verdict::Faster);
    }
    assert!(of(1).iter().all(|layout| layout.vs_baseline.is_none()));
}
