//! Dice and lists: what they are made of, what is done to them and asked of them.

use super::expression::{Ask, constant};
use super::{Checker, Kept};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::parser::shorten;
use crate::rules::ruleset::{Chosen, Die, DieId, Expr, ExprNode, Limits, Picks, Pool, PoolNode, Type};
use crate::rules::tree::{self, DieNode, LimitNode, LimitSort, Question, SetNode, Word};

/// Whether a dice word gives dice again, rather than an answer.
pub(super) fn gives_dice(node: &tree::PoolNode) -> bool {
    !matches!(node, tree::PoolNode::Ask(..) | tree::PoolNode::Rank(_) | tree::PoolNode::Alike(_))
}

impl Checker<'_> {
    /// Whether an expression is dice or a list, rather than one value.
    pub(super) fn is_many(&self, expr: &tree::Expr) -> bool {
        match &expr.node {
            tree::ExprNode::Dice(..) | tree::ExprNode::List(_) => true,
            tree::ExprNode::Pool(_, node) => gives_dice(node),
            tree::ExprNode::Bracket(inside) => self.is_many(inside),
            tree::ExprNode::If(then, _, otherwise) => self.is_many(then) && self.is_many(otherwise),
            tree::ExprNode::For(call, _) | tree::ExprNode::With(call, _) => self.is_many(call),
            tree::ExprNode::Call(name, _) => self.gives_list(&name.text),
            tree::ExprNode::Name(name) => {
                match self.scope.locals.iter().rev().find(|local| local.name == *name) {
                    Some(local) => matches!(local.kept, Kept::Many(..)),
                    None => self.gives_list(name) || self.die_named(name).is_some(),
                }
            }
            _ => false,
        }
    }

    pub(super) fn gives_list(&self, name: &str) -> bool {
        let index = match &self.scope.own {
            Some((own, replaced)) if own == name => Some(replaced),
            _ => self.names.get(name),
        };
        let item = index.map(|index| &self.pieces[*index].item.node);
        matches!(item, Some(tree::ItemNode::Test(test)) if test.result.as_ref().is_some_and(|result| result.items.is_some()))
    }

    fn die_named(&self, name: &str) -> Option<DieId> {
        self.rules.dice.iter().position(|die| die.name == name).map(DieId)
    }

    /// Dice or a list.
    pub(super) fn pool(&mut self, expr: &tree::Expr) -> Option<Pool> {
        let span = expr.span;
        let (node, ty, items) = match &expr.node {
            tree::ExprNode::Bracket(inside) => return self.pool(inside),
            tree::ExprNode::Dice(count, die) => self.roll(count.as_deref(), die, span)?,
            tree::ExprNode::List(items) => self.list(items, span)?,
            tree::ExprNode::Pool(inside, node) if gives_dice(node) => {
                let pool = self.pool(inside)?;
                self.changed(pool, node, span)?
            }
            tree::ExprNode::If(then, condition, otherwise) => {
                let condition = self.typed(condition, Type::Flag);
                let (then, otherwise) = (self.pool(then), self.pool(otherwise));
                let (condition, then, otherwise) = (condition?, then?, otherwise?);
                if (then.ty, then.items) != (otherwise.ty, otherwise.items) {
                    let remedy = "let both be dice that show the same, or lists of one length";
                    self.error(
                        otherwise.span,
                        "these two cannot stand for one another",
                        "of another sort",
                        remedy,
                    );
                    return None;
                }
                let (ty, items) = (then.ty, then.items);
                (PoolNode::If(Box::new(condition), Box::new(then), Box::new(otherwise)), ty, items)
            }
            tree::ExprNode::Name(name) => {
                match self.scope.locals.iter().rev().find(|local| local.name == *name) {
                    Some(local) => match (local.kept, local.ty) {
                        (Kept::Many(id, items), Some(ty)) => (PoolNode::Read(id), ty, items),
                        (Kept::One(_), Some(_)) => return self.no_dice_kept(name, span),
                        (_, None) => return None,
                    },
                    None => match self.die_named(name) {
                        Some(die) => self.rolled(constant(1, Type::Number, span), Die::Custom(die), span)?,
                        None => return self.listed_call(expr),
                    },
                }
            }
            tree::ExprNode::Call(..) | tree::ExprNode::For(..) | tree::ExprNode::With(..) => {
                return self.listed_call(expr);
            }
            _ => {
                let written = shorten(self.sources.text(span)).to_owned();
                let remedy = "ask it of a roll such as `3d6`, of a name given to a roll, or of a list";
                self.error(span, format!("`{written}` is neither dice nor a list"), "one value", remedy);
                return None;
            }
        };
        Some(Pool { node, ty, items, span })
    }

    fn no_dice_kept(&mut self, name: &str, span: Span) -> Option<Pool> {
        let message = format!("`{name}` is one value: the dice are not kept");
        let remedy =
            format!("keep the roll itself, as in `let {name} = 2d6`, and add to it where it is read");
        self.error(span, message, "neither dice nor a list", remedy);
        None
    }

    fn listed_call(&mut self, expr: &tree::Expr) -> Option<Pool> {
        let (call, ty, items) = self.call_of(expr)?;
        if items.is_none() {
            let message =
                format!("`{}` gives one value, not dice or a list", self.rules.callee_name(call.callee));
            let remedy = "ask it of a roll such as `3d6`, of a name given to a roll, or of a list";
            self.error(expr.span, message, "one value", remedy);
            return None;
        }
        Some(Pool { span: expr.span, node: PoolNode::Call(Box::new(call)), ty, items })
    }

    /// Complains where no dice can be rolled.
    pub(super) fn refuse_dice(&mut self, span: Span) -> Option<()> {
        if self.scope.no_dice.is_empty() {
            return Some(());
        }
        let message = format!("no dice are rolled here: {}", self.scope.no_dice);
        self.error(span, message, "a roll", "roll in a test, and hand the number over");
        None
    }

    fn roll(
        &mut self,
        count: Option<&tree::Expr>,
        die: &DieNode,
        span: Span,
    ) -> Option<(PoolNode, Type, Option<usize>)> {
        self.refuse_dice(span)?;
        let count = match count {
            Some(count) => self.typed(count, Type::Number)?,
            None => constant(1, Type::Number, span),
        };
        let die = match die {
            DieNode::Faces(faces) => Die::Faces(*faces),
            DieNode::Computed(faces) => Die::Computed(Box::new(self.typed(faces, Type::Number)?)),
            DieNode::Named(name) => Die::Custom(self.known_die(name)?),
        };
        self.rolled(count, die, span)
    }

    fn known_die(&mut self, name: &Word) -> Option<DieId> {
        let die = self.die_named(&name.text);
        if die.is_none() {
            let known: Vec<String> = self.rules.dice.iter().map(|die| die.name.clone()).collect();
            let message = format!("there is no die `{}`", name.text);
            let mistake = Diagnostic::error(name.span, message, "not declared");
            self.found.push(match known.is_empty() {
                true => mistake.remedy(format!(
                    "a sign is missing before it, or a line such as `die {} {{ 1, 2, 3 }}`",
                    name.text
                )),
                false => mistake.did_you_mean(&name.text, known.iter().map(String::as_str)),
            });
        }
        die
    }

    fn rolled(&mut self, count: Expr, die: Die, span: Span) -> Option<(PoolNode, Type, Option<usize>)> {
        self.refuse_dice(span)?;
        let ty = if let Die::Custom(die) = die { self.rules.dice[die.0].ty } else { Type::Number };
        Some((PoolNode::Roll(Box::new(count), die), ty, None))
    }

    /// `[a, b]`: of rolls alone a pool, else a list.
    fn list(&mut self, items: &[tree::Expr], span: Span) -> Option<(PoolNode, Type, Option<usize>)> {
        if items.len() > super::head::MOST_ITEMS as usize {
            let message = format!("a list has at most {} items", super::head::MOST_ITEMS);
            self.error(span, message, "more than that", "split it into several lists");
            return None;
        }
        let dice = |item: &tree::Expr| self.is_many(item) && !matches!(item.node, tree::ExprNode::List(_));
        if items.iter().all(dice) {
            let pools: Vec<Option<Pool>> = items.iter().map(|item| self.pool(item)).collect();
            let pools: Vec<Pool> = pools.into_iter().collect::<Option<_>>()?;
            let ty = pools[0].ty;
            if let Some(other) = pools.iter().find(|pool| pool.ty != ty || pool.items.is_some()) {
                let remedy = "join only dice that show numbers, or only dice of one sort";
                self.error(
                    other.span,
                    "these dice cannot lie in one pool",
                    "they show something else",
                    remedy,
                );
                return None;
            }
            return Some((PoolNode::Join(pools), ty, None));
        }
        let mut ty = None;
        let mut checked = Vec::new();
        for item in items {
            let item = self.expression(item, Ask { want: ty, ..super::expression::ANY });
            ty = ty.or(item.as_ref().map(|item| item.ty));
            checked.push(item);
        }
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let ty = ty.filter(|ty| matches!(ty, Type::Number | Type::Flag | Type::Kind(_)));
        if ty.is_none() {
            let remedy = "a list holds numbers, flags or named values";
            self.error(span, "such things cannot be listed", "this list", remedy);
        }
        let count = checked.len();
        Some((PoolNode::List(checked), ty?, Some(count)))
    }

    /// What a dice word makes of the dice to its left.
    fn changed(
        &mut self,
        pool: Pool,
        node: &tree::PoolNode,
        span: Span,
    ) -> Option<(PoolNode, Type, Option<usize>)> {
        let ty = pool.ty;
        let rolls = matches!(
            node,
            tree::PoolNode::Reroll(..) | tree::PoolNode::Explode(..) | tree::PoolNode::Chosen(..)
        );
        if rolls && pool.items.is_some() {
            let remedy = "write it behind a roll, or behind a name given to a roll";
            self.error(span, "a list holds no dice that could be rolled", "a list", remedy);
            return None;
        }
        let pool = Box::new(pool);
        let node = match node {
            tree::PoolNode::Keep(drop, set) => PoolNode::Keep(pool, self.set(set, ty)?, *drop),
            tree::PoolNode::Extreme(drop, end, count) => {
                self.needs_numbers(ty, span)?;
                let count = match count {
                    Some(count) => self.typed(count, Type::Number)?,
                    None => constant(1, Type::Number, span),
                };
                PoolNode::Extreme(pool, *end, Box::new(count), *drop)
            }
            tree::PoolNode::Reroll(set, limits) => {
                self.refuse_dice(span)?;
                if let Some(cap) = limits.iter().find(|limit| limit.sort == LimitSort::Cap) {
                    let remedy =
                        "write `at most 3 times`, or leave the bound out: each die is rolled again once";
                    self.error(
                        cap.number.span,
                        "rerolls need no patience",
                        "`cap` belongs to `explode`",
                        remedy,
                    );
                    return None;
                }
                let (set, limits) = (self.set(set, ty)?, self.limits(limits)?);
                PoolNode::Reroll(pool, set, limits)
            }
            tree::PoolNode::Explode(set, limits) => {
                self.refuse_dice(span)?;
                let (set, limits) = (self.set(set, ty)?, self.limits(limits)?);
                if limits.times.is_none() && limits.dice.is_none() {
                    let remedy = "write `at most 3 times` (each die for itself), `at most 3 dice` (in all) or `cap 40`";
                    self.error(span, "such dice might explode for ever", "no bound", remedy);
                    return None;
                }
                PoolNode::Explode(pool, set, limits)
            }
            tree::PoolNode::Chosen(keep, name, limits) => {
                self.refuse_dice(span)?;
                let (mut least, mut most) = (None, None);
                for limit in limits {
                    let number = self.typed(&limit.number, Type::Number);
                    if limit.sort == LimitSort::AtLeast { least = number } else { most = number }
                }
                let choice = self.choice(name.as_ref(), Picks::Dice(ty), span)?;
                PoolNode::Chosen(pool, Box::new(Chosen { choice, keep: *keep, least, most }))
            }
            _ => return None,
        };
        Some((node, ty, None))
    }

    fn limits(&mut self, nodes: &[LimitNode]) -> Option<Limits> {
        let mut limits = Limits { times: None, dice: None, cap: false };
        for node in nodes {
            let (place, number) = match node.sort {
                LimitSort::Cap => {
                    limits.cap = true;
                    (&mut limits.times, self.patience(&node.number)?)
                }
                LimitSort::Times => (&mut limits.times, self.typed(&node.number, Type::Number)?),
                LimitSort::Dice | LimitSort::AtLeast => {
                    (&mut limits.dice, self.typed(&node.number, Type::Number)?)
                }
            };
            if place.is_some() {
                let remedy = "keep one of them";
                self.error(node.number.span, "this bound stands twice", "a second one", remedy);
            }
            *place = Some(Box::new(number));
        }
        Some(limits)
    }

    fn needs_numbers(&mut self, ty: Type, span: Span) -> Option<()> {
        if ty == Type::Number {
            return Some(());
        }
        let message = format!("`{}` has no highest and lowest", self.rules.type_name(ty));
        self.error(span, message, "no numbers", "ask `count`, `any`, `all` or `alike` instead");
        None
    }

    /// Something that is asked of dice or of a list.
    pub(super) fn asked(
        &mut self,
        pool: &tree::Expr,
        node: &tree::PoolNode,
        span: Span,
        ask: Ask,
    ) -> Option<Expr> {
        let pool = Box::new(self.pool(pool)?);
        let (node, ty) = match node {
            tree::PoolNode::Ask(question, set) => {
                let set: &SetNode = set;
                let set = self.set(set, pool.ty)?;
                let ty = if *question == Question::Count { Type::Number } else { Type::Flag };
                (ExprNode::Ask(*question, pool, set), ty)
            }
            tree::PoolNode::Rank(number) => {
                self.needs_numbers(pool.ty, span)?;
                (ExprNode::Rank(pool, Box::new(self.typed(number, Type::Number)?)), Type::Number)
            }
            tree::PoolNode::Alike(number) => {
                let number = match number {
                    Some(number) => self.typed(number, Type::Number)?,
                    None => constant(2, Type::Number, span),
                };
                (ExprNode::Alike(pool, Box::new(number)), Type::Flag)
            }
            _ => return None,
        };
        self.fit(Expr { node, ty, span }, ask.want)
    }

    /// `dice[1]`, `list[i]`.
    pub(super) fn item(&mut self, name: &Word, number: &tree::Expr, span: Span, ask: Ask) -> Option<Expr> {
        let read = tree::Expr { node: tree::ExprNode::Name(name.text.clone()), span: name.span };
        let pool = self.pool(&read)?;
        let number = self.typed(number, Type::Number)?;
        let ty = pool.ty;
        self.fit(Expr { node: ExprNode::Item(Box::new(pool), Box::new(number)), ty, span }, ask.want)
    }

    /// Dice where one value is wanted: their sum, or the face of the only die.
    pub(super) fn one_of(&mut self, expr: &tree::Expr, ask: Ask) -> Option<Expr> {
        let pool = self.pool(expr)?;
        let (ty, span) = (pool.ty, expr.span);
        if pool.items.is_some() {
            let written = shorten(self.sources.text(span)).to_owned();
            let remedy = match ty {
                Type::Number => {
                    format!("add it up with `sum({written})`, or take one item, as in `{written}[1]`")
                }
                _ => format!("take one item, as in `{written}[1]`, or ask `{written} count …`"),
            };
            self.error(span, "a list is not one value", "a list", remedy);
            return None;
        }
        let node =
            if ty == Type::Number { ExprNode::Sum(Box::new(pool)) } else { ExprNode::Only(Box::new(pool)) };
        self.fit(Expr { node, ty, span }, ask.want)
    }
}
