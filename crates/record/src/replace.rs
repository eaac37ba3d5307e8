//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufWriter, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat, fcntl_getfl, fcntl_setfl, fstat, openat, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;

/// Links that lead to one another before it is taken for a circle, as the kernel has it.
const MOST_LINKS: u32 = 40;
/// Names that are tried for a file that shall be new.
const TRIES: u32 = 16;
/// How often somebody who waits for a pipe's reader looks at anything else.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

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

/// A place for a file that is written whole, again and again: links are followed once, and the folder
/// is held from then on. Whatever is put in the way meanwhile, a link to another file or another
/// folder under the old name, nothing but this name in this folder is written.
#[derive(Debug)]
pub struct Place {
    folder: OwnedFd,
    name: OsString,
    /// The file that was there at the beginning: its device and its number.
    known: Option<(u64, u64)>,
}

impl Place {
    /// Finds it: the folders are made, and a file is begun there and taken away again.
    ///
    /// # Errors
    /// Why nothing could be written there.
    pub fn new(path: &Path) -> io::Result<Self> {
        let path = resolved(path)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        let name = path.file_name().ok_or(Errno::ISDIR)?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut place = Self {
            folder: openat(CWD, folder, flags, Mode::empty())?,
            name: name.to_owned(),
            known: None,
        };
        place.known = place.found().map(|found| (found.st_dev, found.st_ino));
        drop(place.begin()?);
        Ok(place)
    }

