//! PMUs as the kernel describes them in sysfs: their numbers, CPUs, events, and what the terms of an
//! event's code mean.

use std::fs;
use std::path::{Path, PathBuf};

use super::event::Attributes;
use crate::facts::{line, parse_cpu_list};

/// The kernel's folder of PMUs.
const SYSTEM: &str = "/sys/bus/event_source/devices";

/// PMUs of cores, by the names that the kernel gives them: of parts with one kind of core, and of
/// each kind on hybrid parts.
const CORES: [&str; 4] = ["cpu", "cpu_core", "cpu_atom", "cpu_lowpower"];

/// A folder of PMUs.
#[derive(Clone, Debug)]
pub(crate) struct Pmus {
    root: PathBuf,
}

/// One PMU.
#[derive(Clone, Debug)]
pub(super) struct Pmu {
    pub(super) name: String,
    folder: PathBuf,
    /// `perf_event_attr.type` of its events.
    pub(super) kind: u32,
}

impl Pmus {
    /// Those of this machine.
    pub(crate) fn of_system() -> Self {
        Self::at(SYSTEM)
    }

    /// Those described in this folder.
    pub(super) fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// All names, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        files(&self.root)
    }

    /// The PMU of this name.
    pub(super) fn named(&self, name: &str) -> Option<Pmu> {
        let folder = self.root.join(is_plain(name).then_some(name)?);
        let kind = line(folder.join("type"))?.parse().ok()?;
        Some(Pmu {
            name: name.to_owned(),
            folder,
            kind,
        })
    }

    /// The PMU of a CPU's core: on hybrid parts, the one of its kind.
    pub(super) fn of_core(&self, cpu: u32) -> Option<Pmu> {
        CORES
            .iter()
            .filter_map(|name| self.named(name))
            .find(|pmu| pmu.counts_on(cpu))
    }
}

/// Whether this is what a core's PMU may be called: where there is none, the machine lacks it, and
/// the name is not wrong.
pub(super) fn is_core(name: &str) -> bool {
    CORES.contains(&name)
}

impl Pmu {
    /// Whether it counts on this CPU. PMUs that count everywhere have no list.
    pub(super) fn counts_on(&self, cpu: u32) -> bool {
        self.cpus()
            .is_none_or(|cpus| parse_cpu_list(&cpus).contains(&cpu))
    }

    /// The CPUs that it counts on, in the kernel's list format, where it is not all.
    pub(super) fn cpus(&self) -> Option<String> {
        line(self.folder.join("cpus"))
    }

    /// Whether it is one of several kinds of cores.
    pub(super) fn is_of_a_kind(&self) -> bool {
        self.name != "cpu" && is_core(&self.name)
    }

    /// Names of its events.
    pub(super) fn events(&self) -> Vec<String> {
        files(&self.folder.join("events"))
            .into_iter()
            // Beside an event there may be its unit and scale.
            .filter(|name| !name.contains('.'))
            .collect()
    }

    /// The terms of the event of this name.
    pub(super) fn event(&self, name: &str) -> Option<String> {
        line(
            self.folder
                .join("events")
                .join(is_plain(name).then_some(name)?),
        )
    }

    /// The code of an event: `event=0x3c,umask=0x1`, or the name of one of its own.
    ///
    /// # Errors
    /// Which term is wrong, and what there is.
    pub(super) fn encode(&self, terms: &str) -> Result<Attributes, String> {
        let own = self.event(terms.trim());
        let mut attributes = Attributes {
            kind: self.kind,
            ..Attributes::default()
        };
        for term in own.as_deref().unwrap_or(terms).split(',') {
            let (name, value) = match term.trim().split_once('=') {
                Some((name, value)) => (name, number(value)),
                None => (term.trim(), Some(1)),
            };
            let value = value.ok_or_else(|| {
                format!("`{term}` is no term: a number must follow the `=`, such as 0x3c")
            })?;
            self.set(name, value, &mut attributes)?;
        }
        Ok(attributes)
    }

    /// Puts a term's value where the PMU's format says.
    fn set(&self, name: &str, value: u64, attributes: &mut Attributes) -> Result<(), String> {
        // perf's own spelling of the whole words.
        if let Some(word) = attributes.word(name) {
            *word = value;
            return Ok(());
        }
        let format = is_plain(name)
            .then(|| line(self.folder.join("format").join(name)))
            .flatten();
        let Some(format) = format else {
            let mut known = files(&self.folder.join("format"));
            known.push("config".to_owned());
            let mut message = format!(
                "PMU `{}` has no term `{name}`; its terms are {}",
                self.name,
                known.join(", ")
            );
            let events = self.events();
            if !events.is_empty() {
                message.push_str(&format!("; its events are {}", events.join(", ")));
            }
            return Err(message);
        };
        let unreadable = || format!("PMU `{}` describes `{name}` as `{format}`", self.name);
        let (word, bits) = format.split_once(':').ok_or_else(unreadable)?;
        let word = attributes.word(word).ok_or_else(unreadable)?;
        let mut rest = value;
        for bit in parse_cpu_list(bits) {
            *word |= (rest & 1).checked_shl(bit).ok_or_else(unreadable)?;
            rest >>= 1;
        }
        if rest != 0 {
            return Err(format!(
                "{value:#x} does not fit `{name}` of PMU `{}` ({format})",
                self.name
            ));
        }
        Ok(())
    }
}

