//! Keys and schema.

use std::collections::BTreeMap;

use record::{
    Address, Capability, Context, Counter, Empty, Failure, FailureKind, History, HistoryWord,
    Measure, ParamValue, Record, Status, output_schemas, schema,
};
use serde_json::{Value, json};

use crate::made;

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

/// A record that has something of everything, so that every key is met.
fn full() -> Record {
    let mut record = made::record("A", &[("x", 10.0), ("y", 11.0)]);
    record.empty.insert(Context::Isolated, Empty::default());
    let failure = Failure {
        kind: FailureKind::Signal,
        signal: Some("SIGSEGV".into()),
        address: Some(Address(0xffff_ffff_8100_0000)),
        ip: None,
        instruction: None,
        file: None,
        line: None,
        message: "read at 0xffffffff81000000".into(),
    };
    record.variants[1].status = Status::Failed;
    record.variants[1].failure = Some(failure);
    record.variants[1].history = Some(History {
        score: None,
        low: None,
        high: None,
        word: HistoryWord::NotMeasurable,
        reason: Some("no step".into()),
        taken_branches: None,
    });
    let counters = &mut record.variants[0]
        .measures
        .get_mut(&Context::Isolated)
        .unwrap()
        .counters;
    counters.insert(
        "instructions".into(),
        Counter::Value {
            per_run: 103.0,
            low: 103.0,
            high: 103.0,
        },
    );
    counters.insert(
        "cycles".into(),
        Counter::Error {
            error: "multiplexed".into(),
        },
    );
    record
}

/// The contract, key by key.
#[test]
fn every_key_is_written() {
    let value = serde_json::to_value(full()).unwrap();
    let sorted = |words: &str| {
        let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words
    };
    let check = |value: &Value, expected: &str| {
        let mut found = keys(value);
        found.sort_unstable();
        assert_eq!(found, sorted(expected));
    };
    check(
        &value,
        "schema complete tool time warnings machine plan sequence rulers sentinel variants empty",
    );
    check(&value["tool"], "name version");
    check(&value["warnings"][0], "kind message advice");
    check(
        &value["machine"],
        "vendor brand family model stepping microarchitecture core_type microcode cores smt \
         hypervisor kernel mitigations features tsc_hz tsc_source governor cpu speculation \
         lfence_serialises history_length",
    );
    check(
        &value["machine"]["speculation"],
        "store_bypass indirect_branch",
    );
    check(
        &value["plan"],
        "seed rounds workers between verdict baseline noise_floor params features configs layouts apart \
         time_s precision",
    );
    check(&value["sequence"], "name title sources text sha256");
    check(&value["rulers"], "imul second");
    check(
        &value["rulers"]["imul"],
        "instruction links cycles_per_link ticks_per_cycle",
    );
    check(
        &value["sentinel"],
        "instructions floor_cycles contended_share",
    );
    let variant = &value["variants"][1];
    check(
        variant,
        "name text params status reason failure code history measures",
    );
    check(
        &variant["failure"],
        "kind signal address ip instruction file line message",
    );
    check(
        &variant["code"],
        "bytes size instructions instructions_max taken_branches taken_branches_max \
         not_taken_branches not_taken_branches_max calls calls_max returns returns_max \
         counted_runs around counts_reason",
    );
    check(
        &variant["history"],
        "score low high word reason taken_branches",
    );
    let measure = &variant["measures"]["isolated"];
    check(
        measure,
        "cycles ns modes vs_baseline layouts counters samples",
    );
    check(&measure["cycles"], "estimate low high method n minus_empty");
    check(
        &measure["vs_baseline"],
        "ratio low high verdict smallest_seen",
    );
    check(
        &measure["samples"],
        "runs ticks long_ticks empty_ticks ruler_ticks rounds workers offsets sentinels \
         discarded_by thinned_from",
    );
    check(
        &measure["samples"]["discarded_by"],
        "tick migration switch ruler contended",
    );
    check(&value["empty"]["isolated"], "cycles");
    assert_eq!(value["plan"]["seed"], json!(u64::MAX));
    assert_eq!(variant["failure"]["address"], "0xffffffff81000000");
    assert_eq!(variant["failure"]["kind"], "signal");
    assert_eq!(variant["status"], "failed");
    assert_eq!(variant["history"]["word"], "not-measurable");
    assert_eq!(measure["vs_baseline"]["verdict"], "slower");
    let counters = &value["variants"][0]["measures"]["isolated"]["counters"];
    assert_eq!(counters["cycles"], json!({"error": "multiplexed"}));
    assert_eq!(counters["instructions"]["per_run"], 103.0);
}

