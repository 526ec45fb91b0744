#![expect(clippy::single_range_in_vec_init, reason = "ranges of trials are what is tested")]

use super::pieces::{Engine, Group, Piece};
use super::*;
use crate::results::{Cells, Table};
use crate::rules::RecordId;

/// A tally of so many chunks in which every trial ends in one result.
fn tally(trials: u64, result: i32) -> Tally {
    Tally { trials, counts: [(result, trials)].into(), ..Tally::default() }
}

fn piece(chunks: Range<u64>, settled: bool) -> (u64, Piece) {
    let tally = tally((chunks.end - chunks.start) * CHUNK, 1);
    (chunks.start, Piece { end: chunks.end, settled, tally })
}

fn key() -> Key {
    Key { plan: ContentId([7; 32]), seed: 1815, engine: Engine::Kernel, joint: String::new() }
}

fn counts(pieces: impl IntoIterator<Item = (u64, Piece)>, short: &[u64]) -> Counts {
    let short = short.iter().map(|end| (*end, tally(end % CHUNK, 2))).collect();
    let group = Group { whole: pieces.into_iter().collect(), short, ..Group::default() };
    Counts { groups: [(key(), group)].into(), changed: false }
}

/// The pieces of the one group, by their chunks.
fn pieces(counts: &Counts) -> Vec<Range<u64>> {
    counts.groups[&key()].whole.iter().map(|(start, piece)| *start..piece.end).collect()
}

/// What is known of so many chunks and the rest: trials, and gaps in chunks.
fn look(counts: &Counts, trials: Range<u64>) -> (u64, Vec<(u64, u64)>) {
    let (tally, gaps) = counts.look(&key(), trials);
    assert_eq!(tally.trials, tally.counts.values().sum::<u64>());
    (tally.trials, gaps.into_iter().map(|gap| (gap.start, gap.end)).collect())
}

#[test]
fn gaps_are_all_that_no_whole_piece_covers() {
    let known = counts([piece(1..2, true), piece(4..7, true)], &[]);
    let chunks = |from: u64, to: u64| (from * CHUNK, to * CHUNK);
    assert_eq!(look(&known, 0..8 * CHUNK), (4 * CHUNK, vec![chunks(0, 1), chunks(2, 4), chunks(7, 8)]));
    // a piece is not cut: what reaches beyond the stretch is of no use
    assert_eq!(look(&known, 0..6 * CHUNK), (CHUNK, vec![chunks(0, 1), chunks(2, 6)]));
    assert_eq!(look(&known, 5 * CHUNK..7 * CHUNK), (0, vec![chunks(5, 7)]));
    assert_eq!(look(&known, 4 * CHUNK..7 * CHUNK), (3 * CHUNK, vec![]));
    assert_eq!(look(&known, 4 * CHUNK..4 * CHUNK), (0, vec![]));
}

#[test]
fn a_short_chunk_is_used_for_its_own_number_of_trials_only() {
    let known = counts([piece(0..2, true)], &[2 * CHUNK + 10]);
    assert_eq!(look(&known, 0..2 * CHUNK + 10), (2 * CHUNK + 10, vec![]));
    for trials in [2 * CHUNK + 9, 2 * CHUNK + 11] {
        assert_eq!(look(&known, 0..trials), (2 * CHUNK, vec![(2 * CHUNK, trials)]));
    }
    assert_eq!(look(&known, 0..3 * CHUNK), (2 * CHUNK, vec![(2 * CHUNK, 3 * CHUNK)]));
    assert_eq!(look(&known, 2 * CHUNK..2 * CHUNK + 10), (10, vec![]));
}

