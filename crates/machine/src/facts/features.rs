//! Which features code needs, and which of them this CPU lacks: code that needs a missing one is
//! refused before anything runs.

use std::collections::BTreeMap;

use assemble::{Code, ItemKind};
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Mnemonic};

use super::linux;
use crate::api::Reason;

/// Features that a case declares or that its instructions need and that this CPU lacks, all of them
/// in one reason; `None` if it lacks none.
pub(crate) fn missing_features(code: &Code, needs: &[String]) -> Option<Reason> {
    missing(&linux::cpu_info(0).flags, code, needs)
}

/// The same for these flags.
fn missing(flags: &[String], code: &Code, needs: &[String]) -> Option<Reason> {
    let has = |flag: &str| flags.iter().any(|have| have == flag);
    // Keyed by the flag's name, so that each is told once; the text says where it is needed first.
    let mut lacking: BTreeMap<String, String> = BTreeMap::new();
    for need in needs {
        if !has(need) {
            lacking.insert(
                need.clone(),
                format!(
                    "{need} (the sequence says `needs {need}`; /proc/cpuinfo has no such flag here)"
                ),
            );
        }
    }
    for found in required(code) {
        if found.any_of.iter().any(|flag| has(flag)) {
            continue;
        }
        let name = found.any_of.join(" or ");
        lacking.entry(name.clone()).or_insert_with(|| {
            let place = match (&found.file, found.line) {
                (_, 0) => String::new(),
                (Some(file), line) => format!(" at {file}:{line}"),
                (None, line) => format!(" at line {line}"),
            };
            format!("{name} ({}{place} needs it)", found.mnemonic)
        });
    }
    if lacking.is_empty() {
        return None;
    }
    let list: Vec<String> = lacking.into_values().collect();
    Some(Reason(format!("this CPU lacks {}", list.join(", "))))
}

/// Why code that returns to addresses which no call pushed cannot run, if this process has a shadow
/// stack: retpolines, RSB fills and the like would take #CP.
pub(super) fn shadow_stack() -> Option<Reason> {
    super::shadow_stack::is_on().then(|| {
        Reason(
            "this process has a shadow stack, under which a return that matches no call takes #CP; \
             run with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off"
                .to_owned(),
        )
    })
}

/// One feature that an instruction needs.
struct Required {
    /// Flags of `/proc/cpuinfo`, one of which is enough.
    any_of: Vec<String>,
    mnemonic: String,
    file: Option<String>,
    line: u32,
}

/// Every feature beyond plain x86-64 that the code's instructions need, in order of appearance.
fn required(code: &Code) -> Vec<Required> {
    let mut found = Vec::new();
    for item in &code.items {
        if item.kind != ItemKind::Instruction {
            continue;
        }
        let Some(section) = code.sections.get(item.section.0 as usize) else {
            continue;
        };
        let (start, end) = (item.offset as usize, (item.offset + item.length) as usize);
        let Some(bytes) = section.bytes.get(start..end) else {
            continue;
        };
        for instruction in &mut Decoder::new(64, bytes, DecoderOptions::NONE) {
            for feature in instruction.cpuid_features() {
                let any_of = flags_of(*feature, instruction.mnemonic());
                if !any_of.is_empty() {
                    found.push(Required {
                        any_of,
                        mnemonic: format!("{:?}", instruction.mnemonic()).to_lowercase(),
                        file: code.files.get(item.file as usize).cloned(),
                        line: item.line,
                    });
                }
            }
        }
    }
    found
}

