//! A record's machine and plan, as facts to be listed.

use record::{HistoryWord, Record, Ruler, TscSource, printable};

use super::number::{amount, count, share};

/// One fact: what, and how it is.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
}

/// What is known of the machine.
pub(super) fn machine(record: &Record) -> Vec<Fact> {
    let machine = &record.machine;
    let or_unknown = |text: &str| match printable(text) {
        text if text.trim().is_empty() => "not known".to_owned(),
        text => text,
    };
    let maybe = |text: &Option<String>| or_unknown(text.as_deref().unwrap_or_default());
    let mut facts = vec![
        fact("CPU", or_unknown(&machine.brand)),
        fact("Microarchitecture", or_unknown(&machine.microarchitecture)),
        fact(
            "Vendor, family-model-stepping",
            format!(
                "{}, {:02x}-{:02x}-{:02x}",
                or_unknown(&machine.vendor),
                machine.family,
                machine.model,
                machine.stepping
            ),
        ),
    ];
    if let Some(core) = &machine.core_type {
        facts.push(fact("Kind of core", printable(core)));
    }
    facts.extend([
        fact("Microcode", maybe(&machine.microcode)),
        fact(
            "Hypervisor",
            machine.hypervisor.as_deref().map_or_else(
                || "none seen".to_owned(),
                |name| {
                    format!(
                        "{}; the model and microcode may be invented by it",
                        printable(name)
                    )
                },
            ),
        ),
        fact("Kernel", or_unknown(&machine.kernel)),
        fact("Logical CPUs", machine.cores.to_string()),
        fact("Measured on CPU", machine.cpu.to_string()),
        fact(
            "Sibling thread",
            match machine.smt {
                Some(true) => "online",
                Some(false) => "none online",
                None => "not known",
            }
            .to_owned(),
        ),
        fact("Frequency governor", maybe(&machine.governor)),
        fact(
            "Time-stamp counter",
            format!(
                "{:.1} MHz, {}",
                machine.tsc_hz / 1e6,
                match machine.tsc_source {
                    TscSource::Cpuid => "as CPUID says",
                    TscSource::Kernel => "as the kernel says",
                    TscSource::Calibrated => "timed against the system's clock",
                }
            ),
        ),
        fact(
            "Speculation controls in the worker",
            format!(
                "store bypass: {}; indirect branch: {}",
                maybe(&machine.speculation.store_bypass),
                maybe(&machine.speculation.indirect_branch)
            ),
        ),
        fact(
            "lfence serialises",
            match machine.lfence_serialises {
                Some(true) => "yes, as measured",
                Some(false) => "no, as measured",
                None => "not measured",
            }
            .to_owned(),
        ),
        fact(
            "Branch history length",
            machine.history_length.map_or_else(
                || "not measured".to_owned(),
                |length| format!("{length} taken branches"),
            ),
        ),
    ]);
    facts
}

/// How it was measured.
pub(super) fn plan(record: &Record, file: &str) -> Vec<Fact> {
    let plan = &record.plan;
    let between: Vec<&str> = plan.between.iter().map(|context| context.word()).collect();
    let mut facts = vec![
        fact("Record", printable(file)),
        fact("Taken", printable(&record.time)),
        fact(
            "By",
            printable(&format!("{} {}", record.tool.name, record.tool.version)),
        ),
        fact(
            "Complete",
            if record.complete {
                "yes".to_owned()
            } else {
                "no: the run was cut short".to_owned()
            },
        ),
        fact(
            "Rounds",
            format!(
                "{}, spread over {}, seed {}",
                plan.rounds,
                count(plan.workers as usize, "fresh worker"),
                plan.seed
            ),
        ),
        fact("Contexts asked for", between.join(", ")),
        fact(
            "Noise floor",
            plan.noise_floor.map_or_else(
                || "not known".to_owned(),
                |floor| format!("{:.1}%: a smaller difference is called none", floor * 100.0),
            ),
        ),
        fact(
            "Offsets of the code in a line",
            if plan.layouts > 1 {
                plan.layouts.to_string()
            } else {
                "as written only".to_owned()
            },
        ),
        fact("Time allowed", format!("{} s", amount(plan.time_s))),
        fact("Ruler", ruler(&record.rulers.imul)),
        fact("Second ruler", ruler(&record.rulers.second)),
        fact("Contention", contention(record)),
        fact(
            "SHA-256 of the sequence",
            printable(&record.sequence.sha256),
        ),
    ];
    for (name, words) in [
        ("Features set", &plan.features),
        ("Configuration set", &plan.configs),
    ] {
        if !words.is_empty() {
            facts.push(fact(name, printable(&words.join(" "))));
        }
    }
    facts
}

/// Mitigations by name, as the kernel words them.
pub(super) fn mitigations(record: &Record) -> Vec<(String, String)> {
    record
        .machine
        .mitigations
        .iter()
        .map(|(name, text)| (printable(name), printable(text)))
        .collect()
}

/// What each history word means.
pub(super) fn history_meaning(word: HistoryWord) -> &'static str {
    match word {
        HistoryWord::Displaced => {
            "one chosen marker in the branch history is no longer visible to one indirect jump \
             behind a run"
        }
        HistoryWord::Kept => {
            "one chosen marker in the branch history is still visible to one indirect jump behind \
             a run"
        }
        HistoryWord::Unclear => "between visible and not visible",
        HistoryWord::NotMeasurable => "could not be measured here",
    }
}

fn ruler(ruler: &Option<Ruler>) -> String {
    ruler.as_ref().map_or_else(
        || "none: no cycles without one".to_owned(),
        |ruler| {
            format!(
                "{} links of {}, {} cycles each; {:.4} counter ticks a cycle",
                ruler.links,
                printable(&ruler.instruction),
                ruler.cycles_per_link,
                ruler.ticks_per_cycle
            )
        },
    )
}

fn contention(record: &Record) -> String {
    let floor = record.sentinel.floor_cycles.map_or_else(
        || "not learnt".to_owned(),
        |floor| format!("{} cycles", amount(floor)),
    );
    let contended = record
        .sentinel
        .contended_share
        .map_or_else(|| "not known".to_owned(), share);
    format!(
        "share of samples taken while the core was shared: {contended}; floor of the sentinel \
         ({} instructions): {floor}",
        record.sentinel.instructions
    )
}

fn fact(name: &'static str, value: String) -> Fact {
    Fact { name, value }
}
