//! What CPUID says of the core it runs on.

use raw_cpuid::{CpuId, CpuIdReader, CpuIdReaderNative, Hypervisor, cpuid};

use super::microarchitecture::{CoreType, Vendor};

/// CPUID's facts about one core. Leaf 1Ah differs between the cores of a hybrid part, so it must be
/// read on the core that is meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identity {
    /// As the CPU spells it: `GenuineIntel`.
    pub(super) vendor: String,
    /// As the CPU spells it, without the blanks some models put around it.
    pub(super) brand: String,
    pub(super) family: u32,
    pub(super) model: u32,
    pub(super) stepping: u32,
    /// Of hybrid parts only.
    pub(super) core_type: Option<CoreType>,
    pub(super) hypervisor: Option<String>,
    /// AMD's promise that `lfence` waits for all older instructions.
    pub(super) lfence_always_serialises: bool,
    /// TSC ticks a second as a hypervisor's leaf 4000_0010h has them.
    pub(super) hypervisor_tsc_hz: Option<f64>,
    /// TSC ticks a second by leaf 15h alone.
    pub(super) tsc_hz: Option<f64>,
}

/// Which kind of core this is, where there is more than one kind.
pub(super) fn kind() -> Option<CoreType> {
    let vendor = CpuId::new().get_vendor_info();
    core_type(
        CpuIdReaderNative,
        vendor.as_ref().map_or("", |info| info.as_str()),
    )
}

/// Reads this core.
pub(super) fn read() -> Identity {
    let id = CpuId::new();
    let vendor = id
        .get_vendor_info()
        .map(|info| info.as_str().to_owned())
        .unwrap_or_default();
    let (family, model, stepping) = signature(cpuid!(1).eax);
    let is_guest = id
        .get_feature_info()
        .is_some_and(|info| info.has_hypervisor());
    let hypervisor = if is_guest {
        Some(id.get_hypervisor_info().map_or_else(
            || "unknown hypervisor".to_owned(),
            |info| hypervisor_name(&info.identify()),
        ))
    } else {
        None
    };
    // Leaf 4000_0010h is VMware's, and others follow it; Hyper-V has something else there.
    let timing_leaf = hypervisor.as_deref().is_some_and(|name| name != "Hyper-V");
    Identity {
        brand: id
            .get_processor_brand_string()
            .map(|brand| brand.as_str().trim().to_owned())
            .unwrap_or_default(),
        family,
        model,
        stepping,
        core_type: core_type(CpuIdReaderNative, &vendor),
        lfence_always_serialises: extended(CpuIdReaderNative, 0x8000_0021)
            .is_some_and(|eax| eax & (1 << 2) != 0),
        hypervisor_tsc_hz: id
            .get_hypervisor_info()
            .filter(|_| timing_leaf)
            .and_then(|info| info.tsc_frequency())
            .filter(|khz| *khz != 0)
            .map(|khz| f64::from(khz) * 1e3),
        tsc_hz: id.get_tsc_info().and_then(|info| {
            leaf_15(
                info.denominator(),
                info.numerator(),
                info.nominal_frequency(),
            )
        }),
        vendor,
        hypervisor,
    }
}

/// Family, model and stepping from EAX of leaf 1, by the SDM's rules: the extended family counts
/// where the family is Fh, the extended model where it is 6 or Fh.
fn signature(eax: u32) -> (u32, u32, u32) {
    let (stepping, model, family) = (eax & 0xf, (eax >> 4) & 0xf, (eax >> 8) & 0xf);
    let (extended_model, extended_family) = ((eax >> 16) & 0xf, (eax >> 20) & 0xff);
    let full_model = if family == 6 || family == 0xf {
        (extended_model << 4) | model
    } else {
        model
    };
    let full_family = if family == 0xf {
        family + extended_family
    } else {
        family
    };
    (full_family, full_model, stepping)
}

/// Ticks a second by leaf 15h: the crystal's rate times numerator by denominator, where all three
/// are given.
fn leaf_15(denominator: u32, numerator: u32, crystal_hz: u32) -> Option<f64> {
    (denominator != 0 && numerator != 0 && crystal_hz != 0)
        .then(|| f64::from(crystal_hz) * f64::from(numerator) / f64::from(denominator))
}

/// EAX of an extended leaf, if the CPU has that leaf.
fn extended(reader: impl CpuIdReader, leaf: u32) -> Option<u32> {
    (reader.cpuid1(0x8000_0000).eax >= leaf).then(|| reader.cpuid1(leaf).eax)
}

