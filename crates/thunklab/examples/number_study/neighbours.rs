//! What runs beside a measurement, to see what it does to the numbers.

use std::hint::black_box;
use std::process::{Child, Command};

/// A process that works without a pause for as long as this lives: this program, called as `be`.
pub(crate) struct Neighbour(Child);

impl Neighbour {
    /// Starts one on the CPU that measurements leave alone, or with `same-cpu` on theirs: on this
    /// class of machine thunklab takes the last CPU.
    pub(crate) fn start(word: &str) -> anyhow::Result<Self> {
        let last = std::thread::available_parallelism()?.get() - 1;
        let cpu = match word {
            "same-cpu" => last,
            "other-cpu" | "memory" | "branches" => 0,
            _ => anyhow::bail!("no neighbour is called {word}"),
        };
        let child = Command::new("taskset")
            .args(["-c", &cpu.to_string()])
            .arg(std::env::current_exe()?)
            .args(["be", word, &cpu.to_string()])
            .spawn()?;
        Ok(Self(child))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // If it has ended already, there is nothing left to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Is a neighbour until it is killed.
pub(crate) fn be(word: &str, cpu: &str) -> anyhow::Result<()> {
    match word {
        "memory" => memory(),
        "branches" => branches(),
        "other-cpu" | "same-cpu" => spin(),
        _ => anyhow::bail!("no neighbour is called {word} (on CPU {cpu})"),
    }
}

fn spin() -> ! {
    let mut count = 0_u64;
    loop {
        count = black_box(count.wrapping_add(1));
    }
}

/// Reads and writes far more than any cache holds.
fn memory() -> ! {
    let mut words = vec![0_u64; 32 << 20];
    loop {
        for word in words.iter_mut().step_by(8) {
            *word = word.wrapping_add(1);
        }
        black_box(&mut words);
    }
}

/// Branches on bits that nothing foretells.
fn branches() -> ! {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut count = 0_u64;
    loop {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for bit in 0..32 {
            if black_box(state >> bit) & 1 == 1 {
                count = black_box(count + 1);
            }
        }
    }
}
