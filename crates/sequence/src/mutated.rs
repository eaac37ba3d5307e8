//! Ten thousand damaged sequence files: statements or errors, and never a panic. The limits of
//! unit tests are lower, so that repeats without end take no longer than the others.

use crate::{Expr, MemoryReader, Options, Problem, Sequence, Sink, Statement, Value};

#[path = "../tests/mutation/mod.rs"]
mod mutation;

use mutation::{Random, mutate};

/// Knows numbers, and counts statements.
#[derive(Default)]
struct Count(u64);

impl Sink for Count {
    fn statement(&mut self, _statement: &Statement<'_>) -> Result<(), Problem> {
        self.0 += 1;
        Ok(())
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Number(value) => Value::Absolute(*value),
            _ => Value::Address,
        }
    }

    fn is_defined(&mut self, name: &str) -> bool {
        name.len().is_multiple_of(2)
    }
}

/// The shipped sequences, as they stand in the repository.
fn shipped() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sequences");
    let entries = std::fs::read_dir(folder).expect("the shipped sequences");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == "S"));
    paths.sort();
    let texts = paths.iter().map(std::fs::read_to_string);
    texts.map(|text| text.expect("text")).collect()
}

#[test]
fn damaged_sequences() {
    let texts = shipped();
    let others: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut good, mut bad) = (0, 0);
    for seed in 0..10_000 {
        let mut random = Random::new(seed);
        let mut text = others[random.below(others.len())].to_owned();
        mutate(&mut text, &others, &mut random);
        let mut reader = MemoryReader::default();
        let read = Sequence::read("t.S", &text, &mut reader, &Options::default());
        let result = read.and_then(|sequence| {
            let index = random.below(sequence.variants.len());
            let mut program = sequence.program(index, &sequence.default_params());
            let mut count = Count::default();
            program.walk(&mut reader, &mut count)?;
            Ok(count.0)
        });
        match result {
            Ok(_) => good += 1,
            Err(errors) => {
                assert!(!errors.is_empty(), "seed {seed}");
                assert!(
                    errors.iter().all(|error| !error.message.is_empty()),
                    "seed {seed}"
                );
                bad += 1;
            }
        }
    }
    // Damage to comments and operands leaves a text good to this reader; that to its own words not.
    assert!(good > 1000 && bad > 1000, "{good} good, {bad} bad");
}
