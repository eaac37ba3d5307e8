//! What the kernel says of the machine, in `/proc` and `/sys`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// One processor's block of `/proc/cpuinfo`: the few lines that are of use here.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct CpuInfo {
    pub(super) microcode: Option<String>,
    /// In the kernel's order.
    pub(super) flags: Vec<String>,
}

/// The contents of a one-line file, without the line's end; `None` where there is no such file or
/// nothing in it.
pub(crate) fn line(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads a CPU's block of `/proc/cpuinfo`.
pub(super) fn cpu_info(cpu: u32) -> CpuInfo {
    parse_cpu_info(
        &fs::read_to_string("/proc/cpuinfo").unwrap_or_default(),
        cpu,
    )
}

/// Blocks are separated by blank lines; a CPU without a block has the facts of the first.
fn parse_cpu_info(text: &str, cpu: u32) -> CpuInfo {
    let field = |block: &str, name: &str| {
        block.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    };
    let wanted = cpu.to_string();
    let block = text
        .split("\n\n")
        .find(|block| field(block, "processor").as_deref() == Some(wanted.as_str()))
        .or_else(|| text.split("\n\n").next())
        .unwrap_or_default();
    CpuInfo {
        microcode: field(block, "microcode"),
        flags: field(block, "flags")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    }
}

/// Parses the kernel's list format: `0-3,8,10-11`.
pub(crate) fn parse_cpu_list(text: &str) -> Vec<u32> {
    text.trim()
        .split(',')
        .filter_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
        })
        .flatten()
        .collect()
}

/// Writes numbers in the kernel's list format.
pub(super) fn cpu_list(cpus: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    parts.join(",")
}

/// Physical cores that are online: hardware threads of one core share a package and a core number.
pub(super) fn physical_cores() -> u32 {
    let online = line("/sys/devices/system/cpu/online").unwrap_or_default();
    let cpus = parse_cpu_list(&online);
    let cores: BTreeSet<(String, String)> = cpus
        .iter()
        .filter_map(|cpu| {
            let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
            Some((
                line(format!("{topology}/physical_package_id"))?,
                line(format!("{topology}/core_id"))?,
            ))
        })
        .collect();
    let count = if cores.is_empty() {
        cpus.len().max(1)
    } else {
        cores.len()
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Hardware threads that share this CPU's core, itself not included.
pub(crate) fn siblings(cpu: u32) -> Vec<u32> {
    line(format!(
        "/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
    ))
    .map(|text| parse_cpu_list(&text))
    .unwrap_or_default()
    .into_iter()
    .filter(|sibling| *sibling != cpu)
    .collect()
}

/// Whether hardware threads share cores; `None` where the kernel does not say.
pub(super) fn smt() -> Option<bool> {
    line("/sys/devices/system/cpu/smt/active").map(|text| text == "1")
}

/// The frequency governor, where there is frequency scaling.
pub(super) fn governor(cpu: u32) -> Option<String> {
    line(format!(
        "/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor"
    ))
}

/// Whether the CPU may run above its base frequency; `None` where the kernel has no such switch.
pub(super) fn turbo() -> Option<bool> {
    line("/sys/devices/system/cpu/intel_pstate/no_turbo")
        .map(|text| text == "0")
        .or_else(|| line("/sys/devices/system/cpu/cpufreq/boost").map(|text| text == "1"))
}

/// Processes that were ready to run, on average over the last minute.
pub(super) fn load() -> Option<f64> {
    parse_load(&line("/proc/loadavg")?)
}

fn parse_load(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// The kernel's release and version, as `uname -rv` has them.
pub(super) fn kernel() -> String {
    let part = |name: &str| line(format!("/proc/sys/kernel/{name}")).unwrap_or_default();
    format!("{} {}", part("osrelease"), part("version"))
        .trim()
        .to_owned()
}

/// File name and text of each file in `/sys/devices/system/cpu/vulnerabilities`.
pub(super) fn mitigations() -> BTreeMap<String, String> {
    let Ok(files) = fs::read_dir("/sys/devices/system/cpu/vulnerabilities") else {
        return BTreeMap::new();
    };
    files
        .filter_map(|file| {
            let file = file.ok()?;
            Some((file.file_name().into_string().ok()?, line(file.path())?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: A\nmicrocode\t: 0x1\nflags\t\t: fpu vme sse\n\
                           bugs\t\t: bhi\n\nprocessor\t: 1\nmicrocode\t: 0x2\nflags\t\t: fpu\n\n";

    #[test]
    fn each_cpu_has_its_own_block() {
        let first = parse_cpu_info(CPUINFO, 0);
        assert_eq!(first.microcode.as_deref(), Some("0x1"));
        assert_eq!(first.flags, ["fpu", "vme", "sse"]);
        assert_eq!(parse_cpu_info(CPUINFO, 1).microcode.as_deref(), Some("0x2"));
        assert_eq!(parse_cpu_info(CPUINFO, 7), first);
        assert_eq!(parse_cpu_info("", 0), CpuInfo::default());
    }

    #[test]
    fn lists_are_read_and_written_as_the_kernel_does() {
        assert_eq!(parse_cpu_list("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(parse_cpu_list(""), [0u32; 0]);
        assert_eq!(cpu_list(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!(cpu_list(&[5]), "5");
        assert_eq!(cpu_list(&[]), "");
    }

    #[test]
    fn the_load_is_the_first_number() {
        assert_eq!(parse_load("1.25 0.50 0.10 2/80 1234"), Some(1.25));
        assert_eq!(parse_load(""), None);
    }
}
