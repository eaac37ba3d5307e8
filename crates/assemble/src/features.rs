//! CPU features that code needs, as `/proc/cpuinfo` spells them.

use iced_x86::CpuidFeature as F;

use crate::code::{Code, ItemKind};
use crate::verify::decode;

/// The flag of a feature in `/proc/cpuinfo`. `None` where every x86-64 CPU has it, where the
/// opcodes are NOPs on CPUs without it (CET's `endbr64`, MPX, `cldemote`), and where the kernel
/// shows no flag for it.
fn flag(feature: F) -> Option<&'static str> {
    Some(match feature {
        F::ADX => "adx",
        F::AES => "aes",
        F::AVX => "avx",
        F::AVX2 => "avx2",
        F::AVX512_4FMAPS => "avx512_4fmaps",
        F::AVX512_4VNNIW => "avx512_4vnniw",
        F::AVX512_BF16 => "avx512_bf16",
        F::AVX512_BITALG => "avx512_bitalg",
        F::AVX512_IFMA => "avx512ifma",
        F::AVX512_VBMI => "avx512vbmi",
        F::AVX512_VBMI2 => "avx512_vbmi2",
        F::AVX512_VNNI => "avx512_vnni",
        F::AVX512_VP2INTERSECT => "avx512_vp2intersect",
        F::AVX512_VPOPCNTDQ => "avx512_vpopcntdq",
        F::AVX512_FP16 => "avx512_fp16",
        F::AVX512BW => "avx512bw",
        F::AVX512CD => "avx512cd",
        F::AVX512DQ => "avx512dq",
        F::AVX512ER => "avx512er",
        F::AVX512F => "avx512f",
        F::AVX512PF => "avx512pf",
        F::AVX512VL => "avx512vl",
        F::AVX_VNNI => "avx_vnni",
        F::AMX_BF16 => "amx_bf16",
        F::AMX_FP16 => "amx_fp16",
        F::AMX_INT8 => "amx_int8",
        F::AMX_TILE => "amx_tile",
        F::BMI1 => "bmi1",
        F::BMI2 => "bmi2",
        F::CET_SS => "user_shstk",
        F::CLFLUSHOPT => "clflushopt",
        F::CLWB => "clwb",
        F::CLZERO => "clzero",
        F::CMPXCHG16B => "cx16",
        F::D3NOW => "3dnow",
        F::D3NOWEXT => "3dnowext",
        F::ENQCMD => "enqcmd",
        F::F16C => "f16c",
        F::FMA => "fma",
        F::FMA4 => "fma4",
        F::FRED => "fred",
        F::FSGSBASE => "fsgsbase",
        F::GFNI => "gfni",
        F::HLE_or_RTM | F::RTM => "rtm",
        F::INVEPT | F::INVVPID | F::VMX => "vmx",
        F::INVLPGB => "invlpgb",
        F::INVPCID => "invpcid",
        F::LKGS => "lkgs",
        F::LWP => "lwp",
        // `lzcnt` is `bsr` without it: other results, no fault.
        F::LZCNT => "abm",
        F::MONITOR => "monitor",
        F::MONITORX => "mwaitx",
        F::MOVBE => "movbe",
        F::MOVDIR64B => "movdir64b",
        F::MOVDIRI => "movdiri",
        F::PADLOCK_ACE => "ace",
        F::PADLOCK_PHE => "phe",
        F::PADLOCK_PMM => "pmm",
        F::PADLOCK_RNG => "rng",
        F::PCLMULQDQ => "pclmulqdq",
        F::PCONFIG => "pconfig",
        F::PKU => "pku",
        F::POPCNT => "popcnt",
        F::PREFETCHW => "3dnowprefetch",
        F::RDPID => "rdpid",
        F::RDPRU => "rdpru",
        F::RDRAND => "rdrand",
        F::RDSEED => "rdseed",
        F::RDTSCP => "rdtscp",
        F::SERIALIZE => "serialize",
        F::SGX1 => "sgx",
        F::SHA => "sha_ni",
        F::SKINIT | F::SKINIT_or_SVM => "skinit",
        F::SMAP => "smap",
        F::SMX => "smx",
        F::SSE3 => "pni",
        F::SSE4A => "sse4a",
        F::SSE4_1 => "sse4_1",
        F::SSE4_2 => "sse4_2",
        F::SSSE3 => "ssse3",
        F::SVM => "svm",
        F::TBM => "tbm",
        F::TSXLDTRK => "tsxldtrk",
        F::VAES => "vaes",
        F::VPCLMULQDQ => "vpclmulqdq",
        F::WAITPKG => "waitpkg",
        F::WBNOINVD => "wbnoinvd",
        F::XOP => "xop",
        F::XSAVE => "xsave",
        F::XSAVEC => "xsavec",
        F::XSAVEOPT => "xsaveopt",
        F::XSAVES => "xsaves",
        _ => return None,
    })
}

impl Code {
    /// Features that the instructions need beyond what every x86-64 CPU has (SSE2 included), in
    /// `/proc/cpuinfo`'s spelling, each once, with the index in [`Code::items`] of the first
    /// instruction that needs it.
    #[must_use]
    pub fn required_features(&self) -> Vec<(&'static str, usize)> {
        let mut found: Vec<(&'static str, usize)> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            if item.kind != ItemKind::Instruction {
                continue;
            }
            let (instruction, _) = decode(self.bytes_of(item), u64::from(item.offset));
            for &feature in instruction.cpuid_features() {
                if let Some(flag) = flag(feature)
                    && !found.iter().any(|known| known.0 == flag)
                {
                    found.push((flag, index));
                }
            }
        }
        found
    }

    /// Instructions that need ring 0: indices in [`Code::items`].
    #[must_use]
    pub fn privileged(&self) -> Vec<usize> {
        self.items
            .iter()
            .enumerate()
            .filter(|(_, item)| {
                item.kind == ItemKind::Instruction
                    && decode(self.bytes_of(item), u64::from(item.offset))
                        .0
                        .is_privileged()
            })
            .map(|(index, _)| index)
            .collect()
    }
}
