//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Whether [`replace_file`] could write here: the folders are made, and a file is begun beside the
/// place and taken away again.
///
/// # Errors
/// Why it could not.
pub fn can_replace(path: &Path) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    drop(beside(&path)?);
    Ok(())
}

/// A file in the folder of `path`, which is created if need be.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".thunklab-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a file, creating the folders it stands in. It is replaced whole: a reader, or whoever
/// comes after a crash or a full disk, finds the old file or the new one. What is no regular file
/// (`/dev/null`, a pipe) is written to as it is.
///
/// # Errors
/// What `write` returns, and where the folder or the file cannot be written.
pub fn replace_file<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    // A link stays a link: what it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return buffered(&File::options().write(true).open(&path)?, write);
    }
    let file = beside(&path)?;
    buffered(file.as_file(), write)?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

fn buffered<E: From<io::Error>>(
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()?;
    Ok(())
}
