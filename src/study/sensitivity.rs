//! Which line of the rules, and which factor, moves a figure most: each is changed in turn.
//!
//! In: a scenario, a variant, a figure, situations. Out: by how much each change moves it.
//!
//! **Never:** how a figure is found; how rules are changed.

use super::figures::{Figures, Halt, Job, Key};
use super::{Draw, Stopped};
use crate::analyse::{Effect, LEVEL, Sensitivity, Sort, Subject, by_effect, effect};
use crate::diagnostic::{Sources, Span};
use crate::plan::{Budget, Move};
use crate::rules::{self, Change, ExprNode, FactorId, Line, Ruleset, Type, Written};
use crate::scenario::{Quantity, Scenario, Variant, Wanted};
use crate::simulate::shared;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Changes each line and each factor in turn. `draw.done` is raised with each situation of each.
///
/// # Errors
/// [`Halt`] where the work is stopped, or a player's best play is not known.
pub fn sensitivity(
    scenario: &Scenario,
    sources: &Sources,
    wanted: &Wanted,
    budget: Budget,
    draw: Draw<'_>,
) -> Result<Sensitivity, Halt> {
    let mut figures = Figures::new(scenario, vec![wanted.quantity.clone()], budget, draw);
    let look = Look { scenario, sources, wanted, variant: &scenario.variants[wanted.variant] };
    let now = figures.find(&look.jobs(|_| ()))?;
    let (mut effects, mut fixed) = (Vec::new(), Vec::new());
    for (subject, rules) in look.changed_lines(draw)? {
        match rules {
            Ok((rules, moves)) => {
                let jobs = look.jobs(|job| (job.rules, job.moves) = (rules.clone(), moves.clone()));
                match look.effect(subject.clone(), &now, &mut figures, jobs) {
                    Err(Halt::Unplayable(why)) => {
                        fixed
                            .push((subject, why.first().map_or_else(String::new, |one| one.message.clone())));
                    }
                    known => effects.extend(known?),
                }
            }
            Err(why) => fixed.push((subject, why)),
        }
    }
    for (subject, factor, value) in look.moved_factors() {
        let jobs = look.jobs(|job| job.values[factor.0] = value);
        match jobs.iter().find_map(|job| rules::never(&job.rules, &job.values)) {
            Some(why) => fixed.push((subject, format!("there is no such situation: {why}"))),
            None => effects.extend(look.effect(subject, &now, &mut figures, jobs)?),
        }
    }
    for (subject, pairs) in look.steps_of_the_grid() {
        let pairs: Vec<(Key, Key)> = pairs.into_iter().map(|(from, to)| (now[from], now[to])).collect();
        effects.extend(of_pairs(subject, &pairs, &figures));
    }
    by_effect(&mut effects);
    Ok(Sensitivity {
        variant: wanted.variant,
        figure: wanted.text.clone(),
        is_share: matches!(wanted.quantity, Quantity::Probability(_)),
        situations: wanted.situations.len(),
        effects,
        fixed,
        level: LEVEL,
    })
}

/// How many situations will be looked at, each as often as it is: what `done` rises to, if all changes can be made.
pub fn sensitivity_work(scenario: &Scenario, wanted: &Wanted) -> u64 {
    let variant = &scenario.variants[wanted.variant];
    let lines: usize = variant.rules.lines(variant.entry).iter().map(|line| line.changes().len()).sum();
    let factors = 2 * variant.rules.factors_read(variant.entry).len();
    ((1 + lines + factors) * wanted.situations.len()) as u64
}

/// Rules with one line changed, and the policy as their choices have it; or why they cannot be had.
type Changed = Result<(Arc<Ruleset>, Arc<[Option<Move>]>), String>;

struct Look<'a> {
    scenario: &'a Scenario,
    sources: &'a Sources,
    wanted: &'a Wanted,
    variant: &'a Variant,
}

