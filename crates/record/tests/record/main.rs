//! The record from outside.
//!
//! - `made`: records made up for the tests
//! - `disk`: load, save, folders
//! - `hostile`: what is refused, and in which words
//! - `comparison`: diff
//! - `shape`: keys and schema

mod comparison;
mod disk;
mod hostile;
mod made;
mod shape;
