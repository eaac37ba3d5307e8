//! Object files: what `ld` makes of them runs, `objdump` shows their lines, and their sections and
//! symbols are GNU as's.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader, Sym};

use crate::reference::{check_objects, ours, theirs};

fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .output()
        .unwrap_or_else(|error| panic!("these tests need `{program}` (binutils): {error}"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {messages}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Sums bytes of `.rodata` through a table in `.data`, and leaves with the sum.
const PROGRAM: &str = "\
	.globl _start
	.type _start, @function
_start:
	mov table(%rip), %rsi
	xor %edi, %edi
	mov $count, %ecx
1:	movzbl (%rsi), %eax
	add %eax, %edi
	inc %rsi
	dec %ecx
	jnz 1b
	call leave
	.size _start, . - _start
	.section .text.leave, \"ax\", @progbits
leave:
	mov $60, %eax
	syscall
	.section .rodata
numbers: .byte 20, 15, 7
	count = . - numbers
	.data
	.balign 8
table:	.quad numbers
	.bss
	.zero 64
";

#[test]
fn ld_links_it_and_it_runs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let code = ours(PROGRAM).expect("the program assembles");
    let bytes = code.object("/src").expect("an object");
    std::fs::write(folder.path().join("a.o"), bytes).expect("a file");
    run(
        "ld",
        &["--fatal-warnings", "-z", "noexecstack", "-o", "a", "a.o"],
        folder.path(),
    );
    let status = Command::new(folder.path().join("a"))
        .status()
        .expect("it starts");
    assert_eq!(status.code(), Some(42));
    // The addresses of lines survive the linker.
    let text = run("objdump", &["-dl", "a"], folder.path());
    assert_eq!(lines(&text), (4..=12).chain(16..=17).collect());
    assert!(text.contains("/src/input.s:4\n"), "{text}");
}

/// Numbers of the lines that objdump says instructions are from.
fn lines(text: &str) -> BTreeSet<u32> {
    text.lines()
        .filter_map(|line| line.split_once("input.s:")?.1.trim().parse().ok())
        .collect()
}

#[test]
fn lines_are_those_of_gnu_as() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let text = include_str!("../lines/general.s");
    let kept: String = text
        .lines()
        .map(|line| match ours(line) {
            Ok(_) if theirs(line).is_ok() && !line.contains('.') => format!("{line}\n"),
            _ => "\n".to_string(),
        })
        .take(300)
        .collect();
    let bytes = ours(&kept)
        .expect("it assembles")
        .object("/src")
        .expect("an object");
    std::fs::write(folder.path().join("a.o"), bytes).expect("a file");
    std::fs::write(folder.path().join("input.s"), &kept).expect("a file");
    run("as", &["-g", "-o", "b.o", "input.s"], folder.path());
    let ours = run("objdump", &["--dwarf=decodedline", "a.o"], folder.path());
    let theirs = run("objdump", &["--dwarf=decodedline", "b.o"], folder.path());
    let rows = |text: &str| -> Vec<(String, String)> {
        text.lines()
            .filter_map(|line| {
                let mut words = line.strip_prefix("input.s")?.split_whitespace();
                Some((words.next()?.to_string(), words.next()?.to_string()))
            })
            .filter(|row| row.0 != "-")
            .collect()
    };
    assert!(rows(&ours).len() > 100, "{ours}");
    assert_eq!(rows(&ours), rows(&theirs));
}

/// One line for each section and symbol of an object, in no order.
fn description(data: &[u8]) -> BTreeSet<String> {
    let endian = LittleEndian;
    let header = FileHeader64::<LittleEndian>::parse(data).expect("ELF");
    let sections = header.sections(endian, data).expect("sections");
    let mut found = BTreeSet::new();
    let name = |index| {
        let section = sections.section(index).expect("a section");
        String::from_utf8_lossy(sections.section_name(endian, section).expect("its name"))
            .into_owned()
    };
    for (index, section) in sections.enumerate() {
        if index.0 == 0 {
            continue;
        }
        let name = name(index);
        let own = [".debug", ".rela", ".symtab", ".strtab", ".shstrtab"];
        // GNU as writes `.note.gnu.property` where asked to only.
        if own.iter().any(|start| name.starts_with(start)) || section.sh_size(endian) == 0 {
            continue;
        }
        found.insert(format!(
            "section {name}: type {:?} flags {:?} size {} align {} entries of {}",
            section.sh_type(endian),
            section.sh_flags(endian),
            section.sh_size(endian),
            section.sh_addralign(endian),
            section.sh_entsize(endian),
        ));
    }
    let symbols = sections
        .symbols(endian, data, object::elf::SHT_SYMTAB)
        .expect("symbols");
    for (index, symbol) in symbols.enumerate() {
        let text = String::from_utf8_lossy(symbols.symbol_name(endian, symbol).expect("a name"))
            .into_owned();
        if text.is_empty() {
            continue;
        }
        let place = match symbols
            .symbol_section(endian, symbol, index)
            .expect("a place")
        {
            Some(section) => name(section),
            None => format!("{:?}", symbol.st_shndx(endian)),
        };
        found.insert(format!(
            "symbol {text} in {place}: value {:#x} size {} info {:?} other {:?}",
            symbol.st_value(endian),
            symbol.st_size(endian),
            symbol.st_info(),
            symbol.st_other(),
        ));
    }
    found
}

