//! The rate of the time-stamp counter.

#![expect(unsafe_code, reason = "reads the TSC and the raw monotonic clock")]

use std::time::Duration;

use super::identity::Identity;
use super::linux;
use crate::api::{Clock, TscSource};

/// Time for checking a rate that somebody states: enough to see an error of one per mille.
const CHECK: Duration = Duration::from_millis(2);
/// Time for measuring a rate that nobody states.
const CALIBRATION: Duration = Duration::from_millis(10);

/// Finds the TSC's rate: the hypervisor's word first (CPUID's own leaf may be the host's, while the
/// guest's TSC is scaled), then CPUID, then the kernel; each is believed only if the counter keeps
/// to it for two milliseconds. Failing all, the rate is measured.
pub(super) fn clock(identity: &Identity) -> Clock {
    let kernel = linux::line("/sys/devices/system/cpu/cpu0/tsc_freq_khz")
        .and_then(|text| text.parse::<f64>().ok())
        .map(|khz| khz * 1e3);
    let stated = [
        (identity.hypervisor_tsc_hz, TscSource::Cpuid),
        (identity.tsc_hz, TscSource::Cpuid),
        (kernel, TscSource::Kernel),
    ];
    let stated: Vec<Clock> = stated
        .into_iter()
        .filter_map(|(hz, source)| hz.map(|tsc_hz| Clock { tsc_hz, source }))
        .collect();
    if !stated.is_empty()
        && let Some(clock) = believable(&stated, rate(CHECK))
    {
        return clock;
    }
    Clock {
        tsc_hz: rate(CALIBRATION),
        source: TscSource::Calibrated,
    }
}

/// The first of these rates that lies within 1 % of the measured one.
fn believable(stated: &[Clock], measured_hz: f64) -> Option<Clock> {
    stated
        .iter()
        .find(|clock| (clock.tsc_hz / measured_hz - 1.0).abs() < 0.01)
        .copied()
}

/// Ticks a second over this time. The ends are read by pairs of clock and counter of which the
/// tightest counts, so that an interruption between the two does not matter.
fn rate(time: Duration) -> f64 {
    let (start_ns, start_ticks) = moment();
    std::thread::sleep(time);
    let (end_ns, end_ticks) = moment();
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds in ticks and nanoseconds are far below 2^53"
    )]
    let (ticks, ns) = (
        end_ticks.wrapping_sub(start_ticks) as f64,
        end_ns.saturating_sub(start_ns).max(1) as f64,
    );
    ticks / ns * 1e9
}

/// Raw nanoseconds and the TSC at the same moment.
fn moment() -> (u64, u64) {
    let mut best = (u64::MAX, 0, 0);
    for _ in 0..16 {
        let before = tsc();
        let ns = raw_ns();
        let after = tsc();
        let width = after.wrapping_sub(before);
        if width < best.0 {
            best = (width, ns, before.wrapping_add(width / 2));
        }
    }
    (best.1, best.2)
}

fn tsc() -> u64 {
    // SAFETY: `rdtsc` is part of every x86-64 CPU and changes nothing but two registers. A process
    // that forbade itself the TSC by prctl would be killed by SIGSEGV, not made unsound.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// CLOCK_MONOTONIC_RAW: not steered by NTP, whose slewing would be in the rate.
fn raw_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a timespec on this stack, and the call writes nothing else.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_RAW, &raw mut time) };
    debug_assert_eq!(result, 0, "Linux has had this clock since 2.6.28");
    let whole = u64::try_from(time.tv_sec).unwrap_or(0);
    whole * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_rate_must_agree_with_the_counter() {
        let stated = [
            Clock {
                tsc_hz: 2.0e9,
                source: TscSource::Cpuid,
            },
            Clock {
                tsc_hz: 2.3e9,
                source: TscSource::Kernel,
            },
        ];
        assert_eq!(believable(&stated, 2.301e9), Some(stated[1]));
        assert_eq!(believable(&stated, 2.001e9), Some(stated[0]));
        assert_eq!(believable(&stated, 3.0e9), None);
    }

    #[test]
    fn the_counter_has_a_rate() {
        let hz = rate(Duration::from_millis(2));
        assert!((1e8..2e10).contains(&hz), "{hz}");
    }
}
