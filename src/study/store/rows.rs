//! Counts as a table, a row for each count, that any program which can group and sum can add up; and back.
//!
//! In: pieces. Out: rows, sorted. `docs/shards.md` tells users of the columns.
//!
//! **Never:** counts that do not add up to their trials.

use super::pieces::{Counts, Engine, Group, Key, Piece};
use crate::plan::{CHUNK, ContentId, Tally};
use crate::random::RECIPE;
use crate::results::{Cells, Part, Table};
use crate::rules::RecordId;
use std::collections::BTreeMap;

/// Changes with the columns or with what they mean.
pub(in crate::study) const FORMAT: &str = "houserule counts 1";

/// The trials that a count is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    key: Key,
    /// The first chunk, and one past the last.
    chunks: (u64, u64),
    trials: u64,
    settled: bool,
}

/// One count.
struct Count {
    kind: &'static str,
    record: Option<RecordId>,
    value: String,
    count: u64,
}

const RESULT: &str = "result";
const UNRESOLVED: &str = "unresolved";
const RECORD: &str = "record";
const JOINT: &str = "joint";

/// All counts as a table.
pub(in crate::study) fn rows(counts: &Counts) -> Table {
    let all: Vec<(Range, String, Count)> = counts.groups.iter().flat_map(of_group).collect();
    let mut table = Table::default();
    table.text("plan", &all, |(range, ..)| format!("{:?}", range.key.plan));
    table.count("seed", &all, |(range, ..)| range.key.seed);
    table.text("generator", &all, |_| RECIPE.to_owned());
    table.text("engine", &all, |(range, ..)| range.key.engine.name().to_owned());
    table.text("joint", &all, |(range, ..)| range.key.joint.clone());
    table.count("start_chunk", &all, |(range, ..)| range.chunks.0);
    table.count("end_chunk", &all, |(range, ..)| range.chunks.1);
    table.count("trials", &all, |(range, ..)| range.trials);
    table.text("settled", &all, |(range, ..)| if range.settled { "yes" } else { "no" }.to_owned());
    table.text("kind", &all, |(.., count)| count.kind.to_owned());
    let record = |record: Option<RecordId>| record.map_or(-1, |record| record.0 as i64);
    table.push("record", Cells::Integer(all.iter().map(|(.., count)| record(count.record)).collect()));
    table.text("name", &all, |(_, name, _)| name.clone());
    table.text("value", &all, |(.., count)| count.value.clone());
    table.count("count", &all, |(.., count)| count.count);
    table
}

/// The rows of one group.
fn of_group<'g>((key, group): (&'g Key, &'g Group)) -> impl Iterator<Item = (Range, String, Count)> + 'g {
    let range = |chunks, trials, settled| Range { key: key.clone(), chunks, trials, settled };
    let whole = group.whole.iter().map(move |(start, piece)| {
        (range((*start, piece.end), (piece.end - start) * CHUNK, piece.settled), &piece.tally)
    });
    let short = group.short.iter().map(move |(end, tally)| {
        let number = end / CHUNK;
        (range((number, number + 1), end - number * CHUNK, true), tally)
    });
    whole.chain(short).flat_map(move |(range, tally)| {
        let name = |count: &Count| match count.record {
            Some(record) => group.names.get(&record).cloned().unwrap_or_default(),
            None => String::new(),
        };
        of_tally(tally).into_iter().map(move |count| (range.clone(), name(&count), count))
    })
}

/// The counts of a tally, those of 0 left out.
fn of_tally(tally: &Tally) -> Vec<Count> {
    let mut all = Vec::new();
    let mut push = |kind, record, value, count| all.push(Count { kind, record, value, count });
    if tally.unresolved > 0 {
        push(UNRESOLVED, None, String::new(), tally.unresolved);
    }
    for (value, count) in &tally.counts {
        push(RESULT, None, value.to_string(), *count);
    }
    for (record, counts) in &tally.records {
        counts.iter().for_each(|(value, count)| push(RECORD, Some(*record), value.to_string(), *count));
    }
    for (values, count) in &tally.joint {
        let value = |value: &Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        push(JOINT, None, values.iter().map(value).collect::<Vec<_>>().join(","), *count);
    }
    all
}

