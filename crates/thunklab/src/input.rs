//! Where the text of a sequence comes from: a shipped name, a path, stdin; and its includes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sequence::{Include, Reader};

use crate::catalogue;

/// Bytes of the largest file that is read: some hundred times what any compiler's output has.
const MOST_BYTES: u64 = 128 << 20;

/// A sequence file's text, and the name that diagnostics call it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// `sequences/fences.S`, `./mine.S`, `-`
    pub(crate) file: String,
    /// What it says.
    pub(crate) text: String,
}

impl Input {
    /// Whether it goes through the preprocessor: a `.s` file does not, as GNU tools have it.
    pub(crate) fn is_plain(&self) -> bool {
        Path::new(&self.file)
            .extension()
            .is_some_and(|extension| extension == "s")
    }
}

/// Reads what `argument` names: `-`, a path (anything with a slash or a dot, or an existing file),
/// else a shipped name.
///
/// # Errors
/// One sentence with what was looked for, and the nearest shipped name.
pub(crate) fn read(argument: &str) -> Result<Input, String> {
    if argument == "-" {
        if machine::stdin_was_closed() {
            return Err(String::from(
                "cannot read stdin: it is closed; `-` reads a sequence from there",
            ));
        }
        let bytes = whole(io::stdin()).map_err(|error| format!("cannot read stdin: {error}"))?;
        return text("-", bytes);
    }
    let path = Path::new(argument);
    let looks_like_a_path = argument.contains(['/', '.']);
    if let Some(shipped) = catalogue::find(argument)
        && !looks_like_a_path
    {
        return Ok(Input {
            file: shipped.file(),
            text: shipped.text.to_owned(),
        });
    }
    match File::open(path).and_then(whole) {
        Ok(bytes) => text(argument, bytes),
        Err(error) if looks_like_a_path || error.kind() != io::ErrorKind::NotFound => {
            Err(format!("cannot read {argument}: {error}"))
        }
        Err(_) => Err(unknown(argument)),
    }
}

/// Reads to the end, which devices such as /dev/zero do not have.
fn whole(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("it has more than {} MiB", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn text(file: &str, bytes: Vec<u8>) -> Result<Input, String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Input {
            file: file.to_owned(),
            text,
        }),
        Err(error) => {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
            Err(format!("{file}:{line}: the file is not UTF-8 text"))
        }
    }
}

fn unknown(argument: &str) -> String {
    let hint = match catalogue::nearest(argument) {
        Some(name) => format!("did you mean `{name}`?"),
        None => String::from("`thunklab list` shows the shipped ones"),
    };
    format!("there is neither a file nor a shipped sequence `{argument}`; {hint}")
}

/// Finds included files beside the file that asks, then in the `-I` folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Includes {
    /// `-I`, in order.
    folders: Vec<PathBuf>,
    /// What was read, by its place; clones share it.
    read: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Includes {
    /// Looks in these folders, too.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            read: Arc::default(),
        }
    }

    /// The texts that were read.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.seen().values().cloned().collect()
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Includes {
    /// Path and bytes of what `name` means in the file `from`. What a stranger's file names must lie in
    /// its own folder or in one under `-I`: the bytes go into records and messages.
    fn find(&self, name: &str, from: &str) -> Result<(PathBuf, Vec<u8>), String> {
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let folders: Vec<PathBuf> = beside
            .into_iter()
            .chain(self.folders.iter().cloned())
            .collect();
        let places: Vec<PathBuf> = folders.iter().map(|folder| folder.join(name)).collect();
        for path in &places {
            match readable(path, &folders).and_then(|()| File::open(path).and_then(whole)) {
                Ok(bytes) => return Ok((path.clone(), bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
            }
        }
        let looked: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
        Err(format!("no such file: looked for {}", looked.join(", ")))
    }
}

/// Whether `path` is a file in one of these folders, whatever links and dots are in its name. A device
/// or a pipe is not even opened: that alone may do something.
fn readable(path: &Path, folders: &[PathBuf]) -> io::Result<()> {
    let real = path.canonicalize()?;
    let is_inside = |folder: &PathBuf| {
        let here = Path::new(".");
        let folder = if folder.as_os_str().is_empty() {
            here
        } else {
            folder
        };
        folder
            .canonicalize()
            .is_ok_and(|folder| real.starts_with(folder))
    };
    if !folders.iter().any(is_inside) {
        let folder = real.parent().unwrap_or(&real).display().to_string();
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "a sequence may read files of its own folder and of those under -I; if that is meant, \
                 give -I {folder}"
            ),
        ));
    }
    if !real.metadata()?.is_file() {
        let message = "it is not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

impl Reader for Includes {
    fn read(&mut self, name: &str, from: &str) -> Result<Include, String> {
        let (path, bytes) = self.find(name, from)?;
        let shown = path.display().to_string();
        let text = text(&shown, bytes)?.text;
        self.seen().insert(shown.clone(), text.clone());
        Ok(Include { name: shown, text })
    }

    fn read_bytes(&mut self, name: &str, from: &str) -> Result<Vec<u8>, String> {
        self.find(name, from).map(|(_, bytes)| bytes)
    }
}