#[test]
fn chunks_that_lie_side_by_side_become_one_piece_unless_they_were_asked_for() {
    let mut group = Group::default();
    for number in [3, 0, 1, 5, 2] {
        let (start, piece) = piece(number..number + 1, false);
        assert!(!group.put(start, piece));
    }
    let mut known = Counts { groups: [(key(), group)].into(), changed: false };
    assert_eq!(pieces(&known), [0..4, 5..6]);
    known.settle(&key(), 0..4 * CHUNK);
    known.absorb(counts([piece(4..5, false)], &[]));
    assert_eq!(pieces(&known), [0..4, 4..6]);
    assert_eq!(look(&known, 0..6 * CHUNK), (6 * CHUNK, vec![]));
}

#[test]
fn of_pieces_that_share_chunks_the_longer_stays_and_what_is_lost_is_told() {
    let cases = [
        (1..4, 1, vec![1..4]),       // the same again
        (2..3, 1, vec![1..4]),       // inside
        (0..5, 0, vec![0..5]),       // around
        (3..5, 1, vec![1..4]),       // over the end, shorter
        (3..9, 1, vec![3..9]),       // over the end, longer
        (4..5, 0, vec![1..4, 4..5]), // beside
    ];
    for (new, expected_torn, expected) in cases {
        let mut known = counts([piece(1..4, true)], &[]);
        let torn = known.absorb(counts([piece(new.clone(), true)], &[]));
        assert_eq!(pieces(&known), expected, "{new:?}");
        let lost = new != (1..4) && new != (2..3);
        assert_eq!(torn, expected_torn * usize::from(lost), "{new:?}");
    }
}

#[test]
fn another_seed_engine_or_joint_list_is_something_else() {
    let known = counts([piece(0..2, true)], &[]);
    let others = [
        Key { seed: 1816, ..key() },
        Key { engine: Engine::Interpreter, ..key() },
        Key { joint: "a,b".to_owned(), ..key() },
        Key { plan: ContentId([8; 32]), ..key() },
    ];
    for other in others {
        assert_eq!(known.look(&other, 0..2 * CHUNK).0.trials, 0, "{other:?}");
    }
}

/// Counts with all that can be counted.
fn everything() -> Counts {
    let mut all = counts([piece(0..2, false)], &[2 * CHUNK + 10]);
    let tally = Tally {
        trials: 3 * CHUNK,
        unresolved: 5,
        counts: [(-1, 2 * CHUNK), (4, CHUNK - 5)].into(),
        records: [(RecordId(2), [(-9, 7), (1 << 40, 1)].into())].into(),
        joint: [(vec![Some(-9), None], 7), (vec![None, Some(3)], 2)].into(),
    };
    let group = Group {
        names: [(RecordId(2), "lost".to_owned())].into(),
        whole: [(5, Piece { end: 8, settled: true, tally })].into(),
        ..Group::default()
    };
    all.groups.insert(Key { joint: "lost,won".to_owned(), engine: Engine::Interpreter, ..key() }, group);
    all
}

fn part(table: Table) -> Part {
    Part { table, notes: vec![("format".to_owned(), FORMAT.to_owned())] }
}

#[test]
fn counts_read_back_from_their_rows_as_they_were() {
    let bytes = part(rows(&everything())).to_bytes().unwrap();
    assert_eq!(rows::counts(&Part::from_bytes(bytes).unwrap()), Ok((everything(), 0)));
    let none = part(rows(&Counts::default())).to_bytes().unwrap();
    assert_eq!(rows::counts(&Part::from_bytes(none).unwrap()), Ok((Counts::default(), 0)));
}

/// The rows of everything with one cell changed.
fn with(column: &str, change: impl Fn(&mut Cells)) -> Part {
    let mut table = rows(&everything());
    let cells = table.columns.iter_mut().find(|(name, _)| name == column).unwrap();
    change(&mut cells.1);
    part(table)
}

fn text(row: usize, text: &str) -> impl Fn(&mut Cells) {
    move |cells| match cells {
        Cells::Text(texts) => texts[row] = Some(text.to_owned()),
        _ => panic!("words"),
    }
}

fn number(row: usize, number: u64) -> impl Fn(&mut Cells) {
    move |cells| match cells {
        Cells::Count(numbers) => numbers[row] = number,
        _ => panic!("numbers"),
    }
}