/// The counts of a table, and how many rows are of dice that this program does not roll; or why it is of no use.
pub(in crate::study) fn counts(part: &Part) -> Result<(Counts, usize), String> {
    if part.note("format") != Some(FORMAT) {
        return Err("another version of houserule wrote it".to_owned());
    }
    let reader = Reader(&part.table);
    let (mut tallies, mut others): (BTreeMap<Range, Tally>, usize) = (BTreeMap::new(), 0);
    let mut counts = Counts::default();
    for at in 0..part.table.height() {
        if reader.word("generator", at) != Some(RECIPE) {
            others += 1;
            continue;
        }
        let wrong = || format!("row {} says what cannot be", at + 1);
        let range = reader.range(at).ok_or_else(wrong)?;
        let joint = range.key.joint.split(',').filter(|name| !name.is_empty()).count();
        if let Some((record, name)) = reader.record(at) {
            counts.groups.entry(range.key.clone()).or_default().names.insert(record, name);
        }
        reader.add(at, joint, tallies.entry(range).or_default()).ok_or_else(wrong)?;
    }
    for (range, mut tally) in tallies {
        tally.trials = range.trials;
        if !adds_up(&tally) {
            return Err("its counts do not add up to their trials".to_owned());
        }
        let group = counts.groups.entry(range.key).or_default();
        let (start, end) = range.chunks;
        if range.trials % CHUNK != 0 {
            group.short.insert(start * CHUNK + range.trials, tally);
        } else {
            group.put(start, Piece { end, settled: range.settled, tally });
        }
    }
    Ok((counts, others))
}

/// Whether a tally's counts are those of its trials.
fn adds_up(tally: &Tally) -> bool {
    let ended = sum(tally.counts.values());
    let at_most = |some: Option<u64>| some.zip(ended).is_some_and(|(some, ended)| some <= ended);
    ended.and_then(|ended| ended.checked_add(tally.unresolved)) == Some(tally.trials)
        && tally.records.values().all(|counts| at_most(sum(counts.values())))
        && at_most(sum(tally.joint.values()))
}

fn sum<'c>(mut counts: impl Iterator<Item = &'c u64>) -> Option<u64> {
    counts.try_fold(0u64, |sum, one| sum.checked_add(*one))
}

/// Takes rows out of a table.
struct Reader<'t>(&'t Table);

impl Reader<'_> {
    fn word(&self, name: &str, at: usize) -> Option<&str> {
        match self.0.column(name)? {
            Cells::Text(words) => words.get(at)?.as_deref(),
            _ => None,
        }
    }

    fn number(&self, name: &str, at: usize) -> Option<u64> {
        match self.0.column(name)? {
            Cells::Count(numbers) => numbers.get(at).copied(),
            _ => None,
        }
    }

    /// The record that a row is about, and its name.
    fn record(&self, at: usize) -> Option<(RecordId, String)> {
        let Cells::Integer(numbers) = self.0.column("record")? else { return None };
        let record = RecordId(usize::try_from(*numbers.get(at)?).ok()?);
        Some((record, self.word("name", at)?.to_owned()))
    }

    /// The trials that a row is about.
    fn range(&self, at: usize) -> Option<Range> {
        let key = Key {
            plan: ContentId::from_text(self.word("plan", at)?)?,
            seed: self.number("seed", at)?,
            engine: Engine::named(self.word("engine", at)?)?,
            joint: self.word("joint", at)?.to_owned(),
        };
        let (start, end) = (self.number("start_chunk", at)?, self.number("end_chunk", at)?);
        let (trials, settled) = (self.number("trials", at)?, self.word("settled", at)? == "yes");
        let whole = end.checked_sub(start)?.checked_mul(CHUNK)?;
        end.checked_mul(CHUNK)?;
        let short = whole == CHUNK && trials < CHUNK;
        (trials > 0 && (trials == whole || short)).then_some(Range {
            key,
            chunks: (start, end),
            trials,
            settled,
        })
    }

    /// Adds a row's count to those of the same trials, where so many records are counted together.
    fn add(&self, at: usize, joint: usize, tally: &mut Tally) -> Option<()> {
        let (count, value) = (self.number("count", at)?, self.word("value", at)?);
        let former = match self.word("kind", at)? {
            UNRESOLVED => Some(std::mem::replace(&mut tally.unresolved, count)).filter(|former| *former > 0),
            RESULT => tally.counts.insert(value.parse().ok()?, count),
            RECORD => tally.records.entry(self.record(at)?.0).or_default().insert(value.parse().ok()?, count),
            JOINT => {
                let parse = |value: &str| match value {
                    "" => Some(None),
                    some => some.parse().ok().map(Some),
                };
                let values = value.split(',').map(parse).collect::<Option<Vec<Option<i64>>>>()?;
                tally.joint.insert(Some(values).filter(|values| values.len() == joint)?, count)
            }
            _ => return None,
        };
        former.is_none().then_some(())
    }
}
