//! What is refused, and in which words.

use record::{ErrorKind, Record};
use serde_json::{Value, json};

use crate::made;

/// The message for a file of these bytes, which is one line that no terminal acts on.
fn refused(bytes: &[u8]) -> String {
    let message = Record::from_slice(bytes).unwrap_err().to_string();
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!(message.len() < 400, "{message}");
    message
}

/// The message for a sound record after a change.
fn refused_after(change: impl FnOnce(&mut Value)) -> String {
    let record = made::record("A", &[("x", 10.0), ("y", 11.0)]);
    let mut value = serde_json::to_value(&record).unwrap();
    change(&mut value);
    refused(value.to_string().as_bytes())
}

#[test]
fn a_newer_schema_is_refused_whatever_else_changed() {
    let expected = "written by a newer thunklab, schema 2; this one reads 1";
    assert_eq!(
        refused_after(|record| record["schema"] = json!(2)),
        expected
    );
    assert_eq!(refused(br#"{"variants": {"a": 1}, "schema": 2}"#), expected);
    assert!(refused(br#"{"schema": 99999999999}"#).contains("schema 99999999999;"));
}

#[test]
fn what_is_no_record_is_told_apart_from_what_was_one() {
    let text = made::record("A", &[("x", 10.0)]).to_text();
    for length in 1..text.trim_end().len() {
        let message = refused(&text.as_bytes()[..length]);
        assert!(message.starts_with("cut short"), "{length}: {message}");
    }
    assert_eq!(refused(b""), "empty, not a record");
    assert_eq!(refused(b" \n\t"), "empty, not a record");
    assert_eq!(
        refused(b"[1, 2]"),
        "not a thunklab record: it begins with `[`, and a record is one JSON object"
    );
    assert!(refused(b"hello").contains("it begins with `h`"));
    assert!(refused(b"\x7fELF\x02\x01").starts_with("not a record, or corrupt"));
    assert!(refused(b"[]").starts_with("not a thunklab record"));
    assert!(refused(b"{}").contains("missing field"));
    assert!(refused(b"17").starts_with("not a thunklab record"));
    assert!(refused(b"\xff\xfe{}").starts_with("not a record, or corrupt"));
    assert!(refused_after(|record| record["schema"] = json!(0)).contains("no schema 0"));
}

#[test]
fn damage_inside_is_named_with_its_place() {
    let message = refused_after(|record| {
        record["variants"][1]["measures"]["isolated"]["samples"]["rounds"] = json!([1]);
    });
    assert_eq!(
        message,
        "a damaged record: y isolated: 40 ticks but 1 rounds"
    );
    let message = refused_after(|record| record["variants"][1]["name"] = json!("x"));
    assert_eq!(message, "a damaged record: variant x is there twice");
    let message = refused_after(|record| record["variants"][0]["status"] = json!("fine"));
    assert!(message.contains("unknown variant `fine`"), "{message}");
    let message = refused_after(|record| {
        record["variants"][0]["measures"]["isolated"]["samples"]["ticks"] = json!([-1]);
    });
    assert!(message.contains("invalid value"), "{message}");
}

#[test]
fn a_message_never_carries_the_files_escapes_or_all_of_its_text() {
    let evil = "\x1b]0;owned\x07\u{9b}31m".repeat(1_000);
    let message = refused_after(|record| record["variants"][0]["status"] = json!(evil));
    assert!(message.starts_with("not a thunklab record"), "{message}");
    let message = refused_after(|record| {
        record["variants"][0]["name"] = json!(evil);
        record["variants"][1]["name"] = json!(evil);
    });
    assert!(message.contains("is there twice"), "{message}");
}

/// No type of a record nests without end, and what is ignored is skipped without recursion.
#[test]
fn depth_does_not_overflow_the_stack() {
    let deep = "[".repeat(10_000_000);
    assert!(refused(format!("{{\"x\": {deep}").as_bytes()).starts_with("cut short"));
    assert!(refused(format!("{{\"variants\": {deep}").as_bytes()).starts_with("not a thunklab"));
    assert!(refused(deep.as_bytes()).starts_with("not a thunklab record"));
}

#[cfg(unix)]
#[test]
fn size_is_bounded_where_there_is_no_end() {
    let error = Record::load(std::path::Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TooLarge), "{error}");
    assert_eq!(
        error.to_string(),
        "/dev/zero: larger than 256 MiB, which no record is"
    );
}

#[test]
fn numbers_beyond_their_type_are_refused_and_not_wrapped() {
    let message = refused_after(|record| record["plan"]["rounds"] = json!(1_u64 << 40));
    assert!(message.contains("invalid value"), "{message}");
    let text = made::record("A", &[("x", 10.0)]).to_line();
    let text = text.replace("\"tsc_hz\":2000000000.0", "\"tsc_hz\":1e999");
    assert!(refused(text.as_bytes()).contains("number out of range"));
}

/// Every byte of a small record changed in turn: refused or read, but never a panic.
#[test]
fn no_changed_byte_panics() {
    let mut record = made::record("A", &[("x", 10.0)]);
    record.variants[0].measures.clear();
    let text = record.to_line().into_bytes();
    let mut read = 0;
    for at in 0..text.len() {
        for byte in [b'"', b'9', b'{', 0xff] {
            let mut changed = text.clone();
            changed[at] = byte;
            read += usize::from(Record::from_slice(&changed).is_ok());
        }
    }
    assert!(read > 0);
}