impl Look<'_> {
    /// The variant in each situation, changed.
    fn jobs(&self, change: impl Fn(&mut Job)) -> Vec<Job> {
        let whole = Job::of(self.scenario, self.wanted.variant, Vec::new());
        let job = |at: &usize| {
            let values = self.scenario.assignment(self.wanted.variant, *at);
            let mut job = Job { values, ..whole.clone() };
            change(&mut job);
            job
        };
        self.wanted.situations.iter().map(job).collect()
    }

    fn effect(
        &self,
        subject: Subject,
        now: &[Key],
        figures: &mut Figures<'_>,
        jobs: Vec<Job>,
    ) -> Result<Option<(Subject, Effect)>, Halt> {
        let then = figures.find(&jobs)?;
        let pairs: Vec<(Key, Key)> = now.iter().copied().zip(then).collect();
        Ok(of_pairs(subject, &pairs, figures))
    }

    /// The rules with each line changed in each way.
    fn changed_lines(&self, draw: Draw<'_>) -> Result<Vec<(Subject, Changed)>, Stopped> {
        let lines = self.variant.rules.lines(self.variant.entry);
        let all: Vec<(Line<'_>, Change)> =
            lines.iter().flat_map(|line| line.changes().into_iter().map(|change| (*line, change))).collect();
        let Some(written) = Written::new(&self.variant.file, self.sources) else { return Ok(Vec::new()) };
        let one = |changed: &mut Vec<(u64, Changed)>, at: u64| {
            let (line, change) = all[at as usize];
            let rules = written.changed(&self.variant.rules, line.span(), change);
            changed.push((at, rules.and_then(|rules| self.with_moves(rules))));
        };
        let changed = shared(all.len() as u64, draw.threads, draw.stop, one)?;
        let mut changed: Vec<(u64, Changed)> = changed.into_iter().flatten().collect();
        changed.sort_by_key(|(at, _)| *at);
        Ok(changed.into_iter().map(|(at, changed)| (self.subject(all[at as usize]), changed)).collect())
    }

    /// Changed rules with the variant's policy. Choices are told by their names: a row may have been the only one that
    /// leaves something to a player.
    fn with_moves(&self, rules: Ruleset) -> Changed {
        let old = &self.variant.rules;
        let names = |rules: &Ruleset| rules.kinds.iter().map(|kind| kind.name.clone()).collect::<Vec<_>>();
        let known = |choice: &rules::Choice| {
            let same = |one: &&rules::Choice| one.name == choice.name && one.picks == choice.picks;
            old.choices.iter().position(|one| same(&one))
        };
        let of = |choice: &rules::Choice| known(choice).and_then(|at| self.variant.moves[at].clone());
        let moves: Vec<Option<Move>> = rules.choices.iter().map(of).collect();
        let entry = self.variant.entry;
        let open = rules.reachable_choices(entry).into_iter().any(|choice| moves[choice.0].is_none());
        if open || names(&rules) != names(old) {
            return Err("it changes what is left to the player".to_owned());
        }
        Ok((Arc::new(rules), moves.into()))
    }

    fn subject(&self, (line, change): (Line<'_>, Change)) -> Subject {
        let place = self.place(line.span());
        match line {
            Line::Modifier(block, line) => Subject {
                sort: Sort::Modifier,
                piece: block.to_owned(),
                label: line.label.clone(),
                change: match (change, &line.amount.node) {
                    (Change::Amount(new), ExprNode::Constant(old)) => format!("{old:+} to {new:+}"),
                    _ => "off".to_owned(),
                },
                place,
            },
            Line::Row(chart, row) => Subject {
                sort: Sort::Row,
                piece: chart.name.clone(),
                label: row.keys.iter().map(|key| self.sources.text(key.span)).collect::<Vec<_>>().join(" | "),
                change: if change == Change::Above { "as the row above" } else { "as the row below" }
                    .to_owned(),
                place,
            },
        }
    }

    fn place(&self, span: Span) -> (String, usize) {
        let file = self.sources.get(span.file).path.file_name().unwrap_or_default();
        (file.to_string_lossy().into_owned(), self.sources.line(span))
    }

    /// Each number that the test reads and that the grid does not set, one less and one more.
    fn moved_factors(&self) -> Vec<(Subject, FactorId, i32)> {
        let Variant { rules, entry, base, .. } = self.variant;
        let in_grid = |id: &FactorId| {
            let bindings = self
                .scenario
                .factors
                .iter()
                .filter_map(|factor| factor.bindings[self.wanted.variant].as_ref());
            bindings.flat_map(|(ids, _)| ids).any(|known| known == id)
        };
        let read = rules.factors_read(*entry).into_iter().filter(|id| !in_grid(id));
        let numbers = read.filter(|id| rules.factors[id.0].ty == Type::Number);
        let both = numbers.flat_map(|id| [(id, base[id.0] + 1), (id, base[id.0] - 1)]);
        let allowed = both.filter(|(id, value)| rules.factors[id.0].values.binary_search(value).is_ok());
        let subject = |(id, value): (FactorId, i32)| {
            let factor = &rules.factors[id.0];
            let subject = Subject {
                sort: Sort::Factor,
                piece: String::new(),
                label: factor.label.clone(),
                change: format!("{} to {value}", base[id.0]),
                place: self.place(factor.span),
            };
            (subject, id, value)
        };
        allowed.map(subject).collect()
    }

    /// Each factor of the grid: a number from each of its values to the next, anything else from its first value to each
    /// other; with the pairs of situations that differ in nothing else, by their positions among those that are asked of.
    fn steps_of_the_grid(&self) -> Vec<(Subject, Vec<(usize, usize)>)> {
        let rows = self.wanted.situations.iter().map(|at| &self.scenario.situations[*at]);
        let known: BTreeMap<&Vec<usize>, usize> = rows.clone().zip(0..).collect();
        let mut steps = Vec::new();
        for (at, factor) in self.scenario.factors.iter().enumerate() {
            let Some((ids, _)) = &factor.bindings[self.wanted.variant] else { continue };
            let place = ids.first().map(|id| self.place(self.variant.rules.factors[id.0].span));
            let pairs = |from: &dyn Fn(usize) -> bool, by: usize| -> Vec<(usize, usize)> {
                let step = |row: &&Vec<usize>| {
                    let mut next = (*row).clone();
                    next[at] += by;
                    Some((known[row], *known.get(&next)?)).filter(|_| from(row[at]))
                };
                rows.clone().filter_map(|row| step(&row)).collect()
            };
            let named = |at: usize| factor.values[at].label.clone();
            let each: Vec<(String, Vec<(usize, usize)>)> = match factor.numeric {
                true => vec![("one step up".to_owned(), pairs(&|_| true, 1))],
                false => (1..factor.values.len())
                    .map(|by| (format!("{} to {}", named(0), named(by)), pairs(&|from| from == 0, by)))
                    .collect(),
            };
            for (change, pairs) in each.into_iter().filter(|(_, pairs)| !pairs.is_empty()) {
                let (piece, label) = (String::new(), factor.label.clone());
                let place = place.clone().unwrap_or_default();
                steps.push((Subject { sort: Sort::Grid, piece, label, change, place }, pairs));
            }
        }
        steps
    }
}

/// The effect of a change on the figure; `None` where no situation has one.
fn of_pairs(subject: Subject, pairs: &[(Key, Key)], figures: &Figures<'_>) -> Option<(Subject, Effect)> {
    let figure = |key: Key| figures.of(key).first().and_then(Option::as_ref);
    effect(pairs, figure, LEVEL).map(|effect| (subject, effect))
}
