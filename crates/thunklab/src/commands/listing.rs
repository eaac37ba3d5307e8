//! `thunklab listing`: what would run.

use anyhow::Result;

use crate::args::typed::{Common, Listing};
use crate::outcome::Status;
use crate::terminal::Terminal;

pub(crate) fn listing(_typed: &Listing, _common: &Common, _terminal: &Terminal) -> Result<Status> {
    Ok(Status::Done)
}
