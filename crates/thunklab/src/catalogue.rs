//! The shipped sequences, embedded in the binary.

/// Name and text of each, in order of name.
const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sequences.rs"));

/// One shipped sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shipped {
    /// `clear_bhb_loop`
    pub(crate) name: &'static str,
    /// The file's text.
    pub(crate) text: &'static str,
}

impl Shipped {
    /// The name under which diagnostics and records know its file.
    pub(crate) fn file(self) -> String {
        format!("sequences/{}.S", self.name)
    }
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Shipped> {
    SHIPPED.iter().map(|&(name, text)| Shipped { name, text })
}

/// The one of this name.
pub(crate) fn find(name: &str) -> Option<Shipped> {
    all().find(|shipped| shipped.name == name)
}

/// Whether `text` is that of a shipped sequence, to the byte: such code is trusted with its system
/// calls.
pub(crate) fn is_shipped(text: &str) -> bool {
    all().any(|shipped| shipped.text == text)
}

/// The name nearest to `wrong`, for a "did you mean".
pub(crate) fn nearest(wrong: &str) -> Option<&'static str> {
    all()
        .map(|shipped| (strsim::jaro_winkler(wrong, shipped.name), shipped.name))
        .filter(|&(similarity, _)| similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
