//! `machine`, `list` and `schema`.

use record::{Capability, Listed, MachineOutput};

use crate::program::{fake, thunklab};

#[test]
fn machine_says_what_cannot_be_measured_and_why() {
    let machine = fake("golden-cove");
    let text = thunklab(["machine", "--fake", &machine])
        .ends_with(0)
        .stdout;
    for word in [
        "Golden Cove",
        "06-cf-02",
        "KVM",
        "imul",
        "no: the hypervisor",
        "warning:",
    ] {
        assert!(text.contains(word), "no {word} in {text}");
    }
    let json = thunklab(["machine", "--format", "json", "--fake", &machine]).ends_with(0);
    let output: MachineOutput = serde_json::from_str(&json.stdout).expect("as documented");
    assert_eq!(output.machine.microarchitecture, "Golden Cove");
    assert_eq!(output.capabilities["huge-pages"], Capability::Yes(true));
    assert!(
        matches!(&output.capabilities["perf-events"], Capability::No { reason } if !reason.is_empty())
    );
}

#[test]
fn list_has_every_shipped_sequence() {
    let text = thunklab(["list"]).ends_with(0).stdout;
    let json = thunklab(["list", "--format", "json"]).ends_with(0).stdout;
    let listed: Vec<Listed> = serde_json::from_str(&json).expect("as documented");
    let mut files = 0;
    for entry in std::fs::read_dir(crate::program::root().join("sequences")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "S") {
            files += 1;
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let one = listed.iter().find(|one| one.name == name);
            let one = one.unwrap_or_else(|| panic!("{name} is not listed"));
            assert!(!one.title.is_empty() && !one.variants.is_empty());
            assert!(text.contains(&one.title), "{text}");
        }
    }
    assert_eq!(listed.len(), files);
    let loops = listed
        .iter()
        .find(|one| one.name == "clear_bhb_loop")
        .expect("shipped");
    assert_eq!(loops.params["OUTER"].len(), 2);
    for line in text.lines() {
        assert!(line.chars().count() <= 90, "{line}");
    }
}

#[test]
fn schema_describes_records() {
    let text = thunklab(["schema"]).ends_with(0).stdout;
    let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema["properties"]["variants"].is_object(), "{text}");
}
