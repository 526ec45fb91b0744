//! Loops: pass by pass as long as that ends soon, then all passes at once.

use super::idle::Effect;
use super::statement::Ends;
use super::{Cell, Reach, Situation, join};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::ruleset::{
    Assignment, Expr, ExprNode, ForRange, LocalId, Operation, Place, Repeat, Statement, StatementNode, Target,
};
use crate::rules::values::Values;
use crate::rules::walk::{Part, each_statement};

/// So many passes are told apart; later ones are looked at together.
const PASSES_APART: i64 = 64;
/// A loop has at most so many passes.
const MOST_PASSES: i64 = 100_000;

impl<'a> Reach<'a> {
    /// `repeat`: the situations in which the loop is left.
    pub(super) fn repeat(
        &mut self,
        repeat: &'a Repeat,
        span: Span,
        mut start: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        let most = self.values(&repeat.most, &mut start);
        let passes = self.passes(most.high(), span);
        let mut inside = Ends::default();
        let mut head = Some(start);
        let (mut behind, mut counted) = (None, Vec::new());
        for pass in 0..passes {
            let Some(mut here) = head.take() else { break };
            if pass == PASSES_APART {
                counted = count_on(repeat, passes - pass, &mut here);
            }
            if pass >= most.low() && !repeat.cap {
                behind = join(behind, Some(here.clone()));
            }
            // Passes look alike from here on, whatever their number.
            let together = pass >= PASSES_APART;
            let before = here.clone();
            let (leave, stay) = self.leave(repeat.until.as_ref(), here);
            behind = join(behind, leave);
            let stay = stay.map(|mut stay| {
                counted.iter().for_each(|(cell, values): &(Cell, Values)| stay.set(*cell, values.clone()));
                stay
            });
            let next = stay.and_then(|stay| self.block(&repeat.body, stay, &mut inside));
            // Where passes have less and less room, the last of them may show that a cap is never reached.
            let narrows = |next: &Situation<'a>| repeat.cap && !together && !before.is_within(next);
            if next.as_ref().is_none_or(|next| next.is_within(&before) && !narrows(next)) {
                // What all later passes start from is in here, too.
                head = next.is_some().then_some(before);
                break;
            }
            head = if together { join(Some(before), next) } else { next };
        }
        if repeat.cap {
            let (last, open) = head.map_or((None, None), |head| self.leave(repeat.until.as_ref(), head));
            self.note(span, if open.is_some() { Effect::Some } else { Effect::BeforeCap });
            behind = join(behind, last);
        } else {
            behind = join(behind, head);
        }
        ends.returned = ends.returned.union(&inside.returned);
        ends.ended = join(ends.ended.take(), inside.ended);
        join(behind, inside.stopped)
    }

