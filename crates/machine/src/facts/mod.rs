//! What this machine is: read, never changed.

mod affinity;
mod capabilities;
mod clock;
mod features;
mod identity;
mod kinds;
mod lfence;
mod linux;
mod microarchitecture;
mod rulers;
mod shadow_stack;
mod speculation;
mod warnings;

pub(crate) use affinity::{allowed_cpus, choose_cpu};
pub(crate) use features::missing_features;
pub(crate) use kinds::one_of_each_kind;
pub(crate) use linux::{line, parse_cpu_list, siblings};
pub(crate) use speculation::speculation;

use crate::api::{Error, Machine};
use identity::Identity;
use microarchitecture::Microarchitecture;

/// All facts of the machine, as they are on this CPU. Takes some milliseconds, most of them for
/// checking the TSC's rate.
///
/// # Errors
/// Where the process may not run on this CPU.
pub(crate) fn machine(cpu: u32) -> Result<Machine, Error> {
    // Some facts differ from core to core, and timing must not be moved about.
    let (identity, clock, lfence_serialises) = affinity::on_cpu(cpu, || {
        let identity = identity::read();
        let clock = clock::clock(&identity);
        let lfence_serialises = lfence::serialises(&identity);
        (identity, clock, lfence_serialises)
    })?;
    let cpu_info = linux::cpu_info(cpu);
    let microarchitecture = name(&identity);
    let (ruler, second_ruler) = rulers::rulers(microarchitecture.core, |flag| {
        cpu_info.flags.iter().any(|have| have == flag)
    });
    let jcc_erratum = microarchitecture::has_jcc_erratum(
        &identity.vendor,
        identity.family,
        identity.model,
        identity.stepping,
    );
    let smt = linux::smt();
    let governor = linux::governor(cpu);
    let speculation = speculation(None);
    let warnings = warnings::warnings(&warnings::Facts {
        microarchitecture: &microarchitecture.name,
        ruler_known: ruler.known_model,
        hybrid_kind_hidden: microarchitecture.is_hybrid
            && identity.core_type.is_none()
            && identity.hypervisor.is_some(),
        hypervisor: identity.hypervisor.as_deref(),
        governor: governor.as_deref(),
        turbo: linux::turbo(),
        cpu,
        smt,
        siblings: &siblings(cpu),
        load: linux::load(),
        cpus: u32::try_from(allowed_cpus().len()).unwrap_or(u32::MAX),
        flags: &cpu_info.flags,
        lfence_serialises,
    });
    Ok(Machine {
        capabilities: capabilities::capabilities(identity.hypervisor.as_deref()),
        vendor: identity.vendor,
        brand: identity.brand,
        family: identity.family,
        model: identity.model,
        stepping: identity.stepping,
        microarchitecture: microarchitecture.name,
        core_type: identity.core_type.map(|kind| kind.letter().to_owned()),
        microcode: cpu_info.microcode,
        cores: linux::physical_cores(),
        smt,
        hypervisor: identity.hypervisor,
        kernel: linux::kernel(),
        mitigations: linux::mitigations(),
        features: cpu_info.flags,
        clock,
        governor,
        cpu,
        store_bypass: speculation.store_bypass,
        indirect_branch: speculation.indirect_branch,
        lfence_serialises,
        jcc_erratum,
        ruler,
        second_ruler,
        sentinel: rulers::sentinel(microarchitecture.core),
        warnings,
    })
}

fn name(identity: &Identity) -> Microarchitecture {
    microarchitecture::identify(
        &identity.vendor,
        identity.family,
        identity.model,
        identity.stepping,
        identity.core_type,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_facts() {
        let cpu = choose_cpu(None).expect("some CPU is allowed");
        let machine = machine(cpu).expect("an allowed CPU");
        assert_eq!(machine.cpu, cpu);
        assert!(!machine.vendor.is_empty());
        assert!(!machine.microarchitecture.is_empty());
        assert!(machine.cores >= 1);
        assert!(machine.kernel.contains('.'), "{}", machine.kernel);
        assert!(machine.features.iter().any(|flag| flag == "sse2"));
        assert!((1e8..2e10).contains(&machine.clock.tsc_hz));
        assert!((1.0..=6.0).contains(&machine.ruler.cycles_per_link));
        if machine.hypervisor.is_some() {
            assert!(
                machine
                    .warnings
                    .iter()
                    .any(|(kind, ..)| kind == "hypervisor")
            );
        }
    }

    #[test]
    fn a_cpu_that_is_not_there_is_an_error() {
        assert!(machine(1023).is_err());
    }
}
