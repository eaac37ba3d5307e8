//! Samples out of a script's figures.

use machine::{Discard, MeasureId, Sample};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

use super::script::{Measuring, Mode};

/// Cycles of the sentinel on a core that is ours.
const SENTINEL_CYCLES: f64 = 349.0;
/// How much longer width-bound code takes beside a busy sibling.
const SENTINEL_CONTENDED: f64 = 1.3;
/// How much longer a body takes then.
const BODY_CONTENDED: f64 = 1.38;
/// Cycles around the runs of a sample, the same for both lengths.
const AROUND: f64 = 60.0;

/// Draws samples; the same seed gives the same ones. PCG, because its values are promised to stay
/// the same in later versions.
pub(crate) struct Source<'a> {
    measuring: &'a Measuring,
    ticks_per_cycle: f64,
    ruler_cycles: f64,
    random: Pcg64,
    worker: u32,
    offset: u32,
    worker_factor: f64,
}

impl<'a> Source<'a> {
    pub(crate) fn new(measuring: &'a Measuring, tsc_hz: f64, ruler_cycles: f64, seed: u64) -> Self {
        Self {
            measuring,
            ticks_per_cycle: tsc_hz / measuring.core_hz,
            ruler_cycles,
            random: Pcg64::seed_from_u64(seed),
            worker: 0,
            offset: 0,
            worker_factor: 1.0,
        }
    }

    /// From here on samples come from this worker, whose code lies at this offset.
    pub(crate) fn worker(&mut self, worker: u32, offset: u32) {
        self.worker = worker;
        self.offset = offset;
        self.worker_factor = 1.0 + self.measuring.worker_spread * self.normal();
    }

    /// One sample of something that takes `cycles` a run, and `more` where it is placed now.
    pub(crate) fn sample(
        &mut self,
        measure: MeasureId,
        round: u32,
        cycles: f64,
        more: f64,
        modes: &[Mode],
    ) -> Sample {
        // About two microseconds, calibrated once, as a real sample.
        let runs = (4000.0 / cycles).max(1.0) as u32;
        let contended = self.uniform() < self.measuring.contended;
        let ticked = self.uniform() < self.measuring.ticks;
        let noise = self.worker_factor * (1.0 + self.measuring.noise * self.normal());
        let mut cycles = (cycles + more + self.mode(modes)) * noise;
        let mut sentinel = SENTINEL_CYCLES;
        if contended {
            cycles *= BODY_CONTENDED;
            sentinel *= SENTINEL_CONTENDED;
        }
        let short = AROUND + f64::from(runs) * cycles;
        let long = short + f64::from(runs) * cycles + if ticked { 9000.0 } else { 0.0 };
        let ruler = self.ruler_cycles * (1.0 + 0.0005 * self.normal());
        let sentinels = [0, 1].map(|_| sentinel * (1.0 + 0.003 * self.normal().abs()));
        Sample {
            measure,
            round,
            worker: self.worker,
            offset: self.offset,
            runs,
            ticks: self.ticks(short),
            long_ticks: self.ticks(long),
            ruler_ticks: self.ticks(ruler),
            sentinels: sentinels.map(|cycles| self.ticks(cycles)),
            discard: ticked.then_some(Discard::Tick),
        }
    }

    fn ticks(&self, cycles: f64) -> u32 {
        (cycles * self.ticks_per_cycle).round() as u32
    }

    fn mode(&mut self, modes: &[Mode]) -> f64 {
        let mut left = self.uniform();
        for mode in modes {
            if left < mode.share {
                return mode.more;
            }
            left -= mode.share;
        }
        0.0
    }

    /// In 0 .. 1.
    fn uniform(&mut self) -> f64 {
        // 53 bits are a double's precision.
        (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
