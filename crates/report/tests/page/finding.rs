//! What the page says.

use record::{
    Context, Counter, Failure, FailureKind, HistoryWord, Layout, ParamValue, Refusal, Status,
    Verdict, VsBaseline, Warning,
};
use report::PageOptions;

use crate::synthetic::{ALIKE, SLOW_AH, record, two};
use crate::{page, text};

/// Asserts that the lines stand in the text, one right after the other.
#[track_caller]
fn has(text: &str, lines: &[&str]) {
    let block = lines.join("\n");
    assert!(
        format!("\n{text}\n").contains(&format!("\n{block}\n")),
        "not there:\n{block}\nin\n{text}"
    );
}

#[test]
fn the_finding_stands_at_the_top_with_what_it_rests_on() {
    let text = text(&page(&two()));
    let at = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part:?} in\n{text}"))
    };
    let finding = at("ah-al and ah-al-zeroed regress on Emerald Rapids only: +37.2% [36.9, 37.4]");
    let slow = at(
        "On Emerald Rapids, one run of ah-al takes 88.6 cycles [88.5, 88.8], and one of \
                   eax-ecx 64.6 cycles [64.5, 64.8]: 37.2% more [36.9, 37.4].",
    );
    let alike = at(
        "On Zen 5, one run of ah-al takes 58.3 cycles [58.2, 58.4], and one of eax-ecx \
                    58.3 cycles [58.2, 58.4]: no difference seen (+0.0% [-0.3, 0.2]; one of 0.3% \
                    would have been).",
    );
    let elsewhere = at(
        "ah-al in the other contexts \u{2013} chained: +9.0% [8.7, 9.2] on Emerald \
                        Rapids and no difference seen on Zen 5; history: +30.9%",
    );
    let meaning = at("The finding goes by the context isolated: one lfence after each run");
    let matrix = at("Variants by machines");
    assert!(
        [finding, slow, alike, elsewhere, meaning, matrix].is_sorted(),
        "not in this order"
    );
}

#[test]
fn a_row_has_every_machines_numbers() {
    let text = text(&page(&two()));
    has(
        &text,
        &[
            "ah-al",
            "byte counters swapped, immediate counts",
            "88.6",
            "[88.5, 88.8] n 480",
            "+37.2%",
            "[36.9, 37.4] slower",
            "kept",
            "58.3",
            "[58.2, 58.4] n 480",
            "=",
            "no difference seen",
            "+0.0% [-0.3, 0.2]",
            "0.729",
            "[0.727, 0.731] costs less there",
            "105",
            "161",
        ],
    );
    // The other contexts are there too.
    has(
        &text,
        &["98.5", "[98.4, 98.7] n 480", "+9.0%", "[8.7, 9.2] slower"],
    );
    has(
        &text,
        &[
            "126.6",
            "[126.5, 126.8] n 480",
            "+30.9%",
            "[30.6, 31.1] slower",
        ],
    );
}

#[test]
fn no_number_is_without_method_count_and_both_terms() {
    let text = text(&page(&two()));
    has(
        &text,
        &[
            "Numbers of ah-al, 95% intervals in brackets. Method: interquartile mean, bootstrap \
           over workers and blocks of rounds",
        ],
    );
    has(
        &text,
        &[
            "29.5 [29.5, 29.6]",
            "27.2",
            "88.1 (30%), 88.6 (50%), 89.4 (20%)",
            "592 kept; left out: 12 interrupted and 58 on a contended core",
        ],
    );
}

#[test]
fn the_listing_shows_bytes_and_source_and_claims_no_more() {
    let page = page(&two());
    let plain = text(&page);
    has(
        &plain,
        &["0000", "b9 05 00 00 00 e8 16 00 00 00 eb 66 cc cc b9 05"],
    );
    has(
        &plain,
        &["movb\t$INNER, %ah"]
            .map(|line| plain.lines().find(|found| found.ends_with(line)).unwrap()),
    );
    assert!(plain.contains("does not say which bytes come from which line"));
    assert!(
        plain.contains(".macro\tfirst_block"),
        "the shared lines are there"
    );
}

#[test]
fn every_plot_has_words_and_every_table_a_caption() {
    let page = page(&two());
    for (start, needs) in [("<svg ", "aria-label=\""), ("<table", "<caption")] {
        let mut found = 0;
        for part in page.split(start).skip(1) {
            found += 1;
            let head: String = part.chars().take(200).collect();
            assert!(head.contains(needs), "{start}{head}");
        }
        assert!(found > 5, "{found} of {start}");
    }
    assert_eq!(
        page.matches("<th").count(),
        page.matches(" scope=\"").count() + page.matches("<thead").count()
    );
    assert!(page.contains(
        "Distribution of the samples of ah-al on Emerald Rapids, isolated: 88.6 cycles a run"
    ));
}

