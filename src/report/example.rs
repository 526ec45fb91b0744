//! A small run for the tests of this room: the break test of infantry and cavalry, counts by enumeration of two dice.

use crate::analyse::{Analysis, LEVEL, analyse};
use crate::diagnostic::{FileId, Span};
use crate::plan::{ContentId, Sample, Tally};
use crate::rules::{
    Choice, Expr, ExprNode, Factor, FactorId, Kind, KindId, KindValue, Ruleset, TestId, Type,
};
use crate::scenario::*;
use std::sync::Arc;

const OUTCOMES: [(&str, &str); 5] = [
    ("hold", "Hold"),
    ("hold_disordered", "Hold, disordered"),
    ("retreat", "Retreat"),
    ("retreat_disordered", "Retreat, disordered"),
    ("break", "Break"),
];

/// How many trials each sample of the example has.
pub(super) const TRIALS: u64 = 36 * 25_000;

fn span() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn kind(name: &str, values: &[(&str, &str)]) -> Kind {
    let value = |(rank, (name, label)): (usize, &(&str, &str))| KindValue {
        name: (*name).to_owned(),
        label: (*label).to_owned(),
        rank: rank as u32,
    };
    Kind {
        name: name.to_owned(),
        ordered: name == "result",
        values: values.iter().enumerate().map(value).collect(),
    }
}

fn factor(name: &str, label: &str, ty: Type, values: std::ops::RangeInclusive<i32>) -> Factor {
    let values = values.collect();
    Factor { name: name.to_owned(), label: label.to_owned(), ty, values, default: Some(0), span: span() }
}

fn ruleset(name: &str, note: &str) -> Ruleset {
    let choice = Choice {
        name: "break_chart".to_owned(),
        kind: KindId(0),
        options: vec![1, 2],
        parameters: Vec::new(),
        span: span(),
    };
    Ruleset {
        name: name.to_owned(),
        sources: vec![format!("{name}, chart by enumeration")],
        notes: vec![note.to_owned()],
        kinds: vec![kind("result", &OUTCOMES)],
        factors: vec![
            factor("disordered", "Disordered", Type::Flag, 0..=1),
            factor("steady", "Steady", Type::Flag, 0..=1),
        ],
        choices: vec![choice],
        ..Ruleset::default()
    }
}

fn variant(name: &str, title: &str, note: &str, moves: Vec<Option<Move>>) -> Variant {
    Variant {
        name: name.to_owned(),
        rules: Arc::new(ruleset(title, note)),
        entry: TestId(0),
        base: vec![0, 0],
        moves,
        result_positions: (0..5).collect(),
    }
}

fn named(name: &str, label: &str) -> Named {
    Named { name: name.to_owned(), label: label.to_owned() }
}

fn grid(name: &str, label: &str, numeric: bool, values: Vec<Named>) -> GridFactor {
    let bindings = vec![(name == "disordered").then(|| (FactorId(0), vec![0, 1])); 2];
    GridFactor { name: name.to_owned(), label: label.to_owned(), numeric, values, bindings }
}

/// `P(break)` in a variant.
fn breaks(variant: usize) -> Side {
    Side::Quantity(
        Quantity::Probability(ResultSet { text: "break".to_owned(), spans: vec![(4, 4)] }),
        variant,
    )
}

fn claim(text: &str, holds: &str, relation: Relation, right: Side, situations: Vec<usize>) -> Claim {
    let (text, holds) = (text.to_owned(), holds.to_owned());
    Claim { text, holds, left: breaks(1), relation, right, margin: None, situations, average: false }
}

