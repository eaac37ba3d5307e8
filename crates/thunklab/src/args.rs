//! Arguments in two stages: what was typed ([`typed`]), and what that means for one sequence
//! ([`Selection`]).

mod examples;
pub(crate) mod probe;
mod quantity;
mod selection;
mod sweep;
pub(crate) mod typed;
mod word;

pub(crate) use quantity::{Share, Span};
pub(crate) use selection::{Point, Selection};
pub(crate) use sweep::{Setting, Sweep, listed};
