//! Situations in which the same rules are left to play, so that they can share a row.

use super::words::thousands;
use crate::analyse::Analysis;
use crate::plan::ContentId;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The first situation of each group in which every one of `variants` plays by the same rules, and how many more there
/// are in the group.
pub(super) fn groups(analysis: &Analysis, variants: &[usize], situations: &[usize]) -> Vec<(usize, usize)> {
    grouped(|variant, situation| analysis.cells[variant][situation].sample.id, variants, situations)
}

/// The same where `id` names the plan of a variant in a situation.
pub(super) fn grouped(
    id: impl Fn(usize, usize) -> ContentId,
    variants: &[usize],
    situations: &[usize],
) -> Vec<(usize, usize)> {
    let mut places: BTreeMap<Vec<ContentId>, usize> = BTreeMap::new();
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for situation in situations {
        let ids = variants.iter().map(|variant| id(*variant, *situation)).collect();
        match places.entry(ids) {
            Entry::Occupied(place) => groups[*place.get()].1 += 1,
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push((*situation, 0));
            }
        }
    }
    groups
}

/// A group of situations by the name of its first.
pub(super) fn group_name(names: &[String], (first, more): (usize, usize)) -> String {
    let more = if more > 0 { format!(" (and {} alike)", thousands(more as u64)) } else { String::new() };
    format!("{}{more}", names[first])
}
