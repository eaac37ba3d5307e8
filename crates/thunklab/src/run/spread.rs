//! The same for each of many, on all CPUs that there are for it.

use std::num::NonZero;
use std::thread;

/// Items for which a thread is worth its start, some tens of microseconds.
const WORTH: usize = 4;

/// Does this for each item. Results are in the order of the items and are those that one thread would
/// give, since no item knows of another. Where the calling thread keeps off a CPU, so do those that
/// it starts.
pub(super) fn spread<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    spread_over(cpus, items, &each)
}

fn spread_over<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    each: &(impl Fn(&T) -> R + Sync),
) -> Vec<R> {
    let threads = threads.min(items.len() / WORTH);
    if threads < 2 {
        return items.iter().map(each).collect();
    }
    let mut chunks = items.chunks(items.len().div_ceil(threads));
    let own = chunks.next().unwrap_or_default();
    let of = |chunk: &[T]| -> Vec<R> { chunk.iter().map(each).collect() };
    thread::scope(|scope| {
        let others: Vec<_> = chunks
            .map(|chunk| {
                let started = thread::Builder::new().spawn_scoped(scope, move || of(chunk));
                (chunk, started)
            })
            .collect();
        let mut all = of(own);
        for (chunk, started) in others {
            match started.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(results)) => all.extend(results),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // A limit on processes is no reason to have no results.
                Err(_) => all.extend(of(chunk)),
            }
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_of_one_thread_in_the_same_order() {
        for items in [0, 1, 7, 8, 9, 100, 1001] {
            let items: Vec<u32> = (0..items).collect();
            for threads in [0, 1, 2, 3, 7, 64] {
                let spread = spread_over(threads, &items, &|item| item * 3);
                let one: Vec<u32> = items.iter().map(|item| item * 3).collect();
                assert_eq!(spread, one, "{threads} threads");
            }
        }
    }
}
