//! `listing` and `assemble`: what they export, against GNU as.

use std::path::Path;
use std::process::{Command, Stdio};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use record::{Listed, Listing, ParamValue};

use crate::program::{Done, command, root, thunklab, thunklab_reads};

/// The bytes of .text that GNU as makes of `source`.
fn gnu_as(source: &str, folder: &Path) -> Vec<u8> {
    let (input, output) = (folder.join("x.s"), folder.join("x.o"));
    std::fs::write(&input, source).expect("written");
    let run = Command::new("as")
        .args(["--64", "-o"])
        .arg(&output)
        .arg(&input)
        .output();
    let run =
        run.expect("GNU as is needed for this test: install binutils (`apt-get install binutils`)");
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success(),
        "GNU as refuses:\n{complaint}\n{source}"
    );
    let bytes = std::fs::read(&output).expect("as wrote it");
    let file = object::File::parse(bytes.as_slice()).expect("an ELF object");
    let text = file.section_by_name(".text").expect("it has .text");
    text.data().expect("its bytes").to_vec()
}

/// Stdout as bytes.
fn bytes(arguments: &[&str]) -> Vec<u8> {
    let output = command()
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    output.stdout
}

fn shipped() -> Vec<Listed> {
    let json = thunklab(["list", "--format", "json"]).ends_with(0).stdout;
    serde_json::from_str(&json).expect("as documented")
}

/// Every listed value of every param once, the others at their defaults.
fn settings(listed: &Listed) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for (name, values) in &listed.params {
        let others = values.iter().skip(1);
        all.extend(others.map(|value: &ParamValue| vec![format!("--set={name}={value}")]));
    }
    all
}

#[test]
fn every_shipped_sequence_exported_as_source_gives_gnu_ass_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut compared = 0;
    for listed in shipped() {
        for setting in settings(&listed) {
            for variant in &listed.variants {
                let mut arguments = vec!["listing", listed.name.as_str(), "--variant", variant];
                arguments.extend(setting.iter().map(String::as_str));
                let raw = bytes(&[arguments.as_slice(), &["--format", "raw"]].concat());
                let source = bytes(&[arguments.as_slice(), &["--format", "source"]].concat());
                let source = String::from_utf8(source).expect("text");
                assert!(!raw.is_empty(), "{} {variant} has no bytes", listed.name);
                let theirs = gnu_as(&source, folder.path());
                assert!(
                    raw == theirs,
                    "{} {variant} {setting:?}:\nours   {raw:02x?}\ntheirs {theirs:02x?}\n{source}",
                    listed.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "only {compared} were compared");
}

#[test]
fn text_shows_offsets_bytes_instructions_and_lines() {
    let done = thunklab(["listing", "clear_bhb_loop", "--variant", "ah-al"]).ends_with(0);
    assert!(
        done.stdout.contains("80 ec 01"),
        "sub $1, %ah: {}",
        done.stdout
    );
    assert!(done.stdout.contains("%ah"), "{}", done.stdout);
    let intel = thunklab([
        "listing",
        "clear_bhb_loop",
        "--variant",
        "ah-al",
        "--syntax",
        "intel",
    ]);
    let intel = intel.ends_with(0).stdout;
    // The heading is the file's own words.
    assert!(
        !intel.lines().skip(1).any(|line| line.contains("%ah")),
        "{intel}"
    );
}

#[test]
fn json_has_a_listing_for_each_variant() {
    let done = thunklab(["listing", "clear_bhb_loop", "--format", "json"]).ends_with(0);
    let listings: Vec<Listing> = serde_json::from_str(&done.stdout).expect("as documented");
    assert!(listings.len() > 10);
    for listing in &listings {
        assert!(
            listing
                .lines
                .iter()
                .any(|line| line.section == ".text" && !line.bytes.is_empty())
        );
        assert!(listing.params.contains_key("OUTER"));
    }
}

#[test]
fn one_translation_unit_at_a_time_where_only_one_makes_sense() {
    for format in ["raw", "source"] {
        thunklab(["listing", "clear_bhb_loop", "--format", format])
            .ends_with(2)
            .complains_of(&["--variant", "ah-al"]);
    }
    thunklab(["listing", "clear_bhb_loop", "--variant", "no-such"])
        .ends_with(2)
        .complains_of(&["no-such", "ah-al"]);
}

#[test]
fn assemble_writes_the_bytes_of_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("x.bin");
    let source = "start:\tsub $1, %al\n\tsub $1, %ah\n\tjnz start\n\t.data\n\t.byte 1\n";
    let done = thunklab_reads(source, ["assemble", "-", "-o", &output.to_string_lossy()]);
    done.ends_with(0);
    let ours = std::fs::read(&output).expect("written");
    assert_eq!(ours, [0x2c, 0x01, 0x80, 0xec, 0x01, 0x75, 0xf9]);
    assert_eq!(ours, gnu_as(source, folder.path()));
}

#[test]
fn assemble_keeps_its_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(at("x.s"), "\tret\n").expect("written");
    std::os::unix::fs::symlink(at("x.s"), at("link.o")).expect("a link");
    for output in [at("x.s"), at("./x.s"), at("link.o")] {
        thunklab(["assemble", &at("x.s"), "-o", &output])
            .ends_with(2)
            .complains_of(&["the source itself"]);
    }
    let kept = std::fs::read_to_string(at("x.s")).expect("it is there");
    assert_eq!(kept, "\tret\n");
}

