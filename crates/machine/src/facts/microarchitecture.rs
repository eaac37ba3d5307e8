//! From vendor, family, model and core type to the names that the field uses.
//!
//! Two names matter: the one people know a machine by (`Emerald Rapids`, `Zen 4`), which goes into
//! records, and the design of the core itself ([`Core`]), which latencies depend on.

/// The vendor string of CPUID leaf 0, sorted out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vendor {
    Intel,
    Amd,
    Hygon,
    /// Any other: nothing is known about its cores.
    Other,
}

impl Vendor {
    /// Sorts out CPUID's vendor string.
    pub(super) fn from_signature(signature: &str) -> Self {
        match signature {
            "GenuineIntel" => Self::Intel,
            "AuthenticAMD" => Self::Amd,
            "HygonGenuine" => Self::Hygon,
            _ => Self::Other,
        }
    }
}

/// Kind of a core of a hybrid part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoreType {
    Performance,
    Efficient,
}

impl CoreType {
    /// `P` or `E`, as records have it.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Performance => "P",
            Self::Efficient => "E",
        }
    }
}

/// Design of a core: what latencies and widths go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Core {
    Nehalem,
    SandyBridge,
    Haswell,
    Broadwell,
    Skylake,
    PalmCove,
    SunnyCove,
    GoldenCove,
    RedwoodCove,
    LionCove,
    CougarCove,
    Silvermont,
    Goldmont,
    Tremont,
    Gracemont,
    Crestmont,
    Skymont,
    Darkmont,
    Zen1,
    Zen2,
    Zen3,
    Zen4,
    Zen5,
    Zen6,
}

impl Core {
    /// All of them.
    #[cfg(test)]
    pub(super) const ALL: [Self; 24] = [
        Self::Nehalem,
        Self::SandyBridge,
        Self::Haswell,
        Self::Broadwell,
        Self::Skylake,
        Self::PalmCove,
        Self::SunnyCove,
        Self::GoldenCove,
        Self::RedwoodCove,
        Self::LionCove,
        Self::CougarCove,
        Self::Silvermont,
        Self::Goldmont,
        Self::Tremont,
        Self::Gracemont,
        Self::Crestmont,
        Self::Skymont,
        Self::Darkmont,
        Self::Zen1,
        Self::Zen2,
        Self::Zen3,
        Self::Zen4,
        Self::Zen5,
        Self::Zen6,
    ];

    /// Its name, as E-cores are called by in records.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nehalem => "Nehalem",
            Self::SandyBridge => "Sandy Bridge",
            Self::Haswell => "Haswell",
            Self::Broadwell => "Broadwell",
            Self::Skylake => "Skylake",
            Self::PalmCove => "Palm Cove",
            Self::SunnyCove => "Sunny Cove",
            Self::GoldenCove => "Golden Cove",
            Self::RedwoodCove => "Redwood Cove",
            Self::LionCove => "Lion Cove",
            Self::CougarCove => "Cougar Cove",
            Self::Silvermont => "Silvermont",
            Self::Goldmont => "Goldmont",
            Self::Tremont => "Tremont",
            Self::Gracemont => "Gracemont",
            Self::Crestmont => "Crestmont",
            Self::Skymont => "Skymont",
            Self::Darkmont => "Darkmont",
            Self::Zen1 => "Zen",
            Self::Zen2 => "Zen 2",
            Self::Zen3 => "Zen 3",
            Self::Zen4 => "Zen 4",
            Self::Zen5 => "Zen 5",
            Self::Zen6 => "Zen 6",
        }
    }
}

/// What a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Microarchitecture {
    /// For records and folders: `Emerald Rapids`; an E-core of a hybrid part goes by its own name,
    /// since nothing measured on it compares with its neighbours of the other kind.
    pub(super) name: String,
    /// Design of the core, where it is known.
    pub(super) core: Option<Core>,
    /// Whether parts of this model have two kinds of cores.
    pub(super) is_hybrid: bool,
}

/// First and last model, both inclusive.
type Models = (u32, u32);

