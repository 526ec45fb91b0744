//! Draws and judges one file after another.

use crate::author::{Draft, draw};
use crate::judge::{Verdict, judge};
use crate::shrink::shrunk;
use crate::table::{Files, plan};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// After so many files at fault a run has seen enough.
const ENOUGH: usize = 20;
/// A file that the checker refuses is drawn again so often.
const ATTEMPTS: u64 = 16;

/// What came of a run.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) files: u64,
    pub(crate) refused: u64,
    pub(crate) solved: u64,
    pub(crate) over_budget: u64,
    pub(crate) enumerated: u64,
    pub(crate) open: u64,
    pub(crate) unresolved: u64,
    pub(crate) comparisons: usize,
    /// The most states of a file that was solved, and that file.
    pub(crate) states: (u64, u64),
    /// The largest surprise, as a share of the one that is too much, and the file that had it.
    pub(crate) worst: (f64, u64),
    /// In how many files each construct is.
    pub(crate) constructs: BTreeMap<&'static str, u64>,
    /// Files at fault, told.
    pub(crate) faults: Vec<String>,
    /// What the checker said of refused files, and how often.
    pub(crate) reasons: BTreeMap<String, u64>,
}

/// Draws files by their numbers and judges them, on all threads; right engines are found to disagree with a probability of
/// at most `level`.
pub(crate) fn run(numbers: Range<u64>, level: f64) -> Figures {
    let alarm = level / (numbers.end - numbers.start) as f64;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let part = &|first: usize| {
        let mut figures = Figures::default();
        for number in numbers.clone().skip(first).step_by(threads) {
            if figures.faults.len() < ENOUGH {
                figures.file(number, alarm);
            }
        }
        figures
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).fold(Figures::default(), Figures::and)
    })
}

impl Figures {
    /// Both together.
    fn and(mut self, other: Self) -> Self {
        self.files += other.files;
        self.refused += other.refused;
        self.solved += other.solved;
        self.over_budget += other.over_budget;
        self.enumerated += other.enumerated;
        self.open += other.open;
        self.unresolved += other.unresolved;
        self.comparisons += other.comparisons;
        self.states = self.states.max(other.states);
        if other.worst.0 > self.worst.0 {
            self.worst = other.worst;
        }
        let reasons = other.reasons.into_iter();
        reasons.for_each(|(reason, times)| *self.reasons.entry(reason).or_default() += times);
        let constructs = other.constructs.into_iter();
        constructs.for_each(|(construct, files)| *self.constructs.entry(construct).or_default() += files);
        self.faults.extend(other.faults);
        self
    }

    fn file(&mut self, number: u64, alarm: f64) {
        for attempt in 0..ATTEMPTS {
            let draft = draw(number * ATTEMPTS + attempt);
            match plan(number, &draft.files) {
                Ok(plan) => return self.count(number, &draft, judge(&plan, alarm), alarm),
                Err(reason) => {
                    self.refused += 1;
                    let reason = reason.split(": `").next().unwrap_or_default();
                    *self.reasons.entry(reason.to_owned()).or_default() += 1;
                }
            }
        }
        panic!("{ATTEMPTS} drafts of file {number} are refused");
    }

    fn count(&mut self, number: u64, draft: &Draft, verdict: Verdict, alarm: f64) {
        self.files += 1;
        self.solved += u64::from(verdict.solved);
        self.over_budget += u64::from(verdict.over_budget);
        self.enumerated += u64::from(verdict.enumerated);
        self.open += u64::from(verdict.open);
        self.unresolved += u64::from(verdict.unresolved);
        self.comparisons += verdict.fit.comparisons;
        self.states = self.states.max((verdict.states, number));
        if verdict.fit.worst > self.worst.0 {
            self.worst = (verdict.fit.worst, number);
        }
        draft.constructs.iter().for_each(|construct| *self.constructs.entry(construct).or_default() += 1);
        if !verdict.fit.faults.is_empty() {
            let told = told(number, &draft.files, alarm);
            println!("{told}");
            self.faults.push(told);
        }
    }
}

/// What is wrong in a file, and in the smallest that is still wrong.
fn told(number: u64, files: &Files, alarm: f64) -> String {
    let faults = |files: &Files| {
        plan(number, files).map_or_else(|_| Vec::new(), |plan| judge(&plan, alarm).fit.faults)
    };
    let small = shrunk(files, |files| !faults(files).is_empty());
    let plan = plan(number, &small).unwrap();
    let moves: Vec<String> = plan
        .rules
        .choices
        .iter()
        .zip(plan.moves.iter())
        .map(|(choice, play)| match play {
            Some(play) => {
                format!("{} = {}", choice.name, houserule::scenario::describe_move(&plan.rules, choice, play))
            }
            None => format!("{} is not come to", choice.name),
        })
        .collect();
    let situation: Vec<String> = plan
        .rules
        .factors
        .iter()
        .zip(&plan.situation)
        .map(|(factor, value)| format!("{} = {value}", factor.name))
        .collect();
    format!(
        "FILE {number}: {}\n{}\nSHRUNK: {}\n{}situation {}\n{}",
        faults(files).join("\n"),
        written(files),
        faults(&small).join("\n"),
        written(&small),
        situation.join(", "),
        moves.join("\n"),
    )
}

fn written(files: &Files) -> String {
    files.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect()
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} files ({} drafts refused), {} can end in more than one way, {} unresolved",
            self.files, self.refused, self.open, self.unresolved
        )?;
        writeln!(f, "{} solved, {} over the budget", self.solved, self.over_budget)?;
        writeln!(f, "most states: {} in file {}", self.states.0, self.states.1)?;
        writeln!(f, "{} also played in every way, {} cells compared", self.enumerated, self.comparisons)?;
        writeln!(f, "worst surprise: {:.2} of what is too much, in file {}", self.worst.0, self.worst.1)?;
        self.reasons.iter().try_for_each(|(reason, times)| writeln!(f, "refused {times} times: {reason}"))?;
        self.constructs.iter().try_for_each(|(construct, files)| writeln!(f, "{files:6} {construct}"))
    }
}