#[test]
fn another_context_or_baseline_can_be_asked_for() {
    let options = PageOptions {
        between: Some(Context::Chained),
        baseline: None,
    };
    let plain = text(&report::page(&two(), &options).unwrap());
    assert!(
        plain.contains("ah-al regresses on Emerald Rapids only: +9.0%"),
        "{plain}"
    );
    let options = PageOptions {
        between: None,
        baseline: Some("ah-al".into()),
    };
    let plain = text(&report::page(&two(), &options).unwrap());
    // 64.6 to 88.6, from the samples.
    assert!(plain.contains("gain on Emerald Rapids only: -2"), "{plain}");
}

#[test]
fn one_record_has_a_finding_too() {
    let only = [("a.json".to_owned(), record(&SLOW_AH, 60, 1, 1))];
    let plain = text(&page(&only));
    assert!(
        plain.contains(
            "On Emerald Rapids (isolated), slower than eax-ecx: ah-al +37.2% [36.9, 37.4] and \
             ah-al-zeroed +37.2% [36.9, 37.4]; no difference seen: al-ax100"
        ),
        "{plain}"
    );
    let mut grid = record(&SLOW_AH, 60, 1, 1);
    let mut again = grid.variants.clone();
    for variant in &mut again {
        variant
            .params
            .insert("OUTER".into(), ParamValue::Integer(12));
    }
    let vs = again[2].measures.get_mut(&Context::Isolated).unwrap();
    vs.vs_baseline.as_mut().unwrap().ratio = 1.38;
    grid.variants.extend(again);
    let plain = text(&page(&[("a.json".to_owned(), grid)]));
    assert!(
        plain.contains(
            "slower than eax-ecx: ah-al at all 2 settings +37.2% to +38.0% [36.9, 37.4] and \
             ah-al-zeroed at all 2 settings +37.2% [36.9, 37.4]; no difference seen: al-ax100 at \
             all 2 settings"
        ),
        "{plain}"
    );
    let alike = [("a.json".to_owned(), record(&ALIKE, 60, 1, 1))];
    let plain = text(&page(&alike));
    assert!(
        plain.contains(
            "On Zen 5, no variant was seen to differ from eax-ecx (isolated); a difference of \
             0.3% would have been."
        ),
        "{plain}"
    );
}

#[test]
fn a_layout_sweep_says_whether_the_difference_survives() {
    let only = [("a.json".to_owned(), record(&SLOW_AH, 400, 8, 1))];
    let plain = text(&page(&only));
    assert!(
        plain.contains("Slower than the baseline at every offset that could be compared (8): +3"),
        "{plain}"
    );
    let without = text(&page(&two()));
    assert!(!without.contains("Layout sweep"));
}

#[test]
fn what_was_not_measured_says_why() {
    let mut made = record(&SLOW_AH, 60, 1, 1);
    let variant = &mut made.variants[2];
    variant.status = Status::Failed;
    variant.failure = Some(Failure {
        kind: FailureKind::Signal,
        signal: Some("SIGSEGV".into()),
        address: None,
        ip: Some(0x12),
        instruction: Some("mov (%rax),%rax".into()),
        file: Some("clear_bhb_loop.S".into()),
        line: Some(82),
        message: "it read from an address that is not mapped".into(),
    });
    variant.measures.clear();
    let variant = &mut made.variants[3];
    variant.status = Status::NotRun;
    variant.reason = Some("this CPU lacks avx10".into());
    variant.measures.clear();
    let history = made.variants[4].history.as_mut().unwrap();
    history.word = HistoryWord::NotMeasurable;
    history.reason = Some("no indirect branches here".into());
    let measure = made.variants[5]
        .measures
        .get_mut(&Context::Isolated)
        .unwrap();
    measure.counters.insert(
        "instructions".into(),
        Counter::Error {
            error: "this machine has no PMU".into(),
        },
    );
    measure.vs_baseline.as_mut().unwrap().verdict = Verdict::Faster;
    made.complete = false;
    let plain = text(&page(&[("a.json".to_owned(), made)]));
    has(
        &plain,
        &["failed", "it read from an address that is not mapped"],
    );
    has(
        &plain,
        &[
            "Emerald Rapids \u{2013} failed: it read from an address that is not mapped, SIGSEGV, \
           at mov (%rax),%rax, offset 0x12, clear_bhb_loop.S:82",
        ],
    );
    has(&plain, &["not run", "this CPU lacks avx10"]);
    has(
        &plain,
        &["instructions", "no number: this machine has no PMU"],
    );
    assert!(plain.contains("not-measurable \u{2013} could not be measured here"));
    assert!(plain.contains("the run was cut short"));
}

