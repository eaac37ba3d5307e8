//! The report page.
//!
//! - `synthetic`: the records that the tests are made with
//! - `finding`: what the page says, and that it says all of it
//! - `hostile`: records that try to be more than text
//! - `markdown`: the same records as Markdown
//! - `scale`: no, one and many records
//! - `webdriver`, `browser`: the page in headless Chromium

mod browser;
mod finding;
mod hostile;
mod markdown;
mod scale;
mod synthetic;
mod webdriver;

use record::Record;
use report::PageOptions;

/// The page of some records, as planned.
fn page(records: &[(String, Record)]) -> String {
    report::page(records, &PageOptions::default()).unwrap()
}

/// What a reader sees: the text without tags, script and style, one line for each run of it.
fn text(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let name = after.split([' ', '>']).next().unwrap_or_default();
        let end = match name {
            "script" | "style" => format!("</{name}>"),
            _ => ">".to_owned(),
        };
        rest = after.split_once(&end).map_or("", |(_, rest)| rest);
        // Words in one sentence stay together.
        if !["b", "/b", "em", "/em", "code", "/code", "strong", "/strong"].contains(&name) {
            text.push('\n');
        }
    }
    let text = text
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#38;", "&");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
