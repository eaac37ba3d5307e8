//! Which CPU to measure on.

use core_affinity::CoreId;

use super::linux;
use crate::api::Error;

/// The CPU to measure on: the one asked for, or the last allowed one that is not CPU 0, which
/// handles most interrupts.
///
/// # Errors
/// Where the CPU asked for does not exist or this process may not run on it.
pub(crate) fn choose_cpu(wanted: Option<u32>) -> Result<u32, Error> {
    let online = linux::line("/sys/devices/system/cpu/online")
        .map(|text| linux::parse_cpu_list(&text))
        .unwrap_or_default();
    choose(wanted, &allowed_cpus(), &online)
}

/// CPUs that this thread may run on, in order.
pub(crate) fn allowed_cpus() -> Vec<u32> {
    let mut cpus: Vec<u32> = core_affinity::get_core_ids()
        .unwrap_or_default()
        .into_iter()
        .filter_map(|core| u32::try_from(core.id).ok())
        .collect();
    cpus.sort_unstable();
    cpus
}

fn choose(wanted: Option<u32>, allowed: &[u32], online: &[u32]) -> Result<u32, Error> {
    let list = linux::cpu_list(allowed);
    let Some(wanted) = wanted else {
        return allowed.last().copied().ok_or_else(|| Error {
            message: "the kernel does not say which CPUs this process may run on".to_owned(),
            advice: "name one with --cpu".to_owned(),
        });
    };
    if allowed.contains(&wanted) {
        return Ok(wanted);
    }
    let message = if !online.is_empty() && !online.contains(&wanted) {
        format!(
            "there is no CPU {wanted} online (online: {})",
            linux::cpu_list(online)
        )
    } else {
        format!("this process may not run on CPU {wanted}")
    };
    Err(Error {
        message,
        advice: format!("allowed CPUs: {list}"),
    })
}

/// Runs something on this CPU, in a thread of its own so that the caller's affinity stays.
///
/// # Errors
/// Where the thread cannot be started or cannot be moved there.
pub(super) fn on_cpu<T: Send>(cpu: u32, run: impl FnOnce() -> T + Send) -> Result<T, Error> {
    let pinned = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(format!("on-cpu-{cpu}"))
            .spawn_scoped(scope, || {
                core_affinity::set_for_current(CoreId { id: cpu as usize }).then(run)
            });
        thread.map(|thread| thread.join())
    });
    match pinned {
        Ok(Ok(Some(value))) => Ok(value),
        Ok(Ok(None)) => Err(Error {
            message: format!("cannot move a thread to CPU {cpu}"),
            advice: format!("allowed CPUs: {}", linux::cpu_list(&allowed_cpus())),
        }),
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => Err(Error {
            message: format!("cannot start a thread: {error}"),
            advice: "raise the limit on processes (ulimit -u)".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_allowed_cpu_is_the_default() {
        assert_eq!(choose(None, &[0, 1, 5], &[0, 1, 5]), Ok(5));
        assert_eq!(choose(None, &[0], &[0]), Ok(0));
        assert!(choose(None, &[], &[]).is_err());
    }

    #[test]
    fn a_cpu_must_be_there_and_be_allowed() {
        assert_eq!(choose(Some(1), &[0, 1], &[0, 1, 2]), Ok(1));
        let forbidden = choose(Some(2), &[0, 1], &[0, 1, 2]).expect_err("not allowed");
        assert_eq!(
            forbidden.to_string(),
            "this process may not run on CPU 2 (allowed CPUs: 0-1)"
        );
        let absent = choose(Some(64), &[0, 1], &[0, 1, 2]).expect_err("not there");
        assert_eq!(
            absent.to_string(),
            "there is no CPU 64 online (online: 0-2) (allowed CPUs: 0-1)"
        );
    }

    #[test]
    fn work_runs_on_the_cpu_it_is_meant_for() {
        let cpu = choose_cpu(None).expect("some CPU is allowed");
        let seen = on_cpu(cpu, allowed_cpus).expect("an allowed CPU");
        assert_eq!(seen, [cpu]);
    }
}
