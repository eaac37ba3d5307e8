//! Listings in NASM's syntax, read by NASM: the same bytes, or another encoding of the same
//! instruction.

use std::collections::BTreeSet;
use std::process::Command;

use assemble::ListingSyntax;
use iced_x86::{Code, CpuidFeature, Decoder, DecoderOptions, Formatter, IntelFormatter};

use crate::roundtrip::{texts, whole_instances};

/// Room for one instruction, so that those which are refused move none of the others.
const SLOT: usize = 16;

/// Extensions of which NASM 2.16 encodes some instructions wrongly: those of FP16 with other opcodes,
/// operands and displacements, `ptwrite`, `vcvtneps2bf16` and `vmgexit` with other prefixes.
const BROKEN: [CpuidFeature; 5] = [
    CpuidFeature::AVX512_FP16,
    CpuidFeature::AVX512_BF16,
    CpuidFeature::AVX_NE_CONVERT,
    CpuidFeature::PTWRITE,
    CpuidFeature::SEV_ES,
];

/// NASM's bytes of each line, followed by fill up to the slot's end; `None` for those it refuses.
fn nasm(lines: &[String]) -> Vec<Option<Vec<u8>>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("input.asm");
    let binary = directory.path().join("output.bin");
    let mut refused: BTreeSet<usize> = BTreeSet::new();
    loop {
        let mut text = String::from("bits 64\norg 0\n");
        for (index, line) in lines.iter().enumerate() {
            let known = !refused.contains(&index);
            text.push_str(if known { line } else { "" });
            text.push_str(&format!("\ntimes {}-($-$$) db 0xcc\n", (index + 1) * SLOT));
        }
        std::fs::write(&source, text).expect("a file in the temporary directory");
        let output = Command::new("nasm")
            .args(["-f", "bin", "-w-all", "-o"])
            .arg(&binary)
            .arg(&source)
            .output()
            .unwrap_or_else(|error| panic!("these tests need nasm: {error}"));
        if output.status.success() {
            break;
        }
        let messages = String::from_utf8_lossy(&output.stderr);
        let before = refused.len();
        refused.extend(messages.lines().filter_map(|line| {
            // Also where it is NASM that comes to its end.
            let (_, place) = line.split_once("input.asm:")?;
            let number: usize = place.split(':').next()?.parse().ok()?;
            Some(number.checked_sub(3)? / 2)
        }));
        assert!(refused.len() > before, "{messages}");
    }
    let bytes = std::fs::read(&binary).expect("a binary file");
    let slots = bytes.chunks(SLOT).enumerate();
    slots
        .map(|(index, slot)| (!refused.contains(&index)).then(|| slot.to_vec()))
        .collect()
}

/// The first instruction of some bytes as it decodes, its encoding left out.
fn decoded(bytes: &[u8]) -> String {
    let mut decoder = Decoder::with_ip(64, bytes, 0x1000, DecoderOptions::MPX);
    let instruction = decoder.decode();
    let mut text = String::new();
    IntelFormatter::new().format(&instruction, &mut text);
    // `jo short` and `jo near`
    if instruction.is_jmp_short_or_near() || instruction.is_jcc_short_or_near() {
        text = format!("{:?}", instruction.mnemonic());
    }
    text
}

/// Forms of which NASM makes others: 32 bits of a register where the rest becomes zero anyway, and
/// a hint that exists for one that does not.
fn has_substitute(form: Code) -> bool {
    matches!(
        form,
        Code::Mov_rm64_imm32
            | Code::Mov_r64m16_Sreg
            | Code::Sldt_r64m16
            | Code::Str_r64m16
            | Code::Prefetchreserved3_m8
            | Code::Prefetchreserved4_m8
            | Code::Prefetchreserved5_m8
            | Code::Prefetchreserved6_m8
            | Code::Prefetchreserved7_m8
    )
}

#[test]
fn every_form_in_nasm_syntax() {
    let mut instances = whole_instances();
    instances.retain(|instance| {
        let features = instance.form.cpuid_features();
        !features.iter().any(|feature| BROKEN.contains(feature)) && !has_substitute(instance.form)
    });
    let lines = texts(&instances, ListingSyntax::Nasm, SLOT);
    let (mut same, mut other, mut wrong) = (0, 0, Vec::new());
    let mut refused = BTreeSet::new();
    for ((instance, line), bytes) in instances.iter().zip(&lines).zip(nasm(&lines)) {
        let (length, form) = (instance.bytes.len(), instance.form);
        match bytes {
            // A word that NASM does not know, alone on a line, is a label.
            Some(bytes) if bytes[0] == 0xcc && instance.bytes[0] != 0xcc => {
                refused.insert(format!("{form:?}"));
            }
            Some(bytes) if bytes[..length] == instance.bytes => same += 1,
            Some(bytes) if decoded(&bytes) == decoded(&instance.bytes) => other += 1,
            Some(bytes) => wrong.push(format!("{form:?} `{line}`: {bytes:02x?}")),
            None => {
                refused.insert(format!("{form:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        same > 26_000,
        "only {same} are the same, {other} the same instruction"
    );
    let known = include_str!("../lines/nasm_refuses.txt").lines();
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let new: Vec<_> = refused.difference(&known).collect();
    assert!(new.is_empty(), "refused by NASM: {new:?}");
}
