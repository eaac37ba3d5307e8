//! Settings of this machine that make numbers worse, each with what to do about it. Nothing here
//! is ever changed by this program.

/// What is looked at: plain facts, so that the judgement can be tested on any machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts<'a> {
    pub(super) microarchitecture: &'a str,
    pub(super) ruler_known: bool,
    pub(super) hybrid_kind_hidden: bool,
    pub(super) hypervisor: Option<&'a str>,
    pub(super) governor: Option<&'a str>,
    pub(super) turbo: Option<bool>,
    pub(super) cpu: u32,
    pub(super) smt: Option<bool>,
    pub(super) siblings: &'a [u32],
    pub(super) load: Option<f64>,
    /// CPUs that this process may run on.
    pub(super) cpus: u32,
    pub(super) flags: &'a [String],
    pub(super) lfence_serialises: Option<bool>,
}

/// Kind, message, advice of everything that is so here.
pub(super) fn warnings(facts: &Facts<'_>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut warn = |kind: &str, message: String, advice: &str| {
        found.push((kind.to_owned(), message, advice.to_owned()));
    };
    if !facts.ruler_known {
        warn(
            "unknown-model",
            format!(
                "the latency of the ruler on {} is a guess, and so is every number of cycles",
                facts.microarchitecture
            ),
            "compare variants by their ratios, or cycles with a machine that has perf events",
        );
    }
    if facts.hybrid_kind_hidden {
        warn(
            "core-type-hidden",
            format!(
                "{} has two kinds of cores, and the hypervisor hides which kind this one is",
                facts.microarchitecture
            ),
            "pin the guest's CPUs to one kind of core; cycles assume a P-core",
        );
    }
    if let Some(hypervisor) = facts.hypervisor {
        warn(
            "hypervisor",
            format!(
                "this is a {hypervisor} guest: the model and microcode may be invented by the \
                 hypervisor, and mitigations of the host are not visible"
            ),
            "compare with a run on bare metal before drawing conclusions about a model",
        );
    }
    if let Some(governor) = facts.governor
        && governor != "performance"
    {
        warn(
            "governor",
            format!("the frequency governor is {governor}: times in ns vary with the load"),
            "as root: cpupower frequency-set -g performance (cycles do not depend on it)",
        );
    }
    if facts.turbo == Some(true) {
        warn(
            "turbo",
            "turbo is on: times in ns vary with temperature and with the neighbours' load"
                .to_owned(),
            "trust cycles, or as root: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo (AMD: \
             echo 0 > /sys/devices/system/cpu/cpufreq/boost)",
        );
    }
    if facts.smt == Some(true) && !facts.siblings.is_empty() {
        let siblings = super::linux::cpu_list(facts.siblings);
        warn(
            "smt",
            format!("CPU {} shares its core with CPU {siblings}", facts.cpu),
            "leave the sibling idle; samples that feel it are dropped, and the share is printed",
        );
    }
    if let Some(load) = facts.load
        && load > f64::from(facts.cpus) * 0.75
    {
        warn(
            "load",
            format!(
                "the load is {load:.1} on {} CPUs: other work competes for them",
                facts.cpus
            ),
            "stop other work, or give the run more --time",
        );
    }
    let has = |flag: &str| facts.flags.iter().any(|have| have == flag);
    if !has("constant_tsc") || !has("nonstop_tsc") {
        warn(
            "tsc",
            "the TSC of this CPU changes its rate or stops in idle states".to_owned(),
            "do not trust times in ns; cycles come from rulers beside every sample",
        );
    }
    match facts.lfence_serialises {
        Some(true) => {}
        Some(false) => warn(
            "lfence",
            "lfence does not wait for older instructions here: isolated runs overlap".to_owned(),
            "run a kernel that sets DE_CFG's serialising bit (Linux does since 4.15); do not compare \
             the isolated context with other machines",
        ),
        None => warn(
            "lfence",
            "whether lfence waits for older instructions could not be measured".to_owned(),
            "repeat on a quiet machine before trusting the isolated context",
        ),
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(flags: &[String]) -> Facts<'_> {
        Facts {
            microarchitecture: "Zen 4",
            ruler_known: true,
            governor: Some("performance"),
            turbo: Some(false),
            smt: Some(false),
            load: Some(0.1),
            cpus: 8,
            flags,
            lfence_serialises: Some(true),
            ..Facts::default()
        }
    }

    fn tsc_flags() -> Vec<String> {
        vec!["constant_tsc".to_owned(), "nonstop_tsc".to_owned()]
    }

    fn check(facts: &Facts<'_>, kinds: &[&str]) {
        let found = warnings(facts);
        let found_kinds: Vec<&str> = found.iter().map(|(kind, ..)| kind.as_str()).collect();
        assert_eq!(found_kinds, kinds);
        for (kind, message, advice) in &found {
            assert!(!message.is_empty() && !advice.is_empty(), "{kind}");
        }
    }

    #[test]
    fn a_quiet_machine_gets_no_warning() {
        check(&quiet(&tsc_flags()), &[]);
    }

    #[test]
    fn each_setting_has_its_warning() {
        let flags = tsc_flags();
        let facts = quiet(&flags);
        check(
            &Facts {
                ruler_known: false,
                ..facts.clone()
            },
            &["unknown-model"],
        );
        check(
            &Facts {
                hybrid_kind_hidden: true,
                ..facts.clone()
            },
            &["core-type-hidden"],
        );
        check(
            &Facts {
                hypervisor: Some("KVM"),
                ..facts.clone()
            },
            &["hypervisor"],
        );
        check(
            &Facts {
                governor: Some("powersave"),
                ..facts.clone()
            },
            &["governor"],
        );
        check(
            &Facts {
                turbo: Some(true),
                ..facts.clone()
            },
            &["turbo"],
        );
        check(
            &Facts {
                smt: Some(true),
                siblings: &[3],
                ..facts.clone()
            },
            &["smt"],
        );
        check(
            &Facts {
                load: Some(7.0),
                ..facts.clone()
            },
            &["load"],
        );
        check(
            &Facts {
                lfence_serialises: Some(false),
                ..facts.clone()
            },
            &["lfence"],
        );
        check(
            &Facts {
                lfence_serialises: None,
                ..facts.clone()
            },
            &["lfence"],
        );
        check(&quiet(&flags[..1]), &["tsc"]);
    }

    #[test]
    fn what_the_kernel_does_not_say_is_no_warning() {
        let flags = tsc_flags();
        let facts = Facts {
            governor: None,
            turbo: None,
            smt: None,
            load: None,
            ..quiet(&flags)
        };
        check(&facts, &[]);
        // A core that is alone has no sibling to warn of, even with SMT on elsewhere.
        check(
            &Facts {
                smt: Some(true),
                ..facts
            },
            &[],
        );
    }
}