#[test]
fn objects_hold_what_gnu_as_makes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let source = "\t.globl start\nstart:\tcall other\n\tjmp start\n\t.data\n\t.quad start\n";
    thunklab_reads(source, ["assemble", "-", "-o", &at("ours.o")]).ends_with(0);
    let theirs = gnu_as(source, folder.path());
    let ours = std::fs::read(at("ours.o")).expect("written");
    let file = object::File::parse(ours.as_slice()).expect("an ELF object");
    let text = file.section_by_name(".text").expect("it has .text");
    assert_eq!(text.data().expect("its bytes"), theirs);
    assert_eq!(text.relocations().count(), 1);
    assert!(
        file.symbols()
            .any(|symbol| symbol.name() == Ok("start") && symbol.is_global())
    );
    assert!(file.section_by_name(".debug_line").is_some());
    let listed = [
        "listing",
        "clear_bhb_loop",
        "--variant",
        "ah-al",
        "--format",
    ];
    let object = bytes(&[listed.as_slice(), &["object"]].concat());
    let file = object::File::parse(object.as_slice()).expect("an ELF object");
    let text = file.section_by_name(".text").expect("it has .text");
    let raw = bytes(&[listed.as_slice(), &["raw"]].concat());
    assert_eq!(text.data().expect("its bytes"), raw);
}

#[test]
fn assemble_refuses_what_it_cannot_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let refused = |done: Done, words: &[&str]| {
        done.ends_with(2).complains_of(words);
    };
    refused(
        thunklab_reads("movv %eax\n", ["assemble", "-", "-o", &at("x.o")]),
        &["-:1:1:", "movv"],
    );
    assert!(!folder.path().join("x.o").exists());
    let several = root().join("sequences/fences.S");
    refused(
        thunklab(["assemble", &several.to_string_lossy(), "-o", "-"]),
        &["translation unit"],
    );
    refused(
        thunklab_reads("movv %eax\n", ["assemble", "-", "-o", "-"]),
        &["-:1:1:", "movv"],
    );
}

/// Names that act on a terminal stay as they are in a file, and do not reach a terminal.
#[test]
fn exported_source_does_not_act_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("escape.S");
    std::fs::write(&file, "\"a\x1b[31m\":\n\tret\n").expect("it is written");
    let binary = env!("CARGO_BIN_EXE_thunklab");
    let line = format!("{binary} listing --format source {}", file.display());
    let said = |program: &str, arguments: &[&str]| {
        let ran = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .output();
        String::from_utf8_lossy(&ran.expect("it runs").stdout).into_owned()
    };
    let shown = said("script", &["-q", "-e", "-c", &line, "/dev/null"]);
    assert!(
        shown.contains("[31m") && !shown.contains('\x1b'),
        "{shown:?}"
    );
    assert!(said("sh", &["-c", &line]).contains("\x1b[31m"));
}

/// A disk that is full leaves no part of a file: here a limit on the size of files stands for it.
#[test]
fn what_cannot_be_written_whole_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.S");
    std::fs::write(&file, "\t.skip 100000, 0x90\n").expect("it is written");
    let words = [
        "listing --format source -o",
        "listing --format raw -o",
        "assemble -o",
    ];
    for (index, words) in words.into_iter().enumerate() {
        let output = folder.path().join(format!("output{index}.o"));
        let line = format!(
            "ulimit -f 1; exec {} {words} {} {}",
            env!("CARGO_BIN_EXE_thunklab"),
            output.display(),
            file.display()
        );
        let ran = Command::new("sh").args(["-c", &line]).output();
        let ran = ran.expect("sh runs");
        // The source is short enough.
        assert_eq!(
            ran.status.code(),
            Some(i32::from(index > 0)),
            "{words}: {ran:?}"
        );
        assert_eq!(output.exists(), index == 0, "{words}");
    }
    let left = std::fs::read_dir(folder.path())
        .expect("it is there")
        .count();
    assert_eq!(left, 2, "the file and its source");
}
