//! The machine that a script pretends to be: [`machine::Machine`]'s fields, each with a default.

use std::collections::BTreeMap;

use machine::{Clock, Machine, Reason, Ruler, Sentinel, TscSource};
use serde::Deserialize;

/// The facts.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Facts {
    pub(crate) vendor: String,
    pub(crate) brand: String,
    pub(crate) family: u32,
    pub(crate) model: u32,
    pub(crate) stepping: u32,
    pub(crate) microarchitecture: String,
    pub(crate) core_type: Option<String>,
    pub(crate) microcode: Option<String>,
    pub(crate) cores: u32,
    pub(crate) smt: Option<bool>,
    pub(crate) hypervisor: Option<String>,
    pub(crate) kernel: String,
    pub(crate) mitigations: BTreeMap<String, String>,
    pub(crate) features: Vec<String>,
    pub(crate) tsc_hz: f64,
    pub(crate) governor: Option<String>,
    pub(crate) cpu: u32,
    pub(crate) lfence_serialises: Option<bool>,
    pub(crate) jcc_erratum: bool,
    pub(crate) known_model: bool,
    /// Kinds of cores beside the first, where there are several.
    pub(crate) kinds: Vec<KindOfCore>,
    /// Name and why it cannot be had; null where it can.
    pub(crate) capabilities: BTreeMap<String, Option<String>>,
    /// Kind, message, advice.
    pub(crate) warnings: Vec<(String, String, String)>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            vendor: String::from("GenuineScript"),
            brand: String::from("Scripted CPU"),
            family: 6,
            model: 0xcf,
            stepping: 2,
            microarchitecture: String::from("scripted"),
            core_type: None,
            microcode: Some(String::from("0x1")),
            cores: 2,
            smt: Some(false),
            hypervisor: None,
            kernel: String::from("0.0.0-scripted"),
            mitigations: BTreeMap::new(),
            features: vec![String::from("sse2"), String::from("rdtscp")],
            tsc_hz: 2.0e9,
            governor: None,
            cpu: 1,
            lfence_serialises: Some(true),
            jcc_erratum: false,
            known_model: true,
            kinds: Vec::new(),
            capabilities: [(
                String::from("perf-events"),
                Some(String::from("a script has no performance counters")),
            )]
            .into(),
            warnings: Vec::new(),
        }
    }
}

/// A kind of core of which a script's machine has some.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KindOfCore {
    /// Its first CPU; the next kind's first ends it.
    pub(crate) from_cpu: u32,
    pub(crate) core_type: String,
    pub(crate) microarchitecture: String,
    /// Cycles of a link of the ruler.
    pub(crate) imul: f64,
}

impl Facts {
    /// The kind of a CPU; `None` for the first.
    fn kind(&self, cpu: u32) -> Option<&KindOfCore> {
        self.kinds.iter().rev().find(|kind| kind.from_cpu <= cpu)
    }

    /// A CPU of each kind.
    pub(crate) fn each_kind(&self) -> Vec<u32> {
        let others = self.kinds.iter().map(|kind| kind.from_cpu);
        std::iter::once(self.cpu).chain(others).collect()
    }

    /// Cycles of the ruler on a CPU.
    pub(crate) fn ruler_cycles(&self, cpu: u32) -> f64 {
        f64::from(RULER_LINKS) * self.kind(cpu).map_or(3.0, |kind| kind.imul)
    }

    /// As a backend tells them.
    pub(crate) fn machine(&self, cpu: Option<u32>) -> Machine {
        let cpu = cpu.unwrap_or(self.cpu);
        let kind = self.kind(cpu);
        let core_type = kind.map(|kind| kind.core_type.clone());
        let microarchitecture = kind.map(|kind| kind.microarchitecture.clone());
        let ruler = |instruction: &str, links, cycles_per_link| Ruler {
            instruction: instruction.to_owned(),
            links,
            cycles_per_link,
            known_model: self.known_model,
        };
        Machine {
            vendor: self.vendor.clone(),
            brand: self.brand.clone(),
            family: self.family,
            model: self.model,
            stepping: self.stepping,
            microarchitecture: microarchitecture.unwrap_or_else(|| self.microarchitecture.clone()),
            core_type: core_type.or_else(|| self.core_type.clone()),
            microcode: self.microcode.clone(),
            cores: self.cores,
            smt: self.smt,
            hypervisor: self.hypervisor.clone(),
            kernel: self.kernel.clone(),
            mitigations: self.mitigations.clone(),
            features: self.features.clone(),
            clock: Clock {
                tsc_hz: self.tsc_hz,
                source: TscSource::Cpuid,
            },
            governor: self.governor.clone(),
            cpu,
            store_bypass: None,
            indirect_branch: None,
            lfence_serialises: self.lfence_serialises,
            jcc_erratum: self.jcc_erratum,
            ruler: ruler("imul", RULER_LINKS, kind.map_or(3.0, |kind| kind.imul)),
            second_ruler: Some(ruler("crc32", RULER_LINKS, 3.0)),
            sentinel: Sentinel {
                instructions: 1200,
                least_cycles: Some(200.0),
            },
            capabilities: self
                .capabilities
                .iter()
                .map(|(name, reason)| (name.clone(), reason.clone().map(Reason)))
                .collect(),
            warnings: self.warnings.clone(),
        }
    }
}

/// Links by which the ruler's two lengths differ.
pub(crate) const RULER_LINKS: u32 = 600;
