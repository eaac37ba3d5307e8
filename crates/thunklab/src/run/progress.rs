//! What a user at a terminal sees while nothing is printed yet.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use machine::{Event, Plan};

use crate::terminal::Terminal;

use super::job::Job;

/// Samples come by the million a second; a bar that moves ten times a second is enough.
const REDRAW: Duration = Duration::from_millis(100);

/// A bar on stderr, or nothing.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// The wall time of the run, which is known: nothing has to be estimated.
    time: Duration,
    workers: String,
    start: Instant,
    drawn: Instant,
}

impl Progress {
    /// A bar for one job where stderr is a terminal.
    pub(crate) fn new(job: &Job, plan: &Plan, terminal: &Terminal) -> Self {
        let start = Instant::now();
        let bar = terminal.progress.then(|| {
            let length = u64::try_from(plan.time.as_millis()).unwrap_or(u64::MAX);
            let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
            // A template that is wrong leaves the default one, which serves as well.
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(job.sequence().name.clone());
            bar
        });
        let progress = Self {
            bar,
            time: plan.time,
            workers: String::new(),
            start,
            drawn: start,
        };
        progress.draw();
        progress
    }

    /// Moves with the clock, and tells of workers.
    pub(crate) fn see(&mut self, event: &Event) {
        if self.bar.is_none() {
            return;
        }
        if let Event::Worker { worker, of } = event {
            self.workers = format!("worker {} of {of}, ", worker + 1);
        }
        if self.drawn.elapsed() >= REDRAW {
            self.drawn = Instant::now();
            self.draw();
        }
    }

    fn draw(&self) {
        let Some(bar) = &self.bar else {
            return;
        };
        let elapsed = self.start.elapsed();
        let position = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        bar.set_position(position.min(bar.length().unwrap_or(position)));
        let left = self.time.saturating_sub(elapsed);
        bar.set_message(if left.is_zero() {
            "finishing".to_owned()
        } else {
            format!("{}{:.0} s left", self.workers, left.as_secs_f64().ceil())
        });
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
