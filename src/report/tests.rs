//! A small run for the tests of this room: the break test of infantry and cavalry, counts by enumeration of two dice.

use crate::analyse::{Analysis, Known, LEVEL, Part, Verdict, analyse, conditions, judge};
use crate::plan::{Answer, ContentId, Counts, Probability, Sample, Weights};
use crate::rules::{
    Choice, Expr, ExprNode, Factor, FactorId, Kind, KindId, KindValue, Picks, Place, RecordId, Ruleset, Span,
    Statement, StatementNode, Test, TestId, Type,
};
use crate::scenario::*;
use std::collections::BTreeMap;
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
        takes_in: Vec::new(),
        private: false,
    }
}

fn factor(name: &str, label: &str, ty: Type, values: std::ops::RangeInclusive<i32>) -> Factor {
    let values = values.collect();
    Factor {
        name: name.to_owned(),
        label: label.to_owned(),
        ty,
        values,
        default: Some(0),
        owner: None,
        span: Span::default(),
    }
}

fn ruleset(name: &str, note: &str) -> Ruleset {
    let choice = Choice {
        name: "break_chart".to_owned(),
        picks: Picks::Option(KindId(0), vec![1, 2]),
        parameters: Vec::new(),
        reached: Vec::new(),
        span: Span::default(),
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
        tests: vec![reads(FactorId(1))],
        ..Ruleset::default()
    }
}

/// A test that does nothing but look at one factor.
fn reads(factor: FactorId) -> Test {
    let (span, ty) = (Span::default(), Type::Flag);
    let node = StatementNode::Return(Expr { node: ExprNode::Read(Place::Factor(factor)), ty, span });
    Test {
        name: "break_test".to_owned(),
        parameters: Vec::new(),
        result: Type::Kind(KindId(0)),
        items: None,
        body: vec![Statement { node, span }],
        frame: 0,
        pools: 0,
        words: Vec::new(),
        replaced: false,
        span,
    }
}

fn variant(name: &str, title: &str, note: &str, moves: Vec<Option<Move>>) -> Variant {
    Variant {
        file: std::path::PathBuf::new(),
        name: name.to_owned(),
        rules: Arc::new(ruleset(title, note)),
        entry: TestId(0),
        base: vec![0, 0],
        moves,
    }
}

fn named(name: &str, label: &str) -> Named {
    Named { name: name.to_owned(), label: label.to_owned() }
}

fn grid(name: &str, label: &str, numeric: bool, values: Vec<Named>) -> GridFactor {
    let bindings = vec![(name == "disordered").then(|| (vec![FactorId(0)], vec![0, 1])); 2];
    GridFactor { name: name.to_owned(), label: label.to_owned(), numeric, values, bindings }
}

/// `P(break)` in a variant.
fn breaks(variant: usize) -> Side {
    Side::Quantity(
        Quantity::Probability(ResultSet { measure: 0, text: "break".to_owned(), spans: vec![(4, 4)] }),
        variant,
    )
}

fn claim(text: &str, holds: &str, relation: Relation, right: Side, situations: Vec<usize>) -> Claim {
    let (text, holds) = (text.to_owned(), holds.to_owned());
    let (left, margin, average, span) = (breaks(1), None, false, Span::default());
    Claim { text, holds, left, relation, right, margin, situations, average, span }
}

/// Five factors, one of them with a single value.
fn factors() -> Vec<GridFactor> {
    let names = |names: &[(&str, &str)]| names.iter().map(|(name, label)| named(name, label)).collect();
    let excess = (0..5).map(|n| named(&n.to_string(), &n.to_string())).collect();
    vec![
        grid("troop", "Troop type", false, names(&[("infantry", "Infantry"), ("cavalry", "Cavalry")])),
        grid("attack", "Attack", false, names(&[("shooting", "Shooting"), ("hand_to_hand", "Hand-to-hand")])),
        grid("excess", "Excess casualties", true, excess),
        grid("weather", "Weather", false, names(&[("dry", "Dry")])),
        grid("disordered", "Disordered", false, names(&[("no", "no"), ("yes", "yes")])),
    ]
}

/// One draft whose player goes by a condition, one whose player rolls for it.
fn variants() -> Vec<Variant> {
    let expr = Expr { node: ExprNode::Constant(1), ty: Type::Kind(KindId(0)), span: Span::default() };
    let text = "retreat if disordered else hold_disordered".to_owned();
    let (condition, mix) = (Move::Condition { expr, text }, Move::Mix(vec![(1, 3), (2, 1)]));
    vec![
        variant("original", "Original chart", "Skirmishers test as their arm", vec![Some(condition)]),
        variant("modified", "Modified chart", "Totals above 10 count as 10", vec![Some(mix)]),
    ]
}