/// One row: models of a family, the name, the core, and the small core of hybrid parts.
type Row = (Models, &'static str, Core, Option<Core>);

/// One model alone.
const fn one(model: u32) -> Models {
    (model, model)
}

/// Intel family 6. The numbers and the names are those of the kernel's `intel-family.h` and of the
/// SDM, volume 4, table 2-1.
const INTEL_6: &[Row] = &[
    (one(0x1a), "Nehalem", Core::Nehalem, None),
    (one(0x1e), "Nehalem", Core::Nehalem, None),
    (one(0x1f), "Nehalem", Core::Nehalem, None),
    (one(0x2e), "Nehalem", Core::Nehalem, None),
    (one(0x25), "Westmere", Core::Nehalem, None),
    (one(0x2c), "Westmere", Core::Nehalem, None),
    (one(0x2f), "Westmere", Core::Nehalem, None),
    (one(0x2a), "Sandy Bridge", Core::SandyBridge, None),
    (one(0x2d), "Sandy Bridge", Core::SandyBridge, None),
    (one(0x3a), "Ivy Bridge", Core::SandyBridge, None),
    (one(0x3e), "Ivy Bridge", Core::SandyBridge, None),
    (one(0x3c), "Haswell", Core::Haswell, None),
    (one(0x3f), "Haswell", Core::Haswell, None),
    (one(0x45), "Haswell", Core::Haswell, None),
    (one(0x46), "Haswell", Core::Haswell, None),
    (one(0x3d), "Broadwell", Core::Broadwell, None),
    (one(0x47), "Broadwell", Core::Broadwell, None),
    (one(0x4f), "Broadwell", Core::Broadwell, None),
    (one(0x56), "Broadwell", Core::Broadwell, None),
    (one(0x4e), "Skylake", Core::Skylake, None),
    (one(0x5e), "Skylake", Core::Skylake, None),
    // 0x55, 0x8e and 0x9e are sorted out by stepping below.
    (one(0xa5), "Comet Lake", Core::Skylake, None),
    (one(0xa6), "Comet Lake", Core::Skylake, None),
    (one(0x66), "Cannon Lake", Core::PalmCove, None),
    (one(0x7d), "Ice Lake", Core::SunnyCove, None),
    (one(0x7e), "Ice Lake", Core::SunnyCove, None),
    (one(0x6a), "Ice Lake", Core::SunnyCove, None),
    (one(0x6c), "Ice Lake", Core::SunnyCove, None),
    // Willow Cove and Cypress Cove are Sunny Cove with other caches or on another process.
    (one(0x8c), "Tiger Lake", Core::SunnyCove, None),
    (one(0x8d), "Tiger Lake", Core::SunnyCove, None),
    (one(0xa7), "Rocket Lake", Core::SunnyCove, None),
    (one(0x8a), "Lakefield", Core::SunnyCove, Some(Core::Tremont)),
    (
        one(0x97),
        "Alder Lake",
        Core::GoldenCove,
        Some(Core::Gracemont),
    ),
    (
        one(0x9a),
        "Alder Lake",
        Core::GoldenCove,
        Some(Core::Gracemont),
    ),
    (one(0xbe), "Gracemont", Core::Gracemont, None),
    (
        one(0xb7),
        "Raptor Lake",
        Core::GoldenCove,
        Some(Core::Gracemont),
    ),
    (
        one(0xba),
        "Raptor Lake",
        Core::GoldenCove,
        Some(Core::Gracemont),
    ),
    (
        one(0xbf),
        "Raptor Lake",
        Core::GoldenCove,
        Some(Core::Gracemont),
    ),
    (one(0xd7), "Bartlett Lake", Core::GoldenCove, None),
    (
        one(0xaa),
        "Meteor Lake",
        Core::RedwoodCove,
        Some(Core::Crestmont),
    ),
    (
        one(0xac),
        "Meteor Lake",
        Core::RedwoodCove,
        Some(Core::Crestmont),
    ),
    // Arrow Lake U is Meteor Lake on another process; only H and S have the newer cores.
    (
        one(0xb5),
        "Arrow Lake U",
        Core::RedwoodCove,
        Some(Core::Crestmont),
    ),
    (one(0xc5), "Arrow Lake", Core::LionCove, Some(Core::Skymont)),
    (one(0xc6), "Arrow Lake", Core::LionCove, Some(Core::Skymont)),
    (one(0xbd), "Lunar Lake", Core::LionCove, Some(Core::Skymont)),
    (
        one(0xcc),
        "Panther Lake",
        Core::CougarCove,
        Some(Core::Darkmont),
    ),
    (one(0x8f), "Sapphire Rapids", Core::GoldenCove, None),
    (one(0xcf), "Emerald Rapids", Core::GoldenCove, None),
    (one(0xad), "Granite Rapids", Core::RedwoodCove, None),
    (one(0xae), "Granite Rapids", Core::RedwoodCove, None),
    (one(0xaf), "Sierra Forest", Core::Crestmont, None),
    (one(0xb6), "Grand Ridge", Core::Crestmont, None),
    (one(0xdd), "Clearwater Forest", Core::Darkmont, None),
    (one(0x37), "Silvermont", Core::Silvermont, None),
    (one(0x4a), "Silvermont", Core::Silvermont, None),
    (one(0x4d), "Silvermont", Core::Silvermont, None),
    (one(0x5a), "Silvermont", Core::Silvermont, None),
    (one(0x4c), "Airmont", Core::Silvermont, None),
    (one(0x5c), "Goldmont", Core::Goldmont, None),
    (one(0x5f), "Goldmont", Core::Goldmont, None),
    (one(0x7a), "Goldmont Plus", Core::Goldmont, None),
    (one(0x86), "Tremont", Core::Tremont, None),
    (one(0x96), "Tremont", Core::Tremont, None),
    (one(0x9c), "Tremont", Core::Tremont, None),
];

/// AMD by ranges of models, as the kernel's `amd.c` splits them; Zen+ by its single models.
const AMD_17: &[Row] = &[
    (one(0x08), "Zen+", Core::Zen1, None),
    (one(0x18), "Zen+", Core::Zen1, None),
    ((0x00, 0x2f), "Zen", Core::Zen1, None),
    ((0x50, 0x5f), "Zen", Core::Zen1, None),
    ((0x30, 0x4f), "Zen 2", Core::Zen2, None),
    ((0x60, 0x7f), "Zen 2", Core::Zen2, None),
    ((0x80, 0x91), "Zen 2", Core::Zen2, None),
    ((0xa0, 0xaf), "Zen 2", Core::Zen2, None),
];

/// Family 19h.
const AMD_19: &[Row] = &[
    ((0x00, 0x0f), "Zen 3", Core::Zen3, None),
    ((0x20, 0x5f), "Zen 3", Core::Zen3, None),
    ((0x10, 0x1f), "Zen 4", Core::Zen4, None),
    ((0x60, 0xaf), "Zen 4", Core::Zen4, None),
];

/// Family 1Ah.
const AMD_1A: &[Row] = &[
    ((0x00, 0x2f), "Zen 5", Core::Zen5, None),
    ((0x40, 0x4f), "Zen 5", Core::Zen5, None),
    ((0x60, 0x7f), "Zen 5", Core::Zen5, None),
    ((0x50, 0x5f), "Zen 6", Core::Zen6, None),
    ((0x80, 0xaf), "Zen 6", Core::Zen6, None),
    ((0xc0, 0xcf), "Zen 6", Core::Zen6, None),
];

/// Family 18h, a licensed first Zen.
const HYGON_18: &[Row] = &[((0x00, 0x0f), "Dhyana", Core::Zen1, None)];

/// The three models that Intel used for several generations of the same core.
fn intel_by_stepping(model: u32, stepping: u32) -> Option<&'static str> {
    Some(match (model, stepping) {
        (0x55, 0..=4) => "Skylake",
        (0x55, 5..=7) => "Cascade Lake",
        (0x55, _) => "Cooper Lake",
        (0x8e, 0..=9) | (0x9e, 0..=9) => "Kaby Lake",
        (0x8e, 0xa) | (0x9e, _) => "Coffee Lake",
        (0x8e, 0xb) => "Whiskey Lake",
        (0x8e, _) => "Comet Lake",
        _ => return None,
    })
}

