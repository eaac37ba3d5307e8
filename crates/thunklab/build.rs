//! Embeds the catalogue: every `sequences/*.S`, so that a user needs only the binary.
//!
//! A build script rather than a list by hand or a macro over a folder, because only a build script
//! notices on stable Rust that a file was added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let folder = root.join("../../sequences");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "S"));
    files.sort();

    let mut table = String::from("&[\n");
    for path in &files {
        let path = path.canonicalize()?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(table, "    ({stem:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("sequences.rs"), table)
}
