//! Tests of the crate from outside.
//!
//! - `recorder`: a sink that notes statements and knows numbers
//! - `structured`: the structured comments, params, parts and variants
//! - `walk`: statements of small texts
//! - `errors`: one error a text, with its place, remedy and notes
//! - `gnu_as`: expanded text assembles under GNU as to the bytes of the original
//! - `limits`: texts that never end, nest too deep or are no text

mod errors;
mod gnu_as;
mod limits;
mod recorder;
mod structured;
mod walk;