#[test]
fn records_that_cannot_be_compared_say_why_and_are_shown() {
    let mut records = two();
    for variant in &mut records[1].1.variants {
        variant.measures.remove(&Context::Isolated);
    }
    let refusal = Refusal::NoContext {
        file: records[1].0.clone(),
        between: Context::Isolated,
        measured: vec![Context::Chained, Context::History],
    };
    let plain = text(&page(&records));
    has(
        &plain,
        &[
            "These records could not be compared with each other:",
            &refusal.to_string(),
        ],
    );
    assert!(
        plain.contains("On Emerald Rapids (isolated), slower than eax-ecx"),
        "{plain}"
    );
    assert!(
        plain.contains("On Zen 5, nothing stands against eax-ecx (isolated)."),
        "{plain}"
    );
}

#[test]
fn a_record_without_samples_or_rulers_is_shown() {
    let mut bare = record(&SLOW_AH, 0, 1, 1);
    bare.rulers.imul = None;
    for variant in &mut bare.variants {
        variant.code = None;
        for measure in variant.measures.values_mut() {
            measure.cycles = None;
            measure.vs_baseline = None;
        }
    }
    let plain = text(&page(&[("a.json".to_owned(), bare)]));
    assert!(
        plain.contains("the record holds no samples of this variant"),
        "{plain}"
    );
    assert!(plain.contains("nothing stands against eax-ecx"), "{plain}");
    let mut empty = record(&SLOW_AH, 0, 1, 1);
    empty.variants.clear();
    empty.empty.clear();
    empty.plan.verdict = None;
    let plain = text(&page(&[("a.json".to_owned(), empty)]));
    assert!(plain.contains("Nothing was measured."), "{plain}");
}

/// A difference that placements hide is no absence of one: neither on a page of one record nor in a
/// comparison.
#[test]
fn what_placements_hide_stands_in_the_headline() {
    let mut one = record(&ALIKE, 60, 1, 1);
    let measures = &mut one.variants[1].measures;
    let measure = measures.get_mut(&Context::Isolated).expect("measured");
    let all = measure.vs_baseline.clone().expect("compared");
    let at = |offset: u32, ratio: f64, verdict: Verdict| Layout {
        offset,
        cycles: None,
        vs_baseline: Some(VsBaseline {
            ratio,
            low: ratio - 0.01,
            high: ratio + 0.01,
            verdict,
            ..all.clone()
        }),
    };
    measure.layouts = vec![
        at(0, 1.387, Verdict::Slower),
        at(16, 1.0, Verdict::NoDifference),
    ];
    let name = one.variants[1].name.clone();
    let plain = text(&page(&[("a.json".to_owned(), one.clone())]));
    let hidden = format!("; but {name} differs at some placements: +38.7% at offset 0.");
    assert!(plain.contains(&hidden), "{plain}");
    let both = [
        ("a.json".to_owned(), one.clone()),
        ("b.json".to_owned(), one),
    ];
    let plain = text(&page(&both));
    let hidden = format!("But at some placements differ: {name} on a, +38.7% at offset 0; ");
    assert!(plain.contains(&hidden), "{plain}");
}

#[test]
fn a_made_record_is_marked_beside_its_name() {
    let mut both = two();
    both[1].1.warnings.push(Warning {
        kind: Warning::MADE_BY_HAND.to_owned(),
        message: "made".into(),
        ..Warning::default()
    });
    let html = page(&both);
    let plain = text(&html);
    for part in [
        "no difference seen on Zen 5 (made by hand)",
        "On Zen 5 (made by hand), one run of",
    ] {
        assert!(plain.contains(part), "no {part:?} in\n{plain}");
    }
    let matrix = html.contains(">Zen 5 (made by hand)</th>");
    let chart = html.contains("Zen 5 (made by hand) =");
    assert!(matrix && chart, "matrix {matrix}, chart {chart}");
}

/// Who reads the page first has not read the manual.
#[test]
fn words_are_explained_where_they_stand() {
    let plain = text(&page(&two()));
    for part in [
        "branch history buffer",
        "registers flow from one into the next",
        "an empty call followed by lfence",
        "bytes of code",
        "Far higher states",
        "a chain of dependent instructions of known length",
    ] {
        assert!(plain.contains(part), "no {part:?} in\n{plain}");
    }
}
