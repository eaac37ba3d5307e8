//! The machine and the clocks of a record.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What machine a record comes from. In a guest, the hypervisor may have invented some of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Machine {
    /// `GenuineIntel` and the like, from CPUID.
    pub vendor: String,
    /// The brand string, from CPUID.
    pub brand: String,
    /// Display family.
    pub family: u32,
    /// Display model.
    pub model: u32,
    /// Stepping.
    pub stepping: u32,
    /// Name of the core's design (`Emerald Rapids`); empty where the model is unknown.
    pub microarchitecture: String,
    /// Kind of core on a hybrid part.
    pub core_type: Option<String>,
    /// Microcode revision, `0x...`.
    pub microcode: Option<String>,
    /// Logical CPUs.
    pub cores: u32,
    /// Whether the core has a sibling thread that is online.
    pub smt: Option<bool>,
    /// Hypervisor, where there is one.
    pub hypervisor: Option<String>,
    /// Kernel release.
    pub kernel: String,
    /// File name in `/sys/devices/system/cpu/vulnerabilities` and its text.
    pub mitigations: BTreeMap<String, String>,
    /// CPU features in `/proc/cpuinfo`'s spelling.
    pub features: Vec<String>,
    /// Rate of the time-stamp counter, ticks a second.
    pub tsc_hz: f64,
    /// How that rate is known.
    pub tsc_source: TscSource,
    /// cpufreq governor.
    pub governor: Option<String>,
    /// CPU that the measurement ran on.
    pub cpu: u32,
    /// State of speculation controls in the worker.
    pub speculation: Speculation,
    /// Whether `lfence` was seen to serialise.
    pub lfence_serialises: Option<bool>,
    /// Length of the branch history in taken branches, where probed.
    pub history_length: Option<u32>,
}

/// How the rate of the time-stamp counter is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TscSource {
    /// CPUID leaf 0x15 or a hypervisor's leaf.
    Cpuid,
    /// The kernel's own figure.
    Kernel,
    /// Timed against `CLOCK_MONOTONIC_RAW`.
    #[default]
    Calibrated,
}

/// Speculation controls in force in the worker, in the words of
/// `/proc/PID/status`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Speculation {
    /// Speculative store bypass.
    pub store_bypass: Option<String>,
    /// Indirect branch speculation.
    pub indirect_branch: Option<String>,
}

/// The two rulers by which ticks become cycles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Rulers {
    /// The main one: dependent `imul`s. `null` where nothing was timed.
    pub imul: Option<Ruler>,
    /// One of another kind, which must agree.
    pub second: Option<Ruler>,
}

/// A dependent chain of known latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ruler {
    /// The instruction it is made of.
    pub instruction: String,
    /// Links by which its two lengths differ: a sample's `ruler_ticks` are the ticks of so many.
    pub links: u32,
    /// Cycles a link takes on this model.
    pub cycles_per_link: f64,
    /// TSC ticks to a core cycle, over the whole run.
    pub ticks_per_cycle: f64,
}

/// The width-bound piece of code that tells whether the core was ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Sentinel {
    /// Instructions in it.
    pub instructions: u32,
    /// Cycles it takes on a core that nobody else uses, as learnt.
    pub floor_cycles: Option<f64>,
    /// Share of all samples, 0 to 1, beside which it took longer.
    pub contended_share: Option<f64>,
}

/// Something that this machine can or cannot do: `true`, or why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Capability {
    /// It can. Always `true`.
    Yes(#[schemars(extend("const" = true))] bool),
    /// It cannot, for this reason.
    No {
        /// The reason, in words.
        reason: String,
    },
}