/// Names of a folder's files, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Whether a name can be that of one file, and leads nowhere else.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// A number in decimal, or in hexadecimal behind `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A folder that goes when it is dropped.
    pub(in crate::counters) struct Tree(PathBuf);

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    impl Tree {
        /// A folder of these files; `name` tells the tests apart.
        fn new(name: &str, contents: &[(&str, &str)]) -> Self {
            let folder = format!("thunklab-pmus-{name}-{}", std::process::id());
            let tree = Self(std::env::temp_dir().join(folder));
            for (path, text) in contents {
                let path = tree.0.join(path);
                fs::create_dir_all(path.parent().expect("it has a folder")).expect("created");
                fs::write(path, format!("{text}\n")).expect("written");
            }
            tree
        }

        pub(in crate::counters) fn pmus(&self) -> Pmus {
            Pmus::at(&self.0)
        }
    }

    /// A part with one kind of core.
    pub(in crate::counters) fn uniform(name: &str) -> Tree {
        Tree::new(
            name,
            &[
                ("cpu/type", "4"),
                ("cpu/format/event", "config:0-7"),
                ("cpu/format/umask", "config:8-15"),
                ("cpu/format/edge", "config:18"),
                ("cpu/format/offcore_rsp", "config1:0-63"),
                ("cpu/format/wide", "config:0-7,32-35"),
                ("cpu/events/cpu-cycles", "event=0x3c"),
                ("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3"),
                ("cpu/events/slots", "event=0x00,umask=0x4"),
                ("cpu/events/slots.scale", "1"),
                ("msr/type", "9"),
                ("msr/format/event", "config:0-63"),
                ("msr/events/tsc", "event=0x00"),
            ],
        )
    }

    /// A part with two kinds.
    pub(in crate::counters) fn hybrid(name: &str) -> Tree {
        Tree::new(
            name,
            &[
                ("cpu_core/type", "4"),
                ("cpu_core/cpus", "0-15"),
                ("cpu_core/format/event", "config:0-7"),
                ("cpu_core/events/slots", "event=0x00,umask=0x4"),
                ("cpu_core/format/umask", "config:8-15"),
                ("cpu_atom/type", "10"),
                ("cpu_atom/cpus", "16-23"),
                ("cpu_atom/format/event", "config:0-7"),
                ("cpu_atom/format/umask", "config:8-15"),
            ],
        )
    }

    fn encoded(terms: &str) -> Result<(u64, u64), String> {
        let tree = uniform(&format!("encode-{}", terms.len()));
        let pmu = tree.pmus().named("cpu").expect("it is there");
        let found = pmu.encode(terms)?;
        assert_eq!(found.kind, 4);
        Ok((found.config, found.config1))
    }

    #[test]
    fn terms_go_where_the_format_says() {
        assert_eq!(encoded("event=0xa8,umask=0x01"), Ok((0x1a8, 0)));
        assert_eq!(encoded("event=60"), Ok((0x3c, 0)));
        assert_eq!(encoded("event=0x3c,edge"), Ok((0x4_003c, 0)));
        assert_eq!(
            encoded("event=0xb7,offcore_rsp=0x10001"),
            Ok((0xb7, 0x1_0001))
        );
        assert_eq!(encoded("wide=0xfff"), Ok((0xf_0000_00ff, 0)));
        assert_eq!(encoded("config=0x1a8"), Ok((0x1a8, 0)));
        assert_eq!(encoded("slots"), Ok((0x400, 0)));
    }

    #[test]
    fn wrong_terms_are_told_with_what_there_is() {
        let wrong = |terms: &str, part: &str| {
            let message = encoded(terms).expect_err("wrong");
            assert!(message.contains(part), "{message}");
        };
        wrong(
            "evnt=0x3c,umask=1",
            "terms are edge, event, offcore_rsp, umask, wide, config",
        );
        wrong("no-such-thing", "events are cpu-cycles, mem-loads, slots");
        wrong("event=0x1ff", "does not fit `event`");
        wrong("event=x", "`event=x` is no term");
        // The file says so itself, and asks for a term that this format lacks.
        wrong("mem-loads", "no term `ldlat`");
        wrong("../../type", "no term `../../type`");
    }

    #[test]
    fn the_pmu_of_a_core_is_that_of_its_kind() {
        let tree = hybrid("kinds");
        let of = |cpu| tree.pmus().of_core(cpu).map(|pmu| pmu.name);
        assert_eq!(of(3).as_deref(), Some("cpu_core"));
        assert_eq!(of(20).as_deref(), Some("cpu_atom"));
        assert_eq!(of(99), None);
        let tree = uniform("one-kind");
        assert_eq!(tree.pmus().of_core(99).expect("all alike").name, "cpu");
        assert!(tree.pmus().named("../cpu").is_none());
        assert_eq!(tree.pmus().names(), ["cpu", "msr"]);
    }
}
