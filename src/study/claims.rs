//! Claims: what each asks in each situation, and trials beyond those of the run until that is decided.
//!
//! In: answers, and what the run counted. Out: a verdict for each claim.
//!
//! What is solved is not played. All else is looked at after the run's own trials, then after twice as many, and so on
//! up to [`crate::scenario::Scenario::most`]; only plans of which something is still open are played further. These
//! trials follow those of the run, chunk by chunk, and enter no table of the run. The error that a run is allowed is
//! spent in equal parts on all questions that counts have to answer and on all looks.
//!
//! **Never:** when a figure decides.

use super::proved::Reach;
use super::{Answers, ContentId, Draw, Plan, Study, asked};
use crate::analyse::{
    Analysis, Condition, Doubt, ERROR, Judged, Known, Part, Probe, Ruling, Verdict, conditions, figure, judge,
};
use crate::plan::{CHUNK, Probability, Sample};
use crate::scenario::{Claim, Quantity, Side};
use crate::simulate::{Stopped, Stretch};
use std::collections::{BTreeMap, BTreeSet};

/// What a side is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    /// A number that is claimed.
    Number((i64, i64)),
    /// A quantity (position in [`Claims::quantities`]) in a plan.
    Figure(usize, ContentId),
}

/// What a claim asks in one situation, or on average: each figure, and how often it is in the left and in the right side.
struct Question {
    claim: usize,
    parts: BTreeMap<Of, [i64; 2]>,
    /// Over how many situations the average is.
    over: u64,
}

/// Picks keys of a measure.
type Contains<'s> = Box<dyn Fn(i64) -> bool + 's>;

/// All that is claimed.
struct Claims<'s> {
    study: &'s Study<'s>,
    answers: &'s Answers,
    plans: BTreeMap<ContentId, (usize, &'s Plan)>,
    /// The quantities that differ, with what they pick.
    quantities: Vec<(&'s Quantity, Contains<'s>)>,
    conditions: Vec<Vec<Condition>>,
    /// The questions that differ.
    questions: Vec<Question>,
    /// For each claim, the position of the question of each of its situations.
    cells: Vec<Vec<usize>>,
}

/// What was counted of the plans that are not solved, how far numbers can reach in each, and which trial is the next that
/// can be played.
type Counted = BTreeMap<ContentId, (Sample, Reach, u64)>;

/// What answers alone say of all claims.
pub(super) fn solved(study: &Study, answers: &Answers) -> Vec<Verdict> {
    let claims = Claims::new(study, answers);
    let judged = claims.questions.iter().map(|question| claims.judge(question, None, 0.0)).collect();
    claims.verdicts(judged)
}

impl Study<'_> {
    /// Judges all claims after a run, with more trials where its own are too few to tell. What they say is laid in
    /// [`Analysis::claims`].
    ///
    /// # Errors
    /// [`Stopped`] if `draw.stop` was set or no thread could be started.
    pub fn judge(&self, analysis: &mut Analysis, answers: &Answers, draw: Draw<'_>) -> Result<(), Stopped> {
        let claims = Claims::new(self, answers);
        let mut counted = claims.counted(analysis, draw)?;
        let error = claims.error();
        let judge = |question: &Question, counted: &Counted| claims.judge(question, Some(counted), error);
        let mut judged: Vec<Judged> = claims.questions.iter().map(|one| judge(one, &counted)).collect();
        loop {
            let open = claims.open(&judged, &counted);
            if open.is_empty() {
                break;
            }
            let more = claims.draw(&open, &mut counted, draw)?;
            analysis.played += more;
            for (judged, question) in judged.iter_mut().zip(&claims.questions) {
                if question.plans().any(|id| open.contains(&id)) && judged.ruling == Ruling::Undecided {
                    *judged = judge(question, &counted);
                }
            }
        }
        analysis.claims = claims.verdicts(judged);
        Ok(())
    }
}

impl Question {
    fn plans(&self) -> impl Iterator<Item = ContentId> {
        self.parts.keys().filter_map(|of| if let Of::Figure(_, id) = of { Some(*id) } else { None })
    }
}

