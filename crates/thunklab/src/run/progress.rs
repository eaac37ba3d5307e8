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
            if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {msg} {eta} left") {
                bar.set_style(style);
            }
            bar.set_prefix(job.sequence().name.clone());
            bar
        });
        Self {
            bar,
            start,
            drawn: start,
        }
    }

    /// Moves with the clock, and tells of workers.
    pub(crate) fn see(&mut self, event: &Event) {
        let Some(bar) = &self.bar else {
            return;
        };
        if let Event::Worker { worker, of } = event {
            bar.set_message(format!("worker {} of {of}", worker + 1));
        }
        if self.drawn.elapsed() >= REDRAW {
            self.drawn = Instant::now();
            let position = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
            bar.set_position(position.min(bar.length().unwrap_or(position)));
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
