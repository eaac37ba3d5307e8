//! The page in headless Chromium. Without it these tests fail, with what to install.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use record::Record;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::synthetic::{ALIKE, SLOW_AH, record, two};
use crate::webdriver::{Browser, url};
use crate::{hostile, page};

const ENTER: &str = "\u{e007}";

/// A browser with a page of records open.
struct Open {
    browser: Browser,
    file: PathBuf,
    _folder: TempDir,
}

impl Open {
    fn new(records: &[(String, Record)]) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("page.html");
        std::fs::write(&file, page(records)).unwrap();
        let browser = Browser::start();
        browser.open(&file);
        Self {
            browser,
            file,
            _folder: folder,
        }
    }

    /// Names in the first matrix that are in sight, from the top.
    fn names(&self) -> Vec<String> {
        let names = self.browser.run(
            "return [...document.querySelector('.matrix').tBodies[0].rows]
                .filter((row) => row.offsetHeight > 0)
                .map((row) => row.cells[0].querySelector('a').textContent);",
        );
        serde_json::from_value(names).unwrap()
    }

    fn size(&self, width: u32) {
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
    }

    fn theme(&self, theme: &str) {
        self.browser.devtools(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
        );
    }

    /// A picture of the top of the page, for who wants to look.
    fn picture(&self, name: &str) {
        let shot = self.browser.devtools("Page.captureScreenshot", &json!({}));
        let bytes = BASE64_STANDARD
            .decode(shot["data"].as_str().unwrap())
            .unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "no picture");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(folder.join(format!("page-{name}.png")), bytes).unwrap();
    }

    /// Nothing was asked for but the page, and nothing went wrong.
    fn is_quiet(&self) {
        assert_eq!(self.browser.console(), [""; 0]);
        assert_eq!(self.browser.requests(), [url(&self.file)]);
    }
}

/// The button that sorts the first matrix by a column.
fn button(column: u32) -> String {
    format!(".matrix th[data-column='{column}'] button")
}

#[test]
fn a_click_or_a_key_sorts_the_rows() {
    let open = Open::new(&two());
    let as_written = [
        "eax-ecx",
        "al-ah",
        "ah-al",
        "ah-al-zeroed",
        "al-ax100",
        "al-cl",
    ];
    assert_eq!(open.names(), as_written);
    let sorted = |column: u32| -> Value {
        open.browser.run(&format!(
            "return document.querySelector(\".matrix th[data-column='{column}']\").ariaSort"
        ))
    };
    // Percent on the first machine: those alike stay in the order in which they are written.
    assert_eq!(sorted(2), "none");
    open.browser.click(&button(2));
    assert_eq!(sorted(2), "ascending");
    let rising = [
        "eax-ecx",
        "al-ah",
        "al-cl",
        "al-ax100",
        "ah-al",
        "ah-al-zeroed",
    ];
    assert_eq!(open.names(), rising);
    open.browser.click(&button(2));
    assert_eq!(sorted(2), "descending");
    assert_eq!(open.names()[..2], ["ah-al", "ah-al-zeroed"]);
    open.browser.keys(&button(2), ENTER);
    assert_eq!(sorted(2), "none");
    assert_eq!(open.names(), as_written);
    open.browser.keys(&button(0), ENTER);
    assert_eq!((sorted(0), sorted(2)), (json!("ascending"), json!("none")));
    assert_eq!(open.names()[..2], ["ah-al", "ah-al-zeroed"]);
    open.is_quiet();
}

#[test]
fn what_does_not_fit_the_filter_is_hidden() {
    let open = Open::new(&two());
    let shown = || {
        open.browser
            .run("return document.querySelector('.shown').value")
    };
    let sections = || {
        open.browser.run(
            "return [...document.querySelectorAll('details.variant')]
                .filter((section) => section.offsetHeight > 0).length",
        )
    };
    assert_eq!(shown(), "6 of 6 variants shown");
    open.browser.keys(".by-name", "AH-AL");
    assert_eq!(open.names(), ["ah-al", "ah-al-zeroed"]);
    assert_eq!(shown(), "2 of 6 variants shown");
    assert_eq!(sections(), 2);
    open.browser
        .keys(".by-name", "\u{e003}\u{e003}\u{e003}\u{e003}\u{e003}");
    assert_eq!(open.names().len(), 6);
    open.browser.click(".by-word option[value='slower']");
    // The last one is slower in a context that the finding does not go by.
    assert_eq!(open.names(), ["ah-al", "ah-al-zeroed", "al-ax100"]);
    open.browser.click(".by-word option[value='missing']");
    assert_eq!(open.names(), [""; 0]);
    open.browser.click(".by-word option[value='']");
    assert_eq!(sections(), 6);
    open.is_quiet();
}

