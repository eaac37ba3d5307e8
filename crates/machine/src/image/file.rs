//! The image's contents, in a file in memory that nobody can change any more.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// Writes `pieces` to a new file in memory and seals it: a worker can map it privately, but
/// neither write to it nor change its length.
///
/// # Errors
/// If there is no memory.
pub(super) fn sealed(pieces: &[Vec<u8>]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(memfd_create("thunklab-image", flags)?);
    for piece in pieces {
        file.write_all(piece)?;
    }
    let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    fcntl_add_seals(&file, seals)?;
    Ok(file.into())
}
