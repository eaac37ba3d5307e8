//! Records damaged at random: each is refused in one line, or read and written again as it was read.

use record::Record;

use crate::made;

/// What stands in damaged places: numbers at the ends of their types, other kinds of values, deep
/// nests, text that is none.
const PIECES: [&[u8]; 22] = [
    b"-1",
    b"0",
    b"1e308",
    b"1e999",
    b"-0.0",
    b"4294967296",
    b"18446744073709551616",
    b"9007199254740993",
    b"null",
    b"true",
    b"\"\"",
    b"\"chained\"",
    b"[]",
    b"{}",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    b"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":",
    b",",
    b":",
    b"\"",
    b"\\u0000",
    b"\\ud800",
    b"\xff\xfe",
];

/// `SplitMix64`: the same damage in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, below: usize) -> usize {
        (self.next() % below.max(1) as u64) as usize
    }
}

/// Damages a text once: a bit, a cut, a doubled part, or a piece in place of some bytes.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let to = (at + random.below(12)).min(bytes.len());
    match random.below(6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 => drop(bytes.drain(at..to)),
        2 => {
            let far = (at + random.below(400)).min(bytes.len());
            let part = bytes[at..far].to_vec();
            bytes.splice(at..at, part);
        }
        3 => bytes.truncate(at),
        // Where a value stands: behind a colon.
        4 => {
            let behind = bytes[at..].iter().position(|byte| *byte == b':');
            let start = behind.map_or(at, |offset| at + offset + 1);
            let length = bytes[start..]
                .iter()
                .position(|byte| b",]}\n".contains(byte));
            let end = start + length.unwrap_or(0);
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(start..end, piece.iter().copied());
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..to, piece.iter().copied());
        }
    }
}

#[test]
fn ten_thousand_damaged_records() {
    let mut sound = made::record("A", &[("x", 10.0)]);
    for variant in &mut sound.variants {
        for measure in variant.measures.values_mut() {
            // Short, so that damage hits the keys as often as the samples.
            let samples = &mut measure.samples;
            samples.ticks.truncate(3);
            samples.long_ticks.truncate(3);
            samples.ruler_ticks.truncate(3);
            samples.rounds.truncate(3);
            samples.workers.truncate(3);
            samples.offsets.truncate(3);
            samples.sentinels.truncate(3);
        }
    }
    let text = sound.to_line();
    let mut random = Random(7);
    let (mut refused, mut read) = (0, 0);
    for trial in 0..10_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            damage(&mut bytes, &mut random);
        }
        match Record::from_slice(&bytes) {
            Ok(record) => {
                read += 1;
                let again = record.to_text();
                let same = Record::from_slice(again.as_bytes())
                    .unwrap_or_else(|error| panic!("trial {trial}: {error}: {again}"));
                assert_eq!(same.to_text(), again, "trial {trial}");
            }
            Err(error) => {
                refused += 1;
                let message = error.to_string();
                assert!(
                    !message.chars().any(char::is_control),
                    "{trial}: {message:?}"
                );
                assert!(message.len() < 500, "{trial}: {message}");
            }
        }
    }
    assert!(
        refused > 1000 && read > 100,
        "{refused} refused, {read} read"
    );
}