#[test]
fn sections_and_symbols_are_those_of_gnu_as() {
    for text in [
        PROGRAM,
        include_str!("../units/data.s"),
        include_str!("../units/sections.s"),
        include_str!("../units/set.s"),
        SYMBOLS,
    ] {
        let theirs = theirs(text).expect("GNU as takes it");
        let ours = ours(text)
            .expect("it assembles")
            .object("/")
            .expect("an object");
        assert_eq!(description(&ours), description(&theirs));
        check_objects(&ours, &theirs);
    }
}

/// Every binding, type and visibility, and places that are none.
const SYMBOLS: &str = "\
	.globl a, b, c
	.weak d, e
	.hidden b
	.protected c
	.type a, @function
a:	ret
	.size a, 1
	.type d, @object
	.data
d:	.quad e, f, a
	.size d, . - d
b:	.long 1
	.set c, 0x1234
	.comm g, 24, 16
	.lcomm h, 8
	.local i
	.comm i, 4, 4
	.type f, @function
local:	.quad local
.Lhidden: .quad .Lhidden
	.section .rodata.str1.1,\"aMS\",@progbits,1
	.asciz \"abc\"
	.section .rodata.cst16,\"aM\",@progbits,16
	.balign 16
	.octa 1
	.section .tbss,\"awT\",@nobits
	.type t, @tls_object
t:	.zero 8
	.section .note.GNU-stack,\"\",@progbits
";

/// A function that each object brings, two sections of its group, one that joins, one that does not.
const GROUPED: &str = "\
	.section .text.f,\"axG\",@progbits,f,comdat
	.globl f
f:	mov letter(%rip), %edi
	ret
	.section .text.f2,\"ax?\",@progbits
	nop
	.section .rodata.f,\"aG\",@progbits,f,comdat
	.globl letter
letter:	.long 42
	.section .data.g,\"awG\",@progbits,alone
	.long 1
	.section .rodata.g,\"aMSG\",@progbits,1,other,comdat
	.asciz \"text\"
	.text
	call f
";

/// The lines of `readelf -g` on COMDAT groups, without the sections of relocations.
fn groups(object: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(folder.path().join("a.o"), object).expect("a file");
    let text = run("readelf", &["-gW", "a.o"], folder.path());
    let mut groups: Vec<String> = Vec::new();
    let mut comdat = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.contains("group section") {
            comdat = line.starts_with("COMDAT");
            if comdat {
                let name = words
                    .iter()
                    .find(|word| word.starts_with('[') && word.len() > 1);
                groups.push(format!("{}:", words[5].trim_start_matches(']')));
                assert!(name.is_some(), "{line}");
            }
        } else if let [_, _, section] | [_, section] = words.as_slice()
            && comdat
            && section.starts_with('.')
            && !section.starts_with(".rela")
            && let Some(group) = groups.last_mut()
        {
            group.push_str(&format!(" {section}"));
        }
    }
    groups.sort();
    groups
}

#[test]
fn comdat_groups_are_those_of_gnu_as() {
    let ours = ours(GROUPED)
        .expect("it assembles")
        .object("/")
        .expect("an object");
    let theirs = groups(&theirs(GROUPED).expect("GNU as takes it"));
    assert_eq!(theirs.len(), 2, "{theirs:?}");
    assert_eq!(groups(&ours), theirs);
}

#[test]
fn ld_keeps_one_of_a_group() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for name in ["a", "b"] {
        let start = format!("\t.globl {name}\n{name}:\n{GROUPED}\tmov $60, %eax\n\tsyscall\n");
        let bytes = ours(&start)
            .expect("it assembles")
            .object("/")
            .expect("an object");
        std::fs::write(folder.path().join(format!("{name}.o")), bytes).expect("a file");
    }
    let link = [
        "--fatal-warnings",
        "-z",
        "noexecstack",
        "-e",
        "a",
        "-o",
        "x",
        "a.o",
        "b.o",
    ];
    run("ld", &link, folder.path());
    let status = Command::new(folder.path().join("x"))
        .status()
        .expect("it starts");
    assert_eq!(status.code(), Some(42));
}
