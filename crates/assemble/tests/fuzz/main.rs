//! A second of what the fuzzers of `fuzz/` do for hours: damaged texts, no panic, no hang. Each
//! text that once did harm is in `corpus/`.

use std::path::Path;
use std::time::{Duration, Instant};

mod body;
#[path = "../../../sequence/tests/mutation/mod.rs"]
mod mutation;

use mutation::{Random, mutate};

/// Texts of a folder with this extension, in order.
fn texts(folder: &str, extension: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("text"))
        .collect();
    assert!(!texts.is_empty(), "no {extension} in {folder:?}");
    texts
}

/// Some lines of a long text, where the mutations of a whole file would rarely meet.
fn excerpt<'t>(text: &'t str, random: &mut Random) -> String {
    let lines: Vec<&'t str> = text.split_inclusive('\n').collect();
    let from = random.below(lines.len());
    let to = (from + 1 + random.below(30)).min(lines.len());
    lines[from..to].concat()
}

/// How long to go on: a second, or THUNKLAB_FUZZ_SECONDS by hand.
fn duration() -> Duration {
    let seconds = std::env::var("THUNKLAB_FUZZ_SECONDS").ok();
    Duration::from_secs(seconds.and_then(|text| text.parse().ok()).unwrap_or(1))
}

/// Runs damaged texts until the time is over. The first harmful one is shown by its panic.
fn run(texts: &[String], body: impl Fn(&str)) {
    let others: Vec<&str> = texts.iter().map(String::as_str).collect();
    let end = Instant::now() + duration();
    let mut seed =
        std::env::var("THUNKLAB_FUZZ_SEED").map_or(0, |text| text.parse().expect("a number"));
    let mut count = 0;
    while count == 0 || Instant::now() < end {
        let mut random = Random::new(seed);
        let source = others[random.below(others.len())];
        let mut text = if random.below(3) == 0 && source.len() < 4000 {
            source.to_owned()
        } else {
            excerpt(source, &mut random)
        };
        mutate(&mut text, &others, &mut random);
        let begin = Instant::now();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(&text)));
        if result.is_err() {
            panic!("seed {seed}:\n{text}");
        }
        // Ten times what the longest takes on a machine that is busy with other tests.
        let took = begin.elapsed();
        assert!(
            took < Duration::from_secs(60),
            "{took:?}, seed {seed}:\n{text}"
        );
        seed += 1;
        count += 1;
    }
}

#[test]
fn known_texts() {
    for text in texts("tests/fuzz/corpus", "s") {
        body::plain(&text);
    }
    for text in texts("tests/fuzz/corpus", "S") {
        body::sequence_file(&text);
    }
}

#[test]
fn damaged_assembler_text() {
    let mut all = texts("tests/units", "s");
    all.extend(texts("tests/lines", "s"));
    all.extend(texts("tests/fuzz/corpus", "s"));
    run(&all, body::plain);
}

#[test]
fn damaged_sequence_files() {
    let mut all = texts("../../sequences", "S");
    all.extend(texts("../../tests/corpus/ok", "S"));
    all.extend(texts("../../tests/corpus/err", "S"));
    all.extend(texts("tests/fuzz/corpus", "S"));
    run(&all, body::sequence_file);
}
