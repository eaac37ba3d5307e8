//! The little of the WebDriver protocol that the tests need.
//!
//! A few requests over HTTP; the client crates for it bring an async runtime along.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const REMEDY: &str =
    "install Chromium and its driver (Debian: apt-get install chromium chromium-driver)";

/// The key under which WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with an empty profile, driven by a driver of its own. Both end with it.
pub(crate) struct Browser {
    driver: Child,
    session: String,
    agent: ureq::Agent,
    _profile: TempDir,
}

impl Browser {
    /// Starts the driver and the browser.
    pub(crate) fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start: {error}; {REMEDY}"));
        let port = BufReader::new(driver.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("started successfully on port ")?;
                Some(port.trim_end_matches('.').to_owned())
            })
            .unwrap_or_else(|| panic!("chromedriver names no port; {REMEDY}"));
        let profile = TempDir::new().unwrap();
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let mut browser = Self {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            agent,
            _profile: profile,
        };
        let arguments = [
            "--headless".to_owned(),
            // Chromium's own sandbox does not start for root, as which CI runs.
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            format!("--user-data-dir={}", browser._profile.path().display()),
        ];
        let created = browser.request(
            "",
            &json!({"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }}}),
        );
        let id = created["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("the browser does not start: {created}; {REMEDY}"));
        browser.session = format!("{}/{id}", browser.session);
        // The browser's own first page asks for many things.
        browser.call("/url", &json!({"url": "about:blank"}));
        browser.log("performance");
        browser
    }

    /// Opens a file.
    pub(crate) fn open(&self, file: &Path) {
        self.call("/url", &json!({"url": url(file)}));
    }

    /// Runs a script in the page and gives what it returns.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.call("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Clicks an element as a user would: it must be there, in sight and uncovered.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.call(&format!("/element/{element}/click"), &json!({}));
    }

    /// Types into an element.
    pub(crate) fn keys(&self, selector: &str, text: &str) {
        let element = self.find(selector);
        self.call(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// A command of the browser's own protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.call(
            "/goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        )
    }

    /// What the page wrote to the console, errors and refusals of its policy among them.
    pub(crate) fn console(&self) -> Vec<String> {
        self.log("browser")
            .iter()
            .map(|entry| entry["message"].to_string())
            .collect()
    }

    /// Every address that was asked for since the last call.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.log("performance")
            .iter()
            .filter_map(|entry| {
                let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
                let message = &message["message"];
                (message["method"] == "Network.requestWillBeSent").then(|| {
                    message["params"]["request"]["url"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned()
                })
            })
            .collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.call("/se/log", &json!({"type": kind}));
        entries.as_array().cloned().unwrap_or_default()
    }

    fn find(&self, selector: &str) -> String {
        let found = self.call(
            "/element",
            &json!({"using": "css selector", "value": selector}),
        );
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// A command that must succeed.
    fn call(&self, path: &str, body: &Value) -> Value {
        let value = self.request(path, body);
        assert!(value.get("error").is_none(), "{path} {body}: {value}");
        value
    }

    fn request(&self, path: &str, body: &Value) -> Value {
        let text = self
            .agent
            .post(format!("{}{path}", self.session))
            .content_type("application/json")
            .send(body.to_string())
            .and_then(|mut answer| {
                answer
                    .body_mut()
                    .with_config()
                    .limit(1 << 28)
                    .read_to_string()
            })
            .unwrap_or_else(|error| panic!("chromedriver does not answer: {error}"));
        let answer: Value = serde_json::from_str(&text).unwrap();
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser with the session.
        let ended = self.agent.delete(&self.session).call();
        let stopped = self.driver.kill().and_then(|()| self.driver.wait());
        if !std::thread::panicking() {
            ended.unwrap();
            stopped.unwrap();
        }
    }
}

/// The address of a file.
pub(crate) fn url(file: &Path) -> String {
    format!("file://{}", file.display())
}
