//! What the page may do: run its own script and use its own style sheet, and nothing else.

use std::fmt;

use askama::filters::HtmlSafe;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The style sheet.
pub(super) const STYLE: Asset = Asset(include_str!("../../templates/page.css"));
/// The script.
pub(super) const SCRIPT: Asset = Asset(include_str!("../../templates/page.js"));

/// A file of this crate that stands in the page as it is.
#[derive(Clone, Copy)]
pub(super) struct Asset(&'static str);

impl fmt::Display for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl HtmlSafe for Asset {}

impl Asset {
    fn source(self) -> String {
        let hash = Sha256::digest(self.0.as_bytes());
        format!("'sha256-{}'", BASE64_STANDARD.encode(hash))
    }
}

/// The content security policy. Hashes rather than `'unsafe-inline'`: a script that came in with a
/// record would not run even if it were not escaped.
pub(super) fn policy() -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        STYLE.source(),
        SCRIPT.source()
    )
}
