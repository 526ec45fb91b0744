//! A run in parts: each shard plays some chunks of some plans, and the parts that they leave are merged into one run.
//!
//! In: which shard of how many; later, the files that all of them left. Out: a part, which carries the texts that it was
//! made from; later, these texts and the counts of all parts.
//!
//! **Never:** parts of different questions, the same trials twice, or a run of which trials are missing.

use super::store::{Counts, FORMAT, Key, counts_of, rows};
use super::{Draw, Study};
use crate::diagnostic::{Diagnostic, Sources};
use crate::plan::CHUNK;
use crate::results::Part;
use crate::simulate::{Stopped, Stretch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which part of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shard {
    /// Which one, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

/// What the numbers of a run depend on; all its parts have the same.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Path and text of the scenario, and of each rules file in the order in which they were read.
    pub files: Vec<(String, String)>,
    /// Trials per variant and situation.
    pub trials: u64,
    /// Most trials where a claim asks for more, if that is set.
    pub most: Option<u64>,
    /// The seed of the dice.
    pub seed: u64,
    /// Most states that solving a situation may look at.
    pub budget: u64,
    /// The name of the folder in which the scenario stands.
    pub folder: String,
}

/// The parts of a run put together.
#[derive(Debug)]
pub struct Merged {
    /// What the run was asked.
    pub asked: Asked,
    counts: Counts,
}

impl Asked {
    /// The texts as if their files had been read.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        self.files.iter().for_each(|(path, text)| _ = sources.add(path, text));
        sources
    }

    fn notes(&self, shard: Shard) -> Vec<(String, String)> {
        let note = |name: &str, text: &dyn ToString| (name.to_owned(), text.to_string());
        let mut notes = vec![
            note("format", &FORMAT),
            note("shard", &shard.number),
            note("shards", &shard.of),
            note("trials", &self.trials),
            note("seed", &self.seed),
            note("budget", &self.budget),
            note("folder", &self.folder),
        ];
        notes.extend(self.most.map(|most| note("most trials", &most)));
        for (number, (path, text)) in (1..).zip(&self.files) {
            notes.push(note(&format!("path {number}"), path));
            notes.push(note(&format!("text {number}"), text));
        }
        notes
    }

    /// What a part says; nothing if it is none of a shard.
    fn of_part(part: &Part) -> Option<(Shard, Self)> {
        let number = |name| part.note(name).and_then(|text| text.parse().ok());
        let file = |at: u64| {
            let [path, text] =
                ["path", "text"].map(|name| part.note(&format!("{name} {at}")).map(str::to_owned));
            path.zip(text)
        };
        let shard = Shard { number: number("shard")?, of: number("shards")? };
        let asked = Self {
            files: (1..).map_while(file).collect(),
            trials: number("trials")?,
            most: number("most trials"),
            seed: number("seed")?,
            budget: number("budget")?,
            folder: part.note("folder")?.to_owned(),
        };
        ((1..=shard.of).contains(&shard.number) && !asked.files.is_empty()).then_some((shard, asked))
    }

    /// In what the question of another part is not this one; where a file lies is of no account.
    fn differs(&self, other: &Self) -> Option<String> {
        let text =
            |files: &[(String, String)]| files.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
        let file = self.files.iter().zip(&other.files).find(|(one, two)| one.1 != two.1);
        Some(match self {
            _ if text(&self.files) != text(&other.files) => match file {
                Some(((path, _), _)) => format!("`{path}` had another text then"),
                None => "it was made from other files".to_owned(),
            },
            _ if self.seed != other.seed => format!("the seed is {} there, not {}", other.seed, self.seed),
            _ if self.trials != other.trials => {
                format!("it is of {} trials, not of {}", other.trials, self.trials)
            }
            _ if self.most != other.most => "another most number of trials was set for its claims".to_owned(),
            _ if self.budget != other.budget => {
                format!("the budget is {} there, not {}", other.budget, self.budget)
            }
            _ => return None,
        })
    }
}