#[test]
fn links_open_what_they_lead_to() {
    let open = Open::new(&two());
    let is_open = "return document.getElementById('s0-v4').open";
    assert_eq!(open.browser.run(is_open), false);
    open.browser.click(".matrix a[href='#s0-v4']");
    // The event that a link was followed comes when it comes.
    let deadline = Instant::now() + Duration::from_secs(20);
    while open.browser.run(is_open) != true {
        assert!(Instant::now() < deadline, "the link does not open it");
        std::thread::sleep(Duration::from_millis(20));
    }
    open.is_quiet();
}

#[test]
fn the_page_fits_every_width_in_both_themes() {
    let records = [
        two(),
        vec![("a.json".into(), record(&SLOW_AH, 200, 8, 1))],
        (0..14)
            .map(|index| (format!("{index}.json"), record(&ALIKE, 20, 1, index)))
            .collect(),
    ];
    for (name, records) in ["two", "one", "many"].into_iter().zip(&records) {
        let open = Open::new(records);
        open.browser
            .run("for (const d of document.querySelectorAll('details')) d.open = true");
        let mut grounds = Vec::new();
        for theme in ["light", "dark"] {
            open.theme(theme);
            for width in [320, 390, 768, 1280] {
                open.size(width);
                let overflow = open.browser.run(
                    "return document.documentElement.scrollWidth \
                     - document.documentElement.clientWidth",
                );
                assert_eq!(overflow, 0, "{name} page, {width} wide");
                open.picture(&format!("{name}-{theme}-{width}"));
            }
            grounds.push(contrast(&open, theme));
        }
        assert_ne!(grounds[0], grounds[1], "the themes are alike");
        open.is_quiet();
    }
}

/// Asserts that text stands out from what it stands on, 4.5 to 1 as WCAG asks; gives the ground.
fn contrast(open: &Open, theme: &str) -> Value {
    let found = open.browser.run(
        "const light = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
                const value = part / 255;
                return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const ground = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const colour = getComputedStyle(at).backgroundColor;
                if (!colour.startsWith('rgba(0, 0, 0, 0')) return colour;
            }
            return 'rgb(255, 255, 255)';
        };
        let least = [99, ''];
        for (const element of document.querySelectorAll('p, b, small, a, td, th, summary, dt, dd, \
            figcaption, pre, .n, .advice, .brief, button, caption, svg text')) {
            const style = getComputedStyle(element);
            const own = element.namespaceURI.endsWith('svg') ? style.fill : style.color;
            const [a, b] = [light(own), light(ground(element))].sort((a, b) => b - a);
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < least[0]) least = [ratio, `${element.outerHTML.slice(0, 120)} ${own}`];
        }
        return [least, getComputedStyle(document.body).backgroundColor];",
    );
    assert!(found[0][0].as_f64().unwrap() >= 4.5, "{theme}: {found}");
    found[1].clone()
}

#[test]
fn without_script_all_of_it_is_there() {
    let open = Open::new(&two());
    open.browser.devtools(
        "Emulation.setScriptExecutionDisabled",
        &json!({"value": true}),
    );
    open.browser.open(&open.file);
    assert_eq!(open.names().len(), 6);
    assert_eq!(
        open.browser
            .run("return document.querySelectorAll('button, form:not([hidden])').length"),
        0,
        "controls that do nothing"
    );
}

#[test]
fn a_hostile_record_is_inert() {
    let open = Open::new(&hostile::records());
    open.browser
        .run("for (const d of document.querySelectorAll('details')) d.open = true");
    assert_eq!(open.browser.run("return document.scripts.length"), 1);
    assert_eq!(
        open.browser
            .run("return document.querySelectorAll('.matrix tbody tr').length > 0"),
        true
    );
    let odd = open.browser.run(
        "const known = new Set(('html head meta title style body a header p h1 h2 h3 h4 nav ul li \
            main section div em strong b code small span figure figcaption svg rect circle polyline \
            polygon line text form label input select option output details summary table caption \
            thead tbody tr th td button pre dl dt dd footer script').split(/ +/));
        return [...document.querySelectorAll('*')].filter((element) =>
            !known.has(element.localName)
            || element.getAttributeNames().some((name) => name.startsWith('on') || name === 'style')
            || (element.getAttribute('href') ?? '#').startsWith('#') === false
        ).map((element) => element.outerHTML.slice(0, 200));",
    );
    assert_eq!(odd, json!([]));
    open.is_quiet();
}