impl<'s> Claims<'s> {
    fn new(study: &'s Study<'s>, answers: &'s Answers) -> Self {
        let (plans, claims) = (study.distinct(), &study.scenario.claims);
        let conditions = claims.iter().map(|claim| conditions(claim.relation, claim.margin, &unit(claim)));
        let mut all = Self {
            study,
            answers,
            plans,
            quantities: Vec::new(),
            conditions: conditions.collect(),
            questions: Vec::new(),
            cells: Vec::new(),
        };
        let mut known = BTreeMap::new();
        for (at, claim) in claims.iter().enumerate() {
            let cells = match claim.average {
                true => vec![all.question(at, claim, &claim.situations)],
                false => claim.situations.iter().map(|cell| all.question(at, claim, &[*cell])).collect(),
            };
            let positions = cells.into_iter().map(|question| {
                *known.entry((at, question.parts.clone())).or_insert_with(|| {
                    all.questions.push(question);
                    all.questions.len() - 1
                })
            });
            let positions = positions.collect();
            all.cells.push(positions);
        }
        all
    }

    fn question(&mut self, number: usize, claim: &'s Claim, situations: &[usize]) -> Question {
        let mut parts: BTreeMap<Of, [i64; 2]> = BTreeMap::new();
        for (side, of) in [&claim.left, &claim.right].into_iter().enumerate() {
            for situation in situations {
                parts.entry(self.of(of, *situation)).or_default()[side] += 1;
            }
        }
        Question { claim: number, parts, over: situations.len().max(1) as u64 }
    }

    fn of(&mut self, side: &'s Side, situation: usize) -> Of {
        match side {
            Side::Number(number) => Of::Number(*number),
            Side::Quantity(quantity, variant) => {
                let known = self.quantities.iter().position(|(known, _)| alike(known, quantity));
                let at = known.unwrap_or_else(|| {
                    self.quantities.push((quantity, picks(quantity)));
                    self.quantities.len() - 1
                });
                Of::Figure(at, self.study.plans[*variant][situation].id)
            }
        }
    }

    /// What the run counted of all plans that a question needs.
    fn counted(&self, analysis: &Analysis, draw: Draw<'_>) -> Result<Counted, Stopped> {
        let needed: BTreeSet<ContentId> = self.questions.iter().flat_map(|one| self.unsolved(one)).collect();
        let mut reach = self.reach(draw)?;
        let cells = analysis.cells.iter().flatten().filter(|cell| needed.contains(&cell.sample.id));
        let mut counted = Counted::new();
        for cell in cells {
            let (id, trials) = (cell.sample.id, cell.sample.trials);
            counted.entry(id).or_insert_with(|| {
                let reach = reach.remove(&id).unwrap_or_default();
                (cell.sample.clone(), reach, trials.next_multiple_of(CHUNK))
            });
        }
        Ok(counted)
    }

    /// From where to where numbers can reach whose means counts have to answer, by plan and measure.
    fn reach(&self, draw: Draw<'_>) -> Result<BTreeMap<ContentId, Reach>, Stopped> {
        let parts = self.questions.iter().flat_map(|one| one.parts.keys());
        let mean = |of: &Of| match of {
            Of::Figure(at, id) if self.answers[id].is_err() => Some((*id, mean_of(self.quantities[*at].0)?)),
            _ => None,
        };
        let mut means: BTreeMap<ContentId, BTreeSet<usize>> = BTreeMap::new();
        for (id, measure) in parts.filter_map(mean) {
            means.entry(id).or_default().insert(measure);
        }
        self.study.proved(means, draw)
    }

    /// The plans of a question that counts have to answer.
    fn unsolved(&self, question: &Question) -> impl Iterator<Item = ContentId> {
        question.plans().filter(|id| self.answers[id].is_err())
    }

    /// The error that one question is allowed at one look.
    fn error(&self) -> f64 {
        let questions = self.questions.iter().filter(|one| self.unsolved(one).next().is_some()).count();
        ERROR / questions.max(1) as f64 / self.study.sizes().len() as f64
    }

    /// The plans that must be played further, because something that they may decide is open.
    fn open(&self, judged: &[Judged], counted: &Counted) -> BTreeSet<ContentId> {
        let most = self.study.scenario.most();
        let open = judged.iter().zip(&self.questions).filter(|(one, _)| one.doubt == Some(Doubt::Trials));
        let plans = open.flat_map(|(_, question)| self.unsolved(question));
        plans.filter(|id| counted[id].0.trials < most).collect()
    }