impl Study<'_> {
    /// Plays one shard and hands back its part: the chunks of all plans, one after another, are dealt out evenly.
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub fn shard(&self, shard: Shard, asked: &Asked, draw: Draw<'_>) -> Result<Part, Stopped> {
        let stretches = self.deal(shard);
        let mut counts = Counts::default();
        for (stretch, tally) in stretches.iter().zip(draw.tallies(&stretches)?) {
            counts.insert(draw.seed, stretch, &tally);
        }
        Ok(Part { table: rows(&counts), notes: asked.notes(shard) })
    }

    /// How many trials a shard plays.
    pub fn share(&self, shard: Shard) -> u64 {
        self.deal(shard).iter().map(|stretch| stretch.trials.end - stretch.trials.start).sum()
    }

    /// The stretches of one shard; a short chunk is one of its own.
    fn deal(&self, shard: Shard) -> Vec<Stretch<'_>> {
        let (plans, trials) = (self.distinct(), self.scenario.trials);
        let each = trials.div_ceil(CHUNK);
        let all = u128::from(each) * plans.len() as u128;
        let cut = |number: u64| (all * u128::from(number) / u128::from(shard.of)) as u64;
        let mine = cut(shard.number - 1)..cut(shard.number);
        let mut stretches = Vec::new();
        for (first, (_, plan)) in (0..).step_by(each as usize).zip(plans.into_values()) {
            let chunk = |item: u64| item.clamp(first, first + each) - first;
            let (start, end) = (chunk(mine.start) * CHUNK, (chunk(mine.end) * CHUNK).min(trials));
            let whole = end - end % CHUNK;
            let parts = [start..whole, whole.max(start)..end];
            stretches.extend(
                parts.into_iter().filter(|part| part.start < part.end).map(|trials| Stretch { plan, trials }),
            );
        }
        stretches
    }

    /// Whether parts hold all trials of this study.
    pub fn is_whole(&self, merged: &Merged) -> bool {
        let trials = 0..self.scenario.trials;
        let gaps = |plan| merged.counts.look(&Key::of(plan, self.scenario.seed), trials.clone()).1;
        self.distinct().into_values().all(|(_, plan)| gaps(plan).is_empty())
    }
}

/// Puts the parts of a run together.
///
/// # Errors
/// Everything for which they are not the parts of one run.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, Vec<Diagnostic>> {
    let (mut wrong, mut parts) = (Vec::new(), Vec::new());
    for path in paths {
        match read(path) {
            Ok(part) => parts.push((path, part)),
            Err(why) => wrong.push(refused(format!("`{}` is no part of a run: {why}", path.display()))),
        }
    }
    let Some((first, (shard, asked, _))) = parts.first() else { return Err(wrong) };
    for (path, (other, question, _)) in &parts[1..] {
        let of =
            (other.of != shard.of).then(|| format!("it is one of {} shards, not of {}", other.of, shard.of));
        if let Some(why) = asked.differs(question).or(of) {
            let both = format!("`{}` and `{}` are not of one run", first.display(), path.display());
            wrong.push(refused(format!("{both}: {why}")));
        }
    }
    if wrong.is_empty() {
        let numbers = parts.iter().map(|(path, (shard, ..))| (shard.number, *path));
        wrong = each_once(shard.of, numbers);
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let (asked, mut counts) = (asked.clone(), Counts::default());
    for (_, (.., part)) in parts {
        counts.absorb(part);
    }
    Ok(Merged { asked, counts })
}

impl Merged {
    /// The counts, to be kept in a store.
    pub(super) fn into_counts(self) -> Counts {
        self.counts
    }
}

/// What one file holds, or why it is of no use.
fn read(path: &Path) -> Result<(Shard, Asked, Counts), String> {
    let part = Part::read(path).map_err(|why| why.to_string())?;
    let (counts, others) = counts_of(&part)?;
    if others > 0 {
        return Err("another version of houserule wrote it".to_owned());
    }
    let (shard, asked) = Asked::of_part(&part).ok_or("it does not say of which run and which shard")?;
    Ok((shard, asked, counts))
}

/// What is wrong with the numbers of shards, of which there shall be each from 1 once.
fn each_once<'p>(of: u64, numbers: impl Iterator<Item = (u64, &'p PathBuf)>) -> Vec<Diagnostic> {
    let (mut seen, mut wrong) = (BTreeMap::<u64, &PathBuf>::new(), Vec::new());
    for (number, path) in numbers {
        if let Some(before) = seen.insert(number, path) {
            let both = format!("`{}` and `{}`", before.display(), path.display());
            wrong.push(refused(format!(
                "{both} are both shard {number} of {of}: their trials would count twice"
            )));
        }
    }
    let missing: Vec<u64> = (1..=of).filter(|number| !seen.contains_key(number)).take(SHOWN + 1).collect();
    if !missing.is_empty() {
        let named: Vec<String> = missing.iter().take(SHOWN).map(u64::to_string).collect();
        let more = if missing.len() > SHOWN { ", and more" } else { "" };
        let what = format!("these shards of {of} are missing: {}{more}", named.join(", "));
        let first =
            format!("play them, such as the first one with: houserule run ... --shard {}/{of}", missing[0]);
        wrong.push(Diagnostic::without_place(what).remedy(first));
    }
    wrong
}

/// So many missing shards are named.
const SHOWN: usize = 20;

fn refused(what: String) -> Diagnostic {
    Diagnostic::without_place(what)
        .remedy("give the parts of one run, each once: those that --shard 1/N to N/N wrote")
}