/// Two drafts, forty situations, three claims.
pub(super) fn scenario() -> Scenario {
    let factors = vec![
        grid("troop", "Troop type", false, vec![named("infantry", "Infantry"), named("cavalry", "Cavalry")]),
        grid(
            "attack",
            "Attack",
            false,
            vec![named("shooting", "Shooting"), named("hand_to_hand", "Hand-to-hand")],
        ),
        grid(
            "excess",
            "Excess casualties",
            true,
            (0..5).map(|n| named(&n.to_string(), &n.to_string())).collect(),
        ),
        grid("weather", "Weather", false, vec![named("dry", "Dry")]),
        grid("disordered", "Disordered", false, vec![named("no", "no"), named("yes", "yes")]),
    ];
    let rows = (0..40).map(|n| vec![n / 20, n / 10 % 2, n / 2 % 5, 0, n % 2]).collect();
    let condition = Expr { node: ExprNode::Constant(2), ty: Type::Kind(KindId(0)), span: span() };
    let average = Claim {
        margin: Some(Margin::Points(1.0)),
        average: true,
        ..claim(
            "Fewer break on the whole",
            "P(break) in modified < P(break) in original by 1 points",
            Relation::Less,
            breaks(0),
            (0..40).collect(),
        )
    };
    Scenario {
        title: "Break tests: original against modified".to_owned(),
        stem: "break-test".to_owned(),
        folder: "black-powder".to_owned(),
        test: "break_test".to_owned(),
        trials: TRIALS,
        seed: 1815,
        baseline: 0,
        variants: vec![
            variant(
                "original",
                "Original chart",
                "Skirmishers test as their arm",
                vec![Some(Move::Condition(condition))],
            ),
            variant(
                "modified",
                "Modified chart",
                "Totals above 10 count as 10",
                vec![Some(Move::Mix(vec![(1, 3), (2, 1)]))],
            ),
        ],
        factors,
        situations: rows,
        results: Results::Named(OUTCOMES.iter().map(|(name, label)| named(name, label)).collect()),
        claims: vec![
            claim(
                "Infantry breaks less often under fire",
                "P(break) in modified < P(break) in original",
                Relation::Less,
                breaks(0),
                (0..10).collect(),
            ),
            claim(
                "Infantry seldom breaks",
                "P(break) in modified <= 20%",
                Relation::AtMost,
                Side::Number(0.2),
                (0..20).collect(),
            ),
            average,
        ],
        expects: Vec::new(),
        charts: Vec::new(),
        notes: vec!["`weather` does not appear in original: it is ignored there".to_owned()],
    }
}

/// What the charts say of a total: position in [`OUTCOMES`]. Cavalry has the same chart in both.
fn chart(variant: usize, row: &[usize], total: i64) -> i32 {
    match (if row[0] == 1 { 0 } else { variant }, row[1], total) {
        (0, _, ..=4) | (1, 0, ..=3) | (1, 1, ..=2) => 4,
        (0, _, 5) | (0, 1, 6) | (1, 0, 4) | (1, 1, 3..=5) => 3,
        (1, 0, 5..=6) => 1,
        (1, 1, 6..=7) => 2,
        _ => 0,
    }
}

fn sample(scenario: &Scenario, variant: usize, situation: usize) -> Sample {
    let row = &scenario.situations[situation];
    let mut tally = Tally { trials: TRIALS, ..Tally::default() };
    for dice in 0..36 {
        let total = dice / 6 + dice % 6 + 2 - row[2] as i64 - row[4] as i64;
        *tally.counts.entry(chart(variant, row, total)).or_default() += TRIALS / 36;
    }
    let mut id = [situation as u8; 32];
    id[0] = if row[0] == 1 { 0 } else { variant as u8 };
    Sample { id: ContentId(id), tally }
}

/// What the counts of the example say.
pub(super) fn analysis(scenario: &Scenario) -> Analysis {
    let row = |variant| {
        (0..scenario.situations.len()).map(|situation| sample(scenario, variant, situation)).collect()
    };
    let samples: Vec<Vec<Sample>> = (0..scenario.variants.len()).map(row).collect();
    let named = match &scenario.results {
        Results::Named(named) => Some(named.len()),
        Results::Numbers => None,
    };
    analyse(&samples, scenario.baseline, named, LEVEL)
}