/// Against the other draft, against a number, and of the average.
fn claims() -> Vec<Claim> {
    let less = "P(break) in modified < P(break) in original";
    let (fire, infantry, all) = ((0..10).collect(), (0..20).collect(), (0..40).collect());
    let average = claim("Fewer break on the whole", less, Relation::Less, breaks(0), all);
    let seldom = "P(break) in modified <= 20%";
    vec![
        claim("Infantry breaks less often under fire", less, Relation::Less, breaks(0), fire),
        claim("Infantry seldom breaks", seldom, Relation::AtMost, Side::Number((1, 5)), infantry),
        Claim { margin: Some(Margin::Points((1, 1))), average: true, ..average },
    ]
}

/// Two drafts, forty situations, three claims.
pub(super) fn scenario() -> Scenario {
    Scenario {
        title: "Break tests: original against modified".to_owned(),
        stem: "break-test".to_owned(),
        folder: "black-powder".to_owned(),
        test: "break_test".to_owned(),
        trials: TRIALS,
        precision: None,
        most_trials: None,
        seed: 1815,
        baseline: 0,
        variants: variants(),
        factors: factors(),
        situations: (0..40).map(|n| vec![n / 20, n / 10 % 2, n / 2 % 5, 0, n % 2]).collect(),
        measures: vec![result(Results::Named(
            OUTCOMES.iter().map(|(name, label)| named(name, label)).collect(),
        ))],
        joint: Vec::new(),
        paired: false,
        claims: claims(),
        expects: Vec::new(),
        charts: Vec::new(),
        pictures: crate::scenario::Pictures::default(),
        tune: None,
        notes: vec!["`weather` does not appear in original: it is ignored there".to_owned()],
    }
}

/// What the tests themselves give.
fn result(results: Results) -> Measure {
    let measured = Measured { record: None, positions: Vec::new() };
    let (name, label) = ("result".to_owned(), "result".to_owned());
    Measure { name, label, results, variants: vec![Some(measured); 2] }
}

/// What the charts say of a total: position in [`OUTCOMES`]. Cavalry has the same chart in both.
fn chart(variant: usize, row: &[usize], total: i64) -> i64 {
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
    let mut counts = Counts { trials: TRIALS, ..Counts::default() };
    for dice in 0..36 {
        let total = dice / 6 + dice % 6 + 2 - row[2] as i64 - row[4] as i64;
        let result = match scenario.main().results {
            Results::Named(_) => chart(variant, row, total),
            Results::Numbers => total + i64::from(variant == 1 && row[0] == 0),
        };
        *counts.counts.entry(result).or_default() += TRIALS / 36;
    }
    let mut id = [situation as u8; 32];
    id[0] = if row[0] == 1 { 0 } else { variant as u8 };
    let (trials, joint) = (TRIALS, BTreeMap::new());
    Sample { id: ContentId(id), trials, unresolved: 0, measures: vec![counts], joint }
}

/// The same drafts, of a test that gives a number: two dice less the excess, one more for infantry in the second draft.
pub(super) fn numbers() -> Scenario {
    let claims = vec![claim(
        "It is more",
        "mean(result) in modified > 7",
        Relation::More,
        Side::Number((7, 1)),
        vec![0, 2, 20],
    )];
    let mean = |claim: Claim| Claim { left: Side::Quantity(Quantity::Mean(0), 1), ..claim };
    Scenario {
        measures: vec![result(Results::Numbers)],
        claims: claims.into_iter().map(mean).collect(),
        ..scenario()
    }
}

