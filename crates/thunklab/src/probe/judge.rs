//! From times to scores, and from scores to a word; and whether there are enough of them.

use machine::{Mode, ProbeNext, ProbeSubject, Reading, Setting};
use record::{History, HistoryWord};
use stats::{Inseparable, Round, Separation, Trial, separation};

use super::not_measurable;

/// At most this: the marker is visible.
const KEPT: f64 = 0.25;
/// At least this: it is not.
const DISPLACED: f64 = 0.75;
/// Ticks that slow and fast jumps must be apart.
const LEAST_GAP: f64 = 12.0;
/// Batches of one subject before what is unclear stays so.
const MOST_BATCHES: u32 = 4;
/// Settings that must agree before anything is called displaced, of all six.
const LEAST_SETTINGS: usize = 4;

const SETTINGS: usize = Setting::ALL.len();

/// The scores of one subject, setting by setting.
type Scores = [Result<Separation, Inseparable>; SETTINGS];

/// What was read of one subject.
#[derive(Clone, Debug)]
struct Times {
    rounds: [Vec<Round>; SETTINGS],
    batches: u32,
    scores: Scores,
}

impl Times {
    fn new() -> Self {
        Self {
            rounds: Default::default(),
            batches: 0,
            scores: [Err(Inseparable::Nothing); SETTINGS],
        }
    }

    fn take(&mut self, readings: Vec<Reading>) {
        self.batches += 1;
        let mut fresh: [[Vec<Vec<f64>>; 3]; SETTINGS] = Default::default();
        for reading in readings {
            let mode = Mode::ALL.iter().position(|mode| *mode == reading.mode);
            let ticks = reading.ticks.iter().map(|&ticks| f64::from(ticks));
            if let (Some(mode), Some(modes)) = (mode, fresh.get_mut(reading.setting)) {
                modes[mode].push(ticks.collect());
            }
        }
        for (rounds, [constant, dependent, independent]) in self.rounds.iter_mut().zip(fresh) {
            let modes = constant.into_iter().zip(dependent).zip(independent);
            rounds.extend(modes.map(|((constant, dependent), independent)| {
                let trial = Trial {
                    constant,
                    dependent,
                    independent,
                };
                trial.round(LEAST_GAP)
            }));
        }
        self.scores = self.rounds.each_ref().map(|rounds| separation(rounds));
    }
}

/// What a control says: which settings can be used, and what is wrong with the first that cannot.
#[derive(Clone, Debug)]
struct Control {
    usable: [bool; SETTINGS],
    wrong: Option<String>,
}

impl Control {
    /// Of a control's scores: the marker has to be visible.
    fn of(scores: &Scores, what: &str) -> Self {
        let usable = scores
            .each_ref()
            .map(|score| matches!(score, Ok(score) if score.score <= KEPT));
        let wrong = scores.iter().find_map(|score| match score {
            Ok(score) if score.score <= KEPT => None,
            Ok(score) => Some(format!("{what}: score {:.2}, not 0", score.score)),
            Err(problem) => Some(describe(*problem)),
        });
        Self { usable, wrong }
    }

    fn all() -> Self {
        Self {
            usable: [true; SETTINGS],
            wrong: None,
        }
    }
}

/// One case's times, and its controls.
#[derive(Clone, Debug)]
struct Case {
    /// What the control without a sequence said when this case was first read.
    nothing: Option<Control>,
    before: Option<Times>,
    between: Times,
}

/// All of a probe.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    nothing: Times,
    control: Control,
    /// Whether a case was read behind the last control.
    used: bool,
    cases: Vec<Case>,
}

impl Judge {
    /// Nothing read yet of so many cases.
    pub(super) fn new(cases: usize) -> Self {
        let case = Case {
            nothing: None,
            before: None,
            between: Times::new(),
        };
        let nothing = Times::new();
        Self {
            control: without_a_sequence(&nothing),
            nothing,
            used: false,
            cases: vec![case; cases],
        }
    }

    /// Takes a batch. Whether another one of the same is wanted.
    pub(super) fn take(&mut self, subject: ProbeSubject, readings: Vec<Reading>) -> bool {
        let (batches, settled) = match subject {
            ProbeSubject::Nothing => {
                if std::mem::take(&mut self.used) {
                    self.nothing = Times::new();
                }
                self.nothing.take(readings);
                self.control = without_a_sequence(&self.nothing);
                (self.nothing.batches, self.control.wrong.is_none())
            }
            ProbeSubject::Before(index) | ProbeSubject::Between(index) => {
                self.used = true;
                let Some(case) = self.cases.get_mut(index) else {
                    return false;
                };
                case.nothing.get_or_insert_with(|| self.control.clone());
                if subject == ProbeSubject::Before(index) {
                    let times = case.before.get_or_insert_with(Times::new);
                    times.take(readings);
                    (times.batches, in_front(times).wrong.is_none())
                } else {
                    case.between.take(readings);
                    (case.between.batches, case.is_settled())
                }
            }
        };
        !settled && batches < MOST_BATCHES
    }

