//! Criterion times two loops that are 2 % apart: `number_study beside` runs this in turns with others.

#[path = "number_study/chain.rs"]
mod chain;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

/// Links of the two; `number_study` looks for these names.
const LINKS: [u32; 2] = [50, 51];
/// Turns of the loop in one call: some microseconds, as in a sequence of ours.
const TURNS: u64 = 10;

fn both(criterion: &mut Criterion) {
    for links in LINKS {
        criterion.bench_function(&links.to_string(), |bencher| {
            bencher.iter(|| chain::turns(black_box(links), TURNS));
        });
    }
}

criterion_group!(loops, both);
criterion_main!(loops);