    /// Plays as many trials of each plan again as there are already, but at most up to the limit; hands back how many in
    /// all.
    fn draw(
        &self,
        open: &BTreeSet<ContentId>,
        counted: &mut Counted,
        draw: Draw<'_>,
    ) -> Result<u64, Stopped> {
        let most = self.study.scenario.most();
        // how records go together is not asked
        let plans: Vec<Plan> =
            open.iter().map(|id| Plan { joint: Vec::new(), ..self.plans[id].1.clone() }).collect();
        let stretch = |plan| -> Stretch<'_> {
            let plan: &Plan = plan;
            let (sample, _, next) = &counted[&plan.id];
            let more = sample.trials.min(most - sample.trials);
            Stretch { plan, trials: *next..next.saturating_add(more) }
        };
        let stretches: Vec<Stretch<'_>> = plans.iter().map(stretch).collect();
        let tallies = draw.tallies(&stretches)?;
        for (stretch, tally) in stretches.iter().zip(&tallies) {
            let id = stretch.plan.id;
            if let Some((sample, _, next)) = counted.get_mut(&id) {
                sample.add(&self.study.sample(id, tally, self.plans[&id].0));
                *next = stretch.trials.end.next_multiple_of(CHUNK);
            }
        }
        Ok(tallies.iter().map(|tally| tally.trials).sum())
    }

    fn judge(&self, question: &Question, counted: Option<&Counted>, error: f64) -> Judged {
        let share = |times: i64| Probability::fraction(times, question.over);
        let mut plans = BTreeSet::new();
        // a plan that has figures of several sorts counts them in the same trials; with a precision, the trials of a plan
        // depend on what they showed
        let own = question.plans().all(|id| plans.insert(id)) && self.study.scenario.precision.is_none();
        let part = |(of, times): (&Of, &[i64; 2])| Part {
            shares: times.map(share),
            known: self.known(*of, counted),
            own,
        };
        judge(&self.conditions[question.claim], &question.parts.iter().map(part).collect::<Vec<_>>(), error)
    }

    fn known<'a>(&'a self, of: Of, counted: Option<&'a Counted>) -> Known<'a> {
        let (at, id) = match of {
            Of::Number((top, bottom)) => {
                return Known::Exactly(Some(Probability::fraction(top, bottom.unsigned_abs())));
            }
            Of::Figure(at, id) => (at, id),
        };
        let (quantity, contains) = &self.quantities[at];
        asked(quantity, |measure, probe| {
            let probe = match probe {
                Probe::Share(_) => Probe::Share(contains),
                Probe::Mean => Probe::Mean,
                Probe::Quantile(level) => Probe::Quantile(level),
            };
            match (&self.answers[&id], counted) {
                (Ok(answer), _) => Known::Exactly(figure(&answer.measures[measure], probe)),
                (Err(_), None) => Known::Unsolved,
                (Err(_), Some(counted)) => {
                    let (sample, reach, _) = &counted[&id];
                    Known::Counted(&sample.measures[measure], probe, reach.get(&measure).copied())
                }
            }
        })
    }

    fn verdicts(&self, judged: Vec<Judged>) -> Vec<Verdict> {
        let one = |cells: &Vec<usize>| Verdict::new(cells.iter().map(|at| judged[*at].clone()).collect());
        self.cells.iter().map(one).collect()
    }
}

/// What a point is of what a claim speaks of.
fn unit(claim: &Claim) -> Probability {
    let is_share = |side: &&Side| matches!(side, Side::Quantity(Quantity::Probability(_), _));
    let share = [&claim.left, &claim.right].iter().any(is_share);
    Probability::fraction(1, if share { 100 } else { 1 })
}

/// Whether two quantities are the same, however they are written.
fn alike(one: &Quantity, other: &Quantity) -> bool {
    match (one, other) {
        (Quantity::Probability(one), Quantity::Probability(other)) => {
            (one.measure, &one.spans) == (other.measure, &other.spans)
        }
        _ => one == other,
    }
}

fn picks(quantity: &Quantity) -> Contains<'_> {
    match quantity {
        Quantity::Probability(set) => Box::new(|key| set.contains(key)),
        _ => Box::new(|_| false),
    }
}

/// The measure that a mean is of.
fn mean_of(quantity: &Quantity) -> Option<usize> {
    if let Quantity::Mean(measure) = quantity { Some(*measure) } else { None }
}