    /// What comes when there are no more batches of this subject. A case that keeps the history
    /// needs no control of its own, see [`Case::history`].
    pub(super) fn then(&self, subject: ProbeSubject) -> ProbeNext {
        match subject {
            ProbeSubject::Between(case) if self.history(case).word == HistoryWord::Kept => {
                ProbeNext::Done
            }
            _ => ProbeNext::On,
        }
    }

    /// What is said of a case.
    pub(super) fn history(&self, case: usize) -> History {
        match self.cases.get(case) {
            Some(case) if case.between.batches > 0 => case.history(),
            _ => not_measurable(String::from("the probe ended before it")),
        }
    }
}

fn without_a_sequence(times: &Times) -> Control {
    Control::of(&times.scores, "the control without a sequence failed")
}

fn in_front(times: &Times) -> Control {
    Control::of(
        &times.scores,
        "it leaves history of its own, which changes from run to run (in front of the marker it \
         hides it)",
    )
}

impl Case {
    /// Whether more times would change nothing: the word is clear, in every setting, and its
    /// interval stays on its side of the middle.
    fn is_settled(&self) -> bool {
        let history = self.history();
        match history.word {
            HistoryWord::Kept => history.high.is_some_and(|high| high < 0.5),
            HistoryWord::Displaced => {
                let scores = &self.between.scores;
                scores.iter().all(Result::is_ok) && history.low.is_some_and(|low| low > 0.5)
            }
            HistoryWord::Unclear | HistoryWord::NotMeasurable => false,
        }
    }

    fn history(&self) -> History {
        let nothing = self.nothing.clone().unwrap_or_else(Control::all);
        let before = self.before.as_ref().map_or_else(Control::all, in_front);
        let between = &self.between.scores;
        let of = |controls: &[&Control]| -> Vec<(usize, Separation)> {
            let usable = |index: &usize| controls.iter().all(|control| control.usable[*index]);
            let settings = (0..SETTINGS).filter(usable);
            settings
                .filter_map(|index| Some((index, between[index].ok()?)))
                .collect()
        };
        // That a marker is visible needs no second control: history of the sequence's own cannot
        // make it so.
        if let Some(least) = least(&of(&[&nothing]))
            && least.score <= KEPT
        {
            return history(&least, HistoryWord::Kept, None);
        }
        let usable = of(&[&nothing, &before]);
        let markers: Vec<_> = usable
            .iter()
            .map(|(index, _)| Setting::ALL[*index].marker)
            .collect();
        let two_markers = markers.iter().any(|marker| *marker != markers[0]);
        let Some(least) = least(&usable).filter(|_| usable.len() >= LEAST_SETTINGS && two_markers)
        else {
            let wrong = nothing.wrong.or(before.wrong).or_else(|| {
                let problem = between.iter().find_map(|score| score.err())?;
                Some(describe(problem))
            });
            let why = wrong.unwrap_or_else(|| String::from("too few settings could be used"));
            return not_measurable(why);
        };
        if least.score >= DISPLACED {
            return history(&least, HistoryWord::Displaced, None);
        }
        let why = format!(
            "the least score of {} settings stays between {KEPT} and {DISPLACED} after {} rounds",
            usable.len(),
            least.rounds
        );
        history(&least, HistoryWord::Unclear, Some(why))
    }
}

fn least(scores: &[(usize, Separation)]) -> Option<Separation> {
    scores
        .iter()
        .map(|(_, score)| *score)
        .min_by(|one, other| one.score.total_cmp(&other.score))
}

fn history(score: &Separation, word: HistoryWord, reason: Option<String>) -> History {
    History {
        score: Some(score.score),
        low: Some(score.low),
        high: Some(score.high),
        word,
        reason,
        taken_branches: None,
    }
}

