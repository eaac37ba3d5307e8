//! No, one and many records.

use record::Record;
use report::{Page, PageError, PageOptions};

use crate::synthetic::{ALIKE, SLOW_AH, record, two};
use crate::{page, text};

fn many(count: u64, samples: u32) -> Vec<(String, Record)> {
    (0..count)
        .map(|index| {
            let made = if index % 3 == 0 { &ALIKE } else { &SLOW_AH };
            (format!("{index}.json"), record(made, samples, 1, index))
        })
        .collect()
}

#[test]
fn no_record_is_an_error_with_a_remedy() {
    let error = report::page(&[], &PageOptions::default()).unwrap_err();
    assert!(matches!(error, PageError::NoRecords));
    assert!(error.to_string().contains("thunklab run -o DIR"), "{error}");
}

#[test]
fn the_same_records_give_the_same_bytes() {
    assert_eq!(page(&two()), page(&two()));
}

#[test]
fn a_page_in_pieces_is_the_same_page() {
    let records = two();
    let mut pieces = Page::new(PageOptions::default());
    for (file, record) in &records {
        pieces.add(file, record);
    }
    assert_eq!(pieces.len(), 2);
    let mut bytes = Vec::new();
    pieces.write(&mut bytes).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), page(&records));
}

#[test]
fn a_full_disk_is_an_error() {
    let mut pieces = Page::new(PageOptions::default());
    pieces.add("a", &two()[0].1);
    let mut full = [0; 100];
    let error = pieces.write(&mut &mut full[..]).unwrap_err();
    assert!(matches!(error, PageError::Write(_)), "{error}");
}

#[test]
fn many_records_share_columns_and_keep_their_rows() {
    let plain = text(&page(&many(20, 40)));
    assert!(
        plain.contains(
            "ah-al and ah-al-zeroed are slower than eax-ecx on Emerald Rapids (13, +37.2%); no \
             different from eax-ecx on Zen 5 (7) (isolated)."
        ),
        "{plain}"
    );
    // The matrix.
    assert!(plain.contains("\n13\n+37.2%\n13 slower\n"), "{plain}");
    // Every record, in the variant's own table.
    for label in (1..=13).map(|n| format!("\nEmerald Rapids #{n}\nisolated\n")) {
        assert_eq!(plain.matches(&label).count(), 6, "{label}");
    }
}

#[test]
fn kinds_of_machine_that_are_all_different_are_all_there() {
    let mut records = many(15, 10);
    for (index, (_, record)) in records.iter_mut().enumerate() {
        record.machine.microarchitecture = format!("Kind {index}");
    }
    let plain = text(&page(&records));
    for index in 0..15 {
        assert!(plain.contains(&format!("\nKind {index}\n")), "{index}");
    }
    assert!(plain.contains("Not drawn: 3 more kinds"), "{plain}");
}

#[test]
fn the_page_grows_with_records_and_not_with_samples() {
    let size = |count, samples| page(&many(count, samples)).len() as f64;
    let (few, twice) = (size(25, 30), size(50, 30));
    assert!(twice < 2.2 * few, "{few} and {twice} bytes");
    // A variant's row in a page of many is a few hundred bytes, facts of the machine included.
    assert!((twice - few) / 25.0 < 12_000.0, "{few} and {twice} bytes");
    let more = size(25, 300);
    assert!(more < 1.3 * few, "{few} and {more} bytes");
}

#[test]
fn sequences_stand_apart() {
    let mut records = two();
    let mut other = record(&SLOW_AH, 30, 1, 3);
    other.sequence.name = "fences".into();
    other.sequence.title = "What fences cost".into();
    records.push(("c.json".into(), other));
    let page = page(&records);
    assert_eq!(page.matches("data-sequence=").count(), 2);
    let plain = text(&page);
    assert!(plain.contains("2 sequences of assembly"), "{plain}");
    assert_eq!(
        plain.matches("What fences cost").count(),
        2,
        "in the list and as a title"
    );
    let ids = page
        .split(" id=\"")
        .skip(1)
        .filter_map(|part| part.split('"').next());
    let mut seen = std::collections::HashSet::new();
    for id in ids {
        assert!(seen.insert(id), "{id} twice");
    }
}
