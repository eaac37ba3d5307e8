//! Workers that end before anything of a sequence has run in them.

use std::fs::{self, Permissions};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use dynasmrt::dynasm;
use machine::{Backend, Error, Event, ProbeEvent, ProbeNext, ProbePlan, Real};

use crate::outcome::plan;
use crate::sequence::called;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("lost::one_that_does_not_begin_is_replaced", once),
    ("lost::where_none_begins_it_is_told", always),
    ("lost::a_probe_replaces_it_too", probing),
];

/// An executable that ends at once as often as it is told, and is this one from then on.
struct Stumbling {
    folder: PathBuf,
}

impl Stumbling {
    fn new(times: u32) -> Self {
        let name = format!("thunklab-stumbles-{}-{times}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        let left = folder.join("left");
        fs::write(&left, format!("{times}\n")).expect("it is written");
        let own = std::env::current_exe().expect("this program");
        let script = format!(
            "#!/bin/sh\nread left < '{left}'\nif [ \"$left\" -gt 0 ]; then\n\
             echo $((left - 1)) > '{left}'\nexit 3\nfi\nexec '{own}' \"$@\"\n",
            left = left.display(),
            own = own.display()
        );
        let stumbling = Self { folder };
        fs::write(stumbling.program(), script).expect("it is written");
        fs::set_permissions(stumbling.program(), Permissions::from_mode(0o755))
            .expect("it is ours");
        stumbling
    }

    fn program(&self) -> PathBuf {
        self.folder.join("worker")
    }
}

impl Drop for Stumbling {
    fn drop(&mut self) {
        // What stays is a folder of two small files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Samples and warnings of a measurement with such workers.
fn measured(stumbling: &Stumbling) -> Result<(usize, Vec<String>), Error> {
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let (mut samples, mut warnings) = (0, Vec::new());
    let mut real = Real::with_worker(stumbling.program());
    real.measure(&[case], &plan(100), &mut |event| {
        match event {
            Event::Sample(_) => samples += 1,
            Event::Warning { kind, message, .. } if kind == "worker-lost" => warnings.push(message),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok((samples, warnings))
}

fn once() {
    let (samples, warnings) = measured(&Stumbling::new(1)).expect("the second one works");
    assert!(samples > 10, "{samples}");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

fn always() {
    let error = measured(&Stumbling::new(1000)).expect_err("there is no worker");
    assert!(error.message.contains("worker"), "{error:?}");
}

fn probing() {
    let stumbling = Stumbling::new(2);
    fs::write(stumbling.folder.join("left"), "1\n").expect("it is written");
    let case = called("a", |ops| dynasm!(ops ; .arch x64 ; imul rax, rax));
    let mut read = 0;
    let probed = Real::with_worker(stumbling.program()).probe(
        &[case],
        &ProbePlan::default(),
        &mut |event| {
            read += u32::from(matches!(event, ProbeEvent::Read { .. }));
            ProbeNext::On
        },
    );
    probed.expect("the second one works");
    assert!(read > 0);
}