/// The first two situations of the example; of 40 trials 30 lose nothing and 10 lose two; 12 record whether they rout, and
/// 3 of these do; both together were counted too.
pub(super) fn recorded() -> (Scenario, Analysis) {
    let mut scenario = scenario();
    scenario.situations.truncate(2);
    scenario.claims.clear();
    let measure = |name: &str, record: usize, results: Results| {
        let measured = Measured { record: Some(RecordId(record)), positions: Vec::new() };
        let (name, label) = (name.to_owned(), name.replace('_', " "));
        Measure { name, label, results, variants: vec![Some(measured); 2] }
    };
    scenario.measures.push(measure("men_lost", 0, Results::Numbers));
    scenario.measures.push(measure(
        "routed",
        1,
        Results::Named(vec![named("no", "no"), named("yes", "yes")]),
    ));
    scenario.joint = vec![2, 1];
    let counts = |counts: &[(i64, u64)]| Counts {
        trials: counts.iter().map(|(_, count)| count).sum(),
        counts: counts.iter().copied().collect(),
    };
    let mut one = sample(&scenario, 0, 0);
    one.measures = vec![counts(&[(0, 30), (4, 10)]), counts(&[(0, 30), (2, 10)]), counts(&[(0, 9), (1, 3)])];
    one.trials = 40;
    let together = [(vec![None, Some(0)], 28), (vec![Some(0), Some(0)], 2)];
    let more = [(vec![Some(0), Some(2)], 7), (vec![Some(1), Some(2)], 3)];
    one.joint = together.into_iter().chain(more).collect();
    let other = Sample { id: ContentId([9; 32]), ..one.clone() };
    let samples = [vec![one.clone(), one], vec![other.clone(), other]];
    let analysis = analyse(&samples, 0, &[Some(5), None, Some(2)], LEVEL);
    (scenario, analysis)
}

/// The same, where arithmetic gives the baseline of the first situation, in 20ths: 16 hold and 4 break; all lose nothing;
/// 5 record whether they rout, and 3 of these do.
pub(super) fn half_solved() -> (Scenario, Analysis) {
    let (scenario, mut analysis) = recorded();
    let weights = |partial, weights: &[(i64, i64)]| Weights {
        partial,
        weights: weights.iter().map(|(key, weight)| (*key, Probability::fraction(*weight, 20))).collect(),
    };
    let measures =
        vec![weights(false, &[(0, 16), (4, 4)]), weights(true, &[(0, 20)]), weights(true, &[(0, 2), (1, 3)])];
    let (joint, unresolved) = (BTreeMap::new(), Probability::ZERO);
    analysis.cells[0][0].answer = Ok(Answer { measures, joint, unresolved, limit: None });
    (scenario, analysis)
}

/// How claims come out if the counts were all there is: in the example each is a number of 36ths. Nothing where a test has
/// taken away what some claim speaks of.
fn verdicts(scenario: &Scenario, samples: &[Vec<Sample>]) -> Vec<Verdict> {
    let gone = |claim: &Claim| claim.situations.iter().any(|at| *at >= scenario.situations.len());
    if scenario.variants.len() < 2 || scenario.claims.iter().any(gone) {
        return Vec::new();
    }
    let figure = |side: &Side, situation: usize| match side {
        Side::Number((top, bottom)) => Probability::fraction(*top, *bottom as u64),
        Side::Quantity(of, variant) => {
            let counts = &samples[*variant][situation].measures[0];
            let times = |(key, count): (&i64, &u64)| match of {
                Quantity::Probability(set) => i64::from(set.contains(*key)) * *count as i64,
                _ => *key * *count as i64,
            };
            Probability::fraction(counts.counts.iter().map(times).sum(), counts.trials)
        }
    };
    let one = |claim: &Claim| {
        let share = matches!(claim.left, Side::Quantity(Quantity::Probability(_), _));
        let unit = Probability::fraction(1, if share { 100 } else { 1 });
        let conditions = conditions(claim.relation, claim.margin, &unit);
        let cell = |situations: &[usize]| {
            let part = |(side, of, situation): (usize, &Side, &usize)| {
                let mut shares = [Probability::ZERO, Probability::ZERO];
                shares[side] = Probability::fraction(1, situations.len() as u64);
                Part { shares, known: Known::Exactly(Some(figure(of, *situation))), own: true }
            };
            let left = situations.iter().map(|at| part((0, &claim.left, at)));
            let right = situations.iter().map(|at| part((1, &claim.right, at)));
            judge(&conditions, &left.chain(right).collect::<Vec<_>>(), 0.0)
        };
        Verdict::new(match claim.average {
            true => vec![cell(&claim.situations)],
            false => claim.situations.iter().map(|at| cell(&[*at])).collect(),
        })
    };
    scenario.claims.iter().map(one).collect()
}

/// What the counts of the example say.
pub(super) fn analysis(scenario: &Scenario) -> Analysis {
    let row = |variant| {
        (0..scenario.situations.len()).map(|situation| sample(scenario, variant, situation)).collect()
    };
    let samples: Vec<Vec<Sample>> = (0..scenario.variants.len()).map(row).collect();
    let named = match &scenario.main().results {
        Results::Named(named) => Some(named.len()),
        Results::Numbers => None,
    };
    let claims = verdicts(scenario, &samples);
    Analysis { claims, ..analyse(&samples, scenario.baseline, &[named], LEVEL) }
}
