//! The search for values: the factors that are varied, and the targets.

use super::grid::{label, needed, said_twice};
use super::place::{Lookup, allowed, factor_names, factors_named, no_such_value};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::FactorId;
use crate::scenario::document::{GridText, TuneText};
use crate::scenario::model::{Claim, Side, Tune, Variant, Varied};

/// A search that looks at more situations than this, over all combinations, is refused.
const MOST: usize = 100_000;

/// The columns of the table of a search that are no factors.
const COLUMNS: [&str; 4] = ["rank", "unbeaten", "exact", "impossible"];

impl Lookup<'_> {
    /// The search, or what is wrong with it.
    pub(super) fn tune(&mut self, text: &TuneText) -> Option<Tune> {
        let variant = self.variant(text.variant.as_ref(), text.span);
        let targets = text.targets.iter().map(|target| {
            let claim = self.claim(target)?;
            let text = match (&target.text, &target.filter) {
                (None, Some(filter)) => format!("{} where {}", claim.holds, filter.value.trim()),
                _ => claim.text,
            };
            Some(Claim { text, ..claim })
        });
        let targets: Vec<Option<Claim>> = targets.collect();
        let variant = variant?;
        let vary = text.vary.iter().map(|factor| self.varied(factor, variant));
        let vary: Vec<Option<Varied>> = vary.collect();
        let (targets, vary) =
            (targets.into_iter().collect::<Option<_>>()?, vary.into_iter().collect::<Option<_>>()?);
        let tune = Tune { variant, vary, targets };
        let sound = has_all(text, &tune, self.found) && self.speaks_of(text, &tune);
        (sound && self.stays_small(text, &tune)).then_some(tune)
    }

    /// A factor that is varied.
    fn varied(&mut self, text: &GridText, variant: usize) -> Option<Varied> {
        let Variant { name: called, rules, base, .. } = &self.scenario.variants[variant];
        let name = &text.factor;
        let ids = factors_named(rules, &name.value);
        let Some(first) = ids.first().copied() else {
            let message = format!("`{}` is not a factor of `{called}`", name.value);
            let known = factor_names(rules);
            let diagnostic = Diagnostic::error(name.span, message, "not known");
            return self.refuse(diagnostic.did_you_mean(&name.value, known.iter().map(String::as_str)));
        };
        self.refuse_taken(text, variant, &ids)?;
        let factor = &rules.factors[first.0];
        let names = self.value_names(text, rules, factor)?;
        let values: Option<Vec<i32>> = names.iter().map(|name| allowed(rules, factor, &name.value)).collect();
        let Some(values) = values else {
            let wrong = names.iter().filter(|name| allowed(rules, factor, &name.value).is_none());
            self.found.extend(wrong.map(|name| no_such_value(rules, factor, name, "")));
            return None;
        };
        said_twice(&names, &values, &name.value, self.found)?;
        if !needed(&self.scenario.variants[variant]).iter().any(|id| ids.contains(id)) {
            let message =
                format!("`{}` changes nothing: `{}` never reads it", name.value, self.scenario.test);
            let diagnostic = Diagnostic::warning(name.span, message, "without effect");
            self.found.push(diagnostic.remedy("take it out of `vary`, or name a factor that the test reads"));
        }
        let named = |value: &i32| rules.name_of(factor.ty, *value);
        let mut now: Vec<String> = ids.iter().map(|id| named(&base[id.0])).collect();
        now.dedup();
        Some(Varied {
            name: name.value.clone(),
            label: label(rules, first, &name.value),
            names: values.iter().map(named).collect(),
            factors: ids,
            values,
            now: now.join(" or "),
        })
    }

    /// Complains of a factor that the grid sets already, or that has the name of a column.
    fn refuse_taken(&mut self, text: &GridText, variant: usize, ids: &[FactorId]) -> Option<()> {
        let name = &text.factor.value;
        let in_grid = self.scenario.factors.iter().any(|factor| {
            factor.bindings[variant].as_ref().is_some_and(|(own, _)| own.iter().any(|id| ids.contains(id)))
        });
        let (message, remedy) = if in_grid {
            let remedy = "take it out of [grid]: there it says in which situations the draft is judged";
            (format!("`{name}` cannot be varied: the grid sets it"), remedy)
        } else if COLUMNS.contains(&name.as_str()) {
            (
                format!("`{name}` is the name of a column in the table"),
                "give the factor another name in the rules",
            )
        } else {
            return Some(());
        };
        self.refuse(Diagnostic::error(text.factor.span, message, "here").remedy(remedy))
    }

    /// Complains of targets that the variant has no part in.
    fn speaks_of(&mut self, text: &TuneText, tune: &Tune) -> bool {
        let of = |side: &Side| matches!(side, Side::Quantity(_, variant) if *variant == tune.variant);
        let mut sound = true;
        for (target, text) in tune.targets.iter().zip(&text.targets) {
            if of(&target.left) || of(&target.right) {
                continue;
            }
            let called = &self.scenario.variants[tune.variant].name;
            let message = format!("this does not speak of `{called}`, whose factors are varied");
            let place = text.holds.as_ref().map_or_else(Default::default, |holds| holds.span);
            let remedy = format!("name it, as in: P(...) in {called}; or say `variant = \"...\"`");
            self.found.push(Diagnostic::error(place, message, "nothing changes it").remedy(remedy));
            sound = false;
        }
        sound
    }

    /// Complains of a search that would take too long.
    fn stays_small(&mut self, text: &TuneText, tune: &Tune) -> bool {
        let sizes = tune.vary.iter().map(|varied| varied.values.len());
        let situations = self.scenario.situations.len().max(1);
        let all = sizes.clone().try_fold(situations, |product, size| product.checked_mul(size));
        if all.is_some_and(|all| all <= MOST) {
            return true;
        }
        let product: Vec<String> = sizes.map(|size| size.to_string()).collect();
        let message = format!(
            "the search has {} combinations of values, each in {situations} situations; at most {MOST} can be looked at",
            product.join(" x ")
        );
        let remedy = "vary fewer factors, try fewer values of each, or make [grid] smaller";
        self.found.push(Diagnostic::error(text.span, message, "here").remedy(remedy));
        false
    }
}

/// Complains of an empty search.
fn has_all(text: &TuneText, tune: &Tune, found: &mut Diagnostics) -> bool {
    let empty = match (tune.vary.is_empty(), tune.targets.is_empty()) {
        (true, _) => {
            ("`[tune]` varies nothing", "name a factor and its values: vary = { penalty = \"0..3\" }")
        }
        (_, true) => ("`[tune]` has no target", "say what is wanted: target = [\"P(break) <= 25%\"]"),
        _ => return true,
    };
    found.push(Diagnostic::error(text.span, empty.0, "here").remedy(empty.1));
    false
}