    /// Where a loop is left before a pass, and where it goes on.
    fn leave(&mut self, until: Option<&'a Expr>, here: Situation<'a>) -> super::condition::Decided<'a> {
        match until {
            Some(until) => self.decide(until, here),
            None => (None, Some(here)),
        }
    }

    fn passes(&mut self, most: i64, span: Span) -> i64 {
        if most > MOST_PASSES {
            let message = format!("a loop has at most {MOST_PASSES} passes; this one may have {most}");
            let mistake = Diagnostic::error(span, message, "this loop");
            self.report("passes", mistake.remedy("bound the number, as in `min(n, 100)`"));
        }
        most.clamp(0, MOST_PASSES)
    }

    /// `for`: the situation behind the last pass, or where the loop is left.
    pub(super) fn for_loop(
        &mut self,
        local: LocalId,
        range: &'a ForRange,
        body: &'a [Statement],
        span: Span,
        mut start: Situation<'a>,
        ends: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        let mut inside = Ends::default();
        let behind = match range {
            ForRange::Between(low, last) => {
                let low = self.values(low, &mut start);
                let high = self.values(last, &mut start);
                let count = self.passes(high.high() - low.low() + 1, span);
                let all = Values::range(low.low(), low.low() + count - 1);
                match low.single() {
                    Some(low) if count <= PASSES_APART && !high.is_empty() => {
                        self.for_each_end((local, low, last), &high, body, &start, &mut inside)
                    }
                    _ => {
                        let apart = (count <= PASSES_APART).then_some((low, high));
                        self.for_each(local, &all, apart, body, start, &mut inside)
                    }
                }
            }
            ForRange::Chosen(choice, first, count) => {
                let units = Values::range(*first as i64, (*first + *count) as i64 - 1);
                self.choose_order(*choice, &units, &start);
                self.for_each(local, &units, None, body, start, &mut inside)
            }
        };
        ends.returned = ends.returned.union(&inside.returned);
        ends.ended = join(ends.ended.take(), inside.ended);
        join(behind, inside.stopped)
    }

    /// All passes, for each value that the end of the range may have: what is known of it is known of the passes.
    fn for_each_end(
        &mut self,
        (local, low, last): (LocalId, i64, &'a Expr),
        high: &Values,
        body: &'a [Statement],
        start: &Situation<'a>,
        inside: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        let mut behind = None;
        if high.low() < low {
            behind = Some(start.clone());
        }
        for end in high.low().max(low)..=high.high() {
            if high.contains(end) {
                let mut start = start.clone();
                self.quiet += 1;
                self.keep_within(last, Values::only(end), &mut start);
                self.quiet -= 1;
                let apart = Some((Values::only(low), Values::only(end)));
                behind =
                    join(behind, self.for_each(local, &Values::range(low, end), apart, body, start, inside));
            }
        }
        behind
    }

    /// All passes; `apart` has the ends of the range where each pass is looked at alone.
    fn for_each(
        &mut self,
        local: LocalId,
        all: &Values,
        apart: Option<(Values, Values)>,
        body: &'a [Statement],
        start: Situation<'a>,
        inside: &mut Ends<'a>,
    ) -> Option<Situation<'a>> {
        let mut head = Some(start);
        for value in all.low()..=all.high() {
            let Some(here) = head.take() else { break };
            let surely = apart.as_ref().is_some_and(|(low, high)| low.high() <= value && value <= high.low());
            let mut pass = here.clone();
            let values = if apart.is_some() { Values::only(value) } else { all.clone() };
            pass.change(Cell::Local(local.0), values);
            let next = self.block(body, pass, inside);
            if apart.is_none() && next.as_ref().is_none_or(|next| next.is_within(&here)) {
                return Some(here);
            }
            head = if surely { next } else { join(Some(here), next) };
        }
        head
    }
}

/// Lets the counters of a loop be all that they may be before a pass or behind the last, with so many passes to come;
/// gives what they may be where a pass begins. Otherwise each would keep passes from looking alike to the very last.
fn count_on<'a>(repeat: &'a Repeat, left: i64, here: &mut Situation<'a>) -> Vec<(Cell, Values)> {
    let mut counted = Vec::new();
    for (local, up) in counters(repeat) {
        let cell = Cell::Local(local.0);
        let (low, high) = (here.get(cell).low(), here.get(cell).high());
        if here.get(cell).covers(low, high) {
            let after = |passes| match up {
                true => Values::range(low, high + passes),
                false => Values::range(low - passes, high),
            };
            here.change(cell, after(left));
            counted.push((cell, after(left - 1)));
        }
    }
    counted
}

/// The locals that each pass changes by one, up or down, and that nothing else in the loop reads or changes.
fn counters(repeat: &Repeat) -> Vec<(LocalId, bool)> {
    let step = |statement: &Statement| match &statement.node {
        StatementNode::Assign(Assignment {
            target: Target::Place(Place::Local(local)),
            change: Some(change),
            value: Expr { node: ExprNode::Constant(1), .. },
            ..
        }) => Some((*local, *change == Operation::Add)),
        _ => None,
    };
    repeat.body.iter().filter_map(step).filter(|(local, _)| times_named(repeat, *local) == 1).collect()
}

/// How often the steps of a loop name a local.
fn times_named(repeat: &Repeat, local: LocalId) -> usize {
    let mut times = 0;
    let mut read = |part: Part| {
        let own = |expr: &Expr| matches!(expr.node, ExprNode::Read(Place::Local(read)) if read == local);
        times += usize::from(matches!(part, Part::One(expr) if own(expr)));
    };
    repeat.until.iter().for_each(|until| until.each(&mut read));
    each_statement(&repeat.body, &mut |one| one.parts().into_iter().for_each(|part| part.each(&mut read)));
    each_statement(&repeat.body, &mut |one| {
        times += usize::from(match &one.node {
            StatementNode::Let(named, ..) | StatementNode::For(named, ..) => *named == local,
            StatementNode::Assign(Assignment { target: Target::Place(place), .. }) => {
                *place == Place::Local(local)
            }
            _ => false,
        });
    });
    times
}
