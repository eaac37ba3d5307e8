//! The first lines of every output: what was run, on what, how, and what is wrong with it.

use record::{Counter, Machine, Record, Status, Warning};

use crate::number::share;
use crate::text::count;

/// `clear_bhb_loop  OUTER=5 INNER=5`: the name and the params that all variants share.
pub(crate) fn title(record: &Record) -> String {
    let (common, _) = record.common_params();
    let params: Vec<String> = common
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{}  {}", record.sequence.name, params.join(" "))
        .trim_end()
        .to_owned()
}

/// `Intel Xeon (Emerald Rapids, 06-cf-02), KVM guest`.
pub(crate) fn machine(machine: &Machine) -> String {
    let mut inside = vec![];
    if machine.microarchitecture.is_empty() {
        inside.push("unknown microarchitecture".to_owned());
    } else {
        inside.push(machine.microarchitecture.clone());
    }
    inside.extend(machine.core_type.clone());
    inside.push(format!(
        "{:02x}-{:02x}-{:02x}",
        machine.family, machine.model, machine.stepping
    ));
    let mut text = format!("{} ({})", brand(machine), inside.join(", "));
    if let Some(hypervisor) = &machine.hypervisor {
        text.push_str(&format!(", {hypervisor} guest"));
    }
    text
}

/// The brand without marks, filler words and the clock's rate, which is not what it ran at.
fn brand(machine: &Machine) -> String {
    let brand = machine.brand.replace("(R)", " ").replace("(TM)", " ");
    let brand = brand.split('@').next().unwrap_or("");
    let words: Vec<&str> = brand
        .split_whitespace()
        .filter(|word| !matches!(*word, "CPU" | "Processor"))
        .collect();
    if words.is_empty() {
        machine.vendor.clone()
    } else {
        words.join(" ")
    }
}

/// As [`machine`], with the counters' state and the CPU.
pub(crate) fn machine_of(record: &Record) -> String {
    let mut text = machine(&record.machine);
    if has_no_counters(record) {
        text.push_str(", no PMU");
    }
    text.push_str(&format!(", cpu {}", record.machine.cpu));
    text
}

/// Whether counters were asked for and none gave a number.
fn has_no_counters(record: &Record) -> bool {
    let mut counters = record
        .variants
        .iter()
        .flat_map(|variant| variant.measures.values())
        .flat_map(|measure| measure.counters.values())
        .peekable();
    counters.peek().is_some() && counters.all(|counter| matches!(counter, Counter::Error { .. }))
}

/// `4 workers, 240 rounds, 11% contended dropped, cycles from imul ruler`.
pub(crate) fn run(record: &Record) -> String {
    let mut parts = vec![
        count(u64::from(record.plan.workers), "worker", "workers"),
        count(u64::from(record.plan.rounds), "round", "rounds"),
    ];
    if record.plan.layouts > 1 {
        parts.push(format!("{} layouts", record.plan.layouts));
    }
    if let Some(contended) = record.sentinel.contended_share {
        let never_ours = record
            .warnings
            .iter()
            .any(|warning| warning.kind == Warning::CONTENDED);
        let kept = if never_ours { "and kept" } else { "dropped" };
        parts.push(format!("{} contended {kept}", share(contended)));
    }
    parts.push(match &record.rulers.imul {
        Some(ruler) => format!("cycles from {} ruler", ruler.instruction),
        None => "no ruler".to_owned(),
    });
    parts.join(", ")
}

/// What concerns every number: told before them. Each is a sentence or two.
pub(crate) fn degraded(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    if !record.complete {
        lines.push("INCOMPLETE: the run was cut short or still goes on.".to_owned());
    }
    let measured = record
        .variants
        .iter()
        .filter(|variant| variant.status == Status::Measured)
        .count();
    if measured == 0 {
        lines.push("NOTHING MEASURED: no variant was run to its end.".to_owned());
    } else if record.rulers.imul.is_none() {
        lines.push("NO RULER: nothing tells what a cycle is, so there are none.".to_owned());
    }
    for warning in record.warnings.iter().filter(|warning| warning.degrades()) {
        lines.push(format!(
            "{}: {}",
            warning.kind.to_uppercase(),
            advised(warning)
        ));
    }
    lines
}

/// A warning with its advice.
pub(crate) fn advised(warning: &Warning) -> String {
    if warning.advice.is_empty() {
        warning.message.clone()
    } else {
        format!("{}; {}", warning.message, warning.advice)
    }
}
