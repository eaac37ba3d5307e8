//! The study of docs/history-probe.md: how often the probe's words are wrong or unclear.
//!
//! `history_study BINARY RUNS [BUSY_CPU]` probes clear_bhb_loop at 5x5 and at 12x7, called as the
//! file has it and inline, and a map of counts, RUNS times; with BUSY_CPU, while a process spins
//! there. What is right is told by the number of taken branches, `2 * OUTER * (INNER + 1) + 2`, two
//! more where the loop is called, against the history length that the probe itself found.

#![expect(clippy::print_stdout, reason = "a program whose output is its purpose")]

use std::collections::BTreeMap;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use record::{HistoryWord, ParamValue, Probe, Probed};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [binary, runs, busy @ ..] = arguments.as_slice() else {
        anyhow::bail!("history_study BINARY RUNS [BUSY_CPU]");
    };
    let busy = busy.first().map(|cpu| Busy::on(cpu)).transpose()?;
    let mut study = Study::default();
    for _ in 0..runs.parse::<u32>()? {
        study.one(binary)?;
    }
    drop(busy);
    study.tell();
    Ok(())
}

/// A process that spins on one CPU for as long as this lives.
struct Busy(Child);

impl Busy {
    fn on(cpu: &str) -> anyhow::Result<Self> {
        let spin = ["-c", cpu, "sh", "-c", "while :; do :; done"];
        Ok(Self(Command::new("taskset").args(spin).spawn()?))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // If it has ended already, there is nothing left to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What came of one group of words.
#[derive(Debug, Default)]
struct Tally {
    right: u32,
    wrong: u32,
    unclear: u32,
    not_measurable: u32,
    score: Option<(f64, f64)>,
}

#[derive(Debug, Default)]
struct Study {
    lengths: BTreeMap<Option<u32>, u32>,
    tallies: BTreeMap<String, Tally>,
    longest: BTreeMap<String, Duration>,
}

/// The shipped file's baseline, without the call: its alignments would move from copy to copy.
const INLINE: &str = "\
#: title loop
#: entry inline
#: param OUTER 5 12
#: param INNER 5 7
#: variant inline
\tmovl\t$OUTER, %ecx
\tcall\t1f
\tjmp\t5f
\t.skip\t21, 0xcc
1:\tcall\t2f
\tret
\t.skip\t30, 0xcc
2:\tmovl\t$INNER, %eax
3:\tjmp\t4f
\tnop
4:\tsub\t$1, %eax
\tjnz\t3b
\tsub\t$1, %ecx
\tjnz\t1b
\tret
5:
";

impl Study {
    fn one(&mut self, binary: &str) -> anyhow::Result<()> {
        let inline_file = std::env::temp_dir().join("history_study.S");
        std::fs::write(&inline_file, INLINE)?;
        let inline_file = inline_file.to_string_lossy();
        let length = self.probe(binary, "length", &["--length"])?.length;
        *self.lengths.entry(length).or_default() += 1;
        for counts in [[5, 5], [12, 7]] {
            let sets = counts.map(|count| count.to_string());
            let sets = [format!("OUTER={}", sets[0]), format!("INNER={}", sets[1])];
            let set = ["--set", &sets[0], "--set", &sets[1]];
            let called = [&["clear_bhb_loop"], &set[..]].concat();
            let group = format!("{}x{}", counts[0], counts[1]);
            let probe = self.probe(binary, &group, &called)?;
            self.judge(&format!("{group} called"), &probe, 2);
            let inline = [&[&*inline_file], &set[..]].concat();
            let probe = self.probe(binary, "inline", &inline)?;
            self.judge(&format!("{group} inline"), &probe, 0);
        }
        let map = ["--set", "OUTER=1..16", "--set", "INNER=1..9"];
        for (name, argument, call) in [
            ("map called", "clear_bhb_loop", 2),
            ("map inline", &*inline_file, 0),
        ] {
            let arguments = [&[argument], &map[..]].concat();
            let probe = self.probe(binary, name, &arguments)?;
            self.judge(name, &probe, call);
        }
        Ok(())
    }

    fn probe(&mut self, binary: &str, name: &str, arguments: &[&str]) -> anyhow::Result<Probe> {
        let start = Instant::now();
        let output = Command::new(binary)
            .arg("probe")
            .args(arguments)
            .args(["--format", "json", "--quiet"])
            .output()?;
        let took = self.longest.entry(name.to_owned()).or_default();
        *took = start.elapsed().max(*took);
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn judge(&mut self, name: &str, probe: &Probe, call: i64) {
        let Some(length) = probe.length.map(i64::from) else {
            let tally = self.tallies.entry(name.to_owned()).or_default();
            tally.not_measurable += probe.variants.len() as u32;
            return;
        };
        for one in &probe.variants {
            let branches = 2 * count(one, "OUTER") * (count(one, "INNER") + 1) + 2 + call;
            // The greatest number of branches below the length, and the least at or above it.
            let at_step = (length - 2..length + 2).contains(&branches);
            let where_ = match (name.starts_with("map"), at_step) {
                (true, true) => format!("{name}, at the step"),
                (true, false) => format!("{name}, away from it"),
                _ => name.to_owned(),
            };
            let right = if branches >= length {
                HistoryWord::Displaced
            } else {
                HistoryWord::Kept
            };
            let tally = self.tallies.entry(where_).or_default();
            match one.history.word {
                HistoryWord::Unclear => tally.unclear += 1,
                HistoryWord::NotMeasurable => tally.not_measurable += 1,
                word if word == right => tally.right += 1,
                _ => tally.wrong += 1,
            }
            if let Some(score) = one.history.score {
                // How far from where it should be: 1 or 0.
                let off = if right == HistoryWord::Displaced {
                    score - 1.0
                } else {
                    score
                };
                let (low, high) = tally.score.get_or_insert((off, off));
                (*low, *high) = (low.min(off), high.max(off));
            }
        }
    }

    fn tell(&self) {
        println!("history length: {:?}", self.lengths);
        println!("| what | right | wrong | unclear | not measurable | scores off by |");
        println!("| --- | --- | --- | --- | --- | --- |");
        for (name, tally) in &self.tallies {
            let (low, high) = tally.score.unwrap_or_default();
            println!(
                "| {name} | {} | {} | {} | {} | {low:.2} .. {high:.2} |",
                tally.right, tally.wrong, tally.unclear, tally.not_measurable
            );
        }
        for (name, longest) in &self.longest {
            println!("longest {name}: {:.2} s", longest.as_secs_f64());
        }
    }
}

fn count(one: &Probed, param: &str) -> i64 {
    match one.params.get(param) {
        Some(ParamValue::Integer(value)) => *value,
        _ => 0,
    }
}