#[test]
fn rows_that_do_not_add_up_or_make_no_sense_are_refused() {
    let last = rows(&everything()).height() - 1;
    let wrong = [
        with("count", number(0, 1)),
        with("count", number(0, u64::MAX)),
        with("count", number(last, u64::MAX)),
        with("trials", number(0, 3 * CHUNK)),
        with("trials", number(1, 0)),
        with("end_chunk", number(0, 0)),
        with("end_chunk", number(0, u64::MAX)),
        with("start_chunk", number(0, 1)),
        with("plan", text(0, "no hash")),
        with("plan", text(0, &"é".repeat(32))),
        with("engine", text(0, "horse")),
        with("kind", text(0, "rumour")),
        with("value", text(0, "1.5")),
        with("value", text(last, "1,2,3")),
        with("seed", |cells| *cells = Cells::Integer(vec![0; last + 1])),
        Part { notes: Vec::new(), ..part(rows(&everything())) },
        part(Table { columns: vec![("word".to_owned(), Cells::Text(vec![None]))] }),
    ];
    for (number, wrong) in wrong.iter().enumerate().take(16) {
        assert!(rows::counts(wrong).is_err(), "{number}");
    }
    // without a generator no row is ours
    assert_eq!(rows::counts(&wrong[16]), Ok((Counts::default(), 1)));
}

#[test]
fn rows_of_other_dice_are_left_out_and_counted() {
    let all = rows(&everything()).height();
    let other = with("generator", |cells| *cells = Cells::Text(vec![Some("other".to_owned()); all]));
    assert_eq!(rows::counts(&other), Ok((Counts::default(), all)));
}

fn folder_with(parts: &[(&str, Part)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, part) in parts {
        part.write(&folder.path().join(FOLDER).join(name).with_extension("parquet")).unwrap();
    }
    folder
}

#[test]
fn files_that_share_chunks_in_part_are_told_of_and_counted_once() {
    let of = |chunks| part(rows(&counts([piece(chunks, true)], &[])));
    let folder = folder_with(&[("a", of(0..4)), ("b", of(3..5)), ("c", of(5..6)), ("d", of(0..2))]);
    let (store, remarks) = Store::open(folder.path(), false);
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].contains("b.parquet"), "{remarks:?}");
    assert_eq!(look(&store.counts(), 0..6 * CHUNK), (5 * CHUNK, vec![(4 * CHUNK, 5 * CHUNK)]));
    store.save().unwrap();
    assert_eq!(parts(&folder.path().join(FOLDER)).len(), 1);
    let (again, remarks) = Store::open(folder.path(), false);
    assert!(remarks.is_empty());
    assert_eq!(pieces(&again.counts()), pieces(&store.counts()));
}

#[test]
fn a_fresh_store_knows_nothing_and_replaces_what_was_there() {
    let old = part(rows(&everything()));
    let folder = folder_with(&[("0123456789abcdef", old)]);
    let mine = folder.path().join(FOLDER).join("mine.parquet");
    std::fs::write(&mine, "mine").unwrap();
    let (store, remarks) = Store::open(folder.path(), true);
    assert!(remarks.is_empty() && store.counts().groups.is_empty());
    store.counts().absorb(counts([piece(0..1, true)], &[]));
    store.counts().changed = true;
    store.save().unwrap();
    let (again, _) = Store::open(folder.path(), false);
    assert_eq!(pieces(&again.counts()), [0..1]);
    assert_eq!(again.counts().groups.len(), 1);
    // what was not written here is left alone
    assert_eq!(std::fs::read(mine).unwrap(), b"mine");
}

#[test]
fn what_cannot_be_written_is_said_and_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FOLDER), "no folder").unwrap();
    let (store, _) = Store::open(folder.path(), false);
    store.counts().changed = true;
    assert!(store.save().unwrap_err().contains("cannot be written"));
}