/// Why there is no score, in words.
fn describe(problem: Inseparable) -> String {
    match problem {
        Inseparable::Nothing => String::from("no times were read"),
        Inseparable::Gap(gap) => format!(
            "predicted and mispredicted jumps are only {gap:.0} ticks apart, less than {LEAST_GAP}"
        ),
        Inseparable::Constant(share) => format!(
            "{:.0} % of the jumps that always go one way were slow: something disturbs the \
             predictor or the clock",
            share * 100.0
        ),
        Inseparable::Independent(share) => format!(
            "{:.0} % of the jumps on random bits were slow, not about half: something disturbs \
             the predictor or the clock",
            share * 100.0
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A batch in which the jumps by the marker are slow with this share, others as they should be.
    fn batch(dependent: f64, constant: f64) -> Vec<Reading> {
        let mut readings = Vec::new();
        for round in 0..3 {
            for setting in 0..SETTINGS {
                for mode in Mode::ALL {
                    let share = match mode {
                        Mode::Constant => constant,
                        Mode::Dependent => dependent,
                        Mode::Independent => 0.5,
                    };
                    let slow = (share * 300.0) as usize;
                    let ticks = (0..300)
                        .map(|trial| 100 + trial % 5 + 40 * u32::from((trial as usize) < slow))
                        .collect();
                    readings.push(Reading {
                        setting: (setting + round) % SETTINGS,
                        mode,
                        ticks,
                    });
                }
            }
        }
        readings
    }

    /// What is said of one case of these shares, and how often it was asked for.
    fn judged(nothing: f64, before: f64, between: f64, constant: f64) -> (History, u32) {
        let mut judge = Judge::new(1);
        let mut batches = 0;
        let subjects = [
            (ProbeSubject::Nothing, nothing),
            (ProbeSubject::Between(0), between),
            (ProbeSubject::Before(0), before),
        ];
        for (subject, share) in subjects {
            loop {
                batches += 1;
                if !judge.take(subject, batch(share, constant)) {
                    break;
                }
            }
            if judge.then(subject) == ProbeNext::Done {
                break;
            }
        }
        (judge.history(0), batches)
    }

    #[test]
    fn clear_scores_take_one_batch_each() {
        // A case that keeps the history needs no control in front of the marker.
        let (history, batches) = judged(0.0, 0.0, 0.0, 0.0);
        assert_eq!((history.word, batches), (HistoryWord::Kept, 2));
        let (history, batches) = judged(0.0, 0.0, 0.5, 0.0);
        assert_eq!((history.word, batches), (HistoryWord::Displaced, 3));
        assert!(history.score.unwrap() > 0.95);
        assert!(history.low.unwrap() < history.score.unwrap());
    }

    #[test]
    fn what_stays_between_is_unclear_and_says_so() {
        let (history, batches) = judged(0.0, 0.0, 0.25, 0.0);
        assert_eq!(
            (history.word, batches),
            (HistoryWord::Unclear, 2 + MOST_BATCHES)
        );
        assert!(history.reason.unwrap().contains("after 12 rounds"));
    }

    #[test]
    fn a_control_that_fails_leaves_no_verdict() {
        let (history, _) = judged(0.5, 0.0, 0.5, 0.0);
        assert_eq!(history.word, HistoryWord::NotMeasurable);
        assert!(history.reason.unwrap().contains("without a sequence"));
        // A sequence whose own history is random looks effective and is not called so.
        let (history, _) = judged(0.0, 0.5, 0.5, 0.0);
        assert_eq!(history.word, HistoryWord::NotMeasurable);
        assert!(history.reason.unwrap().contains("history of its own"));
        // But that the marker is visible is seen all the same.
        let (history, _) = judged(0.0, 0.5, 0.0, 0.0);
        assert_eq!(history.word, HistoryWord::Kept);
    }

    #[test]
    fn a_disturbed_machine_gives_a_reason() {
        let (history, batches) = judged(0.3, 0.3, 0.3, 0.3);
        assert_eq!(history.word, HistoryWord::NotMeasurable);
        assert!(history.reason.unwrap().contains("30 %"));
        assert_eq!(batches, 3 * MOST_BATCHES);
    }

    /// Whatever the control that was left out would have shown.
    #[test]
    fn a_control_that_is_left_out_would_change_nothing() {
        let shares = [0.0, 0.1, 0.15, 0.25, 0.4, 0.5];
        let mut left_out = 0;
        for nothing in shares {
            for between in shares {
                let mut judge = Judge::new(1);
                while judge.take(ProbeSubject::Nothing, batch(nothing, 0.0)) {}
                while judge.take(ProbeSubject::Between(0), batch(between, 0.0)) {}
                if judge.then(ProbeSubject::Between(0)) != ProbeNext::Done {
                    continue;
                }
                left_out += 1;
                for (before, constant) in [(0.0, 0.0), (0.25, 0.0), (0.5, 0.0), (0.3, 0.3)] {
                    let mut judge_of_both = judge.clone();
                    while judge_of_both.take(ProbeSubject::Before(0), batch(before, constant)) {}
                    assert_eq!(judge_of_both.history(0), judge.history(0));
                }
            }
        }
        assert!(left_out >= 4, "{left_out}");
    }

    #[test]
    fn one_setting_in_which_the_marker_is_visible_is_enough() {
        let mut judge = Judge::new(1);
        judge.take(ProbeSubject::Nothing, batch(0.0, 0.0));
        let mut mixed = batch(0.5, 0.0);
        let visible = batch(0.0, 0.0);
        for (to, from) in mixed.iter_mut().zip(visible) {
            if to.setting == 5 {
                *to = from;
            }
        }
        judge.take(ProbeSubject::Between(0), mixed);
        assert_eq!(judge.history(0).word, HistoryWord::Kept);
    }

    #[test]
    fn a_case_that_was_not_reached_says_so() {
        let judge = Judge::new(1);
        assert_eq!(judge.history(0).word, HistoryWord::NotMeasurable);
        assert_eq!(judge.history(7).word, HistoryWord::NotMeasurable);
    }
}