/// The flags by which `/proc/cpuinfo` shows a CPUID feature; empty where every x86-64 CPU has it or
/// takes it for a NOP.
fn flags_of(feature: CpuidFeature, mnemonic: Mnemonic) -> Vec<String> {
    use CpuidFeature as F;
    let flags: &[&str] = match feature {
        // Part of x86-64 or of every CPU that runs a 64-bit kernel.
        F::INTEL8086
        | F::INTEL186
        | F::INTEL286
        | F::INTEL386
        | F::INTEL486
        | F::X64
        | F::FPU
        | F::FPU287
        | F::FPU387
        | F::CMOV
        | F::CPUID
        | F::CX8
        | F::FXSR
        | F::MMX
        | F::MSR
        | F::SSE
        | F::SSE2
        | F::SEP
        | F::SMM
        | F::TSC
        | F::RDPMC
        | F::SYSCALL
        | F::CLFSH
        | F::MULTIBYTENOP
        | F::PAUSE => &[],
        // Encoded in the space of hints: a CPU without the feature takes them for a NOP.
        F::CET_IBT | F::CLDEMOTE | F::PREFETCHW | F::PREFETCHWT1 | F::PREFETCHITI => &[],
        F::CET_SS if matches!(mnemonic, Mnemonic::Rdsspd | Mnemonic::Rdsspq) => &[],
        F::CET_SS => &["user_shstk"],
        // Spelt otherwise than in the manuals.
        F::SSE3 => &["pni"],
        F::CMPXCHG16B => &["cx16"],
        F::LZCNT => &["abm"],
        F::D3NOW => &["3dnow"],
        F::D3NOWEXT => &["3dnowext"],
        F::SHA => &["sha_ni"],
        F::SGX1 => &["sgx"],
        F::PKU => &["ospke"],
        F::MONITORX => &["mwaitx"],
        F::INVEPT | F::INVVPID => &["vmx"],
        F::SKINIT | F::SKINIT_or_SVM => &["skinit", "svm"],
        F::HLE_or_RTM => &["hle", "rtm"],
        // The rest is spelt as iced spells it, in lower case: avx2, bmi1, waitpkg, avx512_fp16, ...
        // One that the kernel does not show at all is thereby refused, never run unchecked.
        other => return vec![format!("{other:?}").to_lowercase()],
    };
    flags.iter().map(|flag| (*flag).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use assemble::{Item, Section, SectionId};

    use super::*;

    /// `.text` with one instruction on each line.
    fn code(instructions: &[&[u8]]) -> Code {
        let mut bytes = Vec::new();
        let mut items = Vec::new();
        for (line, instruction) in (1u32..).zip(instructions) {
            items.push(Item {
                section: SectionId(0),
                offset: u32::try_from(bytes.len()).expect("small"),
                length: u32::try_from(instruction.len()).expect("small"),
                kind: ItemKind::Instruction,
                line,
                file: 0,
            });
            bytes.extend_from_slice(instruction);
        }
        Code {
            sections: vec![Section {
                name: ".text".to_owned(),
                flags: 6,
                kind: 1,
                align: 1,
                size: bytes.len() as u64,
                bytes,
                entry_size: 0,
                relocation_order: Vec::new(),
                link: None,
                relocations: Vec::new(),
            }],
            symbols: Vec::new(),
            items,
            files: vec!["a.S".to_owned()],
            ..Code::default()
        }
    }

    const RET: &[u8] = &[0xc3];
    const ENDBR64: &[u8] = &[0xf3, 0x0f, 0x1e, 0xfa];
    const SERIALIZE: &[u8] = &[0x0f, 0x01, 0xe8];
    const LZCNT: &[u8] = &[0xf3, 0x0f, 0xbd, 0xc0];
    const MULX: &[u8] = &[0xc4, 0xe2, 0xfb, 0xf6, 0xc1];
    const VPORD_YMM: &[u8] = &[0x62, 0xf1, 0x7d, 0x28, 0xeb, 0xc1];

    fn check(flags: &str, instructions: &[&[u8]], needs: &[&str], expected: Option<&str>) {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let needs: Vec<String> = needs.iter().map(|&need| need.to_owned()).collect();
        let reason = missing(&flags, &code(instructions), &needs);
        assert_eq!(reason.map(|reason| reason.0).as_deref(), expected);
    }

    #[test]
    fn plain_code_runs_anywhere() {
        check("", &[RET, ENDBR64], &[], None);
    }

    #[test]
    fn an_instruction_names_its_feature_and_its_place() {
        check(
            "fpu",
            &[RET, SERIALIZE],
            &[],
            Some("this CPU lacks serialize (serialize at a.S:2 needs it)"),
        );
        check("fpu serialize", &[RET, SERIALIZE], &[], None);
        check(
            "lzcnt",
            &[LZCNT],
            &[],
            Some("this CPU lacks abm (lzcnt at a.S:1 needs it)"),
        );
        check("bmi1 bmi2", &[MULX], &[], None);
    }

    #[test]
    fn a_vector_length_is_a_feature_of_its_own() {
        check(
            "avx512f",
            &[VPORD_YMM, VPORD_YMM],
            &[],
            Some("this CPU lacks avx512vl (vpord at a.S:1 needs it)"),
        );
        check("avx512f avx512vl", &[VPORD_YMM], &[], None);
    }

    #[test]
    fn declared_features_count_and_all_are_told() {
        check("rtm", &[], &["rtm"], None);
        check(
            "rtm",
            &[SERIALIZE],
            &["rtm", "warp_drive"],
            Some(
                "this CPU lacks serialize (serialize at a.S:1 needs it), warp_drive (the sequence \
                 says `needs warp_drive`; /proc/cpuinfo has no such flag here)",
            ),
        );
    }

    #[test]
    fn this_cpu_runs_what_every_x86_64_runs() {
        assert_eq!(missing_features(&code(&[RET]), &[]), None);
    }
}
