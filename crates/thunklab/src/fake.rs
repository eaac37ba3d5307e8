//! A scripted machine (`--fake FILE`), so that statistics, records, comparisons and the command
//! line are tested without noise and without a CPU of the kind.
//!
//! A script says what each variant costs on it and what goes wrong; see [`script`] for its keys and
//! `tests/fake` for examples. The same script and seed give the same samples.

mod backend;
mod facts;
mod probe;
mod samples;
mod script;

pub(crate) use backend::Fake;
