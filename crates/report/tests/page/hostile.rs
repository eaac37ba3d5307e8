//! Records that try to be more than text.

use record::{Counter, Failure, FailureKind, ParamValue, Record};
use serde_json::Value;

use crate::page;
use crate::synthetic::two;

/// Ends every kind of text that a page has, and then does what a page must not.
pub(crate) const HOSTILE: &str = "</script><script>hostile()</script>\
    <img src=x onerror=hostile()>\"'><svg onload=hostile()></style></title></textarea>\
    ]]>--><!--`${hostile()}`{{ 7*7 }}{% raw %}&lt;\" onmouseover=\"hostile()\" x=\"\
    <a href=javascript:hostile()>\u{202e}\u{0}\r\n#: variant eax-ecx";

/// The two records with every string that may be any text replaced.
pub(crate) fn records() -> Vec<(String, Record)> {
    let mut records = two();
    for (file, record) in &mut records {
        *file = HOSTILE.to_owned();
        record.variants.truncate(3);
        let variant = &mut record.variants[2];
        variant.failure = Some(Failure {
            kind: FailureKind::Signal,
            signal: Some(String::new()),
            address: None,
            ip: Some(1),
            instruction: Some(String::new()),
            file: Some(String::new()),
            line: Some(1),
            message: String::new(),
        });
        variant.reason = Some(String::new());
        variant
            .history
            .as_mut()
            .map(|history| history.reason.insert(String::new()));
        for measure in variant.measures.values_mut() {
            measure.counters.insert(
                HOSTILE.to_owned(),
                Counter::Error {
                    error: String::new(),
                },
            );
        }
        record.machine.core_type = Some(String::new());
        record.machine.governor = Some(String::new());
        record.machine.hypervisor = Some(String::new());
        record.machine.speculation.store_bypass = Some(String::new());
        record.machine.speculation.indirect_branch = Some(String::new());
        record
            .machine
            .mitigations
            .insert(HOSTILE.to_owned(), String::new());
        record.plan.features = vec![String::new()];
        record.plan.configs = vec![String::new()];
        for (index, variant) in record.variants.iter_mut().enumerate() {
            let value = ParamValue::Word(format!("{HOSTILE}{index}"));
            variant.params.insert(HOSTILE.to_owned(), value);
        }
        let mut value = serde_json::to_value(&*record).unwrap();
        let mut pointers = Vec::new();
        strings(&value, &mut String::new(), &mut pointers);
        let mut replaced = 0;
        for pointer in pointers {
            let string = value.pointer_mut(&pointer).unwrap();
            // Names stay apart, or there would be one variant; numbers in words stay words.
            let hostile = Value::String(format!("{HOSTILE} {pointer}"));
            let old = std::mem::replace(string, hostile);
            if serde_json::from_value::<Record>(value.clone()).is_ok() {
                replaced += 1;
            } else {
                *value.pointer_mut(&pointer).unwrap() = old;
            }
        }
        assert!(replaced > 40, "only {replaced} strings can be any text");
        *record = serde_json::from_value(value).unwrap();
        // The baseline must still be one of the variants.
        record.plan.baseline = Some(record.variants[0].name.clone());
    }
    records
}

/// Where the strings in a JSON value stand.
fn strings(value: &Value, at: &mut String, found: &mut Vec<String>) {
    let length = at.len();
    match value {
        Value::String(_) => found.push(at.clone()),
        Value::Array(values) => {
            // Numbers, of which there are many.
            for (index, value) in values.iter().enumerate().filter(|(_, v)| !v.is_number()) {
                at.push_str(&format!("/{index}"));
                strings(value, at, found);
                at.truncate(length);
            }
        }
        Value::Object(values) => {
            for (key, value) in values {
                at.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
                strings(value, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

#[test]
fn every_text_is_escaped() {
    let records = records();
    let page = page(&records);
    // What is shown was reached: a page of nothing would be safe too.
    for shown in [
        "sequence/title",
        "variants/0/text",
        "machine/brand",
        "warnings/0/message",
    ] {
        assert!(page.contains(&format!(" /{shown}")), "{shown} is not shown");
    }
    assert!(page.matches("hostile()").count() > 200);
    assert_eq!(page.matches("<script").count(), 1, "the page's own");
    assert_eq!(page.matches("</script").count(), 1, "the page's own");
    assert_eq!(page.matches("<style").count(), 1);
    assert_eq!(page.matches("</style").count(), 1);
    assert_eq!(page.matches("<title").count(), 1);
    for never in [
        "<img",
        "<svg onload",
        "<textarea",
        "</textarea",
        "<!--",
        "javascript:hostile()>",
        "onerror=hostile()>",
        "\" onmouseover=\"",
        "'><",
        "\u{202e}",
        "\u{0}",
        // A text that was taken for a template.
        "`${hostile()}`49",
    ] {
        assert!(!page.contains(never), "{never:?} stands in the page");
    }
}

#[test]
fn a_page_of_one_hostile_record_is_escaped_too() {
    let records = records();
    let page = page(&records[1..]);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("<img").count(), 0);
}

#[test]
fn numbers_that_are_none_are_shown_as_they_are() {
    let mut records = two();
    for (_, record) in &mut records {
        let variant = &mut record.variants[2];
        for (index, measure) in variant.measures.values_mut().enumerate() {
            let odd = [f64::MAX, -1e300, 0.0][index % 3];
            let vs = measure.vs_baseline.as_mut().unwrap();
            (vs.ratio, vs.low, vs.high) = (odd, -odd, odd);
            let cycles = measure.cycles.as_mut().unwrap();
            (cycles.estimate, cycles.low, cycles.high) = (odd, odd, odd);
            measure.modes[0].cycles = odd;
            measure.samples.runs = 0;
        }
        record.rulers.imul.as_mut().unwrap().links = 0;
    }
    assert!(page(&records).trim_end().ends_with("</html>"));
}