/// Models and steppings with the erratum on jumps at 32-byte boundaries (SKX102 and its namesakes),
/// whose microcode keeps 32-byte blocks with such a jump out of the cache of decoded instructions:
/// Intel, "Mitigations for Jump Conditional Code Erratum" (November 2019), table of affected
/// processors. Only Skylake's core and its heirs up to Comet Lake; Cooper Lake has it no more.
const JCC_ERRATUM: &[(u32, std::ops::RangeInclusive<u32>)] = &[
    (0x4e, 0x3..=0x3),
    (0x5e, 0x3..=0x3),
    (0x55, 0x4..=0x7),
    (0x8e, 0x9..=0xc),
    (0x9e, 0x9..=0xd),
    (0xa6, 0x0..=0x0),
    (0xae, 0xa..=0xa),
];

/// Whether a model has the erratum on jumps at 32-byte boundaries.
pub(super) fn has_jcc_erratum(signature: &str, family: u32, model: u32, stepping: u32) -> bool {
    Vendor::from_signature(signature) == Vendor::Intel
        && family == 6
        && JCC_ERRATUM
            .iter()
            .any(|(with, steppings)| *with == model && steppings.contains(&stepping))
}

/// Names a model. What is in no table is called by its numbers: `Unknown GenuineIntel 06-xx`.
pub(super) fn identify(
    signature: &str,
    family: u32,
    model: u32,
    stepping: u32,
    core_type: Option<CoreType>,
) -> Microarchitecture {
    let vendor = Vendor::from_signature(signature);
    if vendor == Vendor::Intel
        && family == 6
        && let Some(name) = intel_by_stepping(model, stepping)
    {
        return Microarchitecture {
            name: name.to_owned(),
            core: Some(Core::Skylake),
            is_hybrid: false,
        };
    }
    let rows: &[Row] = match (vendor, family) {
        (Vendor::Intel, 6) => INTEL_6,
        (Vendor::Amd, 0x17) => AMD_17,
        (Vendor::Amd, 0x19) => AMD_19,
        (Vendor::Amd, 0x1a) => AMD_1A,
        (Vendor::Hygon, 0x18) => HYGON_18,
        _ => &[],
    };
    // The first row that fits: single models stand before the ranges they lie in.
    let row = rows
        .iter()
        .find(|((first, last), ..)| (*first..=*last).contains(&model));
    match row {
        Some((_, _, _, Some(small))) if core_type == Some(CoreType::Efficient) => {
            Microarchitecture {
                name: small.name().to_owned(),
                core: Some(*small),
                is_hybrid: true,
            }
        }
        Some((_, name, core, small)) => Microarchitecture {
            name: (*name).to_owned(),
            core: Some(*core),
            is_hybrid: small.is_some(),
        },
        None => Microarchitecture {
            name: format!("Unknown {signature} {family:02x}-{model:02x}"),
            core: None,
            is_hybrid: false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        signature: &str,
        (family, model, stepping): (u32, u32, u32),
        core_type: Option<CoreType>,
        name: &str,
        core: Option<Core>,
    ) {
        let found = identify(signature, family, model, stepping, core_type);
        assert_eq!(
            (found.name.as_str(), found.core),
            (name, core),
            "{signature} {family:02x}-{model:02x}-{stepping:02x}"
        );
    }

    #[test]
    fn intel_servers_go_by_their_own_name() {
        check(
            "GenuineIntel",
            (6, 0xcf, 2),
            None,
            "Emerald Rapids",
            Some(Core::GoldenCove),
        );
        check(
            "GenuineIntel",
            (6, 0x8f, 8),
            None,
            "Sapphire Rapids",
            Some(Core::GoldenCove),
        );
        check(
            "GenuineIntel",
            (6, 0xad, 1),
            None,
            "Granite Rapids",
            Some(Core::RedwoodCove),
        );
        check(
            "GenuineIntel",
            (6, 0x1a, 5),
            None,
            "Nehalem",
            Some(Core::Nehalem),
        );
    }

    #[test]
    fn skylake_and_its_heirs_have_the_jump_erratum() {
        let has = |model, stepping| has_jcc_erratum("GenuineIntel", 6, model, stepping);
        assert!(has(0x5e, 3));
        assert!(has(0x55, 4) && has(0x55, 7));
        assert!(!has(0x55, 11), "Cooper Lake");
        assert!(has(0x9e, 13));
        for (model, stepping) in [(0x3c, 3), (0x7e, 5), (0xcf, 2), (0x97, 2)] {
            assert!(!has(model, stepping), "{model:x}");
        }
        assert!(!has_jcc_erratum("AuthenticAMD", 6, 0x5e, 3));
    }

    #[test]
    fn skylake_and_its_heirs_differ_by_stepping() {
        check(
            "GenuineIntel",
            (6, 0x55, 4),
            None,
            "Skylake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x55, 7),
            None,
            "Cascade Lake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x55, 11),
            None,
            "Cooper Lake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x8e, 9),
            None,
            "Kaby Lake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x8e, 10),
            None,
            "Coffee Lake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x8e, 12),
            None,
            "Comet Lake",
            Some(Core::Skylake),
        );
        check(
            "GenuineIntel",
            (6, 0x9e, 13),
            None,
            "Coffee Lake",
            Some(Core::Skylake),
        );
    }

    #[test]
    fn the_small_core_of_a_hybrid_part_has_a_name_of_its_own() {
        let (p, e) = (Some(CoreType::Performance), Some(CoreType::Efficient));
        check(
            "GenuineIntel",
            (6, 0x97, 2),
            p,
            "Alder Lake",
            Some(Core::GoldenCove),
        );
        check(
            "GenuineIntel",
            (6, 0x97, 2),
            e,
            "Gracemont",
            Some(Core::Gracemont),
        );
        check(
            "GenuineIntel",
            (6, 0xaa, 4),
            e,
            "Crestmont",
            Some(Core::Crestmont),
        );
        check(
            "GenuineIntel",
            (6, 0xc6, 2),
            p,
            "Arrow Lake",
            Some(Core::LionCove),
        );
        check(
            "GenuineIntel",
            (6, 0xbd, 1),
            e,
            "Skymont",
            Some(Core::Skymont),
        );
        check(
            "GenuineIntel",
            (6, 0xbe, 0),
            None,
            "Gracemont",
            Some(Core::Gracemont),
        );
    }

    #[test]
    fn amd_goes_by_ranges_of_models() {
        check(
            "AuthenticAMD",
            (0x17, 0x01, 2),
            None,
            "Zen",
            Some(Core::Zen1),
        );
        check(
            "AuthenticAMD",
            (0x17, 0x08, 2),
            None,
            "Zen+",
            Some(Core::Zen1),
        );
        check(
            "AuthenticAMD",
            (0x17, 0x31, 0),
            None,
            "Zen 2",
            Some(Core::Zen2),
        );
        check(
            "AuthenticAMD",
            (0x17, 0x71, 0),
            None,
            "Zen 2",
            Some(Core::Zen2),
        );
        check(
            "AuthenticAMD",
            (0x19, 0x01, 1),
            None,
            "Zen 3",
            Some(Core::Zen3),
        );
        check(
            "AuthenticAMD",
            (0x19, 0x44, 1),
            None,
            "Zen 3",
            Some(Core::Zen3),
        );
        check(
            "AuthenticAMD",
            (0x19, 0x11, 1),
            None,
            "Zen 4",
            Some(Core::Zen4),
        );
        check(
            "AuthenticAMD",
            (0x19, 0xa0, 2),
            None,
            "Zen 4",
            Some(Core::Zen4),
        );
        check(
            "AuthenticAMD",
            (0x1a, 0x02, 1),
            None,
            "Zen 5",
            Some(Core::Zen5),
        );
        check(
            "AuthenticAMD",
            (0x1a, 0x44, 0),
            None,
            "Zen 5",
            Some(Core::Zen5),
        );
        check(
            "HygonGenuine",
            (0x18, 0x01, 1),
            None,
            "Dhyana",
            Some(Core::Zen1),
        );
    }

    #[test]
    fn what_is_in_no_table_is_called_by_its_numbers() {
        check(
            "GenuineIntel",
            (6, 0x0f, 11),
            None,
            "Unknown GenuineIntel 06-0f",
            None,
        );
        check(
            "AuthenticAMD",
            (0x15, 2, 0),
            None,
            "Unknown AuthenticAMD 15-02",
            None,
        );
        check(
            "CentaurHauls",
            (7, 0x3b, 0),
            None,
            "Unknown CentaurHauls 07-3b",
            None,
        );
        check(
            "  Shanghai  ",
            (7, 0x5b, 0),
            None,
            "Unknown   Shanghai   07-5b",
            None,
        );
        // Intel's next families keep nothing of family 6's numbers.
        check(
            "GenuineIntel",
            (0x13, 1, 0),
            None,
            "Unknown GenuineIntel 13-01",
            None,
        );
    }

    #[test]
    fn no_model_stands_in_two_single_rows() {
        for table in [INTEL_6, AMD_17, AMD_19, AMD_1A, HYGON_18] {
            for (index, (models, name, ..)) in table.iter().enumerate() {
                assert!(
                    !table[..index].iter().any(|(other, ..)| other == models),
                    "{name} {models:x?} stands twice"
                );
            }
        }
    }
}