#[test]
fn a_full_record_comes_back_as_it_was() {
    let record = full();
    assert_eq!(
        Record::from_slice(record.to_text().as_bytes()).unwrap(),
        record
    );
    assert_eq!(
        Record::from_slice(record.to_line().as_bytes()).unwrap(),
        record
    );
}

#[test]
fn unknown_keys_and_contexts_are_ignored() {
    let record = full();
    let mut value = serde_json::to_value(&record).unwrap();
    value["later"] = json!({"x": [1]});
    value["machine"]["later"] = json!(1);
    value["plan"]["between"] = json!(["isolated", "cold"]);
    value["empty"]["cold"] = json!({"shape": "unknown"});
    value["variants"][0]["measures"]["cold"] = json!([1, 2]);
    value["variants"][0]["measures"]["isolated"]["samples"]["later"] = json!([1]);
    assert_eq!(
        Record::from_slice(value.to_string().as_bytes()).unwrap(),
        record
    );
}

#[test]
fn only_the_core_is_needed() {
    let text = r#"{"schema": 1, "machine": {"vendor": "x"}, "sequence": {"name": "s"},
        "variants": [{"name": "v", "status": "measured", "measures": {"chained": {}}}]}"#;
    let record = Record::from_slice(text.as_bytes()).unwrap();
    assert!(!record.complete);
    assert_eq!(
        record.variants[0].measures[&Context::Chained],
        Measure::default()
    );
    assert_eq!(record.contexts(), [Context::Chained]);
}

/// What is written stands in the order in which the sequence file declares its params, and words
/// stay words.
#[test]
fn params_keep_their_order_and_kind() {
    let mut record = made::record("A", &[("x", 10.0)]);
    record.variants[0].params = [("OUTER", "5"), ("INNER", "-7"), ("MIX", "random")]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), ParamValue::from(value)))
        .collect();
    let line = record.to_line();
    assert!(line.contains(r#""params":{"OUTER":5,"INNER":-7,"MIX":"random"}"#));
    let back = Record::from_slice(line.as_bytes()).unwrap();
    let names: Vec<_> = back.variants[0].params.keys().collect();
    assert_eq!(names, ["OUTER", "INNER", "MIX"]);
}

#[test]
fn the_schema_names_and_requires_every_key() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    let value = serde_json::to_value(full()).unwrap();
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().collect();
    assert_eq!(required.len(), keys(&value).len());
    let samples = &schema["$defs"]["Samples"];
    assert_eq!(samples["required"].as_array().unwrap().len(), 11);
    let failure = &schema["$defs"]["Failure"];
    assert_eq!(failure["required"].as_array().unwrap().len(), 8);
}

#[test]
fn the_other_outputs_have_schemas_too() {
    let names: Vec<_> = output_schemas().iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "run", "diff", "machine", "list", "check", "listing", "probe"
        ]
    );
}

#[test]
fn a_capability_is_true_or_a_reason() {
    let capabilities = BTreeMap::from([
        (
            "pmu",
            Capability::No {
                reason: "no perf events".into(),
            },
        ),
        ("rdtscp", Capability::Yes(true)),
    ]);
    assert_eq!(
        serde_json::to_value(&capabilities).unwrap(),
        json!({"pmu": {"reason": "no perf events"}, "rdtscp": true})
    );
}

/// The written JSON is valid by the schema, by the word of a validator that is not ours.
#[test]
fn a_record_is_valid_by_its_schema() {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("record.json", schema()).unwrap();
    let index = compiler.compile("record.json", &mut schemas).unwrap();
    let value = serde_json::to_value(full()).unwrap();
    schemas.validate(&value, index).unwrap();
    let mut wrong = value;
    wrong["variants"][1]["failure"]["address"] = json!(17);
    assert!(schemas.validate(&wrong, index).is_err());
}
