//! What a player decides: by a policy, or left open.

use super::Lower;
use super::fold::{self, Term, hull};
use crate::plan::program::{Options, Origin, Site, SiteId, Step};
use crate::rules::tree::End;
use crate::rules::{ChoiceId, Expr, ExprNode, Operation, Picks, Span, Type, UnitsId};
use crate::scenario::Move;

impl<'a> Lower<'a> {
    fn policy(&self, choice: ChoiceId) -> Option<&'a Move> {
        let moves = self.moves;
        Some(moves.get(choice.0)?.as_ref()?.now(|units| self.current(units)))
    }

    /// What the player does at a choice here; nothing where that is open.
    pub(super) fn play(&self, choice: ChoiceId) -> Option<&'a Move> {
        let play = self.policy(choice)?;
        if let Move::Aim { .. } = play { None } else { Some(play) }
    }

    /// The unit of a line for which the call is.
    fn current(&self, units: UnitsId) -> Option<usize> {
        let units = &self.rules.units[units.0];
        let cell = self.at[units.factors.first()?.0];
        (0..units.names.len()).find(|unit| units.own(*unit, 0).0 == cell)
    }

    /// A place where the player decides.
    pub(super) fn site(&mut self, choice: ChoiceId, span: Span) -> SiteId {
        let aim = match self.policy(choice) {
            Some(Move::Aim { aim, .. }) => aim.clone(),
            _ => None,
        };
        let ways = self.frames.iter().enumerate().flat_map(|(level, frame)| {
            let call = (level > 0).then_some(frame.site);
            call.into_iter().chain(frame.loops.iter().map(|one| one.at))
        });
        let path = ways.chain([(span, None)]).collect();
        let inside = self.frames.last().map_or(0, |frame| frame.base);
        let is_near = |var: usize| var < self.rules.factors.len() || var >= inside;
        let (mut known, mut slots) = (Vec::<(Origin, i32)>::new(), Vec::new());
        for var in 0..self.vars.len() {
            let (binding, origin) = (self.bindings[var], self.vars[var].origin);
            match binding.at {
                _ if binding.low == binding.high => {
                    known.extend(is_near(var).then_some((origin, binding.low as i32)));
                }
                Some(slot) if !binding.is_none() => slots.push((origin, slot)),
                _ => {}
            }
        }
        self.spent += known.len() / 8;
        self.sites.push(Site { choice, aim, path, known, slots });
        SiteId(self.sites.len() - 1)
    }

    /// A value that a policy draws.
    fn mixed(&mut self, weights: &[(i32, u32)], ty: Type) -> Term {
        let slot = self.slot(ty, None, true);
        self.fill(slot, Step::Mix(slot, weights.to_vec()));
        let (low, high) = hull(weights.iter().map(|(option, _)| (i64::from(*option), i64::from(*option))));
        Term::slot(slot, low, high)
    }

    /// One of several options; what it gives is worked out once it is picked.
    pub(super) fn choose(
        &mut self,
        choice: ChoiceId,
        options: &'a [(i32, Expr)],
        (ty, span): (Type, Span),
    ) -> Term {
        let cases: Vec<i32> = options.iter().map(|(option, _)| *option).collect();
        let first = cases.first().copied().unwrap_or(0);
        let picked = match self.rules.choices[choice.0].picks {
            Picks::Option(kind, _) => Type::Kind(kind),
            _ => ty,
        };
        let which = match self.play(choice) {
            None => self.pick(choice, (picked, span), &cases),
            Some(Move::Option(option)) => Term::constant(*option),
            Some(Move::Mix(weights)) => self.mixed(weights, picked),
            Some(Move::Condition { expr, .. }) => self.value(expr),
            Some(_) => Term::constant(first),
        };
        let plain = |(option, value): &(i32, Expr)| matches!(value.node, ExprNode::Constant(value) if value == *option);
        let offered = which.known().is_none_or(|which| cases.contains(&which));
        if offered && options.iter().all(plain) {
            return which;
        }
        let which = if offered { which } else { Term::constant(first) };
        self.dispatch(which, &cases, ty, &mut |lower, case| {
            options.iter().find(|(option, _)| *option == case).map(|(_, value)| lower.value(value))
        })
        .unwrap_or(Term::constant(0))
    }

    /// An option that the player picks as he likes.
    fn pick(&mut self, choice: ChoiceId, (ty, span): (Type, Span), cases: &[i32]) -> Term {
        let slot = self.slot(ty, None, true);
        let site = self.site(choice, span);
        let listed = cases.iter().map(|case| (*case, Term::constant(1).value)).collect();
        self.fill(slot, Step::Choose(slot, site, Options::Listed(listed)));
        let (low, high) = hull(cases.iter().map(|case| (i64::from(*case), i64::from(*case))));
        Term::slot(slot, low, high)
    }

    /// A number or a unit between two; the nearest that is allowed.
    pub(super) fn choose_from(
        &mut self,
        choice: ChoiceId,
        (low, high): (&'a Expr, &'a Expr),
        span: Span,
    ) -> Term {
        let ty = low.ty;
        let mut terms = self.operands([low, high]);
        let point = self.point();
        let wanted = match self.play(choice) {
            None => {
                let (Some(high), Some(low)) = (terms.pop(), terms.pop()) else { return Term::constant(0) };
                return self.pick_between(choice, (ty, span), low, high);
            }
            Some(Move::End(End::Highest)) => terms.get(1).cloned(),
            Some(Move::Option(option)) => Some(Term::constant(*option)),
            Some(Move::Mix(weights)) => Some(self.mixed(weights, ty)),
            Some(Move::Condition { expr, .. }) => Some(self.value(expr)),
            Some(_) => terms.first().cloned(),
        };
        self.protect(&mut terms, point);
        let (Some(high), Some(low), Some(wanted)) = (terms.pop(), terms.pop(), wanted) else {
            return Term::constant(0);
        };
        let nearest = fold::apply(Operation::Min, vec![wanted, high]);
        fold::apply(Operation::Max, vec![nearest, low])
    }

    fn pick_between(&mut self, choice: ChoiceId, (ty, span): (Type, Span), low: Term, high: Term) -> Term {
        if low.low >= high.high {
            return low; // there is but one
        }
        let range = (low.low, high.high.max(low.high));
        let slot = self.slot(ty, None, true);
        let site = self.site(choice, span);
        self.fill(slot, Step::Choose(slot, site, Options::Between(low.value, high.value)));
        Term::slot(slot, range.0, range.1)
    }
}