/// Which kind of core this is, where there is more than one kind.
fn core_type(reader: impl CpuIdReader, vendor: &str) -> Option<CoreType> {
    let highest = reader.cpuid1(0).eax;
    match Vendor::from_signature(vendor) {
        Vendor::Intel if highest >= 0x1a => {
            // Leaf 7 EDX bit 15: hybrid part. Leaf 1Ah EAX 31..24: 20h Atom, 40h Core.
            if reader.cpuid2(7, 0).edx & (1 << 15) == 0 {
                return None;
            }
            match reader.cpuid2(0x1a, 0).eax >> 24 {
                0x20 => Some(CoreType::Efficient),
                0x40 => Some(CoreType::Performance),
                _ => None,
            }
        }
        Vendor::Amd if extended(reader.clone(), 0x8000_0026).is_some() => {
            // Leaf 8000_0026h EAX bit 30: heterogeneous cores; EBX 31..28: 0 performance, 1 efficiency.
            let leaf = reader.cpuid2(0x8000_0026, 0);
            if leaf.eax & (1 << 30) == 0 {
                return None;
            }
            match leaf.ebx >> 28 {
                0 => Some(CoreType::Performance),
                1 => Some(CoreType::Efficient),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The hypervisor's own spelling of its name.
fn hypervisor_name(hypervisor: &Hypervisor) -> String {
    match hypervisor {
        Hypervisor::Xen => "Xen".to_owned(),
        Hypervisor::VMware => "VMware".to_owned(),
        Hypervisor::HyperV => "Hyper-V".to_owned(),
        Hypervisor::KVM => "KVM".to_owned(),
        Hypervisor::QEMU => "QEMU (TCG)".to_owned(),
        Hypervisor::Bhyve => "bhyve".to_owned(),
        Hypervisor::QNX => "QNX".to_owned(),
        Hypervisor::ACRN => "ACRN".to_owned(),
        Hypervisor::Unknown(ebx, ecx, edx) => {
            let bytes: Vec<u8> = [ebx, ecx, edx]
                .into_iter()
                .flat_map(|word| word.to_le_bytes())
                .filter(|byte| byte.is_ascii_graphic())
                .collect();
            let name = String::from_utf8_lossy(&bytes).into_owned();
            if name.is_empty() {
                "unknown hypervisor".to_owned()
            } else {
                name
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use raw_cpuid::CpuIdResult;

    use super::*;

    #[test]
    fn extended_fields_count_as_the_manuals_say() {
        assert_eq!(signature(0x000c_06f2), (6, 0xcf, 2));
        assert_eq!(signature(0x0009_06ed), (6, 0x9e, 13));
        assert_eq!(signature(0x0080_0f11), (0x17, 0x01, 1));
        assert_eq!(signature(0x00a2_0f12), (0x19, 0x21, 2));
        assert_eq!(signature(0x00b4_0f40), (0x1a, 0x44, 0));
        // Neither extended field counts for family 5.
        assert_eq!(signature(0x00f0_0543), (5, 4, 3));
    }

    #[test]
    fn leaf_15_needs_all_three_of_its_numbers() {
        assert_eq!(leaf_15(2, 168, 25_000_000), Some(2.1e9));
        assert_eq!(leaf_15(2, 200, 0), None);
        assert_eq!(leaf_15(0, 200, 24_000_000), None);
    }

    /// A CPU with these answers; all others are zero.
    fn fake(leaves: &[(u32, CpuIdResult)]) -> impl CpuIdReader + use<> {
        let leaves = leaves.to_vec();
        move |leaf: u32, _: u32| {
            leaves.iter().find(|(number, _)| *number == leaf).map_or(
                CpuIdResult {
                    eax: 0,
                    ebx: 0,
                    ecx: 0,
                    edx: 0,
                },
                |(_, result)| *result,
            )
        }
    }

    const fn answer(eax: u32, ebx: u32, edx: u32) -> CpuIdResult {
        CpuIdResult {
            eax,
            ebx,
            ecx: 0,
            edx,
        }
    }

    #[test]
    fn core_types_are_read_where_parts_are_hybrid() {
        const HIGHEST: (u32, CpuIdResult) = (0, answer(0x20, 0, 0));
        const HYBRID: (u32, CpuIdResult) = (7, answer(0, 0, 1 << 15));
        let e = fake(&[HIGHEST, HYBRID, (0x1a, answer(0x2000_0001, 0, 0))]);
        assert_eq!(core_type(e, "GenuineIntel"), Some(CoreType::Efficient));
        let p = fake(&[HIGHEST, HYBRID, (0x1a, answer(0x4000_0001, 0, 0))]);
        assert_eq!(core_type(p, "GenuineIntel"), Some(CoreType::Performance));
        let uniform = fake(&[HIGHEST, (0x1a, answer(0x4000_0001, 0, 0))]);
        assert_eq!(core_type(uniform, "GenuineIntel"), None);
        let old = fake(&[(0, answer(0x16, 0, 0)), HYBRID]);
        assert_eq!(core_type(old, "GenuineIntel"), None);
        let dense = fake(&[
            (0x8000_0000, answer(0x8000_0028, 0, 0)),
            (0x8000_0026, answer(1 << 30, 1 << 28, 0)),
        ]);
        assert_eq!(core_type(dense, "AuthenticAMD"), Some(CoreType::Efficient));
    }

    #[test]
    fn a_strange_hypervisor_goes_by_its_signature() {
        let word = |text: &[u8; 4]| u32::from_le_bytes(*text);
        let name = hypervisor_name(&Hypervisor::Unknown(
            word(b"Myst"),
            word(b"eryV"),
            word(b"M\0\0\0"),
        ));
        assert_eq!(name, "MysteryVM");
        assert_eq!(
            hypervisor_name(&Hypervisor::Unknown(0, 0, 0)),
            "unknown hypervisor"
        );
    }

    #[test]
    fn this_core_says_who_it_is() {
        let here = read();
        assert!(!here.vendor.is_empty());
        assert!(here.family >= 5);
    }
}
