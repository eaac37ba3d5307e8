//! The record from outside.
//!
//! - `made`: records made up for the tests
//! - `disk`: load, save, folders
//! - `hostile`: what is refused, and in which words
//! - `damaged`: thousands of records with random damage
//! - `comparison`: diff
//! - `shape`: keys and schema

mod comparison;
mod damaged;
mod disk;
mod hostile;
mod made;
mod shape;
