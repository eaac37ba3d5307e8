//! Bytes to text to bytes, over every form of iced-x86's tables: what a listing shows is what GNU
//! as reads, and what this crate makes of it is what GNU as makes of it.

use std::collections::BTreeSet;

use assemble::{Code, Item, ItemKind, ListingSyntax, Section, SectionId, Symbol, SymbolPlace};
use iced_x86::{Code as Form, OpCodeOperandKind as Kind};

use crate::instances::{Instance, forms, instances};
use crate::reference::{bytes_by_line, our_bytes_by_line};

/// What may stand before an instruction to choose another of its encodings.
const CHOICES: [&str; 20] = [
    "{load} ",
    "{store} ",
    "{disp8} ",
    "{disp32} ",
    "{vex} ",
    "{vex2} ",
    "{vex3} ",
    "{evex} ",
    "{rex} ",
    "{nooptimize} ",
    "{load} {disp32} ",
    "{store} {disp32} ",
    "{vex} {load} ",
    "{vex3} {load} ",
    "{vex3} {store} ",
    "{evex} {load} ",
    "{evex} {store} ",
    "{evex} {disp32} ",
    "{evex} {load} {disp32} ",
    "{evex} {store} {disp32} ",
];

/// Whether the form is a jump, a call or a loop, which needs a label in its text.
fn is_branch(form: Form) -> bool {
    form.op_code().op_kinds().iter().any(|kind| {
        matches!(
            kind,
            Kind::br16_1
                | Kind::br32_1
                | Kind::br64_1
                | Kind::br16_2
                | Kind::br32_4
                | Kind::br64_4
                | Kind::xbegin_2
                | Kind::xbegin_4
        )
    })
}

/// Code of these instances, each `slot` bytes behind the one before, or in a row if that is 0. Each
/// branch has a label before it.
fn code(instances: &[Instance], slot: usize) -> Code {
    let mut code = Code::default();
    let mut bytes = Vec::new();
    let section = SectionId(0);
    for (index, instance) in instances.iter().enumerate() {
        bytes.resize(bytes.len().max(slot * index), 0xcc);
        let offset = u32::try_from(bytes.len()).expect("a small section");
        if is_branch(instance.form) {
            code.symbols.push(Symbol {
                name: format!("L{index}").as_str().into(),
                place: SymbolPlace::In(section, u64::from(offset)),
                binding: 0,
                kind: 0,
                size: 0,
                visibility: 0,
            });
        }
        code.items.push(Item {
            section,
            offset,
            length: u32::try_from(instance.bytes.len()).expect("at most 15"),
            kind: ItemKind::Instruction,
            line: 1,
            file: 0,
        });
        bytes.extend(&instance.bytes);
    }
    code.files.push("made.s".to_owned());
    code.sections.push(Section {
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
    });
    code
}

/// The text of each instance as the listing has it, without blanks that only line it up. A branch
/// stands behind its label.
pub(crate) fn texts(instances: &[Instance], syntax: ListingSyntax, slot: usize) -> Vec<String> {
    let lines = code(instances, slot).listing(syntax);
    assert_eq!(lines.len(), instances.len(), "one line for each");
    let one = |(index, (line, instance)): (usize, (&assemble::Line, &Instance))| {
        let text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if is_branch(instance.form) {
            format!("L{index}: {text}")
        } else {
            text
        }
    };
    lines.iter().zip(instances).enumerate().map(one).collect()
}

/// Instances whose text is one line: `9b` before an x87 instruction is an instruction of its own.
pub(crate) fn whole_instances() -> Vec<Instance> {
    let mut all = instances();
    all.retain(|instance| !instance.form.op_code().fwait());
    all
}

/// The bytes with their prefixes in one order: which comes first is no part of the encoding.
fn same_order(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let prefixes = bytes
        .iter()
        .take_while(|byte| matches!(byte, 0x66 | 0x67 | 0xf2 | 0xf3))
        .count();
    bytes[..prefixes].sort_unstable();
    bytes
}

/// Assembles lines with both, and gives GNU as's bytes; lines that differ are added to `differ`.
fn referee(lines: &[String], head: &str, differ: &mut Vec<String>) -> Vec<Option<Vec<u8>>> {
    let theirs = bytes_by_line(lines, head);
    let ours = our_bytes_by_line(lines, head);
    for ((line, theirs), ours) in lines.iter().zip(&theirs).zip(&ours) {
        if theirs != ours {
            let shown = |bytes: &Option<Vec<u8>>| match bytes {
                Some(bytes) => format!("{bytes:02x?}"),
                None => "refused".to_owned(),
            };
            differ.push(format!(
                "{line}: here {}, GNU as {}",
                shown(ours),
                shown(theirs)
            ));
        }
    }
    theirs
}

#[test]
fn every_form() {
    let instances = whole_instances();
    let mut differ = Vec::new();
    let mut reached: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut plain = 0;
    for (syntax, head) in [
        (ListingSyntax::Att, ""),
        (ListingSyntax::Intel, ".intel_syntax noprefix"),
    ] {
        let texts = texts(&instances, syntax, 0);
        let theirs = referee(&texts, head, &mut differ);
        let mut left = Vec::new();
        for ((instance, text), bytes) in instances.iter().zip(&texts).zip(theirs) {
            match bytes {
                Some(bytes) if same_order(&bytes) == same_order(&instance.bytes) => {
                    plain += 1;
                    reached.insert(same_order(&bytes));
                }
                Some(_) => left.push(text),
                None => {}
            }
        }
        let chosen: Vec<String> = left
            .iter()
            .flat_map(|text| {
                CHOICES.map(|choice| match text.split_once(": ") {
                    Some((label, text)) => {
                        let own = format!("{label}x{}", choice.replace(['{', '}', ' '], ""));
                        format!("{own}: {choice}{}", text.replace(label, &own))
                    }
                    None => format!("{choice}{text}"),
                })
            })
            .collect();
        let found = referee(&chosen, head, &mut differ);
        reached.extend(found.iter().flatten().map(|bytes| same_order(bytes)));
    }
    differ.sort();
    differ.dedup();
    assert!(
        differ.is_empty(),
        "{} differ:\n{}",
        differ.len(),
        differ.join("\n")
    );
    let all: BTreeSet<Form> = forms().collect();
    assert!(
        instances.len() > 30_000 && all.len() > 4_600,
        "iced-x86 has more than this"
    );
    // Two syntaxes, one text of each: nearly all instances come back from it at once.
    assert!(
        plain > 58_000,
        "only {plain} of {} came back",
        2 * instances.len()
    );
    let lost: BTreeSet<String> = instances
        .iter()
        .filter(|instance| !reached.contains(&same_order(&instance.bytes)))
        .map(|instance| format!("{:?}", instance.form))
        .collect();
    let known = include_str!("../lines/unreached.txt").lines();
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let new: Vec<_> = lost.difference(&known).collect();
    let old: Vec<_> = known.difference(&lost).collect();
    assert!(
        new.is_empty() && old.is_empty(),
        "no longer reached: {new:?}; reached now: {old:?}"
    );
}
