//! `--help`, `completions` and `man`.

use std::process::{Command, Stdio};

use crate::program::{thunklab, thunklab_reads};

/// Every command, as `--help` lists them.
fn commands() -> Vec<String> {
    let help = thunklab(["--help"]).ends_with(0).stdout;
    let (_, listed) = help.split_once("Commands:\n").expect("it lists commands");
    let names: Vec<String> = listed
        .lines()
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect();
    assert!(names.len() >= 11, "{names:?}");
    names
}

#[test]
fn help_of_what_takes_files_has_examples_and_no_line_is_too_long() {
    for name in commands() {
        let help = thunklab([name.as_str(), "--help"]).ends_with(0).stdout;
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
        if help.contains("Arguments:") {
            assert!(
                help.contains(&format!("Examples:\n  thunklab {name}")),
                "{name}: {help}"
            );
        }
    }
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = thunklab(["completions", shell]).ends_with(0).stdout;
        for word in commands()
            .iter()
            .map(String::as_str)
            .chain(["baseline", "between"])
        {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    thunklab(["completions", "dos"])
        .ends_with(2)
        .complains_of(&["bash", "zsh", "fish"]);
}

#[test]
fn bash_takes_its_completions() {
    let script = thunklab(["completions", "bash"]).ends_with(0).stdout;
    let ask = "COMP_WORDS=(thunklab report --be); COMP_CWORD=2; \
               _thunklab thunklab --be report; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", &format!("{script}\n{ask}")])
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let reply = String::from_utf8_lossy(&output.stdout);
    assert_eq!(reply.trim(), "--between", "{output:?}");
}

#[test]
fn manual_pages_are_there_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = folder.path().to_string_lossy();
    thunklab(["man", "-o", &into]).ends_with(0);
    let mut pages: Vec<String> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    pages.sort();
    let mut planned: Vec<String> = commands()
        .iter()
        .map(|name| format!("thunklab-{name}.1"))
        .chain(["thunklab.1".to_owned()])
        .collect();
    planned.sort();
    assert_eq!(pages, planned);
    for page in pages {
        let text = std::fs::read_to_string(folder.path().join(&page)).expect("a page");
        let name = page.trim_end_matches(".1");
        assert!(text.contains(&format!(".TH {name} 1")), "{page}: {text}");
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
        assert!(!text.contains("fake"), "{page} shows what is hidden");
    }
    let run = thunklab(["man", "run"]).ends_with(0).stdout;
    assert!(run.contains("thunklab run retpoline \\-\\-grid"), "{run}");
    assert_eq!(
        thunklab(["man"]).ends_with(0).stdout,
        std::fs::read_to_string(folder.path().join("thunklab.1")).expect("a page")
    );
    thunklab_reads("", ["man", "walk"])
        .ends_with(2)
        .complains_of(&["walk", "run, diff, report"]);
}
