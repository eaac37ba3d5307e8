//! The edges between the seven crates are those of ARCHITECTURE.md and no others.

use cargo_metadata::MetadataCommand;

use crate::program::root;

/// What each crate may use of the others.
const EDGES: [(&str, &[&str]); 7] = [
    ("sequence", &[]),
    ("assemble", &["sequence"]),
    ("machine", &["assemble"]),
    ("stats", &[]),
    ("record", &["stats"]),
    ("report", &["record"]),
    (
        "thunklab",
        &[
            "assemble", "machine", "record", "report", "sequence", "stats",
        ],
    ),
];

#[test]
fn crates_use_only_what_the_architecture_allows() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo tells the workspace's packages");
    let mut names: Vec<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    names.sort_unstable();
    let mut planned: Vec<&str> = EDGES.iter().map(|(name, _)| *name).collect();
    planned.sort_unstable();
    assert_eq!(names, planned, "the workspace has seven crates");

    for package in &metadata.packages {
        let (_, allowed) = EDGES
            .iter()
            .find(|(name, _)| *name == package.name.as_str())
            .expect("checked above");
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            // Tests may use more, but the stage before, whose output is what they need, is not
            // more: only edges that go backward or across are refused, of whatever kind.
            let ours = planned.contains(&name);
            assert!(
                !ours || allowed.contains(&name) || is_upstream(name, &package.name, dependency),
                "{} uses {name} ({:?}), which ARCHITECTURE.md does not allow",
                package.name,
                dependency.kind,
            );
        }
    }
}

/// Whether a test of `package` uses something that it reaches anyhow through what it may use.
fn is_upstream(name: &str, package: &str, dependency: &cargo_metadata::Dependency) -> bool {
    fn reaches(from: &str, to: &str) -> bool {
        let edges = EDGES.iter().find(|(name, _)| *name == from);
        edges.is_some_and(|(_, uses)| uses.iter().any(|used| *used == to || reaches(used, to)))
    }
    dependency.kind == cargo_metadata::DependencyKind::Development && reaches(package, name)
}

#[test]
fn only_machine_lifts_the_ban_on_unsafe_code() {
    let mut looked = 0;
    for (name, _) in EDGES {
        for file in rust_files(&root().join("crates").join(name)) {
            looked += 1;
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            let lifts = text.contains("(unsafe_code");
            assert!(
                !lifts || name == "machine",
                "{} lifts unsafe_code outside machine",
                file.display()
            );
        }
    }
    assert!(looked > 50, "only {looked} source files were found");
}

/// The wall clock may jump at any time. Only a record's date is read from it.
#[test]
fn times_are_of_clocks_that_nobody_sets() {
    let mut readers = Vec::new();
    for (name, _) in EDGES {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            let wall = [
                "SystemTime",
                "Timestamp::now",
                "Zoned::now",
                "CLOCK_REALTIME",
            ];
            if wall.iter().any(|clock| text.contains(clock)) {
                let name = file.file_name().expect("a name");
                readers.push(name.to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(readers, ["recording.rs"]);
}

fn rust_files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a crate is a folder") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
