//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;

/// Links that lead to one another before it is taken for a circle, as the kernel has it.
const MOST_LINKS: u32 = 40;

/// Whether [`replace_file`] could write here: the folders are made, and a file is begun beside the
/// place and taken away again.
///
/// # Errors
/// Why it could not.
pub fn can_replace(path: &Path) -> io::Result<()> {
    drop(beside(&resolved(path)?)?);
    Ok(())
}

/// Opens what is no regular file (a device, a pipe), to be written to as it is; `None` for a file, a
/// folder, and what is not there. It does not wait for a pipe's reader.
///
/// # Errors
/// Where it cannot be opened, and for a pipe that nobody reads.
pub fn open_special(path: &Path) -> io::Result<Option<File>> {
    let found = match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => found,
        _ => return Ok(None),
    };
    if !found.file_type().is_fifo() {
        return File::options().write(true).open(path).map(Some);
    }
    let opened = File::options()
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path);
    let file = opened.map_err(|error| {
        if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) {
            let message = "nobody reads this pipe: start its reader first";
            io::Error::new(error.kind(), message)
        } else {
            error
        }
    })?;
    // From here on it waits for its reader as any writer does.
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(Some(file))
}

/// Where links lead, though nothing may be there.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => {
                path.pop();
                path.push(target);
            }
            // What is no link, or not there.
            Err(_) => return Ok(path),
        }
    }
    Err(Errno::LOOP.into())
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
    builder.permissions(fs::Permissions::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a file, creating the folders it stands in. It is replaced whole: a reader, or whoever
/// comes after a crash or a full disk, finds the old file or the new one. A link stays a link, and
/// what it leads to is written, though it is not there yet; the file keeps its mode, and its owner
/// where that is permitted. Other names of the same file (hard links) keep the old text. What is no
/// regular file (`/dev/null`, a pipe) is written to as it is, and so is a file that cannot be replaced.
///
/// # Errors
/// What `write` returns, and where the folder or the file cannot be written.
pub fn replace_file<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    if let Some(special) = open_special(path)? {
        return buffered(&special, write);
    }
    let path = resolved(path)?;
    let file = beside(&path)?;
    buffered(file.as_file(), write)?;
    if let Ok(found) = fs::metadata(&path) {
        keep_access(file.as_file(), &found);
    }
    match file.persist(&path) {
        Ok(_) => Ok(()),
        Err(refused) => Ok(over(&refused.file, &path).map_err(|_| refused.error)?),
    }
}

/// Writes over a file that may be written to but not replaced: one that is mounted by itself, or
/// somebody else's in a folder like /tmp. Whoever reads it meanwhile finds a part.
fn over(file: &tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    let mut to = File::options().write(true).truncate(true).open(path)?;
    io::copy(&mut file.reopen()?, &mut to).map(drop)
}

/// Gives a new file the owner, the group and the mode of the one that it replaces, as far as that is
/// permitted: only root may give a file away, and that is no reason not to write it.
fn keep_access(file: &File, found: &fs::Metadata) {
    let _ = fchown(file, None, Some(found.gid()));
    let _ = fchown(file, Some(found.uid()), None);
    let mode = fs::Permissions::from_mode(found.mode() & 0o7777);
    let _ = file.set_permissions(mode);
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn replace(path: &Path, text: &str) -> io::Result<()> {
        replace_file(path, |out| out.write_all(text.as_bytes()))
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for mode in [0o640, 0o600, 0o666] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            replace(&path, "new").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode);
        }
    }

    #[test]
    fn a_link_stays_one_and_leads_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("there/x.json", at("dangling.json")).unwrap();
        symlink("dangling.json", at("second.json")).unwrap();
        for text in ["new", "newer"] {
            can_replace(&at("second.json")).unwrap();
            replace(&at("second.json"), text).unwrap();
            assert_eq!(fs::read_to_string(at("there/x.json")).unwrap(), text);
        }
        for link in ["dangling.json", "second.json"] {
            assert!(at(link).is_symlink(), "{link}");
        }
        symlink("circle.json", at("circle.json")).unwrap();
        assert!(can_replace(&at("circle.json")).is_err());
        assert!(replace(&at("circle.json"), "new").is_err());
        assert!(at("circle.json").is_symlink());
    }

    #[test]
    fn another_name_of_the_file_keeps_the_old_text() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one.json", "other.json"].map(|name| folder.path().join(name));
        fs::write(&one, "old").unwrap();
        fs::hard_link(&one, &other).unwrap();
        replace(&one, "new").unwrap();
        assert_eq!(fs::read_to_string(&one).unwrap(), "new");
        assert_eq!(fs::read_to_string(&other).unwrap(), "old");
    }
}
