//! Records: what is read is written again as it was read, and shown in every form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use record::Record;

fuzz_target!(|bytes: &[u8]| {
    let Ok(records) = Record::stream_from_slice(bytes) else {
        return;
    };
    for record in &records {
        let text = record.to_text();
        let again = Record::from_slice(text.as_bytes()).expect("it was read once");
        assert_eq!(again.to_text(), text);
        drop(report::run_table(record, &report::Style::MAIL));
        drop(report::run_markdown(record, true));
        drop(report::run_csv(&[record]));
    }
});
