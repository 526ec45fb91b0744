//! The situations that are played: every combination of the grid, less those that are excluded.

use super::place::Lookup;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::rules;
use crate::scenario::document::Document;
use crate::scenario::model::Scenario;

/// A grid larger than this is a slip: a person cannot read so many rows.
const MOST_SITUATIONS: usize = 100_000;

/// Fills in the situations: every combination, less what `where` and the rules exclude.
pub(super) fn situations(
    document: &Document,
    scenario: &mut Scenario,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<()> {
    let sizes: Vec<usize> = scenario.factors.iter().map(|factor| factor.values.len()).collect();
    let count = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    if count.is_none_or(|count| count > MOST_SITUATIONS) {
        found.push(too_many(document, &sizes, count));
        return None;
    }
    scenario.situations = combinations(&sizes);
    let kept = Lookup { scenario, sources, found }.situations_where(document.filter.as_ref())?;
    scenario.situations = kept.iter().map(|at| scenario.situations[*at].clone()).collect();
    remove_never(document, scenario, found)
}

fn too_many(document: &Document, sizes: &[usize], count: Option<usize>) -> Diagnostic {
    let product: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let total = count.map_or_else(|| "far too many".to_owned(), |count| count.to_string());
    let message = format!(
        "the grid has {} = {total} situations; {MOST_SITUATIONS} is the most that can be played",
        product.join(" x ")
    );
    let place = document.grid.first().map_or(document.top, |text| text.factor.span);
    Diagnostic::error(place, message, "from here on").remedy("shorten the lists, or fix some of the factors")
}

/// Every combination of positions, the last fastest.
fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        let longer = |short: &Vec<usize>| {
            let short = short.clone();
            (0..*size).map(move |position| [&short[..], &[position]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Takes out the situations that do not exist in some variant.
fn remove_never(document: &Document, scenario: &mut Scenario, found: &mut Diagnostics) -> Option<()> {
    let mut why = None;
    let mut kept = Vec::new();
    for situation in 0..scenario.situations.len() {
        let mut reasons = (0..scenario.variants.len()).filter_map(|variant| {
            rules::never(&scenario.variants[variant].rules, &scenario.assignment(variant, situation))
        });
        match reasons.next() {
            Some(reason) => why = Some(reason.to_owned()),
            None => kept.push(scenario.situations[situation].clone()),
        }
    }
    scenario.situations = kept;
    let Some(why) = why.filter(|_| scenario.situations.is_empty()) else { return Some(()) };
    let place = document.grid.first().map_or(document.top, |text| text.factor.span);
    let message = format!("the rules exclude every situation of the grid, the last because: {why}");
    found.push(
        Diagnostic::error(place, message, "from here on")
            .remedy("add values for which the rules have a result"),
    );
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_factor_is_the_fastest() {
        assert_eq!(combinations(&[2, 3]), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(combinations(&[]), [Vec::<usize>::new()]);
    }
}