    /// The file that stands there now, opened as asked for; `None` if there is none.
    ///
    /// # Errors
    /// If it is no regular file, or may not be opened so.
    fn open(&self, access: OFlags) -> io::Result<Option<File>> {
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(&self.folder, &*self.name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match FileType::from_raw_mode(fstat(&file)?.st_mode) {
            FileType::RegularFile => Ok(Some(file.into())),
            _ => Err(io::Error::other("what stands there is no file")),
        }
    }

    /// The file that stands there now, to be read; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or may not be written to: a file that must not be written to is not
    /// replaced either, though its folder may allow it.
    pub fn read(&self) -> io::Result<Option<File>> {
        self.open(OFlags::WRONLY)?;
        self.open(OFlags::RDONLY)
    }

    /// What stands there now, if it is a regular file.
    fn found(&self) -> Option<Stat> {
        let found = statat(&self.folder, &*self.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        (FileType::from_raw_mode(found.st_mode) == FileType::RegularFile).then_some(found)
    }

    /// A new file beside it.
    fn begin(&self) -> io::Result<Part<'_>> {
        let flags =
            OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::RDWR | OFlags::CLOEXEC;
        for number in 0..TRIES {
            let random = RandomState::new().hash_one(number);
            let name = OsString::from(format!(".thunklab-{random:016x}.tmp"));
            match openat(&self.folder, &*name, flags, Mode::from_raw_mode(0o666)) {
                Ok(file) => {
                    return Ok(Part {
                        place: self,
                        file: File::from(file),
                        name,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EXIST.into())
    }

    /// Writes the file. It is replaced whole: a reader, or whoever comes after a crash or a full disk,
    /// finds the old file or the new one. It keeps its mode, and its owner where that is permitted.
    /// Other names of the same file (hard links) keep the old text. A file that cannot be replaced is
    /// written over.
    ///
    /// # Errors
    /// What `write` returns, and where the file cannot be written.
    pub fn replace<E: From<io::Error>>(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let part = self.begin()?;
        buffered(&part.file, write)?;
        if let Some(found) = self.found() {
            keep_access(&part.file, &found);
        }
        match renameat(&self.folder, &*part.name, &self.folder, &*self.name) {
            Ok(()) => Ok(()),
            Err(refused) => Ok(self.over(&part.file).map_err(|_| refused.into())?),
        }
    }

    /// Writes over a file that may be written to but not replaced: one that is mounted by itself, or
    /// somebody else's in a folder like /tmp. Whoever reads it meanwhile finds a part.
    fn over(&self, mut from: &File) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let to = openat(&self.folder, &*self.name, flags, Mode::empty())?;
        let found = fstat(&to)?;
        if self.known != Some((found.st_dev, found.st_ino)) {
            return Err(Errno::EXIST.into());
        }
        let mut to = File::from(to);
        to.set_len(0)?;
        io::Seek::rewind(&mut from)?;
        io::copy(&mut from, &mut to).map(drop)
    }
}

/// A file that is not yet where it belongs. It is taken away if it never gets there.
struct Part<'a> {
    place: &'a Place,
    file: File,
    name: OsString,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        // One that was put in its place has this name no longer.
        let _ = unlinkat(&self.place.folder, &*self.name, AtFlags::empty());
    }
}

/// Writes a file, creating the folders it stands in, as [`Place::replace`]. A link stays a link, and
/// what it leads to is written, though it is not there yet. What is no regular file (`/dev/null`, a
/// pipe) is written to as it is.
///
/// # Errors
/// What `write` returns, and where the folder or the file cannot be written.
pub fn replace_file<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    match open_special(path)? {
        Some(special) => buffered(&special, write),
        None => Place::new(path)?.replace(write),
    }
}

/// Writes to what [`open_special`] opened, for as long as `goes_on`: a pipe's reader may be one that
/// never reads.
///
/// # Errors
/// Why not all of it could be written.
pub fn write_special(
    mut special: &File,
    mut bytes: &[u8],
    goes_on: &mut dyn FnMut() -> bool,
) -> io::Result<()> {
    fcntl_setfl(special, fcntl_getfl(special)? | OFlags::NONBLOCK)?;
    while !bytes.is_empty() {
        match special.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if !goes_on() {
                    let left = bytes.len();
                    return Err(io::Error::other(format!(
                        "its reader did not take the last {left} bytes"
                    )));
                }
                let mut descriptors = [PollFd::new(special, PollFlags::OUT)];
                match poll(&mut descriptors, Some(&LOOK)) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Gives a new file the owner, the group and the mode of the one that it replaces, as far as that is
/// permitted: only root may give a file away, and that is no reason not to write it.
fn keep_access(file: &File, found: &Stat) {
    let _ = fchown(file, None, Some(found.st_gid));
    let _ = fchown(file, Some(found.st_uid), None);
    let mode = fs::Permissions::from_mode(found.st_mode & 0o7777);
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
    use std::io::Read;
    use std::os::unix::fs::{MetadataExt, symlink};

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
            Place::new(&at("second.json")).unwrap();
            replace(&at("second.json"), text).unwrap();
            assert_eq!(fs::read_to_string(at("there/x.json")).unwrap(), text);
        }
        for link in ["dangling.json", "second.json"] {
            assert!(at(link).is_symlink(), "{link}");
        }
        symlink("circle.json", at("circle.json")).unwrap();
        assert!(Place::new(&at("circle.json")).is_err());
        assert!(replace(&at("circle.json"), "new").is_err());
        assert!(at("circle.json").is_symlink());
    }

    /// Somebody puts a link to another file, or another folder, where the record goes.
    #[test]
    fn what_is_put_in_the_way_is_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "mine").unwrap();
        let place = Place::new(&at("records/x.json")).unwrap();
        let write = |text: &str| place.replace(|out| out.write_all(text.as_bytes()));
        write("old").unwrap();
        fs::remove_file(at("records/x.json")).unwrap();
        symlink(at("precious"), at("records/x.json")).unwrap();
        write("new").unwrap();
        assert_eq!(fs::read_to_string(at("precious")).unwrap(), "mine");
        assert!(!at("records/x.json").is_symlink());
        assert_eq!(fs::read_to_string(at("records/x.json")).unwrap(), "new");
        fs::rename(at("records"), at("moved")).unwrap();
        fs::create_dir(at("other")).unwrap();
        symlink(at("other"), at("records")).unwrap();
        write("newer").unwrap();
        assert_eq!(fs::read_dir(at("other")).unwrap().count(), 0);
        assert_eq!(fs::read_to_string(at("moved/x.json")).unwrap(), "newer");
    }

    #[test]
    fn a_pipe_that_nobody_empties_is_given_up() {
        let (mut reader, writer) = io::pipe().unwrap();
        let writer = File::from(OwnedFd::from(writer));
        let long = vec![b'x'; 1 << 20];
        let mut looks = 0;
        let gave_up = write_special(&writer, &long, &mut || {
            looks += 1;
            looks < 3
        });
        assert!(gave_up.unwrap_err().to_string().contains("did not take"));
        assert_eq!(looks, 3);
        let read = std::thread::spawn(move || {
            let mut all = Vec::new();
            reader.read_to_end(&mut all).map(|_| all.len())
        });
        write_special(&writer, &long, &mut || true).unwrap();
        drop(writer);
        assert!(read.join().unwrap().unwrap() > 1 << 20);
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
